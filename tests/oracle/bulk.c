/* bulk.c: bulk copies [PTX 9.7.9.25.4, 9.7.9.27.2], st.bulk [9.7.9.13], st.async and red.async of
 * global memory [9.7.9.12, 9.7.13.7]. What a thread has issued is in a list of its own. Each entry has
 * two times: it reads its source, whole, and later it writes, whole, and then tells its mbarrier. Both
 * come at once, after some turns of the CTA, or as late as a program may count on, as the seed says:
 * at the wait for the group (of a wait for reads only the first one), or at the end of the CTA. There
 * is no order among the entries of a list. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/run.h"

enum { CHUNK = 16, LATE = 64 /* turns, which a thread that polls sees pass */ };

static uint32_t mixed(const wl_or_grid_t *g, unsigned which) {
  const uint64_t seed = g->launch->seed;
  const uint64_t mix = (g->instructions + seed * 977 + which) * UINT64_C(0x9e3779b97f4a7c15) >> 57;
  return mix % 4 == 0 ? 0 : 1 + (uint32_t)(mix / 4); /* up to 32 */
}

/* Turns to the read, and from there to the write: without a seed a few; of each four seeds one has
 * everything at once, one everything late, one early reads and late writes, one any times. */
static void set_times(const wl_or_grid_t *g, wl_or_bulk_t *b) {
  static const uint32_t times[3][2] = {{0, 0}, {LATE, 1}, {0, LATE}};
  const uint64_t seed = g->launch->seed;
  b->read_in = seed == 0 ? 1 : seed % 4 == 0 ? mixed(g, 0) : times[seed % 4 - 1][0];
  b->write_in = seed == 0 ? 2 : seed % 4 == 0 ? mixed(g, 1) : times[seed % 4 - 1][1];
}

/* ---- the two steps */
static bool read_source(const wl_or_ctx_t *x, wl_or_bulk_t *b) {
  b->data = malloc(b->bytes);
  if (b->data == NULL) {
    return wl_or_fail(x, "out of memory");
  }
  memset(b->data, (int)(x->grid->pattern >> 40 & 0xff), b->bytes); /* bytes that are ignored */
  if (b->from == NULL) {
    memcpy(b->data, &b->value, b->bytes);
  } else {
    memcpy(b->data + b->left, b->from, b->bytes - b->left - b->right);
  }
  return true;
}

static void reduce(const wl_or_bulk_t *b) {
  const unsigned bytes = b->insn->bits / 8u;
  for (uint32_t at = 0; at < b->bytes; at += bytes) {
    uint64_t old = 0, value = 0;
    memcpy(&old, b->to + at, bytes);
    memcpy(&value, b->data + at, bytes);
    old = wl_or_combined(b->insn, old, value, 0, true);
    memcpy(b->to + at, &old, bytes);
  }
}

static bool write_destination(const wl_or_ctx_t *x, wl_or_bulk_t *b) {
  b->over = true;
  if (b->insn->op == OR_BULK_RED) {
    reduce(b);
  }
  for (uint32_t i = 0; i < b->bytes && b->insn->op == OR_BULK; i++) {
    if ((b->mask >> i % CHUNK & 1) != 0) {
      b->to[i] = b->data[i];
    }
  }
  return b->object == NULL || wl_or_mbarrier_complete(x, b->object, b->bytes);
}

static bool finish_one(const wl_or_ctx_t *x, wl_or_bulk_t *b, bool reads_only) {
  return (b->data != NULL || read_source(x, b)) && (reads_only || write_destination(x, b));
}

/* Entries that are over leave the list. */
static void close_gaps(wl_or_thread_t *t) {
  size_t used = 0;
  for (size_t i = 0; i < t->nbulks; i++) {
    if (t->bulks[i].over) {
      free(t->bulks[i].data);
    } else {
      t->bulks[used++] = t->bulks[i];
    }
  }
  t->nbulks = used;
}

