/* narrow.c: what works on parts of a word, or with a carry: half precision and pairs of f32 [PTX 9.7.3-9.7.5,
 * 9.7.7], carry chains [9.7.2], packed integers [9.7.1], fns and cvt.pack. Arithmetic of numbers: half.c,
 * f32.c. */
#include "tests/oracle/run.h"

static int64_t sext(uint64_t v, unsigned bits) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)(((v & wl_or_mask(bits)) ^ sign) - sign);
}

/* ---- half precision ---- */
static uint32_t half(const wl_or_insn_t *n, uint32_t a, uint32_t b, uint32_t c) {
  wl_or_half_t m = n->half;
  switch (n->sub) {
  case OR_N_ADD:
    return wl_or_half_add(a, b, m);
  case OR_N_SUB: /* the sign of a NaN does not count */
    return wl_or_half_add(a, b ^ 0x8000, m);
  case OR_N_MUL:
    return wl_or_half_mul(a, b, m);
  case OR_N_FMA:
    return wl_or_half_fma(a, b, c, m);
  case OR_N_ABS:
    return wl_or_half_abs(a, m);
  case OR_N_NEG:
    return wl_or_half_neg(a, m);
  default:
    return wl_or_half_minmax(a, b, n->sub == OR_N_MAX, m);
  }
}

static uint32_t part16(uint64_t v, unsigned i) { return (uint32_t)(v >> 16 * i & 0xffff); }

static uint64_t halves(const wl_or_insn_t *n, const uint64_t *s) {
  uint64_t r = 0;
  for (unsigned i = 0; i < n->n; i++) {
    r |= (uint64_t)half(n, part16(s[0], i), part16(s[1], i), part16(s[2], i)) << 16 * i;
  }
  return r;
}

static void compare_halves(const wl_or_ctx_t *x, const uint64_t *s) {
  const wl_or_insn_t *n = x->insn;
  bool t[2] = {false, false}, c = s[2] != 0;
  for (unsigned i = 0; i < n->n; i++) {
    wl_or_order_t o = wl_or_half_compare(part16(s[0], i), part16(s[1], i), n->half);
    t[i] = (n->cmp >> o & 1) != 0;
  }
  if (n->op == OR_HSETP) { /* of two halves the second predicate is the second one's */
    wl_or_put(x->thread, n->d[0], wl_or_combine(n, t[0], c));
    wl_or_put(x->thread, n->p, wl_or_combine(n, n->n == 2 ? t[1] : !t[0], c));
    return;
  }
  uint64_t r = 0;
  for (unsigned i = 0; i < n->n; i++) {
    r |= wl_or_combine(n, t[i], c) ? (uint64_t)n->yes << 16 * i : 0;
  }
  wl_or_put(x->thread, n->d[0], r);
}

/* ---- f32: with halves, in pairs, of three ---- */
static uint64_t mixed(const wl_or_insn_t *n, const uint64_t *s) {
  uint32_t a = wl_or_half_widen((uint32_t)s[0], n->half), b = (uint32_t)s[1];
  if (n->sub == OR_N_FMA) {
    return wl_or_f32_fma(a, wl_or_half_widen(b, n->half), (uint32_t)s[2], n->fm);
  }
  return wl_or_f32_add(a, n->sub == OR_N_SUB ? b ^ UINT32_C(0x80000000) : b, n->fm);
}

static uint32_t one_f32(const wl_or_insn_t *n, uint32_t a, uint32_t b, uint32_t c) {
  switch (n->sub) {
  case OR_N_ADD:
    return wl_or_f32_add(a, b, n->fm);
  case OR_N_SUB:
    return wl_or_f32_add(a, b ^ UINT32_C(0x80000000), n->fm);
  case OR_N_MUL:
    return wl_or_f32_mul(a, b, n->fm);
  default:
    return wl_or_f32_fma(a, b, c, n->fm);
  }
}

static uint64_t pair(const wl_or_insn_t *n, const uint64_t *s) {
  uint64_t r = 0;
  for (unsigned i = 0; i < 64; i += 32) {
    uint32_t e = one_f32(n, (uint32_t)(s[0] >> i), (uint32_t)(s[1] >> i), (uint32_t)(s[2] >> i));
    r |= (uint64_t)e << i;
  }
  return r;
}

static uint64_t of_three(const wl_or_insn_t *n, const uint64_t *s) {
  uint32_t mask = n->abs ? INT32_MAX : UINT32_MAX, r = (uint32_t)s[0] & mask;
  for (unsigned i = 0; i < 3; i++) { /* with itself first: a NaN becomes the canonical one */
    r = wl_or_f32_minmax(r, (uint32_t)s[i] & mask, n->sub == OR_N_MAX, n->fm.ftz, n->nan, false);
  }
  return r;
}

