/* translate_mbarrier.c: mbarriers, the barrier of a cluster, addresses in a cluster [PTX 9.7.9.23 f.,
 * 9.7.13.3, 9.7.13.15] from syntax tree to code.h. A cluster has one CTA. */
#include <string.h>

#include "isa/ptx/ptx.h"
#include "tests/oracle/module.h"

static bool says(const wl_or_tr_t *t, const char *modifier) {
  for (uint32_t i = 0; i < t->ast->nmods; i++) {
    if (strcmp(wl_ptx_mod_name(t->ast->mods[i]), modifier) == 0) {
      return true;
    }
  }
  return false;
}

/* Operand number of the object's address; a variable without a space is of shared memory. */
static bool object(wl_or_tr_t *t, uint32_t *at) {
  const wl_ptx_operand_t *o = t->ast->operands;
  for (*at = 0; *at < t->ast->noperands && o[*at].kind != WL_PTX_OPD_ADDR; ++*at) {
  }
  if (*at == t->ast->noperands) {
    return wl_or_tr_fail(t, "no address");
  }
  bool named = t->ast->space == WL_PTX_SPACE_GENERIC && o[*at].var != NULL;
  t->out->bits = 64;
  t->out->vec = 1;
  return wl_or_tr_space(t, named ? o[*at].var->space : t->ast->space, &t->out->space) &&
         wl_or_tr_address(t, &o[*at]);
}

static bool operation(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  const bool drop = says(t, "arrive_drop"), tx = says(t, "expect_tx");
  uint32_t at;
  n->op = OR_MBAR;
  if (drop || says(t, "arrive")) {
    n->sub = tx ? (drop ? OR_M_DROP_TX : OR_M_ARRIVE_TX) : drop ? OR_M_DROP : OR_M_ARRIVE;
  } else {
    n->sub = says(t, "init")    ? OR_M_INIT
             : says(t, "inval") ? OR_M_INVAL
             : tx               ? OR_M_EXPECT
                                : OR_M_COMPLETE;
  }
  if (!object(t, &at) || at > 1 || t->ast->noperands > at + 2) {
    return wl_or_tr_fail(t, "operands");
  }
  n->s[1] = (wl_or_src_t){.kind = OR_S_IMM, .imm = 1, .mask = UINT32_MAX};
  return (at == 0 || wl_or_tr_dst(t, &o[0], &n->d[0])) &&
         (t->ast->noperands == at + 1 || wl_or_tr_src(t, &o[at + 1], WL_PTX_T_U32, &n->s[1]));
}

/* s[1]: a state, or a parity. A time limit says nothing that a program may count on. */
static bool wait(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  uint32_t at;
  const bool parity = says(t, "parity");
  n->op = OR_MBWAIT;
  n->sub = !says(t, "try_wait") ? (parity ? OR_M_TEST_PARITY : OR_M_TEST)
           : parity             ? OR_M_TRY_PARITY
                                : OR_M_TRY;
  return object(t, &at) && at == 1 && wl_or_tr_dst(t, &o[0], &n->d[0]) &&
         wl_or_tr_src(t, &o[2], parity ? WL_PTX_T_U32 : WL_PTX_T_B64, &n->s[1]);
}

bool wl_or_tr_cluster(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  switch (t->ast->op) {
  case WL_PTX_OP_BARRIER:
    n->op = OR_CLUSTER;
    n->sub = says(t, "arrive") ? OR_B_ARRIVE : OR_B_SYNC;
    return true;
  case WL_PTX_OP_CP: { /* an arrival behind copies */
    uint32_t at;
    n->sub = says(t, "noinc") ? OR_C_ARRIVE_NOINC : OR_C_ARRIVE;
    return object(t, &at) && at == 0;
  }
  case WL_PTX_OP_MAPA:
    n->op = OR_MAPA;
    return wl_or_tr_dst(t, &o[0], &n->d[0]) && wl_or_tr_src(t, &o[1], t->ast->type[0], &n->s[0]) &&
           wl_or_tr_src(t, &o[2], WL_PTX_T_U32, &n->s[1]);
  case WL_PTX_OP_GETCTARANK:
    n->op = OR_MOV;
    n->n = 1;
    n->s[0] = (wl_or_src_t){.kind = OR_S_IMM};
    return wl_or_tr_dst(t, &o[0], &n->d[0]);
  default:
    break;
  }
  if (says(t, "pending_count")) {
    n->op = OR_MBPENDING;
    return wl_or_tr_dst(t, &o[0], &n->d[0]) && wl_or_tr_src(t, &o[1], WL_PTX_T_B64, &n->s[1]);
  }
  return says(t, "test_wait") || says(t, "try_wait") ? wait(t) : operation(t);
}