static bool append(const wl_or_ctx_t *x, wl_or_bulk_t b) {
  wl_or_thread_t *t = x->thread;
  b.insn = x->insn;
  set_times(x->grid, &b);
  if (t->nbulks == t->bulks_cap) {
    const size_t cap = t->bulks_cap == 0 ? 8 : 2 * t->bulks_cap;
    wl_or_bulk_t *list = realloc(t->bulks, cap * sizeof *list);
    if (list == NULL) {
      return wl_or_fail(x, "out of memory");
    }
    t->bulks = list;
    t->bulks_cap = cap;
  }
  t->bulks[t->nbulks] = b;
  wl_or_bulk_t *last = &t->bulks[t->nbulks++];
  if (last->read_in != 0) {
    return true;
  }
  const bool ok = finish_one(x, last, last->write_in != 0);
  close_gaps(t);
  return ok;
}

/* ---- places */
static uint64_t address(const wl_or_ctx_t *x, unsigned at) { /* of s[at], s[at + 1] */
  return wl_or_source(x, &x->insn->s[at]) + wl_or_source(x, &x->insn->s[at + 1]);
}

static uint8_t *place(const wl_or_ctx_t *x, wl_or_space_t space, uint64_t start, uint64_t bytes,
                      bool write) {
  bool global = false;
  uint8_t *first = wl_or_pointer(x, space, start, 1, write, &global);
  uint8_t *last =
      first != NULL ? wl_or_pointer(x, space, start + bytes - 1, 1, write, &global) : NULL;
  if (last != NULL && last != first + bytes - 1) {
    (void)wl_or_fail(x, "%" PRIu64 " bytes at 0x%" PRIx64 " that are not one piece", bytes, start);
    return NULL;
  }
  return last != NULL ? first : NULL;
}

static bool sound(const wl_or_ctx_t *x, uint64_t to, uint64_t from, uint32_t bytes) {
  if (to % CHUNK != 0 || from % CHUNK != 0) {
    return wl_or_fail(x, "address 0x%" PRIx64 " is not a multiple of %d",
                      to % CHUNK != 0 ? to : from, CHUNK);
  }
  return bytes % CHUNK == 0 ||
         wl_or_fail(x, "%" PRIu32 " bytes: not a multiple of %d", bytes, CHUNK);
}

/* ---- instructions */
static bool load(const wl_or_ctx_t *x) {
  const wl_or_insn_t *n = x->insn;
  const uint64_t to = address(x, OR_BULK_TO), from = address(x, OR_BULK_FROM);
  const uint64_t left = wl_or_source(x, &n->s[OR_BULK_LEFT]);
  const uint64_t right = wl_or_source(x, &n->s[OR_BULK_RIGHT]);
  wl_or_bulk_t b = {.bytes = (uint32_t)wl_or_source(x, &n->s[OR_BULK_BYTES]), .mask = 0xffff};
  if (!sound(x, to, from, b.bytes)) {
    return false;
  }
  if (b.bytes == 0) { /* nothing is copied, and nothing counted */
    return true;
  }
  if (left >= CHUNK || right >= CHUNK || left + right >= b.bytes) {
    return wl_or_fail(x, "%" PRIu64 " and %" PRIu64 " bytes are ignored", left, right);
  }
  b.group = UINT64_MAX; /* of none */
  b.left = (uint32_t)left;
  b.right = (uint32_t)right;
  b.to = place(x, OR_SP_SHARED, to, b.bytes, true);
  b.from =
      b.to == NULL ? NULL : place(x, OR_SP_GLOBAL, from + left, b.bytes - b.left - b.right, false);
  b.object = b.from == NULL ? NULL : wl_or_mbarrier_object(x);
  return b.object != NULL && append(x, b);
}

static bool store(const wl_or_ctx_t *x) {
  const wl_or_insn_t *n = x->insn;
  const uint64_t to = address(x, OR_BULK_TO), from = address(x, OR_BULK_FROM);
  wl_or_bulk_t b = {.bytes = (uint32_t)wl_or_source(x, &n->s[OR_BULK_BYTES]),
                    .mask = (uint16_t)wl_or_source(x, &n->s[OR_BULK_MASK]),
                    .group = x->thread->bulk_groups};
  if (!sound(x, to, from, b.bytes)) {
    return false;
  }
  if (b.bytes == 0) {
    return true;
  }
  b.to = place(x, OR_SP_GLOBAL, to, b.bytes, true);
  b.from = b.to == NULL ? NULL : place(x, OR_SP_SHARED, from, b.bytes, false);
  return b.from != NULL && append(x, b);
}

