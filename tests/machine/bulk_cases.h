/* bulk_cases.h: what programs of the copy engine's commands (docs/microarchitecture.md 23) share. In most of
 * them 128 threads fill global and shared memory, the first one gives the command, and words 0 to 255 of
 * the output tell what a window of the destination holds. */
#ifndef WL_TESTS_MACHINE_BULK_CASES_H
#define WL_TESTS_MACHINE_BULK_CASES_H
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

#define SHL(d, a, n)    "shf.l.wrap.i " d ", RZ, " a ", " n "\n"
#define AND(d, a, mask) "lop3.rir " d ", " a ", " mask ", RZ {lut=0xc0}\n"
#define BASE            "ldc.b64 R20:R21, c0[RZ+0x200]\n"
#define IS_FIRST        "setp.u32.ri P6, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
#define IS_WARP_0       "setp.u32.ri P0, PT, R0, 0x20, PT {cmp=lt bop=none}\n"
#define SYNC            "fence\n bar.sync.i B0:0\n"

/* Word w of shared memory, and of global memory from byte 0x400 of the output on, is V of R10 = w. */
#define SHARED(at, V) V "st.shared.b32 [R9+" at "], R8\n add.ri R10, R10, 0x80\n"
#define GLOBAL(at, V) V "st.global.b32 [R4:R5+" at "], R8\n add.ri R10, R10, 0x80\n"
#define FILL_SHARED(V)                                                                             \
  SHL("R9", "R0", "0x2")                                                                           \
  "mov.r R10, R0\n" SHARED("0x0", V) SHARED("0x200", V) SHARED("0x400", V) SHARED("0x600", V)      \
      SHARED("0x800", V) SHARED("0xa00", V) SHARED("0xc00", V) SHARED("0xe00", V)
#define FILL_GLOBAL(V)                                                                             \
  "mov.r R10, R0\n" GLOBAL("0x400", V) GLOBAL("0x600", V) GLOBAL("0x800", V) GLOBAL("0xa00", V)    \
      GLOBAL("0xc00", V) GLOBAL("0xe00", V)
#define FILL                                                                                       \
  FILL_GLOBAL("add.ri R8, R10, 0x10000\n")                                                         \
  FILL_SHARED("add.ri R8, R10, 0x90000\n")
#define FILL_MIXED                                                                                 \
  FILL_GLOBAL("mad.lo.rir R8, R10, 0x85ebca6b, R10\n")                                             \
  FILL_SHARED("mad.lo.rir R8, R10, 0x9e3779b1, R10\n")
#define FILL_F32                                                                                   \
  FILL_GLOBAL("cvt.f32.u32 R8, R10 {rnd=rn}\n")                                                    \
  FILL_SHARED("mad.lo.rir R8, R10, 0x7, R10\n cvt.f32.u32 R8, R8 {rnd=rn}\n")

/* An mbarrier in the last 8 of 4,096 bytes, of one arrival and so many bytes. */
#define MBARRIER(bytes)                                                                            \
  "mov.i R3, 0x1\n @P6 mbar.shared.init RZ, [RZ+0xff8], R3\n mov.i R3, " bytes                     \
  "\n @P6 mbar.shared.arrivetx RZ, [RZ+0xff8], R3\n"
/* Waits until the phase of parity 0 is over. */
#define WAIT                                                                                       \
  "again:\n mbar.shared.test R16, [RZ+0xff8], RZ\n wait R16, RZ\n"                                 \
  "setp.s32.ri P1, PT, R16, 0x0, PT {cmp=lt bop=none}\n @!P1 bra #again\n"
#define OPERANDS(g, s, k, b)                                                                       \
  "mov.i R22, " g "\n mov.r R23, RZ\n add64.rr R24:R25, R20:R21, R22:R23\n mov.i R26, " s          \
  "\n mov.i R27, " k "\n mov.i R28, " b "\n"
#define LOAD     "bulk.load R24:R27, R28\n"
#define STORE    "bulk.store R24:R27, R28\n"
#define ALL_OVER "bulkcommit\n bulkwait 0x0\n"
#define ALL_READ "bulkcommit\n bulkwait 0x40\n"
#define SHOW_SHARED(window)                                                                        \
  SHL("R9", "R0", "0x2")                                                                           \
  "add.ri R9, R9, " window "\n ld.shared.b32 R1, [R9]\n st.global.b32 [R4:R5], R1\n"               \
  "ld.shared.b32 R1, [R9+0x200]\n st.global.b32 [R4:R5+0x200], R1\n exit\n"
#define SHOW_GLOBAL(first, second)                                                                 \
  SYNC "ld.global.b32 R1, [R4:R5+" first "]\n st.global.b32 [R4:R5], R1\n"                         \
       "ld.global.b32 R1, [R4:R5+" second "]\n st.global.b32 [R4:R5+0x200], R1\n exit\n"

#define CASE(what, program, expected)                                                              \
  {.name = what,                                                                                   \
   .text = program,                                                                                \
   .block = {128, 1, 1},                                                                           \
   .bulk = true,                                                                                   \
   .shared = 4096,                                                                                 \
   .want = expected,                                                                               \
   .words = 256}

#endif
