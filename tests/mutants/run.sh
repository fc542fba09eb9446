#!/bin/bash
# Mutants of the whole tiny core (README.md): runs each in lockstep on tests, the cheapest first, until
# one fails, and prints what failed, what the report says and how long after the mutant's first effect.
#   run.sh --build DIR [--range FROM-TO] [--tests N] [--results FILE] [--fresh] [--print] [-j N]
#          [--log DIR] [NUMBER...]
# NUMBER: of mutants.txt; none: all. Mutants that stand in the results file for this netlist are not
# run again (--fresh: are). --tests: only the first N; a later run goes on with the others. --print: what
# is known, nothing is run. Number 0, no mutant, must pass the tests first. Several runs with ranges of
# their own may share a results file.
# Exit code 0: of the mutants that are not proved equivalent, 95 % or more are killed.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build='' range='' results='' fresh='' jobs=1 log='' most=99 print=''
wanted=()
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$(cd "$2" && pwd) || exit 2; shift ;;
    --range) range=$2; shift ;;
    --results) results=$2; shift ;;
    --log) log=$2; shift ;;
    --tests) most=$2; shift ;;
    --fresh) fresh=1 ;;
    --print) print=1 ;;
    -j) jobs=$2; shift ;;
    -*) echo "run.sh: unknown option $1" >&2; exit 2 ;;
    *) wanted+=("$1") ;;
  esac
  shift
done
if [ ! -d "$build" ]; then
  echo "run.sh: --build DIR: a configured build folder" >&2
  exit 2
fi
place=$build/tests/mutants
program=$place/wl_mutants
[ -n "$results" ] || results=$place/results.txt
[ -n "$log" ] || log=$(dirname "$results")/log
mkdir -p "$log"
[ -f "$results" ] || : >"$results"
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
if [ -z "$print" ] && ! cmake --build "$build" -j "$jobs" --target wl_mutants >"$log/build.txt" 2>&1; then
  tail -n 20 "$log/build.txt" >&2
  exit 2
fi
mark=$(sha256sum <"$place/netlist.v" | cut -c1-12)

# The tests, in order: seconds at most of the processor and of the clock, label, then the program's
# arguments. The random machine programs' runner makes a failure smaller, which is not waited for.
kernels='kernels --backend lockstep --config tiny --tier smoke --max-failures 1'
tests=("60|1800|kernels|$kernels --ptx nvcc --kernel vecadd,warp_ops,barriers,atomics,bit_ops,dynshared,local_array"
       "60|40|random machine programs|fuzz lockstep tiny 1 3000 15"
       "120|1800|machine programs|machine lockstep tiny"
       "180|1800|all kernels|$kernels --ptx nvcc,hand"
       "120|1800|random PTX|random --seed 104 --count 10 --side lockstep:tiny"
       "120|1800|kernels disturbed|$kernels --ptx nvcc --disturb heavy --seed 3"
       "180|1800|random PTX disturbed|random --seed 204 --count 10 --side lockstep:tiny:heavy"
       "240|180|more random machine programs|fuzz lockstep tiny 7 40000 120")

# "killed by REPORT": the headline of a divergence, else the first line that tells a failure.
report_of() { # OUTPUT
  grep -m 1 -aE 'DIVERGENCE at cycle' "$1" | sed 's/^.*DIVERGENCE/DIVERGENCE/' ||
    grep -m 1 -aiE 'got|expected|differ|wrong|fail|hang|watchdog|converge' "$1"
}

