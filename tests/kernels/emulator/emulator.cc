// SPDX-License-Identifier: MIT
#include "emulator.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <utility>

#include "fiber.h"
#include "kernels/cuda/op_reference.h"

#if defined(KVG_EMULATOR_TSAN)
extern "C" {
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#elif defined(KVG_EMULATOR_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

namespace kvgauge::emulator {
namespace {

namespace ref = kvgauge::kernels::reference;

// ThreadSanitizer learns the order of events from these and from nothing else.
void acquire([[maybe_unused]] void* tag) {
#if defined(KVG_EMULATOR_TSAN)
    __tsan_acquire(tag);
#endif
}
void release([[maybe_unused]] void* tag) {
#if defined(KVG_EMULATOR_TSAN)
    __tsan_release(tag);
#endif
}

enum class State { ready, at_barrier, in_collective, done };

struct Fiber {
    Context context;
    State state = State::done;
    Site site{"", 0};
    Thread thread;
    void* tsan = nullptr;
    void* fake_stack = nullptr;
};

// The lanes of one warp meet in one of two rooms in turn: a fast lane may enter the next collective
// while a slow one still has to fetch its result from the last. The tags alternate likewise, for
// otherwise the fast lane's next release would hide a race from ThreadSanitizer.
struct Room {
    Op op{};
    Site site{"", 0};
    int argument = 0;
    unsigned arrived = 0;
    char tag = 0;
    alignas(16) unsigned char in[32][64];
    alignas(16) unsigned char out[32][64];
};
struct Warp {
    Room rooms[2];
    unsigned generation = 0;
    unsigned lanes = 32;
};

using Touches = std::vector<std::vector<std::uintptr_t>>;  // by thread, in program order

struct Machine {
    std::vector<Fiber> fibers;
    std::vector<Warp> warps;
    Fiber main;
    Fiber* running = nullptr;
    const std::function<void()>* body = nullptr;
    Options options;
    Stats stats;
    std::mt19937 random;
    std::string error;
    unsigned threads = 0;
    unsigned at_barrier = 0;
    unsigned done = 0;
    unsigned barrier_generation = 0;
    char barrier_tags[2] = {};
    char start_tag = 0;
    char end_tag = 0;
    std::map<std::pair<std::string, int>, Touches> touches;
};
Machine machine;

void switch_to(Fiber& to) {
    Fiber& from = *machine.running;
    machine.running = &to;
    ++machine.stats.switches;
#if defined(KVG_EMULATOR_TSAN)
    __tsan_switch_to_fiber(to.tsan, 1);  // 1: the switch itself orders nothing
#elif defined(KVG_EMULATOR_ASAN)
    const bool to_main = &to == &machine.main;
    __sanitizer_start_switch_fiber(&from.fake_stack, to_main ? nullptr : to.context.stack,
                                   to_main ? 0 : fiber_stack_bytes);
#endif
    switch_context(from.context, to.context);
#if defined(KVG_EMULATOR_ASAN)
    __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

void yield() {
    switch_to(machine.main);
}

std::string where(Site site) {
    const char* slash = std::strrchr(site.file, '/');
    return std::string(slash ? slash + 1 : site.file) + ":" + std::to_string(site.line);
}

const char* op_name(Op op) {
    switch (op) {
        case Op::shuffle_xor:
            return "shuffle";
        case Op::any_lane:
            return "vote";
        case Op::transpose:
            return "movmatrix";
        case Op::mma_f16:
            return "mma.f16";
        case Op::mma_bf16:
            return "mma.bf16";
        case Op::matrices:
            return "ldmatrix";
    }
    return "?";
}

// Ends the launch; the fiber that failed never runs again.
[[noreturn]] void fail(const std::string& what) {
    if (machine.error.empty()) {
        const Thread& t = machine.running->thread;
        machine.error = what + " [block " + std::to_string(t.block.x) + "," +
                        std::to_string(t.block.y) + "," + std::to_string(t.block.z) + " thread " +
                        std::to_string(t.linear) + "]";
    }
    machine.running->state = State::done;
    for (;;) yield();
}

template <class T>
T read(const unsigned char (&slot)[64]) {
    static_assert(sizeof(T) <= 64);
    T value;
    std::memcpy(&value, slot, sizeof value);
    return value;
}
template <class T>
void write(unsigned char (&slot)[64], const T& value) {
    static_assert(sizeof(T) <= 64);
    std::memcpy(slot, &value, sizeof value);
}

void perform(Room& room) {
    switch (room.op) {
        case Op::shuffle_xor:
            for (unsigned l = 0; l < 32; ++l)
                std::memcpy(room.out[l], room.in[l ^ static_cast<unsigned>(room.argument)], 4);
            break;
        case Op::any_lane: {
            bool any = false;
            for (const auto& in : room.in) any |= read<bool>(in);
            for (auto& out : room.out) write(out, any);
            break;
        }
        case Op::transpose: {
            ref::Warp32 in;
            for (unsigned l = 0; l < 32; ++l) in[l] = read<std::uint32_t>(room.in[l]);
            const ref::Warp32 out = ref::transpose8x8(in);
            for (unsigned l = 0; l < 32; ++l) write(room.out[l], out[l]);
            break;
        }
        case Op::mma_f16:
        case Op::mma_bf16: {
            ++machine.stats.mmas;
            std::array<ref::MmaLane, 32> lanes;
            for (unsigned l = 0; l < 32; ++l) lanes[l] = read<ref::MmaLane>(room.in[l]);
            if (room.op == Op::mma_f16)
                ref::mma(lanes, kernels::f16_to_f32);
            else
                ref::mma(lanes, kernels::bf16_to_f32);
            for (unsigned l = 0; l < 32; ++l) std::memcpy(room.out[l], lanes[l].d, 16);
            break;
        }
        case Op::matrices: {
            std::array<ref::MatrixRow, 32> rows;
            for (unsigned l = 0; l < 32; ++l) rows[l] = read<ref::MatrixRow>(room.in[l]);
            const auto out = ref::load_matrices(rows, room.argument != 0);
            for (unsigned l = 0; l < 32; ++l) write(room.out[l], out[l]);
            break;
        }
    }
}

bool same(Site a, Site b) {
    return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

void entry() {
#if defined(KVG_EMULATOR_ASAN)
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
    acquire(&machine.start_tag);
    (*machine.body)();
    Fiber& self = *machine.running;
    if (!self.thread.copies.empty())
        fail("asynchronous copies still pending at the end of the kernel");
    release(&machine.end_tag);
    self.state = State::done;
    ++machine.done;
    for (;;) yield();
}

// ThreadSanitizer would take the list's own growth, in one fiber after the other, for a race.
bool auditing() {
#if defined(KVG_EMULATOR_TSAN)
    return false;
#else
    return machine.options.audit;
#endif
}

void count_sectors() {
    for (const auto& [site, threads] : machine.touches) {
        for (unsigned first = 0; first < machine.threads; first += 32) {
            std::size_t most = 0;
            for (unsigned l = first; l < first + 32; ++l) most = std::max(most, threads[l].size());
            for (std::size_t k = 0; k < most; ++k) {
                std::vector<std::uintptr_t> sectors;
                for (unsigned l = first; l < first + 32; ++l)
                    if (k < threads[l].size()) sectors.push_back(threads[l][k] / 32);
                std::sort(sectors.begin(), sectors.end());
                sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
                machine.stats.sectors += sectors.size();
                ++machine.stats.warp_loads;
            }
        }
    }
    machine.touches.clear();
}

void start_block(Dim3 at, Dim3 grid, Dim3 block, unsigned char* shared) {
    machine.at_barrier = machine.done = 0;
    for (Warp& warp : machine.warps) {
        warp.generation = 0;
        for (Room& room : warp.rooms) room.arrived = 0;
    }
    for (unsigned i = 0; i < machine.threads; ++i) {
        Fiber& fiber = machine.fibers[i];
        if (fiber.context.stack == nullptr) make_stack(fiber.context);
#if defined(KVG_EMULATOR_TSAN)
        if (fiber.tsan == nullptr) fiber.tsan = __tsan_create_fiber(0);
#endif
        prepare(fiber.context, entry);
        fiber.state = State::ready;
        fiber.thread = Thread{{i % block.x, i / block.x % block.y, i / (block.x * block.y)},
                              at,
                              block,
                              grid,
                              i,
                              shared,
                              0,
                              {}};
    }
}

void wake(State from) {
    for (unsigned i = 0; i < machine.threads; ++i)
        if (machine.fibers[i].state == from) machine.fibers[i].state = State::ready;
}

std::string deadlock() {
    std::map<std::string, int> waiting;
    for (unsigned i = 0; i < machine.threads; ++i)
        if (machine.fibers[i].state != State::done) ++waiting[where(machine.fibers[i].site)];
    std::string text = "deadlock:";
    for (const auto& [place, count] : waiting)
        text += " " + std::to_string(count) + " threads at " + place + ";";
    return text;
}

void run_block() {
    std::vector<unsigned> ready;
    while (machine.done < machine.threads && machine.error.empty()) {
        ready.clear();
        for (unsigned i = 0; i < machine.threads; ++i)
            if (machine.fibers[i].state == State::ready) ready.push_back(i);
        if (ready.empty()) {
            if (machine.at_barrier == machine.threads) {
                machine.at_barrier = 0;
                ++machine.barrier_generation;
                wake(State::at_barrier);
                continue;
            }
            machine.error =
                machine.at_barrier > 0 && machine.at_barrier + machine.done == machine.threads
                    ? "barrier reached by a part of the block only"
                    : deadlock();
            return;
        }
        if (machine.options.schedule == Schedule::reverse)
            std::reverse(ready.begin(), ready.end());
        else if (machine.options.schedule != Schedule::forward)
            std::shuffle(ready.begin(), ready.end(), machine.random);
        if (machine.options.schedule == Schedule::random_each_switch) ready.resize(1);
        for (const unsigned i : ready) {
            if (machine.fibers[i].state == State::ready) switch_to(machine.fibers[i]);
            if (!machine.error.empty()) return;
        }
    }
}

}  // namespace

Thread& current() {
    return machine.running->thread;
}

void barrier(Site site) {
    ++machine.stats.barriers;
    char* const tag = &machine.barrier_tags[machine.barrier_generation % 2];
    release(tag);
    ++machine.at_barrier;
    machine.running->state = State::at_barrier;
    machine.running->site = site;
    yield();
    acquire(tag);
}

void collective(Op op, Site site, int argument, const void* in, std::size_t in_bytes, void* out,
                std::size_t out_bytes) {
    Fiber& self = *machine.running;
    const unsigned lane = self.thread.linear % 32;
    Warp& warp = machine.warps[self.thread.linear / 32];
    Room& room = warp.rooms[warp.generation % 2];
    ++machine.stats.collectives;
    if (room.arrived == 0) {
        room.op = op;
        room.site = site;
        room.argument = argument;
    } else if (room.op != op || room.argument != argument || !same(room.site, site)) {
        fail(std::string("warp divergence: ") + op_name(op) + " at " + where(site) +
             " while other lanes are at " + op_name(room.op) + " at " + where(room.site));
    }
    std::memcpy(room.in[lane], in, in_bytes);
    release(&room.tag);
    if (++room.arrived == warp.lanes) {
        perform(room);
        room.arrived = 0;
        ++warp.generation;
        const unsigned first = self.thread.linear - lane;
        for (unsigned i = first; i < first + warp.lanes; ++i)
            if (machine.fibers[i].state == State::in_collective)
                machine.fibers[i].state = State::ready;
    } else {
        self.state = State::in_collective;
        self.site = site;
        yield();
    }
    acquire(&room.tag);
    std::memcpy(out, room.out[lane], out_bytes);
}

void touch(Access access, Site site, const void* address, unsigned bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    if (at % bytes != 0)
        fail("misaligned " + std::to_string(bytes) + "-byte access at " + where(site));
    if (access == Access::store) {
        machine.stats.stored_bytes += bytes;
        return;
    }
    machine.stats.loaded_bytes += bytes;
    if (access == Access::stream) machine.stats.streamed_bytes += bytes;
    if (auditing() && bytes == 16) {
        Touches& touches = machine.touches[{site.file, site.line}];
        touches.resize(machine.threads);
        touches[machine.running->thread.linear].push_back(at);
    }
}

Result run(Dim3 grid, Dim3 block, std::size_t shared_bytes, const std::function<void()>& body,
           const Options& options) {
    machine.body = &body;
    machine.options = options;
    machine.stats = {};
    machine.random.seed(options.seed);
    machine.error.clear();
    machine.touches.clear();
    machine.threads = block.x * block.y * block.z;
    machine.running = &machine.main;
    if (machine.threads % 32 != 0) return {"blocks must be whole warps", {}};
    if (machine.fibers.size() < machine.threads) machine.fibers.resize(machine.threads);
    machine.warps.resize(machine.threads / 32);
#if defined(KVG_EMULATOR_TSAN)
    if (machine.main.tsan == nullptr) machine.main.tsan = __tsan_get_current_fiber();
#endif
    std::vector<Dim3> blocks = options.only;
    if (blocks.empty()) {
        for (unsigned z = 0; z < grid.z; ++z)
            for (unsigned y = 0; y < grid.y; ++y)
                for (unsigned x = 0; x < grid.x; ++x) blocks.push_back({x, y, z});
    }
    // Nothing orders one block after another for ThreadSanitizer, as nothing does on a GPU: a race
    // between blocks over global memory is a race. Each block has its own shared memory, of the
    // exact size (a rounded-up one hides overruns) and full of NaN.
    std::vector<void*> shared;
    for (const Dim3 at : blocks) {
        void* memory = nullptr;
        if (posix_memalign(&memory, 128, shared_bytes ? shared_bytes : 1) != 0) std::abort();
        std::memset(memory, 0xff, shared_bytes);
        shared.push_back(memory);
        release(&machine.start_tag);  // after the allocation, which counts as a write of this thread
        start_block(at, grid, block, static_cast<unsigned char*>(memory));
        run_block();
        if (auditing()) count_sectors();
        if (!machine.error.empty()) break;
#if !defined(KVG_EMULATOR_TSAN)
        std::free(memory);
        shared.pop_back();
#endif
    }
    acquire(&machine.end_tag);
    for (void* const memory : shared) std::free(memory);
    return {machine.error, machine.stats};
}

}  // namespace kvgauge::emulator
