// SPDX-License-Identifier: MIT
#include "data/catalog_decode.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace kvgauge {
namespace {

class Reader {
  public:
    explicit Reader(std::span<const unsigned char> bytes) : bytes_(bytes) {}
    bool ok() const { return ok_; }
    std::uint64_t number() {
        std::uint64_t v = 0;
        for (unsigned shift = 0; pos_ < bytes_.size() && shift < 64; shift += 7) {
            const unsigned char b = bytes_[pos_++];
            v |= static_cast<std::uint64_t>(b & 0x7f) << shift;
            if (b < 0x80) return v;
        }
        ok_ = false;
        return 0;
    }
    std::string string() {
        const std::uint64_t n = number();
        if (n > bytes_.size() - pos_) {
            ok_ = false;
            return {};
        }
        std::string s(bytes_.begin() + static_cast<std::ptrdiff_t>(pos_),
                      bytes_.begin() + static_cast<std::ptrdiff_t>(pos_ + n));
        pos_ += n;
        return s;
    }

  private:
    std::span<const unsigned char> bytes_;
    std::size_t pos_ = 0;
    bool ok_ = true;
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find(';', at);
        out.push_back(text.substr(at, end - at));
        if (end == std::string::npos) break;
        at = end + 1;
    }
    return out;
}

// The n-th word of each list of model_words.def; lists start at 1, 0 stands for none.
constexpr AttnKind kAttn[] = {
    AttnKind::none,
#define KVG_ATTN(word) AttnKind::word,
#include "data/model_words.def"
};
constexpr StateKind kState[] = {
    StateKind::none,
#define KVG_STATE(word) StateKind::word,
#include "data/model_words.def"
};
constexpr WeightKind kWeights[] = {
    WeightKind::automatic,
#define KVG_WEIGHTS(word) WeightKind::word,
#include "data/model_words.def"
};
constexpr DType kKv[] = {
    DType::automatic,
#define KVG_KV(word) DType::word,
#include "data/model_words.def"
};

template <class T, std::size_t N>
T pick(const T (&list)[N], std::uint64_t n) {
    return list[n < N ? n : 0];
}

// Numbers fit their members: the widths are checked by the test that prints every row again.
void set_layer(LayerSpec& l, std::uint64_t tag, std::uint64_t value) {
    enum : std::uint64_t {
        none,
#define KVG_LAYER_NUMBER(word, member) tag_##word,
#define KVG_LAYER_FLAG(word, member, value) tag_##word,
#include "data/model_words.def"
    };
    switch (tag) {
#define KVG_LAYER_NUMBER(word, member)                     \
    case tag_##word:                                       \
        l.member = static_cast<decltype(l.member)>(value); \
        break;
#define KVG_LAYER_FLAG(word, member, set) \
    case tag_##word:                      \
        l.member = set;                   \
        break;
#include "data/model_words.def"
        default:
            break;
    }
}

void set_model(ModelSpec& m, std::uint64_t tag, std::uint64_t value) {
    enum : std::uint64_t {
        none,
#define KVG_MODEL_NUMBER(word, member) tag_##word,
#define KVG_MODEL_FLAG(word, member, value) tag_##word,
#include "data/model_words.def"
    };
    switch (tag) {
#define KVG_MODEL_NUMBER(word, member)                     \
    case tag_##word:                                       \
        m.member = static_cast<decltype(m.member)>(value); \
        break;
#define KVG_MODEL_FLAG(word, member, set) \
    case tag_##word:                      \
        m.member = set;                   \
        break;
#include "data/model_words.def"
        default:
            break;
    }
}

void set_weight(WeightFormat& w, std::uint64_t tag, std::uint64_t value) {
    enum : std::uint64_t {
        none,
#define KVG_WEIGHT_NUMBER(word, member) tag_##word,
#include "data/model_words.def"
    };
    switch (tag) {
#define KVG_WEIGHT_NUMBER(word, member)                    \
    case tag_##word:                                       \
        w.member = static_cast<decltype(w.member)>(value); \
        break;
#include "data/model_words.def"
        default:
            break;
    }
}

WeightFormat read_weights(Reader& r) {
    WeightFormat w;
    w.kind = pick(kWeights, r.number());
    for (std::uint64_t tag = r.number(); tag != 0 && r.ok(); tag = r.number()) {
        set_weight(w, tag, r.number());
    }
    for (std::uint64_t c = r.number(); c != 0 && r.ok(); c = r.number()) {
        const WeightKind kind = pick(kWeights, r.number());
        if (c <= kMatrixClasses) w.of[static_cast<std::size_t>(c - 1)] = kind;
    }
    return w;
}

