#!/bin/bash
# Mutants of a unit in its bench (README.md, "Units in their benches"): runs each until a result differs, and
# tries to prove the others equivalent.
#   run_bench.sh --build DIR --unit UNIT [--range FROM-TO] [--print] [-j N] [NUMBER...]
# What stands in DIR/tests/mutants/UNIT/results.txt for this netlist is not run again. --print: what is
# known. Number 0, no mutant, must pass first. Exit code 0: 98 % or more are killed or equivalent.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build='' unit='' range=1-9999 jobs=1 print=''
wanted=()
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$(cd "$2" && pwd) || exit 2; shift ;;
    --unit) unit=$2; shift ;;
    --range) range=$2; shift ;;
    --print) print=1 ;;
    -j) jobs=$2; shift ;;
    -*) echo "run_bench.sh: unknown option $1" >&2; exit 2 ;;
    *) wanted+=("$1") ;;
  esac
  shift
done
if [ ! -d "$build" ]; then
  echo "run_bench.sh: --build DIR: a configured build folder" >&2
  exit 2
fi
case $unit in
  dot | half | packed | format | special) ;;
  *) echo "run_bench.sh: --unit: dot, half, packed, format or special" >&2 && exit 2 ;;
esac
place=$build/tests/mutants/$unit
program=$build/tests/mutants/wl_${unit}_mutants
results=$place/results.txt
if [ -z "$print" ] && ! cmake --build "$build" -j "$jobs" --target "wl_${unit}_mutants" >"$place.log" 2>&1; then
  tail -n 20 "$place.log" >&2
  exit 2
fi
mark=$(sha256sum <"$place/netlist.v" | cut -c1-12)
# What was found before, of the netlist with this sum.
[ -f "$results" ] || cp "$here/results/$unit.txt" "$results" 2>/dev/null || : >"$results"

# What the bench is given, that which takes least time first. dot: silicon's records, FILE:MODES as of
# dot_test. The others: how many operations.
data=tests/silicon/data
case $unit in
  dot) tests=("$data/tensor.txt:1" "$data/chain.txt:1 $data/narrow.txt:1" "$data/tensor.txt:9"
         "$data/narrow.txt:9 $data/chain.txt:9" "$data/warpgroup.txt:1") ;;
  special) tests=(3000 1000000) ;;
  *) tests=("1000 $unit" "300000 $unit") ;;
esac

try() { # NUMBER TEST: one; prints "killed|test|what differs" and exits with 0, or nothing
  local out rc said
  # shellcheck disable=SC2086 # words are arguments
  out=$(cd "$root" && ulimit -t 120 && WL_MUTANT=$1 "$program" $2 2>&1)
  rc=$?
  ! grep -q '^mutant: acts' <<<"$out" || acted=yes
  [ $rc -ne 0 ] || return 1
  said=$(grep -m 1 -E '^(DIFFERS|FAIL)' <<<"$out" | tr '|' '/' | cut -c1-120)
  # A result that never comes: the bench waits for it.
  [ $rc -lt 128 ] || said="exit code $rc"
  verdict="killed|$2|$said"
}

prove() { # NUMBER...: of a pipelined unit the result of an operation, else the registers, too
  [ $# -gt 0 ] || return 0
  local python=$build/tools/venv/bin/python
  if [ "$unit" = dot ]; then
    "$python" "$here/prove.py" "$place" --timeout 60 "$@" >/dev/null
  else
    "$python" "$here/prove_pipe.py" "$place" --timeout 60 "$@" >/dev/null
  fi
}
is_proved() { # NUMBER; 0, no mutant, never is
  grep -q "^$1 equivalent" "$place/prove.txt" 2>/dev/null
}

proof() { # NUMBER; the outcome of one that is proved
  echo "equivalent||$(sed -n "s/^$1 \(equivalent.*\)/\1/p" "$place/prove.txt" | head -n 1)"
}

keep() { # NUMBER OUTCOME ACTED
  echo "$1|$2|$3|$mark" >>"$results"
}

# First the short test for each; then proofs for those that passed; then the other tests for what is left.
count=$(grep -c '^[0-9]' "$place/mutants.txt")
left=()
for ((number = 0; number <= count; number++)); do
  [ -z "$print" ] || break
  if [ $number -gt 0 ]; then
    [ $number -ge "${range%-*}" ] && [ $number -le "${range#*-}" ] || continue
    [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $number "* ]] || continue
  fi
  ! grep -qa "^$number|.*|$mark\$" "$results" || continue
  acted=no
  if is_proved $number; then
    keep $number "$(proof $number)" -
    continue
  fi
  if try $number "${tests[0]}"; then keep $number "$verdict" $acted; else left+=("$number:$acted"); fi
done
if [ "$unit" != dot ]; then
  waiting=()
  for entry in "${left[@]}"; do
    [ "${entry%:*}" -eq 0 ] || is_proved "${entry%:*}" || waiting+=("${entry%:*}")
  done
  prove "${waiting[@]}"
fi
for entry in "${left[@]}"; do
  number=${entry%:*} acted=${entry#*:} verdict='not killed||'
  if is_proved "$number"; then
    verdict=$(proof "$number")
  else
    for test in "${tests[@]:1}"; do
      ! try "$number" "$test" || break
    done
    [ "$unit" != dot ] || [ "$number" -eq 0 ] || [[ $verdict == killed* ]] || prove "$number"
  fi
  keep "$number" "$verdict" "$acted"
done

killed=0 proved=0 open=0
for ((number = 0; number <= count; number++)); do
  if [ $number -gt 0 ]; then
    [ $number -ge "${range%-*}" ] && [ $number -le "${range#*-}" ] || continue
    [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $number "* ]] || continue
  fi
  line=$(grep -a "^$number|.*|$mark\$" "$results" | tail -n 1)
  [ -n "$line" ] || continue
  IFS='|' read -r _ outcome test said acted _ <<<"$line"
  if [ $number -eq 0 ]; then
    if [ "$outcome" != 'not killed' ]; then
      echo "run_bench.sh: the netlist without a mutant fails: $test: $said" >&2
      exit 1
    fi
    continue
  fi
  read -r _ mode module cell port bit _ source <<<"$(sed -n "s/^$number /$number /p" "$place/mutants.txt")"
  reason=$({ sed -n "s/^$number \(equivalent.*\)/\1/p" "$place/prove.txt"
    grep -F "$mode $module $cell $port $bit ${source##*,} | " "$here/equivalent.txt" | cut -d'|' -f2-; } 2>/dev/null | head -n 1)
  [ "$outcome" != 'not killed' ] || [ -z "$reason" ] || outcome=equivalent
  case $outcome in
    killed) killed=$((killed + 1)) ;;
    equivalent) proved=$((proved + 1)) said=${reason:-$said} ;;
    *) open=$((open + 1)) outcome=unresolved said="its bit differs: $acted" ;;
  esac
  printf '%3d %-10s %-6s %s %s.%s[%s]: %s: %s\n' $number "$outcome" "$mode" "${source##*,}" "$cell" "$port" \
    "$bit" "${test:--}" "$said"
done
total=$((killed + proved + open))
echo "$total mutants: $killed killed, $proved equivalent, $open unresolved"
[ $total -gt 0 ] && [ $(((killed + proved) * 100)) -ge $((total * 98)) ]
