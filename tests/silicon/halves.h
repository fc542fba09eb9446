/* halves: numbers of 16 bits as the tests' own host arithmetic sees them (f16: 10 bits of fraction,
 * bf16: 7), and the tables of approximations over all of them (halves.txt). */
#ifndef WL_TESTS_SILICON_HALVES_H
#define WL_TESTS_SILICON_HALVES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HALVES = 65536, HALVES_TEXT = 400000 };

double half_value(uint32_t bits, unsigned fraction);
/* Rounded to nearest even, or cut; NaN: 7fff. */
uint32_t half_bits(double value, unsigned fraction);
uint32_t half_cut(double value, unsigned fraction);
/* The sum, made odd where it is not exact, so that rounding it again rounds the sum. */
double half_sum(double x, double y);
uint32_t half_add(uint32_t a, uint32_t b, unsigned fraction);
uint32_t half_fma(uint32_t a, uint32_t b, uint32_t c, unsigned fraction);

typedef struct halves {
  const char *name; /* the operation */
  double (*right)(double);
  unsigned fraction;
  bool flush; /* subnormal operands are zeros */
  bool cut;   /* the rule: f32's result, cut */
} halves_t;
const halves_t *halves_at(unsigned index); /* NULL behind the last */
/* What the rule gives for an operand. */
uint32_t halves_rule(const halves_t *h, uint32_t operand);
/* Results of all operands as differences from the right ones, by runs: 'a' is none, 'b' one unit in
 * the last place more in magnitude, 'Z' one less, '?' more than 25; a number is the run's length. */
void halves_text(const halves_t *h, const uint64_t *result, char text[HALVES_TEXT]);
#endif
