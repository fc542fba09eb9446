#!/bin/sh
# warplock --trace (docs/replay.md): the records in the waves are those of the log, in their cycles,
# for model and RTL, in VCD and FST; the save file fits; what is refused.
#   test_waves.sh WARPLOCK PLANTED WAVE_CHECK FORMAT [FST_TEXT]   FORMAT: of the waves of this build,
#   "" for none; FST_TEXT: makes VCD text of FST
check=$3
format=$4
fst_text=$5
home=$(cd "$(dirname "$0")" && pwd)
. "$home/lib.sh"
warplock=$good

# waves MODE ARGUMENT...: wave_check must be content.
waves() {
  tests=$((tests + 1))
  "$check" "$@" >check.txt 2>&1 || fail "wave_check $*: $(cat check.txt)"
}
last() { echo $(($(sed -n 's/.*: \([0-9]*\) cycles,.*/\1/p' got.txt) - 1)); }

cat >k.ptx <<'END'
.version 9.0
.target sm_80
.address_size 64
.visible .entry mix(.param .u64 p, .param .u32 n) {
 .reg .b32 %r<9>; .reg .b64 %d<5>; .reg .pred %q<3>;
 .shared .align 4 .b8 s[1024];
 mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; ld.param.u64 %d1, [p];
 mul.wide.u32 %d2, %r1, 4; add.s64 %d2, %d1, %d2;
again:
 ld.global.u32 %r3, [%d2]; sub.u32 %r2, %r2, 1; add.u32 %r3, %r3, %r2;
 st.global.u32 [%d2], %r3; setp.ne.u32 %q1, %r2, 0; @%q1 bra again;
 shl.b32 %r4, %r1, 2; mov.u32 %r5, s; add.u32 %r5, %r5, %r4; st.shared.u32 [%r5], %r3;
 setp.lt.u32 %q2, %r1, 9; @%q2 bra low;
 atom.global.add.u32 %r6, [%d1], 1;
low:
 setp.eq.u32 %q1, %r2, 0; bar.red.popc.u32 %r3, 0, %q1;
 shfl.sync.bfly.b32 %r7, %r3, 1, 31, 0xffffffff;
 st.global.u32 [%d2], %r7;
 ret;
}
.visible .entry broken() { trap; }
END
K="k.ptx --kernel mix --grid 2 --block 64 --arg zero:256 --arg u32:3"

# ---- the model alone, and reasons per warp
for config in tiny base; do
  want 0 "waves: m.vcd, gtkwave m.gtkw" run $K --backend model --config $config --trace m.vcd \
    --log m.log --disturb light
  end=$(last)
  waves records m.vcd m.log model 0 "$end"
  waves save m.vcd m.gtkw "$end"
  for kind in RF PRED SMEM XBUF FETCH ISSUE RESOLVE ROW WALKED BARRIER CTA PAGE PACKET RESPONSE \
    STATE; do
    tests=$((tests + 1))
    grep -q "^[0-9]* $kind " m.log || fail "the kernel makes no record $kind"
  done
done
want 4 "trap in broken" run k.ptx --kernel broken --grid 1 --block 32 --backend model --config tiny \
  --trace t.vcd --log t.log
at=$(sed -n 's/^\([0-9]*\) TRAP cause 5 .*/\1/p' t.log)
waves value t.vcd model.trap.cause "$at" 5
waves value t.vcd model.trap.count $((at - 1)) 0
# The warp that issues in a cycle does nothing else (reason 1, issued).
want 0 "" run $K --backend model --config tiny --trace m.vcd --log m.log
for line in $(sed -n 's/^\([0-9]*\) ISSUE warp \([0-9]*\) .*/\1:\2/p' m.log | sed -n '1p;20p;$p'); do
  waves value m.vcd "model.issue.warp${line#*:}.why" "${line%:*}" 1
done
tests=$((tests + 1))
grep -q '^[0-9]* [0-9]* shfl' m.names/pc.txt || fail "pc.txt: $(cat m.names/pc.txt)"
grep -q '^5 USER$' m.names/cause.txt || fail "cause.txt: $(cat m.names/cause.txt)"

