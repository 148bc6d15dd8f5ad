// SPDX-License-Identifier: MIT
// Door of the CPU backend: decode attention, and the read and copy streams it is compared with, on
// one instruction set and a number of threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "kernels/cpu/isa.h"
#include "kernels/cpu/workers.h"
#include "kernels/problem.h"

namespace kvgauge::kernels::cpu {

class Decoder {
  public:
    Decoder(Isa isa, int threads);

    Isa isa() const { return isa_; }
    int threads() const { return workers_.threads(); }

    // `problem` is one that refusal() accepts. False when `stop` was raised meanwhile: the output
    // is then of no use.
    bool decode(const DecodeProblem& problem, const std::atomic<bool>* stop = nullptr);

    // `bytes` a multiple of 256; each thread takes a piece. read() returns a checksum.
    std::uint64_t read(const unsigned char* from, std::uint64_t bytes);
    void copy(unsigned char* to, const unsigned char* from, std::uint64_t bytes);

  private:
    // One kv head of one sequence, one piece of its keys.
    struct Unit {
        int sequence;
        int kv_head;
        int first;
        int count;
    };
    void cut(const DecodeProblem& problem);
    void run_unit(const DecodeProblem& problem, const Unit& unit, float* query, float* o,
                  float* ml);

    Isa isa_;
    Functions functions_;
    Workers workers_;
    int parts_ = 1;  // pieces of every sequence
    std::vector<Unit> units_;
    std::vector<float> queries_;  // [thread][group][dim]
    std::vector<float> o_;        // [unit][group][dim]
    std::vector<float> ml_;       // [unit][group][2]
};

}  // namespace kvgauge::kernels::cpu
