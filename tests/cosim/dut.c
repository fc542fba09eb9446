/* dut.c: see dut.h. */
#include "tests/cosim/dut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"

typedef struct dut {
  wl_config_t config;
  wl_side_t *side;
  wl_journal_t journal;
  unsigned seen; /* records of the kind to change */
  wl_view_t view[WL_NUM_VIEWS];
} dut_t;

static uint32_t input(uint32_t i) { return i * 2654435761u; }

void dut_expected(uint32_t *out, uint32_t *sum) {
  uint32_t v[DUT_THREADS];
  *sum = 0;
  for (uint32_t g = 0; g < DUT_THREADS; g++) {
    const uint32_t t = g % 64;
    v[g] = input(g) + input(g / 64 * 64 + (t ^ 63));
    for (uint32_t k = 0; k < (t & 7); k++)
      v[g] = v[g] * 3 + 1;
    v[g] += t;
  }
  for (uint32_t g = 0; g < DUT_THREADS; g++) {
    out[g] = (v[g] ^ v[g ^ 1]) + g;
    *sum += out[g];
  }
}

static bool failed(const char *what, const char *why) {
  printf("%s: %s\n", what, why);
  return false;
}

static bool open_cosim(const setup_t *s, wl_cosim_t **c) {
  const wl_cosim_options_t options = {.struct_size = sizeof options,
                                      .layout = *wl_cosim_layout("tiny"),
                                      .seed = s->seed,
                                      .disturb = s->disturb,
                                      .mode = s->mode,
                                      .threads = s->threads,
                                      .compare_full = s->compare_full,
                                      .mem_bytes = 4 << 20};
  if (wl_cosim_create(&options, c) == WL_OK) return true;
  return failed("create", wl_cosim_error(*c));
}

static bool open_dut(const setup_t *s, wl_cosim_t *c, dut_t *d) {
  char err[256] = "";
  uint64_t bytes;
  d->config = wl_configs[WL_CONFIG_TINY];
  if (s->latency != 0) d->config.mem_latency = s->latency;
  wl_side_desc_t desc = {
      .config = &d->config, .seed = s->seed, .journal = true, .density = s->density};
  desc.mem = wl_cosim_memory(c, NULL, &bytes);
  desc.mem_bytes = bytes;
  d->side = wl_side_model.open(&desc, err, sizeof err);
  if (d->side == NULL) return failed("DUT", err);
  for (unsigned v = 0; s->arrays && v < WL_NUM_VIEWS; v++) {
    wl_view_sizes(&wl_configs[WL_CONFIG_TINY], v, &d->view[v]);
    wl_side_model.view(d->side, v, &d->view[v]);
    if (wl_cosim_register(c, (wl_view_id_t)v, &d->view[v]) != WL_OK)
      return failed("register", wl_cosim_error(c));
  }
  return true;
}

static bool prepare(wl_cosim_t *c, const char *path, wl_function_t **f, wl_addr_t *at) {
  size_t size;
  char *text = wl_read_file(path, &size);
  wl_device_t *d = wl_cosim_device(c);
  wl_module_t *m = NULL;
  uint32_t in[DUT_THREADS];
  for (uint32_t i = 0; i < DUT_THREADS; i++)
    in[i] = input(i);
  const bool ok = text != NULL && wl_module_load(d, path, text, size, NULL, &m) == WL_OK &&
                  wl_module_function(m, "mix", f) == WL_OK &&
                  wl_alloc(d, sizeof in, &at[0]) == WL_OK &&
                  wl_alloc(d, sizeof in, &at[1]) == WL_OK && wl_alloc(d, 4, &at[2]) == WL_OK &&
                  wl_write(d, at[1], in, sizeof in) == WL_OK && wl_fill(d, at[2], 0, 4) == WL_OK;
  free(text);
  return ok || failed("prepare", wl_error(d));
}

/* A wrong value in the lowest lane that is written; false: the record writes none. */
static bool flip_lane(wl_cosim_record_t *r, uint32_t flip) {
  const uint32_t mask = r->word[2];
  if (mask == 0) return false;
  if (r->kind == WL_J_PRED)
    r->word[3] ^= mask & (~mask + 1);
  else
    r->word[3 + __builtin_ctz(mask)] ^= flip;
  return true;
}

