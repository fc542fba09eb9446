/* test_alloc.c: register allocation of random functions under limits from 24 to 255 registers, with
 * and without calls, proved by alloc_check; spilling must happen and stay within its frame. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lower/alloc_check.h"
#include "tests/unit/lower/random_mir.h"

typedef struct totals {
  unsigned spilled, functions, high;
} totals_t;

static int one(uint64_t seed, totals_t *t) {
  static const uint32_t limits[] = {24, 28, 32, 40, 64, 128, 255};
  wl_arena_t arena = {0};
  jmp_buf oom;
  wl_mfunc_t f;
  char why[200];
  volatile int bad = 0;
  if (setjmp(oom) != 0) return 1;
  wl_mf_init(&f, &arena, &oom);
  random_function(&f, &(random_options_t){.seed = seed,
                                          .regs = 4 + (unsigned)(seed % 17),
                                          .statements = 6 + (unsigned)(seed % 30),
                                          .calls = seed % 3 == 0,
                                          .is_function = seed % 5 == 0,
                                          .irreducible = seed % 7 == 0});
  f.max_regs = limits[seed % (sizeof limits / sizeof limits[0])];
  wl_cfg_build(&f);
  wl_cfg_analyse(&f);
  wl_layout(&f);
  wl_cfg_analyse(&f);
  if (seed % 2 == 0) wl_opt_copies(&f);
  if (!wl_regalloc(&f)) {
    printf("FAILED seed %llu: no allocation in %u registers\n", (unsigned long long)seed,
           f.max_regs);
    bad = 1;
  } else if (alloc_check(&f, why, sizeof why) != NULL) {
    printf("FAILED seed %llu, %u registers: %s\n", (unsigned long long)seed, f.max_regs, why);
    bad = 1;
  } else if (f.regs > f.max_regs || f.preds > 7) {
    printf("FAILED seed %llu: %u registers of %u, %u predicates\n", (unsigned long long)seed,
           f.regs, f.max_regs, f.preds);
    bad = 1;
  }
  t->functions++;
  t->spilled += f.spilled != 0;
  t->high += f.max_regs == 255;
  wl_arena_free(&arena);
  return bad;
}

int main(int argc, char **argv) {
  const uint64_t from = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
  const uint64_t to = argc > 2 ? strtoull(argv[2], NULL, 0) : argc > 1 ? from : 1500;
  totals_t t = {0};
  int bad = 0;
  for (uint64_t seed = from; seed <= to && bad < 5; seed++)
    bad += one(seed, &t);
  printf("%u functions, %u with spilling, %d failed\n", t.functions, t.spilled, bad);
  if (from != to && t.spilled < t.functions / 10) {
    printf("FAILED: too few functions spill, the test has lost its point\n");
    return 1;
  }
  return bad != 0;
}
