#include "model.h"

#include "Vown.h"
#include "verilated.h"

int own_run(int clocks, const char **version) {
  VerilatedContext context;
  Vown top(&context, "own");
  *version = Verilated::productVersion();
  uint32_t state = 0xACE1u;
  for (int i = 0; i < clocks; i++) {
    top.load_i = i == 0;
    top.seed_i = state;
    top.clk_i = 0;
    top.eval();
    context.timeInc(1);
    top.clk_i = 1;
    top.eval();
    context.timeInc(1);
    if (i != 0) state = (state & 1) != 0 ? state >> 1 ^ 0xA3000001u : state >> 1;
    if (top.state_o != state) return i + 1;
  }
  top.final();
  return 0;
}
