// SPDX-License-Identifier: MIT
// Method: cold last-level cache by rotation over copies of the cache; each sample is one graph of
// reads and one graph of the case, of about 2 ms, timed by events; decode and read take turns, so
// that what disturbs the device disturbs both. Clocks are never locked.
#include "native/probe_cuda.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "kernels/cuda/gemm.h"
#include "kernels/cuda/launch.h"
#include "kernels/exact.h"
#include "native/nvml.h"
#include "native/probe_cuda_device.h"

namespace kvgauge {
namespace {

namespace kc = kernels::cuda;
using kernels::DecodeProblem;
using kernels::Element;

constexpr std::uint64_t mib_bytes = std::uint64_t{1} << 20;
constexpr double graph_ns = 2e6;      // work in one sample, at least
constexpr double warm_up_ns = 250e6;  // before the first figure: clocks take that long to rise
constexpr std::uint64_t gemm_workspace = 32 * mib_bytes;

Element element_of(DType kv) {
    return kv == DType::fp8 ? Element::e4m3 : kv == DType::fp16 ? Element::f16 : Element::bf16;
}

std::uint64_t round_up_256(std::uint64_t bytes) {
    return (bytes + 255) / 256 * 256;
}

std::string megabytes(std::uint64_t bytes) {
    return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int attribute(cudaDeviceAttr what, int index) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, what, index) == cudaSuccess ? value : 0;
}

std::string bus_id_of(int index) {
    char text[32] = "";
    return cudaDeviceGetPCIBusId(text, sizeof text, index) == cudaSuccess ? text : "";
}

// The library stays open for the life of the program: opening it takes a second on some machines.
const Nvml* nvml() {
    static const std::unique_ptr<Nvml> library = Nvml::open();
    return library.get();
}

// Why there is no device at all; empty when there are some.
std::string no_devices(int& count) {
    count = 0;  // left unwritten by CUDA when there is no driver
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0) return {};
    cudaGetLastError();
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (error == cudaErrorInsufficientDriver && driver == 0)
        return "No NVIDIA driver is loaded on this machine.";
    if (error == cudaErrorInsufficientDriver)
        return "The NVIDIA driver supports CUDA " + version_text(driver) +
               "; this kvgauge needs CUDA " + version_text(runtime) + ".";
    if (error == cudaSuccess || error == cudaErrorNoDevice)
        return "A driver is there, but it shows no NVIDIA GPU (CUDA_VISIBLE_DEVICES may hide it).";
    return "The NVIDIA GPUs cannot be used: " + std::string(cudaGetErrorString(error)) + ".";
}

DeviceInfo describe(int index) {
    DeviceInfo info;
    info.id = "cuda:" + std::to_string(index);
    cudaDeviceProp properties{};
    const cudaError_t error = cudaGetDeviceProperties(&properties, index);
    if (error != cudaSuccess) {
        info.problem = cuda::sentence(error, "The device cannot be asked");
        return info;
    }
    const int major = attribute(cudaDevAttrComputeCapabilityMajor, index);
    const int minor = attribute(cudaDevAttrComputeCapabilityMinor, index);
    info.name = properties.name;
    info.arch = "sm_" + std::to_string(10 * major + minor);
    info.memory_bytes = properties.totalGlobalMem;
    info.cache_bytes = static_cast<std::uint64_t>(attribute(cudaDevAttrL2CacheSize, index));
    info.units = static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount, index));
    info.ecc = properties.ECCEnabled != 0;
    // A name like "NVIDIA A100 MIG 1g.10gb".
    info.slice = info.name.find("MIG") != std::string::npos;
    // Two transfers a clock. A slice has a share of it that nobody tells: unknown then.
    const double clock_hz = 1e3 * attribute(cudaDevAttrMemoryClockRate, index);
    const double bus_bytes = attribute(cudaDevAttrGlobalMemoryBusWidth, index) / 8.0;
    if (!info.slice) info.bandwidth = 2 * clock_hz * bus_bytes;
    int runtime = 0;
    cudaRuntimeGetVersion(&runtime);
    info.runtime = "CUDA " + version_text(runtime);
    if (nvml() != nullptr) {
        info.driver = nvml()->driver_version();
        info.power_limit_w = nvml()->power_limit_w(bus_id_of(index));
    }
    if (10 * major + minor < 75)
        info.problem =
            info.name + " is " + info.arch + "; the kernels need sm_75 (Turing) or later.";
    return info;
}

