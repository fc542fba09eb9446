#!/usr/bin/env python3
"""Stands in for `yosys -q -l LOG SCRIPT` with the wheel pyosys: the log goes to standard output.
Run with the Python of BUILD/tools/venv. Exit 1 when a command of the script fails."""
import sys

from pyosys import libyosys as ys

if len(sys.argv) != 2:
    sys.exit('usage: run_yosys.py SCRIPT')
ys.run_pass(f'script {sys.argv[1]}', ys.Design())
