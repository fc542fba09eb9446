/* gen_gentle.c: programs that end and come far: structured control (if, loops with counters, brx,
 * calls, exits), .sync instructions with masks that their lanes can meet, barriers that every warp
 * reaches, addresses inside the buffers. What a thread leaves behind does not depend on timing if
 * `comparable` is set: then no clock, no active mask, no result of a common atomic is used.
 * Deliberately no program that waits for another lane by polling: kernels do that. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gen/wl_insn.h"
#include "isa/obj/dis.h"
#include "tests/fuzz/fuzz.h"

enum { R_TEMP = 12, R_TARGET = 13, R_LINK = 14, R_COUNTER = 16, R_MASK = 44, FUNCTIONS = 2 };

typedef struct gen {
  fuzz_rng_t *r;
  fuzz_program_t *p;
  int depth, loops;
  int statements; /* left */
  bool known;     /* `mask` are the lanes that are here, converged or not */
  uint32_t mask;
  uint32_t mask_reg;    /* 0: none; holds the lanes that are here */
  bool everyone;        /* every warp comes here, with all its lanes */
  bool odd_gone;        /* odd warps have left */
  bool some_gone;       /* threads may have left */
  int function;         /* -1: main */
  uint32_t call_at[64]; /* words to patch */
  uint8_t call_to[64];
  int calls;
} gen_t;

static void block(gen_t *g, int most);
static void call(gen_t *g);
static void small(gen_t *g);

__attribute__((format(printf, 2, 3))) static uint32_t emit(gen_t *g, const char *format, ...) {
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

static bool room(const gen_t *g) { return g->p->count < FUZZ_MAIN_WORDS - 100; }

static uint32_t here(const gen_t *g) { return g->p->count; }

static void patch(gen_t *g, uint32_t at) { WL_WORD_SET(g->p->w[at], IMM, here(g)); }

static uint32_t data(gen_t *g, uint32_t words) {
  const uint32_t reg = FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - (words - 1));
  return words > 1 && !fuzz_chance(g->r, 10) ? reg / words * words : reg;
}

static uint32_t source(gen_t *g, uint32_t words) {
  return fuzz_chance(g->r, 6) ? 255 : data(g, words);
}

static void set_guard(gen_t *g, uint32_t w[4]) {
  const bool always = fuzz_chance(g->r, 70);
  WL_WORD_SET(w, GUARD, always ? 7 : fuzz_below(g->r, 4));
  WL_WORD_SET(w, GUARD_NEG, always ? 0 : fuzz_below(g->r, 2));
}

static uint32_t data_predicate(gen_t *g) { return fuzz_chance(g->r, 15) ? 7 : fuzz_below(g->r, 4); }

/* A legal word of the form whose registers and predicates are data. */
static void data_word(gen_t *g, uint32_t form, uint32_t w[4]) {
  const wl_form_info_t *f = &wl_form_info[form];
  fuzz_legal_word(g->r, (int)form, here(g), here(g) + 1, w);
  set_guard(g, w);
  if (f->d != 0) WL_WORD_SET(w, RD, fuzz_chance(g->r, 3) ? 255 : data(g, f->d));
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

static bool has_form(const gen_t *g, uint32_t form) {
  return (wl_form_info[form].rows & g->r->row) != 0;
}

static bool is_arithmetic(const gen_t *g, uint32_t form) {
  const uint8_t unit = wl_form_info[form].unit;
  return unit <= WL_UNIT_FPU || (unit == WL_UNIT_FP64 && has_form(g, form));
}

static void arithmetic(gen_t *g) {
  uint32_t w[4], form;
  do {
    form = fuzz_form(g->r);
  } while (!is_arithmetic(g, form) || (g->p->comparable && form == WL_FORM_ACTIVEMASK));
  data_word(g, form, w);
  if (form == WL_FORM_S2R && g->p->comparable) {
    while (!sreg_is_fixed(WL_WORD_GET(w, IMM)))
      WL_WORD_SET(w, IMM, fuzz_below(g->r, 34));
  }
  fuzz_put(g->p, w);
}

static uint32_t random_form(gen_t *g, wl_unit_t unit) {
  uint32_t form;
  do {
    form = fuzz_form(g->r);
  } while (wl_form_info[form].unit != (uint8_t)unit ||
           wl_form_info[form].of.aligned != WL_ALIGNED_NO || !has_form(g, form));
  return form;
}

/* Arithmetic on fresh operands, or all values would soon be NaN. */
static void numbers(gen_t *g) {
  uint32_t w[4];
  for (uint32_t n = 60 + fuzz_below(g->r, 160); n > 0; n--) {
    if (fuzz_chance(g->r, 20)) {
      const uint32_t d = FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS / 4) * 4;
      emit(g, "ld.global.b128 R%u:R%u, [R2:R3+0x%x]", d, d + 3,
           FUZZ_DUMP + fuzz_below(g->r, FUZZ_DATA_REGS / 4) * 16);
    } else if (fuzz_chance(g->r, 60)) {
      data_word(g,
                WL_FORM_ADD_F32_RR + fuzz_below(g->r, WL_FORM_CVT_RND_F32 + 1 - WL_FORM_ADD_F32_RR),
                w);
      fuzz_put(g->p, w);
    } else if (has_form(g, WL_FORM_ADD_F64) && fuzz_chance(g->r, 50)) {
      data_word(g, WL_FORM_ADD_F64 + fuzz_below(g->r, 3), w);
      fuzz_put(g->p, w);
    } else {
      arithmetic(g);
    }
  }
}

