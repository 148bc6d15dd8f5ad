// SPDX-License-Identifier: MIT
#include "text/strings.h"

#include <gtest/gtest.h>

#include "estimate.h"
#include "text/particles.h"

namespace kvgauge {
namespace {

std::string places(std::string_view s) {
    std::string out(10, ' ');
    for (std::size_t i = 0; i + 2 < s.size(); ++i) {
        if (s[i] == '{' && s[i + 2] == '}')
            out[static_cast<std::size_t>(s[i + 1] - '0')] = s[i + 1];
    }
    return out;
}

TEST(Strings, LanguagesAgree) {
    for (std::uint16_t i = 0; i < kStrings; ++i) {
        const auto s = static_cast<Str>(i);
        EXPECT_EQ(places(text(Lang::en, s)), places(text(Lang::ko, s))) << key(s);
        EXPECT_EQ(find_string(key(s)), s);
    }
}

TEST(Strings, Filling) {
    EXPECT_EQ(fill("{0} of {1}, {0}", {"a", "b"}), "a of b, a");
    EXPECT_EQ(fill("{2} {x} {", {"a"}), "{2} {x} {");
    EXPECT_EQ(parse_lang("ko-KR"), Lang::ko);
    EXPECT_EQ(parse_lang("en_GB.UTF-8"), Lang::en);
    EXPECT_FALSE(parse_lang("kor"));
}

// An issue's English text is its own table entry filled with its arguments.
TEST(Strings, IssuesHaveTheirTexts) {
    Scenario cases[8];
    cases[0].model = "nosuch";
    cases[1].gpu = "nosuch";
    cases[6].model = "llama-3-8";
    cases[7].gpu = "h100-80g";
    cases[2].tp = 5000;
    cases[3].ctx = 100'000;
    cases[4].batch = 900'000;
    cases[5].kv_heads = 33;
    for (const Scenario& s : cases) {
        const Issues issues = estimate(s).issues;
        ASSERT_FALSE(issues.empty());
        for (const Issue& i : issues) {
            const auto id = find_string("issue." + std::string(i.code));
            ASSERT_TRUE(id) << i.text;
            std::string filled(text(Lang::en, *id));
            for (std::size_t n = 0; n < i.args.size(); ++n) {
                const std::string place = "{" + std::to_string(n) + "}";
                for (auto at = filled.find(place); at != std::string::npos;
                     at = filled.find(place)) {
                    filled.replace(at, 3, i.args[n]);
                }
            }
            EXPECT_EQ(filled, i.text);
            EXPECT_NE(issue_text(Lang::ko, i), i.text);
        }
    }
}

// Final consonants: 8 (pal), 3 (sam) and vLLM (em) have one, 2 (i), 4 (sa) and TGI (ai) none.
TEST(Particles, FollowTheSound) {
    EXPECT_EQ(with_particles("요청은(는)"), "요청은");
    EXPECT_EQ(with_particles("캐시은(는)"), "캐시는");
    EXPECT_EQ(with_particles("vLLM은(는) TGI은(는) SGLang을(를)"), "vLLM은 TGI는 SGLang을");
    EXPECT_EQ(with_particles("8(으)로 3(으)로 2(으)로"), "8로 3으로 2로");
    EXPECT_EQ(with_particles("1.5 GiB이(가) 8개이(가)"), "1.5 GiB가 8개가");
    EXPECT_EQ(with_particles("\"x8\"을(를)"), "\"x8\"을");
    EXPECT_EQ(with_particles("은(는)"), "는");
}

}  // namespace
}  // namespace kvgauge
