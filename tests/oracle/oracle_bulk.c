/* oracle_bulk.c: bulk copies, for test_oracle: programs with one result whatever their times. */
#include "tests/oracle/test_oracle.h"

#define LOAD  "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
#define STORE "cp.async.bulk.global.shared::cta.bulk_group"
#define WAIT  "L: mbarrier.try_wait.parity.shared.b64 %q, [mb], 0; @!%q bra L;"

const wl_or_row_t wl_or_bulk_rows[] = {
    {"a load, and what its mbarrier counts",
     ".shared .align 8 .b64 mb; .shared .align 16 .b32 s[8];"
     ""
     ".global .align 16 .u32 g[8] = {1, 2, 3, 4, 5, 6, 7, 8};",
     "mbarrier.init.shared.b64 [mb], 1; mbarrier.arrive.expect_tx.shared.b64 _, [mb], 48;" LOAD
     "[s], [g], 32, [mb];" LOAD "[s+16], [g+16], 16, [mb];" WAIT
     "ld.shared.v2.u32 {%r1, %r2}, [s]; st.global.v2.u32 [%z], {%r1, %r2};"
     "ld.shared.v2.u32 {%r1, %r2}, [s+24]; st.global.v2.u32 [%z+8], {%r1, %r2}; ret;",
     1,
     {1, 2, 7, 8},
     NULL},
    {"a load that ends before its bytes are expected, by another thread's arrival",
     ".shared .align 8 .b64 mb; .shared .align 16 .b32 s[4]; .global .align 16 .u32 g[4] = {9, 8};",
     "setp.ne.u32 %p, %t, 0; @%p bra W; mbarrier.init.shared.b64 [mb], 2;" LOAD
     "[s], [g], 16, [mb]; nanosleep.u32 20; mbarrier.expect_tx.shared.b64 [mb], 16;"
     "W: bar.sync 0; mbarrier.arrive.shared.b64 _, [mb];" WAIT
     "ld.shared.u32 %r1, [s+4]; st.global.u32 [%o], %r1; ret;",
     2,
     {8, 8},
     NULL},
    {"groups, and a source that is written again after its read",
     ".shared .align 16 .b32 s[4]; .shared .align 16 .b32 u[4];",
     "st.shared.u32 [s], 5; st.shared.u32 [u], 6; fence.proxy.async;" STORE
     " [%z], [s], 16; cp.async.bulk.commit_group;" STORE " [%z+16], [u], 16;"
     "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 1; st.shared.u32 [s], 7;"
     "cp.async.bulk.wait_group.read 0; st.shared.u32 [u], 8; cp.async.bulk.wait_group 0;"
     "ld.global.u32 %r1, [%z]; ld.global.u32 %r2, [%z+16]; mad.lo.u32 %r1, %r1, 10, %r2;"
     "st.global.u32 [%z+12], %r1; st.global.v2.u32 [%z+24], {0, 0}; st.global.u32 [%z+4], 0;"
     "st.global.u32 [%z+8], 0; st.global.u32 [%z+20], 0; ret;",
     1,
     {5, 0, 0, 56, 6, 0, 0, 0},
     NULL},
    {"nothing waits: the end of the CTA does",
     ".shared .align 16 .b32 s[4];",
     "st.shared.v4.u32 [s], {1, 2, 3, 4}; fence.proxy.async;" STORE " [%z+16], [s], 16; ret;",
     1,
     {0, 0, 0, 0, 1, 2, 3, 4},
     NULL},
    {"bytes by a mask",
     ".shared .align 16 .b32 s[8];",
     "st.shared.v4.u32 [s], {-1, -1, -1, -1}; st.shared.v4.u32 [s+16], {-1, -1, -1, -1};"
     "mov.b16 %h, 0x8421; fence.proxy.async;" STORE ".cp_mask [%z], [s], 32, %h; ret;",
     1,
     {0xff, 0xff00, 0xff0000, 0xff000000, 0xff, 0xff00, 0xff0000, 0xff000000},
     NULL},
    {"reductions of 32 bits, the source is the second operand of .inc",
     ".shared .align 16 .b32 s[4];",
     "st.shared.v4.u32 [s], {5, 3, -7, 0xff}; st.global.v4.u32 [%z], {5, 2, 4, 0xf0f};"
     "st.global.v4.u32 [%z+16], {1, 2, 3, 4}; fence.proxy.async;"
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32 [%z], [s], 16;"
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [%z+16], [s], 16; ret;",
     1,
     {0, 3, 5, 0, 1, 2, (uint32_t)-7, 4},
     NULL},
    {"reductions of 64 bits, and of f32, which flushes",
     ".shared .align 16 .b32 s[4];",
     "st.shared.v4.u32 [s], {-1, 0, 0x3f800000, 0x00000001}; fence.proxy.async;"
     "st.global.v4.u32 [%z], {1, 0, 2, 0}; st.global.v4.u32 [%z+16], {0x007fffff, 0, 0x40000000, 1};"
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [%z], [s], 16;"
     "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
     "st.shared.v4.u32 [s], {1, 0, 0x3f800000, 0}; fence.proxy.async;"
     "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%z+16], [s], 16; ret;",
     1,
     {0, 1, 0x3f800002, 1, 0, 0, 0x40400000, 0},
     NULL},
    {"bytes outside that are ignored, prefetch",
     ".shared .align 8 .b64 mb; .shared .align 16 .b32 s[8];"
     ".global .align 16 .u32 g[5] = {1, 2, 3, 4, 0x605};",
     "mov.u64 %x, g; mbarrier.init.shared.b64 [mb], 1; mov.u32 %r1, 14;"
     "cp.async.bulk.prefetch.L2.global [%x], 16; mbarrier.arrive.expect_tx.shared.b64 _, [mb], 32;"
     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [s], [%x], 32, 3, "
     "%r1, [mb];" WAIT "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [s]; and.b32 %r1, %r1, 0xff000000;"
     "st.global.v4.u32 [%z], {%r1, %r2, %r3, %r4}; ld.shared.u16 %r1, [s+16];"
     "st.global.u32 [%z+16], %r1; ret;",
     1,
     {0, 2, 3, 4, 0x605},
     NULL},
    {"bytes outside that are not ignored",
     ".shared .align 8 .b64 mb; .shared .align 16 .b32 s[8]; .global .align 16 .u32 g[4];",
     "mov.u64 %x, g; mbarrier.init.shared.b64 [mb], 1;"
     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [s], [%x], 32, 0, "
     "15, [mb]; ret;",
     1,
     {0},
     "not in memory"},
    {"st.bulk, st.async, red.async",
     ".shared .align 16 .b32 s[8];",
     "st.shared.v4.u32 [s], {1, 2, 3, 4}; st.shared.v4.u32 [s+16], {5, 6, 7, 8};"
     "st.bulk.weak.shared::cta [s+8], 16, 0; ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [s];"
     "st.global.v4.u32 [%z], {%r1, %r2, %r3, %r4}; ld.shared.u32 %r1, [s+20]; ld.shared.u32 %r2, [s+24]; sub.u32 %r2, %r2, 1;"
     "st.global.v2.u32 [%z+16], {%r1, %r2}; st.async.release.gpu.global.u32 [%z+24], 77;"
     "st.global.u32 [%z+28], 9; red.async.release.sys.add.u32 [%z+28], 4; ret;",
     1,
     {1, 2, 0, 0, 0, 6, 77, 13},
     NULL},
    {"an address that is not a multiple of 16",
     ".shared .align 16 .b32 s[8];",
     STORE " [%z], [s+8], 16; ret;",
     1,
     {0},
     "is not a multiple of 16"},
    {"24 bytes",
     ".shared .align 16 .b32 s[8];",
     "mov.u32 %r1, 24;" STORE " [%z], [s], %r1; ret;",
     1,
     {0},
     "not a multiple of 16"},
    {"0 bytes",
     ".shared .align 8 .b64 mb; .shared .align 16 .b32 s[8];",
     "mbarrier.init.shared.b64 [mb], 1; mov.u32 %r1, 0; st.shared.u32 [s], 5;" STORE
     " [%z], [s], %r1;" LOAD "[s], [%z], %r1, [mb]; st.global.u32 [%z+4], 6;"
     "mbarrier.arrive.shared.b64 _, [mb];" WAIT "ld.shared.u32 %r2, [s];"
     "st.global.u32 [%z+8], %r2; ret;",
     1,
     {0, 6, 5},
     NULL},
    {"a place beyond shared memory",
     ".shared .align 16 .b32 s[8];",
     "mov.u32 %r1, 64;" STORE " [%z], [s], %r1; ret;",
     1,
     {0},
     "not in memory"},
    {"no mbarrier",
     ".shared .align 16 .b32 s[8];",
     LOAD "[s], [%z], 16, [s+16]; ret;",
     1,
     {0},
     "no mbarrier at this address"},
    {"an mbarrier that is gone when the load ends",
     ".shared .align 8 .b64 mb; .shared .align 16 .b32 s[4];",
     "mbarrier.init.shared.b64 [mb], 1;" LOAD
     "[s], [%z], 16, [mb]; mbarrier.inval.shared.b64 [mb]; ret;",
     1,
     {0},
     "no mbarrier here"},
    {"more bytes than an mbarrier counts",
     ".shared .align 8 .b64 mb; .shared .align 16 .b32 s[4];",
     "mbarrier.init.shared.b64 [mb], 2; mbarrier.complete_tx.shared.b64 [mb], 1048570;" LOAD
     "[s], [%z], 16, [mb]; bar.sync 0; ret;",
     1,
     {0},
     "more bytes than an mbarrier counts"},
};
const size_t wl_or_bulk_count = sizeof wl_or_bulk_rows / sizeof wl_or_bulk_rows[0];

