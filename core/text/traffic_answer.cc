// SPDX-License-Identifier: MIT
#include "text/traffic_answer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "estimate.h"
#include "text/fields.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

constexpr std::size_t kMostLengths = 1'000'000;
constexpr std::uint64_t kLongest = 1'000'000'000;  // tokens, as `ctx`

void refuse(Issues& issues, std::string_view key, std::string text) {
    issues.push_back(
        {Severity::error, std::string(key), std::string(key) + ": " + std::move(text)});
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    constexpr std::string_view kApart = ",;\t ";
    std::size_t at = 0;
    while ((at = line.find_first_not_of(kApart, at)) != std::string_view::npos) {
        const std::size_t end = std::min(line.find_first_of(kApart, at), line.size());
        cells.push_back(line.substr(at, end - at));
        at = end;
    }
    return cells;
}

enum Column : std::size_t { kIn, kOut, kCount, kParts };

std::optional<std::size_t> part_named(std::string_view cell) {
    constexpr std::pair<std::string_view, Column> kNames[] = {
        {"in", kIn},
        {"input", kIn},
        {"prompt", kIn},
        {"input-tokens", kIn},
        {"prompt-tokens", kIn},
        {"out", kOut},
        {"output", kOut},
        {"answer", kOut},
        {"completion", kOut},
        {"output-tokens", kOut},
        {"completion-tokens", kOut},
        {"count", kCount},
        {"weight", kCount},
        {"requests", kCount},
    };
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"') {
        cell = cell.substr(1, cell.size() - 2);
    }
    const std::string name = field_key(cell);
    for (const auto& [known, part] : kNames) {
        if (name == known) return part;
    }
    return std::nullopt;
}

// Columns of the three parts; kParts: none.
using Columns = std::array<std::size_t, kParts>;

bool read_head(const std::vector<std::string_view>& cells, Columns& columns) {
    Columns found;
    found.fill(kParts);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto part = part_named(cells[i]);
        if (part) found[*part] = i;
    }
    if (found[kIn] == kParts && found[kOut] == kParts) return false;
    columns = found;
    return true;
}

bool read_line(const std::vector<std::string_view>& cells, const Columns& columns, LengthPair& p) {
    const auto cell = [&](Column part) -> std::optional<std::string_view> {
        const std::size_t i = columns[part];
        return i < cells.size() ? std::optional(cells[i]) : std::nullopt;
    };
    const auto length = [&](Column part, std::uint32_t& to) {
        if (columns[part] == kParts) return true;
        const auto text = cell(part);
        const auto n = text ? parse_tokens(*text) : std::nullopt;
        if (!n || *n < 1 || *n > kLongest) return false;
        to = static_cast<std::uint32_t>(*n);
        return true;
    };
    if (!length(kIn, p.in) || !length(kOut, p.out)) return false;
    const auto count = cell(kCount);
    if (!count) return true;
    const auto n = parse_real(*count);
    if (!n || !(*n >= 0)) return false;
    p.weight = *n;
    return true;
}

// Lengths beyond what one sequence may have end there.
double cut_at(std::vector<LengthPair>& lengths, std::uint64_t ctx) {
    double cut = 0, all = 0;
    for (LengthPair& p : lengths) {
        all += p.weight;
        if (std::uint64_t{p.in} + p.out <= ctx) continue;
        cut += p.weight;
        const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(ctx, kLongest));
        p.in = std::min(p.in, most - 1);
        p.out = std::min(p.out, most - p.in);
    }
    return all > 0 ? cut / all : 0;
}

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

// Blocks a request can have: vLLM keeps one that stands for nothing (v1/core/block_pool.py,
// null_block).
std::uint64_t usable(const Estimate& e, const CachePlan& p) {
    return p.blocks - (e.engine == EngineId::vllm && p.blocks > 0 ? 1 : 0);
}

double mean_length(const std::vector<LengthPair>& lengths) {
    double sum = 0, steps = 0;
    for (const LengthPair& p : lengths) {
        const double out = p.out;
        sum += p.weight * out * (p.in + out / 2);
        steps += p.weight * out;
    }
    return steps > 0 ? sum / steps : 1;
}

}  // namespace

std::vector<LengthPair> read_lengths(std::string_view text, std::uint64_t in, std::uint64_t out,
                                     Issues& issues) {
    std::vector<LengthPair> lengths;
    Columns columns{kIn, kOut, kCount};
    std::size_t line_number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++line_number;
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        const auto cells = cells_of(line);
        if (cells.empty() || cells[0].front() == '#') continue;
        if (lengths.empty() && read_head(cells, columns)) continue;
        LengthPair p{static_cast<std::uint32_t>(std::min(in, kLongest)),
                     static_cast<std::uint32_t>(std::min(out, kLongest)), 1};
        if (!read_line(cells, columns, p) || lengths.size() == kMostLengths) {
            const bool many = lengths.size() == kMostLengths;
            refuse(issues, "lengths",
                   many ? "more than 1,000,000 lines."
                        : "line " + std::to_string(line_number) + ", " + quoted_text(line) +
                              ": in,out or in,out,count is accepted, tokens from 1 to "
                              "1,000,000,000, or a first line that names the columns.");
            return {};
        }
        if (p.weight > 0) lengths.push_back(p);
    }
    if (lengths.empty()) refuse(issues, "lengths", "no request stands in it.");
    return lengths;
}

