#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns models.tsv and gpus.tsv into catalog_data.cc: one packed byte table each.

    generate.py --out DIR FOLDER_OF_THE_TSV_FILES

The table is a stream of unsigned LEB128 numbers and strings (length, bytes); catalog_decode.cc reads
it. Every fault of a file is reported as FILE:LINE:COLUMN (the column counts characters) and the exit
code is 1. Words and their tags come from model_words.def.
"""
import argparse
import os
import re
import sys

MODEL_COLUMNS = ("id name aliases model_type architecture model layers mtp weights kv assumed source path date").split()
GPU_COLUMNS = ("id name aliases vendor arch driver_mib visible_gib bandwidth_gbs flops16_tf flops8_tf "
               "flops4_tf fp8 bf16 link_kind link_gbs pcie_gbs l2_mib cc sms tdp_w source date unsure note").split()
ID = re.compile(r"[a-z0-9][a-z0-9.\-]*$")
DATE = re.compile(r"20\d\d-(0[1-9]|1[0-2])(-([0-2]\d|3[01]))?$")
FULL_DATE = re.compile(r"20\d\d-(0[1-9]|1[0-2])-([0-2]\d|3[01])$")


class Fault(Exception):
    """What is wrong, and the place in its cell where it was seen."""

    def __init__(self, text, at=0):
        super().__init__(text)
        self.at = at


def number(n):
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def string(s):
    b = s.encode("utf-8")
    return number(len(b)) + b


class Words:
    """The vocabulary of model_words.def: word -> (tag, takes a number)."""

    def __init__(self, path):
        text = open(path, encoding="utf-8").read()
        self.attn = self.kinds(text, "ATTN")
        self.state = self.kinds(text, "STATE")
        self.weights = self.kinds(text, "WEIGHTS")
        self.kv = self.kinds(text, "KV")
        self.classes = self.kinds(text, "CLASS")
        self.layer = self.fields(text, "LAYER")
        self.weight = self.fields(text, "WEIGHT")
        self.model = self.fields(text, "MODEL")

    @staticmethod
    def kinds(text, what):
        return {w: i + 1 for i, w in enumerate(re.findall(r"^KVG_%s\((\w+)\)" % what, text, re.M))}

    @staticmethod
    def fields(text, what):
        found = re.findall(r"^KVG_%s_(NUMBER|FLAG)\((\w+)," % what, text, re.M)
        return {w: (i + 1, kind == "NUMBER") for i, (kind, w) in enumerate(found)}


def assignments(text, at, fields, sugar=None):
    """'q:32 kv:8 tied' -> packed pairs of tag and value, closed by 0."""
    out, seen = bytearray(), set()
    for m in re.finditer(r"\S+", text):
        word, colon, value = m.group().partition(":")
        place = at + m.start()
        names = (sugar or {}).get(word, [word])
        for name in names:
            if name not in fields:
                raise Fault("unknown word '%s'; known: %s" % (word, " ".join(sorted(fields))), place)
            tag, takes = fields[name]
            if takes != bool(colon):
                raise Fault("'%s' %s" % (word, "needs a number, as in %s:1" % word if takes else "takes no number"), place)
            if name in seen:
                raise Fault("'%s' stands twice" % name, place)
            seen.add(name)
            if takes and not re.fullmatch(r"\d{1,19}", value):
                raise Fault("'%s' needs a whole number of at most 19 digits, found '%s'" % (word, value), place)
            out += number(tag) + number(int(value) if takes else 1)
    return bytes(out) + b"\0", seen


def weight_format(text, words):
    """'mxfp4 group:32 attention:bf16' -> kind, packed numbers, packed pairs of class and kind."""
    kind, _, rest = text.partition(" ")
    at = len(kind) + 1
    if kind not in words.weights:
        raise Fault("'%s' is not one of: %s" % (kind, " ".join(words.weights)))
    own = "".join(rest)
    classes = bytearray()
    for m in re.finditer(r"\S+", rest):
        word, _, value = m.group().partition(":")
        if word in words.classes:
            if value not in words.weights:
                raise Fault("'%s' is not one of: %s" % (value, " ".join(words.weights)), at + m.start())
            classes += number(words.classes[word]) + number(words.weights[value])
            own = own[:m.start()] + " " * len(m.group()) + own[m.end():]
    packed, _ = assignments(own, at, words.weight)
    return number(words.weights[kind]) + packed + bytes(classes) + b"\0"


class Program:
    """A layer program: named layers, groups and repeats, flattened to runs of distinct layers."""

    LIMIT = 4096  # layers of one model

    def __init__(self, text, words, layers):
        self.text, self.words, self.layers = text, words, layers
        self.pos, self.names = 0, {}
        self.runs = self.items(top=True)
        if self.pos < len(text):
            raise Fault("'%s' closes nothing" % text[self.pos], self.pos)
        total = sum(n for n, _ in self.runs)
        if total > self.LIMIT:
            raise Fault("%d layers, at most %d are accepted" % (total, self.LIMIT))

    def blank(self):
        while self.pos < len(self.text) and self.text[self.pos] == " ":
            self.pos += 1

    def items(self, top=False):
        runs = []
        while True:
            self.blank()
            if self.pos >= len(self.text) or self.text[self.pos] == ")":
                return runs
            for n, layer in self.item(top):
                if runs and runs[-1][1] == layer:
                    runs[-1] = (runs[-1][0] + n, layer)
                else:
                    runs.append((n, layer))

    def item(self, top):
        start = self.pos
        m = re.compile(r"(\d{1,4})x").match(self.text, self.pos)
        times = int(m.group(1)) if m else 1
        if m:
            self.pos = m.end()
            if times == 0:
                raise Fault("a repeat of 0", start)
        at = self.pos
        if self.text.startswith("(", at):
            self.pos += 1
            inner = self.items()
            if not self.text.startswith(")", self.pos):
                raise Fault("'(' is not closed", at)
            self.pos += 1
            if len(inner) == 1:
                return [(inner[0][0] * times, inner[0][1])]
            return inner * times
        if self.text.startswith("[", at):
            return [(times, self.layer())]
        m = re.compile(r"([A-Za-z]\w*)(=?)").match(self.text, at)
        if not m:
            raise Fault("expected a layer [..], a group (..) or a name, found '%s'" % self.text[at:at + 8], at)
        name = m.group(1)
        self.pos = m.end()
        if m.group(2):
            if times != 1 or start != at or not top:
                raise Fault("a name is given at the top, without a repeat", at)
            if name in self.names:
                raise Fault("'%s' is named twice" % name, at)
            if not self.text.startswith("[", self.pos):
                raise Fault("'%s=' needs a layer in brackets" % name, self.pos)
            self.names[name] = self.layer()
            return []
        if name not in self.names:
            raise Fault("'%s' is not named here; named: %s" % (name, " ".join(self.names) or "none"), at)
        return [(times, self.names[name])]

    def layer(self):
        at = self.pos
        end = self.text.find("]", at)
        if end < 0:
            raise Fault("'[' is not closed", at)
        self.pos = end + 1
        body, attn, state, rest = self.text[at + 1:end], 0, 0, list(self.text[at + 1:end])
        for m in re.finditer(r"\S+", body):
            for kinds, which in ((self.words.attn, "attn"), (self.words.state, "state")):
                if m.group() in kinds:
                    if (attn if which == "attn" else state):
                        raise Fault("a second kind of %s: '%s'" % ("attention" if which == "attn" else which, m.group()), at + 1 + m.start())
                    if which == "attn":
                        attn = kinds[m.group()]
                    else:
                        state = kinds[m.group()]
                    rest[m.start():m.end()] = " " * (m.end() - m.start())
        packed, seen = assignments("".join(rest), at + 1, self.words.layer, {"d": ["k", "v"]})
        self.check(attn, state, seen, at)
        whole = number(attn) + number(state) + packed
        if whole not in self.layers:
            self.layers.append(whole)
        return self.layers.index(whole)

    def check(self, attn, state, seen, at):
        kind = next((w for w, i in self.words.attn.items() if i == attn), "none")
        needs = {"full": "q kv k v", "sliding": "q kv k v window", "chunked": "q kv k v window", "cross": "q kv k v",
                 "mla": "q rank rope", "compressed": "q rank window"}.get(kind, "").split()
        missing = [w for w in needs if w not in seen]
        if missing:
            raise Fault("a %s layer needs %s" % (kind, ", ".join(missing)), at)
        if "experts" in seen and not {"active", "expert"} <= seen:
            raise Fault("experts need active and expert", at)

    def packed(self):
        return number(len(self.runs)) + b"".join(number(layer) + number(n) for n, layer in self.runs)


def read_table(path, columns):
    """Yields (line number, {column: (text, column in the line)}); returns the revision first."""
    name = os.path.basename(path)
    revision, rows, head = None, [], None
    with open(path, encoding="utf-8", newline="") as f:
        lines = f.read().split("\n")
    for n, line in enumerate(lines, 1):
        if line.startswith("#"):
            m = re.match(r"# revision: (\S+)$", line)
            if m:
                if not FULL_DATE.match(m.group(1)):
                    fail(name, n, 13, "revision needs a date YYYY-MM-DD")
                revision = m.group(1)
            continue
        if not line:
            continue
        cells, at = {}, 0
        texts = line.split("\t")
        if head is None:
            if texts != columns:
                fail(name, n, 1, "columns are to be: " + " ".join(columns))
            head = texts
            continue
        if len(texts) != len(columns):
            fail(name, n, 1, "%d columns, expected %d" % (len(texts), len(columns)))
        for c, t in zip(columns, texts):
            if t != t.strip():
                fail(name, n, at + 1, "%s: blank at its begin or end" % c)
            cells[c] = (t, at)
            at += len(t) + 1
        rows.append((n, cells))
    if revision is None:
        fail(name, 1, 1, "no '# revision: YYYY-MM-DD' line")
    return revision, rows


def fail(name, line, column, text):
    sys.exit("%s:%d:%d: %s" % (name, line, column, text))


class Row:
    """One line with its place, so that a fault names file, line and column."""

    def __init__(self, file, line, cells):
        self.file, self.line, self.cells = file, line, cells

    def text(self, column):
        return self.cells[column][0]

    def fault(self, column, text, at=0):
        fail(self.file, self.line, self.cells[column][1] + at + 1, "%s: %s" % (column, text))

    def run(self, column, fn):
        try:
            return fn(self.text(column))
        except Fault as f:
            self.fault(column, str(f), f.at)

    def required(self, column):
        if not self.text(column):
            self.fault(column, "is empty")
        return self.text(column)

    def choice(self, column, known):
        if self.text(column) not in known:
            self.fault(column, "'%s' is not one of: %s" % (self.text(column), " ".join(known)))
        return self.text(column)

    def milli(self, column, mark=""):
        """A decimal with at most three places, in thousandths; empty is 0."""
        t = self.text(column)
        t = t[1:] if mark and t.startswith(mark) else t
        if not t:
            return 0
        m = re.fullmatch(r"(\d{1,9})(?:\.(\d{1,3}))?", t)
        if not m:
            self.fault(column, "'%s' is not a decimal number of at most three places" % t)
        return int(m.group(1)) * 1000 + int((m.group(2) or "0").ljust(3, "0"))


def unique(names):
    """Ids and aliases share one name space; the index folds case and blanks."""

    def fold(s):
        return re.sub(r"[ _]", "-", s.lower())

    def note(row, column, text):
        key = fold(text)
        if not text:
            row.fault(column, "an empty name")
        if names.setdefault(key, row.line) != row.line:
            row.fault(column, "'%s' already names the row in line %d" % (text, names[key]))

    return note


def pack_common(row, note):
    ident = row.required("id")
    if not ID.match(ident):
        row.fault("id", "'%s' is not a lower-case release name" % ident)
    note(row, "id", ident)
    for alias in filter(None, row.text("aliases").split(";")):
        note(row, "aliases", alias)
    row.required("source")
    if not DATE.match(row.text("date")):
        row.fault("date", "'%s' is not YYYY-MM or YYYY-MM-DD" % row.text("date"))


def pack_model(row, words, note):
    pack_common(row, note)
    out = b"".join(string(row.text(c) if c in ("aliases", "assumed") else row.required(c))
                   for c in ("id", "name", "aliases", "model_type", "architecture", "assumed", "source", "date"))
    packed, seen = row.run("model", lambda t: assignments(t, 0, words.model))
    for need in ("hidden", "vocab"):
        if need not in seen:
            row.fault("model", "needs " + need)
    out += packed
    out += row.run("weights", lambda t: weight_format(t, words))
    out += number(words.kv[row.choice("kv", words.kv)])
    layers = []
    programs = [row.run(c, lambda t: Program(t, words, layers)) for c in ("layers", "mtp")]
    if not programs[0].runs:
        row.fault("layers", "no layer")
    out += number(len(layers)) + b"".join(layers)
    return out + b"".join(p.packed() for p in programs)


def pack_gpu(row, note):
    pack_common(row, note)
    out = b"".join(string(row.required(c) if c in ("id", "name", "vendor", "arch") else row.text(c))
                   for c in ("id", "name", "aliases", "vendor", "arch", "link_kind", "source", "date", "unsure", "note"))
    driver, visible = row.milli("driver_mib"), row.milli("visible_gib", "~")
    assumed = not visible or row.text("visible_gib").startswith("~")
    if not driver:
        row.fault("driver_mib", "is empty")
    if not row.milli("bandwidth_gbs"):
        row.fault("bandwidth_gbs", "is empty")
    flags = [row.choice("fp8", ("yes", "no")) == "yes", row.choice("bf16", ("yes", "no")) == "yes", assumed]
    out += number(driver) + number(visible)
    for c in ("bandwidth_gbs", "flops16_tf", "flops8_tf", "flops4_tf", "link_gbs", "pcie_gbs", "l2_mib", "cc", "sms", "tdp_w"):
        out += number(row.milli(c))
    return out + number(sum(1 << i for i, f in enumerate(flags) if f))


def literal(name, data):
    lines = [", ".join("%d" % b for b in data[i:i + 24]) for i in range(0, len(data), 24)]
    return "const unsigned char %s[] = {\n    %s,\n};\nconst std::size_t %s_size = sizeof %s;\n" % (name, ",\n    ".join(lines), name, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("folder")
    args = parser.parse_args()
    words = Words(os.path.join(args.folder, "model_words.def"))
    packed, revisions = {}, []
    for kind, columns, pack in (("models", MODEL_COLUMNS, lambda r, n: pack_model(r, words, n)), ("gpus", GPU_COLUMNS, pack_gpu)):
        file = kind + ".tsv"
        revision, rows = read_table(os.path.join(args.folder, file), columns)
        revisions.append(revision)
        note = unique({})
        packed[kind] = number(len(rows)) + b"".join(pack(Row(file, n, cells), note) for n, cells in rows)
    text = ("// SPDX-License-Identifier: MIT\n// Made by generate.py from models.tsv and gpus.tsv.\n"
            "#include \"data/catalog_data.h\"\n\nnamespace kvgauge::catalog_data {\n\n"
            "const char revision[] = \"%s\";\n%s%s\n}  // namespace kvgauge::catalog_data\n"
            % (max(revisions), literal("models", packed["models"]), literal("gpus", packed["gpus"])))
    os.makedirs(args.out, exist_ok=True)
    path = os.path.join(args.out, "catalog_data.cc")
    if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main()
