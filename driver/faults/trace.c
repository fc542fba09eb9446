/* trace.c: the clean run, cycle by cycle, in blocks that are stored once while they do not change;
 * and the comparison of another run with it. The arrays that lockstep compares in place are not
 * kept: the reference has them. docs/faults.md */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "driver/faults/faults.h"

enum { BLOCK = 256, MAX_CYCLES = 1 << 18 };
static const size_t POOL = (size_t)24 << 30; /* of addresses; memory is taken as it is written */

typedef struct shared {
  uint64_t cycles, all_cycles;
  uint64_t used; /* blocks of the pool */
  uint64_t requests[MAX_CYCLES + 1];
} shared_t;

struct wl_fault_trace {
  wl_population_t *p;
  size_t bytes, blocks;
  uint8_t *now, *mask;
  shared_t *shared;
  uint32_t *index; /* [cycle][block]: block of the pool */
  uint8_t *pool;
  /* Where a run differed last: a register's byte, or a word of an array. */
  const wl_fault_register_t *reg;
  size_t byte;
  const uint32_t *word[2];
};

static void *map(size_t bytes) {
  void *p =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

static void place(wl_fault_trace_t *t) {
  for (unsigned pass = 0; pass < 2; pass++) /* flip-flops together, then memories */
    for (unsigned i = 0; i < t->p->regs; i++) {
      wl_fault_register_t *r = &t->p->reg[i];
      if (r->memory != (pass == 1) || r->entry->how == WL_HOW_PLACE) continue;
      r->offset = t->bytes;
      r->bytes = (size_t)r->probe.bytes * r->probe.elements;
      t->bytes += (r->bytes + 7) / 8 * 8;
    }
  t->blocks = (t->bytes + BLOCK - 1) / BLOCK;
}

static void make_mask(wl_fault_trace_t *t, const wl_fault_register_t *r) {
  for (uint64_t bit = 0; r->bytes != 0 && bit < (uint64_t)r->width * r->rows; bit++) {
    unsigned in_byte;
    const uint8_t *at = wl_fault_bit_at(r, bit, &in_byte);
    if (wl_fault_bit_exists(r, bit))
      t->mask[r->offset + (size_t)(at - r->probe.base)] |= (uint8_t)(1U << in_byte);
  }
}

wl_fault_trace_t *wl_clean_new(wl_population_t *p) {
  wl_fault_trace_t *t = calloc(1, sizeof *t);
  if (t == NULL) return NULL;
  t->p = p;
  place(t);
  t->now = calloc(t->blocks, BLOCK);
  t->mask = calloc(t->blocks, BLOCK);
  t->shared = map(sizeof *t->shared);
  t->index = map((size_t)(MAX_CYCLES + 1) * t->blocks * sizeof *t->index);
  t->pool = map(POOL);
  if (t->now == NULL || t->mask == NULL || t->shared == NULL || t->index == NULL ||
      t->pool == NULL) {
    wl_clean_delete(t);
    return NULL;
  }
  for (unsigned i = 0; i < p->regs; i++)
    make_mask(t, &p->reg[i]);
  return t;
}

void wl_clean_delete(wl_fault_trace_t *t) {
  if (t == NULL) return;
  free(t->now);
  free(t->mask);
  if (t->shared != NULL) munmap(t->shared, sizeof *t->shared);
  if (t->index != NULL) munmap(t->index, (size_t)(MAX_CYCLES + 1) * t->blocks * sizeof *t->index);
  if (t->pool != NULL) munmap(t->pool, POOL);
  free(t);
}

static void gather(wl_fault_trace_t *t) {
  for (unsigned i = 0; i < t->p->regs; i++) {
    const wl_fault_register_t *r = &t->p->reg[i];
    memcpy(t->now + r->offset, r->probe.base, r->bytes);
  }
}

static const uint8_t *block_of(const wl_fault_trace_t *t, uint64_t cycle, size_t block) {
  return t->pool + (size_t)t->index[cycle * t->blocks + block] * BLOCK;
}

bool wl_clean_add(wl_fault_trace_t *t, const wl_fault_run_t *run) {
  const uint64_t c = run->cycle;
  if (c > MAX_CYCLES || (t->shared->used + t->blocks) * BLOCK > POOL) return false;
  gather(t);
  t->shared->requests[c] = wl_probe_requests(run->side);
  for (size_t b = 0; b < t->blocks; b++) {
    const uint8_t *now = t->now + b * BLOCK;
    if (c != 0 && memcmp(now, block_of(t, c - 1, b), BLOCK) == 0) {
      t->index[c * t->blocks + b] = t->index[(c - 1) * t->blocks + b];
      continue;
    }
    memcpy(t->pool + t->shared->used * BLOCK, now, BLOCK);
    t->index[c * t->blocks + b] = (uint32_t)t->shared->used++;
  }
  return true;
}

uint64_t wl_clean_cycles(const wl_fault_trace_t *t) { return t->shared->cycles; }
uint64_t wl_clean_all_cycles(const wl_fault_trace_t *t) { return t->shared->all_cycles; }
void wl_clean_set_cycles(wl_fault_trace_t *t, uint64_t cycles, uint64_t all_cycles) {
  t->shared->cycles = cycles;
  t->shared->all_cycles = all_cycles;
}

static uint8_t clean_byte(const wl_fault_trace_t *t, uint64_t cycle, size_t at) {
  return block_of(t, cycle, at / BLOCK)[at % BLOCK];
}

uint8_t wl_clean_byte_at_end(const wl_fault_trace_t *t, const wl_fault_register_t *r) {
  return clean_byte(t, t->shared->all_cycles, r->offset);
}

static const wl_fault_register_t *owner(const wl_fault_trace_t *t, size_t at) {
  for (unsigned i = 0; i < t->p->regs; i++) {
    const wl_fault_register_t *r = &t->p->reg[i];
    if (r->bytes != 0 && at >= r->offset && at < r->offset + r->bytes) return r;
  }
  return NULL;
}

static bool registers_equal(wl_fault_trace_t *t, uint64_t cycle) {
  gather(t);
  for (size_t b = 0; b < t->blocks; b++) {
    const uint8_t *clean = block_of(t, cycle, b), *now = t->now + b * BLOCK;
    const uint8_t *mask = t->mask + b * BLOCK;
    if (memcmp(clean, now, BLOCK) == 0) continue;
    for (size_t i = 0; i < BLOCK; i++)
      if (((clean[i] ^ now[i]) & mask[i]) != 0) {
        t->reg = owner(t, b * BLOCK + i);
        t->byte = b * BLOCK + i - t->reg->offset;
        return false;
      }
  }
  t->reg = NULL;
  return true;
}

/* By induction the clean run's arrays are the reference's. */
static bool arrays_equal(wl_fault_trace_t *t, const wl_fault_run_t *run) {
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) {
    const wl_cosim_view_t *a = wl_cosim_reference_view(run->cosim, (wl_view_id_t)v);
    const wl_cosim_view_t *b = &run->view[v];
    for (unsigned s = 0; s < a->slices; s++)
      for (unsigned r = 0; r < a->rows; r++) {
        const uint32_t *x = a->base[s] + r * a->stride, *y = b->base[s] + r * b->stride;
        if (*x == *y) continue;
        t->word[0] = x;
        t->word[1] = y;
        return false;
      }
  }
  t->word[0] = NULL;
  return true;
}

