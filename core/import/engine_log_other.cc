// SPDX-License-Identifier: MIT
// Lines of LMDeploy (BlockManager) and TGI (flash_causal_lm.py).
#include "import/engine_log_patterns.h"

namespace kvgauge::engine_log {
namespace {

void block_manager(Runs& r, const Line& l) {
    Observation& o = r.of(EngineId::lmdeploy);
    Cursor c = l.cursor();
    if (c.skip_to("max_block_count = ")) {
        if (const auto n = c.integer()) o.blocks = n;
    }
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

constexpr Pattern kPatterns[] = {
    {"[BlockManager]", block_manager},
    {"No enough blocks for", session_len},
    {"KV-cache blocks: ", tgi_blocks},
    {"Setting max batch total tokens to ", tgi_total},
};

}  // namespace

std::span<const Pattern> other_patterns() {
    return kPatterns;
}

}  // namespace kvgauge::engine_log
