/* arith_cases.c: carries, halves, packed integers and small formats (docs/microarchitecture.md 6.4). Halves
 * near 1024 (f16) and 128 (bf16) have a last place of 1, so that what a word must be is whole-number
 * arithmetic. */
#include <stdbool.h>
#include <stddef.h>

#include "tests/machine/machine_cases.h"

#define BELOW(p, n) "setp.u32.ri P" #p ", PT, R0, " #n ", PT {cmp=lt bop=none}\n"

/* ---- carries */
static uint32_t four_words(uint32_t t) { return (t < 16 ? 6 : 4) + 256 * t; }
static uint32_t borrowed(uint32_t t) { return t < 9 ? 6 + 16 : 7; }
static uint32_t kept(uint32_t t) { return t < 10 ? 2 * t + 1 : 154; }
static uint32_t no_flag(uint32_t t) { return t + 1; }
static uint32_t both_arms(uint32_t t) { return t % 2 == 0 ? 101 : 200; }

/* ---- halves */
static uint32_t tie(uint32_t t) { /* t * t / 2, ties to even */
  const uint32_t whole = t * t / 2;
  return t % 2 == 0 ? whole : whole + whole % 2;
}
static uint32_t half_squares(uint32_t t) {
  return (0x6400 + tie(40 - t)) << 16 | (0x6400 + tie(t));
}
static uint32_t half_squares_bf16(uint32_t t) { return (0x4300 + tie(t)) * 0x10001; }
static uint32_t not_negative(uint32_t t) { return 0x4300 + (t < 8 ? 8 - t : 0); }
static uint32_t limited(uint32_t t) { return (t < 5 ? 0x6400 : 0x6401) | 0x64000000; }
static uint32_t lesser_magnitude(uint32_t t) { return 0x3c00e400 + (t < 16 ? t : 16); }
static uint32_t larger_or_nan(uint32_t t) { return 0x7fff6400 + (t > 16 ? t : 16); }
static uint32_t less_mask(uint32_t t) { return 0xffff0000 | (t < 20 ? 0xffff : 0); }
static uint32_t skipped(uint32_t t) { return 0x6400 + t; }

/* ---- packed integers */
static uint32_t clamped_bytes(uint32_t t) { return (t < 23 ? 104 + t : 127) * 0x01010101; }
static uint32_t wrapped_bytes(uint32_t t) { return (248 + t) % 256 * 0x01010101; }
static uint32_t clamped_halves(uint32_t t) {
  return (t < 9 ? 0 : t - 9) << 16 | (t < 30 ? t + 65506 : 65535);
}
static uint32_t between(uint32_t t) { return (t < 16 ? 0 : t < 21 ? t - 16 : 5) * 0x10001; }

/* ---- small formats */
static uint32_t to_e4m3(uint32_t t) { /* 16 + t: the last place is 2 */
  return 0xfe58 + (t % 16) / 2 + (t % 4 == 3);
}
static uint32_t by_random_bits(uint32_t t) {
  return (t >= 1 ? 0x6401u : 0x6400u) << 16 | (t >= 10 ? 0x6401u : 0x6400u);
}
static uint32_t from_e2m1(uint32_t t) {
  static const uint32_t number[8] = {0, 0x3800, 0x3c00, 0x3e00, 0x4000, 0x4200, 0x4400, 0x4600};
  return number[t / 16] << 16 | number[t % 8] | (t / 8 % 2) << 15;
}