static uint32_t bytes_of(uint32_t form) {
  static const uint8_t bytes[WL_NUM_MEM_TYPE] = {1, 1, 2, 2, 1, 2, 4, 8, 16, 4, 4, 8, 8, 4};
  return bytes[wl_form_info[form].type];
}

/* Half of the cas compare with what is there: a load of it comes before. */
static void load_compared(gen_t *g, const uint32_t cas[4]) {
  const wl_form_info_t *f = &wl_form_info[WL_WORD_GET(cas, FORM)];
  uint32_t w[4] = {0}, form = 0;
  if (f->atom != WL_ATOM_OP_CAS || WL_WORD_GET(cas, RB) == 255 || fuzz_chance(g->r, 50)) return;
  while (wl_form_info[form].kind != WL_MEM_KIND_LD || wl_form_info[form].unit != f->unit ||
         wl_form_info[form].space != f->space || wl_form_info[form].type != f->type)
    form++;
  WL_WORD_SET(w, FORM, form);
  WL_WORD_SET(w, GUARD, 7);
  WL_WORD_SET(w, RD, WL_WORD_GET(cas, RB));
  WL_WORD_SET(w, RA, WL_WORD_GET(cas, RA));
  WL_WORD_SET(w, IMM, WL_WORD_GET(cas, IMM));
  fuzz_put(g->p, w);
}

/* A load, store or atomic on the thread's own bytes of a space. */
static void own_memory(gen_t *g) {
  const uint32_t form = random_form(g, WL_UNIT_LSU), bytes = bytes_of(form);
  const wl_form_info_t *f = &wl_form_info[form];
  static const uint32_t reg_of[] = {
      [WL_MEM_SPACE_GLOBAL] = 2, [WL_MEM_SPACE_SHARED] = 4, [WL_MEM_SPACE_LOCAL] = 6};
  static const uint32_t size_of[] = {[WL_MEM_SPACE_GLOBAL] = FUZZ_DUMP,
                                     [WL_MEM_SPACE_SHARED] = FUZZ_SMEM_SLOT,
                                     [WL_MEM_SPACE_LOCAL] = FUZZ_LOCAL};
  static const uint8_t windows[] = {WL_MEM_SPACE_GLOBAL, WL_MEM_SPACE_SHARED, WL_MEM_SPACE_LOCAL};
  uint32_t space = f->space, w[4];
  data_word(g, form, w);
  if (space == WL_MEM_SPACE_GEN) {
    space = windows[fuzz_below(g->r, f->kind == WL_MEM_KIND_ATOM ? 2 : 3)];
  }
  WL_WORD_SET(w, RA, reg_of[space]);
  WL_WORD_SET(w, IMM, fuzz_below(g->r, size_of[space] / bytes) * bytes);
  if (f->space == WL_MEM_SPACE_GEN && fuzz_chance(g->r, 30) && space != WL_MEM_SPACE_LOCAL) {
    /* Lanes of one instruction in different windows. */
    const uint32_t other = space == WL_MEM_SPACE_GLOBAL ? 4 : 2;
    emit(g, "mov.r R52, R%u", reg_of[space]);
    emit(g, "mov.r R53, R%u", reg_of[space] + 1);
    emit(g, "@P1 mov.r R52, R%u", other);
    emit(g, "@P1 mov.r R53, R%u", other + 1);
    WL_WORD_SET(w, RA, 52);
    WL_WORD_SET(w, IMM, fuzz_below(g->r, FUZZ_SMEM_SLOT / bytes) * bytes);
  }
  load_compared(g, w);
  fuzz_put(g->p, w);
}

/* Bytes that all threads share. Comparable: each cell has one commuting operation without result. */
static void common_memory(gen_t *g) {
  static const uint16_t global_cell[] = {WL_FORM_ATOM_GLOBAL_ADD_U32, WL_FORM_ATOM_GLOBAL_MIN_U32,
                                         WL_FORM_ATOM_GLOBAL_MAX_S32, WL_FORM_ATOM_GLOBAL_AND_B32,
                                         WL_FORM_ATOM_GLOBAL_OR_B32,  WL_FORM_ATOM_GLOBAL_XOR_B32,
                                         WL_FORM_ATOM_GLOBAL_ADD_U64, WL_FORM_ATOM_GLOBAL_MIN_S64,
                                         WL_FORM_ATOM_GEN_ADD_U32,    WL_FORM_ATOM_GEN_MAX_U64};
  uint32_t w[4];
  if (g->p->comparable) {
    const uint32_t n = fuzz_below(g->r, sizeof global_cell / sizeof global_cell[0]);
    data_word(g, global_cell[n], w);
    WL_WORD_SET(w, RD, 255);
    WL_WORD_SET(w, RA, 10);
    WL_WORD_SET(w, IMM, 8 * n);
    fuzz_put(g->p, w);
    return;
  }
  uint32_t form;
  do {
    form = random_form(g, WL_UNIT_LSU);
  } while (wl_form_info[form].space == WL_MEM_SPACE_LOCAL ||
           (wl_form_info[form].kind != WL_MEM_KIND_ATOM && fuzz_chance(g->r, 60)));
  const wl_form_info_t *f = &wl_form_info[form];
  const uint32_t bytes = bytes_of(form), span = fuzz_chance(g->r, 50) ? 32 : FUZZ_CELLS;
  data_word(g, form, w);
  WL_WORD_SET(w, IMM, fuzz_below(g->r, span / bytes) * bytes);
  if (f->space == WL_MEM_SPACE_SHARED) {
    WL_WORD_SET(w, RA, 255);
    if (fuzz_chance(g->r, 60)) { /* bank conflicts by lane */
      emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0xc0}", R_TEMP, data(g, 1),
           (FUZZ_CELLS - 1) / bytes * bytes & ~(bytes - 1));
      WL_WORD_SET(w, RA, R_TEMP);
      WL_WORD_SET(w, IMM, 0);
    }
  } else {
    WL_WORD_SET(w, RA, 10);
    if (fuzz_chance(g->r, 50)) {
      emit(g, "lop3.rir R52, R%u, 0x%x, RZ {lut=0xc0}", data(g, 1), (span - 1) & ~(bytes - 1));
      emit(g, "mov.r R53, RZ");
      emit(g, "add64.rr R52:R53, R52:R53, R10:R11");
      WL_WORD_SET(w, RA, 52);
      WL_WORD_SET(w, IMM, 0);
    }
  }
  fuzz_put(g->p, w);
}

