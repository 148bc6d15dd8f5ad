// SPDX-License-Identifier: MIT
// Subcommands and their options, by CLI11; the keys of a scenario come from the field table.
#include "native/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>

#include "native/app.h"
#include "native/arguments.h"
#include "native/cli_complete.h"
#include "native/cmd_measure.h"
#include "text/json.h"

namespace kvgauge {
namespace {

// A subcommand with what CLI11 stores into. Lives as long as the parser.
struct Command {
    CLI::App* app = nullptr;
    Output output;
    Keys keys;
    std::function<int(Command&)> run;
};
using Commands = std::vector<std::unique_ptr<Command>>;

// `--key value` for every key and alias of the table, kept in the order written.
void add_keys(CLI::App& app, Keys& keys) {
    for (const Field& f : fields()) {
        if (is_file_key(f.key)) continue;  // below
        std::string names = (f.key.size() == 1 ? "-" : "--") + std::string(f.key);
        for (std::string_view a : f.aliases) {
            names += (a.size() == 1 ? ",-" : ",--") + std::string(a);
        }
        const std::string key(f.key);
        const bool toggle = f.kind == FieldKind::toggle;
        CLI::Option* option = app.add_option_function<std::vector<std::string>>(
            names,
            [&keys, key](const std::vector<std::string>& v) {
                for (const std::string& text : v)
                    keys.values.emplace_back(key, text.empty() ? "on" : text);
            },
            std::string(f.help) + " (" + std::string(f.accepts) + ")");
        if (toggle) {
            option->expected(0, 1);
            option->default_str("on");
        } else {
            option->expected(1);
            option->allow_extra_args(false);  // what follows may be a scenario of compare
        }
        option->type_name(f.unit.empty() ? "TEXT" : std::string(f.unit));
        option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
        option->group(f.group == Group::model      ? "Model"
                      : f.group == Group::hardware ? "Hardware"
                      : f.group == Group::engine   ? "Engine"
                                                   : "Workload");
    }
    const auto file_key = [&](const char* key, const char* help) {
        app.add_option_function<std::string>(
               std::string("--") + key,
               [&keys, key](const std::string& path) { keys.values.emplace_back(key, path); }, help)
            ->type_name("PATH")
            ->group("Model");
    };
    file_key("model-config", "Hugging Face config.json");
    file_key("gguf", "GGUF file");
    file_key("lengths", "Lengths of requests seen: a table in,out[,count], its file or -");
    file_key("model-dir", "Folder of a checkpoint: config.json, safetensors headers or index");
    app.add_option_function<std::string>(
           "--calibration",
           [&keys](const std::string& p) { keys.values.emplace_back("calibration", p); },
           "File written by kvgauge measure --save")
        ->type_name("PATH")
        ->group("Hardware");
    for (const char* key : {"lang", "theme", "view"}) {
        app.add_option_function<std::string>(
               std::string("--") + key,
               [&keys, key](const std::string& v) { keys.values.emplace_back(key, v); },
               "Presentation only")
            ->group("Output");
    }
    app.add_option("--link", keys.link, "Scenario from a link (v=1&...)")->group("Input");
    app.add_option("--from", keys.from,
                   "A command line or manifest: its text, a file with @ before it, or -")
        ->group("Input");
    app.add_option("--scenario", keys.scenario, "Scenario from a JSON file, - for standard input")
        ->group("Input");
}

void add_output(CLI::App& app, Output& o) {
    app.add_option("-o,--format", o.format, "text, md, csv, json, jsonl or svg")->group("Output");
    app.add_option("--output", o.file, "Write the result to this file")->group("Output");
    app.add_flag("-q,--quiet", o.quiet, "Nothing on standard error but errors")->group("Output");
}

// `card`: the command has an answer to draw.
bool read_format(Output& o, bool card) {
    if (o.format.empty() || o.format == "text") {
        o.kind = Format::text;
    } else if (o.format == "md" || o.format == "markdown") {
        o.kind = Format::md;
    } else if (o.format == "csv") {
        o.kind = Format::csv;
    } else if (o.format == "json") {
        o.kind = Format::json;
    } else if (o.format == "jsonl") {
        o.kind = Format::jsonl;
    } else if (o.format == "svg" && card) {
        o.kind = Format::svg;
    } else {
        std::fprintf(stderr, "kvgauge: -o %s is not accepted: text, md, csv, json%s.\n",
                     o.format.c_str(), card ? ", jsonl or svg" : " or jsonl");
        return false;
    }
    return true;
}

// "id,id" of --rows.
std::vector<std::string> split_ids(const std::string& text) {
    std::vector<std::string> out;
    std::size_t at = 0;
    while (at <= text.size() && !text.empty()) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        if (end > at) out.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return out;
}

bool read_size(const std::string& text, AppOptions& o) {
    if (text.empty()) return true;
    char tail = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &o.width, &o.height, &tail) == 2 && o.width >= 200 &&
        o.height >= 200 && o.width <= 16384 && o.height <= 16384) {
        return true;
    }
    std::fprintf(
        stderr,
        "kvgauge: --size %s is not accepted: WIDTHxHEIGHT from 200x200 to 16384x16384, such "
        "as 1280x800.\n",
        text.c_str());
    return false;
}

