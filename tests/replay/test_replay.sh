#!/bin/sh
# warplock lockstep writes a replay file when the sides differ, warplock replay comes to the same
# difference (docs/replay.md).  test_replay.sh WARPLOCK PLANTED: the program, and one whose model has
# a bug in its barriers.
. "$(dirname "$0")/lib.sh"

meet

# same FILE: the planted program comes to the recorded difference, the good one does not.
same() {
  cycle=$(sed -n 's/.*DIVERGENCE at cycle \([0-9]*\).*/\1/p' got.txt | head -1)
  grep -v '^warplock: error\|^replay \|^meet on' got.txt >first.txt
  warplock=$planted
  want 3 "the recorded divergence, in cycle $cycle" replay "$1"
  tests=$((tests + 1))
  grep -v '^warplock: error\|^the recorded\|^inside' got.txt >second.txt
  sed 1d first.txt >a.txt
  sed 1d second.txt >b.txt
  { [ -s a.txt ] && cmp a.txt b.txt; } || fail "$1: the report is not the recorded one"
  warplock=$good
  want 1 "does not come to the recorded divergence" replay "$1"
  want 1 "recorded: DIVERGENCE at cycle $cycle  sm0 BARRIER" replay "$1"
  want 1 "this run: equal: every record" replay "$1"
  warplock=$planted
}

warplock=$planted
for how in "" "--disturb heavy --seed 9" "--compare full --seed 1" "--disturb light --mem 1048576"; do
  rm -f ./*.rpx
  want 3 "sm0 BARRIER" lockstep $K --arg u32:5 $how
  tests=$((tests + 1))
  file=$(ls ./*.rpx) && grep -qx "replay warplock replay ${file#./}" got.txt ||
    fail "replay file '$file', told: $(grep '^replay' got.txt)"
  case $file in ./meet.[0-9]*.rpx) ;; *) fail "default name $file" ;; esac
  same "$file"
done

# ---- names
want 3 "replay warplock replay mine.rpx" lockstep $K --arg u32:5 --rpx mine.rpx
want 3 "" lockstep $K --arg u32:5 --rpx again.rpx
tests=$((tests + 1))
cmp mine.rpx again.rpx || fail "two runs, two files"
rm -f ./*.rpx
want 3 "" lockstep $K --arg u32:5 --rpx -
[ -z "$(ls ./*.rpx 2>/dev/null)" ] || fail "--rpx - wrote $(ls ./*.rpx)"
want 2 "cannot write no/f.rpx" lockstep $K --arg u32:5 --rpx no/f.rpx
# Expectations were not checked, and nothing says that they were met.
head -c 256 /dev/zero >zeros
want 3 "1 of 1 expectations not checked: the launch did not end well" \
  lockstep $K --arg u32:5 --rpx - --expect 0=zeros --json r.json
tests=$((tests + 1))
grep -q 'expectations met' got.txt && fail "met: $(grep expectations got.txt)"
grep -q '"expect": \[{"argument": 0, "met": null,' r.json || fail "$(grep expect r.json)"
want 0 "equal: every" lockstep $K --arg u32:5 --block 1 --rpx none.rpx
[ ! -e none.rpx ] || fail "a replay file without a divergence"

# ---- what is in it, and damage
want 3 "" lockstep $K --arg u32:5 --rpx f.rpx --seed 77
want 0 "meet of k.ptx, grid 2,1,1, block 64,1,1, launch 1" replay f.rpx --info
want 0 "configuration tiny, seed 77, disturbance none, comparison journal" replay f.rpx --info
head -c 1000 f.rpx >cut.rpx
want 2 "cut.rpx: damaged replay file: " replay cut.rpx
printf 'x' | dd of=f.rpx bs=1 seek=200 conv=notrunc 2>/dev/null
want 2 "f.rpx: damaged replay file: " replay f.rpx
want 2 "k.ptx: no replay file" replay k.ptx
want 2 "cannot read none.rpx" replay none.rpx
want 2 "one replay file is needed" replay
want 0 "FILE.rpx" replay --help

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
