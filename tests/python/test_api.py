"""Devices, buffers, modules and launches, with results that the host computes."""

import array
import random
import unittest

import warplock
from common import SAXPY, VECADD, Case, backends, f32, floats, module_text, numpy


class Launches(Case):
    def test_saxpy_on_all_backends(self):
        """Numbers with few bits, so that a * x + y is exact in float32 and in a Python float."""
        rng = random.Random(3)
        x = floats([rng.randrange(-999, 999) / 8 for _ in range(101)])
        y = floats([rng.randrange(-999, 999) / 8 for _ in range(101)])
        want = [2.5 * a + b for a, b in zip(x, y)]
        self.assertEqual(want, [f32(w) for w in want])
        for backend in backends():
            with self.subTest(backend), warplock.Device(backend, config="tiny", seed=4) as device:
                saxpy = device.load(SAXPY)["saxpy"]
                at_x, at_y = device.buffer(x), device.buffer(y)
                result = saxpy.launch(4, 32, 2.5, at_x, at_y, len(x))
                self.assertEqual(at_y.view("f").tolist(), want)
                self.assertEqual(at_x.view("f").tolist(), x.tolist())
                self.assertTrue(result.ok)
                self.assertEqual(result.cycles > 0, backend != "func")
                self.assertGreater(result.thread_instructions, 101 * 5)
                self.assertEqual(bool(result.compared), backend == "lockstep")
                if backend == "lockstep":
                    # 4 CTAs start; each warp issues more than 10 instructions.
                    self.assertEqual(result.compared["ISSUE"], result.instructions)
                    self.assertIn("every record of every cycle", result.report)

    def test_vecadd(self):
        a = array.array("i", [7 * i - 300 for i in range(70)])
        b = array.array("i", [i * i for i in range(70)])
        with warplock.Device() as device:
            module = device.load(VECADD)
            self.assertEqual(list(module), ["vecadd"])
            out = device.alloc(4 * 70)
            out.fill(0)
            module["vecadd"].launch((3, 1, 1), (32,), device.buffer(a), device.buffer(b), out, 70)
            self.assertEqual(out.view("i").tolist(), [x + y for x, y in zip(a, b)])

    def test_dimensions(self):
        """Each thread writes its place: 3 x 2 CTAs of 4 x 2 x 2 threads."""
        text = module_text("""
  .reg .b32 %r<16>; .reg .b64 %a, %o;
  mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z;
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y; mov.u32 %r5, %nctaid.x;
  mad.lo.u32 %r6, %r2, 2, %r1; mad.lo.u32 %r6, %r6, 4, %r0;
  mad.lo.u32 %r7, %r4, %r5, %r3; mad.lo.u32 %r8, %r7, 16, %r6;
  ld.param.u64 %a, [p]; mul.wide.u32 %o, %r8, 4; add.u64 %a, %a, %o;
  st.global.u32 [%a], %r8; ret;""", ".param .u64 p")
        with warplock.Device() as device:
            out = device.alloc(4 * 6 * 16)
            out.fill(255)
            device.module(text)["k"].launch((3, 2), (4, 2, 2), out)
            self.assertEqual(out.view("I").tolist(), list(range(96)))

    def test_dynamic_shared_memory(self):
        """The size that the kernel sees is the size that the launch gave."""
        text = module_text("""
  .reg .b32 %r; .reg .b64 %a;
  mov.u32 %r, %dynamic_smem_size; ld.param.u64 %a, [p]; st.global.u32 [%a], %r; ret;""",
                           ".param .u64 p")
        with warplock.Device() as device, device.alloc(4) as out:
            device.module(text)["k"].launch(1, 1, out, shared=3072)
            self.assertEqual(out.view("I")[0], 3072)


