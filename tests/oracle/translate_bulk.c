/* translate_bulk.c: bulk copies and their groups [PTX 9.7.9.25.4, 9.7.9.27.2], st.bulk, st.async and
 * red.async of global memory [9.7.9.12 f., 9.7.13.7] from syntax tree to code.h. */
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

static wl_or_src_t number(uint64_t value) {
  return (wl_or_src_t){.kind = OR_S_IMM, .imm = value, .mask = UINT64_MAX};
}

/* The address of operand o into s[at], s[at + 1]; how much of a variable is meant is known when it
 * runs. */
static bool address(wl_or_tr_t *t, unsigned o, unsigned at) {
  wl_or_insn_t *n = t->out;
  const uint8_t bits = n->bits;
  n->bits = 8;
  n->vec = 1;
  if (!wl_or_tr_address(t, &t->ast->operands[o])) {
    return false;
  }
  n->bits = bits;
  n->s[at + 1] = number((uint64_t)n->offset);
  n->s[at] = n->s[0];
  return n->scale == 0 || wl_or_tr_fail(t, "an element of a variable");
}

static unsigned without_policy(const wl_or_tr_t *t) {
  return t->ast->noperands - ((t->ast->flags & WL_PTX_F(CACHE_HINT)) != 0 ? 1 : 0);
}

/* [to], [from], bytes {, left, right}, [object]: the object's address stays in s[0]. */
static bool load(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  const unsigned count = without_policy(t);
  n->sub = OR_K_LOAD;
  n->space = OR_SP_SHARED;
  n->s[OR_BULK_LEFT] = n->s[OR_BULK_RIGHT] = number(0);
  if ((count != 4 && count != 6) || !(address(t, 0, OR_BULK_TO) && address(t, 1, OR_BULK_FROM) &&
                                      wl_or_tr_src(t, &o[2], WL_PTX_T_U32, &n->s[OR_BULK_BYTES]))) {
    return wl_or_tr_fail(t, "operands");
  }
  n->bits = 64; /* of the object */
  return (count == 4 || (wl_or_tr_src(t, &o[3], WL_PTX_T_U32, &n->s[OR_BULK_LEFT]) &&
                         wl_or_tr_src(t, &o[4], WL_PTX_T_U32, &n->s[OR_BULK_RIGHT]))) &&
         wl_or_tr_address(t, &o[count - 1]);
}

/* [to], [from], bytes {, policy} {, mask} */
static bool store(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  wl_or_insn_t *n = t->out;
  const unsigned count = without_policy(t), last = t->ast->noperands - 1;
  n->sub = OR_K_STORE;
  n->s[OR_BULK_MASK] = number(0xffff);
  return (count == 3 || count == 4) && address(t, 0, OR_BULK_TO) && address(t, 1, OR_BULK_FROM) &&
         wl_or_tr_src(t, &o[2], WL_PTX_T_U32, &n->s[OR_BULK_BYTES]) &&
         (count == 3 || wl_or_tr_src(t, &o[last], WL_PTX_T_B16, &n->s[OR_BULK_MASK]));
}

static bool operation(wl_or_tr_t *t) {
  static const struct {
    const char *name;
    enum wl_or_sub sub;
  } ops[] = {{"add", OR_A_ADD}, {"min", OR_A_MIN}, {"max", OR_A_MAX}, {"inc", OR_A_INC},
             {"dec", OR_A_DEC}, {"and", OR_A_AND}, {"or", OR_A_OR},   {"xor", OR_A_XOR}};
  const wl_ptx_type_t type = t->ast->type[0];
  wl_or_insn_t *n = t->out;
  n->op = OR_BULK_RED;
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++) {
    if (says(t, ops[i].name)) {
      n->sub = (uint8_t)ops[i].sub;
      if (!wl_ptx_type_is_float(type)) {
        return true;
      }
      if (type == WL_PTX_T_F32 && n->sub == OR_A_ADD) { /* it flushes [PTX 9.7.9.25.4.2] */
        n->sub = OR_A_FADD;
        return true;
      }
    }
  }
  return wl_or_tr_fail(t, "operation");
}

/* st.async, red.async: [to], value */
static bool single(wl_or_tr_t *t) {
  wl_or_insn_t *n = t->out;
  n->wrap = true;
  return t->ast->noperands == 2 && wl_or_tr_space(t, t->ast->space, &n->space) &&
         address(t, 0, OR_BULK_TO) &&
         wl_or_tr_src(t, &t->ast->operands[1], t->ast->type[0], &n->s[OR_BULK_BYTES]);
}

static bool fill(wl_or_tr_t *t) {
  const wl_ptx_operand_t *o = t->ast->operands;
  const bool named = t->ast->space == WL_PTX_SPACE_GENERIC && o[0].var != NULL;
  t->out->sub = OR_K_FILL;
  return wl_or_tr_space(t, named ? o[0].var->space : t->ast->space, &t->out->space) &&
         address(t, 0, OR_BULK_TO) &&
         wl_or_tr_src(t, &o[1], WL_PTX_T_U64, &t->out->s[OR_BULK_BYTES]);
}

static bool of_cp(wl_or_tr_t *t) {
  wl_or_insn_t *n = t->out;
  if (says(t, "tensor") || says(t, "multicast::cluster") ||
      (says(t, "shared::cta") && !says(t, "bulk_group") && !says(t, "global"))) {
    return wl_or_tr_fail(t, "a tensor, or several CTAs");
  }
  if (says(t, "prefetch")) { /* no result hangs on it */
    n->op = OR_NOP;
    return true;
  }
  if (says(t, "commit_group")) {
    n->sub = OR_K_COMMIT;
    return true;
  }
  if (says(t, "wait_group")) {
    n->sub = says(t, "read") ? OR_K_WAIT_READ : OR_K_WAIT;
    n->s[0] = number(t->ast->operands[0].imm);
    return true;
  }
  if (says(t, "reduce")) {
    return store(t) && operation(t);
  }
  return says(t, "bulk_group") ? store(t) : load(t);
}

bool wl_or_tr_is_bulk(const wl_or_tr_t *t) {
  const bool stores = t->ast->op == WL_PTX_OP_ST || t->ast->op == WL_PTX_OP_RED;
  return (t->ast->op == WL_PTX_OP_CP && says(t, "bulk")) ||
         (stores && (says(t, "async") || says(t, "bulk")));
}

bool wl_or_tr_bulk(wl_or_tr_t *t) {
  t->out->op = OR_BULK;
  switch (t->ast->op) {
  case WL_PTX_OP_CP:
    return of_cp(t);
  case WL_PTX_OP_RED:
    return single(t) && operation(t);
  default:
    t->out->sub = OR_K_SINGLE;
    return says(t, "bulk") ? fill(t) : single(t);
  }
}
