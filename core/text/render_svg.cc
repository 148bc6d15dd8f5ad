// SPDX-License-Identifier: MIT
// A card of 640 px: scenario, answer, the memory of one GPU to scale, four read-outs. For documents
// that take an image and no script; follows the reader's light or dark. No font is carried.
#include <algorithm>
#include <array>

#include "text/numbers.h"
#include "text/render.h"

namespace kvgauge {
namespace {

constexpr double kWidth = 592;  // of the bar, at 24 px from the left

std::string escaped(std::string_view s) {
    std::string out;
    for (char c : s) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                // Control characters are no XML.
                if (static_cast<unsigned char>(c) >= 0x20) out += c;
        }
    }
    return out;
}

double number(const Report& r, std::string_view id) {
    const Row* row = r.find(id);
    if (row == nullptr) return 0;
    if (const auto* n = std::get_if<std::uint64_t>(&row->value)) return static_cast<double>(*n);
    if (const auto* d = std::get_if<double>(&row->value)) return *d;
    return 0;
}

// Tenths of a pixel.
std::string px(double x) {
    return plain(static_cast<double>(static_cast<long long>(x * 10 + 0.5)) / 10);
}

std::string text_at(double x, double y, std::string_view kind, std::string_view words) {
    return "<text x=\"" + px(x) + "\" y=\"" + px(y) + "\" class=\"" + std::string(kind) + "\">" +
           escaped(words) + "</text>\n";
}

std::string bar(const Report& r, double y) {
    const double weights = number(r, "weights.bytes_per_gpu");
    const double overhead = number(r, "budget.overhead_bytes");
    const double kv = number(r, "budget.kv_bytes");
    const double total = number(r, "budget.gpu_bytes");
    const double scale = std::max(total, weights + overhead + kv);
    if (total <= 0 || weights <= 0) return {};
    std::string out;
    double at = 0;
    const auto part = [&](double bytes, std::string_view kind) {
        if (bytes <= 0) return;
        out += "<rect x=\"" + px(24 + at / scale * kWidth) + "\" y=\"" + px(y) + "\" width=\"" +
               px(bytes / scale * kWidth) + "\" height=\"20\" class=\"" + std::string(kind) +
               "\"/>\n";
        at += bytes;
    };
    part(weights, "w");
    part(overhead, "o");
    part(kv, "k");
    part(total - at, "f");
    if (scale > total) {
        out += "<rect x=\"" + px(24 + total / scale * kWidth - 1) + "\" y=\"" + px(y - 4) +
               "\" width=\"2\" height=\"28\" class=\"l\"/>\n";
    }
    return out;
}

}  // namespace

std::string render_svg(const Report& r, std::string_view words) {
    constexpr std::array<std::string_view, 4> kShown{"kv.bytes_per_token", "kv.bytes_per_request",
                                                     "weights.bytes_per_gpu", "decode.tpot_s"};
    std::string out =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" height=\"190\" "
        "viewBox=\"0 0 640 190\" role=\"img\">\n<title>" +
        escaped(std::string(words) + ". " + r.sentence) +
        "</title>\n<style>text{font-family:Inter,system-ui,sans-serif;fill:#12171f}"
        ".s{font-size:12px;fill:#616c7b}.a{font-size:22px;font-weight:600}"
        ".v{font-size:16px;font-weight:600}.c{fill:#fff;stroke:#e3e6eb}.w{fill:#66788f}"
        ".o{fill:#b98418}.k{fill:#2f78dc}.f{fill:#e7eaef}.l{fill:#a81c2c}"
        "@media(prefers-color-scheme:dark){text{fill:#e9edf3}.s{fill:#8b96a5}"
        ".c{fill:#13171d;stroke:#252c36}.w{fill:#75869e}.o{fill:#d6a94f}.k{fill:#4288e2}"
        ".f{fill:#2a323d}.l{fill:#ff8170}}</style>\n"
        "<rect x=\".5\" y=\".5\" width=\"639\" height=\"189\" rx=\"8\" class=\"c\"/>\n";
    out += text_at(24, 32, "s", words);
    out += text_at(24, 64, "a", r.sentence + (r.range.empty() ? "" : "  " + r.range));
    out += bar(r, 84);
    double x = 24;
    for (const std::string_view id : kShown) {
        const Row* row = r.find(id);
        if (row == nullptr) continue;
        out += text_at(x, 138, "s", row->label) + text_at(x, 160, "v", value_text(*row));
        x += 152;
    }
    return out + "</svg>\n";
}

}  // namespace kvgauge
