// SPDX-License-Identifier: MIT
// A SIMT machine in one host thread: every CUDA thread of a block is a fiber, warps meet at
// collective operations, blocks run one after another, in an order that can be turned round or
// drawn at random. Kernels are compiled as ordinary C++ (emulated_device.h), so AddressSanitizer
// and ThreadSanitizer see them; this engine itself is compiled without sanitizers and tells them
// about fibers and barriers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kvgauge::emulator {

struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
};

struct PendingCopy {
    void* to;
    const void* from;
    int group;
};

// The CUDA thread that runs now.
struct Thread {
    Dim3 index, block, block_dim, grid_dim;
    unsigned linear = 0;
    unsigned char* shared = nullptr;
    int copy_group = 0;  // asynchronous copies: the group being filled
    std::vector<PendingCopy> copies;
};

// Where a kernel calls in. Two collectives on one line with equal arguments look like one call.
struct Site {
    const char* file;
    int line;
};

enum class Op { shuffle_xor, any_lane, transpose, mma_f16, mma_bf16, matrices };
enum class Access { load, stream, store };  // stream: bytes meant to be used once

Thread& current();
void collective(Op op, Site site, int argument, const void* in, std::size_t in_bytes, void* out,
                std::size_t out_bytes);
void barrier(Site site);
void touch(Access access, Site site, const void* address, unsigned bytes);

enum class Schedule { forward, reverse, random, random_each_switch };

struct Options {
    Schedule schedule = Schedule::forward;
    std::uint32_t seed = 1;
    bool audit = false;      // count the 32-byte sectors of every warp-wide load
    std::vector<Dim3> only;  // blocks to run; empty: all
};

struct Stats {
    std::uint64_t switches = 0, barriers = 0, collectives = 0, mmas = 0;
    std::uint64_t loaded_bytes = 0, streamed_bytes = 0, stored_bytes = 0;  // loaded: all of them
    std::uint64_t warp_loads = 0, sectors = 0;  // of loads of 16 bytes a lane, with audit
};

struct Result {
    std::string error;  // empty: ran to the end
    Stats stats;
};

Result run(Dim3 grid, Dim3 block, std::size_t shared_bytes, const std::function<void()>& body,
           const Options& options);

}  // namespace kvgauge::emulator
