// SPDX-License-Identifier: MIT
// Owns: the published figures on fewer KV heads, as history: T5 XXL with 64 query heads, time per
// sample on TPU v4 and the mean score over seven tasks. Source: Ainslie, Lee-Thorp, de Jong,
// Zemlyanskiy, Lebron, Sanghai: "GQA: Training Generalized Multi-Query Transformer Models from
// Multi-Head Checkpoints", EMNLP 2023 (arXiv 2305.13245), table 1. Nothing is scaled from them:
// other model, other hardware, other sharding.
#pragma once
#include <array>
#include <string_view>

namespace kvgauge {

struct GqaFigure {
    std::string_view name;
    unsigned kv_heads;
    double seconds;  // per sample
    double score;    // mean of seven tasks
};
inline constexpr std::string_view kGqaModel =
    "T5 XXL, 64 query heads, TPU v4 (Ainslie et al. 2023)";
inline constexpr std::array<GqaFigure, 3> kGqaFigures{{
    {"MHA", 64, 1.51, 47.2},
    {"GQA", 8, 0.28, 47.1},
    {"MQA", 1, 0.24, 46.6},
}};

}  // namespace kvgauge
