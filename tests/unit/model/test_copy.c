/* Golden model: bulk copies cycle by cycle (docs/microarchitecture.md 23): a warp that is alone, undisturbed.
 * Cycles are counted from the rules. A command that issues in t resolves in T = t + 5. */
#include "tests/unit/model/copy_bench.h"

enum { G = DATA + 0x110, S = 0x20, K = 48 }; /* an upper half of a sector, then a whole one */

static uint64_t resolves(wl_copy_bench_t *c, uint32_t pc) {
  const uint64_t t = copy_issue(pc, 0);
  bench_expect(&c->b, "it issues", t != 0, 1);
  return t + COPY_N + 3;
}

static void expect_trap(wl_copy_bench_t *c, uint32_t cause) {
  bench_expect(&c->b, "trap", (uint64_t)wl_model_trap(c->b.model).cause, cause);
}

static wl_event_t write_of(uint64_t from, unsigned n) {
  const wl_event_t *e = journal_nth(&copy_journal, WL_J_SMEM, from, n);
  return e != NULL ? *e : (wl_event_t){0};
}

static void expect_packet(wl_copy_bench_t *c, unsigned n, uint64_t cycle, unsigned op, unsigned tag,
                          uint64_t sector, uint32_t mask) {
  const wl_event_t e = copy_packet(n);
  bench_expect_in(&c->b, n, "packet's cycle", e.cycle, cycle);
  bench_expect_in(&c->b, n, "packet's op", e.word[0], op);
  bench_expect_in(&c->b, n, "packet's tag", e.word[4], tag);
  bench_expect_in(&c->b, n, "packet's sector", e.word[5], sector);
  bench_expect_in(&c->b, n, "packet's mask", e.word[7], mask);
}

/* The sectors are asked for in T + 1 and T + 2. A packet of p is answered in p + L + 3, its row is READY in
 * the next cycle, in which its first stores are granted; their bytes change one cycle later. */
static int load(wl_config_id_t config, bool reverse) {
  wl_copy_bench_t c;
  copy_open(&c, config, reverse, 1, 3, K << 20, 2); /* K bytes are still to come, no arrival */
  copy_operands(&c, 0, G, S, K, COPY_OBJECT);
  copy_body(&c);
  const uint32_t pc = copy_command(&c, WL_FORM_BULK_LOAD, 0);
  copy_run(&c);
  expect_trap(&c, WL_TRAP_NONE);
  const uint64_t T = resolves(&c, pc), l = c.cfg->mem_latency, last = T + l + 6 + !c.pair;
  bench_expect(&c.b, "accepted", c.accepted[0], T + 1);
  for (unsigned i = 0; i < 2; i++) {
    expect_packet(&c, i, T + 1 + i, WL_PK_LD, i, G / 32 + i, UINT32_MAX);
    bench_expect(&c.b, "response", copy_response(i).cycle, T + l + 4 + i);
  }
  bench_expect(&c.b, "packets", copy_packet(2).cycle, 0);
  for (unsigned i = 0; i < 12; i++) { /* words; banks of a cycle ascend, unless the row changes */
    const uint64_t cycle = T + l + 6 + (i >= 4) + (i >= 8 && !c.pair);
    const wl_event_t e = write_of(T, i);
    const uint32_t word = e.word[1] * c.cfg->smem_banks + e.word[0];
    bench_expect_in(&c.b, i, "write's cycle", e.cycle, cycle);
    bench_expect_in(&c.b, i, "write's word", word, S / 4 + i);
    bench_expect_in(&c.b, i, "write's bytes", e.word[2], 15);
    bench_expect_in(&c.b, i, "write's data", e.word[3], 0x5000 + (G - DATA) / 4 + i);
  }
  /* The request to the mbarrier is taken behind the last grant, its pass starts in the next cycle. */
  const uint64_t d = last + WL_SMEM_SERIAL_STEP + 4;
  const wl_event_t *wake = journal_nth(&copy_journal, WL_J_WAKE, 0, 0);
  bench_expect(&c.b, "phase over", wake != NULL ? wake->cycle : 0, d - 2);
  bench_expect(&c.b, "object", write_of(T, 12).word[3], 1);
  bench_expect(&c.b, "object, upper word", write_of(T, 13).word[3], 3);
  bench_expect(&c.b, "freed", c.freed[0], d + 1);
  return copy_close(&c, "load");
}