/* st.async, red.async: one value; nothing waits for it but the end of the CTA. */
static bool single(const wl_or_ctx_t *x) {
  const wl_or_insn_t *n = x->insn;
  bool global = false;
  wl_or_bulk_t b = {.bytes = n->bits / 8u, .mask = 0xffff, .group = UINT64_MAX};
  b.value = wl_or_source(x, &n->s[OR_BULK_BYTES]);
  b.to = wl_or_pointer(x, (wl_or_space_t)n->space, address(x, OR_BULK_TO), b.bytes, true, &global);
  if (b.to != NULL && !global) {
    return wl_or_fail(x, "an address that is not in global memory");
  }
  return b.to != NULL && append(x, b);
}

static bool fill(const wl_or_ctx_t *x) {
  const uint64_t to = address(x, OR_BULK_TO);
  const uint64_t bytes = wl_or_source(x, &x->insn->s[OR_BULK_BYTES]);
  if (bytes % 8 != 0 || to % 8 != 0 || bytes > 16777216) {
    return wl_or_fail(x, "%" PRIu64 " bytes at 0x%" PRIx64, bytes, to);
  }
  if (bytes == 0) {
    return true;
  }
  uint8_t *p = place(x, (wl_or_space_t)x->insn->space, to, bytes, true);
  if (p == NULL || p < x->cta->shared || p >= x->cta->shared + x->cta->shared_bytes) {
    return p != NULL ? wl_or_fail(x, "an address outside of shared memory") : false;
  }
  memset(p, 0, bytes);
  return true;
}

/* What is in groups below `group` has read, or is over. */
static bool finish(const wl_or_ctx_t *x, uint64_t group, bool reads_only) {
  wl_or_thread_t *t = x->thread;
  for (size_t i = 0; i < t->nbulks; i++) {
    if (t->bulks[i].group < group && !finish_one(x, &t->bulks[i], reads_only)) {
      return false;
    }
  }
  close_gaps(t);
  return true;
}

bool wl_or_bulk(const wl_or_ctx_t *x) {
  wl_or_thread_t *t = x->thread;
  const uint64_t most = wl_or_source(x, &x->insn->s[0]);
  if (x->insn->op == OR_BULK_RED) {
    return x->insn->wrap ? single(x) : store(x);
  }
  switch (x->insn->sub) {
  case OR_K_LOAD:
    return load(x);
  case OR_K_STORE:
    return store(x);
  case OR_K_SINGLE:
    return single(x);
  case OR_K_FILL:
    return fill(x);
  case OR_K_COMMIT:
    t->bulk_groups++;
    return true;
  default: /* a wait */
    return finish(x, t->bulk_groups > most ? t->bulk_groups - most : 0,
                  x->insn->sub == OR_K_WAIT_READ);
  }
}

/* ---- after each turn of the CTA; all: nothing of it is left behind */
static bool settle(wl_or_grid_t *g, wl_or_cta_t *cta, wl_or_thread_t *t, bool all) {
  for (size_t i = 0; i < t->nbulks; i++) {
    wl_or_bulk_t *b = &t->bulks[i];
    const wl_or_ctx_t x = {g, cta, t, b->insn};
    const bool has_read = b->data != NULL;
    if (all || (has_read ? b->write_in <= 1 : b->read_in <= 1)) {
      if (!finish_one(&x, b, !all && !has_read && b->write_in != 0)) {
        return false;
      }
    } else {
      b->read_in -= has_read ? 0 : 1;
      b->write_in -= has_read ? 1 : 0;
    }
  }
  close_gaps(t);
  return true;
}

/* They go on when their thread waits, or has left. */
bool wl_or_settle_bulks(wl_or_grid_t *g, wl_or_cta_t *cta, bool all) {
  for (uint32_t i = 0; i < cta->nthreads; i++) {
    if (cta->threads[i].nbulks != 0 && !settle(g, cta, &cta->threads[i], all)) {
      return false;
    }
  }
  return true;
}
