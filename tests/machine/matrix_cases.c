/* matrix_cases.c: matrix loads and stores and movmatrix: the rules of gathered forms, faults, registers at
 * the end of their numbers (docs/microarchitecture.md 5, 7.2, 9, 10.1). Where every byte goes is
 * test_matrix.c's business. */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

/* Chunk t of shared memory holds the words 4 t to 4 t + 3; R8 = its address, R9 the upper word of a
 * generic one. So word t of the first matrix is t, register r of a load without .trans is 32 r + t. */
#define ROWS                                                                                       \
  "shf.l.wrap.i R8, RZ, R0, 0x4\n mov.i R9, 0x10000\n shf.l.wrap.i R16, RZ, R0, 0x2\n"             \
  "add.ri R17, R16, 0x1\n add.ri R18, R16, 0x2\n add.ri R19, R16, 0x3\n"                           \
  "st.shared.b128 [R8], R16:R19\n"
#define BELOW(p, n) "setp.u32.ri P" #p ", PT, R0, " #n ", PT {cmp=lt bop=none}\n"
#define LOAD4       "ldmatrix.shared.b16.x4 R20:R23, [R8]\n"
#define STORE4      "stmatrix.shared.b16.x4 [R8], R20:R23\n"
#define SUM4        "add.rr R1, R20, R21\n add.rr R1, R1, R22\n add.rr R1, R1, R23\n"
#define WARP        .block = {32, 1, 1}, .shared = 512
#define TRAP(what, code, first)                                                                    \
  .name = what, .cause = WL_TRAP_##code, .lane = first, .any_lanes = true

/* 0 + 32 + 64 + 96 + 4 t */
static uint32_t sum(uint32_t t) { return 192 + 4 * t; }
static uint32_t path2(uint32_t t) { return sum(t) + (t < 8 ? 100 : 200); }
static uint32_t path3(uint32_t t) { return sum(t) + (t < 8 ? 100 : t < 20 ? 200 : 300); }
static uint32_t untouched(uint32_t t) { return t + 7; }
static uint32_t plus1(uint32_t t) { return t + 1; }
static uint32_t zero(uint32_t t) { return 0 * t; }
static uint32_t second(uint32_t t) { return 32 + t; }
static uint32_t third(uint32_t t) { return 64 + t; }

/* Element (row, column) of the words t: the half `row mod 2` of word 4 column + row / 2. */
static uint32_t half(uint32_t row, uint32_t column) {
  const uint32_t word = 4 * column + row / 2;
  return row % 2 == 0 ? word & 0xffff : word >> 16;
}
static uint32_t transposed(uint32_t t) {
  return half(t / 4, t % 4 * 2) | half(t / 4, t % 4 * 2 + 1) << 16;
}
static uint32_t transposed2(uint32_t t) { return transposed(t) + (t < 8 ? 100 : 200); }

/* Warp 0 stores; warp 1 loads, and stores what it loaded and 32 more, eight times. */
static uint32_t rounds(uint32_t t) { return t < 32 ? 5 : 8 * (t % 32) + 28 * 32; }

