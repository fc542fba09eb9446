/* webs.h: the webs of a function's registers: definitions and uses that hang together. A register that
 * a text uses for one thing and then for another has several. */
#ifndef WL_ISA_PTX_WEBS_H
#define WL_ISA_PTX_WEBS_H
#include "isa/ptx/ast.h"

typedef struct wl_web_place { /* a definition, or a use that one reaches */
  uint32_t reg, insn, web;
  bool defines;
} wl_web_place_t;

typedef struct wl_webs {
  const wl_ptx_func_t *func;
  uint32_t count;  /* of webs: they are numbered from 0 */
  uint32_t *ndefs; /* by register: its definitions */
  wl_web_place_t *places;
  size_t nplaces, cap_places; /* of registers with several definitions */
  bool no_memory;
} wl_webs_t;

/* Operand o or, of a vector, its element i that is a register; NULL: none. Starts with *i = 0. */
const wl_ptx_operand_t *wl_ptx_next_reg(const wl_ptx_operand_t *o, uint32_t *i);

/* False: out of memory. Either way wl_webs_free is due. */
bool wl_webs_init(wl_webs_t *w, const wl_ptx_func_t *func);
void wl_webs_free(wl_webs_t *w);
/* The web of the register at an instruction, as its operand or as its destination. Instruction
 * func->ninsns defines the register parameters. */
uint32_t wl_webs_of(const wl_webs_t *w, const wl_ptx_reg_t *r, uint32_t insn, bool defines);

#endif
