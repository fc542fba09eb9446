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
