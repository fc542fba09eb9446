/* func.c: the functional runner as a backend: launch block, residency of CTAs, order of warps
 * (docs/microarchitecture.md 3). Warps take turns of FUNC_QUANTUM issues, so that every resident
 * warp makes progress; as many CTAs are resident as the configuration holds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/func/func.h"
#include "driver/splitmix.h"
#include "gen/warplock_layout.h"

/* As docs/microarchitecture.md 15; the place of a register differs, as the runner has no banks. */
static void seed(func_sm_t *sm) {
  for (uint32_t s = 0; s < sm->desc.config->warps; s++) {
    func_warp_t *w = &sm->warps[s];
    for (uint32_t r = 0; r < 255; r++) {
      for (uint32_t i = 0; i < WL_LANES; i++) {
        const uint64_t index = ((uint64_t)s * 256 + r) * WL_LANES + i;
        w->regs[r][i] = (uint32_t)wl_mix(sm->desc.seed, WL_SEED_RF, index);
      }
    }
    for (uint32_t p = 0; p < 7; p++) {
      w->preds[p] = (uint32_t)wl_mix(sm->desc.seed, WL_SEED_PRED, (uint64_t)s * 8 + p);
    }
    w->preds[7] = UINT32_MAX;
  }
  for (uint32_t i = 0; i < sm->desc.config->smem_bytes / 4; i++) {
    uint32_t word = (uint32_t)wl_mix(sm->desc.seed, WL_SEED_SMEM, i);
    memcpy(sm->smem + 4 * (size_t)i, &word, sizeof word);
  }
}

static void func_close(void *state) {
  func_sm_t *sm = state;
  if (sm != NULL) {
    free(sm->code);
    free(sm->smem);
    free(sm->tmem.words);
    free(sm->warps);
    free(sm);
  }
}

static int func_open(const wl_backend_desc_t *desc, void **state, char *err, size_t cap) {
  func_sm_t *sm = calloc(1, sizeof *sm);
  *state = NULL;
  if (sm != NULL) {
    sm->desc = *desc;
    sm->smem = calloc(1, desc->config->smem_bytes);
    sm->warps = calloc(desc->config->warps, sizeof *sm->warps);
  }
  if (sm == NULL || sm->smem == NULL || sm->warps == NULL || !func_tmem_open(sm)) {
    func_close(sm);
    (void)snprintf(err, cap, "out of memory");
    return WL_RUN_INTERNAL;
  }
  seed(sm);
  *state = sm;
  return WL_RUN_OK;
}

static bool beyond(uint32_t r, uint32_t words, uint32_t limit) {
  for (uint32_t k = 0; k < words; k++) {
    if (r + k < WL_REG_ZERO && r + k >= limit) {
      return true;
    }
  }
  return false;
}

static bool overlap(uint32_t r, uint32_t words, uint32_t d, uint32_t d_words) {
  return words != 0 && r < d + d_words && d < r + words;
}

static bool is_direct(const wl_insn_dec_t *i) {
  const wl_form_info_t *f = i->info;
  return f != NULL && f->d != 0 && i->rd + f->d <= WL_REG_ZERO &&
         !overlap(i->ra, f->a, i->rd, f->d) && !overlap(i->rb, f->b, i->rd, f->d) &&
         !overlap(i->rc, f->c, i->rd, f->d);
}

static wl_trap_t predecode(const uint32_t word[4], uint32_t row, uint32_t regs,
                           wl_insn_dec_t *dec) {
  wl_trap_t trap = wl_decode(word, row, dec);
  if (trap == WL_TRAP_NONE) {
    const wl_form_info_t *f = dec->info;
    bool bad = beyond(dec->rd, f->counted ? (dec->imm & 127) + 1 : f->d, regs) ||
               beyond(dec->ra, f->a, regs) || beyond(dec->rb, f->b, regs) ||
               beyond(dec->rc, f->c, regs);
    trap = bad ? WL_TRAP_REGISTER_RANGE : WL_TRAP_NONE;
    /* A unit for tests of the timed backends: the interpreter lacks it. */
    if (f->unit == WL_UNIT_PROBE) trap = WL_TRAP_ILLEGAL_FORM;
  }
  return trap;
}

