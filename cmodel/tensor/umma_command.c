/* tensor/umma_command.c: docs/microarchitecture.md 25.1, 25.2, 26: what the words of a command say. Of one with a
 * fault nothing is used but what its judgement looks at. */
#include "cmodel/tensor/umma.h"

/* ---- instruction descriptor */
/* Of f8f6f4, by its type; others are reserved. */
static wl_format_t narrow(uint32_t type) {
  static const uint8_t format[8] = {WL_FORMAT_E4M3, WL_FORMAT_E5M2, WL_FORMAT_E4M3, WL_FORMAT_E2M3,
                                    WL_FORMAT_E3M2, WL_FORMAT_E2M1, WL_FORMAT_E4M3, WL_FORMAT_E4M3};
  return (wl_format_t)format[type];
}

static void take_format(wl_umma_operand_t *o, uint8_t size, wl_format_t format, bool negated) {
  const wl_fmt_t f = wl_fmt_of(format);
  o->size = size;
  o->bits = size == 4 ? 32 : f.bits;
  o->flip = negated ? UINT32_C(1) << (f.low + f.bits - 1) : 0;
}

static void take_floats(wl_umma_entry_t *e, uint32_t i) {
  const bool f32 = wl_umma_bits(i, 5, 4) != 0, bf16 = wl_umma_bits(i, 9, 7) != 0;
  wl_products_t *s = &e->sums;
  wl_profile_id_t profile;
  uint8_t size;
  if (e->op == WL_UMMA_TF32) {
    profile = WL_PROFILE_TF32_F32;
    s->of_a = s->of_b = WL_FORMAT_TF32;
    size = 4;
  } else if (e->op == WL_UMMA_F8F6F4 || e->op == WL_UMMA_MXF8F6F4) {
    profile = e->op == WL_UMMA_MXF8F6F4 ? WL_PROFILE_MXF8F6F4_F32
              : f32                     ? WL_PROFILE_F8F6F4_F32
                                        : WL_PROFILE_F8F6F4_F16;
    s->of_a = (uint8_t)narrow(wl_umma_bits(i, 9, 7));
    s->of_b = (uint8_t)narrow(wl_umma_bits(i, 12, 10));
    size = 1;
  } else {
    profile = bf16 ? WL_PROFILE_BF16_F32 : f32 ? WL_PROFILE_F16_F32 : WL_PROFILE_F16_F16;
    s->of_a = s->of_b = bf16 ? WL_FORMAT_BF16 : WL_FORMAT_F16;
    size = 2;
  }
  s->profile = &wl_profiles[profile];
  s->terms = (uint8_t)(32 / size);
  take_format(&e->a, size, (wl_format_t)s->of_a, wl_umma_bits(i, 13, 13) != 0);
  take_format(&e->b, size, (wl_format_t)s->of_b, wl_umma_bits(i, 14, 14) != 0);
}

static void take_integers(wl_umma_entry_t *e, uint32_t i) {
  wl_products_t *s = &e->sums;
  s->terms = 32;
  s->clamped = wl_umma_bits(i, 3, 3) != 0;
  s->a_signed = wl_umma_bits(i, 9, 7) != 0;
  s->b_signed = wl_umma_bits(i, 12, 10) != 0;
  e->a.size = e->b.size = 1;
  e->a.bits = e->b.bits = 8;
}

/* MXF4: words of eight elements. */
static void take_packed(wl_umma_entry_t *e, uint32_t i) {
  const uint32_t signs = 0x88888888;
  e->sums.profile = &wl_profiles[WL_PROFILE_MXF4_F32];
  e->sums.of_a = e->sums.of_b = WL_FORMAT_E2M1;
  e->sums.terms = 64;
  e->a.size = e->b.size = 1; /* of a chunk's bytes: a chunk is copied as it is */
  e->a.packed = e->b.packed = true;
  e->a.flip = wl_umma_bits(i, 13, 13) != 0 ? signs : 0;
  e->b.flip = wl_umma_bits(i, 14, 14) != 0 ? signs : 0;
}

