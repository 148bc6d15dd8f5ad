// SPDX-License-Identifier: MIT
#include "kernels/cpu/workers.h"

#if !defined(__EMSCRIPTEN__)
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
#if defined(__linux__)
#include <sched.h>
#endif

namespace kvgauge::kernels::cpu {

struct Workers::Pool {
    std::mutex mutex;
    std::condition_variable begin;
    std::condition_variable end;
    const std::function<void(int)>* work = nullptr;
    unsigned round = 0;
    int busy = 0;
    bool stop = false;
    std::vector<std::thread> threads;

    void serve(int index) {
        unsigned seen = 0;
        for (;;) {
            const std::function<void(int)>* todo = nullptr;
            {
                std::unique_lock lock(mutex);
                begin.wait(lock, [&] { return stop || round != seen; });
                if (stop) return;
                seen = round;
                todo = work;
            }
            (*todo)(index);
            const std::lock_guard lock(mutex);
            if (--busy == 0) end.notify_one();
        }
    }
};

Workers::Workers(int threads) : threads_(threads < 1 ? 1 : threads), pool_(new Pool) {
    for (int i = 1; i < threads_; ++i) pool_->threads.emplace_back([this, i] { pool_->serve(i); });
}

Workers::~Workers() {
    {
        const std::lock_guard lock(pool_->mutex);
        pool_->stop = true;
    }
    pool_->begin.notify_all();
    for (std::thread& thread : pool_->threads) thread.join();
}

void Workers::run(const std::function<void(int)>& work) {
    if (threads_ == 1) return work(0);
    {
        const std::lock_guard lock(pool_->mutex);
        pool_->work = &work;
        pool_->busy = threads_ - 1;
        ++pool_->round;
    }
    pool_->begin.notify_all();
    work(0);
    std::unique_lock lock(pool_->mutex);
    pool_->end.wait(lock, [&] { return pool_->busy == 0; });
}

int Workers::available() {
#if defined(__linux__)
    // Containers and taskset narrow this; hardware_concurrency() does not always see it.
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
#endif
    const unsigned count = std::thread::hardware_concurrency();
    return count == 0 ? 1 : static_cast<int>(count);
}

}  // namespace kvgauge::kernels::cpu

#else

namespace kvgauge::kernels::cpu {

struct Workers::Pool {};
Workers::Workers(int) : threads_(1) {}
Workers::~Workers() = default;
void Workers::run(const std::function<void(int)>& work) {
    work(0);
}
int Workers::available() {
    return 1;
}

}  // namespace kvgauge::kernels::cpu

#endif
