// SPDX-License-Identifier: MIT
// Lines of LMDeploy (BlockManager) and TGI (flash_causal_lm.py).
#include "import/engine_log_patterns.h"

namespace kvgauge::engine_log {
namespace {

template <class T>
void set(std::optional<T>& into, std::optional<T> value) {
    if (value) into = value;
}

constexpr std::uint64_t kLmdeployBlock = 64;  // cache_block_seq_len's default

// "[BlockManager] block_size = 9.000 MB", "max_block_count = 863"
void block_manager(Runs& r, const Line& l) {
    Observation& o = r.of(EngineId::lmdeploy);
    Cursor c = l.cursor();
    if (c.skip("block_size =")) set(o.block_bytes, c.bytes());
    if (!c.skip_to("max_block_count = ")) return;
    const auto n = c.integer();
    if (!n || *n > (std::uint64_t{1} << 40)) return;
    o.blocks = n;
    const std::uint64_t block = o.block_tokens.value_or(kLmdeployBlock);
    if (!o.kv_tokens && block < (1u << 20)) o.kv_tokens = *n * block;
    if (o.block_bytes) o.kv_bytes = *o.block_bytes * static_cast<double>(*n);
}
// "backend_config=TurbomindEngineConfig(dtype='float16', tp=2, session_len=32768, ...)"
void engine_config(Runs& r, const Line& l) {
    Observation& o = r.of(EngineId::lmdeploy);
    const std::string model = key_text(l, "model_path");
    if (!model.empty()) o.model = model.substr(0, 256);
    o.dtype = key_text(l, "dtype");
    if (o.dtype == "auto") o.dtype.clear();
    set(o.tp, key_integer(l, "tp"));
    set(o.ctx, key_integer(l, "session_len"));
    set(o.max_seqs, key_integer(l, "max_batch_size"));
    set(o.util, key_decimal(l, "cache_max_entry_count"));
    set(o.block_tokens, key_integer(l, "cache_block_seq_len"));
    set(o.prefix_caching, key_bool(l, "enable_prefix_caching"));
    set(o.max_batched, key_integer(l, "max_prefill_token_num"));
    const auto quantized = key_integer(l, "quant_policy");
    if (quantized == 8u) o.kv_dtype = "int8";
    if (quantized == 4u) o.kv_dtype = "int4";
}
// "No enough blocks for `session_len` (131072), session_len is truncated to 111360"
void session_len(Runs& r, const Line& l) {
    r.of(EngineId::lmdeploy);
    r.error(l.text.substr(l.at));
    Cursor c = l.cursor();
    if (c.skip_to("(")) {
        if (const auto n = c.integer()) r.now().ctx = n;
    }
    if (c.skip_to("truncated to ")) {
        if (const auto n = c.integer()) r.now().kv_tokens = n;
    }
}
void tgi_blocks(Runs& r, const Line& l) {
    Observation& o = r.of(EngineId::tgi);
    Cursor c = l.cursor();
    const auto n = c.integer();
    if (!n || !c.skip(",") || !c.skip("size:")) return;
    o.blocks = n;
    if (const auto size = c.integer()) {
        o.block_tokens = size;
        if (*n < (std::uint64_t{1} << 40) && *size < (1u << 20)) o.kv_tokens = *n * *size;
    }
}
void tgi_total(Runs& r, const Line& l) {
    if (const auto n = l.cursor().integer()) r.of(EngineId::tgi).kv_tokens = n;
}

// "Sharding model on 4 processes"
void tgi_shards(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    const auto n = c.integer();
    if (n && c.skip("processes")) r.of(EngineId::tgi).tp = n;
}
// The launcher's arguments, one a line: model_id: "meta-llama/...", num_shard: Some(2).
void tgi_arguments(Runs& r, const Line&) {
    r.of(EngineId::tgi);
}
bool tgi_speaks(Runs& r) {
    return r.now().engine == EngineId::tgi;
}
void tgi_model(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    const std::string_view name = c.quoted();
    if (tgi_speaks(r) && !name.empty()) r.now().model = std::string(name.substr(0, 256));
}
void tgi_share(Runs& r, const Line& l) {
    const auto u = l.cursor().decimal();
    if (tgi_speaks(r) && u && *u > 0 && *u <= 1) r.now().util = u;
}
void tgi_num_shard(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (tgi_speaks(r) && c.skip("Some(")) set(r.now().tp, c.integer());
}
void tgi_max_total(Runs& r, const Line& l) {
    Cursor c = l.cursor();
    if (tgi_speaks(r) && c.skip("Some(")) set(r.now().ctx, c.integer());
}

constexpr Pattern kPatterns[] = {
    {"[BlockManager]", block_manager},
    {"TurbomindEngineConfig(", engine_config},
    {"PytorchEngineConfig(", engine_config},
    {"Sharding model on ", tgi_shards},
    {"text_generation_launcher: Args", tgi_arguments},
    {" model_id: ", tgi_model},
    {" cuda_memory_fraction: ", tgi_share},
    {" num_shard: ", tgi_num_shard},
    {" max_total_tokens: ", tgi_max_total},
    {"No enough blocks for", session_len},
    {"KV-cache blocks: ", tgi_blocks},
    {"Setting max batch total tokens to ", tgi_total},
};

}  // namespace

std::span<const Pattern> other_patterns() {
    return kPatterns;
}

}  // namespace kvgauge::engine_log
