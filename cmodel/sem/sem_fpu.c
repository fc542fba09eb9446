/* FP32 operations and conversions on the executing lanes (docs/isa.md, unit FPU). */
#include "cmodel/sem/sem.h"

/* Runs the statement for every executing lane. */
#define EACH_LANE(statement)                                                                       \
  for (uint32_t left = in->mask, i = 0; left != 0; left >>= 1, i++)                                \
    if (left & 1) statement

static uint32_t negate(uint32_t a, uint8_t neg) { return a ^ (uint32_t)neg << 31; }

static wl_fp_mode_t mode_of(const wl_insn_dec_t *insn) {
  return (wl_fp_mode_t){.rnd = insn->rnd, .ftz = insn->ftz, .sat = insn->sat};
}

/* rn without ftz and sat. False, and nothing done, where the host's arithmetic cannot be used. */
static bool host_arithmetic(const wl_insn_dec_t *insn, const wl_sem_in_t *in,
                            uint32_t *restrict d) {
  const uint32_t flip_a = (uint32_t)insn->neg_a << 31, flip_b = (uint32_t)insn->neg_b << 31;
  if (insn->rnd != 0 || insn->ftz || insn->sat || !wl_f32_host_exact()) return false;
  if (insn->op == WL_FPU_FADD)
    wl_f32_host_add(in->a, flip_a, in->b, flip_b, d);
  else if (insn->op == WL_FPU_FMUL)
    wl_f32_host_mul(in->a, flip_a, in->b, d);
  else
    wl_f32_host_fma(in->a, flip_a, in->b, in->c, (uint32_t)insn->neg_c << 31, d);
  return true;
}

static void arithmetic(const wl_insn_dec_t *insn, const wl_sem_in_t *in, uint32_t *restrict d) {
  const wl_fp_mode_t mode = mode_of(insn);
  const uint8_t na = insn->neg_a, nb = insn->neg_b, nc = insn->neg_c;
  switch (insn->op) {
  case WL_FPU_FADD:
    EACH_LANE(d[i] = wl_f32_add(negate(in->a[i], na), negate(in->b[i], nb), mode);)
    break;
  case WL_FPU_FMUL:
    EACH_LANE(d[i] = wl_f32_mul(negate(in->a[i], na), in->b[i], mode);)
    break;
  default:
    EACH_LANE(d[i] = wl_f32_fma(negate(in->a[i], na), in->b[i], negate(in->c[i], nc), mode);)
    break;
  }
}

static void compare(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  uint32_t rel[4] = {0};
  EACH_LANE(rel[wl_f32_relation(in->a[i], in->b[i], insn->ftz)] |= UINT32_C(1) << i;)
  wl_sem_compare(insn, in, rel, out);
}

static void from_int(const wl_insn_dec_t *insn, const wl_sem_in_t *in, uint32_t *restrict d) {
  const uint8_t rnd = insn->rnd;
  switch (insn->op) {
  case WL_FPU_I2FU:
    EACH_LANE(d[i] = wl_f32_from_u64(in->a[i], rnd);) break;
  case WL_FPU_I2FS:
    EACH_LANE(d[i] = wl_f32_from_s64((int32_t)in->a[i], rnd);) break;
  case WL_FPU_I2FU64:
    EACH_LANE(d[i] = wl_f32_from_u64((uint64_t)in->b[i] << 32 | in->a[i], rnd);)
    break;
  default:
    EACH_LANE(d[i] = wl_f32_from_s64((int64_t)((uint64_t)in->b[i] << 32 | in->a[i]), rnd);)
    break;
  }
}

/* A 64-bit result is computed in both steps; each writes its word. */
static void to_int(const wl_insn_dec_t *insn, const wl_sem_in_t *in, uint32_t *restrict d,
                   unsigned bits, bool is_signed) {
  const wl_fp_mode_t mode = mode_of(insn);
  const unsigned shift = in->step == 0 ? 0 : 32;
  EACH_LANE(d[i] = (uint32_t)(wl_f32_to_int(in->a[i], mode, bits, is_signed) >> shift);)
}

