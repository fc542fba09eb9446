/* arith_int.c: integer operations for test_arith, expected values by the host's 128-bit integers.
 * PTX 9.7.1, 9.7.8, 9.7.9.21; division by zero gives all ones as hardware folds it. Expansions and
 * choices of instruction selection only: what is one machine instruction stands in
 * tests/common/int_reference.h, and the oracle (oracle/forms) compares every PTX form. */
#include "tests/unit/lower/arith_cases.h"

typedef unsigned __int128 u128;
typedef __int128 s128;
#define S32(x) ((int64_t)(int32_t)(uint32_t)(x))
#define S16(x) ((int64_t)(int16_t)(uint16_t)(x))
#define S8(x)  ((int64_t)(int8_t)(uint8_t)(x))
#define U32(x) ((uint64_t)(uint32_t)(x))
#define U16(x) ((uint64_t)(uint16_t)(x))
#define S64(x) ((s128)(int64_t)(x))
#define H(name, expr)                                                                              \
  static uint64_t h_##name(uint64_t a, uint64_t b, uint64_t c) {                                   \
    (void)a, (void)b, (void)c;                                                                     \
    return (uint64_t)(expr);                                                                       \
  }

H(divu32, U32(b) == 0 ? ~0ull : U32(a) / U32(b))
H(remu32, U32(b) == 0 ? ~0ull : U32(a) % U32(b))
H(divs32, U32(b) == 0 ? -1 : S32(a) / S32(b))
H(rems32, U32(b) == 0 ? -1 : S32(a) % S32(b))
H(divu64, b == 0 ? ~0ull : a / b)
H(remu64, b == 0 ? ~0ull : a % b)
H(divs64, b == 0 ? (s128)-1 : S64(a) / S64(b))
H(rems64, b == 0 ? (s128)-1 : S64(a) % S64(b))
H(divu16, U16(b) == 0 ? ~0ull : U16(a) / U16(b))
H(rems16, U16(b) == 0 ? -1 : S16(a) % S16(b))
H(divs16, U16(b) == 0 ? -1 : S16(a) / S16(b))
H(divc, U32(a) / 64)
H(remc, U32(a) % 64)
H(divc7, S32(a) / 7)
H(mulhiu64, (u128)a *b >> 64)
H(mulhis64, S64(a) * S64(b) >> 64)
H(mullo64, a *b)
H(madlo64, a *b + c)
H(madhis64, (S64(a) * S64(b) >> 64) + S64(c))
H(mulwides16, S16(a) * S16(b))
H(mulhiu16, (U16(a) * U16(b)) >> 16)
H(mulhis16, (S16(a) * S16(b)) >> 16)
H(madlo16, a *b + c)
static int64_t s24(uint64_t x) { return (int64_t)(x << 40) >> 40; }
H(mul24hi, (s24(a) * s24(b)) >> 16)
H(mul24lo, (a & 0xffffff) * (b & 0xffffff))
H(sads32, c + (uint64_t)(S32(a) > S32(b) ? S32(a) - S32(b) : S32(b) - S32(a)))
H(sadu16, c + (U16(a) > U16(b) ? U16(a) - U16(b) : U16(b) - U16(a)))
H(sads64, c + ((int64_t)a > (int64_t)b ? a - b : b - a))
H(mins64, (int64_t)a < (int64_t)b ? a : b)
H(maxu64, a > b ? a : b)
H(abss64, (int64_t)a < 0 ? 0 - a : a)
H(abss16, S16(a) < 0 ? -S16(a) : S16(a))
H(mins16, S16(a) < S16(b) ? S16(a) : S16(b))
H(maxu16, U16(a) > U16(b) ? U16(a) : U16(b))
static int64_t sat32(int64_t x) {
  return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}
