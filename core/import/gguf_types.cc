// SPDX-License-Identifier: MIT
#include "import/gguf_types.h"

#include <array>

namespace kvgauge {
namespace {

constexpr std::array kTypes{
    GgmlType{0, "f32", 1, 4},           GgmlType{1, "f16", 1, 2},
    GgmlType{2, "q4_0", 32, 18},        GgmlType{3, "q4_1", 32, 20},
    GgmlType{6, "q5_0", 32, 22},        GgmlType{7, "q5_1", 32, 24},
    GgmlType{8, "q8_0", 32, 34},        GgmlType{9, "q8_1", 32, 36},
    GgmlType{10, "q2_K", 256, 84},      GgmlType{11, "q3_K", 256, 110},
    GgmlType{12, "q4_K", 256, 144},     GgmlType{13, "q5_K", 256, 176},
    GgmlType{14, "q6_K", 256, 210},     GgmlType{15, "q8_K", 256, 292},
    GgmlType{16, "iq2_xxs", 256, 66},   GgmlType{17, "iq2_xs", 256, 74},
    GgmlType{18, "iq3_xxs", 256, 98},   GgmlType{19, "iq1_s", 256, 50},
    GgmlType{20, "iq4_nl", 32, 18},     GgmlType{21, "iq3_s", 256, 110},
    GgmlType{22, "iq2_s", 256, 82},     GgmlType{23, "iq4_xs", 256, 136},
    GgmlType{24, "i8", 1, 1},           GgmlType{25, "i16", 1, 2},
    GgmlType{26, "i32", 1, 4},          GgmlType{27, "i64", 1, 8},
    GgmlType{28, "f64", 1, 8},          GgmlType{29, "iq1_m", 256, 56},
    GgmlType{30, "bf16", 1, 2},         GgmlType{31, "q4_0_4_4", 32, 18},
    GgmlType{32, "q4_0_4_8", 32, 18},   GgmlType{33, "q4_0_8_8", 32, 18},
    GgmlType{34, "tq1_0", 256, 54},     GgmlType{35, "tq2_0", 256, 66},
    GgmlType{36, "iq4_nl_4_4", 32, 18}, GgmlType{37, "iq4_nl_4_8", 32, 18},
    GgmlType{38, "iq4_nl_8_8", 32, 18}, GgmlType{39, "mxfp4", 32, 17},
    GgmlType{40, "nvfp4", 64, 36},      GgmlType{41, "q1_0", 128, 18},
    GgmlType{42, "q2_0", 64, 18},
};

struct FileType {
    std::uint8_t id;
    WeightKind kind;
};
constexpr std::array kFileTypes{
    FileType{0, WeightKind::fp32},    FileType{1, WeightKind::fp16},
    FileType{2, WeightKind::q4_0},    FileType{3, WeightKind::q4_1},
    FileType{7, WeightKind::q8_0},    FileType{8, WeightKind::q5_0},
    FileType{9, WeightKind::q5_1},    FileType{10, WeightKind::q2_k},
    FileType{11, WeightKind::q3_k_s}, FileType{12, WeightKind::q3_k_m},
    FileType{13, WeightKind::q3_k_l}, FileType{14, WeightKind::q4_k_s},
    FileType{15, WeightKind::q4_k_m}, FileType{16, WeightKind::q5_k_s},
    FileType{17, WeightKind::q5_k_m}, FileType{18, WeightKind::q6_k},
    FileType{25, WeightKind::iq4_nl}, FileType{30, WeightKind::iq4_xs},
    FileType{32, WeightKind::bf16},   FileType{38, WeightKind::mxfp4},
    FileType{39, WeightKind::nvfp4},
};

constexpr std::array<std::string_view, kGgufKinds> kKinds{
    "u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "string", "array", "u64", "i64", "f64"};
constexpr std::array<std::uint32_t, kGgufKinds> kKindBytes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

}  // namespace

std::span<const GgmlType> ggml_types() {
    return kTypes;
}

const GgmlType* ggml_type(std::uint32_t id) {
    for (const GgmlType& t : kTypes) {
        if (t.id == id) return &t;
    }
    return nullptr;
}

std::uint32_t gguf_kind_bytes(GgufKind k) {
    return kKindBytes[static_cast<std::uint32_t>(k)];
}

std::string_view name(GgufKind k) {
    return kKinds[static_cast<std::uint32_t>(k)];
}

std::optional<WeightKind> gguf_file_type(std::uint64_t id) {
    for (const FileType& f : kFileTypes) {
        if (f.id == id) return f.kind;
    }
    return std::nullopt;
}

}  // namespace kvgauge
