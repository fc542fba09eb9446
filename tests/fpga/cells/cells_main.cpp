// cells_main.cpp: runs the bench of the cell models (README.md). Usage: cells_main [CYCLES] [SEED]
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "Vcells_bench.h"
#include "verilated.h"

namespace {

constexpr unsigned OutputBits = 396;
const char *const Names[] = {"block RAM with enables",
                             "block RAM with reset",
                             "block RAM of one port",
                             "ROM",
                             "distributed RAM",
                             "unsigned product",
                             "signed product",
                             "wide signed product",
                             "sum",
                             "difference",
                             "comparison",
                             "wide logic",
                             "registers",
                             "block RAMs with narrow reads",
                             "deep block RAM with reset"};
constexpr unsigned NumNames = sizeof Names / sizeof *Names;

} // namespace

int main(int argc, char **argv) {
  const unsigned long cycles = argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 200000;
  const auto seed = static_cast<int>(argc > 2 ? std::strtol(argv[2], nullptr, 0) : 1);
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(seed);
  auto top = std::make_unique<Vcells_bench>(&context, "TOP");
  unsigned long wrong[NumNames] = {}, first[NumNames] = {};
  uint32_t been[2][(OutputBits + 31) / 32] = {};
  for (unsigned long cycle = 0; cycle < cycles + 16; cycle++) {
    top->first_i = cycle < 8;
    top->first_port_i = cycle < 4;
    top->clk_i = 0;
    top->eval();
    if (cycle >= 16) { // what a clock cycle ends with
      for (unsigned i = 0; i < NumNames; i++)
        if (top->wrong_o >> i & 1U && wrong[i]++ == 0) first[i] = cycle - 16;
      for (unsigned i = 0; i < OutputBits; i++)
        been[top->seen_o[i / 32] >> i % 32 & 1U][i / 32] |= 1U << i % 32;
    }
    top->clk_i = 1;
    top->eval();
  }
  int rc = 0;
  for (unsigned i = 0; i < NumNames; i++) {
    if (wrong[i] == 0) continue;
    std::printf("cells: %s: netlist and RTL differ in %lu of %lu cycles, first in %lu\n", Names[i],
                wrong[i], cycles, first[i]);
    rc = 1;
  }
  for (unsigned i = 0; i < OutputBits; i++)
    for (unsigned v = 0; v < 2; v++)
      if ((been[v][i / 32] >> i % 32 & 1U) == 0) {
        std::printf("cells: bit %u of the outputs was never %u: nothing is shown\n", i, v);
        rc = 1;
      }
  if (rc == 0)
    std::printf("cells: %u outputs equal over %lu cycles, seed %d\n", NumNames, cycles, seed);
  return rc;
}
