#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns strings_*.tsv into strings_ids.h (an enum) and strings_data.cc (one array per language).

    generate_strings.py --out DIR FOLDER_OF_THE_TSV_FILES

Every fault is reported as FILE:LINE and the exit code is 1: a key twice, a key that another language
lacks, placeholders that differ, an empty text.
"""
import argparse
import os
import re
import sys

LANGUAGES = ("en", "ko")  # in the order of enum class Lang
KEY = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+$")
PLACE = re.compile(r"\{([^}]*)\}")


def read(path):
    """key -> (line number, text), in file order."""
    out, faults = {}, []
    for n, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if not line or line.startswith("#"):
            continue
        key, tab, text = line.partition("\t")
        if not tab or not text.strip() or "\t" in text:
            faults.append(f"{path}:{n}: a key, one tab and a text are wanted")
        elif not KEY.match(key):
            faults.append(f"{path}:{n}: {key!r} is no key (lower-case words joined by dots)")
        elif key in out:
            faults.append(f"{path}:{n}: {key} stands on line {out[key][0]} too")
        elif any(not p.isdigit() for p in PLACE.findall(text)):
            faults.append(f"{path}:{n}: {key}: placeholders are numbers in braces")
        else:
            out[key] = (n, text)
    return out, faults


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("folder")
    args = parser.parse_args()
    tables, faults = [], []
    for lang in LANGUAGES:
        table, wrong = read(os.path.join(args.folder, f"strings_{lang}.tsv"))
        tables.append(table)
        faults += wrong
    first = tables[0]
    for lang, table in zip(LANGUAGES[1:], tables[1:]):
        path = os.path.join(args.folder, f"strings_{lang}.tsv")
        faults += [f"{path}: {k} is missing" for k in first if k not in table]
        faults += [f"{path}:{table[k][0]}: {k} is not in strings_en.tsv" for k in table if k not in first]
        for k in first.keys() & table.keys():
            a, b = (set(PLACE.findall(t[k][1])) for t in (first, table))
            if a != b:
                faults.append(f"{path}:{table[k][0]}: {k}: placeholders {sorted(b)}, English has {sorted(a)}")
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 1
    keys = list(first)
    with open(os.path.join(args.out, "strings_ids.h"), "w", encoding="utf-8") as f:
        f.write("// Generated from core/text/strings_*.tsv.\n#pragma once\n#include <cstdint>\n\n"
                "namespace kvgauge {\n\nenum class Str : std::uint16_t {\n")
        f.writelines(f"    {k.replace('.', '_')},\n" for k in keys)
        f.write(f"}};\ninline constexpr std::uint16_t kStrings = {len(keys)};\n\n}}  // namespace kvgauge\n")
    with open(os.path.join(args.out, "strings_data.cc"), "w", encoding="utf-8") as f:
        f.write('// Generated from core/text/strings_*.tsv.\n#include "text/strings_data.h"\n\n'
                "namespace kvgauge {\n\nconst std::string_view kStringKeys[] = {\n")
        f.writelines(f"    {quoted(k)},\n" for k in keys)
        f.write("};\n")
        for lang, table in zip(LANGUAGES, tables):
            f.write(f"\nconst std::string_view kStringTexts_{lang}[] = {{\n")
            f.writelines(f"    {quoted(table[k][1])},\n" for k in keys)
            f.write("};\n")
        f.write("\n}  // namespace kvgauge\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
