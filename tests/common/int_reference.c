/* int_reference.c: see int_reference.h. Loops over bits and wider integers; no default in a switch
 * over operations, so that an operation without its meaning here does not build. */
#include "tests/common/int_reference.h"
#include "tests/common/packed_reference.h"

#pragma GCC diagnostic error "-Wswitch"

static int bit_of(uint64_t x, int i) { return i >= 0 && i < 64 ? (int)(x >> i & 1) : 0; }

static int64_t signed_32(uint64_t x) {
  const int64_t low = (int64_t)(x & 0xffffffff);
  return low >= 1LL << 31 ? low - (1LL << 32) : low;
}

static uint64_t clamp(int64_t x) {
  if (x > 2147483647) return 0x7fffffff;
  if (x < -2147483648LL) return 0x80000000;
  return (uint64_t)x & 0xffffffff;
}

static uint64_t shift_pair(const wl_int_lane_t *l, bool left, bool wrap) {
  const unsigned n = wrap ? (unsigned)(l->c % 32) : l->c > 32 ? 32 : (unsigned)l->c;
  uint64_t d = 0;
  for (int i = 0; i < 32; i++) {
    const int from = left ? 32 + i - (int)n : i + (int)n;
    const int bit = from < 32 ? bit_of(l->a, from) : bit_of(l->b, from - 32);
    d |= (uint64_t)bit << i;
  }
  return d;
}

static uint64_t shift_right_signed(const wl_int_lane_t *l) {
  int64_t x = signed_32(l->a);
  for (uint64_t n = 0; n < l->b && n < 40; n++)
    x = (x - (x & 1)) / 2;
  return (uint64_t)x & 0xffffffff;
}

static uint64_t permute(const wl_int_lane_t *l) {
  uint64_t d = 0;
  for (int i = 0; i < 4; i++) {
    const int nibble = (int)(l->c >> 4 * i & 15);
    const uint64_t source = nibble % 8 < 4 ? l->a : l->b;
    for (int k = 0; k < 8; k++) {
      const int bit = bit_of(source, 8 * (nibble % 4) + (nibble & 8 ? 7 : k));
      d |= (uint64_t)bit << (8 * i + k);
    }
  }
  return d;
}

/* The loop that PTX 9.7.1.19 gives. */
static uint64_t extract(const wl_int_lane_t *l, bool is_signed) {
  const int pos = (int)(l->b & 0xff), len = (int)(l->c & 0xff);
  const int top = pos + len - 1 < 31 ? pos + len - 1 : 31;
  const int sign = is_signed && len > 0 ? bit_of(l->a, top) : 0;
  uint64_t d = 0;
  for (int i = 0; i < 32; i++)
    d |= (uint64_t)(i < len && pos + i <= 31 ? bit_of(l->a, pos + i) : sign) << i;
  return d;
}

static uint64_t insert(const wl_int_lane_t *l) {
  const int pos = (int)(l->c & 0xff), len = (int)(l->c >> 8 & 0xff);
  uint64_t d = l->b;
  for (int i = 0; i < len && pos + i <= 31; i++) {
    d &= ~(UINT64_C(1) << (pos + i));
    d |= (uint64_t)bit_of(l->a, i) << (pos + i);
  }
  return d;
}

static uint64_t top_one(uint64_t x) {
  for (int i = 31; i >= 0; i--)
    if (bit_of(x, i)) return (uint64_t)i;
  return 0xffffffff;
}

static uint64_t top_unlike_sign(uint64_t x) {
  for (int i = 30; i >= 0; i--)
    if (bit_of(x, i) != bit_of(x, 31)) return (uint64_t)i;
  return 0xffffffff;
}

static uint64_t count_ones(uint64_t x) {
  uint64_t n = 0;
  for (int i = 0; i < 32; i++)
    n += (uint64_t)bit_of(x, i);
  return n;
}

static uint64_t reverse(uint64_t x) {
  uint64_t d = 0;
  for (int i = 0; i < 32; i++)
    d |= (uint64_t)bit_of(x, i) << (31 - i);
  return d;
}

static uint64_t table_logic(const wl_int_lane_t *l) {
  uint64_t d = 0;
  for (int i = 0; i < 32; i++) {
    const int index = bit_of(l->a, i) * 4 + bit_of(l->b, i) * 2 + bit_of(l->c, i);
    d |= (uint64_t)(l->lut >> index & 1) << i;
  }
  return d;
}

/* a + b + s, with neg_b a + ~b + s, where 32 bits do not end it. */
static uint64_t sum_with_carry(const wl_int_lane_t *l) {
  const uint64_t a = l->a & 0xffffffff, b = l->b & 0xffffffff;
  return a + (l->neg_b ? 0xffffffff - b : b) + (l->s ? 1 : 0);
}

