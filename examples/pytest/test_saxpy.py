"""A kernel's test as a user writes it: pytest runs it on each backend, with several sizes.

    pip install ./python pytest
    WARPLOCK_LIBRARY=/prefix/lib/libwarplock.so pytest examples/pytest
"""

import array
import pathlib
import random

import pytest

import warplock

SAXPY = pathlib.Path(__file__).resolve().parent.parent / "saxpy.ptx"


@pytest.fixture(params=["func", "model", "lockstep"])
def device(request):
    """A device of its own for each test. A build without Verilator has no lockstep."""
    try:
        opened = warplock.Device(request.param, config="tiny", seed=1)
    except warplock.UnsupportedError as e:
        pytest.skip(str(e))
    with opened:
        yield opened


@pytest.fixture
def saxpy(device):
    return device.load(SAXPY)["saxpy"]


@pytest.mark.parametrize("n", [1, 31, 32, 33, 100])
def test_saxpy(device, saxpy, n):
    """y = a * x + y, for numbers with which float32 is exact; nothing behind the n-th is written."""
    rng = random.Random(n)
    x = array.array("f", (rng.randrange(-1000, 1000) / 4 for _ in range(n + 8)))
    y = array.array("f", (rng.randrange(-1000, 1000) / 4 for _ in range(n + 8)))
    device_x, device_y = device.buffer(x), device.buffer(y)
    saxpy.launch((n + 31) // 32, 32, 1.5, device_x, device_y, n)
    want = [1.5 * a + b for a, b in zip(x[:n], y[:n])] + y[n:].tolist()
    assert device_y.view("f").tolist() == want


def test_trap_is_told_with_its_line(saxpy):
    """A null pointer: the report names the PTX line of the load."""
    with pytest.raises(warplock.TrapError) as caught:
        saxpy.launch(1, 32, 1.5, 0, 0, 32)
    line = SAXPY.read_text().splitlines()[caught.value.trap.place.ptx_line - 1]
    assert "ld.global" in line
