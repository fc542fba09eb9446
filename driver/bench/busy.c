/* busy.c: the model as a backend that counts its records MMA and products in tensor memory. See busy.h. */
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
#include "driver/trace/trace.h"
#include "driver/trace/umma.h"

typedef struct counter {
  wl_side_t *side;
  wl_trace_t *trace; /* counts, writes nothing */
  wl_journal_t journal;
  uint64_t cycles;
  wl_bench_seen_t *seen;
} counter_t;

static void step(counter_t *c, const uint64_t *start) {
  wl_journal_clear(&c->journal);
  if (start != NULL) {
    wl_side_model.start(c->side, *start, &c->journal);
  } else {
    wl_side_model.step(c->side, &c->journal);
  }
  for (unsigned i = 0; i < c->journal.records; i++) {
    c->seen->products += c->journal.record[i].kind == WL_J_MMA;
  }
  c->cycles++;
}

/* Of products in tensor memory. */
static void take(wl_bench_seen_t *seen, const wl_umma_counts_t *c) {
  seen->steps = c->does[WL_DOES_STEP];
  seen->idle = c->idle;
  seen->span = seen->steps != 0 ? c->last_step - c->first_step + 1 : 0;
  seen->shared = c->does[WL_DOES_SHARED];
  seen->tmem = c->does[WL_DOES_TMEM];
  seen->turn = c->does[WL_DOES_TURN];
  seen->pipes = c->does[WL_DOES_PIPES];
  seen->end = c->does[WL_DOES_END];
  seen->moves = c->does[WL_DOES_MOVE];
  seen->commits = c->does[WL_DOES_COMMIT];
  seen->no_command = c->no_command;
  seen->requests = c->granted;
  seen->port_waits = c->lost;
}

static void run(void *state, uint64_t block, uint64_t max_cycles, wl_run_result_t *result) {
  counter_t *c = state;
  wl_side_trap_t trap;
  c->cycles = 0;
  *c->seen = (wl_bench_seen_t){0};
  wl_side_model.watch(c->side, c->trace);
  step(c, &block);
  while (!wl_side_model.done(c->side) && !wl_side_model.hung(c->side) &&
         (max_cycles == 0 || c->cycles < max_cycles)) {
    step(c, NULL);
  }
  wl_side_model.watch(c->side, NULL);
  take(c->seen, wl_trace_umma(c->trace));
  wl_side_model.trap(c->side, &trap);
  result->cycles = c->cycles;
  result->status = c->journal.overflow            ? WL_RUN_INTERNAL
                   : !wl_side_model.done(c->side) ? WL_RUN_HANG
                   : trap.valid                   ? WL_RUN_TRAP
                                                  : WL_RUN_OK;
}

static void close_state(void *state) {
  counter_t *c = state;
  if (c->side != NULL) {
    wl_side_model.close(c->side);
  }
  wl_trace_close(c->trace);
  free(c);
}

static const wl_backend_ops_t counting = {.name = "model", .run = run, .close = close_state};

bool wl_bench_count_products(wl_device_t *device, wl_bench_seen_t *seen, char *err, size_t cap) {
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
  c->seen = seen;
  c->trace = wl_trace_open(device->config, WL_TRACE_JSON, NULL, NULL);
  if (c->trace == NULL) {
    (void)snprintf(err, cap, "out of memory");
  } else {
    wl_trace_mute(c->trace);
    c->side = wl_side_model.open(&desc, err, cap);
  }
  if (c->side == NULL) {
    close_state(c);
    return false;
  }
  device->ops->close(device->backend);
  device->ops = &counting;
  device->backend = c;
  return true;
}
#else
bool wl_bench_count_products(wl_device_t *device, wl_bench_seen_t *seen, char *err, size_t cap) {
  (void)device;
  (void)seen;
  (void)snprintf(err, cap, "this program has no model");
  return false;
}
#endif
