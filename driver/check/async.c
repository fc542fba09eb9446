/* async.c: what threads of a checked launch know of each other and of asynchronous copies (async.h):
 * proxy fences, groups, mbarriers, and the operations by which a thread may learn of others. */
#include "driver/check/async.h"

#include <stdlib.h>
#include <string.h>

#include "isa/obj/object.h"

check_async_t *check_async_open(const wl_device_t *d) {
  check_async_t *a = calloc(1, sizeof *a);
  if (a == NULL) {
    return NULL;
  }
  a->shared_words = d->config->smem_bytes / 4;
  a->pages = (uint32_t)((d->mem_bytes / 4 + ASYNC_PAGE - 1) / ASYNC_PAGE);
  a->shared = calloc(a->shared_words, sizeof *a->shared);
  a->global = calloc(a->pages, sizeof *a->global);
  a->mbar = calloc(a->shared_words / 2, sizeof *a->mbar);
  a->thread = calloc((size_t)d->config->warps * WL_LANES, sizeof *a->thread);
  if (a->shared == NULL || a->global == NULL || a->mbar == NULL || a->thread == NULL) {
    check_async_close(a);
    return NULL;
  }
  return a;
}

static void forget_global(check_async_t *a) {
  for (uint32_t n = 0; a->global != NULL && n < a->pages; n++) {
    free(a->global[n]);
    a->global[n] = NULL;
  }
}

void check_async_close(check_async_t *a) {
  if (a != NULL) {
    forget_global(a);
    free(a->shared);
    free(a->global);
    free(a->mbar);
    free(a->thread);
    free(a->fence);
    free(a);
  }
}

void check_async_begin(check_async_t *a, const wl_obj_t *obj) {
  forget_global(a); /* a launch sees all of those before it */
  memset(a->covered, 0, sizeof a->covered);
  memset(a->said, 0, sizeof a->said);
  a->obj = obj;
  a->fresh = true;
}

/* ---- histories */

void async_passed(async_history_t *h, uint32_t upto, uint64_t time) {
  const uint32_t last = h->count == 0 ? h->floor : h->at[h->count - 1].upto;
  if (upto <= last) {
    return;
  }
  if (h->count == ASYNC_KEPT) {
    h->floor = h->at[0].upto;
    memmove(h->at, h->at + 1, sizeof h->at - sizeof h->at[0]);
    h->count--;
  }
  h->at[h->count].upto = upto;
  h->at[h->count++].time = time;
}

void async_all_passed(async_history_t *h, uint32_t floor) {
  h->floor = floor;
  h->count = 0;
}

uint64_t async_first(const async_history_t *h, uint32_t number) {
  if (number < h->floor) {
    return 0;
  }
  for (uint32_t n = 0; n < h->count; n++) {
    if (number < h->at[n].upto) {
      return h->at[n].time;
    }
  }
  return ASYNC_NEVER;
}

/* ---- starts */

/* Whether a launch has asynchronous copies, or tensor memory, at all: others need none of this. */
static bool has_copies(const func_sm_t *sm) {
  for (uint32_t n = 0; n < sm->code_words; n++) {
    const wl_insn_dec_t *i = &sm->code[n].dec;
    if (sm->code[n].trap == WL_TRAP_NONE &&
        (i->unit == WL_UNIT_COPY || i->unit == WL_UNIT_UMMA || i->unit == WL_UNIT_TMEM ||
         (i->unit == WL_UNIT_LSU && i->info->kind == WL_MEM_KIND_CPASYNC))) {
      return true;
    }
  }
  return false;
}

static void prepare(check_async_t *a, const func_sm_t *sm) {
  a->fresh = false;
  free(a->fence);
  a->code = sm->code_words;
  a->fence = calloc(a->code, 1);
  /* Without the text of the PTX fences of the proxies are not told from others. */
  a->used = a->fence != NULL && a->obj->ptx_text != NULL && has_copies(sm);
}

/* The slot's last thread is gone: what it has done is taken as over and known. */
static void new_thread(async_thread_t *t, const check_async_t *a, uint64_t now) {
  for (uint32_t k = 0; k < ASYNC_SPACES; k++) {
    async_all_passed(&t->fence[k], ++t->fences[k]);
    t->covered[k] = a->covered[k];
  }
  t->groups++;
  t->copies++;
  t->arrivals = 0;
  t->mark[t->copy_groups++ % ASYNC_GROUPS] = t->copies;
  async_all_passed(&t->bulk, t->groups);
  async_all_passed(&t->read, t->groups);
  async_all_passed(&t->copy, t->copies);
  t->learnt = t->acquired = now;
}

void check_async_start(check_async_t *a, const func_sm_t *sm, const func_warp_t *w) {
  if (a->fresh) {
    prepare(a, sm);
  }
  if (!a->used) {
    return;
  }
  for (uint32_t lane = 0; lane < WL_LANES; lane++) {
    new_thread(&a->thread[w->slot * WL_LANES + lane], a, sm->clock);
  }
  if (w->index == 0) {
    const uint32_t from = sm->ctas[w->cta].smem_base / 4, words = sm->launch.smem_units * 256;
    memset(a->shared + from, 0, words * sizeof *a->shared);
    memset(a->mbar + from / 2, 0, words / 2 * sizeof *a->mbar);
  }
}

/* ---- fences, groups, waits */

