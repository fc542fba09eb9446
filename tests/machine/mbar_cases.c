/* mbar_cases.c: operations on mbarriers and the test of a phase (docs/microarchitecture.md 21.1, 21.2).
 * An object is {phase 1, E 20, X 20:12 in bits 0, 20:1, 29:21 of its high word; P 20, X 11:0 in bits
 * 19:0, 31:20 of its low word}. */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

/* An operation with operand b; its result, the object before it, goes to word `at` of the output. */
#define SHARED_OP(op, b, at)                                                                       \
  "mov.i R3, " b "\n mbar.shared." op " R10:R11, [R2], R3\n st.global.b64 [R4:R5+" at "], R10:R11\n"
#define GENERIC_OP(op, b, at)                                                                      \
  "mov.i R9, " b "\n mbar.gen." op " R10:R11, [R2:R3-0x8], R9\n st.global.b64 [R4:R5+" at          \
  "], R10:R11\n"

/* The history of an object that INIT made with 3. */
#define HISTORY(OP)                                                                                \
  OP("arrive", "0x1", "0x0")                                                                       \
  OP("expect", "0x1005", "0x8")                                                                    \
  OP("arrivetx", "0x1", "0x10")                                                                    \
  OP("complete", "0x1006", "0x18")                                                                 \
  OP("drop", "0x1", "0x20")                                                                        \
  OP("complete", "0x2", "0x28")                                                                    \
  OP("droptx", "0x2", "0x30")                                                                      \
  OP("arrive", "0x1", "0x38")                                                                      \
  OP("arrive", "0x0", "0x40")                                                                      \
  OP("expect", "0xfffff", "0x48")                                                                  \
  OP("complete", "0xfffff", "0x50")                                                                \
  OP("complete", "0xfffff", "0x58")                                                                \
  OP("init", "0xfffff", "0x60") OP("drop", "0xfffff", "0x68") OP("init", "0x1", "0x70")

static uint32_t history(uint32_t word) {
  static const uint32_t want[] = {
      0x00000003, 0x00000006, /* P 3, E 3 */
      0x00000002, 0x00000006, /* P 2 */
      0x00500002, 0x00200006, /* X 0x1005 */
      0x00600001, 0x00200006, /* X 0x1006, P 1 */
      0x00000001, 0x00000006, /* X 0, P 1: not complete */
      0x00000002, 0x00000005, /* E 2; P 0, so it is complete: phase 1, P 2 */
      0xffe00002, 0x3fe00005, /* X -2: not complete, P is 2 */
      0x00000001, 0x00000003, /* X 0, P 1, E 1 */
      0x00000001, 0x00000002, /* complete: phase 0, P 1 */
      0x00000001, 0x00000002, /* no arrival changes nothing */
      0xfff00001, 0x1fe00002, /* X 2^20 - 1 */
      0x00000001, 0x00000002, /* X 0 */
      0x00100001, 0x20000002, /* X -(2^20 - 1) */
      0x000fffff, 0x001ffffe, /* P 2^20 - 1, E the same, X 0, phase 0 */
      0x00000000, 0x00000001, /* all of them left: complete, P = E = 0, phase 1 */
  };
  return want[word];
}

static uint32_t in_turn(uint32_t t) { return 32 - t; }

/* P = E = 32, phase 1. */
static uint32_t next_phase(uint32_t t) { return t % 2 == 0 ? 32 : 65; }

/* High word 2 (t + 2) less low word t + 1. */
static uint32_t own_object(uint32_t t) { return t + 3; }

/* Bit 31 of tests of parity 0, 1 before the phase ends and behind it, and of parity 2 there. */
static uint32_t answers(uint32_t word) {
  static const uint32_t want[] = {0, 1, 1, 0, 1};
  return want[word];
}

static uint32_t around(uint32_t word) {
  static const uint32_t want[] = {0x11, 0x22, 0x33, 0x44, 1, 2};
  return want[word];
}

static uint32_t seven(uint32_t t) {
  (void)t;
  return 7;
}

#define OBJECT(low, high) "mov.i R10, " low "\n mov.i R11, " high "\n st.shared.b64 [R2], R10:R11\n"
/* Bit 31 of the test of a parity goes to a word of the output. */
#define TEST(parity, at)                                                                           \
  "mov.i R3, " parity "\n mbar.shared.test R1, [R2], R3\n shf.r.wrap.i R1, R1, RZ, 0x1f\n"         \
  "st.global.b32 [R4:R5+" at "], R1\n"
