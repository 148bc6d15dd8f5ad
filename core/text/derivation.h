// SPDX-License-Identifier: MIT
// Owns: formulas with the values put in, as text: how a row's number comes about.
#pragma once
#include <string>

#include "estimate.h"
#include "text/strings.h"

namespace kvgauge {

// KV of one token: the sum over the kinds of layers. `full_only`: layers that keep every token.
std::string how_token(Lang, const ModelSpec&, const KvTypes&, bool full_only, double total);
// KV of one request of `ctx` tokens; `all_full`: windows not applied.
std::string how_request(Lang, const ModelSpec&, const KvTypes&, std::uint64_t ctx,
                        std::uint64_t cross_tokens, bool all_full, Bytes total);
std::string how_weights(Lang, const Estimate&);

}  // namespace kvgauge
