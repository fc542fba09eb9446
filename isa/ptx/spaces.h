/* spaces.h: state-space rules used inside the front end. */
#ifndef WL_ISA_PTX_SPACES_H
#define WL_ISA_PTX_SPACES_H
#include "isa/ptx/ptx.h"

/* Finds a space by its modifier text; plain "param" gives PARAM_ENTRY, to be refined by context. */
bool wl_ptx_space_find(const char *s, size_t n, wl_ptx_space_t *out);
bool wl_ptx_space_initialisable(wl_ptx_space_t s);
/* May an access in space `insn` name a variable of space `var`? */
bool wl_ptx_space_accepts(wl_ptx_space_t insn, wl_ptx_space_t var);

#endif
