// The memory shim (docs/fpga.md 2) against a reference in core time: a core that asks at random, a
// memory that is ready and answers when it likes, random freezes and pauses. Every answer has to come
// in the core cycle Latency after its request, with the data at acceptance, and none else.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>

#include <Vshim_top.h>
#include <verilated.h>

namespace {

enum { kLatency = 16, kIds = 8, kSectors = 24, kWords = 8 };

struct Answer {
  bool read;
  unsigned id;
  uint32_t data[kWords];
};

uint64_t state = 1;
uint32_t draw(uint32_t n) {
  state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = state;
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return static_cast<uint32_t>((z ^ z >> 31) % n);
}

int failures = 0;
void fail(uint64_t cycle, const char *what) {
  if (failures++ < 10)
    printf("core cycle %llu: %s\n", static_cast<unsigned long long>(cycle), what);
}

void write_bytes(uint32_t *to, const uint32_t *from, uint32_t strobe) {
  for (unsigned b = 0; b < 32; b++) {
    if ((strobe >> b & 1) == 0) continue;
    const uint32_t mask = 255u << 8 * (b % 4);
    to[b / 4] = (to[b / 4] & ~mask) | (from[b / 4] & mask);
  }
}

// ready: chance in 8 that the memory takes a request; delay: most cycles to an answer; ask: chance in
// 16 of each channel per core cycle.
void run(unsigned ready, unsigned delay, unsigned ask, unsigned density, uint64_t core_cycles) {
  Vshim_top t;
  auto clock = [&] {
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    t.eval();
  };
  t.rst_ni = 0;
  t.over_at_i = 0xffffffffu;
  t.core_divide_i = 1;
  clock();
  clock();
  t.rst_ni = 1;
  t.freeze_i = 1;
  t.seed_i = 12345 + density;
  t.density_i = static_cast<uint8_t>(density);
  clock();
  t.freeze_i = 0;
  t.run_i = 1;
  t.cycles_i = 0xffffffffu;
  clock();
  t.run_i = 0;

  static uint32_t reference[kSectors][kWords], memory[kSectors][kWords];
  for (unsigned s = 0; s < kSectors; s++)
    for (unsigned w = 0; w < kWords; w++)
      reference[s][w] = memory[s][w] = draw(0xffffffffu);
  std::multimap<uint64_t, Answer> due;
  bool busy[kIds] = {};
  unsigned sector_of[kIds] = {};
  struct Pending {
    uint64_t at;
    uint32_t data;
  };
  std::deque<Pending> answers;
  uint64_t cycle = 0, clocks = 0, last_count = t.count_o;

  auto choose = [&](bool *valid, unsigned *id, unsigned *sector, unsigned not_sector) {
    *valid = false;
    if (draw(16) >= ask) return;
    const unsigned i = draw(kIds), s = draw(kSectors);
    bool taken = busy[i] || s == not_sector;
    for (unsigned k = 0; k < kIds; k++)
      taken |= busy[k] && sector_of[k] == s;
    if (taken) return;
    *valid = true;
    *id = i;
    *sector = s;
    busy[i] = true;
    sector_of[i] = s;
  };
  auto core_cycle = [&] { // the requests of a new core cycle
    bool valid;
    unsigned id = 0, sector = kSectors;
    choose(&valid, &id, &sector, kSectors);
    t.ar_valid_i = valid;
    t.ar_id_i = static_cast<uint8_t>(id);
    t.ar_addr_i = sector;
    choose(&valid, &id, &sector, kSectors);
    t.aw_valid_i = valid;
    t.aw_id_i = static_cast<uint8_t>(id);
    t.aw_addr_i = sector;
    t.w_strb_i = draw(3) == 0 ? 0xffffffffu : draw(0xffffffffu);
    for (unsigned w = 0; w < kWords; w++)
      t.w_data_i[w] = draw(0xffffffffu);
  };
  core_cycle();
  while (cycle < core_cycles && clocks < core_cycles * 400) {
    clocks++;
    t.pause_i = draw(64) == 0 ? 1 : t.pause_i && draw(4) != 0;
    t.mem_ready_i = draw(8) < ready;
    t.rsp_valid_i = !answers.empty() && answers.front().at <= clocks;
    if (t.rsp_valid_i) t.rsp_data_i = answers.front().data;
    t.eval();
    // The memory port takes a word with this edge.
    if (t.mem_valid_o && t.mem_ready_i) {
      uint32_t *const word = &memory[t.mem_addr_o / kWords][t.mem_addr_o % kWords];
      if (t.mem_write_o) {
        write_bytes(word, &t.mem_data_o, t.mem_strb_o);
      } else {
        const uint64_t soon = clocks + 1 + draw(delay);
        answers.push_back(
            {!answers.empty() && answers.back().at >= soon ? answers.back().at + 1 : soon, *word});
      }
    }
    const bool popped = t.rsp_valid_i;
    const bool tick = t.tick_o;
    if (tick) {
      // What the core sees in this cycle, and what it asks for.
      for (int channel = 0; channel < 2; channel++) {
        const bool read = channel == 0, valid = read ? t.r_valid_o : t.b_valid_o;
        const unsigned id = read ? t.r_id_o : t.b_id_o;
        auto range = due.equal_range(cycle);
        auto at = range.first;
        while (at != range.second && at->second.read != read)
          ++at;
        if (valid != (at != range.second)) fail(cycle, read ? "read answer" : "write answer");
        if (at == range.second) continue;
        if (valid && id != at->second.id) fail(cycle, "id");
        for (unsigned w = 0; read && valid && w < kWords; w++)
          if (t.r_data_o[w] != at->second.data[w]) fail(cycle, "data");
        busy[at->second.id] = false;
        due.erase(at);
      }
      for (int channel = 0; channel < 2; channel++) {
        const bool read = channel == 0;
        if (!(read ? t.ar_valid_i : t.aw_valid_i)) continue;
        const unsigned s = static_cast<unsigned>(read ? t.ar_addr_i : t.aw_addr_i);
        Answer a = {read, static_cast<unsigned>(read ? t.ar_id_i : t.aw_id_i), {}};
        for (unsigned w = 0; w < kWords; w++)
          a.data[w] = reference[s][w];
        uint32_t data[kWords];
        for (unsigned w = 0; w < kWords; w++)
          data[w] = t.w_data_i[w];
        if (!read) write_bytes(reference[s], data, t.w_strb_i);
        due.insert({cycle + kLatency, a});
      }
      cycle++;
    }
    clock();
    if (popped) answers.pop_front();
    if (tick) core_cycle();
    if (t.count_o - last_count != static_cast<uint32_t>(tick))
      fail(cycle, "the core's clock is not its enable");
    last_count = t.count_o;
  }
  if (cycle < core_cycles) fail(cycle, "the core does not go on");
  printf("ready %u/8, delay to %u, requests %u/16, frozen %u/8: %llu core cycles in %llu\n", ready,
         delay, ask, density, static_cast<unsigned long long>(cycle),
         static_cast<unsigned long long>(clocks));
  t.final();
}

} // namespace

int main() {
  run(8, 1, 16, 0, 20000); // as the block RAM, all channels full
  run(8, 3, 4, 0, 20000);
  run(8, 3, 1, 3, 20000);
  run(4, 10, 8, 0, 20000);
  run(2, 40, 16, 0, 10000); // slower than the latency
  run(1, 90, 6, 5, 5000);
  printf("shim: %d failures\n", failures);
  return failures != 0;
}
