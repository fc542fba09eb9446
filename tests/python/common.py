"""What the tests of the Python package share. Expected values are host arithmetic."""

import array
import os
import struct
import subprocess
import sys
import unittest

import warplock

ROOT = os.environ["WL_ROOT"]
SAXPY = os.path.join(ROOT, "examples", "saxpy.ptx")
VECADD = os.path.join(ROOT, "examples", "vecadd.ptx")

try:
    import numpy
except ImportError:
    numpy = None


def backends():
    """Backends of this build that need no board; rtl and lockstep where tiny has its RTL."""
    found = []
    for name, there in warplock.backends().items():
        if name == "fpga" or not there:
            continue
        try:
            with warplock.Device(name, config="tiny"):
                found.append(name)
        except warplock.UnsupportedError as e:
            assert "has no RTL" in e.message, e
    return found


def f32(value):
    """The nearest float32, as a Python float."""
    return struct.unpack("f", struct.pack("f", value))[0]


def floats(values):
    return array.array("f", values)


def module_text(body, params="", version="8.0", target="sm_80"):
    """A module with one kernel `k`."""
    return f".version {version}\n.target {target}\n.address_size 64\n" \
           f".visible .entry k({params})\n{{\n{body}\n}}\n"


def python(code, env=None, **more):
    """Runs code in a fresh interpreter; the ended process."""
    return subprocess.run([sys.executable, "-c", code], env={**os.environ, **(env or {})}, text=True,
                          capture_output=True, timeout=100, **more)


class Case(unittest.TestCase):
    def raises(self, error, pattern, call, *args, **kwargs):
        """The exception, which must have this class exactly and match the pattern."""
        with self.assertRaisesRegex(error, pattern) as caught:
            call(*args, **kwargs)
        self.assertIs(type(caught.exception), error)
        return caught.exception
