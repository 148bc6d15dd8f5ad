// SPDX-License-Identifier: MIT
#include "fiber.h"

#include <sys/mman.h>

#include <cstdlib>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace kvgauge::emulator {

void make_stack(Context& context) {
    void* const memory = mmap(nullptr, fiber_stack_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    context.stack = static_cast<char*>(memory);
}

#if defined(__x86_64__)

extern "C" void kvg_switch_stack(void** from, void* to);
// Only the callee-saved registers: the call itself saves the rest.
asm(R"(
.text
.globl kvg_switch_stack
.type kvg_switch_stack, @function
kvg_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size kvg_switch_stack, .-kvg_switch_stack
)");

void prepare(Context& context, void (*entry)()) {
    // The top word stands for the return address entry() will never use; 16-byte alignment as
    // after a call.
    auto** top = reinterpret_cast<void**>(context.stack + fiber_stack_bytes - 64);
    *--top = nullptr;
    *--top = reinterpret_cast<void*>(entry);
    for (int i = 0; i < 6; ++i) *--top = nullptr;
    context.machine = top;
}

void switch_context(Context& from, Context& to) {
    kvg_switch_stack(&from.machine, to.machine);
}

#else

void prepare(Context& context, void (*entry)()) {
    auto* machine = static_cast<ucontext_t*>(context.machine);
    if (machine == nullptr) context.machine = machine = new ucontext_t;
    getcontext(machine);
    machine->uc_stack.ss_sp = context.stack;
    machine->uc_stack.ss_size = fiber_stack_bytes;
    machine->uc_link = nullptr;
    makecontext(machine, entry, 0);
}

void switch_context(Context& from, Context& to) {
    if (from.machine == nullptr) from.machine = new ucontext_t;
    swapcontext(static_cast<ucontext_t*>(from.machine), static_cast<ucontext_t*>(to.machine));
}

#endif

}  // namespace kvgauge::emulator