std::vector<LayerRun> read_program(Reader& r, const std::vector<LayerSpec>& kinds) {
    std::vector<LayerRun> runs;
    for (std::uint64_t n = r.number(); n > 0 && r.ok(); --n) {
        const std::uint64_t kind = r.number();
        const auto count = static_cast<std::uint32_t>(r.number());
        if (kind < kinds.size()) runs.push_back({count, kinds[static_cast<std::size_t>(kind)]});
    }
    return runs;
}

ModelEntry read_model(Reader& r) {
    ModelEntry entry;
    ModelSpec m;
    m.id = r.string();
    m.name = r.string();
    entry.aliases = split(r.string());
    m.model_type = r.string();
    m.architecture = r.string();
    m.assumed = split(r.string());
    entry.source = r.string();
    entry.date = r.string();
    for (std::uint64_t tag = r.number(); tag != 0 && r.ok(); tag = r.number()) {
        set_model(m, tag, r.number());
    }
    m.weights = read_weights(r);
    m.kv = pick(kKv, r.number());
    std::vector<LayerSpec> kinds;
    for (std::uint64_t n = r.number(); n > 0 && r.ok(); --n) {
        LayerSpec l;
        l.attn.kind = pick(kAttn, r.number());
        l.state.kind = pick(kState, r.number());
        for (std::uint64_t tag = r.number(); tag != 0 && r.ok(); tag = r.number()) {
            set_layer(l, tag, r.number());
        }
        kinds.push_back(l);
    }
    m.layers = read_program(r, kinds);
    m.mtp = read_program(r, kinds);
    entry.spec = std::make_shared<const ModelSpec>(std::move(m));
    return entry;
}

GpuEntry read_gpu(Reader& r) {
    GpuEntry e;
    GpuSpec& g = e.spec;
    g.id = r.string();
    g.name = r.string();
    e.aliases = split(r.string());
    g.vendor = r.string();
    g.arch = r.string();
    e.link_kind = r.string();
    g.source = r.string();
    e.date = r.string();
    e.unsure = r.string();
    e.note = r.string();
    // Numbers are in thousandths of the column's unit.
    const std::uint64_t driver_mib = r.number() / 1000;
    const std::uint64_t visible_gib = r.number();
    const auto giga = [&] { return static_cast<double>(r.number()) * 1e6; };
    const auto tera = [&] { return static_cast<double>(r.number()) * 1e9; };
    g.driver_bytes = driver_mib * mib;
    g.bandwidth = giga();
    g.flops16 = tera();
    g.flops8 = tera();
    g.flops4 = tera();
    g.link = giga();
    g.pcie = giga();
    g.l2_bytes = r.number() / 1000 * mib;
    g.compute_capability = static_cast<std::uint32_t>(r.number() / 100);
    g.sms = static_cast<std::uint32_t>(r.number() / 1000);
    g.tdp_w = static_cast<std::uint32_t>(r.number() / 1000);
    const std::uint64_t flags = r.number();
    g.fp8 = (flags & 1) != 0;
    g.bf16 = (flags & 2) != 0;
    g.visible_assumed = (flags & 4) != 0;
    // Not logged: CUDA shows 400 MiB and 0.2 % less than the driver, which fits T4 to B300.
    g.visible_bytes = visible_gib != 0 ? (visible_gib * gib + 500) / 1000
                                       : g.driver_bytes - 400 * mib - g.driver_bytes / 500;
    g.assumed = !e.unsure.empty();
    return e;
}

}  // namespace

std::vector<ModelEntry> decode_models(std::span<const unsigned char> bytes) {
    Reader r(bytes);
    std::vector<ModelEntry> out;
    for (std::uint64_t n = r.number(); n > 0 && r.ok(); --n) out.push_back(read_model(r));
    return out;
}

std::vector<GpuEntry> decode_gpus(std::span<const unsigned char> bytes) {
    Reader r(bytes);
    std::vector<GpuEntry> out;
    for (std::uint64_t n = r.number(); n > 0 && r.ok(); --n) out.push_back(read_gpu(r));
    return out;
}

}  // namespace kvgauge