H(madhisat, sat32((S32(a) * S32(b) >> 32) + S32(c)))
H(sub64c, 1000 - a)
H(add64c, a + 0x123456789abcull)
H(popc64, __builtin_popcountll(a))
H(clz64, a == 0 ? 64 : __builtin_clzll(a))
static uint64_t rev(uint64_t x, int n) {
  uint64_t r = 0;
  for (int i = 0; i < n; i++)
    r |= (x >> i & 1) << (n - 1 - i);
  return r;
}
H(brev64, rev(a, 64))
static uint64_t bfind(uint64_t x, unsigned n, bool sign, bool shift) {
  if (sign && (x >> (n - 1) & 1) != 0) x = ~x;
  if (n == 32) x = U32(x);
  if (x == 0) return ~0ull;
  const unsigned i = 63 - (unsigned)__builtin_clzll(x);
  return shift ? n - 1 - i : i;
}
H(bfinds32s, bfind(a, 32, true, true))
H(bfindu64, bfind(a, 64, false, false))
H(bfinds64, bfind(a, 64, true, false))
H(bfindu64s, bfind(a, 64, false, true))
static uint64_t shl(uint64_t x, uint64_t n, unsigned w) { return U32(n) >= w ? 0 : x << U32(n); }
static uint64_t shru(uint64_t x, uint64_t n, unsigned w) {
  if (w < 64) x &= (UINT64_C(1) << w) - 1;
  return U32(n) >= w ? 0 : x >> U32(n);
}
static uint64_t shrs(int64_t x, uint64_t n, unsigned w) {
  return (uint64_t)(x >> (U32(n) >= w ? w - 1 : U32(n)));
}
H(shl64, shl(a, b, 64))
H(shru64, shru(a, b, 64))
H(shrs64, shrs((int64_t)a, b, 64))
H(shl32, shl(a, b, 32))
H(shru32, shru(a, b, 32))
H(shrs32, shrs(S32(a), b, 32))
H(shl16, shl(a, b, 16))
H(shru16, shru(a, b, 16))
H(shrs16, shrs(S16(a), b, 16))
H(shl64c40, a << 40)
H(shrs64c33, (int64_t)a >> 33)
H(shru64c5, a >> 5)
static uint64_t bfe(uint64_t a, unsigned pos, unsigned len, unsigned w, bool sign) {
  const unsigned msb = w - 1;
  const unsigned top = pos + len - 1 < msb ? pos + len - 1 : msb;
  const uint64_t s = !sign || len == 0 ? 0 : a >> top & 1;
  uint64_t d = 0;
  for (unsigned i = 0; i < w; i++)
    d |= (i < len && pos + i <= msb ? a >> (pos + i) & 1 : s) << i;
  return d;
}
static uint64_t bfi(uint64_t a, uint64_t b, unsigned pos, unsigned len, unsigned w) {
  for (unsigned i = 0; i < len && pos + i < w; i++)
    b = (b & ~(UINT64_C(1) << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}
H(bfeu64, bfe(a, b & 255, c & 255, 64, false))
H(bfes64, bfe(a, b & 255, c & 255, 64, true))
H(bfes64c, bfe(a, 20, 31, 64, true))
H(bfi32, bfi(a, b, c & 255, c >> 8 & 255, 32))
H(bfi64, bfi(a, b, c & 255, c >> 8 & 255, 64))
H(bfi32c, bfi(a, b, 5, 9, 32))
static uint64_t prmt(uint64_t a, uint64_t b, uint32_t sel) {
  const uint64_t x = b << 32 | U32(a);
  uint64_t d = 0;
  for (int i = 0; i < 4; i++) {
    const uint32_t n = sel >> (4 * i) & 15;
    uint64_t byte = x >> (8 * (n & 7)) & 255;
    if ((n & 8) != 0) byte = (byte & 128) != 0 ? 255 : 0;
    d |= byte << (8 * i);
  }
  return d;
}
static uint64_t b4e(uint64_t a, uint64_t b, uint32_t s) {
  const uint32_t n[4] = {s & 3, ((s & 3) - 1) & 7, ((s & 3) - 2) & 7, ((s & 3) - 3) & 7};
  return prmt(a, b, n[0] | n[1] << 4 | n[2] << 8 | n[3] << 12);
}
H(prmtb4e, b4e(a, b, (uint32_t)c))
H(prmtrc8, prmt(a, b, (uint32_t)(c & 3) * 0x1111))
H(szext, U32(b) >= 32 ? S32(a) : U32(b) == 0 ? 0 : (int64_t)(a << (64 - U32(b))) >> (64 - U32(b)))
H(bmsk, U32(b) >= 32 ? 0 : ((UINT64_C(1) << (U32(c) > 32 ? 32 : U32(c))) - 1) << U32(b))
static uint64_t dp4a(uint64_t a, uint64_t b, uint64_t c) {
  for (int i = 0; i < 4; i++)
    c += (uint64_t)(S8(a >> 8 * i) * (int64_t)(b >> 8 * i & 255));
  return c;
}
H(dp4a, dp4a(a, b, c))
H(dp2alo, c + (uint64_t)(S16(a) * S8(b)) + (uint64_t)(S16(a >> 16) * S8(b >> 8)))
H(dp2ahi, c + (uint64_t)((int64_t)(a & 0xffff) * S8(b >> 16)) +
              (uint64_t)((int64_t)(a >> 16 & 0xffff) * S8(b >> 24)))
H(dp2au, c + (a & 0xffff) * (b & 255) + (a >> 16 & 0xffff) * (b >> 8 & 255))
H(lop3, (a & ~b) | (b & c))
H(cnot64, a == 0)
H(slct, S32(c) >= 0 ? a : b)
H(set, S32(a) < S32(b) ? ~0u : 0)
/* conversions */
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))
H(s8s32, CLAMP(S32(a), -128, 127))
H(u8s16, CLAMP(S16(a), 0, 255))
H(u16u64, a > 65535 ? 65535 : a)
H(s32s64, CLAMP((int64_t)a, INT32_MIN, INT32_MAX))
H(u64s64, (int64_t)a < 0 ? 0 : a)
H(s64u64, a > INT64_MAX ? INT64_MAX : a)
H(u32s32, S32(a) < 0 ? 0 : S32(a))
H(s64s8, S8(a))
H(u64u16, U16(a))
H(s32s16, S16(a))
H(u16s8, (uint16_t)S8(a))
H(u32u64, a)

