// SPDX-License-Identifier: MIT
// Owns: a folder that holds a model -> ModelSpec: a checkout, a snapshot of the Hugging Face cache,
// or a folder with a GGUF file. Read are config.json, hf_quant_config.json, the headers of the
// safetensors files (or their index where files are missing). Files are reached through FileSource
// alone, so that core has no I/O; paths are joined with '/'.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/byte_source.h"
#include "import/config_json.h"

namespace kvgauge {

class FileSource {
  public:
    virtual ~FileSource() = default;
    // nullptr: there is no such file, or it cannot be read.
    virtual std::unique_ptr<ByteSource> open(const std::string& path) = 0;
    // Names of the files and folders in a folder, in any order; empty: none, or no such folder.
    virtual std::vector<std::string> list(const std::string& folder) = 0;
};

Import import_model_dir(FileSource&, const std::string& folder);

// The whole of a text file; nullopt: not there, or longer than `max` bytes.
std::optional<std::string> read_text(FileSource&, const std::string& path, std::size_t max);

// Variables of the environment that say where the Hugging Face cache is.
struct HubEnvironment {
    std::string hub_cache;  // HF_HUB_CACHE, or HUGGINGFACE_HUB_CACHE
    std::string hf_home;    // HF_HOME
    std::string xdg_cache;  // XDG_CACHE_HOME
    std::string home;       // HOME
};
// HF_HUB_CACHE; HF_HOME/hub; XDG_CACHE_HOME/huggingface/hub; ~/.cache/huggingface/hub
// (huggingface_hub/constants.py). Empty: no variable is set.
std::string hub_cache_folder(const HubEnvironment&);

// Whether a text is the id of a repository: "org/name".
bool is_repository_id(std::string_view);

// The snapshot folder of a repository in the cache: that of refs/main, else the last by name that
// has a config.json. nullopt: it is not in the cache.
std::optional<std::string> find_snapshot(FileSource&, const std::string& cache,
                                         std::string_view id);

}  // namespace kvgauge
