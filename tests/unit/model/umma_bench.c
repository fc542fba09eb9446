#include "tests/unit/model/umma_bench.h"

wl_sm_t *umma_sm(const umma_bench_t *u) {
  return (wl_sm_t *)(uintptr_t)&wl_model_state(u->b.model).gpu->sm[0];
}

void umma_open(umma_bench_t *u, wl_config_id_t config, bool reverse, const uint32_t reg[7]) {
  wl_bench_t *b = &u->b;
  u->commands = u->grants = u->reads = u->scales = 0;
  u->scales_full = 0;
  u->behind_form = WL_FORM_NOP;
  bench_open(b, config, 32, 1);
  b->lb.by_index = 1;
  b->lb.reg_pages = 16;
  b->lb.smem_units = UMMA_SHARED_UNITS;
  b->lb.smem_bytes = UMMA_SHARED_UNITS * 1024;
  ((wl_gpu_t *)(uintptr_t)wl_model_state(b->model).gpu)->reverse_updates = reverse;
  journal_start(&u->journal, b);
  bench_emit(b, WL_FORM_S2R, X(.rd = 1, .imm = 0));
  bench_emit(b, WL_FORM_SETP_U32_RI, X(.pd = P(1), .ra = 1, .imm = 0, .cmp = 2));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 3, .imm = wl_configs[config].tmem_columns));
  bench_emit(b, WL_FORM_TMEM_ALLOC, X(.ra = 3));
  for (unsigned i = 0; i < 7; i++)
    bench_emit(b, WL_FORM_MOV_I, X(.rd = 8 + i, .imm = reg[i]));
}

static void note(umma_bench_t *u, uint64_t cycle) {
  const wl_wires_t *w = &umma_sm(u)->wires;
  if (w->chunk_works && w->chunk_grant == WL_CHUNK_UMMA && u->grants < 4096)
    u->grant[u->grants++] = cycle;
  if (w->umma_reads_a && u->reads < 4096) u->read[u->reads++] = cycle;
  if (w->umma_reads_scales && u->scales < 4096) u->scale[u->scales++] = cycle;
  if (u->scales_full == 0 && umma_sm(u)->umma.scale.state[0] == WL_UMMA_FULL)
    u->scales_full = cycle + 1;
}

void umma_run(umma_bench_t *u, wl_form_t form, wl_x_t x, unsigned times) {
  wl_bench_t *b = &u->b;
  x.guard = P(1);
  while (b->code_words % 4 + times > 4) /* the commands are of one line of the instruction cache */
    bench_emit(b, WL_FORM_NOP, X(0));
  for (; u->commands < times; u->commands++)
    u->pc[u->commands] = bench_emit(b, form, x);
  if (u->behind_form != WL_FORM_NOP) bench_emit(b, u->behind_form, u->behind);
  bench_emit(b, WL_FORM_EXIT, X(0));
  b->lb.code_words = b->code_words;
  memcpy(b->image + (LAUNCH - MEM_BASE), &b->lb, sizeof b->lb);
  wl_model_start(b->model, LAUNCH);
  for (unsigned i = 0; i < 100000 && (i < 2 || !wl_model_done(b->model)); i++) {
    const uint64_t cycle = wl_model_cycle(b->model);
    wl_model_step(b->model);
    note(u, cycle);
  }
  bench_expect(b, "done", wl_model_done(b->model), 1);
  bench_expect(b, "trap", (uint64_t)wl_model_trap(b->model).cause, WL_TRAP_NONE);
}

uint64_t umma_resolved(umma_bench_t *u, unsigned n, unsigned words) {
  const uint64_t t = journal_issue(&u->journal, 0, u->pc[n]);
  bench_expect(&u->b, "issue", t != 0, 1);
  return t + (words + 2) / 3 + 3;
}

uint64_t umma_event(const umma_bench_t *u, uint32_t event, unsigned n) {
  for (unsigned i = 0;; i++) {
    const wl_event_t *e = journal_nth(&u->journal, WL_J_UMMA, 0, i);
    if (e == NULL) return 0;
    if (e->word[0] == event && n-- == 0) return e->cycle;
  }
}

uint64_t umma_last_write(const umma_bench_t *u) {
  uint64_t last = 0;
  for (unsigned i = 0; i < u->journal.n; i++)
    if (u->journal.event[i].kind == WL_J_TMEM) last = u->journal.event[i].cycle;
  return last;
}

unsigned umma_grants(const umma_bench_t *u, uint64_t from, uint64_t end) {
  unsigned count = 0;
  for (unsigned i = 0; i < u->grants; i++)
    count += u->grant[i] >= from && u->grant[i] < end;
  return count;
}
