/* gentle.h: inside of the generator of gentle programs (gen_gentle.c). A statement adds words to the
 * program; what is known of the lanes that are here stands in gentle_t. */
#ifndef WL_TESTS_FUZZ_GENTLE_H
#define WL_TESTS_FUZZ_GENTLE_H
#include "tests/fuzz/fuzz.h"

enum { R_TEMP = 12, R_TARGET = 13, R_LINK = 14, R_COUNTER = 16, R_MASK = 44, FUNCTIONS = 2 };

typedef struct gentle {
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
} gentle_t;

/* gentle_words.c. emit: a line of assembly, its index; patch: the branch there comes here. */
__attribute__((format(printf, 2, 3))) uint32_t gt_emit(gentle_t *g, const char *format, ...);
uint32_t gt_here(const gentle_t *g);
void gt_patch(gentle_t *g, uint32_t at);
uint32_t gt_data(gentle_t *g, uint32_t words); /* a data register, of some aligned ones the first */
void gt_data_word(gentle_t *g, uint32_t form, uint32_t w[4]);
uint32_t gt_random_form(gentle_t *g, wl_unit_t unit);
void gt_arithmetic(gentle_t *g);
void gt_numbers(gentle_t *g);
/* gentle_memory.c */
void gt_own_memory(gentle_t *g);
void gt_common_memory(gentle_t *g);
void gt_constant(gentle_t *g);
/* gentle_sync.c */
void gt_sync_word(gentle_t *g, uint32_t form, uint32_t w[4]);
void gt_sync(gentle_t *g);
void gt_bar_word(gentle_t *g, uint32_t form, uint32_t number, uint32_t warps, bool aligned,
                 uint32_t w[4]);
void gt_odd_warp(gentle_t *g);
void gt_barrier(gentle_t *g);
/* gentle_control.c */
void gt_branch(gentle_t *g);
void gt_loop(gentle_t *g);
void gt_indirect(gentle_t *g);
void gt_soup(gentle_t *g);
void gt_call(gentle_t *g);
void gt_small(gentle_t *g);
/* gentle_matrix.c */
void gt_probe(gentle_t *g);
void gt_matrix(gentle_t *g);
void gt_products(gentle_t *g);
/* gen_gentle.c: up to `most` statements. */
void gt_block(gentle_t *g, int most);

#endif
