/* arith.c: moves, comparisons, conversions, f32 and f64 instructions [PTX 9.7.3, 9.7.6, 9.7.9]. */
#include "tests/oracle/f64.h"
#include "tests/oracle/run.h"

static const uint32_t k_sign32 = UINT32_C(0x80000000), k_one = UINT32_C(0x3f800000);

static int64_t sext(uint64_t v, unsigned bits) {
  uint64_t sign = UINT64_C(1) << (bits - 1);
  return (int64_t)(((v & wl_or_mask(bits)) ^ sign) - sign);
}

/* ---- compare and select ---- */
/* Of binary64: patterns of numbers order like sign and magnitude. */
static wl_or_order_t order64(uint64_t a, uint64_t b) {
  uint64_t magnitude = UINT64_MAX >> 1;
  if (wl_or_f64_is_nan(a) || wl_or_f64_is_nan(b)) {
    return WL_OR_UNORDERED;
  }
  int64_t x = (int64_t)(a & magnitude), y = (int64_t)(b & magnitude);
  x = a >> 63 != 0 ? -x : x;
  y = b >> 63 != 0 ? -y : y;
  return x < y ? WL_OR_LESS : x > y ? WL_OR_GREATER : WL_OR_EQUAL;
}

static wl_or_order_t order(const wl_or_insn_t *n, const uint64_t *s) {
  if (n->flt) {
    return wl_or_f32_compare((uint32_t)s[0], (uint32_t)s[1], n->fm.ftz);
  }
  if (n->flt64) {
    return order64(s[0], s[1]);
  }
  if (s[0] == s[1]) {
    return WL_OR_EQUAL;
  }
  bool less = n->sgn ? sext(s[0], n->bits) < sext(s[1], n->bits) : s[0] < s[1];
  return less ? WL_OR_LESS : WL_OR_GREATER;
}

bool wl_or_combine(const wl_or_insn_t *n, bool t, bool c) {
  switch (n->sub) {
  case OR_BOOL_AND:
    return t && c;
  case OR_BOOL_OR:
    return t || c;
  case OR_BOOL_XOR:
    return t != c;
  default:
    return t;
  }
}

static void compare(const wl_or_ctx_t *x, const uint64_t *s) {
  const wl_or_insn_t *n = x->insn;
  bool t = (n->cmp >> order(n, s) & 1) != 0, c = s[2] != 0;
  if (n->op == OR_SETP) {
    wl_or_put(x->thread, n->d[0], wl_or_combine(n, t, c));
    wl_or_put(x->thread, n->p, wl_or_combine(n, !t, c));
    return;
  }
  wl_or_put(x->thread, n->d[0], wl_or_combine(n, t, c) ? n->yes : 0);
}

static void lop3(const wl_or_ctx_t *x, const uint64_t *s) {
  uint64_t d = wl_or_lop3(s);
  wl_or_put(x->thread, x->insn->d[0], d);
  wl_or_put(x->thread, x->insn->p, wl_or_combine(x->insn, d != 0, s[4] != 0));
}

static bool select_first(const wl_or_insn_t *n, uint64_t c) {
  if (n->op == OR_SELP) {
    return c != 0;
  }
  if (!n->flt) {
    return sext(c, 32) >= 0;
  }
  wl_or_order_t o = wl_or_f32_compare((uint32_t)c, 0, n->fm.ftz);
  return o == WL_OR_GREATER || o == WL_OR_EQUAL;
}

/* ---- convert ---- */
static uint64_t int_to_int(const wl_or_insn_t *n, uint64_t v) {
  __int128 a = n->ssgn ? (__int128)sext(v, n->sbits) : (__int128)v;
  if (n->fm.sat) {
    __int128 high = (__int128)(wl_or_mask(n->bits) >> (n->sgn ? 1 : 0));
    __int128 low = n->sgn ? -high - 1 : 0;
    a = a > high ? high : a < low ? low : a;
  }
  uint64_t r = (uint64_t)a & wl_or_mask(n->bits);
  return n->sgn ? (uint64_t)sext(r, n->bits) : r; /* the destination may be wider */
}

static uint64_t int_to_float(const wl_or_insn_t *n, uint64_t v) {
  bool neg = n->ssgn && sext(v, n->sbits) < 0;
  uint64_t magnitude = neg ? 0 - (uint64_t)sext(v, n->sbits) : v;
  return wl_or_f32_from_int(neg, magnitude, n->fm);
}

static uint64_t convert(const wl_or_insn_t *n, uint64_t v) {
  uint32_t f = (uint32_t)v;
  switch (n->op) {
  case OR_CVT_II:
    return int_to_int(n, v);
  case OR_CVT_FI:
    return int_to_float(n, v);
  case OR_CVT_IF:
    return wl_or_f32_to_int(f, n->bits, n->sgn, n->fm.round, n->fm.ftz);
  default:
    return n->flt ? wl_or_f32_integral(f, n->fm) : wl_or_f32_finish(f, n->fm);
  }
}

