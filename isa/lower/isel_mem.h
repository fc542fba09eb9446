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
wl_maddr_t wl_mem_whole(wl_isel_t *s, wl_maddr_t a, unsigned log, unsigned bytes);
/* Element k of a vector operand; tmp: room for it. */
const wl_ptx_operand_t *wl_mem_element(const wl_ptx_operand_t *o, uint32_t k,
                                       wl_ptx_operand_t *tmp);
uint32_t wl_mem_scope(wl_ptx_mod_t m);
void wl_mem_offset(wl_isel_t *s, wl_mreg_t d, wl_maddr_t a); /* d := an address of one word */
uint32_t wl_mem_groups(uint64_t groups);     /* of copies, that the machine can wait for */
bool wl_mem_async(const wl_isel_t *s);       /* st.async, red.async: all that are known release */
void wl_mem_fence(wl_isel_t *s);             /* at the scope of the instruction */
bool wl_isel_atomic(wl_isel_t *s, bool red); /* isel_atom.c */
wl_atom_op_t wl_mem_atom_op(const wl_isel_t *s);
wl_mem_type_t wl_mem_atom_type(wl_ptx_type_t t, wl_atom_op_t op);
uint32_t wl_mem_atom_mods(const wl_isel_t *s);
void wl_isel_atom_loop(wl_isel_t *s, bool red); /* isel_atom_half.c: by repeated cas */

/* ---- isel_loop.c: branches inside an expansion */
uint32_t wl_is_label(wl_isel_t *s);             /* a new one */
void wl_is_place(wl_isel_t *s, uint32_t label); /* it is here */
void wl_is_branch(wl_isel_t *s, uint32_t label, uint32_t p, bool neg);
/* Lanes whose guard is false go to the label returned, which the caller places at the end. What
 * follows has no guard. */
uint32_t wl_is_skip(wl_isel_t *s);

typedef struct wl_mmio { /* access of one lane after the other, if the instruction is .mmio */
  bool on;
  uint32_t loop, next;
  wl_mreg_t turn;
} wl_mmio_t;
/* What stands between the two is done by the lanes in turn; it may write `words` words of d. Both
 * stand behind wl_is_skip. */
void wl_mmio_begin(wl_isel_t *s, wl_mmio_t *m, wl_mreg_t d, uint32_t words);
void wl_mmio_end(wl_isel_t *s, const wl_mmio_t *m);

#endif
