/* op_rows: the tables of the operations (op.h), before their alternatives are made. */
#ifndef WL_TESTS_SILICON_OP_ROWS_H
#define WL_TESTS_SILICON_OP_ROWS_H
#include "tests/silicon/op.h"

/* Kinds of operands: f f32, d f64, h f16, g bf16, x f16x2, y bf16x2, o the same with more NaN, w and l integers of 32 and 64
 * bits, s a shift or position of 32 bits, e any 16 bits (packed 8-bit floats), F X Y: 64 bits with
 * two f32, four f16, four bf16; "b..." and "i...": operands whose result is near the smallest
 * normal number (op_boundary.c). {x,y}: one text for each; <x, y> stands for a list in braces. A bar stands before the instruction that
 * names the operation, if it is not the first one. A word in parentheses after a name is no part of
 * the instruction: it tells two rows apart. */
typedef struct row {
  const char *operands;
  char result;
  op_rule_t rule;
  bool sweep;
  const char *text;
} row_t;

#define R    "{.rn,.rz,.rm,.rp}"
#define RI   "{.rni,.rzi,.rmi,.rpi}"
#define F    "{,.ftz}"
#define PRED " selp.u32 d, 1, 0, p;"
#define CMP  "{.eq,.ne,.lt,.le,.gt,.ge,.equ,.neu,.ltu,.leu,.gtu,.geu,.num,.nan}"

/* Recorded in scalar.txt, scalar2.txt, scalar3.txt. */
extern const row_t op_rows[], op_rows2[], op_rows3[];
extern const size_t op_rows_count, op_rows2_count, op_rows3_count;
#endif
