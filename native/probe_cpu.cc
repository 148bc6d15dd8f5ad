// SPDX-License-Identifier: MIT
#include "native/probe_cpu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/cpu/decoder.h"
#include "kernels/exact.h"
#include "native/probe_cpu_machine.h"

namespace kvgauge {
namespace {

using kernels::DecodeProblem;
using kernels::Element;
using kernels::cpu::Decoder;

constexpr std::uint64_t pattern_bytes = std::uint64_t{1} << 20;

Element element_of(DType kv) {
    return kv == DType::fp8 ? Element::e4m3 : kv == DType::fp16 ? Element::f16 : Element::bf16;
}

std::string megabytes(std::uint64_t bytes) {
    return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

class CpuProbe : public Probe {
  public:
    DeviceInfo device() override { return describe_cpu(); }

    std::string self_test() override {
        for (const Element element : {Element::f16, Element::bf16, Element::e4m3}) {
            std::string wrong = check(element);
            if (!wrong.empty()) return wrong;
        }
        return {};
    }

    bool has(KernelKind kernel, DType kv) const override {
        if (kernel == KernelKind::prefill || kernel == KernelKind::gemm) return false;
        return kernel != KernelKind::decode || kv == DType::fp16 || kv == DType::bf16 ||
               kv == DType::fp8;
    }

    Prepared prepare(KernelKind kernel, CaseShape& shape, const MeasureLimits& limits) override;
    Sample sample(const std::atomic<bool>* stop) override;
    // The buffer stays: the next case uses it again.
    void release() override {}

  private:
    static std::string check(Element element);
    bool fill(Element element, std::uint64_t bytes);
    double timed_read(unsigned char* from);

    CpuBuffer buffer_;
    Element filled_ = Element::f16;
    std::uint64_t filled_bytes_ = 0;
    std::unique_ptr<Decoder> decoder_;
    KernelKind kernel_ = KernelKind::read;
    DecodeProblem problem_;
    std::vector<std::int32_t> lengths_, table_;
    std::vector<std::uint16_t> queries_, out_;
    std::uint64_t call_bytes_ = 0;  // one copy of the rotation
    std::uint64_t copies_ = 1;
    std::uint64_t turn_ = 0;
    std::uint64_t checksum_ = 0;  // of everything read: keeps the reads alive
};

// A small decode on the instruction set that will be timed, against double precision.
std::string CpuProbe::check(Element element) {
    constexpr int tokens = 150;
    DecodeProblem p;
    p.element = element;
    p.kv_heads = 2;
    p.q_heads = 14;
    p.head_dim = 128;
    p.max_length = tokens;
    p.scale = 1.0f / std::sqrt(128.0f);
    p.strides = kernels::tokens_first(p, tokens);
    const auto count = static_cast<std::size_t>(p.strides.block);
    CpuBuffer k(2 * count), v(2 * count), q(14 * 128 * 2), out(14 * 128 * 2);
    if (!k.data() || !v.data() || !q.data() || !out.data()) return "no memory for it";
    const Element queries = kernels::queries_are_bf16(element) ? Element::bf16 : Element::f16;
    kernels::fill_random(k.data(), element, count, 1.0f, 1);
    kernels::fill_random(v.data(), element, count, 1.0f, 2);
    kernels::fill_random(q.data(), queries, 14 * 128, 1.5f, 3);
    const std::int32_t length = tokens;
    p.lengths = &length;
    p.k = k.data();
    p.v = v.data();
    p.q = q.data();
    p.out = out.data();
    Decoder decoder(kernels::cpu::best_isa(), 1);
    decoder.decode(p);
    const double error = kernels::worst_error(p, kernels::exact_attention(p));
    if (error < kernels::tolerance(element)) return {};
    return std::string("decode of a ") + kernels::element_name(element) +
           " cache is off by more than its rounding allows (" +
           std::to_string(std::min(error, 1e6)) + " relative)";
}

// One MiB of random values over and over: values do not matter to a memory, addresses do.
bool CpuProbe::fill(Element element, std::uint64_t bytes) {
    if (filled_bytes_ >= bytes && filled_ == element) return true;
    if (buffer_.size() < bytes) {
        buffer_ = CpuBuffer(0);  // the old one first: both at once may be too much
        buffer_ = CpuBuffer(bytes);
        filled_bytes_ = 0;
    }
    if (buffer_.data() == nullptr) return false;
    const std::uint64_t first = std::min(pattern_bytes, bytes);
    kernels::fill_random(buffer_.data(), element,
                         first / static_cast<std::uint64_t>(kernels::element_bytes(element)), 1.0f,
                         7);
    for (std::uint64_t at = first; at < bytes; at += pattern_bytes)
        std::copy_n(buffer_.data(), std::min(pattern_bytes, bytes - at), buffer_.data() + at);
    filled_ = element;
    filled_bytes_ = bytes;
    return true;
}

Prepared CpuProbe::prepare(KernelKind kernel, CaseShape& shape, const MeasureLimits& limits) {
    const DeviceInfo info = device();
    Prepared ready;
    kernel_ = kernel;
    const bool attention = kernel == KernelKind::decode;
    if (attention) {
        DecodeProblem& p = problem_ = {};
        p.element = element_of(shape.kv);
        p.batch = static_cast<int>(shape.batch);
        p.q_heads = static_cast<int>(shape.q_heads);
        p.kv_heads = static_cast<int>(shape.kv_heads);
        p.head_dim = static_cast<int>(shape.head_dim);
        p.max_length = static_cast<int>(shape.ctx);
        p.scale = 1.0f / std::sqrt(static_cast<float>(shape.head_dim));
        std::int64_t tokens = shape.ctx;
        if (shape.page != 0) {
            p.page_tokens = static_cast<int>(shape.page);
            p.table_stride = static_cast<int>((shape.ctx + shape.page - 1) / shape.page);
            tokens = std::int64_t{p.table_stride} * shape.page;
        }
        // Contiguous caches as ggml keeps them, heads apart; pages as engines do, heads together.
        p.strides = shape.page != 0 ? kernels::tokens_first(p, shape.page)
                                    : kernels::heads_first(p, tokens);
        const auto total = std::uint64_t{shape.batch} * shape.ctx;
        call_bytes_ = 2 * static_cast<std::uint64_t>(tokens) * shape.batch * shape.kv_heads *
                      shape.head_dim *
                      static_cast<std::uint64_t>(kernels::element_bytes(p.element));
        const kernels::DecodeCost cost = kernels::decode_cost(p, total, 1);
        ready.bytes = cost.kv_bytes;
        ready.flops = cost.flops;
        lengths_.assign(shape.batch, static_cast<std::int32_t>(shape.ctx));
        // Pages in an order that no prefetcher knows.
        table_.resize(shape.page != 0 ? static_cast<std::size_t>(p.table_stride) * shape.batch : 0);
        for (std::size_t i = 0; i < table_.size(); ++i) table_[i] = static_cast<std::int32_t>(i);
        std::uint32_t random = 1;
        for (std::size_t i = table_.size(); i > 1; --i) {
            random = random * 1664525u + 1013904223u;
            std::swap(table_[i - 1], table_[(random >> 8) % i]);
        }
        const std::size_t values = std::size_t{shape.batch} * shape.q_heads * shape.head_dim;
        queries_.resize(values + 8);
        out_.resize(values + 8);
    } else {
        call_bytes_ = shape.bytes / 256 * 256;
        ready.bytes = kernel == KernelKind::copy ? call_bytes_ / 512 * 512 : call_bytes_;
        problem_ = {};
    }
    const std::uint64_t call = call_bytes_;

    // Enough copies in turn that the cache holds none when its turn comes again.
    const std::uint64_t cache = info.cache_bytes;
    const std::uint64_t wanted = std::max(5 * cache, std::uint64_t{256} << 20);
    copies_ = std::max<std::uint64_t>(2, (wanted + call - 1) / call);
    std::uint64_t cap = limits.memory_cap;
    if (cap == 0)
        cap = info.browser ? std::uint64_t{160} << 20
                           : std::min<std::uint64_t>(std::uint64_t{2} << 30, info.free_bytes / 4);
    if (copies_ * call > cap) {
        copies_ = std::max<std::uint64_t>(2, cap / call);
        if (copies_ * call > cap) {
            ready.refusal = "needs " + megabytes(2 * call) + ", allowed are " + megabytes(cap);
            return ready;
        }
    }
    ready.cold = copies_ * call >= 2 * cache;
    if (!fill(attention ? problem_.element : Element::f16, copies_ * call)) {
        ready.refusal = "needs " + megabytes(copies_ * call) + ", the system did not give them";
        return ready;
    }
    if (attention) {
        const auto align = [](std::vector<std::uint16_t>& v) {
            const auto at = reinterpret_cast<std::uintptr_t>(v.data());
            return v.data() + (16 - at % 16) % 16 / 2;
        };
        const bool bf16 = kernels::queries_are_bf16(problem_.element);
        kernels::fill_random(align(queries_), bf16 ? Element::bf16 : Element::f16,
                             queries_.size() - 8, 1.5f, 9);
        problem_.q = align(queries_);
        problem_.out = align(out_);
        problem_.lengths = lengths_.data();
        problem_.page_table = table_.empty() ? nullptr : table_.data();
        problem_.k = problem_.v = buffer_.data();
        const std::string refusal = kernels::refusal(problem_);
        if (!refusal.empty()) {
            ready.refusal = refusal;
            return ready;
        }
    }
    const std::uint32_t threads = std::clamp(shape.threads, 1u, std::max(info.units, 1u));
    shape.threads = threads;
    if (!decoder_ || decoder_->threads() != static_cast<int>(threads))
        decoder_ = std::make_unique<Decoder>(kernels::cpu::best_isa(), static_cast<int>(threads));
    ready.clock = threads == 1 && has_thread_clock() ? "thread" : "wall";
    turn_ = 0;
    return ready;
}

double CpuProbe::timed_read(unsigned char* from) {
    const bool own = decoder_->threads() == 1;
    const double begin = cpu_seconds(own);
    checksum_ ^= decoder_->read(from, call_bytes_ / 256 * 256);
    return (cpu_seconds(own) - begin) * 1e9;
}

Sample CpuProbe::sample(const std::atomic<bool>* stop) {
    const bool own = decoder_->threads() == 1;
    const auto next = [&] { return buffer_.data() + turn_++ % copies_ * call_bytes_; };
    Sample s;
    if (kernel_ == KernelKind::read) {
        s.ns = s.read_ns = timed_read(next());
        return s;
    }
    s.read_ns = timed_read(next());
    unsigned char* const at = next();
    const double begin = cpu_seconds(own);
    if (kernel_ == KernelKind::copy) {
        const std::uint64_t half = call_bytes_ / 512 * 256;
        decoder_->copy(at + half, at, half);
    } else {
        problem_.k = at;
        problem_.v = at + call_bytes_ / 2;
        if (!decoder_->decode(problem_, stop)) return {};
    }
    s.ns = (cpu_seconds(own) - begin) * 1e9;
    // A read of the whole rotation's copy stands for equal bytes: padding of a last page is read
    // too.
    return s;
}

}  // namespace

std::unique_ptr<Probe> make_cpu_probe() {
    return std::make_unique<CpuProbe>();
}

}  // namespace kvgauge