Command& add_command(CLI::App& app, Commands& all, const char* name, const char* about, bool keys) {
    all.push_back(std::make_unique<Command>());
    Command& c = *all.back();
    c.app = app.add_subcommand(name, about);
    if (keys) add_keys(*c.app, c.keys);
    add_output(*c.app, c.output);
    return c;
}

// Texts that options store into, shared by the subcommands that have them.
struct Texts {
    std::string rows, scenarios, what, topic, log;
    bool explain = false, pinned = false;
    SweepText sweep;
    std::vector<std::string> variants;
    MeasureOptions measuring;
};

void add_measure(CLI::App& app, Commands& all, Texts& t) {
    Command& measure =
        add_command(app, all, "measure", "Decode attention measured on this machine", true);
    const auto option = [&measure](const char* name, auto& to, const char* about) {
        measure.app->add_option(name, to, about)->group("Measurement");
    };
    option("--device", t.measuring.device,
           "cpu, cuda:0, cuda:1, ...; none: the first GPU that works, else the CPU");
    option("--shape", t.measuring.shape,
           "Attention to measure: ctx=32k,q-heads=32,kv-heads=8,head-dim=128,batch=4,kv=fp8,"
           "page=16; with --model, what differs from it");
    option("--threads", t.measuring.threads, "Of the CPU; none: all");
    option("--save", t.measuring.save, "Write a file that --calibration reads");
    measure.app->add_flag("--quick", t.measuring.quick, "Under a minute")->group("Measurement");
    measure.run = [&t](Command& c) { return run_measure(c.output, c.keys, t.measuring); };

    Command& devices = add_command(app, all, "devices", "What can be measured here", false);
    devices.run = [](Command& c) { return run_devices(c.output.format, c.output.file); };
}

void add_sweep(CLI::App& app, Commands& all, Texts& t) {
    Command& sweep =
        add_command(app, all, "sweep", "Many scenarios: keys with lists or ranges", true);
    const auto option = [&sweep](const char* name, auto& to, const char* about) {
        sweep.app->add_option(name, to, about)->group("Sweep");
    };
    option("--rows", t.sweep.rows, "The columns: id,id");
    option("--where", t.sweep.where, "Conditions, all must hold: fits,tpot<30ms,batch.max>=8");
    option("--sort", t.sweep.sort, "Row to order by, best first; id:asc, id:desc or -id");
    option("--limit", t.sweep.limit, "Points written at most");
    option("--price", t.sweep.price,
           "Price of a GPU-hour: 2.5, or h100-80gb-sxm=2.5,a100-80gb-sxm=1.6");
    sweep.app
        ->add_flag("--pareto", t.sweep.pareto,
                   "Only plans that none beats in tokens/s, time per token, GPUs and cost")
        ->group("Sweep");
    sweep.run = [&t](Command& c) { return run_sweep(c.output, c.keys, t.sweep); };
}

void add_traffic(CLI::App& app, Commands& all) {
    Command& traffic =
        add_command(app, all, "traffic", "Requests at once when their lengths differ", true);
    traffic.run = [](Command& c) { return run_traffic(c.output, c.keys); };
}

void add_compare(CLI::App& app, Commands& all, Texts& t) {
    Command& compare = add_command(app, all, "compare", "Two to four scenarios side by side", true);
    compare.app
        ->add_option("variants", t.variants,
                     "What each differs in from the keys: tp=4&kv=fp8, or a whole link (v=1&...)")
        ->required();
    compare.run = [&t](Command& c) { return run_compare(c.output, c.keys, t.variants); };
}

