/* same_programs: a seed makes the same machine programs whatever compiler and optimisation built the
 * generators. A change of the generators or of the rows of isa/def changes programs: then the digests
 * that this prints are put here. If nothing was changed, two random numbers are drawn in one
 * expression, whose order C leaves open. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/common/digest.h"
#include "tests/fuzz/fuzz.h"

typedef struct row {
  uint64_t seed, programs; /* from 0 */
  uint32_t max_threads, max_regs;
  uint64_t digest;
} row_t;

static const row_t k_rows[] = {
    {1, 500, 64, 128, UINT64_C(0x40766fd0399582e3)},
    {1, 500, 256, 255, UINT64_C(0x785c1cbacdbb2f89)},
    {20261121, 500, 256, 255, UINT64_C(0x2f3158880920a990)},
};

static uint64_t digest_of(const row_t *row, fuzz_program_t *p) {
  uint64_t digest = WL_DIGEST_START;
  for (uint64_t i = 0; i < row->programs; i++) {
    fuzz_make(row->seed, i, row->max_threads, row->max_regs, false, p);
    const uint32_t head[] = {p->count,      p->grid[0],  p->grid[1],  p->grid[2], p->threads,
                             p->block[0],   p->block[1], p->block[2], p->regs,    p->smem_extra,
                             p->comparable, p->gentle,   p->spiced};
    for (size_t k = 0; k < sizeof head / sizeof head[0]; k++)
      digest = wl_digest(digest, head[k]);
    for (uint32_t k = 0; k < 4 * p->count; k++)
      digest = wl_digest(digest, p->w[k / 4][k % 4]);
  }
  return digest;
}

int main(void) {
  fuzz_program_t *p = malloc(sizeof *p);
  bool ok = p != NULL;
  for (size_t i = 0; p != NULL && i < sizeof k_rows / sizeof k_rows[0]; i++) {
    const row_t *row = &k_rows[i];
    const uint64_t digest = digest_of(row, p);
    if (digest == row->digest) continue;
    printf("FAILED: %" PRIu64 " programs of seed %" PRIu64 " (%" PRIu32 " threads, %" PRIu32
           " registers at most): got 0x%016" PRIx64 ", expected 0x%016" PRIx64 "\n",
           row->programs, row->seed, row->max_threads, row->max_regs, digest, row->digest);
    ok = false;
  }
  free(p);
  return ok ? 0 : 1;
}
