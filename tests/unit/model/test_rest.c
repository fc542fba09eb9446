/* Golden model, record REST at the start of a launch (docs/microarchitecture.md 15): that there is one in
 * the cycle of every start, with the cycle counter and all units at rest, also behind a trap; which
 * bit goes when a register that the text names is not as reset leaves it; and the places of the order
 * point's choices. */
#include "tests/unit/model/journal.h"

#include "gen/wl_sreg.h"

static wl_run_journal_t logged;

/* The model's state, to break it between launches. */
static wl_gpu_t *state_of(const wl_bench_t *b) {
  return (wl_gpu_t *)(uintptr_t)wl_model_state(b->model).gpu;
}

/* Of every unit that the configuration has. */
static uint32_t all(const wl_bench_t *b) {
  return (1u << wl_rest_units(&state_of(b)->env.cfg)) - 1;
}

static void open(wl_bench_t *b, wl_config_id_t config) {
  bench_open(b, config, 96, 3);
  journal_start(&logged, b);
  b->lb.smem_units = 4;
  b->lb.smem_bytes = 4096;
  b->lb.c1_base[0] = DATA + 0x8000;
  b->lb.c1_bytes = 0x4000;
}

/* Something for every unit; r5: lane times 4. */
static void emit_all(wl_bench_t *b) {
  bench_emit(b, WL_FORM_S2R, X(.rd = 4, .imm = WL_SREG_LANEID));
  bench_emit(b, WL_FORM_SHF_L_CLAMP_I, X(.rd = 5, .ra = 255, .rb = 4, .imm = 2));
  bench_emit(b, WL_FORM_ST_SHARED_B32, X(.ra = 5, .rb = 4));
  bench_emit(b, WL_FORM_SETP_S32_RI, X(.pd = P(1), .ra = 4, .imm = 9, .cmp = 1));
  const uint32_t bra = bench_emit(b, WL_FORM_BRA, X(.guard = P(1)));
  bench_emit(b, WL_FORM_ATOM_SHARED_ADD_U32, X(.rd = 11, .ra = 255, .rb = 4, .imm = 2048));
  bench_patch(b, bra, bench_emit(b, WL_FORM_LDC_B32, X(.rd = 9, .ra = 5, .imm = 1U << 28)));
  bench_emit(b, WL_FORM_VOTE_ALL_I, X(.rd = 13, .pd = P(4), .ps = P(1), .imm = 0xffffffff));
  bench_emit(b, WL_FORM_BAR_SYNC_I, X(0));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 6, .imm = DATA));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 7, .imm = 0));
  bench_emit(b, WL_FORM_MAD_WIDE_U32_RIR, X(.rd = 12, .ra = 4, .rc = 6, .imm = 32));
  bench_emit(b, WL_FORM_ST_GLOBAL_B32, X(.ra = 12, .rb = 9));
  bench_emit(b, WL_FORM_ATOM_GLOBAL_ADD_U32, X(.rd = 255, .ra = 6, .rb = 4));
}

/* The records of the launch that started last, in the cycle `start`. */
static void check(wl_bench_t *b, uint64_t start, uint32_t rest) {
  const wl_event_t *state = journal_nth(&logged, WL_J_STATE, start, 0);
  const wl_event_t *e = journal_nth(&logged, WL_J_REST, 0, 0);
  bench_expect(b, "one record at rest", e != NULL, 1);
  bench_expect(b, "no other", journal_nth(&logged, WL_J_REST, 0, 1) != NULL, 0);
  if (e == NULL || state == NULL) return;
  bench_expect(b, "STATE says LOAD", state->word[0], 1);
  bench_expect(b, "cycle of STATE", state->cycle, start);
  bench_expect(b, "its cycle", e->cycle, start);
  bench_expect(b, "cycle_lo", e->word[0], start & 0xffffffff);
  bench_expect(b, "cycle_hi", e->word[1], start >> 32);
  bench_expect(b, "rest", e->word[2], rest);
}

/* Places of the order point's choices, of the launch that started last. */
static void check_places(wl_bench_t *b, uint32_t places) {
  const wl_event_t *e = journal_nth(&logged, WL_J_REST, 0, 0);
  if (e != NULL) bench_expect(b, "places", e->word[3], places);
}

static void launch(wl_bench_t *b, wl_trap_t cause) {
  const uint64_t start = wl_model_cycle(b->model);
  logged.n = 0;
  bench_run(b);
  bench_expect(b, "trap", (uint64_t)wl_model_trap(b->model).cause, (uint64_t)cause);
  check(b, start, all(b));
}

/* Launches one behind the other, at once and after a while. */
static int in_turn(wl_config_id_t config, unsigned density) {
  wl_bench_t b;
  open(&b, config);
  emit_all(&b);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  wl_model_disturb(b.model, density);
  launch(&b, WL_TRAP_NONE);
  check_places(&b, 0); /* after reset every `last` is the highest row */
  launch(&b, WL_TRAP_NONE);
  for (unsigned i = 0; i < 100; i++)
    wl_model_step(b.model);
  launch(&b, WL_TRAP_NONE);
  bench_close(&b);
  return b.failures;
}