static void constant(gen_t *g) {
  const uint32_t form = random_form(g, WL_UNIT_LDC), bytes = bytes_of(form);
  uint32_t w[4];
  data_word(g, form, w);
  WL_WORD_SET(w, RA, 255);
  if (fuzz_chance(g->r, 30)) {
    const uint32_t mask = fuzz_chance(g->r, 50) ? 0x30 : 0x1fc0;
    emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0xc0}", R_TEMP, data(g, 1), mask);
    WL_WORD_SET(w, RA, R_TEMP);
    WL_WORD_SET(w, IMM, 1u << 28 | fuzz_below(g->r, 8192 / bytes) * bytes);
  } else if (fuzz_chance(g->r, 20)) {
    WL_WORD_SET(w, IMM, fuzz_below(g->r, 48 / bytes) * bytes);
  } else {
    WL_WORD_SET(w, IMM, 1u << 28 | fuzz_below(g->r, FUZZ_C1_BYTES / bytes) * bytes);
  }
  fuzz_put(g->p, w);
}

/* A .sync instruction for the lanes that are here. */
static void sync_word(gen_t *g, uint32_t form, uint32_t w[4]) {
  const wl_form_info_t *f = &wl_form_info[form];
  data_word(g, form, w);
  WL_WORD_SET(w, GUARD, 7);
  WL_WORD_SET(w, GUARD_NEG, 0);
  if (form == WL_FORM_ELECT_I || form == WL_FORM_ELECT_R) WL_WORD_SET(w, PS, 7);
  if (f->imm == WL_IMM_M) {
    WL_WORD_SET(w, IMM, g->mask);
  } else {
    WL_WORD_SET(w, RC, g->mask_reg != 0 ? g->mask_reg : R_MASK);
  }
}

/* "@P0 " or "" and one data register to another. */
static void move(gen_t *g, const char *guard) {
  const uint32_t from = data(g, 1), to = data(g, 1);
  emit(g, "%smov.r R%u, R%u", guard, to, from);
}

/* Member masks that differ between the lanes of one instruction, met at up to two places. */
static void groups(gen_t *g) {
  static const uint32_t base[] = {0x55555555, 0x11111111, 0x01010101, 0x00010001};
  static const char *const guards[] = {"@P0 ", "@P1 ", "@P2 ", "@P3 "};
  const uint32_t k = fuzz_below(g->r, 4), q = fuzz_below(g->r, 4);
  uint32_t w[4], form;
  do {
    form = random_form(g, WL_UNIT_SYNC);
  } while (wl_form_info[form].imm == WL_IMM_M);
  emit(g, "mov.i R%u, 0x%x", R_MASK, base[k]);
  emit(g, "lop3.rir R%u, R1, 0x%x, RZ {lut=0xc0}", R_TEMP, (2u << k) - 1);
  if (fuzz_chance(g->r, 30)) { /* fewer groups: some lanes take the mask of all of the rest */
    const uint32_t cut = fuzz_below(g->r, 32), low = (UINT32_C(1) << cut) - 1;
    emit(g, "mov.i R%u, 0x%x", R_TEMP, ~low);
    emit(g, "setp.u32.ri P5, PT, R1, 0x%x, PT {cmp=lt bop=none}", cut);
    emit(g, "@P5 mov.i R%u, 0x%x", R_TEMP, low);
    emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0xc0}", R_MASK, R_TEMP, g->mask);
  } else {
    emit(g, "shf.l.wrap.r R%u, RZ, R%u, R%u", R_MASK, R_MASK, R_TEMP);
    emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0xc0}", R_MASK, R_MASK, g->mask);
  }
  g->mask_reg = 0;
  sync_word(g, form, w);
  if (fuzz_chance(g->r, 40)) {
    fuzz_put(g->p, w);
    return;
  }
  if ((wl_form_info[form].preds & WL_PRED_D) != 0) WL_WORD_SET(w, PD, 7);
  if (fuzz_chance(g->r, 50)) {
    WL_WORD_SET(w, GUARD, q);
    fuzz_put(g->p, w);
    WL_WORD_SET(w, GUARD_NEG, 1);
    fuzz_put(g->p, w);
    return;
  }
  const uint32_t at = emit(g, "@P%u bra #0", q);
  if (fuzz_chance(g->r, 50)) move(g, "");
  fuzz_put(g->p, w);
  if (fuzz_chance(g->r, 50)) move(g, guards[q ^ 1]);
  const uint32_t over = emit(g, "bra #0");
  patch(g, at);
  for (uint32_t n = fuzz_below(g->r, 3); n > 0; n--)
    move(g, "");
  fuzz_put(g->p, w);
  patch(g, over);
}

