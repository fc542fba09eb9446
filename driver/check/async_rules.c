/* async_rules.c: rules of asynchronous copies in a checked launch (async.h): what an access, a cp.async
 * or a bulk copy may find in the words that it touches, and what it leaves there. */
#include "driver/check/async.h"

#include <stdlib.h>

typedef struct touch { /* by a lane at an instruction */
  wl_check_t *check;
  const func_sm_t *sm;
  const func_warp_t *warp;
  uint32_t pc, lane, thread;
} touch_t;

static touch_t touch_of(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                        uint32_t lane) {
  return (touch_t){c, sm, w, pc, lane, w->slot * WL_LANES + lane};
}

/* The words of an address that is inside its space. NULL: none were touched, and `make` is false (or
 * memory is short). */
static async_word_t *word_at(const touch_t *u, wl_mem_space_t space, uint64_t address, bool make) {
  check_async_t *a = u->check->async;
  if (space == WL_MEM_SPACE_SHARED) {
    return &a->shared[(u->sm->ctas[u->warp->cta].smem_base + address) / 4];
  }
  const uint64_t n = (address - WL_MEM_BASE) / 4;
  async_word_t **page = &a->global[n / ASYNC_PAGE];
  if (*page == NULL && make) {
    *page = calloc(ASYNC_PAGE, sizeof **page);
  }
  return *page != NULL ? &(*page)[n % ASYNC_PAGE] : NULL;
}

/* Words of one access, and those that one cause has made wrong, count once. */
static void say(const touch_t *u, check_rule_t rule, uint64_t address) {
  const uint64_t when = u->sm->clock * WL_LANES + u->lane;
  if (u->check->async->said[rule] != when) {
    u->check->async->said[rule] = when;
    check_report(u->check, u->sm, u->warp, rule, u->pc, 1u << u->lane, UINT32_MAX, &address);
  }
}

static void look_end(const touch_t *u, async_end_t *end, check_rule_t rule, uint64_t address) {
  if (!async_known(u->check->async, end, u->thread)) {
    say(u, rule, address);
    end->kind = END_NONE;
  }
}

/* Whether a proxy fence stands between the word's last write by a thread and this one: of the writer,
 * or of another thread that knew of the write. */
static bool fenced(const check_async_t *a, const async_word_t *w, uint32_t thread,
                   async_space_t space) {
  const uint32_t writer = w->writer - 1;
  const uint64_t first = async_first(&a->thread[writer].fence[space], w->fences);
  const async_thread_t *t = &a->thread[thread];
  return (first != ASYNC_NEVER && (writer == thread || t->learnt >= first)) ||
         w->written < t->covered[space];
}

static void look_proxy(const touch_t *u, async_word_t *w, async_space_t space, uint64_t address) {
  if (w->writer != 0 && !fenced(u->check->async, w, u->thread, space)) {
    say(u, CHECK_PROXY, address);
    w->writer = 0;
  }
}

/* Reads by other threads that this one may not have learnt of. */
static void look_readers(const touch_t *u, async_word_t *w, uint64_t address) {
  const uint64_t last = w->reader == u->thread + 1 ? w->read_other : w->read;
  if (w->reader != 0 && last > u->check->async->thread[u->thread].learnt) {
    say(u, CHECK_ORDER, address);
  }
  w->reader = 0;
  w->read = w->read_other = 0;
}

static void note_reader(const touch_t *u, async_word_t *w) {
  if (w->reader != u->thread + 1) {
    w->read_other = w->read;
    w->reader = u->thread + 1;
  }
  w->read = u->sm->clock;
}

static void note_writer(const touch_t *u, async_word_t *w, async_space_t space, bool atomic) {
  w->writer = u->thread + 1;
  w->fences = u->check->async->thread[u->thread].fences[space];
  w->written = u->sm->clock;
  w->atomic = atomic;
}

static async_space_t space_of(wl_mem_space_t space) {
  return space == WL_MEM_SPACE_SHARED ? ASYNC_SHARED : ASYNC_GLOBAL;
}

