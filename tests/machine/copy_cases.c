/* copy_cases.c: cp.async (docs/microarchitecture.md 22): copies to shared memory, groups of them, and
 * arrivals behind them. */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

/* Thread t's place in the upper half of the output, for the sources of copies: 8 or 16 bytes each. */
#define SOURCE(shift)                                                                              \
  "ldc.b64 R20:R21, c0[RZ+0x200]\n mov.r R23, RZ\n shf.l.wrap.i R22, RZ, R0, " shift               \
  "\n add64.rr R20:R21, R20:R21, R22:R23\n"
#define SHL(d, a, n)    "shf.l.wrap.i " d ", RZ, " a ", " n "\n"
#define XOR(d, a, mask) "lop3.rir " d ", " a ", " mask ", RZ {lut=0x3c}\n"
#define AND(d, a, mask) "lop3.rir " d ", " a ", " mask ", RZ {lut=0xc0}\n"
#define IS_FIRST        "setp.u32.ri P6, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
#define IS_WARP_0       "setp.u32.ri P0, PT, R0, 0x20, PT {cmp=lt bop=none}\n"
#define ALL_OVER        "cpcommit\n cpwait 0x0\n"
/* Waits until the phase of parity 0 of the mbarrier at `at` is over. */
#define WAIT(at)                                                                                   \
  "again:\n mbar.shared.test R16, [RZ+" at "], RZ\n wait R16, RZ\n"                                \
  "setp.s32.ri P1, PT, R16, 0x0, PT {cmp=lt bop=none}\n @!P1 bra #again\n"

/* A copy of `type` by n lanes after a long one, for n from 1 to 16. */
#define AFTER_ANOTHER(type)                                                                        \
  "mov.i R10, 0x1\n" type ":\n setp.u32.rr P0, PT, R0, R10, PT {cmp=lt bop=none}\n"                \
  "cpasync.b128 [R20:R21+0x800], R9\n @P0 cpasync." type " [R20:R21+0xc00], R11\n" ALL_OVER        \
  "add.ri R10, R10, 0x1\n setp.u32.ri P0, PT, R10, 0x11, PT {cmp=lt bop=none}\n @P0 bra #" type    \
  "\n"

static uint32_t across(uint32_t t) { return (t ^ 31u) + 0x300; }

static uint32_t pairs(uint32_t t) { return ((t ^ 1u) << 8) + 0x51; }

static uint32_t fours(uint32_t t) { return 4 * (t ^ 5u) + 7 + t % 4; }

static uint32_t odd_only(uint32_t t) { return t % 2 == 1 ? t + 0x300 : 0x99; }

static uint32_t eight_rounds(uint32_t t) { return 8 * (t ^ 1u) + 28; }

static uint32_t two_groups(uint32_t t) { return t + 0x300 + (t + 0x500); }

static uint32_t plus_768(uint32_t t) { return t + 0x300; }

static uint32_t plus_2048(uint32_t t) { return t + 0x300 + 0x500; }

static uint32_t handed(uint32_t t) { return t < 32 ? t : (t ^ 32u) + 0x300; }

static uint32_t inc_words(uint32_t word) {
  static const uint32_t want[] = {
      2,       4, /* P 2, E 2 */
      5,       4, /* three more */
      5,       4, /* none more */
      0xfffff, 4, /* as many as there can be */
      2,       5, /* they arrived: the next phase */
  };
  return want[word];
}

static uint32_t seven(uint32_t t) {
  (void)t;
  return 7;
}

#define FAULT_AT(what, code, at_lane, mask, insn)                                                  \
  {.name = what,                                                                                   \
   .cause = WL_TRAP_##code,                                                                        \
   .lane = at_lane,                                                                                \
   .lanes = mask,                                                                                  \
   .text = PRO SHL("R9", "R0", "0x4") "mov.i R3, 0x20000\n mov.r R2, RZ\n" insn "\n exit\n",       \
   .block = {32, 1, 1},                                                                            \
   .shared = 512,                                                                                  \
   .local = 64}
