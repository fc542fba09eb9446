/* copy.c: cp.async [PTX 9.7.9.25.3] and arrivals at an mbarrier behind it [PTX 9.7.13.15.15]. What a
 * thread has issued is in a list of its own. A copy is carried out, whole, at the wait for its group
 * at the latest; before that after some turns of the CTA, or at once, as the seed says: so what reads
 * its destination, or writes its source, too early gives another result. There is no order among the
 * copies of a list; an arrival comes after those before it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/run.h"

enum { PATIENCE = 2, BYTES_MAX = 16 }; /* turns without a seed */

static uint32_t patience(const wl_or_grid_t *g) {
  const uint64_t seed = g->launch->seed;
  const uint64_t mix = (g->instructions + seed * 977) * UINT64_C(0x9e3779b97f4a7c15) >> 57;
  if (seed == 0) {
    return PATIENCE;
  }
  return mix % 4 == 0 ? 0 : 1 + (uint32_t)(mix / 4); /* up to 32 */
}

static void carry_out(const wl_or_copy_t *c) {
  uint8_t bytes[BYTES_MAX] = {0};
  memcpy(bytes, c->from, c->copied);
  memcpy(c->to, bytes, c->bytes);
}

static bool append(const wl_or_ctx_t *x, wl_or_copy_t copy) {
  wl_or_thread_t *t = x->thread;
  copy.insn = x->insn;
  copy.patience = patience(x->grid);
  if (copy.patience == 0 && copy.object == NULL) { /* at once */
    carry_out(&copy);
    return true;
  }
  if (t->ncopies == t->copies_cap) {
    const size_t cap = t->copies_cap == 0 ? 8 : 2 * t->copies_cap;
    wl_or_copy_t *list = realloc(t->copies, cap * sizeof *list);
    if (list == NULL) {
      return wl_or_fail(x, "out of memory");
    }
    t->copies = list;
    t->copies_cap = cap;
  }
  t->copies[t->ncopies++] = copy;
  return true;
}

/* Entries that are over leave the list. */
static void close_gaps(wl_or_thread_t *t) {
  size_t used = 0;
  for (size_t i = 0; i < t->ncopies; i++) {
    if (!t->copies[i].over) {
      t->copies[used++] = t->copies[i];
    }
  }
  t->ncopies = used;
}

/* ---- instructions */
/* n bytes at an address that is a multiple of the copy's size. */
static const uint8_t *source(const wl_or_ctx_t *x, uint64_t address, uint32_t n) {
  bool global = false;
  if (address % x->insn->n != 0) {
    (void)wl_or_fail(x, "source 0x%" PRIx64 " is not a multiple of %u", address, x->insn->n);
    return NULL;
  }
  const uint8_t *p = wl_or_pointer(x, OR_SP_GLOBAL, address, 1, false, &global);
  if (p == NULL || wl_or_pointer(x, OR_SP_GLOBAL, address + n - 1, 1, false, &global) == NULL) {
    return NULL;
  }
  return p;
}

static bool issue(const wl_or_ctx_t *x) {
  const wl_or_insn_t *n = x->insn;
  const uint64_t to = wl_or_source(x, &n->s[1]) + wl_or_source(x, &n->s[2]);
  const uint64_t from = wl_or_source(x, &n->s[0]) + (uint64_t)n->offset;
  const uint64_t word = wl_or_source(x, &n->s[3]);
  const uint64_t copied = n->wrap ? (word != 0 ? 0 : n->n) : word;
  static const uint8_t nothing[1];
  bool global = false;
  wl_or_copy_t c = {.bytes = n->n, .group = x->thread->groups, .from = nothing};
  if (copied > n->n) {
    return wl_or_fail(x, "%" PRIu64 " bytes of the source for %u", copied, n->n);
  }
  c.copied = (uint32_t)copied;
  c.to = wl_or_pointer(x, OR_SP_SHARED, to, n->n, true, &global);
  if (c.to == NULL || (copied != 0 && (c.from = source(x, from, c.copied)) == NULL)) {
    return false;
  }
  return append(x, c);
}

/* What is in groups below `group` is over. */
static void finish(wl_or_thread_t *t, uint64_t group) {
  for (size_t i = 0; i < t->ncopies; i++) {
    wl_or_copy_t *c = &t->copies[i];
    if (c->object == NULL && c->group < group) {
      carry_out(c);
      c->over = true;
    }
  }
  close_gaps(t);
}

static bool arrive(const wl_or_ctx_t *x) {
  wl_or_copy_t c = {.object = wl_or_mbarrier_object(x)};
  return c.object != NULL &&
         (x->insn->sub == OR_C_ARRIVE_NOINC || wl_or_mbarrier_expect_one(x, c.object)) &&
         append(x, c);
}

bool wl_or_copy(const wl_or_ctx_t *x) {
  wl_or_thread_t *t = x->thread;
  const uint64_t most = wl_or_source(x, &x->insn->s[0]);
  switch (x->insn->sub) {
  case OR_C_COPY:
    return issue(x);
  case OR_C_COMMIT:
    t->groups++;
    return true;
  case OR_C_WAIT_ALL:
    finish(t, ++t->groups);
    return true;
  case OR_C_WAIT:
    finish(t, t->groups > most ? t->groups - most : 0);
    return true;
  default:
    return arrive(x);
  }
}

/* ---- after each turn of the CTA */
static bool settle(wl_or_grid_t *g, wl_or_cta_t *cta, wl_or_thread_t *t) {
  bool waits = false; /* an earlier copy is not over */
  for (size_t i = 0; i < t->ncopies; i++) {
    wl_or_copy_t *c = &t->copies[i];
    const wl_or_ctx_t x = {g, cta, t, c->insn};
    c->patience -= c->patience != 0 ? 1 : 0;
    c->over = c->patience == 0 && (c->object == NULL || !waits);
    waits = waits || (c->object == NULL && !c->over);
    if (c->over && c->object == NULL) {
      carry_out(c);
    } else if (c->over && !wl_or_mbarrier_arrive(&x, c->object)) {
      return false;
    }
  }
  close_gaps(t);
  return true;
}

/* Copies go on when their thread waits, or has left. */
bool wl_or_settle_copies(wl_or_grid_t *g, wl_or_cta_t *cta) {
  for (uint32_t i = 0; i < cta->nthreads; i++) {
    if (cta->threads[i].ncopies != 0 && !settle(g, cta, &cta->threads[i])) {
      return false;
    }
  }
  return true;
}
