/* core/path_split.c: docs/microarchitecture.md 7.3: SPLIT of the path engine: the rows that the running path
 * becomes. A step takes the lowest lane that is left, and with it the lanes that go to the same place. */
#include "cmodel/core/path_internal.h"

static uint32_t bit(unsigned i) { return UINT32_C(1) << i; }

wl_path_row_t wl_path_target(const wl_split_t *s, const uint32_t tbuf[2][WL_LANES], unsigned lane) {
  if ((s->exec >> lane & 1) == 0)
    return (wl_path_row_t){.pc = s->rest_pc, .depth = s->rest_depth, .state = WL_PATH_READY};
  wl_path_row_t to = s->to;
  if (s->lane_pc) to.pc = tbuf[0][lane] & WL_PC_MASK;
  if (s->lane_key)
    to.key = to.state == WL_PATH_SYNC ? tbuf[0][lane]
                                      : (tbuf[0][lane] & 15) | (tbuf[1][lane] / 32 & 63) << 4;
  return to;
}

uint32_t wl_path_group(const wl_split_t *s, const uint32_t tbuf[2][WL_LANES], uint32_t among,
                       unsigned lane) {
  const wl_path_row_t first = wl_path_target(s, tbuf, lane);
  uint32_t group = 0;
  for (uint32_t left = among; left != 0; left &= left - 1) {
    const unsigned i = wl_lowest(left);
    const wl_path_row_t to = wl_path_target(s, tbuf, i);
    if (to.pc == first.pc && to.depth == first.depth && to.state == first.state &&
        to.op == first.op && to.key == first.key)
      group |= UINT32_C(1) << i;
  }
  return group;
}

/* Cycles of a step of SPLIT by lane, with RowCycles = 2 after the one that reads: there the
 * comparisons of the beats come back in a cycle of their own, before the last one. */
static unsigned lane_cycles(const wl_config_t *cfg) {
  return cfg->row_cycles == 2 && cfg->beats > 1 ? cfg->beats + 2 : cfg->beats;
}

bool wl_step_split(wl_step_t *s) {
  wl_engine_t *e = s->e;
  wl_path_t *x = s->x;
  const wl_paths_t *p = s->p;
  const wl_split_t *split = &p->split[e->warp];
  if ((split->lane_pc || split->lane_key || split->lane_done) &&
      ++e->beat < lane_cycles(&s->env->cfg))
    return false;
  e->beat = 0;
  const unsigned i = wl_lowest(e->todo);
  const uint32_t group = wl_path_group(split, p->tbuf, e->todo, i);
  wl_path_row_t row = wl_path_target(split, p->tbuf, i);
  row.mask = group;
  wl_step_write(s, i, row);
  x->exist |= bit(i);
  x->waiting &= ~bit(i);
  if (row.state == WL_PATH_SYNC || row.state == WL_PATH_BAR) x->waiting |= bit(i);
  if (wl_path_has_time(&row) && (!x->wake_valid || (int32_t)(row.key - x->wake_at) < 0)) {
    x->wake_valid = true;
    x->wake_at = row.key;
  }
  e->todo &= ~group;
  if (e->todo != 0) return true;
  x->mask = 0;
  s->plan->tbuf_freed = s->plan->tbuf_freed || split->tbuf;
  wl_step_begin_check(s, x->waiting);
  return true;
}
