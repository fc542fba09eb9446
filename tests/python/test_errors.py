"""Each kind of failure has its own class with the exit code of the program, and a text with a place."""

import os
import pathlib
import signal
import tempfile
import threading
import unittest

import warplock
from common import SAXPY, Case, backends, module_text

ENDLESS = module_text("again:\n bra again;")
TRAPS = module_text("""
 .reg .b64 %a; .reg .b32 %r; .reg .pred %p;
 mov.u32 %r, %tid.x; setp.ne.u32 %p, %r, 7; @%p bra done;
 mov.u64 %a, 64;
 st.global.u32 [%a], %r; // the line that traps
done: ret;""")


class Text(Case):
    def setUp(self):
        self.device = warplock.Device()
        self.addCleanup(self.device.close)

    def test_malformed(self):
        """The diagnostic stands on the line of the wrong instruction."""
        text = module_text(" .reg .b32 %r;\n add.u33 %r, %r, %r;\n ret;")
        line = text.splitlines().index(" add.u33 %r, %r, %r;") + 1
        e = self.raises(warplock.InputError, rf"bad\.ptx:{line}:", self.device.module, text, "bad.ptx")
        self.assertEqual(e.exit_code, 2)
        d = e.diagnostics[0]
        self.assertEqual((d.file, d.line, d.severity), ("bad.ptx", line, "error"))
        self.assertGreater(d.column, 0)
        self.assertRegex(d.clause, r"^\d+(\.\d+)*$")
        e = self.raises(warplock.InputError, "bad.ptx", warplock.assemble, text, "bad.ptx")
        self.assertEqual(e.diagnostics[0].line, line)

    def test_unsupported(self):
        text = module_text(" .reg .f64 %d;\n div.rn.f64 %d, %d, %d;\n ret;")
        line = text.splitlines().index(" div.rn.f64 %d, %d, %d;") + 1
        kernels = (lambda: self.device.module(text, "f64.ptx")["k"].launch(1, 1),
                   lambda: warplock.assemble(text, "f64.ptx"))
        for call in kernels:
            e = self.raises(warplock.UnsupportedError, rf"f64\.ptx:{line}:", call)
            self.assertEqual(e.exit_code, 6)
            self.assertRegex(e.clause, r"^9\.7\.3")  # floating-point instructions

    def test_refused_kernel(self):
        """A module is loaded for the kernels that can run; the other one is told with line and clause."""
        text = module_text(" .reg .f64 %d;\n div.rn.f64 %d, %d, %d;\n ret;") + ".visible .entry good() { ret; }\n"
        line = text.splitlines().index(" div.rn.f64 %d, %d, %d;") + 1
        assembly = warplock.assemble(text, "two.ptx", kernel="good")
        self.assertEqual([d.line for d in assembly.warnings], [line])
        for source in (text, assembly.object):
            module = self.device.module(source, "two.ptx")
            self.assertEqual(list(module), ["k", "good"])
            self.assertTrue(module["good"].launch(1, 1).ok)
            e = self.raises(warplock.UnsupportedError, f"two.ptx:{line}: error", module.function, "k")
            self.assertRegex(e.clause, r"^9\.7\.3")
            for refused in (module.refused, assembly.refused):
                self.assertEqual([(k, r.line, r.clause) for k, v in refused.items() for r in v],
                                 [("k", line, e.clause)])
        for options in ({"strict": True}, {"kernel": "k"}):
            self.raises(warplock.UnsupportedError, f"two.ptx:{line}:", warplock.assemble, text, "two.ptx",
                        **options)

    def test_strict_tmem(self):
        """Rules of the text, where they are asked for: one of PTX's clauses, one of no clause."""
        text = module_text(" .reg .b32 %a;\n tcgen05.st.sync.aligned.32x32b.x1.b32 [%a], {%a};\n ret;", version="8.6",
                           target="sm_100a")
        line = text.splitlines().index(" tcgen05.st.sync.aligned.32x32b.x1.b32 [%a], {%a};") + 1
        self.assertTrue(warplock.assemble(text).object)
        e = self.raises(warplock.InputError, "tmem-alloc", warplock.assemble, text, strict_tmem=True)
        self.assertEqual([(d.line, d.message.split(":")[0], d.clause or "") for d in e.diagnostics],
                         [(line, "tmem-alloc", "9.7.16.1.2"), (line, "tmem-address", "")])

    def test_names(self):
        module = self.device.load(SAXPY)
        e = self.raises(warplock.InputError, "has no kernel saxpi; its kernels: saxpy", module.function,
                        "saxpi")
        self.assertEqual(e.diagnostics, [])
        self.raises(warplock.InputError, "sm_70", self.device.load, SAXPY, target="sm_70")
        with self.assertRaises(FileNotFoundError):
            self.device.load("/no/such.ptx")
        with self.assertRaisesRegex(ValueError, "zero byte"):
            module.function("a\0b")
        module.unload()
        module.unload()
        self.raises(warplock.InputError, "has been unloaded", module.function, "saxpy")