#define MISUSE(what, low, high, op, b)                                                             \
  {.name = what,                                                                                   \
   .cause = WL_TRAP_MBARRIER,                                                                      \
   .lanes = 1,                                                                                     \
   .text = PRO "mov.r R2, RZ\n mov.i R3, " b "\n" OBJECT(low, high) "here:\n mbar.shared." op      \
                                                                    " R10:R11, [R2], R3\n exit\n", \
   .shared = 64}
#define FAULT(what, code, insn)                                                                    \
  {.name = what,                                                                                   \
   .cause = WL_TRAP_##code,                                                                        \
   .lanes = 1,                                                                                     \
   .text = PRO "mov.r R2, RZ\n mov.i R3, 0x20000\n mov.i R7, 0x10000\n here:\n " insn "\n exit\n", \
   .shared = 64,                                                                                   \
   .local = 64}

const machine_case_t machine_mbar_cases[] = {
    {.name = "history of an object",
     .text = PRO
     "mov.r R2, RZ\n mov.i R3, 0x3\n mbar.shared.init RZ, [R2], R3\n" HISTORY(SHARED_OP) "exit\n",
     .shared = 64,
     .want = history,
     .words = 30},
    {.name = "history of an object, generic addresses",
     .text = PRO "mov.i R2, 0x20\n mov.i R9, 0x3\n mov.i R3, 0x10000\n"
                 "mbar.gen.init RZ, [R2:R3-0x8], R9\n" HISTORY(GENERIC_OP) "exit\n",
     .shared = 64,
     .want = history,
     .words = 30},
    {.name = "arrivals of a warp at one object, lowest lane first",
     .text = PRO "mov.i R3, 0x20\n setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
                 "@P0 mbar.shared.init RZ, [RZ+0x8], R3\n warpsync.i 0xffffffff\n mov.i R3, 0x1\n"
                 "mbar.shared.arrive R10:R11, [RZ+0x8], R3\n mov.r R1, R10\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = in_turn},
    {.name = "arrivals without a result complete a phase",
     .text =
         PRO "mov.i R3, 0x20\n setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
             "@P0 mbar.shared.init RZ, [RZ+0x8], R3\n warpsync.i 0xffffffff\n mov.i R3, 0x1\n"
             "mbar.shared.arrive RZ, [RZ+0x8], R3\n fence\n lop3.rir R2, R0, 0x1, RZ {lut=0xc0}\n"
             "shf.l.wrap.i R2, RZ, R2, 0x2\n ld.shared.b32 R1, [R2+0x8]\n" EPI,
     .block = {32, 1, 1},
     .shared = 64,
     .want = next_phase},
    {.name = "an object of each lane",
     .text = PRO "shf.l.wrap.i R2, RZ, R0, 0x3\n add.ri R3, R0, 0x2\n"
                 "mbar.shared.init RZ, [R2], R3\n mov.i R3, 0x1\n"
                 "mbar.shared.arrive RZ, [R2], R3\n ld.shared.b64 R10:R11, [R2]\n"
                 "sub.rr R1, R11, R10\n" EPI,
     .block = {32, 1, 1},
     .shared = 256,
     .want = own_object},
    {.name = "test of a phase under way and of the one before",
     .text = PRO "mov.r R2, RZ\n mov.i R3, 0x1\n mbar.shared.init RZ, [R2], R3\n" TEST("0x0", "0x0")
         TEST("0x1", "0x4") "mov.i R3, 0x1\n mbar.shared.arrive RZ, [R2], R3\n" TEST("0x0", "0x8")
             TEST("0x1", "0xc") TEST("0x2", "0x10") "exit\n",
     .shared = 64,
     .want = answers,
     .words = 5},
    {.name = "an operation leaves the words beside the object",
     .text = PRO "mov.i R2, 0x11\n mov.i R3, 0x22\n st.shared.b64 [RZ], R2:R3\n"
                 "mov.i R2, 0x33\n mov.i R3, 0x44\n st.shared.b64 [RZ+0x10], R2:R3\n"
                 "mov.i R3, 0x1\n mbar.shared.init RZ, [RZ+0x8], R3\n"
                 "ld.shared.b64 R10:R11, [RZ]\n st.global.b64 [R4:R5], R10:R11\n"
                 "ld.shared.b64 R10:R11, [RZ+0x10]\n st.global.b64 [R4:R5+0x8], R10:R11\n"
                 "ld.shared.b64 R10:R11, [RZ+0x8]\n st.global.b64 [R4:R5+0x10], R10:R11\n exit\n",
     .shared = 64,
     .want = around,
     .words = 6},
    {.name = "INIT of a shared word that held anything",
     .text = PRO "mov.r R2, RZ\n" OBJECT(
         "0xffffffff", "0xffffffff") "mov.i R3, 0x7\n"
                                     "mbar.shared.init RZ, [R2], R3\n ld.shared.b32 R1, [R2]\n" EPI,
     .shared = 64,
     .want = seven},
    MISUSE("INIT with no arrivals", "0x1", "0x2", "init", "0x0"),
    MISUSE("INIT with 2^20 arrivals", "0x1", "0x2", "init", "0x100000"),
    MISUSE("more arrivals than are pending", "0x1", "0xa", "arrive", "0x2"),
    MISUSE("more arrivals than are pending, in the high bits", "0x1", "0xa", "arrive",
           "0x80000001"),
    MISUSE("DROP of more than are pending", "0x1", "0xa", "drop", "0x2"),
    MISUSE("DROP of more than are expected", "0x5", "0x4", "drop", "0x3"),
    MISUSE("EXPECT of 2^20", "0x1", "0x2", "expect", "0x100000"),
    MISUSE("EXPECT beyond the largest count", "0xfff00001", "0x1fe00002", "expect", "0x1"),
    MISUSE("COMPLETE of 2^20", "0x1", "0x2", "complete", "0x100000"),
    MISUSE("COMPLETE beyond the smallest count", "0x00100001", "0x20000002", "complete", "0x1"),
    MISUSE("COMPLETE of nothing, count -2^20", "0x00000001", "0x20000002", "complete", "0x0"),
    MISUSE("ARRIVETX of 2^20", "0x1", "0x2", "arrivetx", "0x100000"),
    MISUSE("ARRIVETX beyond the largest count", "0xfff00001", "0x1fe00002", "arrivetx", "0x1"),
    MISUSE("ARRIVETX without a pending arrival", "0x00100000", "0x2", "arrivetx", "0x1"),
    MISUSE("DROPTX of 2^20", "0x1", "0x2", "droptx", "0xffffffff"),
    MISUSE("DROPTX without a pending arrival", "0x00100000", "0x2", "droptx", "0x1"),
    MISUSE("DROPTX without an expected arrival", "0x00000001", "0x0", "droptx", "0x1"),
    {.name = "misuse by two lanes",
     .cause = WL_TRAP_MBARRIER,
     .lane = 9,
     .lanes = 0xffffffff,
     .text = PRO "shf.l.wrap.i R2, RZ, R0, 0x3\n mov.i R3, 0x1\n mbar.shared.init RZ, [R2], R3\n"
                 "setp.u32.ri P0, PT, R0, 0x9, PT {cmp=eq bop=none}\n @P0 mov.i R3, 0x2\n"
                 "setp.u32.ri P0, PT, R0, 0x1e, PT {cmp=eq bop=none}\n @P0 mov.i R3, 0x2\n"
                 "here:\n mbar.shared.arrive RZ, [R2], R3\n exit\n",
     .block = {32, 1, 1},
     .shared = 256},
    FAULT("operation at the upper word", MISALIGNED, "mbar.shared.arrive RZ, [RZ+0x4], R0"),
    FAULT("test at the upper word", MISALIGNED, "mbar.shared.test RZ, [RZ+0x4], R0"),
    FAULT("operation behind the CTA's bytes", OUT_OF_BOUNDS,
          "mbar.shared.arrive RZ, [RZ+0x40], R0"),
    FAULT("test behind the CTA's bytes", OUT_OF_BOUNDS, "mbar.shared.test RZ, [RZ+0x40], R0"),
    FAULT("operation on global memory", OUT_OF_BOUNDS, "mbar.gen.arrive RZ, [R4:R5], R0"),
    FAULT("test of global memory", OUT_OF_BOUNDS, "mbar.gen.test RZ, [R4:R5], R0"),
    FAULT("operation on global memory, misaligned", MISALIGNED,
          "mbar.gen.arrive RZ, [R4:R5+0x4], R0"),
    FAULT("operation on local memory", OUT_OF_BOUNDS, "mbar.gen.arrive RZ, [R2:R3], R0"),
    FAULT("test of local memory", OUT_OF_BOUNDS, "mbar.gen.test RZ, [R2:R3+0x8], R0"),
    FAULT("generic operation behind the CTA's bytes", OUT_OF_BOUNDS,
          "mbar.gen.arrive RZ, [R6:R7+0x40], R0"),
    {.name = NULL}};
