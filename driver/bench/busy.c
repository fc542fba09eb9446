/* busy.c: the model as a backend that counts its records MMA. See busy.h. */
#include "driver/bench/busy.h"

#include <stdio.h>
#include <stdlib.h>

#include "gen/wl_journal.h"

/* docs/microarchitecture.md 19.1: DotRows elements at once, in slices of 2 * DotTerms bytes of K. */
uint32_t wl_bench_product_cycles(const wl_config_t *config, uint32_t elements, uint32_t k) {
  const uint32_t slice = 2 * config->dot_terms;
  return elements / config->dot_rows * (k > slice ? k / slice : 1);
}

#ifdef WL_HAVE_LOCKSTEP
#include "driver/lockstep/side.h"

typedef struct counter {
  wl_side_t *side;
  wl_journal_t journal;
  uint64_t cycles, *products;
} counter_t;

static void step(counter_t *c, const uint64_t *start) {
  wl_journal_clear(&c->journal);
  if (start != NULL) {
    wl_side_model.start(c->side, *start, &c->journal);
  } else {
    wl_side_model.step(c->side, &c->journal);
  }
  for (unsigned i = 0; i < c->journal.records; i++) {
    *c->products += c->journal.record[i].kind == WL_J_MMA;
  }
  c->cycles++;
}

static void run(void *state, uint64_t block, uint64_t max_cycles, wl_run_result_t *result) {
  counter_t *c = state;
  wl_side_trap_t trap;
  c->cycles = *c->products = 0;
  step(c, &block);
  while (!wl_side_model.done(c->side) && !wl_side_model.hung(c->side) &&
         (max_cycles == 0 || c->cycles < max_cycles)) {
    step(c, NULL);
  }
  wl_side_model.trap(c->side, &trap);
  result->cycles = c->cycles;
  result->status = c->journal.overflow            ? WL_RUN_INTERNAL
                   : !wl_side_model.done(c->side) ? WL_RUN_HANG
                   : trap.valid                   ? WL_RUN_TRAP
                                                  : WL_RUN_OK;
}

static void close_state(void *state) {
  counter_t *c = state;
  wl_side_model.close(c->side);
  free(c);
}

static const wl_backend_ops_t counting = {.name = "model", .run = run, .close = close_state};

bool wl_bench_count_products(wl_device_t *device, uint64_t *products, char *err, size_t cap) {
  const wl_side_desc_t desc = {.config = device->config,
                               .seed = device->options.seed,
                               .mem = device->mem,
                               .mem_bytes = device->mem_bytes,
                               .journal = true};
  counter_t *c = calloc(1, sizeof *c);
  if (c == NULL) {
    (void)snprintf(err, cap, "out of memory");
    return false;
  }
  c->products = products;
  c->side = wl_side_model.open(&desc, err, cap);
  if (c->side == NULL) {
    free(c);
    return false;
  }
  device->ops->close(device->backend);
  device->ops = &counting;
  device->backend = c;
  return true;
}
#else
bool wl_bench_count_products(wl_device_t *device, uint64_t *products, char *err, size_t cap) {
  (void)device;
  (void)products;
  (void)snprintf(err, cap, "this program has no model");
  return false;
}
#endif
