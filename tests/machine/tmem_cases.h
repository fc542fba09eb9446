/* tmem_cases.h: what programs of tensor memory (docs/microarchitecture.md 24) share. Warp 0 allocates; all
 * warps then have the first column in R3, and in R2 its address in the quarter of the warp. */
#ifndef WL_TESTS_MACHINE_TMEM_CASES_H
#define WL_TESTS_MACHINE_TMEM_CASES_H
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

#define SHL(d, a, n)    "shf.l.wrap.i " d ", RZ, " a ", " n "\n"
#define AND(d, a, mask) "lop3.rir " d ", " a ", " mask ", RZ {lut=0xc0}\n"
#define IS_WARP_0       "setp.u32.ri P0, PT, R0, 0x20, PT {cmp=lt bop=none}\n"
#define SYNC            "fence\n bar.sync.i B0:0\n"
#define ALLOC(columns)                                                                             \
  IS_WARP_0 "mov.i R3, " columns                                                                   \
            "\n @P0 tmem.alloc R3\n @P0 s2r R3, SR49\n @P0 st.shared.b32 [RZ], R3\n" SYNC          \
            "ld.shared.b32 R3, [RZ]\n" AND("R2", "R0", "0x60")                                     \
                SHL("R2", "R2", "0x10") "add.rr R2, R2, R3\n"
#define FREE(columns) SYNC "mov.i R9, " columns "\n @P0 tmem.dealloc R3, R9\n"
/* R8 = 1,024 times the thread's number. */
#define LABEL SHL("R8", "R0", "0xa")
/* Register n = R8 + k. */
#define SET(n, k) "add.ri R" #n ", R8, " k "\n"
#define SET16                                                                                      \
  SET(16, "0x0")                                                                                   \
  SET(17, "0x1")                                                                                   \
  SET(18, "0x2")                                                                                   \
  SET(19, "0x3")                                                                                   \
  SET(20, "0x4")                                                                                   \
  SET(21, "0x5")                                                                                   \
  SET(22, "0x6")                                                                                   \
  SET(23, "0x7")                                                                                   \
  SET(24, "0x8")                                                                                   \
  SET(25, "0x9")                                                                                   \
  SET(26, "0xa") SET(27, "0xb") SET(28, "0xc") SET(29, "0xd") SET(30, "0xe") SET(31, "0xf")
/* Column c becomes R8 + c, for 16 columns from `at` on. */
#define FILL16(at) SET16 "tmem.st.16 R2, R16:R31, " at "\n add.ri R8, R8, 0x10\n"
#define FILL64     FILL16("0x0") FILL16("0x10") FILL16("0x20") FILL16("0x30")
#define FILL128    FILL64 FILL16("0x40") FILL16("0x50") FILL16("0x60") FILL16("0x70")

#define CASE(what, threads, registers, program, expected)                                          \
  {.name = what,                                                                                   \
   .text = program,                                                                                \
   .block = {threads, 1, 1},                                                                       \
   .regs = registers,                                                                              \
   .columns = 64,                                                                                  \
   .shared = 1024,                                                                                 \
   .want = expected}

#endif
