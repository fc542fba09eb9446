/* arith: what arithmetic and comparisons of f16, bf16 and f64, and packed integers, give on
 * silicon, as a rule (README.md). */
#ifndef WL_TESTS_SILICON_ARITH_H
#define WL_TESTS_SILICON_ARITH_H
#include <stdbool.h>
#include <stdint.h>

typedef struct arith {
  char op[16];       /* the first word of the name */
  char compare[8];   /* of set and setp */
  unsigned bits;     /* of an element: 16, 32, 64 */
  unsigned count;    /* elements in a register */
  unsigned fraction; /* of f16 and bf16; 0: integers */
  bool is_signed;    /* integers */
  bool flush, sat, relu, oob, nan, xorsign;
  bool word;    /* set gives u32 */
  int rounding; /* of f64, as in <fenv.h> */
} arith_t;

bool arith_named(const char *name, arith_t *out); /* false: no rule */
uint64_t arith_rule(const arith_t *a, const uint64_t operand[3]);
uint64_t arith_double(const arith_t *a, const uint64_t operand[3]); /* f64 (arith_double.c) */
bool arith_compare(const char *how, double x, double y);
#endif
