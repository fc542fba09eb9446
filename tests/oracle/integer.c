/* integer.c: integer, logic, shift and permute instructions on 64-bit and __int128 host integers
 * [PTX 9.7.1, 9.7.8, 9.7.9.7]. Results may have wrong bits above the destination's width; the
 * caller masks. Division by zero, which PTX leaves open, gives all ones. */
#include "tests/oracle/run.h"

typedef __int128 wide_t;

static int64_t sext(uint64_t v, unsigned bits) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)(((v & wl_or_mask(bits)) ^ sign) - sign);
}

static wide_t value(const wl_or_insn_t *n, uint64_t v) {
  return n->sgn ? (wide_t)sext(v, n->bits) : (wide_t)(v & wl_or_mask(n->bits));
}

static uint64_t clamp32(wide_t v) {
  v = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
  return (uint64_t)v;
}

static uint64_t multiply(const wl_or_insn_t *n, const uint64_t *s) {
  unsigned __int128 p = (unsigned __int128)value(n, s[0]) * (unsigned __int128)value(n, s[1]);
  wide_t high = n->sgn ? (wide_t)p >> n->shift : (wide_t)(p >> n->shift);
  if (n->addend && n->fm.sat) {
    return clamp32((wide_t)sext((uint64_t)high, 32) + sext(s[2], 32));
  }
  return (uint64_t)high + (n->addend ? s[2] : 0);
}

static uint64_t divide(const wl_or_insn_t *n, const uint64_t *s, bool remainder) {
  wide_t a = value(n, s[0]), b = value(n, s[1]);
  if (b == 0) {
    return UINT64_MAX;
  }
  return (uint64_t)(remainder ? a % b : a / b);
}

static uint64_t population(uint64_t v) {
  uint64_t count = 0;
  for (; v != 0; v >>= 1) {
    count += v & 1;
  }
  return count;
}

static unsigned top_bit(uint64_t v) { /* of v != 0 */
  unsigned at = 0;
  while (v > 1) {
    v >>= 1;
    at++;
  }
  return at;
}

static uint64_t find_top(const wl_or_insn_t *n, uint64_t v) {
  if (n->sgn && sext(v, n->bits) < 0) {
    v = ~v & wl_or_mask(n->bits);
  }
  if (v == 0) {
    return UINT32_MAX;
  }
  return n->shiftamt ? n->bits - 1 - top_bit(v) : top_bit(v);
}

static uint64_t reverse(const wl_or_insn_t *n, uint64_t v) {
  uint64_t r = 0;
  for (unsigned i = 0; i < n->bits; i++) {
    r |= (v >> i & 1) << (n->bits - 1 - i);
  }
  return r;
}

static uint64_t extract(const wl_or_insn_t *n, const uint64_t *s) {
  unsigned at = (unsigned)(s[1] & 0xff), length = (unsigned)(s[2] & 0xff), msb = n->bits - 1u;
  uint64_t r = 0;
  unsigned last = at + length == 0 ? 0 : at + length - 1;
  bool sign = n->sgn && length != 0 && (s[0] >> (last < msb ? last : msb) & 1) != 0;
  for (unsigned i = 0; i < n->bits; i++) {
    bool bit = i < length && at + i <= msb ? (s[0] >> (at + i) & 1) != 0 : sign;
    r |= (uint64_t)bit << i;
  }
  return r;
}

static uint64_t insert(const wl_or_insn_t *n, const uint64_t *s) {
  unsigned at = (unsigned)(s[2] & 0xff), length = (unsigned)(s[3] & 0xff);
  uint64_t r = s[1];
  for (unsigned i = 0; i < length && at + i < n->bits; i++) {
    uint64_t bit = UINT64_C(1) << (at + i);
    r = (s[0] >> i & 1) != 0 ? r | bit : r & ~bit;
  }
  return r;
}

static uint64_t extend(const wl_or_insn_t *n, const uint64_t *s) {
  uint64_t width = n->wrap ? s[1] & 31 : s[1];
  if (width == 0) {
    return 0;
  }
  if (width >= 32) {
    return s[0];
  }
  return n->sgn ? (uint64_t)sext(s[0], (unsigned)width) : s[0] & wl_or_mask((unsigned)width);
}

static uint64_t bit_mask(const wl_or_insn_t *n, const uint64_t *s) {
  uint64_t at = n->wrap ? s[0] & 31 : s[0], width = n->wrap ? s[1] & 31 : s[1];
  uint64_t r = 0;
  for (uint64_t i = at; i < 32 && i - at < width; i++) {
    r |= UINT64_C(1) << i;
  }
  return r;
}

static int64_t part(uint64_t v, unsigned at, unsigned bits, bool is_signed) {
  v = v >> at & wl_or_mask(bits);
  return is_signed ? sext(v, bits) : (int64_t)v;
}

static uint64_t dot(const wl_or_insn_t *n, const uint64_t *s) {
  int64_t sum = (int64_t)s[2];
  unsigned terms = n->op == OR_DP4A ? 4 : 2, bits = n->op == OR_DP4A ? 8 : 16;
  unsigned from = n->op == OR_DP2A && n->high ? 16 : 0;
  for (unsigned i = 0; i < terms; i++) {
    sum += part(s[0], i * bits, bits, n->sgn) * part(s[1], from + i * 8, 8, n->ssgn);
  }
  return (uint64_t)sum;
}

