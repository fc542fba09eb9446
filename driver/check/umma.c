/* umma.c: products in tensor memory of a checked launch (check.h): words of their commands, mbarriers of
 * their commits, and the order of what they read in shared memory. What they write counts as written. */
#include "driver/check/async.h"
#include "driver/check/check.h"

typedef struct read {
  wl_check_t *check;
  const func_sm_t *sm;
  const func_warp_t *warp;
  uint32_t pc, lane;
} read_t;

static void chunk(void *context, uint32_t offset) {
  const read_t *r = context;
  check_async_product(r->check, r->sm, r->warp, r->pc, r->lane, offset);
}

static void commit(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                   uint32_t lane) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  uint64_t address = 0;
  const bool shared = func_umma_commit(w, i, lane, &address);
  const uint64_t m = (uint32_t)address;
  if (!shared || m % 8 != 0 || m + 8 > sm->launch.smem_bytes) {
    return; /* it traps */
  }
  check_signal(c, sm, w, pc, lane, (uint32_t)m, 1);
}

void check_before_product(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                          uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  const check_warp_t *s = &c->warp[w->slot];
  check_command_words(c, sm, w, pc, e);
  if ((i->info->preds & WL_PRED_S) != 0 && (e & ~s->preds[i->ps]) != 0) {
    check_report(c, sm, w, CHECK_PREDICATE, pc, e & ~s->preds[i->ps], 0, NULL);
  }
  for (uint32_t m = e; m != 0; m &= m - 1) {
    read_t r = {c, sm, w, pc, func_lowest(m)};
    if (i->op == WL_UMMA_COMMIT) {
      commit(c, sm, w, pc, r.lane);
    } else {
      func_umma_chunks(sm, w, i, r.lane, chunk, &r);
    }
  }
}
