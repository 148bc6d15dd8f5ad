// SPDX-License-Identifier: MIT
// What only a GPU can tell: see check.sh. --small: correctness alone, for compute-sanitizer.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include "kernels/cuda/launch.h"
#include "kernels/exact.h"

using namespace kvgauge::kernels;
namespace kc = kvgauge::kernels::cuda;

namespace {

int failures = 0;

void require(const std::string& wrong) {
    if (wrong.empty()) return;
    std::printf("FAILED: %s\n", wrong.c_str());
    ++failures;
}

void require(cudaError_t error, const char* what) {
    if (error != cudaSuccess) require(std::string(what) + ": " + cudaGetErrorString(error));
}

struct DeviceMemory {
    explicit DeviceMemory(std::uint64_t bytes) {
        require(cudaMalloc(&data, bytes), "cudaMalloc");
    }
    ~DeviceMemory() { cudaFree(data); }
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    unsigned char* at(std::uint64_t byte) const { return static_cast<unsigned char*>(data) + byte; }
    void* data = nullptr;
};

std::uint64_t round_up(std::uint64_t n) { return (n + 255) / 256 * 256; }

// One ragged problem, laid out alike on host and device.
double error_of(const kc::Device& device, Element element, int dim, int group, int page, int splits) {
    constexpr int batch = 3, kv_heads = 2, longest = 333;
    DecodeProblem p;
    p.element = element;
    p.batch = batch;
    p.kv_heads = kv_heads;
    p.q_heads = kv_heads * group;
    p.head_dim = dim;
    p.max_length = longest;
    p.scale = 1.0f / std::sqrt(static_cast<float>(dim));
    p.page_tokens = page;
    p.table_stride = page ? (longest + page - 1) / page : 0;
    const int blocks = page ? batch * p.table_stride : batch;
    p.strides = tokens_first(p, page ? page : longest);
    const std::uint64_t cache = static_cast<std::uint64_t>(blocks * p.strides.block) *
                                static_cast<std::uint64_t>(element_bytes(element));
    const std::uint64_t rows = static_cast<std::uint64_t>(batch * p.q_heads * dim) * 2;
    const std::uint64_t k = round_up(rows), v = k + round_up(cache), out = v + round_up(cache),
                        lengths = out + round_up(rows), table = lengths + 256,
                        bytes = table + round_up(static_cast<std::uint64_t>(blocks) * 4);
    std::vector<unsigned char> host(bytes, 0xff);
    const std::uint64_t count = cache / static_cast<std::uint64_t>(element_bytes(element));
    fill_random(host.data(), queries_are_bf16(element) ? Element::bf16 : Element::f16, rows / 2, 1.5f, 1);
    fill_random(&host[k], element, count, 1.0f, 2);
    fill_random(&host[v], element, count, 1.0f, 3);
    const std::int32_t length[batch] = {longest, 1, 65};
    std::memcpy(&host[lengths], length, sizeof length);
    for (std::int32_t i = 0; i < blocks; ++i) {
        const std::int32_t to = blocks - 1 - i;
        std::memcpy(&host[table + 4 * static_cast<std::uint64_t>(i)], &to, 4);
    }
    Split split;
    split.keys_per_split = (longest + splits - 1) / splits / 64 * 64 + 64;
    split.splits = (longest + split.keys_per_split - 1) / split.keys_per_split;
    const DecodePlan plan = plan_decode(p, split);
    DeviceMemory memory(bytes), workspace(plan.workspace_bytes + 256);
    const auto place = [&](unsigned char* base) {
        p.q = base;
        p.k = base + k;
        p.v = base + v;
        p.out = base + out;
        p.lengths = reinterpret_cast<std::int32_t*>(base + lengths);
        p.page_table = page ? reinterpret_cast<std::int32_t*>(base + table) : nullptr;
    };
    require(cudaMemcpy(memory.data, host.data(), bytes, cudaMemcpyHostToDevice), "copy");
    require(cudaMemset(workspace.data, 0xff, plan.workspace_bytes + 256), "poison");
    place(memory.at(0));
    require(kc::decode_refusal(p, device));
    require(kc::launch_decode(p, plan, workspace.data, nullptr));
    require(cudaMemcpy(&host[out], memory.at(out), rows, cudaMemcpyDeviceToHost), "result");
    place(host.data());
    return worst_error(p, exact_attention(p));
}

void correctness(const kc::Device& device, bool small) {
    int cases = 0, bad = 0;
    double worst[3] = {};
    for (const Element element : {Element::f16, Element::bf16, Element::e4m3}) {
        if (element == Element::bf16 && device.compute_capability < 80) continue;
        for (const int dim : {64, 80, 96, 128, 256}) {
            for (const int group : {1, 4, 7, 16, 20}) {
                for (const int page : {0, 16, 256}) {
                    for (const int splits : {1, 4}) {
                        if (small && (dim != 80 || group != 7)) continue;
                        const double error = error_of(device, element, dim, group, page, splits);
                        ++cases;
                        bad += !(error < tolerance(element));
                        worst[static_cast<int>(element)] =
                            std::max(worst[static_cast<int>(element)], error);
                    }
                }
            }
        }
    }
    std::printf("Correctness: %d decode cases, %d outside tolerance; worst relative error fp16 %.1e, "
                "bf16 %.1e, fp8 %.1e\n",
                cases, bad, worst[0], worst[1], worst[2]);
    if (bad) require(std::to_string(bad) + " decode cases are wrong");
}

// Median of 30 timed rounds of `calls` launches, microseconds a launch.
double microseconds(int calls, const std::function<std::string(int)>& launch) {
    cudaEvent_t begin, end;
    require(cudaEventCreate(&begin), "event");
    require(cudaEventCreate(&end), "event");
    std::vector<double> times;
    int turn = 0;
    for (int round = 0; round < 35 && failures == 0; ++round) {
        require(cudaEventRecord(begin), "record");
        for (int i = 0; i < calls; ++i) require(launch(turn++));
        require(cudaEventRecord(end), "record");
        require(cudaEventSynchronize(end), "wait");
        float ms = 0;
        require(cudaEventElapsedTime(&ms, begin, end), "elapsed");
        if (round >= 5) times.push_back(1e3 * static_cast<double>(ms) / calls);
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    if (times.empty()) return 0;
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

struct Shape {
    int batch, ctx, q_heads, kv_heads, dim;
    Element element;
};

class Bench {
  public:
    Bench(const kc::Device& device, std::uint64_t bytes, std::uint64_t l2)
        : device_(device), bytes_(bytes), l2_(l2), memory_(bytes), small_(64 << 20) {}

    double ceiling(bool copy) {
        require(kc::launch_fill(memory_.data, bytes_, Element::f16, 1, device_, nullptr));
        const std::uint64_t half = bytes_ / 2 / 256 * 256;
        const double us = microseconds(2, [&](int turn) {
            unsigned char* const from = memory_.at(turn % 2 ? half : 0);
            return copy ? kc::launch_copy(memory_.at(turn % 2 ? 0 : half), from, half, device_, nullptr)
                        : kc::launch_read(from, half, small_.data, device_, nullptr);
        });
        return static_cast<double>(half) * (copy ? 2 : 1) / us / 1e3;
    }

    // wanted 0: the model's choice. Returns GB/s of KV bytes.
    double decode(const Shape& s, int wanted, int& splits, double& us) {
        DecodeProblem p;
        p.element = s.element;
        p.batch = s.batch;
        p.q_heads = s.q_heads;
        p.kv_heads = s.kv_heads;
        p.head_dim = s.dim;
        p.max_length = s.ctx;
        p.scale = 1.0f / std::sqrt(static_cast<float>(s.dim));
        p.strides = tokens_first(p, s.ctx);
        const std::uint64_t kv =
            decode_cost(p, static_cast<std::uint64_t>(s.batch) * static_cast<std::uint64_t>(s.ctx), 1)
                .kv_bytes;
        std::uint64_t copies = kv >= 5 * l2_ ? 1 : std::max<std::uint64_t>(2, 5 * l2_ / kv + 2);
        copies = std::max<std::uint64_t>(1, std::min(copies, bytes_ / kv));
        require(kc::launch_fill(memory_.data, copies * kv, s.element, 1, device_, nullptr));
        std::vector<std::int32_t> lengths(static_cast<std::size_t>(s.batch), s.ctx);
        require(cudaMemcpy(small_.data, lengths.data(), lengths.size() * 4, cudaMemcpyHostToDevice),
                "lengths");
        const std::uint64_t rows = round_up(static_cast<std::uint64_t>(s.batch * s.q_heads * s.dim) * 2);
        require(kc::launch_fill(small_.at(1 << 20), rows,
                                queries_are_bf16(s.element) ? Element::bf16 : Element::f16, 2, device_,
                                nullptr));
        p.lengths = static_cast<const std::int32_t*>(small_.data);
        p.q = small_.at(1 << 20);
        p.out = small_.at((1 << 20) + rows);
        p.k = memory_.data;
        p.v = memory_.at(kv / 2);
        require(kc::decode_refusal(p, device_));
        const SplitInput input = split_input(p, kc::decode_slots(p, device_));
        const DecodePlan plan =
            plan_decode(p, wanted ? make_split(input, wanted) : choose_split(input));
        splits = plan.splits;
        DeviceMemory workspace(plan.workspace_bytes + 256);
        const int calls = static_cast<int>(std::clamp<std::uint64_t>((1u << 30) / kv, 1, 50));
        us = microseconds(calls, [&](int turn) {
            unsigned char* const at = memory_.at(static_cast<std::uint64_t>(turn) % copies * kv);
            DecodeProblem now = p;
            now.k = at;
            now.v = at + kv / 2;
            return kc::launch_decode(now, plan, workspace.data, nullptr);
        });
        return static_cast<double>(kv) / us / 1e3;
    }

    double prefill(int tokens, double& us) {
        kc::PrefillProblem p;
        p.element = device_.compute_capability >= 80 ? Element::bf16 : Element::f16;
        p.tokens = tokens;
        p.q_heads = 32;
        p.kv_heads = 8;
        p.scale = 0.088f;
        const std::uint64_t q = static_cast<std::uint64_t>(tokens) * 32 * 128 * 2;
        require(kc::launch_fill(memory_.data, 3 * q, p.element, 1, device_, nullptr));
        p.q = memory_.data;
        p.k = memory_.at(q);
        p.v = memory_.at(q + q / 4);
        p.out = memory_.at(2 * q);
        require(kc::prefill_refusal(p, device_));
        us = microseconds(1, [&](int) { return kc::launch_prefill(p, nullptr); });
        return 2.0 * 32 * tokens * tokens * 128 / us / 1e6;
    }

  private:
    kc::Device device_;
    std::uint64_t bytes_, l2_;
    DeviceMemory memory_, small_;
};

void speed(const kc::Device& device) {
    int l2 = 0, clock = 0, bus = 0;
    cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0);
    cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, 0);
    cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, 0);
    const double spec = 2e3 * clock * (bus / 8.0) / 1e9;
    std::size_t free = 0, total = 0;
    require(cudaMemGetInfo(&free, &total), "memory");
    Bench bench(device, std::min<std::uint64_t>(3ull << 30, free / 2 / 4096 * 4096),
                static_cast<std::uint64_t>(l2));
    const double read = bench.ceiling(false);
    const double copy = bench.ceiling(true);
    std::printf("\n| ceiling | GB/s | of specification (%.0f GB/s) |\n|---|---|---|\n", spec);
    std::printf("| read | %.0f | %.0f %% |\n| copy | %.0f | %.0f %% |\n", read, 100 * read / spec, copy,
                100 * copy / spec);

