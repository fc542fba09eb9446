// UART at 50 MHz and 3 Mbaud: 16.67 clocks per bit. The receiver takes bytes of a sender up to 3 % off
// its rate, with and without pauses, and drops bytes without a stop bit and glitches; the sender's
// edges lie within a clock of where they belong.
#include <cstdio>
#include <deque>
#include <vector>

#include <Vuart_top.h>
#include <verilated.h>

namespace {
uint64_t state = 5;
uint32_t draw(uint32_t n) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return static_cast<uint32_t>(state >> 33) % n;
}
int failures = 0;
void check(bool good, const char *what) {
  if (!good && failures++ < 10) printf("FAILED: %s\n", what);
}
} // namespace

int main() {
  Vuart_top t;
  std::vector<uint8_t> got;
  auto clock = [&] {
    t.clk_i = 1;
    t.eval();
    t.clk_i = 0;
    t.eval();
    if (t.valid_o) got.push_back(t.byte_o);
  };
  t.rx_i = 1;
  clock();
  t.rst_ni = 1;
  for (int i = 0; i < 50; i++)
    clock();
  // Receiver: the line's level as a function of time in bits.
  for (int rate = -3; rate <= 3; rate++) {
    const double bit = 50.0 / 3.0 * (1 + rate / 100.0);
    std::vector<uint8_t> sent;
    got.clear();
    double time = 0, due = 0;
    for (int n = 0; n < 300; n++) {
      const uint8_t byte = static_cast<uint8_t>(draw(256));
      sent.push_back(byte);
      const unsigned bits = static_cast<unsigned>(byte) << 1 | 0x200u;
      for (int i = 0; i < 10; i++) {
        t.rx_i = bits >> i & 1;
        for (due += bit; time < due; time += 1)
          clock();
      }
      if (n % 3 == 0) due += draw(40);
      for (; time < due; time += 1)
        clock();
    }
    for (int i = 0; i < 50; i++)
      clock();
    check(got == sent, "bytes received");
  }
  // A glitch, a byte without stop bit (a break), then a good one.
  got.clear();
  auto level = [&](int value, int clocks) {
    t.rx_i = static_cast<uint8_t>(value);
    for (int i = 0; i < clocks; i++)
      clock();
  };
  level(0, 3);
  level(1, 200);
  check(got.empty(), "a glitch is no byte");
  level(0, 400);
  level(1, 100);
  check(got.empty(), "a break is no byte");
  for (int i = 0; i < 10; i++)
    level((0x5au << 1 | 0x200u) >> i & 1, 17);
  level(1, 60);
  check(got.size() == 1 && got[0] == 0x5a, "a byte behind a break");
  // Sender: where its edges are.
  for (int n = 0; n < 300; n++) {
    const uint8_t byte = static_cast<uint8_t>(draw(256));
    const unsigned bits = static_cast<unsigned>(byte) << 1 | 0x200u;
    while (!t.ready_o)
      clock();
    t.valid_i = 1;
    t.byte_i = byte;
    clock();
    t.valid_i = 0;
    for (int c = 0; c < 160; c++) {
      const double at = (c + 0.5) / (50.0 / 3.0);
      const int i = static_cast<int>(at);
      const double edge = (at - i) * (50.0 / 3.0);
      check(!t.ready_o, "a byte takes ten bit times");
      if (edge > 1.1 && edge < 50.0 / 3.0 - 1.1) check(t.tx_o == (bits >> i & 1), "level sent");
      clock();
    }
    if (n % 2) level(1, static_cast<int>(draw(30)));
  }
  printf("uart: %d failures\n", failures);
  return failures != 0;
}
