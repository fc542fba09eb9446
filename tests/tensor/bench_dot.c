/* How long the sums of the tensor unit take: nanoseconds for a product, by form; no test. */
#include <stdio.h>
#include <time.h>

#include "cmodel/sem/sem.h"
#include "tests/common/splitmix.h"

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Finite operands of moderate exponents: the top exponent bit is clear. */
static uint32_t operand(uint64_t *state, const wl_form_info_t *f) {
  const uint32_t x = (uint32_t)wl_splitmix64(state);
  return (f->mods & ~(uint32_t)WL_MOD_SEL) != 0 ? x : x & 0xbfffbfff;
}

int main(void) {
  enum { ROUNDS = 4000 };
  for (unsigned form = 0; form < WL_NUM_FORMS; form++) {
    const wl_form_info_t *f = &wl_form_info[form];
    static uint32_t word[16][WL_LANES], d[4][WL_LANES];
    uint32_t code[4] = {0};
    uint64_t state = form;
    wl_insn_dec_t insn;
    if (f->unit != WL_UNIT_TENSOR) continue;
    WL_WORD_SET(code, FORM, form);
    WL_WORD_SET(code, GUARD, WL_PRED_TRUE);
    (void)wl_decode(code, WL_ANY_ROW, &insn);
    for (unsigned i = 0; i < 16; i++)
      for (unsigned lane = 0; lane < WL_LANES; lane++)
        word[i][lane] = operand(&state, f);
    const double start = now();
    for (unsigned i = 0; i < ROUNDS; i++)
      wl_sem_tensor(&insn, (const uint32_t (*)[WL_LANES])word, d);
    const double ns = (now() - start) * 1e9 / ROUNDS;
    const unsigned k = (unsigned)((f->a == 4 ? 32u : 16u) * (insn.op == WL_TENSOR_BIT    ? 8
                                                             : insn.op == WL_TENSOR_INT4 ? 2
                                                             : insn.op == WL_TENSOR_INT8 ? 1
                                                             : insn.op == WL_TENSOR_TF32 ? 0.25
                                                                                         : 0.5));
    const unsigned products = (f->a == 1 ? 64u : 128u) * k;
    printf("%-24s %8.0f ns %7.3f ns a product\n", f->name, ns, ns / products);
  }
  return 0;
}
