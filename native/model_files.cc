// SPDX-License-Identifier: MIT
// Files that keys name -> an imported model in the scenario. Reading only; what the bytes mean is
// core/import's.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "import/config_json.h"
#include "import/gguf.h"
#include "import/model_dir.h"
#include "native/files.h"
#include "text/calibration.h"
#include "text/lengths.h"
#include "text/measurement.h"

namespace kvgauge {
namespace {

// Config files with ignore lists reach 3 MB.
constexpr std::size_t kMaxConfig = std::size_t{1} << 26;

class FileBytes final : public ByteSource {
  public:
    explicit FileBytes(std::FILE* f) : file_(f, &std::fclose) {}
    std::size_t read(char* to, std::size_t n) override { return std::fread(to, 1, n, file_.get()); }

  private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

class Disk final : public FileSource {
  public:
    std::unique_ptr<ByteSource> open(const std::string& path) override {
        std::error_code ec;
        if (!std::filesystem::is_regular_file(path, ec)) return nullptr;
        std::FILE* f = std::fopen(path.c_str(), "rb");
        return f != nullptr ? std::make_unique<FileBytes>(f) : nullptr;
    }
    std::vector<std::string> list(const std::string& folder) override {
        std::vector<std::string> names;
        std::error_code ec;
        std::filesystem::directory_iterator it(folder, ec), end;
        for (; !ec && it != end; it.increment(ec)) names.push_back(it->path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }
};

void problem(Issues& issues, std::string_view key, const std::string& path, std::string_view what) {
    issues.push_back({Severity::error, std::string(key),
                      std::string(key) + ": " + path + ": " + std::string(what) + "."});
}

// "X.json" -> "X.hf_quant_config.json", else "hf_quant_config.json" beside it.
std::string quant_sidecar(Disk& disk, const std::string& path) {
    const std::filesystem::path p(path);
    const std::filesystem::path own =
        p.parent_path() / (p.stem().string() + ".hf_quant_config.json");
    for (const auto& candidate : {own, p.parent_path() / "hf_quant_config.json"}) {
        // The shared name belongs to the checkpoint's own config.json alone.
        if (candidate != own && p.filename() != "config.json") continue;
        if (auto text = read_text(disk, candidate.string(), kMaxConfig)) return *std::move(text);
    }
    return {};
}

Import read_config(Disk& disk, const std::string& path) {
    Import out;
    std::string why;
    const auto json = read_file(path, why);
    if (!json) {
        problem(out.issues, "model-config", path, why);
        return out;
    }
    return import_config(*json, path, path == "-" ? std::string() : quant_sidecar(disk, path));
}

Import read_gguf(Disk& disk, const std::string& path) {
    Import out;
    const std::filesystem::path p(path);
    std::vector<GgufHeader> parts;
    for (const std::string& name : gguf_part_names(p.filename().string())) {
        const std::string part = (p.parent_path() / name).string();
        const auto bytes = disk.open(part);
        if (!bytes) {
            if (part == path || name == p.filename().string()) {
                problem(out.issues, "gguf", path,
                        errno != 0 ? std::strerror(errno) : "there is no such file");
                return out;
            }
            continue;  // import_gguf says that a part is missing
        }
        parts.push_back(read_gguf_header(*bytes, part));
    }
    return import_gguf(parts, path);
}

std::string variable(const char* name) {
    const char* v = std::getenv(name);
    return v != nullptr ? v : "";
}

Import read_hub_id(Disk& disk, const std::string& id) {
    HubEnvironment env{variable("HF_HUB_CACHE"), variable("HF_HOME"), variable("XDG_CACHE_HOME"),
                       variable("HOME")};
    if (env.hub_cache.empty()) env.hub_cache = variable("HUGGINGFACE_HUB_CACHE");
    const std::string cache = hub_cache_folder(env);
    if (const auto folder = find_snapshot(disk, cache, id)) return import_model_dir(disk, *folder);
    Import out;
    out.issues.push_back(
        {Severity::error, "model",
         "model: " + id + " is neither in the catalog nor in the Hugging Face cache (" +
             (cache.empty() ? "no cache folder is known" : cache) +
             "); accepted are catalog ids (kvgauge list models), cached "
             "repositories, --model-config FILE, --gguf FILE and --model-dir FOLDER."});
    return out;
}

// The few numbers of a measurement in place of the speed model's defaults.
void read_calibration(const std::string& path, Scenario& s, Issues& issues) {
    std::string why;
    const auto json = read_file(path, why);
    if (!json) {
        problem(issues, "calibration", path, why);
        return;
    }
    Issues found;
    s.calibration = parse_calibration(*json, found);
    if (s.calibration) s.calibration = carried(*s.calibration);
    for (Issue& i : found) {
        i.text = "calibration: " + path + ": " + i.text;
        issues.push_back(std::move(i));
    }
    if (s.calibration && !s.calibration->device.empty()) {
        issues.push_back({Severity::notice, "calibration",
                          "calibration: figures measured on " + s.calibration->device + "."});
    }
}

void read_length_table(const std::string& path, Scenario& s, Issues& issues) {
    std::string why;
    const auto text = read_file(path, why);
    if (!text) return problem(issues, "lengths", path, why);
    s.mix.seen = read_lengths(*text, s.in, s.out, why);
    if (s.mix.seen.empty()) {
        issues.push_back({Severity::error, "lengths", "lengths: " + path + ": " + why});
    }
}

}  // namespace

FileLoader file_loader() {
    return [](std::string_view key, std::string_view path, Scenario& s, Issues& issues) {
        Disk disk;
        const std::string p(path);
        if (key == "calibration") return read_calibration(p, s, issues);
        if (key == "lengths") return read_length_table(p, s, issues);
        Import got;
        if (key == "model-config") {
            got = read_config(disk, p);
        } else if (key == "gguf") {
            got = read_gguf(disk, p);
        } else if (key == "model-dir") {
            got = import_model_dir(disk, p);
        } else if (key == "model") {
            got = read_hub_id(disk, p);
        } else {
            problem(issues, key, p, "this kind of file cannot be loaded here");
            return;
        }
        for (Issue& i : got.issues) issues.push_back(std::move(i));
        s.model_source = p;
        s.source_key = key;
        if (!got.model) {
            s.model.clear();  // nothing is answered about another model in its place
            return;
        }
        s.model = got.model->id.empty() ? p : got.model->id;
        s.imported = std::make_shared<const ModelSpec>(*std::move(got.model));
    };
}

}  // namespace kvgauge
