/* wait_cases.c: waiting for mbarriers and for the barrier of the cluster (docs/microarchitecture.md 21.3,
 * 21.4). */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

/* Lane 0 of the CTA makes objects with n arrivals at `at`; INIT_END: the others may use them. */
#define IS_FIRST    "setp.u32.ri P6, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
#define INIT(at, n) "mov.i R3, " n "\n @P6 mbar.shared.init RZ, [RZ+" at "], R3\n"
#define INIT_END    "fence\n bar.sync.i B0:0\n"
/* Waits until the phase of the parity in a register is over: R16 the test, at most `limit` each time. */
#define WAIT(name, at, parity, limit)                                                              \
  name ":\n mbar.shared.test R16, [RZ+" at "], " parity "\n wait R16, " limit                      \
       "\n setp.s32.ri P1, PT, R16, 0x0, PT {cmp=lt bop=none}\n @!P1 bra #" name "\n"
#define ARRIVE(at) "mov.i R17, 0x1\n mbar.shared.arrive RZ, [RZ+" at "], R17\n"
#define IS_WARP_0  "setp.u32.ri P0, PT, R0, 0x20, PT {cmp=lt bop=none}\n"
#define SLEEP(ns)  "mov.i R18, " ns "\n nanosleep.r R18\n"

static uint32_t seven(uint32_t t) {
  (void)t;
  return 7;
}

static uint32_t handed_over(uint32_t t) { return t < 32 ? t + 100 : t; }

static uint32_t rounds(uint32_t t) {
  (void)t;
  return 10;
}

static uint32_t not_over(uint32_t t) {
  (void)t;
  return 0;
}

static uint32_t by_half(uint32_t t) { return t % 32 < 16 ? 1 : 0; }

static uint32_t other_warp(uint32_t t) { return (t ^ 32u) + 1000; }

static uint32_t rotated(uint32_t t) { return (t + 32) % 96; }

static uint32_t without_third(uint32_t t) { return t < 64 ? (t ^ 32u) + 1000 : 0; }

static uint32_t half_left(uint32_t t) { return t % 32 < 16 ? 0 : 5; }

static uint32_t bytes_in(uint32_t t) {
  (void)t;
  return 0x5555;
}

/* tid.x + 1000 in shared memory at 4 * tid.x + 0x80; the other warp's into R1. */
#define GIVE "add.ri R8, R0, 0x3e8\n shf.l.wrap.i R9, RZ, R0, 0x2\n st.shared.b32 [R9+0x80], R8\n"
#define TAKE "lop3.rir R9, R9, 0x80, RZ {lut=0x3c}\n ld.shared.b32 R1, [R9+0x80]\n"

