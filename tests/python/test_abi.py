"""The ctypes structures are those of warplock.h and warplock_compare.h: a C program says its sizes and offsets."""

import ctypes
import os
import re
import subprocess
import tempfile
import unittest

from common import ROOT
from warplock import _abi
from warplock._library import library

HEADERS = [os.path.join(ROOT, "driver", "include", name) for name in ("warplock.h", "warplock_compare.h")]


def declarations():
    """The text of the headers without comments."""
    text = ""
    for header in HEADERS:
        with open(header, encoding="utf-8") as f:
            text += f.read()
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


def c_layout():
    """Size of each structure, and (offset, size) of each of its fields."""
    lines = []
    for name, structure in _abi.STRUCTURES.items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for field, _ in structure._fields_:
            lines.append(f'printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), '
                         f'sizeof((({name} *)0)->{field}));')
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "x.c"), os.path.join(folder, "x")
        with open(source, "w", encoding="utf-8") as f:
            includes = "".join(f'#include "{h}"\n' for h in HEADERS)
            f.write("#include <stdio.h>\n" + includes + "int main(void) {\n" + "\n".join(lines)
                    + "\nreturn 0;\n}\n")
        subprocess.run([os.environ["WL_CC"], "-std=c11", "-o", program, source], check=True)
        out = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return dict(line.split(" ", 1) for line in out.splitlines())


class Abi(unittest.TestCase):
    def test_structures(self):
        layout = c_layout()
        for name, structure in _abi.STRUCTURES.items():
            self.assertEqual(int(layout[name]), ctypes.sizeof(structure), name)
            self.assertEqual(library().c.wl_sizeof(name.encode()), ctypes.sizeof(structure), name)
            for field, _ in structure._fields_:
                at = getattr(structure, field)
                self.assertEqual(layout[f"{name}.{field}"], f"{at.offset} {at.size}", f"{name}.{field}")

    def test_sizes_of_the_library(self):
        """wl_sizeof knows each structure that the headers define with its name."""
        names = re.findall(r"^\} (wl_\w+_t);", re.sub(r"typedef enum \w+ \{[^{}]*\} \w+;", "", declarations()),
                           re.MULTILINE)
        self.assertGreater(len(names), 15)
        self.assertEqual([n for n in names if library().c.wl_sizeof(n.encode()) == 0], [])
        self.assertEqual(library().c.wl_sizeof(b"wl_none_t"), 0)

    def test_no_field_is_missing(self):
        """A field of the header that ctypes does not name may hide in padding."""
        text = declarations()
        for name, structure in _abi.STRUCTURES.items():
            body = re.search(r"typedef struct \w+ \{([^{}]*)\} " + name + ";", text)[1]
            count = sum(len(d.split(",")) for d in re.sub(r"\([^()]*\)$", "", re.sub(
                r"\(([^()]*,[^()]*|[^()*]*)\)", "", body)).split(";") if d.strip())
            self.assertEqual(count, len(structure._fields_), name)

    def test_functions(self):
        """Every function is declared in the header with as many parameters."""
        text = declarations()
        for name, (_, arguments) in _abi.FUNCTIONS.items():
            declared = re.search(r"\b" + name + r"\(((?:[^()]|\([^()]*\))*)\);", text)
            self.assertIsNotNone(declared, name)
            flat = re.sub(r"\([^()]*\)", "", declared[1])
            count = 0 if flat.strip() == "void" else len(flat.split(","))
            self.assertEqual(count, len(arguments), name)


if __name__ == "__main__":
    unittest.main()