bool wl_clean_equal(wl_fault_trace_t *t, const wl_fault_run_t *run) {
  const uint64_t c = run->cycle;
  if (t->word[0] != NULL && *t->word[0] != *t->word[1]) return false;
  if (t->reg != NULL) {
    const size_t at = t->reg->offset + t->byte;
    if (((t->reg->probe.base[t->byte] ^ clean_byte(t, c, at)) & t->mask[at]) != 0) return false;
  }
  return t->shared->requests[c] == wl_probe_requests(run->side) && registers_equal(t, c) &&
         arrays_equal(t, run);
}

void wl_clean_differences(wl_fault_trace_t *t, const wl_fault_run_t *run,
                          void (*each)(void *context, const wl_fault_register_t *r, uint64_t bit),
                          void *context) {
  for (unsigned i = 0; i < t->p->regs; i++) {
    const wl_fault_register_t *r = &t->p->reg[i];
    for (uint64_t bit = 0; r->bytes != 0 && bit < (uint64_t)r->width * r->rows; bit++) {
      unsigned in_byte;
      const uint8_t *at = wl_fault_bit_at(r, bit, &in_byte);
      const uint8_t clean = clean_byte(t, run->cycle, r->offset + (size_t)(at - r->probe.base));
      if (wl_fault_bit_exists(r, bit) && ((*at ^ clean) >> in_byte & 1) != 0) each(context, r, bit);
    }
  }
}
