/* exchange.c: with followed loads a lane that comes to a shuffle or vote takes its result from the
 * log, since the others may come later; when all are there the result is computed from what each
 * brought, and compared. Threads' own pcs and orders are free, so a lane may be an exchange ahead:
 * the meetings of a warp are a list, oldest first. */
#include <stdlib.h>
#include <string.h>

#include "driver/compare/compare.h"

struct cmp_meeting {
  cmp_meeting_t *next;
  uint32_t members, arrived, kind; /* kind: operation and mode, which must be the same */
  uint32_t a[WL_LANES], b[WL_LANES], s, pc[WL_LANES];
  uint32_t result[WL_LANES], pred; /* the log's */
  uint64_t line[WL_LANES];
};

static uint32_t members_of(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane) {
  return i->info->imm == WL_IMM_M ? i->imm : func_src(w, i->rc)[lane];
}

static cmp_meeting_t *meeting_of(cmp_warp_t *cw, uint32_t members, uint32_t kind, uint32_t lane) {
  cmp_meeting_t **at = &cw->meetings;
  for (; *at != NULL; at = &(*at)->next)
    if ((*at)->members == members && (*at)->kind == kind && ((*at)->arrived >> lane & 1u) == 0)
      return *at;
  *at = calloc(1, sizeof **at);
  if (*at != NULL) {
    (*at)->members = members;
    (*at)->kind = kind;
  }
  return *at;
}

void cmp_meet_latch(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane) {
  const wl_insn_dec_t *i = c->step.dec;
  const uint32_t kind = i->op | (uint32_t)i->xmode << 8;
  cmp_meeting_t *m = meeting_of(cw, members_of(&cw->w, i, lane), kind, lane);
  c->meeting = m;
  if (m == NULL) {
    c->status = WL_ERR_INTERNAL;
    return;
  }
  m->arrived |= 1u << lane;
  m->a[lane] = func_src(&cw->w, i->ra)[lane];
  m->b[lane] = func_src(&cw->w, i->rb)[lane];
  m->s |= func_pred(&cw->w, i->ps, i->ps_neg) & 1u << lane;
  m->pc[lane] = c->step.pc;
  m->line[lane] = c->line;
}

void cmp_meet_result(wl_compare_t *c, cmp_warp_t *cw, uint32_t lane) {
  const wl_insn_dec_t *i = c->step.dec;
  c->meeting->result[lane] = func_src(&cw->w, i->rd)[lane];
  if ((i->info->preds & WL_PRED_D) != 0) c->meeting->pred |= cw->w.preds[i->pd] & 1u << lane;
}

static bool differ(wl_compare_t *c, const cmp_warp_t *cw, const cmp_meeting_t *m, uint32_t lane,
                   const char *what, uint32_t expected, uint32_t got) {
  char want[24], have[24];
  const uint64_t line = c->line;
  (void)snprintf(want, sizeof want, "0x%x", expected);
  (void)snprintf(have, sizeof have, "0x%x", got);
  c->line = m->line[lane];
  (void)cmp_differ(c, (cmp_place_t){cw, lane, m->pc[lane]}, want, have, "%s of the exchange", what);
  c->line = line;
  return false;
}

static bool check(wl_compare_t *c, const cmp_warp_t *cw, const cmp_meeting_t *m) {
  for (uint32_t left = m->arrived; left != 0; left &= left - 1) {
    const uint32_t lane = func_lowest(left);
    const wl_insn_dec_t *i = &c->sm->code[m->pc[lane]].dec;
    const bool reg = i->info->d != 0 && i->rd != WL_REG_ZERO;
    const bool pred = (i->info->preds & WL_PRED_D) != 0 && i->pd != WL_PRED_TRUE;
    uint32_t buf[2][WL_LANES], d[WL_LANES];
    wl_sem_in_t in = {.a = m->a, .b = m->b, .c = func_zero, .s = m->s, .mask = m->arrived};
    wl_sem_out_t out = {.d = d};
    wl_sem_use_imm(i, &in, buf);
    (void)wl_sem_warp(i, &in, &out);
    if (reg && d[lane] != m->result[lane])
      return differ(c, cw, m, lane, "result", d[lane], m->result[lane]);
    if (pred && ((out.p ^ m->pred) >> lane & 1u) != 0)
      return differ(c, cw, m, lane, "predicate", out.p >> lane & 1u, m->pred >> lane & 1u);
    cmp_count(c, CMP_N_EXCHANGES, reg || pred ? 1 : 0);
  }
  return true;
}

bool cmp_meet_check(wl_compare_t *c, cmp_warp_t *cw) {
  for (cmp_meeting_t **at = &cw->meetings; *at != NULL;) {
    cmp_meeting_t *m = *at;
    if ((m->members & cw->w.live & ~m->arrived) != 0) {
      at = &m->next;
      continue;
    }
    const bool ok = check(c, cw, m);
    *at = m->next;
    free(m);
    if (!ok) return false;
  }
  return true;
}

void cmp_meet_free(cmp_warp_t *cw) {
  while (cw->meetings != NULL) {
    cmp_meeting_t *m = cw->meetings;
    cw->meetings = m->next;
    free(m);
  }
}
