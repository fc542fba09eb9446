/* memory_cases.c: widths, spaces, conflicts, atomics, constant loads
 * (docs/microarchitecture.md 10-12). */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

static uint32_t extended(uint32_t t) {
  static const uint32_t want[] = {0x80, 0xffffff80, 0x8180, 0xffff8180, 0x83828180};
  return want[t % 5];
}

static uint32_t highest(uint32_t t) { return t == 0 ? 31 : 0; }

static uint32_t overlapped(uint32_t t) { return t == 0 ? 0 : t == 32 ? 0xab : t - 1; }

static uint32_t vector(uint32_t t) { return 3 * 16 * (t / 4) + 9 + t % 4; }

static uint32_t tickets(uint32_t t) { return t; }

static uint32_t wrapped(uint32_t t) { return t % 6; }

static uint32_t counted_down(uint32_t t) { return (5 + 6 - t % 6) % 6; }

static uint32_t wide_sum(uint32_t t) { return t == 0 ? 0xfffffff0u : t == 1 ? 31 : 0; }

static uint32_t swapped(uint32_t t) { return t == 0 ? 100 : t + 99; }

static uint32_t float_sum(uint32_t t) {
  (void)t;
  return 0x42000000; /* 32.0 */
}

static uint32_t own_frame(uint32_t t) { return t * 7 + 1; }

static uint32_t constants(uint32_t t) { return t % 3 == 0 ? 3 : t % 3 == 1 ? 1 : 0; }

static uint32_t stacked(uint32_t t) { return t < 4 ? t * 11 : 0; }

static uint32_t flushed(uint32_t t) { return t == 0 ? 0 : 2; }

static uint32_t far_words(uint32_t thread) { return 4 * thread + UINT32_C(0x1010100); }

/* The lane's word at a place of shared memory: tid.x + value is stored, or it is added to R1. */
#define AT_SHARED(at, value)                                                                       \
  "add.ri R9, R8, " at "\n add.ri R10, R0, " value "\n st.shared.b32 [R9], R10\n"
#define FROM_SHARED(at) "add.ri R9, R8, " at "\n ld.shared.b32 R10, [R9]\n add.rr R1, R1, R10\n"

