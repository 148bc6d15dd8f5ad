// SPDX-License-Identifier: MIT
// Prints one row of models.tsv for each config.json named: id, name, aliases, source and date are
// to be filled in, and the last column, the parameters, is for checking.
// Built by `ninja kvg_model_rows`; not part of the tests.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "import/config_json.h"
#include "model/weights.h"
#include "support/model_row.h"

namespace {

std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        std::string sidecar = argv[i];
        const std::size_t end = sidecar.rfind(".json");
        if (end != std::string::npos) sidecar.replace(end, 5, ".hf_quant_config.json");
        const kvgauge::Import im = kvgauge::import_config(read(argv[i]), argv[i], read(sidecar));
        for (const kvgauge::Issue& x : im.issues) std::fprintf(stderr, "%s\n", x.text.c_str());
        if (!im.model) continue;
        const kvgauge::ModelSpec& m = *im.model;
        const auto r = kvgauge::testing::model_row(m);
        std::string assumed;
        for (const std::string& a : m.assumed) assumed += (assumed.empty() ? "" : ";") + a;
        const unsigned long long total = kvgauge::params(m).total.value();
        std::printf("%s\t\t\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%llu\n", argv[i], m.model_type.c_str(),
                    m.architecture.c_str(), r.model.c_str(), r.layers.c_str(), r.mtp.c_str(),
                    r.weights.c_str(), r.kv.c_str(), assumed.c_str(), total);
    }
    return 0;
}
