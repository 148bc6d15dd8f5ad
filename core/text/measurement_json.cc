// SPDX-License-Identifier: MIT
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>

#include "import/json_reader.h"
#include "probe/fit.h"
#include "text/calibration.h"
#include "text/measurement.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

constexpr std::string_view schema = "kvgauge.measurement/1";

// What JSON cannot say (NaN, infinity) is left out, as is what is empty or unknown.
class Writer {
  public:
    void begin() { out_.StartObject(); }
    void begin(const char* key) {
        out_.Key(key);
        out_.StartObject();
    }
    void end() { out_.EndObject(); }
    void begin_list(const char* key) {
        out_.Key(key);
        out_.StartArray();
    }
    void end_list() { out_.EndArray(); }
    void item(double v) { out_.Double(v); }

    void put(const char* key, std::string_view v) {
        out_.Key(key);
        out_.String(v.data(), static_cast<rapidjson::SizeType>(v.size()));
    }
    void put(const char* key, const std::string& v) { put(key, std::string_view(v)); }
    void put(const char* key, bool v) {
        out_.Key(key);
        out_.Bool(v);
    }
    void put(const char* key, std::uint64_t v) {
        out_.Key(key);
        out_.Uint64(v);
    }
    void put(const char* key, std::uint32_t v) { put(key, std::uint64_t{v}); }
    void put(const char* key, double v) {
        if (!std::isfinite(v)) return;
        out_.Key(key);
        out_.Double(v);
    }
    template <class T>
    void put(const char* key, const std::optional<T>& v) {
        if (v) put(key, *v);
    }
    void put(const char* key, const std::vector<std::string>& list) {
        begin_list(key);
        for (const std::string& v : list) out_.String(v);
        end_list();
    }
    template <class T>
    void put_known(const char* key, const T& v) {
        if (!(v == T{})) put(key, v);
    }
    std::string text() const { return {buffer_.GetString(), buffer_.GetSize()}; }

  private:
    rapidjson::StringBuffer buffer_;
    rapidjson::Writer<rapidjson::StringBuffer> out_{buffer_};
};

void write_device(Writer& w, const DeviceInfo& d) {
    w.put("id", d.id);
    w.put("name", d.name);
    w.put_known("arch", d.arch);
    w.put_known("driver", d.driver);
    w.put_known("runtime", d.runtime);
    w.put_known("memory_bytes", d.memory_bytes);
    w.put_known("free_bytes", d.free_bytes);
    w.put_known("cache_bytes", d.cache_bytes);
    w.put_known("bandwidth", d.bandwidth);
    w.put_known("peak_flops16", d.peak_flops16);
    w.put_known("units", d.units);
    w.put("ecc", d.ecc);
    w.put("power_limit_w", d.power_limit_w);
    w.put_known("slice", d.slice);
    w.put_known("browser", d.browser);
    w.put_known("problem", d.problem);
}

void write_clocks(Writer& w, const char* key, const ClockState& c) {
    w.begin(key);
    w.put("known", c.known);
    if (c.known) {
        w.put("sm_mhz", c.sm_mhz);
        w.put("memory_mhz", c.memory_mhz);
        w.put("max_memory_mhz", c.max_memory_mhz);
        w.put("temperature_c", c.temperature_c);
        w.put("power_w", c.power_w);
        w.put("throttled", c.throttled);
    }
    w.end();
}

void write_shape(Writer& w, const Case& c) {
    const CaseShape& s = c.shape;
    w.begin("shape");
    switch (c.kernel) {
        case KernelKind::read:
        case KernelKind::copy:
            w.put("bytes", s.bytes);
            break;
        case KernelKind::gemm:
            w.put("m", s.m);
            w.put("n", s.n);
            w.put("k", s.k);
            w.put("dtype", name(s.kv));
            break;
        case KernelKind::decode:
        case KernelKind::prefill:
            w.put("batch", s.batch);
            w.put("ctx", s.ctx);
            w.put("q_heads", s.q_heads);
            w.put("kv_heads", s.kv_heads);
            w.put("group", s.group());
            w.put("head_dim", s.head_dim);
            w.put("kv", name(s.kv));
            w.put_known("page", s.page);
            break;
    }
    w.put_known("threads", s.threads);
    w.end();
}

