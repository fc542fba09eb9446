#!/bin/bash
# The SystemVerilog package, the scoreboard for UVM and the test benches in a second front end, slang, in
# its strict mode with warnings as errors; and what slang must refuse, so that the test can fail.
#   test_slang.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
python=$build/tools/venv/bin/python
"$python" -c 'import pyslang.driver' 2>/dev/null || {
  echo "SKIP: no slang (tools/setup_tools.sh $build slang)"
  exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# In the generated packages a unique case has a default, for synthesis.
strict=(-Wextra -Wpedantic -Wconversion -Werror -Wno-missing-top -Wno-case-redundant-default)
sv=$source/tests/cosim/sv
package=$source/rtl/dpi/warplock_cosim_pkg.sv
example=$source/examples/uvm/warplock_uvm_pkg.sv
generated=("$build/gen/wl_pkg.sv" "$build/gen/config_tiny_pkg.sv")
failures=0
# slang FILE...
slang() { "$python" "$source/tools/slang.py" "${strict[@]}" "$@" >"$dir/out" 2>&1; }
accept() {
  local name=$1
  shift
  if ! slang "$@"; then
    echo "$name:"
    head -n 20 "$dir/out"
    failures=$((failures + 1))
  fi
}
# refuse PATTERN FILE...
refuse() {
  local pattern=$1
  shift
  if slang "$@" || ! grep -q "$pattern" "$dir/out"; then
    echo "not refused with '$pattern':"
    head -n 20 "$dir/out"
    failures=$((failures + 1))
  fi
}
for std in 1800-2017 1800-2023; do
  accept "package, $std" --std $std "$package"
  accept "scoreboard, $std" --std $std -I "$sv/uvm" "$sv/uvm/uvm_pkg.sv" "$package" "$example"
  accept "benches, $std" --std $std -I "$sv/uvm" "${generated[@]}" "$sv/uvm/uvm_pkg.sv" "$package" "$example" \
    "$sv/log_pkg.sv" "$sv/cosim_core.sv" "$sv/cosim_tb.sv" "$sv/uvm_tb.sv" --top cosim_tb --top uvm_tb
done
sed 's/input record_logic_t data/input record_unknown_t data/' "$package" >"$dir/type.sv"
refuse "unknown.*'record_unknown_t'\|'record_unknown_t'" "$dir/type.sv"
# A string where the handle belongs: C would get a pointer to text.
sed 's/cosim_step_logic(cosim, /cosim_step_logic("cosim", /' "$example" >"$dir/handle.sv"
refuse "chandle" -I "$sv/uvm" "$sv/uvm/uvm_pkg.sv" "$package" "$dir/handle.sv"
[ $failures -eq 0 ] && echo "slang: package, scoreboard and benches are accepted; mistakes are not"
exit $failures
