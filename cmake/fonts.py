# SPDX-License-Identifier: MIT
"""Subsets the fonts of the user interface.

fonts.py --out DIR TEXT_FILE...
  DIR/builtin_fonts_latin.inc   Inter Regular and SemiBold, as C++ array contents
  DIR/builtin_fonts_korean.inc  Noto Sans CJK KR Regular and Bold: every Hangul syllable in the files
  DIR/builtin_fonts_label.inc   the same, only the syllables of the language switch
  DIR/web/{latin,korean}-{regular,semibold}.otf  the same as files
A family that is not installed gives empty arrays; the program then uses ImGui's own font.

stb_truetype ignores OpenType features, so tabular figures are baked in: the cmap of 0-9 is pointed at
the `tnum` alternates before subsetting. Digits only, a tabular comma or full stop looks loose.
"""
import argparse
import glob
import hashlib
import importlib.util
import io
import os
import sys

LATIN = ''.join(map(chr, range(0x20, 0x7f))) + '×÷½¼¾·–—−≤≥±≈≠→←↑↓↔…µ°¹²³“”‘’•§©Σ∑√∞✓'
LABEL = '한국어'
# Path patterns of the Debian packages fonts-inter and fonts-noto-cjk; weight suffix to pattern.
INTER = '/usr/share/fonts/**/Inter-{}.otf'
NOTO = '/usr/share/fonts/**/NotoSansCJK-{}.ttc'
FACES = ('regular', 'semibold')


def is_hangul(c):
    return 0x1100 <= c <= 0x11ff or 0x3130 <= c <= 0x318f or 0xac00 <= c <= 0xd7a3


def is_cjk_punctuation(c):
    return 0x3000 <= c <= 0x303f or 0xff00 <= c <= 0xffef


def find(pattern):
    found = sorted(glob.glob(pattern, recursive=True))
    return found[0] if found else None


def tabular(font):
    """Glyph name to its tabular alternate, by the font's own GSUB."""
    names = {}
    gsub = font['GSUB'].table
    for record in gsub.FeatureList.FeatureRecord:
        if record.FeatureTag != 'tnum':
            continue
        for index in record.Feature.LookupListIndex:
            for table in gsub.LookupList.Lookup[index].SubTable:
                names.update(getattr(table, 'mapping', None) or table.ExtSubTable.mapping)
    return names


def subset(font, characters):
    from fontTools import subset as tool
    options = tool.Options()
    options.layout_features = []
    options.hinting = False
    options.notdef_outline = True
    options.drop_tables += ['GSUB', 'GPOS', 'GDEF', 'DSIG', 'BASE', 'VORG', 'vhea', 'vmtx']
    options.name_IDs = []
    options.recalc_timestamp = False
    subsetter = tool.Subsetter(options)
    subsetter.populate(unicodes=[ord(c) for c in characters])
    subsetter.subset(font)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()


def latin(path, characters):
    from fontTools.ttLib import TTFont
    font = TTFont(path, recalcTimestamp=False)
    names = tabular(font)
    for table in font['cmap'].tables:
        for c in range(0x30, 0x3a):
            if c in table.cmap:
                table.cmap[c] = names.get(table.cmap[c], table.cmap[c])
    widths = {font['hmtx'][font.getBestCmap()[c]][0] for c in range(0x30, 0x3a)}
    if max(widths) - min(widths) > 4:
        sys.exit(f'fonts.py: the digits of {path} have widths {sorted(widths)}, not one')
    return subset(font, characters)


def korean(path, characters):
    from fontTools.ttLib import TTCollection
    for font in TTCollection(path, recalcTimestamp=False).fonts:
        if font['name'].getDebugName(1).startswith('Noto Sans CJK KR'):
            return subset(font, characters)
    sys.exit(f'fonts.py: {path} has no Korean face')


def write(path, data):
    """Only if it differs, so that nothing is compiled again for the same font."""
    if os.path.exists(path):
        with open(path, 'rb') as f:
            if f.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)


def array(name, data):
    rows = (', '.join(map(str, data[i:i + 32])) for i in range(0, len(data), 32))
    body = ',\n    '.join(rows) if data else '0'
    return (f'constexpr unsigned char {name}_bytes[] = {{\n    {body}}};\n'
            f'constexpr std::size_t {name}_size = {len(data)};\n').encode()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--out', required=True)
    parser.add_argument('texts', nargs='*')
    args = parser.parse_args()
    used = set(LATIN)
    for path in args.texts:
        with open(path, encoding='utf-8', errors='replace') as f:
            used.update(f.read())
    hangul = ''.join(sorted(c for c in used | set(LABEL)
                            if is_hangul(ord(c)) or is_cjk_punctuation(ord(c))))
    other = ''.join(sorted(c for c in used if ord(c) >= 0x20 and c not in hangul))

    sources = {f: (find(INTER.format(w)), find(NOTO.format(n))) for f, w, n in
               (('regular', 'Regular', 'Regular'), ('semibold', 'SemiBold', 'Bold'))}
    if not importlib.util.find_spec('fontTools'):
        print('fonts.py: no fontTools; the program uses the font of Dear ImGui', file=sys.stderr)
        sources = {face: (None, None) for face in FACES}
    with open(__file__, 'rb') as f:
        key = hashlib.sha256(f.read() + repr((other, hangul, sources)).encode()).hexdigest()
    stamp = os.path.join(args.out, 'stamp')
    try:
        with open(stamp, encoding='utf-8') as f:
            if f.read() == key:
                return
    except FileNotFoundError:
        pass
    try:
        import fontTools  # noqa: F401
    except ImportError:
        print('fonts.py: no fontTools; the built-in font is used', file=sys.stderr)
        sources = {face: (None, None) for face in FACES}

    parts = {'latin': b'', 'korean': b'', 'label': b''}
    for face, (inter, noto) in sources.items():
        jobs = (('latin', inter, latin, other), ('korean', noto, korean, hangul),
                ('label', noto, korean, LABEL))
        for part, path, make, characters in jobs:
            if not path:
                print(f'fonts.py: no {part} {face} font installed', file=sys.stderr)
            data = make(path, characters) if path else b''
            parts[part] += array(f'{face if part == "latin" else face + "_ko"}', data)
            if part == 'label' or not path:
                continue
            write(os.path.join(args.out, 'web', f'{part}-{face}.otf'), data)
    for part, text in parts.items():
        write(os.path.join(args.out, f'builtin_fonts_{part}.inc'), text)
    write(stamp, key.encode())


if __name__ == '__main__':
    main()
