/* isel_mbar.c: mbarriers and the cluster of one CTA. PTX 9.7.9.23, 9.7.9.24, 9.7.13.3, 9.7.13.15.
 *   arrive, arrive_drop   the machine's operation; one arrival where no count is written
 *   test_wait             the machine's test; p = its bit 31
 *   try_wait              test and wait, side by side (WL_MP_TRY_WAIT); p = bit 31 of the test
 *   inval                 8 bytes of zero
 *   cp.async.mbarrier.arrive   one more arrival is pending (not with .noinc); an arrival behind the copies
 *   mapa, getctarank      rank 0 is the CTA itself; mapa to another rank traps
 *   barrier.cluster       bar.cluster, with a number that cluster.c chooses; cwait */
#include "isa/lower/isel_mem.h"

#define OPND(k) (&s->in->operands[k])
enum { PENDING_BITS = 20 };

static wl_form_t form_of(wl_mem_kind_t kind, wl_mem_space_t space, wl_mbar_op_t op) {
  for (uint32_t i = 0; i < WL_NUM_FORMS; i++) {
    const wl_form_info_t *f = &wl_form_info[i];
    if (f->unit == WL_UNIT_LSU && f->kind == kind && f->space == space && f->mbar == op)
      return (wl_form_t)i;
  }
  return WL_NUM_FORMS;
}

static uint32_t mods(const wl_isel_t *s) {
  const wl_ptx_mod_t scope = s->in->scope != WL_PTX_M_NONE ? s->in->scope : WL_PTX_M_CTA;
  return WL_MODS(STRONG, 1) | WL_MODS(SCOPE, wl_mem_scope(scope));
}

/* The instruction of a form with the address in operand k. */
static wl_minsn_t at(wl_isel_t *s, wl_mem_kind_t kind, wl_mbar_op_t op, unsigned k) {
  const wl_mem_space_t space = wl_mem_access(s, OPND(k));
  const wl_maddr_t a = wl_mem_address(s, space, OPND(k));
  return (wl_minsn_t){.form = (uint16_t)form_of(kind, space, op),
                      .a = a.base,
                      .imm = a.offset,
                      .fix = a.fix,
                      .mods = mods(s)};
}

/* An operation with the address in operand k and its number behind, 1 if there is none. */
static void operate(wl_isel_t *s, wl_mbar_op_t op, unsigned k) {
  wl_minsn_t i = at(s, WL_MEM_KIND_MBAR, op, k);
  const wl_src_t one = {.imm = true, .k = 1};
  const bool counted = s->in->noperands > k + 1;
  i.b = wl_is_reg(s, counted ? wl_is_src(s, OPND(k + 1), WL_PTX_T_U32) : one);
  i.d = k == 0 ? WL_RZ : wl_is_dst(s, OPND(0));
  wl_put(s, &i);
}

static void arrive(wl_isel_t *s, bool drop) {
  const bool tx = s->in->nmodes > 1 && s->in->mode[1] == WL_PTX_M_EXPECT_TX;
  operate(s, drop ? (tx ? WL_MBAR_DROPTX : WL_MBAR_DROP) : (tx ? WL_MBAR_ARRIVETX : WL_MBAR_ARRIVE),
          1);
}

/* The state's phase is bit 32. */
static wl_mreg_t phase(wl_isel_t *s) {
  const bool parity = s->in->nmodes > 1 && s->in->mode[1] == WL_PTX_M_PARITY;
  if (parity) return wl_is_r32(s, OPND(2), WL_PTX_T_U32);
  return wl_mreg_at(wl_is_r64(s, OPND(2), WL_PTX_T_B64), 1);
}

static void wait(wl_isel_t *s, bool suspends) {
  wl_minsn_t i = at(s, WL_MEM_KIND_MBTEST, WL_MBAR_NONE, 1);
  const wl_mreg_t d = wl_t1(s);
  i.d = d;
  i.b = phase(s);
  if (suspends) {
    i.c = s->in->noperands > 3 ? wl_is_r32(s, OPND(3), WL_PTX_T_U32) : WL_RZ;
    i.target = i.form;
    i.form = WL_MP_TRY_WAIT;
  }
  wl_put(s, &i);
  wl_cmpi(s, WL_FORM_SETP_S32_RI, wl_is_pdst(s, OPND(0)), d, 0, WL_LT);
}

