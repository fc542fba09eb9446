/* product.h: random kernels whose warps use tensor memory (tcgen05), and what they must leave: the generator
 * carries each instruction out on an image of its own, in the order in which it writes it.
 *
 * A program is a row of operations in one order; each belongs to a warp, and products, copies and shifts to
 * one thread of it. Between two operations that touch the same words the generator writes the waits, commits,
 * fences and barriers that PTX asks for (9.7.16.6), and none where PTX promises an order; so the row's result
 * is the program's. What is shown is a word of each lane for each event: a hash of what a load brought, or of
 * other work. */
#ifndef WL_TESTS_PRODUCTS_PRODUCT_H
#define WL_TESTS_PRODUCTS_PRODUCT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PR_CTAS = 2, PR_EVENTS = 192, PR_LANES = 32, PR_TEXT = 1 << 20 };

typedef struct pr_program {
  char text
      [PR_TEXT]; /* with its launch in comments (tests/random/program.h); one buffer, of `want` */
  size_t size;
  unsigned ctas, events;
  uint32_t want[PR_CTAS][PR_EVENTS][PR_LANES];
} pr_program_t;

/* Program `index` of a seed. wide: for 256 columns and block scales (base, full), not for 64. */
void pr_make(uint64_t seed, uint64_t index, bool wide, pr_program_t *out);

#endif