void check_async_access(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                        const cmp_access_t *access, uint32_t lane, bool reads, bool writes) {
  const touch_t u = touch_of(c, sm, w, pc, lane);
  if (!c->async->used || access->space == WL_MEM_SPACE_LOCAL) {
    return;
  }
  const bool shared = access->space == WL_MEM_SPACE_SHARED;
  for (uint32_t n = 0; n < access->bytes; n += 4) {
    const uint64_t at = access->address + n;
    async_word_t *word = word_at(&u, access->space, at, writes);
    if (word == NULL) {
      continue;
    }
    look_end(&u, &word->writes, CHECK_WAIT, at);
    if (reads && shared) {
      note_reader(&u, word);
    }
    if (writes) {
      look_end(&u, &word->reads, CHECK_SOURCE, at);
      note_writer(&u, word, space_of(access->space), reads);
    }
  }
}

void check_async_copy(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                      const cmp_access_t *from, const cmp_access_t *to, uint32_t lane) {
  const touch_t u = touch_of(c, sm, w, pc, lane);
  async_thread_t *t = &c->async->thread[u.thread];
  if (!c->async->used) {
    return;
  }
  check_async_access(c, sm, w, pc, from, lane, true, false);
  check_async_access(c, sm, w, pc, to, lane, false, true);
  for (uint32_t n = 0; n < to->bytes; n += 4) {
    word_at(&u, WL_MEM_SPACE_SHARED, to->address + n, true)->writes =
        (async_end_t){END_COPY, u.thread, t->copies};
  }
  t->copies++;
}

/* The copy reads the word, and the end of its reads is told as `end`. */
static void bulk_read(const touch_t *u, wl_mem_space_t space, uint64_t at, async_end_t end) {
  async_word_t *w = word_at(u, space, at, true);
  if (w != NULL) {
    look_end(u, &w->writes, CHECK_WAIT, at);
    look_proxy(u, w, space_of(space), at);
    w->reads = end;
  }
}

/* adds: it is a reduction, which others may run beside. */
static void bulk_write(const touch_t *u, wl_mem_space_t space, uint64_t at, async_end_t end,
                       bool adds) {
  async_word_t *w = word_at(u, space, at, true);
  if (w == NULL) {
    return;
  }
  if (!adds || !w->adds) {
    look_end(u, &w->writes, CHECK_WAIT, at);
  }
  look_end(u, &w->reads, CHECK_SOURCE, at);
  if (!adds || !w->atomic) {
    look_proxy(u, w, space_of(space), at);
  }
  look_readers(u, w, at);
  *w = (async_word_t){.writes = end, .adds = adds};
}

void check_async_command(const tmem_touch_t *by, uint32_t offset) {
  const touch_t u = touch_of(by->check, by->sm, by->warp, by->pc, by->lane);
  for (uint32_t n = 0; n < 16 && u.check->async->used; n += 4) {
    async_word_t *word = word_at(&u, WL_MEM_SPACE_SHARED, offset + n, true);
    look_end(&u, &word->writes, CHECK_WAIT, offset + n);
    look_proxy(&u, word, ASYNC_SHARED, offset + n);
    if (by->number != 0) {
      word->reads = (async_end_t){END_COMMAND, u.thread, by->number};
    }
  }
}

void check_async_bulk(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                      uint32_t lane, uint64_t global, uint32_t shared, uint32_t mbar,
                      uint32_t mask) {
  const touch_t u = touch_of(c, sm, w, pc, lane);
  const uint32_t kind = sm->code[pc].dec.info->kind, group = c->async->thread[u.thread].groups;
  if (!c->async->used) {
    return;
  }
  const uint32_t object = (sm->ctas[w->cta].smem_base + mbar) / 8;
  for (uint32_t n = 0; n < 16; n += 4) {
    const uint32_t moved = mask >> n & 15;
    if (kind == WL_MEM_KIND_BLOAD) {
      const async_end_t end = {END_MBAR, object, c->async->mbar[object].phases};
      bulk_read(&u, WL_MEM_SPACE_GLOBAL, global + n, end);
      bulk_write(&u, WL_MEM_SPACE_SHARED, shared + n, end, false);
      continue;
    }
    if (moved != 0) {
      bulk_read(&u, WL_MEM_SPACE_SHARED, shared + n, (async_end_t){END_READ, u.thread, group});
    }
    if (moved == 15) { /* other words are shared with whom the program says */
      bulk_write(&u, WL_MEM_SPACE_GLOBAL, global + n, (async_end_t){END_BULK, u.thread, group},
                 kind == WL_MEM_KIND_BRED);
    }
  }
}
