/* types.c: names and properties of types [PTX 5.2] and the compatibility rules between register
 * types and instruction types [PTX 6.1; tables of 9.4.1]. Facts come from isa/def/ptx_type.def. */
#include "isa/ptx/types.h"

#include <string.h>

typedef struct type_row {
  const char *text;
  char kind;
  unsigned char reg;
  unsigned short bits;
} type_row_t;

static const type_row_t k_types[WL_PTX_T_COUNT] = {
#define WL_PTX_TYPE(id, text, kind, bits, reg) {text, #kind[0], reg, bits},
#include "isa/def/ptx_type.def"
#undef WL_PTX_TYPE
};

const char *wl_ptx_type_name(wl_ptx_type_t t) { return k_types[t].text; }
unsigned wl_ptx_type_bits(wl_ptx_type_t t) { return k_types[t].bits; }
bool wl_ptx_type_is_float(wl_ptx_type_t t) { return k_types[t].kind == 'F'; }
bool wl_ptx_type_is_signed(wl_ptx_type_t t) { return k_types[t].kind == 'S'; }
bool wl_ptx_type_is_bits(wl_ptx_type_t t) { return k_types[t].kind == 'B'; }
bool wl_ptx_type_is_int(wl_ptx_type_t t) {
  return k_types[t].kind == 'U' || k_types[t].kind == 'S';
}
bool wl_ptx_type_is_fundamental(wl_ptx_type_t t) { return k_types[t].reg != 0; }

wl_ptx_type_t wl_ptx_type_find(const char *s, size_t n) {
  for (int t = 1; t < WL_PTX_T_COUNT; t++) {
    if (strlen(k_types[t].text) == n && memcmp(k_types[t].text, s, n) == 0) return (wl_ptx_type_t)t;
  }
  return WL_PTX_T_NONE;
}

wl_ptx_type_t wl_ptx_type_double(wl_ptx_type_t t) {
  switch (t) {
  case WL_PTX_T_U16:
    return WL_PTX_T_U32;
  case WL_PTX_T_S16:
    return WL_PTX_T_S32;
  case WL_PTX_T_U32:
    return WL_PTX_T_U64;
  case WL_PTX_T_S32:
    return WL_PTX_T_S64;
  default:
    return WL_PTX_T_NONE;
  }
}

static bool integer_like(char kind) { return kind == 'U' || kind == 'S' || kind == 'B'; }

bool wl_ptx_type_fits(wl_ptx_type_t insn, wl_ptx_type_t reg, bool relaxed) {
  const type_row_t *i = &k_types[insn], *r = &k_types[reg];
  if (i->kind == 'P' || r->kind == 'P') return i->kind == r->kind;
  if (i->bits == 128 || r->bits == 128) return insn == reg;
  /* alternate formats live in untyped registers of their size [PTX 5.2.3] */
  if (i->kind == 'X')
    return r->kind == 'B' && (r->bits == i->bits || (relaxed && r->bits >= i->bits));
  if (i->bits == r->bits) {
    if (i->kind == 'F' && r->kind == 'F') return insn == reg;
    if (i->kind == 'B' || r->kind == 'B') return true;
    return integer_like(i->kind) && integer_like(r->kind);
  }
  if (!relaxed || r->bits < i->bits) return false;
  if (i->kind == 'F') return r->kind == 'B';
  if (r->kind == 'F') return i->kind == 'B';
  return true;
}
