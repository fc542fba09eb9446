/* init.c: initialisers [PTX 5.4.4]: nested lists as the declaration nests, addresses of variables
 * and functions with offsets, generic(), and the mask operator that selects one byte. The result
 * is a byte image plus relocations. */
#include "isa/ptx/px.h"

#include <string.h>

typedef struct ini {
  wl_px_t *p;
  wl_ptx_var_t *v;
  uint8_t *data;
  uint64_t size, cap; /* bytes written so far; room */
  uint64_t elem;      /* bytes of an element */
  wl_ptx_reloc_t *relocs;
  size_t cap_relocs;
  uint32_t depth;
} ini_t;

static bool reserve(ini_t *s, uint64_t end) {
  if (end > WL_LIM_INIT_BYTES) {
    return wl_px_unsupported(s->p, s->v->pos, "5.4.4", "initialiser of more than %d bytes",
                             WL_LIM_INIT_BYTES);
  }
  if (end > s->cap) {
    uint64_t cap = s->cap * 2 > end ? s->cap * 2 : end;
    uint8_t *d = wl_px_alloc(s->p, cap);
    if (s->size != 0) memcpy(d, s->data, s->size);
    s->data = d;
    s->cap = cap;
  }
  if (end > s->size) s->size = end;
  return true;
}

static bool put(ini_t *s, uint64_t at, uint64_t bits) {
  if (!reserve(s, at + s->elem)) return false;
  for (uint64_t i = 0; i < s->elem; i++)
    s->data[at + i] = (uint8_t)(i < 8 ? bits >> (8 * i) : 0);
  return true;
}

static bool put_float(ini_t *s, uint64_t at, const wl_const_t *c) {
  wl_ptx_type_t t = s->v->type;
  bool bits = wl_ptx_type_is_bits(t);
  if (c->kind == WL_CONST_F32) {
    double d;
    float f;
    uint32_t u = (uint32_t)c->bits;
    if (t == WL_PTX_T_F32 || t == WL_PTX_T_B32) return put(s, at, c->bits);
    if (t != WL_PTX_T_F64)
      return wl_px_error(s->p, c->pos, "5.4.4", "f32 constant for a `.%s`", wl_ptx_type_name(t));
    memcpy(&f, &u, sizeof f);
    d = (double)f;
    uint64_t w;
    memcpy(&w, &d, sizeof w);
    return put(s, at, w);
  }
  if (t == WL_PTX_T_F32 || (bits && s->elem == 4)) {
    double d;
    memcpy(&d, &c->bits, sizeof d);
    float f = (float)d;
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return put(s, at, u);
  }
  if (t == WL_PTX_T_F64 || (bits && s->elem == 8)) return put(s, at, c->bits);
  return wl_px_error(s->p, c->pos, "5.4.4", "floating-point constant for a `.%s`",
                     wl_ptx_type_name(t));
}

static bool put_const(ini_t *s, uint64_t at, const wl_const_t *c) {
  if (c->kind == WL_CONST_FLOAT || c->kind == WL_CONST_F32) return put_float(s, at, c);
  if (!wl_ptx_type_is_float(s->v->type)) return put(s, at, c->bits);
  return wl_px_error(s->p, c->pos, "5.4.4", "integer constant for a `.%s`",
                     wl_ptx_type_name(s->v->type));
}

/* +off behind a name */
static bool addend(wl_px_t *p, wl_ptx_reloc_t *r) {
  if (wl_px_is(p, '-')) {
    return wl_px_error(p, p->tok.pos, "5.4.4", "an offset is added; a negative one is written +-n");
  }
  if (!wl_px_is(p, '+')) return true;
  if (r->func != NULL) {
    return wl_px_error(p, p->tok.pos, "5.4.4", "the address of a function takes no offset");
  }
  wl_const_t off;
  if (!wl_px_const_int(p, "5.4.4", "offset", &off)) return false;
  r->addend = (int64_t)off.bits;
  return true;
}

