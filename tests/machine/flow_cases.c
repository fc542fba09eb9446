/* flow_cases.c: guards, divergence, calls, comparisons, special registers
 * (docs/microarchitecture.md 6.2, 7). */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

static uint32_t always_full(uint32_t t) {
  (void)t;
  return UINT32_MAX;
}

static uint32_t arms(uint32_t t) { return t < 7 ? 0x7fu : 0xffffff80u; }

static uint32_t parted(uint32_t t) { return t + (t % 2 == 0 ? 200 : 100); }

static uint32_t trips(uint32_t t) { return t % 11 * 3; }

static uint32_t four_ways(uint32_t t) { return 100 + t % 4; }

static uint32_t called(uint32_t t) { return t % 2 == 0 ? 2 * t + 5 : 3 * t + 5; }

static uint32_t recursed(uint32_t t) { return t; }

static uint32_t selected(uint32_t t) { return (t >= 4) != (t >= 9) ? 1 : t < 4 ? 2 : 3; }

static uint32_t linear3(uint32_t t) {
  uint32_t x = t % 5;
  uint32_t y = t / 5 % 3;
  uint32_t z = t / 15 % 4;
  return x | y << 8 | z << 16 | (t / 60) << 24;
}

static uint32_t lanemasks(uint32_t t) {
  uint32_t lane = t % 32;
  uint32_t eq = 1u << lane;
  /* le + lt + ge + gt + eq, added up as the program does. */
  return (eq | (eq - 1)) + (eq - 1) + ~(eq - 1) + ~(eq | (eq - 1)) + eq;
}

static uint32_t geometry(uint32_t t) {
  (void)t;
  return 5 + 3 * 16 + 4 * 256 + 2 * 4096;
}

static uint32_t two_lanes(uint32_t t) { return t < 2 ? 7 + t : 0; }

static uint32_t lock_total(uint32_t t) { return t == 0 ? 32 : 0; }

static uint32_t top_pair(uint32_t t) { return 0x1234 + t; }

static uint32_t slept(uint32_t t) { return t + 1; }

static uint32_t young(uint32_t t) {
  (void)t;
  return 0; /* the device has not run for 2^32 cycles */
}

static uint32_t negatives(uint32_t t) {
  (void)t;
  return 2 + 4 + 8 + 16 + 32;
}

