/* isel_bulk.c: bulk copies and st.bulk. PTX 9.7.9.25.4, 9.7.9.27.2, 9.7.9.13;
 * docs/microarchitecture.md 23.
 *   copy, reduction    the machine's command of {global address, shared address, size} and, of a load,
 *                      the mbarrier, of a store, the mask of bytes; of 0 bytes nothing
 *   .ignore_oob        the bytes are copied like others: memory is one block of whole sectors
 *   prefetch           nothing
 *   wait_group         at most 63 groups
 *   st.bulk            a loop of stores of 8 bytes */
#include "isa/lower/isel_mem.h"

#define OPND(k) (&s->in->operands[k])
enum { ALL_BYTES = 0xffff, ONLY_READS = 64, STEP = 8 };

/* d := the address in operand k, in words of a group. */
static void put_global(wl_isel_t *s, wl_mreg_t d, unsigned k) {
  const wl_maddr_t a = wl_mem_address(s, WL_MEM_SPACE_GLOBAL, OPND(k));
  if (a.offset == 0 && a.base != WL_RZ)
    wl_copy(s, d, a.base, 2);
  else
    wl_ri(s, WL_FORM_ADD64_RI, d, a.base, a.offset);
}

static void put_shared(wl_isel_t *s, wl_mreg_t d, unsigned k) {
  wl_mem_offset(s, d, wl_mem_address(s, WL_MEM_SPACE_SHARED, OPND(k)));
}

static wl_mreg_t shared_of(wl_isel_t *s, unsigned k) {
  const wl_mreg_t t = wl_t1(s);
  put_shared(s, t, k);
  return t;
}

/* The lanes of the guard that copy anything. */
static uint32_t some_bytes(wl_isel_t *s, wl_mreg_t size) {
  const uint32_t guard = s->guard, some = wl_tp(s);
  s->guard = 0; /* it is an operand: lanes without it have a false result */
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SETP_U32_RI,
                          .pd = some,
                          .a = size,
                          .imm = 0,
                          .ps = guard,
                          .ps_neg = guard != 0 && s->guard_neg,
                          .mods = WL_MODS(CMP, WL_NE) |
                                  WL_MODS(BOP, guard != 0 ? WL_BOP_AND : WL_BOP_NONE)});
  s->guard = guard;
  return some;
}

/* The command of a form. Operands: 0, 1 the addresses, 2 the size; b as the form has it. */
static void command(wl_isel_t *s, wl_form_t form, unsigned global, wl_mreg_t b) {
  const wl_src_t size = wl_is_src(s, OPND(2), WL_PTX_T_U32);
  const wl_mreg_t group = wl_t4(s);
  if (size.imm && size.k == 0) return;
  const uint32_t some = size.imm ? 0 : some_bytes(s, size.r);
  put_global(s, group, global);
  put_shared(s, wl_mreg_at(group, 2), 1 - global);
  if (size.imm)
    wl_movi(s, wl_mreg_at(group, 3), size.k);
  else
    wl_copy(s, wl_mreg_at(group, 3), size.r, 1);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form, .guard = some, .a = group, .b = b});
}

static void load(wl_isel_t *s) {
  const unsigned object = wl_isel_has(s, WL_PTX_F(IGNORE_OOB)) ? 5 : 3;
  command(s, WL_FORM_BULK_LOAD, 1, shared_of(s, object));
}

static void store(wl_isel_t *s) {
  const wl_src_t all = {.imm = true, .k = ALL_BYTES};
  const bool masked = wl_isel_has(s, WL_PTX_F(CP_MASK));
  const wl_src_t mask = masked ? wl_is_src(s, OPND(s->in->noperands - 1), WL_PTX_T_U16) : all;
  command(s, WL_FORM_BULK_STORE, 0, wl_is_reg(s, mask));
}

/* Each reduction that ptx_op.def does not refuse has its form. */
static void reduce(wl_isel_t *s) {
  const wl_atom_op_t op = wl_mem_atom_op(s);
  const wl_mem_type_t type = wl_mem_atom_type(s->in->type[0], op);
  command(s, wl_mem_form(WL_MEM_KIND_BRED, WL_MEM_SPACE_GLOBAL, type, op), 0, WL_RZ);
}

