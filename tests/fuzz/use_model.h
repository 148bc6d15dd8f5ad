// SPDX-License-Identifier: MIT
// Owns: what a fuzz target does with an import: all arithmetic on the model, and the promises that
// must hold for any input. A broken one aborts, which the fuzzer reports with the input.
#pragma once
#include <cstdlib>

#include "import/config_json.h"
#include "model/kv_cache.h"
#include "model/weights.h"

namespace kvgauge::fuzz {

inline void require(bool holds) {
    if (!holds) std::abort();
}

inline void use_model(const Import& i) {
    // A refusal has a reason; a model has none.
    require(i.model.has_value() != has_error(i.issues));
    for (const Issue& x : i.issues) require(!x.text.empty());
    if (!i.model) return;
    const ModelSpec& m = *i.model;
    require(!m.layers.empty() && layer_count(m) <= 1u << 20);
    for (const DType t : {DType::bf16, DType::q4_0}) {
        const KvSizes near = kv_sizes(m, {t, t, DType::automatic}, 4096, 16);
        const KvSizes far = kv_sizes(m, {t, t, DType::automatic}, std::uint64_t{1} << 40, 16);
        require(near.bytes_per_token >= 0 && near.bytes_per_token_full >= 0);
        // More tokens never take fewer bytes, and an overflow stays one.
        const Bytes a = near.bytes_per_request, b = far.bytes_per_request;
        require(b.overflow() || (!a.overflow() && a.value() <= b.value()));
    }
    const Params p = params(m);
    require(p.total.overflow() || p.active.overflow() || p.active.value() <= p.total.value());
    checkpoint_bytes(m, m.weights);
    bytes_per_gpu(m, m.weights, 8, 2, true);
}

}  // namespace kvgauge::fuzz
