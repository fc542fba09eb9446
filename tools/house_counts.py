#!/usr/bin/env python3
"""Counts that keep the sources readable. Prints each with its limit, exit 1 when one is passed.

Usage: tools/house_counts.py [ROOT]

Switches     lines of rtl/{core,exec,mem,gpu} that name SYNTHESIS, WL_BOARD or Always, comments
             included: what must be different hardware is a cell (rtl/cells).
Long files   files of rtl/ above 300 lines, all lines counted. tools/long_files.txt lists the allowed
             ones with the reason; a line of a file that is no longer long must go.
Headers      headers of the model that the .c files of a unit reach, the most (tools/check_twins.py).
Assertions   `WL_ASSERT...(Name, ...) items of rtl/{cells,core,exec,mem,gpu} per thousand lines of
             code. A line of code has something on it besides comment and white space; an item in a
             loop counts once.
Sentence     the longest of docs/microarchitecture.md in words. A sentence ends at a full stop, a
             question mark, or the end of its paragraph, list item or table cell. A code span and a
             figure count like a word; code blocks do not count. The limit is the value of the day on
             which it was set: lower it when the sentence is gone.
"""
import re
import sys
from pathlib import Path

import check_twins

UNITS = ('core', 'exec', 'mem', 'gpu')
SWITCH = re.compile(r'\b(SYNTHESIS|WL_BOARD|Always)\b')
FILE_LINES = 300
LONG_FILES = 'tools/long_files.txt'
HEADERS = 7
ASSERTIONS = 4.5
ASSERTION = re.compile(r'`WL_ASSERT\w*\(\s*[A-Z]\w*\s*,')
CONTRACT = 'docs/microarchitecture.md'
SENTENCE_WORDS = 99


def sources(root, folders):
    return [p for folder in folders for p in sorted((root / 'rtl' / folder).rglob('*.sv*'))]


def read(path):
    return path.read_text(errors='replace')


def switches(root, errors):
    found = 0
    for path in sources(root, UNITS):
        for number, line in enumerate(read(path).splitlines(), 1):
            match = SWITCH.search(line)
            if match:
                found += 1
                errors.append(f'{path.relative_to(root)}:{number}: names {match.group(1)}; hardware '
                              'that differs is a cell of rtl/cells')
    return f'lines with SYNTHESIS, WL_BOARD or Always: {found} (limit 0)'


def long_files(root, errors):
    allowed = check_twins.read_reasons(root / LONG_FILES, errors)
    lengths = {p.relative_to(root).as_posix(): len(read(p).splitlines())
               for p in (root / 'rtl').rglob('*.sv*')}
    long = {name: n for name, n in lengths.items() if n > FILE_LINES}
    for name in sorted(long.keys() - allowed.keys()):
        errors.append(f'{name}: {long[name]} lines, above {FILE_LINES}, and no reason in {LONG_FILES}')
    for name in sorted(allowed.keys() - long.keys()):
        errors.append(f'{LONG_FILES}:{allowed[name]}: {name} is not above {FILE_LINES} lines; remove '
                      'the line')
    return f'RTL files above {FILE_LINES} lines: {len(long)} (each with a reason)'


def headers(root, errors):
    counts, number = check_twins.check_units(root, [])
    most = max(counts.values(), default=0)
    names = [name for name in sorted(counts) if counts[name] == most]
    if most > HEADERS:
        errors.append(f'{names[0]}: reaches {most} headers of the model, above {HEADERS}')
    return f'headers that a unit of the model includes: {most} of {number} (limit {HEADERS})'


def assertions(root, errors):
    found = lines = 0
    for path in sources(root, ('cells', *UNITS)):
        text = check_twins.strip_comments(read(path))
        lines += sum(1 for line in text.splitlines() if line.strip())
        if path.suffix == '.sv':
            found += len(ASSERTION.findall(text))
    rate = 1000 * found / lines if lines else 0
    if lines and rate < ASSERTIONS:
        errors.append(f'rtl: {found} assertions in {lines} lines of code are {rate:.1f} per thousand, '
                      f'below {ASSERTIONS:g}')
    return f'assertions per thousand lines of RTL: {rate:.1f} ({found} in {lines}; at least {ASSERTIONS:g})'


def sentences(text):
    """Line number and words of each sentence."""
    text = re.sub(r'<!--.*?-->|^```.*?^```', lambda m: '\n' * m.group().count('\n'), text,
                  flags=re.S | re.M)
    blocks = []   # of (line, text)
    open_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith('#'):
            open_block = False
        elif line.lstrip().startswith('|'):
            blocks += [(number, cell) for cell in re.split(r'(?<!\\)\|', line)]
            open_block = False
        elif open_block and not re.match(r'\s*([-*]|\d+\.)\s', line):
            blocks[-1] = (blocks[-1][0], blocks[-1][1] + ' ' + line)
        else:
            blocks.append((number, re.sub(r'^\s*([-*]|\d+\.)\s', '', line)))
            open_block = True
    for number, block in blocks:
        block = re.sub(r'`[^`]*`', 'code', block)
        for sentence in re.split(r'(?<=[.?!])[)*"]*\s+(?=[A-Z*("]|code\b)', block):
            yield number, [word for word in sentence.split() if re.search(r'\w', word)]


def longest_sentence(root, errors):
    path = root / CONTRACT
    found = list(sentences(read(path))) if path.exists() else []
    number, words = max(found, key=lambda item: len(item[1]), default=(0, []))
    if len(words) > SENTENCE_WORDS:
        errors.append(f'{CONTRACT}:{number}: a sentence of {len(words)} words, above {SENTENCE_WORDS}: '
                      f'{" ".join(words[:8])} ...')
    return f'longest sentence of {CONTRACT}: {len(words)} words, line {number} (limit {SENTENCE_WORDS})'


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    if not (root / CONTRACT).is_file():
        sys.exit(f'house_counts: {root}: not the root of the source tree: it has no {CONTRACT}')
    errors = []
    for count in (switches, long_files, headers, assertions, longest_sentence):
        print(count(root, errors))
    for error in errors:
        print(error)
    print(f'house_counts: {len(errors)} errors')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