class Opening(Case):
    def test_options(self):
        self.raises(warplock.InputError, "unknown backend 'fast'", warplock.Device, "fast")
        self.raises(warplock.InputError, "unknown configuration 'big'", warplock.Device, config="big")
        self.raises(warplock.InputError, "1 MiB to 4 GiB", warplock.Device, mem_bytes=64)
        self.raises(warplock.InputError, "seed: -1 is not in 0 to", warplock.Device, seed=-1)
        self.raises(warplock.InputError, "func has no waves", warplock.Device, trace="x.vcd")
        self.raises(warplock.InputError, "no pipeline view", warplock.Device, pipeview=print)
        self.raises(warplock.UnsupportedError, "fpga", warplock.Device, "fpga", port="/no/such/port")

    def test_closed(self):
        device = warplock.Device()
        buffer, kernel = device.alloc(4), device.load(SAXPY)["saxpy"]
        device.close()
        device.close()
        self.assertEqual(repr(device), "<warplock.Device closed>")
        for call in (lambda: device.alloc(4), buffer.read, lambda: device.info,
                     lambda: kernel.launch(1, 1, 1.0, 0, 0, 0), lambda: list(kernel.module)):
            self.raises(warplock.InputError, "the device is closed", call)


class Running(Case):
    def test_trap(self):
        line = next(i for i, t in enumerate(TRAPS.splitlines(), 1) if "that traps" in t)
        for backend in backends():
            with self.subTest(backend), warplock.Device(backend, config="tiny") as device:
                kernel = device.module(TRAPS, "traps.ptx")["k"]
                e = self.raises(warplock.TrapError, rf"traps\.ptx:{line}", kernel.launch, 1, 32)
                self.assertEqual(e.exit_code, 4)
                self.assertEqual((e.trap.address, e.trap.lane, e.trap.lanes), (64, 7, 1 << 7))
                self.assertEqual((e.trap.place.ptx_file, e.trap.place.ptx_line), ("traps.ptx", line))
                self.assertIn("st.global.b32", e.trap.instruction)
                self.assertTrue(e.trap.message)
                result = kernel.launch(1, 32, check=False) if backend == "func" else e.result
                self.assertEqual((result.ok, result.exit_code), (False, 4))
                self.assertEqual(result.trap.lane, 7)

    def test_hang(self):
        for backend in backends():
            with self.subTest(backend), warplock.Device(backend, config="tiny", max_cycles=9000) as d:
                if backend == "func":
                    continue  # has no clock
                e = self.raises(warplock.HangError, "limit of cycles", d.module(ENDLESS)["k"].launch, 1, 1)
                self.assertEqual((e.exit_code, e.result.cycles), (5, 9000))

    def test_stop(self):
        for backend in backends():
            asked = []
            with self.subTest(backend), warplock.Device(
                    backend, config="tiny", stop=lambda: asked.append(1) or len(asked) > 2) as device:
                self.raises(warplock.HangError, ".", device.module(ENDLESS)["k"].launch, 1, 1)
                self.assertEqual(len(asked), 3)

    def test_called_functions_that_raise(self):
        def stop():
            raise KeyError("mine")

        with warplock.Device("model", config="tiny", stop=stop) as device:
            kernel = device.module(ENDLESS)["k"]
            for _ in range(2):  # the device goes on
                with self.assertRaisesRegex(KeyError, "mine"):
                    kernel.launch(1, 1)

        def log(line):
            raise KeyError(line)

        with warplock.Device("model", config="tiny", log=log) as device:
            with self.assertRaises(KeyError):
                device.module(ENDLESS)["k"].launch(1, 1)

    def test_called_function_calls_the_device(self):
        with warplock.Device("model", config="tiny", stop=lambda: device.alloc(4)) as device:
            self.raises(warplock.InputError, "must not call the device",
                        device.module(ENDLESS)["k"].launch, 1, 1)

    def test_interrupt(self):
        """Ctrl-C ends a launch, whenever it comes."""
        for backend in ("func", "model"):
            timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))

            def stop(timer=timer):
                if timer.ident is None:
                    timer.start()  # the launch is under way
                return False

            with self.subTest(backend), warplock.Device(backend, config="tiny", stop=stop) as device:
                with self.assertRaises(KeyboardInterrupt):
                    device.module(ENDLESS)["k"].launch(1, 1)
                timer.join()

    def test_waves(self):
        with tempfile.TemporaryDirectory(prefix="a b") as folder:
            path = pathlib.Path(folder, "w.vcd")
            with warplock.Device("model", config="tiny", trace=path, trace_from=0) as device:
                device.module(module_text(" ret;"))["k"].launch(1, 32)
            self.assertIn("$enddefinitions", path.read_text())

    def test_log_and_pipeview(self):
        lines, pieces = [], []
        with warplock.Device("model", config="tiny", log=lines.append, pipeview=pieces.append) as device:
            result = device.module(module_text(" ret;"))["k"].launch(1, 32)
        self.assertEqual(sum(" ISSUE " in line for line in lines), result.instructions)
        self.assertIn("exit", "".join(pieces))


if __name__ == "__main__":
    unittest.main()
