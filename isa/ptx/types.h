/* types.h: type rules used inside the front end; the public ones are in ptx.h. */
#ifndef WL_ISA_PTX_TYPES_H
#define WL_ISA_PTX_TYPES_H
#include "isa/ptx/ptx.h"

wl_ptx_type_t wl_ptx_type_find(const char *s, size_t n); /* NONE if not a type */
bool wl_ptx_type_is_fundamental(wl_ptx_type_t t);        /* may be declared */
wl_ptx_type_t wl_ptx_type_double(wl_ptx_type_t t);       /* .wide results; NONE if none */
/* May a register of type `reg` stand where the instruction says `insn`? relaxed: the rule of ld,
 * st and cvt, which accept wider registers. */
bool wl_ptx_type_fits(wl_ptx_type_t insn, wl_ptx_type_t reg, bool relaxed);

#endif
