/* probe_cases.c: long operands, range notes, gathered and LANE forms, result queue and chunk port, by the
 * probe unit (docs/microarchitecture.md 5, 6, 7.2, 11b, 18). What a word must be is computed here, from
 * the operands as the program sets them. */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

/* A thread's 16 words of the output: R4:R5 is their address. */
#define PRO16                                                                                      \
  "s2r R0, SR0\n ldc.b64 R4:R5, c0[RZ+0x200]\n mov.r R7, RZ\n shf.l.wrap.i R6, RZ, R0, 0x6\n"      \
  "add64.rr R4:R5, R4:R5, R6:R7\n"
#define OUT4(at, regs) "st.global.b128 [R4:R5+" at "], " regs "\n"
/* Register n of thread t becomes t + base of n. */
#define BASE(n)     (0x01010101u * (n) + 0x9e3779b9u)
#define SET(n, hex) "add.ri R" #n ", R0, " hex "\n"
#define SET16                                                                                      \
  SET(16, "0xae4789c9")                                                                            \
  SET(17, "0xaf488aca")                                                                            \
  SET(18, "0xb0498bcb")                                                                            \
  SET(19, "0xb14a8ccc")                                                                            \
  SET(20, "0xb24b8dcd")                                                                            \
  SET(21, "0xb34c8ece")                                                                            \
  SET(22, "0xb44d8fcf")                                                                            \
  SET(23, "0xb54e90d0")                                                                            \
  SET(24, "0xb64f91d1")                                                                            \
  SET(25, "0xb75092d2")                                                                            \
  SET(26, "0xb85193d3")                                                                            \
  SET(27, "0xb95294d4")                                                                            \
  SET(28, "0xba5395d5")                                                                            \
  SET(29, "0xbb5496d6")                                                                            \
  SET(30, "0xbc5597d7")                                                                            \
  SET(31, "0xbd5698d8")
#define SET32       SET(32, "0xbe5799d9")
#define BELOW(p, n) "setp.u32.ri P" #p ", PT, R0, " #n ", PT {cmp=lt bop=none}\n"

static uint32_t reg(uint32_t n, uint32_t t) { return t + BASE(n); }

static uint32_t mixed(uint32_t i) { return reg(16 + (i % 16 + 1) % 16, i / 16) ^ 0x5a5a1234u; }

/* R17 to R32, in lanes 0 to 12; the others keep what they had. */
static uint32_t mixed_some(uint32_t i) {
  static const uint32_t word[] = {0, 1, 7, 15}; /* of the sixteen, those that are looked at */
  const uint32_t t = i / 16, k = i % 16;
  if (k >= 4) return 0;
  return t < 13 ? reg(17 + (word[k] + 1) % 16, t) ^ 0xffu : 7;
}

static uint32_t dotted(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  if (k >= 4) return 0;
  return (reg(16 + k, t) ^ reg(20 + k % 2, t)) + reg(24 + k, t) + reg(28 + k, t);
}

static uint32_t dotted_alike(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  if (k >= 4) return 0;
  return (reg(17 + k, t) ^ reg(17 + k % 2, t)) + 2 * reg(17 + k, t);
}

/* What the program asks of R16 + 31 and R16 at once, and what it puts over R20. */
static uint32_t spanned32(uint32_t i) {
  const uint32_t t = i / 16;
  const uint32_t want[16] = {2 * t + 31, 77, t + 5, t + 30, t + 1};
  return want[i % 16];
}

static uint32_t spanned1(uint32_t i) {
  const uint32_t t = i / 16;
  const uint32_t want[16] = {t + 100, t + 101, 3};
  return want[i % 16];
}

static uint32_t spanned64(uint32_t i) {
  const uint32_t t = i / 16;
  const uint32_t want[16] = {2 * t + 63, 77, t + 62, t + 11};
  return want[i % 16];
}

static uint32_t spanned128(uint32_t i) {
  const uint32_t t = i / 16;
  const uint32_t want[16] = {2 * t + 127, 77, t + 126, t + 64};
  return want[i % 16];
}

static uint32_t spanned_end(uint32_t i) {
  const uint32_t t = i / 16;
  const uint32_t want[16] = {t + 4, t, 0, 55, t + 3};
  return want[i % 16];
}

/* a = R250 ..: thread, zeros, R254 = thread + 40, zeros; d = R240 .. R254. */
static uint32_t mixed_end(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  return k >= 12 ? 0 : k == 3 ? (t + 40) ^ 9u : 9;
}

