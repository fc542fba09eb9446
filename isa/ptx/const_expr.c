/* const_expr.c: constant expressions [PTX 4.5.4-4.5.6]: 64-bit signed/unsigned integers and
 * doubles. Where 4.5.5 and Table 5 differ (type of & | ^), 4.5.5's usual conversions hold.
 * A division by zero is an error unless it stands in a branch that is not taken. */
#include "isa/ptx/px.h"

#include <string.h>

typedef struct ce {
  wl_px_t *p;
  uint32_t depth;
  uint32_t dead;
} ce_t;

static bool ternary(ce_t *c, wl_const_t *v);

bool wl_px_starts_const(wl_px_t *p) {
  switch (p->tok.kind) {
  case WL_TOK_INT:
  case WL_TOK_FLOAT:
  case WL_TOK_F32:
    return true;
  case WL_TOK_IDENT:
    return wl_px_is_ident(p, "WARP_SZ");
  case WL_TOK_PUNCT:
    break;
  default:
    return false;
  }
  if (wl_px_is(p, '!')) {
    const wl_tok_t *n = wl_px_peek(p);
    return n->kind != WL_TOK_IDENT || (n->len == 7 && memcmp(n->text, "WARP_SZ", 7) == 0);
  }
  return wl_px_is(p, '(') || wl_px_is(p, '-') || wl_px_is(p, '+') || wl_px_is(p, '~');
}

static bool is_int(const wl_const_t *v) {
  return v->kind == WL_CONST_INT || v->kind == WL_CONST_UINT;
}

static bool need_int(ce_t *c, const wl_const_t *v, const char *op) {
  if (is_int(v)) return true;
  return wl_px_error(c->p, v->pos, "4.5.4", "`%s` needs integer operands", op);
}

static bool need_computable(ce_t *c, const wl_const_t *v) {
  if (v->kind != WL_CONST_F32) return true;
  return wl_px_error(c->p, v->pos, "4.5.2",
                     "an exact single-precision constant may not be used in an expression");
}

