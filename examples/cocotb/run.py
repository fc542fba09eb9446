"""Builds mac.sv and runs test_mac.py with the simulator that the environment variable SIM names
(default: icarus). run.py [SOURCE [FOLDER]]: another block in its place; where the simulator writes."""

import os
import pathlib
import sys

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

HERE = pathlib.Path(__file__).resolve().parent


def main() -> int:
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "mac.sv"
    build = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "sim_build").absolute()
    sys.path.insert(0, str(HERE))
    runner = get_runner(os.environ.get("SIM", "icarus"))
    runner.build(sources=[source], hdl_toplevel="mac", build_dir=build, always=True,
                 timescale=("1ns", "1ps"))
    results = runner.test(hdl_toplevel="mac", test_module="test_mac", build_dir=build)
    tests, failed = get_results(results)
    print(f"{tests - failed} of {tests} tests passed")
    return 0 if tests and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