/* A request granted in g is answered in g + 2, its row is READY in the next cycle, in which its packet is
 * granted. Without Pair the second sector takes two requests. Its packet is answered L + 3 later, no packet
 * is left in the next cycle: then the entry is freed. */
static int store(wl_config_id_t config, bool reverse, bool reduces) {
  wl_copy_bench_t c;
  copy_open(&c, config, reverse, 1, 31, 0, 2);
  copy_operands(&c, 0, G, S, K, 0xffffa5c3);
  copy_body(&c);
  const uint32_t pc = copy_command(&c, reduces ? WL_FORM_BULK_ADD_U64 : WL_FORM_BULK_STORE, 0);
  const uint32_t commit = copy_control(&c, WL_FORM_BULKCOMMIT, 0);
  copy_run(&c);
  expect_trap(&c, WL_TRAP_NONE);
  const uint64_t T = resolves(&c, pc), l = c.cfg->mem_latency, p = T + 5 + !c.pair;
  const uint32_t bytes = reduces ? 0xffff : 0xa5c3;
  bench_expect(&c.b, "accepted", c.accepted[0], T + 1);
  expect_packet(&c, 0, T + 4, reduces ? WL_PK_RED : WL_PK_ST, 0, G / 32, bytes << 16);
  expect_packet(&c, 1, p, reduces ? WL_PK_RED : WL_PK_ST, 0, G / 32 + 1, bytes << 16 | bytes);
  bench_expect(&c.b, "packets", copy_packet(2).cycle, 0);
  for (unsigned i = 0; i < 16; i++)
    bench_expect_in(&c.b, i, "word", copy_packet(i / 8).word[8 + i % 8],
                    i < 4 ? 0 : COPY_WORD + S / 4 + i - 4);
  for (unsigned i = 0; i < 2; i++) {
    bench_expect(&c.b, "operation", copy_packet(i).word[1], reduces ? WL_ATOM_OP_ADD : 0);
    bench_expect(&c.b, "type", copy_packet(i).word[2], reduces ? WL_MEM_TYPE_U64 : 0);
  }
  bench_expect(&c.b, "read", c.read[0], T + 5 + !c.pair);
  /* The atomic unit has the first sector's two elements, then the second's four. */
  const uint64_t second =
      p + l + 3 > T + l + 7 + 2 * WL_ATOM_STEP ? p + l + 3 : T + l + 7 + 2 * WL_ATOM_STEP;
  const uint64_t answer = reduces ? second + 4 * WL_ATOM_STEP + l + 1 : p + l + 3;
  bench_expect(&c.b, "response", copy_response(1).cycle, answer);
  bench_expect(&c.b, "freed", c.freed[0], answer + 2);
  bench_expect(&c.b, "age", c.aged[0], copy_issue(commit, 0) + 1);
  for (unsigned i = 0; reduces && i < K / 4; i++)
    bench_expect_in(&c.b, i, "sum", bench_load(&c.b, G + 4 * i),
                    0x5000 + (G - DATA) / 4 + i + COPY_WORD + S / 4 + i);
  return copy_close(&c, reduces ? "reduction" : "store");
}

/* 16 sectors, one each cycle, then a command the other way, whose data wait for their turn: rows drain in
 * order, and what drains comes first at a port. Pair only: the two take one port each. */
