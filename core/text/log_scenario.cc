// SPDX-License-Identifier: MIT
#include "text/log_scenario.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "text/words.h"

namespace kvgauge {
namespace {

std::string with(std::string s, char from, char to) {
    std::replace(s.begin(), s.end(), from, to);
    return s;
}

// "a/models--org--Name/snapshots/1" -> "org/Name"
std::string hub_name(std::string_view path) {
    constexpr std::string_view mark = "models--";
    const std::size_t at = path.rfind(mark);
    if (at == std::string_view::npos) return {};
    std::string_view part = path.substr(at + mark.size());
    part = part.substr(0, part.find('/'));
    std::string s(part);
    const std::size_t dash = s.find("--");
    if (dash != std::string::npos) s.replace(dash, 2, "/");
    return s;
}

// Endings that name a variant of the same architecture or a storage format.
constexpr std::array<std::string_view, 36> kEndings{
    "-fp8-dynamic", "-fp8-block", "-fp8",      "-awq-int4",  "-awq",         "-gptq-int4",
    "-gptq-int8",   "-gptq",      "-nvfp4",    "-mxfp4",     "-int4",        "-int8",
    "-w4a16",       "-w8a8",      "-bf16",     "-gguf",      "-instruct",    "-chat",
    "-it",          "-hf",        "-base",     "-thinking",  "-2507",        "-autoround",
    "-awq-4bit",    "-awq-8bit",  "-bnb-4bit", "-gptq-4bit", "-fp4",         "-4bit",
    "-quantized",   "-fp8-kv",    "-marlin",   "-dynamic",   "-abliterated", "-unsloth"};

// Names of one name, the fullest first.
template <class F>
bool for_names(std::string name, F&& f) {
    name = lower_case(name);
    while (true) {
        if (f(name)) return true;
        const auto end = std::find_if(kEndings.begin(), kEndings.end(), [&](std::string_view e) {
            return name.size() > e.size() && std::string_view(name).ends_with(e);
        });
        if (end == kEndings.end()) return false;
        name.resize(name.size() - end->size());
    }
}

// The storage format a name speaks of.
WeightKind format_of_name(std::string_view printed) {
    const std::string s = lower_case(printed);
    const auto has = [&s](std::string_view w) { return s.find(w) != std::string::npos; };
    if (has("nvfp4")) return WeightKind::nvfp4;
    if (has("mxfp4")) return WeightKind::mxfp4;
    if (has("fp8")) return WeightKind::fp8;
    if (has("awq")) return WeightKind::awq;
    if (has("bnb-4bit")) return WeightKind::nf4;
    if (has("int8") || has("w8a8")) return WeightKind::int8;
    // Groups of 128 with their scales: the bytes of GPTQ.
    for (std::string_view w : {"gptq", "autoround", "int4", "w4a16", "4bit"}) {
        if (has(w)) return WeightKind::gptq;
    }
    return WeightKind::automatic;
}

const GpuEntry* gpu_of_log(const Observation& o, const Scenario& base, const Catalog& catalog,
                           bool& by_memory) {
    // The name as the driver prints it first, then without the vendor's words.
    if (!o.gpu.empty()) {
        if (const GpuEntry* g = catalog.gpu(o.gpu)) return g;
    }
    std::string s = lower_case(o.gpu);
    for (std::string_view word : {"nvidia ", "geforce ", "amd ", "(tm)", "(r)"}) {
        for (std::size_t at = s.find(word); at != std::string::npos; at = s.find(word))
            s.erase(at, word.size());
    }
    if (!s.empty()) {
        if (const GpuEntry* g = catalog.gpu(s)) return g;
        const std::string dashed = with(s, ' ', '-');
        for (const GpuEntry& g : catalog.gpus()) {
            if (g.spec.id.starts_with(dashed + "-")) return &g;
        }
    }
    if (!o.total) return nullptr;
    by_memory = true;
    const auto off = [&](const GpuSpec& g) {
        return std::fabs(static_cast<double>(g.visible_bytes) / *o.total - 1);
    };
    const GpuEntry* own = catalog.gpu(base.gpu);
    if (own && off(own->spec) < 0.004) return own;
    const GpuEntry* best = nullptr;
    for (const GpuEntry& g : catalog.gpus()) {
        if (g.spec.visible_bytes == 0) continue;
        if (best == nullptr || off(g.spec) < off(best->spec)) best = &g;
    }
    return best && off(best->spec) < 0.01 ? best : nullptr;
}

class Filler {
  public:
    explicit Filler(LogScenario& out) : out_(out) {}
    template <class T, class V>
    void set(std::string_view key, T& field, const std::optional<V>& value) {
        if (!value) return;
        field = *value;
        out_.filled.emplace_back(key);
    }
    void notice(std::string_view key, std::string text) {
        out_.issues.push_back({Severity::notice, std::string(key), std::move(text)});
    }

