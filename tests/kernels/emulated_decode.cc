// SPDX-License-Identifier: MIT
#include "emulated_decode.h"

namespace kvgauge::kernels::dev {
struct F16;
struct Bf16;
struct E4m3;
}  // namespace kvgauge::kernels::dev

namespace kvgauge::testing {

emulator::Result emulate_decode(const kernels::DecodeProblem& problem,
                                const kernels::DecodePlan& plan, const emulator::Options& options) {
    switch (problem.element) {
        case kernels::Element::f16:
            return emulate_decode_as<kernels::dev::F16>(problem, plan, options);
        case kernels::Element::bf16:
            return emulate_decode_as<kernels::dev::Bf16>(problem, plan, options);
        case kernels::Element::e4m3:
            return emulate_decode_as<kernels::dev::E4m3>(problem, plan, options);
    }
    return {};
}

}  // namespace kvgauge::testing
