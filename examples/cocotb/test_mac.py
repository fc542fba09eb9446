"""A block of RTL (mac.sv) checked against a kernel (dot.ptx) with cocotb.

The kernel runs once on the functional backend and gives the sum of every step; the block is then driven
with the same numbers and its sum is compared in every clock.

    pip install ./python cocotb
    WARPLOCK_LIBRARY=/prefix/lib/libwarplock.so python3 examples/cocotb/run.py
"""

import array
import pathlib
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

import warplock

HERE = pathlib.Path(__file__).resolve().parent
ROWS, STEPS = 8, 50


def reference(a, b):
    """The sums of all steps of all rows, by the kernel."""
    with warplock.Device() as device:
        sums = device.alloc(4 * ROWS * STEPS)
        device.load(HERE / "dot.ptx")["dot"].launch(1, 32, device.buffer(a), device.buffer(b), sums, ROWS,
                                                    STEPS)
        return sums.view("I").tolist()


@cocotb.test()
async def sums_are_those_of_the_kernel(dut):
    rng = random.Random(1)
    a = array.array("I", (rng.getrandbits(32) for _ in range(ROWS * STEPS)))
    b = array.array("I", (rng.getrandbits(32) for _ in range(ROWS * STEPS)))
    want = reference(a, b)
    cocotb.start_soon(Clock(dut.clk_i, 10, "ns").start())
    for row in range(ROWS):
        dut.rst_i.value, dut.valid_i.value = 1, 0
        await FallingEdge(dut.clk_i)
        dut.rst_i.value = 0
        for step in range(row * STEPS, (row + 1) * STEPS):
            dut.a_i.value, dut.b_i.value, dut.valid_i.value = a[step], b[step], 1
            await FallingEdge(dut.clk_i)
            got = int(dut.sum_o.value)
            assert got == want[step], f"row {row}, step {step % STEPS}: {got:08x}, kernel {want[step]:08x}"
            if rng.randrange(4) == 0:  # a pause changes nothing
                dut.valid_i.value = 0
                await FallingEdge(dut.clk_i)
                assert int(dut.sum_o.value) == want[step], f"row {row}: the sum changed in a pause"
