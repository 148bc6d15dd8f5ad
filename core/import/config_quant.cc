// SPDX-License-Identifier: MIT
#include "import/config_quant.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "import/quant_modules.h"

namespace kvgauge {
namespace {

std::string lower(std::string_view s) {
    std::string out(s);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

bool has(std::string_view s, std::string_view part) {
    return s.find(part) != s.npos;
}

// One way to store a matrix, as a config group or an algorithm name describes it.
struct Scheme {
    WeightKind kind = WeightKind::automatic;  // automatic: not known
    std::uint32_t group = 128;
    std::uint32_t bits = 4;
};

std::uint32_t group_of(JsonValue v, std::uint32_t fallback) {
    // -1: one group for the whole input.
    if (const auto d = v.number(); d && *d < 0) return UINT32_MAX;
    const auto n = v.whole();
    return n && *n != 0 && *n <= UINT32_MAX ? static_cast<std::uint32_t>(*n) : fallback;
}

// ModelOpt algorithm names (modelopt/torch/export/quant_utils.py).
Scheme by_algorithm(std::string_view name, JsonValue settings) {
    const std::string a = lower(name);
    const std::uint32_t group = group_of(settings["group_size"], 128);
    if (has(a, "nvfp4")) return {WeightKind::nvfp4};
    if (has(a, "mxfp4")) return {WeightKind::mxfp4};
    if (has(a, "mxfp8")) return {WeightKind::mxfp8};
    if (has(a, "awq") || has(a, "int4") || has(a, "w4a")) return {WeightKind::int4, group};
    if (has(a, "fp8_pb") || has(a, "fp8_block")) return {WeightKind::fp8_block};
    if (has(a, "fp8_per_channel")) return {WeightKind::fp8_channel};
    if (has(a, "fp8")) return {WeightKind::fp8};
    if (has(a, "int8") || has(a, "w8a8")) return {WeightKind::int8};
    return {};
}

// The weights of one config group (compressed-tensors,
// compressed_tensors/quantization/quant_args.py).
Scheme by_group(JsonValue group, std::string_view format) {
    const JsonValue w = group["weights"];
    const std::uint64_t bits = w["num_bits"].whole().value_or(0);
    const bool real = w["type"].string().value_or("int") == "float";
    const std::string own = lower(group["format"].string().value_or(format));
    const std::uint32_t size = group_of(w["group_size"], 0);
    if (real && bits == 4)
        return {has(own, "mxfp4") || size == 32 ? WeightKind::mxfp4 : WeightKind::nvfp4};
    if (real && bits == 8) {
        const JsonValue block = w["block_structure"];
        const std::string_view strategy = w["strategy"].string().value_or("tensor");
        if (strategy == "block" || block.is_array()) {
            return {WeightKind::fp8_block, group_of(block.at(0), 128)};
        }
        if (size == 32) return {WeightKind::mxfp8};
        return {strategy == "channel" ? WeightKind::fp8_channel : WeightKind::fp8};
    }
    if (bits == 8)
        return {size == 0 ? WeightKind::int8 : WeightKind::int4, size == 0 ? 128 : size, 8};
    if (bits != 0 && bits < 8) {
        const bool symmetric = w["symmetric"].boolean().value_or(true);
        return {symmetric ? WeightKind::int4 : WeightKind::awq, size == 0 ? UINT32_MAX : size,
                static_cast<std::uint32_t>(bits)};
    }
    return {};
}

// "Int8DynamicActivationInt4WeightConfig", "float8_weight_only", "fp8_e4m3", "int4": what a name
// says of the weights. `zeros`: a 16-bit zero point beside each scale.
Scheme by_type(std::string_view name, JsonValue group, bool zeros) {
    const std::string t = lower(name);
    const WeightKind grouped = zeros ? WeightKind::mlx : WeightKind::int4;
    for (const auto& [word, bits] : {std::pair{"int4", 4u}, std::pair{"int2", 2u},
                                     std::pair{"int3", 3u}, std::pair{"int6", 6u}}) {
        if (has(t, word)) return {grouped, group_of(group, 128), bits};
    }
    if (has(t, "fp4")) return {has(t, "nv") ? WeightKind::nvfp4 : WeightKind::mxfp4};
    if (has(t, "int8")) return {WeightKind::int8};
    if (has(t, "mxfp8")) return {WeightKind::mxfp8};
    if (has(t, "fp8") || has(t, "float8")) return {WeightKind::fp8};
    return {};
}

// Methods with settings of their own: transformers/utils/quantization_config.py, vLLM's
// quantization/, and Quark's config.
Scheme by_method(std::string_view method, JsonValue q) {
    struct Named {
        std::string_view name;
        Scheme scheme;
    };
    constexpr std::uint32_t kWhole = UINT32_MAX;
    static constexpr Named kNamed[] = {
        {"eetq", {WeightKind::int8}},
        {"w8a8_int8", {WeightKind::int8}},
        {"w8a8_fp8", {WeightKind::fp8_channel}},
        {"ptpc_fp8", {WeightKind::fp8_channel}},
        {"mxfp8", {WeightKind::mxfp8}},
        {"petit_nvfp4", {WeightKind::nvfp4}},
        {"bitnet", {WeightKind::int4, kWhole, 2}},
        {"marlin", {WeightKind::int4}},
        {"qqq", {WeightKind::int4}},
        {"bitblas", {WeightKind::int4}},
        {"squeezellm", {WeightKind::int4, kWhole}},
        {"deepspeedfp", {WeightKind::int4, 512, 8}},
    };
    for (const Named& n : kNamed) {
        if (n.name != method) continue;
        Scheme s = n.scheme;
        if (s.kind != WeightKind::int4 || method == "bitnet") return s;
        if (const auto b = q["bits"].whole(); b && *b >= 1 && *b <= 16)
            s.bits = static_cast<std::uint32_t>(*b);
        s.group = group_of(q["group_size"], s.group);
        return s;
    }
    if (method == "torchao") {
        JsonValue type = q["quant_type"], group = q["quant_type_kwargs"]["group_size"];
        if (type.is_object()) {
            type = type["default"].is_object() ? type["default"] : type;
            group = type["_data"]["group_size"];
            type = type["_type"];
        }
        return by_type(type.string().value_or(""), group, true);
    }
    if (method == "quanto") return by_type(q["weights"].string().value_or(""), {}, false);
    if (method == "fp_quant") return by_type(q["forward_dtype"].string().value_or(""), {}, false);
    if (method == "hqq") {
        JsonValue w = q["quant_config"]["weight_quant_params"];
        if (!w.is_object()) w = q["weight_quant_params"];
        const std::uint64_t bits = w["nbits"].whole().value_or(0);
        if (bits == 0 || bits > 8) return {};
        return {WeightKind::mlx, group_of(w["group_size"], 64), static_cast<std::uint32_t>(bits)};
    }
    if (method == "aqlm") {
        const auto n = [&](std::string_view key) { return q[key].whole().value_or(1); };
        const std::uint64_t of = n("in_group_size") * n("out_group_size");
        const std::uint64_t bits = of == 0 ? 0 : n("num_codebooks") * n("nbits_per_codebook") / of;
        if (bits == 0 || bits > 8) return {};
        return {WeightKind::int4, kWhole, static_cast<std::uint32_t>(bits)};
    }
    if (method == "quark") {
        JsonValue w = q["global_quant_config"]["weight"];
        if (w.is_array()) w = w.at(w.size() - 1);  // two levels: the last is what is stored
        const std::string scheme = lower(w["qscheme"].string().value_or(""));
        Scheme s = by_type(w["dtype"].string().value_or(""), w["group_size"], false);
        if (s.kind == WeightKind::fp8 && has(scheme, "channel")) s.kind = WeightKind::fp8_channel;
        return s;
    }
    return {};
}

void use(WeightFormat& f, const Scheme& s) {
    f.kind = s.kind;
    f.group = s.group;
    f.bits = s.bits;
}

void set_class(WeightFormat& f, MatrixClass c, WeightKind k) {
    f.of[static_cast<std::size_t>(c)] = k;
}

// Classes that most layers leave alone stay in 16 bit.
void keep(WeightFormat& f, const ModuleVotes& ignored, const ModelSpec& m) {
    for (const MatrixClass c : {MatrixClass::attention, MatrixClass::state, MatrixClass::dense_ffn,
                                MatrixClass::expert, MatrixClass::shared_expert}) {
        if (ignored.most(c, m)) set_class(f, c, WeightKind::bf16);
    }
}

// "targets" beside "Linear" name the modules of their group.
void read_groups(JsonValue q, WeightFormat& f, const ModelSpec& m) {
    const JsonValue groups = q["config_groups"];
    const std::string_view format = q["format"].string().value_or("");
    bool first = true;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const JsonValue g = groups.at(i);
        const Scheme s = by_group(g, format);
        if (s.kind == WeightKind::automatic) continue;
        ModuleVotes named;
        const JsonValue targets = g["targets"];
        bool every = targets.size() == 0;
        for (std::size_t t = 0; t < targets.size(); ++t) {
            const std::string_view name = targets.at(t).string().value_or("");
            if (name == "Linear") every = true;
            named.add(name);
        }
        if (every && first) {
            use(f, s);
            first = false;
            continue;
        }
        if (first) {  // no group speaks for all linears: what none names stays in 16 bit
            use(f, s);
            for (const MatrixClass c :
                 {MatrixClass::attention, MatrixClass::state, MatrixClass::dense_ffn,
                  MatrixClass::expert, MatrixClass::shared_expert}) {
                set_class(f, c, WeightKind::bf16);
            }
            first = false;
        }
        for (const MatrixClass c :
             {MatrixClass::head, MatrixClass::attention, MatrixClass::state, MatrixClass::dense_ffn,
              MatrixClass::expert, MatrixClass::shared_expert}) {
            if (named.most(c, m)) set_class(f, c, s.kind);
        }
    }
}

// ModelOpt MIXED_PRECISION: every quantised module with its algorithm.
void read_modules(JsonValue layers, WeightFormat& f, const ModelSpec& m) {
    constexpr std::array kinds{WeightKind::nvfp4,       WeightKind::fp8,  WeightKind::fp8_block,
                               WeightKind::fp8_channel, WeightKind::int4, WeightKind::mxfp4,
                               WeightKind::mxfp8,       WeightKind::int8};
    std::array<ModuleVotes, kinds.size()> votes;
    std::array<std::size_t, kinds.size()> seen{};
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const Scheme s =
            by_algorithm(layers.at(i)["quant_algo"].string().value_or(""), layers.at(i));
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            if (kinds[k] != s.kind) continue;
            votes[k].add(layers.key_at(i));
            ++seen[k];
        }
    }
    const std::size_t main =
        static_cast<std::size_t>(std::max_element(seen.begin(), seen.end()) - seen.begin());
    if (seen[main] == 0) return;
    // Without a method of its own, what is not listed stays in 16 bit.
    if (f.kind == WeightKind::bf16) f.kind = kinds[main];
    const bool base = f.kind != kinds[main];
    for (const MatrixClass c :
         {MatrixClass::head, MatrixClass::attention, MatrixClass::state, MatrixClass::dense_ffn,
          MatrixClass::expert, MatrixClass::shared_expert}) {
        WeightKind kind = base || c == MatrixClass::head ? WeightKind::automatic : WeightKind::bf16;
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            if (votes[k].most(c, m)) kind = kinds[k];
        }
        set_class(f, c, kind);
    }
}

