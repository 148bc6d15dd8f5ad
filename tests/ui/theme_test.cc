// SPDX-License-Identifier: MIT
// Contrast by WCAG 2.1 (relative luminance, sRGB) and distances for colour-blind eyes: Machado,
// Oliveira, Fernandes 2009 at full strength in linear RGB, then CIE76 in Lab (D65). The expected
// figures are those with which the palette was chosen; distances may be larger, not smaller.
#include "ui/theme.h"

#include <array>
#include <cmath>
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

namespace kvgauge::ui {
namespace {

using Rgb = std::array<double, 3>;

double linear(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

Rgb linear_rgb(Color c) {
    return {linear((c & 255) / 255.0), linear((c >> 8 & 255) / 255.0),
            linear((c >> 16 & 255) / 255.0)};
}

// `c` over an opaque ground.
Rgb over(Color c, Color ground) {
    const double a = (c >> 24) / 255.0;
    Rgb out;
    for (int i = 0; i < 3; ++i) {
        const double top = (c >> (8 * i) & 255) / 255.0;
        const double bottom = (ground >> (8 * i) & 255) / 255.0;
        out[static_cast<std::size_t>(i)] = linear(top * a + bottom * (1 - a));
    }
    return out;
}

double luminance(const Rgb& c) {
    return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}

double contrast(const Rgb& a, const Rgb& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}
double contrast(Color a, Color b) {
    return contrast(linear_rgb(a), linear_rgb(b));
}

constexpr double kMachado[3][3][3] = {
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

Rgb lab(const Rgb& c) {
    const double x = (0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047;
    const double y = 0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2];
    const double z = (0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883;
    const auto f = [](double t) {
        return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    };
    return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

// Distance of the closest pair as an eye of kind 0 protan, 1 deutan, 2 tritan sees it.
double closest(int eye, std::initializer_list<Color> colors) {
    std::vector<Rgb> seen;
    for (const Color c : colors) {
        const Rgb from = linear_rgb(c);
        Rgb to;
        for (std::size_t i = 0; i < 3; ++i) {
            to[i] = 0;
            for (std::size_t j = 0; j < 3; ++j) to[i] += kMachado[eye][i][j] * from[j];
            to[i] = std::fmin(std::fmax(to[i], 0), 1);
        }
        seen.push_back(lab(to));
    }
    double least = 1e9;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        for (std::size_t j = i + 1; j < seen.size(); ++j) {
            least = std::fmin(least, std::hypot(seen[i][0] - seen[j][0], seen[i][1] - seen[j][1],
                                                seen[i][2] - seen[j][2]));
        }
    }
    return least;
}

TEST(Theme, ColorsPackAsImGuiDoes) {
    EXPECT_EQ(rgb(0x112233), 0xFF332211u);
    EXPECT_EQ(rgb(0x112233, 0), 0x00332211u);
    EXPECT_EQ(fade(0x80332211u, .5f), 0x40332211u);
}

TEST(Theme, TextContrastOnTheGround) {
    const Theme& d = dark_theme();
    EXPECT_NEAR(contrast(d.text, d.bg), 15.3, .1);
    EXPECT_NEAR(contrast(d.text2, d.bg), 9.0, .1);
    EXPECT_NEAR(contrast(d.text3, d.bg), 6.0, .1);
    EXPECT_NEAR(contrast(d.accent, d.bg), 8.2, .1);
    EXPECT_NEAR(contrast(d.ok, d.bg), 9.9, .1);
    EXPECT_NEAR(contrast(d.warn, d.bg), 10.7, .1);
    EXPECT_NEAR(contrast(d.bad, d.bg), 7.4, .1);
    const Theme& l = light_theme();
    EXPECT_NEAR(contrast(l.text, l.bg), 18.0, .1);
    EXPECT_NEAR(contrast(l.text2, l.bg), 8.0, .1);
    EXPECT_NEAR(contrast(l.text3, l.bg), 5.3, .1);
    EXPECT_NEAR(contrast(l.accent, l.bg), 6.4, .1);
    EXPECT_NEAR(contrast(l.ok, l.bg), 5.3, .1);
    EXPECT_NEAR(contrast(l.warn, l.bg), 6.4, .1);
    EXPECT_NEAR(contrast(l.bad, l.bg), 7.3, .1);
}

// WCAG AA: 4.5 for text, 3 for the parts of a picture, on every plane they stand on.
TEST(Theme, EveryTextOnEveryPlane) {
    for (const Theme* t : {&dark_theme(), &light_theme()}) {
        for (const Color plane : {t->bg, t->side, t->raised, t->field, t->field_hover}) {
            for (const Color ink :
                 {t->text, t->text2, t->text3, t->accent, t->ok, t->warn, t->bad}) {
                EXPECT_GE(contrast(ink, plane), 4.5)
                    << t->dark << std::hex << " " << ink << " " << plane;
            }
        }
        EXPECT_GE(contrast(t->on_accent, t->accent), 4.5);
        EXPECT_GE(contrast(t->text, t->segment), 4.5);
        EXPECT_GE(contrast(linear_rgb(t->warn), over(t->warn_soft, t->bg)), 4.5);
        EXPECT_GE(contrast(linear_rgb(t->bad), over(t->bad_soft, t->bg)), 4.5);
        EXPECT_GE(contrast(linear_rgb(t->text2), over(t->accent_soft, t->bg)), 4.5);
        EXPECT_GE(contrast(linear_rgb(t->accent), over(t->accent_soft, t->raised)), 4.5);
        for (const Color part :
             {t->weights, t->overhead, t->kv, t->mha, t->gqa, t->mqa, t->limit}) {
            EXPECT_GE(contrast(part, t->bg), 3.0) << std::hex << part;
        }
    }
}

TEST(Theme, SeriesKeepApartForColourBlindEyes) {
    const double dark[3] = {22, 33, 16}, light[3] = {21, 34, 18};
    for (int eye = 0; eye < 3; ++eye) {
        const Theme& d = dark_theme();
        const Theme& l = light_theme();
        EXPECT_GE(closest(eye, {d.mha, d.gqa, d.mqa}), dark[eye] - 1) << eye;
        EXPECT_GE(closest(eye, {l.mha, l.gqa, l.mqa}), light[eye] - 1) << eye;
    }
}

TEST(Theme, VerdictsAndPartsKeepApart) {
    const double verdict_dark[3] = {21, 28, 33}, verdict_light[3] = {20, 15, 35};
    const double part_dark[3] = {36, 35, 22}, part_light[3] = {41, 45, 20};
    for (int eye = 0; eye < 3; ++eye) {
        const Theme& d = dark_theme();
        const Theme& l = light_theme();
        EXPECT_GE(closest(eye, {d.ok, d.warn, d.bad}), verdict_dark[eye] - 1) << eye;
        EXPECT_GE(closest(eye, {l.ok, l.warn, l.bad}), verdict_light[eye] - 1) << eye;
        EXPECT_GE(closest(eye, {d.weights, d.overhead, d.kv}), part_dark[eye] - 1) << eye;
        EXPECT_GE(closest(eye, {l.weights, l.overhead, l.kv}), part_light[eye] - 1) << eye;
    }
}

TEST(Theme, RampRunsAwayFromTheGround) {
    for (const Theme* t : {&dark_theme(), &light_theme()}) {
        double last = 0;
        for (int i = 0; i <= 20; ++i) {
            const double c = contrast(ramp(*t, static_cast<float>(i) / 20), t->bg);
            EXPECT_GE(c, last - 1e-9) << i;
            last = c;
        }
        EXPECT_EQ(ramp(*t, -1), rgb(t->ramp.front()));
        EXPECT_EQ(ramp(*t, 2), rgb(t->ramp.back()));
    }
}

}  // namespace
}  // namespace kvgauge::ui
