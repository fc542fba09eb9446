# Shared by the tests of replays; to be sourced with the program and the planted one (a bug in the
# barriers of its model) as $1 and $2.
good=$1
planted=$2
. "$(dirname "$0")/../cli/lib.sh"

# meet [LINE]: writes k.ptx, a kernel on which the planted program differs; LINE: more instructions
# for its loop.
meet() {
  cat >k.ptx <<END
.version 9.0
.target sm_80
.address_size 64
.visible .entry meet(.param .u64 p, .param .u32 n) {
 .reg .b32 %r<9>; .reg .b64 %d<3>; .reg .pred %q;
 mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; ld.param.u64 %d1, [p];
 mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;
again:
 ld.global.u32 %r3, [%d1]; sub.u32 %r2, %r2, 1; add.u32 %r3, %r3, %r2;
 $1
 st.global.u32 [%d1], %r3; setp.ne.u32 %q, %r2, 0; @%q bra again;
 setp.eq.u32 %q, %r2, 0; bar.red.popc.u32 %r3, 0, %q;
 ret;
}
END
}
K="k.ptx --grid 2 --block 64 --arg zero:256 --config tiny"