void wl_isel_copies_arrive(wl_isel_t *s) {
  const bool more = !wl_isel_has(s, WL_PTX_F(NOINC));
  if (more) operate(s, WL_MBAR_INC, 0);
  const wl_minsn_t i = at(s, WL_MEM_KIND_CPARRIVE, WL_MBAR_NONE, 0);
  wl_put(s, &i);
}

static void invalidate(wl_isel_t *s) {
  const wl_mem_space_t space = wl_mem_access(s, OPND(0));
  const wl_maddr_t a = wl_mem_address(s, space, OPND(0));
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)wl_mem_form(WL_MEM_KIND_ST, space, WL_MEM_TYPE_B64,
                                                        WL_ATOM_OP_NONE),
                          .a = a.base,
                          .b = WL_RZ,
                          .imm = a.offset,
                          .fix = a.fix});
}

static bool mbarrier(wl_isel_t *s) {
  switch (s->in->mode[0]) {
  case WL_PTX_M_INIT:
    operate(s, WL_MBAR_INIT, 0);
    return true;
  case WL_PTX_M_INVAL:
    invalidate(s);
    return true;
  case WL_PTX_M_EXPECT_TX:
    operate(s, WL_MBAR_EXPECT, 0);
    return true;
  case WL_PTX_M_COMPLETE_TX:
    operate(s, WL_MBAR_COMPLETE, 0);
    return true;
  case WL_PTX_M_ARRIVE:
    arrive(s, false);
    return true;
  case WL_PTX_M_ARRIVE_DROP:
    arrive(s, true);
    return true;
  case WL_PTX_M_TEST_WAIT:
    wait(s, false);
    return true;
  case WL_PTX_M_TRY_WAIT:
    wait(s, true);
    return true;
  case WL_PTX_M_PENDING_COUNT:
    wl_ri(s, WL_FORM_BFE_U32_I, wl_is_dst(s, OPND(0)), wl_is_r64(s, OPND(1), WL_PTX_T_B64),
          PENDING_BITS << 8);
    return true;
  default:
    return false;
  }
}

/* ---- the cluster of one ---- */
/* Traps where the rank in operand 2 is not 0. Lanes without the guard do not; so the predicate is
 * of both. */
static void check_rank(wl_isel_t *s) {
  const wl_src_t rank = wl_is_src(s, OPND(2), WL_PTX_T_U32);
  if (rank.imm) {
    if (rank.k != 0) wl_put(s, &(wl_minsn_t){.form = WL_FORM_TRAP});
    return;
  }
  const uint32_t guard = s->guard, other = wl_tp(s);
  s->guard = 0;
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SETP_U32_RI,
                          .pd = other,
                          .a = rank.r,
                          .imm = 0,
                          .ps = guard,
                          .ps_neg = guard != 0 && s->guard_neg,
                          .mods = WL_MODS(CMP, WL_NE) |
                                  WL_MODS(BOP, guard != 0 ? WL_BOP_AND : WL_BOP_NONE)});
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_TRAP, .guard = other});
  s->guard = guard;
}

static void map_address(wl_isel_t *s) {
  const bool wide = s->in->type[0] == WL_PTX_T_U64;
  const wl_mreg_t a =
      wide ? wl_is_r64(s, OPND(1), WL_PTX_T_U64) : wl_is_r32(s, OPND(1), WL_PTX_T_U32);
  check_rank(s);
  wl_copy(s, wl_is_dst(s, OPND(0)), a, wide ? 2 : 1);
}

bool wl_isel_cluster_barrier(wl_isel_t *s) {
  if (s->in->scope != WL_PTX_M_CLUSTER) return false;
  if (s->in->mode[0] == WL_PTX_M_WAIT)
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_CWAIT});
  else
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_BAR_CLUSTER,
                            .mods = WL_MODS(ALIGNED, wl_isel_has(s, WL_PTX_F(ALIGNED)))});
  return true;
}

bool wl_isel_mbar(wl_isel_t *s) {
  switch (s->in->op) {
  case WL_PTX_OP_MBARRIER:
    return mbarrier(s);
  case WL_PTX_OP_MAPA:
    map_address(s);
    return true;
  case WL_PTX_OP_GETCTARANK:
    wl_copy(s, wl_is_dst(s, OPND(0)), WL_RZ, 1);
    return true;
  default:
    return false;
  }
}