/* ---- f32 ---- */
static bool has_property(uint8_t property, uint32_t a) {
  uint32_t exponent = a >> 23 & 0xff, fraction = a & 0x7fffff;
  bool nan = wl_or_f32_is_nan(a);
  switch (property) {
  case OR_T_FINITE:
    return exponent != 0xff;
  case OR_T_INFINITE:
    return exponent == 0xff && fraction == 0;
  case OR_T_NUMBER:
    return !nan;
  case OR_T_NAN:
    return nan;
  case OR_T_NORMAL:
    return exponent != 0xff && (exponent != 0 || fraction == 0);
  default:
    return exponent == 0 && fraction != 0;
  }
}

static uint64_t floating(const wl_or_insn_t *n, const uint64_t *s) {
  uint32_t a = (uint32_t)s[0], b = (uint32_t)s[1], c = (uint32_t)s[2];
  switch (n->op) {
  case OR_FADD:
    return wl_or_f32_add(a, b, n->fm);
  case OR_FSUB:
    return wl_or_f32_add(a, wl_or_f32_is_nan(b) ? b : b ^ k_sign32, n->fm);
  case OR_FMUL:
    return wl_or_f32_mul(a, b, n->fm);
  case OR_FFMA:
    return wl_or_f32_fma(a, b, c, n->fm);
  case OR_FDIV:
    return wl_or_f32_div(a, b, n->fm);
  case OR_FRCP:
    return wl_or_f32_div(k_one, a, n->fm);
  case OR_FSQRT:
    return wl_or_f32_sqrt(a, n->fm);
  case OR_FABS:
    return wl_or_f32_flush(a, n->fm.ftz) & ~k_sign32;
  case OR_FNEG:
    return wl_or_f32_flush(a, n->fm.ftz) ^ k_sign32;
  case OR_FMIN:
  case OR_FMAX:
    return wl_or_f32_minmax(a, b, n->op == OR_FMAX, n->fm.ftz, n->nan, n->xorsign);
  case OR_COPYSIGN:
    return (a & k_sign32) | (b & ~k_sign32);
  default:
    return has_property(n->sub, a);
  }
}

/* ---- f64 ---- */
static uint64_t floating64(const wl_or_insn_t *n, const uint64_t *s) {
  static const uint64_t sign = UINT64_C(1) << 63;
  switch (n->op) {
  case OR_DADD:
    return wl_or_f64_add(s[0], s[1], n->fm.round);
  case OR_DSUB:
    return wl_or_f64_add(s[0], wl_or_f64_is_nan(s[1]) ? s[1] : s[1] ^ sign, n->fm.round);
  case OR_DMUL:
    return wl_or_f64_mul(s[0], s[1], n->fm.round);
  default:
    return wl_or_f64_fma(s[0], s[1], s[2], n->fm.round);
  }
}

/* ---- move ---- */
static uint64_t pack(const wl_or_insn_t *n, const uint64_t *s) {
  uint64_t r = 0;
  for (unsigned i = 0; i < n->n; i++) {
    r |= s[i] << i * n->sbits;
  }
  return r;
}

bool wl_or_arith(const wl_or_ctx_t *x, const uint64_t *s) {
  const wl_or_insn_t *n = x->insn;
  uint64_t r;
  switch (n->op) {
  case OR_MOV:
    for (unsigned i = 0; i < n->n; i++) {
      wl_or_put(x->thread, n->d[i], s[i]);
    }
    return true;
  case OR_UNPACK:
    for (unsigned i = 0, word = 64u / n->sbits; i < n->n; i++) {
      uint64_t from = s[i / word] >> i % word * n->sbits;
      wl_or_put(x->thread, n->d[i], from & wl_or_mask(n->sbits));
    }
    return true;
  case OR_LOP3P:
    lop3(x, s);
    return true;
  case OR_SETP:
  case OR_SET:
    compare(x, s);
    return true;
  case OR_PACK:
    if (n->bits == 128) {
      wl_or_put(x->thread, n->d[1], s[3] << 32 | s[2]);
    }
    r = n->bits == 128 ? s[1] << 32 | s[0] : pack(n, s);
    break;
  case OR_SELP:
  case OR_SLCT:
    r = select_first(n, s[2]) ? s[0] : s[1];
    break;
  case OR_CVT_II:
  case OR_CVT_IF:
  case OR_CVT_FI:
  case OR_CVT_FF:
    r = convert(n, s[0]);
    break;
  case OR_CVT_FORMAT:
    r = wl_or_convert(&n->format, s);
    break;
  default:
    if (n->op > OR_DFMA && n->op <= OR_LAST_ARITH) {
      wl_or_narrow(x, s);
      return true;
    }
    if (n->op < OR_FADD || n->op > OR_DFMA) {
      return wl_or_fail(x, "internal: operation %u", n->op);
    }
    r = n->op < OR_DADD ? floating(n, s) : floating64(n, s);
    break;
  }
  wl_or_put(x->thread, n->d[0], r);
  return true;
}
