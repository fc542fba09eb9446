/* The path state of one warp (docs/microarchitecture.md 7.1) as a value: taken out of the arrays by
 * warp in which core/paths.h keeps it, and put back. The table's rows stay where they are. */
#include "cmodel/core/path_internal.h"

wl_path_t wl_path_gather(const wl_paths_t *p, unsigned w) {
  return (wl_path_t){.mask = p->cur_mask[w],
                     .pc = p->cur_pc[w],
                     .live = p->live[w],
                     .exist = p->exist[w],
                     .served = p->served[w],
                     .released = p->released[w],
                     .waiting = p->waiting[w],
                     .xmask = p->xmask[w],
                     .stop_pc = p->stop_pc[w],
                     .wake_at = p->wake_at[w],
                     .depth = p->depth[w],
                     .turn = p->turn[w],
                     .leader = p->leader[w],
                     .req = p->req[w],
                     .run = wl_wbit(p->run, w),
                     .ctl = wl_wbit(p->ctl, w),
                     .polled = wl_wbit(p->polled, w),
                     .stop_valid = wl_wbit(p->stop_valid, w),
                     .below = wl_wbit(p->below, w),
                     .chk = wl_wbit(p->chk, w),
                     .wake_valid = wl_wbit(p->wake_valid, w),
                     .waits = wl_wbit(p->waits, w)};
}

static void set_bit(wl_wmask_t *mask, unsigned w, bool value) {
  *mask = (*mask & ~(UINT64_C(1) << w)) | (wl_wmask_t)value << w;
}

void wl_path_scatter(wl_paths_t *p, unsigned w, const wl_path_t *x) {
  p->cur_mask[w] = x->mask;
  p->cur_pc[w] = x->pc;
  p->live[w] = x->live;
  p->exist[w] = x->exist;
  p->served[w] = x->served;
  p->released[w] = x->released;
  p->waiting[w] = x->waiting;
  p->xmask[w] = x->xmask;
  p->stop_pc[w] = x->stop_pc;
  p->wake_at[w] = x->wake_at;
  p->depth[w] = x->depth;
  p->turn[w] = x->turn;
  p->leader[w] = x->leader;
  p->req[w] = x->req;
  set_bit(&p->alive, w, x->live != 0);
  set_bit(&p->run, w, x->run);
  set_bit(&p->ctl, w, x->ctl);
  set_bit(&p->polled, w, x->polled);
  set_bit(&p->stop_valid, w, x->stop_valid);
  set_bit(&p->below, w, x->below);
  set_bit(&p->chk, w, x->chk);
  set_bit(&p->wake_valid, w, x->wake_valid);
  set_bit(&p->waits, w, x->waits);
  set_bit(&p->requests, w, x->req != WL_REQ_NONE);
}