const machine_case_t machine_matrix_cases[] = {
    {.name = "a matrix form whose guard is false everywhere", /* though lanes never were */
     .text = PRO "add.ri R1, R0, 0x7\n mov.i R8, 0x3\n @!PT ldmatrix.shared.b16.x1 R1, [R8]\n"
                 "@!PT stmatrix.shared.b16.x1 [R8], R1\n @!PT movmatrix R1, R1\n" EPI,
     .block = {20, 1, 1},
     .want = untouched},
    {.name = "a guard that is true in all lanes",
     .text = PRO ROWS BELOW(0, 0x20) "@P0 " LOAD4 SUM4 EPI,
     WARP,
     .want = sum},
    {.name = "two paths meet at a load, and a fence waits for it",
     .text = PRO ROWS "mov.i R2, 0x64\n" BELOW(0, 0x8) "@!P0 bra #far\n meet:\n" LOAD4
                                                       "fence\n" SUM4 "add.rr R1, R1, R2\n" EPI
                                                       "far:\n mov.i R2, 0xc8\n bra #meet\n",
     WARP,
     .want = path2},
    {.name = "three paths meet at a load",
     .text = PRO ROWS "mov.i R2, 0x64\n" BELOW(0, 0x8)
         BELOW(1, 0x14) "@!P0 bra #far\n meet:\n" LOAD4 SUM4 "add.rr R1, R1, R2\n" EPI
                        "far:\n @!P1 bra #farther\n mov.i R2, 0xc8\n bra #meet\n farther:\n"
                        "mov.i R2, 0x12c\n bra #meet\n",
     WARP,
     .want = path3},
    {.name = "two paths meet at a store",
     .text = PRO ROWS LOAD4 "add.ri R20, R20, 0x1\n" BELOW(
         0, 0x8) "@!P0 bra #far\n meet:\n" STORE4 "fence\n"
                 "shf.l.wrap.i R6, RZ, R0, 0x2\n ld.shared.b32 R1, [R6]\n" EPI
                 "far:\n mov.r R2, R8\n bra #meet\n",
     WARP,
     .want = plus1},
    {.name = "two paths meet at a movmatrix",
     .text = PRO "mov.i R2, 0x64\n" BELOW(0, 0x8) "@!P0 bra #far\n meet:\n movmatrix R1, R0\n"
                                                  "add.rr R1, R1, R2\n" EPI
                                                  "far:\n mov.i R2, 0xc8\n bra #meet\n",
     WARP,
     .want = transposed2},
    {.name = "a path that waits at a movmatrix keeps its values in the exchange buffer's warp",
     .text =
         PRO BELOW(0, 0x8) "mov.i R2, 0x0\n @!P0 bra #far\n meet:\n movmatrix R1, R0\n"
                           "add.rr R1, R1, R2\n" EPI
                           "far:\n shfl.i R3, PT, R0, R2, 0xffffff00 {xmode=bfly}\n bra #meet\n",
     WARP,
     .want = transposed},
    {.name = "movmatrix after movmatrix", /* of the transposed, and of what comes next */
     .text = PRO "movmatrix R1, R0\n movmatrix R2, R1\n add.ri R3, R2, 0x1\n movmatrix R4, R3\n"
                 "add.ri R1, R2, 0x1\n" /* R4 is part of the address: made again */
                 "shf.l.wrap.i R6, RZ, R0, 0x2\n ldc.b64 R4:R5, c0[RZ+0x200]\n"
                 "add64.rr R4:R5, R4:R5, R6:R7\n" EPI,
     WARP,
     .want = plus1},
    {.name = "a load over its own address",
     .text = PRO ROWS "ldmatrix.shared.b16.x4 R8:R11, [R8]\n mov.r R1, R9\n" EPI,
     WARP,
     .want = second},
    {.name = "a generic load over its own address",
     .text = PRO ROWS "ldmatrix.gen.b16.x4 R8:R11, [R8:R9]\n mov.r R1, R10\n" EPI,
     WARP,
     .want = third},
    {.name = "a load without a destination, a store of nothing",
     .text = PRO ROWS "ldmatrix.shared.b16.x4 RZ, [R8]\n stmatrix.shared.b16.x4 [R8], RZ\n"
                      "ld.shared.b128 R20:R23, [R8]\n" SUM4 EPI,
     WARP,
     .want = zero},
    {.name = "a load beyond the last register",
     .text = PRO ROWS "ldmatrix.shared.b16.x4 R253:R256, [R8]\n mov.r R1, R254\n" EPI,
     WARP,
     .regs = 255,
     .want = second},
    {.name = "a row with an offset",
     .text = PRO ROWS "ldmatrix.shared.b16.x1 R1, [R8+0x80]\n" EPI, /* matrix 1 */
     WARP,
     .want = second},
    {.name = "stores of a warp between loads of another",
     .text = PRO
     "lop3.rir R3, R0, 0x1f, RZ {lut=0xc0}\n shf.l.wrap.i R8, RZ, R3, 0x4\n"
     "mov.i R12, 0x8\n mov.i R1, 0x0\n mov.r R20, R3\n" BELOW(
         0,
         0x20) "@!P0 stmatrix.shared.b16.x1 [R8+0x200], R20\n loop:\n @!P0 bra #one\n"
               "stmatrix.shared.b16t.x1 [R8], R20\n bra #next\n one:\n"
               "ldmatrix.shared.b16.x1 R13, [R8+0x200]\n add.rr R1, R1, R13\n add.ri R13, R13, 0x20\n"
               "stmatrix.shared.b16.x1 [R8+0x200], R13\n next:\n add.ri R12, R12, 0xffffffff\n"
               "setp.u32.ri P1, PT, R12, 0x0, PT {cmp=ne bop=none}\n @P1 bra #loop\n"
               "@P0 mov.i R1, 0x5\n" EPI,
     .block = {64, 1, 1},
     .shared = 1024,
     .want = rounds},
    {TRAP("a load's guard differs between lanes", ALIGNED_GUARD, 5),
     .text = PRO ROWS BELOW(0, 0x5) "here:\n @P0 " LOAD4 "exit\n", WARP},
    {TRAP("a store's guard differs between lanes", ALIGNED_GUARD, 0),
     .text = PRO ROWS BELOW(0, 0x5) "here:\n @!P0 " STORE4 "exit\n", WARP},
    {TRAP("a movmatrix's guard differs between lanes", ALIGNED_GUARD, 5),
     .text = PRO BELOW(0, 0x5) "here:\n @P0 movmatrix R1, R0\n exit\n", WARP},
    {TRAP("two paths meet with different guards", ALIGNED_GUARD, 8),
     .text = PRO ROWS BELOW(0, 0x8) "@!P0 bra #far\n here:\n @P0 " LOAD4
                                    "exit\n far:\n mov.i R2, 0xc8\n bra #here\n",
     WARP},
    {TRAP("a load with lanes that never were", ALIGNED_EXIT, 20),
     .text = PRO ROWS "here:\n" LOAD4 "exit\n", .block = {20, 1, 1}, .shared = 512},
    {TRAP("a store with lanes that have exited", ALIGNED_EXIT, 0),
     .text = PRO ROWS BELOW(0, 0x3) "@P0 exit\n here:\n" STORE4 "exit\n", WARP},
    {TRAP("a movmatrix with lanes that have exited", ALIGNED_EXIT, 3),
     .text = PRO BELOW(0, 0x3) "@!P0 exit\n here:\n movmatrix R1, R0\n exit\n", WARP},
    {TRAP("lanes exit while others wait at a load", ALIGNED_EXIT, 0),
     .text = PRO ROWS BELOW(
         0,
         0x8) "@P0 bra #far\n here:\n" LOAD4 "exit\n far:\n mov.i R2, 0x14\n"
              "loop:\n add.ri R2, R2, 0xffffffff\n setp.u32.ri P1, PT, R2, 0x0, PT {cmp=ne bop=none}\n"
              "@P1 bra #loop\n exit\n",
     WARP},
    {TRAP("paths of two depths at one load", SYNC_DEADLOCK, 0),
     .text = PRO ROWS BELOW(0, 0x8) "@!P0 bra #far\n meet:\n" LOAD4 "exit\n far:\n call R3, #meet\n"
                                    "exit\n",
     WARP},
    {TRAP("two loads at two places", SYNC_DEADLOCK, 0),
     .text = PRO ROWS BELOW(0, 0x8) "@!P0 bra #far\n" LOAD4 "exit\n far:\n" LOAD4 "exit\n", WARP},
    {TRAP("a movmatrix and a shfl", SYNC_DEADLOCK, 0),
     .text = PRO BELOW(0, 0x8) "@!P0 bra #far\n movmatrix R1, R0\n exit\n far:\n"
                               "shfl.i R3, PT, R0, R0, 0xffffffff {xmode=bfly}\n exit\n",
     WARP},
    {TRAP("a misaligned row", MISALIGNED, 3),
     .text = PRO ROWS "setp.u32.ri P0, PT, R0, 0x3, PT {cmp=ge bop=none}\n @P0 add.ri R8, R8, 0x8\n"
                      "here:\n" LOAD4 "exit\n",
     WARP},
    {TRAP("a row of a store beyond the CTA's bytes", OUT_OF_BOUNDS, 31),
     .text = PRO ROWS "add.ri R8, R8, 0x10\n here:\n" STORE4 "exit\n", WARP},
    {TRAP("a row beyond 16 MiB", OUT_OF_BOUNDS, 2),
     .text = PRO ROWS "setp.u32.ri P0, PT, R0, 0x2, PT {cmp=ge bop=none}\n"
                      "@P0 add.ri R8, R8, 0x1000000\n here:\n" LOAD4 "exit\n",
     WARP},
    {TRAP("a generic row in global memory", OUT_OF_BOUNDS, 1),
     .text = PRO ROWS "setp.u32.ri P0, PT, R0, 0x0, PT {cmp=ne bop=none}\n"
                      "lop3.rir R4, R4, 0xfffffff0, RZ {lut=0xc0}\n @P0 mov.r R8, R4\n"
                      "@P0 mov.r R9, R5\n here:\n ldmatrix.gen.b16.x4 R20:R23, [R8:R9]\n exit\n",
     WARP},
    {TRAP("a generic row in local memory", OUT_OF_BOUNDS, 7),
     .text = PRO ROWS "setp.u32.ri P0, PT, R0, 0x7, PT {cmp=eq bop=none}\n @P0 mov.i R9, 0x20000\n"
                      "here:\n stmatrix.gen.b16.x1 [R8:R9], R20\n exit\n",
     WARP, .local = 1024},
    {TRAP("a generic row that is misaligned and elsewhere", MISALIGNED, 0),
     .text = PRO ROWS "mov.i R8, 0x4\n mov.r R9, R5\n here:\n ldmatrix.gen.b16.x1 R20, [R8:R9]\n"
                      "exit\n",
     WARP},
    {TRAP("the last register of a load beyond the pages", REGISTER_RANGE, 0),
     .text = PRO ROWS "here:\n ldmatrix.shared.b16.x4 R29:R32, [R8]\n exit\n", WARP},
    {TRAP("a load with bits that must be zero", ILLEGAL_BITS, 0),
     .text = PRO "here:\n .word 0x0002e11c 0 0 0x1\n exit\n", WARP},
    {.name = NULL}};
