/*
 * A stack-free register machine: 8 registers in local memory, one program per thread, an
 * instruction is {operation, destination, source, immediate} in the bytes of a word, a dense switch
 * dispatches. Lanes of a warp run different operations.
 */
#include "wl_device.h"

WL_KERNEL void interpreter(const unsigned *program, const unsigned *start, unsigned *out,
                           unsigned threads, unsigned max_steps) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me >= threads) {
    return;
  }
  unsigned pc = start[me];
  unsigned acc = me;
  unsigned aux = 1;
  unsigned steps = 0;
  bool running = true;
  while (running && steps < max_steps) {
    unsigned word = program[pc++];
    unsigned imm = word >> 8;
    steps++;
    switch (word & 0xff) {
      case 0: running = false; break;
      case 1: acc = imm; break;
      case 2: acc += imm; break;
      case 3: acc *= imm | 1; break;
      case 4: acc ^= aux; break;
      case 5: { unsigned t = acc; acc = aux; aux = t; break; }
      case 6: acc = (acc << (imm & 31)) | (acc >> (-imm & 31)); break;
      case 7: if (acc & 1) { pc += imm; } break;
      case 8: aux += acc; break;
      case 9: if (aux % 16 != 0) { aux--; pc -= imm; } break;
      case 10: acc = ~acc - aux; break;
      case 11: acc = acc > imm ? acc - imm : imm - acc; break;
      case 12: aux = acc & imm; break;
      default: acc = 0xdeadu; running = false; break;
    }
  }
  out[2 * me] = acc;
  out[2 * me + 1] = steps;
}
