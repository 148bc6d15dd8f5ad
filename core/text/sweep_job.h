// SPDX-License-Identifier: MIT
// Owns: a whole sweep from its request to its text, done in pieces, so that a page stays responsive
// and a pipe is fed while it runs.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/sweep.h"
#include "text/sweep_columns.h"

namespace kvgauge {

enum class SweepFormat : std::uint8_t { text, md, csv, json, jsonl };

// A request as it was written.
struct SweepText {
    std::vector<std::pair<std::string, std::string>> keys;  // in their order; several values: axes
    std::string rows;                                       // "id,id"; empty: a choice of them
    std::string where;                                      // conditions
    std::string sort;   // "id", "id:asc", "id:desc"; alone: best first
    std::string price;  // per GPU-hour
    bool pareto = false;
    std::uint64_t limit = 0;  // points written at most; 0: all
    bool single = false;      // a sweep of one point is accepted
};

struct SortKey {
    Column column;
    bool falling = false;
};

struct SweepRequest {
    Scenario base;
    std::vector<Axis> axes;
    std::vector<Column> columns;
    std::vector<Condition> where;
    std::optional<SortKey> sort;
    bool pareto = false;
    std::uint64_t limit = 0;
    Prices prices;
    SweepFormat format = SweepFormat::text;
    Lang lang = Lang::en;
    std::string_view version = "0.1.0";
};

// Most points of one sweep.
inline constexpr std::uint64_t kSweepMost = 1'000'000'000;

// Fills axes, columns, conditions and order of a request whose base is set. False: issues say why.
bool read_sweep(const SweepText&, const Catalog&, SweepRequest&, Issues&);

// Writes points one after another.
class SweepWriter {
  public:
    virtual ~SweepWriter() = default;
    virtual void begin(std::string&) {}
    virtual void point(const Sweep&, std::string&) = 0;
    virtual void end(std::string&) {}
};
// JSON and JSON Lines (sweep_json.cc); text, Markdown and CSV (sweep_table.cc).
std::unique_ptr<SweepWriter> make_json_writer(const SweepRequest&, const Sweep&, const Catalog&);
std::unique_ptr<SweepWriter> make_table_writer(const SweepRequest&, const Sweep&);

bool asks_traffic(const SweepRequest&);

class SweepJob {
  public:
    SweepJob(SweepRequest, const Catalog&);
    // Looks at up to `points` more points and appends what is finished. False: all is done.
    bool advance(std::uint64_t points, std::string& out);
    std::uint64_t total() const { return sweep_.size(); }
    std::uint64_t seen() const { return at_; }
    std::uint64_t written() const { return written_; }

  private:
    bool wanted() const;
    void keep();
    void order();
    void write(std::string& out);

    SweepRequest request_;
    Sweep sweep_;
    std::unique_ptr<SweepWriter> writer_;
    std::uint64_t at_ = 0, written_ = 0;
    bool begun_ = false, ended_ = false, ordered_ = false;
    // Sorted or Pareto: points are chosen first and written afterwards.
    std::vector<std::pair<double, std::uint64_t>> chosen_;
    std::vector<std::uint64_t> order_;
    std::size_t next_ = 0;
    struct Plans;
    std::shared_ptr<Plans> plans_;
};

}  // namespace kvgauge