class CudaProbe : public Probe {
  public:
    explicit CudaProbe(int index) : index_(index) {}
    ~CudaProbe() override { close(); }

    DeviceInfo device() override;
    ClockState clocks() override {
        return nvml() ? nvml()->clocks(bus_id_of(index_)) : ClockState{};
    }
    std::string self_test() override;
    bool has(KernelKind kernel, DType kv) const override;
    Prepared prepare(KernelKind kernel, CaseShape& shape, const MeasureLimits& limits) override;
    Sample sample(const std::atomic<bool>* stop) override;
    void release() override;
    std::optional<double> launch_floor_ns() override;

  private:
    std::string open();
    void close();
    std::string check_decode(Element element, bool paged, int splits);
    std::uint64_t allowed(const MeasureLimits& limits) const;
    std::string prepare_stream(KernelKind kernel, const CaseShape& shape, const MeasureLimits&);
    std::string prepare_decode(CaseShape& shape, const MeasureLimits&);
    std::string prepare_prefill(const CaseShape& shape, const MeasureLimits&);
    std::string prepare_gemm(const CaseShape& shape, const MeasureLimits&);
    std::string choose_split(const DecodeProblem& problem);
    std::string reserve(std::uint64_t bytes, const MeasureLimits& limits);
    std::string record(int rounds);
    std::string launch_case(std::uint64_t turn);
    // Device time of one launch of the graph; negative when stopped or failed.
    double timed(const cuda::Graph& graph, const std::atomic<bool>* stop, std::string& failure);

    int index_;
    bool open_ = false;
    kc::Device device_;
    DeviceInfo info_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
    cuda::Memory memory_;  // everything a case needs, in one block
    cuda::Graph case_graph_, read_graph_;
    double warmed_ns_ = 0;

    // The case.
    Prepared ready_;
    KernelKind kernel_ = KernelKind::read;
    std::uint64_t call_bytes_ = 0;  // of one copy of the rotation
    std::uint64_t copies_ = 1;
    int calls_ = 1;        // in one graph
    bool paired_ = false;  // with a read of equal bytes
    unsigned char* sink_ = nullptr;
    DecodeProblem decode_;
    kernels::DecodePlan plan_;
    void* workspace_ = nullptr;
    kc::PrefillProblem prefill_;
    std::unique_ptr<kc::Gemm> gemm_;
    CaseShape shape_;
};

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
    info_ = describe(index_);
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

std::string CudaProbe::self_test() {
    std::string wrong = open();
    if (wrong.empty()) wrong = kc::self_test(device_, stream_);
    for (const Element element : {Element::f16, Element::bf16, Element::e4m3}) {
        if (element == Element::bf16 && device_.compute_capability < 80) continue;
        for (const bool paged : {false, true}) {
            for (const int splits : {1, 3})
                if (wrong.empty()) wrong = check_decode(element, paged, splits);
        }
    }
    return wrong;
}

