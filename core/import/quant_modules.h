// SPDX-License-Identifier: MIT
// Owns: what lists of module names and patterns in quantisation configs speak of. Names differ by
// family and tool ("model.layers.3.self_attn.q_proj", "re:.*self_attn.*", "*.attn.*"); what matters
// is which class of matrices they mean and in how many layers.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/model_spec.h"
#include "model/weight_format.h"

namespace kvgauge {

class ModuleVotes {
  public:
    void add(std::string_view module);
    // The class is named without a layer, or in more than half of the layers that have it.
    bool most(MatrixClass, const ModelSpec&) const;

  private:
    void vote(MatrixClass, std::size_t layer);

    std::array<bool, kMatrixClasses> all_{};
    std::array<std::vector<bool>, kMatrixClasses> layers_;
};

}  // namespace kvgauge
