/* arith_carry.c: the carry flag and packed integers for test_arith, expected values by the host's
 * 128-bit integers. PTX 9.7.1, 9.7.2, 9.7.9.22. The flag: through branches, loops, guards, spill code;
 * read before it was written it is 0, which is our choice. After sub it is 1 for no borrow. */
#include "tests/unit/lower/arith_cases.h"

typedef unsigned __int128 u128;
typedef __int128 s128;
#define S32(x) ((int64_t)(int32_t)(uint32_t)(x))
#define U32(x) ((uint64_t)(uint32_t)(x))
#define H(name, expr)                                                                              \
  static uint64_t h_##name(uint64_t a, uint64_t b, uint64_t c) {                                   \
    (void)a, (void)b, (void)c;                                                                     \
    return (uint64_t)(expr);                                                                       \
  }

static uint64_t carry(uint64_t a, uint64_t b) { return (U32(a) + U32(b)) >> 32; }
static uint64_t no_borrow(uint64_t a, uint64_t b) { return U32(a) >= U32(b); }
static uint64_t carry64(uint64_t a, uint64_t b) { return (uint64_t)(((u128)a + b) >> 64); }
static uint64_t high_s64(uint64_t a, uint64_t b) {
  return (uint64_t)((s128)(int64_t)a * (int64_t)b >> 64);
}
H(add_words, a + b)
H(sub_words, a - b)
H(constant, a + UINT64_C(0x9000000080000001))
H(less_from, UINT64_C(0x100000005) - a)
H(borrow, no_borrow(a, b) ? 0 : UINT32_MAX)
H(mixed, U32(c) + no_borrow(a, b))
H(carry128, c + carry64(a, b))
H(flag_high, carry64(high_s64(a, b), c))
H(product_high, ((u128)a * b + c) >> 64)
H(product_low, a *b + c)
H(mad_low, U32(a) * U32(b) + c)
H(signed_high, (((uint64_t)(S32(a) * S32(b)) >> 32) + U32(c)) >> 32)
H(branches, (U32(c) < 1000 ? 5 : 3) + U32(c) + carry(a, b))
static uint64_t h_loop(uint64_t a, uint64_t b, uint64_t c) { /* 1, then the flag, three times */
  uint32_t sum = 0;
  uint64_t flag = carry(a, b);
  for (int i = 0; i < 3; i++) {
    const uint64_t next = U32(sum) + U32(c) + flag;
    sum = (uint32_t)next;
    flag = next >> 32;
  }
  return sum + flag;
}
H(guarded, U32(c) < 1000 ? carry(b, c) : carry(a, b))
H(both_guarded, U32(c) < 1000 ? U32(b) + no_borrow(a, b) : 77)
H(one_branch, a + (U32(c) < 1000 ? 0 : carry(a, b)))
H(undefined, a + b)
H(undefined_guarded, a + (U32(c) < 1000 ? carry(a, b) : 0))
H(spilled, (a & 511) + carry(a, b) + carry(b, c))
H(saturated, U32(a) + U32(b) > UINT32_MAX ? UINT32_MAX : a + b)
H(saturated_constant, U32(a) + 0xf0000000u > UINT32_MAX ? UINT32_MAX : a + 0xf0000000u)

/* ---- parts of a word */
typedef int64_t part_fn_t(int64_t x, int64_t y);
static int64_t sum(int64_t x, int64_t y) { return x + y; }
static int64_t difference(int64_t x, int64_t y) { return x - y; }
static int64_t lesser(int64_t x, int64_t y) { return x < y ? x : y; }
static int64_t larger(int64_t x, int64_t y) { return x > y ? x : y; }
static int64_t lesser_relu(int64_t x, int64_t y) { return larger(lesser(x, y), 0); }
static int64_t larger_relu(int64_t x, int64_t y) { return larger(larger(x, y), 0); }

static int64_t clamp(int64_t v, unsigned bits, bool sign) {
  const int64_t low = sign ? -(INT64_C(1) << (bits - 1)) : 0,
                high = (INT64_C(1) << (sign ? bits - 1 : bits)) - 1;
  return v < low ? low : v > high ? high : v;
}

static int64_t part(uint64_t word, unsigned at, unsigned bits, bool sign) {
  const int64_t v = (int64_t)(word >> at & ((UINT64_C(1) << bits) - 1));
  return sign && (v >> (bits - 1) & 1) != 0 ? v - (INT64_C(1) << bits) : v;
}