uint64_t wl_or_lop3(const uint64_t *s) {
  uint64_t r = 0;
  for (unsigned i = 0; i < 32; i++) {
    unsigned at = (unsigned)((s[0] >> i & 1) << 2 | (s[1] >> i & 1) << 1 | (s[2] >> i & 1));
    r |= (s[3] >> at & 1) << i;
  }
  return r;
}

static uint64_t funnel(const wl_or_insn_t *n, const uint64_t *s) {
  uint64_t both = s[1] << 32 | s[0];
  unsigned by = (unsigned)(n->wrap ? s[2] & 31 : s[2] > 32 ? 32 : s[2]);
  return n->left ? both << by >> 32 : both >> by;
}

static uint64_t shift(const wl_or_insn_t *n, const uint64_t *s) {
  unsigned by = s[1] > n->bits ? n->bits : (unsigned)s[1];
  if (n->op == OR_SHL) {
    return by >= n->bits ? 0 : s[0] << by;
  }
  return (uint64_t)(value(n, s[0]) >> by);
}

static unsigned selected(const wl_or_insn_t *n, unsigned c, unsigned i) {
  unsigned s = c & 3;
  switch (n->sub) {
  case OR_P_F4E:
    return s + i;
  case OR_P_B4E:
    return (s - i) & 7;
  case OR_P_RC8:
    return s;
  case OR_P_ECL:
    return i > s ? i : s;
  case OR_P_ECR:
    return i < s ? i : s;
  case OR_P_RC16:
    return (s & 1) * 2 + (i & 1);
  default:
    return c >> 4 * i & 15;
  }
}

static uint64_t permute(const wl_or_insn_t *n, const uint64_t *s) {
  uint64_t bytes = s[1] << 32 | s[0], r = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned which = selected(n, (unsigned)s[2], i);
    uint64_t byte = bytes >> 8 * (which & 7) & 0xff;
    if ((which & 8) != 0) {
      byte = (byte & 0x80) != 0 ? 0xff : 0;
    }
    r |= byte << 8 * i;
  }
  return r;
}

static uint64_t add_sub(const wl_or_insn_t *n, const uint64_t *s) {
  wide_t a = value(n, s[0]), b = value(n, s[1]);
  wide_t r = n->op == OR_ADD ? a + b : a - b;
  if (n->fm.sat && !n->sgn) {
    return r < 0 ? 0 : r > UINT32_MAX ? UINT32_MAX : (uint64_t)r;
  }
  return n->fm.sat ? clamp32(r) : (uint64_t)r;
}

bool wl_or_is_integer(uint8_t op) { return op >= OR_ADD && op <= OR_PRMT; }

static uint64_t logic(const wl_or_insn_t *n, const uint64_t *s) {
  switch (n->op) {
  case OR_AND:
    return s[0] & s[1];
  case OR_OR:
    return s[0] | s[1];
  case OR_XOR:
    return s[0] ^ s[1];
  case OR_NOT:
    return ~s[0];
  case OR_CNOT:
    return s[0] == 0;
  case OR_LOP3:
    return wl_or_lop3(s);
  case OR_SHF:
    return funnel(n, s);
  case OR_SHL:
  case OR_SHR:
    return shift(n, s);
  default:
    return permute(n, s);
  }
}

uint64_t wl_or_integer(const wl_or_insn_t *n, const uint64_t *s) {
  wide_t a = 0, b = 0;
  if (n->op >= OR_SAD && n->op <= OR_MAX) {
    a = value(n, s[0]);
    b = value(n, s[1]);
  }
  switch (n->op) {
  case OR_ADD:
  case OR_SUB:
    return add_sub(n, s);
  case OR_MUL:
    return multiply(n, s);
  case OR_SAD:
    return s[2] + (uint64_t)(a < b ? b - a : a - b);
  case OR_DIV:
    return divide(n, s, false);
  case OR_REM:
    return divide(n, s, true);
  case OR_ABS:
    return (uint64_t)(a < 0 ? -a : a);
  case OR_NEG:
    return (uint64_t)-a;
  case OR_MIN:
    a = a < b ? a : b;
    return n->relu && a < 0 ? 0 : (uint64_t)a;
  case OR_MAX:
    a = a > b ? a : b;
    return n->relu && a < 0 ? 0 : (uint64_t)a;
  case OR_POPC:
    return population(s[0]);
  case OR_CLZ:
    return s[0] == 0 ? n->bits : n->bits - 1 - top_bit(s[0]);
  case OR_BFIND:
    return find_top(n, s[0]);
  case OR_BREV:
    return reverse(n, s[0]);
  case OR_BFE:
    return extract(n, s);
  case OR_BFI:
    return insert(n, s);
  case OR_SZEXT:
    return extend(n, s);
  case OR_BMSK:
    return bit_mask(n, s);
  case OR_DP4A:
  case OR_DP2A:
    return dot(n, s);
  default:
    return logic(n, s);
  }
}