/* The second launch begins where a trap has ended the first: warps at a barrier, others inside the
 * program, packets on their way. `late`: the number of loops before the trap, so that it comes in
 * another moment of the other warps. */
static int trapped(wl_config_id_t config, unsigned density, uint32_t late) {
  wl_bench_t b;
  open(&b, config);
  bench_emit(&b, WL_FORM_S2R, X(.rd = 20, .imm = WL_SREG_WARPID));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(2), .ra = 20, .imm = 1, .cmp = 2));
  const uint32_t bra = bench_emit(&b, WL_FORM_BRA, X(.guard = P(2)));
  const uint32_t top = b.code_words;
  emit_all(&b);
  bench_emit(&b, WL_FORM_BRA, X(.imm = top));
  const uint32_t trap = bench_emit(&b, WL_FORM_MOV_I, X(.rd = 21, .imm = 0));
  bench_patch(&b, bra, trap);
  bench_emit(&b, WL_FORM_ADD_RI, X(.rd = 21, .ra = 21, .imm = 1));
  bench_emit(&b, WL_FORM_SETP_S32_RI, X(.pd = P(3), .ra = 21, .imm = late, .cmp = 1));
  bench_emit(&b, WL_FORM_BRA, X(.guard = P(3), .imm = trap + 1));
  bench_emit(&b, WL_FORM_TRAP, X(0));
  wl_model_disturb(b.model, density);
  for (unsigned i = 0; i < 3; i++)
    launch(&b, WL_TRAP_USER);
  bench_close(&b);
  return b.failures;
}

/* ---- registers that section 15 names, each not as reset leaves it: its bit is 0, no other is. The model
 * cannot go on from most of them (an engine at work without a row): what the record would say is asked
 * of the state. Where it can, the launch is started and the record looked at (`starts`). */
static void cta_slot(wl_gpu_t *gpu) {
  gpu->sm[0].dispatcher.slots.cta[gpu->sm[0].env.cfg.ctas - 1].valid = true;
}
static void warp_slot(wl_gpu_t *gpu) { gpu->sm[0].dispatcher.slots.warp_valid |= 4; }
static void sequence(wl_gpu_t *gpu) { gpu->sm[0].dispatcher.place.alloc = true; }
static void page_taken(wl_gpu_t *gpu) {
  gpu->sm[0].dispatcher.pages[gpu->sm[0].env.cfg.sub_cores - 1].free[0] &= ~UINT64_C(32);
}
static void page_count(wl_gpu_t *gpu) { gpu->sm[0].dispatcher.pages[0].count--; }
static wl_issue_t *issue(wl_gpu_t *gpu) {
  return &gpu->sm[0].sub[gpu->sm[0].env.cfg.sub_cores - 1].issue;
}
static unsigned last(const wl_gpu_t *gpu) { return gpu->sm[0].env.cfg.warps - 1; }
static void inflight(wl_gpu_t *gpu) { issue(gpu)->inflight[last(gpu)] = 1; }
static void inflight_mem(wl_gpu_t *gpu) { issue(gpu)->mem_inflight[last(gpu)] = 1; }
static void busy(wl_gpu_t *gpu) { issue(gpu)->busy[last(gpu)][3] = UINT64_C(1) << 62; }
static void pbusy(wl_gpu_t *gpu) { issue(gpu)->pbusy[last(gpu)] = 64; }
static void is_left(wl_gpu_t *gpu) { issue(gpu)->is_left = 2; }
static wl_paths_t *paths(wl_gpu_t *gpu) {
  return &gpu->sm[0].sub[gpu->sm[0].env.cfg.sub_cores - 1].paths;
}
static void control(wl_gpu_t *gpu) { paths(gpu)->ctl = UINT64_C(1) << last(gpu); }
static void request(wl_gpu_t *gpu) { paths(gpu)->req[last(gpu)] = WL_REQ_WALK; }
static void service(wl_gpu_t *gpu) { paths(gpu)->engine.phase = WL_ENGINE_WALK1; }
static void bar_req(wl_gpu_t *gpu) { gpu->sm[0].barrier.requesting = 2; }
static void bar_exit(wl_gpu_t *gpu) { gpu->sm[0].barrier.exiting = 2; }
static void bar_wake(wl_gpu_t *gpu) { gpu->sm[0].barrier.wake = 2; }
static void exchange(wl_gpu_t *gpu) {
  gpu->sm[0].sub[gpu->sm[0].env.cfg.sub_cores - 1].exchange.state = WL_XCH_FILL;
}
static void lsu_slot(wl_gpu_t *gpu) {
  gpu->sm[0].lsu.slot[gpu->sm[0].env.cfg.lsu_depth - 1].valid = true;
}
static void lsu_left(wl_gpu_t *gpu) { gpu->sm[0].memissue.lsu_left = 1; }
static void constants(wl_gpu_t *gpu) { gpu->sm[0].ccache.state = WL_CC_MISS; }
static void smem_busy(wl_gpu_t *gpu) { gpu->sm[0].smem.busy = true; }
static void delivery(wl_gpu_t *gpu) {
  gpu->sm[0].smem.deliver[(gpu->sm[0].env.cycle + 3) % WL_SMEM_RING].valid = true;
}
static void unacked(wl_gpu_t *gpu) { gpu->sm[0].smport.unacked = 1; }
static void input_register(wl_gpu_t *gpu) { gpu->orderpoint.in_valid = true; }
static void op_row(wl_gpu_t *gpu) {
  gpu->orderpoint.valid = UINT64_C(1) << (gpu->env.cfg.op_table - 1);
}
static void atomic_unit(wl_gpu_t *gpu) { gpu->orderpoint.atomic_busy = true; }

