/* parts.h: what the files of the explanation share (explain.h). */
#ifndef WL_DRIVER_EXPLAIN_PARTS_H
#define WL_DRIVER_EXPLAIN_PARTS_H
#include "cmodel/sem/dot.h"
#include "driver/explain/explain.h"

/* Types besides wl_format_t. */
enum {
  WL_EXPLAIN_S8 = WL_NUM_FORMAT,
  WL_EXPLAIN_U8,
  WL_EXPLAIN_S32,
  WL_EXPLAIN_TYPES,
};
const char *wl_explain_type_name(int type);

double wl_explain_double(const wl_dot_number_t *n);
/* A block scale as significand / 8 * 2^exponent. */
wl_dot_number_t wl_explain_scale(int type, uint32_t byte);

/* ---- a block: terms that are cut behind one largest exponent and added (block.c) */
typedef struct term {
  wl_dot_number_t n;
  double factor[3]; /* what the text says of n: a product of so many factors, times 2^power */
  unsigned factors;
  int power;
  int64_t kept;     /* units */
  unsigned dropped; /* bits that were cut, their number */
  uint32_t cut;     /* these bits */
} term_t;

typedef struct block {
  const wl_profile_t *p;
  wl_fmt_t r;
  const char *noun; /* of a term */
  unsigned from;    /* number of term[1] */
  unsigned count;   /* of term; [0] is the addend */
  term_t term[WL_EXPLAIN_MOST + 1];
  int largest, unit;
  bool special;
  int64_t sum;
  uint32_t result;
} block_t;

/* The addend c * 2^-lower, as term[0]. */
void wl_explain_addend(block_t *b, uint32_t c, unsigned lower);
/* Everything else of the block, of term, count, special and result. */
void wl_explain_cut(block_t *b);
/* The sum with a fraction of 2^-64 units, rounded as the profile does. */
uint32_t wl_explain_rounded(const block_t *b, __int128 fraction);
/* The `top` highest bits that were cut of a term, in units / 2^64; what is beyond that counts as one more. */
__int128 wl_explain_put_back(const term_t *t, unsigned top);
/* The first of the term's cut bits, from the highest down, that changes the result when it and those above
 * it are put back; 0: none does. */
unsigned wl_explain_telling_bit(const block_t *b, const term_t *t);

/* ---- text (text.c) */
void wl_explain_show_value(FILE *out, const char *name, wl_fmt_t f, uint32_t bits);
void wl_explain_show_scales(FILE *out, int type, uint32_t a, uint32_t b);
void wl_explain_show_block(FILE *out, const block_t *b);

/* ---- kinds of sums: they write all but the last line, and return the element */
uint32_t wl_explain_groups(FILE *out, const wl_explain_t *form, const wl_explain_operands_t *in);
uint32_t wl_explain_integers(FILE *out, const wl_explain_t *form, const wl_explain_operands_t *in);

#endif
