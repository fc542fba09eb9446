/* The approximations whole: of f16 and bf16 (all 65,536 operands), and of f32 in runs of
 * neighbours. */
#include <string.h>

#include "tests/silicon/halves.h"
#include "tests/silicon/op.h"
#include "tests/silicon/record.h"
#include "tests/silicon/samples.h"

static uint64_t operands[OP_ITEMS][OP_OPERANDS], results[OP_ITEMS];

void record_halves(job_t *j) {
  static char text[HALVES_TEXT];
  const halves_t *h;
  for (unsigned n = 0; (h = halves_at(n)) != NULL; n++) {
    for (uint32_t i = 0; i < OP_ITEMS; i++) {
      operands[i][0] = i;
    }
    op_t op = *op_named(h->name);
    if (record_op(j, &op, (const uint64_t (*)[OP_OPERANDS])operands, results)) {
      halves_text(h, results, text);
      (void)fprintf(j->out, "table %s\n%s", h->name, text);
    }
  }
}

/* ---- f32. */

enum { RUNS = 8, RUN = 512 };

/* DIR/dense-NAME.bin: of all f32 of a function's interval (at most from 0.5 to 2, or to 4 from 1), how far the result is off (int8_t). */
static void dense_binary(job_t *j, const op_t *op, const curve_t *curve) {
  char path[4096];
  uint32_t from, to;
  bool wide = curve->from < 0.5F;
  float first = wide ? 0.5F : curve->from, last = wide && curve->to > 2 ? 2 : curve->to;
  memcpy(&from, &first, sizeof from);
  memcpy(&to, &last, sizeof to);
  (void)snprintf(path, sizeof path, "%s/dense-%s.bin", j->dir, op->name);
  FILE *f = fopen(path, "wb");
  bool ok = f != NULL;
  for (uint32_t at = from; at < to && ok; at += OP_ITEMS) {
    for (uint32_t i = 0; i < OP_ITEMS; i++) {
      operands[i][0] = at + i;
    }
    ok = record_op(j, op, (const uint64_t (*)[OP_OPERANDS])operands, results);
    for (uint32_t i = 0; i < OP_ITEMS && ok; i++) {
      float x, right;
      uint32_t bits = at + i, want;
      memcpy(&x, &bits, sizeof x);
      right = (float)curve->right((double)x);
      memcpy(&want, &right, sizeof want);
      ok = putc((int)((uint32_t)results[i] - want) & 255, f) != EOF;
    }
  }
  if (f == NULL || fclose(f) != 0 || !ok) {
    record_failed(j, path);
  }
}

void record_dense(job_t *j) {
  const curve_t *curve;
  for (unsigned n = 0; (curve = curve_at(n)) != NULL; n++) {
    op_t op = *op_named(curve->name);
    for (uint32_t i = 0; i < OP_ITEMS; i++) {
      /* Runs of neighbours, from RUNS places of the interval on. */
      float x = curve_point(curve, (2 * (i / RUN % RUNS) + 1) * CURVE_POINTS / (2 * RUNS));
      uint32_t bits;
      memcpy(&bits, &x, sizeof bits);
      operands[i][0] = bits + i % RUN;
    }
    if (!record_op(j, &op, (const uint64_t (*)[OP_OPERANDS])operands, results)) {
      continue;
    }
    (void)fprintf(j->out, "dense %s\n", op.name);
    for (uint32_t i = 0; i < RUNS * RUN; i++) {
      float x;
      uint32_t bits = (uint32_t)operands[i][0];
      memcpy(&x, &bits, sizeof x);
      if (i % RUN == 0) {
        (void)fprintf(j->out, "from %08x\n", bits);
      }
      char c = record_off((float)curve->right((double)x), (uint32_t)results[i]);
      (void)fprintf(j->out, i % 128 == 127 ? "%c\n" : "%c", c);
    }
    dense_binary(j, &op, curve);
  }
}
