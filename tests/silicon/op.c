#include "tests/silicon/op.h"

#include <stdio.h>
#include <string.h>

#include "tests/common/digest.h"
#include "tests/common/splitmix.h"
#include "tests/silicon/expand.h"
#include "tests/silicon/op_rows.h"

/* ---- Alternatives. */

/* Takes the word in parentheses out of an instruction. */
static void without_remark(char *first) {
  char *remark = strchr(first, '('), *end = strchr(first, ' ');
  if (remark != NULL && end != NULL && remark < end) {
    memmove(remark, end, strlen(end) + 1);
  }
}

/* Named by the instruction, with its immediate operand if it is told apart by that. */
static void name_op(op_t *op) {
  char *bar = strchr(op->text, '|');
  char *first = bar != NULL ? bar + 1 : op->text;
  (void)snprintf(op->name, sizeof op->name, "%.*s", (int)strcspn(first, " "), first);
  if (bar != NULL) {
    *bar = ' ';
  }
  without_remark(first);
  const char *constant = strstr(op->text, ", 0x");
  constant = constant != NULL ? constant : strstr(op->text, ", 7;");
  constant = constant != NULL ? constant : strstr(op->text, ", 5,");
  if (constant != NULL) {
    size_t used = strlen(op->name);
    (void)snprintf(op->name + used, sizeof op->name - used, "(%.*s)",
                   (int)strcspn(constant + 2, ";,"), constant + 2);
  }
}

/* The next of a table, `left` alternatives further on; NULL: there are fewer. */
static const op_t *in_table(const row_t *rows, size_t count, unsigned part, size_t *left) {
  static op_t op;
  for (size_t i = 0; i < count; i++) {
    for (size_t number = 0; expand(rows[i].text, number, op.text, sizeof op.text); number++) {
      if ((*left)-- != 0) {
        continue;
      }
      name_op(&op);
      (void)snprintf(op.operands, sizeof op.operands, "%s", rows[i].operands);
      op.result = rows[i].result;
      op.rule = rows[i].rule;
      op.sweep = rows[i].sweep;
      op.part = part;
      op.block = part == 1 ? OP_BLOCK : OP_BLOCK2;
      return &op;
    }
  }
  return NULL;
}

const op_t *op_at(size_t index) {
  const op_t *op = in_table(op_rows, op_rows_count, 1, &index);
  return op != NULL ? op : in_table(op_rows2, op_rows2_count, 2, &index);
}

const op_t *op_named(const char *name) {
  const op_t *op;
  for (size_t n = 0; (op = op_at(n)) != NULL && strcmp(op->name, name) != 0; n++) {
  }
  return op;
}

/* ---- Operands. */

static const uint32_t f32_special[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00800001, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x40000000, 0x3f000000, 0x3fc00000,
    0xbfc00000, 0x4b000000, 0x4b7fffff, 0xcb800000, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0xff801234};
static const uint32_t int_special[] = {
    0,          1,          2,          0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x80000001,
    0x0000ffff, 0x00010000, 0x00ffffff, 0x01000000, 0xff800000, 0x12345678, 31,         32};
static const uint32_t shift_special[] = {0,  1,   2,   7,   8,   15,         16,
                                         23, 24,  30,  31,  32,  33,         63,
                                         64, 127, 128, 255, 256, 0x80000000, 0xffffffff};
static const uint16_t f16_special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400,
                                       0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x4000, 0x3800, 0x7bff,
                                       0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01};
static const uint16_t bf16_special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x8080,
                                        0x3f7f, 0x3f80, 0xbf80, 0x3f81, 0x4000, 0x3f00, 0x7f7f,
                                        0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static uint64_t widen(uint32_t f32) { /* bits of the f64 of the same value, NaN payloads kept */
  uint64_t sign = (uint64_t)(f32 >> 31) << 63, low = (uint64_t)(f32 & 0x7fffff) << 29;
  uint32_t exponent = f32 >> 23 & 255;
  if (exponent == 255) {
    return sign | UINT64_C(0x7ff) << 52 | low;
  }
  return sign | (exponent == 0 ? low : ((uint64_t)exponent + 896) << 52 | low);
}

