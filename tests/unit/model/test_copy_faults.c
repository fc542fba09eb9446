/* Golden model: faults of bulk copies (docs/microarchitecture.md 23.1), one after the other by their order,
 * and misuse of an mbarrier (23.3): when the trap is pending, and what it tells. */
#include "tests/unit/model/copy_bench.h"

enum { LANE = 5 };

typedef struct wl_fault {
  wl_form_t form;
  uint64_t g;
  uint32_t s, k, m, cause;
  uint64_t address;
} wl_fault_t;

#define LOAD  WL_FORM_BULK_LOAD
#define STORE WL_FORM_BULK_STORE
#define RED   WL_FORM_BULK_MAX_U32
/* Later columns are wrong, too: the first one that is wrong counts. */
static const wl_fault_t faults[] = {
    {LOAD, DATA + 8, 4, 0, 4, WL_TRAP_MISALIGNED, DATA + 8},
    {STORE, 1, 4, 24, 4, WL_TRAP_MISALIGNED, 1},
    {RED, UINT64_C(0xfffffffffffffff1), 4, 0, 0, WL_TRAP_MISALIGNED, UINT64_C(0xfffffffffffffff1)},
    {LOAD, 0, 0xfffffff8, 0, 4, WL_TRAP_MISALIGNED, 0xfffffff8},
    {STORE, 0, 0x404, 0, 0, WL_TRAP_MISALIGNED, 0x404},
    {LOAD, 0, 0x400, 0, 0x3fc, WL_TRAP_MISALIGNED, 0x3fc},
    {LOAD, 0, 0x400, 0, 0x400, WL_TRAP_COPY_SIZE, 0},
    {STORE, 0, 0x400, 0x80000008, 0x3fc, WL_TRAP_COPY_SIZE, 0x80000008},
    {RED, 0, 0x400, 4, 0, WL_TRAP_COPY_SIZE, 4},
    {LOAD, MEM_BASE - 16, 0x400, 16, 0x400, WL_TRAP_OUT_OF_BOUNDS, MEM_BASE - 16},
    {STORE, MEM_BASE + MEM_SIZE - 16, 0x400, 32, 0, WL_TRAP_OUT_OF_BOUNDS,
     MEM_BASE + MEM_SIZE - 16},
    {RED, DATA + (UINT64_C(1) << 32), 0x400, 16, 0, WL_TRAP_OUT_OF_BOUNDS,
     DATA + (UINT64_C(1) << 32)},
    {STORE, UINT64_C(0xfffffffffffffff0), 0x400, 32, 0, WL_TRAP_OUT_OF_BOUNDS,
     UINT64_C(0xfffffffffffffff0)}, /* the sum is 16 beyond 64 bits */
    {LOAD, DATA, 0x400, 16, 0x400, WL_TRAP_OUT_OF_BOUNDS, 0x400},
    {STORE, DATA, 0x3f0, 32, 0, WL_TRAP_OUT_OF_BOUNDS, 0x3f0},
    {RED, DATA, 0xfffffff0, 16, 0, WL_TRAP_OUT_OF_BOUNDS, 0xfffffff0}, /* beyond 32 bits */
    {LOAD, DATA, 0x3f0, 16, 0x400, WL_TRAP_OUT_OF_BOUNDS, 0x400},
    {LOAD, DATA, 0, 16, 0xfffffff8, WL_TRAP_OUT_OF_BOUNDS, 0xfffffff8},
    /* none */
    {STORE, MEM_BASE + MEM_SIZE - 32, 0x3e0, 32, 0x3fc, WL_TRAP_NONE, 0},
    {LOAD, MEM_BASE, 0x3e0, 16, COPY_OBJECT, WL_TRAP_NONE, 0},
    {RED, MEM_BASE + MEM_SIZE - 16, 0x3f0, 16, 0xfffffff8, WL_TRAP_NONE, 0},
};

static void expect_trap(wl_copy_bench_t *c, uint64_t cycle, uint32_t cause, uint32_t warp,
                        uint32_t pc, uint64_t address) {
  const wl_event_t *found = journal_nth(&copy_journal, WL_J_TRAP, 0, 0);
  const wl_event_t e = found != NULL ? *found : (wl_event_t){0};
  const uint32_t want[6] = {cause, warp, LANE, pc, (uint32_t)address, (uint32_t)(address >> 32)};
  static const char *const words[6] = {"cause", "warp",    "lane",
                                       "pc",    "address", "address, high word"};
  bench_expect(&c->b, "pending", e.cycle, cycle);
  for (unsigned i = 0; i < 6; i++)
    bench_expect(&c->b, words[i], e.word[i], want[i]);
}

