// SPDX-License-Identifier: MIT
// Switching between stacks: six pushes and pops on x86-64, ucontext elsewhere.
#pragma once

#include <cstddef>

namespace kvgauge::emulator {

inline constexpr std::size_t fiber_stack_bytes = 256 * 1024;

struct Context {
    void* machine = nullptr;  // stack pointer, or a ucontext_t
    char* stack = nullptr;
};

void make_stack(Context& context);
// The context will start in `entry`, which must never return.
void prepare(Context& context, void (*entry)());
void switch_context(Context& from, Context& to);

}  // namespace kvgauge::emulator