// A small ragged decode against double precision on the host.
std::string CudaProbe::check_decode(Element element, bool paged, int splits) {
    constexpr int batch = 2, kv_heads = 2, group = 7, dim = 128, longest = 190, page = 16;
    constexpr int pages = (longest + page - 1) / page;
    DecodeProblem p;
    p.element = element;
    p.batch = batch;
    p.kv_heads = kv_heads;
    p.q_heads = kv_heads * group;
    p.head_dim = dim;
    p.max_length = longest;
    p.scale = 1.0f / std::sqrt(static_cast<float>(dim));
    if (paged) {
        p.page_tokens = page;
        p.table_stride = pages;
    }
    p.strides = kernels::tokens_first(p, paged ? page : longest);
    const auto blocks = static_cast<std::uint64_t>(paged ? batch * pages : batch);
    const std::uint64_t cache = blocks * static_cast<std::uint64_t>(p.strides.block) *
                                static_cast<std::uint64_t>(kernels::element_bytes(element));
    const std::uint64_t rows = static_cast<std::uint64_t>(batch) * kv_heads * group * dim * 2;

    // One block for both sides, laid out alike: q, k, v, out, lengths, table.
    const std::uint64_t at_k = round_up_256(rows);
    const std::uint64_t at_v = at_k + round_up_256(cache);
    const std::uint64_t at_out = at_v + round_up_256(cache);
    const std::uint64_t at_lengths = at_out + round_up_256(rows);
    const std::uint64_t at_table = at_lengths + 256;
    const std::uint64_t bytes = at_table + round_up_256(batch * pages * 4);
    std::vector<unsigned char> host(bytes, 0xff);
    const Element queries = kernels::queries_are_bf16(element) ? Element::bf16 : Element::f16;
    kernels::fill_random(host.data(), queries, rows / 2, 1.5f, 1);
    kernels::fill_random(&host[at_k], element,
                         cache / static_cast<std::uint64_t>(kernels::element_bytes(element)), 1.0f,
                         2);
    kernels::fill_random(&host[at_v], element,
                         cache / static_cast<std::uint64_t>(kernels::element_bytes(element)), 1.0f,
                         3);
    const std::int32_t lengths[batch] = {longest, 33};
    std::memcpy(&host[at_lengths], lengths, sizeof lengths);
    std::vector<std::int32_t> table(batch * pages);
    for (int i = 0; i < batch * pages; ++i)  // back to front: no order that would come by itself
        table[static_cast<std::size_t>(i)] = batch * pages - 1 - i;
    std::memcpy(&host[at_table], table.data(), table.size() * 4);

    kernels::Split split;
    split.splits = splits;
    split.keys_per_split = splits == 1 ? 256 : 64;
    const kernels::DecodePlan plan = kernels::plan_decode(p, split);
    std::string wrong =
        cuda::sentence(memory_.allocate(bytes + plan.workspace_bytes + 256), "Self-test memory");
    if (!wrong.empty()) return wrong;
    const auto place = [&](unsigned char* base) {
        p.q = base;
        p.k = base + at_k;
        p.v = base + at_v;
        p.out = base + at_out;
        p.lengths = reinterpret_cast<const std::int32_t*>(base + at_lengths);
        p.page_table = paged ? reinterpret_cast<const std::int32_t*>(base + at_table) : nullptr;
    };
    wrong = cuda::sentence(
        cudaMemcpyAsync(memory_.data(), host.data(), bytes, cudaMemcpyHostToDevice, stream_),
        "Self-test copy");
    place(memory_.data());
    if (wrong.empty()) wrong = kc::decode_refusal(p, device_);
    if (wrong.empty())
        wrong = kc::launch_decode(p, plan, memory_.data() + round_up_256(bytes), stream_);
    if (wrong.empty())
        wrong = cuda::sentence(cudaMemcpyAsync(&host[at_out], memory_.data() + at_out, rows,
                                               cudaMemcpyDeviceToHost, stream_),
                               "Self-test copy");
    if (wrong.empty()) wrong = cuda::sentence(cudaStreamSynchronize(stream_), "Self-test");
    if (!wrong.empty()) return wrong;
    place(host.data());
    const double error = kernels::worst_error(p, kernels::exact_attention(p));
    if (error < kernels::tolerance(element)) return {};
    return std::string("decode of a ") + kernels::element_name(element) + " cache" +
           (paged ? " in pages" : "") + ", " + std::to_string(splits) +
           " splits, is off by more than its rounding allows (" +
           std::to_string(std::min(error, 1e6)) + " relative)";
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
    return kc::launch_fill(memory_.data(), 2 * half, Element::f16, 1, device_, stream_);
}

