/* convert: what cvt of floats gives on silicon, as a rule of exact integers (README.md). */
#ifndef WL_TESTS_SILICON_CONVERT_H
#define WL_TESTS_SILICON_CONVERT_H
#include <stdbool.h>
#include <stdint.h>

/* A type: a float has bits of an exponent and of a fraction, and `low` bits nobody looks at. */
typedef struct convert_type {
  const char *name;
  unsigned bits, exponent, fraction, low, count; /* count: elements in a register */
  bool is_signed;
} convert_type_t;

typedef struct convert {
  const convert_type_t *to, *from;
  char rounding; /* n nearest even, a nearest away, z, m, p; 0: exact */
  bool integral; /* rounded to an integer */
  bool flush, sat, satfinite, relu;
  bool both; /* the one operand is both */
  bool pack; /* cvt.pack */
} convert_t;

/* The operation with this name; false: it is none that has a rule. */
bool convert_named(const char *name, convert_t *out);
uint64_t convert_rule(const convert_t *c, const uint64_t operand[3]);
#endif
