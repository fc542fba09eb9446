/* isel_umma.c: products in tensor memory, copies into it, shifts and commits. PTX 9.7.16.9.2, 9.7.16.9.3,
 * 9.7.16.10.9.1, 9.7.16.12.1; docs/microarchitecture.md 25, 26.
 *   mma       the machine's command of {descriptors of A and B, address of D, instruction descriptor};
 *             each lane of the guard gives one. A in tensor memory: its address in place of the descriptor.
 *             With .block_scale the addresses of the scales stand behind the instruction descriptor
 *   .collector::a::*   nothing: a hint
 *   cp        shape and unpacking are in the constant
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

static uint16_t product_form(wl_isel_t *s, bool masked) {
  if (wl_isel_has_mod(s, WL_PTX_M_KIND_TF32))
    return masked ? WL_FORM_UMMA_TF32_MASK : WL_FORM_UMMA_TF32;
  if (wl_isel_has_mod(s, WL_PTX_M_KIND_F8F6F4))
    return masked ? WL_FORM_UMMA_F8F6F4_MASK : WL_FORM_UMMA_F8F6F4;
  if (wl_isel_has_mod(s, WL_PTX_M_KIND_I8)) return masked ? WL_FORM_UMMA_I8_MASK : WL_FORM_UMMA_I8;
  return masked ? WL_FORM_UMMA_F16_MASK : WL_FORM_UMMA_F16;
}

/* With block scales. A scale is for 32 elements unless the text says 16. */
static uint16_t scaled_form(wl_isel_t *s, bool *by16) {
  *by16 = wl_isel_has_mod(s, WL_PTX_M_BLOCK16) || wl_isel_has_mod(s, WL_PTX_M_SCALE_VEC_4X);
  return wl_isel_has_mod(s, WL_PTX_M_KIND_MXF8F6F4) ? WL_FORM_UMMA_MXF8F6F4 : WL_FORM_UMMA_MXF4;
}

/* Operands: D, A, B, instruction descriptor, {mask,} enable-input-d {, scale-input-d}; with block scales D, A, B,
 * instruction descriptor, scales of A, of B, enable-input-d. */
void wl_umma_product(wl_isel_t *s) {
  const bool scaled = wl_isel_has_mod(s, WL_PTX_M_BLOCK_SCALE);
  const bool masked = OPND(4)->kind == WL_PTX_OPD_VEC, in_tensor = OPND(1)->kind == WL_PTX_OPD_ADDR;
  const unsigned enable = scaled ? 6 : masked ? 5 : 4;
  const wl_mreg_t a = wl_t4(s), b = scaled ? wl_t4(s) : wl_t2(s);
  bool by16 = false;
  wl_minsn_t i = {.form = scaled ? scaled_form(s, &by16) : product_form(s, masked), .a = a, .b = b};
  i.mods = WL_MODS(TA, in_tensor) | WL_MODS(B16, by16);
  if (in_tensor) {
    wl_copy(s, a, wl_tmem_address(s, OPND(1)), 1);
    wl_copy(s, wl_mreg_at(a, 1), WL_RZ, 1);
  } else {
    put_descriptor(s, a, 1);
  }
  put_descriptor(s, wl_mreg_at(a, 2), 2);
  wl_copy(s, b, wl_tmem_address(s, OPND(0)), 1);
  wl_copy(s, wl_mreg_at(b, 1), wl_is_r32(s, OPND(3), WL_PTX_T_U32), 1);
  for (unsigned k = 2; scaled && k < 4; k++)
    wl_copy(s, wl_mreg_at(b, k), wl_tmem_address(s, OPND(2 + k)), 1);
  if (masked) i.c = mask(s, OPND(4));
  i.ps = wl_is_psrc(s, OPND(enable), &i.ps_neg);
  if (s->in->noperands > enable + 1) i.imm = (uint32_t)OPND(enable + 1)->imm;
  wl_put(s, &i);
}

/* ---- copies and shifts */
static uint32_t copy_shape(wl_isel_t *s) {
  static const wl_ptx_mod_t shapes[] = {WL_PTX_M_T128X256B, WL_PTX_M_T4X256B, WL_PTX_M_T128X128B,
                                        WL_PTX_M_WARPX2_02_13, WL_PTX_M_WARPX2_01_23};
  enum { SHAPES = sizeof shapes / sizeof shapes[0] };
  uint32_t k = 0; /* behind them: .32x128b.warpx4 */
  while (k < SHAPES && !wl_isel_has_mod(s, shapes[k]))
    k++;
  return k;
}

void wl_umma_copy(wl_isel_t *s) {
  const wl_mreg_t a = wl_t2(s), b = wl_t1(s);
  const uint32_t unpack = wl_isel_has_mod(s, WL_PTX_M_B6X16_P32)   ? 1
                          : wl_isel_has_mod(s, WL_PTX_M_B4X16_P64) ? 2
                                                                   : 0;
  put_descriptor(s, a, 1);
  wl_copy(s, b, wl_tmem_address(s, OPND(0)), 1);
  wl_put(s, &(wl_minsn_t){
                .form = WL_FORM_UMMA_CP, .a = a, .b = b, .imm = copy_shape(s) | unpack << 3});
}

void wl_umma_shift(wl_isel_t *s) {
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_UMMA_SHIFT, .a = wl_tmem_address(s, OPND(0))});
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
