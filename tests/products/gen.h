/* gen.h: inside of the generator. Columns of the image are the device's of a CTA that is alone; the text has
 * them behind the address that an allocation gave. */
#ifndef WL_TESTS_PRODUCTS_GEN_H
#define WL_TESTS_PRODUCTS_GEN_H
#include <stdio.h>

#include "tests/products/product.h"
#include "tests/unit/lower/umma_layout.h"
#include "tests/unit/lower/umma_types.h"

enum {
  PR_WARPS = 4,
  PR_ROWS = 128, /* lanes of tensor memory */
  PR_COLUMNS = 256,
  PR_ALLOCS = 6,
  PR_BARS = 4,
  PR_REGIONS = 10,
  PR_COMMANDS = 96,
  PR_SHARED = 40 << 10,
  PR_DATA = 72 << 10,
  PR_STREAM = 1 << 18,
  PR_PENDING = 8, /* loads under way of a warp */
  PR_VALUES = 32, /* registers of an access, at most */
  PR_PER_STEP = 64,
  PR_BULKS = 63, /* of a warp */
  PR_BURST = 4,  /* commands; each has its own registers */
  PR_BURST_TEXT = 2048,
  PR_DEAR = 9000 /* cycles on tiny that allow for a product of f8f6f4 */
};

/* What a column holds: of each kind the type of A; of D; scales. */
enum { PR_BITS, PR_A_CLASS, PR_D_F32 = 32, PR_D_F16, PR_D_S32, PR_UE8M0, PR_UE4M3, PR_HALVES };

typedef enum pr_command_type { PR_MMA, PR_CP, PR_CP4, PR_SHIFT } pr_command_type_t;
typedef enum pr_role { PR_READS, PR_WRITES, PR_ACCUMULATES } pr_role_t;
typedef struct pr_command {
  pr_command_type_t type;
  unsigned d, m, n, z;
  const char *kind;
} pr_command_t;

/* The last operations that touched a column of a quarter: stores and loads of the quarter's warp, commands of each
 * warp's thread; 0: none. readers: types of the commands that have read it since. */
typedef struct pr_cell {
  uint32_t st, ld, wrote[PR_WARPS], read[PR_WARPS];
  unsigned readers;
} pr_cell_t;

/* What a warp knows to be over: operations (any) of warps, loads and stores that were waited for, commands, phases of
 * mbarriers, all up to a number; bulk copies, a bit each: none is over because a later one is. */
typedef struct pr_known {
  uint32_t op[PR_WARPS], ld[PR_WARPS], st[PR_WARPS], cmd[PR_WARPS], phase[PR_BARS];
  uint64_t bulk[PR_WARPS];
} pr_known_t;

typedef struct
    pr_bar { /* the last phase: whose commands or copies, up to which; who has waited, and when */
  uint32_t phase, upto, waited[PR_WARPS];
  unsigned issuer;
  bool bulk;
} pr_bar_t;

typedef struct pr_load {
  unsigned event, first, regs;
} pr_load_t;

typedef struct pr_warp {
  char *text;
  size_t used;
  char burst[PR_BURST_TEXT]; /* commands that are still to be written, behind each other */
  size_t burst_used;
  unsigned commands;
  unsigned lane; /* of its thread that gives commands */
  uint32_t ops, lds, sts, cmds, bulks, waited_ld, waited_st;
  pr_load_t load[PR_PENDING];
  unsigned loads, regs;
  pr_known_t know;
  pr_command_t command[PR_COMMANDS + 1];
} pr_warp_t;

typedef struct pr_alloc {
  bool live;
  unsigned first, columns;
} pr_alloc_t;

typedef struct pr_region { /* of shared memory; an operand lies in it */
  uint32_t begin, room, bytes, gen[PR_WARPS], bulk, read[PR_WARPS];
  unsigned bulk_issuer;
  umma_matrix_t m;
  const umma_type_t *type;
  unsigned kind; /* of umma_kinds, or UMMA_KINDS: two elements in a byte */
} pr_region_t;

typedef struct pr_blob {
  uint32_t at, bytes;
  const umma_type_t *type;
} pr_blob_t;

typedef struct pr_product {
  pr_command_t command;
  unsigned kind, d_type, scaled; /* scaled: 0 no, 1 mxf8f6f4, 2 mxf4, 3 mxf4nvf4 with 16 */
  const umma_type_t *a_type, *b_type;
  bool enable, masked, negate_a, negate_b, saturate, tensor_a, ue4m3;
  unsigned lower, a_at, a_region, a_step, b_region, b_step, sa, sb, a_id, b_id;
  uint32_t mask[4];
} pr_product_t;

typedef struct pr_gen {
  pr_program_t *out;
  uint64_t random;
  bool wide;
  unsigned warps, ctas, columns, label, label_of_end;
  unsigned cost, most_cost; /* cycles of products, on tiny or base */
  unsigned most_bytes;      /* of an operand */
  pr_warp_t warp[PR_WARPS];
  pr_bar_t bar[PR_BARS];
  uint32_t word[PR_CTAS][PR_ROWS][PR_COLUMNS];
  bool known[PR_ROWS][PR_COLUMNS];
  uint8_t holds[PR_COLUMNS];
  pr_cell_t cell[PR_COLUMNS][4];
  pr_alloc_t alloc[PR_ALLOCS];
  unsigned allocs, largest; /* largest: that may be allocated */
  uint8_t shared[PR_CTAS][PR_SHARED];
  uint32_t shared_used, shared_room, skew;
  pr_region_t region[PR_REGIONS];
  unsigned regions;
  int locked; /* a region that is not given to another operand; -1: none */
  uint8_t data[PR_DATA];
  uint32_t data_used, data_room;
  pr_blob_t blob[64];
  unsigned blobs;
  bool has_last;
  unsigned last_issuer;
  pr_product_t last;
} pr_gen_t;

