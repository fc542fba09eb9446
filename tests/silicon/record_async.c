/* Moves of matrices (moves.h), programs of mbarrier (async.h) and copies (copies.h). */
#include <string.h>

#include "tests/silicon/async.h"
#include "tests/silicon/copies.h"
#include "tests/silicon/cuda.h"
#include "tests/silicon/moves.h"
#include "tests/silicon/record.h"

void record_moves(job_t *j) {
  const cuda_grid_t grid = {.ctas = {1, 1, 1}, .threads = {32, 1, 1}};
  const moves_t *m;
  for (unsigned n = 0; (m = moves_at(n)) != NULL; n++) {
    uint32_t result[MOVES_WORDS] = {0};
    char text[MOVES_TEXT];
    const cuda_arg_t out = {
        .buffer = true, .data = result, .result = result, .bytes = sizeof result};
    moves_kernel(m, j->ptx, sizeof j->ptx);
    if (!cuda_run(j->ptx, "moves", &grid, &out, 1)) {
      record_failed(j, m->name);
      continue;
    }
    moves_text(m, result, text);
    (void)fprintf(j->out, "%s", text);
  }
}

/* The device's own word for what went wrong: "error 716 CUDA_ERROR_MISALIGNED_ADDRESS". */
static const char *failure(void) {
  const char *at = strstr(cuda_error(), "error ");
  return at != NULL ? at : cuda_error();
}

static void source_bytes(uint8_t *source) {
  for (unsigned i = 0; i < ASYNC_SOURCE; i++) {
    source[i] = (uint8_t)(i + 1);
  }
}

void record_async(job_t *j) {
  static uint8_t source[ASYNC_SOURCE];
  const cuda_grid_t grid = {.ctas = {1, 1, 1}, .threads = {1, 1, 1}};
  async_program_t p;
  source_bytes(source);
  for (unsigned n = j->first; async_at(n, &p); n++) {
    uint32_t result[ASYNC_WORDS] = {0};
    char text[ASYNC_TEXT];
    const cuda_arg_t args[] = {{.buffer = true, .result = result, .bytes = sizeof result},
                               {.buffer = true, .data = source, .bytes = sizeof source}};
    async_kernel(&p, j->ptx, sizeof j->ptx);
    bool ok = cuda_run(j->ptx, "async", &grid, args, 2);
    async_text(&p, ok ? result : NULL, failure(), text);
    (void)fprintf(j->out, "%s", text);
    if (!ok) {
      record_go_on(j, "async", n + 1);
    }
  }
}

void record_copies(job_t *j) {
  static uint8_t source[ASYNC_SOURCE], result[COPIES_THREADS * COPIES_BYTES];
  const copies_t *c;
  source_bytes(source);
  for (unsigned n = j->first; (c = copies_at(n)) != NULL; n++) {
    char text[COPIES_TEXT];
    const cuda_grid_t grid = {.ctas = {1, 1, 1}, .threads = {c->threads, 1, 1}};
    const cuda_arg_t args[] = {{.buffer = true, .result = result, .bytes = sizeof result},
                               {.buffer = true, .data = source, .bytes = sizeof source}};
    copies_kernel(c, j->ptx, sizeof j->ptx);
    bool ok = cuda_run(j->ptx, "copies", &grid, args, 2);
    copies_text(c, ok ? result : NULL, failure(), text);
    (void)fprintf(j->out, "%s", text);
    if (!ok) {
      record_go_on(j, "copies", n + 1);
    }
  }
}