    std::printf("\n| decode, cold | splits | us | GB/s of KV | of read |\n|---|---|---|---|---|\n");
    const Element half = device.compute_capability >= 80 ? Element::bf16 : Element::f16;
    const auto line = [&](const Shape& s, int wanted) {
        int splits = 0;
        double us = 0;
        const double rate = bench.decode(s, wanted, splits, us);
        std::printf("| %d x %d, %d/%d heads of %d, %s | %d%s | %.1f | %.0f | %.0f %% |\n", s.batch,
                    s.ctx, s.q_heads, s.kv_heads, s.dim, element_name(s.element), splits,
                    wanted ? "" : " (chosen)", us, rate, 100 * rate / read);
        return splits;
    };
    for (Shape s : {Shape{1, 32768, 8, 8, 128, half}, Shape{1, 32768, 32, 8, 128, half},
                    Shape{8, 16384, 64, 8, 128, half}, Shape{32, 8192, 32, 8, 128, half}}) {
        const int chosen = line(s, 0);
        line(s, std::max(1, chosen / 2));
        line(s, std::min(256, chosen * 2));
    }
    for (const Element e : {Element::f16, Element::e4m3}) line({8, 16384, 64, 8, 128, e}, 0);
    line({8, 16384, 128, 8, 128, half}, 0);
    // The same KV bytes, 0.54 GB, as MHA, GQA-4, GQA-8 and MQA of 64 query heads.
    for (const Shape s : {Shape{8, 2048, 64, 64, 128, half}, Shape{8, 8192, 64, 16, 128, half},
                          Shape{8, 16384, 64, 8, 128, half}, Shape{8, 131072, 64, 1, 128, half}})
        line(s, 0);

