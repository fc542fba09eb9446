"""Launch arguments by the type of the kernel's parameter: the bytes come back from the kernel."""

import ctypes
import struct
import unittest

import warplock
from common import Case, module_text, numpy


def echo(device, kind, nbytes):
    """A kernel that stores its parameter of type `kind` to the buffer of its first parameter."""
    moved = {1: "b8", 2: "b16", 4: "b32", 8: "b64"}[nbytes]
    register = "b16" if nbytes == 1 else moved
    return device.module(module_text(
        f".reg .b64 %a; .reg .{register} %v;\n ld.param.u64 %a, [p]; ld.param.{moved} %v, [v];\n"
        f" st.global.{moved} [%a], %v; ret;", f".param .u64 p, .param .{kind} v"))["k"]


class Arguments(Case):
    def setUp(self):
        self.device = warplock.Device()
        self.addCleanup(self.device.close)

    def check(self, kind, nbytes, good, bad):
        kernel = echo(self.device, kind, nbytes)
        for value, want in good:
            with self.subTest(kind=kind, value=value):
                out = self.device.alloc(nbytes)
                kernel.launch(1, 1, out, value)
                self.assertEqual(out.read(), want)
        for value, why in bad:
            with self.subTest(kind=kind, value=value):
                e = self.raises(warplock.ArgumentError, why, kernel.launch, 1, 1,
                                self.device.alloc(8), value)
                self.assertIn(f"argument 1 of k(u64 p, {kind} v): {kind} v: ", str(e))
                self.assertIsInstance(e, ValueError)
                self.assertEqual(e.exit_code, 2)

    def test_integers(self):
        for bits in (8, 16, 32, 64):
            n, top = bits // 8, 1 << bits
            self.check(f"u{bits}", n, [(0, bytes(n)), (top - 1, b"\xff" * n), (True, b"\1" + bytes(n - 1))],
                       [(-1, f"-1 is not in 0 to {top - 1}"), (top, "is not in"), (1.5, "float does not"),
                        ("1", "str does not")])
            self.check(f"s{bits}", n, [(-1, b"\xff" * n), (-top // 2, bytes(n - 1) + b"\x80")],
                       [(top // 2, f"is not in {-top // 2} to {top // 2 - 1}"), (-top // 2 - 1, "is not")])
            self.check(f"b{bits}", n, [(-1, b"\xff" * n), (top - 1, b"\xff" * n)],
                       [(top, "is not in"), (-top // 2 - 1, "is not in")])

    def test_floats(self):
        self.check("f32", 4, [(1.5, struct.pack("<f", 1.5)), (3, struct.pack("<f", 3)),
                              (float("inf"), struct.pack("<f", float("inf")))],
                   [(1e39, "too large"), ("1", "str does not fit"), (None, "NoneType does not fit")])
        self.check("f64", 8, [(0.1, struct.pack("<d", 0.1))], [(1j, "complex does not fit")])
        self.check("f16", 2, [(-2.0, struct.pack("<e", -2.0))], [(70000.0, "too large")])
        self.check("b32", 4, [(1.5, struct.pack("<f", 1.5)), (b"abcd", b"abcd")],
                   [(b"abc", "3 bytes, the parameter has 4")])

    def test_buffers(self):
        b = self.device.alloc(16)
        self.check("u64", 8, [(b, b.address.to_bytes(8, "little")),
                              (b.address + 4, (b.address + 4).to_bytes(8, "little"))], [])
        self.check("u32", 4, [], [(b, "a buffer is an address of 64 bits")])
        with warplock.Device() as other:
            self.check("u64", 8, [], [(other.alloc(4), "the buffer is of another device")])
        freed = self.device.alloc(4)
        freed.free()
        self.check("u64", 8, [], [(freed, "has been freed")])

    def test_structure(self):
        """A structure by value: 12 bytes of which the kernel stores the last word."""
        class Pair(ctypes.Structure):
            _fields_ = [("a", ctypes.c_uint64), ("b", ctypes.c_uint32)]

        kernel = self.device.module(module_text(
            ".reg .b64 %a; .reg .b32 %v; ld.param.u64 %a, [p]; ld.param.b32 %v, [v+8];\n"
            " st.global.b32 [%a], %v; ret;", ".param .u64 p, .param .align 8 .b8 v[12]"))["k"]
        self.assertEqual((kernel.params[1].type, kernel.params[1].bytes), ("bytes", 12))
        out = self.device.alloc(4)
        kernel.launch(1, 1, out, struct.pack("<QI", 1, 0xCAFE))
        self.assertEqual(out.view("I")[0], 0xCAFE)
        self.raises(warplock.ArgumentError, "16 bytes, the parameter has 12", kernel.launch, 1, 1, out,
                    Pair(1, 2))
        self.raises(warplock.ArgumentError, "int has no bytes", kernel.launch, 1, 1, out, 5)

    def test_count_and_shape(self):
        kernel = echo(self.device, "u32", 4)
        out = self.device.alloc(4)
        self.raises(warplock.ArgumentError, r"k\(u64 p, u32 v\) takes 2 arguments, 1 given",
                    kernel.launch, 1, 1, out)
        self.raises(warplock.InputError, "one to three numbers", kernel.launch, (1, 1, 1, 1), 1, out, 1)
        self.raises(warplock.InputError, "numbers from 1", kernel.launch, -1, 1, out, 1)
        self.raises(warplock.InputError, "grid 0,1,1: x must be 1 to", kernel.launch, 0, 1, out, 1)
        self.raises(warplock.InputError, "2048 threads, at most 1024", kernel.launch, 1, (1024, 2), out, 1)
        self.raises(warplock.InputError, "shared: -4", kernel.launch, 1, 1, out, 1, shared=-4)

    @unittest.skipIf(numpy is None, "no numpy")
    def test_numpy(self):
        self.check("s32", 4, [(numpy.int64(-5), struct.pack("<i", -5))],
                   [(numpy.float32(1), "float32 does not fit"), (numpy.arange(3), "device.buffer")])
        self.check("f32", 4, [(numpy.float64(0.1), struct.pack("<f", 0.1)),
                              (numpy.int32(2), struct.pack("<f", 2))], [(numpy.zeros(2), "device.buffer")])


if __name__ == "__main__":
    unittest.main()