static void sync(gen_t *g) {
  uint32_t w[4], form;
  if (g->known && fuzz_chance(g->r, 30)) {
    groups(g);
    return;
  }
  if (!g->known && g->mask_reg == 0) return;
  do {
    form = random_form(g, WL_UNIT_SYNC);
  } while (!g->known && wl_form_info[form].imm == WL_IMM_M);
  if (g->known) g->mask_reg = 0;
  if (wl_form_info[form].imm != WL_IMM_M && g->known) {
    emit(g, "mov.i R%u, 0x%x", R_MASK, g->mask);
  }
  if (g->known && wl_form_info[form].imm != WL_IMM_M && fuzz_chance(g->r, 25)) {
    const uint32_t q = fuzz_below(g->r, 4), negated = fuzz_below(g->r, 2);
    emit(g, "vote.ballot.i R%u, PT, 0x%x, %sP%u", R_MASK, g->mask, negated != 0 ? "!" : "", q);
    sync_word(g, form, w);
    WL_WORD_SET(w, GUARD, q);
    WL_WORD_SET(w, GUARD_NEG, negated);
    fuzz_put(g->p, w);
    return;
  }
  sync_word(g, form, w);
  if (!fuzz_chance(g->r, 30)) {
    fuzz_put(g->p, w);
    return;
  }
  /* The same rendezvous at two places, split by a predicate that the first must not change. */
  const uint32_t q = fuzz_below(g->r, 4);
  if ((wl_form_info[form].preds & WL_PRED_D) != 0) WL_WORD_SET(w, PD, 7);
  WL_WORD_SET(w, GUARD, q);
  fuzz_put(g->p, w);
  if (fuzz_chance(g->r, 40)) {
    const uint32_t from = data(g, 1), to = data(g, 1);
    emit(g, "@P%u add.ri R%u, R%u, 0x1", q, to, from);
  }
  WL_WORD_SET(w, GUARD_NEG, 1);
  fuzz_put(g->p, w);
}

static void bar_word(gen_t *g, uint32_t form, uint32_t number, uint32_t warps, bool aligned,
                     uint32_t w[4]) {
  data_word(g, form, w);
  WL_WORD_SET(w, GUARD, 7);
  WL_WORD_SET(w, GUARD_NEG, 0);
  WL_WORD_SET(w, ALIGNED, aligned ? 1 : 0);
  if (wl_form_info[form].imm == WL_IMM_G) {
    WL_WORD_SET(w, IMM, number | warps << 8);
  } else {
    emit(g, "mov.i R%u, 0x%x", R_TEMP, number);
    emit(g, "mov.i R%u, 0x%x", R_TARGET, warps * 32);
    WL_WORD_SET(w, RA, R_TEMP);
    WL_WORD_SET(w, RB, R_TARGET);
  }
}

/* P6: the warp's number in the CTA is odd. */
static void odd_warp(gen_t *g) {
  emit(g, "shf.r.wrap.i R%u, R4, RZ, 0x5", R_TEMP); /* R4: 256 + 32 * thread of the CTA */
  emit(g, "add.ri R%u, R%u, 0xfffffff8", R_TEMP, R_TEMP);
  emit(g, "lop3.rir R%u, R%u, 0x20, RZ {lut=0xc0}", R_TEMP, R_TEMP);
  emit(g, "setp.u32.ri P6, PT, R%u, 0x0, PT {cmp=ne bop=none}", R_TEMP);
}

/* Every thread of the CTA comes here. */
static void barrier(gen_t *g) {
  const uint32_t all = (g->p->threads + 31) / 32, number = fuzz_below(g->r, 15);
  const uint32_t warps = fuzz_chance(g->r, 50) ? all : 0;
  const uint32_t form = random_form(g, WL_UNIT_BAR);
  const bool arrive = form == WL_FORM_BAR_ARRIVE_I || form == WL_FORM_BAR_ARRIVE_R;
  uint32_t w[4];
  if (arrive) { /* odd warps arrive, even warps wait; nobody goes on before all are through */
    odd_warp(g);
    bar_word(g, form, number, warps, false, w);
    WL_WORD_SET(w, GUARD, 6);
    fuzz_put(g->p, w);
    bar_word(g, fuzz_chance(g->r, 50) ? WL_FORM_BAR_SYNC_I : WL_FORM_BAR_SYNC_R, number, warps,
             false, w);
    WL_WORD_SET(w, GUARD, 6);
    WL_WORD_SET(w, GUARD_NEG, 1);
    fuzz_put(g->p, w);
    emit(g, "bar.sync.i B15:0");
    return;
  }
  if (g->p->threads % 64 == 0 && !g->odd_gone &&
      fuzz_chance(g->r, 30)) { /* pairs of warps, a barrier for each */
    uint32_t any;
    do {
      any = WL_FORM_BAR_SYNC_R + 2 * fuzz_below(g->r, 5);
    } while (any == WL_FORM_BAR_ARRIVE_R);
    bar_word(g, any, 0, 2, false, w);
    emit(g, "add.ri R%u, R4, 0xffffff00", R_TEMP);
    emit(g, "shf.r.wrap.i R%u, R%u, RZ, 0xb", R_TEMP, R_TEMP);
    fuzz_put(g->p, w);
    emit(g, "bar.sync.i B15:0");
    return;
  }
  const bool split = fuzz_chance(g->r, 35);
  bar_word(g, form, number, warps, !split && fuzz_chance(g->r, 50), w);
  if (split) { /* two places of one warp */
    const uint32_t q = fuzz_below(g->r, 4);
    if ((wl_form_info[form].preds & WL_PRED_D) != 0) WL_WORD_SET(w, PD, 7);
    WL_WORD_SET(w, GUARD, q);
    fuzz_put(g->p, w);
    WL_WORD_SET(w, GUARD_NEG, 1);
  }
  fuzz_put(g->p, w);
}

