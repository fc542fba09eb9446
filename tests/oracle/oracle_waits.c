/* oracle_waits.c: mbarriers and the barrier of a cluster, for test_oracle. */
#include "tests/oracle/test_oracle.h"

const wl_or_row_t wl_or_wait_rows[] = {
    {"phases of an mbarrier, and what its states say",
     ".shared .b64 bar;",
     "setp.ne.u32 %p, %t, 0; @%p bra W; mbarrier.init.shared.b64 [bar], 3;"
     "mbarrier.expect_tx.shared.b64 [bar], 8; W: bar.sync 0;"
     "mbarrier.arrive.shared.b64 %x, [bar]; mbarrier.pending_count.b64 %r1, %x;"
     "setp.eq.u32 %q, %t, 2; @%q mbarrier.complete_tx.shared.b64 [bar], 8;"
     "L: mbarrier.try_wait.shared.b64 %p, [bar], %x; @!%p bra L;"
     "mbarrier.test_wait.parity.shared.b64 %q, [bar], 1; selp.u32 %r2, 100, 0, %q;"
     "redux.sync.add.u32 %r1, %r1, 7; add.u32 %r1, %r1, %r2; st.global.u32 [%o], %r1; ret;",
     3,
     {6, 6, 6},
     NULL},
    {"a wait with a time limit that runs out, and one thread less",
     ".shared .b64 bar;",
     "setp.ne.u32 %p, %t, 0; @%p bra W; mbarrier.init.shared.b64 [bar], 2; W: bar.sync 0;"
     "mov.u32 %r1, 0; @%p bra B; mbarrier.arrive.shared.b64 %x, [bar];"
     "mbarrier.try_wait.shared.b64 %q, [bar], %x, 50; selp.u32 %r1, 1, 2, %q; bar.sync 1;"
     "L: mbarrier.try_wait.shared.b64 %q, [bar], %x; @!%q bra L;"
     "mbarrier.arrive.shared.b64 %x, [bar]; mbarrier.test_wait.shared.b64 %q, [bar], %x;"
     "selp.u32 %r2, 10, 20, %q; add.u32 %r1, %r1, %r2; bra E;"
     "B: bar.sync 1; mbarrier.arrive_drop.shared.b64 _, [bar]; E: st.global.u32 [%o], %r1; ret;",
     2,
     {12, 0},
     NULL},
    {"the barrier of a cluster of one CTA, without those that left",
     ".shared .u32 box[4];",
     "setp.eq.u32 %p, %t, 3; @%p exit; mul.lo.u32 %r1, %t, 4; mov.u32 %r2, box;"
     "add.u32 %r1, %r1, %r2; mapa.shared::cluster.u32 %r1, %r1, 0; st.shared::cluster.u32 [%r1], %t;"
     "barrier.cluster.arrive; barrier.cluster.wait; ld.shared.u32 %r2, [box+4];"
     "ld.shared.u32 %r3, [box+8]; add.u32 %r2, %r2, %r3; mov.u64 %x, box; cvta.shared.u64 %x, %x;"
     "getctarank.u64 %r3, %x; add.u32 %r2, %r2, %r3; st.global.u32 [%o], %r2; ret;",
     4,
     {3, 3, 3, 0},
     NULL},
    {"a phase that nothing ends",
     ".shared .b64 bar;",
     "mbarrier.init.shared.b64 [bar], 2; L: mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;"
     "@!%p bra L; ret;",
     1,
     {0},
     "waits for a phase that nothing ends"},
    {"arrivals beyond the count",
     ".shared .b64 bar;",
     "mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 _, [bar], 3; ret;",
     1,
     {0},
     "count 3 is out of its range"},
    {"no mbarrier",
     ".shared .b64 bar;",
     "mbarrier.init.shared.b64 [bar], 2; mbarrier.inval.shared.b64 [bar];"
     "mbarrier.arrive.shared.b64 _, [bar]; ret;",
     1,
     {0},
     "no mbarrier at this address"},
    {"the barrier of a cluster twice",
     "",
     "barrier.cluster.arrive; barrier.cluster.arrive; ret;",
     1,
     {0},
     "a second arrival without a wait"},
    {"a CTA that is not there",
     "",
     "mapa.shared::cluster.u32 %r1, %t, 1; ret;",
     1,
     {0},
     "no CTA of this rank"},
};
const size_t wl_or_wait_count = sizeof wl_or_wait_rows / sizeof wl_or_wait_rows[0];