/* ---- carries: the flag is the carry out of the sum, of a subtraction that of a + ~b + 1 ---- */
static uint64_t carried(const wl_or_ctx_t *x, const uint64_t *s) {
  const wl_or_insn_t *n = x->insn;
  uint64_t mask = wl_or_mask(n->bits);
  unsigned __int128 a = s[0], b = s[1], in = n->carry_in ? x->thread->carry : 0;
  if (n->sub == OR_N_FMA) {
    __int128 signed_product = (__int128)sext(s[0], n->bits) * sext(s[1], n->bits);
    unsigned __int128 product = n->sgn ? (unsigned __int128)signed_product : a * b;
    a = (uint64_t)(product >> n->shift) & mask;
    b = s[2];
  } else if (n->sub == OR_N_SUB) {
    b = ~s[1] & mask;
    in = n->carry_in ? in : 1;
  }
  unsigned __int128 sum = a + b + in;
  if (n->carry_out) {
    x->thread->carry = (sum >> n->bits & 1) != 0;
  }
  return (uint64_t)sum & mask;
}

/* ---- packed integers: n parts of `sbits` bits ---- */
static int64_t packed_part(const wl_or_insn_t *n, int64_t a, int64_t b) {
  switch (n->sub) {
  case OR_N_ADD:
    return a + b;
  case OR_N_SUB:
    return a - b;
  case OR_N_NEG:
    return -a;
  case OR_N_MIN:
    return a < b ? a : b;
  default:
    return a > b ? a : b;
  }
}

static int64_t clamped(int64_t v, unsigned bits, bool is_signed) {
  int64_t high = (int64_t)wl_or_mask(is_signed ? bits - 1 : bits), low = is_signed ? -high - 1 : 0;
  return v > high ? high : v < low ? low : v;
}

static uint64_t packed(const wl_or_insn_t *n, const uint64_t *s) {
  uint64_t r = 0;
  for (unsigned i = 0; i < 32; i += n->sbits) {
    uint64_t a = s[0] >> i & wl_or_mask(n->sbits), b = s[1] >> i & wl_or_mask(n->sbits);
    int64_t v = n->ssgn ? packed_part(n, sext(a, n->sbits), sext(b, n->sbits))
                        : packed_part(n, (int64_t)a, (int64_t)b);
    v = n->fm.sat ? clamped(v, n->sbits, n->ssgn) : n->relu && v < 0 ? 0 : v;
    r |= ((uint64_t)v & wl_or_mask(n->sbits)) << i;
  }
  return r;
}

static uint64_t find_nth(const uint64_t *s) {
  int64_t offset = sext(s[2], 32), at = (int64_t)s[1], left = offset < 0 ? -offset : offset;
  if (offset == INT32_MIN) { /* has no positive counterpart; an NVIDIA GPU gives 0 (tests/silicon) */
    return 0;
  }
  if (offset == 0) {
    return at < 32 && (s[0] >> at & 1) != 0 ? (uint64_t)at : UINT32_MAX;
  }
  for (; at >= 0 && at < 32; at += offset < 0 ? -1 : 1) {
    left -= (s[0] >> at & 1) != 0 ? 1 : 0;
    if (left == 0) {
      return (uint64_t)at;
    }
  }
  return UINT32_MAX;
}

/* {clamped a, clamped b}; above them what c has below [PTX 9.7.9.22] */
static uint64_t convert_pack(const wl_or_insn_t *n, const uint64_t *s) {
  unsigned bits = n->sbits;
  uint64_t a = (uint64_t)clamped(sext(s[0], 32), bits, n->ssgn) & wl_or_mask(bits);
  uint64_t b = (uint64_t)clamped(sext(s[1], 32), bits, n->ssgn) & wl_or_mask(bits);
  return a << bits | b | (n->n == 3 ? s[2] << 2 * bits : 0);
}

void wl_or_narrow(const wl_or_ctx_t *x, const uint64_t *s) {
  const wl_or_insn_t *n = x->insn;
  uint64_t r;
  switch (n->op) {
  case OR_HSETP:
  case OR_HSET:
    compare_halves(x, s);
    return;
  case OR_HALF:
    r = halves(n, s);
    break;
  case OR_MIXED:
    r = mixed(n, s);
    break;
  case OR_F32X2:
    r = pair(n, s);
    break;
  case OR_F32_THREE:
    r = of_three(n, s);
    break;
  case OR_CARRY:
    r = carried(x, s);
    break;
  case OR_PACKED:
    r = packed(n, s);
    break;
  case OR_FNS:
    r = find_nth(s);
    break;
  default:
    r = convert_pack(n, s);
    break;
  }
  wl_or_put(x->thread, n->d[0], r);
}