const machine_case_t machine_wait_cases[] = {
    {.name = "a wait for a phase that is over goes on",
     .text = PRO IS_FIRST INIT("0x0", "0x1") INIT_END
     "mov.i R1, 0x7\n mov.i R3, 0x1\n"
     "mbar.shared.test R16, [RZ], R3\n wait R16, RZ\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = seven},
    {.name = "one warp waits, the other arrives",
     .text = PRO IS_FIRST INIT("0x0", "0x20") INIT_END IS_WARP_0
     "@P0 bra #first\n" SLEEP("0x400") "add.ri R8, R0, 0x44\n shf.l.wrap.i R9, RZ, R0, 0x2\n st.shared.b32 [R9], R8\n" ARRIVE(
         "0x0") "mov.r R1, R0\n" EPI
                "first:\n" WAIT(
                    "again", "0x0", "RZ",
                    "RZ") "shf.l.wrap.i R9, RZ, R0, 0x2\n ld.shared.b32 R1, [R9+0x80]\n" EPI,
     .block = {64, 1, 1},
     .shared = 256,
     .want = handed_over},
    {.name = "one warp waits with a short limit many times",
     .text = PRO IS_FIRST INIT("0x0", "0x20") INIT_END IS_WARP_0
     "@P0 bra #first\n" SLEEP("0x2000") "add.ri R8, R0, 0x44\n shf.l.wrap.i R9, RZ, R0, 0x2\n st.shared.b32 [R9], R8\n" ARRIVE(
         "0x0") "mov.r R1, R0\n" EPI
                "first:\n mov.i R19, 0x28\n" WAIT(
                    "again", "0x0", "RZ",
                    "R19") "shf.l.wrap.i R9, RZ, R0, 0x2\n ld.shared.b32 R1, [R9+0x80]\n" EPI,
     .block = {64, 1, 1},
     .shared = 256,
     .want = handed_over},
    {.name = "a wait for a phase that nobody ends goes on after its limit",
     .text =
         PRO IS_FIRST INIT("0x0", "0x1") INIT_END "mov.i R3, 0x64\n"
                                                  "mbar.shared.test R16, [RZ], RZ\n wait R16, R3\n"
                                                  "shf.r.wrap.i R1, R16, RZ, 0x1f\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = not_over},
    {.name = "a wait longer than the watchdog",
     .text =
         PRO IS_FIRST INIT("0x0", "0x1") INIT_END "mov.i R3, 0x17000\n"
                                                  "mbar.shared.test R16, [RZ], RZ\n wait R16, R3\n"
                                                  "shf.r.wrap.i R1, R16, RZ, 0x1f\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = not_over},
    {.name = "lanes of one instruction that are done and others that are not",
     .text = PRO IS_FIRST INIT("0x0", "0x1") INIT_END
     "mov.i R3, 0x64\n"
     "setp.u32.ri P0, PT, R0, 0x10, PT {cmp=lt bop=none}\n mov.r R8, RZ\n"
     "@P0 mov.i R8, 0x1\n mbar.shared.test R16, [RZ], R8\n wait R16, R3\n"
     "shf.r.wrap.i R1, R16, RZ, 0x1f\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = by_half},
    {.name = "lanes that the guard takes out of a wait",
     .text = PRO IS_FIRST INIT("0x0", "0x1") INIT_END
     "mov.i R3, 0x64\n mov.i R16, 0x80000000\n"
     "setp.u32.ri P0, PT, R0, 0x10, PT {cmp=ge bop=none}\n"
     "@P0 mbar.shared.test R16, [RZ], RZ\n @P0 wait R16, R3\n"
     "shf.r.wrap.i R1, R16, RZ, 0x1f\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = by_half},
    {.name = "two paths of a warp wait for two objects in turns",
     .text = PRO IS_FIRST INIT("0x0", "0x10") INIT("0x8", "0x10") INIT_END
     "mov.r R1, RZ\n mov.r R8, RZ\n"
     "setp.u32.ri P0, PT, R0, 0x10, PT {cmp=lt bop=none}\n @P0 bra #low\n"
     "high:\n" WAIT("high_again", "0x0", "R8", "RZ") ARRIVE(
         "0x8") "lop3.rir R8, R8, 0x1, RZ {lut=0x3c}\n add.ri R1, R1, 0x1\n"
                "setp.u32.ri P2, PT, R1, 0xa, PT {cmp=lt bop=none}\n @P2 bra #high\n bra #end\n"
                "low:\n" ARRIVE("0x0")
                    WAIT("low_again", "0x8", "R8",
                         "RZ") "lop3.rir R8, R8, 0x1, RZ {lut=0x3c}\n add.ri R1, R1, 0x1\n"
                               "setp.u32.ri P2, PT, R1, 0xa, PT {cmp=lt bop=none}\n @P2 bra #low\n"
                               "end:\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = rounds},
    {.name = "three warps pass two objects round",
     .text = PRO IS_FIRST INIT("0x0", "0x60") INIT("0x8", "0x60") INIT_END
     "mov.r R1, RZ\n mov.r R8, RZ\n"
     "loop:\n" ARRIVE("0x0") WAIT("a", "0x0", "R8", "RZ") ARRIVE("0x8")
         WAIT("b", "0x8", "R8",
              "RZ") "lop3.rir R8, R8, 0x1, RZ {lut=0x3c}\n add.ri R1, R1, 0x1\n"
                    "setp.u32.ri P2, PT, R1, 0xa, PT {cmp=lt bop=none}\n @P2 bra #loop\n" EPI,
     .block = {96, 1, 1},
     .shared = 64,
     .want = rounds},
    {.name = "transactions end a phase",
     .text = PRO IS_FIRST INIT("0x0", "0x1") INIT_END IS_WARP_0
     "@!P0 bra #second\n mov.i R3, 0x80\n"
     "@P6 mbar.shared.arrivetx RZ, [RZ], R3\n" WAIT(
         "again", "0x0", "RZ",
         "RZ") "ld.shared.b32 R1, [RZ+0x40]\n" EPI
               "second:\n mov.i R8, 0x5555\n" SLEEP(
                   "0x200") "st.shared.b32 [RZ+0x40], R8\n mov.i R3, 0x4\n"
                            "mbar.shared.complete RZ, [RZ], R3\n mov.r R1, R8\n" EPI,
     .block = {64, 1, 1},
     .shared = 128,
     .want = bytes_in},
    {.name = "barrier of the cluster between two warps",
     .text = PRO GIVE "bar.cluster B3:0\n cwait\n" TAKE EPI,
     .block = {64, 1, 1},
     .shared = 512,
     .want = other_warp},
    {.name = "a warp that comes late to the barrier of the cluster",
     .text = PRO IS_WARP_0 "@P0 bra #both\n" SLEEP("0x300") "both:\n" GIVE
                                                            "bar.cluster B3:0\n cwait\n" TAKE EPI,
     .block = {64, 1, 1},
     .shared = 512,
     .want = other_warp},
    {.name = "work between arrival and wait",
     .text = PRO GIVE "bar.cluster B3:0\n" IS_WARP_0
                      "@P0 bra #wait\n" SLEEP("0x300") "wait:\n cwait\n" TAKE EPI,
     .block = {64, 1, 1},
     .shared = 512,
     .want = other_warp},
    {.name = "many phases of the barrier of the cluster",
     .text =
         PRO "mov.r R1, R0\n mov.r R10, RZ\n shf.l.wrap.i R9, RZ, R0, 0x2\n"
             "loop:\n st.shared.b32 [R9], R1\n bar.cluster B2:0\n cwait\n"
             "add.ri R8, R9, 0x80\n setp.u32.ri P1, PT, R8, 0x180, PT {cmp=ge bop=none}\n"
             "@P1 add.ri R8, R8, 0xfffffe80\n ld.shared.b32 R1, [R8]\n bar.cluster B2:0\n cwait\n"
             "add.ri R10, R10, 0x1\n setp.u32.ri P1, PT, R10, 0x7, PT {cmp=lt bop=none}\n"
             "@P1 bra #loop\n" EPI,
     .block = {96, 1, 1},
     .shared = 512,
     .want = rotated},
    {.name = "a warp that exits counts as arrived",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x40, PT {cmp=ge bop=none}\n @P0 bra #third\n" GIVE
                 "bar.cluster B3:0\n cwait\n" TAKE EPI "third:\n" SLEEP("0x200") "exit\n",
     .block = {96, 1, 1},
     .shared = 512,
     .want = without_third,
     .words = 96},
    {.name = "lanes that exit count as arrived, others come by two ways",
     .text = PRO "mov.i R1, 0x5\n lop3.rir R8, R0, 0x1f, RZ {lut=0xc0}\n"
                 "setp.u32.ri P0, PT, R8, 0x10, PT {cmp=lt bop=none}\n @P0 exit\n"
                 "setp.u32.ri P0, PT, R8, 0x18, PT {cmp=lt bop=none}\n @P0 bra #other\n"
                 "bar.cluster B3:0\n cwait\n bra #end\n"
                 "other:\n bar.cluster B3:0\n cwait\n end:\n" EPI,
     .block = {64, 1, 1},
     .want = half_left,
     .words = 64},
    {.name = "arrival at the barrier of the cluster and another of one number",
     .cause = WL_TRAP_BARRIER_MISUSE,
     .text = PRO IS_WARP_0 "@P0 bra #first\n bar.cluster B3:0\n exit\n"
                           "first:\n bar.arrive.i B3:0\n exit\n",
     .block = {64, 1, 1},
     .any_lanes = true,
     .words = UINT32_MAX},
    {.name = "lanes of a warp at the barrier of the cluster and at another",
     .cause = WL_TRAP_BARRIER_MISUSE,
     .text = PRO "setp.u32.ri P0, PT, R0, 0x8, PT {cmp=lt bop=none}\n @P0 bra #then\n"
                 "bar.arrive.i B3:0\n exit\n then:\n bar.cluster B3:0\n exit\n",
     .block = {32, 1, 1},
     .any_lanes = true,
     .words = UINT32_MAX},
    {.name = "a warp arrives twice at the barrier of the cluster",
     .cause = WL_TRAP_BARRIER_MISUSE,
     .text = PRO IS_WARP_0 "@P0 bar.cluster B3:0\n @P0 bar.cluster B3:0\n bar.sync.i B0:0\n exit\n",
     .block = {64, 1, 1},
     .any_lanes = true,
     .words = UINT32_MAX},
    {.name = NULL}};
