/* Matrix operations (tensor.h). */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/silicon/cuda.h"
#include "tests/silicon/op.h"
#include "tests/silicon/record.h"
#include "tests/silicon/samples.h"
#include "tests/silicon/tensor.h"

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
  tensor_kernel(t, j->ptx, sizeof j->ptx);
  bool ok = in != NULL && out != NULL && d != NULL && item != NULL &&
            cuda_load(j->ptx, "tensor", &f) && cuda_alloc(4 * TENSOR_ITEMS * words, &device_in) &&
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

void record_tensor(job_t *j) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/tensor.bin", j->dir);
  FILE *all = fopen(path, "wb");
  for (size_t n = 0; all != NULL && tensor_at(n) != NULL; n++) {
    if (!run_tensor(j, tensor_at(n), all)) {
      record_failed(j, tensor_at(n)->name);
    }
  }
  if (all == NULL || fclose(all) != 0) {
    record_failed(j, path);
  }
}
