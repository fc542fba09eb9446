/* isel_opd.c: PTX operands as constants and virtual registers. PTX 6.1, 6.4, 6.6. */
#include <string.h>

#include "gen/wl_launch.h"
#include "gen/wl_sreg.h"
#include "isa/lower/isel.h"

enum { PARAM_BASE = WL_LAUNCH_BLOCK_WORDS * 4 }; /* byte of the first parameter in c0 */

static wl_mreg_t reg_of(wl_isel_t *s, const wl_ptx_operand_t *o) {
  const uint32_t element = o->comp > 0 ? (uint32_t)o->comp : 0;
  return wl_mreg(s->regs[o->reg->id] + element, 0);
}

static uint32_t f32_bits(const wl_ptx_operand_t *o) {
  if (o->imm_f32) return (uint32_t)o->imm;
  double d;
  memcpy(&d, &o->imm, sizeof d);
  const float x = (float)d;
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

bool wl_is_const64(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type, uint64_t *value) {
  (void)s;
  if (o->kind == WL_PTX_OPD_INT) {
    *value = o->imm;
    return true;
  }
  if (o->kind == WL_PTX_OPD_FLOAT) {
    const bool narrow = type == WL_PTX_T_F32 || (type != WL_PTX_T_F64 && o->imm_f32);
    *value = narrow ? f32_bits(o) : o->imm;
    return true;
  }
  return false;
}

/* ---- special registers ---- */
static uint32_t sreg_id(const wl_ptx_operand_t *o, bool high) {
  const uint32_t c = o->comp > 0 ? (uint32_t)o->comp : 0;
  switch (o->sreg) {
  case WL_PTX_SR_TID:
    return WL_SREG_TID_X + c;
  case WL_PTX_SR_NTID:
    return WL_SREG_NTID_X + c;
  case WL_PTX_SR_CTAID:
    return WL_SREG_CTAID_X + c;
  case WL_PTX_SR_NCTAID:
    return WL_SREG_NCTAID_X + c;
  case WL_PTX_SR_LANEID:
    return WL_SREG_LANEID;
  case WL_PTX_SR_WARPID:
    return WL_SREG_WARPID;
  case WL_PTX_SR_NWARPID:
    return WL_SREG_NWARPID;
  case WL_PTX_SR_SMID:
    return WL_SREG_SMID;
  case WL_PTX_SR_NSMID:
    return WL_SREG_NSMID;
  case WL_PTX_SR_GRIDID:
    return high ? WL_SREG_GRIDID_HI : WL_SREG_GRIDID_LO;
  case WL_PTX_SR_LANEMASK_EQ:
    return WL_SREG_LANEMASK_EQ;
  case WL_PTX_SR_LANEMASK_LE:
    return WL_SREG_LANEMASK_LE;
  case WL_PTX_SR_LANEMASK_LT:
    return WL_SREG_LANEMASK_LT;
  case WL_PTX_SR_LANEMASK_GE:
    return WL_SREG_LANEMASK_GE;
  case WL_PTX_SR_LANEMASK_GT:
    return WL_SREG_LANEMASK_GT;
  case WL_PTX_SR_CLOCK:
    return WL_SREG_CLOCK_LO;
  case WL_PTX_SR_CLOCK_HI:
    return WL_SREG_CLOCK_HI;
  case WL_PTX_SR_CLOCK64:
    return high ? WL_SREG_CLOCK_HI : WL_SREG_CLOCK_LO;
  case WL_PTX_SR_GLOBALTIMER:
    return high ? WL_SREG_GLOBALTIMER_HI : WL_SREG_GLOBALTIMER_LO;
  case WL_PTX_SR_GLOBALTIMER_LO:
    return WL_SREG_GLOBALTIMER_LO;
  case WL_PTX_SR_GLOBALTIMER_HI:
    return WL_SREG_GLOBALTIMER_HI;
  case WL_PTX_SR_DYNAMIC_SMEM_SIZE:
    return WL_SREG_DYNAMIC_SMEM;
  case WL_PTX_SR_TOTAL_SMEM_SIZE:
    return WL_SREG_TOTAL_SMEM;
  case WL_PTX_SR_AGGR_SMEM_SIZE:
    return WL_SREG_AGGR_SMEM;
  case WL_PTX_SR_CLUSTER_NCTAID:
    return WL_SREG_NCLUSTERID_ONE;
  case WL_PTX_SR_CLUSTER_NCTARANK:
    return WL_SREG_NCLUSTERID_ONE;
  case WL_PTX_SR_NCLUSTERID:
    return WL_SREG_NCTAID_X + c; /* clusters of one CTA */
  case WL_PTX_SR_CLUSTERID:
    return WL_SREG_CTAID_X + c;
  case WL_PTX_SR_PM:
    return WL_SREG_PM0_LO + 2 * o->index;
  case WL_PTX_SR_PM_64:
    return WL_SREG_PM0_LO + 2 * o->index + (high ? 1 : 0);
  default:
    return 255; /* reserved shared memory, rank in the cluster ...: read zero */
  }
}

static void read_sreg(wl_isel_t *s, wl_mreg_t d, const wl_ptx_operand_t *o, bool high) {
  if (o->sreg == WL_PTX_SR_ENVREG) { /* words of the launch block, which bank 0 shows */
    wl_ri(s, WL_FORM_LDC_B32, d, WL_RZ, (WL_LAUNCH_ENVREG + o->index) * 4);
    return;
  }
  const bool fourth = o->comp == 3;
  const uint32_t id = fourth ? 255u : sreg_id(o, high);
  /* The high word of a clock or monitor may have moved on between the two reads: accepted, as
   * %clock64 in pieces has 2^32 cycles of time to be wrong. */
  wl_ri(s, WL_FORM_S2R, d, WL_RZ, id);
}

/* ---- addresses ---- */
void wl_is_address(wl_isel_t *s, wl_mreg_t d, bool wide, const wl_ptx_var_t *var, uint64_t offset) {
  const wl_place_t *p = NULL;
  if (var->role == WL_PTX_VAR_MODULE || var->role == WL_PTX_VAR_FUNCTION)
    p = wl_lower_place(s->l, s->fn, var);
  uint64_t value = 0;
  switch (var->space) {
  case WL_PTX_SPACE_GLOBAL: {
    const uint32_t at = wl_lower_literal(s->l, WL_OBJ_RELOC_GLOBAL + 1, p->sym, (int64_t)offset);
    const uint32_t bank = 1u << 28 | at;
    wl_ri(s, wide ? WL_FORM_LDC_B64 : WL_FORM_LDC_B32, d, WL_RZ, bank);
    return;
  }
  case WL_PTX_SPACE_CONST:
  case WL_PTX_SPACE_SHARED:
    value = p->offset + offset;
    break;
  case WL_PTX_SPACE_PARAM_ENTRY:
    value = PARAM_BASE + var->offset + offset;
    break;
  default: { /* .local, and .param in memory */
    const wl_param_t *m = wl_isel_param(s, var);
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_ADD_RI,
                            .fix = m->fix,
                            .d = d,
                            .a = wl_mreg(wl_mf_fixed(s->f, WL_ABI_STACK), 0),
                            .imm = m->offset + (uint32_t)offset});
    if (wide) wl_movi(s, wl_mreg_at(d, 1), 0);
    return;
  }
  }
  wl_movi(s, d, (uint32_t)value);
  if (wide) wl_movi(s, wl_mreg_at(d, 1), (uint32_t)(value >> 32));
}

