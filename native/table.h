// SPDX-License-Identifier: MIT
// Owns: a plain table in every output format: columns for people, Markdown, CSV, JSON objects.
#pragma once
#include <string>
#include <vector>

#include "native/cli.h"

namespace kvgauge {

struct Table {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;  // as many cells as columns
};

// In JSON a cell that is a plain number goes out as a number, an empty one as null.
std::string table_text(const Table&, Format);

}  // namespace kvgauge
