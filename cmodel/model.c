/* The driver's view of the golden model (cmodel/model.h): creation, seeding
 * (docs/microarchitecture.md 15), stepping. */
#include "cmodel/model.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/gpu/sm.h"
#include "gen/warplock_layout.h"

struct wl_model {
  wl_sm_t sm;
  wl_wires_t wires;
};

static uint32_t mix(uint64_t seed, uint64_t kind, uint64_t index) {
  return (uint32_t)wl_sm_mix(seed, kind, index);
}

static void seed_memories(wl_sm_t *sm, uint64_t seed) {
  const size_t regs = (size_t)4 * sm->regs.rows * sm->regs.lanes;
  for (size_t i = 0; i < regs; i++)
    sm->regs.words[i] = mix(seed, WL_SEED_RF, i);
  for (unsigned i = 0; i < sm->cfg.smem_bytes / 4; i++)
    sm->smem.words[i] = mix(seed, WL_SEED_SMEM, i);
  for (unsigned w = 0; w < sm->cfg.warps; w++) {
    for (unsigned p = 0; p < 8; p++)
      sm->regs.pred[w][p] = mix(seed, WL_SEED_PRED, w * 8 + p);
    for (unsigned l = 0; l < WL_LANES; l++)
      sm->xch.xbuf[w][l] = mix(seed, WL_SEED_XBUF, w * WL_LANES + l);
  }
}

static bool allocate(wl_sm_t *sm) {
  sm->regs.lanes = sm->cfg.lanes;
  sm->regs.beats = sm->cfg.beats;
  sm->regs.rows = sm->cfg.reg_pages * 2 * sm->cfg.beats;
  sm->fetch.lines = sm->cfg.icache_bytes / 64;
  const size_t lines = sm->fetch.lines;
  sm->regs.words = calloc((size_t)4 * sm->regs.rows * sm->regs.lanes, sizeof(uint32_t));
  sm->smem.words = calloc(sm->cfg.smem_bytes / 4, sizeof(uint32_t));
  sm->fetch.tag = calloc(lines, sizeof *sm->fetch.tag);
  sm->fetch.valid = calloc(lines, sizeof *sm->fetch.valid);
  sm->fetch.data = calloc(lines * 16, sizeof *sm->fetch.data);
  sm->fetch.decoded = calloc(lines * 4, sizeof *sm->fetch.decoded);
  sm->fetch.is_decoded = calloc(lines * 4, sizeof *sm->fetch.is_decoded);
  return sm->regs.words != NULL && sm->smem.words != NULL && sm->fetch.tag != NULL &&
         sm->fetch.valid != NULL && sm->fetch.data != NULL && sm->fetch.decoded != NULL &&
         sm->fetch.is_decoded != NULL;
}

wl_model_t *wl_model_create(const wl_config_t *config, uint64_t seed, uint8_t *image, uint64_t base,
                            uint64_t size) {
  if (config->sub_cores != 1) return NULL;
  wl_model_t *model = calloc(1, sizeof *model);
  if (model == NULL) return NULL;
  wl_sm_t *sm = &model->sm;
  sm->cfg = *config;
  sm->all_warps = config->warps >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << config->warps) - 1;
  sm->memory.image = image;
  sm->memory.base = base;
  sm->memory.size = size;
  if (!allocate(sm)) {
    wl_model_destroy(model);
    return NULL;
  }
  wl_sm_reset(sm);
  sm->seed = seed;
  seed_memories(sm, seed);
  return model;
}

void wl_model_destroy(wl_model_t *model) {
  if (model == NULL) return;
  free(model->sm.regs.words);
  free(model->sm.smem.words);
  free(model->sm.fetch.tag);
  free(model->sm.fetch.valid);
  free(model->sm.fetch.data);
  free(model->sm.fetch.decoded);
  free(model->sm.fetch.is_decoded);
  free(model);
}

void wl_model_disturb(wl_model_t *model, unsigned density) {
  model->sm.density = (uint8_t)density;
  if (density == 0) model->sm.stall = 0;
}

void wl_model_start(wl_model_t *model, uint64_t launch_addr) {
  model->sm.disp.start = true;
  model->sm.disp.launch_in = launch_addr;
}

void wl_model_step(wl_model_t *model) {
  wl_sm_cycle(&model->sm, &model->wires);
}

uint64_t wl_model_run(wl_model_t *model, uint64_t limit) {
  uint64_t n = 0;
  while (n < limit && (model->sm.disp.start || !wl_model_done(model))) {
    wl_model_step(model);
    n++;
  }
  return n;
}

bool wl_model_done(const wl_model_t *model) {
  return model->sm.disp.state == WL_DISP_DONE;
}

uint64_t wl_model_cycle(const wl_model_t *model) {
  return model->sm.cycle;
}

wl_model_trap_t wl_model_trap(const wl_model_t *model) {
  const wl_trap_info_t *t = &model->sm.trap.latched;
  if (!t->valid) return (wl_model_trap_t){.cause = WL_TRAP_NONE};
  return (wl_model_trap_t){(wl_trap_t)t->cause, t->warp, t->lane, t->pc, t->address};
}

const char *wl_model_error(const wl_model_t *model) {
  return model->sm.error;
}

bool wl_model_hung(const wl_model_t *model) {
  return model->sm.trap.quiet >= WL_WATCHDOG_CYCLES;
}

void wl_model_set_journal(wl_model_t *model, wl_journal_fn_t fn, void *user) {
  model->sm.journal = fn;
  model->sm.journal_user = user;
}

void wl_model_set_watch(wl_model_t *model, wl_watch_fn_t fn, void *user) {
  model->sm.watch = fn;
  model->sm.watch_user = user;
}

const wl_model_counters_t *wl_model_counters(const wl_model_t *model) {
  return &model->sm.count;
}

wl_model_state_t wl_model_state(const wl_model_t *model) {
  const wl_sm_t *sm = &model->sm;
  return (wl_model_state_t){.regs = sm->regs.words,
                            .reg_rows = sm->regs.rows,
                            .preds = &sm->regs.pred[0][0],
                            .smem = sm->smem.words,
                            .smem_words = sm->cfg.smem_bytes / 4,
                            .xbuf = &sm->xch.xbuf[0][0],
                            .rows = &sm->paths.row[0][0],
                            .sm = sm};
}
