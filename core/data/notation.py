# SPDX-License-Identifier: MIT
"""The notation of models.tsv: words of model_words.def, weight formats and layer programs -> bytes.

Numbers are packed as unsigned LEB128, strings as length and bytes; catalog_decode.cc reads them.
A Fault says what is wrong and at which character of the text.
"""
import re


class Fault(Exception):
    """What is wrong, and the place in its text where it was seen."""

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
    b = s.encode('utf-8')
    return number(len(b)) + b


class Words:
    """The vocabulary of model_words.def. Kinds: word -> place in its list, from 1. Fields:
    word -> (tag, whether it takes a number)."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as f:
            text = f.read()
        self.attn = self.kinds(text, 'ATTN')
        self.state = self.kinds(text, 'STATE')
        self.weights = self.kinds(text, 'WEIGHTS')
        self.kv = self.kinds(text, 'KV')
        self.classes = self.kinds(text, 'CLASS')
        self.layer = self.fields(text, 'LAYER')
        self.weight = self.fields(text, 'WEIGHT')
        self.model = self.fields(text, 'MODEL')

    @staticmethod
    def kinds(text, what):
        found = re.findall(r'^KVG_%s\((\w+)\)' % what, text, re.M)
        return {w: i for i, w in enumerate(found, 1)}

    @staticmethod
    def fields(text, what):
        found = re.findall(r'^KVG_%s_(NUMBER|FLAG)\((\w+),' % what, text, re.M)
        return {w: (i, kind == 'NUMBER') for i, (kind, w) in enumerate(found, 1)}


def assignments(text, at, fields, sugar=None):
    """'q:32 kv:8 tied' -> packed pairs of tag and value, closed by 0, and the words that stood."""
    out, seen = bytearray(), set()
    for m in re.finditer(r'\S+', text):
        word, colon, value = m.group().partition(':')
        place = at + m.start()
        for name in (sugar or {}).get(word, [word]):
            if name not in fields:
                known = ' '.join(sorted(fields))
                raise Fault(f"unknown word '{word}'; known: {known}", place)
            tag, takes = fields[name]
            if takes != bool(colon):
                needs = f'needs a number, as in {word}:1' if takes else 'takes no number'
                raise Fault(f"'{word}' {needs}", place)
            if name in seen:
                raise Fault(f"'{name}' stands twice", place)
            seen.add(name)
            if takes and not re.fullmatch(r'\d{1,19}', value):
                raise Fault(f"'{word}' needs a whole number of at most 19 digits, found '{value}'",
                            place)
            out += number(tag) + number(int(value) if takes else 1)
    return bytes(out) + b'\0', seen


def weight_format(text, words):
    """'mxfp4 group:32 attention:bf16' -> kind, packed numbers, packed pairs of class and kind."""
    known = ' '.join(words.weights)
    kind, _, rest = text.partition(' ')
    at = len(kind) + 1
    if kind not in words.weights:
        raise Fault(f"'{kind}' is not one of: {known}")
    own, classes = rest, bytearray()
    for m in re.finditer(r'\S+', rest):
        word, _, value = m.group().partition(':')
        if word not in words.classes:
            continue
        if value not in words.weights:
            raise Fault(f"'{value}' is not one of: {known}", at + m.start())
        classes += number(words.classes[word]) + number(words.weights[value])
        own = own[:m.start()] + ' ' * len(m.group()) + own[m.end():]
    packed, _ = assignments(own, at, words.weight)
    return number(words.weights[kind]) + packed + bytes(classes) + b'\0'


# What a layer of each kind of attention cannot do without.
NEEDS = {
    'full': 'q kv k v', 'sliding': 'q kv k v window', 'chunked': 'q kv k v window',
    'cross': 'q kv k v', 'mla': 'q rank rope', 'compressed': 'q rank window',
}


class Program:
    """A layer program: named layers, groups and repeats, flattened to runs of distinct layers.
    `layers` collects the packed layers of a row; runs are (count, index into it)."""

    LIMIT = 4096  # layers of one model

    def __init__(self, text, words, layers):
        self.text, self.words, self.layers = text, words, layers
        self.pos, self.names = 0, {}
        self.runs = self.items(top=True)
        if self.pos < len(text):
            raise Fault(f"'{text[self.pos]}' closes nothing", self.pos)
        total = sum(n for n, _ in self.runs)
        if total > self.LIMIT:
            raise Fault(f'{total} layers, at most {self.LIMIT} are accepted')

    def items(self, top=False):
        runs = []
        while True:
            while self.text.startswith(' ', self.pos):
                self.pos += 1
            if self.pos >= len(self.text) or self.text[self.pos] == ')':
                return runs
            for n, layer in self.item(top):
                if runs and runs[-1][1] == layer:
                    runs[-1] = (runs[-1][0] + n, layer)
                else:
                    runs.append((n, layer))

    def item(self, top):
        start = self.pos
        m = re.compile(r'(\d{1,4})x').match(self.text, start)
        times = int(m.group(1)) if m else 1
        if times == 0:
            raise Fault('a repeat of 0', start)
        at = self.pos = m.end() if m else start
        if self.text.startswith('(', at):
            return self.group(at, times)
        if self.text.startswith('[', at):
            return [(times, self.layer())]
        m = re.compile(r'([A-Za-z]\w*)(=?)').match(self.text, at)
        if not m:
            raise Fault('expected a layer [..], a group (..) or a name, found '
                        f"'{self.text[at:at + 8]}'", at)
        name = m.group(1)
        self.pos = m.end()
        if m.group(2):
            return self.naming(name, at, top and at == start)
        if name not in self.names:
            named = ' '.join(self.names) or 'none'
            raise Fault(f"'{name}' is not named here; named: {named}", at)
        return [(times, self.names[name])]

    def group(self, at, times):
        self.pos += 1
        inner = self.items()
        if not self.text.startswith(')', self.pos):
            raise Fault("'(' is not closed", at)
        self.pos += 1
        if len(inner) == 1:
            return [(inner[0][0] * times, inner[0][1])]
        return inner * times

    def naming(self, name, at, allowed):
        if not allowed:
            raise Fault('a name is given at the top, without a repeat', at)
        if name in self.names:
            raise Fault(f"'{name}' is named twice", at)
        if not self.text.startswith('[', self.pos):
            raise Fault(f"'{name}=' needs a layer in brackets", self.pos)
        self.names[name] = self.layer()
        return []

    def layer(self):
        at = self.pos
        end = self.text.find(']', at)
        if end < 0:
            raise Fault("'[' is not closed", at)
        self.pos = end + 1
        body = self.text[at + 1:end]
        attn, body = self.kind(body, at + 1, self.words.attn, 'attention')
        state, body = self.kind(body, at + 1, self.words.state, 'state')
        packed, seen = assignments(body, at + 1, self.words.layer, {'d': ['k', 'v']})
        missing = [w for w in NEEDS.get(attn, '').split() if w not in seen]
        if missing:
            raise Fault(f"a {attn} layer needs {', '.join(missing)}", at)
        if 'experts' in seen and not {'active', 'expert'} <= seen:
            raise Fault('experts need active and expert', at)
        place = self.words.attn.get(attn, 0), self.words.state.get(state, 0)
        whole = number(place[0]) + number(place[1]) + packed
        if whole not in self.layers:
            self.layers.append(whole)
        return self.layers.index(whole)

    @staticmethod
    def kind(body, at, kinds, what):
        """The word of `body` that is one of `kinds`, and the body with blanks in its place."""
        found = None
        for m in re.finditer(r'\S+', body):
            if m.group() not in kinds:
                continue
            if found:
                raise Fault(f"a second kind of {what}: '{m.group()}'", at + m.start())
            found = m.group()
            body = body[:m.start()] + ' ' * len(found) + body[m.end():]
        return found, body

    def packed(self):
        runs = b''.join(number(layer) + number(n) for n, layer in self.runs)
        return number(len(self.runs)) + runs
