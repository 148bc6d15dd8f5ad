// SPDX-License-Identifier: MIT
#include "native/cmd_measure.h"

#include <unistd.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>

#include "data/catalog.h"
#include "native/probe_cpu.h"
#include "native/probe_cuda.h"
#include "text/measurement.h"

namespace kvgauge {
namespace {

// The one thing a signal handler can reach.
std::atomic<bool> interrupted{false};
extern "C" void on_interrupt(int) {
    interrupted = true;
}

double seconds_now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    char text[32] = "";
    if (gmtime_r(&now, &utc) != nullptr) std::strftime(text, sizeof text, "%FT%TZ", &utc);
    return text;
}

void say(const std::string& line) {
    std::fprintf(stderr, "%s\n", line.c_str());
}

// Whole or not at all in the caller's eyes: a short write is a failure.
bool write(const std::string& file, const std::string& text) {
    std::FILE* const to = file.empty() || file == "-" ? stdout : std::fopen(file.c_str(), "wb");
    if (to == nullptr) {
        say(file + ": cannot be written");
        return false;
    }
    bool good = std::fwrite(text.data(), 1, text.size(), to) == text.size();
    if (to == stdout)
        good = std::fflush(to) == 0 && good;
    else
        good = std::fclose(to) == 0 && good;
    if (!good) say((file.empty() ? std::string("standard output") : file) + ": cannot be written");
    return good;
}

bool known_format(const std::string& format) {
    return format.empty() || format == "text" || format == "md" || format == "csv" ||
           format == "json" || format == "jsonl";
}

std::string printed(const Measurement& m, const std::string& format) {
    if (format == "json") return measurement_json(m);
    if (format == "jsonl") return measurement_jsonl(m);
    if (format == "csv") return measurement_csv(m);
    if (format == "md") return measurement_markdown(m);
    return measurement_text(m);
}

// "cuda:N"
bool cuda_index(std::string_view id, int& index) {
    if (!id.starts_with("cuda:")) return false;
    const char* const end = id.data() + id.size();
    const auto [at, bad] = std::from_chars(id.data() + 5, end, index);
    return bad == std::errc{} && at == end && index >= 0;
}

// Dense 16-bit FLOP/s of the GPU with this driver name; 0 when the catalog does not know it.
double catalog_peak(std::string_view name) {
    if (name.starts_with("NVIDIA ")) name.remove_prefix(7);
    const GpuEntry* const gpu = builtin_catalog().gpu(name);
    return gpu == nullptr ? 0 : gpu->spec.flops16;
}

void show_progress(const Progress& p) {
    std::fprintf(stderr, "\r\x1b[K%zu/%zu  %s  about %.0f s left", p.done, p.total,
                 p.running.c_str(), p.seconds_left);
    std::fflush(stderr);
}

Measurement measure(Probe& probe, const MeasureRequest& request, bool progress) {
    Session session(probe, request, seconds_now);
    double shown = 0;
    while (session.step(30, &interrupted)) {
        if (progress && seconds_now() - shown > 0.2) {
            show_progress(session.progress());
            shown = seconds_now();
        }
    }
    if (progress) std::fprintf(stderr, "\r\x1b[K");
    return session.result();
}

}  // namespace

MeasureShape measure_shape(const ModelSpec& model, std::string& reason) {
    const AttentionSpec* most = nullptr;
    std::uint64_t layers = 0;
    for (const LayerRun& run : model.layers) {
        const AttentionSpec& a = run.layer.attn;
        const bool plain = a.kind == AttnKind::full || a.kind == AttnKind::sliding;
        if (!plain || a.k_dim != a.v_dim || a.kv_heads == 0) continue;
        std::uint64_t same = 0;
        for (const LayerRun& other : model.layers) {
            const AttentionSpec& b = other.layer.attn;
            if (b.q_heads == a.q_heads && b.kv_heads == a.kv_heads && b.k_dim == a.k_dim)
                same += other.count;
        }
        if (same > layers) {
            layers = same;
            most = &a;
        }
    }
    MeasureShape shape;
    if (most == nullptr) {
        reason = "no layer of " + model.name +
                 " caches K and V by heads; the kernels measure nothing else";
        return shape;
    }
    const std::uint32_t dim = most->k_dim;
    if (dim != 64 && dim != 80 && dim != 96 && dim != 128 && dim != 256) {
        reason = "head dimension " + std::to_string(dim) + " of " + model.name +
                 ": the kernels take 64, 80, 96, 128 and 256";
        return shape;
    }
    shape.q_heads = most->q_heads;
    shape.kv_heads = most->kv_heads;
    shape.head_dim = dim;
    return shape;
}

