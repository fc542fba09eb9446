/* isel_addr.c: addresses of loads, stores and atomics. PTX 6.4.1, 6.4.2.
 * A vector that takes several accesses (256 bits; vectors of atom and red) traps unless it is
 * aligned as a whole. */
#include "gen/wl_launch.h"
#include "isa/lower/isel_mem.h"

/* Bytes from the start of a variable to its element reg + imm, in 32 bits: var[reg + imm]. As ptxas
 * has it, an element is one of the variable's type, also in an array of vectors. */
static wl_mreg_t element_offset(wl_isel_t *s, const wl_ptx_operand_t *o) {
  const wl_mreg_t reg = wl_mreg(s->regs[o->reg->id], 0), sum = wl_t1(s), t = wl_t1(s);
  const uint32_t bytes = wl_bits(o->var->type) / 8;
  wl_ri(s, WL_FORM_ADD_RI, sum, reg, (uint32_t)o->imm);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, t, WL_RZ, sum, (uint32_t)__builtin_ctz(bytes));
  return t;
}

/* {x, 0} */
static wl_mreg_t widened(wl_isel_t *s, wl_mreg_t x) {
  const wl_mreg_t t = wl_t2(s);
  wl_copy(s, t, x, 1);
  wl_copy(s, wl_mreg_at(t, 1), WL_RZ, 1);
  return t;
}

/* Address operand in the 64-bit spaces (global, generic). */
static wl_maddr_t wide_address(wl_isel_t *s, const wl_ptx_operand_t *o) {
  if (o->var != NULL) {
    const wl_mreg_t t = wl_t2(s);
    wl_is_address(s, t, true, o->var, o->reg == NULL ? o->imm : 0);
    if (o->reg == NULL) return (wl_maddr_t){t, 0, WL_FIX_NONE};
    const wl_mreg_t sum = wl_t2(s);
    wl_rr(s, WL_FORM_ADD64_RR, sum, t, widened(s, element_offset(s, o)));
    return (wl_maddr_t){sum, 0, WL_FIX_NONE};
  }
  wl_mreg_t base = o->reg == NULL ? WL_RZ : wl_mreg(s->regs[o->reg->id], 0);
  if (o->reg != NULL && wl_bits(o->reg->type) < 64) base = widened(s, base);
  return (wl_maddr_t){base, (uint32_t)o->imm, WL_FIX_NONE}; /* the offset is signed, of 32 bits */
}

/* Address in a 32-bit space: register or RZ, and an offset. */
static wl_maddr_t narrow_address(wl_isel_t *s, const wl_ptx_operand_t *o) {
  if (o->var == NULL) {
    const wl_mreg_t base = o->reg == NULL ? WL_RZ : wl_mreg(s->regs[o->reg->id], 0);
    return (wl_maddr_t){base, (uint32_t)o->imm, WL_FIX_NONE};
  }
  const wl_mreg_t base = o->reg == NULL ? WL_RZ : element_offset(s, o);
  const uint32_t offset = o->reg == NULL ? (uint32_t)o->imm : 0;
  switch (o->var->space) {
  case WL_PTX_SPACE_CONST:
  case WL_PTX_SPACE_SHARED: {
    const wl_place_t *p = wl_lower_place(s->l, s->fn, o->var);
    return (wl_maddr_t){base, (uint32_t)p->offset + offset, WL_FIX_NONE};
  }
  case WL_PTX_SPACE_PARAM_ENTRY:
    return (wl_maddr_t){base, WL_LAUNCH_BLOCK_WORDS * 4 + (uint32_t)o->var->offset + offset,
                        WL_FIX_NONE};
  default: {
    const wl_param_t *m = wl_isel_param(s, o->var);
    const wl_mreg_t stack = wl_mreg(wl_mf_fixed(s->f, WL_ABI_STACK), 0);
    if (base == WL_RZ) return (wl_maddr_t){stack, m->offset + offset, m->fix};
    const wl_mreg_t t = wl_t1(s);
    wl_rr(s, WL_FORM_ADD_RR, t, stack, base);
    return (wl_maddr_t){t, m->offset, m->fix};
  }
  }
}

wl_maddr_t wl_mem_address(wl_isel_t *s, wl_mem_space_t space, const wl_ptx_operand_t *o) {
  return space == WL_MEM_SPACE_GLOBAL || space == WL_MEM_SPACE_GEN ? wide_address(s, o)
                                                                   : narrow_address(s, o);
}

/* The address of a vector of `bytes` that is accessed in pieces of 1 << log or more. Address bits
 * that a whole vector must not have are put into the lowest bits, too, where each piece traps on
 * them. */
wl_maddr_t wl_mem_whole(wl_isel_t *s, wl_maddr_t a, unsigned log, unsigned bytes) {
  const uint32_t len = (uint32_t)__builtin_ctz(bytes) - log;
  if (len == 0) return a;
  wl_mreg_t sum = a.base;
  if (a.offset != 0 || sum == WL_RZ) wl_ri(s, WL_FORM_ADD64_RI, sum = wl_t2(s), a.base, a.offset);
  const wl_mreg_t t = wl_t2(s), odd = wl_t1(s);
  wl_ri(s, WL_FORM_BFE_U32_I, odd, sum, len << 8 | log);
  if (len > log) wl_ri(s, WL_FORM_MIN_U32_RI, odd, odd, 1);
  wl_lop(s, t, sum, odd, WL_RZ, WL_LUT_A | WL_LUT_B);
  wl_copy(s, wl_mreg_at(t, 1), wl_mreg_at(sum, 1), 1);
  return (wl_maddr_t){t, 0, WL_FIX_NONE};
}
