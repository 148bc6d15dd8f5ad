// SPDX-License-Identifier: MIT
#include "import/safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "import/json_reader.h"
#include "model/weights.h"

namespace kvgauge {
namespace {

struct ElementType {
    std::string_view name;
    std::uint32_t bits;
};
constexpr ElementType kTypes[] = {
    {"BF16", 16},   {"F16", 16},    {"F32", 32},        {"F64", 64},        {"F8_E4M3", 8},
    {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"F6_E2M3", 6},
    {"F6_E3M2", 6}, {"F4", 4},      {"BOOL", 8},        {"U8", 8},          {"I8", 8},
    {"I16", 16},    {"U16", 16},    {"I32", 32},        {"U32", 32},        {"I64", 64},
    {"U64", 64},    {"C64", 64},
};

std::uint32_t bits_of(std::string_view type) {
    for (const ElementType& t : kTypes) {
        if (t.name == type) return t.bits;
    }
    return 0;
}

void fail(CheckpointTotals& t, std::string_view source, std::string key, const std::string& text) {
    t.issues.push_back({Severity::error, std::move(key), std::string(source) + ": " + text});
}

// "model.layers.61.mlp...": 61. Names of encoders and towers are not decoder layers.
std::optional<std::uint32_t> layer_of(std::string_view name) {
    for (const std::string_view prefix :
         {"model.layers.", "model.language_model.layers.", "language_model.model.layers.",
          "language_model.layers.", "transformer.h.", "layers."}) {
        if (name.substr(0, prefix.size()) != prefix) continue;
        std::uint32_t n = 0;
        std::size_t i = prefix.size();
        for (; i < name.size() && i < prefix.size() + 6 && name[i] >= '0' && name[i] <= '9'; ++i) {
            n = n * 10 + static_cast<std::uint32_t>(name[i] - '0');
        }
        if (i == prefix.size()) return std::nullopt;
        return n;
    }
    return std::nullopt;
}

bool is_mtp(std::string_view name, std::uint32_t layers) {
    // "mtp.", "model.mtp_layers.", ERNIE's "model.mtp_block.".
    if (name.substr(0, 3) == "mtp" || name.find(".mtp") != std::string_view::npos) return true;
    const auto layer = layer_of(name);
    return layers != 0 && layer && *layer >= layers;
}

TypeTotal& of_type(CheckpointTotals& t, std::string_view type) {
    for (TypeTotal& x : t.types) {
        if (x.type == type) return x;
    }
    t.types.push_back({std::string(type), 0, 0, 0});
    return t.types.back();
}

// One entry of the header; a sentence says what is wrong with it.
std::optional<std::string> add_tensor(CheckpointTotals& t, std::string_view name, JsonValue v,
                                      std::uint32_t layers) {
    const auto type = v["dtype"].string();
    const JsonValue shape = v["shape"], offsets = v["data_offsets"];
    const auto from = offsets.at(0).whole(), to = offsets.at(1).whole();
    if (!type || !shape.is_array() || !offsets.is_array() || offsets.size() != 2 || !from || !to ||
        *to < *from) {
        return "needs dtype, shape and two data_offsets";
    }
    Count n = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto side = shape.at(i).whole();
        if (!side) return "has a shape of other than whole numbers";
        n *= *side;
    }
    const std::uint64_t bytes = *to - *from;
    const std::uint32_t bits = bits_of(*type);
    if (n.overflow() || (bits != 0 && ceil_div(n * bits, 8) != Count(bytes))) {
        return "has data_offsets of " + std::to_string(bytes) + " bytes, which do not fit its " +
               std::string(*type) + " shape " + shape.text();
    }
    TypeTotal& by = of_type(t, *type);
    const Count sum = Count(t.bytes) + bytes, elements = Count(t.elements) + n;
    if (sum.overflow() || elements.overflow()) return "makes the total leave 64 bits";
    ++by.tensors;
    by.elements += n.value();
    by.bytes += bytes;
    ++t.tensors;
    t.bytes = sum.value();
    t.elements = elements.value();
    if (is_mtp(name, layers)) {
        t.has_mtp = true;
        t.mtp_bytes += bytes;
    }
    return std::nullopt;
}

// Reads exactly n bytes, growing as they come, so that a claimed size costs nothing by itself.
bool read_all(ByteSource& from, std::uint64_t n, std::string& to) {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    while (to.size() < n) {
        const std::size_t at = to.size();
        const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(kStep, n - at));
        to.resize(at + part);
        const std::size_t got = from.read(to.data() + at, part);
        to.resize(at + got);
        if (got < part) return false;
    }
    return true;
}

void read_header_text(CheckpointTotals& t, std::string_view text, std::string_view source,
                      std::uint32_t layers) {
    JsonDocument document;
    if (const auto e = document.parse(text)) {
        return fail(t, source, {}, "its safetensors header is not JSON: " + e->text + ".");
    }
    const JsonValue root = document.root();
    if (!root.is_object()) return fail(t, source, {}, "its safetensors header is no JSON object.");
    for (std::size_t i = 0; i < root.size(); ++i) {
        const std::string_view name = root.key_at(i);
        if (name == "__metadata__") continue;
        if (const auto wrong = add_tensor(t, name, root.at(i), layers)) {
            return fail(t, source, std::string(name),
                        "tensor " + std::string(name) + " " + *wrong + ".");
        }
    }
    std::sort(t.types.begin(), t.types.end(),
              [](const TypeTotal& a, const TypeTotal& b) { return a.bytes > b.bytes; });
}