uint64_t wl_ref_alu(wl_alu_op_t op, const wl_int_lane_t *l) {
  const uint64_t a = l->a, b = l->b;
  const int64_t sa = signed_32(a), sb = signed_32(b);
  switch (op) {
  case WL_ALU_MOVA:
    return a;
  case WL_ALU_MOVB:
    return b;
  case WL_ALU_ADD:
  case WL_ALU_ADD64:
    return a + b;
  case WL_ALU_SUB:
  case WL_ALU_SUB64:
    return a - b;
  case WL_ALU_RSUB:
    return b - a;
  case WL_ALU_ADDSAT:
    return clamp(sa + sb);
  case WL_ALU_SUBSAT:
    return clamp(sa - sb);
  case WL_ALU_ABS:
    return (uint64_t)(sa < 0 ? -sa : sa);
  case WL_ALU_MINS:
    return sa < sb ? a : b;
  case WL_ALU_MINU:
    return a < b ? a : b;
  case WL_ALU_MAXS:
    return sa < sb ? b : a;
  case WL_ALU_MAXU:
    return a < b ? b : a;
  case WL_ALU_LOP3:
    return table_logic(l);
  case WL_ALU_SHFLC:
    return shift_pair(l, true, false);
  case WL_ALU_SHFLW:
    return shift_pair(l, true, true);
  case WL_ALU_SHFRC:
    return shift_pair(l, false, false);
  case WL_ALU_SHFRW:
    return shift_pair(l, false, true);
  case WL_ALU_SHRS:
    return shift_right_signed(l);
  case WL_ALU_PRMT:
    return permute(l);
  case WL_ALU_BFEU:
    return extract(l, false);
  case WL_ALU_BFES:
    return extract(l, true);
  case WL_ALU_BFI:
    return insert(l);
  case WL_ALU_POPC:
    return count_ones(a);
  case WL_ALU_CLZ:
    return 31 - top_one(a);
  case WL_ALU_BREV:
    return reverse(a);
  case WL_ALU_BFINDU:
    return top_one(a);
  case WL_ALU_BFINDS:
    return top_unlike_sign(a);
  case WL_ALU_SELP:
    return l->s ? a : b;
  case WL_ALU_ADDC:
    return sum_with_carry(l);
  case WL_ALU_VADD:
  case WL_ALU_VMIN:
  case WL_ALU_VMAX:
    return wl_ref_packed(op, l);
  case WL_ALU_S2R:
  case WL_ALU_ACTMASK:
    return l->special;
  case WL_ALU_SETPS:
  case WL_ALU_SETPU:
  case WL_ALU_SETPS64:
  case WL_ALU_SETPU64:
  case WL_ALU_PLOP:
  case WL_NUM_ALU_OP:
    break; /* predicates only */
  }
  return 0;
}

uint64_t wl_ref_mul(wl_mul_op_t op, const wl_int_lane_t *l) {
  const __int128 u = (__int128)(l->a & 0xffffffff) * (__int128)(l->b & 0xffffffff);
  const __int128 s = (__int128)signed_32(l->a) * signed_32(l->b);
  switch (op) {
  case WL_MUL_MADLO:
    return (uint64_t)u + l->c;
  case WL_MUL_MADHIU:
    return (uint64_t)(u / (1LL << 32)) + l->c;
  case WL_MUL_MADHIS:
    return (uint64_t)(s >> 32) + l->c;
  case WL_MUL_MADWU:
    return (uint64_t)u + l->c;
  case WL_MUL_MADWS:
    return (uint64_t)s + l->c;
  case WL_NUM_MUL_OP:
    break;
  }
  return 0;
}

bool wl_ref_predicate(wl_alu_op_t op, const wl_int_lane_t *l, bool complement) {
  bool t = l->t;
  bool s = l->s;
  if (op == WL_ALU_ADDC) return sum_with_carry(l) >= UINT64_C(1) << 32;
  if (op != WL_ALU_PLOP) {
    const bool wide = op == WL_ALU_SETPS64 || op == WL_ALU_SETPU64;
    const bool is_signed = op == WL_ALU_SETPS || op == WL_ALU_SETPS64;
    const __int128 a = !is_signed ? (__int128)l->a
                       : wide     ? (__int128)(int64_t)l->a
                                  : signed_32(l->a);
    const __int128 b = !is_signed ? (__int128)l->b
                       : wide     ? (__int128)(int64_t)l->b
                                  : signed_32(l->b);
    t = (l->cmp & 1 && a < b) || (l->cmp & 2 && a == b) || (l->cmp & 4 && a > b);
  }
  if (complement) t = !t;
  switch (l->bop) {
  case 0:
    return t && s;
  case 1:
    return t || s;
  case 2:
    return t != s;
  default:
    return t;
  }
}
