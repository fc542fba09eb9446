/* operand.c: operands as written, with symbols resolved [PTX 6.4]. Whether an operand suits its
 * instruction is decided in check.c. */
#include <string.h>

#include "isa/ptx/px.h"

typedef struct sreg_row {
  const char *name;
  wl_ptx_type_t type;
  uint8_t vec, count;
  uint16_t target, version;
  const char *clause;
} sreg_row_t;

static const sreg_row_t k_sregs[WL_PTX_SR_COUNT] = {
#define WL_PTX_SREG(id, name, type, vec, count, target, version, clause)                           \
  {name, WL_PTX_T_##type, vec, count, target, version, clause},
#include "isa/def/ptx_sreg.def"
#undef WL_PTX_SREG
};

const char *wl_ptx_sreg_name(wl_ptx_sreg_t s) { return k_sregs[s].name; }

/* Matches "%envreg7" against "%envreg", "%pm3_64" against "%pm#_64". */
static bool indexed(const sreg_row_t *r, const char *s, size_t n, uint32_t *index) {
  const char *hash = strchr(r->name, '#');
  size_t pre = hash != NULL ? (size_t)(hash - r->name) : strlen(r->name);
  const char *post = hash != NULL ? hash + 1 : "";
  size_t tail = strlen(post);
  if (n <= pre + tail || n - pre - tail > 2 || memcmp(s, r->name, pre) != 0) return false;
  if (memcmp(s + n - tail, post, tail) != 0) return false;
  uint32_t v = 0;
  for (size_t i = pre; i < n - tail; i++) {
    if (s[i] < '0' || s[i] > '9') return false;
    v = v * 10 + (uint32_t)(s[i] - '0');
  }
  if (s[pre] == '0' && n - pre - tail > 1) return false;
  *index = v;
  return v < r->count;
}

static bool find_sreg(const char *s, size_t n, wl_ptx_operand_t *o) {
  if (n < 3 || s[0] != '%') return false;
  for (int i = 0; i < WL_PTX_SR_COUNT; i++) {
    const sreg_row_t *r = &k_sregs[i];
    bool hit = r->count > 1 ? indexed(r, s, n, &o->index)
                            : strlen(r->name) == n && memcmp(r->name, s, n) == 0;
    if (!hit) continue;
    o->kind = WL_PTX_OPD_SREG;
    o->sreg = (wl_ptx_sreg_t)i;
    return true;
  }
  return false;
}

bool wl_px_is_sreg(const char *s, size_t n) {
  wl_ptx_operand_t o;
  return find_sreg(s, n, &o);
}

static bool check_sreg(wl_px_t *p, const wl_ptx_operand_t *o) {
  const sreg_row_t *r = &k_sregs[o->sreg];
  if (p->version10 < r->version) {
    return wl_px_error(p, o->pos, r->clause, "`%s` needs .version %d.%d or later", r->name,
                       r->version / 10, r->version % 10);
  }
  if (p->m->sm < r->target) {
    return wl_px_error(p, o->pos, r->clause, "`%s` needs .target sm_%d or higher", r->name,
                       r->target);
  }
  return true;
}

wl_ptx_type_t wl_px_operand_type(const wl_ptx_operand_t *o) {
  if (o->kind == WL_PTX_OPD_REG) return o->reg->type;
  return o->kind == WL_PTX_OPD_SREG ? k_sregs[o->sreg].type : WL_PTX_T_NONE;
}

unsigned wl_px_operand_width(const wl_ptx_operand_t *o) {
  if (o->comp >= 0) return 1;
  if (o->kind == WL_PTX_OPD_REG) return o->reg->vec;
  return o->kind == WL_PTX_OPD_SREG ? k_sregs[o->sreg].vec : 1;
}

static bool component(wl_px_t *p, wl_ptx_operand_t *o) {
  static const char xyzw[] = "xyzw", rgba[] = "rgba";
  if (p->tok.kind != WL_TOK_DOT || p->tok.len != 1) return true;
  const char *q = strchr(xyzw, p->tok.text[0]);
  int at = q != NULL ? (int)(q - xyzw) : -1;
  if (at < 0 && (q = strchr(rgba, p->tok.text[0])) != NULL) at = (int)(q - rgba);
  if (at < 0 || at >= (int)wl_px_operand_width(o) || wl_px_operand_width(o) < 2) {
    return wl_px_error(p, p->tok.pos, "6.4.3", "no component `.%c` here", p->tok.text[0]);
  }
  o->comp = (int8_t)at;
  wl_px_next(p);
  return true;
}

static bool constant(wl_px_t *p, wl_ptx_operand_t *o) {
  wl_const_t c;
  if (!wl_px_const(p, &c)) return false;
  bool is_int = c.kind == WL_CONST_INT || c.kind == WL_CONST_UINT;
  o->kind = is_int ? WL_PTX_OPD_INT : WL_PTX_OPD_FLOAT;
  o->imm = c.bits;
  o->imm_unsigned = c.kind == WL_CONST_UINT;
  o->imm_f32 = c.kind == WL_CONST_F32;
  return true;
}

/* +imm behind an address base: a signed 32-bit byte offset, +-4 when negative [PTX 6.4.1] */
static bool offset(wl_px_t *p, wl_ptx_operand_t *o) {
  if (wl_px_is(p, '-')) {
    return wl_px_error(p, p->tok.pos, "6.4.1", "an offset is added; a negative one is written +-n");
  }
  if (!wl_px_is(p, '+')) return true;
  wl_const_t c;
  wl_ptx_pos_t pos = p->tok.pos;
  if (!wl_px_const_int(p, "6.4.1", "address offset", &c)) return false;
  int64_t v = (int64_t)c.bits;
  if (v < INT32_MIN || v > INT32_MAX) {
    return wl_px_unsupported(p, pos, "6.4.1",
                             "an address offset of more than 32 signed bits is not implemented");
  }
  o->imm = c.bits;
  return true;
}

static bool symbol(wl_px_t *p, wl_ptx_operand_t *o) {
  wl_tok_t t = p->tok;
  if (find_sreg(t.text, t.len, o)) {
    wl_px_next(p);
    return check_sreg(p, o) && component(p, o);
  }
  wl_sym_t *s = wl_px_lookup(p, t.text, t.len);
  if (s == NULL) return wl_px_undefined(p, &t, "register or variable");
  wl_px_next(p);
  switch (s->kind) {
  case WL_SYM_REG:
    o->kind = WL_PTX_OPD_REG;
    o->reg = s->obj;
    return component(p, o);
  case WL_SYM_VAR:
    o->kind = WL_PTX_OPD_VAR;
    o->var = s->obj;
    return true;
  case WL_SYM_FUNC:
    o->kind = WL_PTX_OPD_FUNC;
    o->func = s->obj;
    return true;
  case WL_SYM_TABLE:
    o->kind = WL_PTX_OPD_TABLE;
    o->table = s->obj;
    return true;
  case WL_SYM_PROTO:
    o->kind = WL_PTX_OPD_PROTO;
    o->proto = s->obj;
    return true;
  default:
    return wl_px_error(p, t.pos, "6.4.4", "label `%.60s` cannot be an operand here", s->name->text);
  }
}

static bool check_base(wl_px_t *p, const wl_ptx_operand_t *o, bool index) {
  if (o->kind == WL_PTX_OPD_VAR) return true;
  if (o->kind != WL_PTX_OPD_REG || wl_px_operand_width(o) != 1) {
    return wl_px_error(p, o->pos, "6.4.1",
                       "an address is a register or a variable, plus a constant");
  }
  wl_ptx_type_t t = o->reg->type;
  unsigned bits = wl_ptx_type_bits(t);
  bool whole = wl_ptx_type_is_int(t) || wl_ptx_type_is_bits(t);
  if (index && whole && bits == 16)
    return wl_px_unsupported(p, o->pos, "6.4.2", "an index of 16 bits is not implemented");
  if (!whole || (bits != 32 && bits != 64)) {
    return wl_px_error(p, o->pos, "6.4.1", "`%.60s` of type `.%s` cannot hold an address",
                       o->reg->name, wl_ptx_type_name(t));
  }
  return true;
}

/* Between the brackets of [..] or var[..]. */
static bool address_inside(wl_px_t *p, wl_ptx_operand_t *o) {
  wl_ptx_operand_t base = {.pos = p->tok.pos, .comp = -1};
  if (wl_px_starts_const(p)) {
    wl_const_t c;
    if (!wl_px_const_int(p, "6.4.1", "address", &c)) return false;
    o->imm = c.bits;
    return true;
  }
  if (p->tok.kind != WL_TOK_IDENT) {
    char buf[96];
    if (p->tok.kind == WL_TOK_BAD) return false;
    return wl_px_error(p, p->tok.pos, "6.4.1", "expected an address, got %s",
                       wl_px_tok_text(&p->tok, buf, sizeof buf));
  }
  if (!symbol(p, &base) || !check_base(p, &base, o->kind == WL_PTX_OPD_VAR)) return false;
  if (o->kind == WL_PTX_OPD_VAR && base.kind == WL_PTX_OPD_VAR) {
    return wl_px_error(p, base.pos, "6.4.2",
                       "an array index is a register, a constant, or their sum");
  }
  if (base.kind == WL_PTX_OPD_REG)
    o->reg = base.reg;
  else
    o->var = base.var;
  o->comp = base.comp;
  return offset(p, o);
}

static bool address(wl_px_t *p, wl_ptx_operand_t *o) { /* at [ */
  o->kind = WL_PTX_OPD_ADDR;
  wl_px_next(p);
  if (!address_inside(p, o)) return false;
  if (wl_px_is(p, ',')) {
    return wl_px_unsupported(p, p->tok.pos, "9.7", "address lists [a, {..}] are not implemented");
  }
  return wl_px_expect(p, ']', "6.4.1", "after the address");
}

/* var, var+imm, var[imm], var[reg+imm]: an element's byte address scales a constant index. */
static bool variable_suffix(wl_px_t *p, wl_ptx_operand_t *o) {
  if (!wl_px_is(p, '[')) return offset(p, o);
  wl_ptx_pos_t pos = p->tok.pos;
  wl_px_next(p);
  o->indexed = true;
  if (!address_inside(p, o)) return false;
  if (o->reg == NULL) {
    uint64_t elem = (uint64_t)wl_ptx_type_bits(o->var->type) / 8; /* of a vector: one component */
    int64_t v = (int64_t)o->imm;
    if (v < INT32_MIN || v > INT32_MAX)
      return wl_px_error(p, pos, "6.4.2", "array index out of range");
    o->imm = (uint64_t)(v * (int64_t)elem);
  }
  return wl_px_expect(p, ']', "6.4.2", "after the array index");
}

static bool vector(wl_px_t *p, wl_ptx_operand_t *o) { /* at { */
  wl_ptx_operand_t elems[WL_LIM_VECTOR];
  o->kind = WL_PTX_OPD_VEC;
  wl_px_next(p);
  do {
    if (o->nelems == WL_LIM_VECTOR) {
      return wl_px_error(p, p->tok.pos, "6.4.3", "a vector operand has at most %d elements",
                         WL_LIM_VECTOR);
    }
    if (wl_px_is(p, '{')) return wl_px_error(p, p->tok.pos, "6.4.3", "vector operands do not nest");
    wl_ptx_operand_t *e = &elems[o->nelems++];
    if (!wl_px_operand(p, e)) return false;
    bool ok = e->kind == WL_PTX_OPD_REG || e->kind == WL_PTX_OPD_INT ||
              e->kind == WL_PTX_OPD_FLOAT || e->kind == WL_PTX_OPD_SINK ||
              e->kind == WL_PTX_OPD_SREG;
    if (!ok || wl_px_operand_width(e) != 1 || e->neg) {
      return wl_px_error(p, e->pos, "6.4.3",
                         "a vector element is a scalar register, a constant or `_`");
    }
  } while (wl_px_accept(p, ','));
  o->elems = wl_px_alloc(p, o->nelems * sizeof *elems);
  memcpy(o->elems, elems, o->nelems * sizeof *elems);
  return wl_px_expect(p, '}', "6.4.3", "after the vector elements");
}

bool wl_px_operand(wl_px_t *p, wl_ptx_operand_t *o) {
  *o = (wl_ptx_operand_t){.pos = p->tok.pos, .comp = -1};
  char buf[96];
  if (wl_px_is_ident(p, "_")) {
    o->kind = WL_PTX_OPD_SINK;
    wl_px_next(p);
    return true;
  }
  if (wl_px_is(p, '{')) return vector(p, o);
  if (wl_px_is(p, '[')) return address(p, o);
  if (wl_px_starts_const(p)) return constant(p, o);
  if (wl_px_is(p, '!')) {
    o->neg = true;
    wl_px_next(p);
  }
  if (p->tok.kind == WL_TOK_IDENT) {
    if (!symbol(p, o)) return false;
    return o->kind != WL_PTX_OPD_VAR || variable_suffix(p, o);
  }
  if (p->tok.kind == WL_TOK_BAD) return false;
  return wl_px_error(p, p->tok.pos, "6.1", "expected an operand, got %s",
                     wl_px_tok_text(&p->tok, buf, sizeof buf));
}

bool wl_px_operand_list(wl_px_t *p, wl_ptx_operand_t *list, uint32_t max, uint32_t *n) {
  *n = 0;
  if (wl_px_is(p, ';')) return true;
  do {
    if (*n == max) return wl_px_error(p, p->tok.pos, "4.3.2", "more than %u operands", max);
    wl_ptx_operand_t *o = &list[(*n)++];
    if (!wl_px_operand(p, o)) return false;
    if (wl_px_accept(p, '|')) {
      o->pair = wl_px_alloc(p, sizeof *o->pair);
      if (!wl_px_operand(p, o->pair)) return false;
    }
  } while (wl_px_accept(p, ','));
  return true;
}
