#!/bin/bash
# Usage: test_junit.sh writer|runner|run_tests|farm BUILD SOURCE
# What --junit writes is read by Python's XML parser (read.py) and compared with what was printed.
set -uo pipefail
what=$1
build=$(cd "$2" && pwd)
source=$(cd "$3" && pwd)
here=$source/tests/junit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
export PYTHONDONTWRITEBYTECODE=1

wrong() {
  printf 'FAILED: %s\n' "$*"
  failures=1
}
# expect CODE PATTERN COMMAND...: exit code and an extended pattern of the output.
expect() {
  local code=$1 pattern=$2 got
  shift 2
  "$@" >"$work/out" 2>&1
  got=$?
  if [ $got -ne "$code" ] || { [ -n "$pattern" ] && ! grep -Eq -- "$pattern" "$work/out"; }; then
    wrong "$*: exit $got, expected $code and '$pattern'"
    head -n 20 "$work/out"
  fi
}
# cases FILE: reads it into $work/cases; a report of a wrong form fails.
cases() { python3 "$here/read.py" "$1" >"$work/cases" 2>&1 || { wrong "$1"; cat "$work/cases"; }; }
# has LINE: of the cases, as it stands.
has() { grep -qxF -- "$1" "$work/cases" || { wrong "no case $1 in"; cat "$work/cases"; }; }
# like COUNT PATTERN: so many cases match.
like() {
  local n
  n=$(grep -Ec -- "$2" "$work/cases")
  [ "$n" -eq "$1" ] || { wrong "$n cases, expected $1: $2"; cat "$work/cases"; }
}

writer() {
  local program=$build/tests/junit/wl_junit_sample
  expect 0 '' "$program" "$work/a b.xml"
  [ ! -e "$work/a b.xml.new" ] || wrong "a half-written file stays"
  cases "$work/a b.xml"
  has "('passed', 'c', 'fine', None, None)"
  has "('failed', 'c.d', '<n>&\"\\'\\t\\n', 'first <line>', 'first <line>\\n  second & \"last\"]]>\\n')"
  # Each byte that is no UTF-8, and each character that XML does not have, is one "?" for each byte.
  has "('failed', 'c', 'bytes', 'ok é € 😀|??|??|??|???|???|????|end\\r', 'ok é € 😀|??|??|??|???|???|????|end\\r')"
  has "('skipped', 'c', 'later', 'no <thing> & why', None)"
  has '4 cases, 2 failed, 1 skipped'
  grep -q 'testsuite name="a &#34;suite&#34; &#60;of&#62; &#38;c"' "$work/a b.xml" || wrong 'the name of the suite'
  expect 2 'cannot write' "$program" "$work/no/such/file.xml"
}

runner() {
  local program=$build/tests/kernels/runner/wl_kernel_runner
  cd "$source" || exit 1
  expect 0 '^  --junit FILE' "$program" --help
  # Passed and skipped: a barrier of the grid whose CTAs have so much shared memory that not all fit.
  mkdir "$work/vecadd" "$work/grid_barrier"
  cp tests/kernels/vecadd/vecadd.*.ptx "$work/vecadd"
  sed 's/^{/{ .shared .align 4 .b8 pad[20000]; .reg .b32 %pad; mov.u32 %pad, pad;/' \
    tests/kernels/grid_barrier/grid_barrier.nvcc.ptx >"$work/grid_barrier/grid_barrier.nvcc.ptx"
  expect 0 ' passed, .* skipped, 0 failed' "$program" --backend func --config tiny --tier all --ptx hand,nvcc \
    --kernel vecadd,grid_barrier --dir "$work" --junit "$work/r.xml"
  local runs passed refused skipped
  read -r runs passed refused skipped < <(tail -n 1 "$work/out" |
    sed 's/ runs: / /; s/ passed, / /; s/ refused as they must be, / /; s/ skipped.*//')
  cases "$work/r.xml"
  has "$runs cases, 0 failed, $skipped skipped"
  like "$skipped" "^\('skipped', 'func.tiny.grid_barrier', .*'needs [0-9]+ resident CTAs, [0-9]+ fit', None"
  [ "$skipped" -gt 0 ] && [ "$passed" -gt 0 ] || wrong "nothing skipped or passed: $(tail -n 1 "$work/out")"
  like $((passed + refused)) "^\('passed', 'func.tiny.(vecadd|grid_barrier)', '[a-z0-9_]+ (nvcc|hand) seed 0', None"
  # Failed: other memory than a file of digests says; PTX that is not there.
  echo none >"$work/digest"
  expect 1 ' 3 failed' "$program" --backend func --kernel vecadd --case n77 --tier all --ptx nvcc --seeds 3 \
    --digest "$work/digest" --junit "$work/r.xml"
  cases "$work/r.xml"
  has '3 cases, 3 failed, 0 skipped'
  like 1 "^\('failed', 'func.base.vecadd', 'n77 nvcc seed 2', 'final memory [0-9a-f]{16} is not that of .*/digest'"
  expect 1 ' 1 failed' "$program" --kernel vecadd --case n77 --tier all --ptx nvcc --dir /none --junit "$work/r.xml"
  cases "$work/r.xml"
  like 1 "^\('failed', .*/vecadd/vecadd.nvcc.ptx: cannot read'"
  expect 2 'runner: cannot write /no/such/x.xml' "$program" --kernel vecadd --junit /no/such/x.xml
}

