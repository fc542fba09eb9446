/* isel_umma.c: products in tensor memory and their commits. PTX 9.7.16.10.9.1, 9.7.16.12.1;
 * docs/microarchitecture.md 25.
 *   mma       the machine's command of {descriptors of A and B, address of D, instruction descriptor};
 *             each lane of the guard gives one
 *   .collector::a::*   nothing: a hint
 *   commit    the machine's, by the offset in shared memory or the generic address */
#include "isa/lower/isel_tmem.h"

enum { MASK_WORDS = 4 };

static void put_descriptor(wl_isel_t *s, wl_mreg_t d, unsigned k) {
  wl_copy(s, d, wl_is_r64(s, OPND(k), WL_PTX_T_U64), 2);
}

static wl_mreg_t mask(wl_isel_t *s, const wl_ptx_operand_t *v) {
  const wl_mreg_t c = wl_t4(s);
  for (unsigned k = 0; k < MASK_WORDS; k++)
    wl_copy(s, wl_mreg_at(c, k), wl_is_r32(s, &v->elems[k], WL_PTX_T_B32), 1);
  return c;
}

/* Operands: D, A, B, instruction descriptor, {mask,} enable-input-d {, scale-input-d}. */
void wl_umma_product(wl_isel_t *s) {
  const bool masked = OPND(4)->kind == WL_PTX_OPD_VEC;
  const unsigned enable = masked ? 5 : 4;
  const wl_mreg_t a = wl_t4(s), b = wl_t2(s);
  wl_minsn_t i = {.form = masked ? WL_FORM_UMMA_F16_MASK : WL_FORM_UMMA_F16, .a = a, .b = b};
  put_descriptor(s, a, 1);
  put_descriptor(s, wl_mreg_at(a, 2), 2);
  wl_copy(s, b, wl_tmem_address(s, OPND(0)), 1);
  wl_copy(s, wl_mreg_at(b, 1), wl_is_r32(s, OPND(3), WL_PTX_T_U32), 1);
  if (masked) i.c = mask(s, OPND(4));
  i.ps = wl_is_psrc(s, OPND(enable), &i.ps_neg);
  if (s->in->noperands > enable + 1) i.imm = (uint32_t)OPND(enable + 1)->imm;
  wl_put(s, &i);
}

void wl_umma_commit(wl_isel_t *s) {
  const wl_mem_space_t space = wl_mem_access(s, OPND(0));
  const bool generic = space == WL_MEM_SPACE_GEN;
  const wl_maddr_t at = wl_mem_address(s, space, OPND(0));
  wl_mreg_t a = generic ? wl_t2(s) : wl_t1(s);
  if (!generic)
    wl_mem_offset(s, a, at);
  else if (at.offset == 0)
    a = at.base;
  else
    wl_ri(s, WL_FORM_ADD64_RI, a, at.base, at.offset);
  wl_put(s, &(wl_minsn_t){.form = generic ? WL_FORM_UMMA_COMMIT_GEN : WL_FORM_UMMA_COMMIT, .a = a});
}
