/* async_ends.c: whether the end of an operation has been shown to a thread (async.h). */
#include "driver/check/async.h"

static bool learnt_since(const check_async_t *a, uint64_t first, bool own, uint32_t thread) {
  return first != ASYNC_NEVER && (own || a->thread[thread].learnt >= first);
}

/* A copy of cp.async whose end an mbarrier tells. Arrivals that are no longer kept may have told it. */
static bool arrived(const check_async_t *a, const async_end_t *end, uint32_t thread) {
  const async_thread_t *t = &a->thread[end->who];
  const uint32_t kept = t->arrivals < ASYNC_KEPT ? t->arrivals : ASYNC_KEPT;
  for (uint32_t n = 0; n < kept; n++) {
    const async_end_t *at = &t->arrival[n].end;
    if (t->arrival[n].copies > end->number &&
        learnt_since(a, async_first(&a->mbar[at->who].seen, at->number), false, thread)) {
      return true;
    }
  }
  return t->arrivals > kept && t->arrival[t->arrivals % ASYNC_KEPT].copies > end->number;
}

bool async_known(const check_async_t *a, const async_end_t *end, uint32_t thread) {
  const async_thread_t *t = &a->thread[end->kind == END_MBAR ? thread : end->who];
  const bool own = end->who == thread;
  switch (end->kind) {
  case END_MBAR:
    return learnt_since(a, async_first(&a->mbar[end->who].seen, end->number), false, thread);
  case END_BULK:
    return learnt_since(a, async_first(&t->bulk, end->number), own, thread);
  case END_READ:
    return learnt_since(a, async_first(&t->read, end->number), own, thread);
  case END_COPY:
    return learnt_since(a, async_first(&t->copy, end->number), own, thread) ||
           arrived(a, end, thread);
  case END_COMMAND:
    return check_tmem_known(a, end, thread);
  default:
    return true;
  }
}
