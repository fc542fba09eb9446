/* arith_cases.h: PTX operations with host functions that say what they must give. Operands are the
 * low bits of 64-bit values; results are compared on `bits` bits, floats with any NaN equal. */
#ifndef WL_TESTS_UNIT_LOWER_ARITH_CASES_H
#define WL_TESTS_UNIT_LOWER_ARITH_CASES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum arith_data { DATA_INT, DATA_FLOAT, DATA_SHIFT } arith_data_t;

typedef struct arith_case {
  const char *name, *body; /* body: %ra %rb %rc -> %rd (32), %da .. (64), %ha .. (16) */
  unsigned bits;
  arith_data_t data;
  bool many; /* 2^20 operands instead of 2^15 */
  uint64_t (*host)(uint64_t a, uint64_t b, uint64_t c);
} arith_case_t;

extern const arith_case_t arith_int_cases[];
extern const size_t arith_int_count;
extern const arith_case_t arith_carry_cases[];
extern const size_t arith_carry_count;
extern const arith_case_t arith_float_cases[];
extern const size_t arith_float_count;

#endif
