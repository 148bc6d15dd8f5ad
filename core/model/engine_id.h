// SPDX-License-Identifier: MIT
// Owns: names of serving engines and the order of their versions. Rules live in engine/.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kvgauge {

enum class EngineId : std::uint8_t {
    none,  // plain arithmetic: no blocks, no reserve
    vllm, sglang, trtllm, llamacpp, tgi, lmdeploy, hf,
};
inline constexpr std::array kEngineIds{EngineId::none,     EngineId::vllm, EngineId::sglang,
                                       EngineId::trtllm,   EngineId::llamacpp, EngineId::tgi,
                                       EngineId::lmdeploy, EngineId::hf};

std::string_view name(EngineId);          // contract spelling: "llamacpp"
std::string_view display_name(EngineId);  // "llama.cpp"
std::optional<EngineId> parse_engine(std::string_view);

// A release number compared by component: 0.10 > 0.9; llama.cpp builds are b11118 = {11118}.
struct Version {
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    std::uint32_t patch = 0;
    bool build = false;      // written with a leading b
    std::uint8_t parts = 0;  // how many components were written: 0.20 has 2
    friend constexpr std::strong_ordering operator<=>(const Version& a, const Version& b) {
        if (auto c = a.major <=> b.major; c != 0) return c;
        if (auto c = a.minor <=> b.minor; c != 0) return c;
        return a.patch <=> b.patch;
    }
    friend constexpr bool operator==(const Version& a, const Version& b) {
        return (a <=> b) == 0;
    }
};
// "0.20", "v0.11.2", "0.5.10.post1", "1.4rc3", "b11118": the leading numbers count. Empty: not a version.
std::optional<Version> parse_version(std::string_view);
std::string to_string(const Version&);

}  // namespace kvgauge
