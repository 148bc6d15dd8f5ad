// SPDX-License-Identifier: MIT
// vLLM's lines: V0 (executor_base.py, worker.py) and V1 (core.py, gpu_worker.py, kv_cache_utils.py,
// gpu_model_runner.py).
#include <algorithm>

#include "import/engine_log_patterns.h"

namespace kvgauge::engine_log {
namespace {

Observation& vllm(Runs& r) {
    return r.of(EngineId::vllm);
}

void set_version(Observation& o, std::string_view text) {
    if (text.empty()) return;
    if (text[0] == 'v') text.remove_prefix(1);
    o.version_text = std::string(text.substr(0, 64));
    const auto v = parse_version(text);
    // "0.1.dev15917+g0a6396b45" names a build, not the release 0.1.
    const bool build =
        text.find(".dev") != std::string_view::npos && v && v->major == 0 && v->minor <= 1;
    o.version = build ? std::nullopt : v;
}

void set_text(std::string& into, std::string text) {
    if (!text.empty()) into = text.substr(0, 256);
}
template <class T>
void set(std::optional<T>& into, std::optional<T> value) {
    if (value) into = value;
}

// Settings as the engine dumps them: key=value of the config, 'key': value of the arguments.
void settings(Observation& o, const Line& l) {
    set_text(o.model, key_text(l, "model"));
    if (o.model.empty()) set_text(o.model, key_text(l, "model_tag"));
    set(o.tp, key_integer(l, "tensor_parallel_size"));
    set(o.pp, key_integer(l, "pipeline_parallel_size"));
    set(o.dp, key_integer(l, "data_parallel_size"));
    set(o.dcp, key_integer(l, "decode_context_parallel_size"));
    set(o.ctx, key_integer(l, "max_seq_len"));
    set(o.ctx, key_integer(l, "max_model_len"));
    set(o.max_batched, key_integer(l, "max_num_batched_tokens"));
    set(o.max_seqs, key_integer(l, "max_num_seqs"));
    set(o.util, key_decimal(l, "gpu_memory_utilization"));
    set(o.eager, key_bool(l, "enforce_eager"));
    set(o.prefix_caching, key_bool(l, "enable_prefix_caching"));
    set(o.ep, key_bool(l, "enable_expert_parallel"));
    set(o.block_tokens, key_integer(l, "block_size"));
    set(o.spec_tokens, key_integer(l, "num_speculative_tokens"));
    set(o.spec_tokens, key_integer(l, "num_spec_tokens"));
    set_text(o.quantization, key_text(l, "quantization"));
    set_text(o.kv_dtype, key_text(l, "kv_cache_dtype"));
    std::string dtype = key_text(l, "dtype");
    if (dtype.starts_with("torch.")) dtype.erase(0, 6);
    set_text(o.dtype, dtype);
}

// A second engine of the same log: everything before belongs to the first. Where no engine has
// announced itself yet, the results above are of the one that does now (reports quote lines in any
// order).
void settle(Runs& r) {
    const bool results = r.now().kv_tokens || r.now().blocks || !r.now().kv_available.empty();
    if (results && r.begun()) r.next();
}

void init(Runs& r, const Line& l) {
    settle(r);
    r.begin();
    Observation& o = vllm(r);
    o.v0 = l.text.find("V1 LLM engine") == std::string_view::npos;
    Cursor c = l.cursor();
    if (l.text.substr(l.at, l.after - l.at).ends_with("(v")) set_version(o, c.word(")"));
    settings(o, l);
}
void version(Runs& r, const Line& l) {
    settle(r);
    set_version(vllm(r), l.cursor().word());
}
void banner_version(Runs& r, const Line& l) {
    if (l.before().find("\xe2\x96") == std::string_view::npos) return;  // block letters
    settle(r);
    version(r, l);
}
void banner_model(Runs& r, const Line& l) {
    if (l.before().find("\xe2\x96") == std::string_view::npos) return;
    Cursor c = l.cursor();
    set_text(vllm(r).model, std::string(c.word("")));
}
void arguments(Runs& r, const Line& l) {
    settle(r);  // a restarted server prints its arguments first
    settings(vllm(r), l);
}
void loading(Runs& r, const Line& l) {
    Observation& o = vllm(r);
    std::string_view name = l.cursor().word("");
    while (name.ends_with('.')) name.remove_suffix(1);
    if (o.model.empty()) set_text(o.model, std::string(name));
}
void architecture(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    set_text(vllm(r).model_class, std::string(c.word()));
}
void max_len(Runs& r, const Line& l) {
    set(vllm(r).ctx, l.cursor().integer());
}
void chunked(Runs& r, const Line& l) {
    set(vllm(r).max_batched, l.cursor().integer());
}

void weights(Runs& r, const Line& l) {
    const auto b = l.cursor().bytes();
    if (b) vllm(r).weights = std::max(*b, vllm(r).weights.value_or(0));
}
void available(Runs& r, const Line& l) {
    const auto b = l.cursor().bytes();
    if (!b) return;
    if (r.repeats(l.text, kSaysAvailable) && r.now().kv_tokens) {
        const Observation before = r.now();
        r.next();
        // The settings were printed once.
        Observation& o = r.now();
        o.model = before.model;
        o.version_text = before.version_text;
        o.version = before.version;
        o.tp = before.tp;
        r.repeats(l.text, kSaysAvailable);
    }
    std::vector<double>& all = vllm(r).kv_available;
    if (all.size() < 64) all.push_back(*b);
}
void tokens(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    const auto n = c.integer();
    if (!n || !c.skip("tokens")) return;
    Observation& o = vllm(r);
    // Several data-parallel engines, or ranks, may print it: the smallest holds for all.
    o.kv_tokens = o.kv_tokens ? std::min(*o.kv_tokens, *n) : *n;
}
void concurrency(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    const auto length = c.integer();
    if (!length || !c.skip_to("per request:")) return;
    const auto x = c.decimal();
    if (!x) return;
    Observation& o = vllm(r);
    o.concurrency = x;
    o.concurrency_len = length;
    if (!o.ctx) o.ctx = length;
}
// "# GPU blocks: 1952, # CPU blocks: 2048"
void blocks(Runs& r, const Line& l) {
    if (l.before().find('#') == std::string_view::npos) return;
    Cursor c = l.cursor();
    const auto n = c.integer();
    if (!n) return;
    if (l.before().ends_with("CPU")) {
        if (l.before().find("blocks") != std::string_view::npos) vllm(r).cpu_blocks = n;
        return;
    }
    Observation& o = vllm(r);
    o.blocks = n;
    o.v0 = true;
}
void num_blocks(Runs& r, const Line& l) {
    set(vllm(r).blocks, l.cursor().integer());
    set(vllm(r).block_tokens, key_integer(l, "block_size"));
}
void dcp(Runs& r, const Line& l) {
    set(vllm(r).dcp, l.cursor().integer());
}
void padding(Runs& r, const Line& l) {
    if (!l.before().ends_with("Add ")) {
        // "Add 3 padding layers, may waste at most 6.25% KV cache memory"
        const std::size_t add = l.text.rfind("Add ", l.at);
        if (add == std::string_view::npos) return;
        set(vllm(r).padding_layers, Cursor(l.text, true, add + 4).integer());
    }
    Cursor c = l.cursor();
    if (c.skip_to("at most")) set(vllm(r).padding_percent, c.decimal());
}
void state_padding(Runs& r, const Line& l) {
    set(vllm(r).state_padding_percent, l.cursor().decimal());
}
void attention_block(Runs& r, const Line& l) {
    set(vllm(r).block_tokens, l.cursor().integer());
}
void world(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (!c.skip_to("TP rank ")) return;
    if (const auto rank = c.integer()) {
        vllm(r);
        r.count_rank(*rank);
    }
}
void attention(Runs& r, const Line& l) {
    Observation& o = vllm(r);
    if (o.attention.empty())
        o.attention = std::string(l.before().substr(l.before().rfind("Using ") + 1));
    const std::size_t using_at = l.text.rfind("Using ", l.at);
    if (using_at != std::string_view::npos) {
        o.attention = std::string(
            l.text.substr(using_at + 6, std::min<std::size_t>(64, l.at - using_at - 6)));
    }
}

// Memory profiles.
void graphs(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (c.skip_to("took ")) set(vllm(r).graphs, c.bytes());
}
void graphs_estimated(Runs& r, const Line& l) {
    set(vllm(r).graphs_estimated, l.cursor().bytes());
}
void graph_pool(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    set(vllm(r).graphs, c.bytes());
    if (c.skip_to("(actual),")) set(vllm(r).graphs_estimated, c.bytes());
}
void total(Runs& r, const Line& l) {
    set(vllm(r).total, l.cursor().bytes());
}
void util(Runs& r, const Line& l) {
    const auto u = l.cursor().decimal();
    if (u && *u > 0 && *u <= 1) vllm(r).util = u;
}
void usable(Runs& r, const Line& l) {
    set(vllm(r).usable, l.cursor().bytes());
}
// "The current --gpu-memory-utilization=0.8800 is equivalent to ..."
void util_in_effect(Runs& r, const Line& l) {
    if (!r.now().util) util(r, l);
}
void weights_take(Runs& r, const Line& l) {
    set(vllm(r).weights, l.cursor().bytes());
}
void non_torch(Runs& r, const Line& l) {
    set(vllm(r).non_torch, l.cursor().bytes());
}
void activation(Runs& r, const Line& l) {
    set(vllm(r).activation, l.cursor().bytes());
}
void peak_torch(Runs& r, const Line& l) {
    set(vllm(r).peak_torch, l.cursor().bytes());
}
void kv_available(Runs& r, const Line& l) {
    const auto b = l.cursor().bytes();
    std::vector<double>& all = vllm(r).kv_available;
    if (b && all.size() < 64) all.push_back(*b);
}
// "Free memory on device cuda:0 (78.6/79.19 GiB) on startup"
void free_memory(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (!c.skip_to("(")) return;
    const auto free = c.decimal();
    if (!free || !c.skip("/")) return;
    const auto all = c.bytes();
    if (!all) return;
    vllm(r).total = all;
    vllm(r).free_at_start = *free * 1073741824.0;
}
// "Desired GPU memory utilization is (0.9, 71.27 GiB)"
void desired(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    const auto u = c.decimal();
    if (!u || !c.skip(",")) return;
    vllm(r).util = u;
    set(vllm(r).usable, c.bytes());
}
void for_weight(Runs& r, const Line& l) {
    set(vllm(r).weights, bytes_before(l));
}
void for_activation(Runs& r, const Line& l) {
    set(vllm(r).activation, bytes_before(l));
}
void for_non_torch(Runs& r, const Line& l) {
    set(vllm(r).non_torch, bytes_before(l));
}
void for_graphs(Runs& r, const Line& l) {
    set(vllm(r).graphs, bytes_before(l));
}

// Refusals.
void too_long(Runs& r, const Line& l) {
    vllm(r);
    r.error(l.text.substr(l.at));
    Cursor c = l.cursor();
    if (c.skip("(")) set(r.now().ctx, c.integer());
    if (!c.skip_to("(")) return;
    const auto n = c.bytes();
    if (n) {
        r.now().needed_kv = n;
        if (c.skip_to("memory (")) {
            const auto b = c.bytes();
            if (b && r.now().kv_available.empty()) r.now().kv_available.push_back(*b);
        }
        if (c.skip_to("maximum model length is ")) set(r.now().longest_len, c.integer());
    }
}
// "max seq len (29000) is larger than the maximum number of tokens that can be stored in KV cache
// (23648)"
void larger(Runs& r, const Line& l) {
    vllm(r);
    r.error(l.text.substr(l.at));
    Cursor c = l.cursor();
    if (c.skip_to("KV cache (")) set(r.now().kv_tokens, c.integer());
}
void failure(Runs& r, const Line& l) {
    vllm(r);
    r.error(l.text.substr(l.text.rfind("Error", l.at) == std::string_view::npos ? l.at : 0));
}

constexpr Pattern kPatterns[] = {
    {"LLM engine (v", init},
    {"LLM engine with config", init},
    {"vLLM API server version ", version},
    {"version ", banner_version},
    {"  model   ", banner_model},
    {"non-default args: ", arguments},
    {"args: Namespace(", arguments},
    {"EngineArgs(", arguments},
    {"Starting to load model ", loading},
    {"Resolved architecture: ", architecture},
    {"Using max model len ", max_len},
    {"enabled with max_num_batched_tokens=", chunked},
    {"Model loading took ", weights},
    {"Loading model weights took ", weights},
    {"Available KV cache memory: ", available},
    {"GPU KV cache size: ", tokens},
    {"Maximum concurrency for ", concurrency},
    {" blocks: ", blocks},
    {"num_gpu_blocks is: ", num_blocks},
    {"dcp_world_size ", dcp},
    {" padding layers", padding},
    {"Padding mamba page size by ", state_padding},
    {"Setting attention block size to ", attention_block},
    {" in world size ", world},
    {" attention backend out of", attention},
    {" backend on V1 engine", attention},
    {"Graph capturing finished in", graphs},
    {"Estimated CUDA graph memory: ", graphs_estimated},
    {"CUDA graph pool memory: ", graph_pool},
    {"total_gpu_memory=", total},
    {"total_gpu_memory (", total},
    {"gpu_memory_utilization=", util},
    {"gpu_memory_utilization (", util},
    // 0.6.5 printed a table.
    {"total_gpu_memory  ", total},
    {"gpu_memory_utilization  ", util},
    {"current vLLM instance can use  ", usable},
    {"non_torch_memory  ", non_torch},
    {"activation peak memory  ", activation},
    {"current --gpu-memory-utilization=", util_in_effect},
    {"increase --gpu-memory-utilization from ", util_in_effect},
    {"model weights take ", weights_take},
    {"non_torch_memory takes ", non_torch},
    {"non_torch_memory=", non_torch},
    {"activation peak memory takes ", activation},
    {"peak_torch_memory=", peak_torch},
    {"reserved for KV Cache is ", kv_available},
    {"kv_cache_size=", kv_available},
    {"available_kv_cache_memory=", kv_available},
    {"available_kv_cache_memory ", kv_available},
    {"Free memory on device", free_memory},
    {"Desired GPU memory utilization is (", desired},
    {" for weight,", for_weight},
    {" for peak activation,", for_activation},
    {" for non-torch memory", for_non_torch},
    {" for CUDAGraph memory", for_graphs},
    {"'s max seq len ", too_long},  // "model's", at first "models's"
    {" is larger than the maximum number of tokens", larger},
    {"No available memory for the cache blocks", failure},
    {"must be divisible by tensor parallel size", failure},
    {"is not divisible by weight quantization", failure},
    {"is not aligned with the quantized weight shape", failure},
    {"is less than desired GPU memory utilization", failure},
};

}  // namespace

std::span<const Pattern> vllm_patterns() {
    return kPatterns;
}

}  // namespace kvgauge::engine_log