const machine_case_t machine_flow_cases[] = {
    {.name = "eight warps part and meet",
     .text = PRO "lop3.rir R2, R0, 0x1, RZ {lut=0xc0}\n"
                 "setp.u32.ri P0, PT, R2, 0x0, PT {cmp=eq bop=none}\n @P0 bra #even\n"
                 "add.ri R1, R0, 0x64\n bra #meet\n"
                 "even:\n add.ri R1, R0, 0xc8\n meet:\n" EPI,
     .block = {256, 1, 1},
     .want = parted},
    {.name = "guard false everywhere",
     .text = PRO "mov.i R1, 0xffffffff\n @!PT mov.i R1, 0x1\n @!PT bra #over\n @!PT exit\n"
                 "@!PT trap\n over:\n" EPI,
     .block = {64, 1, 1},
     .want = always_full},
    {.name = "reconvergence after if and else",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x7, PT {cmp=lt bop=none}\n @P0 bra #then\n"
                 "mov.r R2, R0\n bra #join\n then:\n mov.r R3, R0\n join:\n activemask R1\n" EPI,
     .block = {32, 1, 1},
     .want = always_full},
    {.name = "activemask inside the arms",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x7, PT {cmp=lt bop=none}\n @P0 bra #then\n"
                 "activemask R1\n bra #join\n then:\n activemask R1\n join:\n" EPI,
     .block = {32, 1, 1},
     .want = arms},
    {.name = "loop with other trip counts by lane",
     .text = PRO "mov.i R3, 0xb\n mov.r R2, R0\n mod:\n"
                 "setp.u32.ri P0, PT, R2, 0xb, PT {cmp=lt bop=none}\n @P0 bra #count\n"
                 "add.ri R2, R2, 0xfffffff5\n bra #mod\n count:\n mov.r R1, RZ\n"
                 "setp.u32.ri P1, PT, R2, 0x0, PT {cmp=eq bop=none}\n @P1 bra #done\n"
                 "again:\n add.ri R1, R1, 0x3\n add.ri R2, R2, 0xffffffff\n"
                 "setp.u32.ri P0, PT, R2, 0x0, PT {cmp=ne bop=none}\n @P0 bra #again\n done:\n" EPI,
     .block = {96, 1, 1},
     .want = trips},
    {.name = "brx to four places",
     .text = PRO "lop3.rir R2, R0, 0x3, RZ {lut=0xc0}\n mad.lo.rir R2, R2, 0x2, RZ\n"
                 "add.ri R2, R2, 0x9\n brx R2\n"
                 "mov.i R1, 0x64\n bra #join\n mov.i R1, 0x65\n bra #join\n"
                 "mov.i R1, 0x66\n bra #join\n mov.i R1, 0x67\n bra #join\n join:\n" EPI,
     .block = {32, 1, 1},
     .want = four_ways},
    {.name = "divergent calls, one inside the other",
     .text = PRO "lop3.rir R3, R0, 0x1, RZ {lut=0xc0}\n"
                 "setp.u32.ri P0, PT, R3, 0x1, PT {cmp=eq bop=none}\n @P0 bra #odd\n"
                 "call R8, #twice\n bra #join\n odd:\n call R8, #thrice\n join:\n" EPI
                 "twice:\n add.rr R1, R0, R0\n bra #plus\n"
                 "thrice:\n add.rr R1, R0, R0\n add.rr R1, R1, R0\n"
                 "plus:\n call R9, #five\n ret R8\n five:\n add.ri R1, R1, 0x5\n ret R9\n",
     .block = {32, 1, 1},
     .want = called},
    {.name = "callx to a register",
     .text = PRO "mov.i R2, 0x9\n callx R8, R2\n" EPI "mov.r R1, R0\n ret R8\n",
     .block = {33, 1, 1},
     .want = recursed},
    {.name = "recursion to another depth in each lane",
     .text = PRO "mov.r R1, RZ\n mov.r R2, R0\n call R8, #down\n" EPI
                 "down:\n setp.u32.ri P0, PT, R2, 0x0, PT {cmp=eq bop=none}\n @P0 bra #back\n"
                 "shf.l.wrap.i R10, RZ, R2, 0x2\n st.local.b32 [R10], R8\n"
                 "add.ri R2, R2, 0xffffffff\n add.ri R1, R1, 0x1\n call R8, #down\n"
                 "add.ri R2, R2, 0x1\n shf.l.wrap.i R10, RZ, R2, 0x2\n ld.local.b32 R8, [R10]\n"
                 "back:\n ret R8\n",
     .block = {32, 1, 1},
     .local = 256,
     .want = recursed},
    {.name = "setp with two results, plop, selp",
     .text = PRO "setp.u32.ri P1, PT, R0, 0x9, PT {cmp=ge bop=none}\n"
                 "setp.u32.ri P0, P2, R0, 0x4, P1 {cmp=ge bop=xor}\n"
                 "plop P3, P0, !P1 {bop=and}\n"
                 "mov.i R2, 0x1\n mov.i R3, 0x2\n mov.i R8, 0x3\n"
                 "selp.rr R1, R3, R8, !P1\n @P0 mov.r R1, R2\n" EPI,
     .block = {32, 1, 1},
     .want = selected},
    {.name = "thread indices in three dimensions",
     .text = "s2r R0, SR0\n s2r R1, SR1\n s2r R2, SR2\n s2r R3, SR6\n s2r R8, SR3\n s2r R9, SR4\n"
             "s2r R10, SR5\n mad.lo.rrr R11, R2, R9, R1\n mad.lo.rrr R11, R11, R8, R0\n"
             "mad.lo.rrr R12, R8, R9, RZ\n mad.lo.rrr R12, R12, R10, RZ\n"
             "mad.lo.rrr R11, R3, R12, R11\n ldc.b64 R4:R5, c0[RZ+0x200]\n"
             "shf.l.wrap.i R6, RZ, R11, 0x2\n mov.r R7, RZ\n add64.rr R4:R5, R4:R5, R6:R7\n"
             "mad.lo.rir R1, R1, 0x100, R0\n mad.lo.rir R1, R2, 0x10000, R1\n"
             "mad.lo.rir R1, R3, 0x1000000, R1\n" EPI,
     .grid = {3, 1, 1},
     .block = {5, 3, 4},
     .want = linear3},
    {.name = "lane masks",
     .text = PRO "s2r R1, SR19\n s2r R2, SR20\n add.rr R1, R1, R2\n s2r R2, SR21\n"
                 "add.rr R1, R1, R2\n s2r R2, SR22\n add.rr R1, R1, R2\n s2r R2, SR23\n"
                 "add.rr R1, R1, R2\n" EPI,
     .block = {64, 1, 1},
     .want = lanemasks},
    {.name = "extents; unassigned special register reads 0",
     .text = PRO "s2r R1, SR3\n s2r R2, SR4\n mad.lo.rir R1, R2, 0x10, R1\n s2r R2, SR5\n"
                 "mad.lo.rir R1, R2, 0x100, R1\n s2r R2, SR9\n mad.lo.rir R1, R2, 0x1000, R1\n"
                 "s2r R2, SR200\n add.rr R1, R1, R2\n s2r R2, SR64\n add.rr R1, R1, R2\n" EPI,
     .grid = {2, 1, 1},
     .block = {5, 3, 4},
     .want = geometry,
     .words = 5},
    {.name = "a lane waits for a lane behind it",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=none}\n @!P0 bra #writer\n"
                 "mov.i R1, 0x7\n poll:\n ld.global.b32 R2, [R4:R5+0x4] {strong}\n"
                 "setp.u32.ri P1, PT, R2, 0x0, PT {cmp=eq bop=none}\n @P1 bra #poll\n" EPI
                 "writer:\n mov.i R1, 0x8\n" EPI,
     .block = {2, 1, 1},
     .want = two_lanes},
    {.name = "a lane waits for a lane before it",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=none}\n @!P0 bra #poll\n"
                 "mov.i R1, 0x7\n" EPI "poll:\n ld.global.b32 R2, [R4:R5-0x4] {strong}\n"
                 "setp.u32.ri P1, PT, R2, 0x0, PT {cmp=eq bop=none}\n @P1 bra #poll\n"
                 "mov.i R1, 0x8\n" EPI,
     .block = {2, 1, 1},
     .want = two_lanes},
    {.name = "a lock taken by every lane in turn",
     .text = "ldc.b64 R4:R5, c0[RZ+0x200]\n mov.i R2, 0x1\n try:\n"
             "atom.global.cas.b32 R3, [R4:R5+0x100], RZ, R2\n"
             "setp.u32.ri P0, PT, R3, 0x0, PT {cmp=ne bop=none}\n @P0 bra #try\n"
             "ld.global.b32 R1, [R4:R5] {strong}\n add.ri R1, R1, 0x1\n"
             "st.global.b32 [R4:R5], R1 {strong}\n fence {scope=gpu}\n"
             "atom.global.exch.b32 RZ, [R4:R5+0x100], RZ\n exit\n",
     .block = {32, 1, 1},
     .want = lock_total,
     .words = 1},
    {.name = "the pair R254:R255",
     .text = PRO "mov.i R8, 0x1234\n mov.i R9, 0x55\n mov.r R10, R0\n mov.r R11, RZ\n"
                 "add64.rr R254:R255, R8:R9, R10:R11\n add64.rr R2:R3, R254:R255, RZ\n"
                 "add.rr R1, R2, R3\n" EPI,
     .block = {32, 1, 1},
     .regs = 255,
     .want = top_pair},
    {.name = "nanosleep of other lengths by lane",
     .text = PRO "mov.r R1, RZ\n mov.r R2, R0\n again:\n mad.lo.rir R3, R0, 0xa, RZ\n"
                 "nanosleep.r R3\n add.ri R1, R1, 0x1\n add.ri R2, R2, 0xffffffff\n"
                 "setp.s32.ri P0, PT, R2, 0x0, PT {cmp=ge bop=none}\n @P0 bra #again\n" EPI,
     .block = {40, 1, 1},
     .want = slept},
    {.name = "a sleep longer than the watchdog",
     .text = PRO "mov.i R3, 0x17000\n nanosleep.r R3\n add.ri R1, R0, 0x1\n" EPI,
     .block = {40, 1, 1},
     .want = slept},
    {.name = "the clock beyond 18 bits",
     .text = PRO "mov.i R3, 0x41000\n nanosleep.r R3\n s2r R1, SR25\n s2r R2, SR27\n"
                 "lop3.rrr R1, R1, R2, RZ {lut=0xfc}\n" EPI,
     .want = young},
    /* a = -(1 + lane / 2^23), b = -2: b is less, whichever stands first. */
    {.name = "two negative f32",
     .text = PRO "mov.i R2, 0xbf800000\n add.rr R2, R2, R0\n mov.i R3, 0xc0000000\n mov.r R1, RZ\n"
                 "setp.f32.rr P0, PT, R2, R3, PT {cmp=lt bop=none}\n @P0 add.ri R1, R1, 0x1\n"
                 "setp.f32.rr P0, PT, R3, R2, PT {cmp=lt bop=none}\n @P0 add.ri R1, R1, 0x2\n"
                 "min.f32.rr R8, R2, R3\n setp.u32.rr P0, PT, R8, R3, PT {cmp=eq bop=none}\n"
                 "@P0 add.ri R1, R1, 0x4\n"
                 "min.f32.rr R8, R3, R2\n setp.u32.rr P0, PT, R8, R3, PT {cmp=eq bop=none}\n"
                 "@P0 add.ri R1, R1, 0x8\n"
                 "max.f32.rr R8, R2, R3\n setp.u32.rr P0, PT, R8, R2, PT {cmp=eq bop=none}\n"
                 "@P0 add.ri R1, R1, 0x10\n"
                 "max.f32.rr R8, R3, R2\n setp.u32.rr P0, PT, R8, R2, PT {cmp=eq bop=none}\n"
                 "@P0 add.ri R1, R1, 0x20\n" EPI,
     .block = {32, 1, 1},
     .want = negatives},
    {.name = "two warps at two barriers",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x20, PT {cmp=lt bop=none}\n @P0 bra #one\n"
                 "bar.sync.i B2:0\n bra #end\n one:\n bar.sync.i B1:0\n end:\n mov.r R1, RZ\n" EPI,
     .block = {64, 1, 1},
     .hang = true},
    {.name = NULL}};
