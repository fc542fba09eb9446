#!/bin/bash
# Usage: test_farm.sh BUILD arguments|local|stop|merge|slurm
# The farm (docs/farm.md) with small work: most with work.sh in the place of programs, whose results
# are known; `merge` and `slurm` with real ones too, where BUILD has them.
#   arguments  what is wrong is said in one line, exit code 2
#   local      results, failures and their commands; finished shards are not run again
#   stop       Ctrl-C and --minutes: what has finished stays, processes end, the rest goes on later
#   merge      shards of real programs add up to what one run gives
#   slurm      a Slurm that is started and stopped here gives the same results; exit 77 without it
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
real=$(cd "$1" && pwd) what=$2
farm=$root/tools/farm.sh node=$root/tools/farm/slurm_node.sh
work=$(mktemp -d)
export PYTHONDONTWRITEBYTECODE=1
slurm='' failed=0
finish() {
  [ -z "$slurm" ] || "$node" stop "$slurm"
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' INT TERM
if ! command -v python3 >/dev/null; then
  echo 'SKIP: no python3 (apt install python3)'
  exit 77
fi
build="$work/a build"
mkdir "$build"
log=$work/log

wrong() {
  printf 'FAILED: %s\n' "$*"
  failed=1
}
# expect CODE TEXT COMMAND...: exit code, and a regular expression that a line of the output matches.
expect() {
  local code=$1 text=$2 got
  shift 2
  "$@" >"$work/out" 2>&1
  got=$?
  if [ $got -ne "$code" ] || ! grep -qE -- "$text" "$work/out"; then
    wrong "$*: exit $got, expected $code and '$text'"
    head -n 30 "$work/out"
  fi
}
# value EXPRESSION EXPECTED [FARM]: over the report.
value() {
  local got
  got=$(python3 "$here/results.py" "${3:-$build/farm}/report.json" "$1" 2>&1)
  [ "$got" = "$2" ] || wrong "report: $1 is $got, expected $2"
}
ran() { # how often work.sh was called
  if [ -f "$log" ]; then wc -l <"$log"; else echo 0; fi
}

# kind NAME WHAT SHARDS [LINE...]: a kind of the test's table.
kind() {
  printf '[%s]\nabout = %s\nshards = %s\nwork = 10\nlimit = 60\nread = input\ninputs = build:input.txt\n' \
    "$1" "$2 work" "$3"
  printf 'run = %s/work.sh %s {shard} {work} {json} %s\n' "$here" "$2" "$log"
  printf '%s\n' "${@:4}"
}
echo 1 >"$build/input.txt"
printf 'WL(x)\nWL(y)\nno\n' >"$build/items.txt"
{
  kind good good 5 'part = fine'
  kind named good 'build:items.txt ^WL\((\w+)\)' 'part = fine'
  kind single alone 3 'alone = copies' 'part = fine'
  kind other alone 2 'alone = copies' 'part = fine'
  kind bad bad 3
  kind silent silent 1
  kind garbage garbage 1
  kind late slow 2 'limit = 1'
  kind slow slow 4
  kind dies dies 1
  kind absent good 2 'built = no/such/program'
  printf '[prepare thing]\nlimit = 9\nmakes = {farm}/thing\nrun = sh -c %s - {farm}/thing\n' \
    "'echo p >>$work/prepared; echo x >\"\$1\"'"
  kind needing good 2 'prepare = thing'
  printf '[prepare broken]\nlimit = 9\nrun = sh -c "exit 5"\n'
  kind blocked good 2 'prepare = broken'
} | awk '/^\[/ { delete seen } { key = $1 } $2 == "=" && (key in seen) { line[seen[key]] = $0; next }
  { line[++n] = $0 } $2 == "=" { seen[key] = n } END { for (i = 1; i <= n; i++) print line[i] }' \
  >"$work/table.ini"
run=("$farm" "$build" --table "$work/table.ini")

arguments() {
  expect 2 '^farm: which build folder' "$farm"
  expect 2 'no build folder /no/such' "$farm" /no/such
  expect 2 "unknown option --fast" "$farm" "$build" --fast
  expect 2 "not also 'x'" "$farm" "$build" x
  expect 2 '--minutes needs a value' "$farm" "$build" --minutes
  expect 2 "'soon' is not a number" "$farm" "$build" --minutes soon
  expect 2 'farm: -j: at least 1' "$farm" "$build" -j 0
  expect 2 "no kind or part 'nothing' \(parts: fine bad" "${run[@]}" --kinds nothing
  expect 2 'none named' "${run[@]}" --kinds ,
  expect 2 'absent: this build has no no/such/program' "${run[@]}" --kinds absent
  expect 2 'cannot read the table /no/such' "$farm" "$build" --table /no/such
  printf '[k]\nrun = x\nlimit = 1\nfast = 1\n' >"$work/t"
  expect 2 '\[k\] has unknown keys: fast' "$farm" "$build" --table "$work/t"
  printf '[k]\nlimit = 1\n' >"$work/t"
  expect 2 "\[k\] has no 'run'" "$farm" "$build" --table "$work/t"
  printf '[k]\nrun = {fast}\nlimit = 1\n' >"$work/t"
  expect 2 "'fast' is no placeholder" "$farm" "$build" --table "$work/t"
  printf '[k]\nrun = true\nlimit = 1\nread = tea\n' >"$work/t"
  expect 2 "no reader 'tea'" "$farm" "$build" --table "$work/t"
  printf '[k]\nrun = true\nlimit = 1\nprepare = p\n' >"$work/t"
  expect 2 'there is no \[prepare p\]' "$farm" "$build" --table "$work/t"
  printf 'k\n' >"$work/t"
  expect 2 '^farm: table: ' "$farm" "$build" --table "$work/t"
  expect 0 '^good .* 5 shards of 10 ' "${run[@]}" --list
  expect 0 '^Usage' "$farm" --help
  expect 0 '^words_tiny .* 72 shards' "$farm" "$build" --list
  ( exec 8>"$work/l" && flock 8 && mkdir -p "$build/farm" && exec 9>"$build/farm/lock" && flock 9 &&
    expect 2 'another farm runs' "${run[@]}" --kinds good && exit $failed ) || failed=1
  expect 2 'start or stop' "$node" begin "$work/n"
  expect 2 'usage' "$node"
  expect 2 'no node was started' "$node" stop "$work/n"
  expect 2 'blanks' "$node" start "$work/a b"
}

# Without a result a shard is lost, and run again.
lost_and_found() { # [OPTION...]
  rm -f "$log"
  expect 1 'dies/0000: lost \(its (process ended with exit code -9|Slurm task ended)' "${run[@]}" --kinds dies "$@"
  value 'k["dies"]["shards"]["lost"], k["dies"]["failures"][0]["outcome"]' "(1, 'lost')"
  expect 0 ' 1 shards to run, 0 are done' "${run[@]}" --kinds dies "$@"
}
local_runs() {
  expect 0 '12 shards to run, 0 are done' "${run[@]}" --kinds fine -j 3
  value 'k["good"]["counts"]["run"]' 60                      # 5 * 10 + (0 + .. + 4)
  value 'k["good"]["tables"][0]["rows"]' "[['a', 100], ['b', 2], ['c', 0]]"
  value 'k["good"]["tables"][1]["rows"]' "[['o0', 23], ['o1', 25], ['o2', 12]]"
  value 'k["good"]["coverage"][0]["reached"], k["good"]["coverage"][0]["total"]' '(2, 3)'
  value 'k["named"]["shards"]["passed"], k["single"]["shards"]["passed"]' '(2, 3)'
  value 'k["good"]["ran"]["cpu_seconds"] >= 0 and k["good"]["ran"]["hosts"] != []' True
  grep -q '<h2 id=.good.>' "$build/farm/report.html" || wrong 'no heading in report.html'
  ! grep -qE '<script|src=|https?://' "$build/farm/report.html" || wrong 'report.html needs something else'
  python3 "$here/results.py" "$build/farm/report.json" >"$work/three"
  expect 0 '12 of 12 shards passed, 0 failed, 0 left' "${run[@]}" --kinds fine -j 1 --dir "$work/one"
  python3 "$here/results.py" "$work/one/report.json" | diff - "$work/three" || wrong 'depends on -j'
  # Finished ones stay; other kinds join the report.
  local before
  before=$(ran)
  expect 0 '0 shards to run, 12 are done' "${run[@]}" --kinds fine
  [ "$(ran)" = "$before" ] || wrong 'a finished shard was run again'
  expect 1 'bad/0001: failed with exit code 3$' "${run[@]}" --kinds bad,silent,garbage,late -j 4
  grep -q 'late/0001: stopped after 1 s' "$work/out" || wrong 'no line for the late shard'
  grep -q 'silent/0000: failed with exit code 0 (it ended well but wrote no result)' "$work/out" ||
    wrong 'no line for the silent shard'
  value 'r["totals"]["shards"]' "{'total': 19, 'passed': 15, 'left': 0, 'bad': 4}"
  value 'k["garbage"]["failures"][0]["why"].startswith("its result cannot be read")' True
  value 'k["late"]["shards"]["timeout"], k["late"]["failures"][0]["shard"]' "(1, 'late/0001')"
  value 'k["bad"]["counts"]["run"]' 33
  # The printed command does the same work alone.
  local again
  again=$(sed -n '/^FAILED bad/,/again/s/^  again:  //p' "$work/out")
  bash -c "$again" >/dev/null
  [ $? -eq 3 ] || wrong "again: $again"
  before=$(ran)
  expect 1 ' 0 shards to run, 7 are done' "${run[@]}" --kinds bad,silent,garbage,late
  [ "$(ran)" = "$before" ] || wrong 'a failed shard was run again'
  expect 1 ' 3 shards to run, 4 are done' "${run[@]}" --kinds bad,silent,garbage,late --retry
  # What results depend on: inputs, the size; not the number of shards.
  expect 0 ' 3 shards to run, 5 are done' "${run[@]}" --kinds good --shards 8
  expect 0 ' 0 shards to run, 2 are done' "${run[@]}" --kinds good --shards 2
  value 'k["good"]["shards"]["total"]' 2
  expect 0 ' 2 shards to run, 0 are done' "${run[@]}" --kinds good --shards 2 --work 20
  echo 2 >"$build/input.txt"
  expect 0 ' 2 shards to run, 0 are done' "${run[@]}" --kinds good --shards 2
  value 'k["bad"]["shards"]["left"]' 3
  lost_and_found
  # What is prepared, once; what fails there; what a build does not have.
  expect 0 'left out: absent' "${run[@]}" --kinds needing,absent
  expect 0 ' 1 shards to run, 2 are done' "${run[@]}" --kinds needing --shards 3
  [ "$(wc -l <"$work/prepared")" = 1 ] || wrong 'prepared more than once'
  expect 1 "preparing 'broken' failed" "${run[@]}" --kinds blocked
  value 'k["blocked"]["left_out"].startswith("preparing")' True
}

# still LOG: processes of work.sh that run.
still() { pgrep -f "work.sh .* $log" >/dev/null; }
wait_for() { # a condition, 60 s
  for _ in $(seq 300); do
    eval "$1" && return
    sleep 0.2
  done
  wrong "not within 60 s: $1"
}
stop_runs() { # [OPTION...] of the farm
  local pid rc
  rm -f "$log" "$log.restored"
  "${run[@]}" --kinds slow -j 2 "$@" >"$work/out" 2>&1 &
  pid=$!
  wait_for '[ "$(ran)" -ge 3 ]' # 0 has finished; 1 and 2 run
  kill -INT $pid
  wait $pid
  rc=$?
  [ $rc -eq 130 ] || { wrong "exit code $rc, expected 130"; cat "$work/out"; }
  ! still || wrong 'work goes on'
  [ "$(sort "$log.restored" 2>/dev/null | tr '\n' ' ')" = '1 2 ' ] || wrong 'it could not put things back'
  value 'k["slow"]["shards"]["passed"], k["slow"]["shards"]["left"], r["totals"]["shards"]["bad"]' '(1, 3, 0)'
  rm -f "$log"
}
stop_local() {
  # A signal at any moment: here while the shard's process holds a lock.
  mkdir "$work/wait"
  timeout -s KILL 60 python3 "$here/stop_in_wait.py" "$here/../../tools/farm" "$work/wait" >"$work/out" 2>&1 ||
    wrong "stopped while it waits: $(cat "$work/out")"
  # Python ignores an interrupt that its parent ignores, as of commands with & in a script: see set -m.
  set -m
  stop_runs
  set +m
  # Time is over at once: those that run go on to their end (their limit here).
  sed -i '/^\[slow\]/,/^run/s/^limit = .*/limit = 4/' "$work/table.ini"
  expect 1 '1 of 4 shards passed, 2 failed, 1 left' "${run[@]}" --kinds slow -j 2 --minutes 0.02
  [ "$(sort "$log" | tr '\n' ' ')" = 'slow 1 slow 2 ' ] || wrong "ran: $(cat "$log")"
}

real_kinds() { # of these those that the build has
  local name
  for name in "$@"; do
    "$farm" "$real" --list | grep "^$name " | grep -qv 'not in this build' && printf '%s,' "$name"
  done
}
merge() {
  local kinds one=$work/one
  kinds=$(real_kinds random_model words_tiny faults_journal)
  [ -f "$real/faults/tiny.registers" ] || kinds=${kinds/faults_journal,/}
  if [[ $kinds != *random_model* ]]; then
    echo 'SKIP: this build has no wl_random_ptx'
    exit 77
  fi
  expect 0 'shards passed, 0 failed, 0 left' "$farm" "$real" --dir "$work/farm" --kinds "${kinds%,}" \
    --shards 2 --work 16 -j 2
  # The same work in one piece, added up by the programs themselves.
  mkdir "$one"
  "$real/tests/random/wl_random_ptx" --seed 20261121 --count 32 --save "$one" --json "$one/random" \
    --side func >/dev/null || wrong 'wl_random_ptx'
  value 'k["random_model"]["counts"]["programs"]' 32 "$work/farm"
  value 'k["random_model"]["coverage"][0]["reached"], k["random_model"]["coverage"][0]["total"],
    k["random_model"]["counts"]["hits"]' \
    "$(python3 "$here/results.py" "$one/random" 'r["hit"], r["bins"], r["hits"]')" "$work/farm"
  if [[ $kinds == *words_tiny* ]]; then
    "$real/tests/fuzz/wl_fuzz_insn" lockstep tiny 20261121 32 1000 0 80000 --json "$one/words" >/dev/null ||
      wrong 'wl_fuzz_insn'
    value 'k["words_tiny"]["counts"]["instructions"], k["words_tiny"]["counts"]["cycles"],
      sorted(map(str, k["words_tiny"]["tables"][0]["rows"])), k["words_tiny"]["coverage"][0]["reached"]' \
      "$(python3 "$here/results.py" "$one/words" 'r["instructions"], r["cycles"],
        sorted(str([t, n]) for t, n in r["traps"].items()), sum(n >= 200 for n in r["forms"].values())')" \
      "$work/farm"
  fi
  if [[ $kinds == *faults_journal* ]]; then
    "$real/warplock-faults" --seed 1 --count 32 --json "$one/faults" >/dev/null || wrong 'warplock-faults'
    value '[k["faults_journal"]["counts"][n] for n in ("flips", "dead", "latent")],
      k["faults_journal"]["coverage"][0]["reached"]' \
      "$(python3 "$here/results.py" "$one/faults" '[r["rows"][-1][n] for n in ("flips", "dead", "latent")],
        len(r["registers"])')" "$work/farm"
  fi
}

with_slurm() {
  local conf kinds
  slurm=$work/slurm
  conf=$("$node" start "$slurm" 2>"$work/out")
  case $? in
    0) ;;
    77)
      echo "SKIP: $(cat "$work/out")"
      slurm=''
      exit 77 ;;
    *)
      cat "$work/out"
      slurm=''
      exit 1 ;;
  esac
  export "${conf?}"
  kinds=fine,bad,silent,garbage,late
  expect 1 '15 passed, 4 not|FAILED late' "${run[@]}" --kinds $kinds --dir "$work/far" --slurm
  grep -q 'bad/0001: failed with exit code 3$' "$work/out" || wrong 'no line for the failed shard'
  value 'k["good"]["failures"] == [] and r["kinds"][0]["ran"]["cpu_seconds"] >= 0' True "$work/far"
  expect 1 ' 19 shards to run' "${run[@]}" --kinds $kinds --dir "$work/near" -j 2
  for place in near far; do
    python3 "$here/results.py" "$work/$place/report.json" >"$work/$place.txt"
  done
  diff "$work/near.txt" "$work/far.txt" || wrong 'Slurm gives other results'
  # One way goes on where the other stopped.
  expect 1 ' 0 shards to run, 19 are done' "${run[@]}" --kinds $kinds --dir "$work/near" --slurm
  expect 2 'sbatch: .*--no-such-option' "${run[@]}" --kinds good --shards 6 --slurm --no-such-option
  set -m
  stop_runs --slurm
  set +m
  [ -z "$(squeue -h)" ] || wrong 'jobs were left'
  rm -rf "$build/farm"
  lost_and_found --slurm
  # Small shards of real programs, both ways.
  kinds=$(real_kinds random_model words_tiny kernels_tiny_compare_full)
  if [ -n "$kinds" ]; then
    expect 0 ' 0 failed, 0 left' "$farm" "$real" --kinds "${kinds%,}" --shards 2 --work 16 \
      --dir "$work/far" --slurm --partition=farm
    expect 0 ' 0 failed, 0 left' "$farm" "$real" --kinds "${kinds%,}" --shards 2 --work 16 \
      --dir "$work/near" -j 2
    for place in near far; do
      python3 "$here/results.py" "$work/$place/report.json" >"$work/$place.txt"
    done
    diff "$work/near.txt" "$work/far.txt" || wrong 'Slurm gives other results of real programs'
  fi
  "$node" stop "$slurm" || wrong 'the node does not stop'
  [ ! -e "$slurm" ] || wrong 'the folder of the node is still there'
  ! pgrep -f "$slurm/" >/dev/null || wrong "processes of the node are still there"
  slurm=''
}

case $what in
  arguments) arguments ;;
  local) local_runs ;;
  stop) stop_local ;;
  merge) merge ;;
  slurm) with_slurm ;;
  *) wrong "no such part: $what" ;;
esac
exit $failed
