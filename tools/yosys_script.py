#!/usr/bin/env python3
"""Stands in for the program `yosys` as SymbiYosys calls it: yosys -ql LOG SCRIPT. Run with the Python
of <build>/tools/venv (pyosys). Exit 1 when a command of the script fails."""
import sys

from pyosys import libyosys as ys

if len(sys.argv) != 4 or sys.argv[1] != '-ql':
    sys.exit('usage: yosys_script.py -ql LOG SCRIPT')
ys.run_pass(f'tee -q -o {sys.argv[2]} script {sys.argv[3]}', ys.Design())
