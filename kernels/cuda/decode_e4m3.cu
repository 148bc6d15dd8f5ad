// SPDX-License-Identifier: MIT
#include "kernels/cuda/decode_launch.cuh"

namespace kvgauge::kernels::dev {

DecodeDoor decode_door_e4m3() {
    return decode_door<E4m3>();
}

}  // namespace kvgauge::kernels::dev
