#!/bin/sh
# warplock lockstep --trace-window failure (docs/replay.md): the waves around a difference come from a
# snapshot that is at most two intervals old, and are those of a replay from the start; no process
# stays behind.  test_snapshots.sh WARPLOCK PLANTED FORMAT [FST_TEXT]   as of test_waves.sh
format=$3
fst_text=$4
. "$(dirname "$0")/lib.sh"

meet
number() { sed -n "s/.*$1 \([0-9][0-9]*\).*/\1/p" got.txt | head -1; }

# same ENDING INTERVAL ARGUMENT...: waves from a snapshot and from the replay file are one file.
same() {
  ending=$1
  interval=$2
  shift 2
  rm -rf ./a.* ./b.*
  want 3 "waves: a.$ending" lockstep $K "$@" --trace "a.$ending" --trace-window failure --rpx a.rpx
  at=$(number 'DIVERGENCE at cycle')
  began=$(number 'from the snapshot of cycle')
  from=$((at > 256 ? at - 256 : 0))
  want 3 "waves: b.$ending" replay a.rpx --trace "b.$ending"
  tests=$((tests + 2))
  if [ "$ending" = fst ]; then # an FST has a date
    for f in a b; do
      "$fst_text" $f.fst >$f.text && mv $f.text $f.fst || fail "$f.fst cannot be read"
    done
  fi
  cmp "a.$ending" "b.$ending" || fail "a snapshot's waves are not the replay's ($*)"
  sed 's/a\.\(names\|gtkw\|vcd\|fst\)/b.\1/' a.gtkw | cmp - b.gtkw || fail "save files differ ($*)"
  [ "$began" -le "$from" ] && [ $((from - began)) -le "$interval" ] ||
    fail "divergence at $at, snapshot of $began, interval $interval"
}

warplock=$planted
same vcd 1000000 --arg u32:5
same vcd 2001 --arg u32:60 --snapshots 1000
same vcd 1025 --arg u32:60 --snapshots 512 --disturb heavy --seed 5
same vcd 1025 --arg u32:20 --snapshots 512 --compare full
[ "$format" = fst ] && same fst 2001 --arg u32:60 --snapshots 1000
# The outputs of the run itself are written once.
want 3 "" lockstep $K --arg u32:9 --rpx - --log one.log --pipeview one.txt
want 3 "" lockstep $K --arg u32:9 --rpx - --log two.log --pipeview two.txt --snapshots 600 \
  --trace c.vcd --trace-window failure
tests=$((tests + 2))
cmp one.log two.log || fail "the log changes with snapshots"
cmp one.txt two.txt || fail "the pipeline view changes with snapshots"

# ---- no difference, no waves, and nothing stays
warplock=$good
want 0 "waves: none, the sides did not differ" lockstep $K --arg u32:60 --snapshots 1000 \
  --trace d.vcd --trace-window failure
[ ! -e d.vcd ] || fail "an empty file of waves"
"$good" lockstep $K --arg u32:100000 --snapshots 1000 --trace e.vcd --trace-window failure \
  >/dev/null 2>&1 &
run=$!
i=0
while [ "$(cat "/proc/$run/task/$run/children" 2>/dev/null | wc -w)" -lt 2 ] && [ $i -lt 100 ]; do
  i=$((i + 1))
  sleep 0.1
done
children=$(cat "/proc/$run/task/$run/children")
kill -9 $run
wait $run 2>/dev/null
sleep 0.5
tests=$((tests + 1))
[ "$(echo "$children" | wc -w)" -ge 2 ] || fail "no snapshots are kept: '$children'"
for child in $children; do
  [ ! -e "/proc/$child" ] || grep -q '^State:.*Z' "/proc/$child/status" ||
    fail "snapshot $child stays behind"
done

# ---- refusals
want 2 "--trace-window without --trace" lockstep $K --arg u32:5 --config tiny --trace-window failure
want 2 "need --trace FILE and the backend lockstep" run $K --arg u32:5 --backend model \
  --trace f.vcd --trace-window failure
want 2 "--snapshots without --trace-window failure" lockstep $K --arg u32:5 --snapshots 1000
want 2 "expected 512 cycles or more" lockstep $K --arg u32:5 --trace f.vcd --trace-window failure \
  --snapshots 5

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
