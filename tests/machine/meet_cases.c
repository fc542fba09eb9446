/* meet_cases.c: .sync rendezvous, barriers, exits between them (docs/microarchitecture.md 7-9). */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

static uint32_t exchanged(uint32_t t) { return t ^ 1u; }

static uint32_t with_neighbour(uint32_t t) { return 3 * t + 5 * (t ^ 1u); }

/* tid.x of the neighbour goes to R13, `next` reads it, and R11 is added to R1. */
#define IN_R13(next)                                                                               \
  "shfl.i R13, P0, R0, R2, 0xffffffff {xmode=bfly}\n " next "\n add.rr R1, R1, R11\n"

static uint32_t rotated(uint32_t t) { return t < 8 ? t : t - 8 < 24 ? t : 0; }

static uint32_t arm_votes(uint32_t t) { return t < 16 ? 0x0000ffffu : 0xffff0000u; }

static uint32_t elected(uint32_t t) { return t < 4 ? 0 : t == 4 ? 0x104u : 4; }

static uint32_t matched(uint32_t t) { return 0x11111111u << t % 4; }

static uint32_t all_lanes(uint32_t t) {
  (void)t;
  return 0xffffffff;
}

static uint32_t summed(uint32_t t) {
  (void)t;
  return 31 * 32 / 2;
}

static uint32_t other_warp(uint32_t t) { return (t ^ 32u) + 1000; }

static uint32_t popc_of_cta(uint32_t t) {
  (void)t;
  return 96 - 10;
}

static uint32_t and_or(uint32_t t) {
  (void)t;
  return 2; /* all: false, any: true */
}

static uint32_t produced(uint32_t t) { return t < 32 ? 0 : t - 32 + 5; }

static uint32_t phases(uint32_t t) {
  (void)t;
  return 64 * 6;
}

static uint32_t half_left(uint32_t t) { return t < 16 ? 0 : 16; }

static uint32_t summed_by_parity(uint32_t t) { return t % 2 == 0 ? 240 : 256; }

static uint32_t summed_by_quarter(uint32_t t) { return 112 + 8 * (t % 4); }

static uint32_t seven(uint32_t t) {
  (void)t;
  return 7;
}

static uint32_t every_other(uint32_t t) {
  (void)t;
  return 0x55;
}

#define VOTE(p, set, vote) /* sets predicate p, then votes the opposite into it */                 \
  "setp.u32.ri P" #p ", PT, R0, 0x0, PT {cmp=" set " bop=none}\n"                                  \
  "vote.any.i RZ, P" #p ", 0xffffffff, " vote "\n"
#define BIT(p, value) "@P" #p " add.ri R1, R1, " value "\n"