ModuleVotes ignored_modules(JsonValue q) {
    ModuleVotes votes;
    for (const std::string_view key :
         {"modules_to_not_convert", "ignore", "exclude_modules", "ignored_layers",
          "llm_int8_skip_modules", "exclude", "skip_modules", "linear_weights_not_to_quantize"}) {
        const JsonValue list = q[key];
        for (std::size_t i = 0; i < list.size(); ++i) votes.add(list.at(i).string().value_or(""));
    }
    // GPTQModel: "-:<pattern>" leaves modules alone; "\\." of a pattern is a dot.
    const JsonValue rules = q["dynamic"];
    for (std::size_t i = 0; rules.is_object() && i < rules.size(); ++i) {
        std::string name(rules.key_at(i));
        if (!name.starts_with("-:")) continue;
        name.erase(0, 2);
        std::erase(name, '\\');
        votes.add(name);
    }
    return votes;
}

DType kv_of(JsonValue q) {
    for (const std::string_view key :
         {"kv_cache_quant_algo", "kv_cache_scheme", "kv_cache_dtype"}) {
        const JsonValue v = q[key];
        if (const auto name = v.string()) {
            const std::string a = lower(*name);
            if (has(a, "nvfp4")) return DType::nvfp4;
            if (has(a, "fp8")) return DType::fp8;
            if (has(a, "int8")) return DType::int8;
            if (has(a, "int4")) return DType::int4;
        }
        if (v.is_object()) {
            const std::uint64_t bits = v["num_bits"].whole().value_or(16);
            const bool real = v["type"].string().value_or("float") == "float";
            if (bits == 8) return real ? DType::fp8 : DType::int8;
            if (bits == 4) return real ? DType::nvfp4 : DType::int4;
        }
    }
    return DType::bf16;
}

