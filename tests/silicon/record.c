/* record: runs the operations of op.c and tensor.c and the kernel corpus on an NVIDIA GPU and
 * writes what came out (README.md). Usage: record DATE DIR [scalar] [samples] [curves] [sweep]
 * [tensor] [kernels] DATE stands in the files; DIR gets NAME.txt of each part asked for (default:
 * all), and tensor.bin with all results of `tensor`. Or record DATE DIR raw OP...: DIR/OP.bin gets
 * the results of these operations, 64 bits each. Run in the root of the source tree. Exit code 1:
 * something could not be recorded, told on stderr. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "tests/kernels/common/kernel_case.h"
#include "tests/silicon/cuda.h"
#include "tests/silicon/op.h"
#include "tests/silicon/samples.h"
#include "tests/silicon/tensor.h"

typedef struct job {
  const char *date, *dir;
  FILE *out;
  unsigned failed;
} job_t;

static char ptx[32768];

static void failed(job_t *j, const char *what) {
  (void)fprintf(stderr, "record: %s: %s\n", what, cuda_error());
  j->failed++;
}

/* ---- Operations. */

static bool run_op(const op_t *op, const uint64_t *in, uint64_t *result, uint64_t device_in,
                   uint64_t device_out) {
  cuda_function_t f;
  void *args[] = {&device_in, &device_out};
  op_kernel(op, ptx, sizeof ptx);
  bool ok = cuda_load(ptx, "op", &f) &&
            cuda_write(device_in, in, sizeof *in * OP_ITEMS * OP_OPERANDS) &&
            cuda_launch(&f, (const uint32_t[]){OP_ITEMS / 64, 1, 1}, (const uint32_t[]){64, 1, 1},
                        0, args) &&
            cuda_read(result, device_out, sizeof *result * OP_ITEMS);
  cuda_unload(&f);
  return ok;
}

/* A row of hashes for each block; or, of samples, the operands and results themselves. */
static void write_op(job_t *j, const op_t *op, const uint64_t *result, bool samples) {
  unsigned count = samples ? OP_SAMPLES : OP_BLOCKS;
  (void)fprintf(j->out, "%s %s\n", samples ? "samples" : "op", op->name);
  for (unsigned i = 0; i < count; i++) {
    uint32_t value = samples ? (uint32_t)result[i] : op_hash(result + i * OP_BLOCK, OP_BLOCK);
    (void)fprintf(j->out, "%08" PRIx32 "%c", value, i % 16 == 15 || i + 1 == count ? '\n' : ' ');
  }
}

static void ops(job_t *j, bool samples) {
  uint64_t *in = malloc(sizeof *in * OP_ITEMS * OP_OPERANDS),
           *result = malloc(sizeof *result * OP_ITEMS);
  uint64_t device_in = 0, device_out = 0;
  if (in == NULL || result == NULL ||
      !cuda_alloc(sizeof *in * OP_ITEMS * OP_OPERANDS, &device_in) ||
      !cuda_alloc(sizeof *result * OP_ITEMS, &device_out)) {
    failed(j, "memory");
    return;
  }
  const op_t *op;
  for (size_t n = 0; (op = op_at(n)) != NULL; n++) {
    if (samples && !op_is_approximate(op)) {
      continue;
    }
    for (uint32_t i = 0; i < OP_ITEMS; i++) {
      op_item(op, i, in + (size_t)i * OP_OPERANDS);
      if (samples) {
        in[(size_t)i * OP_OPERANDS] = op_sample(i % OP_SAMPLES);
      }
    }
    if (run_op(op, in, result, device_in, device_out)) {
      write_op(j, op, result, samples);
    } else {
      failed(j, op->name);
    }
  }
  cuda_free(device_in);
  cuda_free(device_out);
  free(in);
  free(result);
}

/* Results of one operation as they are. */
static void raw(job_t *j, const char *name) {
  uint64_t *in = malloc(sizeof *in * OP_ITEMS * OP_OPERANDS),
           *result = malloc(sizeof *result * OP_ITEMS);
  uint64_t device_in = 0, device_out = 0;
  char path[4096];
  const op_t *op;
  size_t n = 0;
  while ((op = op_at(n++)) != NULL && strcmp(op->name, name) != 0) {
  }
  (void)snprintf(path, sizeof path, "%s/%s.bin", j->dir, name);
  if (op == NULL || in == NULL || result == NULL ||
      !cuda_alloc(sizeof *in * OP_ITEMS * OP_OPERANDS, &device_in) ||
      !cuda_alloc(sizeof *result * OP_ITEMS, &device_out)) {
    failed(j, name);
    return;
  }
  for (uint32_t i = 0; i < OP_ITEMS; i++) {
    op_item(op, i, in + (size_t)i * OP_OPERANDS);
  }
  j->out = fopen(path, "wb");
  if (!run_op(op, in, result, device_in, device_out) || j->out == NULL ||
      fwrite(result, sizeof *result, OP_ITEMS, j->out) != OP_ITEMS || fclose(j->out) != 0) {
    failed(j, path);
  }
  cuda_free(device_in);
  cuda_free(device_out);
  free(in);
  free(result);
}

