#!/usr/bin/env python3
"""Checks the twin rule and the independence rule (docs/architecture.md section 1).

Usage: tools/check_twins.py [ROOT]

Twins: each rtl/<dir>/<x>.sv has cmodel/<dir>/<x>.c and the other way round, or a line in
tools/twins.txt with the reason; cmodel/sem and rtl/cells have no twin by design. Both name their section of
docs/microarchitecture.md in the first comment. Independence: no DPI function of the RTL returns a
value or has an output, no C of the model includes anything of the RTL or made from it, nothing in
rtl/ includes the model. Units of the model: a unit's files include its own headers, the environment,
the wires, cmodel/sem, gen/ and the C library; nothing of another unit. What it does not see: one twin
copied by hand from the other.
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


BINDS = re.compile(r'rtl/dpi/journal_(\w+)\.sv$')


# ---- units of the model
UNIT_FOLDERS = ('core', 'exec', 'mem', 'gpu', 'probe', 'tensor')
# Headers that every unit may include, and those that these may include besides.
ENVIRONMENT = ('cmodel/gpu/env.h', 'cmodel/gpu/wires.h')
SHAPES = {
    'cmodel/core/insn.h': 'an instruction as it travels through the core',
    'cmodel/core/path_plan.h': 'what the paths decide in a cycle, a wire',
    'cmodel/model.h': 'types of the records, of the counters and of what a view sees',
}
# Files of a unit that are not named like it.
PARTS = {
    'cmodel/core/decode': 'cmodel/core/insn',
    'cmodel/core/hazards': 'cmodel/core/issue',
    'cmodel/core/issue_trap': 'cmodel/core/issue',
    'cmodel/core/path_check': 'cmodel/core/paths',
    'cmodel/core/path_engine': 'cmodel/core/paths',
    'cmodel/core/path_internal': 'cmodel/core/paths',
    'cmodel/core/path_resolve': 'cmodel/core/paths',
    'cmodel/core/path_split': 'cmodel/core/paths',
    'cmodel/core/path_state': 'cmodel/core/paths',
    'cmodel/core/path_walk': 'cmodel/core/paths',
    'cmodel/core/regfile': 'cmodel/core/operands',
    'cmodel/core/sreg': 'cmodel/core/operands',
    'cmodel/gpu/atomic': 'cmodel/gpu/orderpoint',
    'cmodel/mem/coalescer': 'cmodel/mem/lsu',
    'cmodel/mem/mbarrier': 'cmodel/mem/smem',
    'cmodel/tensor/dot': 'cmodel/tensor/tensor',
    'cmodel/tensor/store': 'cmodel/tensor/tensor',
    'cmodel/tensor/umma_command': 'cmodel/tensor/umma',
    'cmodel/tensor/umma_copy': 'cmodel/tensor/umma',
    'cmodel/tensor/umma_element': 'cmodel/tensor/umma',
    'cmodel/tensor/umma_engine': 'cmodel/tensor/umma',
    'cmodel/tensor/umma_fetch': 'cmodel/tensor/umma',
    'cmodel/tensor/umma_judge': 'cmodel/tensor/umma',
    'cmodel/tensor/umma_place': 'cmodel/tensor/umma',
    'cmodel/tensor/umma_read': 'cmodel/tensor/umma',
    'cmodel/tensor/umma_scale': 'cmodel/tensor/umma',
    'cmodel/mem/lsu_fill': 'cmodel/mem/lsu',
    'cmodel/mem/lsu_deferred': 'cmodel/mem/lsu',
    'cmodel/mem/matrix': 'cmodel/mem/lsu',
}
# Files that know all units.
WHOLE = {
    'cmodel/gpu/sm.h': 'the SM: its members are the units',
    'cmodel/gpu/sm.c': 'order of the steps of a cycle',
    'cmodel/gpu/gpu.h': 'the device: its members are the units',
    'cmodel/gpu/gpu.c': 'order of the steps of a cycle, wires between device and SMs',
    'cmodel/gpu/debug.c': 'reads internal state out for replays',
    'cmodel/gpu/watch.c': 'tells why each warp did not issue, for views',
    'cmodel/gpu/watch_async.c': 'tells waits and copies under way, for views',
    'cmodel/gpu/watch_umma.c': 'tells what products in tensor memory do, for views',
    'cmodel/gpu/obligations.c': 'checks the progress obligations while the model runs',
}


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
        if BINDS.match(here) and any(BINDS.match(here).group(1) == s.name for s in rtl - {stem}):
            continue  # records of a unit, bound to it; the model calls wl_journal
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


def model_includes(path):
    """Line number and name of each header of the model that a file includes, but for cmodel/sem."""
    for number, line in enumerate(path.read_text(errors='replace').splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*"(cmodel/[^"]+)"', line)
        if match and not match.group(1).startswith('cmodel/sem/'):
            yield number, match.group(1)


def reached(root, name, seen):
    for _, header in model_includes(root / name):
        if header not in seen and (root / header).exists():
            seen.add(header)
            reached(root, header, seen)
    return seen


def unit_of(name):
    stem = name.rsplit('.', 1)[0]
    return PARTS.get(stem, stem)


def check_units(root, errors):
    """Number of headers of the model that each unit's .c reaches; an error per foreign header."""
    counts = {}
    files = sorted(p for folder in UNIT_FOLDERS for p in (root / 'cmodel' / folder).glob('*.[ch]'))
    names = [p.relative_to(root).as_posix() for p in files]
    for name in names:
        if name in WHOLE:
            continue
        shared = name in ENVIRONMENT or name in SHAPES
        for number, header in model_includes(root / name):
            own = unit_of(header) == unit_of(name) and not shared
            if not own and header not in ENVIRONMENT and not (shared and header in SHAPES):
                errors.append(f'{name}:{number}: includes {header}, which is neither its own nor the '
                              'environment nor the wires')
        if name.endswith('.c'):
            counts[name] = len(reached(root, name, set()))
    for name in sorted(set(WHOLE) | set(SHAPES) | set(ENVIRONMENT)):
        if names and counts and not (root / name).exists() and (root / 'cmodel/model.c').exists():
            errors.append(f'check_twins.py: {name} does not exist; remove it from the list')
    return counts, sum(name.endswith('.h') for name in names)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    errors = []
    pairs = check_pairs(root, errors)
    check_dpi(root, errors)
    check_includes(root, errors)
    counts, headers = check_units(root, errors)
    for error in errors:
        print(error)
    for count in sorted(set(counts.values())):
        names = [n[len('cmodel/'):-2] for n in sorted(counts) if counts[n] == count]
        print(f'check_twins: {count} of the model\'s {headers} headers are seen by', *names)
    print(f'check_twins: {pairs} pairs, {len(errors)} errors')
    return 1 if errors else 0


if __name__ == '__main__':
    sys.exit(main())
