# Writes async.ptx: waits and copies whose cycles can be counted; for test_view.sh and for the waves
# of tests/replay. `copies` does everything twice: in the second round no instruction is missed.
delay() {
  n=$1
  while [ "$n" -gt 0 ]; do
    echo " add.u32 %r9, %r9, %r1;"
    n=$((n - 1))
  done
}
cat >async.ptx <<END
.version 9.0
.target sm_90
.address_size 64
.visible .entry copies(.param .u64 p) {
 .reg .b32 %r<10>; .reg .b64 %d<4>; .reg .pred %q<3>;
 .shared .align 128 .b8 s[256];
 .shared .align 8 .b64 m;
 mov.u32 %r1, %tid.x; mov.u32 %r9, %tid.x; mov.u32 %r2, 0;
 ld.param.u64 %d1, [p]; cvta.to.global.u64 %d1, %d1;
 mbarrier.init.shared.b64 [m], 1;
again:
 mbarrier.arrive.expect_tx.shared.b64 %d2, [m], 64;
$(delay 12)
 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [%d1], 64, [m];
$(delay 12)
 mbarrier.test_wait.parity.shared.b64 %q1, [m], %r2;
 @!%q1 trap;
 cp.async.ca.shared.global [s+128], [%d1], 4;
 cp.async.commit_group;
 cp.async.wait_group 0;
$(delay 12)
 cp.async.bulk.global.shared::cta.bulk_group [%d1+64], [s], 64;
 cp.async.bulk.commit_group;
 cp.async.bulk.wait_group 0;
 add.u32 %r2, %r2, 1;
 setp.lt.u32 %q2, %r2, 2;
 @%q2 bra again;
 ret;
}
.visible .entry waits() {
 .reg .b32 %r<10>; .reg .b64 %d<4>; .reg .pred %q<4>;
 .shared .align 8 .b64 m[2];
 mov.u32 %r1, %tid.x; mov.u32 %r9, %tid.x;
 setp.eq.u32 %q1, %r1, 32;
 setp.eq.u32 %q2, %r1, 0;
 @%q2 mbarrier.init.shared.b64 [m], 1;
 @%q2 mbarrier.init.shared.b64 [m+8], 1;
 bar.sync 0;
 setp.ge.u32 %q3, %r1, 32;
 @%q3 bra other;
test:
 mbarrier.try_wait.parity.shared.b64 %q2, [m], 0;
 @!%q2 bra test;
 ret;
other:
$(delay 20)
 @%q1 mbarrier.arrive.shared.b64 %d1, [m+8];
$(delay 20)
 @%q1 mbarrier.arrive.shared.b64 %d1, [m];
 ret;
}
.visible .entry timed() {
 .reg .b32 %r<4>; .reg .pred %q<3>;
 .shared .align 8 .b64 m;
 mbarrier.init.shared.b64 [m], 1;
 mov.u32 %r1, 300;
 mbarrier.try_wait.parity.shared.b64 %q1, [m], 0, %r1;
 ret;
}
END
# columns.ptx: with two CTAs on a machine with 64 columns of tensor memory the second one waits for the first.
cat >columns.ptx <<END
.version 8.6
.target sm_100a
.address_size 64
.visible .entry columns(.param .u64 p) {
 .reg .b32 %r<10>; .reg .b64 %d<4>;
 .shared .align 4 .b32 at;
 mov.u32 %r1, %tid.x; mov.u32 %r9, %tid.x;
 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], 64;
 ld.shared.b32 %r2, [at];
$(delay 40)
 tcgen05.st.sync.aligned.32x32b.x2.b32 [%r2], {%r1, %r9};
 tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r3, %r4, %r5, %r6}, [%r2];
 tcgen05.wait::ld.sync.aligned;
 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, 64;
 ld.param.u64 %d1, [p]; cvta.to.global.u64 %d1, %d1; mul.wide.u32 %d2, %r1, 4;
 add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r4;
 ret;
}
END