/* ---- Curves (samples.h). */

static double reciprocal(double x) {
  return 1 / x;
}
static double reciprocal_root(double x) {
  return 1 / sqrt(x);
}

const curve_t *curve_at(unsigned index) {
  static const curve_t curves[] = {
      {"rcp.approx.f32", 1, 2, reciprocal}, {"rsqrt.approx.f32", 1, 4, reciprocal_root},
      {"sqrt.approx.f32", 1, 4, sqrt},      {"ex2.approx.f32", -1, 1, exp2},
      {"lg2.approx.f32", 0.5F, 2, log2},    {"sin.approx.f32", 0, 8, sin},
      {"cos.approx.f32", 0, 8, cos},        {"tanh.approx.f32", 0, 4, tanh}};
  return index < sizeof curves / sizeof curves[0] ? &curves[index] : NULL;
}

float curve_point(const curve_t *curve, unsigned i) {
  return curve->from + (curve->to - curve->from) * (float)i / CURVE_POINTS;
}

static char off(float right, uint32_t bits) {
  uint32_t want;
  memcpy(&want, &right, sizeof want);
  int64_t by = (int64_t)(bits & 0x7fffffff) - (int64_t)(want & 0x7fffffff);
  return (bits ^ want) >> 31 != 0 || by > 25 || by < -26
             ? '?'
             : (char)(by >= 0 ? 'a' + by : 'Z' + 1 + by);
}

static void curves(job_t *j) {
  uint64_t *in = calloc(OP_ITEMS * OP_OPERANDS, sizeof *in),
           *result = malloc(sizeof *result * OP_ITEMS);
  uint64_t device_in = 0, device_out = 0;
  const curve_t *curve;
  if (in == NULL || result == NULL ||
      !cuda_alloc(sizeof *in * OP_ITEMS * OP_OPERANDS, &device_in) ||
      !cuda_alloc(sizeof *result * OP_ITEMS, &device_out)) {
    failed(j, "memory");
    return;
  }
  for (unsigned n = 0; (curve = curve_at(n)) != NULL; n++) {
    const op_t *op;
    size_t at = 0;
    while ((op = op_at(at++)) != NULL && strcmp(op->name, curve->name) != 0) {
    }
    for (unsigned i = 0; i < OP_ITEMS; i++) {
      float x = curve_point(curve, i % CURVE_POINTS);
      uint32_t bits;
      memcpy(&bits, &x, sizeof bits);
      in[(size_t)i * OP_OPERANDS] = bits;
    }
    if (op == NULL || !run_op(op, in, result, device_in, device_out)) {
      failed(j, curve->name);
      continue;
    }
    (void)fprintf(j->out, "curve %s from %g to %g\n", curve->name, (double)curve->from,
                  (double)curve->to);
    for (unsigned i = 0; i < CURVE_POINTS; i++) {
      char c = off((float)curve->right((double)curve_point(curve, i)), (uint32_t)result[i]);
      (void)fprintf(j->out, i % 128 == 127 ? "%c\n" : "%c", c);
    }
  }
  cuda_free(device_in);
  cuda_free(device_out);
  free(in);
  free(result);
}

static void scalar(job_t *j) {
  ops(j, false);
}
static void samples(job_t *j) {
  ops(j, true);
}

static void sweep(job_t *j) {
  static uint64_t sum[256];
  uint64_t out = 0;
  void *args[] = {&out};
  const op_t *op;
  if (!cuda_alloc(sizeof sum, &out)) {
    failed(j, "memory");
    return;
  }
  for (size_t n = 0; (op = op_at(n)) != NULL; n++) {
    cuda_function_t f = {NULL, NULL};
    if (!op->sweep) {
      continue;
    }
    op_sweep_kernel(op, ptx, sizeof ptx);
    if (!cuda_load(ptx, "sweep", &f) || !cuda_zero(out, sizeof sum) ||
        !cuda_launch(&f, (const uint32_t[]){65536, 1, 1}, (const uint32_t[]){256, 1, 1}, 0, args) ||
        !cuda_read(sum, out, sizeof sum)) {
      failed(j, op->name);
    } else {
      (void)fprintf(j->out, "sweep %s\n", op->name);
      for (unsigned i = 0; i < 256; i++) {
        (void)fprintf(j->out, "%08" PRIx32 "%c", (uint32_t)sum[i], i % 16 == 15 ? '\n' : ' ');
      }
    }
    cuda_unload(&f);
  }
  cuda_free(out);
}

