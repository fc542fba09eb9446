/* The driver's view of the golden model (cmodel/model.h): creation, seeding
 * (docs/microarchitecture.md 15), stepping. */
#include "cmodel/model.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/gpu/gpu.h"
#include "gen/warplock_layout.h"

struct wl_model {
  wl_gpu_t gpu;
};

static uint32_t mix(uint64_t seed, uint64_t kind, uint64_t index) {
  return (uint32_t)wl_gpu_mix(seed, kind, index);
}

/* Words of the register file of a sub-core. */
static size_t reg_words(const wl_sm_t *sm) {
  return (size_t)4 * sm->sub[0].operands.regs.rows * sm->env.cfg.lanes;
}

static unsigned tmem_words(const wl_config_t *cfg) {
  return WL_TMEM_QUARTERS * cfg->tmem_columns * WL_LANES;
}

static void seed_memories(wl_sm_t *sm, uint64_t seed) {
  const size_t regs = reg_words(sm) * sm->env.cfg.sub_cores;
  for (size_t i = 0; i < regs; i++)
    sm->sub[0].operands.regs.words[i] = mix(seed, WL_SEED_RF, i);
  for (unsigned i = 0; i < sm->env.cfg.smem_bytes / 4; i++)
    sm->smem.words[i] = mix(seed, WL_SEED_SMEM, i);
  if (sm->env.cfg.tmem != 0)
    for (unsigned i = 0; i < tmem_words(&sm->env.cfg); i++)
      sm->sub[0].tmem.words[i] = mix(seed, WL_SEED_TMEM, i);
  for (unsigned w = 0; w < sm->env.cfg.warps; w++) {
    wl_sub_t *s = &sm->sub[wl_sub_of(&sm->env, w)];
    const unsigned row = wl_row_of(&sm->env, w);
    for (unsigned p = 0; p < 8; p++)
      s->operands.regs.pred[row][p] = mix(seed, WL_SEED_PRED, w * 8 + p);
    for (unsigned l = 0; l < WL_LANES; l++)
      s->exchange.xbuf[row][l] = mix(seed, WL_SEED_XBUF, w * WL_LANES + l);
  }
}

static bool allocate_icache(wl_fetch_t *f, size_t lines) {
  f->lines = (uint32_t)lines;
  f->tag = calloc(lines, sizeof *f->tag);
  f->valid = calloc(lines, sizeof *f->valid);
  f->data = calloc(lines * 16, sizeof *f->data);
  f->decoded = calloc(lines * 4, sizeof *f->decoded);
  f->is_decoded = calloc(lines * 4, sizeof *f->is_decoded);
  return f->tag != NULL && f->valid != NULL && f->data != NULL && f->decoded != NULL &&
         f->is_decoded != NULL;
}

/* The sub-cores' register files follow each other: words of sub-core 0 is all of them. */
static bool allocate(wl_sm_t *sm) {
  const wl_config_t *cfg = &sm->env.cfg;
  sm->smem.words = calloc(cfg->smem_bytes / 4, sizeof(uint32_t));
  bool all = sm->smem.words != NULL;
  for (unsigned k = 0; k < cfg->sub_cores; k++) {
    wl_regfile_t *rf = &sm->sub[k].operands.regs;
    rf->lanes = cfg->lanes;
    rf->beats = cfg->beats;
    rf->rows = cfg->reg_pages / cfg->sub_cores * 2 * cfg->beats;
    rf->first_bank = 4 * k;
    all = allocate_icache(&sm->sub[k].fetch, cfg->icache_bytes / 64) && all;
  }
  uint32_t *words = calloc(reg_words(sm) * cfg->sub_cores, sizeof *words);
  for (unsigned k = 0; k < cfg->sub_cores && words != NULL; k++)
    sm->sub[k].operands.regs.words = words + k * reg_words(sm);
  if (cfg->tmem != 0) {
    uint32_t *tmem = calloc(tmem_words(cfg), sizeof *tmem);
    for (unsigned k = 0; k < cfg->sub_cores; k++)
      sm->sub[k].tmem.words = tmem;
    all = all && tmem != NULL;
  }
  return all && words != NULL;
}