void write_case(Writer& w, const Case& c, double bandwidth) {
    const Statistics& s = c.statistics;
    w.put("kernel", name(c.kernel));
    write_shape(w, c);
    w.begin_list("samples_ns");
    for (const double ns : c.samples_ns) w.item(std::round(ns));
    w.end_list();
    w.put("n", std::uint64_t{s.n});
    w.put("mean", s.mean);
    w.put("stddev", s.stddev);
    w.put("min", s.min);
    w.put("p10", s.p10);
    w.put("median", s.median);
    w.put("p90", s.p90);
    w.put("bytes", c.bytes);
    w.put("flops", c.flops);
    w.put("gb_s", c.bytes_per_s() / 1e9);
    w.put("share_of_read", c.share_of_read);
    if (bandwidth > 0 && c.bytes > 0) w.put("share_of_spec", c.bytes_per_s() / bandwidth);
    w.put_known("splits", c.splits);
    w.put("cold", c.cold);
    w.put_known("clock", c.clock);
    w.put("noisy", c.noisy);
    w.put_known("rejected", c.rejected);
    w.put("warnings", c.warnings);
}

void write_fit(Writer& w, const Calibration& c) {
    w.begin("fit");
    w.put("device", c.device);
    for (const CalibrationKey& key : calibration_keys()) w.put(key.key.data(), c.*(key.field));
    w.end();
}

void error(Issues& issues, std::string text) {
    issues.push_back({Severity::error, "calibration", std::move(text)});
}

std::string text_of(const JsonValue& v) {
    return std::string(v.string().value_or(""));
}

std::vector<std::string> strings(const JsonValue& v) {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < v.size() && v.is_array(); ++i) list.push_back(text_of(v.at(i)));
    return list;
}

std::uint32_t small(const JsonValue& v) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(v.whole().value_or(0), 0xffffffffu));
}

DeviceInfo read_device(const JsonValue& v) {
    DeviceInfo d;
    d.id = text_of(v["id"]);
    d.name = text_of(v["name"]);
    d.arch = text_of(v["arch"]);
    d.driver = text_of(v["driver"]);
    d.runtime = text_of(v["runtime"]);
    d.memory_bytes = v["memory_bytes"].whole().value_or(0);
    d.free_bytes = v["free_bytes"].whole().value_or(0);
    d.cache_bytes = v["cache_bytes"].whole().value_or(0);
    d.bandwidth = v["bandwidth"].number().value_or(0);
    d.peak_flops16 = v["peak_flops16"].number().value_or(0);
    d.units = small(v["units"]);
    d.ecc = v["ecc"].boolean();
    d.power_limit_w = v["power_limit_w"].number();
    d.slice = v["slice"].boolean().value_or(false);
    d.browser = v["browser"].boolean().value_or(false);
    d.problem = text_of(v["problem"]);
    return d;
}

ClockState read_clocks(const JsonValue& v) {
    ClockState c;
    c.known = v["known"].boolean().value_or(false);
    c.sm_mhz = v["sm_mhz"].number().value_or(0);
    c.memory_mhz = v["memory_mhz"].number().value_or(0);
    c.max_memory_mhz = v["max_memory_mhz"].number().value_or(0);
    c.temperature_c = v["temperature_c"].number().value_or(0);
    c.power_w = v["power_w"].number().value_or(0);
    c.throttled = strings(v["throttled"]);
    return c;
}

// False: a kernel this program does not know; the case is left out.
bool read_case(const JsonValue& v, Case& c) {
    const std::optional<KernelKind> kernel = parse_kernel(text_of(v["kernel"]));
    if (!kernel) return false;
    c.kernel = *kernel;
    const JsonValue shape = v["shape"];
    CaseShape& s = c.shape;
    if (!shape["batch"].is_null()) s.batch = small(shape["batch"]);
    s.ctx = small(shape["ctx"]);
    s.q_heads = small(shape["q_heads"]);
    s.kv_heads = small(shape["kv_heads"]);
    s.head_dim = small(shape["head_dim"]);
    const std::string kv = text_of(shape[c.kernel == KernelKind::gemm ? "dtype" : "kv"]);
    s.kv = parse_dtype(kv).value_or(DType::fp16);
    s.page = small(shape["page"]);
    s.m = small(shape["m"]);
    s.n = small(shape["n"]);
    s.k = small(shape["k"]);
    s.bytes = shape["bytes"].whole().value_or(0);
    s.threads = small(shape["threads"]);
    const JsonValue samples = v["samples_ns"];
    for (std::size_t i = 0; i < samples.size() && samples.is_array(); ++i)
        c.samples_ns.push_back(samples.at(i).number().value_or(0));
    c.statistics = summarize(c.samples_ns);
    if (c.samples_ns.empty()) c.statistics.median = v["median"].number().value_or(0);
    c.bytes = v["bytes"].whole().value_or(0);
    c.flops = v["flops"].whole().value_or(0);
    c.splits = small(v["splits"]);
    c.cold = v["cold"].boolean().value_or(true);
    c.clock = text_of(v["clock"]);
    c.share_of_read = v["share_of_read"].number();
    c.noisy = v["noisy"].boolean().value_or(false);
    c.rejected = v["rejected"].boolean().value_or(false);
    c.warnings = strings(v["warnings"]);
    return true;
}

