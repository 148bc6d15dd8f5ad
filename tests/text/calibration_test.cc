// SPDX-License-Identifier: MIT
// A calibration in a link: few digits, and what is in effect is what travels.
#include "text/calibration.h"

#include <gtest/gtest.h>

#include "data/catalog.h"
#include "estimate.h"
#include "text/json.h"
#include "text/link.h"
#include "text/report.h"

namespace kvgauge {
namespace {

Calibration measured() {
    Calibration c;
    c.device = "NVIDIA A100-SXM4-80GB";
    c.e_w = 0.912345;
    c.e_kv = 0.7611;
    c.t0 = 2.63049e-5;
    c.residual = 0.0531;
    return c;
}

TEST(CalibrationText, FourDigitsAndTheDevice) {
    EXPECT_EQ(calibration_text(measured()),
              "on:NVIDIA A100-SXM4-80GB,e_w:0.9123,e_kv:0.7611,t0:2.63e-05,residual:0.0531");
    EXPECT_EQ(calibration_text({}), "");
    Calibration nameless = measured();
    nameless.device = "";
    EXPECT_EQ(calibration_text(nameless).substr(0, 4), "e_w:");
}

TEST(CalibrationText, ReadsBackWhatWasCarried) {
    const Calibration c = carried(measured());
    std::string why;
    EXPECT_EQ(parse_calibration_text(calibration_text(c), why), c);
    EXPECT_EQ(carried(c), c);
    EXPECT_EQ(c.e_w, 0.9123);
    // A device's name cannot break the text.
    Calibration odd = c;
    odd.device = "a,b:c\nd";
    const auto back = parse_calibration_text(calibration_text(odd), why);
    ASSERT_TRUE(back) << why;
    EXPECT_EQ(back->e_kv, c.e_kv);
    EXPECT_EQ(back->device, "a b c d");
}

TEST(CalibrationText, NamesWhatIsWrong) {
    for (const char* bad : {"", "e_w", "e_w:", "e_w:x", "e_w:-1", "e_w:11", "speed:1", "on:me",
                            "e_w:nan", "e_w:1e999", "cal.json", "C:\\cal.json"}) {
        std::string why;
        EXPECT_FALSE(parse_calibration_text(bad, why)) << bad;
        EXPECT_FALSE(why.empty()) << bad;
    }
}

TEST(CalibrationLink, TravelsAndMarksTheRowsMeasured) {
    const Catalog& catalog = builtin_catalog();
    Scenario s;
    s.calibration = carried(measured());
    const std::string link = format_link(s);
    EXPECT_NE(link.find("calibration=on:NVIDIA%20A100-SXM4-80GB,e_w:0.9123"), link.npos) << link;
    const Link back = parse_link(link, catalog);
    EXPECT_TRUE(back.notices.empty());
    EXPECT_EQ(back.scenario, s);

    const Estimate with = estimate(s, catalog), without = estimate(Scenario{}, catalog);
    const Report r = report(s, with, Lang::en);
    for (const char* id : {"decode.tpot_s", "decode.tokens_per_s", "prefill.ttft_s"}) {
        ASSERT_NE(r.find(id), nullptr) << id;
        EXPECT_EQ(r.find(id)->basis, Basis::measured) << id;
    }
    // Memory is no matter of speed.
    EXPECT_NE(r.find("batch.max")->basis, Basis::measured);
    // Default, calibrated and the fit's error side by side.
    ASSERT_NE(r.find("decode.tpot_default_s"), nullptr);
    EXPECT_EQ(std::get<double>(r.find("decode.tpot_default_s")->value), without.speed->tpot.value);
    EXPECT_EQ(r.find("decode.tpot_default_s")->basis, Basis::derived);
    EXPECT_EQ(std::get<double>(r.find("calibration.residual")->value), 0.0531);
    // Fewer bytes a second than the default 0.8 and 0.9 would change both ways; the slower e_kv and
    // faster e_w of this fit do change the time.
    EXPECT_NE(with.speed->tpot.value, without.speed->tpot.value);
    EXPECT_EQ(report(Scenario{}, without, Lang::en).find("decode.tpot_default_s"), nullptr);
}

TEST(CalibrationLink, ABadOneFallsBackAloneWithANotice) {
    const Link l = parse_link("v=1&ctx=4k&calibration=e_w:12", builtin_catalog());
    EXPECT_FALSE(l.scenario.calibration);
    EXPECT_EQ(l.scenario.ctx, 4096u);
    ASSERT_EQ(l.notices.size(), 1u);
    EXPECT_EQ(l.notices[0].key, "calibration");
}

TEST(CalibrationLink, JsonTakesTheNumbersOrAFile) {
    const Catalog& catalog = builtin_catalog();
    const WrittenScenario numbers =
        read_scenario_json(R"({"calibration":"e_w:0.9,t0:1e-5"})", catalog, {});
    ASSERT_TRUE(numbers.scenario.calibration);
    EXPECT_EQ(numbers.scenario.calibration->t0, 1e-5);
    std::string asked;
    const WrittenScenario file =
        read_scenario_json(R"({"calibration":"cal.json"})", catalog,
                           [&](std::string_view key, std::string_view path, Scenario&, Issues&) {
                               asked = std::string(key) + "=" + std::string(path);
                           });
    EXPECT_EQ(asked, "calibration=cal.json");
    EXPECT_TRUE(file.readable);
}

}  // namespace
}  // namespace kvgauge