static uint64_t parts(uint64_t a, uint64_t b, unsigned bits, bool sign, bool sat, part_fn_t *fn) {
  uint64_t word = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    int64_t v = fn(part(a, at, bits, sign), part(b, at, bits, sign));
    if (sat) v = clamp(v, bits, sign);
    word |= ((uint64_t)v & ((UINT64_C(1) << bits) - 1)) << at;
  }
  return word;
}
H(add_u16x2, parts(a, b, 16, false, false, sum))
H(add_sat_u16x2, parts(a, b, 16, false, true, sum))
H(add_sat_s16x2, parts(a, b, 16, true, true, sum))
H(add_u8x4, parts(a, b, 8, false, false, sum))
H(add_sat_s8x4, parts(a, b, 8, true, true, sum))
H(sub_s8x4, parts(a, b, 8, true, false, difference))
H(sub_sat_u8x4, parts(a, b, 8, false, true, difference))
H(sub_sat_s8x4, parts(a, b, 8, true, true, difference))
H(neg_s8x4, parts(0, a, 8, true, false, difference))
H(min_u16x2, parts(a, b, 16, false, false, lesser))
H(max_s16x2, parts(a, b, 16, true, false, larger))
H(min_relu_s16x2, parts(a, b, 16, true, false, lesser_relu))
H(max_relu_s8x4, parts(a, b, 8, true, false, larger_relu))
H(min_s8x4, parts(a, b, 8, true, false, lesser))
H(max_u8x4, parts(a, b, 8, false, false, larger))
H(min_relu, lesser_relu(S32(a), S32(b)))
H(max_relu, larger_relu(S32(a), S32(b)))
H(max_relu_constant, larger_relu(S32(a), -9))

static uint64_t pack(uint64_t a, uint64_t b, uint64_t c, unsigned bits, bool sign) {
  const uint64_t mask = (UINT64_C(1) << bits) - 1;
  return ((uint64_t)clamp(S32(b), bits, sign) & mask) |
         ((uint64_t)clamp(S32(a), bits, sign) & mask) << bits | c << 2 * bits;
}
H(pack_u16, pack(a, b, 0, 16, false))
H(pack_s16, pack(a, b, 0, 16, true))
H(pack_u8, pack(a, b, c, 8, false))
H(pack_s8, pack(a, b, c, 8, true))
H(pack_u4, pack(a, b, c, 4, false))
H(pack_s2, pack(a, b, c, 2, true))