static void branch(gen_t *g) {
  const gen_t saved = *g;
  const uint32_t reg = (uint32_t)(R_MASK + 1 + 2 * (g->depth & 1));
  uint32_t arm[2] = {0, 0}, arm_reg[2] = {0, 0}, at;
  const char *guard = "@!P5";
  char text[8];
  if (fuzz_chance(g->r, 55)) { /* by lane: both masks are known */
    const uint32_t k = fuzz_below(g->r, 33), bit = fuzz_below(g->r, 5);
    uint32_t lanes;
    if (fuzz_chance(g->r, 50)) {
      emit(g, "setp.u32.ri P5, PT, R1, 0x%x, PT {cmp=lt bop=none}", k);
      lanes = k >= 32 ? UINT32_MAX : (UINT32_C(1) << k) - 1;
    } else {
      static const uint32_t set[] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
      emit(g, "lop3.rir R%u, R1, 0x%x, RZ {lut=0xc0}", R_TEMP, 1u << bit);
      emit(g, "setp.u32.ri P5, PT, R%u, 0x0, PT {cmp=ne bop=none}", R_TEMP);
      lanes = set[bit];
    }
    arm[0] = g->mask & lanes;
    arm[1] = g->mask & ~lanes;
  } else {
    const uint32_t q = fuzz_below(g->r, 4);
    if (g->known && g->depth < 2) {
      emit(g, "vote.ballot.i R%u, PT, 0x%x, P%u", reg, g->mask, q);
      emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0x3c}", reg + 1, reg, g->mask);
      arm_reg[0] = reg;
      arm_reg[1] = reg + 1;
    }
    g->known = false;
    (void)snprintf(text, sizeof text, "@!P%u", q);
    guard = text;
  }
  g->everyone = false;
  g->depth++;
  at = emit(g, "%s bra #0", guard);
  g->mask = arm[0];
  g->mask_reg = arm_reg[0];
  block(g, 4);
  if (fuzz_chance(g->r, 60)) {
    const uint32_t over = emit(g, "bra #0");
    patch(g, at);
    g->mask = arm[1];
    g->mask_reg = arm_reg[1];
    block(g, 4);
    at = over;
  }
  patch(g, at);
  g->depth--;
  g->known = saved.known;
  g->mask = saved.mask;
  g->mask_reg = saved.mask_reg;
  g->everyone = saved.everyone;
}

static void loop(gen_t *g) {
  const gen_t saved = *g;
  const uint32_t counter = (uint32_t)(R_COUNTER + g->loops);
  if (fuzz_chance(g->r, 50)) {
    emit(g, "mov.i R%u, 0x%x", counter, 1 + fuzz_below(g->r, 4));
  } else { /* lanes leave one after another */
    emit(g, "lop3.rir R%u, R%u, 0x3, RZ {lut=0xc0}", counter,
         fuzz_chance(g->r, 50) ? 1 : data(g, 1));
    emit(g, "add.ri R%u, R%u, 0x1", counter, counter);
    g->known = g->everyone = false;
    g->mask_reg = 0;
  }
  g->loops++;
  g->depth++;
  const uint32_t top = here(g);
  block(g, 4);
  emit(g, "add.ri R%u, R%u, 0xffffffff", counter, counter);
  emit(g, "setp.s32.ri P4, PT, R%u, 0x0, PT {cmp=gt bop=none}", counter);
  emit(g, "@P4 bra #%u", top);
  g->loops--;
  g->depth--;
  g->known = saved.known;
  g->everyone = saved.everyone;
  g->mask_reg = saved.mask_reg;
}

static void indirect(gen_t *g) {
  const gen_t saved = *g;
  g->known = g->everyone = false;
  g->mask_reg = 0;
  g->depth++;
  const uint32_t a = emit(g, "mov.i R%u, 0x0", R_TARGET);
  const uint32_t b = emit(g, "@P%u mov.i R%u, 0x0", fuzz_below(g->r, 4), R_TARGET);
  emit(g, "brx R%u", R_TARGET);
  patch(g, a);
  block(g, 3);
  const uint32_t over = emit(g, "bra #0");
  patch(g, b);
  block(g, 3);
  patch(g, over);
  g->depth--;
  g->known = saved.known;
  g->everyone = saved.everyone;
  g->mask_reg = saved.mask_reg;
}

