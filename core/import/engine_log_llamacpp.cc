// SPDX-License-Identifier: MIT
// Lines of llama.cpp, its forks and what wraps them (Ollama). The same figures have had many
// spellings since 2023; numbers follow the locale ("2160,00 MiB").
#include <algorithm>

#include "import/engine_log_patterns.h"

namespace kvgauge::engine_log {
namespace {

constexpr std::size_t kMostBuffers = 64, kMostCaches = 8;

Observation& llama(Runs& r) {
    return r.of(EngineId::llamacpp);
}
template <class T>
void set(std::optional<T>& into, std::optional<T> value) {
    if (value) into = value;
}
bool has(const Line& l, std::string_view text) {
    return l.text.find(text) != std::string_view::npos;
}

// A second model file in one log: a draft, an embedder, another start.
void loaded(Runs& r, const Line& l) {
    if (!r.now().caches.empty() || !r.now().model_buffers.empty()) {
        const Observation before = r.now();
        r.next();
        r.now().version_text = before.version_text;
        r.now().version = before.version;
        r.now().gpu = before.gpu;
        r.now().wrapper = before.wrapper;
    }
    Observation& o = llama(r);
    Cursor c = l.cursor();
    if (o.model.empty() && c.skip_to("tensors from ")) {
        const std::string_view path = c.rest().substr(0, c.rest().find(" (version"));
        o.model = std::string(path.substr(0, 256));
    }
}
// "general.name str = DeepSeek V2.5 1210"
void general_name(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (!l.complete || !c.skip_to("= ")) return;
    std::string_view name = c.rest();
    while (!name.empty() && (name.back() == ' ' || name.back() == '\r')) name.remove_suffix(1);
    if (!name.empty()) llama(r).model = std::string(name.substr(0, 256));
}
// "build: 6699 (c08002a1)", "build = 3673 (4084ca73)", "build":3874,"commit":"3433c7b5", build=3902
// commit="f649e36a"
void build(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    const auto n = c.integer();
    if (!n || *n > UINT32_MAX) return;
    std::string_view commit;
    if (c.skip("(")) {
        commit = c.word(")");
    } else if (c.skip_to("commit")) {
        c.skip("\"");
        if (c.skip(":") || c.skip("=")) commit = c.quoted();
    }
    const bool hex = std::all_of(commit.begin(), commit.end(), [](char h) {
        return (h >= '0' && h <= '9') || (h >= 'a' && h <= 'f');
    });
    if (commit.size() < 7 || commit.size() > 40 || !hex) return;
    Observation& o = llama(r);
    o.version_text = "b" + std::to_string(*n) + " (" + std::string(commit) + ")";
    Version v;
    v.major = static_cast<std::uint32_t>(*n);
    v.build = true;
    v.parts = 1;
    o.version = v;
}

// "llama_context: n_ctx = 8192"; n_ctx_seq, n_ctx_train and others are other words.
std::optional<std::uint64_t> after_equals(const Line& l) {
    Cursor c = l.cursor();
    return c.skip("=") ? c.integer() : std::nullopt;
}
bool of_context(const Line& l) {
    // print_info and metadata lines describe the model, not the context.
    return has(l, "context") || has(l, "llama_init") || has(l, "slot") || has(l, "n_slots");
}
void n_ctx(Runs& r, const Line& l) {
    const auto n = after_equals(l);
    if (!n || !of_context(l)) return;
    Observation& o = llama(r);
    if (!o.ctx || o.caches.empty()) o.ctx = n;
}
void n_ctx_seq(Runs& r, const Line& l) {
    const auto n = after_equals(l);
    if (n && of_context(l)) llama(r).n_ctx_seq = n;
}
void n_ubatch(Runs& r, const Line& l) {
    const auto n = after_equals(l);
    if (n && of_context(l)) llama(r).ubatch = n;
}
void n_seq_max(Runs& r, const Line& l) {
    const auto n = after_equals(l);
    if (n && of_context(l)) llama(r).slots = n;
}
void n_slots(Runs& r, const Line& l) {
    const auto n = after_equals(l);
    if (n) llama(r).slots = n;
}
void kv_unified(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (!c.skip("=")) return;
    c.skip("'");
    const std::string_view w = c.word("',");
    if (w == "true" || w == "1") llama(r).unified = true;
    if (w == "false" || w == "0") llama(r).unified = false;
}

// "CUDA0 model buffer size = 1242.03 MiB", "CPU buffer size = 37343,30 MiB", "CUDA0 KV buffer
// size", "CUDA0 compute buffer size", "output buffer size".
void buffer(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (!c.skip("=")) return;
    const auto b = c.bytes();
    if (!b) return;
    std::string_view head = l.before();
    const auto last_word = [&head] {
        while (!head.empty() && head.back() == ' ') head.remove_suffix(1);
        const std::size_t at = head.rfind(' ');
        const std::string_view w = at == std::string_view::npos ? head : head.substr(at + 1);
        head = at == std::string_view::npos ? std::string_view{} : head.substr(0, at);
        return w;
    };
    std::string_view kind = last_word();
    Observation& o = llama(r);
    std::vector<DeviceBytes>* list = &o.model_buffers;
    std::string_view device = kind;
    if (kind == "KV" || kind == "compute" || kind == "model" || kind == "RS" || kind == "output") {
        device = last_word();
        if (kind == "KV") list = &o.kv_buffers;
        if (kind == "compute") list = &o.compute_buffers;
        if (kind == "RS" || kind == "output") return;
    } else if (!has(l, "load_tensors")) {
        return;
    }
    if (list->size() < kMostBuffers) list->push_back({std::string(device.substr(0, 32)), *b});
}

// "K (f16): 1536.00 MiB, V (f16): ...", "c^KV (q8_0): ...", "R (f32): ..., S (f32): ..."
void parts(CacheLine& cache, const Line& l) {
    const auto part = [&](std::string_view mark, std::string& type, std::optional<double>& bytes) {
        Cursor c(l.text, l.complete, 0);
        if (!c.skip_to(mark)) return false;
        type = std::string(c.word(")").substr(0, 16));
        if (!c.skip(")") || !c.skip(":")) return false;
        bytes = c.bytes();
        return bytes.has_value();
    };
    if (part("c^KV (", cache.k_type, cache.k_bytes)) return;
    if (part(" R (", cache.k_type, cache.k_bytes)) {
        cache.recurrent = true;
        part(" S (", cache.v_type, cache.v_bytes);
        return;
    }
    part(" K (", cache.k_type, cache.k_bytes);
    part(" V (", cache.v_type, cache.v_bytes);
}
void keep(Runs& r, CacheLine cache) {
    Observation& o = llama(r);
    if (o.caches.size() >= kMostCaches) return;
    // The first line replaces what a wrapper estimated.
    o.kv_bytes = o.caches.empty() ? cache.bytes : o.kv_bytes.value_or(0) + cache.bytes;
    o.caches.push_back(std::move(cache));
}
// "KV self size  = 2160,00 MiB, ..." (to 2025); "kv self size  =  162.50 MB" (2023)
void self_size(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (!c.skip("=")) return;
    const auto b = c.bytes();
    if (!b) return;
    CacheLine cache;
    cache.bytes = *b;
    parts(cache, l);
    keep(r, std::move(cache));
}
// "size = 3072.00 MiB (131072 cells,  12 layers,  1/1 seqs), K (f16): ..."
void cells(Runs& r, const Line& l) {
    const std::size_t open = l.text.rfind('(', l.at);
    if (open == std::string_view::npos || !has(l, "size =")) return;
    CacheLine cache;
    cache.cells = Cursor(l.text.substr(0, l.at), true, open + 1).integer();
    // A number that ends at the anchor was cut off from nothing.
    Cursor size(l.text, l.complete, 0);
    if (!size.skip_to("size =")) return;
    const auto b = size.bytes();
    if (!b) return;
    cache.bytes = *b;
    Cursor c = l.cursor();
    cache.layers = c.integer();
    if (c.skip("layers") && c.skip(",")) {
        cache.seqs = c.integer();
        if (c.skip("/")) cache.streams = c.integer();
    }
    parts(cache, l);
    keep(r, std::move(cache));
}

void file_size(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (c.skip("=") && (has(l, "print_info") || has(l, "print_meta")))
        set(llama(r).file_bytes, c.bytes());
}
// "model params = 235,741 B"
void params(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (!c.skip("=")) return;
    const auto n = c.decimal();
    if (!n) return;
    const double scale = c.skip("B") ? 1e9 : c.skip("M") ? 1e6 : c.skip("T") ? 1e12 : 0;
    if (scale > 0) llama(r).params = *n * scale;
}
// "offloaded 25/25 layers to GPU"
void offloaded(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    const auto n = c.integer();
    if (!n || !c.skip("/")) return;
    const auto all = c.integer();
    if (!all || !c.skip("layers")) return;
    llama(r).gpu_layers = n;
    llama(r).all_layers = all;
}
void ik_fork(Runs& r, const Line&) {
    llama(r).fork = "ik_llama.cpp";
}
// "Device 0: NVIDIA GeForce RTX 4080, compute capability 8.9"
void device(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (!c.integer() || !c.skip(":")) return;
    c.blanks();
    const std::string_view name = c.rest().substr(0, c.rest().find(','));
    if (has(l, "compute capability") && r.now().gpu.empty())
        r.now().gpu = std::string(name.substr(0, 64));
}
// "using device CUDA0 (NVIDIA GeForce RTX 3070) (0000:01:00.0) - 7672 MiB free"
void used_device(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    const std::string_view kind = c.word("(");
    if (kind.empty() || kind.starts_with("CPU") || !c.skip("(") || !r.now().gpu.empty()) return;
    const std::string_view rest = c.rest();
    const std::size_t end = rest.find(')');
    if (end != std::string_view::npos)
        llama(r).gpu = std::string(rest.substr(0, end).substr(0, 64));
}
void failure(Runs& r, const Line& l) {
    llama(r);
    r.error(l.text.substr(l.at));
}

constexpr Pattern kPatterns[] = {
    {"loaded meta data with ", loaded},
    {"general.name ", general_name},
    {"build: ", build},
    {"build = ", build},
    {"\"build\":", build},
    {" build=", build},
    {"n_ctx ", n_ctx},
    {"n_ctx=", n_ctx},
    {"n_ctx_seq ", n_ctx_seq},
    {"n_ctx_per_seq ", n_ctx_seq},
    {"n_ctx_slot ", n_ctx_seq},
    {"n_ubatch ", n_ubatch},
    {"n_seq_max ", n_seq_max},
    {"n_slots ", n_slots},
    {"kv_unified ", kv_unified},
    {" buffer size ", buffer},
    {"KV self size ", self_size},
    {"kv self size ", self_size},
    {" cells,", cells},
    {"file size ", file_size},
    {"model size ", file_size},
    {"model params ", params},
    {"offloaded ", offloaded},
    {"mla_attn ", ik_fork},
    {"fused_moe ", ik_fork},
    {"Device ", device},
    {"using device ", used_device},
    {"SPLIT_MODE_TENSOR", failure},
    {"GGML_ASSERT(", failure},
    {"quantized V cache requires", failure},
};

}  // namespace

std::span<const Pattern> llamacpp_patterns() {
    return kPatterns;
}

}  // namespace kvgauge::engine_log
