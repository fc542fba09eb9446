// Bench of products in tensor memory, rtl/tensor/umma*.sv with the tensor units and tensor memory of the
// sub-cores (docs/microarchitecture.md 25, 26): commands at random, with faults, beside sets of the tensor
// units, loads and stores, with a chunk port and a shared memory that make them wait. reference.h says
// what a command does. The cycles of the tables are measured (cycles.h); instructions: issue.h.
#include <algorithm>
#include <deque>
#include <memory>

#include "scales.h"
#include "verilated.h"
#include UMMA_HEADER

using namespace bench;
using namespace umma;

namespace {
enum { LOAD = 3, STORE = 4 }; // operations of tensor memory
struct X1 {
  unsigned unit, op, step, beat, warp, pc, imm, a_words, b_words, c_words;
  uint32_t mask, ps, words[3][32];
  bool last, ta, b16;
};
struct Word {
  unsigned rd, beat;
  std::vector<uint32_t> data;
};
struct Active {
  Command command;
  Rows rows;
};
struct Asked {
  bool valid = false;
  std::vector<bool> quad;
  std::vector<unsigned> row;
};
struct Seen {
  uint64_t ops[9], with_ta, commits, traps, causes[32], rows, misuse, sets, loads, stores, both,
      waits;
};

struct Bench : Memories {
  VerilatedContext ctx;
  std::unique_ptr<UMMA_MODEL> top;
  Seen seen{};
  uint64_t cycle = 0, checks = 0;
  std::deque<X1> way[z.subs];
  std::deque<Word> sets[z.subs], loads[z.subs];
  std::deque<Active> active;
  bool on_way = false, calm = true;
  Command command{};
  Asked asked[2];
  int due = -1;                                           // cycles to the delivery of a commit
  unsigned grants = 16, wants = 0, mixes = 0, takes = 16; // chances in 16
  unsigned taken_since[z.subs] = {};
  bool owed[z.subs] = {};
  uint64_t at_t = 0, at_grant = 0, at_begin = 0, at_last = 0, at_write = 0, at_end = 0,
           at_offer = 0, at_scales = 0;
  uint64_t steps = 0, requests = 0, period = 0;
  std::deque<Command> given; // instead of chosen ones