const machine_case_t machine_arith_cases[] = {
    {.name = "a sum of four words by its carries",
     .text = PRO "add.ri R10, R0, 0xfffffff0\n mov.i R11, 0xffffffff\n mov.i R12, 0xffffffff\n"
                 "mov.i R13, 0x5\n"
                 "addc.ri R14, P0, R10, 0x10, !PT\n addc.ri R15, P0, R11, 0x0, P0\n"
                 "addc.rr R16, P0, R12, RZ, P0\n addc.ri R1, P1, R13, 0x0, P0\n"
                 "add.rr R1, R1, R16\n mad.lo.rir R1, R14, 0x100, R1\n" EPI,
     .block = {48, 1, 1},
     .want = four_words},
    {.name = "a difference of two words: the flag is 1 without a borrow",
     .text = PRO "mov.i R15, 0x7\n addc.ri R14, P0, R0, 0x9, PT {neg_b}\n"
                 "addc.ri R1, P1, R15, 0x0, P0 {neg_b}\n addc.rr R16, P2, RZ, RZ, !P0\n"
                 "mad.lo.rir R1, R16, 0x10, R1\n" EPI,
     .block = {32, 1, 1},
     .want = borrowed},
    {.name = "lanes whose guard is false keep flag and sum",
     .text = PRO BELOW(1, 0xa) "mov.i R14, 0x4d\n addc.rr R15, P0, RZ, RZ, !PT\n"
                               "@P1 addc.ri R14, P0, R0, 0xffffffff, PT\n"
                               "addc.rr R1, P3, R14, R14, P0\n" EPI,
     .block = {96, 1, 1},
     .want = kept},
    {.name = "a carry that nobody keeps",
     .text = PRO "addc.ri R1, PT, R0, 0x0, PT\n addc.ri RZ, PT, R1, 0xffffffff, PT\n" EPI,
     .block = {32, 1, 1},
     .want = no_flag},
    {.name = "a flag of each arm",
     .text = PRO "lop3.rir R2, R0, 0x1, RZ {lut=0xc0}\n addc.ri R3, P0, R2, 0xffffffff, !PT\n"
                 "@P0 bra #odd\n addc.ri R3, P1, R3, 0x1, !PT\n mov.i R1, 0x64\n bra #join\n"
                 "odd:\n addc.rr R3, P1, RZ, RZ, P0\n mov.i R1, 0xc8\n join:\n"
                 "addc.rr R1, P2, R1, RZ, P1\n" EPI,
     .block = {64, 1, 1},
     .want = both_arms},
    /* R2: two halves, 1024 + 40 - t and 1024 + t; R25: 1024 twice; R3: 40 - t and t. */
    {.name = "f16: two products and sums, halves of a unit to even",
     .text = PRO "mad.lo.rir R2, R0, 0xffff0001, RZ\n add.ri R2, R2, 0x64286400\n"
                 "mov.i R25, 0x64006400\n fma2.f16.rir R3, R2, 0x3c003c00, R25 {neg_c}\n"
                 "mov.i R26, 0x38003800\n fma2.f16.rri R24, R3, R26, 0x80008000\n"
                 "fma2.f16.rrr R1, R3, R24, R25\n" EPI,
     .block = {41, 1, 1},
     .want = half_squares},
    {.name = "bf16: two products and sums",
     .text = PRO "mad.lo.rir R2, R0, 0x10001, RZ\n add.ri R2, R2, 0x43004300\n"
                 "mov.i R25, 0x43004300\n fma2.bf16.rir R3, R2, 0x3f803f80, R25 {neg_c}\n"
                 "mov.i R26, 0x3f003f00\n fma2.bf16.rri R24, R3, R26, 0x80008000\n"
                 "fma2.bf16.rrr R1, R3, R24, R25\n" EPI,
     .block = {16, 1, 1},
     .want = half_squares_bf16},
    {.name = "bf16: a negative result becomes zero",
     .text = PRO "add.ri R2, R0, 0x4300\n mov.i R25, 0x4308\n mov.i R26, 0x3f80\n"
                 "fma2.bf16.rrr R3, R2, R26, R25 {neg_a relu}\n mov.i R27, 0x4300\n"
                 "fma2.bf16.rrr R1, R3, R26, R27\n" EPI,
     .block = {32, 1, 1},
     .want = not_negative},
    {.name = "f16: limited to 1, a NaN to 0",
     .text = PRO "add.ri R2, R0, 0x7fff6400\n mov.i R25, 0x64046404\n"
                 "fma2.f16.rir R3, R2, 0x3c003c00, R25 {neg_c sat}\n mov.i R27, 0x64006400\n"
                 "fma2.f16.rir R1, R3, 0x3c003c00, R27\n" EPI,
     .block = {32, 1, 1},
     .want = limited},
    {.name = "f16: a factor 7ff7 ends it",
     .text = PRO "add.ri R2, R0, 0x7ff76400\n fma2.f16.rir R1, R2, 0x3c003c00, RZ {oob}\n" EPI,
     .block = {32, 1, 1},
     .want = skipped},
    {.name = "f16: the lesser magnitude with both signs, a NaN dropped",
     .text = PRO "add.ri R2, R0, 0x7fff6400\n min2.f16.ri R1, R2, 0x3c00e410 {xorsign}\n" EPI,
     .block = {32, 1, 1},
     .want = lesser_magnitude},
    {.name = "f16: the larger, a NaN kept",
     .text = PRO "add.ri R2, R0, 0x7fff6400\n mov.i R3, 0x3c006410\n"
                 "max2.f16.rr R1, R2, R3 {nan}\n" EPI,
     .block = {32, 1, 1},
     .want = larger_or_nan},
    {.name = "bf16: relations of two halves, with a NaN",
     .text = PRO "add.ri R2, R0, 0x7fff4200\n set2.bf16.ri R1, R2, 0x3f804214 {cmp=ltu}\n" EPI,
     .block = {32, 1, 1},
     .want = less_mask},
    {.name = "four bytes, signed, limited",
     .text = PRO "mad.lo.rir R2, R0, 0x1010101, RZ\n addv.ri R2, R2, 0xf0f0f0f0 {bytes}\n"
                 "addv.ri R1, R2, 0x78787878 {sat bytes}\n" EPI,
     .block = {32, 1, 1},
     .want = clamped_bytes},
    {.name = "four bytes, a difference that wraps",
     .text = PRO "mad.lo.rir R2, R0, 0x1010101, RZ\n mov.i R3, 0x8080808\n"
                 "addv.rr R1, R2, R3 {neg_b bytes}\n" EPI,
     .block = {32, 1, 1},
     .want = wrapped_bytes},
    {.name = "two unsigned halves, limited on both sides",
     .text = PRO "mad.lo.rir R2, R0, 0x10001, RZ\n addv.ri R3, R2, 0x90009 {sat neg_b uns}\n"
                 "addv.ri R2, R2, 0xffe2ffe2 {sat uns}\n prmt.rri R1, R2, R3, 0x5410\n" EPI,
     .block = {32, 1, 1},
     .want = clamped_halves},
    {.name = "two halves between 0 and 5",
     .text = PRO "mad.lo.rir R2, R0, 0x10001, RZ\n addv.ri R2, R2, 0xfff0fff0\n"
                 "minv.ri R3, R2, 0x50005 {relu}\n mov.i R24, 0xffffffff\n"
                 "maxv.rr R1, R3, R24 {relu}\n" EPI,
     .block = {32, 1, 1},
     .want = between},
    {.name = "e4m3: to even, the largest number",
     .text = PRO "lop3.rir R2, R0, 0xf, RZ {lut=0xc0}\n add.ri R2, R2, 0x10\n"
                 "cvt.f32.u32 R2, R2\n mov.i R3, 0xc47a0000\n" /* -1000 */
                 "cvt.e4m3x2.f32 R1, R3, R2\n" EPI,
     .block = {32, 1, 1},
     .want = to_e4m3},
    /* 1024 + t / 32; the random bits are 8191 and 5632 of 8192. */
    {.name = "f16 by random bits",
     .text = PRO "add.ri R2, R0, 0x8000\n cvt.f32.u32 R2, R2\n mul.f32.ri R2, R2, 0x3d000000\n"
                 "mov.i R3, 0xffff1600\n cvt.rs.f16x2.f32 R1, R2, R2, R3\n" EPI,
     .block = {32, 1, 1},
     .want = by_random_bits},
    {.name = "f16 from e2m1",
     .text = PRO "cvt.f16x2.e2m1x2 R1, R0\n" EPI,
     .block = {128, 1, 1},
     .want = from_e2m1},
    {.name = NULL}};