static bool in_memory(const func_sm_t *sm, uint64_t address, uint64_t bytes) {
  return address >= WL_MEM_BASE && address - WL_MEM_BASE <= sm->desc.mem_bytes &&
         bytes <= sm->desc.mem_bytes - (address - WL_MEM_BASE);
}

bool func_load(func_sm_t *sm, uint64_t at) {
  if (!in_memory(sm, at, sizeof sm->launch)) {
    return false;
  }
  memcpy(&sm->launch, sm->desc.mem + (at - WL_MEM_BASE), sizeof sm->launch);
  const wl_launch_block_t *l = &sm->launch;
  uint64_t code = wl_pair(l->code_base);
  sm->mem_base = wl_pair(l->mem_base);
  sm->mem_limit = wl_pair(l->mem_limit);
  sm->local_base = wl_pair(l->local_base);
  sm->cbase[0] = wl_pair(l->c0_base);
  sm->cbase[1] = wl_pair(l->c1_base);
  sm->cbase[2] = wl_pair(l->c2_base);
  sm->csize[0] = WL_LAUNCH_BLOCK_WORDS * 4 + l->param_bytes;
  sm->csize[1] = l->c1_bytes;
  sm->csize[2] = l->c2_bytes;
  bool ok =
      in_memory(sm, code, (uint64_t)l->code_words * 16) &&
      in_memory(sm, sm->mem_base, sm->mem_limit - sm->mem_base) &&
      in_memory(sm, sm->local_base, (uint64_t)l->local_bytes * sm->desc.config->warps * WL_LANES);
  for (int b = 0; b < 3; b++) {
    ok = ok && in_memory(sm, sm->cbase[b], sm->csize[b]);
  }
  if (!ok || l->warps > 32 || l->warps == 0 || l->ntid_x == 0 || l->ntid_y == 0) {
    return false;
  }
  if (l->code_words > sm->code_cap) {
    free(sm->code);
    sm->code = malloc(l->code_words * sizeof *sm->code);
    sm->code_cap = sm->code == NULL ? 0 : l->code_words;
  }
  sm->code_words = l->code_words;
  for (uint32_t i = 0; sm->code != NULL && i < l->code_words; i++) {
    uint32_t word[4];
    memcpy(word, sm->desc.mem + (code - WL_MEM_BASE) + (uint64_t)i * 16, sizeof word);
    sm->code[i].trap = predecode(word, sm->desc.config->row, l->reg_pages * 8, &sm->code[i].dec);
    sm->code[i].direct = is_direct(&sm->code[i].dec);
  }
  return sm->code != NULL;
}

/* Registers, predicates and local memory of a warp's threads as a watch is promised them. */
static void clear_warp(func_sm_t *sm, func_warp_t *w) {
  memset(w->regs, 0, sizeof w->regs);
  memset(w->preds, 0, 7 * sizeof w->preds[0]);
  const uint64_t row = (uint64_t)sm->desc.config->warps * WL_LANES * 4;
  uint8_t *words = sm->desc.mem + (sm->local_base - WL_MEM_BASE) + (uint64_t)w->slot * WL_LANES * 4;
  for (uint32_t i = 0; i < sm->launch.local_bytes / 4; i++) {
    memset(words + i * row, 0, (size_t)WL_LANES * 4);
  }
}

static void start_warp(func_sm_t *sm, uint32_t slot, uint32_t cta, uint32_t index) {
  func_warp_t *w = &sm->warps[slot];
  uint32_t left = sm->launch.threads - 32 * index;
  /* Registers and predicates keep what was there. */
  memset(w, 0, offsetof(func_warp_t, preds));
  w->valid = true;
  w->slot = slot;
  w->cta = cta;
  w->index = index;
  w->live = left >= 32 ? UINT32_MAX : (1u << left) - 1;
  w->ready = w->live;
  for (uint32_t i = 0; i < WL_LANES; i++) {
    w->lane_pc[i] = sm->launch.entry_pc;
  }
  if (sm->watch != NULL) {
    clear_warp(sm, w);
    if (sm->watch->start != NULL) {
      sm->watch->start(sm->watch->context, sm, w);
    }
  }
}

