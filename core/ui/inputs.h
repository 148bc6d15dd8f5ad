// SPDX-License-Identifier: MIT
// Owns: the inputs, four groups in the order people think: model, hardware, engine, workload. A dot
// before a label says that the value is not the default, and so stands in the link.
#pragma once
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

inline constexpr float kInputsWidth = 304;
inline constexpr float kInputsHeight = 724;
void inputs(Ui&, Session&, Rect);

// The tensor-parallel row alone, for phones too.
void tp_row(Ui&, Session&, Rect);

std::string model_caption(const Ui&, const ModelSpec&);
std::string gpu_caption(const Ui&, const GpuSpec&);
// "Llama 3 8B · 1 × A100 80GB SXM · vLLM 0.20 · TP 1"
std::string scenario_words(const Ui&, const Session&, std::string_view separator);
std::string short_words(const Session&);  // the same for a narrow line
std::string model_name(const Session&);
std::string engine_name(const Estimate&);

}  // namespace kvgauge::ui