static uint64_t fns(uint32_t mask, uint32_t base, int32_t offset) {
  int64_t left = offset < 0 ? -(int64_t)offset : offset;
  if (left == INT64_C(1) << 31) return 0;
  if (left == 0) return base < 32 && (mask >> base & 1) != 0 ? base : UINT32_MAX;
  for (int64_t at = base; at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
    if ((mask >> at & 1) != 0 && --left == 0) return (uint64_t)at;
  return UINT32_MAX;
}
H(fns, fns((uint32_t)a, b & 63, (int32_t)c))
H(fns_near, fns((uint32_t)a, b & 31, (int32_t)(c & 63) - 31))
H(fns_zero, fns((uint32_t)a, b & 31, 0))
H(fns_all, fns(UINT32_MAX, 31, -(int32_t)(c & 31)))

#define LESS                    "setp.lt.u32 %p, %rc, 1000; "
#define C(name, body, bits, fn) {name, body, bits, DATA_INT, false, h_##fn}
#define T(name, body, fn)       {name, "{ .reg .b32 %t, %u; " body " }", 32, DATA_INT, false, h_##fn}
#define BIT(n)                  "and.b32 %u, %ra, 1 << " #n "; setp.ne.u32 %q" #n ", %u, 0; "
#define ADD(n)                  "selp.u32 %u, 1 << " #n ", 0, %q" #n "; add.u32 %rd, %rd, %u; "
#define WORDS(low, high)                                                                           \
  "{ .reg .b32 %l, %h, %al, %ah, %bl, %bh; mov.b64 {%al, %ah}, %da; mov.b64 {%bl, %bh}, %db; " low \
  " " high " mov.b64 %dd, {%l, %h}; }"
const arith_case_t arith_carry_cases[] = {
    C("add.cc.u32, addc", WORDS("add.cc.u32 %l, %al, %bl;", "addc.u32 %h, %ah, %bh;"), 64,
      add_words),
    C("add.cc.s32, addc.cc", WORDS("add.cc.s32 %l, %al, %bl;", "addc.cc.s32 %h, %ah, %bh;"), 64,
      add_words),
    C("sub.cc.u32, subc", WORDS("sub.cc.u32 %l, %al, %bl;", "subc.u32 %h, %ah, %bh;"), 64,
      sub_words),
    C("add.cc of constants",
      WORDS("add.cc.u32 %l, 0x80000001, %al;", "addc.u32 %h, %ah, 0x90000000;"), 64, constant),
    C("sub.cc from a constant", WORDS("sub.cc.u32 %l, 5, %al;", "subc.u32 %h, 1, %ah;"), 64,
      less_from),
    T("borrow as a mask", "sub.cc.u32 %t, %ra, %rb; subc.u32 %rd, 0, 0;", borrow),
    T("sub.cc, addc", "sub.cc.u32 %t, %ra, %rb; addc.u32 %rd, %rc, 0;", mixed),
    C("add.cc.u64, addc.u64", "add.cc.u64 %dd, %da, %db; addc.u64 %dd, %dc, 0;", 64, carry128),
    C("add.cc.u64 in place", "mov.u64 %dd, %db; add.cc.u64 %dd, %da, %dd; addc.u64 %dd, 0, %dc;",
      64, carry128),
    C("sub.cc.u64 low", "sub.cc.u64 %dd, %da, %db;", 64, sub_words),
    C("mad.lo.cc.u64, madc.hi.u64",
      "mad.lo.cc.u64 %dd, %da, %db, %dc; madc.hi.u64 %dd, %da, %db, 0;", 64, product_high),
    C("mad.lo.cc.s64", "mad.lo.cc.s64 %dd, %da, %db, %dc;", 64, product_low),
    C("mad.hi.cc.s64", "mad.hi.cc.s64 %dd, %da, %db, %dc; addc.s64 %dd, 0, 0;", 64, flag_high),
    T("mad.lo.cc.u32", "mad.lo.cc.u32 %rd, %ra, %rb, %rc;", mad_low),
    T("mad.hi.cc.s32", "mad.hi.cc.s32 %t, %ra, %rb, %rc; addc.s32 %rd, 0, 0;", signed_high),
    T("flag through branches",
      "add.cc.u32 %t, %ra, %rb; " LESS "@%p bra F1; mov.u32 %t, 3; bra F2; "
      "F1: mov.u32 %t, 5; F2: addc.u32 %rd, %t, %rc;",
      branches),
    T("flag written in a branch",
      LESS "@%p bra W1; add.cc.u32 %t, %ra, %rb; W1: addc.u32 %rd, %ra, 0;", one_branch),
    T("flag in a loop",
      "add.cc.u32 %t, %ra, %rb; mov.u32 %rd, 0; mov.u32 %u, 3; "
      "L1: addc.cc.u32 %rd, %rd, %rc; sub.u32 %u, %u, 1; setp.ne.u32 %p, %u, 0; @%p bra L1; "
      "addc.u32 %rd, %rd, 0;",
      loop),
    T("guarded add.cc",
      LESS "add.cc.u32 %t, %ra, %rb; @%p add.cc.u32 %t, %rb, %rc; addc.u32 %rd, 0, 0;", guarded),
    T("guarded chain",
      LESS "mov.u32 %rd, 77; @%p sub.cc.u32 %t, %ra, %rb; @%p addc.u32 %rd, %rb, 0;", both_guarded),
    T("flag never written", "addc.u32 %rd, %ra, %rb;", undefined),
    T("flag written by some", LESS "@%p add.cc.u32 %t, %ra, %rb; addc.u32 %rd, %ra, 0;",
      undefined_guarded),
    T("flag beside nine predicates",
      ".reg .pred %q<9>; " BIT(0) BIT(1) BIT(2) BIT(3) BIT(4) BIT(5) BIT(6) BIT(7)
          BIT(8) "mov.u32 %rd, 0; add.cc.u32 %t, %ra, %rb; " ADD(0) ADD(1) ADD(2) ADD(3)
              ADD(4) "addc.u32 %rd, %rd, 0; add.cc.u32 %t, %rb, %rc; " ADD(5) ADD(6) ADD(7)
                  ADD(8) "addc.u32 %rd, %rd, 0;",
      spilled),
    C("add.sat.u32", "add.sat.u32 %rd, %ra, %rb;", 32, saturated),
    C("add.sat.u32 constant", "add.sat.u32 %rd, 0xf0000000, %ra;", 32, saturated_constant),
    C("add.u16x2", "add.u16x2 %rd, %ra, %rb;", 32, add_u16x2),
    C("add.s16x2", "add.s16x2 %rd, %ra, %rb;", 32, add_u16x2),
    C("add.sat.u16x2", "add.sat.u16x2 %rd, %ra, %rb;", 32, add_sat_u16x2),
    C("add.sat.s16x2", "add.sat.s16x2 %rd, %ra, %rb;", 32, add_sat_s16x2),
    C("add.u8x4", "add.u8x4 %rd, %ra, %rb;", 32, add_u8x4),
    C("add.sat.s8x4", "add.sat.s8x4 %rd, %ra, %rb;", 32, add_sat_s8x4),
    C("sub.s8x4", "sub.s8x4 %rd, %ra, %rb;", 32, sub_s8x4),
    C("sub.sat.u8x4", "sub.sat.u8x4 %rd, %ra, %rb;", 32, sub_sat_u8x4),
    C("sub.sat.s8x4", "sub.sat.s8x4 %rd, %ra, %rb;", 32, sub_sat_s8x4),
    C("neg.s8x4", "neg.s8x4 %rd, %ra;", 32, neg_s8x4),
    C("min.u16x2", "min.u16x2 %rd, %ra, %rb;", 32, min_u16x2),
    C("max.s16x2", "max.s16x2 %rd, %ra, %rb;", 32, max_s16x2),
    C("min.relu.s16x2", "min.relu.s16x2 %rd, %ra, %rb;", 32, min_relu_s16x2),
    C("max.relu.s8x4", "max.relu.s8x4 %rd, %ra, %rb;", 32, max_relu_s8x4),
    C("min.s8x4", "min.s8x4 %rd, %ra, %rb;", 32, min_s8x4),
    C("max.u8x4", "max.u8x4 %rd, %ra, %rb;", 32, max_u8x4),
    C("min.relu.s32", "min.relu.s32 %rd, %ra, %rb;", 32, min_relu),
    C("max.relu.s32", "max.relu.s32 %rd, %ra, %rb;", 32, max_relu),
    C("max.relu.s32 constant", "max.relu.s32 %rd, -9, %ra;", 32, max_relu_constant),
    C("cvt.pack.sat.u16", "cvt.pack.sat.u16.s32 %rd, %ra, %rb;", 32, pack_u16),
    C("cvt.pack.sat.s16", "cvt.pack.sat.s16.s32 %rd, %ra, %rb;", 32, pack_s16),
    C("cvt.pack.sat.u8", "cvt.pack.sat.u8.s32.b32 %rd, %ra, %rb, %rc;", 32, pack_u8),
    C("cvt.pack.sat.s8", "cvt.pack.sat.s8.s32.b32 %rd, %ra, %rb, %rc;", 32, pack_s8),
    C("cvt.pack.sat.u4", "cvt.pack.sat.u4.s32.b32 %rd, %ra, %rb, %rc;", 32, pack_u4),
    C("cvt.pack.sat.s2 in place", "mov.u32 %rd, %rb; cvt.pack.sat.s2.s32.b32 %rd, %ra, %rd, %rc;",
      32, pack_s2),
    C("fns", "and.b32 %rd, %rb, 63; fns.b32 %rd, %ra, %rd, %rc;", 32, fns),
    T("fns near",
      "and.b32 %rd, %rb, 31; and.b32 %t, %rc, 63; sub.s32 %t, %t, 31; fns.b32 %rd, %ra, %rd, %t;",
      fns_near),
    C("fns at the base", "and.b32 %rd, %rb, 31; fns.b32 %rd, %ra, %rd, 0;", 32, fns_zero),
    T("fns in all ones", "and.b32 %t, %rc, 31; neg.s32 %t, %t; fns.b32 %rd, -1, 31, %t;", fns_all),
};
const size_t arith_carry_count = sizeof arith_carry_cases / sizeof arith_carry_cases[0];