/* gen.c */
uint32_t pr_below(pr_gen_t *g, uint32_t n);
bool pr_chance(pr_gen_t *g, uint32_t percent);
__attribute__((format(printf, 3, 4))) void pr_put(pr_gen_t *g, unsigned warp, const char *fmt, ...);
/* The same for the registers of the next command: commands that wait stay behind it. */
__attribute__((format(printf, 3, 4))) void pr_prepare(pr_gen_t *g, unsigned warp, const char *fmt,
                                                      ...);
unsigned pr_event(pr_gen_t *g, unsigned warp, const char *what); /* its number */
void pr_show(pr_gen_t *g, unsigned warp, unsigned event, const char *reg);
/* By the warp's one thread; not written before other text of the warp is, or there are PR_BURST of them. */
void pr_issue(pr_gen_t *g, unsigned warp, const char *what, const char *operands);

/* order.c: what has to be over before an operation; writes what makes it so. */
void pr_meet(pr_gen_t *g, unsigned warps);
void pr_settle(pr_gen_t *g, unsigned warp, bool loads, bool stores);
void pr_wait(pr_gen_t *g, unsigned warp, unsigned bar);
void pr_claim(pr_gen_t *g, unsigned warp, unsigned bar);
void pr_commit(pr_gen_t *g, unsigned warp, unsigned bar);
void pr_know_op(pr_gen_t *g, unsigned warp, unsigned of, uint32_t n);
void pr_know_command(pr_gen_t *g, unsigned warp, unsigned of, uint32_t n);
void pr_know_bulk(pr_gen_t *g, unsigned warp, unsigned of, uint32_t n);
void pr_know_loads(pr_gen_t *g, unsigned warp, unsigned of, uint32_t n);
void pr_know_stores(pr_gen_t *g, unsigned warp, unsigned of, uint32_t n);

/* cells.c: the same by columns, before and after; quarters: a mask. */
void pr_before_access(pr_gen_t *g, unsigned warp, unsigned first, unsigned n, bool store);
void pr_after_access(pr_gen_t *g, unsigned warp, unsigned first, unsigned n, bool store);
void pr_before_command(pr_gen_t *g, unsigned warp, const pr_command_t *c, pr_role_t role,
                       unsigned first, unsigned n, unsigned quarters);
void pr_after_command(pr_gen_t *g, unsigned warp, pr_role_t role, unsigned first, unsigned n,
                      unsigned quarters);
void pr_before_free(pr_gen_t *g, unsigned warp, unsigned first, unsigned n);

/* columns.c */
bool pr_allocate(pr_gen_t *g, unsigned columns);
void pr_free(pr_gen_t *g, unsigned alloc);
void pr_fill(pr_gen_t *g, unsigned warp, unsigned first, unsigned n, unsigned class);
void pr_show_all(pr_gen_t *g, unsigned alloc);
/* Columns in an allocation that lives, or -1; `class`: rather where it is. */
int pr_near(pr_gen_t *g, unsigned n);
int pr_columns(pr_gen_t *g, unsigned n, unsigned class, unsigned step);
unsigned pr_alloc_of(const pr_gen_t *g, unsigned column);
bool pr_all_known(const pr_gen_t *g, unsigned first, unsigned n, bool half, unsigned z);

/* tensor.c */
typedef struct pr_mask {
  uint32_t keep, set;
} pr_mask_t;
uint32_t pr_change(pr_mask_t mask, unsigned r);
pr_mask_t pr_mask_of(unsigned class); /* of a hash, so that it looks like numbers of the class */
void pr_store(pr_gen_t *g);
bool pr_load(pr_gen_t *g);

/* operand.c: the region with an operand, or -1. type: of umma_kinds[kind]. */
int pr_operand(pr_gen_t *g, unsigned kind, const umma_type_t *type, unsigned rows, bool k_major);
void pr_refill(pr_gen_t *g, unsigned region);
void pr_use_region(pr_gen_t *g, unsigned warp, unsigned region); /* before a command reads it */
uint32_t pr_element(const pr_gen_t *g, unsigned cta, const pr_region_t *r, unsigned row,
                    unsigned k);

/* copy.c, draw.c, give.c, sums.c */
bool pr_copy(pr_gen_t *g);
void pr_copy_to(pr_gen_t *g, unsigned issuer, unsigned shape, unsigned unpack, unsigned region,
                const umma_matrix_t *m, unsigned step, unsigned first);
bool pr_shift(pr_gen_t *g);
bool pr_product(pr_gen_t *g);
void pr_give(pr_gen_t *g, const pr_product_t *p, unsigned issuer);
void pr_sum(pr_gen_t *g, const pr_product_t *p);
unsigned pr_lane_of(const pr_product_t *p, unsigned row);
unsigned pr_per_step(const pr_product_t *p);

/* work.c */
void pr_work(pr_gen_t *g);

/* frame.c: the whole text. */
void pr_frame(pr_gen_t *g);

#endif
