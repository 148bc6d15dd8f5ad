// SPDX-License-Identifier: MIT
// From run-time values to template arguments, once for the launcher and for the emulator's tests.
// `Call` is a functor with template <class Element, int kDim, int kHeadTiles, bool kPaged>
// operator()() const; false is returned where no kernel exists for the values.
#pragma once

#include "kernels/cuda/element.h"

namespace kvgauge::kernels::dev {

template <class Element, int kDim, class Call>
bool dispatch_tiles(int head_tiles, bool paged, const Call& call) {
    if (head_tiles == 1) {
        if (paged)
            call.template operator()<Element, kDim, 1, true>();
        else
            call.template operator()<Element, kDim, 1, false>();
        return true;
    }
    if constexpr (kDim <= 128) {
        if (head_tiles == 2) {
            if (paged)
                call.template operator()<Element, kDim, 2, true>();
            else
                call.template operator()<Element, kDim, 2, false>();
            return true;
        }
    }
    return false;
}

template <class Element, class Call>
bool dispatch_decode(int head_dim, int head_tiles, bool paged, const Call& call) {
    switch (head_dim) {
        case 64:
            return dispatch_tiles<Element, 64>(head_tiles, paged, call);
        case 80:
            return dispatch_tiles<Element, 80>(head_tiles, paged, call);
        case 96:
            return dispatch_tiles<Element, 96>(head_tiles, paged, call);
        case 128:
            return dispatch_tiles<Element, 128>(head_tiles, paged, call);
        case 256:
            return dispatch_tiles<Element, 256>(head_tiles, paged, call);
        default:
            return false;
    }
}

}  // namespace kvgauge::kernels::dev
