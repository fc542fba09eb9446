/* lock.c: a launch on a board beside the golden model (fpga.h). docs/fpga.md 5, 7. Both run the
 * same number of cycles, some thousand at a time; then the signatures of all journal kinds are
 * compared, at the end the outputs, memory and the arrays too. What differs is looked for by
 * find.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/fpga/fpga.h"

/* A piece grows, so that long launches need few looks and short ones end soon. */
enum { FIRST_PIECE = 4096, LARGEST_PIECE = 1 << 18, STOP_CYCLES = 1 << 14 };
enum { TAIL = 2 /* cycles until a signature has the records of a cycle */ };

bool wl_fpga_open_lockstep(wl_fpga_t *f, char *err, size_t cap) {
  wl_twin_t t;
  f->before = malloc(f->desc.mem_bytes);
  if (f->before == NULL || !wl_arrays_open(&f->seeds, f->desc.config)) {
    snprintf(err, cap, "out of memory");
    return false;
  }
  const bool ok = wl_twin_open(&t, &f->desc, f->desc.mem, false, WL_MEM_BASE, 0);
  if (ok)
    wl_arrays_copy(&f->seeds, t.cosim);
  else
    snprintf(err, cap, "%s", t.error);
  wl_twin_close(&t);
  return ok;
}

void wl_fpga_close_lockstep(wl_fpga_t *f) {
  wl_arrays_close(&f->seeds);
  free(f->before);
}

typedef struct lock {
  wl_rerun_t run;
  wl_twin_t twin;
  uint64_t low; /* the signatures were equal there */
  wl_board_state_t state;
  uint64_t ended; /* cycle behind the launch's end in the model, or a limit; 0: not yet */
  unsigned looks;
  bool asked; /* to stop */
} lock_t;

static bool wants_stop(lock_t *k) {
  const wl_backend_desc_t *d = &k->run.fpga->desc;
  k->asked = k->asked || (d->stop != NULL && d->stop(d->stop_context));
  return k->asked;
}

static void step(lock_t *k) {
  wl_twin_step(&k->twin);
  if (k->ended == 0 && wl_twin_ended(&k->twin)) k->ended = k->twin.cycle;
}

/* The model, while the board runs. */
static void step_model(lock_t *k, uint64_t target) {
  while (k->twin.cycle < target && !wl_twin_ended(&k->twin)) {
    step(k);
    if (k->twin.cycle % STOP_CYCLES == 0 && wants_stop(k)) return;
  }
}

/* Both to the same cycle, at or before the target. */
static bool run_piece(lock_t *k, uint64_t target) {
  wl_link_t *l = &k->run.fpga->link;
  if (!wl_board_run(l, (uint32_t)(target - k->run.at), true)) return false;
  step_model(k, target);
  if (!wl_board_wait(l, &k->state)) return false;
  k->run.at = k->state.cycle;
  while (k->twin.cycle < k->run.at)
    step(k);
  return wl_rerun_to(&k->run, k->twin.cycle);
}

typedef enum verdict { EQUAL, DIFFERENT, FAILED } verdict_t;

static verdict_t compare(lock_t *k) {
  uint32_t s[WL_NUM_JOURNAL_KINDS];
  if (!wl_rerun_read(&k->run, s)) return FAILED;
  k->looks++;
  if (memcmp(s, k->twin.digest.signature, sizeof s) != 0) return DIFFERENT;
  k->low = k->run.at;
  return EQUAL;
}

/* To the end of the launch, or a limit. */
static verdict_t run_all(lock_t *k, uint64_t limit) {
  uint64_t piece = FIRST_PIECE;
  verdict_t v = EQUAL;
  while (v == EQUAL && !wl_twin_ended(&k->twin) && k->run.at < limit && !wants_stop(k)) {
    const uint64_t target = limit - k->run.at < piece ? limit : k->run.at + piece;
    if (!run_piece(k, target)) return FAILED;
    v = compare(k);
    piece = piece < LARGEST_PIECE ? 2 * piece : piece;
  }
  if (v == EQUAL && k->ended == 0) k->ended = k->twin.cycle; /* by a limit */
  for (unsigned i = 0; v == EQUAL && i < TAIL; i++)
    step(k);
  if (v != EQUAL) return v;
  if (!wl_rerun_to(&k->run, k->twin.cycle) || !wl_board_status(&k->run.fpga->link, &k->state))
    return FAILED;
  return compare(k);
}

/* Outputs of the core. */
static bool same_state(lock_t *k, wl_run_result_t *result) {
  wl_cosim_t *c = k->twin.cosim;
  const wl_board_state_t *b = &k->state;
  wl_cosim_report_t report;
  wl_cosim_signals(c, b->done, b->hang);
  wl_cosim_trap(c, b->trap, b->cause, b->warp, b->lane, b->pc, b->address);
  if (wl_cosim_compare_outputs(c, &report)) return true;
  wl_report_result(&report, result);
  return false;
}

/* Device memory: the model's is in the image. */
static verdict_t compare_memory(lock_t *k, wl_run_result_t *result) {
  wl_fpga_t *f = k->run.fpga;
  wl_cosim_t *c = k->twin.cosim;
  wl_cosim_report_t report;
  memcpy(c->mem[1], f->desc.mem, f->desc.mem_bytes);
  if (!wl_board_get_image(&f->link, c->mem[1], (uint32_t)f->desc.mem_bytes, &f->moved))
    return FAILED;
  if (wl_cosim_compare_memory(c, &report)) return EQUAL;
  wl_report_result(&report, result);
  return DIFFERENT;
}

