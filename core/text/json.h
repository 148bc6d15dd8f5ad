// SPDX-License-Identifier: MIT
// Owns: JSON both ways: a scenario read from an object of keys, and an answer written as
// kvgauge.estimate/1. Numbers are raw (bytes, seconds), whole ones without a point.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "import/command_line.h"
#include "text/answer.h"
#include "text/fields.h"

namespace kvgauge {

// Loads a model or calibration file named by a key (model-config, gguf, model-dir, calibration)
// into the scenario. Issues of an import are added; the shell that has files gives it.
using FileLoader =
    std::function<void(std::string_view key, std::string_view path, Scenario&, Issues&)>;

bool is_file_key(std::string_view key);
// A calibration or a table of lengths written out, as a link carries it, in place of a file.
bool stands_for_itself(std::string_view key, std::string_view value);

struct WrittenScenario {
    Scenario scenario;
    Issues issues;
    bool readable = true;  // false: no JSON object at all
};
WrittenScenario read_scenario_json(std::string_view json, const Catalog&, const FileLoader& = {});

struct JsonOptions {
    std::vector<std::string> rows;  // ids to give; empty: all
    bool pretty = false;
    std::string_view version = "0.1.0";
    // Of a command line that was read: its own words for keys, and what it ignored.
    std::vector<std::pair<std::string, std::string>> as_written;
    const CommandLine* from = nullptr;
};
std::string estimate_json(const Answered&, const Catalog&, const JsonOptions& = {});
// Pieces of an answer for writers of many: `"tp":4` (empty where the key is not written),
// `"issues":[...]`, `"schema":...,"version":...,"catalog":...`; a row with its braces.
std::string scenario_item_json(const Field&, const Scenario&, const Estimate&);
std::string issues_json(const Issues&);
std::string head_json(const Catalog&, const JsonOptions&);
std::string row_json(const Row&);

// An answer to a line that could not be read at all.
std::string unread_json(const Issues&, const Catalog&, const JsonOptions& = {});

}  // namespace kvgauge
