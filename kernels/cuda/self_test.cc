// SPDX-License-Identifier: MIT
#include "kernels/cuda/self_test.h"

#include <array>
#include <cmath>

#include "kernels/cuda/op_reference.h"
#include "kernels/half.h"

namespace kvgauge::kernels::dev {
namespace {

namespace ref = kvgauge::kernels::reference;

class Random {
  public:
    std::uint32_t operator()() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>(state_ >> 32);
    }
    // A multiple of 1/8 from -2 to 1.875: exact in every type, and so are sums of products.
    float eighths() { return (static_cast<float>((*this)() >> 27) - 16.0f) / 8.0f; }

  private:
    std::uint64_t state_ = 42;
};

// Collects the first difference.
struct Verdict {
    std::string text;
    void equal(const char* what, int lane, double expected, double found) {
        if (!text.empty() || expected == found) return;
        text = std::string(what) + ", lane " + std::to_string(lane) + ": " +
               std::to_string(expected) + " expected, " + std::to_string(found) + " found";
    }
    void near(const char* what, int lane, double expected, double found, double tolerance) {
        if (!(std::abs(found / expected - 1) <= tolerance)) equal(what, lane, expected, found);
    }
};

void check_mma(const char* what, const SelfTestIn (&in)[32], const SelfTestOut (&out)[32],
               bool bf16, Verdict& verdict) {
    std::array<ref::MmaLane, 32> warp{};
    for (std::size_t l = 0; l < 32; ++l) {
        for (int i = 0; i < 4; ++i) {
            warp[l].a[i] = bf16 ? in[l].a_bf16[i] : in[l].a[i];
            warp[l].d[i] = in[l].d[i];
        }
        for (int i = 0; i < 2; ++i) warp[l].b[i] = bf16 ? in[l].b_bf16[i] : in[l].b[i];
    }
    if (bf16)
        ref::mma(warp, bf16_to_f32);
    else
        ref::mma(warp, f16_to_f32);
    for (std::size_t l = 0; l < 32; ++l) {
        for (int i = 0; i < 4; ++i)
            verdict.equal(what, static_cast<int>(l), warp[l].d[i],
                          bf16 ? out[l].d_bf16[i] : out[l].d_f16[i]);
    }
}

}  // namespace

void make_self_test(SelfTestIn (&in)[32]) {
    Random random;
    for (int l = 0; l < 32; ++l) {
        SelfTestIn& lane = in[l];
        lane = {};
        const auto pair = [&](std::uint32_t& f16, std::uint32_t& bf16) {
            const float low = random.eighths();
            const float high = random.eighths();
            f16 = ref::join16(f32_to_f16(low), f32_to_f16(high));
            bf16 = ref::join16(f32_to_bf16(low), f32_to_bf16(high));
        };
        for (int i = 0; i < 4; ++i) pair(lane.a[i], lane.a_bf16[i]);
        for (int i = 0; i < 2; ++i) pair(lane.b[i], lane.b_bf16[i]);
        for (float& d : lane.d) d = random.eighths();
        for (std::uint32_t& word : lane.words) word = random();
        lane.selector = random() & 0x7777u;
        lane.codes = random();
        for (int i = 0; i < 32; i += 8)
            if ((lane.codes >> i & 0x7fu) == 0x7fu) lane.codes ^= 1u << i;
        for (float& value : lane.values)
            value = (static_cast<float>(random() >> 8) * 0x1p-24f - 0.5f) * 100.0f;
        lane.exponent = -static_cast<float>(random() >> 8) * 0x1p-24f * 20.0f;
        lane.flag = l == 19;
        for (std::uint32_t& word : lane.memory) word = random();
    }
}

std::string check_self_test(const SelfTestIn (&in)[32], const SelfTestOut (&out)[32], bool bf16) {
    Verdict v;
    check_mma("mma f16", in, out, false, v);
    if (bf16) check_mma("mma bf16", in, out, true, v);

    ref::Warp32 words{};
    std::array<ref::MatrixRow, 32> rows{};
    for (std::size_t l = 0; l < 32; ++l) {
        words[l] = in[l].words[0];
        for (std::size_t i = 0; i < 8; ++i)
            rows[l].element[i] = static_cast<std::uint16_t>(in[l].memory[i / 2] >> (16 * (i % 2)));
    }
    const ref::Warp32 transposed = ref::transpose8x8(words);
    const auto matrices = ref::load_matrices(rows, false);
    const auto matrices_transposed = ref::load_matrices(rows, true);
    for (std::size_t l = 0; l < 32; ++l) {
        const SelfTestIn& i = in[l];
        const SelfTestOut& o = out[l];
        const int lane = static_cast<int>(l);
        v.equal("movmatrix", lane, transposed[l], o.transposed);
        v.equal("byte_perm", lane, ref::byte_perm(i.words[0], i.words[1], i.selector), o.permuted);
        v.equal("pack_f16", lane, ref::join16(f32_to_f16(i.values[0]), f32_to_f16(i.values[1])),
                o.packed_f16);
        if (bf16)
            v.equal("pack_bf16", lane,
                    ref::join16(f32_to_bf16(i.values[0]), f32_to_bf16(i.values[1])), o.packed_bf16);
        for (int c = 0; c < 4; ++c) {
            const std::uint32_t half = c < 2 ? o.e4m3_low : o.e4m3_high;
            const float found = f16_to_f32(static_cast<std::uint16_t>(half >> (16 * (c % 2))));
            v.equal("unpack_e4m3", lane, e4m3_to_f32(static_cast<std::uint8_t>(i.codes >> (8 * c))),
                    found * o.e4m3_gain);
        }
        v.near("exp2", lane, std::exp2(static_cast<double>(i.exponent)), o.power, 1e-6);
        for (int s = 0; s < 5; ++s)
            v.equal("shuffle", lane, in[l ^ (std::size_t{1} << s)].values[0], o.shuffled[s]);
        v.equal("vote", lane, 1, o.any_of_flags);
        v.equal("vote", lane, 0, o.any_of_none);
        for (int w = 0; w < 4; ++w) {
            v.equal("16-byte load", lane, i.memory[w], o.loaded16[w]);
            v.equal("ldmatrix", lane, matrices[l][static_cast<std::size_t>(w)], o.matrices[w]);
            v.equal("ldmatrix.trans", lane, matrices_transposed[l][static_cast<std::size_t>(w)],
                    o.matrices_transposed[w]);
            v.equal("asynchronous copy", lane, in[l ^ 1].memory[w], o.copied[w]);
        }
        for (int w = 0; w < 2; ++w) {
            v.equal("8-byte load", lane, i.memory[2 + w], o.loaded8[w]);
            v.equal("cached 8-byte load", lane, i.memory[w], o.loaded_pair[w]);
        }
        v.equal("4-byte load", lane, i.memory[1], o.loaded4);
        v.equal("2-byte load", lane, i.memory[1] >> 16, o.loaded2);
        v.equal("int load", lane, i.memory[3], o.loaded_int);
        v.equal("float load", lane, i.values[1], o.loaded_float);
    }
    return v.text;
}

}  // namespace kvgauge::kernels::dev