static double as_double(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static uint64_t from_double(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static bool primary(ce_t *c, wl_const_t *v) {
  wl_px_t *p = c->p;
  wl_tok_t t = p->tok;
  v->pos = t.pos;
  if (t.kind == WL_TOK_INT) {
    v->kind = t.is_unsigned ? WL_CONST_UINT : WL_CONST_INT;
  } else if (t.kind == WL_TOK_FLOAT) {
    v->kind = WL_CONST_FLOAT;
  } else if (t.kind == WL_TOK_F32) {
    v->kind = WL_CONST_F32;
  } else if (wl_px_is_ident(p, "WARP_SZ")) {
    v->kind = WL_CONST_INT;
    t.value = 32;
  } else if (wl_px_accept(p, '(')) {
    return ternary(c, v) && wl_px_expect(p, ')', "4.5.4", "in constant expression");
  } else {
    char buf[96];
    if (t.kind == WL_TOK_BAD) return false;
    return wl_px_error(p, t.pos, "4.5.4", "expected a constant, got %s",
                       wl_px_tok_text(&t, buf, sizeof buf));
  }
  v->bits = t.value;
  wl_px_next(p);
  return true;
}

static bool apply_unary(ce_t *c, int op, wl_const_t *v) {
  if (op == '-' || op == '+') {
    if (!need_computable(c, v)) return false;
    if (op == '-')
      v->bits = v->kind == WL_CONST_FLOAT ? v->bits ^ (UINT64_C(1) << 63) : 0 - v->bits;
    return true;
  }
  if (!need_int(c, v, op == '!' ? "!" : "~")) return false;
  v->bits = op == '!' ? v->bits == 0 : ~v->bits;
  v->kind = op == '!' ? WL_CONST_INT : WL_CONST_UINT;
  return true;
}

static bool unary_inner(ce_t *c, wl_const_t *v);

static bool unary(ce_t *c, wl_const_t *v) {
  if (++c->depth > WL_LIM_NESTING) {
    return wl_px_unsupported(c->p, c->p->tok.pos, "4.5.4",
                             "constant expression nested deeper than %d", WL_LIM_NESTING);
  }
  bool ok = unary_inner(c, v);
  c->depth--;
  return ok;
}

static bool unary_inner(ce_t *c, wl_const_t *v) {
  wl_px_t *p = c->p;
  wl_ptx_pos_t pos = p->tok.pos;
  if (wl_px_is(p, '-') || wl_px_is(p, '+') || wl_px_is(p, '!') || wl_px_is(p, '~')) {
    int op = p->tok.op;
    wl_px_next(p);
    if (!unary(c, v) || !apply_unary(c, op, v)) return false;
    v->pos = pos;
    return true;
  }
  if (wl_px_is(p, '(') && wl_px_peek(p)->kind == WL_TOK_DOT) {
    wl_px_next(p);
    bool is_signed = wl_px_is_dot(p, "s64");
    if (!is_signed && !wl_px_is_dot(p, "u64")) {
      return wl_px_error(p, p->tok.pos, "4.5.5", "only (.s64) and (.u64) casts exist");
    }
    wl_px_next(p);
    if (!wl_px_expect(p, ')', "4.5.5", "after cast")) return false;
    if (!unary(c, v) || !need_int(c, v, "cast")) return false;
    v->kind = is_signed ? WL_CONST_INT : WL_CONST_UINT;
    return true;
  }
  return primary(c, v);
}

typedef struct binop {
  int op, prec;
  const char *text;
} binop_t;

static const binop_t k_binops[] = {
    {'*', 10, "*"},         {'/', 10, "/"},      {'%', 10, "%"},      {'+', 9, "+"},
    {'-', 9, "-"},          {WL_P_SHL, 8, "<<"}, {WL_P_SHR, 8, ">>"}, {'<', 7, "<"},
    {'>', 7, ">"},          {WL_P_LE, 7, "<="},  {WL_P_GE, 7, ">="},  {WL_P_EQ, 6, "=="},
    {WL_P_NE, 6, "!="},     {'&', 5, "&"},       {'^', 4, "^"},       {'|', 3, "|"},
    {WL_P_ANDAND, 2, "&&"}, {WL_P_OROR, 1, "||"}};

static const binop_t *find_binop(wl_px_t *p, int min_prec) {
  if (p->tok.kind == WL_TOK_IDENT && p->tok.text[0] == '%' && p->tok.len > 1 && min_prec <= 10) {
    wl_px_split_percent(p); /* 7%3: the lexer read an identifier %3 */
  }
  if (p->tok.kind != WL_TOK_PUNCT) return NULL;
  for (size_t i = 0; i < sizeof k_binops / sizeof k_binops[0]; i++) {
    if (k_binops[i].op == p->tok.op && k_binops[i].prec >= min_prec) return &k_binops[i];
  }
  return NULL;
}

static bool apply_float(ce_t *c, const binop_t *op, wl_const_t *a, const wl_const_t *b) {
  double x = as_double(a->bits), y = as_double(b->bits);
  int cmp = -1;
  switch (op->op) {
  case '+':
    x = x + y;
    break;
  case '-':
    x = x - y;
    break;
  case '*':
    x = x * y;
    break;
  case '/':
    x = x / y;
    break;
  case '<':
    cmp = x < y;
    break;
  case '>':
    cmp = x > y;
    break;
  case WL_P_LE:
    cmp = x <= y;
    break;
  case WL_P_GE:
    cmp = x >= y;
    break;
  case WL_P_EQ:
    cmp = x == y;
    break;
  case WL_P_NE:
    cmp = x != y;
    break;
  default:
    return need_int(c, a, op->text);
  }
  a->bits = cmp < 0 ? from_double(x) : (uint64_t)cmp;
  if (cmp >= 0) a->kind = WL_CONST_INT;
  return true;
}

static bool divide(ce_t *c, int op, bool is_unsigned, wl_const_t *a, uint64_t y) {
  if (y == 0) {
    if (c->dead != 0) return true;
    return wl_px_error(c->p, a->pos, "4.5.5", "division by zero in constant expression");
  }
  if (op == '%') { /* operands are taken as unsigned, the result is signed (Table 5) */
    a->bits %= y;
    a->kind = WL_CONST_INT;
  } else if (is_unsigned) {
    a->bits /= y;
  } else {
    a->bits = (int64_t)y == -1 ? 0 - a->bits : (uint64_t)((int64_t)a->bits / (int64_t)y);
  }
  return true;
}

static uint64_t shift(int op, bool is_signed, uint64_t x, uint64_t n) {
  bool fill = op == WL_P_SHR && is_signed && x >> 63 != 0;
  n &= 63; /* PTX leaves larger amounts open; ptxas takes them modulo 64 */
  if (op == WL_P_SHL) return x << n;
  return fill ? ~(~x >> n) : x >> n;
}

static bool apply_int(ce_t *c, const binop_t *op, wl_const_t *a, const wl_const_t *b) {
  uint64_t x = a->bits, y = b->bits;
  bool us = a->kind == WL_CONST_UINT || b->kind == WL_CONST_UINT;
  wl_const_kind_t conv = us ? WL_CONST_UINT : WL_CONST_INT;
  bool less = us ? x < y : (int64_t)x < (int64_t)y;
  bool compare = false;
  switch (op->op) {
  case '+':
    x += y;
    break;
  case '-':
    x -= y;
    break;
  case '*':
    x *= y;
    break;
  case '&':
    x &= y;
    break;
  case '^':
    x ^= y;
    break;
  case '|':
    x |= y;
    break;
  case '/':
  case '%':
    if (op->op == '/') a->kind = conv;
    return divide(c, op->op, us, a, y);
  case WL_P_SHL:
  case WL_P_SHR:
    a->bits = shift(op->op, a->kind == WL_CONST_INT, x, y);
    return true;
  case '<':
    compare = true;
    x = less;
    break;
  case '>':
    compare = true;
    x = !less && x != y;
    break;
  case WL_P_LE:
    compare = true;
    x = less || x == y;
    break;
  case WL_P_GE:
    compare = true;
    x = !less;
    break;
  case WL_P_EQ:
    compare = true;
    x = x == y;
    break;
  case WL_P_NE:
    compare = true;
    x = x != y;
    break;
  case WL_P_ANDAND:
    compare = true;
    x = x != 0 && y != 0;
    break;
  default:
    compare = true;
    x = x != 0 || y != 0;
    break;
  }
  a->bits = x;
  a->kind = compare ? WL_CONST_INT : conv;
  return true;
}

static bool apply(ce_t *c, const binop_t *op, wl_const_t *a, const wl_const_t *b) {
  if (!need_computable(c, a) || !need_computable(c, b)) return false;
  if (is_int(a) && is_int(b)) return apply_int(c, op, a, b);
  if (is_int(a) != is_int(b)) {
    return wl_px_error(
        c->p, b->pos, "4.5.4",
        "`%s` mixes an integer and a floating-point operand; there is no cast between them",
        op->text);
  }
  return apply_float(c, op, a, b);
}

static bool binary(ce_t *c, int min_prec, wl_const_t *v) {
  if (!unary(c, v)) return false;
  const binop_t *op;
  while ((op = find_binop(c->p, min_prec)) != NULL) {
    wl_const_t rhs;
    wl_px_next(c->p);
    bool skipped = is_int(v) && ((op->op == WL_P_ANDAND && v->bits == 0) ||
                                 (op->op == WL_P_OROR && v->bits != 0));
    c->dead += skipped;
    bool ok = binary(c, op->prec + 1, &rhs);
    c->dead -= skipped;
    if (!ok || !apply(c, op, v, &rhs)) return false;
  }
  return true;
}

static bool select_branch(ce_t *c, const wl_const_t *cond, wl_const_t *a, const wl_const_t *b) {
  if (is_int(a) != is_int(b) || (!is_int(a) && a->kind != b->kind)) {
    return wl_px_error(c->p, b->pos, "4.5.5",
                       "operands 2 and 3 of ?: must be both integer or both floating-point");
  }
  bool us = a->kind == WL_CONST_UINT || b->kind == WL_CONST_UINT;
  if (cond->bits == 0) *a = *b;
  if (is_int(a) && us) a->kind = WL_CONST_UINT;
  return true;
}

static bool ternary(ce_t *c, wl_const_t *v) {
  if (!binary(c, 1, v)) return false;
  if (!wl_px_is(c->p, '?')) return true;
  wl_const_t a, b;
  if (!need_int(c, v, "?:")) return false;
  wl_px_next(c->p);
  if (++c->depth > WL_LIM_NESTING) {
    return wl_px_unsupported(c->p, c->p->tok.pos, "4.5.4",
                             "constant expression nested deeper than %d", WL_LIM_NESTING);
  }
  bool taken = v->bits != 0;
  c->dead += !taken;
  bool ok = ternary(c, &a) && wl_px_expect(c->p, ':', "4.5.4", "in ?:");
  c->dead -= !taken;
  c->dead += taken;
  ok = ok && ternary(c, &b);
  c->dead -= taken;
  c->depth--;
  if (!ok || !need_computable(c, &a) || !need_computable(c, &b)) return false;
  if (!select_branch(c, v, &a, &b)) return false;
  *v = a;
  return true;
}

bool wl_px_const(wl_px_t *p, wl_const_t *out) {
  ce_t c = {.p = p};
  return ternary(&c, out);
}

bool wl_px_const_int(wl_px_t *p, const char *clause, const char *what, wl_const_t *out) {
  if (!wl_px_const(p, out)) return false;
  if (is_int(out)) return true;
  return wl_px_error(p, out->pos, clause, "%s must be an integer constant", what);
}

bool wl_px_const_range(wl_px_t *p, const char *clause, const char *what, uint64_t min, uint64_t max,
                       uint64_t *out) {
  ce_t c = {.p = p};
  wl_const_t v;
  if (!binary(&c, 8, &v)) return false;
  if (!is_int(&v)) return wl_px_error(p, v.pos, clause, "%s must be an integer constant", what);
  bool negative = v.kind == WL_CONST_INT && (int64_t)v.bits < 0;
  if (negative || v.bits < min || v.bits > max) {
    return wl_px_error(p, v.pos, clause, "%s must be in %llu..%llu", what, (unsigned long long)min,
                       (unsigned long long)max);
  }
  *out = v.bits;
  return true;
}
