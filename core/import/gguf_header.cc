// SPDX-License-Identifier: MIT
#include "import/gguf_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace kvgauge {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie");

class Reader {
  public:
    Reader(ByteSource& from, GgufHeader& h, std::string_view source)
        : from_(from), h_(h), source_(source) {}

    bool ok() const { return ok_; }
    std::uint64_t position() const { return done_ + at_; }

    void fail(std::string key, std::string text) {
        if (!ok_) return;
        ok_ = false;
        h_.issues.push_back({Severity::error, std::move(key), std::string(source_) + ": " + text});
    }

    template <class T>
    T get() {
        T v{};
        if (const char* p = take(sizeof v); p != nullptr) std::memcpy(&v, p, sizeof v);
        return v;
    }

    // Passes `n` bytes over; the first `keep` of them go to `to`.
    void text(std::uint64_t n, std::string* to, std::size_t keep) {
        while (n != 0 && ok_) {
            if (at_ == end_ && !fill(1)) return;
            const std::size_t part =
                static_cast<std::size_t>(std::min<std::uint64_t>(n, end_ - at_));
            if (to != nullptr && to->size() < keep) {
                to->append(buffer_.data() + at_, std::min(part, keep - to->size()));
            }
            at_ += part;
            n -= part;
        }
    }

    std::uint64_t length(std::string_view what, std::uint64_t max) {
        const auto n = get<std::uint64_t>();
        if (ok_ && n > max) {
            fail(std::string(what), std::string(what) + " of " + std::to_string(n) +
                                        " bytes; at most " + std::to_string(max) +
                                        " are accepted. The file is damaged or not GGUF.");
        }
        return ok_ ? n : 0;
    }

    double number(GgufKind k) {
        switch (k) {
            case GgufKind::u8:
                return get<std::uint8_t>();
            case GgufKind::i8:
                return get<std::int8_t>();
            case GgufKind::u16:
                return get<std::uint16_t>();
            case GgufKind::i16:
                return get<std::int16_t>();
            case GgufKind::u32:
                return get<std::uint32_t>();
            case GgufKind::i32:
                return get<std::int32_t>();
            case GgufKind::f32:
                return static_cast<double>(get<float>());
            case GgufKind::boolean:
                return get<std::uint8_t>() != 0 ? 1 : 0;
            case GgufKind::u64:
                return static_cast<double>(get<std::uint64_t>());
            case GgufKind::i64:
                return static_cast<double>(get<std::int64_t>());
            case GgufKind::f64:
                return get<double>();
            case GgufKind::string:
            case GgufKind::array:
                break;
        }
        return 0;
    }

    // Whether `n` more elements of lists may be kept.
    bool keep(std::uint64_t n) {
        if (kept_ + n > kMaxGgufKept) return false;
        kept_ += n;
        return true;
    }

  private:
    // Makes `n` bytes (at most the buffer) available at at_.
    bool fill(std::size_t n) {
        std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
        done_ += at_;
        end_ -= at_;
        at_ = 0;
        if (done_ > kMaxGgufHeader) {
            fail({}, "a header of over 1 GiB is not accepted.");
            return false;
        }
        if (!ended_) {
            const std::size_t got = from_.read(buffer_.data() + end_, buffer_.size() - end_);
            ended_ = got < buffer_.size() - end_;
            end_ += got;
        }
        if (end_ >= n) return true;
        h_.truncated = true;
        fail({}, "ends inside the GGUF header, after " + std::to_string(done_ + end_) + " bytes.");
        return false;
    }

    const char* take(std::size_t n) {
        if (!ok_ || (end_ - at_ < n && !fill(n))) return nullptr;
        const char* p = buffer_.data() + at_;
        at_ += n;
        return p;
    }

    ByteSource& from_;
    GgufHeader& h_;
    std::string_view source_;
    std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
    std::size_t at_ = 0, end_ = 0;
    std::uint64_t done_ = 0, kept_ = 0;
    bool ok_ = true, ended_ = false;
};

GgufKind read_kind(Reader& r, const std::string& key) {
    const auto k = r.get<std::uint32_t>();
    if (k < kGgufKinds) return static_cast<GgufKind>(k);
    r.fail(key, "value type " + std::to_string(k) + " of " + key +
                    "; types 0 to 12 are known. The file is damaged or newer than GGUF 3.");
    return GgufKind::u8;
}

void read_list(Reader& r, GgufValue& v) {
    v.element = read_kind(r, v.key);
    v.count = r.get<std::uint64_t>();
    if (!r.ok()) return;
    if (v.element == GgufKind::array) {
        r.fail(v.key, v.key + " is a list of lists, which GGUF readers do not accept.");
        return;
    }
    if (v.element == GgufKind::string) {
        const std::string what = "a text in " + v.key;
        for (std::uint64_t i = 0; i < v.count && r.ok(); ++i) {
            r.text(r.length(what, kMaxGgufString), nullptr, 0);
        }
        return;
    }
    if (v.count <= kMaxGgufList && r.keep(v.count)) {
        for (std::uint64_t i = 0; i < v.count && r.ok(); ++i) v.list.push_back(r.number(v.element));
        return;
    }
    const std::uint64_t each = gguf_kind_bytes(v.element);
    if (v.count > kMaxGgufHeader / each) {
        r.fail(v.key, v.key + " claims " + std::to_string(v.count) +
                          " elements; a header of at most 1 GiB is accepted.");
        return;
    }
    r.text(v.count * each, nullptr, 0);
}