/* name, name+off, generic(name), generic(name)+off */
static bool address(ini_t *s, wl_ptx_reloc_t *r) {
  wl_px_t *p = s->p;
  r->pos = p->tok.pos;
  if (wl_px_is_ident(p, "generic") && wl_px_peek(p)->kind == WL_TOK_PUNCT &&
      wl_px_peek(p)->op == '(') {
    r->generic = true;
    wl_px_next(p);
    wl_px_next(p);
  }
  wl_tok_t name = p->tok;
  char buf[96];
  if (name.kind != WL_TOK_IDENT) {
    return wl_px_error(p, name.pos, "5.4.4", "expected a variable or function, got %s",
                       wl_px_tok_text(&name, buf, sizeof buf));
  }
  wl_sym_t *sym = wl_px_lookup(p, name.text, name.len);
  if (sym == NULL) return wl_px_undefined(p, &name, "variable");
  wl_px_next(p);
  if (sym->kind == WL_SYM_VAR) {
    r->var = sym->obj;
    if (r->var == s->v) {
      return wl_px_error(p, name.pos, "5.4.4", "`%.60s` cannot initialise itself", r->var->name);
    }
    if (r->var->space != WL_PTX_SPACE_GLOBAL && r->var->space != WL_PTX_SPACE_CONST) {
      return wl_px_error(p, name.pos, "5.4.4",
                         "only .global and .const variables may be used in initialisers");
    }
  } else if (sym->kind == WL_SYM_FUNC && !r->generic) {
    r->func = sym->obj;
  } else {
    return wl_px_error(p, name.pos, "5.4.4", "`%.60s` has no address", sym->name->text);
  }
  if (r->generic && !wl_px_expect(p, ')', "5.4.4", "after generic(")) return false;
  return addend(p, r);
}

static void add_reloc(ini_t *s, const wl_ptx_reloc_t *r) {
  s->relocs = wl_px_grow(s->p, s->relocs, s->v->nrelocs, &s->cap_relocs, sizeof *s->relocs);
  s->relocs[s->v->nrelocs++] = *r;
}

static bool starts_address(wl_px_t *p) {
  return p->tok.kind == WL_TOK_IDENT && !wl_px_is_ident(p, "WARP_SZ");
}

/* 0xff00(expr): byte 1 of the address or constant */
static bool masked(ini_t *s, uint64_t at) {
  wl_px_t *p = s->p;
  uint64_t mask = p->tok.value;
  unsigned shift = 0;
  while (shift < 64 && mask != UINT64_C(0xff) << shift)
    shift += 8;
  if (shift == 64)
    return wl_px_error(p, p->tok.pos, "5.4.4", "the mask must select one whole byte");
  wl_px_next(p);
  wl_px_next(p);
  if (starts_address(p) && p->version10 < 71) {
    return wl_px_error(p, p->tok.pos, "5.4.4", "a masked address needs .version 7.1 or later");
  }
  if (starts_address(p)) {
    wl_ptx_reloc_t r = {.offset = at, .size = 1, .shift = (uint8_t)shift};
    if (wl_ptx_type_is_float(s->v->type))
      return wl_px_error(p, p->tok.pos, "5.4.4", "a masked address needs an integer variable");
    if (!address(s, &r) || !put(s, at, 0)) return false;
    add_reloc(s, &r);
  } else {
    wl_const_t c;
    if (!wl_px_const_int(p, "5.4.4", "operand of the mask", &c)) return false;
    if (!put(s, at, c.bits >> shift & 0xff)) return false;
  }
  return wl_px_expect(p, ')', "5.4.4", "after the masked value");
}