/* The bug of the DUT, if this record is the one. */
static void change(dut_t *d, const setup_t *s, uint64_t cycle, outcome_t *out) {
  wl_journal_t *j = &d->journal;
  for (unsigned i = 0; s->change != NULL && i < j->records; i++) {
    if (j->record[i].kind != s->change->kind || d->seen++ < s->change->number) continue;
    if (out->changed_at != 0) continue;
    if (s->change->twice && j->record[i].word[2] != j->record[i].word[3]) continue;
    if (s->keep) j->record[j->records++] = j->record[i];
    if (!s->change->lane)
      j->record[i].word[s->change->word] ^= s->change->flip;
    else if (!flip_lane(&j->record[i], s->change->flip))
      continue;
    out->changed_at = cycle;
    out->changed = j->record[i];
    if (s->change->twice) j->record[j->records++] = j->record[i];
    if (!s->change->drop) return;
    memmove(&j->record[i], &j->record[i + 1], (--j->records - i) * sizeof j->record[0]);
    return;
  }
}

static void run_launch(wl_cosim_t *c, dut_t *d, const setup_t *s, outcome_t *out) {
  bool first = true;
  out->verdict = WL_COSIM_EQUAL;
  for (uint64_t cycle = 0; out->verdict == WL_COSIM_EQUAL && cycle < 200000;
       cycle++, first = false) {
    wl_journal_clear(&d->journal);
    wl_cosim_begin(c);
    if (first)
      wl_side_model.start(d->side, wl_cosim_launch_block(c), &d->journal);
    else
      wl_side_model.step(d->side, &d->journal);
    change(d, s, cycle, out);
    if (s->flip_array_at != 0 && cycle == s->flip_array_at)
      *((uint32_t *)(uintptr_t)d->view[WL_VIEW_RF].base[3] + 511 * d->view[WL_VIEW_RF].stride) ^= 1;
    wl_cosim_signals(c, wl_side_model.done(d->side), wl_side_model.hung(d->side));
    out->verdict = wl_cosim_step(c, d->journal.record, d->journal.records, &out->report);
    out->cycles = cycle + 1;
  }
  if (out->verdict == WL_COSIM_DONE) out->verdict = wl_cosim_end(c, &out->report);
}

static bool run(wl_cosim_t *c, dut_t *d, const char *ptx, const setup_t *s, outcome_t *out) {
  wl_function_t *f;
  wl_addr_t at[3];
  if (!open_dut(s, c, d) || !prepare(c, ptx, &f, at)) return false;
  for (unsigned i = 0; i == 0 || (i < s->launches && out->verdict == WL_COSIM_DONE); i++) {
    const wl_arg_t args[] = {WL_ARG(at[0]), WL_ARG(at[1]), WL_ARG(at[2])};
    const wl_launch_t launch = {.grid = {DUT_CTAS, 1, 1}, .block = {64, 1, 1}};
    wl_fill(wl_cosim_device(c), at[2], 0, 4);
    if (wl_cosim_launch(c, f, &launch, args, 3) != WL_OK)
      return failed("launch", wl_cosim_error(c));
    run_launch(c, d, s, out);
  }
  wl_read(wl_cosim_device(c), out->out, at[0], sizeof out->out);
  wl_read(wl_cosim_device(c), &out->sum, at[2], sizeof out->sum);
  wl_cosim_summary(c, out->summary, sizeof out->summary);
  return true;
}

bool dut_run(const char *ptx, const setup_t *setup, outcome_t *outcome) {
  wl_cosim_t *c = NULL;
  dut_t *d = calloc(1, sizeof *d);
  memset(outcome, 0, sizeof *outcome);
  const bool ok = d != NULL && open_cosim(setup, &c) && run(c, d, ptx, setup, outcome);
  if (d != NULL && d->side != NULL) wl_side_model.close(d->side);
  wl_cosim_destroy(c);
  free(d);
  return ok;
}
