/* isel_atom.c: atom and red. PTX 9.7.13.5, 9.7.13.6.
 *   .acquire, .release, .acq_rel   a fence before (release) and after (acquire) the operation
 *   red                            atom without destination: no result comes back
 *   red.async                      all that are known release; .mmio: one lane after the other
 *   vectors of f32                 one operation for each element
 *   f16, bf16, cas.b16             a loop around cas.b32 (isel_atom_half.c) */
#include "isa/lower/isel_mem.h"

#define OPND(k) (&s->in->operands[k])

/* The operation is the last mode: red.async.add, cp.reduce.async.bulk.add. */
wl_atom_op_t wl_mem_atom_op(const wl_isel_t *s) {
  switch (s->in->mode[s->in->nmodes - 1]) {
  case WL_PTX_M_ADD:
    return WL_ATOM_OP_ADD;
  case WL_PTX_M_MIN:
    return WL_ATOM_OP_MIN;
  case WL_PTX_M_MAX:
    return WL_ATOM_OP_MAX;
  case WL_PTX_M_INC:
    return WL_ATOM_OP_INC;
  case WL_PTX_M_DEC:
    return WL_ATOM_OP_DEC;
  case WL_PTX_M_AND:
    return WL_ATOM_OP_AND;
  case WL_PTX_M_OR:
    return WL_ATOM_OP_OR;
  case WL_PTX_M_XOR:
    return WL_ATOM_OP_XOR;
  case WL_PTX_M_EXCH:
    return WL_ATOM_OP_EXCH;
  case WL_PTX_M_CAS:
    return WL_ATOM_OP_CAS;
  default:
    return WL_ATOM_OP_NONE;
  }
}

wl_mem_type_t wl_mem_atom_type(wl_ptx_type_t t, wl_atom_op_t op) {
  if (op == WL_ATOM_OP_ADD && t == WL_PTX_T_S32) return WL_MEM_TYPE_U32;
  if (op == WL_ATOM_OP_ADD && t == WL_PTX_T_S64) return WL_MEM_TYPE_U64;
  switch (t) {
  case WL_PTX_T_U32:
    return WL_MEM_TYPE_U32;
  case WL_PTX_T_S32:
    return WL_MEM_TYPE_S32;
  case WL_PTX_T_U64:
    return WL_MEM_TYPE_U64;
  case WL_PTX_T_S64:
    return WL_MEM_TYPE_S64;
  case WL_PTX_T_F32:
    return WL_MEM_TYPE_F32;
  case WL_PTX_T_B128:
    return WL_MEM_TYPE_B128;
  case WL_PTX_T_B64:
    return WL_MEM_TYPE_B64;
  case WL_PTX_T_B32:
    return WL_MEM_TYPE_B32;
  default:
    return WL_NUM_MEM_TYPE;
  }
}

uint32_t wl_mem_atom_mods(const wl_isel_t *s) {
  const wl_ptx_mod_t scope = s->in->scope != WL_PTX_M_NONE ? s->in->scope : WL_PTX_M_GPU;
  return WL_MODS(STRONG, 1) | WL_MODS(SCOPE, wl_mem_scope(scope));
}

/* One operation of the machine. */
static void put_atom(wl_isel_t *s, bool red) {
  const wl_ptx_type_t t = s->in->type[0];
  const unsigned m = red ? 0 : 1, wide = wl_bits(t) >= 64;
  const wl_mem_space_t space = wl_mem_access(s, OPND(m));
  const wl_atom_op_t op = wl_mem_atom_op(s);
  const wl_form_t form = wl_mem_form(WL_MEM_KIND_ATOM, space, wl_mem_atom_type(t, op), op);
  if (form == WL_NUM_FORMS) {
    wl_not_yet(s, red ? "9.7.13.6" : "9.7.13.5", "this atomic operation");
    return;
  }
  const wl_maddr_t a = wl_mem_address(s, space, OPND(m));
  wl_minsn_t i = {.form = (uint16_t)form, .a = a.base, .imm = a.offset, .fix = a.fix};
  i.b = wide ? wl_is_r64(s, OPND(m + 1), t) : wl_is_r32(s, OPND(m + 1), t);
  if (op == WL_ATOM_OP_CAS)
    i.c = wide ? wl_is_r64(s, OPND(m + 2), t) : wl_is_r32(s, OPND(m + 2), t);
  i.d = red ? WL_RZ : wl_is_dst(s, OPND(0));
  i.mods = wl_mem_atom_mods(s);
  wl_put(s, &i);
}

/* A vector of f32: one operation for each element. */
static void put_vector(wl_isel_t *s, bool red) {
  const unsigned m = red ? 0 : 1, n = s->in->vec;
  const wl_mem_space_t space = wl_mem_access(s, OPND(m));
  const wl_form_t form = wl_mem_form(WL_MEM_KIND_ATOM, space, WL_MEM_TYPE_F32, wl_mem_atom_op(s));
  const wl_maddr_t a = wl_mem_whole(s, wl_mem_address(s, space, OPND(m)), 2, 4 * n);
  for (uint32_t k = 0; k < n; k++) {
    wl_ptx_operand_t tmp;
    wl_minsn_t i = {.form = (uint16_t)form, .a = a.base, .imm = a.offset + 4 * k};
    i.b = wl_is_r32(s, wl_mem_element(OPND(m + 1), k, &tmp), WL_PTX_T_F32);
    i.d = red ? WL_RZ : wl_is_dst(s, wl_mem_element(OPND(0), k, &tmp));
    i.mods = wl_mem_atom_mods(s);
    wl_put(s, &i);
  }
}

/* red.async.mmio: one lane after the other. */
static void put_mmio(wl_isel_t *s) {
  const uint32_t past = wl_is_skip(s);
  wl_mmio_t turn;
  wl_mmio_begin(s, &turn, WL_RZ, 0);
  put_atom(s, true);
  wl_mmio_end(s, &turn);
  wl_is_place(s, past);
}

/* What no unit does: halves, and words of 16 bits. */
static bool needs_loop(const wl_isel_t *s) {
  return (s->in->flags & WL_PTX_F(NOFTZ)) != 0 ||
         (s->in->type[0] == WL_PTX_T_B16 && s->in->mode[0] == WL_PTX_M_CAS);
}

bool wl_isel_atomic(wl_isel_t *s, bool red) {
  const wl_ptx_mod_t sem = s->in->sem;
  const bool release = sem == WL_PTX_M_RELEASE || sem == WL_PTX_M_ACQ_REL || wl_mem_async(s);
  const bool acquire = sem == WL_PTX_M_ACQUIRE || sem == WL_PTX_M_ACQ_REL;
  if (release) wl_mem_fence(s);
  if (sem == WL_PTX_M_MMIO)
    put_mmio(s);
  else if (needs_loop(s))
    wl_isel_atom_loop(s, red);
  else if (s->in->vec > 1)
    put_vector(s, red);
  else
    put_atom(s, red);
  if (acquire) wl_mem_fence(s);
  return true;
}
