/* test_parallel.c: wl_isel_parallel on instructions made by hand, for what no expansion does today:
 * a predicate written before its last read, as guard and as operand. PTX 9.7: operands are read
 * before results are written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/lower/isel.h"

static int failed;
#define CHECK(what)                                                                                \
  do {                                                                                             \
    if (!(what)) {                                                                                 \
      printf("line %d: not so: %s\n", __LINE__, #what);                                            \
      failed++;                                                                                    \
    }                                                                                              \
  } while (0)

/* @p setp p = a < b; @p d = a; @p e = select by p: all three read the old p. */
static void guard_written_first(wl_isel_t *s) {
  wl_mfunc_t *f = s->f;
  const uint32_t p = wl_mf_vreg(f, 0, false);
  const wl_mreg_t a = wl_mreg(wl_mf_vreg(f, 1, false), 0), b = wl_mreg(wl_mf_vreg(f, 1, false), 0);
  const wl_mreg_t d = wl_mreg(wl_mf_vreg(f, 1, false), 0), e = wl_mreg(wl_mf_vreg(f, 1, false), 0);
  const size_t from = f->ninsns;
  s->guard = p;
  wl_cmp(s, WL_FORM_SETP_U32_RR, p, a, b, WL_LT);
  wl_copy(s, d, a, 1);
  wl_sel(s, e, a, b, p, false);
  wl_isel_parallel(s, from);
  const wl_minsn_t *i = &f->insns[from];
  CHECK(f->ninsns == from + 4);
  CHECK(i[0].form == WL_FORM_PLOP && i[0].guard == 0 && i[0].pt == p && i[0].pd != p);
  CHECK(i[1].form == WL_FORM_SETP_U32_RR && i[1].pd == p && i[1].guard == i[0].pd);
  CHECK(i[2].form == WL_MP_MOV && i[2].d == d && i[2].a == a && i[2].guard == i[0].pd);
  CHECK(i[3].form == WL_FORM_SELP_RR && i[3].ps == i[0].pd && i[3].guard == i[0].pd);
}

/* Words of a pair: the low one is written, then both are read; and what needs no copy gets none. */
static void pair_written_first(wl_isel_t *s) {
  wl_mfunc_t *f = s->f;
  const wl_mreg_t x = wl_mreg(wl_mf_vreg(f, 2, false), 0), y = wl_mreg(wl_mf_vreg(f, 2, false), 0);
  const wl_mreg_t t = wl_t1(s);
  s->guard = 0;
  size_t from = f->ninsns;
  wl_copy(s, x, y, 1);
  wl_rr(s, WL_FORM_ADD64_RR, y, x, x);
  wl_isel_parallel(s, from);
  const wl_minsn_t *i = &f->insns[from];
  CHECK(f->ninsns == from + 3);
  CHECK(i[0].form == WL_MP_MOV && i[0].imm == 2 && i[0].a == x && i[0].d != x);
  CHECK(i[1].d == x && i[1].a == y && i[2].a == i[0].d && i[2].b == i[0].d && i[2].d == y);
  from = f->ninsns;
  wl_copy(s, x, y, 1);               /* the low word .. */
  wl_copy(s, t, x + 1, 1);           /* .. and the high one: another */
  wl_rr(s, WL_FORM_ADD_RR, y, t, t); /* a temporary */
  wl_isel_parallel(s, from);
  CHECK(f->ninsns == from + 3);
}

int main(void) {
  wl_arena_t arena;
  jmp_buf oom;
  wl_mfunc_t f;
  wl_ptx_insn_t insn;
  memset(&arena, 0, sizeof arena);
  memset(&insn, 0, sizeof insn);
  if (setjmp(oom) != 0) {
    printf("out of memory\n");
    return 1;
  }
  wl_mf_init(&f, &arena, &oom);
  wl_isel_t s = {.f = &f, .in = &insn};
  guard_written_first(&s);
  pair_written_first(&s);
  printf("parallel: %d failed\n", failed);
  wl_arena_free(&arena);
  return failed != 0;
}
