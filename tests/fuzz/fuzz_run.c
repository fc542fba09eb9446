/* fuzz_run.c: see fuzz_run.h. */
#include "tests/fuzz/fuzz_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/obj/dis.h"
#include "isa/obj/elf.h"
#include "isa/obj/object.h"

/* "CYCLE ISSUE warp W pc P path M exec E", numbers in hexadecimal. */
static void count_issue(void *context, const char *line) {
  fuzz_session_t *s = context;
  const char *at = strstr(line, " ISSUE ");
  unsigned pc, exec;
  if (at == NULL || s->counts == NULL ||
      sscanf(at, " ISSUE warp %*x pc %x path %*x exec %x", &pc, &exec) != 2) {
    return;
  }
  if (pc >= s->program->count || exec == 0) return;
  const uint32_t form = WL_WORD_GET(s->program->w[pc], FORM);
  if (wl_form_exists(form, WL_ANY_ROW)) s->counts->executed[form]++;
}

/* The limit of cycles belongs to the device; words without a plan that still run when this is asked
 * for the second time (every 4,096 cycles) will not end. */
static bool stop(void *context) {
  fuzz_session_t *s = context;
  return !s->program->gentle && ++s->asked > (s->program->spiced ? 6 : 1);
}

bool fuzz_open(fuzz_session_t *s) {
  wl_device_options_t o = {.backend = s->backend,
                           .config = s->config,
                           .disturb = s->disturb,
                           .seed = s->seed,
                           .mem_bytes = 1 << 20,
                           .max_cycles = s->max_cycles,
                           .stop = stop,
                           .stop_context = s,
                           .log = s->counts != NULL ? count_issue : NULL,
                           .log_context = s};
  const bool ok = wl_device_open(&o, &s->device) == WL_OK &&
                  wl_alloc(s->device, FUZZ_OUT_BYTES, &s->out) == WL_OK;
  if (!ok) {
    printf("device: %s\n", wl_error(s->device));
    fuzz_close(s);
  }
  return ok;
}

void fuzz_close(fuzz_session_t *s) {
  wl_device_close(s->device);
  s->device = NULL;
}

static bool make_object(const fuzz_program_t *p, fuzz_rng_t *r, uint8_t **bytes, size_t *size) {
  char err[300] = "";
  uint32_t c1[FUZZ_C1_BYTES / 4];
  wl_obj_t *o = wl_obj_new();
  if (o == NULL) return false;
  for (uint32_t i = 0; i < p->count; i++)
    wl_obj_add_insn(o, p->w[i]);
  for (uint32_t i = 0; i < FUZZ_C1_BYTES / 4; i++)
    c1[i] = fuzz_value(r);
  wl_obj_add_data(o, WL_OBJ_C1, c1, sizeof c1, 64);
  wl_obj_entry_t *e = wl_obj_add_entry(o, "main", 0);
  if (e != NULL) {
    e->regs = p->regs;
    e->preds = 7;
    e->barriers = 16;
    e->smem_static = FUZZ_CELLS + p->threads * FUZZ_SMEM_SLOT + p->smem_extra;
    e->local_bytes = FUZZ_LOCAL;
    wl_obj_add_param(o, e, "out", WL_OBJ_U64, 8, 8, WL_OBJ_NONE, 0);
  }
  const bool ok = wl_obj_write(o, bytes, size, err, sizeof err);
  if (!ok) printf("object: %s\n", err);
  wl_obj_free(o);
  return ok;
}

static bool fill(fuzz_session_t *s, fuzz_rng_t *r, fuzz_outcome_t *outcome) {
  /* Bits by hand: the image must not depend on the host's byte order. */
  for (uint32_t i = 0; i < FUZZ_OUT_BYTES; i += 4) {
    const uint32_t v = i < FUZZ_CELLS ? 0 : fuzz_value(r);
    for (uint32_t b = 0; b < 4; b++)
      outcome->out[i + b] = (uint8_t)(v >> (8 * b));
  }
  return wl_write(s->device, s->out, outcome->out, FUZZ_OUT_BYTES) == WL_OK;
}

bool fuzz_execute(fuzz_session_t *s, const fuzz_program_t *p, uint64_t data_seed,
                  fuzz_outcome_t *outcome) {
  fuzz_rng_t r = {data_seed, 0, false, 0};
  uint8_t *object = NULL;
  size_t size = 0;
  wl_module_t *module = NULL;
  if (s->device == NULL && !fuzz_open(s)) return false;
  s->program = p;
  s->asked = 0;
  bool ok = make_object(p, &r, &object, &size) && fill(s, &r, outcome) &&
            wl_module_load(s->device, "fuzz", object, size, NULL, &module) == WL_OK;
  free(object);
  if (!ok) {
    printf("fuzz: %s\n", wl_error(s->device));
    return false;
  }
  wl_launch_t launch = {0};
  memcpy(launch.grid, p->grid, sizeof launch.grid);
  memcpy(launch.block, p->block, sizeof launch.block);
  wl_arg_t args[] = {WL_ARG(s->out)};
  outcome->status = wl_launch(wl_module_function_at(module, 0), &launch, args, 1, &outcome->result);
  (void)snprintf(outcome->error, sizeof outcome->error, "%s", wl_error(s->device));
  ok = wl_read(s->device, outcome->out, s->out, FUZZ_OUT_BYTES) == WL_OK;
  wl_module_unload(module);
  return ok;
}

void fuzz_print(const fuzz_program_t *p) {
  char text[WL_DIS_MAX];
  printf("  grid %u,%u,%u, block %u,%u,%u, %u registers%s\n", p->grid[0], p->grid[1], p->grid[2],
         p->block[0], p->block[1], p->block[2], p->regs, p->comparable ? ", comparable" : "");
  for (uint32_t i = 0; i < p->count; i++) {
    if (WL_WORD_GET(p->w[i], FORM) == WL_FORM_NOP && i + 1 < p->count) continue;
    (void)wl_dis_word(p->w[i], text, sizeof text);
    printf("  %3u: %-60s  0x%08x 0x%08x 0x%08x 0x%08x\n", i, text, p->w[i][0], p->w[i][1],
           p->w[i][2], p->w[i][3]);
  }
}