/* ---- Matrices. */

static void write_tensor(job_t *j, const tensor_t *t, unsigned mode, const uint64_t *d,
                         size_t size) {
  int digits = (int)tensor_bits(t->c) / 4;
  (void)fprintf(j->out, "mode %s", tensor_mode_name(mode));
  for (unsigned i = 0; i < TENSOR_ITEMS; i += TENSOR_BLOCK) {
    (void)fprintf(j->out, " %08" PRIx32, op_hash(d + i * size, TENSOR_BLOCK * size));
  }
  for (unsigned i = 0; i < TENSOR_SHOWN; i++) {
    for (unsigned k = 0; k < TENSOR_SHOWN_COLUMNS; k++) {
      (void)fprintf(j->out, "%c%0*" PRIx64, k == 0 && i % 4 == 0 ? '\n' : ' ', digits,
                    d[i * size + k]);
    }
  }
  (void)fprintf(j->out, "\n");
}

static bool run_tensor(job_t *j, const tensor_t *t, FILE *all) {
  size_t words = (size_t)tensor_threads(t) * tensor_words(t), size = (size_t)t->m * t->n;
  size_t result_words = (size_t)tensor_threads(t) * tensor_result_words(t);
  uint32_t *in = calloc(TENSOR_ITEMS * words, 4), *out = calloc(TENSOR_ITEMS * result_words, 4);
  uint64_t *d = calloc(TENSOR_ITEMS * size, sizeof *d), device_in = 0, device_out = 0;
  tensor_item_t *item = malloc(sizeof *item);
  cuda_function_t f = {NULL, NULL};
  void *args[] = {&device_in, &device_out};
  tensor_kernel(t, ptx, sizeof ptx);
  bool ok = in != NULL && out != NULL && d != NULL && item != NULL &&
            cuda_load(ptx, "tensor", &f) && cuda_alloc(4 * TENSOR_ITEMS * words, &device_in) &&
            cuda_alloc(4 * TENSOR_ITEMS * result_words, &device_out);
  (void)fprintf(j->out, "tensor %s\n", t->name);
  for (unsigned mode = 0; mode < TENSOR_MODES && ok; mode++) {
    for (unsigned i = 0; i < TENSOR_ITEMS; i++) {
      tensor_fill(t, mode, i, item);
      tensor_pack(t, item, in + i * words);
    }
    ok = cuda_write(device_in, in, 4 * TENSOR_ITEMS * words) &&
         cuda_launch(&f, (const uint32_t[]){TENSOR_ITEMS, 1, 1},
                     (const uint32_t[]){tensor_threads(t), 1, 1}, 0, args) &&
         cuda_read(out, device_out, 4 * TENSOR_ITEMS * result_words);
    for (unsigned i = 0; i < TENSOR_ITEMS && ok; i++) {
      tensor_unpack(t, out + i * result_words, d + i * size);
    }
    if (ok) {
      write_tensor(j, t, mode, d, size);
      ok = fwrite(out, 4, TENSOR_ITEMS * result_words, all) == TENSOR_ITEMS * result_words;
    }
  }
  cuda_unload(&f);
  free(in);
  free(out);
  free(d);
  free(item);
  return ok;
}

static void tensor(job_t *j) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/tensor.bin", j->dir);
  FILE *all = fopen(path, "wb");
  for (size_t n = 0; all != NULL && tensor_at(n) != NULL; n++) {
    if (!run_tensor(j, tensor_at(n), all)) {
      failed(j, tensor_at(n)->name);
    }
  }
  if (all == NULL || fclose(all) != 0) {
    failed(j, path);
  }
}

/* ---- The kernel corpus. */

static bool run_case(const wl_kernel_case_t *kcase, const char *text,
                     const wl_kernel_launch_t *launch, char *message, size_t cap,
                     uint64_t *digest) {
  uint64_t address[WL_KERNEL_MAX_ARGS] = {0};
  void *args[WL_KERNEL_MAX_ARGS] = {NULL};
  unsigned char *result[WL_KERNEL_MAX_ARGS] = {NULL};
  cuda_function_t f = {NULL, NULL};
  bool ok = cuda_load(text, kcase->entry, &f);
  for (size_t i = 0; i < launch->arg_count && ok; i++) {
    const wl_kernel_arg_t *arg = &launch->arg[i];
    args[i] = arg->data;
    if (arg->kind == WL_ARG_BUFFER) {
      args[i] = &address[i];
      result[i] = malloc(arg->size);
      ok = result[i] != NULL && cuda_alloc(arg->size, &address[i]) &&
           cuda_write(address[i], arg->data, arg->size);
    }
  }
  ok = ok && cuda_launch(&f, kcase->grid, kcase->block, kcase->dynamic_shared, args);
  for (size_t i = 0; i < launch->arg_count && ok; i++) {
    ok = result[i] == NULL || cuda_read(result[i], address[i], launch->arg[i].size);
  }
  if (!ok) {
    (void)snprintf(message, cap, "%s", cuda_error());
  }
  ok = ok && wl_kernel_verify(kcase, launch, (const unsigned char *const *)result, message, cap);
  *digest = ok ? wl_kernel_digest(launch, (const unsigned char *const *)result) : 0;
  for (size_t i = 0; i < launch->arg_count; i++) {
    if (address[i] != 0) {
      cuda_free(address[i]);
    }
    free(result[i]);
  }
  cuda_unload(&f);
  return ok;
}