std::vector<DeviceInfo> all_devices() {
    std::vector<DeviceInfo> devices = cuda_devices();
    devices.push_back(make_cpu_probe()->device());
    return devices;
}

std::unique_ptr<Probe> open_probe(const std::string& id, std::string& problem) {
    if (id == "cpu") return make_cpu_probe();
    int index = 0;
    if (!cuda_index(id, index)) {
        problem = "device " + id + ": cpu, cuda:0, cuda:1, ... are accepted";
        return nullptr;
    }
    const std::vector<DeviceInfo> devices = cuda_devices();
    for (const DeviceInfo& d : devices) {
        if (!d.problem.empty() && (d.id == id || devices.size() == 1)) {
            problem = d.problem;
            return nullptr;
        }
        if (d.id == id) return make_cuda_probe(index);
    }
    problem = "There is no " + id + "; `kvgauge devices` lists what there is.";
    return nullptr;
}

int run_devices(const std::string& format, const std::string& file) {
    if (!known_format(format)) {
        say("output " + format + ": text and json are accepted");
        return kUsage;
    }
    const std::vector<DeviceInfo> devices = all_devices();
    const bool json = format == "json" || format == "jsonl";
    if (!write(file, json ? devices_json(devices) : devices_text(devices))) return kFailed;
    for (const DeviceInfo& d : devices) {
        if (d.problem.empty()) return kOk;
    }
    return kNoDevice;
}

int run_measure(const MeasureOptions& options) {
    MeasureRequest request;
    request.quick = options.quick;
    request.shape = options.model_shape;
    request.peak_flops16 = options.peak_flops16;
    request.limits = {options.memory_cap, options.threads};
    const std::string wrong = parse_shape(options.shape, request.shape);
    if (!wrong.empty()) {
        say(wrong);
        return kUsage;
    }
    if (!known_format(options.format)) {
        say("output " + options.format + ": text, md, csv, json and jsonl are accepted");
        return kUsage;
    }
    int index = 0;
    if (!options.device.empty() && options.device != "cpu" && !cuda_index(options.device, index)) {
        say("device " + options.device + ": cpu, cuda:0, cuda:1, ... are accepted");
        return kUsage;
    }
    std::string problem;
    std::unique_ptr<Probe> probe =
        open_probe(options.device.empty() ? "cuda:0" : options.device, problem);
    if (!probe && options.device.empty()) {
        if (!options.quiet) say(problem + " Measuring the CPU.");
        probe = make_cpu_probe();
    }
    if (!probe) {
        say(problem);
        return kNoDevice;
    }

    if (request.peak_flops16 == 0) request.peak_flops16 = catalog_peak(probe->device().name);
    interrupted = false;
    auto* const before = std::signal(SIGINT, on_interrupt);
    Measurement m = measure(*probe, request, !options.quiet && isatty(2) == 1);
    std::signal(SIGINT, before);
    m.version = options.version;
    m.time = utc_now();

    if (!options.save.empty() && !write(options.save, measurement_json(m))) return kFailed;
    if (!write(options.file, printed(m, options.format))) return kFailed;
    if (!m.failure.empty()) {
        say(m.failure);
        return m.device.problem.empty() ? kFailed : kNoDevice;
    }
    if (!options.quiet)
        for (const std::string& warning : m.warnings) say(warning);
    if (m.cancelled || m.cases.empty()) return kFailed;
    if (m.noisy()) {
        if (!options.quiet)
            say("Noisy or throttled: figures of this run may be low. See the notes of its cases.");
        return kNoisy;
    }
    return kOk;
}

int run_measure(const Output& output, const Keys& keys, MeasureOptions options) {
    options.format = output.format;
    options.file = output.file;
    options.quiet = output.quiet;
    options.version = KVGAUGE_VERSION;
    bool model = !keys.link.empty() || !keys.scenario.empty();
    for (const auto& [key, text] : keys.values)
        model |= key == "model" || key == "model-config" || key == "gguf" || key == "model-dir";
    if (model) {
        const ReadScenario read = read_scenario(keys, builtin_catalog());
        tell_issues(output, read.issues);
        if (has_error(read.issues)) return kUsage;
        ModelRef spec = read.scenario.imported;
        if (!spec) {
            const ModelEntry* const entry = builtin_catalog().model(read.scenario.model);
            if (entry != nullptr) spec = entry->spec;
        }
        if (!spec) {
            say("model " + read.scenario.model +
                ": measure takes a model of the catalog or a file; --shape takes any geometry");
            return kUsage;
        }
        std::string reason;
        options.model_shape = measure_shape(*spec, reason);
        if (!reason.empty()) {
            say(reason);
            return kUsage;
        }
    }
    return run_measure(options);
}

}  // namespace kvgauge