static void function_index(wl_isel_t *s, wl_mreg_t d, bool wide, const wl_ptx_func_t *fn) {
  fn = wl_lower_alias(fn);
  if (s->l->func_sym[fn->id] == WL_OBJ_NONE) {
    wl_diag_add(s->l->diags, WL_DIAG_UNSUPPORTED, s->in->pos, "11.6.1",
                "function '%s' has no body in this module", fn->name);
    wl_movi(s, d, 0);
    return;
  }
  const uint32_t at = wl_lower_literal(s->l, WL_OBJ_RELOC_FUNC + 1, s->l->func_sym[fn->id], 0);
  wl_ri(s, wide ? WL_FORM_LDC_B64 : WL_FORM_LDC_B32, d, WL_RZ, 1u << 28 | at);
}

/* ---- sources ---- */
wl_src_t wl_is_src(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type) {
  uint64_t k;
  if (wl_is_const64(s, o, type, &k)) return (wl_src_t){.imm = true, .k = (uint32_t)k};
  wl_mreg_t t = WL_RZ;
  switch (o->kind) {
  case WL_PTX_OPD_REG:
    return (wl_src_t){.r = reg_of(s, o)};
  case WL_PTX_OPD_SREG:
    read_sreg(s, t = wl_t1(s), o, false);
    break;
  case WL_PTX_OPD_VAR:
    wl_is_address(s, t = wl_t1(s), false, o->var, o->imm);
    break;
  case WL_PTX_OPD_FUNC:
    function_index(s, t = wl_t1(s), false, o->func);
    break;
  default:
    wl_diag_add(s->l->diags, WL_DIAG_UNSUPPORTED, o->pos, "6.4", "operand is not supported here");
  }
  return (wl_src_t){.r = t};
}

