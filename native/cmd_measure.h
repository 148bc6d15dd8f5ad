// SPDX-License-Identifier: MIT
// Owns: the subcommands `measure` and `devices`: from their options to what is printed, saved and
// returned. Results go to standard output or a file, everything else to standard error.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "model/model_spec.h"
#include "native/cli.h"
#include "probe/session.h"

namespace kvgauge {

struct MeasureOptions {
    std::string device;  // "cuda:0", "cpu"; empty: the first GPU that works, else the CPU
    std::string shape;   // "ctx=32k,kv-heads=8,..."; empty: the standard sweep, or model_shape
    MeasureShape model_shape;  // of --model
    bool quick = false;
    bool quiet = false;
    std::uint32_t threads = 0;
    std::uint64_t memory_cap = 0;
    std::string save;  // measurement file to write
    // What the catalog knows of the device and the driver does not tell; 0: nothing. FLOP/s.
    double peak_flops16 = 0;
    std::string format;  // text (default), md, csv, json, jsonl
    std::string file;    // where the result goes; empty: standard output
    std::string version;
};

// The attention geometry most of a model's layers have; empty where no layer caches K and V of
// heads that the kernels take (MLA, head dimensions of their own), `reason` then says so.
MeasureShape measure_shape(const ModelSpec&, std::string& reason);

// 0 measured, 1 failed or cancelled, 2 wrong options, 4 no usable device, 5 noisy or throttled.
int run_measure(const MeasureOptions&);
// The same from a command line: format, file and the model that its keys name, if they name one.
int run_measure(const Output&, const Keys&, MeasureOptions);
int run_devices(const std::string& format, const std::string& file);

// Devices this program could measure, the CPU last; and the probe of one. Null and a sentence when
// there is no such device or it cannot be used.
std::vector<DeviceInfo> all_devices();
std::unique_ptr<Probe> open_probe(const std::string& id, std::string& problem);

}  // namespace kvgauge
