/* Open units (docs/microarchitecture.md 5): which sub-core may issue to the LSU, to constant loads, to the copy
 * engine, to the allocator of tensor memory and to products in it in a cycle. Each is open to one sub-core at a
 * time, so that at most one instruction comes and the LSU sees one X1 per cycle. Whether the sub-core has an
 * instruction for it is core/issue.c's matter: a turn passes once its sub-core could have issued, whether used
 * or not. */
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
  const bool available[WL_OPENS] = {[WL_OPEN_LSU] = lsu,
                                    [WL_OPEN_LDC] = w->ldc_available,
                                    [WL_OPEN_COPY] = w->copy_available,
                                    [WL_OPEN_COLUMNS] = w->columns_available,
                                    [WL_OPEN_UMMA] = w->umma_available};
  /* IssueAhead = 1: a warp is chosen whatever lsu_left says; it issues when is_left is 1 or 0. */
  const bool lsu_chosen = env->cfg.issue_ahead ? w->lsu_available : lsu;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    wl_sub_wires_t *sub = &w->sub[k];
    sub->ready[WL_UNIT_LSU] = lsu_chosen && m->turn[WL_OPEN_LSU] == k;
    sub->ready[WL_UNIT_LDC] = available[WL_OPEN_LDC] && m->turn[WL_OPEN_LDC] == k;
    sub->ready[WL_UNIT_COPY] = available[WL_OPEN_COPY] && m->turn[WL_OPEN_COPY] == k;
    sub->ready[WL_UNIT_UMMA] = available[WL_OPEN_UMMA] && m->turn[WL_OPEN_UMMA] == k;
    sub->columns_open = available[WL_OPEN_COLUMNS] && m->turn[WL_OPEN_COLUMNS] == k;
  }
  w->turns_end = 0;
  if (env->cfg.sub_cores == 1) return; /* each turn is its own next one */
  for (unsigned u = 0; u < WL_OPENS; u++)
    w->turns_end |= (uint32_t)(available[u] && could_issue(&w->sub[m->turn[u]])) << u;
}

static void pass(wl_memissue_t *m, const wl_env_t *env, uint32_t turns) {
  if (env->cfg.sub_cores == 1) return;
  for (unsigned u = 0; u < WL_OPENS; u++)
    m->turn[u] = (uint8_t)((m->turn[u] + (turns >> u & 1)) & (env->cfg.sub_cores - 1));
}

void wl_memissue_update(wl_memissue_t *m, const wl_env_t *env, const wl_wires_t *w) {
  if (w->gpu->clear) {
    wl_memissue_reset(m, env);
    return;
  }
  pass(m, env, w->turns_end);
  if (m->lsu_left > 0) m->lsu_left--;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++) {
    const wl_issue_wire_t *is = &w->sub[k].issue;
    if (is->valid && !is->empty && !is->ctl && is->insn->dec.unit == WL_UNIT_LSU)
      m->lsu_left = is->n;
  }
}

/* The LSU is empty, the constant loads, the copy engine, the allocator and products are idle. */
void wl_memissue_rest(wl_memissue_t *m, const wl_env_t *env) {
  pass(m, env, UINT32_MAX);
  if (m->lsu_left > 0) m->lsu_left--;
}

uint32_t wl_memissue_busy(const wl_memissue_t *m, const wl_env_t *env) {
  (void)env;
  return (uint32_t)(m->lsu_left != 0) << WL_REST_LSU;
}
