/* See copy_bench.h. */
#include "tests/unit/model/copy_bench.h"

wl_run_journal_t copy_journal;

void copy_open(wl_copy_bench_t *c, wl_config_id_t config, bool reverse, uint32_t ctas,
               uint32_t lane, uint32_t object_low, uint32_t object_high) {
  memset(c, 0, sizeof *c);
  wl_bench_t *b = &c->b;
  bench_open(b, config, WL_LANES, ctas);
  c->cfg = &wl_configs[config];
  c->pair = c->cfg->smem_banks >= 8;
  c->lane = lane;
  b->lb.reg_pages = 8;
  ((wl_gpu_t *)wl_model_state(b->model).gpu)->reverse_updates = reverse;
  journal_start(&copy_journal, b);
  for (uint32_t w = 0; w < 1024; w++) {
    const uint32_t value = 0x5000 + w;
    memcpy(b->image + (DATA - MEM_BASE) + 4 * (size_t)w, &value, 4);
  }
  bench_emit(b, WL_FORM_S2R, X(.rd = 1, .imm = 12)); /* lane */
  bench_emit(b, WL_FORM_S2R, X(.rd = 2, .imm = 6));  /* ctaid.x */
  bench_emit(b, WL_FORM_SETP_U32_RI, X(.pd = P(3), .ra = 2, .imm = ctas - 1, .cmp = 1));
  bench_emit(b, WL_FORM_EXIT, X(.guard = P(3)));
  bench_emit(b, WL_FORM_MAD_LO_RIR, X(.rd = 5, .ra = 1, .rc = 255, .imm = 4));
  bench_emit(b, WL_FORM_MAD_LO_RIR, X(.rd = 7, .ra = 1, .rc = 255, .imm = 32));
  for (uint32_t j = 0; j < 8; j++) {
    bench_emit(b, WL_FORM_ADD_RI, X(.rd = 6, .ra = 1, .imm = COPY_WORD + 32 * j));
    bench_emit(b, WL_FORM_ST_SHARED_B32, X(.ra = 5, .rb = 6, .imm = 128 * j));
  }
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 8, .imm = object_low));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 9, .imm = object_high));
  bench_emit(b, WL_FORM_ST_SHARED_B32, X(.ra = 255, .rb = 8, .imm = COPY_OBJECT));
  bench_emit(b, WL_FORM_ST_SHARED_B32, X(.ra = 255, .rb = 9, .imm = COPY_OBJECT + 4));
  bench_emit(b, WL_FORM_FENCE, X(0));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 10, .imm = 0));
  bench_emit(b, WL_FORM_SETP_U32_RI, X(.pd = P(1), .ra = 1, .imm = 0, .cmp = 1)); /* of no lane */
}

void copy_operands(wl_copy_bench_t *c, unsigned slot, uint64_t g, uint32_t s, uint32_t k,
                   uint32_t m) {
  const uint32_t r = 24 + 8 * slot;
  bench_emit(&c->b, WL_FORM_ADD_RI,
             X(.rd = r, .ra = c->lane == COPY_ALL ? 7 : 255, .imm = (uint32_t)g));
  bench_emit(&c->b, WL_FORM_MOV_I, X(.rd = r + 1, .imm = (uint32_t)(g >> 32)));
  bench_emit(&c->b, WL_FORM_MOV_I, X(.rd = r + 2, .imm = s));
  bench_emit(&c->b, WL_FORM_MOV_I, X(.rd = r + 3, .imm = k));
  bench_emit(&c->b, WL_FORM_MOV_I, X(.rd = r + 4, .imm = m));
}

void copy_body(wl_copy_bench_t *c) {
  while (c->b.code_words % 4 != 0)
    bench_emit(&c->b, WL_FORM_NOP, X(0));
  c->loop = c->b.code_words;
}

uint32_t copy_command(wl_copy_bench_t *c, wl_form_t form, unsigned slot) {
  return bench_emit(&c->b, form, X(.guard = P(1), .ra = 24 + 8 * slot, .rb = 28 + 8 * slot));
}

uint32_t copy_control(wl_copy_bench_t *c, wl_form_t form, uint32_t imm) {
  return bench_emit(&c->b, form, X(.guard = P(1), .imm = imm));
}

