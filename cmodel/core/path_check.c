/* core/path_check.c: docs/microarchitecture.md 7.3: CHECK of the path engine: whether the lanes that wait
 * at a .sync instruction or at a barrier are all there, and the rewriting of a barrier's and
 * of a gathered form's rows. Which step
 * is done in which cycle is core/path_engine.c's. */
#include "cmodel/core/path_internal.h"

void wl_step_begin_check(wl_step_t *s, uint32_t candidates) {
  wl_engine_t *e = s->e;
  if (!s->x->chk || candidates == 0) {
    s->x->chk = false;
    wl_step_begin_walk(s);
    return;
  }
  e->phase = WL_ENGINE_CHECK;
  e->j = (uint8_t)wl_lowest(candidates);
  e->todo = s->x->exist;
  e->gathered = e->kinds = 0;
  e->misuse = e->other_pc = false;
}

/* The rows of `waiting` after j. */
static uint32_t rows_after_j(const wl_step_t *s) {
  return s->e->j == 31 ? 0 : s->x->waiting & ~((UINT32_C(2) << s->e->j) - 1);
}

static bool decide_sync(wl_step_t *s, const wl_path_row_t *row) {
  wl_path_t *x = s->x;
  const uint32_t wanted = row->key & x->live;
  /* xmask holds one key: another rendezvous waits until the released lanes have issued. */
  if (x->released == 0 && (wanted & ~s->e->gathered) == 0) {
    x->released |= s->e->gathered;
    x->waiting &= ~s->e->gathered;
    x->xmask = row->key;
  }
  wl_step_begin_check(s, rows_after_j(s));
  return true;
}

/* All lanes are at one gathered form, at one depth: they issue it together. */
static bool decide_aligned(wl_step_t *s) {
  if (s->e->gathered != s->x->live) {
    wl_step_begin_check(s, rows_after_j(s));
    return true;
  }
  s->x->waiting &= ~s->e->gathered;
  s->e->phase = WL_ENGINE_REWRITE;
  s->e->todo = s->x->exist;
  return true;
}

/* Kind of the contribution; false: kinds that must not meet in one phase. `kinds`: bit = kind. */
static bool contribution_kind(uint32_t kinds, uint8_t *kind) {
  const uint32_t sync = 1U << WL_KIND_SYNC, arrive = 1U << WL_KIND_ARRIVE;
  if (kinds == (sync | arrive)) kinds = sync; /* the lanes of bar.arrive do not wait */
  *kind = (uint8_t)wl_lowest(kinds);
  return (kinds & (kinds - 1)) == 0;
}

/* False: the engine stands still. */
static bool decide_bar(wl_step_t *s, const wl_path_row_t *row) {
  wl_engine_t *e = s->e;
  uint8_t kind = 0;
  const bool complete = e->gathered == s->x->live && !e->other_pc;
  const bool misuse = e->misuse || (complete && !contribution_kind(e->kinds, &kind));
  if (misuse) wl_step_rise(s, WL_TRAP_BARRIER_MISUSE, e->j, row->pc);
  if (misuse || !complete) {
    wl_step_begin_check(s, rows_after_j(s));
    return true;
  }
  if (wl_wbit(s->wires->bar_requesting, e->warp)) return false;
  s->plan->contribution = (wl_bar_request_t){true, (uint8_t)(row->key & 15),
                                             (uint8_t)(row->key >> 4 & 63), kind, e->gathered};
  s->x->waiting &= ~e->gathered;
  e->phase = WL_ENGINE_REWRITE;
  e->todo = s->x->exist;
  return true;
}

/* False: the step goes on, its decision waits. */
bool wl_step_check(wl_step_t *s) {
  wl_engine_t *e = s->e;
  const wl_path_row_t j = s->p->row[e->warp][e->j];
  const wl_engine_t before = *e;
  const wl_path_row_t row = wl_step_row(s, wl_lowest(e->todo));
  if (row.state == j.state) {
    if (j.state == WL_PATH_SYNC) {
      const bool apart = j.op == WL_SYNC_OP_ALIGNED && row.depth != j.depth;
      if (row.op == j.op && row.key == j.key && !apart) e->gathered |= row.mask;
    } else {
      if (row.key != j.key) e->misuse = true;
      if ((j.op & WL_BAR_OP_ALIGNED) != 0 && row.pc != j.pc) e->other_pc = true;
      e->gathered |= row.mask;
      e->kinds |= 1U << (row.op & WL_BAR_OP_KIND);
    }
  }
  e->todo &= e->todo - 1;
  if (e->todo != 0) return true;
  const bool decided = j.state == WL_PATH_BAR       ? decide_bar(s, &j)
                       : j.op == WL_SYNC_OP_ALIGNED ? decide_aligned(s)
                                                    : decide_sync(s, &j);
  if (!decided) *e = before;
  return decided;
}

void wl_step_rewrite(wl_step_t *s) {
  wl_engine_t *e = s->e;
  const unsigned i = wl_lowest(e->todo);
  wl_path_row_t row = wl_step_row(s, i);
  if (row.state == WL_PATH_BAR) {
    const unsigned kind = row.op & WL_BAR_OP_KIND;
    if (kind == WL_KIND_ARRIVE || kind == WL_KIND_CLUSTER) {
      row.state = WL_PATH_READY;
      row.pc = (row.pc + 1) & WL_PC_MASK;
    } else {
      row.state = WL_PATH_BARC;
    }
    wl_step_write(s, i, row);
  } else if (row.state == WL_PATH_SYNC && row.op == WL_SYNC_OP_ALIGNED) {
    row.state = WL_PATH_READY;
    wl_step_write(s, i, row);
  }
  e->todo &= e->todo - 1;
  if (e->todo == 0) wl_step_begin_check(s, rows_after_j(s));
}