std::string CudaProbe::prepare_decode(CaseShape& shape, const MeasureLimits& limits) {
    for (;;) {
        DecodeProblem& p = decode_ = {};
        p.element = element_of(shape.kv);
        p.batch = static_cast<int>(shape.batch);
        p.q_heads = static_cast<int>(shape.q_heads);
        p.kv_heads = static_cast<int>(shape.kv_heads);
        p.head_dim = static_cast<int>(shape.head_dim);
        p.max_length = static_cast<int>(shape.ctx);
        p.scale = 1.0f / std::sqrt(static_cast<float>(shape.head_dim));
        std::uint64_t tokens = shape.ctx;
        if (shape.page != 0) {
            p.page_tokens = static_cast<int>(shape.page);
            p.table_stride = static_cast<int>((shape.ctx + shape.page - 1) / shape.page);
            tokens = static_cast<std::uint64_t>(p.table_stride) * shape.page;
        }
        p.strides = kernels::tokens_first(
            p, shape.page != 0 ? std::int64_t{shape.page} : static_cast<std::int64_t>(tokens));
        const kernels::DecodeCost cost =
            kernels::decode_cost(p, std::uint64_t{shape.batch} * shape.ctx, 1);
        ready_.bytes = cost.kv_bytes;
        ready_.flops = cost.flops;
        call_bytes_ = round_up_256(2 * tokens * shape.batch * shape.kv_heads * shape.head_dim *
                                   static_cast<std::uint64_t>(kernels::element_bytes(p.element)));
        // FlashInfer's rule: as many copies as make five caches full, one where one is that large.
        const std::uint64_t five = 5 * info_.cache_bytes;
        copies_ = call_bytes_ >= five
                      ? 1
                      : std::max<std::uint64_t>(2, (five + call_bytes_ - 1) / call_bytes_ + 1);
        // The workspace of the most splits, so that trying splits needs no other block.
        kernels::Split most;
        most.splits = kernels::split_max;
        most.keys_per_split = kernels::split_min_keys;
        const std::uint64_t workspace = round_up_256(kernels::plan_decode(p, most).workspace_bytes);
        const std::uint64_t rows =
            round_up_256(std::uint64_t{shape.batch} * shape.q_heads * shape.head_dim * 2);
        const std::uint64_t lengths = round_up_256(std::uint64_t{shape.batch} * 4);
        const std::uint64_t table = round_up_256(std::uint64_t{shape.batch} *
                                                 static_cast<std::uint64_t>(p.table_stride) * 4);
        const std::uint64_t rest = workspace + 2 * rows + lengths + table + 256;

        std::string wrong = reserve(copies_ * call_bytes_ + rest, limits);
        if (!wrong.empty() && !ready_.fatal && copies_ > 2) {
            copies_ = 2;
            wrong = reserve(copies_ * call_bytes_ + rest, limits);
            if (wrong.empty())
                ready_.notes.push_back("Fewer copies than five caches full: memory.");
        }
        if (!wrong.empty() && !ready_.fatal && shape.batch > 1) {
            shape.batch /= 2;
            if (ready_.notes.empty()) ready_.notes.push_back("Batch lowered: memory.");
            continue;
        }
        if (!wrong.empty()) return wrong;
        ready_.cold = copies_ * call_bytes_ >= 2 * info_.cache_bytes;

        unsigned char* at = memory_.data() + copies_ * call_bytes_;
        const auto take = [&at](std::uint64_t bytes) {
            unsigned char* const here = at;
            at += bytes;
            return here;
        };
        workspace_ = take(workspace);
        p.q = take(rows);
        p.out = take(rows);
        unsigned char* const lengths_at = take(lengths);
        unsigned char* const table_at = take(table);
        sink_ = take(256);
        p.k = memory_.data();
        p.v = memory_.data() + call_bytes_ / 2;
        p.lengths = reinterpret_cast<const std::int32_t*>(lengths_at);
        if (shape.page != 0) p.page_table = reinterpret_cast<const std::int32_t*>(table_at);
        wrong = kc::decode_refusal(p, device_);
        if (!wrong.empty()) return wrong;

        const std::vector<std::int32_t> all(shape.batch, static_cast<std::int32_t>(shape.ctx));
        std::vector<std::int32_t> pages(static_cast<std::size_t>(p.table_stride) * shape.batch);
        for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = static_cast<std::int32_t>(i);
        std::uint32_t random = 1;
        for (std::size_t i = pages.size(); i > 1; --i) {
            random = random * 1664525u + 1013904223u;
            std::swap(pages[i - 1], pages[(random >> 8) % i]);
        }
        wrong = cuda::sentence(cudaMemcpyAsync(lengths_at, all.data(), all.size() * 4,
                                               cudaMemcpyHostToDevice, stream_),
                               "Lengths");
        if (wrong.empty() && !pages.empty())
            wrong = cuda::sentence(cudaMemcpyAsync(table_at, pages.data(), pages.size() * 4,
                                                   cudaMemcpyHostToDevice, stream_),
                                   "Page table");
        const Element queries = kernels::queries_are_bf16(p.element) ? Element::bf16 : Element::f16;
        if (wrong.empty())
            wrong = kc::launch_fill(memory_.data(), copies_ * call_bytes_, p.element, 1, device_,
                                    stream_);
        if (wrong.empty())
            wrong = kc::launch_fill(const_cast<void*>(p.q), rows, queries, 2, device_, stream_);
        if (wrong.empty())
            wrong = cuda::sentence(cudaStreamSynchronize(stream_), "Filling the cache");
        return wrong.empty() ? choose_split(p) : wrong;
    }
}

