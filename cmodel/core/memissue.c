/* Open units (docs/microarchitecture.md 5): which sub-core may issue to the LSU, to constant loads,
 * to the copy engine, to the allocator of tensor memory and to products in it in a cycle. Each is open to one
 * sub-core at a time, so that at most one instruction comes and the LSU sees one X1 per cycle. Whether the sub-core has an instruction for it is core/issue.c's
 * matter: a turn passes once its sub-core could have issued, whether used or not. */
#include "cmodel/core/memissue.h"

#include <string.h>

void wl_memissue_reset(wl_memissue_t *m, const wl_env_t *env) {
  (void)env;
  memset(m, 0, sizeof *m);
}

static bool lsu_opens(const wl_memissue_t *m, const wl_wires_t *w) {
  return w->lsu_available && m->lsu_left <= 1;
}

/* The sub-core is not kept from issuing by read slots or by write-back that lost too often. */
static bool could_issue(const wl_sub_wires_t *w) {
  return w->is_left <= 1 && w->vwb_lost < WL_AGE_LIMIT;
}

void wl_memissue_out(const wl_memissue_t *m, const wl_env_t *env, wl_wires_t *w) {
  const bool lsu = lsu_opens(m, w);
  /* IssueAhead = 1: a warp is chosen whatever lsu_left says; it issues when is_left is 1 or 0. */
  const bool lsu_chosen = env->cfg.issue_ahead ? w->lsu_available : lsu;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    w->sub[k].ready[WL_UNIT_LSU] = lsu_chosen && m->lsu_turn == k;
    w->sub[k].ready[WL_UNIT_LDC] = w->ldc_available && m->ldc_turn == k;
    w->sub[k].ready[WL_UNIT_COPY] = w->copy_available && m->copy_turn == k;
    w->sub[k].ready[WL_UNIT_UMMA] = w->umma_available && m->umma_turn == k;
    w->sub[k].columns_open = w->columns_available && m->column_turn == k;
  }
  w->lsu_turn_ends = lsu && could_issue(&w->sub[m->lsu_turn]);
  w->ldc_turn_ends = w->ldc_available && could_issue(&w->sub[m->ldc_turn]);
  w->copy_turn_ends = w->copy_available && could_issue(&w->sub[m->copy_turn]);
  w->column_turn_ends = w->columns_available && could_issue(&w->sub[m->column_turn]);
  w->umma_turn_ends = w->umma_available && could_issue(&w->sub[m->umma_turn]);
}

static uint8_t after(const wl_env_t *env, uint8_t turn) {
  return (uint8_t)((turn + 1u) & (env->cfg.sub_cores - 1));
}

void wl_memissue_update(wl_memissue_t *m, const wl_env_t *env, const wl_wires_t *w) {
  if (w->gpu->clear) {
    wl_memissue_reset(m, env);
    return;
  }
  if (w->lsu_turn_ends) m->lsu_turn = after(env, m->lsu_turn);
  if (w->ldc_turn_ends) m->ldc_turn = after(env, m->ldc_turn);
  if (w->copy_turn_ends) m->copy_turn = after(env, m->copy_turn);
  if (w->column_turn_ends) m->column_turn = after(env, m->column_turn);
  if (w->umma_turn_ends) m->umma_turn = after(env, m->umma_turn);
  if (m->lsu_left > 0) m->lsu_left--;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_issue_wire_t *is = &w->sub[k].issue;
    if (is->valid && !is->empty && !is->ctl && is->insn->dec.unit == WL_UNIT_LSU)
      m->lsu_left = is->n;
  }
}

/* The LSU is empty, the constant loads, the copy engine, the allocator and products are idle. */
void wl_memissue_rest(wl_memissue_t *m, const wl_env_t *env) {
  m->lsu_turn = after(env, m->lsu_turn);
  m->ldc_turn = after(env, m->ldc_turn);
  m->copy_turn = after(env, m->copy_turn);
  m->column_turn = after(env, m->column_turn);
  m->umma_turn = after(env, m->umma_turn);
  if (m->lsu_left > 0) m->lsu_left--;
}

uint32_t wl_memissue_busy(const wl_memissue_t *m, const wl_env_t *env) {
  (void)env;
  return (uint32_t)(m->lsu_left != 0) << WL_REST_LSU;
}