bool read_fit(const JsonValue& v, Calibration& c, Issues& issues) {
    c.device = text_of(v["device"]);
    for (const CalibrationKey& key : calibration_keys()) {
        const JsonValue number = v[key.key];
        if (number.is_null()) continue;
        const std::optional<double> value = number.number();
        if (!value || !(*value >= 0) || *value > key.max) {
            error(issues, "fit." + std::string(key.key) + " is " + number.text() +
                              "; a number from 0 to " + plain(key.max) + " is accepted.");
            return false;
        }
        c.*(key.field) = *value;
    }
    return true;
}

std::optional<JsonDocument> open(std::string_view json, Issues& issues) {
    JsonDocument document;
    if (const auto bad = document.parse(json)) {
        error(issues, "This is no measurement file: " + bad->text + ", line " +
                          std::to_string(bad->line) + ", column " + std::to_string(bad->column) +
                          ".");
        return std::nullopt;
    }
    const std::string found = text_of(document.root()["schema"]);
    if (found != schema) {
        error(issues, "This is no measurement file: schema is " +
                          (found.empty() ? std::string("missing") : "\"" + found + "\"") +
                          ", accepted is \"" + std::string(schema) + "\".");
        return std::nullopt;
    }
    return document;
}

}  // namespace

std::string measurement_json(const Measurement& m) {
    Writer w;
    w.begin();
    w.put("schema", schema);
    w.put("version", m.version);
    w.put_known("time", m.time);
    w.put("quick", m.quick);
    w.put_known("cancelled", m.cancelled);
    w.begin("device");
    write_device(w, m.device);
    w.end();
    w.begin("clocks");
    write_clocks(w, "before", m.clocks_before);
    write_clocks(w, "after", m.clocks_after);
    w.end();
    w.begin_list("cases");
    for (const Case& c : m.cases) {
        w.begin();
        write_case(w, c, m.device.bandwidth);
        w.end();
    }
    w.end_list();
    write_fit(w, m.fit);
    w.put("warnings", m.warnings);
    w.put_known("failure", m.failure);
    w.end();
    return w.text() + "\n";
}

std::string measurement_jsonl(const Measurement& m) {
    std::string lines;
    for (const Case& c : m.cases) {
        Writer w;
        w.begin();
        w.put("schema", schema);
        w.put("device", m.device.name);
        write_case(w, c, m.device.bandwidth);
        w.end();
        lines += w.text() + "\n";
    }
    Writer w;
    w.begin();
    w.put("schema", schema);
    write_fit(w, m.fit);
    w.put_known("failure", m.failure);
    w.end();
    return lines + w.text() + "\n";
}

std::string devices_json(const std::vector<DeviceInfo>& devices) {
    Writer w;
    w.begin();
    w.put("schema", std::string_view("kvgauge.devices/1"));
    w.begin_list("devices");
    for (const DeviceInfo& d : devices) {
        w.begin();
        write_device(w, d);
        w.end();
    }
    w.end_list();
    w.end();
    return w.text() + "\n";
}

std::optional<Measurement> parse_measurement(std::string_view json, Issues& issues) {
    const std::optional<JsonDocument> document = open(json, issues);
    if (!document) return std::nullopt;
    const JsonValue root = document->root();
    Measurement m;
    m.version = text_of(root["version"]);
    m.time = text_of(root["time"]);
    m.quick = root["quick"].boolean().value_or(false);
    m.cancelled = root["cancelled"].boolean().value_or(false);
    m.device = read_device(root["device"]);
    m.clocks_before = read_clocks(root["clocks"]["before"]);
    m.clocks_after = read_clocks(root["clocks"]["after"]);
    const JsonValue cases = root["cases"];
    for (std::size_t i = 0; i < cases.size() && cases.is_array(); ++i) {
        Case c;
        if (read_case(cases.at(i), c)) m.cases.push_back(std::move(c));
    }
    m.warnings = strings(root["warnings"]);
    m.failure = text_of(root["failure"]);
    if (!read_fit(root["fit"], m.fit, issues)) return std::nullopt;
    return m;
}

std::optional<Calibration> parse_calibration(std::string_view json, Issues& issues) {
    const std::optional<JsonDocument> document = open(json, issues);
    if (!document) return std::nullopt;
    Calibration c;
    if (!read_fit(document->root()["fit"], c, issues)) return std::nullopt;
    bool any = false;
    for (const CalibrationKey& key : calibration_keys()) any |= (c.*(key.field)).has_value();
    if (!any) {
        error(issues, "The measurement file holds no fit: nothing was measured far enough.");
        return std::nullopt;
    }
    return c;
}

}  // namespace kvgauge
