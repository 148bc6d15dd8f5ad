// SPDX-License-Identifier: MIT
// Owns: 200 scenarios for views to draw, likely ones and absurd ones.
#pragma once
#include <string>
#include <vector>

namespace kvgauge::ui {

// Models of every kind of layer, engines, sizes that fit, do not fit and are refused, and inputs
// that no engine would take.
inline std::vector<std::string> scenarios() {
    std::vector<std::string> out;
    for (const char* model :
         {"llama-3-8b", "llama-3-70b", "llama-2-7b", "qwen2.5-7b", "gemma-3-27b", "deepseek-v3",
          "qwen3-next-80b-a3b", "gpt-oss-120b", "mixtral-8x7b", "no-such-model"}) {
        for (const char* engine :
             {"vllm", "sglang", "trtllm", "llamacpp", "tgi", "lmdeploy", "hf", "none"}) {
            for (const char* rest : {"&tp=1&ctx=8k", "&tp=8&ctx=128k&batch=64"}) {
                out.push_back(std::string("v=1&model=") + model + "&engine=" + engine + rest);
            }
        }
    }
    for (const char* odd :
         {"",
          "v=1",
          "v=1&ctx=1",
          "v=1&ctx=1000000000",
          "v=1&batch=1000000",
          "v=1&tp=1024",
          "v=1&gpu=no-such-gpu",
          "v=1&model=custom",
          "v=1&model=custom&layers=1&q-heads=1&head-dim=1",
          "v=1&model=custom&layers=100000&q-heads=1000&kv-heads=1000&head-dim=1000",
          "v=1&gpu-mem=1",
          "v=1&gpu-mem=18446744073709551615",
          "v=1&gpu-bw=1",
          "v=1&util=0.01",
          "v=1&util=1",
          "v=1&overhead=0",
          "v=1&overhead=80GiB",
          "v=1&kv-budget=1",
          "v=1&kv-budget=60GiB",
          "v=1&kv-heads=1",
          "v=1&kv-heads=32",
          "v=1&kv-heads=5",
          "v=1&kv-heads=4&tp=8&engine=tgi",
          "v=1&tpot-max=30",
          "v=1&tpot-max=0.001",
          "v=1&ttft-max=1",
          "v=1&in=1&out=1",
          "v=1&in=1000000&out=1000000",
          "v=1&kv=q4_0&engine=llamacpp",
          "v=1&weights=awq&kv=fp8",
          "v=1&pp=4",
          "v=1&dp=8",
          "v=1&dcp=2&tp=16",
          "v=1&gpu=t4-16gb",
          "v=1&gpu=mi300x-192gb&ctx=3",
          "v=1&engine=none&kv-budget=60GiB",
          "v=9&model=llama-3-8b&future=1",
          "v=1&kv=fp7&ctx=-3",
          "%%%&&&===",
          "v=1&model=llama-3-8b&model=llama-3-70b"}) {
        out.push_back(odd);
    }
    return out;
}

}  // namespace kvgauge::ui
