/* Matrix operations (tensor.h). */
#include <inttypes.h>
#include <stdlib.h>

#include "tests/silicon/cuda.h"
#include "tests/silicon/op.h"
#include "tests/silicon/record.h"
#include "tests/silicon/tensor.h"

static void write_tensor(job_t *j, const tensor_t *t, unsigned mode, const uint64_t *d, size_t size,
                         unsigned shown) {
  int digits = (int)tensor_format(t->d)->bits / 4;
  (void)fprintf(j->out, "mode %s", tensor_mode_name(mode));
  for (unsigned i = 0; i < TENSOR_ITEMS; i += TENSOR_BLOCK) {
    (void)fprintf(j->out, " %08" PRIx32, op_hash(d + i * size, TENSOR_BLOCK * size));
  }
  for (unsigned i = 0; i < shown; i++) {
    for (unsigned k = 0; k < TENSOR_SHOWN_COLUMNS; k++) {
      (void)fprintf(j->out, "%c%0*" PRIx64, k == 0 && i % 4 == 0 ? '\n' : ' ', digits,
                    d[i * size + k]);
    }
  }
  (void)fprintf(j->out, "\n");
}

/* All modes in one launch. */
static bool run_tensor(job_t *j, const tensor_t *t, unsigned shown, FILE *all) {
  enum { ITEMS = TENSOR_MODES * TENSOR_ITEMS };
  size_t words = (size_t)tensor_threads(t) * tensor_words(t), size = (size_t)t->m * t->n;
  size_t result_words = (size_t)tensor_threads(t) * tensor_result_words(t);
  uint32_t *in = calloc(ITEMS * words, 4), *out = calloc(ITEMS * result_words, 4);
  uint64_t *d = calloc(TENSOR_ITEMS * size, sizeof *d);
  tensor_item_t *item = malloc(sizeof *item);
  const cuda_grid_t grid = {.ctas = {ITEMS, 1, 1}, .threads = {tensor_threads(t), 1, 1}};
  const cuda_arg_t args[] = {{.buffer = true, .data = in, .bytes = 4 * ITEMS * words},
                             {.buffer = true, .result = out, .bytes = 4 * ITEMS * result_words}};
  bool ok = in != NULL && out != NULL && d != NULL && item != NULL;
  for (unsigned i = 0; i < ITEMS && ok; i++) {
    tensor_fill(t, i / TENSOR_ITEMS, i % TENSOR_ITEMS, item);
    tensor_pack(t, item, in + i * words);
  }
  tensor_kernel(t, j->ptx, sizeof j->ptx);
  ok = ok && cuda_run(j->ptx, "tensor", &grid, args, 2);
  for (unsigned i = 0; i < ITEMS && ok; i++) {
    ok = i % 8 % 3 != 0 || fwrite(out + i * result_words, 4, result_words, all) == result_words;
  }
  (void)fprintf(j->out, "tensor %s\noperands %08" PRIx32 "\n", t->label, tensor_operands_hash(t));
  for (unsigned mode = 0; mode < TENSOR_MODES && ok; mode++) {
    for (unsigned i = 0; i < TENSOR_ITEMS; i++) {
      tensor_unpack(t, out + (mode * TENSOR_ITEMS + i) * result_words, d + i * size);
    }
    write_tensor(j, t, mode, d, size, shown);
  }
  free(in);
  free(out);
  free(d);
  free(item);
  return ok;
}

void record_tensor(job_t *j, const char *part) {
  const tensor_t *t;
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s.bin", j->dir, part);
  FILE *all = fopen(path, "wb");
  for (size_t n = 0; all != NULL && (t = tensor_at(part, n)) != NULL; n++) {
    if (!run_tensor(j, t, tensor_shown(part), all)) {
      record_failed(j, t->label);
    }
  }
  if (all == NULL || fclose(all) != 0) {
    record_failed(j, path);
  }
}
