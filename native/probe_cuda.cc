// SPDX-License-Identifier: MIT
#include "native/probe_cuda.h"

#include <algorithm>
#include <cmath>

#include "native/probe_cuda_class.h"

namespace kvgauge {
namespace {

constexpr std::uint64_t mib_bytes = std::uint64_t{1} << 20;
constexpr double graph_ns = 2e6;  // work in one sample, at least
constexpr std::uint64_t gemm_workspace = 32 * mib_bytes;

std::string megabytes(std::uint64_t bytes) {
    return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

}  // namespace

std::string CudaProbe::open() {
    if (open_) return {};
    // Sleep while waiting: the other threads of an application need the processor.
    cudaInitDevice(index_, cudaDeviceScheduleBlockingSync, cudaInitDeviceFlagsAreValid);
    std::string wrong = cuda::sentence(cudaSetDevice(index_), "The GPU cannot be opened");
    if (!wrong.empty()) return wrong;
    int least = 0;
    int greatest = 0;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    wrong = cuda::sentence(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, least),
                           "The GPU gives no stream");
    if (wrong.empty()) wrong = cuda::sentence(cudaEventCreate(&begin_), "The GPU gives no event");
    if (wrong.empty()) wrong = cuda::sentence(cudaEventCreate(&end_), "The GPU gives no event");
    if (!wrong.empty()) return wrong;
    device_ = kc::current_device();
    open_ = true;
    return {};
}

void CudaProbe::close() {
    release();
    memory_.reset();
    if (begin_) cudaEventDestroy(begin_);
    if (end_) cudaEventDestroy(end_);
    if (stream_) cudaStreamDestroy(stream_);
}

DeviceInfo CudaProbe::device() {
    info_ = cuda::describe(index_);
    if (info_.problem.empty()) info_.problem = open();
    if (info_.problem.empty()) {
        std::size_t free = 0;
        std::size_t total = 0;
        if (cudaMemGetInfo(&free, &total) == cudaSuccess) info_.free_bytes = free;
    }
    return info_;
}

bool CudaProbe::has(KernelKind kernel, DType kv) const {
    const bool bf16 = device_.compute_capability >= 80;
    switch (kernel) {
        case KernelKind::read:
        case KernelKind::copy:
            return true;
        case KernelKind::prefill:
        case KernelKind::gemm:
            return kv == DType::fp16 || (kv == DType::bf16 && bf16);
        case KernelKind::decode:
            return kv == DType::fp16 || kv == DType::fp8 || (kv == DType::bf16 && bf16);
    }
    return false;
}

// Never what is not free: Windows and WSL would swap silently.
std::uint64_t CudaProbe::allowed(const MeasureLimits& limits) const {
    std::size_t free = 0;
    std::size_t total = 0;
    if (cudaMemGetInfo(&free, &total) != cudaSuccess) return 0;
    const std::uint64_t keep = std::max<std::uint64_t>(512 * mib_bytes, total / 10);
    const std::uint64_t own = free + memory_.size();
    const std::uint64_t most = own > keep ? own - keep : 0;
    if (limits.memory_cap != 0) return std::min(most, limits.memory_cap);
    return std::min({most, own / 4, 2048 * mib_bytes});
}

std::string CudaProbe::reserve(std::uint64_t bytes, const MeasureLimits& limits) {
    const std::uint64_t most = allowed(limits);
    if (bytes > most) return "needs " + megabytes(bytes) + ", allowed are " + megabytes(most);
    const cudaError_t error = memory_.allocate(bytes);
    if (error == cudaErrorMemoryAllocation)
        return "needs " + megabytes(bytes) + ", the GPU did not give them";
    ready_.fatal = cuda::is_lost(error);
    return cuda::sentence(error, "Memory");
}

std::string CudaProbe::prepare_stream(KernelKind kernel, const CaseShape& shape,
                                      const MeasureLimits& limits) {
    const std::uint64_t half = std::min(shape.bytes, allowed(limits)) / 2 / 256 * 256;
    call_bytes_ = half;
    copies_ = 2;
    std::string wrong = reserve(2 * half + 256, limits);
    if (!wrong.empty()) return wrong;
    ready_.bytes = kernel == KernelKind::copy ? 2 * half : half;
    ready_.cold = half >= 2 * info_.cache_bytes;
    sink_ = memory_.data() + 2 * half;
    return kc::launch_fill(memory_.data(), 2 * half, kernels::Element::f16, 1, device_, stream_);
}

std::string CudaProbe::prepare_prefill(const CaseShape& shape, const MeasureLimits& limits) {
    kc::PrefillProblem& p = prefill_ = {};
    p.element = element_of(shape.kv);
    p.batch = static_cast<int>(shape.batch);
    p.tokens = static_cast<int>(shape.ctx);
    p.q_heads = static_cast<int>(shape.q_heads);
    p.kv_heads = static_cast<int>(shape.kv_heads);
    p.head_dim = static_cast<int>(shape.head_dim);
    p.scale = 1.0f / std::sqrt(static_cast<float>(shape.head_dim));
    std::string wrong = kc::prefill_refusal(p, device_);
    if (!wrong.empty()) return wrong;
    const std::uint64_t rows = std::uint64_t{shape.batch} * shape.ctx * shape.head_dim * 2;
    const std::uint64_t q = round_up_256(rows * shape.q_heads);
    const std::uint64_t kv = round_up_256(rows * shape.kv_heads);
    copies_ = 1;
    wrong = reserve(2 * q + 2 * kv, limits);
    if (!wrong.empty()) return wrong;
    p.q = memory_.data();
    p.k = memory_.data() + q;
    p.v = memory_.data() + q + kv;
    p.out = memory_.data() + q + 2 * kv;
    ready_.bytes = 2 * rows * shape.q_heads + 2 * rows * shape.kv_heads;
    // Half of the tokens x tokens square: 4 FLOP each for scores and sums, over two.
    ready_.flops =
        2 * std::uint64_t{shape.batch} * shape.q_heads * shape.ctx * shape.ctx * shape.head_dim;
    return kc::launch_fill(memory_.data(), q + 2 * kv, p.element, 3, device_, stream_);
}

std::string CudaProbe::prepare_gemm(const CaseShape& shape, const MeasureLimits& limits) {
    const kernels::Element element = element_of(shape.kv);
    std::string wrong;
    gemm_ = kc::Gemm::open(element, static_cast<int>(shape.m), static_cast<int>(shape.n),
                           static_cast<int>(shape.k), gemm_workspace, wrong);
    if (!gemm_) return wrong;
    const auto matrix = [](std::uint64_t rows, std::uint64_t columns) {
        return round_up_256(2 * rows * columns);
    };
    const std::uint64_t a = matrix(shape.m, shape.k);
    const std::uint64_t b = matrix(shape.n, shape.k);
    const std::uint64_t d = matrix(shape.m, shape.n);
    copies_ = 1;
    wrong = reserve(a + b + d + gemm_workspace, limits);
    if (!wrong.empty()) return wrong;
    ready_.bytes = 2 * (std::uint64_t{shape.m} * shape.k + std::uint64_t{shape.n} * shape.k +
                        std::uint64_t{shape.m} * shape.n);
    ready_.flops = 2 * std::uint64_t{shape.m} * shape.n * shape.k;
    workspace_ = memory_.data() + a + b + d;
    return kc::launch_fill(memory_.data(), a + b, element, 4, device_, stream_);
}

Prepared CudaProbe::prepare(KernelKind kernel, CaseShape& shape, const MeasureLimits& limits) {
    ready_ = {};
    ready_.clock = "gpu";
    kernel_ = kernel;
    gemm_.reset();
    switch (kernel) {
        case KernelKind::read:
        case KernelKind::copy:
            ready_.refusal = prepare_stream(kernel, shape, limits);
            break;
        case KernelKind::decode:
            ready_.refusal = prepare_decode(shape, limits);
            break;
        case KernelKind::prefill:
            ready_.refusal = prepare_prefill(shape, limits);
            break;
        case KernelKind::gemm:
            ready_.refusal = prepare_gemm(shape, limits);
            break;
    }
    shape_ = shape;
    if (!ready_.refusal.empty()) return ready_;

    // How many calls make up graph_ns, found by one round, then recorded for good.
    paired_ = kernel == KernelKind::decode || kernel == KernelKind::copy;
    const auto round = static_cast<int>(std::min<std::uint64_t>(copies_, 1000));
    std::string wrong = record(round);
    double ns = 0;
    for (int i = 0; i < 2 && wrong.empty(); ++i) ns = timed(case_graph_, nullptr, wrong);
    if (wrong.empty() && ns < graph_ns && ns > 0)
        wrong = record(round * static_cast<int>(std::min(1000.0, std::ceil(graph_ns / ns))));
    ready_.refusal = wrong;
    ready_.fatal = !wrong.empty();
    return ready_;
}

void CudaProbe::release() {
    case_graph_.reset();
    read_graph_.reset();
    gemm_.reset();
}

std::unique_ptr<Probe> make_cuda_probe(int index) {
    return std::make_unique<CudaProbe>(index);
}

}  // namespace kvgauge