/* The special values of a kind; their number. */
static size_t special(char kind, size_t i, uint64_t *out) {
  switch (kind) {
  case 'f':
    *out = f32_special[i % COUNT(f32_special)];
    return COUNT(f32_special);
  case 'd':
    *out = widen(f32_special[i % COUNT(f32_special)]);
    return COUNT(f32_special);
  case 's':
    *out = shift_special[i % COUNT(shift_special)];
    return COUNT(shift_special);
  case 'h':
    *out = f16_special[i % COUNT(f16_special)];
    return COUNT(f16_special);
  case 'g':
    *out = bf16_special[i % COUNT(bf16_special)];
    return COUNT(bf16_special);
  case 'x':
  case 'y': {
    const uint16_t *t = kind == 'x' ? f16_special : bf16_special;
    *out = (uint32_t)t[(i + 7) % COUNT(f16_special)] << 16 | t[i % COUNT(f16_special)];
    return COUNT(f16_special);
  }
  case 'F':
    *out = (uint64_t)f32_special[(i + 11) % COUNT(f32_special)] << 32 |
           f32_special[i % COUNT(f32_special)];
    return COUNT(f32_special);
  case 'X':
  case 'Y': {
    const uint16_t *t = kind == 'X' ? f16_special : bf16_special;
    *out = 0;
    for (size_t k = 0; k < 4; k++) {
      *out = *out << 16 | t[(i + 7 * k) % COUNT(f16_special)];
    }
    return COUNT(f16_special);
  }
  case 'l':
    *out = (uint64_t)int_special[i / 4 % COUNT(int_special)] << (i % 4 == 1 ? 32 : 0);
    *out = i % 4 == 2 ? (uint64_t)(int64_t)(int32_t)*out : i % 4 == 3 ? ~*out : *out;
    return 4 * COUNT(int_special);
  default:
    *out = int_special[i % COUNT(int_special)];
    return COUNT(int_special);
  }
}

static uint32_t random_f32(uint64_t *state, uint32_t other) {
  uint64_t z = wl_splitmix64(state);
  uint32_t bits = (uint32_t)(z >> 32), sign = bits & 0x80000000, fraction = bits & 0x7fffff;
  switch (z % 8) {
  case 0:
    return bits;
  case 1:
    return sign | (0x3e000000 + (bits & 0x01ffffff)); /* near 1 */
  case 2:
    return sign | fraction >> (z >> 8) % 23; /* subnormal */
  case 3:
    return sign | ((other & 0x7f800000) + (((uint32_t)z >> 8 & 3) << 23)) % 0x7f800000 | fraction;
  case 4:
    return sign | (0x3f800000 + (((uint32_t)z >> 8 & 31) << 23)) | /* few bits */
           (1u << (z >> 16) % 23) | (1u << (z >> 24) % 23);
  case 5:
    return sign | (1 + ((uint32_t)z >> 8) % 30) << 23 | fraction; /* tiny */
  case 6:
    return sign | (225 + ((uint32_t)z >> 8) % 30) << 23 | fraction; /* large */
  default:
    return sign | (110 + ((uint32_t)z >> 8) % 60) << 23 | fraction; /* moderate */
  }
}

static uint64_t random_of(char kind, uint64_t *state, uint64_t other) {
  uint64_t z = wl_splitmix64(state);
  switch (kind) {
  case 'f':
    return random_f32(state, (uint32_t)other);
  case 'd': /* spread over all exponents, or near an f32 */
    return z % 2 != 0 ? wl_splitmix64(state)
                      : widen(random_f32(state, (uint32_t)(other >> 29))) ^ (z >> 36);
  case 's':
    return z % 8 == 0 ? z >> 32 : z % 8 < 6 ? (z >> 32) % 33 : (z >> 32) % 70;
  case 'h':
  case 'g':
  case 'e':
    return z >> 48;
  case 'x':
  case 'y':
    return z >> 32;
  case 'F':
    z = (uint64_t)random_f32(state, (uint32_t)(other >> 32)) << 32;
    return z | random_f32(state, (uint32_t)other);
  case 'X':
  case 'Y':
    return wl_splitmix64(state);
  case 'l':
    return z % 4 == 0   ? wl_splitmix64(state) >> (z >> 8) % 64
           : z % 4 == 1 ? (uint64_t)((int64_t)wl_splitmix64(state) >> (z >> 8) % 64)
           : z % 4 == 2 ? UINT64_C(1) << (z >> 8) % 64
                        : wl_splitmix64(state);
  default:
    z = wl_splitmix64(state) >> 32 | z << 32;
    return z >> 32 & 3 ? (uint32_t)z : (uint32_t)((int32_t)z >> (z >> 40) % 32);
  }
}

void op_item(const op_t *op, uint32_t item, uint64_t operand[OP_OPERANDS]) {
  uint64_t state = UINT64_C(0x5157) + (uint64_t)item * UINT64_C(0x10001), unused = 0;
  size_t rest = item, arity = strlen(op->operands);
  operand[0] = operand[1] = operand[2] = 0;
  if (strchr("bi", op->operands[0]) != NULL) {
    op_boundary(op, item, operand);
    return;
  }
  if (arity == 1 && strchr("hge", op->operands[0]) != NULL) {
    operand[0] = item; /* each of them */
    return;
  }
  for (size_t k = 0; k < arity; k++) {
    size_t count = special(op->operands[k], 0, &unused);
    (void)special(op->operands[k], rest % count, &operand[k]);
    rest /= count;
  }
  bool all = rest == 0; /* a combination of special values */
  for (size_t k = 0; k < arity && !all; k++) {
    operand[k] = random_of(op->operands[k], &state, k != 0 ? operand[k - 1] : 0);
  }
  if (!all && strcmp(op->operands, "fff") == 0 && item % 4 == 0) {
    /* An addend that nearly cancels the product. */
    float x, y, z;
    uint32_t a = (uint32_t)operand[0], b = (uint32_t)operand[1], c = 0;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    z = -(x * y);
    memcpy(&c, &z, sizeof c);
    operand[2] = z != z ? operand[2] : (uint32_t)(c + (item >> 2) % 5 - 2);
  }
}

