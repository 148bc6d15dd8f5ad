// SPDX-License-Identifier: MIT
#include "native/app.h"

#include <cstdio>

namespace kvgauge {

int run_app(const AppOptions&) {
    std::fputs("kvgauge: this build has no window; use a subcommand (kvgauge help).\n", stderr);
    return 1;
}

}  // namespace kvgauge
