/* Copies and reductions by a tensor map (bulk.h). */
#include <string.h>

#include "tests/silicon/bulk.h"
#include "tests/silicon/cuda.h"
#include "tests/silicon/record.h"

void record_bulk(job_t *j) {
  static uint64_t memory[BULK_WORDS], other[BULK_WORDS], after[BULK_WORDS], box[BULK_WORDS];
  static char text[BULK_TEXT];
  const cuda_grid_t grid = {.ctas = {1, 1, 1}, .threads = {1, 1, 1}};
  const bulk_t *b;
  for (unsigned n = 0; (b = bulk_at(n)) != NULL; n++) {
    memset(box, 0, sizeof box);
    bulk_operands(b, memory, other);
    const cuda_arg_t args[] = {
        {.buffer = true, .data = memory, .result = after, .bytes = sizeof memory},
        {.map = &b->map, .bytes = 128},
        {.buffer = true, .data = other, .bytes = sizeof other},
        {.buffer = true, .data = box, .result = box, .bytes = sizeof box}};
    bulk_kernel(b, j->ptx, sizeof j->ptx);
    if (!cuda_run(j->ptx, "bulk", &grid, args, 4)) {
      record_failed(j, b->name);
      continue;
    }
    bulk_text(b, b->kind == BULK_REDUCE ? after : box, text);
    (void)fprintf(j->out, "%s", text);
  }
}