const machine_case_t machine_meet_cases[] = {
    {.name = "a loop with .sync waits for a lane behind it",
     .text = PRO "ldc.b64 R8:R9, c0[RZ+0x200]\n mov.i R1, 0x7\n mov.i R3, 0xfffffffe\n"
                 "setp.u32.ri P0, PT, R0, 0x0, PT {cmp=eq bop=none}\n @P0 bra #writer\n"
                 "wait:\n ld.global.b32 R2, [R8:R9+0x100] {strong}\n"
                 "vote.any.r RZ, P1, R3, PT\n"
                 "setp.u32.ri P1, PT, R2, 0x0, PT {cmp=eq bop=none}\n @P1 bra #wait\n" EPI
                 "writer:\n st.global.b32 [R8:R9+0x100], R1 {strong}\n" EPI,
     .block = {32, 1, 1},
     .want = seven},
    {.name = "member masks that differ between the lanes of one instruction",
     .text = PRO "lop3.rir R2, R0, 0x1, RZ {lut=0xc0}\n mov.i R3, 0x55555555\n"
                 "shf.l.wrap.r R3, RZ, R3, R2\n redux.add.r R1, PT, R0, R3\n" EPI,
     .block = {32, 1, 1},
     .want = summed_by_parity},
    {.name = "four groups of lanes, each at two places",
     .text = PRO "lop3.rir R2, R0, 0x3, RZ {lut=0xc0}\n mov.i R3, 0x11111111\n"
                 "shf.l.wrap.r R3, RZ, R3, R2\n"
                 "setp.u32.ri P0, PT, R0, 0xb, PT {cmp=lt bop=none}\n @P0 bra #then\n"
                 "redux.add.r R1, PT, R0, R3\n bra #join\n"
                 "then:\n redux.add.r R1, PT, R0, R3\n join:\n" EPI,
     .block = {32, 1, 1},
     .want = summed_by_quarter},
    {.name = "shfl bfly of a full warp",
     .text = PRO "mov.i R2, 0x1f01\n shfl.i R1, P0, R0, R2, 0xffffffff {xmode=bfly}\n" EPI,
     .block = {32, 1, 1},
     .want = exchanged},
    {.name = "warpsync of both arms at different instructions",
     .text = PRO "mov.i R2, 0xffffffff\n setp.u32.ri P0, PT, R0, 0x8, PT {cmp=lt bop=none}\n"
                 "@P0 bra #then\n warpsync.i 0xffffffff\n mov.r R1, R0\n bra #join\n"
                 "then:\n warpsync.r R2\n mov.r R1, R0\n join:\n" EPI,
     .block = {32, 1, 1},
     .want = rotated},
    {.name = "elect among the lanes that have not exited",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x4, PT {cmp=lt bop=none}\n @P0 exit\n"
                 "elect.i R1, P1, 0xffffffff, PT\n @P1 add.ri R1, R1, 0x100\n" EPI,
     .block = {32, 1, 1},
     .want = elected},
    {.name = "votes into every predicate",
     .text = PRO VOTE(0, "lt", "PT") VOTE(1, "ge", "!PT") VOTE(2, "lt", "PT") VOTE(3, "ge", "!PT")
         VOTE(4, "lt", "PT") VOTE(5, "ge", "!PT")
             VOTE(6, "lt", "PT") "vote.any.i RZ, PT, 0xffffffff, !PT\n mov.r R1, RZ\n" BIT(0, "0x1")
                 BIT(1, "0x2") BIT(2, "0x4") BIT(3, "0x8") BIT(4, "0x10") BIT(5, "0x20")
                     BIT(6, "0x40") EPI,
     .block = {32, 1, 1},
     .want = every_other},
    {.name = "the next instruction has an exchanged word as any operand, alone or in a pair",
     .text = PRO "mov.i R2, 0x1f01\n mov.r R1, RZ\n mov.r R12, RZ\n" IN_R13("add.rr R11, R13, R0")
         IN_R13("add.rr R11, R0, R13") IN_R13("mad.lo.rir R11, R0, 0x1, R13") IN_R13(
             "add64.rr R10:R11, R12:R13, R6:R7") IN_R13("add64.rr R10:R11, R6:R7, R12:R13") EPI,
     .block = {32, 1, 1},
     .want = with_neighbour},
    {.name = "match any",
     .text = PRO "lop3.rir R2, R0, 0x3, RZ {lut=0xc0}\n match.any.i R1, PT, R2, 0xffffffff\n" EPI,
     .block = {32, 1, 1},
     .want = matched},
    {.name = "match any, all bits set",
     .text = PRO "mov.i R2, 0xffffffff\n match.any.i R1, PT, R2, 0xffffffff\n" EPI,
     .block = {32, 1, 1},
     .want = all_lanes},
    {.name = "redux with the mask in a register",
     .text = PRO "mov.i R2, 0xffffffff\n redux.add.r R1, PT, R0, R2\n" EPI,
     .block = {32, 1, 1},
     .want = summed},
    {.name = "exchange through shared memory over a barrier",
     .text = PRO "add.ri R2, R0, 0x3e8\n shf.l.wrap.i R3, RZ, R0, 0x2\n st.shared.b32 [R3], R2\n"
                 "bar.sync.i B0:0\n lop3.rir R3, R3, 0x80, RZ {lut=0x3c}\n"
                 "ld.shared.b32 R1, [R3]\n" EPI,
     .block = {64, 1, 1},
     .shared = 256,
     .want = other_warp},
    {.name = "bar.popc over three warps",
     .text = PRO "setp.u32.ri P0, PT, R0, 0xa, PT {cmp=ge bop=none}\n"
                 "bar.popc.i R1, B5:0, P0\n" EPI,
     .block = {96, 1, 1},
     .want = popc_of_cta},
    {.name = "bar.and and bar.or with number and count in registers",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x28, PT {cmp=eq bop=none}\n mov.i R2, 0x3\n"
                 "mov.i R3, 0x40\n bar.and.r P1, R2, R3, P0\n bar.or.r P2, R2, R3, P0\n"
                 "mov.r R1, RZ\n @P1 add.ri R1, R1, 0x1\n @P2 add.ri R1, R1, 0x2\n" EPI,
     .block = {64, 1, 1},
     .want = and_or},
    {.name = "a producing and a consuming warp, arrive and sync",
     .text = PRO "s2r R8, SR13\n shf.r.wrap.i R9, R0, RZ, 0x5\n"
                 "setp.u32.ri P0, PT, R9, 0x0, PT {cmp=eq bop=none}\n @!P0 bra #consume\n"
                 "shf.l.wrap.i R3, RZ, R0, 0x2\n add.ri R2, R0, 0x5\n st.shared.b32 [R3], R2\n"
                 "bar.arrive.i B1:64\n exit\n"
                 "consume:\n bar.sync.i B1:64\n shf.l.wrap.i R3, RZ, R0, 0x2\n"
                 "ld.shared.b32 R1, [R3-0x80]\n" EPI,
     .block = {64, 1, 1},
     .shared = 128,
     .want = produced},
    {.name = "a barrier again and again",
     .text =
         PRO "mov.r R1, RZ\n mov.i R2, 0x6\n setp.u32.ri P0, PT, R0, 0x0, PT {cmp=ge bop=none}\n"
             "again:\n bar.popc.i R3, B2:0, P0\n add.rr R1, R1, R3\n"
             "add.ri R2, R2, 0xffffffff\n setp.u32.ri P1, PT, R2, 0x0, PT {cmp=ne bop=none}\n"
             "@P1 bra #again\n" EPI,
     .block = {64, 1, 1},
     .want = phases},
    {.name = "a barrier that lanes reach at different instructions",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x28, PT {cmp=lt bop=none}\n @P0 bra #then\n"
                 "bar.sync.i B0:0\n bra #join\n then:\n bar.sync.i B0:0\n join:\n"
                 "lop3.rir R1, R0, 0x1, RZ {lut=0x3c}\n" EPI,
     .block = {64, 1, 1},
     .want = exchanged},
    {.name = "exited lanes and warps do not hold a barrier",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x10, PT {cmp=lt bop=none}\n @P0 exit\n"
                 "setp.u32.ri P0, PT, R0, 0x20, PT {cmp=ge bop=none}\n @P0 exit\n"
                 "setp.u32.ri P0, PT, R0, 0x0, PT {cmp=ge bop=none}\n"
                 "bar.popc.i R1, B0:0, P0\n" EPI,
     .block = {64, 1, 1},
     .want = half_left,
     .words = 32},
    {.name = "ballot in both arms with the mask of the arm",
     .text = PRO "setp.u32.ri P0, PT, R0, 0x10, PT {cmp=lt bop=none}\n @P0 bra #then\n"
                 "vote.ballot.i R1, PT, 0xffff0000, PT\n bra #join\n then:\n"
                 "vote.ballot.i R1, PT, 0xffff, PT\n join:\n" EPI,
     .block = {32, 1, 1},
     .want = arm_votes},
    {.name = NULL}};
