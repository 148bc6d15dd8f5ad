// SPDX-License-Identifier: MIT
#include "probe/sweep.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace kvgauge {
namespace {

struct Key {
    std::string_view name;
    std::uint32_t MeasureShape::*field;
    std::uint32_t min, max;
};
constexpr Key keys[] = {
    {"batch", &MeasureShape::batch, 1, 65535},      {"ctx", &MeasureShape::ctx, 1, 1u << 24},
    {"q-heads", &MeasureShape::q_heads, 1, 1024},   {"kv-heads", &MeasureShape::kv_heads, 1, 1024},
    {"head-dim", &MeasureShape::head_dim, 64, 256}, {"page", &MeasureShape::page, 16, 256},
};

// A whole number, k for 1024.
std::optional<std::uint32_t> tokens(std::string_view text) {
    std::uint32_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{}) return std::nullopt;
    if (at + 1 == end && (*at == 'k' || *at == 'K') && value < (1u << 22)) return value * 1024;
    if (at != end) return std::nullopt;
    return value;
}

std::string range_text(const Key& key) {
    return std::string(key.name) + " takes a whole number from " + std::to_string(key.min) +
           " to " + std::to_string(key.max);
}

CaseShape stream(std::uint64_t bytes, std::uint32_t threads) {
    CaseShape s;
    s.bytes = bytes;
    s.threads = threads;
    return s;
}

// Two copies in turn must fit: a page has less memory to give.
std::uint64_t cpu_stream(const DeviceInfo& device) {
    return std::uint64_t{device.browser ? 64u : 128u} << 20;
}

CaseShape attention(std::uint32_t batch, std::uint32_t ctx, std::uint32_t group, DType kv,
                    std::uint32_t threads) {
    CaseShape s;
    s.batch = batch;
    s.ctx = ctx;
    s.kv_heads = 8;
    s.q_heads = 8 * group;
    s.head_dim = 128;
    s.kv = kv;
    s.threads = threads;
    return s;
}

std::uint64_t kv_bytes(const CaseShape& s) {
    const std::uint64_t row = row_bytes(s.kv, s.head_dim).value();
    return 2 * row * s.kv_heads * s.batch * s.ctx;
}

void add_gpu(const MeasureRequest& request, std::vector<CaseSpec>& cases) {
    using enum KernelKind;
    cases.push_back({copy, stream(std::uint64_t{1} << 30, 0)});
    // 32 KiB of KV a sequence position and layer of 8 kv heads in 16 bit: 17 MB to 1.1 GB.
    for (const std::uint32_t group : {1u, 4u, 8u}) {
        for (const auto& [batch, ctx] :
             {std::pair{1u, 4096u}, {1u, 32768u}, {8u, 16384u}, {32u, 8192u}})
            cases.push_back({decode, attention(batch, ctx, group, DType::bf16, 0)});
    }
    for (const DType kv : {DType::fp16, DType::fp8}) {
        for (const auto& [batch, ctx] : {std::pair{1u, 32768u}, {8u, 16384u}, {32u, 8192u}})
            cases.push_back({decode, attention(batch, ctx, 8, kv, 0)});
    }
    CaseShape prompt = attention(1, 8192, 4, DType::bf16, 0);
    cases.push_back({prefill, prompt});
    for (const std::uint32_t m : {4096u, 256u}) {
        CaseShape s;
        s.m = m;
        s.n = s.k = 4096;
        s.kv = DType::bf16;
        cases.push_back({gemm, s});
    }
    if (request.quick) return;
    for (const std::uint32_t group : {2u, 16u, 64u})
        cases.push_back({decode, attention(8, 16384, group, DType::bf16, 0)});
    for (const std::uint32_t dim : {64u, 80u, 96u, 256u}) {
        CaseShape s = attention(8, 16384, 4, DType::bf16, 0);
        s.head_dim = dim;
        cases.push_back({decode, s});
    }
    for (const std::uint32_t page : {16u, 64u, 256u}) {
        CaseShape s = attention(8, 16384, 8, DType::bf16, 0);
        s.page = page;
        cases.push_back({decode, s});
    }
    for (const std::uint32_t ctx : {1024u, 65536u, 131072u})
        cases.push_back({decode, attention(1, ctx, 8, DType::bf16, 0)});
    prompt.ctx = 2048;
    cases.push_back({prefill, prompt});
}

