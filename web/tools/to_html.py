# SPDX-License-Identifier: MIT
"""Markdown to HTML, with Debian's python3-markdown: JSON {name: text} in, JSON {name: html} out.

Tables get what a screen reader and a narrow screen need: column scopes, and a frame that scrolls
and can be reached by keyboard, named by the heading before it.
"""
import json
import re
import sys

import markdown
from markdown.extensions.toc import slugify_unicode


def framed(html):
    html = html.replace('<th>', '<th scope="col">').replace('<th style', '<th scope="col" style')
    # The policy of the pages allows no style attributes.
    html = re.sub(r' style="text-align: (\w+);?"', r' class="\1"', html)
    html = html.replace('<pre>', '<pre tabindex="0">')  # it may scroll: by keyboard too
    out, heading, seen = [], 'Table', {}
    for part in re.split(r'(<h[1-6].*?</h[1-6]>|<table>.*?</table>)', html, flags=re.S):
        if part.startswith('<h'):
            heading = re.sub(r'<.*?>', '', part)
        if part.startswith('<table>'):
            seen[heading] = seen.get(heading, 0) + 1
            number = f' {seen[heading]}' if seen[heading] > 1 else ''
            part = (f'<div class="wide" role="region" tabindex="0" aria-label="{heading}{number}">'
                    f'{part}</div>')
        out.append(part)
    return ''.join(out)


def convert(text):
    reader = markdown.Markdown(
        extensions=['tables', 'fenced_code', 'toc', 'sane_lists', 'attr_list', 'md_in_html'],
        extension_configs={'toc': {'slugify': slugify_unicode}}, output_format='html')
    reader.block_level_elements.append('kv-gauge')
    return framed(reader.convert(text))


json.dump({name: convert(text) for name, text in json.load(sys.stdin).items()}, sys.stdout)
