// SPDX-License-Identifier: MIT
// Owns: what vLLM keeps beside weights and KV, bytes per GPU: the activation peak of the profiling
// run, by arithmetic on the scheduler's limits; driver, communication and graph memory, as ranges
// read in public start-up logs. Internal to engine/.
//
//   activation = max(sampler + hidden states, widest layer)
//   sampler    = max_num_seqs * vocabulary * bytes per logit. PyTorch's sort takes 37.2 B (1.25 GB
//                for 256 x 131072), FlashInfer's and Triton's kernels 12 B (384 MB): measured in
//                vllm#32558. Sorted until FlashInfer came with the wheel (0.10), again after it was
//                turned off (#26859, 0.11.1), Triton since #33538 (0.18).
//   widest layer = max_num_batched_tokens * 2 B * (gate, up, product; 2.5 hidden states); experts:
//                top-k copies of the token. An 8B model: 106 kB a token, as logged (vllm#10517).
#pragma once
#include "engine/engine.h"

namespace kvgauge::engine::vllm {

OverheadParts overhead_parts(const EngineInput&);
// Sum of the parts; their ranges add as independent errors.
Quantity overhead(const OverheadParts&);

}  // namespace kvgauge::engine::vllm