/* What reads too early, or writes a source too early, sees another result with some seeds. Words:
 * a destination in shared memory before and behind its wait; one in global memory behind a wait for
 * reads and behind its wait; a source that is written before its read. */
const wl_or_row_t wl_or_bulk_early = {
    "bulk copies, early and late",
    ".shared .align 8 .b64 mb; .shared .align 16 .b32 s[12]; .global .align 16 .u32 g[12] = {5};",
    "st.shared.u32 [s], 0; st.shared.u32 [s+16], 6; st.shared.u32 [s+32], 7; fence.proxy.async;"
    "mbarrier.init.shared.b64 [mb], 1; mbarrier.arrive.expect_tx.shared.b64 _, [mb], 16;" LOAD
    "[s], [g], 16, [mb]; ld.shared.u32 %r1, [s];" WAIT "ld.shared.u32 %r2, [s];"
    "st.global.v2.u32 [%z], {%r1, %r2};" STORE " [g+16], [s+16], 16; cp.async.bulk.commit_group;"
    "cp.async.bulk.wait_group.read 0; ld.volatile.global.u32 %r1, [g+16]; cp.async.bulk.wait_group 0;"
    "ld.volatile.global.u32 %r2, [g+16]; st.global.v2.u32 [%z+8], {%r1, %r2};" STORE
    " [g+32], [s+32], 16; cp.async.bulk.commit_group; st.shared.u32 [s+32], 8;"
    "cp.async.bulk.wait_group 0; ld.volatile.global.u32 %r1, [g+32]; st.global.u32 [%z+16], %r1; ret;",
    1,
    {0},
    NULL};
