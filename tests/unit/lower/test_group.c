/* test_group.c: registers of matrix fragments. Copies around a product go, but not where another
 * instruction stands in the way; a function that spills with groups only is allocated without. */
#include <stdio.h>

#include "isa/lower/mir.h"
#include "tests/unit/lower/alloc_check.h"

enum { WORDS = 4 };

/* ---- what stands in the way. One product, four copies before it (operand a) or behind it (d). */
typedef enum other {
  NOTHING, /* no instruction between the copies */
  READS,   /* one that reads word 1 of the group */
  WRITES   /* one that writes it */
} other_t;

static wl_minsn_t between(other_t other, wl_mreg_t word, wl_mreg_t sum) {
  if (other == READS) return (wl_minsn_t){.form = WL_FORM_ADD_RI, .d = sum, .a = word, .imm = 1};
  return (wl_minsn_t){.form = WL_FORM_MOV_I, .d = word, .imm = 7};
}

/* The product's operand after the pass: is it the group? */
static bool folds(wl_arena_t *arena, jmp_buf *oom, bool def, other_t other) {
  wl_mfunc_t f;
  wl_mreg_t word[WORDS];
  wl_mf_init(&f, arena, oom);
  const wl_mreg_t own = wl_mreg(wl_mf_vreg(&f, WORDS, true), 0);
  for (unsigned k = 0; k < WORDS; k++)
    word[k] = wl_mreg(wl_mf_vreg(&f, 1, false), 0);
  const wl_minsn_t insn = between(other, word[1], wl_mreg(wl_mf_vreg(&f, 1, false), 0));
  const wl_minsn_t product = {
      .form = WL_FORM_MMA_F32_F16_M16N8K16, .d = def ? own : WL_RZ, .a = def ? WL_RZ : own};
  if (def) wl_mf_append(&f, &product);
  if (def && other != NOTHING) wl_mf_append(&f, &insn);
  for (unsigned k = 0; k < WORDS; k++)
    wl_mf_append(&f, &(wl_minsn_t){.form = WL_MP_MOV,
                                   .d = def ? word[k] : wl_mreg_at(own, k),
                                   .a = def ? wl_mreg_at(own, k) : word[k],
                                   .imm = 1});
  if (!def && other != NOTHING) wl_mf_append(&f, &insn);
  if (!def) wl_mf_append(&f, &product);
  wl_mf_append(&f, &(wl_minsn_t){.form = WL_FORM_EXIT});
  wl_cfg_build(&f);
  wl_cfg_analyse(&f);
  wl_opt_groups(&f);
  unsigned copies = 0;
  bool group = false;
  for (size_t i = 0; i < f.ninsns; i++) {
    const wl_minsn_t *x = &f.insns[i];
    copies += x->form == WL_MP_MOV;
    if (x->form == product.form) group = (def ? x->d : x->a) != own;
  }
  if (copies != (group ? 0 : WORDS)) printf("FAILED: %u copies are left\n", copies);
  return group;
}

static int check_way(bool def, other_t other, bool expected) {
  static const char *const names[] = {"nothing", "a read", "a write"};
  wl_arena_t arena = {0};
  jmp_buf oom;
  if (setjmp(oom) != 0) return 1;
  const bool got = folds(&arena, &oom, def, other);
  if (got != expected)
    printf("FAILED: %s, %s between: %s\n", def ? "result" : "operand", names[other],
           got ? "folded" : "not folded");
  wl_arena_free(&arena);
  return got != expected;
}

/* ---- groups or spill code: word 0 of a group dies, then so many single registers live that only its
 * three other words have room, and they only where they find it. */
enum { LIMIT = 24, SINGLES = LIMIT - WORDS + 1, USES = 6 };

static void add(wl_mfunc_t *f, wl_mreg_t d, wl_mreg_t a, wl_mreg_t b) {
  wl_mf_append(f, &(wl_minsn_t){.form = WL_FORM_ADD_RR, .d = d, .a = a, .b = b});
}

static void tight(wl_mfunc_t *f, wl_arena_t *arena, jmp_buf *oom) {
  wl_mreg_t word[WORDS], single[SINGLES];
  wl_mf_init(f, arena, oom);
  f->is_entry = true;
  f->max_regs = LIMIT;
  const wl_mreg_t own = wl_mreg(wl_mf_vreg(f, WORDS, true), 0);
  wl_mf_append(f, &(wl_minsn_t){.form = WL_FORM_MMA_F32_F16_M16N8K16, .d = own});
  for (unsigned k = 0; k < WORDS; k++) {
    word[k] = wl_mreg(wl_mf_vreg(f, 1, false), 0);
    wl_mf_append(f,
                 &(wl_minsn_t){.form = WL_MP_MOV, .d = word[k], .a = wl_mreg_at(own, k), .imm = 1});
  }
  for (unsigned k = 0; k < SINGLES; k++) {
    single[k] = wl_mreg(wl_mf_vreg(f, 1, false), 0);
    if (k == 0)
      add(f, single[k], word[0], word[0]);
    else
      wl_mf_append(f, &(wl_minsn_t){.form = WL_FORM_S2R, .d = single[k], .imm = 0});
  }
  for (unsigned i = 0; i < USES; i++)
    for (unsigned k = 0; k < SINGLES; k++)
      add(f, single[k], single[k], single[(k + 1) % SINGLES]);
  for (unsigned k = 1; k < WORDS; k++)
    add(f, single[0], single[0], word[k]);
  wl_mf_append(f, &(wl_minsn_t){.form = WL_FORM_ST_SHARED_B32, .b = single[0]});
  wl_mf_append(f, &(wl_minsn_t){.form = WL_FORM_EXIT});
  wl_cfg_build(f);
  wl_cfg_analyse(f);
}

static int check_room(void) {
  wl_arena_t arena = {0};
  jmp_buf oom;
  wl_mfunc_t with, without, chosen;
  char why[200];
  if (setjmp(oom) != 0) return 1;
  tight(&with, &arena, &oom);
  wl_opt_groups(&with);
  tight(&without, &arena, &oom);
  tight(&chosen, &arena, &oom);
  const bool done = wl_regalloc(&with) && wl_regalloc(&without) && wl_regalloc_groups(&chosen);
  printf("%u registers: spilled with groups %u, without %u, chosen %u\n", LIMIT, with.spilled,
         without.spilled, chosen.spilled);
  const bool good = done && with.spilled != 0 && without.spilled == 0 && chosen.spilled == 0 &&
                    alloc_check(&chosen, why, sizeof why) == NULL;
  if (!good) printf("FAILED: the choice\n");
  wl_arena_free(&arena);
  return !good;
}

int main(void) {
  int bad = check_way(false, NOTHING, true) + check_way(false, READS, true) +
            check_way(false, WRITES, false);
  bad += check_way(true, NOTHING, true) + check_way(true, READS, false) +
         check_way(true, WRITES, false);
  bad += check_room();
  printf("%d failed\n", bad);
  return bad != 0;
}
