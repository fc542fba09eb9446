#!/usr/bin/env python3
"""Checks the twin rule and the independence rule (docs/architecture.md section 1).

Usage: tools/check_twins.py [ROOT]

Twins: each rtl/<dir>/<x>.sv has cmodel/<dir>/<x>.c and the other way round, or a line in
tools/twins.txt with the reason; cmodel/sem and rtl/cells have no twin by design. Both name their section of
docs/microarchitecture.md in the first comment. Independence: no DPI function of the RTL returns a
value or has an output, no C of the model includes anything of the RTL or made from it, nothing in
rtl/ includes the model. What it does not see: one twin copied by hand from the other.
"""
import re
import sys
from pathlib import Path

HEADER_LINES = 15
# The one DPI function with a value: the seed of memory contents at time 0, read in `initial` blocks.
DPI_VALUES = {'longint unsigned wl_j_seed()'}
# For test benches around a design, not for the design: no source of the RTL may name it.
TEST_BENCH = 'rtl/dpi/warplock_cosim_pkg.sv'
DPI = re.compile(r'import\s+"DPI(?:-C)?"\s+(?:context\s+|pure\s+)?(?:\w+\s*=\s*)?'
                 r'(function|task)\s+(?:automatic\s+)?(.*?);', re.S)


def strip_comments(text):
    """Blanks // and /* */ comments but keeps line numbers. Strings are kept as they are."""
    def blank(match):
        if match.group(0).startswith('"'):
            return match.group(0)
        return re.sub(r'[^\n]', ' ', match.group(0))
    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', blank, text, flags=re.S)


def read_reasons(path, errors):
    """tools/twins.txt: 'path reason'; '#' starts a comment line."""
    reasons = {}
    if not path.exists():
        return reasons
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line.startswith('#'):
            continue
        name, _, reason = line.partition(' ')
        if not reason.strip():
            errors.append(f'{path.name}:{number}: {name}: no reason given')
        reasons[name] = number
    return reasons


def check_pairs(root, errors):
    reasons = read_reasons(root / 'tools/twins.txt', errors)
    rtl = {p.relative_to(root / 'rtl').with_suffix('') for p in (root / 'rtl').rglob('*.sv')
           if p.relative_to(root / 'rtl').parts[0] != 'cells'}
    model = {p.relative_to(root / 'cmodel').with_suffix('')
             for p in (root / 'cmodel').rglob('*.c')
             if p.relative_to(root / 'cmodel').parts[0] != 'sem'}
    used = set()
    pairs = 0
    for stem in sorted(rtl | model):
        sv, c = f'rtl/{stem}.sv', f'cmodel/{stem}.c'
        if stem in rtl and stem in model:
            pairs += 1
            for name in (sv, c):
                head = (root / name).read_text(errors='replace').splitlines()[:HEADER_LINES]
                if not any('microarchitecture.md' in line for line in head):
                    errors.append(f'{name}:1: the first comment does not name its section of '
                                  'docs/microarchitecture.md')
            continue
        here, other = (sv, c) if stem in rtl else (c, sv)
        if here in reasons:
            used.add(here)
        else:
            errors.append(f'{here}: no twin {other} and no reason in tools/twins.txt')
    for name, number in sorted(reasons.items()):
        if name not in used:
            errors.append(f'twins.txt:{number}: {name}: has a twin or does not exist; '
                          'remove the line')
    return pairs


def check_dpi(root, errors):
    for path in sorted((root / 'rtl').rglob('*.sv*')):
        text = strip_comments(path.read_text(errors='replace'))
        if path.relative_to(root).as_posix() == TEST_BENCH:
            continue
        if Path(TEST_BENCH).stem in text:
            errors.append(f'{path.relative_to(root)}: uses {TEST_BENCH}, which is for test benches')
        for match in DPI.finditer(text):
            line = text.count('\n', 0, match.start()) + 1
            where = f'{path.relative_to(root)}:{line}'
            kind, declaration = match.groups()
            if ' '.join(declaration.split()) in DPI_VALUES:
                continue
            if kind == 'task' or not re.match(r'void\b', declaration):
                errors.append(f'{where}: DPI {kind} returns something: C must not compute for '
                              f'the RTL: {" ".join(declaration.split())}')
            if re.search(r'\b(output|inout|ref)\b', declaration):
                errors.append(f'{where}: DPI {kind} has an output argument: '
                              f'{" ".join(declaration.split())}')


def check_includes(root, errors):
    rules = (('cmodel', re.compile(r'^\s*#\s*include\s*["<]((?:.*/)?(?:rtl/|verilated|V[a-z_0-9]+'
                                   r'(?:__\w+)?\.h)[^">]*)'), 'the RTL or something made from it'),
             ('rtl', re.compile(r'^\s*[#`]\s*include\s*["<]([^">]*cmodel/[^">]*)'), 'the model'))
    for folder, pattern, what in rules:
        for path in sorted((root / folder).rglob('*')):
            if path.suffix not in ('.c', '.h', '.cc', '.cpp', '.sv', '.svh', '.v'):
                continue
            for number, line in enumerate(path.read_text(errors='replace').splitlines(), 1):
                if pattern.match(line):
                    errors.append(f'{path.relative_to(root)}:{number}: {folder}/ includes {what}: '
                                  f'{line.strip()}')


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    errors = []
    pairs = check_pairs(root, errors)
    check_dpi(root, errors)
    check_includes(root, errors)
    for error in errors:
        print(error)
    print(f'check_twins: {pairs} pairs, {len(errors)} errors')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