run_tests() {
  mkdir "$work/p"
  cat >"$work/p/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(p NONE)
enable_testing()
add_test(NAME top COMMAND true)
add_test(NAME a/b/good COMMAND true)
add_test(NAME a/bad COMMAND sh -c "printf 'why <\\033[1m&> \"x\"\\n'; exit 3")
add_test(NAME a/skip COMMAND sh -c "echo 'SKIP: no <x> & (apt install y)'; exit 77")
add_test(NAME a/gone COMMAND "/no such program")
add_test(NAME a/off COMMAND true)
add_test(NAME a/late COMMAND sleep 30)
set_tests_properties(a/skip PROPERTIES SKIP_RETURN_CODE 77)
set_tests_properties(a/off PROPERTIES DISABLED TRUE)
set_tests_properties(a/late PROPERTIES TIMEOUT 1)
END
  cmake -S "$work/p" -B "$work/b" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  local run=$source/tools/run_tests.sh
  expect 0 '^ *--junit FILE' "$run" --help
  expect 1 '^2 passed, 3 failed, 2 skipped$' "$run" "$work/b" --junit "$work/t.xml"
  cases "$work/t.xml"
  has '7 cases, 3 failed, 2 skipped'
  has "('passed', 'ctest', 'top', None, None)"
  has "('passed', 'ctest.a.b', 'good', None, None)"
  like 1 "^\('failed', 'ctest.a', 'bad', '.+', '.*why <.*&> \"x\"'\)"
  has "('skipped', 'ctest.a', 'skip', 'no <x> & (apt install y)', None)"
  has "('skipped', 'ctest.a', 'off', 'disabled', None)"
  like 1 "^\('failed', 'ctest.a', 'gone', 'program missing', "
  like 1 "^\('failed', 'ctest.a', 'late', 'failed after 1\.[0-9] s'"
  # Arguments behind it go to ctest as before.
  expect 0 '^1 passed, 0 failed, 0 skipped$' "$run" "$work/b" --junit "$work/t.xml" -R '^top$'
  cases "$work/t.xml"
  has '1 cases, 0 failed, 0 skipped'
  expect 2 'needs a file' "$run" "$work/b" --junit
  expect 2 'cannot write /no/such/t.xml' "$run" "$work/b" --junit /no/such/t.xml
}

farm() {
  local shell=$source/tests/farm/work.sh table=$work/table.ini
  for kind in good:good:2:60 bad:bad:3:60 late:slow:2:1; do
    IFS=: read -r name how shards limit <<<"$kind"
    printf '[%s]\nabout = x\npart = p\nshards = %s\nwork = 10\nlimit = %s\nread = input\n' \
      "$name" "$shards" "$limit"
    printf 'run = %s %s {shard} {work} {json} %s\n' "$shell" "$how" "$work/log"
  done >"$table"
  printf '[absent]\nabout = x\nshards = 1\nlimit = 9\nbuilt = no/such\nrun = true\n' >>"$table"
  printf '[prepare broken]\nlimit = 9\nrun = sh -c "exit 5"\n' >>"$table"
  printf '[blocked]\nabout = x\nshards = 2\nlimit = 9\nprepare = broken\nrun = true\n' >>"$table"
  mkdir "$work/b"
  local run=("$source/tools/farm.sh" "$work/b" --table "$table")
  expect 0 '^  --junit FILE' "${run[@]}" --help
  expect 2 'farm: --junit: cannot write /no/such/f.xml' "${run[@]}" --junit /no/such/f.xml
  expect 1 '5 of 7 shards passed, 2 failed, 0 left' "${run[@]}" -j 3 --junit "$work/f.xml"
  cases "$work/f.xml"
  # The shards, the kind that is not in this build, and the one that could not be prepared.
  has '9 cases, 3 failed, 1 skipped'
  like 2 "^\('passed', 'farm.p.good', 'good/000[01]', None"
  like 1 "^\('failed', 'farm.p.bad', 'bad/0001', 'failed, exit code 3', '.*again: mkdir -p "
  like 1 "^\('failed', 'farm.p.late', 'late/0001', 'timeout"
  like 1 "^\('skipped', 'farm.[a-z]*.absent', 'absent', 'this build has no no/such'"
  like 1 "^\('failed', 'farm.[a-z]*.blocked', 'blocked', .*preparing 'broken' failed"
  # Of the kinds that a call asks for; with --report of all, those that have not run as skipped.
  expect 0 '2 of 2 shards passed' "${run[@]}" --kinds good --junit "$work/f.xml"
  cases "$work/f.xml"
  has '2 cases, 0 failed, 0 skipped'
  echo >>"$work/b/x"
  rm -rf "$work/b/farm/shards/good"
  expect 1 '3 of 7 shards passed, 2 failed, 2 left' "${run[@]}" --report --junit "$work/f.xml"
  cases "$work/f.xml"
  like 2 "^\('skipped', 'farm.p.good', 'good/000[01]', 'not run yet', None\)"
}

"$what"
exit $failures
