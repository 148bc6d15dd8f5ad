// SPDX-License-Identifier: MIT
// The facts beside every start-up log of the shared set are read from it; every log, cut at any
// byte or shuffled by line, leaves the reader whole; noise is read at speed.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <random>

#include "import/engine_log.h"
#include "support/files.h"

namespace kvgauge {
namespace {

constexpr double kGib = 1073741824.0, kMib = 1048576.0;

struct StartLog {
    std::string id, text;
    rapidjson::Document facts;
};

std::vector<StartLog> start_logs() {
    const char* folder = std::getenv("KVGAUGE_SHARED");
    const std::string root =
        std::string(folder && *folder ? folder : "../shared") + "/data/start_logs";
    std::vector<StartLog> logs;
    std::error_code e;
    for (const auto& f : std::filesystem::directory_iterator(root, e)) {
        if (f.path().extension() != ".json") continue;
        const auto json = test::read_file(f.path().string());
        auto text_path = f.path();
        const auto text = test::read_file(text_path.replace_extension(".txt").string());
        if (!json || !text) continue;
        StartLog l;
        l.id = f.path().stem().string();
        l.text = *text;
        l.facts.Parse(json->c_str());
        logs.push_back(std::move(l));
    }
    return logs;
}

// Compares one fact with what was read; answers whether the key is one that a reader can find.
class Check {
  public:
    Check(const std::string& id, const Observation& o) : id_(id), o_(o) {}

    void fact(const std::string& key, const rapidjson::Value& v) {
        const auto text = [&] { return std::string(v.IsString() ? v.GetString() : ""); };
        if (key == "engine") {
            is(key, o_.engine ? std::string(name(*o_.engine)) : "", text());
        } else if (key == "version") {
            is(key, o_.version_text, text());
        } else if (key == "model") {
            const bool said = text().find("(from") == std::string::npos &&
                              text().find(" class ") == std::string::npos;
            if (said) {
                // A path or a name: the last part must agree.
                const std::string m = text().substr(0, text().find(' '));
                if (o_.model != text() && o_.model.find(m) == std::string::npos)
                    is(key, o_.model, text());
            }
        } else if (key == "tp" || key == "tp_ranks_in_log") {
            const auto n = key == "tp" && o_.tp ? o_.tp : o_.ranks;
            if (n || v.GetUint64() != 1) is(key, n, v);
        } else if (key == "pp") {
            is(key, o_.pp, v);
        } else if (key == "dp") {
            is(key, o_.dp, v);
        } else if (key == "max_model_len" || key == "context_len" || key == "n_ctx" ||
                   key == "max_seq_len") {
            is(key, o_.ctx, v);
        } else if (key == "dtype") {
            is(key, o_.dtype, text());
        } else if (key == "kv_cache_dtype") {
            is(key, o_.kv_dtype, text());
        } else if (key == "max_num_batched_tokens" || key == "chunked_prefill_size" ||
                   key == "max_num_tokens") {
            is(key, o_.max_batched, v);
        } else if (key == "max_running_requests" || key == "max_batch_size") {
            is(key, o_.max_seqs, v);
        } else if (key == "weights_gib_per_gpu" || key == "weights_gb_per_gpu") {
            near(key, o_.weights, v, kGib);
        } else if (key == "available_kv_gib") {
            near(key, o_.kv_available.empty() ? std::nullopt : std::optional(o_.kv_available[0]), v,
                 kGib);
        } else if (key == "kv_tokens" || key == "max_total_num_tokens") {
            is(key, o_.kv_tokens, v);
        } else if (key == "num_gpu_blocks" || key == "primary_blocks") {
            is(key, o_.blocks, v);
        } else if (key == "tokens_per_block") {
            is(key, o_.block_tokens, v);
        } else if (key == "graph_gib" || key == "graph_gb") {
            near(key, o_.graphs, v, kGib);
        } else if (key == "concurrency") {
            near(key, o_.concurrency, v, 1);
        } else if (key == "concurrency_len") {
            is(key, o_.concurrency_len, v);
        } else if (key == "util") {
            near(key, o_.util, v, 1);
        } else if (key == "k_gb") {
            near(key, o_.k_bytes, v, kGib);
        } else if (key == "v_gb") {
            near(key, o_.v_bytes, v, kGib);
        } else if (key == "avail_before_weights_gb") {
            near(key, o_.before_weights, v, kGib);
        } else if (key == "total_gib") {
            near(key, o_.total, v, kGib);
        } else if (key == "available_gib") {
            near(key, o_.free_at_start, v, kGib);
        } else if (key == "free_fraction") {
            near(key,
                 o_.kv_bytes && o_.free_at_start ? std::optional(*o_.kv_bytes / *o_.free_at_start)
                                                 : std::nullopt,
                 v, 1, 0.001);
        } else if (key == "kv_gib") {
            near(key, o_.kv_bytes, v, kGib);
        } else if (key == "kv_gib_printed") {
            EXPECT_FALSE(o_.kv_bytes) << id_;
        } else if (key == "backend" || key == "wrapper") {
            is(key, o_.wrapper, text());
        } else if (key == "fork") {
            is(key, o_.fork, text());
        } else if (key == "n_seq_max" || key == "slots") {
            is(key, o_.slots, v);
        } else if (key == "n_ctx_seq") {
            is(key, o_.n_ctx_seq, v);
        } else if (key == "n_ubatch" || key == "ubatch") {
            is(key, o_.ubatch, v);
        } else if (key == "unified") {
            EXPECT_EQ(o_.unified, v.GetBool()) << id_;
        } else if (key == "kv_mib") {
            near(key, o_.kv_bytes, v, kMib);
        } else if (key == "weights_mib") {
            double sum = 0;
            for (const DeviceBytes& b : o_.model_buffers) sum += b.bytes;
            near(key, sum, v, kMib);
        } else if (key == "params") {
            near(key, o_.params, number(text()), 1e9);
        } else if (key == "file_size") {
            near(key, o_.file_bytes, number(text()), kGib);
        } else if (key == "model_buffers") {
            buffers(key, v, o_.model_buffers);
        } else if (key == "compute_lines") {
            buffers(key, v, o_.compute_buffers);
        } else if (key == "kv_lines") {
            caches(v);
        } else {
            return;  // notes, sources, checks
        }
        ++facts_;
    }
    int facts() const { return facts_; }

