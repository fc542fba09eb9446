#!/bin/sh
# warplock replay --shrink (docs/replay.md): the smaller launch diverges with the same record and
# word, on the planted program only; it cannot be made smaller again.
#   test_shrink.sh WARPLOCK PLANTED   as of test_replay.sh
. "$(dirname "$0")/lib.sh"

meet "mul.lo.u32 %r4, %r3, %r2; xor.b32 %r5, %r4, %r1; shl.b32 %r6, %r5, 3; add.u32 %r3, %r3, %r6;"
size() { sed -n "s/^$1: \(.*\), [0-9]* cycles/\1/p" got.txt; }
warplock=$planted
want 3 "sm0 BARRIER" lockstep k.ptx --grid 2,3 --block 48,2 --arg zero:1024 --arg u32:5 \
  --config tiny --mem 1048576 --disturb heavy --seed 3 --rpx k.rpx
want 0 "; small.rpx" replay k.rpx --shrink small.rpx
cp got.txt first.txt
tests=$((tests + 3))
[ "$(size before)" = "18 instructions, 6 CTAs of 96 threads, 1 launches" ] ||
  fail "before: $(size before)"
grep -q '  bar.popc.i ' got.txt || fail "no barrier is left: $(cat got.txt)"
# Two lanes of one warp are the least that the bug miscounts.
echo "$(size after)" | grep -qE '^[1-7] instructions, 1 CTAs of [2-9] threads, 1 launches$' ||
  fail "after: $(size after)"
# The listing is as long as the sum says.
[ "$(grep -c '^ *[0-9a-f]*  ' got.txt)" -eq "$(size after | cut -d' ' -f1)" ] || fail "listing"
want 3 "the recorded divergence" replay small.rpx
want 3 "word   popc[0]: model" replay small.rpx
want 0 "disturbance none" replay small.rpx --info
want 0 "grid 1,1,1" replay small.rpx --info
want 0 ", 0 taken; again.rpx" replay small.rpx --shrink again.rpx
tests=$((tests + 2))
[ "$(size before)" = "$(size after)" ] || fail "smaller again: $(cat got.txt)"
want 0 "" replay k.rpx --shrink twice.rpx
cmp small.rpx twice.rpx || fail "two runs, two files"
warplock=$good
want 1 "does not come to the recorded divergence" replay small.rpx
want 1 "nothing to make smaller" replay k.rpx --shrink no.rpx
[ ! -e no.rpx ] || fail "a file without a divergence"

# ---- limits and refusals
warplock=$planted
want 3 "" lockstep k.ptx --grid 9 --block 64 --arg zero:1024 --arg u32:60 --config tiny \
  --rpx long.rpx
want 0 "; stopped by the limit; cut.rpx" replay long.rpx --shrink cut.rpx --seconds 1
want 3 "the recorded divergence" replay cut.rpx
want 2 "--seconds without --shrink" replay k.rpx --seconds 5
want 2 "--seconds x: not a number" replay k.rpx --shrink no.rpx --seconds x
want 2 "--trace with --shrink" replay k.rpx --shrink no.rpx --trace no.vcd
want 2 "cannot write no/f.rpx" replay k.rpx --shrink no/f.rpx

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
