"""A divergence as an object. The planted library's model reads a %tid.x with bit 0 flipped for thread 5
of a CTA: the first record that differs is the register that takes it, lane 5 of warp 0."""

import os
import unittest

from common import SAXPY, Case, python

PLANTED = os.environ.get("WL_PLANTED")

CODE = f"""
import warplock
with open({SAXPY!r}) as f:
    lines = f.read().splitlines()
tid = next(n for n, line in enumerate(lines, 1) if "%tid.x" in line)
with warplock.Device("lockstep", config="tiny", seed=2, replay=True) as device:
    kernel = device.load({SAXPY!r})["saxpy"]
    y = device.buffer(bytes(4 * 64))
    try:
        kernel.launch(2, 32, 1.0, y, y, 64)
    except warplock.DivergenceError as e:
        pass_on = e
    e = pass_on
    d = e.divergence
    assert e.exit_code == 3 and e.result.exit_code == 3 and not e.result.ok
    assert d.text == str(d) == e.message and d.text.startswith(f"DIVERGENCE at cycle {{d.cycle}} "), d.text
    assert 0 < d.cycle < 2000, d
    assert (d.record, d.array, d.warp) == ("RF", None, 0), d
    assert isinstance(d.register, int) and f"rf.r{{d.register}} " in d.text, d
    # The instruction that takes the %tid.x.
    assert str(d.place) == f"{SAXPY}:{{tid}}", (tid, d.place)
    assert isinstance(d.pc, int) and "%tid.x" in d.instruction, d
    # tiny has 8 lanes a beat: word 5 of the data is lane 5. 4 there in the place of 5.
    assert [w.name for w in d.words] == ["data[5]"], d.words
    assert d.words[0].values == {{"model": 4, "rtl": 5}}, d.words
    # The replay file diverges in the same cycle.
    open("r.rpx", "wb").write(d.replay)
    print(d.cycle)
    del e, pass_on
with warplock.Device("lockstep", config="tiny", seed=2) as device:
    kernel = device.load({SAXPY!r})["saxpy"]
    y = device.buffer(bytes(4 * 64))
    r = kernel.launch(2, 32, 1.0, y, y, 64, check=False)
    assert r.exit_code == 3 and r.divergence.cycle == d.cycle and r.divergence.replay is None
# One side alone sees nothing; nor does a CTA of 4 threads.
with warplock.Device("model", config="tiny") as device:
    assert device.load({SAXPY!r})["saxpy"].launch(2, 32, 1.0, 0, 0, 0).divergence is None
with warplock.Device("lockstep", config="tiny") as device:
    r = device.load({SAXPY!r})["saxpy"].launch(2, 4, 1.0, 0, 0, 0)
    assert r.ok and r.divergence is None and r.compared["RF"] > 10
"""


@unittest.skipIf(PLANTED is None, "no RTL without Verilator")
class Planted(Case):
    def test_divergence(self):
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            done = python(CODE, {"WARPLOCK_LIBRARY": PLANTED}, cwd=folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            with open(os.path.join(folder, "r.rpx"), "rb") as f:
                self.assertIn(f"DIVERGENCE at cycle {done.stdout.strip()} ".encode(), f.read())


if __name__ == "__main__":
    unittest.main()