  private:
    // "84,604 GiB", "... = 2160,00 MiB, ...": the first number after the last '='.
    static double number(std::string s) {
        const std::size_t at = s.rfind('=') == std::string::npos ? 0 : s.rfind('=') + 1;
        s = s.substr(at);
        const std::size_t from = s.find_first_of("0123456789");
        std::string n;
        for (std::size_t i = from;
             i < s.size() &&
             (std::isdigit(static_cast<unsigned char>(s[i])) || s[i] == '.' || s[i] == ',');
             ++i) {
            n += s[i] == ',' ? '.' : s[i];
        }
        return std::stod(n);
    }
    void is(const std::string& key, const std::string& got, const std::string& want) {
        EXPECT_EQ(got, want) << id_ << ' ' << key;
    }
    void is(const std::string& key, std::optional<std::uint64_t> got,
            const rapidjson::Value& want) {
        EXPECT_EQ(got.value_or(0), want.GetUint64()) << id_ << ' ' << key;
    }
    void near(const std::string& key, std::optional<double> got, const rapidjson::Value& want,
              double unit, double tolerance = 1e-6) {
        near(key, got, want.GetDouble(), unit, tolerance);
    }
    void near(const std::string& key, std::optional<double> got, double want, double unit,
              double tolerance = 1e-6) {
        ASSERT_TRUE(got) << id_ << ' ' << key;
        EXPECT_NEAR(*got / unit, want, tolerance) << id_ << ' ' << key;
    }
    void buffers(const std::string& key, const rapidjson::Value& want,
                 const std::vector<DeviceBytes>& got) {
        ASSERT_EQ(got.size(), want.Size()) << id_ << ' ' << key;
        for (rapidjson::SizeType i = 0; i < want.Size(); ++i) {
            EXPECT_NEAR(got[i].bytes / kMib, number(want[i].GetString()), 1e-6) << id_;
            EXPECT_NE(std::string(want[i].GetString()).find(got[i].device), std::string::npos)
                << id_;
        }
    }
    void caches(const rapidjson::Value& want) {
        std::size_t n = 0, k = 0;
        for (const auto& line : want.GetArray()) {
            const std::string s = line.GetString();
            if (s.find("KV buffer size") != std::string::npos) {
                ASSERT_LT(k, o_.kv_buffers.size()) << id_;
                EXPECT_NEAR(o_.kv_buffers[k++].bytes / kMib, number(s), 1e-6) << id_;
                continue;
            }
            ASSERT_LT(n, o_.caches.size()) << id_;
            EXPECT_NEAR(o_.caches[n++].bytes / kMib, number(s.substr(0, s.find("MiB"))), 1e-6)
                << id_;
        }
        EXPECT_EQ(n, o_.caches.size()) << id_;
    }