class Modules(Case):
    def test_variable(self):
        """A .global variable is read, written, and outlives the module's name."""
        text = ".version 8.0\n.target sm_80\n.address_size 64\n" \
               ".visible .global .align 4 .u32 table[3] = {5, 6, 7};\n" \
               ".visible .entry k() {\n .reg .b32 %r; ld.global.u32 %r, [table+4];\n" \
               " add.u32 %r, %r, 100; st.global.u32 [table+8], %r; ret; }\n"
        with warplock.Device() as device:
            table = device.module(text).symbol("table")
            self.assertEqual(table.view("I").tolist(), [5, 6, 7])
            table.write(array.array("I", [1, 2]))
            device.module(text)["k"].launch(1, 1)  # another module, another table
            self.assertEqual(table.view("I").tolist(), [1, 2, 7])
            table._module["k"].launch(1, 1)
            self.assertEqual(table.view("I").tolist(), [1, 2, 102])
            self.raises(warplock.InputError, "variable of a module", table.free)
            self.raises(warplock.InputError, "no variable tab", table._module.symbol, "tab")

    def test_object_and_tools(self):
        with open(SAXPY, encoding="utf-8") as f:
            text = f.read()
        assembly = warplock.assemble(text, "saxpy.ptx")
        self.assertEqual(assembly.object[:4], b"\x7fELF")
        lines = warplock.disassemble(assembly.object)
        self.assertTrue(any("fma.f32" in line for line in lines), lines[:5])
        self.raises(warplock.InputError, ".", warplock.disassemble, b"no object")
        with warplock.Device() as device:
            kernel = device.module(assembly.object, "saxpy.wlo")["saxpy"]
            self.assertEqual([p.type for p in kernel.params], ["f32", "u64", "u64", "u32"])
            self.assertEqual([p.offset for p in kernel.params], [0, 8, 16, 24])
            self.assertEqual(kernel.info.param_bytes, 28)
            self.assertGreater(kernel.info.regs, 3)

    def test_query(self):
        with warplock.Device(config="tiny", mem_bytes=1 << 20) as device:
            info = device.info
            self.assertEqual((info.backend, info.config, info.mem_bytes), ("func", "tiny", 1 << 20))
            self.assertEqual(repr(device), "<warplock.Device func tiny>")
            used = info.mem_used
            with device.alloc(4096):
                self.assertGreaterEqual(device.info.mem_used, used + 4096)
            self.assertEqual(device.info.mem_used, used)
        self.assertTrue(device.closed)
        self.assertIn("base", warplock.configs())
        self.assertTrue(warplock.backends()["func"])


class Buffers(Case):
    def setUp(self):
        self.device = warplock.Device()
        self.addCleanup(self.device.close)

    def test_bytes(self):
        b = self.device.buffer(bytes(range(16)))
        self.assertEqual((len(b), b.nbytes, b.address % 256), (16, 16, 0))
        b.write(b"\xff\xfe", 3)
        self.assertEqual(b.read(4, 2), b"\x02\xff\xfe\x05")
        b.fill(9, 2, 14)
        self.assertEqual(b.read(offset=13), b"\x0d\x09\x09")
        into = bytearray(4)
        b.read_into(into, 12)
        self.assertEqual(into, b"\x0c\x0d\x09\x09")
        self.assertEqual(b.view("H")[0], 0x0100)
        self.assertEqual(b.read(0, 16), b"")

    def test_bounds(self):
        b = self.device.alloc(16)
        for call in (lambda: b.read(17), lambda: b.read(1, 16), lambda: b.read(offset=17),
                     lambda: b.write(b"12", 15), lambda: b.read(4, -1), lambda: b.fill(0, 17)):
            self.raises(warplock.InputError, "the buffer has 16 bytes", call)
        self.raises(warplock.InputError, "0 to 255", b.fill, 256)
        self.raises(warplock.InputError, "whole number", self.device.alloc(6).view, "I")
        self.raises(warplock.InputError, "allocation of 0 bytes", self.device.alloc, 0)
        self.raises(warplock.InputError, "allocation of -1 bytes", self.device.alloc, -1)
        self.raises(warplock.UnsupportedError, "does not fit", self.device.alloc, 1 << 40)
        with self.assertRaisesRegex(TypeError, "list has no bytes"):
            self.device.buffer([1, 2, 3])
        with self.assertRaisesRegex(TypeError, "int has no bytes"):
            self.device.buffer(3)

    @unittest.skipIf(numpy is None, "no numpy")
    def test_numpy(self):
        array2 = numpy.arange(12, dtype=numpy.float32).reshape(3, 4)
        b = self.device.buffer(array2)
        numpy.testing.assert_array_equal(b.numpy(), array2)
        self.assertEqual((b.numpy().dtype, b.numpy().shape), (numpy.float32, (3, 4)))
        b.write(numpy.array([[7.0, 8.0]], numpy.float32), 4)
        self.assertEqual(b.numpy()[0].tolist(), [0, 7, 8, 3])
        self.assertEqual(b.numpy(numpy.uint32)[1], 0x40E00000)
        self.assertEqual(b.numpy(numpy.int64, (2, 3)).shape, (2, 3))
        b.numpy()[0, 0] = 5  # a copy, writable
        turned = self.device.buffer(array2.T)  # not contiguous
        numpy.testing.assert_array_equal(turned.numpy(), array2.T)
        half = numpy.array([0.5, -2], numpy.float16)
        numpy.testing.assert_array_equal(self.device.buffer(half).numpy(), half)
        self.assertEqual(self.device.alloc(8).numpy().dtype, numpy.uint8)
        self.raises(warplock.InputError, "big-endian", self.device.buffer, array2.astype(">f4"))
        self.raises(warplock.InputError, "cannot reshape", b.numpy, numpy.float32, (5, 5))
        self.raises(warplock.InputError, "whole number", self.device.alloc(6).numpy, numpy.float32)

    @unittest.skipIf(numpy is not None, "numpy is here")
    def test_without_numpy(self):
        with self.assertRaises(ImportError):
            self.device.alloc(8).numpy()


if __name__ == "__main__":
    unittest.main()
