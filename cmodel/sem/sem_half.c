/* Operations on the two halves of a word, each a number of f16 or bf16 (docs/microarchitecture.md
 * 6.4, Halves): the format-generic arithmetic of fp.h, whose sums and products of these formats fit
 * 64 bits, inlined with the format and with the modifiers of the usual instruction as constants. */
#include "cmodel/sem/sem.h"

typedef struct half_mods {
  wl_fp_mode_t mode;
  uint32_t flip_a, flip_c; /* exclusive-ored to the halves of a, of c */
  bool relu, oob;
} half_mods_t;

/* With oob this pattern of either sign as a factor makes the result zero. */
static const uint32_t out_of_bounds = 0x7ff7;

WL_FP uint32_t fma_half(wl_fmt_t f, half_mods_t m, uint32_t a, uint32_t b, uint32_t c) {
  const bool outside =
      wl_fp_magnitude(f, a) == out_of_bounds || wl_fp_magnitude(f, b) == out_of_bounds;
  if (m.oob && outside) return 0;
  const uint32_t d = (uint32_t)wl_fp_fma(f, a ^ m.flip_a, b, c ^ m.flip_c, m.mode);
  return m.relu && wl_fp_negative(f, d) ? 0 : d; /* a NaN result has no sign */
}


WL_FP void fma_lanes(wl_fmt_t f, half_mods_t m, const wl_sem_in_t *in, uint32_t *restrict d) {
  for (unsigned i = 0; i < WL_LANES; i++) {
    if ((in->mask >> i & 1) == 0) continue;
    const uint32_t a = in->a[i], b = in->b[i], c = in->c[i];
    uint32_t word = 0;
    for (unsigned low = 0; low < 32; low += 16)
      word |= fma_half(f, m, a >> low & 0xffff, b >> low & 0xffff, c >> low & 0xffff) << low;
    d[i] = word;
  }
}

WL_FP void fma_format(wl_fmt_t f, const wl_insn_dec_t *insn, const wl_sem_in_t *in, uint32_t *d) {
  const uint32_t sign = (uint32_t)wl_fp_sign_bit(f);
  half_mods_t m = {.flip_a = insn->neg_a ? sign : 0, .flip_c = insn->neg_c ? sign : 0};
  if (!insn->ftz && !insn->sat && !insn->relu && !insn->oob) {
    fma_lanes(f, m, in, d);
    return;
  }
  m.mode = (wl_fp_mode_t){.ftz = insn->ftz, .sat = insn->sat};
  m.relu = insn->relu != 0;
  m.oob = insn->oob != 0;
  fma_lanes(f, m, in, d);
}

static void fma_f16(const wl_insn_dec_t *insn, const wl_sem_in_t *in, uint32_t *d) {
  fma_format(wl_fmt_f16(), insn, in, d);
}

static void fma_bf16(const wl_insn_dec_t *insn, const wl_sem_in_t *in, uint32_t *d) {
  fma_format(wl_fmt_bf16(), insn, in, d);
}

/* ---- minimum, maximum, comparison */
WL_FP uint32_t min_max_half(wl_fmt_t f, const wl_insn_dec_t *insn, uint32_t a, uint32_t b) {
  const bool max = insn->op == WL_FPU_HMAX;
  if (!insn->xorsign) return (uint32_t)wl_fp_min_max(f, a, b, insn->ftz, insn->nan, max);
  const uint64_t x = wl_fp_magnitude(f, a), y = wl_fp_magnitude(f, b);
  const uint32_t d = (uint32_t)wl_fp_min_max(f, x, y, insn->ftz, insn->nan, max);
  return wl_fp_is_nan(f, d) ? d : d | ((a ^ b) & (uint32_t)wl_fp_sign_bit(f));
}

WL_FP uint32_t set_half(wl_fmt_t f, const wl_insn_dec_t *insn, uint32_t a, uint32_t b) {
  return insn->cmp >> wl_fp_relation(f, a, b, insn->ftz) & 1 ? 0xffff : 0;
}

WL_FP void two_operands(wl_fmt_t f, const wl_insn_dec_t *insn, const wl_sem_in_t *in,
                        uint32_t *restrict d) {
  for (unsigned i = 0; i < WL_LANES; i++) {
    if ((in->mask >> i & 1) == 0) continue;
    uint32_t word = 0;
    for (unsigned low = 0; low < 32; low += 16) {
      const uint32_t a = in->a[i] >> low & 0xffff, b = in->b[i] >> low & 0xffff;
      word |= (insn->op == WL_FPU_HSET ? set_half(f, insn, a, b) : min_max_half(f, insn, a, b))
              << low;
    }
    d[i] = word;
  }
}

void wl_sem_half(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  const bool f16 = insn->info->format == WL_FORMAT_F16;
  if (!f16 && insn->info->format != WL_FORMAT_BF16) __builtin_trap();
  if (insn->op == WL_FPU_HFMA && f16)
    fma_f16(insn, in, out->d);
  else if (insn->op == WL_FPU_HFMA)
    fma_bf16(insn, in, out->d);
  else if (f16)
    two_operands(wl_fmt_f16(), insn, in, out->d);
  else
    two_operands(wl_fmt_bf16(), insn, in, out->d);
}
