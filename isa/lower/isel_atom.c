/* isel_atom.c: atom and red. PTX 9.7.13.5, 9.7.13.6.
 *   .acquire, .release, .acq_rel   a fence before (release) and after (acquire) the operation
 *   red                            atom without destination: no result comes back */
#include "isa/lower/isel_mem.h"

#define OPND(k) (&s->in->operands[k])

static wl_atom_op_t atom_op(wl_ptx_mod_t m) {
  switch (m) {
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

static wl_mem_type_t atom_type(wl_ptx_type_t t, wl_atom_op_t op) {
  if (op == WL_ATOM_OP_ADD && t == WL_PTX_T_S32) return WL_MEM_TYPE_U32;
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
  case WL_PTX_T_B64:
    return WL_MEM_TYPE_B64;
  case WL_PTX_T_B32:
    return WL_MEM_TYPE_B32;
  default:
    return WL_NUM_MEM_TYPE;
  }
}

bool wl_isel_atomic(wl_isel_t *s, bool red) {
  const wl_ptx_type_t t = s->in->type[0];
  const unsigned m = red ? 0 : 1, wide = wl_bits(t) == 64;
  const wl_mem_space_t space = wl_mem_access(s, OPND(m));
  const wl_atom_op_t op = atom_op(s->in->mode[0]);
  const wl_form_t form = wl_mem_form(WL_MEM_KIND_ATOM, space, atom_type(t, op), op);
  if (form == WL_NUM_FORMS) {
    wl_not_yet(s, red ? "9.7.13.6" : "9.7.13.5", "this atomic operation");
    return true;
  }
  const wl_ptx_mod_t sem = s->in->sem;
  const wl_maddr_t a = wl_mem_address(s, space, OPND(m));
  wl_minsn_t i = {.form = (uint16_t)form, .a = a.base, .imm = a.offset, .fix = a.fix};
  i.b = wide ? wl_is_r64(s, OPND(m + 1), t) : wl_is_r32(s, OPND(m + 1), t);
  if (op == WL_ATOM_OP_CAS)
    i.c = wide ? wl_is_r64(s, OPND(m + 2), t) : wl_is_r32(s, OPND(m + 2), t);
  i.d = red ? WL_RZ : wl_is_dst(s, OPND(0));
  const wl_ptx_mod_t scope = s->in->scope != WL_PTX_M_NONE ? s->in->scope : WL_PTX_M_GPU;
  i.mods = WL_MODS(STRONG, 1) | WL_MODS(SCOPE, wl_mem_scope(scope));
  if (sem == WL_PTX_M_RELEASE || sem == WL_PTX_M_ACQ_REL) wl_mem_fence(s);
  wl_put(s, &i);
  if (sem == WL_PTX_M_ACQUIRE || sem == WL_PTX_M_ACQ_REL) wl_mem_fence(s);
  return true;
}
