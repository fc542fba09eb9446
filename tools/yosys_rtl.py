#!/usr/bin/env python3
"""Elaborates the RTL in Yosys: `check` looks for latches and combinational loops, `area` estimates
an ECP5. Run with the Python of <build>/tools/venv (pyosys); used by tools/lint.sh and tools/area.sh.

Usage: tools/yosys_rtl.py check|area BUILD CONFIG WORK [--top MODULE] [--board]
(WORK: an empty folder. --board: with the board's ports and signatures, docs/fpga.md 5 and 6.)

Sources are those of rtl/files.txt after <build>/gen/wl_pkg.sv and config_<CONFIG>_pkg.sv; the top is
the line '# top: NAME' there. SYNTHESIS is defined; assertions are left out. `area` writes
<build>/area_<CONFIG>.json and fails when a limit is passed. Not a place-and-route result: there is
no timing here.
"""
import argparse
import json
import os
import re
import sys
from pathlib import Path

from pyosys import libyosys as ys

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / 'fpga/flow'))
import mapping
import netlist

LATCHES = 't:$dlatch t:$adlatch t:$dlatchsr t:$sr t:$_DLATCH_* t:$_DLATCHSR_* t:$_SR_*'
# abc9's mapping as Yosys' own `abc9 -exe` scripts do it for area: two structures of the same logic,
# with choices, mapped in turn and the smaller one kept (3 to 4 % less than the default, longer runs).
TRIES = f'{mapping.STRUCTURE};&save;&dch,-C,500;{mapping.MAP};&save;&load'
ABC9_SCRIPT = f'+&scorr;&sweep;{TRIES};&st;&sopb,-R,10,-C,4;{TRIES}'
CELLS = ('rtl/cells/generic/', 'rtl/cells/ecp5/')
BOARD_FILES = ('fpga/rtl/digest.sv', 'fpga/rtl/signature.sv', 'fpga/rtl/record_signatures.sv',
               'fpga/rtl/board_core.sv')
LIMITS = {'lut4': 48000, 'ebr': 102, 'mult18': 80}


def read_files():
    top, files = None, []
    for line in (ROOT / 'rtl/files.txt').read_text().splitlines():
        match = re.match(r'#\s*top:\s*(\w+)', line)
        if match:
            top = match.group(1)
        line = line.split('#')[0].strip()
        if line:
            files.append(line)
    return top, files


def prepare(work, build, config, board=False, ecp5=False):
    """Links the trees under one folder: no path with a blank reaches Yosys. ecp5: with its cells."""
    (work / 'src').symlink_to(ROOT)
    (work / 'gen').symlink_to(build / 'gen')
    top, files = read_files()
    sources = ['gen/wl_pkg.sv', f'gen/config_{config}_pkg.sv']
    sources += [f'src/{name.replace(*CELLS) if ecp5 else name}' for name in files]
    if board:
        sources += [f'src/{name}' for name in BOARD_FILES]
        sources.insert(0, 'gen/link_pkg.sv')
        top = 'board_core'
    return top, sources


def slang(design, top, sources, hierarchy):
    defines = '-D SYNTHESIS'
    if 'gen/link_pkg.sv' in sources:
        defines += ' -D WL_JOURNAL -D WL_BOARD'
    ys.run_pass(f'read_slang {hierarchy} --top {top} {defines} --ignore-assertions '
                f'-I src/rtl -I gen {" ".join(sources)}', design)


def check(design, top, sources):
    slang(design, top, sources, '')
    ys.run_pass(f'hierarchy -check -top {top}', design)
    ys.run_pass('proc', design)
    ys.run_pass('flatten', design)
    ys.run_pass('opt_clean', design)
    ys.run_pass(f'select -assert-none {LATCHES}', design)
    ys.run_pass('check -assert', design)  # combinational loops, several drivers, undriven wires
    ys.run_pass('tee -o stat.txt stat', design)


def with_children(cells, name):
    """Cells of a module with those below it."""
    total = {}
    for kind, count in cells.get(name, {}).items():
        if kind in cells:
            for k, n in with_children(cells, kind).items():
                total[k] = total.get(k, 0) + n * count
        else:
            total[kind] = total.get(kind, 0) + count
    return total


def area(design, top, sources, out):
    slang(design, top, sources, '--keep-hierarchy')
    # Left alone, abc9 maps for least delay and duplicates logic; the clock aimed at is 50 MHz.
    ys.run_pass('scratchpad -set abc9.D 18000', design)
    ys.run_pass(f'scratchpad -set abc9.script {ABC9_SCRIPT}', design)
    ys.run_pass(f'synth_ecp5 -top {top} -noflatten -abc9', design)
    ys.run_pass('tee -q -o stat.json stat -json', design)
    stat = json.loads(Path('stat.json').read_text())
    cells = {}
    for name, module in stat['modules'].items():
        kinds = dict(module.get('num_cells_by_type', {}))
        kinds.update(module.get('num_submodules_by_type', {}))
        cells[name.lstrip('\\')] = {k.lstrip('\\'): n for k, n in kinds.items()}
    # Every instance is a module of its own here ("leaf$top.u0"): shown together, added up.
    rows, instances = {}, {}
    for name in cells:
        kind = name.split('$')[0]
        instances[kind] = instances.get(kind, 0) + 1
        row = rows.setdefault(kind, dict.fromkeys(LIMITS, 0) | {'ff': 0})
        for key, n in netlist.costs(with_children(cells, name)).items():
            row[key] += n
    out.write_text(json.dumps({'top': top, 'limits': LIMITS, 'instances': instances,
                               'modules': rows}, indent=1) + '\n')
    print(f'{"module (all instances, with all below)":40} {"count":>6} {"LUT4":>8} {"FF":>8} '
          f'{"EBR":>6} {"MULT18":>6}')
    for name, row in sorted(rows.items(), key=lambda r: -r[1]['lut4']):
        print(f'{name[:40]:40} {instances[name]:6} {row["lut4"]:8} {row["ff"]:8} {row["ebr"]:6} '
              f'{row["mult18"]:6}')
    over = [f'{k} {rows[top][k]} > {limit}' for k, limit in LIMITS.items() if rows[top][k] > limit]
    if over:
        print('area: over the limit: ' + ', '.join(over))
        return 1
    print('area: within the limits: ' +
          ', '.join(f'{k} {rows[top][k]} of {limit}' for k, limit in LIMITS.items()))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('mode', choices=('check', 'area'))
    parser.add_argument('build', type=Path)
    parser.add_argument('config')
    parser.add_argument('work', type=Path)
    parser.add_argument('--top')
    parser.add_argument('--board', action='store_true')
    args = parser.parse_args()
    build = args.build.resolve()
    work = args.work.resolve()
    top, sources = prepare(work, build, args.config, args.board, ecp5=True)
    top = args.top or top
    if not top:
        sys.exit("rtl/files.txt has no line '# top: MODULE'")
    os.chdir(work)
    design = ys.Design()
    if args.mode == 'check':
        check(design, top, sources)  # Yosys ends the program with 1 when a pass fails
        return 0
    return area(design, top, sources, build / f'area_{args.config}.json')


if __name__ == '__main__':
    sys.exit(main())
