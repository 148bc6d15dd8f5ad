// SPDX-License-Identifier: MIT
#include "text/render.h"

#include <algorithm>

#include "text/numbers.h"

namespace kvgauge {
namespace {

char32_t next_point(std::string_view s, std::size_t& i) {
    const auto c = static_cast<unsigned char>(s[i]);
    const std::size_t n = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    char32_t p = n == 1 ? c : c & (0xFFU >> (n + 1));
    for (std::size_t k = 1; k < n && i + k < s.size(); ++k) {
        p = (p << 6) | (static_cast<unsigned char>(s[i + k]) & 0x3FU);
    }
    i += n;
    return p;
}

bool wide(char32_t p) {
    return (p >= 0x1100 && p <= 0x115F) || (p >= 0x2E80 && p <= 0xA4CF) ||
           (p >= 0xAC00 && p <= 0xD7A3) || (p >= 0xF900 && p <= 0xFAFF) ||
           (p >= 0xFE30 && p <= 0xFE6F) || (p >= 0xFF00 && p <= 0xFF60);
}

std::string padded(std::string s, std::size_t width, bool right = false) {
    const std::size_t have = display_width(s);
    if (have >= width) return s;
    const std::string blanks(width - have, ' ');
    return right ? blanks + s : s + blanks;
}

bool is_text(const Row& r) {
    return r.unit == "text";
}

std::string raw_value(const Row& r) {
    if (const auto* n = std::get_if<std::uint64_t>(&r.value)) return plain(*n);
    if (const auto* d = std::get_if<double>(&r.value)) return plain(*d);
    return std::get<std::string>(r.value);
}

std::string raw(const std::optional<double>& v) {
    return v ? plain(*v) : std::string();
}

std::string severity_word(Lang l, Severity s) {
    const Str word = s == Severity::error     ? Str::severity_error
                     : s == Severity::warning ? Str::severity_warning
                                              : Str::severity_notice;
    return std::string(text(l, word));
}

std::string indented(std::string_view lines, std::size_t by) {
    std::string out;
    for (char c : lines) {
        out += c;
        if (c == '\n') out.append(by, ' ');
    }
    return out;
}

}  // namespace

std::string full_value_text(const Row& r) {
    std::string out = value_text(r);
    if (r.unit == "B") {
        if (const auto* n = std::get_if<std::uint64_t>(&r.value); n != nullptr && *n >= 1024) {
            out += " (" + grouped(*n) + " B)";
        }
    }
    return out;
}

std::size_t display_width(std::string_view s) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < s.size();) {
        const char32_t p = next_point(s, i);
        if (p >= 0x0300 && p <= 0x036F) continue;
        width += wide(p) ? std::size_t{2} : std::size_t{1};
    }
    return width;
}

std::string render_text(const Report& r, const RenderOptions& o) {
    const char* bold = o.colour ? "\033[1m" : "";
    const char* dim = o.colour ? "\033[2m" : "";
    const char* off = o.colour ? "\033[0m" : "";
    std::string out = bold + r.sentence + off;
    if (!r.range.empty()) out += "  " + (dim + r.range) + off;
    out += '\n';
    if (!r.second.empty()) out += r.second + '\n';
    for (const Issue& i : r.issues) {
        if (i.text != r.second) out += severity_word(o.lang, i.severity) + ": " + i.text + '\n';
    }
    std::size_t labels = 0, values = 0, ranges = 0;
    for (const Row& row : r.rows) {
        labels = std::max(labels, display_width(row.label));
        if (is_text(row)) continue;
        values = std::max(values, display_width(full_value_text(row)));
        ranges = std::max(ranges, display_width(range_text(row)));
    }
    if (!r.rows.empty()) out += '\n';
    for (const Row& row : r.rows) {
        std::string line = padded(row.label, labels + 2);
        if (is_text(row)) {
            line += indented(std::get<std::string>(row.value), labels + 2);
        } else {
            line += padded(full_value_text(row), values + 2);
            line += padded(range_text(row), ranges + 2);
            line += basis_word(o.lang, row.basis);
        }
        while (line.back() == ' ') line.pop_back();
        out += line + '\n';
        if (o.derivations && !row.derivation.empty()) {
            out += std::string(labels + 2, ' ') + dim + row.derivation + off + '\n';
        }
    }
    return out;
}

std::string markdown_cell(std::string_view s) {
    std::string out;
    for (char c : s) {
        if (c == '|' || c == '\\') out += '\\';
        if (c == '\n') {
            out += "<br>";
        } else {
            out += c;
        }
    }
    return out;
}

std::string render_markdown(const Report& r, Lang l, std::string_view words,
                            std::string_view address) {
    std::string out = "**" + r.sentence + "**";
    if (!r.range.empty()) out += " (" + r.range + ")";
    out += '\n';
    if (!r.second.empty()) out += '\n' + r.second + '\n';
    for (const Issue& i : r.issues) {
        if (i.text != r.second) out += "\n> " + severity_word(l, i.severity) + ": " + i.text + '\n';
    }
    const std::string source = address.empty() ? std::string()
                                               : "\n[kvgauge: " + markdown_cell(words) + "](" +
                                                     std::string(address) + ")\n";
    if (r.rows.empty()) return out + source;
    const auto title = [l](Str s) { return std::string(text(l, s)); };
    out += "\n| " + title(Str::title_rows) + " | " + title(Str::title_value) + " | " +
           title(Str::title_range) + " | " + title(Str::title_basis) + " | " +
           title(Str::title_how) + " |\n|---|---|---|---|---|\n";
    for (const Row& row : r.rows) {
        out += "| " + markdown_cell(row.label) + " | " + markdown_cell(full_value_text(row)) +
               " | " + markdown_cell(range_text(row)) + " | " + basis_word(l, row.basis) + " | " +
               markdown_cell(row.derivation) + " |\n";
    }
    return out + source;
}

std::string csv_cell(std::string_view s) {
    if (s.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(s);
    std::string out = "\"";
    for (char c : s) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

std::string render_csv(const Report& r, bool header) {
    std::string out = header ? "id,label,value,unit,basis,low,high,derivation\r\n" : "";
    for (const Row& row : r.rows) {
        out += std::string(row.id) + ',' + csv_cell(row.label) + ',' + csv_cell(raw_value(row)) +
               ',' + std::string(row.unit) + ',' + std::string(name(row.basis)) + ',' +
               raw(row.low) + ',' + raw(row.high) + ',' + csv_cell(row.derivation) + "\r\n";
    }
    return out;
}

}  // namespace kvgauge