void check_async_learn(check_async_t *a, const func_sm_t *sm, const func_warp_t *w, uint32_t lane) {
  async_thread_t *t = &a->thread[w->slot * WL_LANES + lane];
  t->learnt = t->acquired = sm->clock;
  for (uint32_t k = 0; k < ASYNC_SPACES; k++) {
    t->covered[k] = t->covered[k] > a->covered[k] ? t->covered[k] : a->covered[k];
  }
}

static void fence(check_async_t *a, async_thread_t *t, uint32_t spaces, uint64_t now) {
  for (uint32_t k = 0; k < ASYNC_SPACES; k++) {
    if ((spaces >> k & 1) == 0) {
      continue;
    }
    async_passed(&t->fence[k], ++t->fences[k], now);
    t->covered[k] = t->covered[k] > t->learnt ? t->covered[k] : t->learnt;
    a->covered[k] = a->covered[k] > t->covered[k] ? a->covered[k] : t->covered[k];
  }
}

/* cp.async.wait_group: at most n groups are pending. */
static void copies_wait(async_thread_t *t, uint32_t n, uint64_t now) {
  if (t->copy_groups > n) {
    async_passed(&t->copy, t->mark[(t->copy_groups - n - 1) % ASYNC_GROUPS], now);
  }
}

static void bulk_wait(async_thread_t *t, uint32_t imm, uint64_t now) {
  const uint32_t n = imm & 63;
  if (t->groups > n) {
    async_passed(&t->read, t->groups - n, now);
    if ((imm & 64) == 0) {
      async_passed(&t->bulk, t->groups - n, now);
    }
  }
}

static void control(check_async_t *a, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                    uint32_t lane) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  async_thread_t *t = &a->thread[w->slot * WL_LANES + lane];
  switch (i->op) {
  case WL_CTL_FENCE:
    fence(a, t, async_fence_at(a, pc), sm->clock);
    t->acquired = t->learnt;
    break;
  case WL_CTL_CWAIT:
    check_async_learn(a, sm, w, lane);
    break;
  case WL_CTL_COMMIT:
    t->mark[t->copy_groups++ % ASYNC_GROUPS] = t->copies;
    break;
  case WL_CTL_CPWAIT:
    copies_wait(t, i->imm & 63, sm->clock);
    break;
  case WL_CTL_BCOMMIT:
    t->groups++;
    break;
  case WL_CTL_BWAIT:
    bulk_wait(t, i->imm, sm->clock);
    break;
  default:
    break;
  }
}

void check_async_retire(check_async_t *a, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                        uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  const bool meets =
      (i->unit == WL_UNIT_BAR && i->op != WL_BAR_ARRIVE && i->op != WL_BAR_CLUSTER) ||
      (i->unit == WL_UNIT_SYNC && i->op == WL_SYNC_WARPSYNC);
  for (uint32_t m = a->used ? e : 0; m != 0 && (meets || i->unit == WL_UNIT_CTL); m &= m - 1) {
    if (meets) {
      check_async_learn(a, sm, w, func_lowest(m));
    } else {
      control(a, sm, w, pc, func_lowest(m));
    }
  }
}

/* ---- mbarriers */

void check_async_mbarrier(check_async_t *a, const func_sm_t *sm, const func_warp_t *w,
                          const wl_insn_dec_t *i, uint32_t lane, uint32_t offset,
                          uint32_t operand) {
  const uint32_t at = (sm->ctas[w->cta].smem_base + offset) / 8;
  const uint32_t thread = w->slot * WL_LANES + lane, kind = i->info->kind;
  async_thread_t *t = &a->thread[thread];
  async_mbar_t *m = &a->mbar[at];
  if (!a->used) {
    return;
  }
  if (kind == WL_MEM_KIND_MBTEST) {
    if (wl_sem_mbtest((uint32_t)(m->object >> 32), operand, 0) >> 31 != 0) {
      const uint64_t acquired = t->acquired;
      async_passed(&m->seen, m->phases, sm->clock);
      check_async_learn(a, sm, w, lane);
      if ((async_fence_at(a, w->pc) & ASYNC_RELAXED) != 0) {
        t->acquired = acquired;
      }
    }
    return;
  }
  if (kind == WL_MEM_KIND_CPARRIVE) { /* it comes behind the thread's copies */
    const uint32_t n = t->arrivals++ % ASYNC_KEPT;
    t->arrival[n].copies = t->copies;
    t->arrival[n].end = (async_end_t){END_MBAR, at, m->phases};
  }
  if (i->unit == WL_UNIT_UMMA) { /* it comes behind the thread's commands */
    const uint32_t n = t->commits++ % ASYNC_KEPT;
    t->commit[n].upto = a->tmem->ops + 1;
    t->commit[n].end = (async_end_t){END_MBAR, at, m->phases};
  }
  const bool arrives = i->unit == WL_UNIT_UMMA || kind == WL_MEM_KIND_CPARRIVE;
  const wl_mbar_op_t op = arrives                     ? WL_MBAR_ARRIVE
                          : kind == WL_MEM_KIND_BLOAD ? WL_MBAR_COMPLETE
                                                      : (wl_mbar_op_t)i->info->mbar;
  const wl_sem_mbar_t after = wl_sem_mbar(op, m->object, arrives ? 1 : operand);
  m->object = after.object;
  m->phases += after.complete ? 1 : 0;
}
