#!/bin/bash
# Usage: run.sh BUILD [--row tiny4|tiny] [option of the kernel runner...]
# The netlist of the board's core in lockstep with the model (README.md): makes what it needs,
# checks that every mode of a cell in it is one that tests/fpga/cells shows, runs the kernels.
# Exit code 77: no Yosys.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(cd "${1:?usage: run.sh BUILD [--row ROW] [option...]}" && pwd)
shift
row=tiny4
if [ "${1-}" = --row ]; then
  row=${2:?usage: run.sh BUILD [--row ROW] [option...]}
  shift 2
fi
python3 "$root/fpga/flow/toolset.py" yosys ||
  "$build/tools/venv/bin/python" -c 'import pyosys' 2>/dev/null ||
  { echo 'SKIP: no Yosys in the build (make fpga-tools)'; exit 77; }
cmake --build "$build" -j 1 --target wl_fpga_cells_main "wl_netlist_runner_$row"
modes() { sed 's/^[0-9]* //' "$build/tests/fpga/$1/sets.txt" | grep -v '^digest_box' | sort -u; }
if ! missing=$(comm -23 <(modes "netlist/$row") <(modes cells)) || [ -n "$missing" ]; then
  printf 'netlist: modes of cells that tests/fpga/cells does not show:\n%s\n' "$missing" >&2
  exit 1
fi
[ $# -gt 0 ] || set -- --kernel vecadd,reduction,barriers
case " $* " in *" --ptx "*) ;; *) set -- --ptx nvcc "$@" ;; esac
"$build/tests/fpga/netlist/wl_netlist_runner_$row" --backend lockstep --config "$row" --tier smoke \
  --max-failures 1 "$@"
