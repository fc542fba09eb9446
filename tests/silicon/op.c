#include "tests/silicon/op.h"

#include <stdio.h>
#include <string.h>

#include "tests/common/digest.h"
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
      op.block = part == 1 || op_is_boundary(op.operands) ? OP_BLOCK : OP_BLOCK2;
      return &op;
    }
  }
  return NULL;
}

const op_t *op_at(size_t index) {
  const op_t *op = in_table(op_rows, op_rows_count, 1, &index);
  op = op != NULL ? op : in_table(op_rows2, op_rows2_count, 2, &index);
  return op != NULL ? op : in_table(op_rows3, op_rows3_count, 3, &index);
}

const op_t *op_named(const char *name) {
  const op_t *op;
  for (size_t n = 0; (op = op_at(n)) != NULL && strcmp(op->name, name) != 0; n++) {
  }
  return op;
}

/* ---- Kernels. */

static const char registers[] =
    "  .reg .pred p, q;\n  .reg .b16 ha, hb, hc, hd;\n  .reg .b32 a, b, c, d, i, j, k, sh;\n"
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
    bool wide = strchr("dlFXY", op->operands[k]) != NULL || strcmp(op->operands, "bu") == 0,
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
