// Bench of rtl/probe/probe.sv with rtl/mem/chunk.sv and smem.sv (docs/microarchitecture.md 18):
// random instructions, operands beat by beat with gaps, results taken at random, chunk port stalled
// at random. A reference written from the section knows each cycle: when the unit is ready, what it
// presents, finishes and traps. Shared memory is compared at the end.
#include <memory>
#include <type_traits>
#include <vector>

#include "bench.h"
#include "verilated.h"
#include PROBE_HEADER

using namespace bench;

namespace {
constexpr unsigned kLanes = PROBE_LANES, kBeats = 32 / kLanes;
constexpr uint32_t kCtaBytes = 4096, kBase = 4096;      // probe_bench.sv
enum { MIX, DOT, SPAN, CHUNK };                         // insn.def
constexpr unsigned kMisaligned = 10, kOutOfBounds = 11; // trap.def

struct Bench {
  VerilatedContext ctx;
  PROBE_MODEL top{&ctx};
  uint64_t cycle = 0, checks = 0, traps = 0, chunks = 0;
  uint32_t mem[kCtaBytes / 4] = {};
  // The instruction.
  unsigned op = 0, rd = 0;
  uint32_t imm = 0, pc = 0, exec = 0;
  uint32_t word[32][16] = {}; // by lane

  void low() {
    top.clk_i = 0;
    top.eval();
  }
  void high() {
    top.clk_i = 1;
    top.eval();
    cycle++;
  }
  // A cycle in which nothing is presented, finished or raised.
  void quiet(bool ready) {
    low();
    check_eq("ready", top.ready_o, ready, cycle);
    check_eq("nothing", top.valid_o | top.finish_o | top.trap_o, 0, cycle);
    checks += 2;
    high();
  }
  void poke_all() {
    for (unsigned i = 0; i < kCtaBytes / 4; i++) {
      mem[i] = static_cast<uint32_t>(rnd());
      top.poke_i = 1;
      top.word_i = kBase / 4 + i;
      top.poke_data_i = mem[i];
      low();
      high();
    }
    top.poke_i = 0;
  }
  void compare_all() {
    for (unsigned i = 0; i < kCtaBytes / 4; i++) {
      top.peek_i = 1;
      top.word_i = kBase / 4 + i;
      low();
      high();
      low();
      check_eq("shared word", top.peek_data_o, mem[i], i);
      checks++;
      high();
      top.peek_i = 0;
    }
  }

  void choose() {
    op = rnd(4);
    do {
      exec = static_cast<uint32_t>(rnd());
      for (unsigned n = rnd(6); n; n--)
        exec &= static_cast<uint32_t>(rnd());
    } while (!exec);
    rd = rnd(4) ? rnd(200) : rnd(2) ? 255 : 240 + rnd(15);
    imm = op == SPAN ? rnd(128) : static_cast<uint32_t>(rnd());
    pc = rnd(1u << 28);
    for (auto &lane : word)
      for (uint32_t &w : lane)
        w = static_cast<uint32_t>(rnd());
    for (unsigned l = 0; op == CHUNK && l < 32; l++)
      for (unsigned i = 0; i < 2; i++) {
        word[l][i] = rnd(kCtaBytes / 16) * 16;
        if (rnd(200) == 0) word[l][i] += 1 + rnd(15);
        if (rnd(200) == 0) word[l][i] |= rnd(2) ? kCtaBytes : 0xfffffff0u;
      }
  }
  unsigned reads() const { return op == MIX ? 16 : op == DOT ? 14 : op == SPAN ? 1 : 6; }
  void token(unsigned beat, uint32_t mask, unsigned step, bool last) {
    while (rnd(4) == 0)
      quiet(false);
    top.x1_valid_i = 1;
    top.x1_last_i = last;
    top.x1_step_i = static_cast<uint8_t>(step);
    top.x1_beat_i = static_cast<uint8_t>(beat);
    top.x1_mask_i = static_cast<std::remove_reference_t<decltype(top.x1_mask_i)>>(mask);
    for (unsigned p = 0; p < kLanes; p++) {
      const uint32_t *w = word[beat * kLanes + p];
      for (unsigned j = 0; j < 3; j++) {
        const unsigned n = 3 * step + j;
        const uint32_t v = n < reads() ? w[n] : 0;
        (j == 0 ? top.x1_a_i : j == 1 ? top.x1_b_i : top.x1_c_i)[p] = v;
      }
    }
    quiet(false);
    top.x1_valid_i = 0;
  }
  uint32_t lanes_of(unsigned beat) const {
    return exec >> beat * kLanes & (kLanes == 32 ? ~0u : (1u << kLanes) - 1);
  }
  void operands() {
    const unsigned steps = (reads() + 2) / 3;
    uint32_t left = exec;
    for (unsigned beat = 0; beat < kBeats; beat++) {
      if (!lanes_of(beat)) continue;
      for (unsigned p = 0; p < kLanes; p++) {
        if (op == CHUNK && !(lanes_of(beat) >> p & 1)) continue;
        if (op != CHUNK && p) break;
        const uint32_t mask = op == CHUNK ? 1u << p : lanes_of(beat);
        left &= ~(mask << beat * kLanes);
        for (unsigned s = 0; s < steps; s++)
          token(beat, mask, s, !left && s + 1 == steps);
      }
    }
  }

