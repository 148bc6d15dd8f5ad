// SPDX-License-Identifier: MIT
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include <array>

#include "import/model_dir.h"
#include "text/calibration.h"
#include "text/fields.h"
#include "text/json.h"
#include "text/lengths.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

constexpr std::array<std::string_view, 5> kFileKeys{"model-config", "gguf", "model-dir",
                                                    "calibration", "lengths"};

// Numbers keep the text they were written with, so that 1e30 is refused as "1e30".
constexpr unsigned kFlags = rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag |
                            rapidjson::kParseValidateEncodingFlag;

void problem(Issues& issues, Severity severity, std::string_view key, std::string text) {
    issues.push_back({severity, std::string(key), std::move(text)});
}

}  // namespace

bool stands_for_itself(std::string_view key, std::string_view value) {
    std::string why;
    if (key == "calibration") return parse_calibration_text(value, why).has_value();
    return key == "lengths" && !read_lengths(value, 1, 1, why).empty();
}

bool is_file_key(std::string_view key) {
    for (std::string_view k : kFileKeys) {
        if (k == key) return true;
    }
    return false;
}

WrittenScenario read_scenario_json(std::string_view json, const Catalog& catalog,
                                   const FileLoader& load) {
    WrittenScenario out;
    rapidjson::Document doc;
    doc.Parse<kFlags>(json.data(), json.size());
    if (doc.HasParseError()) {
        problem(out.issues, Severity::error, "",
                "The scenario is no JSON: " +
                    std::string(rapidjson::GetParseError_En(doc.GetParseError())) + " (character " +
                    plain(std::uint64_t{doc.GetErrorOffset()} + 1) + ").");
        out.readable = false;
        return out;
    }
    if (!doc.IsObject()) {
        problem(out.issues, Severity::error, "",
                "The scenario must be a JSON object of keys, such as {\"model\": \"llama-3-8b\"}.");
        out.readable = false;
        return out;
    }
    std::vector<std::pair<std::string, std::string>> files;
    // Counted: C++20 finds the comparison of these iterators ambiguous (clang warns).
    auto at = doc.MemberBegin();
    for (rapidjson::SizeType left = doc.MemberCount(); left > 0; --left, ++at) {
        const auto& member = *at;
        const std::string key = field_key({member.name.GetString(), member.name.GetStringLength()});
        std::string value;
        if (member.value.IsBool()) {
            value = member.value.GetBool() ? "on" : "off";
        } else if (member.value.IsString()) {
            value.assign(member.value.GetString(), member.value.GetStringLength());
        } else {
            const Field* f = find_field(key);
            problem(out.issues, Severity::error, f != nullptr ? std::string(f->key) : key,
                    key + ": a number, a text, true or false is wanted" +
                        (f != nullptr ? ": " + std::string(f->accepts) : std::string()) + ".");
            continue;
        }
        if (is_file_key(key) && !stands_for_itself(key, value)) {
            files.emplace_back(key, std::move(value));
            continue;
        }
        if (key == "model" && load && is_repository_id(value) && catalog.model(value) == nullptr) {
            files.emplace_back(key, std::move(value));
            continue;
        }
        if (auto issue = set_field(out.scenario, key, value, catalog)) {
            // A key nobody knows stops nothing; it is said, so that a typing error is seen.
            if (find_field(key) == nullptr) issue->severity = Severity::warning;
            out.issues.push_back(std::move(*issue));
        }
    }
    // Files last: an imported model stands whatever the order of the keys.
    for (const auto& [key, path] : files) {
        if (load) {
            load(key, path, out.scenario, out.issues);
        } else {
            problem(out.issues, Severity::error, key, key + ": files cannot be opened here.");
        }
    }
    return out;
}

}  // namespace kvgauge
