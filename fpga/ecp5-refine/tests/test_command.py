"""Usage: test_command.py COMMAND WORK. The command line of ecp5-refine: what it tells of a design's size, hashes of its
steps, a netlist prepared for placement, wrong calls, a missing program. Prints what is wrong; exit 1."""
import json
import shutil
import subprocess
import sys
from pathlib import Path

COMMAND, WORK = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve() / 'command'
BAD = []


def run(*words, command=COMMAND):
    done = subprocess.run([str(command), *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip(), done.stderr.strip()


def same(what, got, expected):
    if got != expected:
        BAD.append(f'{what}: got {got}, expected {expected}')


def refused(code, text, *words, command=COMMAND):
    rc, out, told = run(*words, command=command)
    same(f'exit of {words}', rc, code)
    if not told.startswith('ecp5-refine: error: ') or text not in told or out or '\n' in told:
        BAD.append(f'{words} says {told!r} and {out!r}, expected {text!r}')


shutil.rmtree(WORK, ignore_errors=True)
WORK.mkdir(parents=True)
plans = [json.loads(run('plan', *words)[1]) for words in (
    ('85k', 900), ('85k', 45000), ('85k', 60000), ('25k', 31000), ('85k', 900, 'yes'), ('85k', 45000, 'no'))]
same('spread', [p['spread'] for p in plans], [False, True, False, False, True, False])
same('placements', [p['placements'] for p in plans], [1, 3, 3, 3, 3, 3])
same('options', [bool(p['refine']) for p in plans], [False, False, True, False, False, False])
refused(2, 'the sites of um-85k are not known', 'plan', 'um-85k', 900)
refused(2, 'the slices of 25k are not known', 'plan', '25k', 900, 'yes')

keys = [run('key', step)[1] for step in ('place', 'refine', 'route')]
same('keys', (len(set(keys)), {len(k) for k in keys}), (3, {20}))
same('version', run('version')[0], 0)
same('help', 'plan DEVICE' in run('--help')[1], True)
refused(2, 'no step nothing', 'key', 'nothing')
refused(2, 'no command nothing', 'nothing')
refused(2, 'no command program', 'program', 'er_refine')
refused(2, 'not a number of LUT4: many', 'plan', '85k', 'many')
refused(1, f'{WORK / "nowhere"}: No such file', 'prepare', WORK / 'nowhere', '85k', 'no')
refused(2, "missing a required argument: 'hints'", 'learn', 'a', 'b')
alone = WORK / COMMAND.name
shutil.copy(COMMAND, alone)
refused(2, f'no {WORK / "er_refine"} (build the target ecp5_refine)', 'key', 'refine', command=alone)
same('key without a program', run('key', 'place', command=alone), (0, keys[0], ''))

# A site that hints name, LUT4 kept empty, more of them in a tile that is told to be crowded.
cell = {'hide_name': 1, 'type': 'DP16KD', 'parameters': {}, 'attributes': {}, 'port_directions': {}, 'connections': {}}
top = {'attributes': {'top': '1'}, 'ports': {}, 'netnames': {}, 'cells': {'r': cell}}
(WORK / 'hints').write_text(json.dumps({'sites': {'r': 'X4/Y22/EBR0'}, 'crowded': [[2, 3]]}))
for spreading, hints, wanted in (('no', [], (1, None)), ('no', ['hints'], (1, 'X4/Y22/EBR0')),
                                 ('yes', [], (15499, None)), ('yes', ['hints'], (15501, 'X4/Y22/EBR0'))):
    (WORK / 'netlist').write_text(json.dumps({'modules': {'top': top}}))
    same('prepare', run('prepare', WORK / 'netlist', '85k', spreading, *(WORK / name for name in hints)), (0, '', ''))
    made = json.loads((WORK / 'netlist').read_text())['modules']['top']['cells']
    same(f'prepared {spreading} {hints}', (len(made), made['r']['attributes'].get('BEL')), wanted)
for line in BAD:
    print('FAILED:', line)
sys.exit(1 if BAD else 0)
