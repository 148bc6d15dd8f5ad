// SPDX-License-Identifier: MIT
// SGLang's lines (model_runner.py, memory_pool.py, scheduler.py). "GB" is GiB.
#include <algorithm>

#include "import/engine_log_patterns.h"

namespace kvgauge::engine_log {
namespace {

Observation& sglang(Runs& r, const Line& l) {
    Observation& o = r.of(EngineId::sglang);
    // "[2025-03-08 12:29:13 TP3]"
    const std::size_t tp = l.text.substr(0, 80).find(" TP");
    if (tp != std::string_view::npos) {
        Cursor c(l.text, true, tp + 3);
        if (const auto rank = c.integer()) r.count_rank(*rank);
    }
    return o;
}
template <class T>
void set(std::optional<T>& into, std::optional<T> value) {
    if (value) into = value;
}

void arguments(Runs& r, const Line& l) {
    if (r.now().kv_tokens) r.next();
    Observation& o = sglang(r, l);
    const std::string model = key_text(l, "model_path");
    if (!model.empty()) o.model = model.substr(0, 256);
    set(o.tp, key_integer(l, "tp_size"));
    set(o.pp, key_integer(l, "pp_size"));
    set(o.dp, key_integer(l, "dp_size"));
    set(o.ctx, key_integer(l, "context_length"));
    set(o.util, key_decimal(l, "mem_fraction_static"));
    set(o.max_batched, key_integer(l, "chunked_prefill_size"));
    set(o.max_seqs, key_integer(l, "max_running_requests"));
    set(o.block_tokens, key_integer(l, "page_size"));
    set(o.dp_attention, key_bool(l, "enable_dp_attention"));
    set(o.spec_tokens, key_integer(l, "speculative_num_draft_tokens"));
    o.kv_dtype = key_text(l, "kv_cache_dtype");
    o.quantization = key_text(l, "quantization");
}
void load_begin(Runs& r, const Line& l) {
    if (r.now().kv_tokens && r.repeats(l.text, kSaysWeights)) r.next();
    Observation& o = sglang(r, l);
    const auto b = l.cursor().bytes();
    if (b) o.before_weights = std::min(*b, o.before_weights.value_or(*b));
}
void load_end(Runs& r, const Line& l) {
    Observation& o = sglang(r, l);
    o.model_class = key_text(l, "type");
    std::string dtype = key_text(l, "dtype");
    if (dtype.starts_with("torch.")) dtype.erase(0, 6);
    if (!dtype.empty()) o.dtype = dtype;
    Cursor c = l.cursor();
    if (c.skip_to("avail mem=")) set(o.after_weights, c.bytes());
    c = l.cursor();
    if (c.skip_to("mem usage=")) {
        set(o.weights, c.bytes());
    } else if (o.before_weights && o.after_weights && *o.before_weights > *o.after_weights) {
        o.weights = *o.before_weights - *o.after_weights;  // before 0.4.1 only what is left
    }
}
// "Using KV cache dtype: torch.bfloat16": what "auto" came to
void kv_dtype(Runs& r, const Line& l) {
    std::string_view w = l.cursor().word();
    if (w.starts_with("torch.")) w.remove_prefix(6);
    Observation& o = sglang(r, l);
    const bool said = !o.kv_dtype.empty() && o.kv_dtype != "auto";
    const bool plain = w == "bfloat16" || w == "float16";
    if (w.empty() || said || (plain && !o.kv_dtype.empty())) return;
    o.kv_dtype = std::string(w.substr(0, 32));
}
void pool(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    std::optional<std::uint64_t> n;
    if (c.skip_to("#tokens: ")) {
        n = c.integer();
        if (!n) return;
    } else if (l.text.find(" size: ", l.after) == std::string_view::npos) {
        return;  // releases of early 2025 print the sizes alone
    }
    // A second pool of the same rank holds the windows.
    const bool second = r.repeats(l.text, kSaysPool);
    Observation& o = sglang(r, l);
    std::optional<double> k, v;
    Cursor sizes = l.cursor();
    if (sizes.skip_to("K size: ")) {
        k = sizes.bytes();
        if (sizes.skip_to("V size: ")) v = sizes.bytes();
    } else if (sizes.skip_to("KV size: ")) {
        k = sizes.bytes();
        v = 0.0;
    }
    if (second) {
        if (!n) return;
        if (o.kv_tokens && *n != *o.kv_tokens) o.window_tokens = std::min(*n, *o.kv_tokens);
        if (o.kv_tokens && *n > *o.kv_tokens) o.kv_tokens = n;
        return;
    }
    if (n) o.kv_tokens = o.kv_tokens ? std::min(*o.kv_tokens, *n) : *n;
    if (!k || !v) return;
    o.k_bytes = k;
    o.v_bytes = v;
    o.kv_bytes = *k + *v;
}
void states(Runs& r, const Line& l) {
    Observation& o = sglang(r, l);
    Cursor c = l.cursor();
    if (c.skip_to("max_mamba_cache_size: ")) set(o.state_slots, c.integer());
    if (c.skip_to("conv_state size: ")) set(o.conv_bytes, c.bytes());
    if (c.skip_to("ssm_state size: ")) set(o.ssm_bytes, c.bytes());
}
void pool_end(Runs& r, const Line& l) {
    set(sglang(r, l).after_pools, l.cursor().bytes());
}
void graphs(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (c.skip_to("mem usage=")) set(sglang(r, l).graphs, c.bytes());
}
void totals(Runs& r, const Line& l) {
    Observation& o = sglang(r, l);
    const auto n = l.cursor().integer();
    if (n) o.kv_tokens = o.kv_tokens ? std::min(*o.kv_tokens, *n) : *n;
    set(o.max_batched, key_integer(l, "chunked_prefill_size"));
    set(o.max_seqs, key_integer(l, "max_running_requests"));
    set(o.ctx, key_integer(l, "context_len"));
}
void failure(Runs& r, const Line& l) {
    sglang(r, l);
    r.error(l.text.substr(l.at));
}

constexpr Pattern kPatterns[] = {
    {"ServerArgs(", arguments},
    {"Load weight begin. avail mem=", load_begin},
    {"Load weight end.", load_end},
    {"Using KV cache dtype: ", kv_dtype},
    {"KV Cache is allocated.", pool},
    {"Mamba Cache is allocated.", states},
    {"Memory pool end. avail mem=", pool_end},
    {"Capture cuda graph end.", graphs},
    {"max_total_num_tokens=", totals},
    {"Please try to increase --mem-fraction-static", failure},
    {"Loaded weights leave no GPU memory", failure},
    {"cannot hold even one request", failure},
};

}  // namespace

std::span<const Pattern> sglang_patterns() {
    return kPatterns;
}

}  // namespace kvgauge::engine_log