# ---- waits and copies on tiny, in the second round of the program, as docs/microarchitecture.md 21 to 23
# has them (L = 16; tests/cli/test_view_async.sh counts them)
. "$home/../cli/async.sh"
pc() { sed -n "s/^ *\([0-9]*\)  .*$1.*/\1/p" async.txt | head -1; }
issue() { # INSTRUCTION N: the cycle of its n-th issue
  grep "^[0-9]* ISSUE warp 0 pc $(printf %x "$(pc "$1")") " a.log | sed -n "$2s/ .*//p"
}
at() { # BASE SIGNAL OFFSET:VALUE...
  base=$1
  signal=$2
  shift 2
  for pair in "$@"; do
    waves value a.vcd "model.$signal" $((base + ${pair%:*})) "${pair#*:}"
  done
}
want 0 "" as async.ptx -o async.wlo
"$warplock" dis async.wlo >async.txt
A="async.ptx --grid 1 --block 1 --backend model --config tiny --trace a.vcd --log a.log"
want 0 "" run $A --kernel copies --arg zero:128
end=$(last)
waves records a.vcd a.log model 0 "$end"
waves save a.vcd a.gtkw "$end"
tests=$((tests + 1))
[ "$(grep -c ' WAKE ' a.log)" = 2 ] && grep -q '^3 drain$' a.names/step.txt || fail "WAKE or step.txt"
T=$(($(issue bulk.load 2) + 5))
at $T copies.entry0.step 0:0 1:1 2:1 3:3 24:3 25:4 26:5 34:5 35:0
at $T copies.entry0.bytes 1:40
at $T copies.entry0.pc 1:"$(printf %x "$(pc bulk.load)")"
at $T copies.entries 0:0 1:1 34:1 35:0
at $T copies.rows 1:0 2:1 3:2 22:2 23:1 24:1 25:0
at $T copies.to_shared 20:0 21:10 24:10 25:0
at $T copies.phases 31:1 32:2
T=$(($(issue bulk.store 2) + 5))
at $T copies.entry1.step 1:1 4:1 5:2 6:2 7:3 8:6 27:6 28:0
at $T copies.to_global 4:0 5:20 6:0 7:20 8:0
T=$(issue cpasync 2)
at $T copies.slot2.step 0:0 1:2 35:2 36:7 37:8 42:8 43:0
at $T copies.slots 0:0 1:1 42:1 43:0
T=$(($(issue cpwait 3) + 4))
at $T waits.warp0.lanes 4:0 5:1 6:1 7:0
at $T waits.warp0.wake 5:1 6:0
at $T waits.warp0.woken 5:0 6:1 7:0
want 0 "" run $A --kernel timed
T=$(($(issue "wait R1, R0" 1) + 4))
over=$(((T + 300 + 7) / 8 * 8 - T))
at $T copies.all_wait 11:0 12:1 $over:1 $((over + 1)):0
at $T issue.warp0.why 12:15 $over:15
at $T waits.warp0.timed $((over + 3)):0 $((over + 4)):1 $((over + 5)):0
# Tensor memory: a word that a store writes, in both sides' quarter 0; what the allocator does.
want 0 "equal: every" lockstep columns.ptx --grid 2 --block 32 --arg zero:256 --config tiny \
  --trace a.vcd --log a.log
end=$(last)
waves records a.vcd a.log model 0 "$end"
waves records a.vcd a.log rtl 0 "$end"
waves save a.vcd a.gtkw "$end"
tests=$((tests + 1))
[ "$(grep -c ' TMEM quarter 0 ' a.log)" = 16 ] && [ "$(grep -c ' COLUMNS ' a.log)" = 4 ] ||
  fail "records of tensor memory: $(grep -c ' TMEM ' a.log), $(grep -c ' COLUMNS ' a.log)"