const machine_case_t machine_memory_cases[] = {
    {.name = "loads extend by type",
     .text = PRO "ldc.b64 R8:R9, c0[RZ+0x200]\n mov.i R2, 0x83828180\n"
                 "st.global.b32 [R8:R9+0x100], R2\n"
                 "ld.global.u8 R1, [R8:R9+0x100]\n st.global.b32 [R8:R9], R1\n"
                 "ld.global.s8 R1, [R8:R9+0x100]\n st.global.b32 [R8:R9+0x4], R1\n"
                 "ld.global.u16 R1, [R8:R9+0x100]\n st.global.b32 [R8:R9+0x8], R1\n"
                 "ld.global.s16 R1, [R8:R9+0x100]\n st.global.b32 [R8:R9+0xc], R1\n"
                 "ld.gen.b32 R1, [R8:R9+0x100]\n st.gen.b32 [R8:R9+0x10], R1\n exit\n",
     .want = extended,
     .words = 5},
    {.name = "shared loads extend, bytes are stored one by one",
     .text = PRO "ldc.b64 R8:R9, c0[RZ+0x200]\n mov.i R2, 0x80\n st.shared.b8 [RZ+0x10], R2\n"
                 "mov.i R2, 0x81\n st.shared.b8 [RZ+0x11], R2\n mov.i R2, 0x8382\n"
                 "st.shared.b16 [RZ+0x12], R2\n"
                 "ld.shared.u8 R1, [RZ+0x10]\n st.global.b32 [R8:R9], R1\n"
                 "ld.shared.s8 R1, [RZ+0x10]\n st.global.b32 [R8:R9+0x4], R1\n"
                 "ld.shared.u16 R1, [RZ+0x10]\n st.global.b32 [R8:R9+0x8], R1\n"
                 "ld.shared.s16 R1, [RZ+0x10]\n st.global.b32 [R8:R9+0xc], R1\n"
                 "ld.shared.b32 R1, [RZ+0x10]\n st.global.b32 [R8:R9+0x10], R1\n exit\n",
     .shared = 64,
     .want = extended,
     .words = 5},
    {.name = "the highest lane's store stays, global",
     .text = PRO "ldc.b64 R8:R9, c0[RZ+0x200]\n st.global.b32 [R8:R9], R0\n exit\n",
     .block = {32, 1, 1},
     .want = highest},
    {.name = "the highest lane's store stays, shared",
     .text = PRO "st.shared.b32 [RZ+0x8], R0\n setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
                 "@!P0 exit\n ld.shared.b32 R1, [RZ+0x8]\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = highest},
    {.name = "overlapping 16-byte and 4-byte stores",
     .text = PRO "mov.r R8, R0\n mov.i R9, 0xab\n"
                 "st.global.b32 [R4:R5], RZ\n st.global.b32 [R4:R5+0x4], R8\n"
                 "setp.u32.ri P0, PT, R0, 0x1f, PT {cmp=eq bop=none}\n"
                 "@P0 st.global.b32 [R4:R5+0x4], R9\n exit\n",
     .block = {32, 1, 1},
     .want = overlapped,
     .words = 33},
    {.name = "vectors through shared memory",
     .text = PRO "mad.lo.rir R8, R0, 0x30, RZ\n add.ri R8, R8, 0x9\n add.ri R9, R8, 0x1\n"
                 "add.ri R10, R8, 0x2\n add.ri R11, R8, 0x3\n shf.l.wrap.i R2, RZ, R0, 0x4\n"
                 "st.shared.b128 [R2], R8:R11\n ld.shared.b64 R12:R13, [R2+0x8]\n"
                 "ld.shared.b64 R14:R15, [R2]\n mov.r R16, R14\n mov.r R17, R15\n"
                 "mov.r R18, R12\n mov.r R19, R13\n"
                 "ldc.b64 R4:R5, c0[RZ+0x200]\n mov.r R3, RZ\n add64.rr R4:R5, R4:R5, R2:R3\n"
                 "st.global.b128 [R4:R5], R16:R19\n exit\n",
     .block = {16, 1, 1},
     .shared = 512,
     .want = vector,
     .words = 64},
    {.name = "shared memory up to the last of 32 KB",
     .text = PRO "shf.l.wrap.i R8, RZ, R0, 0x2\n mov.r R1, RZ\n" AT_SHARED("0x2000", "0x100")
         AT_SHARED("0x4000", "0x10000")
             AT_SHARED("0x7f80", "0x1000000") "st.shared.b32 [R8], R0\n" FROM_SHARED("0x0")
                 FROM_SHARED("0x2000") FROM_SHARED("0x4000") FROM_SHARED("0x7f80") EPI,
     .block = {32, 1, 1},
     .shared = 32768,
     .want = far_words},
    {.name = "global atom: lanes take tickets in order",
     .text = PRO "ldc.b64 R8:R9, c0[RZ+0x200]\n mov.i R2, 0x1\n"
                 "atom.global.add.u32 R1, [R8:R9+0x100], R2\n" EPI,
     .block = {32, 1, 1},
     .want = tickets},
    {.name = "shared atom: lanes take tickets in order",
     .text = PRO "mov.i R2, 0x1\n setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
                 "@P0 st.shared.b32 [RZ+0x4], RZ\n warpsync.i 0xffffffff\n"
                 "atom.shared.add.u32 R1, [RZ+0x4], R2\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = tickets},
    {.name = "atom inc wraps",
     .text = PRO "ldc.b64 R8:R9, c0[RZ+0x200]\n mov.i R2, 0x5\n"
                 "atom.gen.inc.u32 R1, [R8:R9+0x100], R2\n" EPI,
     .block = {32, 1, 1},
     .want = wrapped},
    {.name = "atom dec wraps",
     .text = PRO "ldc.b64 R8:R9, c0[RZ+0x200]\n mov.i R2, 0x5\n"
                 "setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
                 "@P0 st.global.b32 [R8:R9+0x100], R2\n fence\n warpsync.i 0xffffffff\n"
                 "atom.global.dec.u32 R1, [R8:R9+0x100], R2\n" EPI,
     .block = {32, 1, 1},
     .want = counted_down},
    {.name = "64-bit red adds up with carry",
     .text = PRO "ldc.b64 R8:R9, c0[RZ+0x200]\n mov.i R2, 0x7fffffff\n mov.i R2, 0xffffffff\n"
                 "mov.r R3, RZ\n setp.u32.ri P0, PT, R0, 0x10, PT {cmp=lt bop=none}\n"
                 "@P0 add.ri R2, R2, 0x0\n atom.global.add.u64 RZ, [R8:R9], R2:R3\n"
                 "@P0 mov.i R10, 0x1\n @P0 mov.r R11, RZ\n"
                 "@P0 atom.global.add.u64 RZ, [R8:R9], R10:R11\n exit\n",
     .block = {32, 1, 1},
     .want = wide_sum,
     .words = 2},
    {.name = "atom exch hands values from lane to lane",
     .text = PRO "ldc.b64 R8:R9, c0[RZ+0x200]\n add.ri R2, R0, 0x64\n mov.i R3, 0x64\n"
                 "setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
                 "@P0 st.global.b32 [R8:R9+0x100], R3\n fence\n warpsync.i 0xffffffff\n"
                 "atom.global.exch.b32 R1, [R8:R9+0x100], R2\n" EPI,
     .block = {32, 1, 1},
     .want = swapped},
    {.name = "shared f32 add",
     .text = PRO "mov.i R2, 0x3f800000\n setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
                 "@P0 st.shared.b32 [RZ+0x4], RZ\n warpsync.i 0xffffffff\n"
                 "atom.shared.add.f32 RZ, [RZ+0x4], R2\n warpsync.i 0xffffffff\n"
                 "ld.shared.b32 R1, [RZ+0x4]\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = float_sum},
    {.name = "f32 add: subnormals are flushed in global, kept in shared memory",
     .text = PRO "mov.i R2, 0x1\n ldc.b64 R8:R9, c0[RZ+0x200]\n"
                 "st.shared.b32 [RZ+0x4], R2\n st.global.b32 [R8:R9+0x100], R2\n"
                 "atom.global.add.f32 RZ, [R8:R9+0x100], R2\n"
                 "atom.shared.add.f32 RZ, [RZ+0x4], R2\n"
                 "ld.global.b32 R1, [R8:R9+0x100]\n st.global.b32 [R8:R9], R1\n"
                 "ld.shared.b32 R1, [RZ+0x4]\n st.global.b32 [R8:R9+0x4], R1\n exit\n",
     .shared = 64,
     .want = flushed,
     .words = 2},
    {.name = "every thread has its own local frame",
     .text = PRO "mad.lo.rir R1, R0, 0x7, RZ\n add.ri R1, R1, 0x1\n st.local.b32 [RZ+0xc], R1\n"
                 "bar.sync.i B0:0\n mov.i R8, 0xc\n mov.i R9, 0x20000\n"
                 "ld.gen.b32 R1, [R8:R9]\n" EPI,
     .block = {96, 1, 1},
     .local = 16,
     .want = own_frame},
    {.name = "the generic window of shared memory",
     .text = PRO "mad.lo.rir R1, R0, 0xb, RZ\n shf.l.wrap.i R8, RZ, R0, 0x2\n mov.i R9, 0x10000\n"
                 "st.gen.b32 [R8:R9], R1\n ld.shared.b32 R1, [R8]\n" EPI,
     .block = {4, 1, 1},
     .shared = 64,
     .want = stacked},
    {.name = "constant loads with other addresses by lane",
     .text = PRO "mov.r R2, R0\n mod:\n setp.u32.ri P0, PT, R2, 0x3, PT {cmp=lt bop=none}\n"
                 "@P0 bra #have\n add.ri R2, R2, 0xfffffffd\n bra #mod\n have:\n"
                 "mad.lo.rir R2, R2, 0x4, RZ\n add.ri R2, R2, 0x400\n"
                 "ldc.b32 R1, c0[R2-0x400]\n setp.u32.ri P0, PT, R2, 0x408, PT {cmp=eq bop=none}\n"
                 "@P0 mov.r R1, RZ\n" EPI,
     .grid = {3, 1, 1},
     .block = {64, 1, 1},
     .want = constants,
     .words = 64},
    {.name = NULL}};
