// SPDX-License-Identifier: MIT
// Owns: the shared set of start-up logs (one JSON object a line: settings, what was observed, a
// hand calculation) as scenarios, with the config.json each names. Read only where that set is at
// hand.
#pragma once
#include <rapidjson/document.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "data/catalog.h"
#include "engine/engine.h"
#include "import/config_json.h"
#include "model/weights.h"
#include "support/files.h"

namespace kvgauge::test {

struct LogRow {
    std::string id, engine, version_text, model_name, verdict;
    ModelRef model;
    GpuSpec gpu;
    bool gpu_known = false;
    Scenario scenario;
    bool independent = true;
    double off = 0;  // the hand calculation's own distance, a share
    std::optional<double> kv_tokens, available_gib, weights_gib, activation_gib, non_torch_gib,
        blocks, concurrency, util;
    std::optional<double> total_gib;
    std::string flags;
};

inline std::string shared_folder() {
    const char* folder = std::getenv("KVGAUGE_SHARED");
    return std::string(folder && *folder ? folder : "../shared") + "/data";
}

// "org__Name-Instruct (copy).json" -> "nameinstruct"
inline std::string plain_name(std::string s) {
    std::string out;
    for (char c : s) {
        const char l = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (std::isalnum(static_cast<unsigned char>(l)) || l == '.') out += l;
    }
    return out;
}

class Configs {
  public:
    Configs() {
        namespace fs = std::filesystem;
        std::error_code e;
        for (const fs::directory_entry& f :
             fs::directory_iterator(shared_folder() + "/configs", e)) {
            std::string name = f.path().filename().string();
            if (name.find("hf_quant") != std::string::npos || !name.ends_with(".json")) continue;
            std::string base = name.substr(0, name.size() - 5);
            base = base.substr(0, base.find(" ("));
            const std::size_t org = base.rfind("__");
            if (org != std::string::npos) base = base.substr(org + 2);
            files_.emplace(plain_name(base), f.path().string());
        }
    }
    ModelRef find(const std::string& model_name, std::string* file = nullptr) {
        std::string m = model_name;
        m = plain_name(m.substr(m.rfind('/') + 1));
        static const std::map<std::string, std::string> alias{
            {"deepseekr10528", "deepseekr1"},
            {"qwen3235ba22binstruct2507", "qwen3235ba22b"},
            {"gemma431bit", "gemma431bitnvfp4"}};
        if (alias.contains(m)) m = alias.at(m);
        for (const char* suffix : {"", "fp8dynamic", "fp8", "instruct", "instructfp8",
                                   "instructfp8dynamic", "it", "hf"}) {
            std::string k = m;
            const std::string s = suffix;
            if (!s.empty() && k.ends_with(s)) k.resize(k.size() - s.size());
            for (const std::string& name : {m, k}) {
                if (files_.contains(name)) return load(files_[name], file);
            }
        }
        std::string bare = m;
        if (bare.find("meta") != std::string::npos) bare.erase(bare.find("meta"), 4);
        for (const auto& [k, path] : files_) {
            std::string key = k;
            if (key.find("meta") != std::string::npos) key.erase(key.find("meta"), 4);
            if (!k.empty() && (k == bare || key == m)) return load(path, file);
        }
        return nullptr;
    }

