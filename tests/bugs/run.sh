#!/bin/bash
# Deliberate bugs: applies one patch after the other to copies of the twins' sources in the build
# folder, builds, runs tests in order until one fails, and prints what failed and what the report says.
#   run.sh --build DIR [--list] [--side c|rtl|both] [--range FROM-TO] [--results FILE] [--fresh]
#          [-j N] [--last TEST] [NAME...]
# NAME: of bugs.txt; none: all. --results: patches that stand there are not run again (--fresh: are).
# --last: the last test that is tried (its label), so "not caught" says less then.
# --log DIR: where the outputs go (default: beside the results). Exit code 0: every patch caught.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build='' list='' side='' range='' results='' fresh='' jobs=1 log='' last=''
names=()
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$(cd "$2" && pwd) || exit 2; shift ;;
    --list) list=1 ;;
    --side) side=$2; shift ;;
    --range) range=$2; shift ;;
    --results) results=$2; shift ;;
    --log) log=$2; shift ;;
    --last) last=$2; shift ;;
    --fresh) fresh=1 ;;
    -j) jobs=$2; shift ;;
    -*) echo "run.sh: unknown option $1" >&2; exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done

# name | side | kind | file | records and units by which the report names the unit or its direct consumer | the
# first test that reaches the unit, if it is not the first of all
mapfile -t rows < <(grep -v '^#' "$here/bugs.txt" | grep .)
field() { # ROW NUMBER
  local value
  value=$(cut -d'|' -f"$2" <<<"$1")
  value=${value#"${value%%[! ]*}"}
  printf '%s' "${value%"${value##*[! ]}"}"
}
for want in "${names[@]}"; do
  grep -q "^$want *|" "$here/bugs.txt" || { echo "run.sh: no patch $want in bugs.txt" >&2; exit 2; }
done
chosen=()
number=0
for row in "${rows[@]}"; do
  number=$((number + 1))
  name=$(field "$row" 1)
  [ -z "$side" ] || [ "$(field "$row" 2)" = "$side" ] || continue
  if [ -n "$range" ] && { [ $number -lt "${range%-*}" ] || [ $number -gt "${range#*-}" ]; }; then
    continue
  fi
  [ ${#names[@]} -eq 0 ] || printf '%s\n' "${names[@]}" | grep -qxF "$name" || continue
  chosen+=("$row")
  [ -z "$list" ] || printf '%2d  %-18s %-5s %-26s %s\n' $number "$name" "$(field "$row" 2)" \
    "$(field "$row" 3)" "$(field "$row" 4)"
done
[ -z "$list" ] || exit 0
if [ ! -d "$build" ]; then
  echo "run.sh: --build DIR: a configured build folder" >&2
  exit 2
fi
copies=$build/tests/bugs/src
[ -n "$results" ] || results=$build/tests/bugs/results.txt
[ -n "$log" ] || log=$(dirname "$results")/log
mkdir -p "$log"
[ -f "$results" ] || : >"$results"
scratch=$(mktemp -d) || exit 2

restore() { # what a patch changed; only that is built again
  local f
  for f in "${changed[@]:-}"; do
    [ -z "$f" ] || cp "$root/$f" "$copies/$f"
  done
  changed=()
}
changed=()
trap 'restore; rm -rf "$scratch"' EXIT

# The tests, in order: label, then the program's arguments.
records=tests/silicon/data
plain=flow,meet,memory,trap,probe,matrix,f64,arith
waits=mbar,wait,copy,bulk,bulk_red,bulk_fault
kernels='kernels --backend lockstep --config tiny --tier smoke --max-failures 1'
tests=("kernels|$kernels --ptx nvcc --kernel vecadd,warp_ops,barriers,atomics,bit_ops,dynshared,local_array"
       "all kernels|$kernels --ptx nvcc,hand"
       "machine programs|machine lockstep tiny --tables $plain --stop"
       "copies and waits|machine lockstep tiny --tables $waits --stop"
       "kernels of copies|$kernels --ptx nvcc_sm90 --kernel bulk_copy,bulk_reduce,bulk_ring,bulk_cccl"
       "tensor memory|machine lockstep tiny --tables tmem,tmem_queue,tmem_fault --stop"
       "kernels of products|$kernels --ptx nvcc_sm100 --kernel umma_gemm"
       "products|machine lockstep tiny --tables umma_order,umma_fault,umma --stop"
       "copies and A in tensor memory|machine lockstep tiny --tables umma_tmem --stop"
       "kinds of products|machine lockstep tiny --tables umma_kind_fault,umma_kind --stop"
       "matrix programs|tensor lockstep tiny 4 $records/tensor.txt $records/narrow.txt $records/chain.txt"
       "random machine programs|fuzz lockstep tiny 1 3000 100"
       "random PTX|random --seed 104 --count 10 --side lockstep:tiny"
       "kernels disturbed|$kernels --ptx nvcc --disturb heavy --seed 3"
       "random PTX disturbed|random --seed 204 --count 10 --side lockstep:tiny:heavy"
       "kernels, other PTX|$kernels --ptx clang"
       "more random machine programs|fuzz lockstep tiny 7 40000 60")

# The first line of the report. A bug in both twins shows in results: the first line that has them.
report_of() { # OUTPUT
  grep -m 1 -aE 'DIVERGENCE at cycle' "$1" | sed 's/^.*DIVERGENCE/DIVERGENCE/' ||
    grep -m 1 -aiE 'got|expected|differ|wrong|fail' "$1"
}

one() { # ROW; prints a line "name|side|kind|file|outcome|test|report|cycles|named|seconds"
  local row=$1 name patch_side kind files records from program f start=$SECONDS
  name=$(field "$row" 1) patch_side=$(field "$row" 2) kind=$(field "$row" 3)
  files=$(field "$row" 4) records=$(field "$row" 5 | tr '@' '|')
  from=$(field "$row" 6)
  program=wl_bugs_c
  [ "$patch_side" = c ] || program=wl_bugs_rtl
  # To the originals' text first: an anchor that is gone must stop everything, not pass as "caught".
  rm -rf "$scratch/tree"
  for f in $files; do
    mkdir -p "$scratch/tree/$(dirname "$f")"
    cp "$root/$f" "$scratch/tree/$f"
  done
  if ! patch -s -p1 --fuzz=0 -d "$scratch/tree" <"$here/patches/$name.patch" >"$log/$name.txt" 2>&1; then
    echo "$name|$patch_side|$kind|$files|patch does not apply|||||"
    return
  fi
  for f in $files; do
    changed+=("$f")
    cp "$scratch/tree/$f" "$copies/$f"
  done
  if ! cmake --build "$build" -j "$jobs" --target $program >>"$log/$name.txt" 2>&1; then
    echo "$name|$patch_side|$kind|$files|does not build|||||"
    return
  fi
  # Invisible to the compiler and to the linter within Verilator (-Wall).
  if grep -aE "(warning:|%Warning)" "$log/$name.txt" | grep -qv "^ninja"; then
    echo "$name|$patch_side|$kind|$files|warned about at build time|||||"
    return
  fi
  local test label report='' named=no distance='' outcome='not caught' said=''
  for test in "${tests[@]}"; do
    label=${test%%|*}
    [ -z "$from" ] || [ "$label" = "$from" ] || continue
    from=''
    # shellcheck disable=SC2086 # words are arguments
    (cd "$root" && ulimit -t 120 && timeout 1800 "$build/tests/bugs/$program" ${test#*|}) >"$scratch/out" 2>&1
    local rc=$?
    { echo "== $label: exit code $rc"; tail -n 200 "$scratch/out"; } >>"$log/$name.txt"
    # The clock by itself catches nothing: other work on the machine stops a test just as well.
    if [ $rc -eq 0 ] || [ $rc -eq 124 ]; then
      [ "$label" != "$last" ] || break
      continue
    fi
    outcome=caught said=$label
    [ $rc -ne 137 ] && [ $rc -ne 152 ] || outcome='caught (time)'
    report=$(report_of "$scratch/out" | tr '|' '/' | tr -s ' ' | cut -c1-110)
    grep -qE "$records" <<<"$report" && named=yes
    # Alike in both twins: a result must show it, and names nothing.
    if [ "$patch_side" = both ]; then
      named=-
      ! grep -q DIVERGENCE <<<"$report" || outcome='diverges'
    fi
    break
  done
  echo "$name|$patch_side|$kind|$files|$outcome|$said|$report|$distance|$named|$((SECONDS - start))"
}

for row in "${chosen[@]}"; do
  from=$(field "$row" 6)
  [ -z "$from" ] || printf '%s\n' "${tests[@]}" | grep -q "^$from|" ||
    { echo "run.sh: no test '$from'" >&2; exit 2; }
done
[ -z "$last" ] || printf '%s\n' "${tests[@]}" | grep -q "^$last|" ||
  { echo "run.sh: no test '$last'" >&2; exit 2; }
# Copies and programs as they are; then patches.
needed=wl_bugs_c
for row in "${chosen[@]}"; do
  [ "$(field "$row" 2)" = c ] || needed='wl_bugs_c wl_bugs_rtl'
done
# shellcheck disable=SC2086
if ! cmake --build "$build" -j "$jobs" --target $needed >"$log/build.txt" 2>&1; then
  tail -n 20 "$log/build.txt" >&2
  exit 2
fi
caught=0 named=0 total=0 bad=0 alike=0
for row in "${chosen[@]}"; do
  name=$(field "$row" 1)
  # A patch or its original that changed is run again.
  mark=$(cat "$here/patches/$name.patch" $(for f in $(field "$row" 4); do echo "$root/$f"; done) |
    sha256sum | cut -c1-12)
  line=$([ -n "$fresh" ] || grep -a "^$name|.*|$mark\$" "$results" | tail -n 1)
  if [ -z "$line" ]; then
    one "$row" >"$scratch/line"
    for f in $(field "$row" 4); do changed+=("$f"); done
    restore
    line="$(cat "$scratch/line")|$mark"
    echo "$line" >>"$results"
  fi
  IFS='|' read -r _ patch_side kind files outcome test report _ is_named seconds _ <<<"$line"
  printf '%-18s %-4s %-12s by %s: %s; names the unit: %s; %s s\n' "$name" "$patch_side" "$outcome" \
    "${test:--}" "${report:--}" "${is_named:--}" "${seconds:--}"
  total=$((total + 1))
  [ "$patch_side" != both ] || alike=$((alike + 1))
  if [[ $outcome == caught* ]]; then caught=$((caught + 1)); else bad=$((bad + 1)); fi
  [ "$is_named" != yes ] || named=$((named + 1))
done
echo "$caught of $total caught; the report names the unit or its direct consumer: $named of $((total - alike))"
[ $bad -eq 0 ] && [ $total -gt 0 ]
