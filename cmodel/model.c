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

/* Words of the register file of a sub-core. */
static size_t reg_words(const wl_sm_t *sm) {
  return (size_t)4 * sm->sub[0].regs.rows * sm->cfg.lanes;
}

static void seed_memories(wl_sm_t *sm, uint64_t seed) {
  const size_t regs = reg_words(sm) * sm->cfg.sub_cores;
  for (size_t i = 0; i < regs; i++)
    sm->sub[0].regs.words[i] = mix(seed, WL_SEED_RF, i);
  for (unsigned i = 0; i < sm->cfg.smem_bytes / 4; i++)
    sm->smem.words[i] = mix(seed, WL_SEED_SMEM, i);
  for (unsigned w = 0; w < sm->cfg.warps; w++) {
    wl_sub_t *s = &sm->sub[wl_sub_of(sm, w)];
    const unsigned row = wl_row_of(sm, w);
    for (unsigned p = 0; p < 8; p++)
      s->regs.pred[row][p] = mix(seed, WL_SEED_PRED, w * 8 + p);
    for (unsigned l = 0; l < WL_LANES; l++)
      s->xch.xbuf[row][l] = mix(seed, WL_SEED_XBUF, w * WL_LANES + l);
  }
}

static bool allocate_icache(wl_fetch_t *f, const wl_config_t *cfg) {
  const size_t lines = cfg->icache_bytes / 64;
  f->lines = (uint32_t)lines;
  f->row = cfg->row;
  f->tag = calloc(lines, sizeof *f->tag);
  f->valid = calloc(lines, sizeof *f->valid);
  f->data = calloc(lines * 16, sizeof *f->data);
  f->decoded = calloc(lines * 4, sizeof *f->decoded);
  f->is_decoded = calloc(lines * 4, sizeof *f->is_decoded);
  return f->tag != NULL && f->valid != NULL && f->data != NULL && f->decoded != NULL &&
         f->is_decoded != NULL;
}

/* The sub-cores' register files lie one behind the other: words of sub-core 0 is all of them. */
static bool allocate(wl_sm_t *sm) {
  const wl_config_t *cfg = &sm->cfg;
  sm->smem.words = calloc(cfg->smem_bytes / 4, sizeof(uint32_t));
  bool all = sm->smem.words != NULL;
  for (unsigned k = 0; k < cfg->sub_cores; k++) {
    wl_regfile_t *rf = &sm->sub[k].regs;
    rf->lanes = cfg->lanes;
    rf->beats = cfg->beats;
    rf->rows = cfg->reg_pages / cfg->sub_cores * 2 * cfg->beats;
    rf->first_bank = 4 * k;
    all = allocate_icache(&sm->sub[k].fetch, cfg) && all;
  }
  uint32_t *words = calloc(reg_words(sm) * cfg->sub_cores, sizeof *words);
  for (unsigned k = 0; k < cfg->sub_cores && words != NULL; k++)
    sm->sub[k].regs.words = words + k * reg_words(sm);
  return all && words != NULL;
}

static void share_warps(wl_sm_t *sm) {
  while (1u << sm->sub_bits < sm->cfg.sub_cores)
    sm->sub_bits++;
  for (unsigned w = 0; w < sm->cfg.warps; w++) {
    wl_sub_t *s = &sm->sub[wl_sub_of(sm, w)];
    s->warps |= UINT64_C(1) << w;
    s->last_warp = (uint8_t)w;
    sm->all_warps |= UINT64_C(1) << w;
  }
}

wl_model_t *wl_model_create(const wl_config_t *config, uint64_t seed, uint8_t *image, uint64_t base,
                            uint64_t size) {
  wl_model_t *model = calloc(1, sizeof *model);
  if (model == NULL) return NULL;
  wl_sm_t *sm = &model->sm;
  sm->cfg = *config;
  share_warps(sm);
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
  free(model->sm.sub[0].regs.words);
  free(model->sm.smem.words);
  for (unsigned k = 0; k < model->sm.cfg.sub_cores; k++) {
    wl_fetch_t *f = &model->sm.sub[k].fetch;
    free(f->tag);
    free(f->valid);
    free(f->data);
    free(f->decoded);
    free(f->is_decoded);
  }
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

void wl_model_step(wl_model_t *model) { wl_sm_cycle(&model->sm, &model->wires); }

uint64_t wl_model_run(wl_model_t *model, uint64_t limit) {
  uint64_t n = 0;
  while (n < limit && (model->sm.disp.start || !wl_model_done(model))) {
    wl_model_step(model);
    n++;
  }
  return n;
}

bool wl_model_done(const wl_model_t *model) { return model->sm.disp.state == WL_DISP_DONE; }

uint64_t wl_model_cycle(const wl_model_t *model) { return model->sm.cycle; }

wl_model_trap_t wl_model_trap(const wl_model_t *model) {
  const wl_trap_info_t *t = &model->sm.trap.latched;
  if (!t->valid) return (wl_model_trap_t){.cause = WL_TRAP_NONE};
  return (wl_model_trap_t){(wl_trap_t)t->cause, t->warp, t->lane, t->pc, t->address};
}

const char *wl_model_error(const wl_model_t *model) { return model->sm.error; }

bool wl_model_hung(const wl_model_t *model) { return model->sm.trap.quiet >= WL_WATCHDOG_CYCLES; }

void wl_model_set_journal(wl_model_t *model, wl_journal_fn_t fn, void *user) {
  model->sm.journal = fn;
  model->sm.journal_user = user;
}

void wl_model_set_watch(wl_model_t *model, wl_watch_fn_t fn, void *user) {
  model->sm.watch = fn;
  model->sm.watch_user = user;
}

const wl_model_counters_t *wl_model_counters(const wl_model_t *model) { return &model->sm.count; }

wl_model_state_t wl_model_state(const wl_model_t *model) {
  const wl_sm_t *sm = &model->sm;
  wl_model_state_t state = {.regs = sm->sub[0].regs.words,
                            .reg_rows = sm->sub[0].regs.rows,
                            .smem = sm->smem.words,
                            .sm = sm};
  for (unsigned k = 0; k < sm->cfg.sub_cores; k++) {
    state.preds[k] = &sm->sub[k].regs.pred[0][0];
    state.xbuf[k] = &sm->sub[k].xch.xbuf[0][0];
  }
  return state;
}