void read_quantisation(const Fields& where, JsonValue q, ModelSpec& m) {
    WeightFormat& f = m.weights;
    const JsonValue inner = q["quantization"].is_object() ? q["quantization"] : q;
    const std::string algo = lower(inner["quant_algo"].string().value_or(""));
    std::string method = lower(q["quant_method"].string().value_or(""));
    if (method.empty() && !algo.empty()) method = "modelopt";
    const JsonValue block = q["weight_block_size"];
    if (method == "fp8") {
        f.kind = block.is_array() ? WeightKind::fp8_block : WeightKind::fp8;
        if (block.is_array()) f.group = group_of(block.at(0), 128);
    } else if (method == "fbgemm_fp8") {
        f.kind = WeightKind::fp8_channel;
    } else if (has(method, "modelopt")) {
        if (const Scheme s = by_algorithm(algo, inner); s.kind != WeightKind::automatic)
            use(f, s);
        else
            read_groups(q, f, m);
    } else if (method == "compressed-tensors" || method == "compressed_tensors") {
        read_groups(q, f, m);
    } else if (has(method, "awq") || has(method, "gptq") || method == "auto-round" ||
               method == "intel/auto-round") {
        const bool awq =
            has(method, "awq") || has(lower(q["packing_format"].string().value_or("")), "awq");
        f.kind = awq ? WeightKind::awq : WeightKind::gptq;
        const JsonValue bits = q["bits"].is_null() ? q["w_bit"] : q["bits"];
        const JsonValue group = q["group_size"].is_null() ? q["q_group_size"] : q["group_size"];
        f.bits =
            static_cast<std::uint32_t>(std::clamp<std::uint64_t>(bits.whole().value_or(4), 1, 16));
        f.group = group_of(group, 128);
        if (q["lm_head"].boolean().value_or(false)) set_class(f, MatrixClass::head, f.kind);
    } else if (method == "bitsandbytes" || q["load_in_4bit"].boolean() ||
               q["_load_in_4bit"].boolean()) {
        const auto on = [&](std::string_view a, std::string_view b) {
            return q[a].boolean().value_or(q[b].boolean().value_or(false));
        };
        if (on("load_in_8bit", "_load_in_8bit")) f.kind = WeightKind::int8;
        if (on("load_in_4bit", "_load_in_4bit")) {
            f.kind = on("bnb_4bit_use_double_quant", "") ? WeightKind::nf4_double : WeightKind::nf4;
        }
    } else if (method == "mxfp4") {
        f.kind = WeightKind::mxfp4;
        // gpt-oss: only the experts, listed or not.
        for (const MatrixClass c : {MatrixClass::attention, MatrixClass::state}) {
            set_class(f, c, WeightKind::bf16);
        }
    } else if (const Scheme s = by_method(method, q); s.kind != WeightKind::automatic) {
        use(f, s);
        if (s.kind == WeightKind::mlx) {  // MLX alone packs the vocabulary's matrices too
            set_class(f, MatrixClass::embedding, WeightKind::bf16);
            set_class(f, MatrixClass::head, WeightKind::bf16);
        }
    } else if (method.empty() && q["bits"].whole() && q["group_size"].whole()) {
        f.kind = WeightKind::mlx;
        f.bits = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(*q["bits"].whole(), 1, 16));
        f.group = group_of(q["group_size"], 64);
    } else if (!method.empty()) {
        where.warn(
            "quantization_config",
            "quant_method \"" + method.substr(0, 40) +
                "\" is not known: weights are counted in 16 bit; accepted are fp8, fbgemm_fp8, "
                "modelopt, compressed-tensors, awq, gptq, auto-round, bitsandbytes, mxfp4, quark, "
                "torchao, hqq, quanto, aqlm, bitnet, eetq");
        return;
    }
    keep(f, ignored_modules(q), m);
    if (q["quantization"].is_object()) keep(f, ignored_modules(inner), m);
    if (inner["quantized_layers"].is_object()) read_modules(inner["quantized_layers"], f, m);
    const std::string experts = lower(q["moe_quant_algo"].string().value_or(""));
    if (!experts.empty()) {
        if (const Scheme s = by_algorithm(experts, q); s.kind != WeightKind::automatic) {
            set_class(f, MatrixClass::expert, s.kind);
        }
    }
}

}  // namespace