  private:
    LogScenario& out_;
};

void fill_model(const Observation& o, const Scenario& base, const Catalog& catalog, bool known,
                LogScenario& out, Filler& f) {
    Scenario& s = out.scenario;
    if (known) {
        out.model_known = true;
        return;
    }
    if (o.model.empty()) {
        f.notice("model", "model: the log names none; the scenario keeps " + base.model + ".");
        return;
    }
    const ModelEntry* m = model_of_log(o.model, catalog);
    if (m == nullptr) {
        f.notice("model", "model: " + o.model +
                              " is not in the catalog; give its config.json to compare. " +
                              "The scenario keeps " + base.model + ".");
        return;
    }
    out.model_known = true;
    s.model = m->spec->id;
    s.imported = nullptr;
    s.kv_heads.reset();
    out.filled.emplace_back("model");
    const WeightKind kind = format_of_name(o.model);
    s.weights = kind != WeightKind::automatic && kind != m->spec->weights.kind
                    ? kind
                    : WeightKind::automatic;
    if (s.weights == WeightKind::automatic && o.quantization == "fp8" &&
        m->spec->weights.kind == WeightKind::bf16) {
        s.weights = WeightKind::fp8;
    }
    if (s.weights != WeightKind::automatic) out.filled.emplace_back("weights");
}

void fill_llama(const Observation& o, LogScenario& out, Filler& f) {
    Scenario& s = out.scenario;
    f.set("slots", s.slots, o.slots);
    f.set("unified", s.unified, o.unified);
    f.set("ubatch", s.ubatch, o.ubatch);
    if (o.gpu_layers && o.all_layers && *o.gpu_layers < *o.all_layers)
        f.set("ngl", s.ngl, o.gpu_layers);
    for (const CacheLine& c : o.caches) {
        if (c.recurrent) continue;
        f.set("kv-k", s.kv_k, read_dtype(c.k_type));
        if (!c.v_type.empty()) f.set("kv-v", s.kv_v, read_dtype(c.v_type));
        break;
    }
    std::size_t devices = 0;
    for (const DeviceBytes& b : o.kv_buffers) devices += !b.device.starts_with("CPU");
    // One device prints its buffer once for each cache.
    std::size_t distinct = 0;
    for (std::size_t i = 0; i < o.kv_buffers.size(); ++i) {
        bool seen = o.kv_buffers[i].device.starts_with("CPU");
        for (std::size_t j = 0; j < i; ++j)
            seen |= o.kv_buffers[j].device == o.kv_buffers[i].device;
        distinct += !seen;
    }
    if (devices > 0 && distinct > 1) f.set("tp", s.tp, std::optional<std::uint64_t>(distinct));
}

}  // namespace

const ModelEntry* model_of_log(std::string_view printed, const Catalog& catalog) {
    const ModelEntry* found = nullptr;
    const auto look = [&](const std::string& name) {
        found = catalog.model(name);
        return found != nullptr;
    };
    const std::string hub = hub_name(printed);
    std::string_view path = printed;
    while (path.ends_with('/')) path.remove_suffix(1);
    std::string last(path.substr(path.rfind('/') + 1));
    for (std::string_view end : {".gguf", ".bin"}) {
        if (last.ends_with(end)) last.resize(last.size() - end.size());
    }
    for (const std::string& name :
         {hub, std::string(path), last, with(last, ' ', '-'), with(last, '_', '-')}) {
        if (!name.empty() && for_names(name, look)) return found;
        const std::size_t slash = name.rfind('/');
        if (slash != std::string::npos && for_names(name.substr(slash + 1), look)) return found;
    }
    return nullptr;
}

LogScenario scenario_of_log(const Observation& o, const Scenario& base, const Catalog& catalog,
                            bool known) {
    LogScenario out;
    out.scenario = base;
    Scenario& s = out.scenario;
    Filler f(out);
    // What the log does not say is the engine's default, not what the page had before.
    s.util.reset();
    s.overhead.reset();
    s.kv_budget.reset();
    if (o.engine) {
        f.set("engine", s.engine, o.engine);
        s.engine_version = o.version;
        if (!o.version && !o.version_text.empty()) {
            f.notice("engine", "engine: the log's version " + o.version_text +
                                   " is no release; the newest known rules are used.");
        }
    }
    fill_model(o, base, catalog, known, out, f);

    bool by_memory = false;
    if (const GpuEntry* g = gpu_of_log(o, base, catalog, by_memory)) {
        s.gpu = g->spec.id;
        s.gpu_own = {};
        out.filled.emplace_back("gpu");
        if (by_memory && g->spec.id != base.gpu) {
            f.notice("gpu",
                     "gpu: taken for " + g->spec.name + " by its memory; the log names none.");
        }
    } else if (o.total && *o.total < 1e15) {
        s.gpu_own.memory = static_cast<std::uint64_t>(*o.total);
        out.filled.emplace_back("gpu-mem");
    } else {
        f.notice("gpu", "gpu: the log names none; the scenario keeps " + s.gpu + ".");
    }

    if (o.tp) {
        f.set("tp", s.tp, o.tp);
    } else if (o.ranks && *o.ranks > 1) {
        f.set("tp", s.tp, o.ranks);
    } else if (o.engine) {
        s.tp = 1;
    }
    s.pp = s.dp = s.dcp = 1;
    s.gpus.reset();
    f.set("pp", s.pp, o.pp);
    f.set("dp", s.dp, o.dp);
    f.set("dcp", s.dcp, o.dcp);
    f.set("ep", s.ep, o.ep);
    f.set("ctx", s.ctx, o.ctx);
    f.set("util", s.util, o.util);
    f.set("max-batched", s.max_batched, o.max_batched);
    f.set("max-seqs", s.max_seqs, o.max_seqs);
    f.set("prefix-caching", s.prefix_caching, o.prefix_caching);
    f.set("eager", s.eager, o.eager);
    f.set("dp-attention", s.dp_attention, o.dp_attention);
    s.block.reset();
    const bool sized =
        o.engine == EngineId::trtllm || o.engine == EngineId::sglang || o.engine == EngineId::tgi;
    if (sized) f.set("block", s.block, o.block_tokens);
    s.spec = {};
    if (o.spec_tokens && *o.spec_tokens > 0 && *o.spec_tokens < 1024) {
        s.spec = {SpecKind::native, static_cast<std::uint32_t>(*o.spec_tokens)};
        out.filled.emplace_back("spec");
    }
    s.kv = DType::automatic;
    s.kv_k.reset();
    s.kv_v.reset();
    if (!o.kv_dtype.empty() && o.kv_dtype != "auto") {
        if (const auto t = read_dtype(o.kv_dtype)) {
            s.kv = *t;
            out.filled.emplace_back("kv");
        }
    }
    if (o.engine == EngineId::llamacpp) fill_llama(o, out, f);
    return out;
}

}  // namespace kvgauge