/* Of the chain: chunk t + 1 is chunk t plus {1, 2, 3, 4}, chunk 0 is {10, 20, 30, 40}. */
static uint32_t chained(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  return k < 4 ? 10 * (k + 1) + (t + 1) * (k + 1) : 0;
}

/* Chunk t goes to place 31 - t; word k of it is 4 * t + k, plus 0x100 times k + 1. */
static uint32_t turned(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  return k < 4 ? 4 * (31 - t) + k + 0x100 * (k + 1) : 0;
}

static uint32_t elected_only(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  return k >= 4 ? 0 : t == 0 ? 4 * 9 + k + 5 : 0xeeeeeeeeu;
}

/* Warp 0 copies its chunks, warp 1 counts and stores beside them. */
static uint32_t beside(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  if (t < 32) return k < 4 ? 4 * t + k + 1 : 0;
  return k == 0 ? 32 * 8 : k == 1 ? t * 3 : 0;
}

static uint32_t gathered2(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  const uint32_t a = t < 8 ? 100 : 200;
  return k < 4 ? (a ^ t) + 2 * t : k == 4 ? a : 0;
}

static uint32_t gathered3(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  const uint32_t a = t < 8 ? 100 : t < 20 ? 200 : 300;
  return k < 3 ? a + k : 0;
}

static uint32_t gathered_live(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  return t < 8 ? 0 : k < 3 ? 200 + k : 0;
}

static uint32_t not_asked(uint32_t i) { return i % 16 == 0 ? i / 16 + 1 : 0; }

static uint32_t rivals(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  if (k < 4) return (t ^ (t + 1)) + 2 * t + 3; /* DOT of R16 = t, R17 = t + 1 ... alike */
  if (k < 8) return (t + 7 + (k - 4)) * 3;     /* SPAN, then times 3 */
  return k == 8 ? (t + 8) ^ 0x11u : 0;
}

static uint32_t own_chunks(uint32_t i) {
  const uint32_t t = i / 16, k = i % 16;
  return k < 4 ? 1000 * (k + 1) + t : 0;
}

/* R8 = 16 * lane, R9 = `to` + 16 * lane; R10, R11 and R12, R13 are added. */
#define CHUNKS "probe.chunk R8:R11, R12:R13, 0x0\n"
/* Nothing of the probe is under way after it: a form of its unit waits for that. */
#define AFTER "probe.span R60, R0, 0x0\n mov.r R60, R60\n"
#define CONST4(a, b, c, d)                                                                         \
  "mov.i R10, " a "\n mov.i R11, " b "\n mov.i R12, " c "\n mov.i R13, " d "\n"
#define TRAP(what, code, first)                                                                    \
  .name = what, .cause = WL_TRAP_##code, .lane = first, .any_lanes = true, .probe = true

