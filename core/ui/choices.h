// SPDX-License-Identifier: MIT
// Owns: what the lists of the inputs hold, and small edits of a scenario that touch more than one
// key.
#pragma once
#include <string>
#include <vector>

#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

std::vector<Option> model_options(const Session&);
std::vector<Option> gpu_options(const Session&);
std::vector<Option> engine_options(const Session&);
std::vector<Option> weight_options(const Session&);
std::vector<Option> kv_options(const Session&);

// KV heads of the model as trained, whatever the what-if says.
std::uint64_t own_kv_heads(const Session&);
std::string util_text(const Session&);

// A tensor-parallel size; a stated number of GPUs that is too small for it is dropped.
void set_tp(Scenario&, std::uint64_t tp);
// A number of GPUs; the tensor-parallel size follows when the group just fills them.
void set_gpus(Scenario&, std::uint64_t gpus);

// Adds `step` of the field's own unit step to the value in effect.
void step_field(Session&, UiState&, std::string_view key, double step);

}  // namespace kvgauge::ui