/* ---- Kernels. */

static const char registers[] =
    "  .reg .pred p;\n  .reg .b16 ha, hb, hc, hd;\n  .reg .b32 a, b, c, d, i, j, k, sh;\n"
    "  .reg .b64 xa, xb, xc, xd, in, out, at, m, s;\n";
static const char header[] = ".version 8.1\n.target sm_90\n.address_size 64\n";

/* Operand k is in its register of 32 and, if needed, 16 or 64 bits. */
static const char *result_of(const op_t *op) {
  return op->result == 'h'   ? "  cvt.u32.u16 d, hd;\n  cvt.u64.u32 xd, d;\n"
         : op->result == 'w' ? "  cvt.u64.u32 xd, d;\n"
                             : "";
}

void op_kernel(const op_t *op, char *ptx, size_t cap) {
  size_t used = (size_t)snprintf(
      ptx, cap,
      "%s.visible .entry op(.param .u64 pin, .param .u64 pout) {\n%s"
      "  ld.param.u64 in, [pin];\n  ld.param.u64 out, [pout];\n  mov.u32 i, %%ctaid.x;\n"
      "  mov.u32 j, %%ntid.x;\n  mov.u32 k, %%tid.x;\n  mad.lo.u32 i, i, j, k;\n"
      "  mad.wide.u32 at, i, 24, in;\n  mad.wide.u32 out, i, 8, out;\n",
      header, registers);
  if (strstr(op->text, "[sh]") != NULL) { /* CTAs of 64 threads */
    used += (size_t)snprintf(ptx + used, cap - used,
                             "  .shared .align 16 .b8 place[512];\n  mov.u32 j, place;\n"
                             "  mad.lo.u32 sh, k, 8, j;\n");
  }
  for (size_t k = 0; op->operands[k] != '\0'; k++) {
    bool wide = strchr("dlFXYu", op->operands[k]) != NULL,
         half = strchr("hge", op->operands[k]) != NULL;
    char name = (char)('a' + k);
    used += (size_t)snprintf(ptx + used, cap - used, "  ld.global.%s %s%c, [at+%zu];\n",
                             wide ? "u64" : "u32", wide ? "x" : "", name, 8 * k);
    if (half) {
      used += (size_t)snprintf(ptx + used, cap - used, "  cvt.u16.u32 h%c, %c;\n", name, name);
    }
  }
  (void)snprintf(ptx + used, cap - used, "  %s\n%s  st.global.u64 [out], xd;\n  ret;\n}\n",
                 op->text, result_of(op));
}

void op_sweep_kernel(const op_t *op, char *ptx, size_t cap) {
  (void)snprintf(
      ptx, cap,
      "%s.visible .entry sweep(.param .u64 pout) {\n%s"
      "  ld.param.u64 out, [pout];\n  mov.u32 i, %%ctaid.x;\n  mov.u32 j, %%ntid.x;\n"
      "  mov.u32 k, %%tid.x;\n  mad.lo.u32 i, i, j, k;\n  shr.u32 j, i, 16;\n"
      "  mad.wide.u32 out, j, 8, out;\n  shl.b32 i, i, 8;\n  mov.u32 k, 0;\n  mov.u64 s, 0;\n"
      "next:\n  or.b32 a, i, k;\n  %s\n%s"
      "  cvt.u64.u32 m, a;\n  shl.b64 m, m, 32;\n"
      "  or.b64 m, m, xd;\n"
      "  shr.u64 at, m, 30;\n  xor.b64 m, m, at;\n  mul.lo.u64 m, m, 0xbf58476d1ce4e5b9;\n"
      "  shr.u64 at, m, 27;\n  xor.b64 m, m, at;\n  mul.lo.u64 m, m, 0x94d049bb133111eb;\n"
      "  shr.u64 at, m, 31;\n  xor.b64 m, m, at;\n  add.u64 s, s, m;\n"
      "  add.u32 k, k, 1;\n  setp.lt.u32 p, k, 256;\n  @p bra next;\n"
      "  red.global.add.u64 [out], s;\n  ret;\n}\n",
      header, registers, op->text, result_of(op));
}

uint32_t op_hash(const uint64_t *result, size_t count) {
  uint64_t digest = WL_DIGEST_START;
  for (size_t i = 0; i < 8 * count; i++) {
    digest = wl_digest(digest, result[i / 8] >> 8 * (i % 8) & 255);
  }
  return (uint32_t)(digest ^ digest >> 32);
}