std::optional<TrafficAnswer> traffic_answer(const Scenario& s, const TrafficAsked& asked,
                                            const Catalog& catalog, Issues& issues) {
    const auto shape = [](const LengthShape& given, std::uint64_t constant) {
        const bool none = !given.mean && !given.p50 && !given.p95;
        return none ? LengthShape{static_cast<double>(constant), {}, {}} : given;
    };
    TrafficInput input;
    input.seed = asked.seed;
    input.lengths = asked.lengths;
    if (input.lengths.empty()) {
        input.lengths = pairs_of(shape(asked.in, s.in), shape(asked.out, s.out), asked.seed);
        if (input.lengths.empty()) {
            refuse(issues, "lengths",
                   "mean, p50 and p95 contradict each other: p50 is at most mean and p95, p95 at "
                   "most 3.8 times mean, each from 1 token.");
            return std::nullopt;
        }
    }
    if (s.engine == EngineId::llamacpp || s.engine == EngineId::hf) {
        refuse(issues, "engine",
               std::string(display_name(s.engine)) +
                   " does not page its cache: batch.max is its concurrency. vllm, sglang, trtllm, "
                   "tgi, lmdeploy and none are accepted.");
        return std::nullopt;
    }
    const Estimate e = estimate(s, catalog);
    issues.insert(issues.end(), e.issues.begin(), e.issues.end());
    if (has_error(e.issues) || !e.plan || !e.batch) {
        if (!has_error(e.issues)) {
            refuse(issues, "tp", "the engine refuses this scenario; kvgauge check says why.");
        }
        return std::nullopt;
    }
    TrafficAnswer a;
    a.seed = asked.seed;
    a.cut = cut_at(input.lengths, std::max<std::uint64_t>(e.ctx, 2));
    a.at_ctx = e.batch->max;
    a.block_tokens =
        std::max<std::uint64_t>(1, e.plan->block_tokens) * std::max<std::uint64_t>(1, s.dcp);
    a.blocks = usable(e, *e.plan);
    Basis basis = e.batch->max.basis;
    a.even = a.blocks / ceil_div(e.ctx, a.block_tokens) == e.plan->max_requests;
    std::optional<std::uint64_t> low, high;
    if (a.even) {
        if (e.plan_low) low = usable(e, *e.plan_low);
        if (e.plan_high) high = usable(e, *e.plan_high);
    } else {
        // As if every block were worth what it is at the mean length of a request under way.
        Scenario at = s;
        at.ctx = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(std::llround(mean_length(input.lengths))));
        const Estimate mean = estimate(at, catalog, Part::plan);
        if (!mean.plan) return std::nullopt;
        const double per = static_cast<double>(ceil_div(at.ctx, a.block_tokens));
        a.blocks = static_cast<std::uint64_t>(std::floor(mean.plan->max_concurrency * per));
        basis = Basis::assumed;
    }
    input.blocks = a.blocks;
    input.block_tokens = a.block_tokens;
    input.max_seqs = e.plan->max_seqs;
    const auto found = traffic(input);
    if (!found) {
        refuse(issues, "lengths",
               "the longest request needs more than the " + grouped(a.blocks) + " blocks of " +
                   grouped(a.block_tokens) + " tokens that fit.");
        return std::nullopt;
    }
    a.traffic = *found;
    Traffic& t = a.traffic;
    const auto at_blocks = [&](std::uint64_t blocks) {
        const double n = std::floor(static_cast<double>(blocks) / t.blocks_per_request);
        return input.max_seqs != 0 ? std::min(n, static_cast<double>(input.max_seqs)) : n;
    };
    if (low) t.expected.low = at_blocks(*low);
    if (high) t.expected.high = at_blocks(*high);
    t.expected.basis = weaker(t.expected.basis, basis);
    t.at_one_per_cent.basis = weaker(t.at_one_per_cent.basis, basis);
    return a;
}

std::vector<TrafficRow> traffic_rows(const TrafficAnswer& a) {
    const Traffic& t = a.traffic;
    const auto exact = [](double v) { return Quantity{v, {}, {}, Basis::exact}; };
    const Basis blocks = a.even ? Basis::exact : Basis::assumed;
    return {
        {"traffic.concurrency", "1", "Requests at once, expected", t.expected},
        {"traffic.concurrency_1pct", "1", "Requests at once with 1 % preempted", t.at_one_per_cent},
        {"batch.max", "1", "Requests at once, all of ctx tokens", a.at_ctx},
        {"traffic.mean_in", "tokens", "Prompt, mean", exact(t.mean_in)},
        {"traffic.mean_out", "tokens", "Answer, mean", exact(t.mean_out)},
        {"traffic.cut", "1", "Share of requests cut at ctx", exact(a.cut)},
        {"traffic.blocks_per_request",
         "1",
         "Blocks of a request under way, mean",
         {t.blocks_per_request, {}, {}, blocks}},
        {"traffic.longest_blocks",
         "1",
         "Blocks of the longest request",
         {static_cast<double>(t.longest_blocks), {}, {}, blocks}},
        {"engine.block_tokens", "tokens", "Tokens of a block",
         exact(static_cast<double>(a.block_tokens))},
        {"traffic.blocks",
         "1",
         "Blocks for requests",
         {static_cast<double>(a.blocks), {}, {}, weaker(blocks, t.expected.basis)}},
        {"traffic.seed", "1", "Seed", exact(static_cast<double>(a.seed))},
    };
}

}  // namespace kvgauge
