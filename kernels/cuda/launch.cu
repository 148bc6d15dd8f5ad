// SPDX-License-Identifier: MIT
#include "kernels/cuda/launch.h"

#include <cuda_runtime.h>

#include <memory>

#include "kernels/cuda/decode_door.h"
#include "kernels/cuda/prefill.cuh"
#include "kernels/cuda/self_test.cuh"
#include "kernels/cuda/streams.cuh"

namespace kvgauge::kernels::cuda {
namespace {

__global__ void __launch_bounds__(dev::kStreamThreads)
    read_kernel(const __grid_constant__ dev::StreamParams p) {
    dev::ReadStream::run(p);
}
__global__ void __launch_bounds__(dev::kStreamThreads)
    copy_kernel(const __grid_constant__ dev::StreamParams p) {
    dev::CopyStream::run(p);
}
__global__ void __launch_bounds__(dev::kStreamThreads)
    fill_kernel(const __grid_constant__ dev::FillParams p) {
    dev::Fill::run(p);
}
__global__ void nothing_kernel() {}
__global__ void self_test_kernel(const __grid_constant__ dev::SelfTestParams p) {
    dev::SelfTest::run(p);
}
template <class Element, int kDim>
__global__ void __launch_bounds__(32 * dev::kPrefillWarps, 2)
    prefill_kernel(const __grid_constant__ dev::PrefillParams p) {
    dev::Prefill<Element, kDim>::run(p);
}

cudaStream_t native(Stream stream) {
    return static_cast<cudaStream_t>(stream);
}

std::string outcome(const char* what) {
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return {};
    return std::string(what) + ": " + cudaGetErrorString(error);
}

// All blocks the device holds at once: a grid of one wave, each thread with many vectors.
template <class Kernel>
unsigned one_wave(Kernel kernel, const Device& device) {
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, dev::kStreamThreads, 0);
    return static_cast<unsigned>((blocks > 0 ? blocks : 1) * device.multiprocessors);
}

dev::DecodeDoor door(Element element) {
    switch (element) {
        case Element::f16:
            return dev::decode_door_f16();
        case Element::bf16:
            return dev::decode_door_bf16();
        case Element::e4m3:
            return dev::decode_door_e4m3();
    }
    return {};
}

std::string no_bf16(Element element, const Device& device) {
    if (element != Element::bf16 || device.compute_capability >= 80) return {};
    return "bf16: the tensor cores of sm_" + std::to_string(device.compute_capability) +
           " have no bf16; fp16 and fp8 caches run there";
}

template <class Element>
bool launch_prefill_as(const PrefillProblem& problem, const dev::PrefillParams& p,
                       cudaStream_t stream) {
    const dim3 grid(
        static_cast<unsigned>((problem.tokens + dev::kPrefillQueries - 1) / dev::kPrefillQueries),
        static_cast<unsigned>(problem.q_heads), static_cast<unsigned>(problem.batch));
    const auto launch = [&]<int kDim>() {
        prefill_kernel<Element, kDim>
            <<<grid, 32 * dev::kPrefillWarps, dev::prefill_shared_bytes(kDim), stream>>>(p);
        return true;
    };
    switch (problem.head_dim) {
        case 64:
            return launch.template operator()<64>();
        case 80:
            return launch.template operator()<80>();
        case 96:
            return launch.template operator()<96>();
        case 128:
            return launch.template operator()<128>();
        default:
            return false;
    }
}

struct Free {
    void operator()(void* p) const { cudaFree(p); }
};

}  // namespace

Device current_device() {
    Device device;
    int index = 0;
    int major = 0;
    int minor = 0;
    if (cudaGetDevice(&index) != cudaSuccess) return device;
    cudaDeviceGetAttribute(&device.multiprocessors, cudaDevAttrMultiProcessorCount, index);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, index);
    device.compute_capability = 10 * major + minor;
    return device;
}

std::string decode_refusal(const DecodeProblem& problem, const Device& device) {
    if (device.compute_capability < 75)
        return "sm_" + std::to_string(device.compute_capability) +
               ": the kernels need sm_75 (Turing) or later";
    std::string reason = refusal(problem);
    return reason.empty() ? no_bf16(problem.element, device) : reason;
}

int decode_slots(const DecodeProblem& problem, const Device& device) {
    return door(problem.element)
               .blocks_per_multiprocessor(problem,
                                          head_tiles_for(problem.group(), problem.head_dim)) *
           device.multiprocessors;
}

std::string launch_decode(const DecodeProblem& problem, const DecodePlan& plan, void* workspace,
                          Stream stream) {
    const dev::DecodeParams params = decode_params(problem, plan, workspace);
    if (!door(problem.element).launch(params, problem, plan.head_tiles, stream))
        return "decode: no kernel for head_dim " + std::to_string(problem.head_dim);
    return outcome("decode");
}

