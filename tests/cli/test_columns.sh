#!/bin/sh
# A launch whose CTAs leave columns of tensor memory allocated ends with a warning, and runs on.
#   test_columns.sh WARPLOCK BACKEND:CONFIG...
warplock=$1
shift
. "$(dirname "$0")/lib.sh"

cat >columns.ptx <<'END'
.version 8.6
.target sm_100a
.address_size 64
.visible .entry columns(.param .u32 keep) {
 .reg .b32 %r<3>; .reg .pred %p;
 .shared .align 4 .b32 at;
 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 32;
 ld.shared.b32 %r1, [at];
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

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