static void wait_for(wl_isel_t *s, uint64_t groups) {
  const uint32_t reads = wl_isel_has(s, WL_PTX_F(READ)) ? ONLY_READS : 0;
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_BULKWAIT, .imm = wl_mem_groups(groups) | reads});
}

bool wl_isel_bulk(wl_isel_t *s) {
  if (s->in->mode[0] == WL_PTX_M_REDUCE) {
    reduce(s);
    return true;
  }
  switch (s->in->nmodes > 2 ? s->in->mode[2] : WL_PTX_M_NONE) {
  case WL_PTX_M_NONE:
    if (wl_isel_has(s, WL_PTX_F(BULK_GROUP)))
      store(s);
    else
      load(s);
    return true;
  case WL_PTX_M_PREFETCH:
    return true;
  case WL_PTX_M_COMMIT_GROUP:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_BULKCOMMIT});
    return true;
  case WL_PTX_M_WAIT_GROUP:
    wait_for(s, OPND(0)->imm);
    return true;
  default:
    return false;
  }
}

/* ---- st.bulk ---- */
/* Traps unless the size is a multiple of 8 of 32 bits. */
static void check_size(wl_isel_t *s, wl_mreg_t low, wl_mreg_t high) {
  const wl_mreg_t rest = wl_t1(s);
  const uint32_t wrong = wl_tp(s);
  wl_lopi(s, rest, low, STEP - 1, high, (WL_LUT_A & WL_LUT_B) | WL_LUT_C);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, wrong, rest, 0, WL_NE);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_TRAP, .guard = wrong});
}

/* Bytes that are left, in a register of its own. */
static wl_mreg_t size_of(wl_isel_t *s, const wl_ptx_operand_t *o) {
  const wl_mreg_t left = wl_t1(s);
  if (o->kind == WL_PTX_OPD_INT) {
    wl_movi(s, left, (uint32_t)o->imm);
    return left;
  }
  const bool wide = wl_bits(o->reg->type) == 64;
  const wl_mreg_t v = wide ? wl_is_r64(s, o, WL_PTX_T_U64) : wl_is_r32(s, o, WL_PTX_T_U32);
  check_size(s, v, wide ? wl_mreg_at(v, 1) : WL_RZ);
  wl_copy(s, left, v, 1);
  return left;
}

void wl_isel_zero(wl_isel_t *s) {
  const wl_ptx_operand_t *size = OPND(1);
  const wl_mem_space_t space = wl_mem_access(s, OPND(0));
  const bool wide = space == WL_MEM_SPACE_GEN;
  if (size->kind == WL_PTX_OPD_INT && size->imm == 0) return;
  const uint32_t past = wl_is_skip(s), again = wl_is_label(s);
  const wl_maddr_t a = wl_mem_address(s, space, OPND(0));
  const wl_mreg_t at = wide ? wl_t2(s) : wl_t1(s), left = size_of(s, size);
  const uint32_t more = wl_tp(s);
  wl_copy(s, at, a.base, wide ? 2 : 1);
  if (size->kind != WL_PTX_OPD_INT) {
    const uint32_t none = wl_tp(s);
    wl_cmpi(s, WL_FORM_SETP_U32_RI, none, left, 0, WL_EQ);
    wl_is_branch(s, past, none, false);
  }
  wl_is_place(s, again);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)wl_mem_form(WL_MEM_KIND_ST, space, WL_MEM_TYPE_B64,
                                                        WL_ATOM_OP_NONE),
                          .a = at,
                          .b = WL_RZ,
                          .imm = a.offset,
                          .fix = a.fix});
  wl_ri(s, wide ? WL_FORM_ADD64_RI : WL_FORM_ADD_RI, at, at, STEP);
  wl_ri(s, WL_FORM_ADD_RI, left, left, 0u - STEP);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, more, left, 0, WL_NE);
  wl_is_branch(s, again, more, false);
  wl_is_place(s, past);
}
