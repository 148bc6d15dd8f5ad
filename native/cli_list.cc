// SPDX-License-Identifier: MIT
// The catalogs as tables: one row type per list, printed in every format.

#include <algorithm>
#include <cstdio>

#include "data/speed_constants.h"
#include "engine/engine.h"
#include "native/cli.h"
#include "native/table.h"
#include "text/link.h"
#include "text/numbers.h"
#include "text/words.h"

namespace kvgauge {
namespace {

Table models_table() {
    Table t{{"id", "name", "params", "layers", "kv_heads", "kv_bytes_per_token", "max_ctx"}, {}};
    for (const ModelEntry& m : builtin_catalog().models()) {
        const ModelSpec& s = *m.spec;
        const AttentionSpec* a = first_attention(s);
        const KvSizes k = kv_sizes(s, {s.kv, s.kv, DType::automatic}, 1, s.cross_tokens);
        t.rows.push_back({s.id, s.name, plain(params(s).total.value()),
                          plain(std::uint64_t{layer_count(s)}),
                          a != nullptr ? plain(std::uint64_t{a->kv_heads}) : "",
                          plain(k.bytes_per_token), s.max_ctx != 0 ? plain(s.max_ctx) : ""});
    }
    return t;
}

Table gpus_table() {
    Table t{{"id", "name", "memory_bytes", "bandwidth", "flops16", "flops8", "link", "source"}, {}};
    const auto rate = [](double v) { return v > 0 ? plain(v) : std::string(); };
    for (const GpuEntry& g : builtin_catalog().gpus()) {
        const GpuSpec& s = g.spec;
        t.rows.push_back({s.id, s.name, plain(s.visible_bytes), rate(s.bandwidth), rate(s.flops16),
                          rate(s.flops8), rate(s.link), s.source});
    }
    return t;
}

Table engines_table() {
    Table t{{"id", "name", "newest"}, {}};
    for (EngineId id : kEngineIds) {
        t.rows.push_back({std::string(name(id)), std::string(display_name(id)),
                          id == EngineId::none ? "" : to_string(rules(id).newest)});
    }
    return t;
}

// Decode-attention kernels that were measured: t = t0 + bytes / (e x bandwidth) on cold buffers.
Table kernels_table() {
    Table t{{"gpu", "engine", "version", "kernel", "kv", "t0_s", "e", "median_error"}, {}};
    for (const KernelFit& f : kernel_fits()) {
        t.rows.push_back({std::string(f.gpu), std::string(name(f.engine)), std::string(f.version),
                          std::string(f.kernel), std::string(name(f.kv)), plain(f.t0), plain(f.e),
                          plain(f.median_error)});
    }
    return t;
}

}  // namespace

int run_list(const Output& o, const std::string& what) {
    Table t;
    if (what == "models" || what == "model") {
        t = models_table();
    } else if (what == "gpus" || what == "gpu") {
        t = gpus_table();
    } else if (what == "engines" || what == "engine") {
        t = engines_table();
    } else if (what == "kernels" || what == "kernel") {
        t = kernels_table();
    } else {
        std::fprintf(stderr,
                     "kvgauge: list %s is not accepted: models, gpus, engines or kernels.\n",
                     quoted_text(what).c_str());
        return kUsage;
    }
    return emit(o, table_text(t, o.kind)) ? kOk : kFailed;
}

int run_link(const Output& o, const Keys& keys, bool pinned) {
    ReadScenario in = read_scenario(keys, builtin_catalog());
    tell_issues(o, in.issues);
    if (has_error(in.issues)) return kUsage;
    const std::string link =
        pinned ? pinned_link(in.scenario, builtin_catalog()) : format_link(in.scenario, in.view);
    if (o.kind == Format::json || o.kind == Format::jsonl) {
        return emit(o, table_text({{"link"}, {{link}}}, o.kind)) ? kOk : kFailed;
    }
    return emit(o, link + '\n') ? kOk : kFailed;
}

}  // namespace kvgauge