[ "$most" -le ${#tests[@]} ] || most=${#tests[@]}
one() { # NUMBER TESTS ACTED; prints "number|outcome|test|report|cycle|acts|distance|seconds|acted|tests"
  local number=$1 first=$2 acted=$3 start=$SECONDS i limit label test rc
  local clock report='' cycle='' acts='' distance='' outcome='not killed' said=''
  for ((i = first; i < most; i++)); do
    # What the first test does not see may be no difference at all: seconds' work (prove.py).
    if [ "$i" -gt 0 ] && [ "$number" -ne 0 ]; then
      grep -qs "^$number " "$place/prove.txt" || prove "$number" --levels 1 --timeout 20
      ! grep -qs "^$number equivalent" "$place/prove.txt" || break
    fi
    IFS='|' read -r limit clock label test <<<"${tests[i]}"
    # shellcheck disable=SC2086 # words are arguments
    (cd "$root" && ulimit -t "$limit" && WL_MUTANT=$number timeout "$clock" stdbuf -oL "$program" $test) >"$scratch/out" 2>&1
    rc=$?
    { echo "== $label: exit code $rc"; grep -av '^mutant: acts' "$scratch/out" | tail -n 100; } >>"$log/$number.txt"
    if grep -qa '^mutant: acts' "$scratch/out"; then acted=yes; fi
    [ $rc -ne 0 ] || continue
    # The clock by itself kills nothing: another's work on the machine stops a test just as well.
    if [ $rc -eq 124 ] && [ "$number" -ne 0 ] && ! grep -qa 'DIVERGENCE at cycle' "$scratch/out"; then
      continue
    fi
    outcome=killed said=$label
    report=$(report_of "$scratch/out" | tr '|' '/' | tr -s ' ' | cut -c1-110)
    if ! grep -qa 'DIVERGENCE at cycle' "$scratch/out"; then
      outcome='killed (result)'
      [ $rc -lt 128 ] || outcome='killed (stopped)'
      [ $rc -ne 137 ] && [ $rc -ne 152 ] || outcome='killed (time)'
    fi
    cycle=$(grep -oE 'DIVERGENCE at cycle [0-9]+' <<<"$report" | grep -oE '[0-9]+')
    # Kernels and machine programs end with the first failure: the last core's first effect is of it.
    case $label in
      kernels* | all* | machine*) acts=$(grep -a '^mutant: acts' "$scratch/out" | tail -n 1 | grep -oE '[0-9]+') ;;
    esac
    [ -z "$cycle" ] || [ -z "$acts" ] || distance=$((cycle - acts))
    break
  done
  # What no test sees may be no difference to the modules above: minutes for each.
  if [ "$outcome" = 'not killed' ] && [ "$number" -ne 0 ] && [ "$i" -eq ${#tests[@]} ]; then
    prove "$number" --from 1 --levels 9 --timeout 120
  fi
  echo "$number|$outcome|$said|$report|$cycle|$acts|$distance|$((SECONDS - start))|$acted|$i"
}

prove() { # NUMBER ARGUMENT...
  "$build/tools/venv/bin/python" "$here/prove.py" "$place" "${@:2}" "$1" >/dev/null
}

count=$(grep -c '^[0-9]' "$place/mutants.txt")
numbers=()
for ((i = 0; i <= count; i++)); do
  if [ ${#wanted[@]} -gt 0 ] && [ $i -gt 0 ]; then
    [[ " ${wanted[*]} " == *" $i "* ]] || continue
  fi
  if [ -n "$range" ] && [ $i -gt 0 ] && { [ $i -lt "${range%-*}" ] || [ $i -gt "${range#*-}" ]; }; then
    continue
  fi
  numbers+=($i)
done
killed=0 proved=0 open=0
for number in "${numbers[@]}"; do
  line=$([ -n "$fresh" ] || grep -a "^$number|.*|$mark\$" "$results" | tail -n 1)
  IFS='|' read -r _ outcome _ _ _ _ _ _ acted done_tests _ <<<"$line"
  read -r _ mode module cell port bit _ source <<<"$(sed -n "s/^$number /$number /p" "$place/mutants.txt")"
  # Equivalent by proof (prove.py) or by the argument that stands in equivalent.txt for this very mutant.
  reason=$({ sed -n "s/^$number \(equivalent.*\)/\1/p" "$place/prove.txt"
    grep -F "$mode $module $cell $port $bit ${source##*,} | " "$here/equivalent.txt" | cut -d'|' -f2-; } 2>/dev/null | head -n 1)
  # One that is proved is run once, as a test of the proof.
  if [ -z "$print" ] && { [ -z "$line" ] || { [ "$outcome" = 'not killed' ] && [ -z "$reason" ] &&
    [ "$done_tests" -lt "$most" ]; }; }; then
    line="$(one "$number" "${done_tests:-0}" "${acted:-no}")|$mark"
    echo "$line" >>"$results"
  fi
  [ -n "$line" ] || continue
  [ -n "$reason" ] || reason=$(sed -n "s/^$number \(equivalent.*\)/\1/p" "$place/prove.txt" 2>/dev/null | head -n 1)
  IFS='|' read -r _ outcome test report _ _ distance seconds acted done_tests _ <<<"$line"
  if [ "$number" -eq 0 ]; then
    if [ "$outcome" != 'not killed' ]; then
      echo "run.sh: the netlist without a mutant fails: $test: $report" >&2
      exit 1
    fi
    continue
  fi
  [ "$outcome" != 'not killed' ] || [ -z "$reason" ] || outcome=equivalent
  case $outcome in
    killed*) killed=$((killed + 1)) ;;
    equivalent) proved=$((proved + 1)) test=$reason ;;
    *) open=$((open + 1)) outcome=unresolved test="$done_tests tests, its bit differs: $acted" ;;
  esac
  printf '%3d %-16s %-6s %s %s.%s[%s]: %s: %s; distance %s; %s s\n' "$number" "$outcome" "$mode" "${source%%,*}" \
    "${cell}" "$port" "$bit" "${test:--}" "${report:--}" "${distance:--}" "${seconds:--}"
done
total=$((killed + proved + open))
echo "$total mutants: $killed killed, $proved equivalent, $open unresolved"
[ $total -gt 0 ] && [ $((killed * 100)) -ge $(((killed + open) * 95)) ]
