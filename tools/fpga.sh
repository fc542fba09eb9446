#!/bin/bash
# Usage: tools/fpga.sh BUILD [bit|synth|sweep|load|tools] [option...]   (--help: the options)
# The FPGA flow: synthesis, place and route, bitstream, report (docs/fpga.md, Flow; --help lists the
# options). Exit codes: 0 done; 1 error in the design or a tool, a clock too slow;
# 2 wrong call or wrong tool version; 3 does not fit; 4 out of memory; 77 a tool is missing;
# 130 stopped by Ctrl-C.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] || { sed -n '2s/^# //p' "$0" >&2; exit 2; }
# The flow itself needs no package: any Python 3.10 will do.
python=$1/tools/venv/bin/python
[ -x "$python" ] || python=$(command -v python3) ||
  { echo 'fpga: error: python3 is missing; install with: apt install python3' >&2; exit 77; }
exec "$python" -u "$root/fpga/flow/flow.py" "$@"