#define C(name, body, bits, data, many, fn) {name, body, bits, data, many, h_##fn}
const arith_case_t arith_int_cases[] = {
    C("div.u32", "div.u32 %rd, %ra, %rb;", 32, DATA_INT, true, divu32),
    C("rem.u32", "rem.u32 %rd, %ra, %rb;", 32, DATA_INT, true, remu32),
    C("div.s32", "div.s32 %rd, %ra, %rb;", 32, DATA_INT, true, divs32),
    C("rem.s32", "rem.s32 %rd, %ra, %rb;", 32, DATA_INT, true, rems32),
    C("div.u64", "div.u64 %dd, %da, %db;", 64, DATA_INT, true, divu64),
    C("rem.u64", "rem.u64 %dd, %da, %db;", 64, DATA_INT, true, remu64),
    C("div.s64", "div.s64 %dd, %da, %db;", 64, DATA_INT, true, divs64),
    C("rem.s64", "rem.s64 %dd, %da, %db;", 64, DATA_INT, true, rems64),
    C("div.u16", "div.u16 %hd, %ha, %hb;", 16, DATA_INT, false, divu16),
    C("div.s16", "div.s16 %hd, %ha, %hb;", 16, DATA_INT, false, divs16),
    C("rem.s16", "rem.s16 %hd, %ha, %hb;", 16, DATA_INT, false, rems16),
    C("div.u32 64", "div.u32 %rd, %ra, 64;", 32, DATA_INT, false, divc),
    C("rem.u32 64", "rem.u32 %rd, %ra, 64;", 32, DATA_INT, false, remc),
    C("div.s32 7", "div.s32 %rd, %ra, 7;", 32, DATA_INT, false, divc7),
    C("div in place", "mov.u32 %rd, %rb; div.u32 %rd, %ra, %rd;", 32, DATA_INT, false, divu32),
    C("guarded div",
      "mov.u32 %rd, 0; setp.ne.u32 %p, %rb, 0; @!%p mov.u32 %rd, -1; "
      "@%p div.s32 %rd, %ra, %rb;",
      32, DATA_INT, false, divs32),
    C("mul.hi.u64", "mul.hi.u64 %dd, %da, %db;", 64, DATA_INT, true, mulhiu64),
    C("mul.hi.s64", "mul.hi.s64 %dd, %da, %db;", 64, DATA_INT, true, mulhis64),
    C("mul.lo.u64", "mul.lo.u64 %dd, %da, %db;", 64, DATA_INT, false, mullo64),
    C("mad.lo.s64", "mad.lo.s64 %dd, %da, %db, %dc;", 64, DATA_INT, false, madlo64),
    C("mad.hi.s64", "mad.hi.s64 %dd, %da, %db, %dc;", 64, DATA_INT, false, madhis64),
    C("mul.wide.s16", "mul.wide.s16 %rd, %ha, %hb;", 32, DATA_INT, false, mulwides16),
    C("mul.hi.u16", "mul.hi.u16 %hd, %ha, %hb;", 16, DATA_INT, false, mulhiu16),
    C("mul.hi.s16", "mul.hi.s16 %hd, %ha, %hb;", 16, DATA_INT, false, mulhis16),
    C("mad.lo.u16", "mad.lo.u16 %hd, %ha, %hb, %hc;", 16, DATA_INT, false, madlo16),
    C("mul24.hi.s32", "mul24.hi.s32 %rd, %ra, %rb;", 32, DATA_INT, false, mul24hi),
    C("mul24.lo.u32", "mul24.lo.u32 %rd, %ra, %rb;", 32, DATA_INT, false, mul24lo),
    C("sad.s32", "sad.s32 %rd, %ra, %rb, %rc;", 32, DATA_INT, false, sads32),
    C("sad.u16", "sad.u16 %hd, %ha, %hb, %hc;", 16, DATA_INT, false, sadu16),
    C("sad.s64", "sad.s64 %dd, %da, %db, %dc;", 64, DATA_INT, false, sads64),
    C("min.s64", "min.s64 %dd, %da, %db;", 64, DATA_INT, false, mins64),
    C("max.u64", "max.u64 %dd, %da, %db;", 64, DATA_INT, false, maxu64),
    C("abs.s64", "abs.s64 %dd, %da;", 64, DATA_INT, false, abss64),
    C("abs.s16", "abs.s16 %hd, %ha;", 16, DATA_INT, false, abss16),
    C("min.s16", "min.s16 %hd, %ha, %hb;", 16, DATA_INT, false, mins16),
    C("max.u16", "max.u16 %hd, %ha, %hb;", 16, DATA_INT, false, maxu16),
    C("mad.hi.sat.s32", "mad.hi.sat.s32 %rd, %ra, %rb, %rc;", 32, DATA_INT, false, madhisat),
    C("1000 - a", "sub.s64 %dd, 1000, %da;", 64, DATA_INT, false, sub64c),
    C("a + large", "add.s64 %dd, %da, 0x123456789abc;", 64, DATA_INT, false, add64c),
    C("popc.b64", "popc.b64 %rd, %da;", 32, DATA_INT, false, popc64),
    C("clz.b64", "clz.b64 %rd, %da;", 32, DATA_INT, false, clz64),
    C("brev.b64", "brev.b64 %dd, %da;", 64, DATA_INT, false, brev64),
    C("brev.b64 in place", "mov.u64 %dd, %da; brev.b64 %dd, %dd;", 64, DATA_INT, false, brev64),
    C("bfind.shiftamt.s32", "bfind.shiftamt.s32 %rd, %ra;", 32, DATA_INT, false, bfinds32s),
    C("bfind.u64", "bfind.u64 %rd, %da;", 32, DATA_INT, false, bfindu64),
    C("bfind.s64", "bfind.s64 %rd, %da;", 32, DATA_INT, false, bfinds64),
    C("bfind.shiftamt.u64", "bfind.shiftamt.u64 %rd, %da;", 32, DATA_INT, false, bfindu64s),
    C("shl.b64", "shl.b64 %dd, %da, %rb;", 64, DATA_SHIFT, false, shl64),
    C("shr.u64", "shr.u64 %dd, %da, %rb;", 64, DATA_SHIFT, false, shru64),
    C("shr.s64", "shr.s64 %dd, %da, %rb;", 64, DATA_SHIFT, false, shrs64),
    C("shl.b64 in place", "mov.u64 %dd, %da; shl.b64 %dd, %dd, %rb;", 64, DATA_SHIFT, false, shl64),
    C("shr.s64 in place", "mov.u64 %dd, %da; shr.s64 %dd, %dd, %rb;", 64, DATA_SHIFT, false,
      shrs64),
    C("shl.b64 40", "shl.b64 %dd, %da, 40;", 64, DATA_INT, false, shl64c40),
    C("shr.s64 33", "shr.s64 %dd, %da, 33;", 64, DATA_INT, false, shrs64c33),
    C("shr.u64 5", "shr.u64 %dd, %da, 5;", 64, DATA_INT, false, shru64c5),
    C("shl.b32", "shl.b32 %rd, %ra, %rb;", 32, DATA_SHIFT, false, shl32),
    C("shr.u32", "shr.u32 %rd, %ra, %rb;", 32, DATA_SHIFT, false, shru32),
    C("shr.s32", "shr.s32 %rd, %ra, %rb;", 32, DATA_SHIFT, false, shrs32),
    C("shl.b16", "shl.b16 %hd, %ha, %rb;", 16, DATA_SHIFT, false, shl16),
    C("shr.u16", "shr.u16 %hd, %ha, %rb;", 16, DATA_SHIFT, false, shru16),
    C("shr.s16", "shr.s16 %hd, %ha, %rb;", 16, DATA_SHIFT, false, shrs16),
    C("bfe.u64", "bfe.u64 %dd, %da, %rb, %rc;", 64, DATA_SHIFT, false, bfeu64),
    C("bfe.s64", "bfe.s64 %dd, %da, %rb, %rc;", 64, DATA_SHIFT, false, bfes64),
    C("bfe.s64 20 31", "bfe.s64 %dd, %da, 20, 31;", 64, DATA_INT, false, bfes64c),
    C("bfi.b32", "shr.u32 %rd, %rc, 8; bfi.b32 %rd, %ra, %rb, %rc, %rd;", 32, DATA_SHIFT, false,
      bfi32),
    C("bfi.b64", "shr.u32 %rd, %rc, 8; bfi.b64 %dd, %da, %db, %rc, %rd;", 64, DATA_SHIFT, false,
      bfi64),
    C("bfi.b32 5 9", "bfi.b32 %rd, %ra, %rb, 5, 9;", 32, DATA_INT, false, bfi32c),
    C("prmt.b4e", "prmt.b32.b4e %rd, %ra, %rb, %rc;", 32, DATA_INT, false, prmtb4e),
    C("prmt.rc8", "prmt.b32.rc8 %rd, %ra, %rb, %rc;", 32, DATA_INT, false, prmtrc8),
    C("szext.clamp.s32", "szext.clamp.s32 %rd, %ra, %rb;", 32, DATA_SHIFT, false, szext),
    C("bmsk.clamp", "bmsk.clamp.b32 %rd, %rb, %rc;", 32, DATA_SHIFT, false, bmsk),
    C("dp4a.s32.u32", "dp4a.s32.u32 %rd, %ra, %rb, %rc;", 32, DATA_INT, false, dp4a),
    C("dp2a.lo.s32.s32", "dp2a.lo.s32.s32 %rd, %ra, %rb, %rc;", 32, DATA_INT, false, dp2alo),
    C("dp2a.hi.u32.s32", "dp2a.hi.u32.s32 %rd, %ra, %rb, %rc;", 32, DATA_INT, false, dp2ahi),
    C("dp2a.lo.u32.u32", "dp2a.lo.u32.u32 %rd, %ra, %rb, %rc;", 32, DATA_INT, false, dp2au),
    C("lop3", "lop3.b32 %rd, %ra, %rb, %rc, 0xb8;", 32, DATA_INT, false, lop3),
    C("cnot.b64", "cnot.b64 %dd, %da;", 64, DATA_INT, false, cnot64),
    C("slct", "slct.b32.s32 %rd, %ra, %rb, %rc;", 32, DATA_INT, false, slct),
    C("set", "set.lt.u32.s32 %rd, %ra, %rb;", 32, DATA_INT, false, set),
    C("cvt.sat.s8.s32", "cvt.sat.s8.s32 %rd, %ra;", 32, DATA_INT, false, s8s32),
    C("cvt.sat.u8.s16", "cvt.sat.u8.s16 %rd, %ha;", 32, DATA_INT, false, u8s16),
    C("cvt.sat.u16.u64", "cvt.sat.u16.u64 %rd, %da;", 32, DATA_INT, false, u16u64),
    C("cvt.sat.s32.s64", "cvt.sat.s32.s64 %rd, %da;", 32, DATA_INT, false, s32s64),
    C("cvt.sat.u64.s64", "cvt.sat.u64.s64 %dd, %da;", 64, DATA_INT, false, u64s64),
    C("cvt.sat.s64.u64", "cvt.sat.s64.u64 %dd, %da;", 64, DATA_INT, false, s64u64),
    C("cvt.sat.u32.s32", "cvt.sat.u32.s32 %rd, %ra;", 32, DATA_INT, false, u32s32),
    C("cvt.s64.s8", "cvt.s64.s8 %dd, %ra;", 64, DATA_INT, false, s64s8),
    C("cvt.u64.u16", "cvt.u64.u16 %dd, %ha;", 64, DATA_INT, false, u64u16),
    C("cvt.s32.s16", "cvt.s32.s16 %rd, %ha;", 32, DATA_INT, false, s32s16),
    C("cvt.u16.s8", "cvt.u16.s8 %rd, %ra;", 32, DATA_INT, false, u16s8),
    C("cvt.u32.u64", "cvt.u32.u64 %rd, %da;", 32, DATA_INT, false, u32u64),
};
const size_t arith_int_count = sizeof arith_int_cases / sizeof arith_int_cases[0];