wl_model_t *wl_model_create(const wl_config_t *config, uint64_t seed, uint8_t *image, uint64_t base,
                            uint64_t size) {
  wl_model_t *model = calloc(1, sizeof *model);
  if (model == NULL) return NULL;
  wl_gpu_t *gpu = &model->gpu;
  wl_gpu_open(gpu, config);
  gpu->memory.image = image;
  gpu->memory.base = base;
  gpu->memory.size = size;
  if (!allocate(&gpu->sm[0])) {
    wl_model_destroy(model);
    return NULL;
  }
  wl_gpu_reset(gpu);
  gpu->seed = seed;
  seed_memories(&gpu->sm[0], seed);
  return model;
}

void wl_model_destroy(wl_model_t *model) {
  if (model == NULL) return;
  wl_sm_t *sm = &model->gpu.sm[0];
  free(sm->sub[0].operands.regs.words);
  free(sm->sub[0].tmem.words);
  free(sm->smem.words);
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    wl_fetch_t *f = &sm->sub[k].fetch;
    free(f->tag);
    free(f->valid);
    free(f->data);
    free(f->decoded);
    free(f->is_decoded);
  }
  free(model);
}

void wl_model_disturb(wl_model_t *model, unsigned density) {
  model->gpu.env.density = (uint8_t)density;
  if (density == 0) model->gpu.env.stall = 0;
}

void wl_model_start(wl_model_t *model, uint64_t launch_addr) {
  model->gpu.grid.start = true;
  model->gpu.grid.launch_in = launch_addr;
}

void wl_model_step(wl_model_t *model) { wl_gpu_cycle(&model->gpu); }

uint64_t wl_model_run(wl_model_t *model, uint64_t limit) {
  uint64_t n = 0;
  while (n < limit && (model->gpu.grid.start || !wl_model_done(model))) {
    wl_model_step(model);
    n++;
  }
  return n;
}

bool wl_model_done(const wl_model_t *model) { return model->gpu.grid.state == WL_GRID_DONE; }

uint64_t wl_model_cycle(const wl_model_t *model) { return model->gpu.env.cycle; }

wl_model_trap_t wl_model_trap(const wl_model_t *model) {
  const wl_trap_info_t *t = &model->gpu.sm[0].trap.latched;
  if (!t->valid) return (wl_model_trap_t){.cause = WL_TRAP_NONE};
  return (wl_model_trap_t){(wl_trap_t)t->cause, t->warp, t->lane, t->pc, t->address};
}

const char *wl_model_error(const wl_model_t *model) { return model->gpu.reports.error; }

bool wl_model_hung(const wl_model_t *model) {
  return model->gpu.sm[0].trap.quiet >= model->gpu.sm[0].env.cfg.watchdog_cycles;
}

void wl_model_set_journal(wl_model_t *model, wl_journal_fn_t fn, void *user) {
  model->gpu.reports.journal = fn;
  model->gpu.reports.journal_user = user;
}

void wl_model_set_watch(wl_model_t *model, wl_watch_fn_t fn, void *user) {
  model->gpu.watch = fn;
  model->gpu.watch_user = user;
}

const wl_model_counters_t *wl_model_counters(const wl_model_t *model) {
  return &model->gpu.reports.count;
}

wl_model_state_t wl_model_state(const wl_model_t *model) {
  const wl_sm_t *sm = &model->gpu.sm[0];
  wl_model_state_t state = {.regs = sm->sub[0].operands.regs.words,
                            .reg_rows = sm->sub[0].operands.regs.rows,
                            .smem = sm->smem.words,
                            .tmem = sm->sub[0].tmem.words,
                            .gpu = &model->gpu};
  for (unsigned k = 0; k < sm->env.cfg.sub_cores; k++) {
    state.preds[k] = &sm->sub[k].operands.regs.pred[0][0];
    state.xbuf[k] = &sm->sub[k].exchange.xbuf[0][0];
  }
  return state;
}