static bool element(ini_t *s, uint64_t at) {
  wl_px_t *p = s->p;
  if (p->tok.kind == WL_TOK_INT && wl_px_peek(p)->kind == WL_TOK_PUNCT &&
      wl_px_peek(p)->op == '(') {
    return masked(s, at);
  }
  if (!starts_address(p)) {
    wl_const_t c;
    if (wl_px_is(p, '{')) {
      return wl_px_error(p, p->tok.pos, "5.4.4", "initialiser nests deeper than the declaration");
    }
    return wl_px_const(p, &c) && put_const(s, at, &c);
  }
  wl_ptx_reloc_t r = {.offset = at, .size = (uint8_t)s->elem};
  if (s->v->type != WL_PTX_T_U32 && s->v->type != WL_PTX_T_U64) {
    return wl_px_error(p, p->tok.pos, "5.4.4",
                       "an address needs a .u32 or .u64 variable, not `.%s`",
                       wl_ptx_type_name(s->v->type));
  }
  if (!address(s, &r) || !put(s, at, 0)) return false;
  add_reloc(s, &r);
  return true;
}

/* Level `level` of the declaration (its dimensions, then the vector); stride = bytes of one item. */
static bool list(ini_t *s, uint32_t level, uint64_t at) {
  wl_px_t *p = s->p;
  wl_ptx_var_t *v = s->v;
  uint32_t levels = v->ndims + (v->vec > 1 ? 1 : 0);
  if (level == levels) return element(s, at);
  bool open = level == 0 && v->unsized;
  uint64_t stride = s->elem, count = level < v->ndims ? v->dims[level] : v->vec;
  if (level < v->ndims) stride *= v->vec;
  for (uint32_t i = level + 1; i < v->ndims; i++)
    stride *= v->dims[i];
  if (!wl_px_expect(p, '{', "5.4.4", "to begin an initialiser list")) return false;
  p->open_braces++;
  uint64_t n = 0;
  while (!wl_px_is(p, '}')) {
    if (!open && n >= count) {
      return wl_px_error(p, p->tok.pos, "5.4.4", "more than %llu elements in the initialiser",
                         (unsigned long long)count);
    }
    if (open && n >= WL_LIM_INIT_BYTES) return reserve(s, UINT64_MAX);
    if (!list(s, level + 1, at + n * stride)) return false;
    n++;
    if (open && !reserve(s, at + n * stride)) return false;
    if (!wl_px_accept(p, ',')) break;
    if (wl_px_is(p, '}'))
      return wl_px_error(p, p->tok.pos, "5.4.4", "expected another element of the initialiser");
  }
  if (open) v->dims[0] = n;
  if (!wl_px_expect(p, '}', "5.4.4", "to end the initialiser list")) return false;
  p->open_braces--;
  return true;
}

bool wl_px_initialiser(wl_px_t *p, wl_ptx_var_t *v) { /* at `=` */
  wl_ptx_pos_t pos = p->tok.pos;
  wl_px_next(p);
  if (!wl_ptx_space_initialisable(v->space)) {
    return wl_px_error(p, pos, "5.4.4", "only .const and .global variables may be initialised");
  }
  if (v->linkage == WL_PTX_LINK_EXTERN) {
    return wl_px_error(p, pos, "5.4.4", "an external declaration cannot have an initialiser");
  }
  if (v->type == WL_PTX_T_B128) {
    return wl_px_unsupported(p, pos, "5.4.4", "initialisers of .b128 are not implemented");
  }
  if (v->type == WL_PTX_T_F16 || v->type == WL_PTX_T_F16X2) {
    return wl_px_error(p, pos, "5.4.4", "`.%s` variables cannot be initialised",
                       wl_ptx_type_name(v->type));
  }
  ini_t s = {.p = p, .v = v, .elem = wl_ptx_type_bits(v->type) / 8};
  if (!v->unsized && !reserve(&s, v->size)) return false;
  if (!list(&s, 0, 0)) return false;
  if (v->unsized) {
    v->unsized = false;
    v->size = s.size;
  }
  v->init = s.size != 0 ? s.data : NULL;
  v->relocs = s.relocs;
  return true;
}