const machine_case_t machine_probe_cases[] = {
    {.name = "MIX reads and writes sixteen words",
     .text = PRO16 SET16 "probe.mix R32:R47, R16:R31, 0x5a5a1234\n" OUT4("0x0", "R32:R35")
         OUT4("0x10", "R36:R39") OUT4("0x20", "R40:R43") OUT4("0x30", "R44:R47") "exit\n",
     .block = {32, 1, 1},
     .regs = 48,
     .words = 512,
     .probe = true,
     .want = mixed},
    {.name = "MIX in place",
     .text = PRO16 SET16 "probe.mix R16:R31, R16:R31, 0x5a5a1234\n" OUT4("0x0", "R16:R19")
         OUT4("0x10", "R20:R23") OUT4("0x20", "R24:R27") OUT4("0x30", "R28:R31") "exit\n",
     .block = {32, 1, 1},
     .words = 512,
     .probe = true,
     .want = mixed},
    {.name = "MIX at odd registers, in some lanes",
     .text = PRO16 SET16 SET32 BELOW(
         0, 0xd) "mov.i R33, 0x7\n mov.i R34, 0x7\n mov.i R40, 0x7\n mov.i R48, 0x7\n"
                 "@P0 probe.mix R33:R48, R17:R32, 0xff\n mov.r R16, R33\n mov.r R17, R34\n"
                 "mov.r R18, R40\n mov.r R19, R48\n" OUT4("0x0", "R16:R19") "exit\n",
     .block = {32, 1, 1},
     .regs = 56,
     .words = 512,
     .probe = true,
     .want = mixed_some},
    {.name = "MIX beyond the last register",
     .text = PRO16 "mov.r R250, R0\n add.ri R254, R0, 0x28\n mov.r R251, RZ\n mov.r R252, RZ\n"
                   "mov.r R253, RZ\n probe.mix R240:R255, R250:R265, 0x9\n" OUT4("0x0", "R240:R243")
                       OUT4("0x10", "R244:R247") OUT4("0x20", "R248:R251") "exit\n",
     .block = {32, 1, 1},
     .regs = 255,
     .words = 512,
     .probe = true,
     .want = mixed_end},
    {.name = "DOT with its fifth operand",
     .text = PRO16 SET16
     "probe.dot R32:R35, R16:R19, R20:R21, R24:R27, 0x1c\n" OUT4("0x0", "R32:R35") "exit\n",
     .block = {32, 1, 1},
     .regs = 40,
     .words = 512,
     .probe = true,
     .want = dotted},
    {.name = "DOT of one group of registers into itself",
     .text = PRO16 SET16 "probe.dot R17:R20, R17:R20, R17:R18, R17:R20, 0x11\n"
                         "mov.r R24, R17\n mov.r R25, R18\n mov.r R26, R19\n mov.r R27, R20\n" OUT4(
                             "0x0", "R24:R27") "exit\n",
     .block = {32, 1, 1},
     .words = 512,
     .probe = true,
     .want = dotted_alike},
    {.name = "SPAN of 32 words, its readers and writers at once",
     .text = PRO16 "probe.span R16, R0, 0x1f\n mov.i R20, 0x4d\n add.rr R8, R47, R16\n"
                   "mov.r R9, R20\n mov.r R10, R21\n mov.r R11, R46\n mov.r R12, R17\n" OUT4(
                       "0x0", "R8:R11") "st.global.b32 [R4:R5+0x10], R12\n exit\n",
     .block = {32, 1, 1},
     .regs = 48,
     .words = 512,
     .probe = true,
     .want = spanned32},
    {.name = "SPAN of one word and of another behind it",
     .text = PRO16 "add.ri R1, R0, 0x64\n mov.i R10, 0x3\n probe.span R8, R1, 0x0\n"
                   "add.ri R1, R1, 0x1\n probe.span R9, R1, 0x0\n" OUT4("0x0", "R8:R11") "exit\n",
     .block = {32, 1, 1},
     .words = 3,
     .probe = true,
     .want = spanned1},
    {.name = "SPAN of 64 words",
     .text =
         PRO16 "probe.span R16, R0, 0x3f\n add.rr R8, R79, R16\n mov.i R30, 0x4d\n"
               "mov.r R9, R30\n mov.r R10, R78\n mov.r R11, R27\n" OUT4("0x0", "R8:R11") "exit\n",
     .block = {32, 1, 1},
     .regs = 80,
     .words = 512,
     .probe = true,
     .want = spanned64},
    {.name = "SPAN of 128 words",
     .text = PRO16
     "probe.span R100, R0, 0x7f\n add.rr R8, R227, R100\n mov.i R130, 0x4d\n"
     "mov.r R9, R130\n mov.r R10, R226\n mov.r R11, R164\n" OUT4("0x0", "R8:R11") "exit\n",
     .block = {32, 1, 1},
     .regs = 232,
     .words = 512,
     .probe = true,
     .want = spanned128},
    {.name = "SPAN beyond the last register, and without a destination",
     .text =
         PRO16 "probe.span RZ, R0, 0xf\n probe.span R250, R0, 0x7\n mov.i R251, 0x37\n"
               "mov.r R8, R254\n mov.r R9, R250\n mov.r R10, RZ\n mov.r R11, R251\n"
               "mov.r R12, R253\n" OUT4("0x0", "R8:R11") "st.global.b32 [R4:R5+0x10], R12\n exit\n",
     .block = {32, 1, 1},
     .regs = 255,
     .words = 512,
     .probe = true,
     .want = spanned_end},
    {.name = "CHUNK of all lanes, each after the one below it",
     .text = PRO16 "shf.l.wrap.i R8, RZ, R0, 0x4\n add.ri R9, R8, 0x10\n" CONST4(
         "0x1", "0x2", "0x3",
         "0x4") "mov.i R16, 0xa\n mov.i R17, 0x14\n mov.i R18, 0x1e\n mov.i R19, 0x28\n"
                "st.shared.b128 [R8+0x10], R16:R19\n" BELOW(
                    0, 0x1) "@P0 st.shared.b128 [RZ], R16:R19\n fence\n" CHUNKS AFTER
                            "ld.shared.b128 R16:R19, [R9]\n" OUT4("0x0", "R16:R19") "exit\n",
     .block = {32, 1, 1},
     .regs = 64,
     .shared = 1024,
     .words = 512,
     .probe = true,
     .want = chained},
    {.name = "CHUNK to other banks and rows",
     .text = PRO16 "shf.l.wrap.i R8, RZ, R0, 0x4\n mov.i R1, 0x5f0\n sub.rr R9, R1, R8\n" CONST4(
         "0x100", "0x200", "0x300",
         "0x400") "shf.l.wrap.i R16, RZ, R0, 0x2\n add.ri R17, R16, 0x1\n add.ri R18, R16, 0x2\n"
                  "add.ri R19, R16, 0x3\n st.shared.b128 [R8], R16:R19\n fence\n" CHUNKS AFTER
                  "ld.shared.b128 R16:R19, [R8+0x400]\n" OUT4("0x0", "R16:R19") "exit\n",
     .block = {32, 1, 1},
     .regs = 64,
     .shared = 1536,
     .words = 512,
     .probe = true,
     .want = turned},
    {.name = "CHUNK of one lane",
     .text = PRO16 "shf.l.wrap.i R8, RZ, R0, 0x4\n mov.i R9, 0x400\n" CONST4(
         "0x5", "0x5", "0x5",
         "0x5") "shf.l.wrap.i R16, RZ, R0, 0x2\n add.ri R17, R16, 0x1\n add.ri R18, R16, 0x2\n"
                "add.ri R19, R16, 0x3\n st.shared.b128 [R8], R16:R19\n mov.i R20, 0xeeeeeeee\n"
                "mov.r R21, R20\n mov.r R22, R20\n mov.r R23, R20\n st.shared.b128 [R8+0x400], R20:R23\n"
                "setp.u32.ri P0, PT, R0, 0x9, PT {cmp=eq bop=none}\n fence\n @P0 " CHUNKS AFTER
                "ld.shared.b128 R16:R19, [R8+0x400]\n" OUT4("0x0", "R16:R19") "exit\n",
     .block = {32, 1, 1},
     .regs = 64,
     .shared = 1536,
     .words = 512,
     .probe = true,
     .want = elected_only},
    {.name = "chunks beside stores and atomics of another warp",
     .text = PRO16
     "shf.l.wrap.i R8, RZ, R0, 0x4\n add.ri R9, R8, 0x400\n" BELOW(0, 0x20) "@!P0 bra #other\n" CONST4(
         "0x1", "0x1", "0x1",
         "0x1") "shf.l.wrap.i R16, RZ, R0, 0x2\n add.ri R17, R16, 0x1\n add.ri R18, R16, 0x2\n"
                "add.ri R19, R16, 0x3\n st.shared.b128 [R8], R16:R19\n fence\n" CHUNKS AFTER
                "ld.shared.b128 R16:R19, [R9]\n" OUT4(
                    "0x0",
                    "R16:R19") "exit\n other:\n st.shared.b32 [RZ+0x800], RZ\n mov.i R1, 0x1\n mov.i R2, 0x8\n"
                               "shf.l.wrap.i R8, RZ, R0, 0x2\n mov.i R12, 0x3\n mad.lo.rrr R13, R0, R12, RZ\n"
                               "again:\n atom.shared.add.u32 RZ, [RZ+0x800], R1\n st.shared.b32 [R8+0x880], R13\n"
                               "atom.shared.add.u32 R3, [R8+0x980], R1\n add.ri R2, R2, 0xffffffff\n"
                               "setp.u32.ri P1, PT, R2, 0x0, PT {cmp=ne bop=none}\n @P1 bra #again\n fence\n"
                               "ld.shared.b32 R16, [RZ+0x800]\n ld.shared.b32 R17, [R8+0x880]\n"
                               "st.global.b32 [R4:R5], R16\n st.global.b32 [R4:R5+0x4], R17\n exit\n",
     .block = {64, 1, 1},
     .regs = 64,
     .shared = 3072,
     .words = 1024,
     .probe = true,
     .want = beside},
    {.name = "overlapping chunks of two warps",
     .text = PRO16 "shf.l.wrap.i R8, RZ, R0, 0x4\n mov.r R9, R8\n add.ri R10, R0, 0x3e8\n"
                   "add.ri R11, R0, 0x7d0\n add.ri R12, R0, 0xbb8\n add.ri R13, R0, 0xfa0\n"
                   "mov.r R16, RZ\n mov.r R17, RZ\n mov.r R18, RZ\n mov.r R19, RZ\n"
                   "st.shared.b128 [R8], R16:R19\n fence\n" CHUNKS AFTER
                   "ld.shared.b128 R16:R19, [R8]\n" OUT4("0x0", "R16:R19") "exit\n",
     .block = {64, 1, 1},
     .regs = 64,
     .shared = 1024,
     .words = 1024,
     .probe = true,
     .want = own_chunks},
    {.name = "two paths meet at a DOT",
     .text = PRO16
     "mov.r R17, R0\n mov.r R18, R0\n mov.r R19, R0\n mov.r R20, R0\n"
     "mov.i R1, 0x64\n" BELOW(
         0,
         0x8) "@!P0 bra #far\n meet:\n mov.r R24, R1\n"
              "mov.r R25, R1\n mov.r R26, R1\n mov.r R27, R1\n"
              "probe.dot R8:R11, R24:R27, R17:R18, R17:R20, 0x11\n" OUT4(
                  "0x0",
                  "R8:R11") "st.global.b32 [R4:R5+0x10], R1\n exit\n far:\n mov.i R1, 0xc8\n bra #meet\n",
     .block = {32, 1, 1},
     .words = 512,
     .probe = true,
     .want = gathered2},
    {.name = "three paths meet at a SPAN",
     .text = PRO16 "mov.i R1, 0x64\n" BELOW(0, 0x8)
         BELOW(1, 0x14) "@!P0 bra #far\n meet:\n probe.span R8, R1, 0x2\n" OUT4(
             "0x0",
             "R8:R11") "exit\n far:\n @!P1 bra #farther\n mov.i R1, 0xc8\n bra #meet\n farther:\n"
                       "mov.i R1, 0x12c\n bra #meet\n",
     .block = {32, 1, 1},
     .words = 3,
     .probe = true,
     .want = gathered3},
    {.name = "lanes exit while others wait at a SPAN",
     .text = PRO16 "mov.i R1, 0xc8\n" BELOW(
         0,
         0x8) "@P0 bra #far\n probe.span R8, R1, 0x2\n"
              "mov.r R11, RZ\n" OUT4(
                  "0x0",
                  "R8:R11") "exit\n far:\n mov.i R2, 0x14\n loop:\n add.ri R2, R2, 0xffffffff\n"
                            "setp.u32.ri P1, PT, R2, 0x0, PT {cmp=ne bop=none}\n @P1 bra #loop\n exit\n",
     .block = {32, 1, 1},
     .words = 512,
     .probe = true,
     .want = gathered_live},
    {.name = "a gathered form whose guard is false everywhere",
     .text = PRO "add.ri R1, R0, 0x1\n shf.l.wrap.i R6, RZ, R0, 0x6\n"
                 "ldc.b64 R4:R5, c0[RZ+0x200]\n add64.rr R4:R5, R4:R5, R6:R7\n"
                 "@!PT probe.dot R16:R19, R16:R19, R16:R17, R16:R19, 0x10\n" EPI,
     .block = {20, 1, 1},
     .words = 320,
     .probe = true,
     .want = not_asked},
    {.name = "two warps and the probe",
     .text = PRO16 "mov.r R16, R0\n mov.r R17, R0\n mov.r R18, R0\n mov.r R19, R0\n"
                   "add.ri R20, R0, 0x1\n mov.r R21, R20\n add.ri R24, R0, 0x3\n mov.r R25, R24\n"
                   "mov.r R26, R24\n mov.r R27, R24\n add.ri R1, R0, 0x7\n"
                   "probe.dot R28:R31, R16:R19, R20:R21, R24:R27, 0x10\n probe.span R32, R1, 0x3\n"
                   "mov.i R2, 0x3\n mad.lo.rrr R36, R32, R2, RZ\n mad.lo.rrr R37, R33, R2, RZ\n"
                   "mad.lo.rrr R38, R34, R2, RZ\n mad.lo.rrr R39, R35, R2, RZ\n"
                   "probe.mix R40:R55, R32:R47, 0x11\n" OUT4("0x0", "R28:R31")
                       OUT4("0x10", "R36:R39") "st.global.b32 [R4:R5+0x20], R40\n exit\n",
     .block = {64, 1, 1},
     .regs = 56,
     .words = 1024,
     .probe = true,
     .want = rivals},
    {TRAP("a guard that differs between lanes", ALIGNED_GUARD, 5),
     .text =
         PRO16 BELOW(0, 0x5) "here:\n @P0 probe.dot R8:R11, R8:R11, R8:R9, R8:R11, 0x8\n exit\n",
     .block = {32, 1, 1}},
    {TRAP("a guard of SPAN that differs between lanes", ALIGNED_GUARD, 0),
     .text = PRO16 BELOW(0, 0x5) "here:\n @!P0 probe.span R8, R8, 0x4\n exit\n",
     .block = {32, 1, 1}},
    {TRAP("lanes that never were", ALIGNED_EXIT, 20),
     .text = PRO16 "here:\n probe.dot R8:R11, R8:R11, R8:R9, R8:R11, 0x8\n exit\n",
     .block = {20, 1, 1}},
    {TRAP("lanes that have exited", ALIGNED_EXIT, 0),
     .text = PRO16 BELOW(
         0, 0x3) "@P0 exit\n here:\n probe.dot R8:R11, R8:R11, R8:R9, R8:R11, 0x8\n exit\n",
     .block = {32, 1, 1}},
    {TRAP("paths of two depths at one SPAN", SYNC_DEADLOCK, 0),
     .text = PRO16 BELOW(0, 0x8) "@!P0 bra #far\n meet:\n probe.span R8, R1, 0x2\n exit\n far:\n"
                                 "call R9, #meet\n exit\n",
     .block = {32, 1, 1}},
    {TRAP("a DOT behind which some lanes wait for others", SYNC_DEADLOCK, 0),
     .text = PRO16 BELOW(
         0, 0x8) "@!P0 bra #far\n probe.dot R8:R11, R8:R11, R8:R9, R8:R11, 0x8\n exit\n far:\n"
                 "warpsync.i 0xffffffff\n exit\n",
     .block = {32, 1, 1}},
    {TRAP("CHUNK from a misaligned place", MISALIGNED, 3),
     .text = PRO16 "shf.l.wrap.i R8, RZ, R0, 0x4\n mov.r R9, R8\n"
                   "setp.u32.ri P0, PT, R0, 0x3, PT {cmp=ge bop=none}\n @P0 add.ri R8, R8, 0x8\n"
                   "here:\n" CHUNKS "exit\n",
     .block = {32, 1, 1}, .regs = 64, .shared = 1024},
    {TRAP("CHUNK to a place beyond the CTA's bytes", OUT_OF_BOUNDS, 31),
     .text = PRO16 "shf.l.wrap.i R8, RZ, R0, 0x4\n add.ri R9, R8, 0x210\n here:\n" CHUNKS "exit\n",
     .block = {32, 1, 1}, .regs = 64, .shared = 1024},
    {TRAP("CHUNK beyond 32 bits", OUT_OF_BOUNDS, 0),
     .text = PRO16 "mov.i R8, 0xfffffff0\n mov.i R9, 0x8\n here:\n" CHUNKS "exit\n",
     .block = {32, 1, 1}, .regs = 64, .shared = 1024},
    {TRAP("the last word of a SPAN beyond the pages", REGISTER_RANGE, 0),
     .text = PRO16 "probe.span R24, R0, 0x7\n here:\n probe.span R25, R0, 0x7\n exit\n",
     .block = {32, 1, 1}},
    {TRAP("operand x beyond the pages", REGISTER_RANGE, 0),
     .text = PRO16 "here:\n probe.dot R8:R11, R8:R11, R8:R9, R8:R11, 0x1d\n exit\n",
     .block = {32, 1, 1}},
    {TRAP("sixteen words beyond the pages, guard false", REGISTER_RANGE, 0),
     .text = PRO16 "here:\n @!PT probe.mix R8:R23, R20:R35, 0x0\n exit\n", .block = {32, 1, 1}},
    {TRAP("a count of more than 128", ILLEGAL_BITS, 0),
     .text = PRO16 "here:\n probe.span R8, R0, 0x80\n exit\n", .block = {32, 1, 1}},
    {TRAP("a register x of more than eight bits", ILLEGAL_BITS, 0),
     .text = PRO16 "here:\n probe.dot R8:R11, R8:R11, R8:R9, R8:R11, 0x108\n exit\n",
     .block = {32, 1, 1}},
    {.name = NULL}};