  private:
    ModelRef load(const std::string& path, std::string* file) {
        if (file) *file = path;
        const auto text = read_file(path);
        if (!text) return nullptr;
        const auto quant = read_file(path.substr(0, path.size() - 5) + ".hf_quant_config.json");
        Import i = import_config(*text, path, quant.value_or(""));
        if (!i.model) return nullptr;
        return std::make_shared<ModelSpec>(std::move(*i.model));
    }
    std::map<std::string, std::string> files_;
};

inline std::string text_of(const rapidjson::Value& v, const char* key) {
    return v.HasMember(key) && v[key].IsString() ? v[key].GetString() : "";
}
inline std::optional<double> number_of(const rapidjson::Value& v, const char* key) {
    if (v.HasMember(key) && v[key].IsNumber()) return v[key].GetDouble();
    return std::nullopt;
}

inline std::vector<LogRow> log_rows() {
    std::vector<LogRow> rows;
    const auto text = read_shared("data/engine_logs.jsonl");
    if (!text) return rows;
    Configs configs;
    for (const std::string& line : split(*text, '\n')) {
        rapidjson::Document d;
        d.Parse(line.c_str());
        if (d.HasParseError() || !d.IsObject()) continue;
        LogRow r;
        r.id = text_of(d, "id");
        r.engine = text_of(d, "engine");
        r.version_text = text_of(d, "engine_version");
        r.model_name = text_of(d, "model");
        r.flags = text_of(d, "flags");
        r.independent = !(d["independent_check"].IsBool() && !d["independent_check"].GetBool());
        if (d["check"].IsObject()) {
            r.verdict = text_of(d["check"], "verdict");
            r.off = std::abs(number_of(d["check"], "off_pct").value_or(0)) / 100;
        }
        const rapidjson::Value& o = d["observed"];
        r.kv_tokens = number_of(o, "kv_tokens");
        r.available_gib = number_of(o, "available_kv_gib");
        r.weights_gib = number_of(o, "weights_gib");
        r.activation_gib = number_of(o, "activation_gib");
        r.non_torch_gib = number_of(o, "non_torch_gib");
        r.total_gib = number_of(o, "total_gpu_gib");
        r.blocks = number_of(o, "gpu_blocks");
        r.concurrency = number_of(o, "max_concurrency");
        r.util = number_of(d, "mem_fraction");
        std::string file;
        r.model = configs.find(r.model_name, &file);

        Scenario& s = r.scenario;
        const std::string first = r.engine.substr(0, r.engine.find(' '));
        s.engine = first == "tensorrt-llm" ? EngineId::trtllm
                                           : parse_engine(first).value_or(EngineId::none);
        // The last number of the form 0.11 names the release.
        static const std::regex number("(\\d{1,2}\\.\\d+)");
        for (auto i = std::sregex_iterator(r.version_text.begin(), r.version_text.end(), number);
             i != std::sregex_iterator(); ++i) {
            const std::size_t at = static_cast<std::size_t>(i->position());
            const std::size_t end = at + static_cast<std::size_t>(i->length());
            if (at > 0 && (std::isdigit(r.version_text[at - 1]) || r.version_text[at - 1] == '.'))
                continue;
            if (end < r.version_text.size() && r.version_text[end] == 'x') continue;
            s.engine_version = parse_version(i->str());
        }
        s.tp = static_cast<std::uint64_t>(number_of(d, "tp").value_or(1));
        s.pp = static_cast<std::uint64_t>(number_of(d, "pp").value_or(1));
        s.ctx = static_cast<std::uint64_t>(number_of(d, "max_model_len").value_or(8192));
        const std::string kv = text_of(d, "kv_dtype");
        if (kv.find("fp8") != std::string::npos) s.kv = DType::fp8;
        std::smatch m;
        if (std::regex_search(r.flags, m, std::regex("num_speculative_tokens=(\\d+)"))) {
            s.spec = {SpecKind::native, static_cast<std::uint32_t>(std::stoul(m[1]))};
        }
        if (std::regex_search(r.flags, m, std::regex("max_num_batched_tokens[ =](\\d+)"))) {
            s.max_batched = std::stoull(m[1]);
        }
        if (std::regex_search(r.flags, std::regex("no-enable-prefix-caching|prefix caching off"))) {
            s.prefix_caching = false;
        } else if (r.flags.find("prefix caching") != std::string::npos) {
            s.prefix_caching = true;
        }
        std::string lower = r.model_name, lower_file = file;
        for (std::string* t : {&lower, &lower_file}) {
            std::transform(t->begin(), t->end(), t->begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        }
        if (lower.find("fp8") != std::string::npos && lower_file.find("fp8") == std::string::npos) {
            s.weights = WeightKind::fp8;
        }
        const std::string gpu = text_of(d, "gpu");
        static const std::pair<const char*, const char*> gpus[] = {
            {"H200", "h200-141gb-sxm"}, {"B200", "b200-180gb-sxm"}, {"MI300X", "mi300x-192gb"},
            {"3090", "rtx-3090-24gb"},  {"4090", "rtx-4090-24gb"},  {"H100", "h100-80gb-sxm"},
            {"A100", "a100-80gb-sxm"}};
        const GpuEntry* entry = builtin_catalog().gpu("h200-141gb-sxm");
        for (const auto& [word, id] : gpus) {
            if (gpu.find(word) == std::string::npos) continue;
            entry = builtin_catalog().gpu(id);
            r.gpu_known = true;
            break;
        }
        if (entry) r.gpu = entry->spec;
        rows.push_back(std::move(r));
    }
    return rows;
}

struct LogInput {
    const LogRow& row;
    EngineInput in;
    explicit LogInput(const LogRow& r)
        : row(r),
          in{*r.model,
             r.gpu,
             r.scenario,
             r.scenario.engine,
             rules(r.scenario.engine).newest,
             effective_format(*r.model, r.scenario.weights),
             {}} {
        if (r.scenario.engine_version) in.version = *r.scenario.engine_version;
        const DType kv =
            r.scenario.kv == DType::automatic ? rules(in.engine).kv_auto(in) : r.scenario.kv;
        in.kv = {kv, kv, r.scenario.state_dtype};
    }
};

}  // namespace kvgauge::test
