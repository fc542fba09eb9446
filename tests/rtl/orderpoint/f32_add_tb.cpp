// Bench of rtl/exec/f32_add_rne.sv against the host's f32 addition: all pairs of corner values, then
// random pairs of several kinds (any bits, near exponents, subnormal results, cancellation). Operands
// are given in step 0 only.
#include "Vf32_add_rne.h"
#include "bench.h"
#include "verilated.h"

using namespace bench;

int main(int argc, char **argv) {
  VerilatedContext ctx;
  ctx.commandArgs(argc, argv);
  Vf32_add_rne top{&ctx};
  uint64_t n = 0;
  auto one = [&](uint32_t a, uint32_t b) {
    for (int f = 0; f < 2; f++) {
      top.a_i = a;
      top.b_i = b;
      top.less_i = (b & 0x7fffffffu) > (a & 0x7fffffffu);
      top.flush_i = static_cast<uint8_t>(f);
      for (int step = 0; step < 4; step++) {
        top.step_i = static_cast<uint8_t>(1 << step);
        top.clk_i = 0;
        top.eval();
        if (step == 3) break;
        top.clk_i = 1;
        top.eval();
        top.a_i = top.b_i = static_cast<uint32_t>(n * 0x9e3779b9u);
        top.less_i = static_cast<uint8_t>(n & 1);
      }
      const uint32_t want = f32_add(a, b, f != 0);
      if (top.sum_o != want && failures < 20) std::printf("  %08x + %08x flush %d\n", a, b, f);
      check_eq("sum", top.sum_o, want, n++);
    }
  };
  static const uint32_t frac[] = {0, 1, 2, 3, 0x3fffff, 0x400000, 0x400001, 0x7ffffe, 0x7fffff};
  static const uint32_t exps[] = {0,   1,   2,   3,   23,  24,  25,  26,  27,  28,
                                  126, 127, 128, 150, 151, 152, 230, 253, 254, 255};
  for (uint32_t ea : exps)
    for (uint32_t fa : frac)
      for (uint32_t eb : exps)
        for (uint32_t fb : frac)
          for (uint32_t s = 0; s < 4; s++)
            one((s & 1) << 31 | ea << 23 | fa, (s >> 1) << 31 | eb << 23 | fb);
  for (int i = 0; i < 1000000; i++) {
    uint32_t a = static_cast<uint32_t>(rnd()), b = static_cast<uint32_t>(rnd());
    switch (i & 3) {
    case 1: { // exponents within 30 of each other
      const uint32_t e = ((a >> 23 & 0xff) + rnd(61) + 226) & 0xff;
      b = (b & 0x807fffffu) | e << 23;
      break;
    }
    case 2:
      a &= 0x83ffffffu;
      b &= 0x83ffffffu;
      break; // around the subnormal range
    case 3:
      b = (a ^ 0x80000000u) + rnd(5) - 2;
      break; // cancellation
    default:
      break;
    }
    one(a, b);
  }
  return finish("f32_add_rne", n);
}