static void one_kernel(job_t *j, const wl_kernel_t *kernel, const wl_kernel_case_t *kcase,
                       const char *variant) {
  char path[4096], message[2048] = "";
  wl_kernel_launch_t launch;
  uint64_t digest = 0;
  size_t size = 0;
  (void)snprintf(path, sizeof path, "tests/kernels/%s/%s.%s.ptx", kernel->name, kernel->name,
                 variant);
  char *text = wl_read_file(path, &size);
  bool ok = text != NULL && wl_kernel_prepare(kcase, &launch);
  if (!ok) {
    (void)fprintf(stderr, "record: %s: cannot be read\n", path);
    j->failed++;
    free(text);
    return;
  }
  ok = run_case(kcase, text, &launch, message, sizeof message, &digest);
  if (!ok) {
    (void)fprintf(j->out, "# differs: %s %s %s: %s\n", kernel->name, kcase->name, variant, message);
    (void)fprintf(stderr, "record: %s %s %s: %s\n", kernel->name, kcase->name, variant, message);
    j->failed++;
  } else if (kernel->result == WL_RESULT_EXACT) {
    (void)fprintf(j->out, "%s %s %s %016" PRIx64 "\n", kernel->name, kcase->name, variant, digest);
  } else {
    (void)fprintf(j->out, "# as expected: %s %s %s\n", kernel->name, kcase->name, variant);
  }
  (void)fflush(j->out);
  wl_kernel_launch_free(&launch);
  free(text);
}

static void kernels(job_t *j) {
  size_t count = 0;
  const wl_kernel_t *const *kernel = wl_kernel_cases(&count);
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < kernel[k]->case_count; i++) {
      const wl_kernel_case_t *kcase = &kernel[k]->cases[i];
      uint32_t variants = kcase->variants != 0 ? kcase->variants : kernel[k]->variants;
      for (uint32_t bit = 0; bit < WL_PTX_COUNT; bit++) {
        if ((variants >> bit & 1u) != 0 && (1u << bit) != WL_PTX_NVCC_SM100) {
          one_kernel(j, kernel[k], kcase, wl_kernel_variant_name(bit));
        }
      }
    }
  }
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(job_t *);
  } parts[] = {{"scalar", scalar}, {"samples", samples}, {"curves", curves},
               {"tensor", tensor}, {"sweep", sweep},     {"kernels", kernels}};
  if (argc < 3) {
    (void)fprintf(
        stderr, "usage: record DATE DIR [scalar] [samples] [curves] [sweep] [tensor] [kernels]\n");
    return 2;
  }
  job_t j = {.date = argv[1], .dir = argv[2]};
  if (!cuda_open()) {
    (void)fprintf(stderr, "record: %s\n", cuda_error());
    return 1;
  }
  if (argc > 3 && strcmp(argv[3], "raw") == 0) {
    for (int k = 4; k < argc; k++) {
      raw(&j, argv[k]);
    }
    return j.failed != 0;
  }
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    char path[4096];
    bool wanted = argc == 3;
    for (int k = 3; k < argc; k++) {
      wanted = wanted || strcmp(argv[k], parts[i].name) == 0;
    }
    if (!wanted) {
      continue;
    }
    (void)snprintf(path, sizeof path, "%s/%s.txt", j.dir, parts[i].name);
    j.out = fopen(path, "w");
    if (j.out == NULL) {
      (void)fprintf(stderr, "record: cannot write %s\n", path);
      return 1;
    }
    (void)fprintf(stderr, "record: %s\n", parts[i].name);
    (void)fprintf(j.out, "# %s; recorded %s (tests/silicon/README.md)\n", cuda_device_name(),
                  j.date);
    parts[i].run(&j);
    j.failed += fclose(j.out) != 0;
  }
  (void)fprintf(stderr, "record: %s: %u not recorded or not as expected\n", cuda_device_name(),
                j.failed);
  return j.failed != 0;
}
