"""A foreign core's log against the reference: the core is that of examples/foreign-core, which shares
nothing with the library but the start file; and the library's own log with a changed line."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import warplock
from common import ROOT, SAXPY, Case, floats, module_text

CORE = os.path.join(ROOT, "examples", "foreign-core", "core.py")


class Compare(Case):
    def setUp(self):
        self.device = warplock.Device(config="tiny")
        self.addCleanup(self.device.close)
        self.kernel = self.device.load(SAXPY)["saxpy"]
        self.x = self.device.buffer(floats(range(40)))
        self.y = self.device.buffer(floats([1] * 40))
        self.launch = (2, 32, 2.0, self.x, self.y, 40)

    def foreign(self, folder, *options):
        """The log that the foreign core writes of the launch."""
        start, log = os.path.join(folder, "start.json"), os.path.join(folder, "log.jsonl")
        with open(start, "w", encoding="utf-8") as f:
            json.dump(warplock.start(self.kernel, *self.launch), f)
        subprocess.run([sys.executable, CORE, start, log, *options], check=True)
        return log

    @unittest.skipUnless(os.path.exists(CORE), "no examples/foreign-core")
    def test_foreign_core(self):
        self.x.write(floats([i / 10 for i in range(40)]))
        self.launch = (2, 32, 1.1, self.x, self.y, 40)  # so that rounding twice is another result
        with tempfile.TemporaryDirectory() as folder:
            found = warplock.compare(self.kernel, self.foreign(folder), *self.launch)
            self.assertTrue(found.equal)
            self.assertEqual(found.data["compared"]["stores"], 40)
            self.assertIn("log.jsonl", str(found))
            # A core whose fma is wrong: the difference is on the line of the fma.
            self.y.write(floats([1] * 40))
            log = self.foreign(folder, "--bug", "fma")
            with open(SAXPY, encoding="utf-8") as f:
                fma = next(n for n, line in enumerate(f, 1) if "fma.rn.f32" in line)
            e = self.raises(warplock.LogDivergenceError, f"saxpy.ptx:{fma}", warplock.compare, self.kernel,
                            log, *self.launch)
            self.assertEqual((e.exit_code, e.comparison.equal), (3, False))
            self.assertEqual(e.comparison.data["difference"]["ptx_line"], fma)

    def own_log(self):
        with self.device.effects() as pieces:
            self.kernel.launch(*self.launch)
        self.y.write(floats([1] * 40))
        return b"".join(pieces).splitlines()

    def test_own_log(self):
        log = self.own_log()
        self.kernel.launch(1, 32, 2.0, self.x, self.y, 0)  # is not in it and writes nothing
        self.assertEqual(json.loads(log[-1])["end"], len(log) - 2)
        self.assertTrue(warplock.compare(self.kernel, log, *self.launch).equal)
        # The sum of thread 3: 2 * 3 + 1.
        self.y.write(floats([1] * 40))
        at = next(n for n, line in enumerate(log) if n > 0 and b'"stores"' in line)
        self.assertIn(b"40e00000", log[at])
        wrong = [line.replace(b"40e00000", b"40e00001") if n == at else line for n, line in enumerate(log)]
        found = warplock.compare(self.kernel, (w.decode() for w in wrong), *self.launch, check=False)
        self.assertFalse(found.equal)
        self.assertEqual((found.data["difference"]["log_line"], found.data["difference"]["lane"]), (at + 1, 3))

    def test_errors(self):
        log = self.own_log()
        e = self.raises(warplock.InputError, rf"log:{len(log) - 1}", warplock.compare, self.kernel, log[:-1],
                        *self.launch)
        self.assertEqual(e.exit_code, 2)
        self.raises(warplock.InputError, "log:3", warplock.compare, self.kernel, log[:2] + [b"{"],
                    *self.launch)
        with self.assertRaises(FileNotFoundError):
            warplock.compare(self.kernel, "/no/such/log", *self.launch)
        self.raises(warplock.ArgumentError, "takes 4 arguments", warplock.compare, self.kernel, log, 2, 32)
        with warplock.Device("model", config="tiny") as device:
            kernel = device.load(SAXPY)["saxpy"]
            self.raises(warplock.InputError, "backend func", warplock.compare, kernel, log, 2, 32, 2.0, 0, 0,
                        0)

    def test_interrupted_log(self):
        """A log that raises ends the comparison; the device goes on."""
        def log():
            yield self.own[0]
            raise KeyError("mine")

        self.own = self.own_log()
        with self.assertRaisesRegex(KeyError, "mine"):
            warplock.compare(self.kernel, log(), *self.launch)
        self.y.write(floats([1] * 40))
        self.assertTrue(warplock.compare(self.kernel, self.own, *self.launch).equal)


if __name__ == "__main__":
    unittest.main()