static void between_formats(const wl_insn_dec_t *insn, const wl_sem_in_t *in,
                            uint32_t *restrict d) {
  const wl_format_t format = (wl_format_t)insn->info->format;
  const uint8_t rnd = insn->rnd;
  switch (insn->op) {
  case WL_FPU_FNARROW:
    EACH_LANE(d[i] = wl_f32_narrow(format, in->a[i], rnd);)
    break;
  case WL_FPU_FNARROW2:
    EACH_LANE(d[i] = wl_f32_narrow(format, in->a[i], rnd) << 16 |
                     wl_f32_narrow(format, in->b[i], rnd);)
    break;
  case WL_FPU_FTF32A:
    EACH_LANE(d[i] = wl_f32_to_tf32_away(in->a[i]);)
    break;
  case WL_FPU_FWIDEN:
    EACH_LANE(d[i] = wl_f32_widen(format, in->a[i]);)
    break;
  case WL_FPU_FNARROW8:
    EACH_LANE(d[i] = wl_narrow_pair(format, in->a[i], in->b[i]);)
    break;
  case WL_FPU_FSTOCH2:
  case WL_FPU_FSTOCH8:
    EACH_LANE(d[i] = wl_stochastic_pair(format, in->a[i], in->b[i], in->c[i]);)
    break;
  default:
    EACH_LANE(d[i] = wl_f16x2_from_bytes(format, in->a[i]);)
    break;
  }
}

/* A row FPINSN of another format needs its functions here first. */
static void only_f32(const wl_form_info_t *info) {
  if (info->format != WL_NUM_FORMAT && info->format != WL_FORMAT_F32) __builtin_trap();
}

static void of_f32(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  uint32_t *d = out->d;
  only_f32(insn->info);
  switch (insn->op) {
  case WL_FPU_FMIN:
    EACH_LANE(d[i] = wl_f32_min(in->a[i], in->b[i], insn->ftz, insn->nan);)
    break;
  case WL_FPU_FMAX:
    EACH_LANE(d[i] = wl_f32_max(in->a[i], in->b[i], insn->ftz, insn->nan);)
    break;
  case WL_FPU_FSETP:
    compare(insn, in, out);
    break;
  default:
    if (!host_arithmetic(insn, in, d)) arithmetic(insn, in, d);
    break;
  }
}

void wl_sem_fpu(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  uint32_t *d = out->d;
  const wl_fp_mode_t mode = mode_of(insn);
  switch ((wl_fpu_op_t)insn->op) {
  case WL_FPU_FADD:
  case WL_FPU_FMUL:
  case WL_FPU_FFMA:
  case WL_FPU_FMIN:
  case WL_FPU_FMAX:
  case WL_FPU_FSETP:
    of_f32(insn, in, out);
    break;
  case WL_FPU_I2FU:
  case WL_FPU_I2FS:
  case WL_FPU_I2FU64:
  case WL_FPU_I2FS64:
    from_int(insn, in, d);
    break;
  case WL_FPU_F2IU:
    to_int(insn, in, d, 32, false);
    break;
  case WL_FPU_F2IS:
    to_int(insn, in, d, 32, true);
    break;
  case WL_FPU_F2IU64:
    to_int(insn, in, d, 64, false);
    break;
  case WL_FPU_F2IS64:
    to_int(insn, in, d, 64, true);
    break;
  case WL_FPU_FRND:
    EACH_LANE(d[i] = wl_f32_round(in->a[i], mode);) break;
  case WL_FPU_FNARROW:
  case WL_FPU_FNARROW2:
  case WL_FPU_FTF32A:
  case WL_FPU_FWIDEN:
  case WL_FPU_FWIDEN8:
  case WL_FPU_FNARROW8:
  case WL_FPU_FSTOCH2:
  case WL_FPU_FSTOCH8:
    between_formats(insn, in, d);
    break;
  case WL_FPU_HFMA:
  case WL_FPU_HMIN:
  case WL_FPU_HMAX:
  case WL_FPU_HSET:
    wl_sem_half(insn, in, out);
    break;
  case WL_FPU_FEX2:
    EACH_LANE(d[i] = wl_f32_ex2(in->a[i]);) break;
  case WL_FPU_FLG2:
    EACH_LANE(d[i] = wl_f32_lg2(in->a[i]);) break;
  case WL_FPU_FTANH:
    EACH_LANE(d[i] = wl_f32_tanh(in->a[i]);) break;
  case WL_NUM_FPU_OP:
    break;
  }
}