void add_commands(CLI::App& app, Commands& all, Texts& t) {
    Command& estimate =
        add_command(app, all, "estimate", "KV memory, batch limit, TP verdict and speed", true);
    estimate.app->add_option("--scenarios", t.scenarios, "One JSON scenario a line from FILE or -")
        ->group("Input");
    estimate.app->add_option("--rows", t.rows, "Only these rows: id,id")->group("Output");
    estimate.app->add_flag("--explain", t.explain, "The formula under each row")->group("Output");
    estimate.run = [&t](Command& c) {
        const std::vector<std::string> rows = split_ids(t.rows);
        if (!t.scenarios.empty()) return run_scenarios(c.output, t.scenarios, rows);
        return run_estimate(c.output, c.keys, rows, t.explain);
    };

    Command& check =
        add_command(app, all, "check", "Exit 0 when it fits, 3 when it does not", true);
    check.run = [](Command& c) { return run_check(c.output, c.keys); };

    add_sweep(app, all, t);
    add_traffic(app, all);
    add_compare(app, all, t);
    add_measure(app, all, t);

    Command& reconcile =
        add_command(app, all, "reconcile", "A start-up log against the prediction", true);
    reconcile.app->add_option("file", t.log, "The log, - for standard input")->required();
    reconcile.run = [&t](Command& c) { return run_reconcile(c.output, c.keys, t.log); };

    Command& list =
        add_command(app, all, "list", "The catalogs: models, gpus, engines or kernels", false);
    list.app->add_option("what", t.what, "models, gpus, engines or kernels")->required();
    list.run = [&t](Command& c) { return run_list(c.output, t.what); };

    Command& link = add_command(app, all, "link", "The link of a scenario", true);
    link.app->add_flag("--pinned", t.pinned, "Write the numbers of the presets out");
    link.run = [&t](Command& c) { return run_link(c.output, c.keys, t.pinned); };

    Command& help = add_command(app, all, "help", "Help on a topic", false);
    help.app->add_option("topic", t.topic, "A subcommand, keys or rows");
    help.run = [&t](Command& c) { return run_help(c.output, t.topic); };
}

// The subcommand that was asked for help, or the whole page.
int show_help(const CLI::App& app) {
    const auto parsed = app.get_subcommands();
    return run_help({}, parsed.empty() ? std::string() : parsed.front()->get_name());
}

}  // namespace

int run_cli(int argc, char** argv) {
    CLI::App app{"What a model's KV cache costs, before deployment.", "kvgauge"};
    app.set_version_flag("-V,--version", "kvgauge " KVGAUGE_VERSION);
    app.set_help_flag("-h,--help", "This help");
    app.require_subcommand(0, 1);

    AppOptions window;
    std::string size;
    app.add_option("--link", window.link, "Scenario to open (v=1&...)");
    app.add_option("--screenshot", window.screenshot, "Draw once into this PNG and leave");
    app.add_option("--size", size, "WIDTHxHEIGHT of the window or picture");
    app.add_option("--open", window.open_file, "config.json, GGUF, log or calibration to open")
        ->expected(0, 1);  // a desktop entry without a file
    Commands commands;
    Texts texts;
    add_commands(app, commands, texts);

    if (argc > 1 && std::string_view(argv[1]) == "complete") {
        for (const std::string& word : completions(app, {argv + 2, argv + argc})) {
            std::puts(word.c_str());
        }
        return kOk;
    }
    std::vector<std::string> words;
    if (!expand_arguments(argc, argv, words)) return kUsage;
    std::reverse(words.begin(), words.end());  // as CLI11 wants a vector
    try {
        app.parse(words);
    } catch (const CLI::CallForHelp&) {
        return show_help(app);
    } catch (const CLI::Success& e) {
        return app.exit(e) == 0 ? kOk : kFailed;
    } catch (const CLI::ParseError& e) {
        std::fprintf(stderr, "kvgauge: %s\nkvgauge help lists what is accepted.\n", e.what());
        return kUsage;
    }
    for (const auto& c : commands) {
        if (!c->app->parsed()) continue;
        const std::string name = c->app->get_name();
        const bool card = name == "estimate" || name == "check";
        return read_format(c->output, card) ? c->run(*c) : kUsage;
    }
    return read_size(size, window) ? run_app(window) : kUsage;
}

}  // namespace kvgauge