static void emit_end(wl_copy_bench_t *c) {
  wl_bench_t *b = &c->b;
  for (unsigned i = 0; i < 40; i++)
    bench_emit(b, WL_FORM_NOP, X(0));
  for (unsigned i = 0; i < 8; i++) /* three slots each, for the sake of the turn */
    bench_emit(b, WL_FORM_MAD_LO_RRR, X(.rd = 13, .ra = 12, .rb = 16, .rc = 20));
  bench_emit(b, WL_FORM_ADD_RI, X(.rd = 10, .ra = 10, .imm = 1));
  bench_emit(b, WL_FORM_SETP_U32_RI,
             X(.pd = P(1), .ra = 1, .imm = c->lane, .cmp = c->lane == COPY_ALL ? 1 : 2));
  bench_emit(b, WL_FORM_SETP_U32_RI, X(.pd = P(2), .ra = 10, .imm = 1, .cmp = 2));
  bench_patch(b, bench_emit(b, WL_FORM_BRA, X(.guard = P(2))), c->loop);
  bench_emit(b, WL_FORM_EXIT, X(0));
}

static void first(uint64_t *cycle, bool seen, uint64_t now) {
  if (seen && *cycle == 0) *cycle = now;
}

/* What is visible in the next cycle. The turn (5) moves on in a cycle in which the engine is available and
 * its sub-core could issue. */
static void look(wl_copy_bench_t *c, unsigned number[WL_MOST_COPY_QUEUE],
                 bool was[WL_MOST_COPY_QUEUE], int *turn) {
  const wl_sm_t *sm = &wl_model_state(c->b.model).gpu->sm[0];
  const uint64_t now = wl_model_cycle(c->b.model);
  for (unsigned i = 0; i < c->cfg->copy_queue; i++) {
    const wl_bulk_t *g = &sm->copy.group[i];
    if (g->used && !was[i] && c->commands < COPY_MOST) {
      number[i] = c->commands++;
      c->accepted[number[i]] = now;
    }
    if (was[i] && !g->used) c->freed[number[i]] = now;
    if (g->used) first(&c->read[number[i]], g->read, now);
    if (g->used) first(&c->aged[number[i]], g->age != 0, now);
    if (g->used && g->age > c->oldest[number[i]]) c->oldest[number[i]] = g->age;
    was[i] = g->used;
  }
  const unsigned k = sm->memissue.turn[WL_OPEN_COPY];
  if (*turn >= 0 && (unsigned)*turn != k) bench_expect(&c->b, "turn", k, (uint64_t)*turn);
  const bool available = !sm->copy.group[sm->copy.put].used && !sm->copy.way;
  const bool moves =
      available && sm->sub[k].issue.is_left <= 1 && sm->sub[k].writeback.lost < WL_AGE_LIMIT;
  *turn = (int)((k + moves) % c->cfg->sub_cores);
}

void copy_run(wl_copy_bench_t *c) {
  wl_bench_t *b = &c->b;
  unsigned number[WL_MOST_COPY_QUEUE] = {0};
  bool was[WL_MOST_COPY_QUEUE] = {false};
  int turn = -1;
  emit_end(c);
  b->lb.code_words = b->code_words;
  memcpy(b->image + (LAUNCH - MEM_BASE), &b->lb, sizeof b->lb);
  wl_model_start(b->model, LAUNCH);
  for (unsigned i = 0; i < 100000; i++) {
    wl_model_step(b->model);
    if (wl_model_done(b->model)) break;
    look(c, number, was, &turn);
  }
  bench_expect(b, "done", wl_model_done(b->model), 1);
  if (wl_model_error(b->model) != NULL) {
    printf("model error: %s\n", wl_model_error(b->model));
    b->failures++;
  }
}

int copy_close(wl_copy_bench_t *c, const char *what) {
  if (c->b.failures != 0) printf("%s, %s\n", what, c->cfg->name);
  bench_close(&c->b);
  return c->b.failures;
}

uint64_t copy_issue(uint32_t pc, unsigned n) {
  for (unsigned i = 0; i < copy_journal.n; i++) {
    const wl_event_t *e = &copy_journal.event[i];
    if (e->kind == WL_J_ISSUE && e->word[1] == pc && e->word[3] != 0 && n-- == 0) return e->cycle;
  }
  return 0;
}

static wl_event_t of_engine(int kind, unsigned unit, unsigned n) {
  for (unsigned i = 0; i < copy_journal.n; i++) {
    const wl_event_t *e = &copy_journal.event[i];
    if (e->kind == kind && e->word[unit] == WL_FROM_COPY && n-- == 0) return *e;
  }
  return (wl_event_t){0};
}

wl_event_t copy_packet(unsigned n) { return of_engine(WL_J_PACKET, 3, n); }

wl_event_t copy_response(unsigned n) { return of_engine(WL_J_RESPONSE, 1, n); }
