"""Where the library is found, in which order, and which is refused."""

import ctypes
import os
import shutil
import subprocess
import tempfile
import unittest

import warplock
from common import ROOT, Case, python

GOOD = os.environ["WARPLOCK_LIBRARY"]
SHOW = "import warplock; print(warplock.library_path())"
TRY = """
import warplock
try:
    print(warplock.library_path())
except warplock.LibraryError as e:
    print(isinstance(e, ImportError), e)
"""


def make_library(path, source):
    """A shared library of a few lines of C."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    subprocess.run([os.environ["WL_CC"], "-shared", "-fPIC", "-x", "c", "-", "-o", path],
                   input=source, text=True, check=True)


def version_library(path, version):
    make_library(path, f'const char *wl_version(void) {{ return "{version}"; }}\n')


class Finding(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="a place ")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        # A copy of the package where no prefix has a library, and no program `warplock`.
        self.bare = {"WARPLOCK_LIBRARY": "", "PATH": "/nowhere", "LD_LIBRARY_PATH": "",
                     "PYTHONPATH": os.path.join(self.folder, "away")}
        shutil.copytree(os.path.join(ROOT, "python", "warplock"),
                        os.path.join(self.folder, "away", "warplock"))

    def found(self, code=SHOW, **env):
        done = python(code, {**self.bare, **env})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.strip()

    def prefix(self, name):
        """A prefix that holds the good library; its path in it."""
        path = os.path.join(self.folder, name, "lib", "libwarplock.so")
        os.makedirs(os.path.dirname(path))
        os.symlink(os.path.realpath(GOOD), path)
        return path

    def test_version_is_that_of_the_build(self):
        with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as f:
            self.assertIn(f"project(warplock VERSION {warplock.__version__} ", f.read())

    def test_none(self):
        self.assertRegex(self.found(TRY), "^True libwarplock.so was not found: .*WARPLOCK_LIBRARY")

    def test_variable(self):
        self.assertEqual(self.found(WARPLOCK_LIBRARY=GOOD), GOOD)
        self.assertRegex(self.found(TRY, WARPLOCK_LIBRARY="/no/such.so"), "no file /no/such.so")

    def test_variable_is_before_the_prefix(self):
        """And without a second try: a wrong name must not run another library in silence."""
        self.prefix("p")
        os.makedirs(os.path.join(self.folder, "p", "bin"))
        path = os.path.join(self.folder, "p", "bin", "warplock")
        shutil.copy("/bin/true", path)
        where = {"PATH": os.path.dirname(path)}
        inside = os.path.join(os.path.realpath(self.folder), "p", "lib", "libwarplock.so")
        self.assertEqual(self.found(**where), inside)
        self.assertEqual(self.found(WARPLOCK_LIBRARY=GOOD, **where), GOOD)
        self.assertIn("no file", self.found(TRY, WARPLOCK_LIBRARY="/no/such.so", **where))

    def test_prefix_of_the_package(self):
        """PREFIX/lib/python3/warplock and PREFIX/lib/libwarplock.so; before the loader."""
        path = self.prefix("p")
        shutil.move(os.path.join(self.folder, "away"), os.path.join(self.folder, "p", "lib", "python3"))
        self.bare["PYTHONPATH"] = os.path.join(self.folder, "p", "lib", "python3")
        version_library(os.path.join(self.folder, "other", "libwarplock.so"), "9.9.9")
        self.assertEqual(self.found(LD_LIBRARY_PATH=os.path.join(self.folder, "other")),
                         os.path.realpath(self.folder) + path[len(self.folder):])

    def test_loader(self):
        """The name with the version first: an installed system may have no other."""
        path = self.prefix("p")
        self.assertEqual(self.found(LD_LIBRARY_PATH=os.path.dirname(path)), "libwarplock.so")
        os.rename(path, f"{path}.{'.'.join(warplock.__version__.split('.')[:2])}")
        version_library(path, "9.9.9")
        self.assertRegex(self.found(LD_LIBRARY_PATH=os.path.dirname(path)), r"^libwarplock\.so\.\d+\.\d+$")

    def test_other_version(self):
        """Refused by name, wherever it is found."""
        path = os.path.join(self.folder, "old", "libwarplock.so")
        version_library(path, "0.0.7")
        want = f"{path} is Warplock 0.0.7, this package needs {warplock.__version__}"
        self.assertIn(want, self.found(TRY, WARPLOCK_LIBRARY=path))
        self.assertIn(want[len(os.path.dirname(path)) + 1:],
                      self.found(TRY, LD_LIBRARY_PATH=os.path.dirname(path)))
        # Nor is one with more digits the same.
        version_library(path, warplock.__version__ + "1")
        self.assertIn("this package needs", self.found(TRY, WARPLOCK_LIBRARY=path))

    def test_other_state_of_the_version(self):
        """A library of this version whose structures are others would be called wrongly."""
        from warplock import _abi

        path = os.path.join(self.folder, "dev", "libwarplock.so")
        source = f'#include <string.h>\nconst char *wl_version(void) {{ return "{warplock.__version__}"; }}\n'
        source += "size_t wl_sizeof(const char *name) {\n"
        for name, structure in _abi.STRUCTURES.items():
            size = ctypes.sizeof(structure) + 8 * (name == "wl_launch_t")
            source += f'  if (strcmp(name, "{name}") == 0) return {size};\n'
        source += "  return 0;\n}\n"
        source += "".join(f"void {f}(void) {{}}\n" for f in _abi.FUNCTIONS if f not in
                          ("wl_version", "wl_sizeof"))
        make_library(path, source)
        self.assertRegex(self.found(TRY, WARPLOCK_LIBRARY=path),
                         f"another state of Warplock {warplock.__version__}: wl_launch_t has 40 bytes there, 32")

    def test_no_library(self):
        path = os.path.join(self.folder, "x", "libwarplock.so")
        make_library(path, "int x;\n")
        self.assertIn("has no function wl_version", self.found(TRY, WARPLOCK_LIBRARY=path))
        version_library(path, warplock.__version__)
        self.assertRegex(self.found(TRY, WARPLOCK_LIBRARY=path), "has no function wl_.*no libwarplock")
        with open(path, "w", encoding="ascii") as f:
            f.write("text")
        self.assertIn("cannot be loaded", self.found(TRY, WARPLOCK_LIBRARY=path))

    def test_program(self):
        code = "import runpy, sys; sys.argv[1:] = ['--version']; runpy.run_module('warplock', " \
               "run_name='__main__')"
        done = python(code)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, rf"^warplock {warplock.__version__}, machine ISA [0-9a-f]{{16}}\n"
                                      rf"library: .*libwarplock.so\nbackends: func .*\n")
        done = python(code, self.bare)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, "^warplock: libwarplock.so was not found")


if __name__ == "__main__":
    unittest.main()
