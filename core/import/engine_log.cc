// SPDX-License-Identifier: MIT
#include "import/engine_log.h"

#include <algorithm>
#include <cstring>

#include "import/engine_log_patterns.h"

namespace kvgauge {
namespace engine_log {
namespace {

constexpr std::size_t kMostRuns = 16, kMostSpeakers = 256, kMostErrors = 8;
constexpr std::size_t kErrorChars = 240;

std::string printable(std::string_view text, std::size_t most) {
    std::string s;
    for (char c : text.substr(0, most)) {
        const auto u = static_cast<unsigned char>(c);
        s += u < 32 || u == 127 ? ' ' : c;
    }
    // A cut inside a multi-byte character leaves its head: drop it.
    while (!s.empty() && text.size() > most && (static_cast<unsigned char>(s.back()) & 0x80) != 0) {
        s.pop_back();
    }
    return s;
}

}  // namespace

void Runs::next() {
    speakers_.clear();
    begun_ = false;
    if (current_ == Observation{}) return;
    if (runs_.size() < kMostRuns) {
        runs_.push_back(std::move(current_));
    } else {
        ++more_;
    }
    current_ = Observation{};
}

Observation& Runs::of(EngineId id) {
    if (current_.engine && *current_.engine != id) next();
    current_.engine = id;
    touched_ = true;
    return current_;
}

bool Runs::repeats(std::string_view text, unsigned what) {
    // "(Worker_TP0 pid=415)", "(EngineCore_DP0 pid=279)", "[2025-03-08 12:29:13 TP3]".
    std::string_view name, id;
    const std::size_t pid = text.substr(0, 200).find(" pid=");
    if (pid != std::string_view::npos) {
        const std::size_t open = text.rfind('(', pid);
        if (open != std::string_view::npos) {
            name = text.substr(open + 1, pid - open - 1);
            id = text.substr(pid + 1, 24);
            id = id.substr(0, id.find(')'));
        }
    } else if (const std::size_t tp = text.substr(0, 80).find(" TP");
               tp != std::string_view::npos) {
        name = text.substr(tp + 1, 8);
        name = name.substr(0, name.find(']'));
    }
    for (Speaker& s : speakers_) {
        if (s.name != name) continue;
        if (s.id != id || (s.said & what) != 0) return true;
        s.said |= what;
        return false;
    }
    if (speakers_.size() < kMostSpeakers) {
        speakers_.push_back({std::string(name), std::string(id), what});
    }
    return false;
}

void Runs::error(std::string_view text) {
    std::vector<std::string>& e = now().errors;
    if (e.size() >= kMostErrors) return;
    std::string s = printable(text, kErrorChars);
    if (std::find(e.begin(), e.end(), s) == e.end()) e.push_back(std::move(s));
}

void Runs::count_rank(std::uint64_t rank) {
    if (rank > 1u << 20) return;
    now().ranks = std::max(now().ranks.value_or(0), rank + 1);
}

EngineLog Runs::take() {
    next();
    EngineLog log;
    log.runs = std::move(runs_);
    log.more_runs = more_;
    return log;
}

namespace {

constexpr std::size_t kMostLine = 1 << 16, kMostUnknown = 16;

// Patterns by the first four bytes of their anchors. Two bytes are looked up first: few pairs begin
// any anchor, so that most of a text is passed over at one test a byte.
class Index {
  public:
    Index() : pairs_(65536 / 64) {
        heads_.fill(-1);
        for (const auto& table : {vllm_patterns(), sglang_patterns(), trtllm_patterns(),
                                  llamacpp_patterns(), ollama_patterns(), other_patterns()}) {
            for (const Pattern& p : table) {
                const std::size_t h = hash(p.anchor.data());
                const std::size_t pair = pair_of(p.anchor.data());
                pairs_[pair / 64] |= std::uint64_t{1} << (pair % 64);
                entries_.push_back({&p, heads_[h]});
                heads_[h] = static_cast<int>(entries_.size()) - 1;
            }
        }
    }
    // Reads everything the line holds; false when nothing was understood.
    bool read(Runs& runs, std::string_view text, bool complete) const {
        if (text.size() < 4) return false;
        const char* p = text.data();
        for (std::size_t i = 0; i + 4 <= text.size(); ++i) {
            const std::size_t pair = pair_of(p + i);
            if ((pairs_[pair / 64] >> (pair % 64) & 1) == 0) continue;
            for (int e = heads_[hash(p + i)]; e >= 0;
                 e = entries_[static_cast<std::size_t>(e)].next) {
                const Pattern& pattern = *entries_[static_cast<std::size_t>(e)].pattern;
                if (text.compare(i, pattern.anchor.size(), pattern.anchor) != 0) continue;
                pattern.read(runs, {text, complete, i, i + pattern.anchor.size()});
            }
        }
        return runs.touched();
    }

