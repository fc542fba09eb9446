#!/bin/sh
# Tensor memory: a launch whose CTAs leave columns allocated ends with a warning. The log of its effects has
# what loads from it found (docs/compare.md).
#   test_columns.sh WARPLOCK BACKEND:CONFIG...
warplock=$1
shift
. "$(dirname "$0")/lib.sh"

cat >columns.ptx <<'END'
.version 8.6
.target sm_100a
.address_size 64
.visible .entry columns(.param .u32 keep) {
 .reg .b32 %r<6>; .reg .pred %p;
 .shared .align 4 .b32 at;
 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32;
 ld.shared.b32 %r1, [at];
 mov.u32 %r3, %tid.x;
 tcgen05.st.sync.aligned.32x32b.x2.b32 [%r1], {%r3, %r3};
 tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r4, %r5}, [%r1];
 ld.param.u32 %r2, [keep];
 setp.ne.u32 %p, %r2, 0;
 @%p bra end;
 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;
end:
 ret;
}
END
warning="warning: CTAs ended and left 96 columns of tensor memory allocated"
for side in "$@"; do
  on="--backend ${side%:*} --config ${side#*:} --grid 3 --block 32"
  want 0 "$warning" run columns.ptx $on --arg u32:1
  want 0 "columns on" run columns.ptx $on --arg u32:0
  tests=$((tests + 1))
  grep -q warning got.txt && fail "$side: a warning without a reason"
done
on="--config tiny --grid 3 --block 32 --arg u32:0"
want 0 "columns on func" run columns.ptx $on --effects log.jsonl
want 0 "equal" compare log.jsonl columns.ptx $on
want 0 "equal" compare log.jsonl columns.ptx $on --follow-loads
load=$("$warplock" as columns.ptx -o columns.wlo >/dev/null && "$warplock" dis columns.wlo |
  sed -n 's/^ *\([0-9]*\)  tmem.ld R\([0-9]*\), .*/\1 \2/p')
sed "/\"pc\": ${load% *},/s/\"R$((${load#* } + 1))\": \[0/\"R$((${load#* } + 1))\": [5/" log.jsonl >bad.jsonl
want 3 "R$((${load#* } + 1))" compare bad.jsonl columns.ptx $on

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
