// SPDX-License-Identifier: MIT
// Owns: measuring in a page: its own processor, in slices between frames, since a tab has one
// thread.
#pragma once
#include <memory>

#include "ui/measurer.h"

namespace kvgauge::web {

std::shared_ptr<ui::Measurer> make_page_measurer();

}  // namespace kvgauge::web