// Bytes of one element where all weights are stored in one float type; 0: they are not.
std::uint32_t plain_bytes(const WeightFormat& f) {
    for (const WeightKind k : f.of) {
        if (k != WeightKind::automatic) return 0;
    }
    if (f.kind == WeightKind::bf16 || f.kind == WeightKind::fp16) return 2;
    return f.kind == WeightKind::fp32 ? 4 : 0;
}

bool near(double a, double b) {
    return std::abs(a / b - 1) <= 2e-3;
}

}  // namespace

CheckpointTotals read_safetensors_header(ByteSource& from, std::string_view source,
                                         std::uint32_t layers) {
    CheckpointTotals t;
    char head[8];
    if (from.read(head, sizeof head) != sizeof head) {
        fail(t, source, {}, "ends before the safetensors header.");
        return t;
    }
    std::uint64_t n = 0;
    std::memcpy(&n, head, sizeof n);
    if (n > kMaxSafetensorsHeader || n < 2) {
        fail(t, source, {},
             "claims a safetensors header of " + std::to_string(n) + " bytes; 2 to " +
                 std::to_string(kMaxSafetensorsHeader) + " are accepted.");
        return t;
    }
    std::string text;
    if (!read_all(from, n, text)) {
        fail(t, source, {},
             "ends inside the safetensors header, after " + std::to_string(text.size() + 8) +
                 " bytes.");
        return t;
    }
    read_header_text(t, text, source, layers);
    return t;
}

CheckpointTotals read_safetensors_index(std::string_view json, std::string_view source,
                                        std::uint32_t layers) {
    CheckpointTotals t;
    JsonDocument document;
    if (const auto e = document.parse(json)) {
        fail(t, source, {}, "is not JSON: " + e->text + " (line " + std::to_string(e->line) + ").");
        return t;
    }
    const JsonValue root = document.root(), names = root["weight_map"];
    t.bytes = root["metadata"]["total_size"].whole().value_or(0);
    t.elements = root["metadata"]["total_parameters"].whole().value_or(0);
    if (!root.is_object() || (t.bytes == 0 && !names.is_object())) {
        fail(t, source, "metadata.total_size",
             "has neither metadata.total_size nor a weight_map: it is no safetensors index.");
        return t;
    }
    for (std::size_t i = 0; names.is_object() && i < names.size(); ++i) {
        ++t.tensors;
        t.has_mtp = t.has_mtp || is_mtp(names.key_at(i), layers);
        if (const auto file = names.at(i).string()) t.files.emplace_back(*file);
    }
    std::sort(t.files.begin(), t.files.end());
    t.files.erase(std::unique(t.files.begin(), t.files.end()), t.files.end());
    return t;
}

void add_totals(CheckpointTotals& to, const CheckpointTotals& from) {
    const auto plus = [](std::uint64_t a, std::uint64_t b) {
        const Count sum = Count(a) + b;
        return sum.overflow() ? UINT64_MAX : sum.value();
    };
    to.bytes = plus(to.bytes, from.bytes);
    to.elements = plus(to.elements, from.elements);
    to.mtp_bytes = plus(to.mtp_bytes, from.mtp_bytes);
    to.tensors = plus(to.tensors, from.tensors);
    to.has_mtp = to.has_mtp || from.has_mtp;
    for (const TypeTotal& x : from.types) {
        TypeTotal& by = of_type(to, x.type);
        by.tensors = plus(by.tensors, x.tensors);
        by.elements = plus(by.elements, x.elements);
        by.bytes = plus(by.bytes, x.bytes);
    }
    to.issues.insert(to.issues.end(), from.issues.begin(), from.issues.end());
}

void apply_totals(const CheckpointTotals& t, std::string_view source, ModelSpec& m,
                  Issues& issues) {
    const std::string at = std::string(source) + ": ";
    if (t.bytes == 0) {
        issues.push_back({Severity::notice, "total_size",
                          at + "gives no size; weight bytes follow from the configuration."});
        return;
    }
    const Params p = params(m);
    std::uint64_t bytes = t.bytes - std::min(t.mtp_bytes, t.bytes);
    if (t.has_mtp && t.mtp_bytes == 0) {
        // The index names the tensors but has one size for all.
        const Bytes mtp = matrix_bytes(m.weights, p.mtp, 1);
        if (!mtp.overflow() && mtp.value() < bytes) {
            bytes -= mtp.value();
            m.assumed.push_back("The index gives one size for all tensors; " +
                                std::to_string(mtp.value()) +
                                " bytes of it are taken for multi-token prediction.");
        }
    }
    // Buffers such as rotary frequencies add a few kB; anything more is another model.
    const Count described = p.total + p.vision;
    const std::uint32_t own = plain_bytes(m.weights);
    if (described.overflow() || described.value() == 0 || !m.params_known || own == 0) {
        m.weight_bytes = bytes;
        return;
    }
    const double each = static_cast<double>(bytes) / described.real();
    if (const double times = each / own; near(times, 2) || near(times, 0.5)) {
        issues.push_back(
            {Severity::warning, "torch_dtype",
             at + "the files store " + (times > 1 ? "twice" : "half") +
                 " the bytes of the dtype in config.json, in which engines load them."});
        return;
    }
    m.weight_bytes = bytes;
    if (near(each, own)) return;
    issues.push_back({Severity::warning, "model",
                      at + "the files hold " + std::to_string(bytes) + " bytes; " +
                          std::to_string(described.value()) +
                          " parameters, as config.json describes them, take " +
                          std::to_string((described * own).value()) + "."});
}

}  // namespace kvgauge
