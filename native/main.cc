// SPDX-License-Identifier: MIT
#include "native/cli.h"

int main(int argc, char** argv) {
    return kvgauge::run_cli(argc, argv);
}
