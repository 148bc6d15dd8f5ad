// SPDX-License-Identifier: MIT
// Owns: the command line: one function per subcommand, all over the same parsed options.
// Results go to standard output or --output alone, everything else to standard error.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "import/command_line.h"
#include "text/answer.h"
#include "text/fields.h"
#include "text/sweep_job.h"

namespace kvgauge {

// Exit codes.
enum Exit : int {
    kOk = 0,
    kFailed = 1,      // at run time
    kUsage = 2,       // usage, or input that cannot be read
    kDoesNotFit = 3,  // check: does not fit, or the tensor-parallel size is refused
    kNoDevice = 4,
    kNoisy = 5,  // measured, but noisy or throttled
};

enum class Format : std::uint8_t { text, md, csv, json, jsonl, svg };

// Options that every subcommand shares.
struct Output {
    std::string format;  // as written; empty: text
    std::string file;    // --output
    bool quiet = false;
    Format kind = Format::text;
};

// What a subcommand was given beside its own options: keys in the order they were written.
struct Keys {
    std::vector<std::pair<std::string, std::string>> values;
    std::string link;      // --link
    std::string scenario;  // --scenario FILE or -
    std::string from;      // --from: a command line or manifest
};

// The scenario that keys, link and file describe; later ones win over earlier ones.
struct ReadScenario {
    Scenario scenario;
    Presentation view;
    Issues issues;
    std::optional<CommandLine> from;
    std::vector<std::pair<std::string, std::string>> as_written;
};
ReadScenario read_scenario(const Keys&, const Catalog&);

// Writes a result; false: it could not be written, said on standard error.
bool emit(const Output&, std::string_view text);
// One line on standard error, unless quiet.
void tell(const Output&, std::string_view text);
void tell_issues(const Output&, const Issues&);
Lang language(const Presentation&);
bool colour_wanted(const Output&);

std::string answer_text(const Output&, const Answered&, const ReadScenario&, bool derivations,
                        const std::vector<std::string>& rows);

int run_estimate(const Output&, const Keys&, const std::vector<std::string>& rows, bool explain);
int run_scenarios(const Output&, const std::string& file, const std::vector<std::string>& rows);
int run_check(const Output&, const Keys&);
int run_sweep(const Output&, const Keys&, SweepText);
int run_traffic(const Output&, const Keys&);
int run_compare(const Output&, const Keys&, const std::vector<std::string>& variants);
int run_list(const Output&, const std::string& what);
int run_reconcile(const Output&, const Keys&, const std::string& file);
int run_link(const Output&, const Keys&, bool pinned);
int run_help(const Output&, const std::string& topic);

int run_cli(int argc, char** argv);

}  // namespace kvgauge
