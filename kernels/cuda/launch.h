// SPDX-License-Identifier: MIT
// Door of the CUDA kernels: plain C++, no CUDA type. All work goes to the current device. A stream
// is a cudaStream_t. A result is empty when all went well, else a sentence. Nothing here waits for
// the device but self_test().
#pragma once

#include <cstdint>
#include <string>

#include "kernels/plan.h"
#include "kernels/problem.h"

namespace kvgauge::kernels::cuda {

using Stream = void*;

struct Device {
    int multiprocessors = 0;
    int compute_capability = 0;  // 80, 90, ...
};
Device current_device();

// Why this problem cannot run here: refusal(), or what the architecture lacks.
std::string decode_refusal(const DecodeProblem& problem, const Device& device);

// Blocks of this problem's kernel that the device runs at once; 0 on an error.
int decode_slots(const DecodeProblem& problem, const Device& device);

// Decode and, with more than one split, merge. `workspace`: plan.workspace_bytes.
std::string launch_decode(const DecodeProblem& problem, const DecodePlan& plan, void* workspace,
                          Stream stream);

struct PrefillProblem {
    Element element = Element::f16;  // f16 or bf16
    int batch = 1;
    int tokens = 0;
    int q_heads = 1;
    int kv_heads = 1;
    int head_dim = 128;  // 64, 80, 96 or 128
    float scale = 1.0f;
    const void* q = nullptr;  // [batch][tokens][q_heads][dim]; k and v with kv_heads
    const void* k = nullptr;
    const void* v = nullptr;
    void* out = nullptr;
};
std::string prefill_refusal(const PrefillProblem& problem, const Device& device);
std::string launch_prefill(const PrefillProblem& problem, Stream stream);

// Streams over `bytes`, a multiple of 16. `sink`: 16 bytes that a read never writes.
std::string launch_read(const void* from, std::uint64_t bytes, void* sink, const Device& device,
                        Stream stream);
std::string launch_copy(void* to, const void* from, std::uint64_t bytes, const Device& device,
                        Stream stream);
std::string launch_fill(void* to, std::uint64_t bytes, Element element, std::uint32_t seed,
                        const Device& device, Stream stream);
std::string launch_nothing(Stream stream);  // an empty kernel: the floor of a launch

// Every wrapper of device.h on known bits, on this device. Waits for it.
std::string self_test(const Device& device, Stream stream);

}  // namespace kvgauge::kernels::cuda
