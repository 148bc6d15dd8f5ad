// SPDX-License-Identifier: MIT
// How one row of K or V, seen as bytes, is shared out among the lanes that load it: each lane takes
// 16-byte pieces while they last, then one of 8, 4 and 2 bytes, and the pieces of neighbouring
// lanes lie side by side, so that a warp reads whole 32-byte sectors. The order of dimensions this
// gives is a permutation; it does no harm as long as both factors of a product use the same one.
#pragma once

#include "kernels/cuda/device.h"

namespace kvgauge::kernels::dev {

template <int kLaneBytes, int kLanes>
struct LaneSlices {
    static constexpr int kWords = (kLaneBytes + 3) / 4;

    // First lane byte and size of the piece that lane byte `byte` lies in.
    static constexpr KVG_BOTH int piece_start(int byte) {
        constexpr int whole = kLaneBytes & ~15;
        if (byte < whole) return byte & ~15;
        int start = whole;
        for (int size = 8; size >= 2; size /= 2) {
            if (!(kLaneBytes & size)) continue;
            if (byte < start + size) break;
            start += size;
        }
        return start;
    }
    static constexpr KVG_BOTH int piece_size(int start) {
        const int left = kLaneBytes - start;
        return left >= 16 ? 16 : left >= 8 ? 8 : left >= 4 ? 4 : 2;
    }

    // Where in the row the lane's byte `byte` lies. Pieces before it fill kLanes times their size.
    static constexpr KVG_BOTH int row_byte(int lane, int byte) {
        const int start = piece_start(byte);
        return start * kLanes + lane * piece_size(start) + byte - start;
    }

    template <int kStart = 0>
    static KVG_DEVICE void load(std::uint32_t (&words)[kWords], const unsigned char* row,
                                int lane) {
        if constexpr (kStart < kLaneBytes) {
            constexpr int kSize = piece_size(kStart);
            constexpr int kWord = kStart / 4;
            const unsigned char* p = row + kStart * kLanes + lane * kSize;
            if constexpr (kSize == 16) {
                const Words4 v = stream16(p);
                words[kWord] = v.x;
                words[kWord + 1] = v.y;
                words[kWord + 2] = v.z;
                words[kWord + 3] = v.w;
            } else if constexpr (kSize == 8) {
                const Words2 v = stream8(p);
                words[kWord] = v.x;
                words[kWord + 1] = v.y;
            } else if constexpr (kSize == 4) {
                words[kWord] = stream4(p);
            } else {
                words[kWord] = stream2(p);
            }
            load<kStart + kSize>(words, row, lane);
        }
    }
};

}  // namespace kvgauge::kernels::dev
