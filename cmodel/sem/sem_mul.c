/* Integer multiply-add (docs/isa.md, unit MUL; PTX 9.7.1.4). */
#include "cmodel/sem/sem.h"

static uint64_t product(uint32_t a, uint32_t b, bool is_signed) {
  return is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : (uint64_t)a * b;
}

static void mad_low(const wl_sem_in_t *in, uint32_t *restrict d) {
  for (int i = 0; i < WL_LANES; i++)
    d[i] = in->a[i] * in->b[i] + in->c[i];
}

static void mad_high(const wl_sem_in_t *in, uint32_t *restrict d, bool is_signed) {
  for (int i = 0; i < WL_LANES; i++)
    d[i] = (uint32_t)(product(in->a[i], in->b[i], is_signed) >> 32) + in->c[i];
}

/* Step 0 adds the low words, step 1 the high words and the carry of step 0. */
static void mad_wide(const wl_sem_in_t *in, wl_sem_out_t *out, bool is_signed) {
  const unsigned shift = in->step == 0 ? 0 : 32;
  const uint32_t carry_in = in->step == 0 ? 0 : out->carry;
  uint32_t carry = 0;
  for (int i = 0; i < WL_LANES; i++) {
    const uint32_t word = (uint32_t)(product(in->a[i], in->b[i], is_signed) >> shift);
    const uint64_t sum = (uint64_t)word + in->c[i] + (carry_in >> i & 1);
    out->d[i] = (uint32_t)sum;
    carry |= (uint32_t)(sum >> 32) << i;
  }
  out->carry = carry;
}

void wl_sem_mul(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  switch ((wl_mul_op_t)insn->op) {
  case WL_MUL_MADLO:
    mad_low(in, out->d);
    break;
  case WL_MUL_MADHIU:
    mad_high(in, out->d, false);
    break;
  case WL_MUL_MADHIS:
    mad_high(in, out->d, true);
    break;
  case WL_MUL_MADWU:
    mad_wide(in, out, false);
    break;
  case WL_MUL_MADWS:
    mad_wide(in, out, true);
    break;
  case WL_NUM_MUL_OP:
    break;
  }
}
