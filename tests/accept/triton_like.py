#!/usr/bin/env python3
"""Writes PTX anew in the manner of Triton: a vector of one element for every scalar of ld, ldu and
st, and for the source of mov.bN; `+ 0` where an address has no offset; untyped accesses; blanks
inside of brackets and braces. The meaning is the same.
usage: triton_like.py KERNELS OUT          every KERNELS/NAME/NAME.VARIANT.ptx to OUT/NAME/
       triton_like.py --ptxas PROGRAM OUT  asks ptxas about the files of OUT (exit 77 without it)"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STATEMENT = re.compile(r'"[^"\n]*"|//[^\n]*|/\*.*?\*/|'
                       r'(?<!\.)\b(?P<op>ld|ldu|st|mov|atom|red)(?P<mods>(?:\.[\w:]+)+)\s+(?P<args>[^;{}]*'
                       r'(?:\{[^}]*\}[^;{}]*)*);', re.S)
# .s32 stays: into a wider register it extends the sign.
UNTYPED = {"u32": "b32", "f32": "b32", "u64": "b64", "s64": "b64", "f64": "b64"}


def operands(text):
    """The operands of an instruction, cut at the commas outside of brackets."""
    return [a.strip() for a in re.split(r",(?![^\[{]*[\]}])", text)]


def address(text):
    inside = text[1:-1].strip()
    base, plus, offset = (p.strip() for p in inside.partition("+"))
    return "[ %s + %s ]" % (base, offset if plus else "0")


def spaced(text):
    if text.startswith("["):
        return address(text)
    if text.startswith("{"):
        return "{ %s }" % ", ".join(p.strip() for p in text[1:-1].split(","))
    return text


def is_vector(mods):
    return re.search(r"\.v[248]\b", mods) is not None


def statement(found, single_mov):
    op, mods = found.group("op"), found.group("mods")
    if op is None:  # a string or a comment
        return found.group()
    args = [spaced(a) for a in operands(found.group("args"))]
    if op in ("ld", "ldu", "st") and args[1 if op != "st" else 0].startswith("["):
        value = 1 if op == "st" else 0
        if not is_vector(mods):
            args[value] = "{ %s }" % args[value]
        last = mods.rsplit(".", 1)
        mods = last[0] + "." + UNTYPED.get(last[1], last[1]) if floats_fit(args[value]) else mods
    elif single_mov and op == "mov" and re.fullmatch(r"\.b(16|32|64)", mods) and \
            re.fullmatch(r"%\w+", args[1]) and not args[0].startswith("{"):
        args[1] = "{ %s }" % args[1]
    return "%s%s %s;" % (op, mods, ", ".join(args))


def floats_fit(text):
    """A floating-point constant needs a typed store."""
    return re.search(r"\b0[fFdD][0-9a-fA-F]|\d\.\d", text) is None


def write_all(kernels, out):
    singles = 0
    for path in sorted(kernels.glob("*/*.ptx")):
        text = path.read_text(encoding="ascii")
        # ptxas 13.0 itself crashes at `mov.b32 a, {b}` in a module with debug information or with wmma
        crashes = re.search(r"\.target[^\n]*\bdebug\b|\bwmma\.", text) is not None
        text = STATEMENT.sub(lambda m: statement(m, not crashes), text)
        singles += len(re.findall(r"\{ [^,{}]* \}", text))
        to = out / path.parent.name / path.name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="ascii")
        if "[ " not in text or " + 0 ]" not in text:
            sys.exit("%s: nothing was rewritten" % path)
    print("%d vectors of one element" % singles)
    return 0


NEWEST = 9.0  # PTX that ptxas 13.0 knows
CRASHES = 2  # ptxas 13.0 crashes at cluster_one.nvcc_sm90.ptx, here and there at another file


def ask_ptxas(ptxas, out):
    if shutil.which(ptxas) is None:
        print("SKIP: no ptxas (apt install nvidia-cuda-toolkit)")
        return 77
    failures = left_out = crashed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(out.glob("*/*.ptx")):
            text = path.read_text(encoding="ascii")
            arch = re.search(r"\.target\s+(\w+)", text).group(1)
            if float(re.search(r"\.version\s+([\d.]+)", text).group(1)) > NEWEST:
                left_out += 1
                continue
            for _ in range(4):  # of the same text ptxas crashes now and then: a crash is no verdict
                run = subprocess.run([ptxas, "-c", "-arch", arch, "-o", folder + "/o", str(path)],
                                     capture_output=True, text=True)
                if run.returncode >= 0:
                    break
            if run.returncode < 0:
                crashed += 1
                print("%s: ptxas crashes" % path.name)
            elif run.returncode != 0:
                failures += 1
                print(run.stderr, end="")
    print("%d files rejected, %d of a newer PTX left out, ptxas crashed at %d"
          % (failures, left_out, crashed))
    return failures != 0 or crashed > CRASHES


if sys.argv[1] == "--ptxas":
    sys.exit(ask_ptxas(sys.argv[2], pathlib.Path(sys.argv[3])))
sys.exit(write_all(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
