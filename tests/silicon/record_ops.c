/* Scalar operations (op.h), the approximations (samples.h) and sweeps of all operands. */
#include <inttypes.h>
#include <string.h>

#include "tests/silicon/cuda.h"
#include "tests/silicon/op.h"
#include "tests/silicon/record.h"
#include "tests/silicon/samples.h"

static uint64_t operands[OP_ITEMS][OP_OPERANDS], results[OP_ITEMS];

bool record_op(job_t *j, const op_t *op, const uint64_t (*operand)[OP_OPERANDS], uint64_t *result) {
  const cuda_grid_t grid = {.ctas = {OP_ITEMS / 64, 1, 1}, .threads = {64, 1, 1}};
  const cuda_arg_t args[] = {
      {.buffer = true, .data = operand, .bytes = sizeof *operand * OP_ITEMS},
      {.buffer = true, .result = result, .bytes = sizeof *result * OP_ITEMS}};
  op_kernel(op, j->ptx, sizeof j->ptx);
  bool ok = cuda_run(j->ptx, "op", &grid, args, 2);
  if (!ok) {
    record_failed(j, op->name);
  }
  return ok;
}

/* `results` of `operands`. */
static bool run(job_t *j, const op_t *op) {
  return record_op(j, op, (const uint64_t (*)[OP_OPERANDS])operands, results);
}

static bool run_items(job_t *j, const op_t *op) {
  for (uint32_t i = 0; i < OP_ITEMS; i++) {
    op_item(op, i, operands[i]);
  }
  return run(j, op);
}

static void write_word(job_t *j, uint32_t value, unsigned i) {
  (void)fprintf(j->out, "%08" PRIx32 "%c", value, i % 16 == 15 ? '\n' : ' ');
}

static void record_part(job_t *j, unsigned part) {
  const op_t *op;
  for (size_t n = 0; (op = op_at(n)) != NULL; n++) {
    if (op->part != part || !run_items(j, op)) {
      continue;
    }
    (void)fprintf(j->out, "op %s\n", op->name);
    for (unsigned i = 0; i < OP_ITEMS / op->block; i++) {
      write_word(j, op_hash(results + (size_t)i * op->block, op->block), i);
    }
    if (op_is_boundary(op->operands)) {
      (void)fprintf(j->out, "first\n");
      for (unsigned i = 0; i < OP_FIRST; i++) {
        write_word(j, (uint32_t)results[i], i);
      }
    }
  }
}

void record_scalar(job_t *j) { record_part(j, 1); }
void record_scalar2(job_t *j) { record_part(j, 2); }
void record_scalar3(job_t *j) { record_part(j, 3); }

void record_samples(job_t *j) {
  const op_t *op;
  for (uint32_t i = 0; i < OP_ITEMS; i++) {
    operands[i][0] = op_sample(i % OP_SAMPLES);
  }
  for (size_t n = 0; (op = op_at(n)) != NULL; n++) {
    if (op_is_approximate(op) && run(j, op)) {
      (void)fprintf(j->out, "samples %s\n", op->name);
      for (unsigned i = 0; i < OP_SAMPLES; i++) {
        write_word(j, (uint32_t)results[i], i);
      }
    }
  }
}

char record_off(float right, uint32_t bits) {
  uint32_t want;
  memcpy(&want, &right, sizeof want);
  int64_t by = (int64_t)(bits & 0x7fffffff) - (int64_t)(want & 0x7fffffff);
  return (bits ^ want) >> 31 != 0 || by > 25 || by < -26
             ? '?'
             : (char)(by >= 0 ? 'a' + by : 'Z' + 1 + by);
}

void record_curves(job_t *j) {
  const curve_t *curve;
  for (unsigned n = 0; (curve = curve_at(n)) != NULL; n++) {
    const op_t *op = op_named(curve->name);
    for (unsigned i = 0; i < OP_ITEMS; i++) {
      float x = curve_point(curve, i % CURVE_POINTS);
      uint32_t bits;
      memcpy(&bits, &x, sizeof bits);
      operands[i][0] = bits;
    }
    if (run(j, op)) {
      (void)fprintf(j->out, "curve %s from %g to %g\n", curve->name, (double)curve->from,
                    (double)curve->to);
      for (unsigned i = 0; i < CURVE_POINTS; i++) {
        char c =
            record_off((float)curve->right((double)curve_point(curve, i)), (uint32_t)results[i]);
        (void)fprintf(j->out, i % 128 == 127 ? "%c\n" : "%c", c);
      }
    }
  }
}

void record_raw(job_t *j, const char *name) {
  const op_t *op = op_named(name);
  if (op == NULL) {
    (void)fprintf(stderr, "record: no operation %s\n", name);
    j->failed++;
  } else if (run_items(j, op)) {
    record_bytes(j, name, results, sizeof results);
  }
}

static void sweep(job_t *j, bool third) {
  static const uint64_t zero[256];
  static uint64_t sum[256];
  const cuda_grid_t grid = {.ctas = {65536, 1, 1}, .threads = {256, 1, 1}};
  const cuda_arg_t out = {.buffer = true, .data = zero, .result = sum, .bytes = sizeof sum};
  const op_t *op;
  for (size_t n = 0; (op = op_at(n)) != NULL; n++) {
    if (!op->sweep || (op->part == 3) != third) {
      continue;
    }
    op_sweep_kernel(op, j->ptx, sizeof j->ptx);
    if (!cuda_run(j->ptx, "sweep", &grid, &out, 1)) {
      record_failed(j, op->name);
      continue;
    }
    (void)fprintf(j->out, "sweep %s\n", op->name);
    for (unsigned i = 0; i < 256; i++) {
      write_word(j, (uint32_t)sum[i], i);
    }
  }
}

void record_sweep(job_t *j) { sweep(j, false); }
void record_sweep2(job_t *j) { sweep(j, true); }
