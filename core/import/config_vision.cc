// SPDX-License-Identifier: MIT
#include "import/config_vision.h"

namespace kvgauge {

void read_vision(const Fields& outer, const Fields&, ModelSpec& m) {
    const Fields v = outer.inside("vision_config");
    if (!v.object().is_object()) return;
    const auto heads = v.find({"num_attention_heads", "num_heads"}).whole();
    if (heads && *heads <= kMaxHeads) m.vision_heads = static_cast<std::uint32_t>(*heads);
}

}  // namespace kvgauge
