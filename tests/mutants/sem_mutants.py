#!/usr/bin/env python3
"""One-line mutants of the golden model's arithmetic, killed by unit tests (README.md here, "The model").

Usage: tests/mutants/sem_mutants.py BUILD [--seed N] [--only FILE] [--print] [NUMBER...]

A mutant is one change of one token or statement: an operator, a comparison or its border, a constant by
one, a shift by one more, a condition inverted, an inversion dropped, a statement dropped. The sample is
fixed by the seed, so many of each file (SAMPLE). Of a mutant only what includes the changed file is
compiled; its objects come before the library when the unit tests are linked again. A mutant whose object
code is that of the original is equivalent. What BUILD/tests/mutants/sem.txt knows of a mutant with this
text is not run again. Exit code 0: 98 % or more are killed or equivalent.
"""
import argparse
import hashlib
import json
import os
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SEM = 'cmodel/sem/'
# File; how many mutants; unit tests, the quickest first; files to compile if it is a header.
SAMPLE = {
    'sem_half.c': (45, ('half',), ()),
    'sem_packed.c': (20, ('packed',), ()),
    'sem_format.c': (35, ('narrow', 'format'), ()),
    'sem_special.c': (35, ('fpu', 'special'), ()),
    'sem_atom.c': (20, ('atom',), ()),
    'sem_alu.c': (8, ('packed', 'int'), ()),
    'fp.h': (25, ('fpu', 'narrow', 'fp', 'half', 'format'),
             ('sem_half.c', 'sem_format.c', 'sem_fpu.c', 'sem_f32.c')),
}
ONLY = {'sem_alu.c': ('static void op_addc', '\n}\n')}  # of this file only this function
SECONDS = 120  # of processor time for one test

SWAPS = {'<': ('<=', '>'), '<=': ('<',), '>': ('>=', '<'), '>=': ('>',), '==': ('!=',), '!=': ('==',),
         '+': ('-',), '-': ('+',), '*': ('+',), '/': ('*',), '&&': ('||',), '||': ('&&',), '&': ('|',),
         '|': ('&',), '^': ('|',), '<<': ('<< 1 <<', '>>'), '>>': ('>> 1 >>', '<<'), '|=': ('=',),
         '^=': ('=',), '+=': ('=',), '&=': ('=',)}
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|^[ \t]*#[^\n]*|"[^"]*"|\w+|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|'
                   r'&&|\|\||[-+*/&|^<>!~]=?|\S', re.M | re.S)
SUMMARY = re.compile(r'[\w ]+: \d+ (checks|operands), ')
NUMBER = re.compile(r'0x[0-9a-fA-F]+|\d+')


def candidates(name, text):
    """(offset, old, new, kind) of all changes of a file."""
    first, last = 0, len(text)
    if name in ONLY:
        first = text.index(ONLY[name][0])
        last = text.index(ONLY[name][1], first)
    tokens = [m for m in TOKEN.finditer(text)
              if not re.match(r'/[*/]|[ \t]*#|"', m.group()) and first <= m.start() < last]
    for before, token in zip([None] + tokens, tokens):
        value, at = token.group(), token.start()
        prior = before.group() if before else ''
        binary = re.fullmatch(r'[\w)\]]+', prior) and prior not in ('return', 'case')
        spaced = text[at - 1] == ' ' and text[token.end()] == ' '
        if value in SWAPS and binary and spaced and not (value == '*' and re.search(r'_t$', prior)):
            for new in SWAPS[value]:
                yield at, value, new, 'operator'
        elif value in ('!', '~') and not binary:
            yield at, value, '', 'inversion dropped'
        elif NUMBER.fullmatch(value) and not re.search(r'\bcase $', text[:at]):
            n = int(value, 0)
            yield at, value, str(n + 1), 'constant'
            if n > 0:
                yield at, value, str(n - 1), 'constant'
        elif value == 'if':
            close = matching(text, text.index('(', at))
            yield at, text[at:close], f'if (!{text[at + 3:close]})', 'condition'
    for m in re.finditer(r'^ +(?:if \([^;{}\n]*\) |else )?'
                         r'((?:\*?[a-z]\w*(?:->\w+|\[\w+\]|\.\w+)* (?:[|&^+-]|<<|>>)?= [^;]*|return [^;]*'
                         r'|continue);)', text, re.M):
        if first <= m.start(1) < last and not (
                m.group(1).startswith('return') and re.match(r'\s*\n}', text[m.end():])):
            yield m.start(1), m.group(1), ';', 'statement dropped'


def matching(text, at):
    depth = 0
    for n in range(at, len(text)):
        depth += (text[n] == '(') - (text[n] == ')')
        if depth == 0:
            return n + 1
    raise ValueError