std::string prefill_refusal(const PrefillProblem& p, const Device& device) {
    if (device.compute_capability < 75) return "prefill needs sm_75 (Turing) or later";
    if (p.element == Element::e4m3) return "prefill takes fp16 and bf16";
    if (p.head_dim != 64 && p.head_dim != 80 && p.head_dim != 96 && p.head_dim != 128)
        return "head_dim " + std::to_string(p.head_dim) + ": prefill takes 64, 80, 96 and 128";
    if (p.batch < 1 || p.batch > 65535 || p.q_heads < 1 || p.q_heads > 65535 || p.kv_heads < 1 ||
        p.q_heads % p.kv_heads != 0 || p.tokens < 1)
        return "prefill needs tokens, batch and heads of at least 1, q_heads a multiple of "
               "kv_heads";
    return no_bf16(p.element, device);
}

std::string launch_prefill(const PrefillProblem& problem, Stream stream) {
    constexpr float log2_e = 1.4426950408889634f;
    dev::PrefillParams p{};
    p.q = static_cast<const unsigned char*>(problem.q);
    p.k = static_cast<const unsigned char*>(problem.k);
    p.v = static_cast<const unsigned char*>(problem.v);
    p.out = static_cast<unsigned char*>(problem.out);
    p.tokens = problem.tokens;
    p.q_heads = problem.q_heads;
    p.kv_heads = problem.kv_heads;
    p.scale_log2 = problem.scale * log2_e;
    const bool known = problem.element == Element::bf16
                           ? launch_prefill_as<dev::Bf16>(problem, p, native(stream))
                           : launch_prefill_as<dev::F16>(problem, p, native(stream));
    return known ? outcome("prefill") : "prefill: no kernel for this head_dim";
}

std::string launch_read(const void* from, std::uint64_t bytes, void* sink, const Device& device,
                        Stream stream) {
    const dev::StreamParams p{static_cast<const unsigned char*>(from),
                              static_cast<unsigned char*>(sink),
                              static_cast<std::int64_t>(bytes / 16)};
    read_kernel<<<one_wave(read_kernel, device), dev::kStreamThreads, 0, native(stream)>>>(p);
    return outcome("read");
}

std::string launch_copy(void* to, const void* from, std::uint64_t bytes, const Device& device,
                        Stream stream) {
    const dev::StreamParams p{static_cast<const unsigned char*>(from),
                              static_cast<unsigned char*>(to),
                              static_cast<std::int64_t>(bytes / 16)};
    copy_kernel<<<one_wave(copy_kernel, device), dev::kStreamThreads, 0, native(stream)>>>(p);
    return outcome("copy");
}

std::string launch_fill(void* to, std::uint64_t bytes, Element element, std::uint32_t seed,
                        const Device& device, Stream stream) {
    const dev::FillKind kind = element == Element::f16    ? dev::FillKind::f16
                               : element == Element::bf16 ? dev::FillKind::bf16
                                                          : dev::FillKind::e4m3;
    const dev::FillParams p{static_cast<unsigned char*>(to), static_cast<std::int64_t>(bytes / 16),
                            kind, seed};
    fill_kernel<<<one_wave(fill_kernel, device), dev::kStreamThreads, 0, native(stream)>>>(p);
    return outcome("fill");
}

std::string launch_nothing(Stream stream) {
    nothing_kernel<<<1, 32, 0, native(stream)>>>();
    return outcome("empty kernel");
}

std::string self_test(const Device& device, Stream stream) {
    dev::SelfTestIn in[32];
    dev::SelfTestOut out[32];
    dev::make_self_test(in);
    const bool bf16 = device.compute_capability >= 80;
    void* memory = nullptr;
    if (cudaMalloc(&memory, sizeof in + sizeof out) != cudaSuccess) return outcome("self-test");
    const std::unique_ptr<void, Free> owner(memory);
    dev::SelfTestParams p{};
    p.in = static_cast<const dev::SelfTestIn*>(memory);
    p.out = reinterpret_cast<dev::SelfTestOut*>(static_cast<unsigned char*>(memory) + sizeof in);
    p.bf16 = bf16;
    cudaMemcpyAsync(memory, in, sizeof in, cudaMemcpyHostToDevice, native(stream));
    self_test_kernel<<<1, 32, dev::kSelfTestSharedBytes, native(stream)>>>(p);
    cudaMemcpyAsync(out, p.out, sizeof out, cudaMemcpyDeviceToHost, native(stream));
    if (cudaStreamSynchronize(native(stream)) != cudaSuccess) return outcome("self-test");
    return dev::check_self_test(in, out, bf16);
}

}  // namespace kvgauge::kernels::cuda