// The model's three cheapest splits, tried; the fastest stays. Its own first choice is noted where
// it was another.
std::string CudaProbe::choose_split(const DecodeProblem& p) {
    const int slots = kc::decode_slots(p, device_);
    const std::vector<kernels::Split> candidates =
        kernels::best_splits(kernels::split_input(p, slots), 3);
    double best = 0;
    int chosen = 0;
    for (const kernels::Split& split : candidates) {
        plan_ = kernels::plan_decode(p, split);
        calls_ = 1;
        std::string wrong = record(static_cast<int>(std::min<std::uint64_t>(copies_, 4)));
        double fastest = 0;
        for (int i = 0; i < 4 && wrong.empty(); ++i) {
            const double ns = timed(case_graph_, nullptr, wrong);
            if (i > 0 && (fastest == 0 || ns < fastest)) fastest = ns;
        }
        if (!wrong.empty()) return wrong;
        if (best == 0 || fastest < best) {
            best = fastest;
            chosen = split.splits;
        }
    }
    for (const kernels::Split& split : candidates) {
        if (split.splits == chosen) plan_ = kernels::plan_decode(p, split);
    }
    ready_.splits = static_cast<std::uint32_t>(chosen);
    if (chosen != candidates.front().splits)
        ready_.notes.push_back("Fastest with " + std::to_string(chosen) +
                               " splits; the model chose " +
                               std::to_string(candidates.front().splits) + ".");
    return {};
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
    const Element element = element_of(shape.kv);
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

// One call of the case on copy `turn` of the rotation.
std::string CudaProbe::launch_case(std::uint64_t turn) {
    unsigned char* const at = memory_.data() + turn % copies_ * call_bytes_;
    switch (kernel_) {
        case KernelKind::read:
            return kc::launch_read(at, call_bytes_, sink_, device_, stream_);
        case KernelKind::copy: {
            unsigned char* const to = memory_.data() + (turn + 1) % 2 * call_bytes_;
            return kc::launch_copy(to, at, call_bytes_, device_, stream_);
        }
        case KernelKind::decode: {
            DecodeProblem p = decode_;
            p.k = at;
            p.v = at + call_bytes_ / 2;
            return kc::launch_decode(p, plan_, workspace_, stream_);
        }
        case KernelKind::prefill:
            return kc::launch_prefill(prefill_, stream_);
        case KernelKind::gemm: {
            const std::uint64_t a = round_up_256(2 * std::uint64_t{shape_.m} * shape_.k);
            const std::uint64_t b = round_up_256(2 * std::uint64_t{shape_.n} * shape_.k);
            return gemm_->launch(memory_.data(), memory_.data() + a, memory_.data() + a + b,
                                 workspace_, stream_);
        }
    }
    return {};
}

std::string CudaProbe::record(int calls) {
    calls_ = calls;
    std::string wrong = case_graph_.capture(stream_, [&]() -> std::string {
        for (int i = 0; i < calls_; ++i) {
            std::string failed = launch_case(static_cast<std::uint64_t>(i));
            if (!failed.empty()) return failed;
        }
        return {};
    });
    if (!wrong.empty() || !paired_) return wrong;
    return read_graph_.capture(stream_, [&]() -> std::string {
        for (int i = 0; i < calls_; ++i) {
            const std::uint64_t turn = static_cast<std::uint64_t>(i) % copies_;
            // A copy moves twice its size: so does the read beside it.
            for (int part = 0; part < (kernel_ == KernelKind::copy ? 2 : 1); ++part) {
                const std::uint64_t copy = (turn + static_cast<std::uint64_t>(part)) % copies_;
                std::string failed = kc::launch_read(memory_.data() + copy * call_bytes_,
                                                     call_bytes_, sink_, device_, stream_);
                if (!failed.empty()) return failed;
            }
        }
        return {};
    });
}

double CudaProbe::timed(const cuda::Graph& graph, const std::atomic<bool>* stop,
                        std::string& failure) {
    cudaError_t error = cudaEventRecord(begin_, stream_);
    if (error == cudaSuccess) error = graph.launch(stream_);
    if (error == cudaSuccess) error = cudaEventRecord(end_, stream_);
    bool stopped = false;
    while (error == cudaSuccess) {
        error = cudaEventQuery(end_);
        if (error != cudaErrorNotReady) break;
        error = cudaSuccess;
        // What was launched cannot be called back; it is short.
        stopped = stop != nullptr && stop->load(std::memory_order_relaxed);
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    float ms = 0;
    if (error == cudaSuccess) error = cudaEventElapsedTime(&ms, begin_, end_);
    if (error != cudaSuccess) {
        failure =
            cuda::sentence(error, cuda::is_lost(error) ? "The GPU was lost" : "The GPU failed");
        return -1;
    }
    return stopped ? -1 : static_cast<double>(ms) * 1e6;
}

Sample CudaProbe::sample(const std::atomic<bool>* stop) {
    Sample s;
    double read_ns = 0;
    if (paired_) {
        read_ns = timed(read_graph_, stop, s.failure);
        if (read_ns < 0) return s;
    }
    const double ns = timed(case_graph_, stop, s.failure);
    if (ns < 0) return s;
    if (warmed_ns_ < warm_up_ns) {
        warmed_ns_ += ns + read_ns;
        return s;  // no time yet: the clocks are still rising
    }
    s.ns = ns / calls_;
    if (paired_)
        s.read_ns =
            read_ns / calls_ * static_cast<double>(ready_.bytes) /
            static_cast<double>(kernel_ == KernelKind::copy ? 2 * call_bytes_ : call_bytes_);
    if (kernel_ == KernelKind::read) s.read_ns = s.ns;
    return s;
}

void CudaProbe::release() {
    case_graph_.reset();
    read_graph_.reset();
    gemm_.reset();
}

std::optional<double> CudaProbe::launch_floor_ns() {
    constexpr int launches = 100;
    if (!open_) return std::nullopt;
    cuda::Graph graph;
    std::string wrong = graph.capture(stream_, [&]() -> std::string {
        for (int i = 0; i < launches; ++i) {
            std::string failed = kc::launch_nothing(stream_);
            if (!failed.empty()) return failed;
        }
        return {};
    });
    double best = 0;
    for (int i = 0; i < 5 && wrong.empty(); ++i) {
        const double ns = timed(graph, nullptr, wrong);
        if (i > 0 && (best == 0 || ns < best)) best = ns;
    }
    if (!wrong.empty() || best <= 0) return std::nullopt;
    return best / launches;
}

}  // namespace

std::vector<DeviceInfo> cuda_devices() {
    int count = 0;
    const std::string none = no_devices(count);
    std::vector<DeviceInfo> devices;
    if (!none.empty()) {
        DeviceInfo info;
        info.id = "cuda:0";
        info.problem = none;
        devices.push_back(info);
        return devices;
    }
    for (int i = 0; i < count; ++i) devices.push_back(describe(i));
    return devices;
}

std::unique_ptr<Probe> make_cuda_probe(int index) {
    return std::make_unique<CudaProbe>(index);
}

}  // namespace kvgauge
