/* What an instruction of the probe computes (docs/microarchitecture.md 18): lane by lane, a word of
 * its result at a time. */
#include "cmodel/sem/sem.h"

/* First words of the operands of DOT in its step list. */
enum { DOT_A = 0, DOT_B = 4, DOT_C = 6, DOT_X = 10 };

void wl_sem_probe(const wl_insn_dec_t *insn, const uint32_t (*word)[WL_LANES], unsigned k,
                  uint32_t d[WL_LANES]) {
  for (unsigned i = 0; i < WL_LANES; i++) {
    switch ((wl_probe_op_t)insn->op) {
    case WL_PROBE_MIX:
      d[i] = word[(k + 1) % 16][i] ^ insn->imm;
      break;
    case WL_PROBE_DOT:
      d[i] =
          (word[DOT_A + k][i] ^ word[DOT_B + k % 2][i]) + word[DOT_C + k][i] + word[DOT_X + k][i];
      break;
    case WL_PROBE_SPAN:
      d[i] = word[0][i] + k;
      break;
    case WL_PROBE_CHUNK: /* has no result */
    case WL_NUM_PROBE_OP:
      break;
    }
  }
}
