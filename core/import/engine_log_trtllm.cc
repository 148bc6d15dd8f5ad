// SPDX-License-Identifier: MIT
// TensorRT-LLM's lines: C++ runtime ("[TensorRT-LLM][INFO]") and PyTorch backend ("[TRT-LLM] [I]").
#include "import/engine_log_patterns.h"

namespace kvgauge::engine_log {
namespace {

Observation& trt(Runs& r) {
    return r.of(EngineId::trtllm);
}
template <class T>
void set(std::optional<T>& into, std::optional<T> value) {
    if (value) into = value;
}

void version(Runs& r, const Line& l) {
    Observation& o = trt(r);
    const std::string_view w = l.cursor().word();
    if (w.empty()) return;
    o.version_text = std::string(w.substr(0, 64));
    o.version = parse_version(w);
}
// "total: 31.84 GiB, available: 17.83 GiB"
void memory(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (!c.skip_to("total: ")) return;
    const auto all = c.bytes();
    if (!all || !c.skip_to("available: ")) return;
    trt(r).total = all;
    set(trt(r).free_at_start, c.bytes());
}
void blocks(Runs& r, const Line& l) {
    if (l.text.find("secondary") != std::string_view::npos) return;
    set(trt(r).blocks, l.cursor().integer());
}
void primary(Runs& r, const Line& l) {
    set(trt(r).blocks, l.cursor().integer());
}
void per_block(Runs& r, const Line& l) {
    set(trt(r).block_tokens, l.cursor().integer());
}
// "Allocated 16.05 GiB for max tokens in paged KV cache (263008)"
void allocated(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    const auto b = c.bytes();
    if (!b || !c.skip_to("paged KV cache (")) return;
    const auto n = c.integer();
    if (!n) return;
    Observation& o = trt(r);
    o.kv_tokens = n;
    // AutoDeploy's stand-in manager prints 0.00 GiB: no bytes are known.
    if (*b > 0) o.kv_bytes = b;
}
void allocate(Runs& r, const Line& l) {
    if (l.text.find("k/v cache") == std::string_view::npos) return;
    set(trt(r).kv_bytes, l.cursor().bytes());
}
void using_tokens(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    const auto n = c.integer();
    if (n && c.skip("tokens in paged KV cache")) trt(r).kv_tokens = n;
}
void max_sequence(Runs& r, const Line& l) {
    set(trt(r).ctx, l.cursor().integer());
}
void max_seq_len(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (c.skip_to(" to ")) set(trt(r).ctx, c.integer());
}
void max_batch(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (c.skip_to(" to ")) set(trt(r).max_seqs, c.integer());
}
void max_tokens(Runs& r, const Line& l) {
    set(trt(r).max_batched, l.cursor().integer());
}
void auto_deploy(Runs& r, const Line&) {
    trt(r).wrapper = "AutoDeploy";
}
void world(Runs& r, const Line& l) {
    if (l.text.find("TRT") == std::string_view::npos &&
        l.text.find("TensorRT") == std::string_view::npos)
        return;
    const auto n = l.cursor().integer();
    if (n && *n > 0) trt(r).ranks = n;
}
// "TRTGptModel maxSequenceLen: 2051"
void model_len(Runs& r, const Line& l) {
    set(trt(r).ctx, l.cursor().integer());
}
void model_batch(Runs& r, const Line& l) {
    set(trt(r).max_seqs, l.cursor().integer());
}
void engine_version(Runs& r, const Line& l) {
    if (l.text.find("found in the config file") != std::string_view::npos) version(r, l);
}
void engine_size(Runs& r, const Line& l) {
    set(trt(r).weights, l.cursor().bytes());
}
// The PyTorch backend's profile (pyexecutor/_util.py).
void after_loading(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (c.skip("(inside torch)") && c.skip_to(": ")) set(trt(r).weights, c.bytes());
}
// "Peak memory during memory usage profiling (torch + non-torch): 16.42 GiB, available KV cache
// memory when calculating max tokens: 108.59 GiB, fraction is set 0.9, kv size is 122880. device
// total memory 139.81 GiB"
void profile(Runs& r, const Line& l) {
    Observation& o = trt(r);
    Cursor c = l.cursor();
    if (c.skip_to("calculating max tokens: ")) set(o.free_at_start, c.bytes());
    if (c.skip_to("fraction is set ")) set(o.util, c.decimal());
    if (c.skip_to("device total memory ")) set(o.total, c.bytes());
}
void estimated(Runs& r, const Line& l) {
    const auto b = l.cursor().bytes();
    if (b && trt(r).kv_available.empty()) r.now().kv_available.push_back(*b);
}
void arguments(Runs& r, const Line& l) {
    Observation& o = trt(r);
    const std::string model = key_text(l, "model");
    if (!model.empty()) o.model = model.substr(0, 256);
    set(o.tp, key_integer(l, "tensor_parallel_size"));
    set(o.pp, key_integer(l, "pipeline_parallel_size"));
    set(o.ctx, key_integer(l, "max_seq_len"));
    set(o.max_seqs, key_integer(l, "max_batch_size"));
    set(o.max_batched, key_integer(l, "max_num_tokens"));
    set(o.util, key_decimal(l, "free_gpu_memory_fraction"));
    set(o.block_tokens, key_integer(l, "tokens_per_block"));
    set(o.dp_attention, key_bool(l, "enable_attention_dp"));
}
void failure(Runs& r, const Line& l) {
    trt(r);
    r.error(l.text.substr(l.at));
}

constexpr Pattern kPatterns[] = {
    {"TensorRT LLM version: ", version},
    {"TensorRT-LLM version: ", version},
    {"calculating max tokens in paged kv cache", memory},
    {"Number of blocks in KV cache primary pool: ", blocks},
    {"primary blocks=", primary},
    {"Number of tokens per block: ", per_block},
    {"tokens per block=", per_block},
    {"[MemUsageChange] Allocated ", allocated},
    {"Allocate ", allocate},
    {"Using ", using_tokens},
    {"max sequence length=", max_sequence},
    {"Overriding max_seq_len from build_config", max_seq_len},
    {"Overriding max_batch_size from build_config", max_batch},
    {"self.max_num_tokens=", max_tokens},
    {"TRT-LLM AUTO-DEPLOY", auto_deploy},
    {"world_size=", world},
    {"MPI size: ", world},
    {"Engine version ", engine_version},
    {"TRTGptModel maxSequenceLen: ", model_len},
    {"TRTGptModel maxBatchSize: ", model_batch},
    {"TRTGptModel maxNumTokens: ", max_tokens},
    {"Loaded engine size: ", engine_size},
    {"Memory used after loading model weights ", after_loading},
    {"Peak memory during memory usage profiling", profile},
    {"Estimated max memory in KV cache : ", estimated},
    {"LlmArgs(", arguments},
    {"maxTokensInPagedKvCache must be large enough", failure},
};

}  // namespace

std::span<const Pattern> trtllm_patterns() {
    return kPatterns;
}

}  // namespace kvgauge::engine_log
