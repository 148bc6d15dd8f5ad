// SPDX-License-Identifier: MIT
// Owns: the shapes of constant-state layers: elements of recurrent state and convolution history,
// and parameters. A missing or wrong field marks the draft as failed.
#pragma once
#include "import/config_draft.h"

namespace kvgauge {

StateSpec mamba1_mixer(Draft&, bool inner_norms);  // Jamba normalises dt, B and C with weights
StateSpec mamba2_mixer(Draft&);
StateSpec gdn_mixer(Draft&);  // gated delta net
// Kimi delta attention, state always fp32; `full_gate`: the output gate is one linear, not two.
StateSpec kda_mixer(const Draft&, std::uint64_t heads, std::uint64_t dim, std::uint64_t conv,
                    bool full_gate);
StateSpec lightning_mixer(Draft&);  // state always fp32
StateSpec conv_mixer(Draft&);       // gated short convolution
StateSpec rwkv_mixer(Draft&);
StateSpec rg_lru_mixer(Draft&);

// The latent attention of one layer (config_latent.cc).
AttentionSpec read_latent(Draft&);

}  // namespace kvgauge
