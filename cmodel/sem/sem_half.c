/* Operations on the two halves of a word, each a number of f16 or bf16 (docs/microarchitecture.md
 * 6.4, Halves): the format-generic arithmetic of fp.h, but for the fma of finite operands, which every
 * lane of the golden model computes often. Inlined with the format, and in the usual instruction the
 * modifiers, as constants. */
#include "cmodel/sem/sem.h"

typedef struct half_mods {
  wl_fp_mode_t mode;
  uint32_t flip_a, flip_c; /* exclusive-ored to the halves of a, of c */
  bool relu, oob;
} half_mods_t;

/* With oob this pattern of either sign as a factor makes the result zero. */
static const uint32_t out_of_bounds = 0x7ff7;

/* ---- fma of finite operands in 64 bits. Significands are integers, subnormal ones without leading
 * one, so that nothing is normalised before the sum. The product has `gap` zero bits below it; the
 * addend is shifted to its place. Where that place is below bit 0, or above the last where the addend
 * fits, the addend stands at the limit: the smaller of the two is then below a quarter of the last
 * place of the result and not zero, so that only its sign counts. */
typedef struct half_part {
  uint64_t sig; /* an integer, of subnormal numbers without leading one */
  int exp;      /* of its bit 0 */
} half_part_t;

WL_FP half_part_t part_of(wl_fmt_t f, uint32_t a, bool ftz) {
  const uint32_t leading = UINT32_C(1) << f.fraction_bits;
  const int biased = wl_fp_biased(f, a);
  const uint32_t fraction = a & (leading - 1);
  const uint32_t subnormal = ftz ? 0 : fraction;
  return (half_part_t){biased != 0 ? fraction | leading : subnormal,
                       (biased != 0 ? biased : 1) - f.bias - f.fraction_bits};
}

/* sum * 2^exp, not zero, rounded to nearest even. */
WL_FP uint32_t round_half(wl_fmt_t f, uint32_t sign, uint64_t sum, int exp) {
  const int leading = 63 - wl_fp_leading_zeros(sum) + exp;
  const int least = wl_fp_least_exp(f), place = leading < least ? least : leading;
  const int cut = place - f.fraction_bits - exp; /* at least 1: there is a gap */
  const uint64_t below_half = (UINT64_C(1) << (cut - 1)) - 1;
  const uint64_t kept = (sum + below_half + (sum >> cut & 1)) >> cut;
  const uint32_t d = ((uint32_t)(place - least) << f.fraction_bits) + (uint32_t)kept;
  const uint32_t infinity = (uint32_t)wl_fp_infinity(f);
  return sign | (d > infinity ? infinity : d);
}

WL_FP uint32_t fma_finite(wl_fmt_t f, uint32_t a, uint32_t b, uint32_t c, bool ftz) {
  const half_part_t x = part_of(f, a, ftz), y = part_of(f, b, ftz), z = part_of(f, c, ftz);
  const uint32_t sign = (uint32_t)wl_fp_sign_bit(f), minus = (a ^ b) & sign;
  const int gap = 20, most = 62 - f.fraction_bits;
  const uint64_t product = x.sig * y.sig;
  const int exp = product == 0 ? z.exp : x.exp + y.exp; /* of the sum, the addend's if it is that */
  const int wanted = gap + z.exp - exp;
  const int shift = wanted < 0 ? 0 : wanted > most ? most : wanted;
  /* Relative to the sign of the product; without branches, which would be taken at random. */
  const uint64_t differ = 0 - (uint64_t)(((minus ^ c) & sign) != 0);
  const uint64_t sum = (product << gap) + (((z.sig << shift) ^ differ) - differ);
  const uint64_t turned = 0 - (sum >> 63);
  if (sum == 0) return minus & ~(uint32_t)differ;
  return round_half(f, minus ^ ((uint32_t)turned & sign), (sum ^ turned) - turned,
                    wanted > most ? z.exp - most : exp - gap);
}

/* Infinity or NaN; one with oob. */
WL_FP bool is_special(wl_fmt_t f, uint32_t a) { return wl_fp_magnitude(f, a) >= wl_fp_infinity(f); }

WL_FP uint32_t fma_by_rules(wl_fmt_t f, half_mods_t m, uint32_t a, uint32_t b, uint32_t c) {
  const bool outside =
      wl_fp_magnitude(f, a) == out_of_bounds || wl_fp_magnitude(f, b) == out_of_bounds;
  return m.oob && outside ? 0 : (uint32_t)wl_fp_fma(f, a, b, c, m.mode);
}

__attribute__((noinline)) static uint32_t rare_f16(half_mods_t m, uint32_t a, uint32_t b,
                                                   uint32_t c) {
  return fma_by_rules(wl_fmt_f16(), m, a, b, c);
}

__attribute__((noinline)) static uint32_t rare_bf16(half_mods_t m, uint32_t a, uint32_t b,
                                                    uint32_t c) {
  return fma_by_rules(wl_fmt_bf16(), m, a, b, c);
}

/* Whether a result was flushed shows only in what rounds to the least normal number or below. */
WL_FP uint32_t fma_half(wl_fmt_t f, half_mods_t m, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t d = 0;
  a ^= m.flip_a;
  c ^= m.flip_c;
  bool rare = is_special(f, a) || is_special(f, b) || is_special(f, c);
  if (!rare) d = fma_finite(f, a, b, c, m.mode.ftz);
  if (m.mode.ftz && wl_fp_magnitude(f, d) <= UINT64_C(1) << f.fraction_bits) rare = true;
  if (rare) d = f.exp_bits == 5 ? rare_f16(m, a, b, c) : rare_bf16(m, a, b, c);
  d = (uint32_t)wl_fp_saturate(f, d, m.mode);
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
