// SPDX-License-Identifier: MIT
// How one row of K or V, seen as bytes, is shared out among the lanes that load it: each lane takes
// 16-byte pieces while they last, then one of 8, 4 and 2 bytes, and the pieces of neighbouring
// lanes lie side by side, so that a warp reads whole 32-byte sectors. The order of dimensions this
// gives is a permutation; it does no harm as long as both factors of a product use the same one.
#pragma once

#include "kernels/cuda/device.h"

namespace kvgauge::kernels::dev {

// Where a row lies. Streamed: global memory, used once. Shared: shared memory.
struct Streamed {
    static KVG_DEVICE Words4 get16(const void* p) { return stream16(p); }
    static KVG_DEVICE Words2 get8(const void* p) { return stream8(p); }
    static KVG_DEVICE std::uint32_t get4(const void* p) { return stream4(p); }
    static KVG_DEVICE std::uint32_t get2(const void* p) { return stream2(p); }
};
struct Shared {
    static KVG_DEVICE Words4 get16(const void* p) { return *static_cast<const Words4*>(p); }
    static KVG_DEVICE Words2 get8(const void* p) { return *static_cast<const Words2*>(p); }
    static KVG_DEVICE std::uint32_t get4(const void* p) {
        return *static_cast<const std::uint32_t*>(p);
    }
    static KVG_DEVICE std::uint32_t get2(const void* p) {
        return *static_cast<const std::uint16_t*>(p);
    }
};

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

    template <class Memory, int kStart = 0>
    static KVG_DEVICE void load(std::uint32_t (&words)[kWords], const unsigned char* row,
                                int lane) {
        if constexpr (kStart < kLaneBytes) {
            constexpr int kSize = piece_size(kStart);
            constexpr int kWord = kStart / 4;
            const unsigned char* p = row + kStart * kLanes + lane * kSize;
            if constexpr (kSize == 16) {
                const Words4 v = Memory::get16(p);
                words[kWord] = v.x;
                words[kWord + 1] = v.y;
                words[kWord + 2] = v.z;
                words[kWord + 3] = v.w;
            } else if constexpr (kSize == 8) {
                const Words2 v = Memory::get8(p);
                words[kWord] = v.x;
                words[kWord + 1] = v.y;
            } else if constexpr (kSize == 4) {
                words[kWord] = Memory::get4(p);
            } else {
                words[kWord] = Memory::get2(p);
            }
            load<Memory, kStart + kSize>(words, row, lane);
        }
    }
};

}  // namespace kvgauge::kernels::dev
