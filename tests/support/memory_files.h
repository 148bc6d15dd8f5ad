// SPDX-License-Identifier: MIT
// Owns: a FileSource over texts in memory, for tests.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "import/model_dir.h"

namespace kvgauge::testing {

class MemoryFiles final : public FileSource {
  public:
    explicit MemoryFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}

    std::unique_ptr<ByteSource> open(const std::string& path) override {
        const auto at = files_.find(path);
        if (at == files_.end()) return nullptr;
        return std::make_unique<TextSource>(at->second);
    }
    std::vector<std::string> list(const std::string& folder) override {
        std::set<std::string> names;
        const std::string prefix = folder + "/";
        for (const auto& [path, text] : files_) {
            if (path.compare(0, prefix.size(), prefix) != 0) continue;
            names.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
        }
        return {names.begin(), names.end()};
    }

  private:
    std::map<std::string, std::string> files_;
};

}  // namespace kvgauge::testing
