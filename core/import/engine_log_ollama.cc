// SPDX-License-Identifier: MIT
// Ollama's own lines around llama.cpp and its engine (server.go, runner.go, ggml.go, device.go).
#include "import/engine_log_patterns.h"

namespace kvgauge::engine_log {
namespace {

constexpr std::size_t kMostBuffers = 64;

bool has(const Line& l, std::string_view text) {
    return l.text.find(text) != std::string_view::npos;
}
Observation* ollama(Runs& r, const Line& l) {
    if (!has(l, "level=")) return nullptr;
    Observation& o = r.of(EngineId::llamacpp);
    o.wrapper = "ollama";
    return &o;
}
template <class T>
void set(std::optional<T>& into, std::optional<T> value) {
    if (value) into = value;
}

void speaks(Runs& r, const Line& l) {
    ollama(r, l);
}

// device=CUDA0 size="11.8 GiB"; buffer=CUDA0 size="11.5 GiB" in 2025
std::optional<DeviceBytes> device_bytes(const Line& l) {
    for (std::string_view key : {"device=", "buffer=", "backend="}) {
        Cursor c = l.cursor();
        if (!c.skip_to(key)) continue;
        const std::string device(c.word().substr(0, 32));
        if (!c.skip_to("size=\"")) return std::nullopt;
        const auto b = c.bytes();
        if (b) return DeviceBytes{device, *b};
    }
    return std::nullopt;
}
// The same device again is a later attempt: it replaces the earlier one.
void put(std::vector<DeviceBytes>& list, DeviceBytes d) {
    for (DeviceBytes& old : list) {
        if (old.device != d.device) continue;
        old.bytes = d.bytes;
        return;
    }
    if (list.size() < kMostBuffers) list.push_back(std::move(d));
}
void model_weights(Runs& r, const Line& l) {
    Observation* o = ollama(r, l);
    const auto d = device_bytes(l);
    if (o && d) put(o->model_buffers, *d);
}
void kv_cache(Runs& r, const Line& l) {
    Observation* o = ollama(r, l);
    const auto d = device_bytes(l);
    if (!o || !d) return;
    put(o->kv_buffers, *d);
    double sum = 0;
    for (const DeviceBytes& b : o->kv_buffers) sum += b.bytes;
    if (o->caches.empty()) o->kv_bytes = sum;
}
void compute_graph(Runs& r, const Line& l) {
    Observation* o = ollama(r, l);
    const auto d = device_bytes(l);
    if (o && d) put(o->compute_buffers, *d);
}

// memory.required.kv="992.0 MiB": Ollama's estimate, until the cache itself is printed
void required_kv(Runs& r, const Line& l) {
    Observation* o = ollama(r, l);
    const auto b = l.cursor().bytes();
    if (o && b && o->caches.empty() && o->kv_buffers.empty()) o->kv_bytes = b;
}

// cmd="... runner --model ... --ctx-size 8192 --batch-size 512 --n-gpu-layers 48 --parallel 1"
void command(Runs& r, const Line& l) {
    Observation* o = ollama(r, l);
    if (!o) return;
    set(o->ctx, key_integer(l, "ctx-size"));
    set(o->ubatch, key_integer(l, "batch-size"));
    set(o->slots, key_integer(l, "parallel"));
    const std::string kv = key_text(l, "kv-cache-type");
    if (!kv.empty()) o->kv_dtype = kv.substr(0, 16);
}
// load request="{Operation:commit ... Parallel:1 BatchSize:512 KvSize:8192 KvCacheType:q8_0 ...}"
void load_request(Runs& r, const Line& l) {
    Observation* o = ollama(r, l);
    if (!o) return;
    if (const auto n = key_integer(l, "KvSize"); n && *n > 0) o->ctx = n;
    if (const auto n = key_integer(l, "Parallel"); n && *n > 0) o->slots = n;
    if (const auto n = key_integer(l, "BatchSize"); n && *n > 0) o->ubatch = n;
    Cursor c = l.cursor();
    if (c.skip_to("KvCacheType:")) {
        const std::string_view rest = c.rest();  // may be empty: "KvCacheType: NumThreads:12"
        if (!rest.empty() && rest[0] != ' ') {
            const std::string_view w = c.word();
            if (!w.empty()) o->kv_dtype = std::string(w.substr(0, 16));
        }
    }
}

constexpr Pattern kPatterns[] = {
    {"llama_server.go", speaks},
    {"source=runner.go", speaks},
    {"msg=\"llama runner", speaks},
    {"msg=\"model weights\"", model_weights},
    {"msg=\"kv cache\"", kv_cache},
    {"msg=\"compute graph\"", compute_graph},
    {"memory.required.kv=\"", required_kv},
    {"msg=\"starting llama server\"", command},
    {"msg=\"starting runner\"", command},
    {"msg=load request=", load_request},
};

}  // namespace

std::span<const Pattern> ollama_patterns() {
    return kPatterns;
}

}  // namespace kvgauge::engine_log