/* Lanes wait where others may never come: ends, or is a deadlock that both twins must see alike. */
static void meet_anywhere(gen_t *g) {
  const uint32_t k = fuzz_below(g->r, 10);
  uint32_t w[4], form;
  if (k < 2) {
    bar_word(g, fuzz_chance(g->r, 50) ? WL_FORM_BAR_SYNC_I : WL_FORM_BAR_POPC_I, 13, 0, false, w);
  } else {
    do {
      form = random_form(g, WL_UNIT_SYNC);
    } while ((wl_form_info[form].imm == WL_IMM_M) != (k < 5));
    if (k < 5)
      g->mask = UINT32_MAX;
    else
      emit(g, "activemask R%u", R_MASK);
    g->mask_reg = 0;
    sync_word(g, form, w);
    if (fuzz_chance(g->r, 30)) {
      WL_WORD_SET(w, GUARD, fuzz_below(g->r, 4));
      WL_WORD_SET(w, GUARD_NEG, fuzz_below(g->r, 2));
    }
  }
  fuzz_put(g->p, w);
}

/* Blocks that jump to each other without structure until the lane's counter has run out. */
static void soup(gen_t *g) {
  const uint32_t n = 2 + fuzz_below(g->r, 6);
  const gen_t saved = *g;
  const bool wild = !g->p->comparable && fuzz_chance(g->r, 60);
  uint32_t start[8] = {0}, ends[8] = {0}, at[24], to[24], jumps = 0;
  /* Now and then long enough for turns that end by their number of branches. */
  const uint32_t most = fuzz_chance(g->r, 5) ? 0x7ffu : 0xfu;
  emit(g, "lop3.rir R%u, R%u, 0x%x, RZ {lut=0xc0}", R_COUNTER + 2, data(g, 1), most);
  for (uint32_t i = 0; i < n; i++) {
    start[i] = here(g);
    for (uint32_t k = fuzz_below(g->r, 4); k > 0; k--) {
      if (wild && fuzz_chance(g->r, 15))
        meet_anywhere(g);
      else if (fuzz_chance(g->r, 70))
        arithmetic(g);
      else if (fuzz_chance(g->r, 50))
        own_memory(g);
      else if (fuzz_chance(g->r, 30))
        constant(g);
      else if (fuzz_chance(g->r, 60))
        small(g);
      else
        call(g);
    }
    emit(g, "add.ri R%u, R%u, 0xffffffff", R_COUNTER + 2, R_COUNTER + 2);
    emit(g, "setp.s32.ri P4, PT, R%u, 0x0, PT {cmp=lt bop=none}", R_COUNTER + 2);
    ends[i] = emit(g, "@P4 bra #0");
    for (uint32_t k = fuzz_below(g->r, 3); k > 0; k--) {
      const uint32_t q = fuzz_below(g->r, 4);
      to[jumps] = fuzz_below(g->r, n);
      if (fuzz_chance(g->r, 60)) {
        at[jumps++] = emit(g, "@%sP%u bra #0", fuzz_chance(g->r, 50) ? "!" : "", q);
      } else if (fuzz_chance(g->r, 50)) { /* deeper, for ever */
        at[jumps++] = emit(g, "@P%u call R%u, #0", q, R_LINK);
      } else {
        at[jumps++] = emit(g, "mov.i R%u, 0x0", R_TARGET);
        to[jumps] = fuzz_below(g->r, n);
        at[jumps++] = emit(g, "@P%u mov.i R%u, 0x0", q, R_TARGET);
        emit(g, "brx R%u", R_TARGET);
        break;
      }
    }
  }
  emit(g, "bra #%u", start[fuzz_below(g->r, n)]);
  for (uint32_t i = 0; i < n; i++)
    patch(g, ends[i]);
  for (uint32_t i = 0; i < jumps; i++)
    WL_WORD_SET(g->p->w[at[i]], IMM, start[to[i]]);
  g->mask = saved.mask;
  g->mask_reg = saved.mask_reg;
}

static void call(gen_t *g) {
  const uint32_t to = g->function < 0 ? fuzz_below(g->r, FUNCTIONS) : FUNCTIONS - 1;
  if (g->function == FUNCTIONS - 1 || g->calls >= 60) return;
  uint32_t at;
  if (fuzz_chance(g->r, 50)) {
    at = emit(g, "%scall R%u, #0", fuzz_chance(g->r, 40) ? "@P2 " : "", R_LINK + to);
  } else {
    at = emit(g, "mov.i R%u, 0x0", R_TARGET);
    emit(g, "%scallx R%u, R%u", fuzz_chance(g->r, 40) ? "@!P3 " : "", R_LINK + to, R_TARGET);
  }
  g->call_at[g->calls] = at;
  g->call_to[g->calls++] = (uint8_t)to;
}

static void small(gen_t *g) {
  switch (fuzz_below(g->r, 5)) {
  case 0:
    emit(g, "fence {scope=gpu}");
    break;
  case 1:
    emit(g, "lop3.rir R%u, R%u, 0x3f, RZ {lut=0xc0}", R_TEMP,
         fuzz_chance(g->r, 50) ? 1 : data(g, 1));
    emit(g, "%snanosleep.r R%u", fuzz_chance(g->r, 50) ? "@P0 " : "", R_TEMP);
    break;
  case 2:
    emit(g, "nop");
    break;
  case 3:
    if (!fuzz_chance(g->r, 25)) break;
    emit(g, "@P%u exit", fuzz_below(g->r, 4));
    g->some_gone = true;
    break;
  default:
    emit(g, "nanosleep.r %s", fuzz_chance(g->r, 50) ? "RZ" : "R1");
    break;
  }
}

/* Data registers only, but for CHUNK: its words are drawn with offsets. The guard of a gathered form is
 * mostly the same in all lanes. */