static verdict_t compare_arrays(lock_t *k, wl_run_result_t *result) {
  wl_fpga_t *f = k->run.fpga;
  wl_arrays_t board, model;
  wl_array_place_t at = {0, 0, 0};
  const bool first = wl_arrays_open(&board, f->desc.config);
  const bool memory = wl_arrays_open(&model, f->desc.config) && first;
  verdict_t v = FAILED;
  uint32_t seen = 0;
  if (!memory) wl_link_fail(&f->link, "out of memory");
  k->run.lost = true;
  if (memory && wl_arrays_peek(&board, &f->link)) {
    wl_arrays_copy(&model, k->twin.cosim);
    v = wl_arrays_differ(&board, &model, &at) ? DIFFERENT : EQUAL;
    if (v == DIFFERENT) seen = *wl_arrays_word(&board, at.view, at.slice, at.row);
  }
  wl_arrays_close(&board);
  wl_arrays_close(&model);
  if (v == DIFFERENT) wl_fpga_find_word(&k->run, k->twin.cycle, &at, seen, result);
  return v;
}

static void hang_text(const lock_t *k, const char *why, wl_run_result_t *result) {
  wl_text_t t = {result->report, sizeof result->report, 0};
  uint32_t pc;
  uint64_t when;
  wl_text_put(&t, "%s at cycle %llu\n", why, (unsigned long long)k->ended);
  for (unsigned w = 0; w < k->twin.cosim->config->warps; w++)
    if (wl_cosim_last_issue(k->twin.cosim, w, &pc, &when))
      wl_text_put(&t, "  warp %u: last issue pc %u in cycle %llu\n", w, pc,
                  (unsigned long long)when);
  result->status = WL_RUN_HANG;
}

/* All was equal: what the run was. */
static void finish(lock_t *k, wl_run_result_t *result) {
  wl_cosim_state_t s;
  const wl_fpga_t *f = k->run.fpga;
  wl_cosim_state(k->twin.cosim, &s);
  if (s.fault != NULL) {
    snprintf(result->report, sizeof result->report, "broken rule: %s\n", s.fault);
    result->status = WL_RUN_INTERNAL;
    return;
  }
  if (s.hung)
    hang_text(k, "no instruction and no packet for 65536 cycles while no path sleeps: hang",
              result);
  else if (!s.done)
    hang_text(k, k->asked ? "stopped" : "the limit of cycles was reached", result);
  else if (k->state.trap)
    wl_fpga_take_trap(&k->state, result);
  if (result->report[0] != '\0') return;
  wl_text_t t = {result->report, sizeof result->report, 0};
  wl_text_put(&t,
              "equal: signatures of every record of every cycle, compared %u times; outputs, %llu "
              "bytes of memory and all arrays at the end; link: %llu requests, %llu sent again, "
              "%u freezes; core at %.3f MHz;",
              k->looks, (unsigned long long)f->desc.mem_bytes, (unsigned long long)f->link.requests,
              (unsigned long long)f->link.retries, k->state.freezes, f->link.hello.clock_khz / 1e3);
  wl_report_counts(&t, k->twin.cosim);
}

static void run(lock_t *k, wl_run_result_t *result) {
  wl_fpga_t *f = k->run.fpga;
  const uint64_t limit = f->max_cycles != 0 ? k->run.start + f->max_cycles : UINT64_MAX;
  step(k); /* START's cycle */
  verdict_t v = run_all(k, limit);
  result->cycles = (k->ended != 0 ? k->ended : k->twin.cycle) - k->run.start;
  if (v == DIFFERENT) {
    wl_fpga_find(&k->run, k->low, k->run.at, result);
    return;
  }
  if (v == EQUAL && !same_state(k, result)) return;
  v = v == EQUAL ? compare_memory(k, result) : v;
  v = v == EQUAL ? compare_arrays(k, result) : v;
  if (v == EQUAL)
    finish(k, result);
  else if (v == FAILED)
    wl_fpga_link_failed(f, result);
}

void wl_fpga_lockstep(wl_fpga_t *f, uint64_t launch_block, wl_run_result_t *result) {
  lock_t *k = calloc(1, sizeof *k);
  result->status = WL_RUN_OK;
  result->report[0] = '\0';
  if (k == NULL) {
    wl_link_fail(&f->link, "out of memory");
    wl_fpga_link_failed(f, result);
    return;
  }
  memcpy(f->before, f->desc.mem, f->desc.mem_bytes);
  k->run = (wl_rerun_t){.fpga = f, .launch_block = launch_block};
  if (!wl_rerun_begin(&k->run)) {
    wl_fpga_link_failed(f, result);
  } else if (!wl_twin_open(&k->twin, &f->desc, f->desc.mem, true, launch_block, k->run.start)) {
    snprintf(result->report, sizeof result->report, "%s\n", k->twin.error);
    result->status = WL_RUN_INTERNAL;
  } else {
    wl_cosim_state_t s;
    k->low = k->run.start;
    run(k, result);
    wl_cosim_state(k->twin.cosim, &s);
    result->instructions = s.instructions;
    result->thread_instructions = s.thread_instructions;
  }
  wl_twin_close(&k->twin);
  free(k);
}