# ---- a window
want 0 "" run $K --backend model --config tiny --trace w.vcd --trace-window 300:500
waves records w.vcd m.log model 300 500
tests=$((tests + 1))
[ "$(grep -c '^#' w.vcd)" -le 202 ] && grep -q '^#300$' w.vcd || fail "window: $(grep -c '^#' w.vcd)"
want 0 "waves: none, the window begins in cycle 90000" run $K --backend model --config tiny \
  --trace no.vcd --trace-window 90000:90001
[ ! -e no.vcd ] || fail "an empty file of waves"

# ---- model and RTL, equal and not
want 0 "equal: every" lockstep $K --config tiny --trace l.vcd --log l.log
end=$(last)
waves records l.vcd l.log model 0 "$end"
waves records l.vcd l.log rtl 0 "$end"
waves value l.vcd lockstep.differs "$end" 0
want 0 "" run $K --backend rtl --config tiny --trace r.vcd --log r.log
waves records r.vcd r.log rtl 0 "$(last)"
warplock=$planted
want 3 "sm0 BARRIER" lockstep $K --config tiny --trace p.vcd --rpx p.rpx
at=$(sed -n 's/.*DIVERGENCE at cycle \([0-9]*\).*/\1/p' got.txt)
slot=$(sed -n 's/^model  BARRIER slot \([0-9]*\) .*/\1/p' got.txt)
waves save p.vcd p.gtkw "$at"
differs() { # FILE: what the report says stands in the waves
  waves value "$1" lockstep.differs $((at - 1)) 0
  waves value "$1" lockstep.differs "$at" 1
  waves value "$1" "model.barrier.cta$slot.popc" "$at" 1
  waves value "$1" "rtl.barrier.cta$slot.popc" "$at" 20
}
differs p.vcd
tests=$((tests + 1))
grep -q "^-first difference: barrier.cta$slot" p.gtkw || fail "p.gtkw has no group of the difference"
# Of a replay: the window around it, and what follows.
want 3 "waves: q.vcd" replay p.rpx --trace q.vcd
differs q.vcd
waves save q.vcd q.gtkw "$at"
tests=$((tests + 1))
[ "$(sed -n 's/^#//p' q.vcd | head -1)" -eq $((at - 256)) ] &&
  [ "$(sed -n 's/^#//p' q.vcd | tail -1)" -ge $((at + 32)) ] || fail "window of a replay: $(
    grep '^#' q.vcd | sed -n '1p;$p' | tr '\n' ' '), cycle $at"

# ---- FST, with the RTL's own signals
case $format in
fst)
  warplock=$good
  want 0 "equal: every" lockstep $K --config tiny --trace l.fst --log l.log
  end=$(last)
  "$fst_text" l.fst >f.vcd
  waves records f.vcd l.log model 0 "$end"
  waves records f.vcd l.log rtl 0 "$end"
  waves save f.vcd l.gtkw "$end"
  waves value f.vcd TOP.done_o $((end - 1)) 0
  waves value f.vcd TOP.done_o "$end" 1
  waves value f.vcd TOP.gpu_top.done_o "$end" 1
  warplock=$planted
  want 3 "waves: q.fst" replay p.rpx --trace q.fst
  "$fst_text" q.fst >f.vcd
  differs f.vcd
  waves save f.vcd q.gtkw "$at"
  want 6 "waves of the model alone are VCD" run $K --backend model --config tiny --trace m.fst
  ;;
vcd)
  waves value l.vcd TOP.done_o "$end" 1
  want 6 "the waves of this build are VCD" lockstep $K --config tiny --trace l.fst
  ;;
*)
  want 6 "make trace TRACE=tiny builds them" lockstep $K --config tiny --trace l.fst
  ;;
esac

# ---- refusals, before anything runs
warplock=$good
want 2 "the name must end in .fst or .vcd" run $K --backend model --trace m.txt
want 2 "expected FROM:TO" run $K --backend model --trace n.vcd --trace-window 5
want 2 "expected FROM:TO" run $K --backend model --trace n.vcd --trace-window 5:4
want 2 "--trace-window without --trace" run $K --backend model --trace-window 5:9
want 2 "backend func has no waves" run $K --trace n.vcd
want 2 "cannot write no/n.vcd" run $K --backend model --config tiny --trace no/n.vcd

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