static int fault(wl_config_id_t config, bool reverse, const wl_fault_t *f) {
  wl_copy_bench_t c;
  copy_open(&c, config, reverse, 1, LANE, 16 << 20, 2);
  copy_operands(&c, 0, f->g, f->s, f->k, f->m);
  copy_body(&c);
  const uint32_t pc = copy_command(&c, f->form, 0);
  copy_run(&c);
  bench_expect(&c.b, "commands", c.commands, f->cause == WL_TRAP_NONE);
  bench_expect(&c.b, "packets", copy_packet(0).cycle != 0, f->cause == WL_TRAP_NONE);
  if (f->cause != WL_TRAP_NONE)
    expect_trap(&c, copy_issue(pc, 0) + COPY_N + 4, f->cause, 0, pc, f->address);
  else
    bench_expect(&c.b, "trap", (uint64_t)wl_model_trap(c.b.model).cause, 0);
  return copy_close(&c, f->cause == WL_TRAP_NONE ? "no fault" : "fault");
}

/* d behind T of a load of 16 bytes, an upper half: its packet in T + 1, answered L + 3 later, its store
 * granted in the next cycle, the request taken in the next, its pass in the next. */
static uint64_t told(const wl_config_t *cfg) { return cfg->mem_latency + 9 + WL_SMEM_SERIAL_STEP; }

/* CTA 1 loads more than the transaction count has left below. */
static int misuse(wl_config_id_t config, bool reverse) {
  wl_copy_bench_t c;
  copy_open(&c, config, reverse, 2, LANE, 0x00100001, 0x20000002);
  copy_operands(&c, 0, DATA + 16, 0, 16, COPY_OBJECT);
  copy_body(&c);
  const uint32_t pc = copy_command(&c, LOAD, 0);
  copy_run(&c);
  const uint64_t T = copy_issue(pc, 0) + COPY_N + 3;
  expect_trap(&c, T + told(c.cfg) + 1, WL_TRAP_MBARRIER, 1, pc, 1024 + COPY_OBJECT);
  bench_expect(&c.b, "freed", c.freed[0], T + told(c.cfg) + 1);
  bench_expect(&c.b, "no phase", journal_nth(&copy_journal, WL_J_WAKE, 0, 0) != NULL, 0);
  return copy_close(&c, "misuse");
}

/* The same, of so many sectors more, and a fault in the same cycle: the lower cause is latched. True: the
 * cycle was met. */
static bool both(bool reverse, unsigned nops, unsigned sectors, uint32_t g, uint32_t cause,
                 int *failures) {
  wl_copy_bench_t c;
  copy_open(&c, WL_CONFIG_BASE, reverse, 1, LANE, 0x00100001, 0x20000002);
  copy_operands(&c, 0, DATA + 16, 0, 16 + 32 * sectors, COPY_OBJECT);
  copy_operands(&c, 1, g, 0, 8, COPY_OBJECT);
  copy_body(&c);
  const uint32_t load = copy_command(&c, LOAD, 0);
  for (unsigned i = 0; i < nops; i++)
    bench_emit(&c.b, WL_FORM_NOP, X(0));
  const uint32_t pc = copy_command(&c, STORE, 1);
  copy_run(&c);
  const uint64_t d = copy_issue(load, 0) + COPY_N + 3 + told(c.cfg) + sectors;
  const bool met = copy_issue(pc, 0) + COPY_N + 3 == d, told_first = cause == WL_TRAP_MBARRIER;
  if (met) expect_trap(&c, d + 1, cause, 0, told_first ? load : pc, told_first ? COPY_OBJECT : g);
  *failures += copy_close(&c, "fault and misuse");
  return met;
}

static int both_at_once(bool reverse) {
  int failures = 0;
  unsigned met[2] = {0, 0};
  for (unsigned nops = 36; nops < 46; nops++)
    for (unsigned sectors = 0; sectors < 3; sectors++) {
      met[0] += both(reverse, nops, sectors, DATA, WL_TRAP_MBARRIER, &failures);
      met[1] += both(reverse, nops, sectors, DATA + 8, WL_TRAP_MISALIGNED, &failures);
    }
  if (met[0] != 0 && met[1] != 0) return failures;
  printf("fault and misuse: never in one cycle\n");
  return failures + 1;
}

int main(void) {
  int failures = both_at_once(false) + both_at_once(true);
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const wl_config_id_t id = (wl_config_id_t)i;
    if (!wl_configs[i].copy) continue;
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++)
      failures += fault(id, false, &faults[k]);
    failures += misuse(id, false) + misuse(id, true);
  }
  return failures != 0;
}