void add_cpu(const MeasureRequest& request, const DeviceInfo& device, std::uint32_t threads,
             std::vector<CaseSpec>& cases) {
    using enum KernelKind;
    const std::uint64_t bytes = cpu_stream(device);
    cases.push_back({copy, stream(bytes, 1)});
    // A page measures in the tab's own thread and memory: one context, the type its SIMD can widen.
    const std::vector<DType> types =
        device.browser ? std::vector{DType::bf16} : std::vector{DType::fp16, DType::bf16};
    const std::vector<std::uint32_t> contexts =
        device.browser ? std::vector{8192u} : std::vector{8192u, 32768u};
    if (threads > 1) {
        cases.push_back({read, stream(bytes, threads)});
        for (const std::uint32_t ctx : contexts)
            cases.push_back({decode, attention(1, ctx, 4, DType::bf16, threads)});
    }
    for (const DType kv : types) {
        for (const std::uint32_t ctx : contexts) {
            for (const std::uint32_t group : {1u, 2u, 4u, 8u})
                cases.push_back({decode, attention(1, ctx, group, kv, 1)});
        }
    }
    if (request.quick || device.browser) return;
    for (const std::uint32_t ctx : {1024u, 4096u, 131072u})
        cases.push_back({decode, attention(1, ctx, 4, DType::bf16, threads)});
    for (const std::uint32_t group : {1u, 4u, 8u})
        cases.push_back({decode, attention(1, 32768, group, DType::fp8, 1)});
    cases.push_back({decode, attention(1, 32768, 16, DType::bf16, 1)});
    for (const std::uint32_t dim : {64u, 80u, 96u, 256u}) {
        CaseShape s = attention(1, 32768, 4, DType::bf16, 1);
        s.head_dim = dim;
        cases.push_back({decode, s});
    }
    CaseShape paged = attention(1, 32768, 4, DType::bf16, 1);
    paged.page = 16;
    cases.push_back({decode, paged});
}

