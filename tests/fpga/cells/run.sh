#!/bin/bash
# Usage: run.sh BUILD
# The bench of the cell models: makes what it needs, runs it with three seeds. Exit code 77: no
# Yosys.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(cd "${1:?usage: run.sh BUILD}" && pwd)
python3 "$root/fpga/flow/toolset.py" yosys ||
  "$build/tools/venv/bin/python" -c 'import pyosys' 2>/dev/null ||
  { echo 'SKIP: no Yosys in the build (make fpga-tools)'; exit 77; }
cmake --build "$build" -j 1 --target wl_fpga_cells_main
for seed in 1 2 3; do
  "$build/tests/fpga/cells/wl_fpga_cells_main" 200000 $seed
done
