// Bench of tensor memory, rtl/tensor/columns.sv and tmem.sv (docs/microarchitecture.md 24): warps of
// several CTAs allocate, wait, give back, load and store at random, with faults, CTAs that end, results
// that are not taken, and `clear` at any time. A reference (reference.h) says in every cycle what the
// units present and what is written.
#include <algorithm>
#include <memory>

#include "verilated.h"
#include "warps.h"
#include TMEM_HEADER

using namespace bench;
using namespace tensor_memory;

namespace {
struct Seen {
  uint64_t cause[32], waits, wakes, frees, left, both, writes, results, stalls, zeros, clears;
};

struct Bench : Warps {
  VerilatedContext ctx;
  std::unique_ptr<TMEM_MODEL> top;
  std::vector<Part> part;
  Seen seen{};
  uint64_t cycle = 0, checks = 0;
  std::deque<Insn> way[z.subs]; // issued
  Command command{};
  unsigned command_lane = 0, command_pc = 0;
  bool allocator_busy = false, over = false;
  unsigned start = 8, move = 8, take = 8; // chances in 16

  Bench() {
    ctx.randReset(2);
    top = std::make_unique<TMEM_MODEL>(&ctx);
    for (unsigned k = 0; k < z.subs; k++)
      part.emplace_back(z, k);
  }
  void expect(const char *what, uint64_t got, uint64_t expected) {
    check_eq(what, got, expected, cycle);
    checks++;
  }
  void settle(int clock) {
    top->clk_i = static_cast<uint8_t>(clock);
    top->eval();
  }
  bool idle(unsigned warp) const;
  bool issue(unsigned k, Load &load);
  void x1(unsigned k, Access &access, Word &word, Command &next);
  bool may_end(unsigned s) const;
  int freed();
  void check_allocator(const Outcome &o, int ends);
  void check_part(unsigned k, const Fault &f);
  void step(bool clear);
  void places();
  void run();
};

// Neither parked nor with an instruction of the allocator, which must resolve first.
bool Bench::idle(unsigned warp) const {
  if (parked[warp]) return false;
  if (allocator_busy && command.valid && command.warp == warp) return false;
  for (const Insn &i : way[warp % z.subs])
    if (i.warp == warp && i.op <= RELINQUISH) return false;
  return true;
}

// True: a load issues.
bool Bench::issue(unsigned k, Load &load) {
  const unsigned w = rnd(z.warps / z.subs) * z.subs + k;
  Insn i = choose(w);
  const bool control = i.op <= RELINQUISH, ready = part[k].ready();
  bool issues = rnd(16) < start && way[k].size() < 3 && idle(w);
  if (control) issues = issues && !allocator_busy;
  if (i.op == LD) issues = issues && ready;
  const unsigned noise = rnd(3); // nothing, without lanes, an arrival: of a load, too
  top->issue_i[k] = issues || noise != 0;
  top->issue_empty_i[k] = !issues && noise == 1;
  top->issue_ctl_i[k] = issues ? control : noise == 2;
  top->issue_op_i[k] = static_cast<uint8_t>(i.op);
  top->issue_warp_i[k] = static_cast<uint8_t>(w / z.subs);
  top->issue_rd_i[k] = static_cast<uint8_t>(i.rd);
  top->issue_imm_i[k] = i.imm;
  if (!issues) return false;
  if (control) {
    allocator_busy = true;
    again[w] = false;
    if (i.op == ALLOC) wanted[w] = i.number;
  }
  load = {w, i.rd, i.count, false, false, 0, 0};
  way[k].push_back(i);
  return i.op == LD;
}

void Bench::x1(unsigned k, Access &access, Word &word, Command &next) {
  const bool mine = !way[k].empty() && rnd(16) < move;
  const unsigned w = mine ? way[k].front().warp : rnd(z.warps);
  top->x1_i[k] = mine || rnd(2);
  top->x1_tmem_i[k] = mine;
  top->x1_op_i[k] = static_cast<uint8_t>(rnd(6));
  top->x1_step_i[k] = static_cast<uint8_t>(rnd(17));
  top->x1_beat_i[k] = static_cast<uint8_t>(rnd(z.beats()));
  top->x1_mask_i[k] = static_cast<uint32_t>(rnd());
  top->x1_last_i[k] = rnd(2) != 0;
  top->x1_warp_i[k] = static_cast<uint8_t>(w / z.subs);
  top->x1_pc_i[k] = static_cast<uint32_t>(rnd()) & 0xfffffff;
  top->x1_half_i[k] = rnd(2) != 0;
  top->x1_imm_i[k] = static_cast<uint32_t>(rnd());
  top->x1_words_i[k] = static_cast<uint8_t>(rnd(8));
  for (unsigned l = 0; l < z.lanes; l++)
    top->x1_a_i[k * z.lanes + l] = static_cast<uint32_t>(rnd());
  if (!mine) return;

  Insn &i = way[k].front();
  const unsigned steps = i.op == ST ? i.count + 1 : i.op == DEALLOC ? 2 : 1;
  const unsigned s = i.at % steps, beat = i.at / steps;
  const unsigned lane = i.op <= RELINQUISH ? rnd(32) : 0; // of a form of one lane
  uint32_t first = i.op == ALLOC ? i.number : i.a;
  if (i.op == DEALLOC && s == 1) first = i.number;
  top->x1_op_i[k] = static_cast<uint8_t>(i.op);
  top->x1_step_i[k] = static_cast<uint8_t>(s);
  top->x1_beat_i[k] = static_cast<uint8_t>(i.op == ST ? beat : lane / z.lanes);
  top->x1_mask_i[k] =
      i.op == ST ? (z.lanes == 32 ? ~0u : (1u << z.lanes % 32) - 1) : 1u << lane % z.lanes;
  top->x1_pc_i[k] = i.pc;
  top->x1_half_i[k] = i.half;
  top->x1_imm_i[k] = i.imm;
  unsigned code = 0;
  static const unsigned words[] = {0, 1, 2, 8, 4, 16, 0, 0};
  while (code < 7 && words[code] != i.count)
    code++;
  top->x1_words_i[k] = static_cast<uint8_t>(code);
  if (i.op != ST || beat + s == 0) top->x1_a_i[k * z.lanes + lane % z.lanes] = first;
  for (unsigned l = 0; i.op == ST && s > 0 && l < z.lanes; l++)
    top->x1_a_i[k * z.lanes + l] = i.b[s - 1][beat][l];
  const unsigned all = steps * (i.op == ST ? z.beats() : 1);
  top->x1_last_i[k] = i.at + 1 == all;

  if (i.op >= LD && i.at == 0)
    access = {true, i.op == LD, i.half, i.warp, i.pc, i.count, i.a, i.op == LD ? 0 : i.imm};
  if (i.op == ST && s > 0) word = {true, s - 1, beat, top->x1_mask_i[k], i.b[s - 1][beat]};
  if (++i.at < all) return;
  if (i.op <= RELINQUISH) {
    next = {true, i.op, i.warp, cta[i.warp], i.a, i.number};
    command_lane = lane;
    command_pc = i.pc;
  }
  way[k].pop_front();
}

// A CTA can end: its warps have nothing under way.
bool Bench::may_end(unsigned s) const {
  if (command.valid && command.cta == s) return false;
  for (unsigned w = 0; w < z.warps; w++) {
    if (cta[w] != s) continue;
    const Part &p = part[w % z.subs];
    if (parked[w] || columns.queued(w) || p.has(w)) return false;
    if (p.access.valid && p.access.warp == w) return false;
    for (const Insn &i : way[w % z.subs])
      if (i.warp == w) return false;
  }
  return true;
}

// A CTA that ends, or -1; beside an instruction rather one that has units.
int Bench::freed() {
  const unsigned from = rnd(z.ctas);
  if (rnd(command.valid ? 8 : 32)) return -1;
  for (unsigned i = 0; i < z.ctas; i++) {
    const unsigned s = (from + i) % z.ctas;
    if (!may_end(s) || (command.valid && columns.units_of(s) == 0)) continue;
    for (unsigned w = 0; w < z.warps; w++)
      if (cta[w] == s) again[w] = false;
    return static_cast<int>(s);
  }
  return -1;
}

void Bench::check_allocator(const Outcome &o, int ends) {
  const uint32_t left = ends < 0 ? 0 : columns.units_of(static_cast<unsigned>(ends));
  const bool done = command.valid && !o.fault.bad && !o.waits;
  const int wakes = columns.wakes();
  expect("in T", top->resolve_o, command.valid);
  if (command.valid) expect("waits", top->waits_o, o.waits);
  expect("warps are woken", top->wake_o, wakes < 0 ? 0 : uint64_t{1} << wakes);
  for (unsigned w = 0; w < z.warps; w++)
    if (columns.base[w] >= 0)
      expect("base", top->base_o[w], static_cast<uint64_t>(columns.base[w]));
  expect("allocator's trap", top->columns_trap_o, o.fault.bad);
  if (o.fault.bad) {
    expect("allocator's cause", top->columns_cause_o, o.fault.cause);
    expect("trap's warp", top->columns_warp_o, command.warp);
    expect("trap's lane", top->columns_lane_o, command_lane);
    expect("trap's pc", top->columns_pc_o, command_pc);
    expect("trap's address", top->columns_addr_o, o.fault.address);
    seen.cause[o.fault.cause]++;
  }
  expect("allocator's rest", top->columns_rest_o, columns.rest());
  expect("record of units", top->done_o, done);
  if (done) expect("operation of units", top->done_op_o, command.op);
  if (done) expect("units", top->done_units_o, o.units);
  expect("units are left", top->left_units_o, left);
  expect("record of units left", top->left_o, left != 0);
  seen.waits += command.valid && o.waits;
  seen.wakes += wakes >= 0;
  seen.frees += ends >= 0;
  seen.left += left != 0;
  seen.both += done && left != 0;
}

void Bench::check_part(unsigned k, const Fault &f) {
  const Part &p = part[k];
  expect("ready", top->ready_o[k], p.ready());
  expect("rest", top->rest_o[k], p.rest());
  expect("trap", top->trap_o[k], f.bad);
  if (f.bad) {
    expect("cause", top->cause_o[k], f.cause);
    expect("trap's warp", top->trap_warp_o[k], p.access.warp);
    expect("trap's lane", top->trap_lane_o[k], 0);
    expect("trap's pc", top->trap_pc_o[k], p.access.pc);
    expect("trap's address", top->trap_addr_o[k], f.address);
    seen.cause[f.cause]++;
    seen.zeros += p.access.load;
  }
  expect("write", top->write_o[k], p.write.valid);
  if (p.write.valid) {
    expect("write's quarter", top->write_quarter_o[k], p.write.quarter);
    expect("write's row", top->write_row_o[k], p.write.row);
    expect("write's lanes", top->write_mask_o[k], p.write.mask);
    for (unsigned l = 0; l < z.lanes; l++)
      expect("write's data", top->write_data_o[k * z.lanes + l], p.write.data[l]);
    seen.writes++;
  }
  expect("result", top->result_o[k], !p.out.empty());
  if (p.out.empty()) return;
  const Result &r = p.out.front();
  expect("result's warp", top->result_warp_o[k], r.warp / z.subs);
  expect("result has a register", top->result_has_reg_o[k], r.has_reg);
  if (r.has_reg) expect("result's register", top->result_rd_o[k], r.rd);
  expect("result's beat", top->result_beat_o[k], r.beat);
  expect("result's lanes", top->result_mask_o[k], 0xffffffffu >> (32 - z.lanes));
  expect("result's last beat", top->result_last_beat_o[k], r.beat + 1 == z.beats());
  expect("result is the last", top->result_last_o[k], r.beat + 1 == z.beats() && r.last_word);
  for (unsigned l = 0; l < z.lanes; l++)
    expect("result's data", top->result_data_o[k * z.lanes + l], r.data[l]);
  seen.stalls += p.out.size() == 2;
}

void Bench::step(bool clear) {
  Access access[z.subs] = {};
  Word word[z.subs] = {};
  Load load[z.subs] = {};
  Fault fault[z.subs] = {};
  bool issues[z.subs] = {}, taken[z.subs] = {};
  Command next{};
  const int ends = freed();
  top->freed_i = ends >= 0;
  top->freed_cta_i = static_cast<uint8_t>(ends >= 0 ? ends : rnd(z.ctas));
  top->clear_i = clear;
  for (unsigned k = 0; k < z.subs; k++) {
    x1(k, access[k], word[k], next);
    issues[k] = issue(k, load[k]);
    top->result_taken_i[k] = 0;
    if (ends >= 0 && issues[k] && cta[load[k].warp] == static_cast<unsigned>(ends)) over = true;
  }
  settle(0);
  const Outcome o = columns.judge(command);
  check_allocator(o, ends);
  for (unsigned k = 0; k < z.subs; k++) {
    const unsigned w = part[k].access.warp;
    fault[k] = part[k].judge(columns, cta[w], index[w]);
    check_part(k, fault[k]);
    taken[k] = !part[k].out.empty() && rnd(16) < take;
    top->result_taken_i[k] = taken[k];
    seen.results += taken[k];
  }
  if (failures) return;
  settle(0);
  settle(1);
  cycle++;

  const int wakes = columns.wakes();
  if (wakes >= 0 && parked[wakes]) {
    parked[wakes] = false;
    again[wakes] = true;
  }
  if (command.valid) {
    allocator_busy = false;
    parked[command.warp] = o.waits;
    over = over || (o.fault.bad && columns.queued(command.warp)); // waits for ever
  }
  columns.next(command, o, ends);
  command = next;
  for (unsigned k = 0; k < z.subs; k++)
    part[k].next(fault[k], index[part[k].access.warp], taken[k], access[k], word[k],
                 issues[k] ? &load[k] : nullptr);
  bool all = true;
  for (const bool p : parked)
    all = all && p;
  over = over || all;
  if (!clear) return;
  seen.clears++;
  over = allocator_busy = false;
  command = {};
  columns.clear();
  for (unsigned k = 0; k < z.subs; k++) {
    way[k].clear();
    part[k].clear();
  }
  for (unsigned w = 0; w < z.warps; w++)
    parked[w] = again[w] = false;
}

// Where the warps are; with several sub-cores their numbers name them, but for a few.
void Bench::places() {
  const unsigned ctas = 1 + rnd(z.ctas);
  for (unsigned w = 0; w < z.warps; w++) {
    cta[w] = rnd(ctas);
    index[w] = rnd(32);
    if (z.subs == 4 && rnd(16)) index[w] = (index[w] & 28) | w % 4;
    top->warp_cta_i[w] = static_cast<uint8_t>(cta[w]);
    top->warp_index_i[w] = static_cast<uint8_t>(index[w]);
  }
}

void Bench::run() {
  top->rst_ni = 0;
  top->clear_i = 0;
  settle(0);
  settle(1);
  top->rst_ni = 1;
  static const unsigned chances[] = {1, 4, 12, 16};
  for (unsigned e = 0; e < 400 && !failures; e++) {
    places();
    start = chances[1 + rnd(3)];
    move = chances[1 + rnd(3)];
    take = chances[rnd(4)];
    allocate = 1 + rnd(8);
    spoil = rnd(4);
    for (unsigned i = 0; i < 1000 && !failures && !over; i++)
      step(false);
    if (!failures) step(true);
  }
  if (failures) return;
  for (unsigned c = BAD_COLUMNS; c <= BAD_RANGE; c++)
    check(seen.cause[c] > 20, "every trap was there", c, seen.cause[c], cycle);
  check(seen.waits > 100 && seen.wakes > 100, "warps waited", seen.waits, seen.wakes, cycle);
  check(seen.left > 20, "CTAs left units", seen.left, 20, cycle);
  check(seen.writes > 1000 && seen.results > 1000, "words", seen.writes, seen.results, cycle);
  check(seen.stalls > 1000 && seen.zeros > 20, "stalls", seen.stalls, seen.zeros, cycle);
  std::printf("%" PRIu64 " cycles, %" PRIu64 " writes, %" PRIu64 " results, %" PRIu64
              " waits, %" PRIu64 " wakes, %" PRIu64 " CTAs left units, %" PRIu64
              " with another record\n",
              cycle, seen.writes, seen.results, seen.waits, seen.wakes, seen.left, seen.both);
}
} // namespace

int main() {
  Bench bench;
  bench.run();
  return finish("tmem", bench.checks);
}
