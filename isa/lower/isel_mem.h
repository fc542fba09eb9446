/* isel_mem.h: what loads, stores and atomics share. Private to isa/lower. */
#ifndef WL_ISA_LOWER_ISEL_MEM_H
#define WL_ISA_LOWER_ISEL_MEM_H
#include "isa/lower/isel.h"

/* Register (pair in the 64-bit spaces, RZ = 0) and offset of an access. */
typedef struct address {
  wl_mreg_t base;
  uint32_t offset;
  uint8_t fix;
} wl_maddr_t;

/* The form of a kind, space, type and operation; WL_NUM_FORMS if there is none. */
wl_form_t wl_mem_form(wl_mem_kind_t kind, wl_mem_space_t space, wl_mem_type_t type,
                      wl_atom_op_t op);
/* Machine space of an access: a generic access to a named variable is one to its space. */
wl_mem_space_t wl_mem_access(const wl_isel_t *s, const wl_ptx_operand_t *o);
wl_maddr_t wl_mem_address(wl_isel_t *s, wl_mem_space_t space, const wl_ptx_operand_t *o);
/* Element k of a vector operand; tmp: room for it. */
const wl_ptx_operand_t *wl_mem_element(const wl_ptx_operand_t *o, uint32_t k,
                                       wl_ptx_operand_t *tmp);
uint32_t wl_mem_scope(wl_ptx_mod_t m);
void wl_mem_fence(wl_isel_t *s);             /* at the scope of the instruction */
bool wl_isel_atomic(wl_isel_t *s, bool red); /* isel_atom.c */

#endif