void wl_is_extend(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, unsigned bits, bool sign) {
  wl_ri(s, sign ? WL_FORM_BFE_S32_I : WL_FORM_BFE_U32_I, d, a, bits << 8);
}

wl_src_t wl_is_ext(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type) {
  wl_src_t v = wl_is_src(s, o, type);
  const unsigned bits = wl_bits(type);
  if (bits >= 32) return v;
  if (v.imm) {
    const uint32_t low = v.k & ((1u << bits) - 1);
    v.k = wl_signed(type) && (low >> (bits - 1) & 1) != 0 ? low | ~0u << bits : low;
    return v;
  }
  const wl_mreg_t t = wl_t1(s);
  wl_is_extend(s, t, v.r, bits, wl_signed(type));
  return (wl_src_t){.r = t};
}

wl_mreg_t wl_is_reg(wl_isel_t *s, wl_src_t v) {
  if (!v.imm) return v.r;
  if (v.k == 0) return WL_RZ;
  const wl_mreg_t t = wl_t1(s);
  wl_movi(s, t, v.k);
  return t;
}

wl_mreg_t wl_is_r32(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type) {
  return wl_is_reg(s, wl_is_src(s, o, type));
}

wl_mreg_t wl_is_x32(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type) {
  return wl_is_reg(s, wl_is_ext(s, o, type));
}

wl_mreg_t wl_is_r64(wl_isel_t *s, const wl_ptx_operand_t *o, wl_ptx_type_t type) {
  uint64_t k;
  if (o->kind == WL_PTX_OPD_REG) return reg_of(s, o);
  if (wl_is_const64(s, o, type, &k)) {
    if (k == 0) return WL_RZ;
    const bool twice = wl_bits(type) == 128; /* a constant has 64 bits, those above are zeros */
    const wl_mreg_t t = twice ? wl_t4(s) : wl_t2(s);
    wl_movi(s, t, (uint32_t)k);
    wl_movi(s, wl_mreg_at(t, 1), (uint32_t)(k >> 32));
    if (twice) wl_copy(s, wl_mreg_at(t, 2), WL_RZ, 2);
    return t;
  }
  const wl_mreg_t t = wl_t2(s);
  switch (o->kind) {
  case WL_PTX_OPD_SREG:
    read_sreg(s, t, o, false);
    read_sreg(s, wl_mreg_at(t, 1), o, true);
    break;
  case WL_PTX_OPD_VAR:
    wl_is_address(s, t, true, o->var, o->imm);
    break;
  case WL_PTX_OPD_FUNC:
    function_index(s, t, true, o->func);
    break;
  default:
    wl_diag_add(s->l->diags, WL_DIAG_UNSUPPORTED, o->pos, "6.4", "operand is not supported here");
    wl_copy(s, t, WL_RZ, 2);
  }
  return t;
}

/* ---- destinations and predicates ---- */
wl_mreg_t wl_is_dst(wl_isel_t *s, const wl_ptx_operand_t *o) {
  return o->kind == WL_PTX_OPD_REG ? reg_of(s, o) : WL_RZ;
}

uint32_t wl_is_pdst(wl_isel_t *s, const wl_ptx_operand_t *o) {
  return o != NULL && o->kind == WL_PTX_OPD_REG ? wl_mreg_vreg(reg_of(s, o)) : 0;
}

uint32_t wl_is_psrc(wl_isel_t *s, const wl_ptx_operand_t *o, bool *neg) {
  *neg = o->neg;
  if (o->kind == WL_PTX_OPD_INT) {
    *neg = (o->imm != 0) == o->neg; /* PT or its negation */
    return 0;
  }
  return wl_mreg_vreg(reg_of(s, o));
}