/* The lowest free warp slots, by_index of the sub-cores that the warps' indices name, and the pages
 * that their sub-cores need for them. False: not enough of either. Slot s belongs to sub-core s mod
 * SubCores. */
static bool choose_warps(const func_sm_t *sm, uint32_t warps[32]) {
  const wl_launch_block_t *l = &sm->launch;
  const wl_config_t *config = sm->desc.config;
  const uint32_t step = config->sub_cores == 4 && (l->by_index & 1u) != 0 ? 4 : 1;
  uint32_t needed[WL_MOST_SUB_CORES] = {0};
  uint32_t found = 0, from[4] = {0, 1, 2, 3}; /* where the search of each sub-core goes on */
  while (found < l->warps) {
    uint32_t s = from[found % step];
    while (s < config->warps && sm->warps[s].valid) {
      s += step;
    }
    if (s >= config->warps) {
      return false;
    }
    from[found % step] = s + step;
    needed[s % config->sub_cores] += l->reg_pages;
    warps[found++] = s;
  }
  for (uint32_t k = 0; k < config->sub_cores; k++) {
    if (needed[k] > sm->free_pages[k]) {
      return false;
    }
  }
  return true;
}

/* Starts the next CTA if it fits. */
static bool start_cta(func_sm_t *sm) {
  const wl_launch_block_t *l = &sm->launch;
  const wl_config_t *config = sm->desc.config;
  uint32_t slot = 0;
  uint32_t warps[32];
  while (slot < config->ctas && sm->ctas[slot].valid) {
    slot++;
  }
  if (!sm->remaining || slot == config->ctas ||
      (uint64_t)(slot + 1) * l->smem_units * 1024 > config->smem_bytes ||
      !choose_warps(sm, warps)) {
    return false;
  }
  func_cta_t *cta = &sm->ctas[slot];
  memset(cta, 0, sizeof *cta);
  cta->valid = true;
  cta->nwarps = l->warps;
  cta->smem_base = slot * l->smem_units * 1024;
  memcpy(cta->id, sm->next, sizeof cta->id);
  if (sm->watch != NULL) {
    memset(sm->smem + cta->smem_base, 0, (size_t)l->smem_units * 1024);
  }
  for (uint32_t k = 0; k < l->warps; k++) {
    cta->warps[k] = warps[k];
    sm->free_pages[warps[k] % config->sub_cores] -= l->reg_pages;
    start_warp(sm, warps[k], slot, k);
  }
  const uint32_t grid[3] = {l->nctaid_x, l->nctaid_y, l->nctaid_z};
  for (int i = 0; i < 3; i++) {
    if (++sm->next[i] < grid[i]) {
      return true;
    }
    sm->next[i] = 0;
  }
  sm->remaining = false;
  return true;
}

/* Frees the CTAs whose warps have all ended; true if one is left. */
static bool free_ctas(func_sm_t *sm) {
  bool any = false;
  for (uint32_t c = 0; c < sm->desc.config->ctas; c++) {
    func_cta_t *cta = &sm->ctas[c];
    uint32_t live = 0;
    for (uint32_t k = 0; cta->valid && k < cta->nwarps; k++) {
      live |= sm->warps[cta->warps[k]].live;
    }
    if (cta->valid && live == 0) {
      for (uint32_t k = 0; k < cta->nwarps; k++) {
        sm->warps[cta->warps[k]].valid = false;
        sm->free_pages[cta->warps[k] % sm->desc.config->sub_cores] += sm->launch.reg_pages;
      }
      cta->valid = false;
      func_tmem_end(sm, c);
    }
    any = any || cta->valid;
  }
  return any;
}

/* Wakes lanes whose time has come; returns the earliest time of those that still sleep or wait. Where
 * a wait for an mbarrier ends by its time, the lane goes on behind it: it stands at the test. */
