/* Helper of the golden model's tests; see program.h. */
#include "tests/unit/model/program.h"

#include <stdlib.h>

static uint32_t pred(uint32_t given) { return given != 0 ? given & 7 : 7; }

void bench_open(wl_bench_t *b, wl_config_id_t config, uint32_t threads, uint32_t ctas) {
  memset(b, 0, sizeof *b);
  b->image = calloc(1, MEM_SIZE);
  b->model = wl_model_create(&wl_configs[config], 7, b->image, MEM_BASE, MEM_SIZE);
  b->lb = (wl_launch_block_t){.nctaid_x = ctas,
                              .nctaid_y = 1,
                              .nctaid_z = 1,
                              .ntid_x = threads,
                              .ntid_y = 1,
                              .ntid_z = 1,
                              .threads = threads,
                              .warps = (threads + 31) / 32,
                              .reg_pages = 4,
                              .smem_units = 1,
                              .smem_bytes = 1024,
                              .code_base = {CODE},
                              .local_base = {LOCAL},
                              .local_bytes = 64,
                              .mem_base = {MEM_BASE},
                              .mem_limit = {MEM_BASE + MEM_SIZE},
                              .c0_base = {LAUNCH}};
  b->lb.recip_x = ((1u << 20) + threads - 1) / threads;
  b->lb.recip_xy = b->lb.recip_x;
}

void bench_close(wl_bench_t *b) {
  wl_model_destroy(b->model);
  free(b->image);
}

uint32_t bench_emit(wl_bench_t *b, wl_form_t form, wl_x_t x) {
  const wl_form_info_t *info = &wl_form_info[form];
  uint32_t w[4] = {0};
  WL_WORD_SET(w, FORM, form);
  WL_WORD_SET(w, GUARD, pred(x.guard));
  WL_WORD_SET(w, GUARD_NEG, x.neg);
  if (info->d || info->counted) WL_WORD_SET(w, RD, x.rd);
  if (info->a) WL_WORD_SET(w, RA, x.ra);
  if (info->b) WL_WORD_SET(w, RB, x.rb);
  if (info->c) WL_WORD_SET(w, RC, x.rc);
  if (info->preds & WL_PRED_D) WL_WORD_SET(w, PD, pred(x.pd));
  if (info->preds & WL_PRED_Q) WL_WORD_SET(w, PQ, pred(x.pq));
  if (info->preds & WL_PRED_S) WL_WORD_SET(w, PS, pred(x.ps));
  if (info->preds & WL_PRED_T) WL_WORD_SET(w, PT, 7);
  if (info->preds & WL_PRED_S) WL_WORD_SET(w, PS_NEG, x.ps_neg);
  if (info->mods & WL_MOD_CMP) WL_WORD_SET(w, CMP, x.cmp);
  if (info->mods & WL_MOD_BOP) WL_WORD_SET(w, BOP, 3);
  if (info->mods & WL_MOD_STRONG) WL_WORD_SET(w, STRONG, x.strong);
  if (info->mods & WL_MOD_XMODE) WL_WORD_SET(w, XMODE, x.xmode);
  if (info->mods & WL_MOD_TA) WL_WORD_SET(w, TA, x.ta);
  if (info->mods & WL_MOD_B16) WL_WORD_SET(w, B16, x.b16);
  if (info->imm != WL_IMM_NONE) WL_WORD_SET(w, IMM, x.imm);
  memcpy(b->image + (CODE - MEM_BASE) + 16 * (size_t)b->code_words, w, 16);
  return b->code_words++;
}

void bench_patch(wl_bench_t *b, uint32_t at, uint32_t imm) {
  memcpy(b->image + (CODE - MEM_BASE) + 16 * (size_t)at + 8, &imm, 4);
}

uint64_t bench_run(wl_bench_t *b) {
  b->lb.code_words = b->code_words;
  memcpy(b->image + (LAUNCH - MEM_BASE), &b->lb, sizeof b->lb);
  wl_model_start(b->model, LAUNCH);
  const uint64_t n = wl_model_run(b->model, 200000);
  bench_expect(b, "done", wl_model_done(b->model), 1);
  if (wl_model_error(b->model) != NULL) {
    printf("model error: %s\n", wl_model_error(b->model));
    b->failures++;
  }
  return n;
}

/* From section 6.1, by hand: the bank and row of a register through the page map. */
uint32_t bench_reg(const wl_bench_t *b, unsigned warp, unsigned reg, unsigned lane) {
  const wl_model_state_t s = wl_model_state(b->model);
  const wl_sm_t *sm = &s.gpu->sm[0];
  const wl_config_t *cfg = &sm->env.cfg;
  const unsigned page = sm->dispatcher.page_map[warp][reg / 8];
  const unsigned row = (page * 2 + reg / 4 % 2) * cfg->beats + lane / cfg->lanes;
  const unsigned bank = warp % cfg->sub_cores * 4 + (reg + warp) % 4;
  return s.regs[((size_t)bank * s.reg_rows + row) * cfg->lanes + lane % cfg->lanes];
}

uint32_t bench_load(const wl_bench_t *b, uint64_t address) {
  uint32_t value;
  memcpy(&value, b->image + (address - MEM_BASE), 4);
  return value;
}

/* HazardScan: the only warp is taken in cycle 1 behind the issue, judged in 2, and while it is not free
 * again in 4, 6, ...; nohaz is visible one cycle later. IssueAhead: chosen in that cycle, read in the
 * next, issued in the one behind. */
uint32_t bench_distance(const wl_config_t *cfg, uint32_t n, uint32_t free) {
  uint32_t at = free < 1 ? 1 : free;
  if (cfg->hazard_scan) at = (at < 2 ? 2 : (at + 1) / 2 * 2) + 1;
  if (cfg->issue_ahead) at += 2;
  return at < n ? n : at;
}

void bench_expect(wl_bench_t *b, const char *what, uint64_t got, uint64_t expected) {
  if (got == expected) return;
  printf("%s: got %llu (0x%llx), expected %llu (0x%llx)\n", what, (unsigned long long)got,
         (unsigned long long)got, (unsigned long long)expected, (unsigned long long)expected);
  b->failures++;
}

void bench_expect_in(wl_bench_t *b, unsigned cycle, const char *what, uint64_t got,
                     uint64_t expected) {
  char text[64];
  snprintf(text, sizeof text, "%s, cycle %u", what, cycle);
  bench_expect(b, text, got, expected);
}

void alone_open(wl_alone_t *u) {
  *u = (wl_alone_t){.gpu = calloc(1, sizeof *u->gpu)};
  wl_gpu_open(u->gpu, &wl_configs[WL_CONFIG_TINY]);
  u->sm = &u->gpu->sm[0];
  u->w = &u->sm->wires;
}

void alone_close(wl_alone_t *u) { free(u->gpu); }