void read_storage(const Fields& text, const Fields& outer, JsonValue sidecar, ModelSpec& m) {
    const Names dtype_names = {"torch_dtype", "dtype"};
    std::string_view dtype = text.word(dtype_names);
    if (dtype.empty()) dtype = outer.word(dtype_names);
    if (dtype == "float32") m.weights.kind = WeightKind::fp32;
    if (dtype == "float16") m.weights.kind = WeightKind::fp16;
    if (dtype.empty())
        outer.note("torch_dtype", "no dtype in the file: weights are taken as 16 bit");

    for (const Fields* f : {&outer, &text}) {
        const JsonValue q = f->find({"quantization_config", "compression_config", "quantization"});
        if (!q.is_object()) continue;
        m.weights = {};
        read_quantisation(*f, q, m);
        if (const DType kv = kv_of(q); kv != DType::bf16) m.kv = kv;
        if (text.word({"expert_dtype"}) == "fp4" &&
            m.weights.of[static_cast<std::size_t>(MatrixClass::expert)] == WeightKind::automatic) {
            set_class(m.weights, MatrixClass::expert, WeightKind::mxfp4);
        }
        break;
    }
    if (!sidecar.is_object()) return;
    const JsonValue s = sidecar["quantization"].is_object() ? sidecar["quantization"] : sidecar;
    const WeightKind now = m.weights.kind;
    if (now == WeightKind::bf16 || now == WeightKind::fp16) read_quantisation(outer, sidecar, m);
    if (const DType kv = kv_of(s); kv != DType::bf16) m.kv = kv;
}

}  // namespace kvgauge
