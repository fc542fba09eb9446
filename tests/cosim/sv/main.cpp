// The clock of cosim_tb.sv and uvm_tb.sv: BENCH is the class, BENCH_HEADER its header.
#include BENCH_HEADER
#include "verilated.h"

int main(int argc, char **argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  BENCH top(&context);
  top.clk_i = 0;
  top.eval();
  for (int i = 0; i < 100000 && !top.finish_o; i++) {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  }
  top.final();
  return top.finish_o ? 0 : 1;
}
