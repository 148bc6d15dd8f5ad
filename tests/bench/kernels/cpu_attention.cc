// SPDX-License-Identifier: MIT
// Decode attention on one CPU thread: kvgauge's kernel, the read stream and, where its libraries
// are given, ggml's flash attention, in turns on the same memory. Times are this thread's own
// processor time, figures medians of pairs. Usage: cpu_attention [--once GROUP | --samples N]
// [ggml-base.so ggml-cpu.so]
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "kernels/cpu/decoder.h"
#include "kernels/exact.h"

namespace {

using kvgauge::kernels::DecodeProblem;
using kvgauge::kernels::Element;

constexpr int dim = 128;
constexpr int kv_heads = 8;

double seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[v.size() / 2];
}

// The part of ggml.h that is needed (ggml v0.5 to v0.21).
struct InitParams {
    std::size_t mem_size;
    void* mem_buffer;
    bool no_alloc;
};
struct Ggml {
    void* (*init)(InitParams);
    void (*free)(void*);
    void* (*new_tensor_4d)(void*, int, std::int64_t, std::int64_t, std::int64_t, std::int64_t);
    void* (*get_data)(const void*);
    void* (*flash_attn_ext)(void*, void*, void*, void*, void*, float, float, float);
    void* (*new_graph)(void*);
    void (*build_forward_expand)(void*, void*);
    void* (*reg_dev_get)(void*, std::size_t);
    void* (*dev_init)(void*, const char*);
    void* (*reg_get_proc_address)(void*, const char*);
    int (*graph_compute)(void*, void*);
    void* backend = nullptr;

    bool open(const char* base_path, const char* cpu_path) {
        void* const base = dlopen(base_path, RTLD_NOW | RTLD_GLOBAL);
        void* const cpu = base ? dlopen(cpu_path, RTLD_NOW | RTLD_LOCAL) : nullptr;
        if (cpu == nullptr) {
            std::fprintf(stderr, "ggml: %s\n", dlerror());
            return false;
        }
        const auto find = [&](auto& function, const char* name) {
            using F = std::remove_reference_t<decltype(function)>;
            function = reinterpret_cast<F>(dlsym(base, name));
            return function != nullptr;
        };
        void* (*backend_init)() = reinterpret_cast<void* (*)()>(dlsym(cpu, "ggml_backend_init"));
        if (!backend_init || !find(init, "ggml_init") || !find(free, "ggml_free") ||
            !find(new_tensor_4d, "ggml_new_tensor_4d") || !find(get_data, "ggml_get_data") ||
            !find(flash_attn_ext, "ggml_flash_attn_ext") || !find(new_graph, "ggml_new_graph") ||
            !find(build_forward_expand, "ggml_build_forward_expand") ||
            !find(reg_dev_get, "ggml_backend_reg_dev_get") ||
            !find(dev_init, "ggml_backend_dev_init") ||
            !find(reg_get_proc_address, "ggml_backend_reg_get_proc_address") ||
            !find(graph_compute, "ggml_backend_graph_compute"))
            return false;
        void* const reg = backend_init();
        backend = dev_init(reg_dev_get(reg, 0), nullptr);
        const auto threads = reinterpret_cast<void (*)(void*, int)>(
            reg_get_proc_address(reg, "ggml_backend_set_n_threads"));
        if (backend == nullptr || threads == nullptr) return false;
        threads(backend, 1);
        return true;
    }
};
constexpr int ggml_f32 = 0;
constexpr int ggml_f16 = 1;

// One decode of 1024 tokens: for counting instructions.
void once(int group) {
    constexpr int tokens = 1024;
    DecodeProblem p;
    p.q_heads = kv_heads * group;
    p.kv_heads = kv_heads;
    p.head_dim = dim;
    p.max_length = tokens;
    p.scale = 1.0f / std::sqrt(static_cast<float>(dim));
    p.strides = kvgauge::kernels::heads_first(p, tokens);
    const auto cache = static_cast<std::uint64_t>(p.strides.block);
    const auto rows = static_cast<std::uint64_t>(p.q_heads * dim);
    auto* const memory =
        static_cast<std::uint16_t*>(std::aligned_alloc(4096, (2 * cache + 2 * rows) * 2));
    kvgauge::kernels::fill_random(memory, Element::f16, 2 * cache + rows, 1.0f, 1);
    const std::int32_t length = tokens;
    p.lengths = &length;
    p.k = memory;
    p.v = memory + cache;
    p.q = memory + 2 * cache;
    p.out = memory + 2 * cache + rows;
    kvgauge::kernels::cpu::Decoder(kvgauge::kernels::cpu::best_isa(), 1).decode(p);
    std::free(memory);
}

