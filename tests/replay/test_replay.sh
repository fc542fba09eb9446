#!/bin/sh
# warplock lockstep writes a replay file when the sides differ, warplock replay comes to the same
# difference (docs/replay.md).  test_replay.sh WARPLOCK PLANTED: the program, and one whose model has
# a bug in its barriers.
good=$1
planted=$2
. "$(dirname "$0")/../cli/lib.sh"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

cat >k.ptx <<'END'
.version 9.0
.target sm_80
.address_size 64
.visible .entry meet(.param .u64 p, .param .u32 n) {
 .reg .b32 %r<5>; .reg .b64 %d<3>; .reg .pred %q;
 mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; ld.param.u64 %d1, [p];
 mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;
again:
 ld.global.u32 %r3, [%d1]; sub.u32 %r2, %r2, 1; add.u32 %r3, %r3, %r2;
 st.global.u32 [%d1], %r3; setp.ne.u32 %q, %r2, 0; @%q bra again;
 setp.eq.u32 %q, %r2, 0; bar.red.popc.u32 %r3, 0, %q;
 ret;
}
END
K="k.ptx --grid 2 --block 64 --arg zero:256 --config tiny"

# same FILE: the planted program comes to the recorded difference, the good one does not.
same() {
  cycle=$(sed -n 's/.*DIVERGENCE at cycle \([0-9]*\).*/\1/p' got.txt | head -1)
  grep -v '^warplock: error\|^replay \|^meet on' got.txt >first.txt
  warplock=$planted
  want 3 "the recorded divergence, in cycle $cycle" replay "$1"
  tests=$((tests + 1))
  grep -v '^warplock: error\|^the recorded' got.txt >second.txt
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
want 3 "cannot write no/f.rpx" lockstep $K --arg u32:5 --rpx no/f.rpx
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
