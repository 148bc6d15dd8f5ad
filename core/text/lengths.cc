// SPDX-License-Identifier: MIT
#include "text/lengths.h"

#include <algorithm>
#include <array>

#include "text/fields.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

constexpr std::size_t kMostLengths = 1'000'000;
constexpr std::uint64_t kLongest = 1'000'000'000;  // tokens, as `ctx`

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    constexpr std::string_view kApart = ",;:\t ";
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

}  // namespace

std::vector<LengthPair> read_lengths(std::string_view text, std::uint64_t in, std::uint64_t out,
                                     std::string& why) {
    std::vector<LengthPair> lengths;
    Columns columns{kIn, kOut, kCount};
    std::size_t line_number = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n~"), text.size());
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
            why = lengths.size() == kMostLengths
                      ? std::string("more than 1,000,000 lines.")
                      : "line " + std::to_string(line_number) + ", " + quoted_text(line) +
                            ": in,out or in,out,count is accepted, tokens from 1 to "
                            "1,000,000,000, or a first line that names the columns.";
            return {};
        }
        if (p.weight > 0) lengths.push_back(p);
    }
    if (lengths.empty()) why = "no request stands in it.";
    std::sort(lengths.begin(), lengths.end(), [](const LengthPair& a, const LengthPair& b) {
        return a.in != b.in ? a.in < b.in : a.out < b.out;
    });
    std::size_t kept = 0;
    for (const LengthPair& p : lengths) {
        if (kept != 0 && lengths[kept - 1].in == p.in && lengths[kept - 1].out == p.out) {
            lengths[kept - 1].weight += p.weight;
        } else {
            lengths[kept++] = p;
        }
    }
    lengths.resize(kept);
    return lengths;
}

std::string lengths_text(const std::vector<LengthPair>& lengths) {
    std::string out;
    for (const LengthPair& p : lengths) {
        if (!out.empty()) out += '~';
        out += std::to_string(p.in) + ':' + std::to_string(p.out);
        if (p.weight != 1) out += ':' + plain(p.weight);
    }
    return out;
}

}  // namespace kvgauge
