// SPDX-License-Identifier: MIT
#include "import/model_dir.h"

#include <algorithm>
#include <utility>

#include "import/gguf.h"
#include "import/json_reader.h"
#include "import/safetensors.h"

namespace kvgauge {
namespace {

bool ends_with(std::string_view s, std::string_view end) {
    return s.size() >= end.size() && s.substr(s.size() - end.size()) == end;
}

bool starts_with(std::string_view s, std::string_view start) {
    return s.substr(0, start.size()) == start;
}

// "model-00001-of-00004.safetensors": 4. Other names: 0.
std::size_t parts_of(std::string_view name) {
    const std::size_t at = name.find("-of-");
    std::size_t n = 0;
    if (at == name.npos) return 0;
    for (std::size_t i = at + 4; i < name.size() && i < at + 10; ++i) {
        if (name[i] < '0' || name[i] > '9') break;
        n = n * 10 + static_cast<std::size_t>(name[i] - '0');
    }
    return n;
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

class Folder {
  public:
    Folder(FileSource& files, const std::string& path)
        : files_(files), path_(path), names_(files.list(path)) {
        std::sort(names_.begin(), names_.end());
    }

    Import run() {
        if (!contains(names_, "config.json")) return without_config();
        const auto json = text("config.json");
        if (!json) return refuse("config.json", "config.json cannot be read.");
        if (const auto gguf = gguf_alone(); !gguf.empty()) return from_gguf(gguf);
        out_ = import_config(*json, at("config.json"), sidecar());
        if (!out_.model) return std::move(out_);
        if (const std::size_t slash = path_.find_last_of('/'); out_.model->id.empty()) {
            out_.model->id = slash == std::string::npos ? path_ : path_.substr(slash + 1);
        }
        weights(layer_count(*out_.model));
        return std::move(out_);
    }

  private:
    std::string at(std::string_view name) const { return path_ + "/" + std::string(name); }
    std::optional<std::string> text(std::string_view name) {
        return read_text(files_, at(name), kMaxJsonBytes);
    }
    Import refuse(std::string key, const std::string& text) {
        out_.issues.push_back({Severity::error, std::move(key), path_ + ": " + text});
        return std::move(out_);
    }

    // What a quantiser wrote beside config.json: ModelOpt, AutoGPTQ, AutoAWQ. The latter two do not
    // name their method.
    std::string sidecar() {
        if (auto t = text("hf_quant_config.json")) return *t;
        for (const auto& [file, method] :
             {std::pair{"quantize_config.json", "gptq"}, std::pair{"quant_config.json", "awq"}}) {
            auto t = text(file);
            const std::size_t open = t ? t->find('{') : std::string::npos;
            if (open == std::string::npos) continue;
            return t->insert(open + 1, "\"quant_method\":\"" + std::string(method) + "\",");
        }
        return {};
    }

    std::vector<std::string> gguf_files() const {
        std::vector<std::string> gguf;
        for (const std::string& n : names_) {
            if (ends_with(n, ".gguf") && n.find("mmproj") == std::string::npos &&
                n.find("imatrix") == std::string::npos) {
                gguf.push_back(n);
            }
        }
        return gguf;
    }
    // The GGUF files of a folder whose config.json has no weights of its own.
    std::vector<std::string> gguf_alone() const {
        for (const std::string& n : names_) {
            if (ends_with(n, ".safetensors") || n.find(".index.json") != std::string::npos)
                return {};
            if (ends_with(n, ".bin")) return {};
        }
        return gguf_files();
    }

    Import without_config() {
        const std::vector<std::string> gguf = gguf_files();
        if (!gguf.empty()) return from_gguf(gguf);
        if (names_.empty()) return refuse("model-dir", "there is no such folder, or it is empty.");
        return refuse("config.json", "the folder has no config.json and no GGUF file.");
    }

    // One file, or all parts of one.
    Import from_gguf(const std::vector<std::string>& names) {
        const std::vector<std::string> parts = gguf_part_names(names[0]);
        if (names.size() > 1 && (parts.size() == 1 || names.size() != parts.size())) {
            return refuse("gguf", "the folder has " + std::to_string(names.size()) +
                                      " GGUF files; name one of them.");
        }
        std::vector<GgufHeader> headers;
        for (const std::string& n : parts) {
            const std::unique_ptr<ByteSource> from = files_.open(at(n));
            if (from != nullptr) headers.push_back(read_gguf_header(*from, n));
        }
        return import_gguf(headers, names[0]);
    }

    void weights(std::uint32_t layers) {
        if (contains(names_, "model.safetensors.index.json")) {
            if (const auto json = text("model.safetensors.index.json")) {
                return from_index(
                    read_safetensors_index(*json, at("model.safetensors.index.json"), layers),
                    layers);
            }
        }
        // consolidated*: Mistral's own copy of the same weights. adapter_model: LoRA weights, which
        // no engine loads unasked.
        std::vector<std::string> shards, copy;
        for (const std::string& n : names_) {
            if (!ends_with(n, ".safetensors") || starts_with(n, "adapter")) continue;
            (starts_with(n, "consolidated") ? copy : shards).push_back(n);
        }
        if (contains(shards, "model.safetensors")) shards = {"model.safetensors"};
        if (shards.empty()) shards = copy;
        if (contains(shards, "consolidated.safetensors")) shards = {"consolidated.safetensors"};
        if (!shards.empty()) {
            const std::size_t parts = parts_of(shards[0]);
            if (parts <= shards.size()) return from_headers(shards, layers);
            return note("only " + std::to_string(shards.size()) + " of " + std::to_string(parts) +
                        " safetensors files are here, and no index; weight bytes follow from "
                        "config.json.");
        }
        if (contains(names_, "pytorch_model.bin.index.json")) {
            if (const auto json = text("pytorch_model.bin.index.json")) {
                return apply(
                    read_safetensors_index(*json, at("pytorch_model.bin.index.json"), layers),
                    "pytorch_model.bin.index.json");
            }
        }
        note("there are no safetensors files; weight bytes follow from config.json.");
    }

    void note(const std::string& text) {
        out_.issues.push_back({Severity::notice, "model-dir", path_ + ": " + text});
    }

    void from_index(const CheckpointTotals& index, std::uint32_t layers) {
        std::size_t missing = 0;
        for (const std::string& n : index.files) {
            if (!contains(names_, n)) ++missing;
        }
        if (!index.files.empty() && missing == 0) return from_headers(index.files, layers);
        if (missing != 0) {
            note(std::to_string(missing) + " of " + std::to_string(index.files.size()) +
                 " safetensors files are not here; the size is the index's.");
        }
        apply(index, "model.safetensors.index.json");
    }

    void from_headers(const std::vector<std::string>& names, std::uint32_t layers) {
        CheckpointTotals all;
        for (const std::string& n : names) {
            const std::unique_ptr<ByteSource> from = files_.open(at(n));
            if (from == nullptr)
                return note(n + " cannot be read; weight bytes follow from config.json.");
            add_totals(all, read_safetensors_header(*from, at(n), layers));
        }
        apply(all,
              names.size() == 1 ? names[0] : std::to_string(names.size()) + " safetensors files");
    }

    void apply(const CheckpointTotals& t, std::string_view what) {
        for (Issue i : t.issues) {
            // The configuration stands without the files.
            if (i.severity == Severity::error) i.severity = Severity::warning;
            out_.issues.push_back(std::move(i));
        }
        if (!has_error(t.issues)) apply_totals(t, what, *out_.model, out_.issues);
    }

    FileSource& files_;
    std::string path_;
    std::vector<std::string> names_;
    Import out_;
};

}  // namespace

std::optional<std::string> read_text(FileSource& files, const std::string& path, std::size_t max) {
    const std::unique_ptr<ByteSource> from = files.open(path);
    if (from == nullptr) return std::nullopt;
    std::string out;
    constexpr std::size_t kStep = std::size_t{1} << 16;
    for (;;) {
        const std::size_t at = out.size();
        out.resize(at + kStep);
        const std::size_t got = from->read(out.data() + at, kStep);
        out.resize(at + got);
        if (out.size() > max) return std::nullopt;
        if (got < kStep) return out;
    }
}

Import import_model_dir(FileSource& files, const std::string& folder) {
    std::string path = folder;
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return Folder(files, path).run();
}

std::string hub_cache_folder(const HubEnvironment& e) {
    if (!e.hub_cache.empty()) return e.hub_cache;
    if (!e.hf_home.empty()) return e.hf_home + "/hub";
    if (!e.xdg_cache.empty()) return e.xdg_cache + "/huggingface/hub";
    if (!e.home.empty()) return e.home + "/.cache/huggingface/hub";
    return {};
}

bool is_repository_id(std::string_view id) {
    std::size_t slashes = 0;
    for (const char c : id) {
        const bool word =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (c == '/') {
            ++slashes;
        } else if (!word && c != '.' && c != '-' && c != '_') {
            return false;
        }
    }
    return slashes == 1 && id.front() != '/' && id.back() != '/' && id.front() != '.' &&
           id.find("/.") == std::string_view::npos && id.find("..") == std::string_view::npos &&
           id.size() <= 200;
}

std::optional<std::string> find_snapshot(FileSource& files, const std::string& cache,
                                         std::string_view id) {
    if (cache.empty() || !is_repository_id(id)) return std::nullopt;
    std::string folder = cache + "/models--" + std::string(id);
    folder.replace(folder.rfind('/'), 1, "--");
    const std::string snapshots = folder + "/snapshots";
    const auto has_model = [&](const std::string& name) {
        const std::vector<std::string> names = files.list(snapshots + "/" + name);
        return std::any_of(names.begin(), names.end(), [](const std::string& n) {
            return n == "config.json" || ends_with(n, ".gguf");
        });
    };
    if (auto ref = read_text(files, folder + "/refs/main", 256)) {
        while (!ref->empty() && static_cast<unsigned char>(ref->back()) <= ' ') ref->pop_back();
        if (!ref->empty() && ref->find('/') == std::string::npos && has_model(*ref)) {
            return snapshots + "/" + *ref;
        }
    }
    std::vector<std::string> names = files.list(snapshots);
    std::sort(names.rbegin(), names.rend());
    for (const std::string& n : names) {
        if (has_model(n)) return snapshots + "/" + n;
    }
    return std::nullopt;
}

}  // namespace kvgauge
