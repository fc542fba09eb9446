/* fpga.c: the backend `fpga` (driver/backend.h): a kernel runs on the board, alone or in lockstep with
 * the model. docs/fpga.md 7. Each launch begins with a reset, so that nothing of an earlier one, or
 * of an earlier program, is left but memory. */
#include "driver/fpga/fpga.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 24 };

/* The session comes before device memory is made: it says how much there is, and which machine. */
static int probe(wl_backend_desc_t *desc, void **state, char *err, size_t cap) {
  wl_fpga_t *f = calloc(1, sizeof *f);
  if (f == NULL) {
    snprintf(err, cap, "out of memory");
    return WL_RUN_INTERNAL;
  }
  const bool ok = wl_link_open(&f->link, desc->port) && wl_link_check(&f->link, desc->config);
  if (!ok) {
    snprintf(err, cap, "%s", f->link.error);
    wl_link_close(&f->link);
    free(f);
    return WL_RUN_UNSUPPORTED;
  }
  desc->config = &wl_configs[f->link.hello.config];
  desc->mem_bytes = f->link.hello.mem_bytes / WL_BOARD_BLOCK * WL_BOARD_BLOCK;
  *state = f;
  return WL_RUN_OK;
}

static const char *refusal(const wl_backend_desc_t *d) {
  if (d->disturb != 0) return "a board has no disturbance (--disturb): `warplock fpga --freeze` "
                              "freezes its core at random";
  if (d->compare_full) return "a board's arrays can be compared at the end of a launch only: leave "
                              "--compare full out";
  if (d->trace != NULL) return "a board has no waves (--trace): run the launch with --backend "
                               "lockstep";
  if (d->log != NULL && !d->lockstep) return "a board has no log (--log): --lockstep gives the "
                                             "model's";
  if (d->mem_bytes % WL_BOARD_BLOCK != 0) return "device memory of a board is a multiple of 1024 "
                                                 "bytes (--mem)";
  return NULL;
}

static int open_fpga(const wl_backend_desc_t *desc, void **state, char *err, size_t cap) {
  wl_fpga_t *f = *state;
  const char *why = refusal(desc);
  f->desc = *desc;
  f->lockstep = desc->lockstep;
  f->link.stop = desc->stop;
  f->link.stop_context = desc->stop_context;
  if (why != NULL) {
    snprintf(err, cap, "%s", why);
    return WL_RUN_UNSUPPORTED;
  }
  return !desc->lockstep || wl_fpga_open_lockstep(f, err, cap) ? WL_RUN_OK : WL_RUN_INTERNAL;
}

static void close_fpga(void *state) {
  wl_fpga_t *f = state;
  wl_link_close(&f->link);
  wl_fpga_close_lockstep(f);
  free(f);
}

void wl_fpga_link_failed(wl_fpga_t *f, wl_run_result_t *result) {
  const wl_backend_desc_t *d = &f->desc;
  const bool stopped = !f->link.lost && d->stop != NULL && d->stop(d->stop_context);
  result->status = stopped ? WL_RUN_HANG : WL_RUN_UNSUPPORTED;
  snprintf(result->report, sizeof result->report, "%s\n", f->link.error);
}

void wl_fpga_take_trap(const wl_board_state_t *s, wl_run_result_t *result) {
  result->status = WL_RUN_TRAP;
  result->trap.cause = s->cause;
  result->trap.pc = s->pc;
  result->trap.warp = s->warp;
  result->trap.lane = s->lane;
  result->trap.lanes = UINT32_C(1) << (s->lane & 31);
  result->trap.has_address = s->address != 0;
  result->trap.address = s->address;
}

/* To done, hang or the limit; *s as the core stands then. */
static bool run_to_end(wl_fpga_t *f, uint64_t start, uint64_t limit, wl_board_state_t *s) {
  wl_link_t *l = &f->link;
  do {
    const uint64_t left = start + limit - s->cycle;
    if (!wl_board_run(l, left < PIECE ? (uint32_t)left : PIECE, true) || !wl_board_wait(l, s))
      return false;
  } while (!s->done && !s->hang && s->cycle - start < limit);
  return true;
}

static bool launch(wl_fpga_t *f, uint64_t block, uint64_t limit, wl_board_state_t *s,
                   uint64_t *start) {
  wl_link_t *l = &f->link;
  const uint32_t bytes = (uint32_t)f->desc.mem_bytes;
  if (!wl_board_reset(l) || !wl_board_put_image(l, f->desc.mem, bytes, &f->moved) ||
      !wl_board_status(l, s))
    return false;
  *start = s->cycle;
  return wl_board_start(l, block) && wl_board_status(l, s) && run_to_end(f, *start, limit, s) &&
         wl_board_get_image(l, f->desc.mem, bytes, &f->moved);
}

static void run(void *state, uint64_t block, uint64_t max_cycles, wl_run_result_t *result) {
  wl_fpga_t *f = state;
  wl_board_state_t s = {0};
  uint64_t start = 0;
  f->max_cycles = max_cycles;
  if (f->lockstep) {
    wl_fpga_lockstep(f, block, result);
    return;
  }
  result->status = WL_RUN_OK;
  result->report[0] = '\0';
  if (!launch(f, block, max_cycles != 0 ? max_cycles : UINT64_MAX / 2, &s, &start)) {
    wl_fpga_link_failed(f, result);
    return;
  }
  result->cycles = s.cycle - start;
  if (s.hang || !s.done) {
    result->status = WL_RUN_HANG;
    snprintf(result->report, sizeof result->report, "%s at cycle %llu\n",
             s.hang ? "no instruction and no packet for 65536 cycles while no path sleeps: hang"
                    : "the limit of cycles was reached",
             (unsigned long long)s.cycle);
  } else if (s.trap) {
    wl_fpga_take_trap(&s, result);
  }
}

/* The arrays as they stand. Reading them ends the launch: the next one begins with a reset anyway. */
static void dump(void *state, void (*line)(void *, const char *), void *context) {
  wl_fpga_t *f = state;
  wl_arrays_t a;
  char text[sizeof f->link.error + 32];
  const bool ok = wl_arrays_open(&a, f->desc.config) && wl_arrays_peek(&a, &f->link);
  if (!ok) {
    snprintf(text, sizeof text, "not read: %s", f->link.error);
    line(context, text);
  }
  wl_array_place_t at = {0, 0, 0};
  for (; ok && at.view < WL_NUM_VIEWS; wl_arrays_next(&a, &at)) {
    snprintf(text, sizeof text, "%s slice %u row %u %08x", wl_view_info[at.view]->name, at.slice,
             at.row, *wl_arrays_word(&a, at.view, at.slice, at.row));
    line(context, text);
  }
  wl_arrays_close(&a);
}

const wl_backend_ops_t wl_backend_fpga = {"fpga", open_fpga, run, dump, close_fpga, probe};
