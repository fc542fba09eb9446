/* gentle_words.c: words of gentle programs: registers and predicates of data, arithmetic. */
#include <stdarg.h>
#include <stdio.h>

#include "isa/obj/dis.h"
#include "tests/fuzz/gentle.h"

uint32_t gt_emit(gentle_t *g, const char *format, ...) {
  char line[WL_DIS_MAX];
  char err[200];
  uint32_t w[4];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (!wl_asm_line(line, w, err, sizeof err)) {
    printf("generator: '%s': %s\n", line, err);
    return 0;
  }
  fuzz_put(g->p, w);
  return g->p->count - 1;
}

uint32_t gt_here(const gentle_t *g) { return g->p->count; }

void gt_patch(gentle_t *g, uint32_t at) { WL_WORD_SET(g->p->w[at], IMM, gt_here(g)); }

uint32_t gt_data(gentle_t *g, uint32_t words) {
  const uint32_t reg = FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - (words - 1));
  return words > 1 && !fuzz_chance(g->r, 10) ? reg / words * words : reg;
}

static uint32_t source(gentle_t *g, uint32_t words) {
  return fuzz_chance(g->r, 6) ? 255 : gt_data(g, words);
}

static void set_guard(gentle_t *g, uint32_t w[4]) {
  const bool always = fuzz_chance(g->r, 70);
  WL_WORD_SET(w, GUARD, always ? 7 : fuzz_below(g->r, 4));
  WL_WORD_SET(w, GUARD_NEG, always ? 0 : fuzz_below(g->r, 2));
}

static uint32_t data_predicate(gentle_t *g) {
  return fuzz_chance(g->r, 15) ? 7 : fuzz_below(g->r, 4);
}

/* A legal word of the form whose registers and predicates are data. */
void gt_data_word(gentle_t *g, uint32_t form, uint32_t w[4]) {
  const wl_form_info_t *f = &wl_form_info[form];
  fuzz_legal_word(g->r, (int)form, gt_here(g), gt_here(g) + 1, w);
  set_guard(g, w);
  if (f->d != 0) WL_WORD_SET(w, RD, fuzz_chance(g->r, 3) ? 255 : gt_data(g, f->d));
  if (f->a != 0) WL_WORD_SET(w, RA, source(g, f->a));
  if (f->b != 0) WL_WORD_SET(w, RB, source(g, f->b));
  if (f->c != 0) WL_WORD_SET(w, RC, source(g, f->c));
  if ((f->preds & WL_PRED_D) != 0) WL_WORD_SET(w, PD, data_predicate(g));
  if ((f->preds & WL_PRED_Q) != 0) WL_WORD_SET(w, PQ, data_predicate(g));
  if ((f->preds & WL_PRED_S) != 0) WL_WORD_SET(w, PS, data_predicate(g));
  if ((f->preds & WL_PRED_T) != 0) WL_WORD_SET(w, PT, data_predicate(g));
}

static bool sreg_is_fixed(uint32_t id) {
  return id <= 12 || (id >= 14 && id <= 16) || (id >= 19 && id <= 23) || (id >= 28 && id <= 32) ||
         (id >= 49 && id <= 63);
}

static bool has_form(const gentle_t *g, uint32_t form) {
  return (wl_form_info[form].rows & g->r->row) != 0;
}

static bool is_arithmetic(const gentle_t *g, uint32_t form) {
  const uint8_t unit = wl_form_info[form].unit;
  return unit <= WL_UNIT_FPU || (unit == WL_UNIT_FP64 && has_form(g, form));
}

void gt_arithmetic(gentle_t *g) {
  uint32_t w[4], form;
  do {
    form = fuzz_form(g->r);
  } while (!is_arithmetic(g, form) || (g->p->comparable && form == WL_FORM_ACTIVEMASK));
  gt_data_word(g, form, w);
  if (form == WL_FORM_S2R && g->p->comparable) {
    while (!sreg_is_fixed(WL_WORD_GET(w, IMM)))
      WL_WORD_SET(w, IMM, fuzz_below(g->r, 34));
  }
  fuzz_put(g->p, w);
}

uint32_t gt_random_form(gentle_t *g, wl_unit_t unit) {
  uint32_t form;
  do {
    form = fuzz_form(g->r);
  } while (wl_form_info[form].unit != (uint8_t)unit ||
           wl_form_info[form].of.aligned != WL_ALIGNED_NO || !has_form(g, form));
  return form;
}

/* Arithmetic on fresh operands, or all values would soon be NaN. */
void gt_numbers(gentle_t *g) {
  uint32_t w[4];
  for (uint32_t n = 60 + fuzz_below(g->r, 160); n > 0; n--) {
    if (fuzz_chance(g->r, 20)) {
      const uint32_t d = FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS / 4) * 4;
      gt_emit(g, "ld.global.b128 R%u:R%u, [R2:R3+0x%x]", d, d + 3,
              FUZZ_DUMP + fuzz_below(g->r, FUZZ_DATA_REGS / 4) * 16);
    } else if (fuzz_chance(g->r, 60)) {
      gt_data_word(
          g, WL_FORM_ADD_F32_RR + fuzz_below(g->r, WL_FORM_CVT_RND_F32 + 1 - WL_FORM_ADD_F32_RR),
          w);
      fuzz_put(g->p, w);
    } else if (has_form(g, WL_FORM_ADD_F64) && fuzz_chance(g->r, 50)) {
      gt_data_word(g, WL_FORM_ADD_F64 + fuzz_below(g->r, 3), w);
      fuzz_put(g->p, w);
    } else {
      gt_arithmetic(g);
    }
  }
}