static int order(wl_config_id_t config, bool reverse) {
  int failures = 0;
  wl_copy_bench_t c;
  if (wl_configs[config].smem_banks < 8) return 0;
  copy_open(&c, config, reverse, 1, 0, 0x10 << 20, 2);
  copy_operands(&c, 0, DATA + 0x400, 0, 512, 0xffff);
  copy_operands(&c, 1, DATA, 0x200, 16, COPY_OBJECT);
  copy_body(&c);
  uint32_t pc = copy_command(&c, WL_FORM_BULK_STORE, 0);
  copy_command(&c, WL_FORM_BULK_LOAD, 1);
  copy_run(&c);
  uint64_t T = resolves(&c, pc);
  for (unsigned i = 0; i < 16; i++)
    expect_packet(&c, i, T + 4 + i, WL_PK_ST, 0, (DATA + 0x400) / 32 + i, UINT32_MAX);
  expect_packet(&c, 16, T + 20, WL_PK_LD, 16, DATA / 32, UINT32_MAX);
  failures += copy_close(&c, "a load behind a store");

  copy_open(&c, config, reverse, 1, 0, 0x200 << 20, 2);
  copy_operands(&c, 0, DATA + 0x400, 0, 512, COPY_OBJECT);
  copy_operands(&c, 1, DATA, 0x200, 16, 0xffff);
  copy_body(&c);
  pc = copy_command(&c, WL_FORM_BULK_LOAD, 0);
  copy_command(&c, WL_FORM_BULK_STORE, 1);
  copy_run(&c);
  T = resolves(&c, pc);
  for (unsigned i = 0; i < 16; i++)
    expect_packet(&c, i, T + 1 + i, WL_PK_LD, i, (DATA + 0x400) / 32 + i, UINT32_MAX);
  expect_packet(&c, 16, T + c.cfg->mem_latency + 21, WL_PK_ST, 1, DATA / 32, 0xffff);
  bench_expect(&c.b, "in order", c.freed[1] > c.freed[0], 1);
  return failures + copy_close(&c, "a store behind a load");
}

/* One command more than there are entries: the next one issues when the engine is available again. */
static int full(wl_config_id_t config, bool reverse) {
  wl_copy_bench_t c;
  const wl_config_t *cfg = &wl_configs[config];
  uint32_t pc[WL_MOST_COPY_QUEUE + 1];
  copy_open(&c, config, reverse, 1, 0, 0, 2);
  copy_operands(&c, 0, DATA, 0, 16, 0xffff);
  copy_body(&c);
  for (unsigned i = 0; i <= cfg->copy_queue; i++)
    pc[i] = copy_command(&c, WL_FORM_BULK_STORE, 0);
  copy_run(&c);
  const unsigned choice = cfg->issue_ahead ? 2 : 0, turns = cfg->sub_cores - 1;
  for (unsigned i = 1; i < cfg->copy_queue && !cfg->issue_ahead; i++) {
    const uint64_t after = copy_issue(pc[i], 0) - resolves(&c, pc[i - 1]);
    bench_expect(&c.b, "the next issues", after >= 1 && after <= 1 + turns, 1);
  }
  const uint64_t late = copy_issue(pc[cfg->copy_queue], 0);
  bench_expect(&c.b, "the last issues",
               late >= c.freed[0] + choice && late <= c.freed[0] + choice + turns, 1);
  bench_expect(&c.b, "commands", c.commands, cfg->copy_queue + 1);
  return copy_close(&c, "full");
}

/* 32 lanes: 32 commands, lanes ascending; the wait behind them lasts until the last one is freed, or with
 * imm[6] is read. */