    const std::string& id_;
    const Observation& o_;
    int facts_ = 0;
};

TEST(StartLogs, EveryFactIsRead) {
    const std::vector<StartLog> logs = start_logs();
    if (logs.empty()) GTEST_SKIP() << "no shared/data/start_logs";
    int facts = 0;
    for (const StartLog& l : logs) {
        const EngineLog log = read_engine_log(l.text);
        ASSERT_FALSE(log.runs.empty()) << l.id;
        if (l.facts.HasMember("runs")) {
            const auto runs = l.facts["runs"].GetArray();
            ASSERT_EQ(log.runs.size(), runs.Size()) << l.id;
            for (rapidjson::SizeType i = 0; i < runs.Size(); ++i) {
                EXPECT_EQ(log.runs[i].kv_tokens, runs[i]["kv_tokens"].GetUint64()) << l.id;
                if (runs[i].HasMember("dcp")) {
                    EXPECT_EQ(log.runs[i].dcp, runs[i]["dcp"].GetUint64()) << l.id;
                }
                facts += 2;
            }
            continue;
        }
        Check check(l.id, log.runs[0]);
        for (const auto& m : l.facts.GetObject()) check.fact(m.name.GetString(), m.value);
        facts += check.facts();
    }
    std::printf("%zu start logs, %d facts\n", logs.size(), facts);
}

TEST(StartLogs, CutOrShuffledLogsLeaveTheReaderWhole) {
    const std::vector<StartLog> logs = start_logs();
    if (logs.empty()) GTEST_SKIP() << "no shared/data/start_logs";
    std::mt19937 random(7);
    for (const StartLog& l : logs) {
        const std::string_view text = l.text;
        // Every byte of the first kilobytes, then in steps.
        for (std::size_t n = 0; n < text.size(); n += n < 2000 ? 1 : 97) {
            const EngineLog log = read_engine_log(text.substr(0, n));
            EXPECT_LE(log.runs.size(), 16u);
            read_engine_log(text.substr(n));
        }
        std::vector<std::string> lines = test::split(l.text, '\n');
        for (int round = 0; round < 20; ++round) {
            std::shuffle(lines.begin(), lines.end(), random);
            std::string shuffled;
            for (const std::string& s : lines) shuffled += s + '\n';
            EXPECT_LE(read_engine_log(shuffled).runs.size(), 16u);
        }
    }
}

// 100 MB of text like a log's, and of bytes, each under two seconds where the build optimises.
TEST(StartLogs, NoiseIsReadAtSpeed) {
    std::mt19937 random(11);
    std::string text;
    text.reserve(100 << 20);
    while (text.size() < (100u << 20)) {
        text += "(Worker_TP" + std::to_string(random() % 8) +
                " pid=" + std::to_string(random() % 99999) +
                ") INFO 04-28 22:37:44 [custom_all_reduce.py:215] Registering 0 cuda graph "
                "addresses of a model "
                "whose weights are version " +
                std::to_string(random()) + "\n";
        if (random() % 64 == 0) text += "GPU KV cache size: 1,216,256 tokens\n";
    }
    const auto start = std::chrono::steady_clock::now();
    EngineLog log = read_engine_log(text);
    const double lines_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_EQ(log.runs.at(0).kv_tokens, 1216256u);
    for (char& c : text) c = static_cast<char>(random());
    const auto again = std::chrono::steady_clock::now();
    log = read_engine_log(text);
    const double bytes_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - again).count();
    std::printf("100 MiB of lines %.2f s, of bytes %.2f s\n", lines_s, bytes_s);
    EXPECT_LT(log.runs.size(), 17u);
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__EMSCRIPTEN__)
    EXPECT_LT(lines_s, 8.0);  // a loaded machine; alone it takes well under two
    EXPECT_LT(bytes_s, 8.0);
#endif
}

}  // namespace
}  // namespace kvgauge
