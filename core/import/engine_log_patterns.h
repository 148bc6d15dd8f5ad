// SPDX-License-Identifier: MIT
// Owns: which texts the log reader looks for, and where it keeps what it read. Internal to the log
// reader. Each engine's file fills one table; an anchor has at least four characters.
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "import/engine_log.h"
#include "import/engine_log_line.h"

namespace kvgauge::engine_log {

// The log so far.
class Runs {
  public:
    Observation& now() { return current_; }
    // A new run begins; the current one is kept if it holds anything.
    void next();
    // Whether the current run's engine has announced itself; lines may come before it.
    bool begun() const { return begun_; }
    void begin() { begun_ = true; }
    // Says which engine speaks. Another engine than before begins a run.
    Observation& of(EngineId);
    // A process names itself "(Worker_TP0 pid=415)": a known name under another id is another run.
    // Answers true when the same speaker has already printed `what` in this run.
    bool repeats(std::string_view text, unsigned what);
    void error(std::string_view text);
    void count_rank(std::uint64_t rank);

    // Whether anything was understood since the last call.
    bool touched() {
        const bool t = touched_;
        touched_ = false;
        return t;
    }
    EngineLog take();

  private:
    struct Speaker {
        std::string name;  // "Worker_TP0"
        std::string id;    // "pid=415"
        unsigned said = 0;
    };
    Observation current_;
    std::vector<Observation> runs_;  // finished
    std::vector<Speaker> speakers_;
    std::uint64_t more_ = 0;
    bool touched_ = false;
    bool begun_ = false;
};

struct Pattern {
    std::string_view anchor;
    void (*read)(Runs&, const Line&);
};

std::span<const Pattern> vllm_patterns();
std::span<const Pattern> sglang_patterns();
std::span<const Pattern> trtllm_patterns();
std::span<const Pattern> llamacpp_patterns();
std::span<const Pattern> ollama_patterns();
std::span<const Pattern> other_patterns();  // LMDeploy, TGI, devices

// Things a speaker says once in a run.
inline constexpr unsigned kSaysAvailable = 1, kSaysTokens = 2, kSaysWeights = 4, kSaysPool = 8;

}  // namespace kvgauge::engine_log
