/* samples: what of the approximations (9.7.3: rcp, sqrt, rsqrt, sin, cos, ex2, lg2, tanh of f32) is
 * recorded itself, result by result, for whoever builds a unit for them. */
#ifndef WL_TESTS_SILICON_SAMPLES_H
#define WL_TESTS_SILICON_SAMPLES_H
#include <stdint.h>
#include <string.h>

#include "tests/silicon/op.h"

enum { CURVE_POINTS = 16384 };

/* A function between two values, at CURVE_POINTS equal steps from the first. Recorded is by how
 * many units in the last place the result lies off the right one, rounded to nearest ('a': 0; 'b',
 * 'c', ...: above; 'Z', 'Y', ...: below; '?': further): enough to find a unit's tables. */
typedef struct curve {
  const char *name;
  float from, to;
  double (*right)(double x);
} curve_t;
const curve_t *curve_at(unsigned index); /* NULL behind the last */
float curve_point(const curve_t *curve, unsigned i);

enum { OP_SAMPLES = 1024 };

static inline bool op_is_approximate(const op_t *op) {
  return strcmp(op->operands, "f") == 0 && strstr(op->name, ".approx") != NULL;
}
/* One of each sign and exponent with a fraction of its own, and another one. */
static inline uint32_t op_sample(uint32_t i) {
  return i << 22 | ((i * UINT32_C(0x9e3779b1)) & 0x3fffff);
}
#endif