    std::printf("\n| prefill, 32/8 heads of 128 | us | TFLOP/s |\n|---|---|---|\n");
    for (const int tokens : {2048, 8192}) {
        double us = 0;
        const double rate = bench.prefill(tokens, us);
        std::printf("| %d tokens | %.0f | %.1f |\n", tokens, us, rate);
    }
}

}  // namespace

int main(int argc, char** argv) {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        std::printf("no CUDA device\n");
        return 4;
    }
    const bool small = argc > 1 && std::string(argv[1]) == "--small";
    cudaDeviceProp properties{};
    require(cudaGetDeviceProperties(&properties, 0), "device");
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    char date[16] = "";
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%F", std::gmtime(&now));
    const kc::Device device = kc::current_device();
    std::printf("%s, %s, sm_%d, %d SMs, driver for CUDA %d.%d, runtime CUDA %d.%d\n", date,
                properties.name, device.compute_capability, device.multiprocessors, driver / 1000,
                driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
    const std::string wrong = kc::self_test(device, nullptr);
    std::printf("Self-test of the wrappers: %s\n", wrong.empty() ? "passed" : wrong.c_str());
    require(wrong);
    correctness(device, small);
    if (!small && failures == 0) speed(device);
    return failures == 0 ? 0 : 1;
}