void read_value(Reader& r, GgufValue& v) {
    r.text(r.length("a key", kMaxGgufKey), &v.key, kMaxGgufKey);
    v.kind = read_kind(r, v.key);
    if (!r.ok()) return;
    if (v.kind == GgufKind::array) {
        read_list(r, v);
    } else if (v.kind == GgufKind::string) {
        r.text(r.length("the text of " + v.key, kMaxGgufString), &v.text, 4096);
    } else {
        v.number = r.number(v.kind);
    }
}

void read_tensor(Reader& r, GgufTensor& t) {
    r.text(r.length("a tensor name", kMaxGgufKey), &t.name, kMaxGgufKey);
    t.dims = r.get<std::uint32_t>();
    if (!r.ok()) return;
    if (t.dims > 4) {
        r.fail(t.name, "tensor " + t.name + " has " + std::to_string(t.dims) +
                           " dimensions; at most 4 are accepted.");
        return;
    }
    Count n = 1;
    for (std::uint32_t i = 0; i < t.dims; ++i) {
        t.ne[i] = r.get<std::uint64_t>();
        n *= t.ne[i];
    }
    t.type = r.get<std::uint32_t>();
    t.offset = r.get<std::uint64_t>();
    if (!r.ok()) return;
    const GgmlType* type = ggml_type(t.type);
    const Count bytes = type == nullptr ? Count(0) : ceil_div(n, type->block) * type->bytes;
    if (n.overflow() || bytes.overflow() || n.value() > std::uint64_t{1} << 56) {
        r.fail(t.name, "tensor " + t.name + " has more elements than any memory holds.");
        return;
    }
    t.elements = n.value();
    t.bytes = bytes.value();
}

// Types of forks are sized by where the next tensor begins. The last one in the file stays unknown.
void size_by_offsets(GgufHeader& h) {
    std::vector<std::uint64_t> starts;
    bool needed = false;
    for (const GgufTensor& t : h.tensors) {
        starts.push_back(t.offset);
        needed = needed || (t.bytes == 0 && t.elements != 0);
    }
    if (!needed) return;
    std::sort(starts.begin(), starts.end());
    for (GgufTensor& t : h.tensors) {
        if (t.bytes != 0 || t.elements == 0) continue;
        const auto next = std::upper_bound(starts.begin(), starts.end(), t.offset);
        if (next != starts.end()) t.bytes = *next - t.offset;
    }
}

// The four bytes after "GGUF". Byte-swapped files have their version in the upper bytes.
void check_version(Reader& r, std::uint32_t version) {
    if (!r.ok() || version == 2 || version == 3) return;
    if ((version & 0xffff) == 0 && version != 0) {
        r.fail({},
               "is a big-endian GGUF file; only little-endian ones are read. "
               "llama.cpp's gguf_convert_endian.py converts it.");
    } else {
        r.fail({}, "is GGUF version " + std::to_string(version) + "; versions 2 and 3 are read.");
    }
}

}  // namespace

const GgufValue* GgufHeader::find(std::string_view key) const {
    for (const GgufValue& v : values) {
        if (v.key == key) return &v;
    }
    return nullptr;
}

const GgufTensor* GgufHeader::tensor(std::string_view name) const {
    for (const GgufTensor& t : tensors) {
        if (t.name == name) return &t;
    }
    return nullptr;
}

GgufHeader read_gguf_header(ByteSource& from, std::string_view source) {
    GgufHeader h;
    Reader r(from, h, source);
    const auto magic = r.get<std::array<char, 4>>();
    if (r.ok() && magic != std::array<char, 4>{'G', 'G', 'U', 'F'}) {
        r.fail({}, "does not begin with GGUF: it is no GGUF file.");
    }
    h.version = r.get<std::uint32_t>();
    check_version(r, h.version);
    const auto tensors = r.get<std::uint64_t>();
    const auto values = r.get<std::uint64_t>();
    if (r.ok() && (tensors > kMaxGgufTensors || values > kMaxGgufValues)) {
        r.fail({}, "claims " + std::to_string(tensors) + " tensors and " + std::to_string(values) +
                       " values; at most " + std::to_string(kMaxGgufTensors) + " and " +
                       std::to_string(kMaxGgufValues) + " are accepted.");
    }
    for (std::uint64_t i = 0; i < values && r.ok(); ++i) read_value(r, h.values.emplace_back());
    for (std::uint64_t i = 0; i < tensors && r.ok(); ++i) read_tensor(r, h.tensors.emplace_back());
    if (!r.ok()) return h;
    const GgufValue* a = h.find("general.alignment");
    const std::uint64_t align = a != nullptr && a->number >= 1 && a->number <= 65536
                                    ? static_cast<std::uint64_t>(a->number)
                                    : 32;
    h.data_start = (r.position() + align - 1) / align * align;
    size_by_offsets(h);
    return h;
}

}  // namespace kvgauge
