// SPDX-License-Identifier: MIT
// A few threads that wait for work and run it together. With one thread, and where there are none
// (WASM), the caller does it all.
#pragma once

#include <functional>
#include <memory>

namespace kvgauge::kernels::cpu {

class Workers {
  public:
    explicit Workers(int threads);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    int threads() const { return threads_; }

    // work(0) on the calling thread, work(1) ... on the others; returns when all are done.
    void run(const std::function<void(int)>& work);

    // Processors this process may use; 1 where that is unknown.
    static int available();

  private:
    struct Pool;
    int threads_;
    std::unique_ptr<Pool> pool_;
};

}  // namespace kvgauge::kernels::cpu
