#!/bin/sh
# Internal state in a replay and in lockstep (docs/replay.md, "Inside").
#   test_inside.sh WARPLOCK PAGES BARRIER
# PAGES: its model takes the second page of every warp for fifteen, in the count of free pages. Records
# show it when a CTA has no room, which comes later. BARRIER: its bug shows in no register before the record.
good=$1
pages=$2
barrier=$3
. "$(dirname "$0")/../cli/lib.sh"

# A kernel with two register pages per warp; two warps and so four pages per CTA.
{
  printf '.version 7.0\n.target sm_80\n.address_size 64\n.visible .entry many(.param .u64 p) {\n'
  printf ' .reg .b32 %%r<40>; .reg .b64 %%d<4>;\n ld.param.u64 %%d1, [p];\n'
  for i in 1 2 3 4 5 6 7 8 9 10 11; do printf ' ld.global.u32 %%r%d, [%%d1+%d];\n' $i $((4 * i)); done
  for i in 2 3 4 5 6 7 8 9 10 11; do printf ' add.u32 %%r1, %%r1, %%r%d;\n' $i; done
  printf ' st.global.u32 [%%d1], %%r1;\n ret;\n}\n'
} >many.ptx
K="many.ptx --config tiny --block 64 --arg zero:256"

# same LINE...: each stands in got.txt as a line or the beginning of one.
same() {
  for line in "$@"; do
    tests=$((tests + 1))
    grep -q "^$line" got.txt || { fail "no line '$line':"; sed 's/^/    /' got.txt; }
  done
}
# Cycle of the first line of good.log that ends so.
cycle() { sed -n "s/^\([0-9]*\) $1.*/\1/p" good.log | head -1; }

# ---- sound: nothing differs. Where the bug acts, and where a record shows it, by the log.
warplock=$good
want 0 "equal: every record" lockstep $K --grid 3 --compare inside --log good.log
same 'inside: [1-9][0-9] rows of internal state, compared from cycle 0 on: none differed$'
acts=$(cycle 'PAGE warp 0 entry 1')
shows=$(cycle 'PAGE warp 4 entry 0')
tests=$((tests + 1))
[ "$(grep -c 'PAGE warp 0 ' good.log)" = 2 ] && [ "$acts" -lt "$shows" ] ||
  fail "the kernel has not two pages per warp, or the cycles are $acts, $shows"
want 0 "equal: every record" lockstep $K --grid 3
tests=$((tests + 1))
grep '^inside' got.txt && fail "internal state was compared without a wish"

# ---- 64 pages; two taken: 62, as the model counts 64 - 1 - 15 = 48. Two CTAs take all of those.
inside="inside differs first at cycle $acts ([1-9][0-9] rows, compared from cycle 0 on)"
row='inside sm0 free_pages: model 30  rtl 3e  (free register pages, their number; .*section 3, free_pages_q)$'
warplock=$pages
want 3 "DIVERGENCE at cycle $shows  sm0 warp4 PAGE" lockstep $K --grid 3 --rpx late.rpx
tests=$((tests + 1))
grep '^inside' got.txt && fail "internal state was compared without a wish"
want 3 "the recorded divergence, in cycle $shows" replay late.rpx
same "$inside" "$row"
tests=$((tests + 1))
[ "$(grep -c '^inside' got.txt)" = 2 ] || fail "more than one register: $(grep '^inside' got.txt)"
want 3 "DIVERGENCE at cycle $shows  sm0 warp4 PAGE" lockstep $K --grid 3 --compare inside --rpx -
same "$inside" "$row"
# From a snapshot, which here is that of cycle 0.
want 3 "" lockstep $K --grid 3 --rpx - --trace x.vcd --trace-window failure --snapshots 512
same "$inside" "$row" 'waves: of cycles 0 to'
warplock=$good
want 1 "does not come to the recorded divergence" replay late.rpx
same 'inside: .* none differed$'

# ---- no record at all: one CTA has room. Only internal state differs, and that is a divergence.
warplock=$pages
want 0 "equal: every record" lockstep $K --grid 1
want 3 "DIVERGENCE at cycle $acts: internal state; every record of every cycle was equal" \
  lockstep $K --grid 1 --compare inside --rpx only.rpx
same "$inside" "$row"
want 3 "the recorded divergence, in cycle $acts" replay only.rpx
want 2 "unknown comparison 'outside' (journal, full, inside)" lockstep $K --grid 1 --compare outside

# ---- a bug that no compared register holds
warplock=$barrier
cat >odd.ptx <<'END'
.version 7.0
.target sm_80
.address_size 64
.visible .entry odd(.param .u64 p) {
  .reg .b32 %r<3>; .reg .pred %q;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %q, %r1, 9;
  bar.red.popc.u32 %r2, 0, %q;
  ret;
}
END
want 3 "sm0 BARRIER" lockstep odd.ptx --config tiny --grid 1 --block 64 --arg zero:256 --rpx odd.rpx
want 3 "the recorded divergence" replay odd.rpx
same 'inside: .* none differed$'

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
