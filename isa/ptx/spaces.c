/* spaces.c: names and properties of state spaces [PTX 5.1] and which variables an instruction of
 * a given space may name. Facts come from isa/def/space.def. */
#include "isa/ptx/spaces.h"

#include <string.h>

typedef struct space_row {
  const char *text;
  int llvm;
  uint32_t window_hi;
  uint8_t code, gen, init, decl;
} space_row_t;

static const space_row_t k_spaces[WL_PTX_SPACE_COUNT] = {
#define WL_SPACE(id, ptx, code, llvm, qual, win, gen, init, decl)                                  \
  {ptx, llvm, win, code, gen, init, decl},
#include "isa/def/space.def"
#undef WL_SPACE
};

const char *wl_ptx_space_name(wl_ptx_space_t s) { return k_spaces[s].text; }
bool wl_ptx_space_initialisable(wl_ptx_space_t s) { return k_spaces[s].init != 0; }

bool wl_ptx_space_find(const char *s, size_t n, wl_ptx_space_t *out) {
  static const struct {
    const char *text;
    wl_ptx_space_t space;
  } alias[] = {{"shared::cta", WL_PTX_SPACE_SHARED}, {"param", WL_PTX_SPACE_PARAM_ENTRY}};
  for (size_t i = 0; i < sizeof alias / sizeof alias[0]; i++) {
    if (strlen(alias[i].text) == n && memcmp(alias[i].text, s, n) == 0) {
      *out = alias[i].space;
      return true;
    }
  }
  for (int i = 1; i < WL_PTX_SPACE_COUNT; i++) {
    if (strlen(k_spaces[i].text) == n && memcmp(k_spaces[i].text, s, n) == 0) {
      *out = (wl_ptx_space_t)i;
      return true;
    }
  }
  return false;
}

bool wl_ptx_space_accepts(wl_ptx_space_t insn, wl_ptx_space_t var) {
  if (insn == var) return true;
  /* the kernel parameter window lies inside the global window, own shared inside the cluster's */
  return insn == WL_PTX_SPACE_SHARED_CLUSTER && var == WL_PTX_SPACE_SHARED;
}