  private:
    struct Entry {
        const Pattern* pattern;
        int next;
    };
    static std::size_t hash(const char* p) {
        std::uint32_t v;
        std::memcpy(&v, p, 4);
        return (v * 2654435761u) >> 19;
    }
    static std::size_t pair_of(const char* p) {
        std::uint16_t v;
        std::memcpy(&v, p, 2);
        return v;
    }
    std::vector<std::uint64_t> pairs_;  // a bit for each pair of bytes
    std::array<int, 8192> heads_;
    std::vector<Entry> entries_;
};

// Without terminal escapes: ESC [ ... letter, ESC ] ... BEL.
std::string_view plain(std::string_view text, std::string& buffer) {
    if (text.find('\x1b') == std::string_view::npos) return text;
    buffer.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\x1b') {
            buffer += text[i];
            continue;
        }
        if (i + 1 >= text.size()) break;
        if (text[i + 1] == '[') {
            i += 2;
            while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
        } else if (text[i + 1] == ']') {
            while (i < text.size() && text[i] != '\a') ++i;
        } else {
            ++i;
        }
    }
    return buffer;
}

// Worth listing when it was not understood: it speaks of memory.
bool speaks_of_memory(std::string_view text) {
    if (text.size() > 400) return false;
    const bool size =
        text.find("GiB") != std::string_view::npos || text.find(" MiB") != std::string_view::npos;
    const bool cache = text.find("KV cache") != std::string_view::npos ||
                       text.find("kv cache") != std::string_view::npos;
    return size || cache;
}

}  // namespace
}  // namespace engine_log

struct EngineLogReader::State {
    engine_log::Runs runs;
    engine_log::Index index;
    EngineLog stats;
    std::string pending;  // head of a line that is not complete yet, at most kMostLine
    std::string stripped;

    void line(std::string_view text, bool complete) {
        ++stats.lines;
        text = text.substr(0, engine_log::kMostLine);
        const std::string_view clean = engine_log::plain(text, stripped);
        if (index.read(runs, clean, complete)) {
            ++stats.recognised;
        } else if (stats.unknown.size() < engine_log::kMostUnknown &&
                   engine_log::speaks_of_memory(clean)) {
            stats.unknown.push_back(engine_log::printable(clean, 200));
        }
    }
};

EngineLogReader::EngineLogReader() : state_(std::make_unique<State>()) {}
EngineLogReader::~EngineLogReader() = default;
EngineLogReader::EngineLogReader(EngineLogReader&&) noexcept = default;
EngineLogReader& EngineLogReader::operator=(EngineLogReader&&) noexcept = default;

void EngineLogReader::feed(std::string_view piece) {
    State& s = *state_;
    // Both line ends are looked for ahead; each only again once it is passed.
    std::size_t at = 0, newline = piece.find('\n'), carriage = piece.find('\r');
    while (at < piece.size()) {
        if (newline < at) newline = piece.find('\n', at);
        if (carriage < at) carriage = piece.find('\r', at);
        const std::size_t end = std::min(newline, carriage);  // npos is the largest
        const bool ends = end != std::string_view::npos;
        const std::string_view part = piece.substr(at, ends ? end - at : end);
        if (!ends || !s.pending.empty()) {
            s.pending.append(part.substr(0, engine_log::kMostLine - s.pending.size()));
        }
        if (!ends) return;
        if (!s.pending.empty()) {
            s.line(s.pending, true);
            s.pending.clear();
        } else if (!part.empty()) {
            s.line(part, true);
        }
        at = end + 1;
    }
}

EngineLog EngineLogReader::finish() {
    State& s = *state_;
    if (!s.pending.empty()) s.line(s.pending, false);
    s.pending.clear();
    EngineLog log = s.runs.take();
    log.lines = s.stats.lines;
    log.recognised = s.stats.recognised;
    log.unknown = std::move(s.stats.unknown);
    return log;
}

EngineLog read_engine_log(std::string_view text) {
    EngineLogReader reader;
    reader.feed(text);
    return reader.finish();
}

}  // namespace kvgauge