// A geometry of the user's: the context given, or a row of them; sizes for a line either way.
void add_shape(const MeasureRequest& request, const DeviceInfo& device, std::uint32_t threads,
               std::vector<CaseSpec>& cases) {
    constexpr std::uint64_t smallest = std::uint64_t{4} << 20;
    const MeasureShape& want = request.shape;
    const bool gpu = device.id.starts_with("cuda");
    if (!gpu && threads > 1)
        cases.push_back({KernelKind::read, stream(cpu_stream(device), threads)});
    const std::size_t before = cases.size();
    CaseShape s = attention(std::max(want.batch, 1u), want.ctx, 1, want.kv.value_or(DType::bf16),
                            gpu ? 0 : threads);
    if (want.kv_heads) s.kv_heads = want.kv_heads;
    s.q_heads = want.q_heads ? want.q_heads : 4 * s.kv_heads;
    if (want.head_dim) s.head_dim = want.head_dim;
    s.page = want.page;
    // Batches and lengths as a server has them, where neither was asked for.
    if (gpu && want.ctx == 0 && want.batch == 0) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> grid{
            {1, 4096},  {1, 16384}, {1, 65536},  {8, 4096},   {8, 16384},
            {32, 1024}, {32, 4096}, {32, 16384}, {128, 1024}, {128, 4096}};
        if (!request.quick) {
            const std::pair<std::uint32_t, std::uint32_t> more[] = {
                {1, 1024}, {1, 131072}, {8, 1024}, {8, 32768}, {16, 8192}, {64, 2048}};
            grid.insert(grid.end(), std::begin(more), std::end(more));
        }
        for (const auto& [batch, ctx] : grid) {
            s.batch = batch;
            s.ctx = ctx;
            cases.push_back({KernelKind::decode, s});
        }
        return;
    }
    std::vector<std::uint32_t> contexts{want.ctx};
    if (want.ctx == 0) contexts = {2048, 4096, 8192, 16384};
    if (want.ctx == 0 && !device.browser) contexts = {4096, 8192, 16384, 32768};
    if (want.ctx == 0 && !device.browser && !request.quick) contexts.push_back(131072);
    for (const std::uint32_t ctx : contexts) {
        s.ctx = ctx;
        cases.push_back({KernelKind::decode, s});
    }
    // With one context asked for, shorter ones make the line, or longer ones where those are small.
    if (want.ctx == 0) return;
    for (const std::uint32_t part : {2u, 4u, 8u}) {
        s.ctx = std::max(want.ctx / part, 1u);
        if (kv_bytes(s) > smallest) cases.push_back({KernelKind::decode, s});
    }
    for (std::uint64_t times = 2; cases.size() < before + 4 && times <= 64; times *= 2) {
        s.ctx = static_cast<std::uint32_t>(std::min<std::uint64_t>(want.ctx * times, 1u << 24));
        if (kv_bytes(s) > smallest) cases.push_back({KernelKind::decode, s});
    }
}

}  // namespace

std::string parse_shape(std::string_view text, MeasureShape& shape) {
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view item = text.substr(0, comma);
        text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
        const std::size_t equals = item.find('=');
        const std::string_view key = item.substr(0, equals);
        const std::string_view value =
            equals == std::string_view::npos ? std::string_view{} : item.substr(equals + 1);
        if (key == "kv") {
            shape.kv = parse_dtype(value);
            if (shape.kv != DType::bf16 && shape.kv != DType::fp16 && shape.kv != DType::fp8)
                return "shape: kv " + std::string(value) +
                       " cannot be measured; bf16, fp16 and fp8 can";
            continue;
        }
        const Key* found = nullptr;
        for (const Key& k : keys) {
            if (k.name == key) found = &k;
        }
        if (found == nullptr)
            return "shape: " + std::string(key) +
                   " is no key of it; batch, ctx, q-heads, kv-heads, head-dim, kv and page are";
        const std::optional<std::uint32_t> number = tokens(value);
        if (!number || *number < found->min || *number > found->max)
            return "shape: " + range_text(*found) + ", not " + std::string(value);
        shape.*(found->field) = *number;
    }
    if (shape.kv_heads != 0 && shape.q_heads % shape.kv_heads != 0)
        return "shape: q-heads " + std::to_string(shape.q_heads) +
               " is not a multiple of kv-heads " + std::to_string(shape.kv_heads);
    return {};
}

std::vector<CaseSpec> sweep(const MeasureRequest& request, const DeviceInfo& device,
                            const Probe& probe) {
    const bool gpu = device.id.starts_with("cuda");
    const std::uint32_t all = std::max(device.units, 1u);
    const std::uint32_t threads =
        request.limits.threads ? std::min(request.limits.threads, all) : all;
    std::vector<CaseSpec> cases;
    const std::uint64_t pass = gpu ? std::uint64_t{1} << 30 : cpu_stream(device);
    cases.push_back({KernelKind::read, stream(pass, gpu ? 0 : 1)});
    if (!request.shape.empty())
        add_shape(request, device, threads, cases);
    else if (gpu)
        add_gpu(request, cases);
    else
        add_cpu(request, device, threads, cases);
    std::erase_if(cases, [&](const CaseSpec& c) { return !probe.has(c.kernel, c.shape.kv); });
    return cases;
}

}  // namespace kvgauge
