/* translate_copy.c: cp.async and its groups [PTX 9.7.9.25.3] from syntax tree to code.h. Arrivals
 * behind copies: translate_mbarrier.c. */
#include "isa/ptx/ptx.h"
#include "tests/oracle/module.h"

/* s[0] + offset: source; s[1] + s[2]: destination; s[3]: bytes of the source, or (wrap) whether they
 * are ignored; n: bytes that are written. */
static bool copy(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  const unsigned policy = (t->ast->flags & WL_PTX_F(CACHE_HINT)) != 0 ? 1 : 0;
  const bool some = t->ast->noperands - policy == 4;
  n->sub = OR_C_COPY;
  n->n = (uint8_t)o[2].imm;
  n->vec = 1;
  n->bits = (uint8_t)(8 * o[2].imm);
  if (!wl_or_tr_address(t, &o[0])) {
    return false;
  }
  n->s[1] = n->s[0];
  n->s[2] = (wl_or_src_t){.kind = OR_S_IMM, .imm = (uint64_t)n->offset, .mask = UINT64_MAX};
  n->bits = some ? 8 : n->bits; /* how much of a variable is read is known when it runs */
  n->s[3] = (wl_or_src_t){.kind = OR_S_IMM, .imm = n->n, .mask = UINT32_MAX};
  n->wrap = some && o[3].kind == WL_PTX_OPD_REG && o[3].reg->type == WL_PTX_T_PRED;
  return wl_or_tr_address(t, &o[1]) &&
         (!some || wl_or_tr_src(t, &o[3], n->wrap ? WL_PTX_T_PRED : WL_PTX_T_U32, &n->s[3]));
}

bool wl_or_tr_copy(wl_or_tr_t *t) {
  wl_or_insn_t *n = t->out;
  n->op = OR_COPY;
  if (wl_or_tr_has(t, WL_PTX_M_MBARRIER)) {
    return wl_or_tr_cluster(t);
  }
  if (wl_or_tr_has(t, WL_PTX_M_COMMIT_GROUP)) {
    n->sub = OR_C_COMMIT;
    return true;
  }
  if (wl_or_tr_has(t, WL_PTX_M_WAIT_ALL)) {
    n->sub = OR_C_WAIT_ALL;
    return true;
  }
  if (wl_or_tr_has(t, WL_PTX_M_WAIT_GROUP)) {
    n->sub = OR_C_WAIT;
    n->s[0] = (wl_or_src_t){.kind = OR_S_IMM, .imm = t->ast->operands[0].imm, .mask = UINT64_MAX};
    return true;
  }
  return copy(t);
}
