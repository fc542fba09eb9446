#!/bin/bash
# Usage: tools/fault_registers.sh BUILD
# Writes BUILD/faults/tiny.registers, all flip-flop and memory bits of the RTL (tools/rtl_registers.py),
# unless it is newer than all sources. Installs Yosys into BUILD/tools if it is not there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd)
out=$build/faults/tiny.registers
if [ -f "$out" ] && [ -z "$(find "$root/rtl" "$root/tools/rtl_registers.py" "$build/gen/wl_pkg.sv" \
  "$build/gen/config_tiny_pkg.sv" -newer "$out" -print -quit)" ]; then
  exit 0
fi
"$root/tools/setup_tools.sh" "$build" yosys
mkdir -p "$build/faults"
"$build/tools/venv/bin/python" "$root/tools/rtl_registers.py" "$build" tiny "$out.new" >"$build/faults/yosys.log" 2>&1 || {
  tail -n 20 "$build/faults/yosys.log" >&2
  exit 1
}
tail -n 1 "$build/faults/yosys.log"
mv "$out.new" "$out"