static int lanes(wl_config_id_t config, bool reverse, uint32_t wait) {
  wl_copy_bench_t c;
  copy_open(&c, config, reverse, 1, COPY_ALL, 0, 2);
  copy_operands(&c, 0, DATA, 0x40, 16, 0xffff);
  copy_body(&c);
  copy_command(&c, WL_FORM_BULK_STORE, 0);
  copy_control(&c, WL_FORM_BULKCOMMIT, 0);
  const uint32_t waits = copy_control(&c, WL_FORM_BULKWAIT, wait);
  const uint32_t next = copy_control(&c, WL_FORM_NOP, 0);
  copy_run(&c);
  expect_trap(&c, WL_TRAP_NONE);
  bench_expect(&c.b, "commands", c.commands, 32);
  for (unsigned i = 0; i < 32; i++)
    bench_expect_in(&c.b, i, "sector", copy_packet(i).word[5], DATA / 32 + i);
  uint64_t goes_on = 0; /* T of the wait that does */
  for (unsigned i = 0; copy_issue(waits, i) != 0; i++)
    goes_on = copy_issue(waits, i) + 4;
  bench_expect(&c.b, "behind it", copy_issue(next, 0) > goes_on, 1);
  bench_expect(&c.b, "over", goes_on >= (wait & 64 ? c.read[31] : c.freed[31]), 1);
  if ((wait & 64) != 0 && c.pair) bench_expect(&c.b, "only read", goes_on < c.freed[31], 1);
  return copy_close(&c, "lanes");
}

/* A wait for reads only is over long before the packets are answered: the path is woken for it. Pair only. */
static int reads(wl_config_id_t config, bool reverse) {
  wl_copy_bench_t c;
  if (wl_configs[config].smem_banks < 8) return 0;
  copy_open(&c, config, reverse, 1, 0, 0, 2);
  copy_operands(&c, 0, DATA, 0, 992, 0xffff);
  c.b.lb.ntid_x = c.b.lb.threads = 1; /* no other path runs meanwhile */
  c.b.lb.recip_x = c.b.lb.recip_xy = 1u << 20;
  copy_body(&c);
  copy_command(&c, WL_FORM_BULK_STORE, 0);
  copy_control(&c, WL_FORM_BULKCOMMIT, 0);
  const uint32_t waits = copy_control(&c, WL_FORM_BULKWAIT, 64);
  const uint32_t next = copy_control(&c, WL_FORM_NOP, 0);
  copy_run(&c);
  const uint64_t T = copy_issue(waits, 1) + 4;
  bench_expect(&c.b, "waits", copy_issue(waits, 0) + 4 < c.read[0], 1);
  bench_expect(&c.b, "is woken once", copy_issue(waits, 1) != 0 && copy_issue(waits, 2) == 0, 1);
  bench_expect(&c.b, "read", T >= c.read[0] && T < c.freed[0], 1);
  bench_expect(&c.b, "goes on", copy_issue(next, 0) > T, 1);
  return copy_close(&c, "reads");
}

/* Behind three long loads a store is closed in by 70 groups: its age is 63 then. Loads have none. */
static int ages(wl_config_id_t config, bool reverse) {
  wl_copy_bench_t c;
  if (wl_configs[config].copy_queue < 4) return 0;
  copy_open(&c, config, reverse, 1, 0, 0, 2);
  copy_operands(&c, 0, DATA, 0, 992, COPY_OBJECT);
  copy_operands(&c, 1, DATA, 0, 16, 0xffff);
  copy_body(&c);
  for (unsigned i = 0; i < 3; i++)
    copy_command(&c, WL_FORM_BULK_LOAD, 0);
  copy_command(&c, WL_FORM_BULK_STORE, 1);
  uint32_t commit = 0;
  for (unsigned i = 0; i < 70; i++)
    commit = copy_control(&c, WL_FORM_BULKCOMMIT, 0);
  copy_run(&c);
  bench_expect(&c.b, "all before its end", copy_issue(commit, 0) < c.freed[3], 1);
  bench_expect(&c.b, "age", c.oldest[3], 63);
  bench_expect(&c.b, "of a load", c.oldest[0] + c.oldest[1] + c.oldest[2], 0);
  return copy_close(&c, "ages");
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < WL_NUM_CONFIGS; i++) {
    const wl_config_id_t id = (wl_config_id_t)i;
    if (!wl_configs[i].copy) continue;
    for (unsigned reverse = 0; reverse < 2; reverse++)
      failures += load(id, reverse) + store(id, reverse, false) + store(id, reverse, true) +
                  order(id, reverse) + reads(id, reverse) + ages(id, reverse) + full(id, reverse) +
                  lanes(id, reverse, 0) + lanes(id, reverse, 64);
  }
  return failures != 0;
}
