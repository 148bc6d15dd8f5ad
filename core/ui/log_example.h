// SPDX-License-Identifier: MIT
// Owns: a start-up log to show what the view does before one is at hand: the memory lines of
// vLLM 0.6.5 on one H100 80GB with Meta-Llama-3-8B, figures as reported in vllm-project/vllm#10511
// (0.9 × 79.22 − 14.96 − 1.79 − 1.26 = 53.29 GiB), in the wording of that release.
#pragma once
#include <string_view>

namespace kvgauge::ui {

inline constexpr std::string_view kLogExample =
    "INFO llm_engine.py:249] Initializing an LLM engine (v0.6.5) with config: "
    "model='meta-llama/Meta-Llama-3-8B', tensor_parallel_size=1, max_seq_len=8192\n"
    "INFO model_runner.py:1092] Loading model weights took 14.96 GB\n"
    "INFO worker.py:241] Memory profiling results: total_gpu_memory=79.22GiB "
    "non_torch_memory=1.79GiB peak_torch_memory=16.22GiB kv_cache_size=53.29GiB "
    "gpu_memory_utilization=0.90\n";

}  // namespace kvgauge::ui