def sample(seed):
    for name, (count, _, _) in SAMPLE.items():
        text = (ROOT / SEM / name).read_text()
        found = sorted(set(candidates(name, text)))
        for change in sorted(random.Random(f'{seed} {name}').sample(found, min(count, len(found)))):
            yield name, text, change


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Builder:
    def __init__(self, build, scratch):
        self.build, self.scratch, self.originals = build, scratch, {}
        rows = json.loads((build / 'compile_commands.json').read_text())
        self.commands = {Path(r['file']).name: r for r in rows if Path(r['file']).parent == ROOT / SEM}

    def compile(self, source, place):
        """Object code of a source of SEM, what is in `place` taken first; None: it does not compile."""
        row = self.commands[source]
        words = shlex.split(row['command'])
        changed = place / SEM / source
        words[words.index('-c') + 1] = str(changed if changed.exists() else row['file'])
        words[words.index('-o') + 1] = str(place / f'{source}.o')
        words[1:1] = ['-I', str(place), '-w']
        words.append('-O1')  # most are killed at once: compiling takes the time
        done = subprocess.run(words, cwd=row['directory'], capture_output=True)
        return place / f'{source}.o' if done.returncode == 0 else None

    def original(self, source):
        if source not in self.originals:
            place = self.scratch / 'original'
            place.mkdir(exist_ok=True)
            self.originals[source] = self.compile(source, place).read_bytes()
        return self.originals[source]

    def link(self, test, objects, out):
        folder = self.build / 'tests/isa'
        words = shlex.split((folder / f'CMakeFiles/test_isa_{test}.dir/link.txt').read_text())
        at = words.index('-o')
        words[at + 1] = str(out)
        words[at + 2:at + 2] = map(str, objects)
        subprocess.run(words, cwd=folder, check=True, capture_output=True)


def fails(program):
    """Exit code of a unit test, 0 if it passes; at its first line that is no count of checks it is stopped."""
    test = subprocess.Popen(['stdbuf', '-oL', str(program)], cwd=ROOT, stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.DEVNULL, errors='replace', preexec_fn=limited)
    with test:
        for line in test.stdout:
            if not SUMMARY.match(line):
                test.kill()
                return 1
    return test.returncode


def run(builder, name, text, change):
    """Outcome of a mutant: (outcome, witness)."""
    at, old, new, _ = change
    _, tests, users = SAMPLE[name]
    with tempfile.TemporaryDirectory(dir=builder.scratch) as work:
        place = Path(work)
        (place / SEM).mkdir(parents=True)
        (place / SEM / name).write_text(text[:at] + new + text[at + len(old):])
        objects = []
        for source in users or (name,):
            built = builder.compile(source, place)
            if built is None:
                return 'does not compile', ''
            if built.read_bytes() != builder.original(source):
                objects.append(built)
        if not objects:
            return 'equivalent', 'same object code'
        for test in tests:
            program = place / test
            builder.link(test, objects, program)
            code = fails(program)
            if code:
                return 'killed', test if code > 0 else f'{test} (signal {-code})'
    return 'not killed', ''


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('build', type=Path)
    parser.add_argument('--seed', type=int, default=20261129)
    parser.add_argument('--only', metavar='FILE')
    parser.add_argument('--print', action='store_true', dest='known')
    parser.add_argument('numbers', type=int, nargs='*')
    args = parser.parse_args()
    build = args.build.resolve()
    results = build / 'tests/mutants/sem.txt'
    before = HERE / 'results/sem.txt'  # what was found before
    if not results.exists() and before.exists():
        results.write_text(before.read_text())
    known = dict(line.split('|', 1) for line in results.read_text().splitlines()) if results.exists() else {}
    reasons = dict(line.rsplit(' | ', 1) for line in (HERE / 'sem_equivalent.txt').read_text().splitlines()
                   if ' | ' in line)
    tests = sorted({t for _, names, _ in SAMPLE.values() for t in names})
    if not args.known:
        subprocess.run(['cmake', '--build', str(build), '--target'] + [f'test_isa_{t}' for t in tests],
                       check=True, stdout=subprocess.DEVNULL)
    count = {}
    with tempfile.TemporaryDirectory() as work:
        builder = Builder(build, Path(work))
        for number, (name, text, change) in enumerate(sample(args.seed), 1):
            if (args.only and name != args.only) or (args.numbers and number not in args.numbers):
                continue
            at, old, new, kind = change
            line = text.count('\n', 0, at)
            where = ' '.join(text.splitlines()[line].split())
            column = at - text.rfind('\n', 0, at)
            said = f'{SEM}{name}:{line + 1}:{column}: {kind}: {old} -> {new or "(nothing)"} in: {where}'
            said = ' '.join(said.split())
            key = hashlib.sha256(f'{change} {text}'.encode()).hexdigest()[:12]
            if key not in known and not args.known:
                known[key] = '|'.join(run(builder, name, text, change))
                with open(results, 'a', encoding='ascii') as out:
                    out.write(f'{key}|{known[key]}\n')
            if key not in known:
                continue
            outcome, witness = known[key].split('|')
            reason = reasons.get(' '.join(f'{SEM}{name}: {old} -> {new or "(nothing)"} in: {where}'.split()))
            if outcome == 'not killed' and reason:
                outcome, witness = 'equivalent', reason
            count[outcome] = count.get(outcome, 0) + 1
            if not args.known or outcome != 'killed':
                print(f'{number:3d} {outcome:10s} {said}: {witness}', flush=True)
    good = count.get('killed', 0) + count.get('equivalent', 0)
    total = good + count.get('not killed', 0)
    print(f'{total} mutants: {", ".join(f"{n} {what}" for what, n in sorted(count.items()))}')
    return total == 0 or good * 100 < total * 98


if __name__ == '__main__':
    sys.exit(main())
