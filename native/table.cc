// SPDX-License-Identifier: MIT
#include "native/table.h"

#include <algorithm>

#include "text/numbers.h"
#include "text/render.h"

namespace kvgauge {
namespace {

bool is_number(const std::string& s) {
    return !s.empty() && s.find_first_not_of("0123456789.e+-") == std::string::npos &&
           parse_real(s).has_value();
}

std::string json_string(std::string_view s) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out = "\"";
    for (char c : valid_utf8(s)) {
        const auto u = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (u < 0x20) {
            out += "\\u00";
            out += kHex[u >> 4];
            out += kHex[u & 15];
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string json_object(const Table& t, const std::vector<std::string>& row) {
    std::string out = "{";
    for (std::size_t i = 0; i < t.columns.size(); ++i) {
        if (i != 0) out += ',';
        out += json_string(t.columns[i]) + ':';
        out += row[i].empty() ? "null" : is_number(row[i]) ? row[i] : json_string(row[i]);
    }
    return out + '}';
}

std::string json_text(const Table& t, bool lines) {
    std::string out = lines ? "" : "[";
    bool first = true;
    for (const auto& row : t.rows) {
        if (!lines) out += first ? "\n  " : ",\n  ";
        first = false;
        out += json_object(t, row);
        if (lines) out += '\n';
    }
    return lines ? out : out + "\n]\n";
}

std::string csv_text(const Table& t) {
    std::string out;
    const auto line = [&out](const std::vector<std::string>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            out += (i != 0 ? "," : "") + csv_cell(cells[i]);
        out += "\r\n";
    };
    line(t.columns);
    for (const auto& row : t.rows) line(row);
    return out;
}

std::string markdown_text(const Table& t) {
    std::string out;
    const auto line = [&out](const std::vector<std::string>& cells) {
        out += '|';
        for (const std::string& c : cells) out += ' ' + markdown_cell(c) + " |";
        out += '\n';
    };
    line(t.columns);
    out += '|';
    for (std::size_t i = 0; i < t.columns.size(); ++i) out += "---|";
    out += '\n';
    for (const auto& row : t.rows) line(row);
    return out;
}

std::string aligned_text(const Table& t) {
    std::vector<std::size_t> widths;
    for (const std::string& c : t.columns) widths.push_back(display_width(c));
    for (const auto& row : t.rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], display_width(row[i]));
    }
    std::string out;
    const auto line = [&](const std::vector<std::string>& cells) {
        std::string text;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string blanks(widths[i] - display_width(cells[i]), ' ');
            text += is_number(cells[i]) ? blanks + cells[i] : cells[i] + blanks;
            text += "  ";
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + '\n';
    };
    line(t.columns);
    for (const auto& row : t.rows) line(row);
    return out;
}

}  // namespace

std::string table_text(const Table& t, Format f) {
    switch (f) {
        case Format::json:
            return json_text(t, false);
        case Format::jsonl:
            return json_text(t, true);
        case Format::csv:
            return csv_text(t);
        case Format::md:
            return markdown_text(t);
        case Format::svg:  // no table has one; the command line refuses it
        case Format::text:
            break;
    }
    return aligned_text(t);
}

}  // namespace kvgauge
