/* The forms, and elements by rule. */
#include <stdio.h>
#include <string.h>

#include "bits.h"

static const char *const small_names[5] = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"};

static void describe(bits_form_t *f, const umma_kind_t *of, unsigned a, unsigned b) {
  f->a = &of->type[a];
  f->b = &of->type[b];
  f->size = of->size;
  f->per_step = UMMA_STEP / of->size;
}

/* f16 to f32 and to f16, bf16; tf32. */
static void wide_form(unsigned index, bits_form_t *f) {
  static const char *const types[] = {"f32.f16.f16", "f16.f16.f16", "f32.bf16.bf16",
                                      "f32.tf32.tf32"};
  describe(f, &umma_kinds[index == 3 ? UMMA_TF32 : UMMA_F16], index == 2, index == 2);
  f->kind = index == 3 ? "tf32" : "f16";
  f->d = index == 1 ? &umma_half : &umma_f32;
  (void)snprintf(f->label, sizeof f->label, "kind::%s.%s", f->kind, types[index]);
}

static void small_form(unsigned index, bits_form_t *f) {
  const unsigned a = index / 5 % 5, b = index % 5;
  describe(f, &umma_kinds[UMMA_F8F6F4], a, b);
  f->kind = "f8f6f4";
  f->d = index < 25 ? &umma_f32 : &umma_half;
  (void)snprintf(f->label, sizeof f->label, "kind::f8f6f4.%s.%s.%s", index < 25 ? "f32" : "f16",
                 small_names[a], small_names[b]);
}

static void scaled_form(unsigned index, bits_form_t *f) {
  const unsigned a = index / 5, b = index % 5;
  describe(f, &umma_kinds[UMMA_F8F6F4], a, b);
  f->kind = "mxf8f6f4";
  f->said = ".block32";
  f->d = &umma_f32;
  f->groups = 1;
  (void)snprintf(f->label, sizeof f->label, "kind::mxf8f6f4.block32.f32.%s.%s.ue8m0",
                 small_names[a], small_names[b]);
}

static void half_form(unsigned index, bits_form_t *f) {
  describe(f, &umma_kinds[UMMA_F8F6F4], 4, 4);
  f->kind = index == 0 ? "mxf4" : "mxf4nvf4";
  f->said = index < 2 ? ".block32" : ".block16";
  f->d = &umma_f32;
  f->per_step = 2 * UMMA_STEP;
  f->groups = index < 2 ? 2 : 4;
  f->halves = true;
  f->ue4m3 = index == 3;
  (void)snprintf(f->label, sizeof f->label, "kind::%s%s.f32.e2m1.e2m1.%s", f->kind, f->said,
                 f->ue4m3 ? "ue4m3" : "ue8m0");
}

const bits_form_t *bits_form(unsigned index) {
  enum { WIDE = 4, SMALL = 50, SCALED = 25, HALF = 4 };
  static bits_form_t f;
  memset(&f, 0, sizeof f);
  if (index < WIDE)
    wide_form(index, &f);
  else if (index < WIDE + SMALL)
    small_form(index - WIDE, &f);
  else if (index < WIDE + SMALL + SCALED)
    scaled_form(index - WIDE - SMALL, &f);
  else if (index < WIDE + SMALL + SCALED + HALF)
    half_form(index - WIDE - SMALL - SCALED, &f);
  else
    return NULL;
  return &f;
}

/* Each pair of u8 and s8, then the same with a clamp. */
const bits_form_t *bits_integer_form(unsigned index) {
  static const umma_type_t s32 = {2, 32, 0, 0, 0, true};
  static const char *const names[2] = {"u8", "s8"};
  static bits_form_t f;
  memset(&f, 0, sizeof f);
  if (index >= 8) return NULL;
  describe(&f, &umma_kinds[UMMA_I8], index / 2 % 2, index % 2);
  f.kind = "i8";
  f.d = &s32;
  f.integers = true;
  f.clamped = index >= 4;
  (void)snprintf(f.label, sizeof f.label, "kind::i8.s32.%s.%s%s", names[index / 2 % 2],
                 names[index % 2], f.clamped ? ".clamped" : "");
  return &f;
}

/* Two groups of four have one scale, or each its own. */
static void spread(const bits_form_t *f, const uint8_t *from, uint8_t to[4]) {
  for (unsigned g = 0; g < 4; g++)
    to[g] = from[f->groups == 4 ? g : g / 2];
}

uint32_t bits_rule(const bits_form_t *f, const bits_item_t *item, unsigned row, unsigned column,
                   int zeros) {
  uint32_t d = item->d[row][column] & (f->d->bits == 16 ? 0xffff : 0xffffffff);
  for (unsigned s = 0; s < BITS_STEPS; s++) {
    const uint32_t *const a = item->a[row] + s * f->per_step;
    const uint32_t *const b = item->b[column] + s * f->per_step;
    const uint8_t *const sa = item->a_scale[row] + s * f->groups;
    const uint8_t *const sb = item->b_scale[column] + s * f->groups;
    uint8_t x[4], y[4];
    if (f->integers) {
      d = umma_rule_integer(f->a, f->b, f->per_step, a, b, d, f->clamped);
    } else if (f->halves) {
      spread(f, sa, x);
      spread(f, sb, y);
      d = umma_rule_groups(a, b, x, y, f->ue4m3, d);
    } else if (f->groups != 0) {
      d = umma_rule_scaled(f->a, f->b, a, b, sa[0], sb[0], d);
    } else {
      d = umma_rule_zeros(f->a, f->b, f->per_step, a, b, f->d, d, zeros);
    }
  }
  return d;
}