  uint32_t value(unsigned lane, unsigned k) const {
    const uint32_t *w = word[lane];
    if (op == MIX) return w[(k + 1) % 16] ^ imm;
    if (op == SPAN) return w[0] + k;
    return (w[k] ^ w[4 + k % 2]) + w[6 + k] + w[10 + k];
  }
  void result(unsigned k, unsigned beat, bool last_beat, bool last) {
    for (bool taken = false; !taken;) {
      taken = rnd(3) == 0;
      top.taken_i = taken;
      low();
      check_eq("presents", top.valid_o, 1, cycle);
      check_eq("register", top.has_reg_o, rd != 255 && rd + k < 255, cycle);
      if (top.has_reg_o) check_eq("rd", top.rd_o, rd + k, cycle);
      check_eq("beat", top.beat_o, beat, cycle);
      check_eq("mask", top.mask_o, lanes_of(beat), cycle);
      check_eq("last beat", top.last_beat_o, last_beat, cycle);
      check_eq("last", top.last_o, last, cycle);
      check_eq("ready", top.ready_o, 0, cycle);
      for (unsigned p = 0; p < kLanes; p++)
        if (lanes_of(beat) >> p & 1)
          check_eq("value", top.data_o[p], value(beat * kLanes + p, k), cycle);
      checks += 8 + kLanes;
      high();
    }
    top.taken_i = 0;
  }
  void results() {
    const unsigned words = op == MIX ? 16 : op == DOT ? 4 : imm + 1;
    unsigned highest = 0;
    for (unsigned beat = 0; beat < kBeats; beat++)
      if (lanes_of(beat)) highest = beat;
    for (unsigned k = 0; k < words; k++)
      for (unsigned beat = 0; beat < kBeats; beat++)
        if (lanes_of(beat)) result(k, beat, beat == highest, beat == highest && k + 1 == words);
  }

  // A cycle of a chunk request: true if it is granted.
  bool ask(bool last) {
    const bool stall = rnd(4) == 0;
    top.stall_i = stall;
    low();
    check_eq("finish", top.finish_o, last && !stall, cycle);
    check_eq("no trap", top.trap_o, 0, cycle);
    checks += 2;
    high();
    top.stall_i = 0;
    return !stall;
  }
  bool fault(unsigned lane, unsigned &cause, uint32_t &offset) const {
    for (unsigned i = 0; i < 2; i++) {
      offset = word[lane][i];
      cause = offset % 16 ? kMisaligned : uint64_t(offset) + 16 > kCtaBytes ? kOutOfBounds : 0;
      if (cause) return true;
    }
    return false;
  }
  void move() {
    for (unsigned l = 0; l < 32; l++) {
      if (!(exec >> l & 1)) continue;
      unsigned cause;
      uint32_t offset;
      if (fault(l, cause, offset)) {
        low();
        check_eq("trap", top.trap_o, 1, cycle);
        check_eq("cause", top.cause_o, cause, cycle);
        check_eq("lane", top.lane_o, l, cycle);
        check_eq("offset", top.offset_o, offset, cycle);
        check_eq("finish", top.finish_o, 1, cycle);
        checks += 5;
        high();
        traps++;
        return;
      }
      const bool last = (uint64_t(exec) >> (l + 1)) == 0;
      while (!ask(false)) {
      }
      quiet(false);
      quiet(false);
      while (!ask(last)) {
      }
      uint32_t sum[4];
      for (unsigned j = 0; j < 4; j++)
        sum[j] = mem[word[l][0] / 4 + j] + word[l][2 + j];
      for (unsigned j = 0; j < 4; j++)
        mem[word[l][1] / 4 + j] = sum[j];
      chunks++;
    }
  }

  void run() {
    choose();
    for (unsigned n = rnd(3); n; n--)
      quiet(true);
    top.start_i = 1;
    top.op_i = static_cast<uint8_t>(op);
    top.rd_i = static_cast<uint8_t>(rd);
    top.imm_i = imm;
    top.pc_i = pc;
    top.exec_i = exec;
    quiet(true);
    top.start_i = 0;
    operands();
    for (unsigned n = pc % 8; n; n--)
      quiet(false);
    if (op == CHUNK)
      move();
    else
      results();
  }
};
} // namespace

int main() {
  auto b = std::make_unique<Bench>();
  b->top.rst_ni = 0;
  b->low();
  b->high();
  b->top.rst_ni = 1;
  b->poke_all();
  for (unsigned n = 0; n < 3000; n++)
    b->run();
  b->quiet(true);
  b->quiet(true);
  b->quiet(true);
  b->compare_all();
  check(b->traps > 50, "traps", b->traps, 51, b->cycle);
  check(b->chunks > 1000, "chunks", b->chunks, 1001, b->cycle);
  return finish("probe", b->checks);
}
