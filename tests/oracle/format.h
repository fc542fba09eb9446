/* format.h: the oracle's own conversions between floating-point and fixed-point formats, and between f16 or
 * bf16 and integers [PTX 5.2.3, 5.2.4, 9.7.9.21]. */
#ifndef WL_TESTS_ORACLE_FORMAT_H
#define WL_TESTS_ORACLE_FORMAT_H
#include "isa/ptx/ast.h"
#include "tests/oracle/f32.h"

typedef struct wl_or_convert {
  wl_ptx_type_t to, from; /* as the instruction says them: one element, two or four */
  wl_or_round_t round;
  bool flush, sat, satfinite, relu; /* .ftz .sat .satfinite .relu */
  bool integral;                    /* to an integral value of the same format */
  bool stochastic;                  /* .rs: the last operand holds random bits */
  bool scaled;                      /* .scaled::n2::ue8m0: the last operand holds two scales */
} wl_or_convert_t;

/* Whether there is a conversion of these types here. */
bool wl_or_convert_known(wl_ptx_type_t to, wl_ptx_type_t from);
/* Elements of the destination that are operands of their own. */
unsigned wl_or_convert_operands(const wl_or_convert_t *c);
/* The result word; s[0] is the operand of the uppermost element; random bits or scales come last. */
uint64_t wl_or_convert(const wl_or_convert_t *c, const uint64_t *s);

#endif
