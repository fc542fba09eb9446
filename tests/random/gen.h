/* gen.h: inside of the generator. A program has pools of data registers (%h %w %x %f %p), registers
 * that hold addresses and never become data (addresses differ between sides), and a register with
 * the lanes that are here for certain (`scope`), which .sync instructions take as mask. */
#ifndef WL_TESTS_RANDOM_GEN_H
#define WL_TESTS_RANDOM_GEN_H
#include "tests/random/generate.h"

enum {
  G_H = 6,
  G_W = 10,
  G_X = 6,
  G_F = 6,
  G_P = 6,     /* sizes of the pools */
  G_OWN = 128, /* own bytes in the thread's slot of `out`; behind them registers are left */
  G_SLOT = 384,
  G_SHARED = 32, /* own bytes in shared memory */
  G_LOCAL = 64,
  G_IN = 4096,
  G_CONST = 256,
  G_TABLE = 256,
  G_PARAM = 32,
  G_CELL_ROWS = 24,
  G_CELL_COPIES = 4,
  G_CELLS = 8 * G_CELL_ROWS * G_CELL_COPIES,
  G_FUNCTIONS = 4
};

typedef struct g_scope {
  bool full;      /* all threads of the CTA come here, converged or not */
  bool known;     /* the register holds the lanes of this warp that come here */
  unsigned mask;  /* its number: %m<mask> */
  bool divergent; /* inside of a branch that not all took */
} g_scope_t;

typedef struct gen {
  uint64_t random;
  unsigned edition;
  bool atom128; /* this program has atomics of 128 bits */
  char target;  /* 'a': sm_100a, 'b': sm_120a, from RG_HALF_EDITION on */
  rg_program_t *out;
  const rc_table_t *table;
  size_t text_cap, sites_cap;
  bool failed;
  g_scope_t sc;
  char guard[12];     /* "" or "@%p1 " */
  int function;       /* -1: the kernel */
  unsigned functions; /* made so far */
  bool function_full[G_FUNCTIONS];
  bool recursive, indirect, vector; /* functions that there are besides */
  unsigned loops, depth, budget;    /* nesting; statements left */
  unsigned since_barrier;           /* statements since a barrier of all, 0: none yet */
  unsigned next_mask, next_label, next_counter;
  unsigned loop_mask;        /* mask register of the innermost loop, if its head counts lanes */
  bool tail;                 /* threads may have left: no barriers, no cells of shared memory */
  uint32_t forms;            /* rows of the list of arithmetic forms */
  unsigned threads;          /* of a CTA */
  unsigned exch, limit, cas; /* constants of this program's cells */
} gen_t;

enum { G_MASKS = 160, G_COUNTERS = 24 };

uint32_t g_below(gen_t *g, uint32_t n);
bool g_chance(gen_t *g, uint32_t percent);
/* A line of text without a bin; one with, whose form is `form`, or the text up to the first blank.
 */
__attribute__((format(printf, 2, 3))) void g_raw(gen_t *g, const char *fmt, ...);
__attribute__((format(printf, 5, 6))) void g_op_as(gen_t *g, const char *form, rc_space_t space,
                                                   rc_class_t cls, const char *fmt, ...);
#define g_op(g, space, cls, ...) g_op_as(g, NULL, space, cls, __VA_ARGS__)
void g_label(gen_t *g, unsigned label);
/* A register of the pool, "h" "w" "x" "f" "p". Whoever needs two draws in one line makes each in a
 * statement or declarator of its own, sources first: between the arguments of a call C leaves open
 * which comes first, and a seed must make the same program everywhere (test random/same_programs). */
const char *g_reg(gen_t *g, char letter);
const char *g_constant(gen_t *g, char letter, bool field);
const char *g_not(gen_t *g, uint32_t percent); /* "!" or "" */

/* Statements. */
void g_arith(gen_t *g);
uint32_t g_arith_count(void);
void g_move(gen_t *g);
void g_memory(gen_t *g); /* loads and stores of own, common read-only, parameter memory */
void g_atomic(gen_t *g);
void g_fence(gen_t *g);
void g_exchange(gen_t *g); /* needs sc.known */
void g_barrier(gen_t *g);  /* needs sc.full */
void g_block(gen_t *g, unsigned most);
void g_statement(gen_t *g);
void g_call(gen_t *g);
/* forms_frozen.c: calls `row` for every form, with its operands in the letters of
 * tests/oracle/form_list.h. */
typedef void (*g_form_row_t)(void *context, const char *form, const char *operands);
void g_frozen_forms(g_form_row_t row, void *context);
/* gen_vector.c */
void g_vector_move(gen_t *g);
void g_move_quarters(gen_t *g);
void g_space(gen_t *g);     /* isspacep, cvta */
void g_old_space(gen_t *g); /* of the first edition */
void g_vector_function(gen_t *g);
void g_vector_call(gen_t *g, const char *guard);

/* gen_format.c */
void g_format(gen_t *g);
/* gen_half.c, gen_wide.c */
void g_half(gen_t *g);
const char *g_carry_name(unsigned i, char to[RC_FORM]);
void g_wide(gen_t *g);
void g_atom128(gen_t *g); /* gen_atom128.c */
/* gen_product.c; all lanes of the warp come here. */
void g_product(gen_t *g);

/* Text of cells and of the program's frame. */
bool g_cell_row_zero(unsigned row);
void g_function(gen_t *g);
void g_recursion(gen_t *g);
void g_kernel(gen_t *g);

/* Rows of the coverage table. */
void g_arith_rows(rc_table_t *t);
void g_format_rows(rc_table_t *t);
void g_product_rows(rc_table_t *t);
void g_half_rows(rc_table_t *t);
void g_wide_rows(rc_table_t *t);
void g_atom128_rows(rc_table_t *t);
void g_memory_rows(rc_table_t *t);
void g_warp_rows(rc_table_t *t);
void g_control_rows(rc_table_t *t);
void g_vector_rows(rc_table_t *t);

#endif
