// SPDX-License-Identifier: MIT
#include "ui/derivation.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>
#include <imgui_internal.h>

#include "text/numbers.h"
#include "ui/button.h"
#include "ui/factors.h"
#include "ui/marks.h"
#include "ui/readout.h"

namespace kvgauge::ui {
namespace {

constexpr float kWidth = 428, kPad = 20;

Str basis_key(Basis b) {
    switch (b) {
        case Basis::exact:
            return Str::ui_basis_exact;
        case Basis::derived:
            return Str::ui_basis_derived;
        case Basis::measured:
            return Str::ui_basis_measured;
        case Basis::assumed:
            return Str::ui_basis_assumed;
    }
    return Str::ui_basis_exact;
}

// Bytes in full: the rounded size stands beside them.
std::string exact_text(const Row& row) {
    return row.unit == "B" ? grouped(number_of(row)) + " B" : value_text(row);
}

float draw_factors(const Ui& u, float x, float y, float w, const std::vector<Factor>& all) {
    float need = 0;
    const auto width = [&](const Factor& f) {
        return std::max(u.width(Face::v20b, f.value), u.width(Face::c12, f.name));
    };
    for (const Factor& f : all) need += width(f);
    const float gap = all.size() > 1 ? (w - need) / static_cast<float>(all.size() - 1) : 0;
    if (gap < 8) return y;  // no room for columns: the formula stands below in one line anyway
    for (std::size_t i = 0; i < all.size(); ++i) {
        const float fw = width(all[i]);
        u.text(x, y, Face::v20b, u.t.text, all[i].value);
        u.text(x, y + 27, Face::c12, u.t.text3, all[i].name);
        if (i + 1 < all.size()) {
            u.text_mid(x + fw + gap * .5f, y + 12, Face::b14, u.t.text3, "×", Align::mid);
        }
        x += fw + gap;
    }
    return y + 58;
}

}  // namespace

void draw_derivation(Ui& base, Session& s, Rect window) {
    OpenDerivation& d = s.derivation;
    if (d.row.empty()) return;
    const Row* row = s.row(d.row);
    if (row == nullptr) {
        d = {};
        return;
    }
    const bool opening = d.opening;
    d.opening = false;
    const std::vector<Factor> factors = row_factors(base, s, d.row);
    const std::string note = row_note(base, s, d.row);
    const float w = std::min(kWidth, window.w - 24);
    const float inner = w - 2 * kPad;
    const bool columns = !factors.empty();
    float h =
        18 + 34 + (columns ? 58 : base.wrap_height(inner, Face::b14, row->derivation) + 8) + 44;
    if (!note.empty()) h += base.wrap_height(inner, Face::c12, note) + 6;
    const std::string range = range_text(*row);
    if (!range.empty()) h += 24;
    h += 40;
    Rect box{d.anchor.x, d.anchor.bottom() + 4, w, h};
    if (box.bottom() > window.bottom() - 12) box.y = d.anchor.y - h - 8;
    box.y = std::max(box.y, 12.0f);
    box.x = std::clamp(box.x, 12.0f, std::max(window.right() - w - 12, 12.0f));

    ImGui::SetNextWindowPos({box.x - 24, box.y - 24});
    ImGui::SetNextWindowSize({box.w + 48, box.h + 48});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, 0u);
    ImGui::Begin("##derivation", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleColor();
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    base.state.items.clear();
    Ui u = base.above();

    u.shadow(box, 10);
    u.fill(box, u.t.raised, 10);
    u.frame(box, u.t.line_strong, 10);
    const float x = box.x + kPad;
    const float right = box.right() - kPad;
    float y = box.y + 18;
    const std::string_view word = u.tr(basis_key(row->basis));
    const float word_x = right - u.width(Face::c12, word);
    u.text(x, y, Face::t16b, u.t.text, u.fit(Face::t16b, row->label, word_x - 24 - x));
    draw_basis(u, word_x - 12, y + 10, row->basis, basis_color(u.t, row->basis));
    u.text(word_x, y + 3, Face::c12, u.t.text2, word);
    y += 34;
    if (columns)
        y = draw_factors(u, x, y, inner, factors);
    else
        y = u.wrap(x, y, inner, Face::b14, u.t.text2, row->derivation) + 8;
    u.hline(x, right, y, u.t.line);
    y += 14;
    u.text(x, y, Face::b14, u.t.text2, "=");
    const std::string exact = exact_text(*row);
    float end = u.text(x + 20, y, Face::b14b, u.t.text, u.fit(Face::b14b, exact, inner - 24));
    if (row->unit == "B" && number_of(*row) >= 1024) {
        const double v = number_of(*row);
        const std::string more = "=  " + binary_size(v) + "  =  " + decimal_size(v);
        if (end + 14 + u.width(Face::b14, more) < right) {
            u.text(end + 14, y, Face::b14, u.t.text2, more);
        }
    }
    y += 30;
    if (!range.empty()) {
        u.text(x, y - 4, Face::c12, u.t.text2, u.tr(Str::ui_why_range, {range}));
        y += 20;
    }
    if (!note.empty()) y = u.wrap(x, y - 2, inner, Face::c12, u.t.text3, note);

    y = box.bottom() - 34;
    float copy_end = x;
    if (link(u, "copy-formula", x, y, Face::b14, u.tr(Str::ui_why_copy_formula), Align::left,
             &copy_end) &&
        s.host.copy_text) {
        s.host.copy_text(row->derivation);
    }
    if (link(u, "copy-value", copy_end + 24, y, Face::b14, u.tr(Str::ui_why_copy_value)) &&
        s.host.copy_text) {
        s.host.copy_text(exact);
    }
    u.text(right, y + 1, Face::c12, u.t.text3, row->id, Align::right);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const bool outside = !box.has(mouse.x, mouse.y) && !d.anchor.has(mouse.x, mouse.y);
    if (!opening && ImGui::IsMouseClicked(0) && outside) d = {};
    ImGui::End();
}

}  // namespace kvgauge::ui
