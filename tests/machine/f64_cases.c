/* f64_cases.c: 64-bit floating point (docs/microarchitecture.md 20). Integers become numbers and back by 2^52,
 * whose last place is 1: what a word must be is whole-number arithmetic. */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

/* R10:R11 = 2^52, R12:R13 = tid.x, R14:R15 = 0.5 */
#define NUMBERS                                                                                    \
  "mov.r R8, R0\n mov.i R9, 0x43300000\n mov.r R10, RZ\n mov.i R11, 0x43300000\n mov.r R14, RZ\n"  \
  "mov.i R15, 0x3fe00000\n add.f64 R12:R13, R8:R9, R10:R11 {neg_b}\n"
/* R1 = the number in R16:R17 as an integer, rounded so. */
#define WHOLE(rounding) "add.f64 R18:R19, R16:R17, R10:R11 " rounding "\n mov.r R1, R18\n"
#define HALVES(rounding)                                                                           \
  PRO NUMBERS "fma.f64 R16:R17, R12:R13, R12:R13, R14:R15\n" WHOLE(rounding) EPI
#define BELOW(p, n) "setp.u32.ri P" #p ", PT, R0, " #n ", PT {cmp=lt bop=none}\n"

static uint32_t square(uint32_t t) { return t * t; }
static uint32_t square_up(uint32_t t) { return t * t + 1; }
static uint32_t square_even(uint32_t t) { return t * t + t % 2; } /* t * t + 0.5 to even */
static uint32_t doubled(uint32_t t) { return t < 13 ? 2 * t : t; }
static uint32_t grown(uint32_t t) {
  const uint32_t once = t * t + t; /* three times x * x + x, below 2^32 for t < 11 */
  const uint32_t twice = once * once + once;
  return t < 11 ? twice : 5;
}
static uint32_t arms(uint32_t t) { return t % 32 < 9 ? t + 7 : 3 * t; }
static uint32_t nothing(uint32_t t) { return t; }
static uint32_t many(uint32_t t) { return 8 * t + 28; }
static uint32_t replaced(uint32_t t) { return 5 * t; }

const machine_case_t machine_f64_cases[] = {
    {.name = "f64: a half rounded to even",
     .text = HALVES(""),
     .block = {40, 1, 1},
     .want = square_even,
     .f64 = true},
    {.name = "f64: a half rounded toward zero",
     .text = HALVES("{rnd=rz}"),
     .block = {40, 1, 1},
     .want = square,
     .f64 = true},
    {.name = "f64: a half rounded down",
     .text = HALVES("{rnd=rm}"),
     .block = {64, 1, 1},
     .want = square,
     .f64 = true},
    {.name = "f64: a half rounded up",
     .text = HALVES("{rnd=rp}"),
     .block = {64, 1, 1},
     .want = square_up,
     .f64 = true},
    {.name = "f64: lanes whose guard is false keep their words",
     .text = PRO NUMBERS BELOW(0, 0xd) "add.f64 R16:R17, R12:R13, RZ\n"
                                       "@P0 add.f64 R16:R17, R12:R13, R12:R13\n" WHOLE("") EPI,
     .block = {32, 1, 1},
     .want = doubled,
     .f64 = true},
    {.name = "f64: no lane",
     .text = PRO NUMBERS "add.f64 R16:R17, R12:R13, RZ\n"
                         "@!PT mul.f64 R16:R17, R12:R13, R12:R13\n" WHOLE("") EPI,
     .block = {32, 1, 1},
     .want = nothing,
     .f64 = true},
    {.name = "f64: one register for all operands",
     .text = PRO NUMBERS "fma.f64 R12:R13, R12:R13, R12:R13, R12:R13\n"
                         "fma.f64 R12:R13, R12:R13, R12:R13, R12:R13\n"
                         "add.f64 R16:R17, R12:R13, RZ\n" WHOLE("")
                             BELOW(0, 0xb) "@!P0 mov.i R1, 0x5\n" EPI,
     .block = {32, 1, 1},
     .want = grown,
     .f64 = true},
    {.name = "f64: two arms of a branch",
     .text = PRO NUMBERS
     "s2r R2, SR12\n setp.u32.ri P0, PT, R2, 0x9, PT {cmp=lt bop=none}\n mov.r R20, RZ\n"
     "mov.i R21, 0x401c0000\n mov.i R22, 0x0\n mov.i R23, 0x40080000\n @P0 bra #low\n"
     "mul.f64 R16:R17, R12:R13, R22:R23\n bra #meet\n low:\n"
     "add.f64 R16:R17, R20:R21, R12:R13\n meet:\n" WHOLE("") EPI,
     .block = {96, 1, 1},
     .want = arms,
     .f64 = true},
    {.name = "f64: eight behind each other, four warps",
     .text = PRO NUMBERS
     "mov.r R20, RZ\n mov.i R21, 0x3ff00000\n mov.r R32, R12\n mov.r R33, R13\n"
     "add.f64 R34:R35, R12:R13, R20:R21\n add.f64 R36:R37, R34:R35, R20:R21\n"
     "add.f64 R38:R39, R36:R37, R20:R21\n add.f64 R40:R41, R38:R39, R20:R21\n"
     "add.f64 R42:R43, R40:R41, R20:R21\n add.f64 R44:R45, R42:R43, R20:R21\n"
     "add.f64 R46:R47, R44:R45, R20:R21\n add.f64 R16:R17, R32:R33, R34:R35\n"
     "add.f64 R48:R49, R36:R37, R38:R39\n add.f64 R50:R51, R40:R41, R42:R43\n"
     "add.f64 R52:R53, R44:R45, R46:R47\n add.f64 R16:R17, R16:R17, R48:R49\n"
     "add.f64 R50:R51, R50:R51, R52:R53\n add.f64 R16:R17, R16:R17, R50:R51\n" WHOLE("") EPI,
     .block = {128, 1, 1},
     .regs = 56,
     .want = many,
     .f64 = true},
    {.name = "f64: a source that is written behind it, and a destination without a register",
     .text = PRO NUMBERS "mov.r R20, RZ\n mov.i R21, 0x40140000\n" /* 5 */
                         "mul.f64 R16:R17, R12:R13, R20:R21\n mov.r R12, RZ\n mov.r R13, RZ\n"
                         "mul.f64 RZ, R20:R21, R20:R21\n mov.i R21, 0x40000000\n" WHOLE("") EPI,
     .block = {32, 1, 1},
     .want = replaced,
     .f64 = true},
    {.name = "f64: a trap while the unit works",
     .text = PRO NUMBERS "mul.f64 R16:R17, R12:R13, R14:R15\n mul.f64 R18:R19, R12:R13, R14:R15\n"
                         "mul.f64 R20:R21, R12:R13, R14:R15\n here:\n trap\n exit\n",
     .block = {32, 1, 1},
     .cause = WL_TRAP_USER,
     .lane = 0,
     .lanes = UINT32_MAX,
     .f64 = true},
    {.name = "f64: a destination beyond the pages",
     .text = PRO "here:\n add.f64 R32:R33, R8:R9, R10:R11\n exit\n",
     .block = {32, 1, 1},
     .cause = WL_TRAP_REGISTER_RANGE,
     .lane = 0,
     .any_lanes = true,
     .f64 = true},
    {.name = NULL}};