static void probe(gen_t *g) {
  const uint32_t op = fuzz_below(g->r, WL_NUM_PROBE_OP);
  uint32_t w[4];
  for (uint32_t n = 1 + fuzz_below(g->r, 3); n > 0; n--) {
    fuzz_legal_word(g->r, (int)(WL_FORM_PROBE_MIX + op), here(g), here(g) + 1, w);
    const wl_form_info_t *f = &wl_form_info[WL_FORM_PROBE_MIX + op];
    if (f->of.aligned != WL_ALIGNED_NO && fuzz_chance(g->r, 90)) {
      WL_WORD_SET(w, GUARD, 7);
      WL_WORD_SET(w, GUARD_NEG, 0);
    }
    if (f->counted || f->d != 0) { /* into data registers, mostly */
      uint32_t words = f->counted ? WL_WORD_GET(w, IMM) % FUZZ_DATA_REGS + 1 : f->d;
      if (f->counted) WL_WORD_SET(w, IMM, words - 1);
      WL_WORD_SET(w, RD, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - words + 1));
    }
    fuzz_put(g->p, w);
  }
}

/* A matrix form where all threads come, mostly: rows of the lanes' own, in another order of lanes. */
static void matrix(gen_t *g) {
  const bool whole = g->everyone && g->function < 0 && !g->some_gone && g->p->threads % 32 == 0;
  uint32_t w[4];
  if (!whole && !fuzz_chance(g->r, 1)) return;
  const uint32_t form = fuzz_matrix_form(g->r);
  const wl_form_info_t *f = &wl_form_info[form];
  data_word(g, form, w);
  WL_WORD_SET(w, GUARD, fuzz_chance(g->r, 98) ? 7 : fuzz_below(g->r, 8));
  WL_WORD_SET(w, GUARD_NEG, 0);
  if (f->matrix.count == 0) {
    fuzz_put(g->p, w);
    return;
  }
  const uint32_t order = fuzz_below(g->r, 32);
  emit(g, "lop3.rir R52, R1, 0x%x, RZ {lut=0x3c}", order);
  emit(g, "sub.rr R52, R52, R1");
  emit(g, "shf.l.wrap.i R52, RZ, R52, 0x5");
  emit(g, "add.rr R52, R52, R4");
  emit(g, "mov.r R53, R5");
  WL_WORD_SET(w, RA, 52);
  WL_WORD_SET(w, IMM, fuzz_below(g->r, 2) * 16);
  fuzz_put(g->p, w);
}

/* One to four products of matrices, into data registers. Of a whole warp, mostly: they gather it, and a
 * lane that has exited, or is none, is a trap. */
static void products(gen_t *g) {
  const bool sparse = wl_form_exists(WL_FORM_MMA_SP_F32_F16_M16N8K32, g->r->row);
  const uint32_t first = WL_FORM_MMA_F32_F16_M16N8K16,
                 last = sparse ? WL_FORM_MMA_SP_S32_INT4_M16N8K64 : WL_FORM_MMA_S32_B1_M16N8K256;
  uint32_t w[4];
  if ((g->p->threads % 32 != 0 || !g->everyone || g->some_gone) && !fuzz_chance(g->r, 5)) return;
  for (uint32_t n = 1 + fuzz_below(g->r, 4); n > 0; n--) {
    const uint32_t form = first + fuzz_below(g->r, last - first + 1);
    const wl_form_info_t *f = &wl_form_info[form];
    fuzz_legal_word(g->r, (int)form, here(g), here(g) + 1, w);
    if (!fuzz_chance(g->r, 2)) {
      WL_WORD_SET(w, GUARD, 7);
      WL_WORD_SET(w, GUARD_NEG, 0);
    }
    WL_WORD_SET(w, RD, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - f->d + 1));
    WL_WORD_SET(w, RA, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - f->a + 1));
    WL_WORD_SET(w, RB, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - f->b + 1));
    WL_WORD_SET(w, RC, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - f->c + 1));
    if (f->x != 0) WL_WORD_SET(w, IMM, FUZZ_DATA + fuzz_below(g->r, FUZZ_DATA_REGS - f->x + 1));
    fuzz_put(g->p, w);
  }
}

static void statement(gen_t *g) {
  if (fuzz_chance(g->r, 6)) matrix(g);
  if (fuzz_chance(g->r, 8) && wl_form_exists(WL_FORM_MMA_F32_F16_M16N8K16, g->r->row)) products(g);
  if (g->r->probe && fuzz_chance(g->r, 30)) probe(g);
  const uint32_t k = fuzz_below(g->r, 100);
  g->statements--;
  if (k < 34) {
    for (uint32_t n = 1 + fuzz_below(g->r, 4); n > 0; n--)
      arithmetic(g);
  } else if (k < 50) {
    own_memory(g);
  } else if (k < 56) {
    if (g->loops == 0) common_memory(g);
  } else if (k < 62) {
    constant(g);
  } else if (k < 74) {
    sync(g);
  } else if (k < 79) {
    if (g->everyone && g->function < 0) barrier(g);
    if (g->everyone && g->depth == 0 &&
        fuzz_chance(g->r, 10)) { /* warps that others must not await */
      odd_warp(g);
      emit(g, "@P6 exit");
      g->odd_gone = true;
    }
  } else if (k < 84) {
    small(g);
  } else if (k < 87) {
    call(g);
  } else if (g->depth < 3) {
    if (k < 93)
      branch(g);
    else if (k < 95 && g->loops == 0 && g->function < 0)
      soup(g);
    else if (k < 98 && g->loops < 2)
      loop(g);
    else
      indirect(g);
  }
}

