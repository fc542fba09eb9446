#!/bin/bash
# Usage: tools/lint.sh BUILD
# C and C++ sources as clang-format writes them; the twin and independence rules; counts with limits
# (tools/house_counts.py), printed; Verilator --lint-only -Wall on each configuration; Yosys on the
# FPGA configurations: no latch, no combinational loop. Needs <build>/gen and the tools of
# `make setup` and `tools/setup_tools.sh BUILD yosys format`. Exit 1 when a check fails.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
passed=0 failed=0
lint_configs="tiny tiny4 base full"
yosys_configs="tiny tiny4"
cells=generic

# check NAME COMMAND...: runs it, shows what it said when it failed, with shown=1 always.
check() {
  local name=$1 log
  shift
  printf '%-36s ' "$name"
  if log=$("$@" 2>&1); then
    echo ok
    [ -z "${shown:-}" ] || printf '%s\n' "$log" | sed 's/^/  /'
    passed=$((passed + 1))
  else
    echo FAILED
    printf '%s\n' "$log" | tail -n 60
    failed=$((failed + 1))
  fi
}

verilator_value() { sed -n "s/^set($1 \[==\[\(.*\)\]==\])\$/\1/p" "$build/tools/verilator.cmake"; }

# CONFIG [option...], with the cells of $cells
lint_rtl() {
  local config=$1 file sources=()
  while IFS= read -r file; do sources+=("$root/${file/cells\/generic/cells\/$cells}"); done < <(sed 's/#.*//' "$root/rtl/files.txt" |
    awk 'NF { print $1 }')
  VERILATOR_ROOT=$(verilator_value WL_VERILATOR_ROOT) "$(verilator_value WL_VERILATOR_BIN)" \
    --lint-only -Wall "${@:2}" --top-module "$top" "-I$root/rtl" "-I$build/gen" \
    "$root/tools/gen_packages.vlt" "$build/gen/wl_pkg.sv" "$build/gen/config_${config}_pkg.sv" \
    "${sources[@]}"
}

# A waiver stands in the source with its reason: "// verilator lint_off RULE // reason".
waivers() {
  ! grep -rnE 'lint_off' "$root/rtl" | grep -vE 'lint_off +[A-Z0-9]+ *(\*/ *)?// *[A-Za-z]'
}

yosys_rtl() {
  local work rc
  work=$(mktemp -d)
  "$build/tools/venv/bin/python" "$root/tools/yosys_rtl.py" check "$build" "$1" "$work"
  rc=$?
  rm -rf "$work"
  return $rc
}

# The C and C++ files that git knows.
formatted() {
  git -C "$root" ls-files -z '*.c' '*.h' '*.cpp' |
    (cd "$root" && xargs -0 "$build/tools/venv/bin/clang-format" --dry-run -Werror --ferror-limit=1) ||
    { echo "write them as they should be: make format" && false; }
}

check "clang-format" formatted
check "figures" "$root/tools/figures.sh" --check
check "twins, independence" python3 "$root/tools/check_twins.py" "$root"
shown=1 check "counts of the sources" python3 "$root/tools/house_counts.py" "$root"
top=$(sed -n 's/^# *top: *//p' "$root/rtl/files.txt" 2>/dev/null)
if [ -z "$top" ]; then
  echo "lint: rtl/files.txt with its line '# top: MODULE' is not there yet: no RTL was checked"
else
  check "waivers have a reason" waivers
  for config in $lint_configs; do
    [ -f "$build/gen/config_${config}_pkg.sv" ] || continue
    check "verilator -Wall $config" lint_rtl "$config"
    check "verilator -Wall $config, journal" lint_rtl "$config" -DWL_JOURNAL
  done
  cells=ecp5
  check "verilator -Wall tiny, cells of the ECP5" lint_rtl tiny
  for config in $yosys_configs; do
    [ -f "$build/gen/config_${config}_pkg.sv" ] && check "yosys $config" yosys_rtl "$config"
  done
fi
echo "lint: $passed passed, $failed failed"
[ $failed -eq 0 ]