#define FAULT(what, code, insn) FAULT_AT(what, code, 0, 0xffffffff, "here:\n" insn)
/* Lane n's register is another one. */
#define IN_LANE(n, change) "setp.u32.ri P0, PT, R0, " n ", PT {cmp=eq bop=none}\n @P0 " change "\n"

const machine_case_t machine_copy_cases[] = {
    {.name = "copies of 4 bytes",
     .text = PRO "add.ri R8, R0, 0x300\n st.global.b32 [R4:R5+0x800], R8\n" SHL(
         "R9", "R0", "0x2") "cpasync.b32 [R4:R5+0x800], R9\n" ALL_OVER
                            "fence\n" XOR("R9", "R9", "0x7c") "ld.shared.b32 R1, [R9]\n" EPI,
     .block = {32, 1, 1},
     .shared = 256,
     .want = across},
    {.name = "copies of 8 bytes",
     .text = PRO SOURCE("0x3") "add.ri R10, R0, 0x50\n" SHL(
         "R11", "R0",
         "0x8") "st.global.b64 [R20:R21+0x800], R10:R11\n" SHL("R9", "R0",
                                                               "0x3") "cpasync.b64 [R20:R21+0x800], R9\n" ALL_OVER
         XOR("R9", "R9", "0x8") "ld.shared.b64 R10:R11, [R9]\n" XOR(
             "R12", "R0", "0x1") "sub.rr R10, R10, R12\n"
                                 "add.rr R1, R10, R11\n add.ri R1, R1, 0x1\n" EPI,
     .block = {32, 1, 1},
     .shared = 256,
     .want = pairs},
    {.name = "copies of 16 bytes",
     .text = PRO SOURCE("0x4") SHL(
         "R8", "R0",
         "0x2") "add.ri R8, R8, 0x7\n add.ri R9, R8, 0x1\n add.ri R10, R8, 0x2\n add.ri R11, R8, 0x3\n"
                "st.global.b128 [R20:R21+0x800], R8:R11\n" XOR("R9", "R0", "0x5")
                    SHL("R9", "R9", "0x4") "cpasync.b128 [R20:R21+0x800], R9\n" ALL_OVER SHL(
                        "R9", "R0", "0x4") AND("R12", "R0", "0x3")
                        SHL("R12", "R12", "0x2") "add.rr R9, R9, R12\n"
                                                 "ld.shared.b32 R1, [R9]\n" EPI,
     .block = {32, 1, 1},
     .shared = 512,
     .want = fours},
    {.name = "copies of 16 bytes to one bank's column, from sectors apart",
     .text = PRO SOURCE("0x4") SHL(
         "R8", "R0",
         "0x2") "add.ri R8, R8, 0x7\n add.ri R9, R8, 0x1\n add.ri R10, R8, 0x2\n add.ri R11, R8, 0x3\n"
                "st.global.b128 [R20:R21+0x800], R8:R11\n" XOR("R9", "R0", "0x5")
                    SHL("R9", "R9", "0x7") "cpasync.b128 [R20:R21+0x800], R9\n" ALL_OVER SHL(
                        "R9", "R0", "0x7") AND("R12", "R0", "0x3")
                        SHL("R12", "R12", "0x2") "add.rr R9, R9, R12\n"
                                                 "ld.shared.b32 R1, [R9]\n" EPI,
     .block = {32, 1, 1},
     .shared = 4096,
     .want = fours},
    {.name = "copies of some lanes",
     .text = PRO "add.ri R8, R0, 0x300\n st.global.b32 [R4:R5+0x800], R8\n" SHL(
         "R9", "R0",
         "0x2") "mov.i R8, 0x99\n st.shared.b32 [R9], R8\n" AND("R8", "R0",
                                                                "0x1") "setp.u32.ri P0, PT, R8, 0x1, PT {cmp=eq bop=none}\n"
                                                                       "@P0 cpasync.b32 [R4:R5+0x800], R9\n" ALL_OVER
                                                                       "ld.shared.b32 R1, [R9]\n" EPI,
     .block = {32, 1, 1},
     .shared = 256,
     .want = odd_only},
    {.name = "a wait of some lanes, of two paths",
     .text = PRO "add.ri R8, R0, 0x300\n st.global.b32 [R4:R5+0x800], R8\n" SHL(
         "R9", "R0",
         "0x2") "mov.i R8, 0x99\n st.shared.b32 [R9], R8\n" AND("R8", "R0",
                                                                "0x1") "setp.u32.ri P0, PT, R8, 0x1, PT {cmp=eq bop=none}\n @!P0 bra #even\n"
                                                                       "cpasync.b32 [R4:R5+0x800], R9\n cpcommit\n @P0 cpwait 0x0\n"
                                                                       "ld.shared.b32 R1, [R9]\n" EPI
                                                                       "even:\n @!P0 cpwait 0x3\n cpwait 0x0\n"
                                                                       "ld.shared.b32 R1, [R9]\n" EPI,
     .block = {32, 1, 1},
     .shared = 256,
     .want = odd_only},
    {.name = "eight copies of a warp one behind the other, four warps",
     .text = PRO "mov.r R10, RZ\n mov.r R1, RZ\n" SHL("R9", "R0", "0x2") SHL(
         "R11", "R0",
         "0x0") "put:\n st.global.b32 [R4:R5+0x800], R11\n cpasync.b32 [R4:R5+0x800], R9\n"
                "add.ri R9, R9, 0x200\n add.ri R11, R11, 0x1\n add.ri R10, R10, 0x1\n"
                "setp.u32.ri P0, PT, R10, 0x8, PT {cmp=lt bop=none}\n @P0 bra #put\n" ALL_OVER
                "bar.sync.i B0:0\n" XOR("R9", "R0", "0x1") SHL(
                    "R9", "R9",
                    "0x2") "mov.r R10, RZ\n"
                           "get:\n ld.shared.b32 R12, [R9]\n add.rr R1, R1, R12\n add.ri R9, R9, 0x200\n"
                           "add.ri R10, R10, 0x1\n setp.u32.ri P0, PT, R10, 0x8, PT {cmp=lt bop=none}\n"
                           "@P0 bra #get\n" EPI,
     .block = {128, 1, 1},
     .shared = 4096,
     .want = eight_rounds},
    {.name = "two groups, the first waited for alone",
     .text =
         PRO "add.ri R8, R0, 0x300\n st.global.b32 [R4:R5+0x800], R8\n add.ri R8, R0, 0x500\n"
             "st.global.b32 [R4:R5+0xc00], R8\n" SHL(
                 "R9", "R0",
                 "0x2") "cpasync.b32 [R4:R5+0x800], R9\n cpcommit\n"
                        "cpasync.b32 [R4:R5+0xc00], R9\n cpcommit\n"
                        "cpwait 0x1\n ld.shared.b32 R12, [R9]\n"
                        "cpwait 0x0\n ld.shared.b32 R13, [R9]\n"
                        /* The second copy may be over with the first. */
                        "setp.u32.rr P0, PT, R12, R13, PT {cmp=eq bop=none}\n @P0 mov.r R12, R8\n"
                        "@P0 add.ri R12, R12, 0xfffffe00\n"
                        "add.rr R1, R12, R13\n" EPI,
     .block = {96, 1, 1},
     .shared = 512,
     .want = two_groups},
    /* The end of the first copy wakes the warp, which asks again while the second one moves its words. For some n the
     * second one ends in the cycle of the question. It is still in use then: the warp waits once more. */
    {.name = "a copy of one lane, of two and so on, which ends after another one",
     .text = PRO
     "ldc.b64 R20:R21, c0[RZ+0x200]\n mov.i R8, 0x300\n st.global.b32 [R20:R21+0x800], R8\n"
     "mov.i R8, 0x500\n st.global.b32 [R20:R21+0xc00], R8\n" SHL(
         "R9", "R0", "0x7") "add.ri R11, R9, 0x10\n" AFTER_ANOTHER("b32")
         AFTER_ANOTHER(
             "b128") "ld.shared.b32 R12, [R9]\n ld.shared.b32 R13, [RZ+0x10]\n add.rr R1, R12, R13\n"
                     "add.rr R1, R1, R0\n" EPI,
     .block = {32, 1, 1},
     .shared = 4096,
     .want = plus_2048},
    {.name = "empty groups, and more of them than are counted",
     .text = PRO "add.ri R8, R0, 0x300\n st.global.b32 [R4:R5+0x800], R8\n" SHL(
         "R9", "R0",
         "0x2") "cpwait 0x0\n cpcommit\n cpasync.b32 [R4:R5+0x800], R9\n mov.r R10, RZ\n"
                "more:\n cpcommit\n add.ri R10, R10, 0x1\n"
                "setp.u32.ri P0, PT, R10, 0x46, PT {cmp=lt bop=none}\n @P0 bra #more\n"
                "cpwait 0x3e\n ld.shared.b32 R1, [R9]\n" EPI,
     .block = {64, 1, 1},
     .shared = 256,
     .want = plus_768},
    {.name = "a copy that is not in a group is not waited for",
     .text = PRO "mov.i R1, 0x7\n cpasync.b32 [R4:R5+0x800], RZ\n cpwait 0x0\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = seven},
    {.name = "a warp that ends with copies under way, and the next CTA",
     .text = PRO "mov.i R1, 0x7\n shf.l.wrap.i R9, RZ, R0, 0x4\n cpasync.b128 [R4:R5-0x0], R9\n"
                 "st.global.b32 [R4:R5], R1\n exit\n",
     .grid = {12, 1, 1},
     .block = {1, 1, 1},
     .shared = 8192,
     .want = seven,
     .words = 1},
    {.name = "arrivals behind copies",
     .text = PRO IS_FIRST
     "mov.i R3, 0x20\n @P6 mbar.shared.init RZ, [RZ], R3\n fence\n bar.sync.i B0:0\n" IS_WARP_0
     "@P0 bra #first\n add.ri R8, R0, 0x2e0\n" XOR("R8", "R0", "0x20") "add.ri R8, R8, 0x300\n st.global.b32 [R4:R5+0x800], R8\n" SHL(
         "R9", "R0", "0x2") "cpasync.b32 [R4:R5+0x800], R9\n cparrive.shared [RZ]\n"
                            "cpasync.b32 [R4:R5+0x800], R9\n" WAIT(
                                "0x0") "ld.shared.b32 R1, [R9]\n" EPI "first:\n mov.r R1, R0\n" EPI,
     .block = {64, 1, 1},
     .shared = 512,
     .want = handed},
    {.name = "arrivals behind copies of another warp, generic address",
     .text = PRO IS_FIRST
     "mov.i R3, 0x20\n @P6 mbar.shared.init RZ, [RZ+0x8], R3\n fence\n bar.sync.i B0:0\n"
     "mov.i R2, 0x8\n mov.i R3, 0x10000\n" IS_WARP_0 "@!P0 bra #second\n add.ri R8, R0, 0x300\n"
     "st.global.b32 [R4:R5+0x800], R8\n" SHL(
         "R9", "R0", "0x2") "add.ri R10, R9, 0x200\n add.ri R9, R9, 0x80\n"
                            "cpasync.b32 [R4:R5+0x800], R10\n cpasync.b32 [R4:R5+0x800], R9\n"
                            "cparrive.gen [R2:R3]\n mov.r R1, R0\n" EPI "second:\n" WAIT("0x8")
                                SHL("R9", "R0", "0x2") "ld.shared.b32 R1, [R9]\n" EPI,
     .block = {64, 1, 1},
     .shared = 1024,
     .want = handed},
    {.name = "more arrivals are pending",
     .text = PRO "mov.i R3, 0x2\n mbar.shared.init RZ, [RZ], R3\n"
                 "mov.i R3, 0x3\n mbar.shared.inc R10:R11, [RZ], R3\n"
                 "st.global.b64 [R4:R5], R10:R11\n"
                 "mov.i R2, 0x0\n mov.i R3, 0x10000\n mbar.gen.inc R10:R11, [R2:R3], RZ\n"
                 "st.global.b64 [R4:R5+0x8], R10:R11\n"
                 "mov.i R3, 0xffffa\n mbar.shared.inc R10:R11, [RZ], R3\n"
                 "st.global.b64 [R4:R5+0x10], R10:R11\n"
                 "mov.i R3, 0xfffff\n mbar.shared.arrive R10:R11, [RZ], R3\n"
                 "st.global.b64 [R4:R5+0x18], R10:R11\n"
                 "mbar.shared.inc R10:R11, [RZ], RZ\n"
                 "st.global.b64 [R4:R5+0x20], R10:R11\n exit\n",
     .shared = 64,
     .want = inc_words,
     .words = 10},
    FAULT("source misaligned", MISALIGNED, "cpasync.b64 [R4:R5+0x2], R9"),
    FAULT("source out of bounds", OUT_OF_BOUNDS, "cpasync.b32 [R2:R3], R9"),
    FAULT_AT("destination misaligned", MISALIGNED, 0, 0xffffffff,
             SHL("R8", "R0", "0x4") "mov.r R6, R4\n mov.r R7, R5\n add.ri R9, R9, 0x8\n"
                                    "mov.r R6, R4\n" AND(
                                        "R6", "R6",
                                        "0xffffff00") "here:\n cpasync.b128 [R6:R7+0x800], R9"),
    FAULT_AT("destination behind the CTA's bytes, one lane", OUT_OF_BOUNDS, 11, 0xffffffff,
             IN_LANE("0xb", "mov.i R9, 0x1fe0") "here:\n cpasync.b32 [R4:R5+0x800], R9"),
    FAULT_AT("destination just behind the CTA's bytes", OUT_OF_BOUNDS, 31, 0xffffffff,
             IN_LANE("0x1f", "mov.i R9, 0x200") "here:\n cpasync.b32 [R4:R5+0x800], R9"),
    FAULT_AT("destination with high bits", OUT_OF_BOUNDS, 3, 0xffffffff,
             IN_LANE("0x3", "mov.i R9, 0x1000000") "here:\n cpasync.b32 [R4:R5+0x800], R9"),
    FAULT_AT("a destination of a lower lane, a source of a higher one", OUT_OF_BOUNDS, 2,
             0xffffffff,
             IN_LANE("0x2", "mov.i R9, 0x400")
                 IN_LANE("0x9", "add.ri R4, R4, 0x1") "here:\n cpasync.b32 [R4:R5+0x800], R9"),
    FAULT_AT("source and destination of one lane", MISALIGNED, 6, 0xffffffff,
             IN_LANE("0x6", "mov.i R9, 0x400")
                 IN_LANE("0x6", "add.ri R4, R4, 0x1") "here:\n cpasync.b32 [R4:R5+0x800], R9"),
    FAULT("arrival at the upper word", MISALIGNED, "cparrive.shared [RZ+0x4]"),
    FAULT("arrival behind the CTA's bytes", OUT_OF_BOUNDS, "cparrive.shared [RZ+0x200]"),
    FAULT_AT("arrival at global memory", OUT_OF_BOUNDS, 0, 0xffffffff,
             AND("R4", "R4", "0xfffffff0") "here:\n cparrive.gen [R4:R5]"),
    FAULT("arrival at local memory", OUT_OF_BOUNDS, "cparrive.gen [R2:R3]"),
    {.name = "more arrivals behind copies than are pending",
     .cause = WL_TRAP_MBARRIER,
     .lane = 3,
     .lanes = 0xfffffff8,
     .any_lanes = true,
     .text = PRO IS_FIRST "mov.i R3, 0x3\n @P6 mbar.shared.init RZ, [RZ], R3\n fence\n"
                          "mov.i R8, 0x4\n cpasync.b32 [R4:R5+0x800], R8\n warpsync.i 0xffffffff\n"
                          "here:\n cparrive.shared [RZ]\n exit\n",
     .block = {32, 1, 1},
     .shared = 64},
    {.name = "more pending arrivals than there can be",
     .cause = WL_TRAP_MBARRIER,
     .lanes = 1,
     .text = PRO "mov.i R3, 0x2\n mbar.shared.init RZ, [RZ], R3\n mov.i R3, 0xffffe\n"
                 "here:\n mbar.shared.inc RZ, [RZ], R3\n exit\n",
     .shared = 64},
    {.name = NULL}};