static uint64_t wake_sleepers(func_sm_t *sm, func_warp_t *w) {
  uint64_t earliest = UINT64_MAX;
  for (uint32_t m = w->sleep | w->wait; m != 0; m &= m - 1) {
    uint32_t lane = func_lowest(m);
    if (w->wake[lane] <= sm->clock) {
      w->lane_pc[lane] += (w->wait >> lane & 1u) * 2;
      w->sleep &= ~(1u << lane);
      w->wait &= ~(1u << lane);
      w->ready |= 1u << lane;
    } else if (w->wake[lane] < earliest) {
      earliest = w->wake[lane];
    }
  }
  return earliest;
}

/* One round over the warps. False when nothing can run any more. */
static bool round_of_warps(func_sm_t *sm) {
  uint64_t earliest = UINT64_MAX;
  bool ran = false;
  for (uint32_t s = 0; s < sm->desc.config->warps && sm->trap.cause == WL_TRAP_NONE; s++) {
    func_warp_t *w = &sm->warps[s];
    if (!w->valid || w->live == 0) {
      continue;
    }
    uint64_t next = (w->sleep | w->wait) != 0 ? wake_sleepers(sm, w) : UINT64_MAX;
    earliest = next < earliest ? next : earliest;
    uint64_t before = sm->clock;
    func_run_warp(sm, w, FUNC_QUANTUM);
    ran = ran || sm->clock != before;
  }
  if (!ran && earliest != UINT64_MAX) {
    sm->clock = earliest;
    return true;
  }
  return ran;
}

/* True when the run is to end before the program does. */
static bool told_to_stop(func_sm_t *sm) {
  sm->limited = sm->limit != 0 && sm->clock >= sm->limit;
  sm->stopped = sm->desc.stop != NULL && sm->desc.stop(sm->desc.stop_context);
  return sm->limited || sm->stopped;
}

static wl_run_status_t execute(func_sm_t *sm) {
  for (;;) {
    while (start_cta(sm)) {
    }
    bool ran = round_of_warps(sm);
    if (sm->trap.cause != WL_TRAP_NONE) {
      return WL_RUN_TRAP;
    }
    if (!free_ctas(sm) && !sm->remaining) {
      return WL_RUN_OK;
    }
    bool room = !ran && sm->remaining && start_cta(sm);
    if (told_to_stop(sm) || (!ran && !room)) {
      return WL_RUN_HANG;
    }
  }
}

static void func_run(void *state, uint64_t launch_block, uint64_t max_cycles,
                     wl_run_result_t *result) {
  func_sm_t *sm = state;
  memset(&sm->trap, 0, sizeof sm->trap);
  memset(sm->ctas, 0, sizeof sm->ctas);
  memset(sm->next, 0, sizeof sm->next);
  func_tmem_clear(sm);
  for (uint32_t s = 0; s < sm->desc.config->warps; s++) {
    sm->warps[s].valid = false;
    sm->warps[s].wait = 0;
  }
  uint64_t before = sm->clock;
  sm->thread_insns = 0;
  sm->limit = max_cycles == 0 ? 0 : sm->clock + max_cycles;
  sm->remaining = true;
  for (uint32_t k = 0; k < sm->desc.config->sub_cores; k++) {
    sm->free_pages[k] = sm->desc.config->reg_pages / sm->desc.config->sub_cores;
  }
  if (!func_load(sm, launch_block)) {
    result->status = WL_RUN_INTERNAL;
    (void)snprintf(result->report, sizeof result->report, "the launch block is damaged");
    return;
  }
  result->status = execute(sm);
  result->instructions = sm->clock - before;
  result->thread_instructions = sm->thread_insns;
  result->trap = sm->trap;
  result->columns_left = sm->tmem.left;
  if (result->status == WL_RUN_HANG) {
    func_hang_report(sm, result->report, sizeof result->report);
  }
}

const wl_backend_ops_t wl_backend_func = {"func", func_open, func_run, func_dump, func_close, NULL};
