// SPDX-License-Identifier: MIT
// Subcommands and their options, by CLI11; the keys of a scenario come from the field table.
#include "native/cli.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "native/app.h"
#include "native/cmd_measure.h"
#include "text/json.h"

namespace kvgauge {
namespace {

// A subcommand with what CLI11 stores into.
struct Command {
    CLI::App* app = nullptr;
    Output output;
    Keys keys;
    std::vector<std::string> rows;
};

// `--key value` for every key and alias of the table, kept in the order written.
void add_keys(CLI::App& app, Keys& keys) {
    for (const Field& f : fields()) {
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
    app.add_option("--scenario", keys.scenario, "Scenario from a JSON file, - for standard input")
        ->group("Input");
}

void add_output(CLI::App& app, Output& o) {
    app.add_option("-o,--format", o.format, "text, md, csv, json or jsonl")->group("Output");
    app.add_option("--output", o.file, "Write the result to this file")->group("Output");
    app.add_flag("-q,--quiet", o.quiet, "Nothing on standard error but errors")->group("Output");
}

bool read_format(Output& o) {
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
    } else {
        std::fprintf(stderr, "kvgauge: -o %s is not accepted: text, md, csv, json or jsonl.\n",
                     o.format.c_str());
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

}  // namespace

int run_cli(int argc, char** argv) {
    CLI::App app{"What a model's KV cache costs, before deployment.", "kvgauge"};
    app.set_version_flag("-V,--version", "kvgauge " KVGAUGE_VERSION);
    app.set_help_flag("-h,--help", "This help");
    app.require_subcommand(0, 1);
    app.option_defaults()->always_capture_default(false);

    AppOptions window;
    std::string size;
    app.add_option("--link", window.link, "Scenario to open (v=1&...)");
    app.add_option("--screenshot", window.screenshot, "Draw once into this PNG and leave");
    app.add_option("--size", size, "WIDTHxHEIGHT of the window or picture");
    app.add_option("--open", window.open_file, "config.json, GGUF, log or calibration to open");

    std::string row_ids, scenarios, from, what, topic;
    bool explain = false, pinned = false;

    Command estimate;
    estimate.app = app.add_subcommand("estimate", "KV memory, batch limit, TP verdict and speed");
    add_keys(*estimate.app, estimate.keys);
    add_output(*estimate.app, estimate.output);
    estimate.app->add_option("--scenarios", scenarios, "One JSON scenario a line from FILE or -")
        ->group("Input");
    estimate.app->add_option("--rows", row_ids, "Only these rows: id,id")->group("Output");
    estimate.app->add_flag("--explain", explain, "The formula under each row")->group("Output");

    Command check;
    check.app = app.add_subcommand("check", "Exit 0 when it fits, 3 when it does not");
    add_keys(*check.app, check.keys);
    add_output(*check.app, check.output);
    check.app
        ->add_option("--from", from,
                     "A command line or manifest: text, a file with @ before it, or -")
        ->group("Input");

    MeasureOptions measuring;
    Command measure;
    measure.app = app.add_subcommand("measure", "Decode attention measured on this machine");
    add_keys(*measure.app, measure.keys);
    add_output(*measure.app, measure.output);
    measure.app
        ->add_option("--device", measuring.device,
                     "cpu, cuda:0, cuda:1, ...; none: the first GPU that works, else the CPU")
        ->group("Measurement");
    measure.app
        ->add_option("--shape", measuring.shape,
                     "Attention to measure: ctx=32k,q-heads=32,kv-heads=8,head-dim=128,batch=4,"
                     "kv=fp8,page=16; with --model, what differs from it")
        ->group("Measurement");
    measure.app->add_flag("--quick", measuring.quick, "Under a minute")->group("Measurement");
    measure.app->add_option("--threads", measuring.threads, "Of the CPU; none: all")
        ->group("Measurement");
    measure.app->add_option("--save", measuring.save, "Write a file that --calibration reads")
        ->group("Measurement");

    Command devices;
    devices.app = app.add_subcommand("devices", "What can be measured here");
    add_output(*devices.app, devices.output);

    Command reconcile;
    std::string log_file;
    reconcile.app = app.add_subcommand("reconcile", "A start-up log against the prediction");
    reconcile.app->add_option("file", log_file, "The log, - for standard input")->required();
    add_keys(*reconcile.app, reconcile.keys);
    add_output(*reconcile.app, reconcile.output);

    Command list;
    list.app = app.add_subcommand("list", "The catalogs: models, gpus or engines");
    list.app->add_option("what", what, "models, gpus or engines")->required();
    add_output(*list.app, list.output);

    Command link;
    link.app = app.add_subcommand("link", "The link of a scenario");
    add_keys(*link.app, link.keys);
    add_output(*link.app, link.output);
    link.app->add_flag("--pinned", pinned, "Write the numbers of the presets out");

    Command help;
    help.app = app.add_subcommand("help", "Help on a topic");
    help.app->add_option("topic", topic, "A subcommand, keys or rows");
    add_output(*help.app, help.output);

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& e) {
        app.exit(e);
        return kOk;
    } catch (const CLI::ParseError& e) {
        std::fprintf(stderr, "kvgauge: %s\nkvgauge help lists what is accepted.\n", e.what());
        return kUsage;
    }

    for (Command* c : {&estimate, &check, &measure, &devices, &reconcile, &list, &link, &help}) {
        if (!c->app->parsed()) continue;
        if (!read_format(c->output)) return kUsage;
        c->rows = split_ids(row_ids);
        if (c == &estimate) {
            if (!scenarios.empty()) return run_scenarios(c->output, scenarios, c->rows);
            return run_estimate(c->output, c->keys, c->rows, explain);
        }
        if (c == &check) return run_check(c->output, c->keys, from);
        if (c == &measure) return run_measure(c->output, c->keys, measuring);
        if (c == &devices) return run_devices(c->output.format, c->output.file);
        if (c == &reconcile) return run_reconcile(c->output, c->keys, log_file);
        if (c == &list) return run_list(c->output, what);
        if (c == &link) return run_link(c->output, c->keys, pinned);
        return run_help(c->output, topic);
    }
    if (!read_size(size, window)) return kUsage;
    return run_app(window);
}

}  // namespace kvgauge
