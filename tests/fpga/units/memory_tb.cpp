// Board memory against an array here: random reads and writes with byte masks in every cycle, also
// outside of it (reads give zero, writes change nothing), answers in order.
#include <cstdio>
#include <cstring>
#include <deque>
#include <vector>

#include <Vboard_memory.h>
#include <verilated.h>

namespace {
uint64_t state = 3;
uint32_t draw(uint32_t n) {
  state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = state;
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return static_cast<uint32_t>((z ^ z >> 31) % n);
}
} // namespace

int main() {
  enum { kRows = 32768, kBytes = 4 };
  const uint64_t base = UINT64_C(1) << 30; // 4 GiB in words
  static uint8_t copy[kRows][kBytes];
  Vboard_memory t;
  auto clock = [&] {
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    t.eval();
  };
  clock();
  t.rst_ni = 1;
  std::deque<std::vector<uint8_t>> expected;
  unsigned failures = 0, reads = 0, outside = 0;
  // First all rows are written, then at random in few rows, at the ends and outside.
  static const uint64_t places[] = {0, 1, 2, kRows - 2, kRows - 1, 5, 1000};
  static const uint64_t others[] = {base - 1, base + kRows, 0, base * 2,
                                    base + (UINT64_C(1) << 40)};
  for (unsigned i = 0; i < kRows + 100000; i++) {
    const bool all = i < kRows, out = !all && draw(8) == 0;
    const uint64_t row = all ? i : draw(4) == 0 ? draw(kRows) : places[draw(7)];
    t.valid_i = all || draw(4) != 0;
    t.write_i = all || draw(2);
    t.addr_i = out ? others[draw(5)] : base + row;
    t.strb_i = all ? 15 : static_cast<uint8_t>(draw(16));
    t.data_i = draw(0xffffffffu);
    t.eval();
    if (!t.ready_o) failures++;
    if (t.valid_i && t.write_i && !out)
      for (unsigned b = 0; b < kBytes; b++)
        if (t.strb_i >> b & 1) copy[row][b] = static_cast<uint8_t>(t.data_i >> 8 * b);
    if (t.valid_i && !t.write_i) {
      reads++;
      outside += out;
      expected.push_back(out ? std::vector<uint8_t>(kBytes, 0)
                             : std::vector<uint8_t>(copy[row], copy[row] + kBytes));
    }
    clock();
    if (!t.rsp_valid_o) continue;
    bool same = !expected.empty();
    for (unsigned b = 0; same && b < kBytes; b++)
      same = expected.front()[b] == static_cast<uint8_t>(t.rsp_data_o >> 8 * b);
    if (!same && failures++ < 5) printf("a read's answer is wrong at step %u\n", i);
    if (!expected.empty()) expected.pop_front();
  }
  if (expected.size() > 3) failures++;
  printf("board memory: %u reads, %u outside, %u failures\n", reads, outside, failures);
  return failures != 0;
}
