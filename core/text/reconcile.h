// SPDX-License-Identifier: MIT
// Owns: a start-up log against the prediction: the scenario that the log describes, and step by
// step what was predicted, what the log says, and the known cause of a difference.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/catalog.h"
#include "estimate.h"
#include "import/engine_log.h"
#include "model/issue.h"
#include "model/scenario.h"
#include "text/strings.h"

namespace kvgauge {

// Why a printed number differs from the arithmetic.
enum class Cause : std::uint8_t {
    none,            // inside the range
    rounding,        // printed with few decimals
    smallest_rank,   // the line is one rank's; the pool takes the smallest rank
    length_times,    // concurrency times length is printed as the cache size
    dcp_multiplied,  // multiplied by the decode context parallel size
    extra_page,      // the pool holds one page more than the tokens
    block_rounding,  // blocks are rounded up
    stand_in,        // the engine prints a stand-in manager: no bytes are known
    graphs_counted,  // CUDA graphs are taken from the budget by estimate
    graphs_later,    // CUDA graphs come after the budget
    rank_spread,     // ranks differ more than the print shows
    padded_weights,  // kernels pad or shuffle weights
    towers,          // parts beside the language model
    other_gpu,       // the log names no GPU; the scenario's is another, it seems
    unexplained,
};

enum class LogStep : std::uint8_t {
    total,
    usable,
    weights,
    activation,
    other,
    graphs,
    beside,  // what is neither weights nor KV: the parts above and whatever was not printed
    kv,
    bytes_per_token,
    tokens_of_budget,
    blocks_of_budget,
    concurrency_of_budget,
    tokens,
    state,
    window_tokens,
};

struct ReconcileRow {
    LogStep step = LogStep::total;
    bool count = false;  // a number of tokens, blocks or requests; else bytes per GPU
    std::optional<Quantity> predicted;
    std::optional<double> observed;
    bool inside = false;  // observed lies in the predicted range or within the print's rounding
    Cause cause = Cause::none;
};

struct Reconciliation {
    Scenario scenario;                // as the log describes it, over the scenario given
    std::vector<std::string> filled;  // keys that came from the log
    bool model_known = false;         // the log's model is the scenario's
    Issues issues;
    std::vector<ReconcileRow> rows;
    // What the log leaves beside weights and KV, and its KV bytes: to keep in the scenario.
    std::optional<std::uint64_t> overhead, kv_budget;
    std::size_t inside = 0, compared = 0;
};

// `base` keeps what the log does not say. `known`: base names the log's model itself (an imported
// config.json), whatever name the log prints.
Reconciliation reconcile(const Observation&, const Scenario& base, const Catalog&,
                         bool known = false);

std::string_view name(LogStep);  // row id: "log.weights"
std::string label(LogStep, Lang);
std::string sentence(Cause, Lang);  // empty for none

// kvgauge.reconcile/1 of every run of a log.
std::string reconcile_json(const EngineLog&, const Scenario& base, const Catalog&, bool known,
                           std::string_view version, Lang = Lang::en);
// A page of text: per run the scenario in words, the steps and the causes.
std::string reconcile_text(const EngineLog&, const Scenario& base, const Catalog&, bool known,
                           Lang = Lang::en);

}  // namespace kvgauge
