#!/bin/bash
# Usage: faults.sh BUILD PROGRAM population|outcomes|sample [ARGUMENT...]
# The fault campaign (docs/faults.md) on configuration tiny.
#   population  every register is classified, and what is wrong in the table is said
#   outcomes    a flip that must be reported, one that must be dead, one that must be missed; repeated
#   sample      the campaign with the given arguments: none is missed
# Exit 77 where Yosys cannot be installed.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1 program=$2 what=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rows=$root/driver/faults/rows.txt
failed=0

if ! log=$("$root/tools/fault_registers.sh" "$build" 2>&1); then
  echo "$log"
  grep -q 'setup: error' <<<"$log" || exit 1
  echo "SKIP: no Yosys (tools/setup_tools.sh $build yosys)"
  exit 77
fi

# expect CODE TEXT ARGUMENT...: exit code, and a line of the output that matches.
expect() {
  local code=$1 text=$2 got output
  shift 2
  output=$("$program" "$@" 2>&1)
  got=$?
  if [ $got -ne "$code" ] || ! grep -qE -- "$text" <<<"$output"; then
    echo "FAILED: $*: exit $got, expected $code and '$text'"
    head -n 20 <<<"$output"
    failed=1
  fi
}

case $what in
  population)
    expect 0 '^[0-9]+ bits of [0-9]+ registers .* none [0-9]+ \([0-4]\.' --list
    expect 0 'u_smem.*mem_q +65536 smem +place' --list-all
    "$program" --list-all >"$build/faults/tiny.table" || failed=1
    grep -v 'u_ccache.state_q' "$rows" >"$work/less"
    expect 2 'u_ccache.state_q: no entry' --list --rows "$work/less"
    { cat "$rows"; echo 'rf effect - u_ccache.*'; } >"$work/twice"
    expect 2 'more than one entry' --list --rows "$work/twice"
    { cat "$rows"; echo 'rg effect - nothing_q'; } >"$work/row"
    expect 2 "'rg' is no row" --list --rows "$work/row"
    sed 's/^smem *place/memory none/' "$rows" >"$work/none"
    expect 1 'not compared' --list --rows "$work/none"
    sed '2s/ \([0-9]*\) / 7777 /' "$build/faults/tiny.registers" >"$work/size"
    expect 2 'another size' --count 1 --population "$work/size"
    { cat "$build/faults/tiny.registers"; echo 'ff u_trap.new_q 1 1'; } >"$work/new"
    expect 2 'new_q: no entry' --list --population "$work/new"
    { cat "$rows"; echo 'rf effect - new_q'; } >"$work/row"
    expect 2 'not public' --count 1 --population "$work/new" --rows "$work/row"
    ;;
  outcomes)
    bank='u_regfile.u_banks.gen_bank[0].mem_q'
    expect 0 '^reported .*\+0 rf$' --mode full --verbose --kernel barriers --only "$bank:128000@100"
    expect 0 '^reported .* rf' --verbose --kernel barriers --only "$bank:128000@100"
    expect 0 '^reported .*\+0 done$' --verbose --kernel barriers --only 'u_grid.state_q:0@100'
    expect 0 '^dead ' --verbose --kernel barriers --only 'u_decode.d2_word_q:5@1'
    # What a launch leaves behind is seen where the next one starts.
    for bit in cycle_q:60 u_pages.free_pages_q:5 u_hazards.mem_zero_q:7 u_atomic.step_q:3; do
      expect 0 '^reported .* rest' --verbose --kernel barriers --only "$bit@100"
    done
    # The place of the atomic unit's choice, in a program without atomics.
    expect 0 '^reported .* rest' --verbose --kernel barriers --only u_orderpoint.atom_above_q:5@732
    # A tag of a line that is never valid. Called defined, the same flip is a missed one.
    expect 0 '^latent .*u_ccache.u_array.tag_q' --verbose --kernel barriers --only 'u_ccache.u_array.tag_q:900@100'
    sed 's/^\(rf *effect\) start\( u_ccache\)/\1 -\2/' "$rows" >"$work/rows"
    expect 1 "^  again: .*--only 'u_sm.u_memory.u_ccache.u_array.tag_q:900@100'" --kernel barriers --rows "$work/rows" \
      --only 'u_ccache.u_array.tag_q:900@100'
    expect 2 'no such bit' --kernel barriers --only 'cycle_q:64@100'
    expect 2 'no such bit' --kernel barriers --only 'read_q:0@100' # of several registers
    # '**' goes on below, a comma is "or", '*' ends at a dot.
    expect 0 '^[a-z]+ +u_sm.*\.u_dot\.u_align\.gen_cells\.' --verbose --kernel barriers --count 3 --registers 'u_dot.u_align.**'
    expect 0 '^[a-z]+ +u_sm.*\.u_result\.count_q' --verbose --kernel barriers --count 1 --seed 3 --registers 'no_such_q,u_result.count_q'
    expect 2 'no such bit' --kernel barriers --count 1 --registers 'u_dot.u_align.*,u_dot.u_align.?'
    "$program" --count 12 --seed 3 --kernel barriers --verbose | grep '@' | sort >"$work/whole"
    for first in 0 6; do
      "$program" --count 6 --first $first --seed 3 --kernel barriers --verbose
    done | grep '@' | sort >"$work/parts"
    cmp "$work/whole" "$work/parts" || failed=1
    ;;
  sample)
    "$program" "$@" --json "$build/faults/sample.json" || failed=1
    ;;
  *)
    echo "unknown: $what"
    exit 2
    ;;
esac
exit $failed