  Bench() {
    ctx.randReset(2);
    top = std::make_unique<UMMA_MODEL>(&ctx);
  }
  void expect(const char *what, uint64_t got, uint64_t expected) {
    check_eq(what, got, expected, cycle);
    checks++;
  }
  void settle(int clock) {
    top->clk_i = static_cast<uint8_t>(clock);
    top->eval();
  }
  void issue_product(unsigned k, const Command &c);
  void issue_set(unsigned k);
  void issue_load(unsigned k);
  void issue_store(unsigned k);
  void drive();
  void answer();
  void check_unit();
  void check_turns();
  void check_sub(unsigned k);
  void step();
  void start(unsigned smem_units);
  uint32_t look(unsigned quarter, unsigned column, unsigned lane);
  void contents();
  void scales();
  void run();
  void table();
};

#include "issue.h"

// What comes in X1 in this cycle; what issues.
void Bench::drive() {
  for (unsigned k = 0; k < z.subs; k++) {
    top->issue_i[k] = 0;
    top->x1_i[k] = 0;
    if (!way[k].empty()) {
      const X1 &x = way[k].front();
      top->x1_i[k] = 1;
      top->x1_unit_i[k] = static_cast<uint8_t>(x.unit);
      top->x1_op_i[k] = static_cast<uint8_t>(x.op);
      top->x1_step_i[k] = static_cast<uint8_t>(x.step);
      top->x1_beat_i[k] = static_cast<uint8_t>(x.beat);
      top->x1_mask_i[k] = x.mask;
      top->x1_last_i[k] = x.last;
      top->x1_warp_i[k] = static_cast<uint8_t>(x.warp);
      top->x1_pc_i[k] = x.pc;
      top->x1_imm_i[k] = x.imm;
      top->x1_a_words_i[k] = static_cast<uint8_t>(x.a_words);
      top->x1_b_words_i[k] = static_cast<uint8_t>(x.b_words);
      top->x1_c_words_i[k] = static_cast<uint8_t>(x.c_words);
      top->x1_ps_i[k] = x.ps;
      top->x1_ta_i[k] = x.ta;
      top->x1_b16_i[k] = x.b16;
      for (unsigned l = 0; l < z.lanes; l++) {
        top->x1_a_i[k * z.lanes + l] = x.words[0][l];
        top->x1_b_i[k * z.lanes + l] = x.words[1][l];
        top->x1_c_i[k * z.lanes + l] = x.words[2][l];
      }
      way[k].pop_front();
      continue;
    }
    if (!on_way && top->put_free_o &&
        (given.empty() ? rnd(16) < wants : given.front().warp % z.subs == k)) {
      Command c = given.empty() ? choose() : given.front();
      if (!given.empty()) given.pop_front();
      while (c.warp % z.subs != k) // of a warp of this sub-core
        c = choose();
      issue_product(k, c);
    } else if (rnd(16) < mixes) {
      const unsigned what = rnd(4);
      if (what == 0 && !calm) issue_store(k);
      if (what == 1 && !calm && top->load_ready_o[k]) issue_load(k);
      if (what >= 2 && top->tensor_ready_o[k]) issue_set(k);
    }
  }
}

// Chunk port and shared memory.
void Bench::answer() {
  top->rsp_i = asked[1].valid;
  for (unsigned i = 0; i < z.banks; i++) {
    top->rsp_data_i[i] = static_cast<uint32_t>(rnd());
    if (!asked[1].valid || !asked[1].quad[i / 4]) continue;
    const std::size_t at = (std::size_t{asked[1].row[i / 4]} * z.banks + i) * 4;
    top->rsp_data_i[i] = half(static_cast<uint32_t>(at)) |
                         static_cast<uint32_t>(half(static_cast<uint32_t>(at + 2))) << 16;
  }
  top->delivered_i = due == 0;
  top->misuse_i = due == 0 && rnd(4) == 0 && !calm;
  top->grant_i = top->taken_i = 0;
  settle(0);
  top->grant_i = top->chunk_o && rnd(16) < grants;
  top->taken_i = top->commit_o && (calm || rnd(4) == 0);
  asked[1] = asked[0];
  asked[0] = {};
  if (top->grant_i) {
    asked[0].valid = true;
    for (unsigned q = 0; q < z.banks / 4; q++) {
      asked[0].quad.push_back(top->chunk_valid_o[q]);
      asked[0].row.push_back(top->chunk_row_o[q]);
    }
  }
}

void Bench::check_unit() {
  uint64_t busy = 0;
  for (const Active &a : active)
    busy |= 1ull << a.command.warp;
  expect("warps in use", top->busy_o, busy);
  if (!active.empty()) expect("rest", top->rest_o, 0);
  if (top->end_o) {
    expect("an entry ends", active.empty(), 0);
    if (active.empty()) return;
    const Active &a = active.front();
    expect("event of an end", top->end_event_o, a.command.op == COMMIT ? 2 : 1);
    expect("warp of an end", top->end_warp_o, a.command.warp);
    expect("rows at an end", a.rows.size(), 0);
    if (a.command.op != COMMIT) at_end = cycle;
  }
  if (top->commit_o) {
    expect("a commit is offered", active.empty() || active.front().command.op != COMMIT, 0);
    if (!active.empty())
      expect("object of a commit", top->commit_at_o,
             active.front().command.cta * units * 1024 + active.front().command.a[0]);
    if (!at_offer) at_offer = cycle;
  }
  const bool misused = top->delivered_i && top->misuse_i;
  Fault f{};
  if (top->resolve_o) f = judged(command);
  expect("trap", top->trap_o, misused || f.bad);
  if (top->trap_o && misused && (!f.bad || f.cause > 16)) {
    expect("trap of misuse", top->cause_o, UMMA_TRAP_MBARRIER);
    seen.misuse++;
  } else if (top->trap_o) {
    expect("cause", top->cause_o, f.cause);
    expect("address", top->trap_addr_o, f.address);
    expect("trap's warp", top->trap_warp_o, command.warp);
    expect("trap's lane", top->trap_lane_o, command.lane);
    expect("trap's pc", top->trap_pc_o, command.pc);
    seen.traps++;
    seen.causes[f.cause & 31]++;
  }
}

// A block after at most one more set of each sub-core, a set of each after a block.
void Bench::check_turns() {
  bool any = false;
  for (unsigned k = 0; k < z.subs; k++) {
    if (top->takes_o[k] && top->ready_o) taken_since[k]++;
    any = any || taken_since[k] > 1;
    if (top->takes_o[k]) owed[k] = false;
    if (top->start_o && calm) expect("turn of a set", owed[k], 0);
    if (top->start_o) taken_since[k] = 0;
    if (top->block_end_o) owed[k] = top->next_o[k];
    seen.both += top->block_end_o && top->next_o[k];
  }
  expect("turn of a block", any, 0);
}

void Bench::check_sub(unsigned k) {
  if (top->write_o[k]) {
    const unsigned quarter = top->write_quarter_o[k], row = top->write_row_o[k];
    expect("a row is written", active.empty(), 0);
    if (active.empty()) return;
    Rows &rows = active.front().rows;
    const auto at = rows.find({quarter, row});
    expect("place of a row", at == rows.end(), 0);
    expect("a store beside it", top->store_o[k] && top->store_quarter_o[k] == quarter, 0);
    if (at == rows.end()) return;
    expect("lanes of a row", top->write_mask_o[k], at->second.mask);
    for (unsigned l = 0; l < z.lanes; l++)
      if (at->second.mask >> l & 1)
        expect("element of D", top->write_data_o[k * z.lanes + l], at->second.data[l]);
    rows.erase(at);
    at_write = cycle;
    seen.rows++;
  }
  top->result_grant_i[k] = top->result_o[k] && rnd(16) < takes;
  if (!top->result_grant_i[k]) return;
  std::deque<Word> &from = top->result_rd_o[k] < 128 ? sets[k] : loads[k];
  expect("a result", from.empty(), 0);
  if (from.empty()) return;
  const Word &w = from.front();
  expect("register of a result", top->result_rd_o[k], w.rd);
  expect("beat of a result", top->result_beat_o[k], w.beat);
  for (unsigned l = 0; l < z.lanes; l++)
    expect(w.rd < 128 ? "result of a set" : "result of a load", top->result_data_o[k * z.lanes + l],
           w.data[l]);
  from.pop_front();
}

void Bench::step() {
  drive();
  answer();
  settle(0);
  check_unit();
  check_turns();
  for (unsigned k = 0; k < z.subs; k++)
    check_sub(k);
  steps += top->step_o;
  requests += top->grant_i;
  if (top->grant_i && !at_grant) at_grant = cycle;
  if (top->begins_o) {
    period = cycle - at_begin;
    at_begin = cycle;
  }
  if (top->block_end_o) at_last = cycle;
  if (top->scales_o && !at_scales) at_scales = cycle;
  seen.waits += top->commit_o && !top->taken_i;
  const bool ends = top->end_o, took = top->taken_i,
             accepts = top->resolve_o && !judged(command).bad;
  if (top->resolve_o && !at_t) at_t = cycle;
  if (top->resolve_o) on_way = false;
  settle(0);
  settle(1);
  cycle++;
  if (due >= 0) due--;
  if (took) due = calm ? 6 : static_cast<int>(3 + rnd(8));
  if (ends && !active.empty()) active.pop_front();
  if (accepts) {
    active.push_back({command, command.op == COMMIT ? Rows{} : act(command)});
    seen.ops[command.op]++;
    seen.with_ta += command.ta;
  }
}

#include "cycles.h"
} // namespace

int main() {
  Bench bench;
  bench.run();
  return finish("umma", bench.checks);
}