void run(int group, int tokens, int samples, Ggml* ggml) {
    const std::uint64_t half =
        std::uint64_t{kv_heads} * static_cast<std::uint64_t>(tokens) * dim * 2;
    const std::uint64_t bytes = 2 * half;
    const auto copies = std::max<std::uint64_t>(3, (std::uint64_t{256} << 20) / bytes);
    const int q_heads = kv_heads * group;

    // Memory from ggml where it is there, so that both read the same.
    std::vector<unsigned char*> k(copies), v(copies);
    std::vector<void*> graphs(copies), outs(copies);
    unsigned char* own = nullptr;
    void* context = nullptr;
    float* ggml_q = nullptr;
    if (ggml != nullptr) {
        context = ggml->init({copies * bytes + (std::uint64_t{64} << 20), nullptr, false});
        void* const q = ggml->new_tensor_4d(context, ggml_f32, dim, 1, q_heads, 1);
        ggml_q = static_cast<float*>(ggml->get_data(q));
        for (std::uint64_t i = 0; i < copies; ++i) {
            void* const tk = ggml->new_tensor_4d(context, ggml_f16, dim, tokens, kv_heads, 1);
            void* const tv = ggml->new_tensor_4d(context, ggml_f16, dim, tokens, kv_heads, 1);
            k[i] = static_cast<unsigned char*>(ggml->get_data(tk));
            v[i] = static_cast<unsigned char*>(ggml->get_data(tv));
            outs[i] = ggml->flash_attn_ext(context, q, tk, tv, nullptr,
                                           1.0f / std::sqrt(static_cast<float>(dim)), 0.0f, 0.0f);
            graphs[i] = ggml->new_graph(context);
            ggml->build_forward_expand(graphs[i], outs[i]);
        }
    } else {
        own = static_cast<unsigned char*>(std::aligned_alloc(4096, copies * bytes));
        for (std::uint64_t i = 0; i < copies; ++i) {
            k[i] = own + i * bytes;
            v[i] = k[i] + half;
        }
    }
    for (std::uint64_t i = 0; i < copies; ++i) {
        kvgauge::kernels::fill_random(k[i], Element::f16, half / 2, 1.0f, 2 * i);
        kvgauge::kernels::fill_random(v[i], Element::f16, half / 2, 1.0f, 2 * i + 1);
    }

    std::vector<std::uint16_t> q(static_cast<std::size_t>(q_heads * dim) + 8), out(q.size());
    const auto align = [](std::vector<std::uint16_t>& x) {
        return x.data() + (16 - reinterpret_cast<std::uintptr_t>(x.data()) % 16) % 16 / 2;
    };
    kvgauge::kernels::fill_random(align(q), Element::f16, static_cast<std::uint64_t>(q_heads * dim),
                                  1.0f, 9);
    DecodeProblem p;
    p.q_heads = q_heads;
    p.kv_heads = kv_heads;
    p.head_dim = dim;
    p.max_length = tokens;
    p.scale = 1.0f / std::sqrt(static_cast<float>(dim));
    p.strides = kvgauge::kernels::heads_first(p, tokens);
    const std::int32_t length = tokens;
    p.lengths = &length;
    p.q = align(q);
    p.out = align(out);
    for (int i = 0; ggml_q && i < q_heads * dim; ++i)
        ggml_q[i] = kvgauge::kernels::stored_value(Element::f16, p.q, i);

    kvgauge::kernels::cpu::Decoder decoder(kvgauge::kernels::cpu::best_isa(), 1);
    std::vector<double> read_s, own_s, ggml_s, share, ratio;
    std::uint64_t turn = 0, checksum = 0;
    double difference = 0;
    for (int i = -2; i < samples; ++i) {
        const auto next = [&] { return turn++ % copies; };
        std::uint64_t at = next();
        double begin = seconds();
        checksum ^= decoder.read(k[at], half) ^ decoder.read(v[at], half);
        const double read = seconds() - begin;
        at = next();
        p.k = k[at];
        p.v = v[at];
        begin = seconds();
        decoder.decode(p);
        const double decode = seconds() - begin;
        double other = 0;
        if (ggml != nullptr) {
            const std::uint64_t mine = at;
            at = next();
            begin = seconds();
            ggml->graph_compute(ggml->backend, graphs[at]);
            other = seconds() - begin;
            if (i == samples - 1) {  // the same cache as mine, for the result alone
                ggml->graph_compute(ggml->backend, graphs[mine]);
                const auto* const theirs = static_cast<const float*>(ggml->get_data(outs[mine]));
                for (int j = 0; j < q_heads * dim; ++j)
                    difference = std::max(
                        difference,
                        static_cast<double>(std::abs(
                            theirs[j] - kvgauge::kernels::stored_value(Element::f16, p.out, j))));
            }
        }
        if (i < 0) continue;
        read_s.push_back(read);
        own_s.push_back(decode);
        share.push_back(read / decode);
        if (other > 0) {
            ggml_s.push_back(other);
            ratio.push_back(other / decode);
        }
    }
    const auto rate = [&](const std::vector<double>& s) {
        return s.empty() ? 0.0 : static_cast<double>(bytes) / median(s) / 1e9;
    };
    std::printf("| %d | %d | %.1f | %.1f | %.0f %% |", group, tokens, rate(read_s), rate(own_s),
                100 * median(share));
    if (!ggml_s.empty())
        std::printf(" %.1f | %.2f x | %.0e |", rate(ggml_s), median(ratio), difference);
    std::printf("\n");
    std::fflush(stdout);
    if (checksum == 1) std::printf("\n");  // keeps the reads
    if (context) ggml->free(context);
    std::free(own);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--once") == 0) {
        once(std::atoi(argv[2]));
        return 0;
    }
    int samples = 25;
    int at = 1;
    if (argc > 2 && std::strcmp(argv[1], "--samples") == 0) {
        samples = std::atoi(argv[2]);
        at = 3;
    }
    Ggml ggml{};
    const bool compare = argc > at + 1 && ggml.open(argv[at], argv[at + 1]);
    std::printf(
        "| group | tokens | read GB/s | kvgauge GB/s | of read |%s\n|---|---|---|---|---|%s\n",
        compare ? " ggml GB/s | kvgauge / ggml | largest difference |" : "",
        compare ? "---|---|---|" : "");
    for (const int tokens : {8192, 32768}) {
        for (const int group : {1, 2, 4, 8}) run(group, tokens, samples, compare ? &ggml : nullptr);
    }
    return 0;
}