static int broken(wl_config_id_t config) {
  static const struct {
    const char *what;
    void (*harm)(wl_gpu_t *);
    unsigned bit;
    bool starts;
  } cases[] = {
      {"CTA slot", cta_slot, 0, false},
      {"warp slot", warp_slot, 0, false},
      {"page sequence", sequence, 0, false},
      {"page_free", page_taken, 1, false},
      {"free_pages", page_count, 1, true},
      {"inflight", inflight, 2, true},
      {"mem_inflight", inflight_mem, 2, false},
      {"busy", busy, 2, false},
      {"pbusy", pbusy, 2, false},
      {"is_left", is_left, 2, true},
      {"ctl", control, 2, false},
      {"req", request, 3, false},
      {"engine", service, 3, false},
      {"bar_req", bar_req, 4, false},
      {"bar_exit", bar_exit, 4, false},
      {"bar_wake", bar_wake, 4, false},
      {"exchange", exchange, 5, false},
      {"LSU slot", lsu_slot, 6, false},
      {"lsu_left", lsu_left, 6, false},
      {"constant loads", constants, 7, false},
      {"shared memory", smem_busy, 8, false},
      {"delivery", delivery, 8, false},
      {"unacked", unacked, 9, true},
      {"input register", input_register, 9, false},
      {"row", op_row, 9, false},
      {"atomic unit", atomic_unit, 9, false},
  };
  int failures = 0;
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    wl_bench_t b;
    open(&b, config);
    emit_all(&b);
    bench_emit(&b, WL_FORM_EXIT, X(0));
    launch(&b, WL_TRAP_NONE);
    const uint32_t rest = all(&b) & ~(1U << cases[i].bit);
    bench_expect(&b, "at rest before", wl_gpu_rest(state_of(&b), &state_of(&b)->sm[0]), all(&b));
    cases[i].harm(state_of(&b));
    bench_expect(&b, "rest", wl_gpu_rest(state_of(&b), &state_of(&b)->sm[0]), rest);
    if (cases[i].starts) {
      const uint64_t start = wl_model_cycle(b.model);
      logged.n = 0;
      wl_model_start(b.model, LAUNCH);
      wl_model_step(b.model); /* only the start: the rest of such a launch is anything */
      check(&b, start, rest);
      bench_expect(&b, "the model says so", wl_model_error(b.model) != NULL, 1);
    }
    if (b.failures != 0) printf("with a broken %s\n", cases[i].what);
    failures += b.failures;
    bench_close(&b);
  }
  return failures;
}

/* Each channel's `last` of the order point is in its byte of `places`, as rows above it. */
static int places(wl_config_id_t config) {
  wl_bench_t b;
  open(&b, config);
  emit_all(&b);
  bench_emit(&b, WL_FORM_EXIT, X(0));
  launch(&b, WL_TRAP_NONE);
  wl_orderpoint_t *op = &state_of(&b)->orderpoint;
  uint8_t *const last[4] = {&op->last_read, &op->last_write, &op->atomic_row, &op->last_answer};
  for (unsigned i = 0; i < 4; i++)
    *last[i] = (uint8_t)(2 * i);
  launch(&b, WL_TRAP_NONE);
  const uint32_t above = state_of(&b)->env.cfg.op_table - 1;
  check_places(&b, above | (above - 2) << 8 | (above - 4) << 16 | (above - 6) << 24);
  bench_close(&b);
  return b.failures;
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const wl_config_id_t id = (wl_config_id_t)i;
    const int before = failures;
    for (unsigned density = 0; density <= 4; density += 2) {
      failures += in_turn(id, density);
      for (uint32_t late = 1; late < 160; late += 13)
        failures += trapped(id, density, late);
    }
    failures += broken(id);
    failures += places(id);
    if (failures != before) printf("in configuration %s\n", wl_configs[i].name);
  }
  return failures != 0;
}