static void block(gen_t *g, int most) {
  for (int n = (int)fuzz_below(g->r, (uint32_t)most + 1); n > 0; n--) {
    if (g->statements > 0 && room(g)) statement(g);
  }
}

static void prologue(gen_t *g) {
  fuzz_prologue(g->r, g->p);
  emit(g, "st.shared.b128 [R4], R20:R23");
  emit(g, "st.shared.b128 [R4+0x10], R24:R27");
  for (unsigned i = 0; i < FUZZ_LOCAL; i += 16)
    emit(g, "st.local.b128 [R6+0x%x], R28:R31", i);
}

static void epilogue(gen_t *g) {
  if (fuzz_chance(g->r, 10)) { /* arrivals that the CTA leaves behind */
    emit(g, "bar.arrive.i B0:%u", ((g->p->threads + 31) / 32 + 1) * 32);
  }
  emit(g, "mov.i R%u, 0x0", R_TEMP);
  for (unsigned i = 0; i < 4; i++)
    emit(g, "@P%u add.ri R%u, R%u, 0x%x", i, R_TEMP, R_TEMP, 1u << i);
  for (unsigned i = 0; i < FUZZ_DATA_REGS; i += 4) {
    emit(g, "st.global.b128 [R2:R3+0x%x], R%u:R%u", FUZZ_DUMP + 4 * i, FUZZ_DATA + i,
         FUZZ_DATA + i + 3);
  }
  emit(g, "st.global.b32 [R2:R3+0x%x], R%u", FUZZ_DUMP + 4 * FUZZ_DATA_REGS, R_TEMP);
  emit(g, "exit");
}

void fuzz_gentle_program(fuzz_rng_t *r, uint32_t max_threads, fuzz_program_t *p) {
  memset(p, 0, sizeof *p);
  fuzz_choose_shape(r, max_threads, p);
  p->gentle = true;
  p->comparable = fuzz_chance(r, 50) && !r->probe;
  gen_t g = {.r = r,
             .p = p,
             .known = true,
             .mask = UINT32_MAX,
             .everyone = true,
             .function = -1,
             .statements = 5 + (int)fuzz_below(r, 30)};
  prologue(&g);
  if (fuzz_chance(r, 20)) {
    numbers(&g);
    g.statements = 2;
  }
  if (fuzz_chance(r, 20)) soup(&g);
  while (g.statements > 0 && room(&g))
    statement(&g);
  epilogue(&g);
  g.known = g.everyone = false;
  g.mask_reg = 0;
  if (fuzz_chance(r, 15)) { /* main and functions in the same lines of the instruction cache */
    static const uint32_t trap[4] = {WL_FORM_TRAP | UINT32_C(7) << WL_FIELD_GUARD_LOW, 0, 0, 0};
    const uint32_t to = (here(&g) & ~63u) + (fuzz_chance(r, 50) ? 512 : 1024);
    while (here(&g) < to && fuzz_put(p, trap))
      continue;
  }
  uint32_t start[FUNCTIONS];
  for (int f = 0; f < FUNCTIONS; f++) {
    g.function = f;
    g.statements = 4;
    start[f] = here(&g);
    block(&g, 3);
    emit(&g, "ret R%u", (unsigned)(R_LINK + f));
  }
  for (int i = 0; i < g.calls; i++)
    WL_WORD_SET(p->w[g.call_at[i]], IMM, start[g.call_to[i]]);
}

void fuzz_spiced_program(fuzz_rng_t *r, uint32_t max_threads, fuzz_program_t *p) {
  static const uint16_t hot[] = {
      WL_FORM_TRAP,         WL_FORM_RET,         WL_FORM_BAR_SYNC_R,    WL_FORM_BAR_ARRIVE_I,
      WL_FORM_BAR_POPC_R,   WL_FORM_BAR_AND_I,   WL_FORM_BAR_OR_R,      WL_FORM_LDC_B32,
      WL_FORM_LDC_B64,      WL_FORM_BRX,         WL_FORM_CALLX,         WL_FORM_CALL,
      WL_FORM_NANOSLEEP_R,  WL_FORM_EXIT,        WL_FORM_WARPSYNC_R,    WL_FORM_SHFL_R,
      WL_FORM_MATCH_ANY_R,  WL_FORM_ELECT_R,     WL_FORM_WARPSYNC_I,    WL_FORM_BRA,
      WL_FORM_LD_LOCAL_B32, WL_FORM_ST_GEN_B128, WL_FORM_LD_SHARED_B64, WL_FORM_BAR_SYNC_I};
  fuzz_gentle_program(r, max_threads, p);
  p->gentle = p->comparable = false;
  p->spiced = true;
  const uint32_t first = 60; /* behind the prologue */
  for (uint32_t n = 1 + fuzz_below(r, 6); n > 0; n--) {
    const uint32_t at =
        first + fuzz_below(r, (p->count < FUZZ_MAIN_WORDS ? p->count : FUZZ_MAIN_WORDS) - first);
    const bool any = fuzz_chance(r, 40);
    const int form = any ? -1 : hot[fuzz_below(r, sizeof hot / sizeof hot[0])];
    if (fuzz_chance(r, 15)) {
      WL_WORD_SET(p->w[at], IMM, fuzz_value(r) & ~wl_form_info[WL_WORD_GET(p->w[at], FORM)].mbz[2]);
    } else {
      fuzz_legal_word(r, form, at, p->count, p->w[at]);
    }
  }
}