static void take_instruction(wl_umma_entry_t *e, uint32_t i) {
  e->m = (uint16_t)(16 * wl_umma_bits(i, 28, 24));
  e->n = (uint16_t)(8 * wl_umma_bits(i, 22, 17));
  e->a.mn_major = wl_umma_bits(i, 15, 15) != 0;
  e->b.mn_major = wl_umma_bits(i, 16, 16) != 0;
  if (e->op == WL_UMMA_I8)
    take_integers(e, i);
  else if (e->op == WL_UMMA_MXF4)
    take_packed(e, i);
  else
    take_floats(e, i);
}

/* ---- descriptors of shared memory */
static void take_operand(wl_umma_operand_t *o, uint64_t word) {
  o->start = wl_umma_bits(word, 13, 0) * 16;
  o->lbo = wl_umma_bits(word, 29, 16) * 16;
  o->sbo = wl_umma_bits(word, 45, 32) * 16;
  o->base_offset = (uint8_t)wl_umma_bits(word, 51, 49);
  o->swizzle = (uint8_t)wl_umma_bits(word, 63, 61);
}

/* ---- a command */
static void take_scales(wl_umma_entry_t *e, const uint32_t word[WL_UMMA_WORDS], bool b16) {
  const uint32_t i = word[5];
  e->sa = (wl_umma_scales_t){(uint16_t)word[6], (uint8_t)wl_umma_bits(i, 30, 29)};
  e->sb = (wl_umma_scales_t){(uint16_t)word[7], (uint8_t)wl_umma_bits(i, 5, 4)};
  e->b16 = e->op == WL_UMMA_MXF4 && b16;
  e->e4m3 = wl_umma_bits(i, 23, 23) == 0;
}

static void take_product(wl_umma_entry_t *e, const uint32_t word[WL_UMMA_WORDS],
                         const wl_flight_t *f) {
  const wl_insn_dec_t *dec = &f->insn.dec;
  const uint32_t d = word[4];
  take_instruction(e, word[5]);
  e->reads_a = dec->ta != 0;
  if (e->reads_a)
    e->a_column = (uint16_t)word[0];
  else
    take_operand(&e->a, wl_pair(word));
  take_operand(&e->b, wl_pair(word + 2));
  e->column = (uint16_t)d;
  e->z = (uint8_t)(d >> 20 & 1);
  e->sums.lower = dec->imm & 15;
  e->adds = (f->s >> e->lane & 1) != 0;
  for (unsigned q = 0; q < WL_UMMA_QUARTERS && dec->info->c != 0; q++)
    e->masked[q] = word[6 + q];
  if (wl_umma_is_scaled(e)) take_scales(e, word, dec->b16 != 0);
}

static void take_copy(wl_umma_entry_t *e, const uint32_t word[WL_UMMA_WORDS], uint32_t imm) {
  const uint32_t t = word[2];
  take_operand(&e->a, wl_pair(word));
  e->shape = imm & 7;
  e->unpacking = imm >> 3 & 3;
  e->column = (uint16_t)t;
  e->z = t >> 16 & 31;
}

static void take_shift(wl_umma_entry_t *e, uint32_t t) {
  e->reads_a = true;
  e->a_column = e->column = (uint16_t)t;
  e->quarter = t >> 21 & 3;
}

wl_umma_entry_t wl_umma_take(const uint32_t word[WL_UMMA_WORDS], const wl_flight_t *f,
                             const wl_env_t *env) {
  const wl_insn_dec_t *dec = &f->insn.dec;
  wl_umma_entry_t e = {.used = true,
                       .op = dec->op,
                       .warp = f->warp,
                       .lane = (uint8_t)wl_lowest(f->exec),
                       .pc = f->insn.pc,
                       .base = env->slots->warp_cta[f->warp] * env->launch->smem_units * 1024};
  if (wl_umma_is_product(&e))
    take_product(&e, word, f);
  else if (e.op == WL_UMMA_CP)
    take_copy(&e, word, dec->imm);
  else if (e.op == WL_UMMA_SHIFT)
    take_shift(&e, word[0]);
  else
    e.mbarrier = word[0];
  return e;
}
