/* same_programs [--write]: a seed makes the same machine programs whatever compiler and optimisation
 * built the generators. programs.txt has the digests. A change of the generators or of the rows of
 * isa/def changes programs: then --write puts the new ones there. If nothing was changed, two random
 * numbers are drawn in one expression, whose order C leaves open. Runs in the root of the tree. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/wl_config.h"
#include "tests/common/digest.h"
#include "tests/fuzz/fuzz.h"

static const char k_path[] = "tests/fuzz/programs.txt";
enum { ROWS = 3 };

typedef struct row {
  uint64_t seed, programs;             /* from 0 */
  uint32_t max_threads, max_regs, row; /* row: bit of the configuration */
} row_t;

static const row_t k_rows[ROWS] = {{1, 500, 64, 128, 1U << WL_CONFIG_TINY},
                                   {1, 500, 256, 255, 1U << WL_CONFIG_BASE},
                                   {20261121, 500, 256, 255, 1U << WL_CONFIG_BASE}};

static uint64_t digest_of(const row_t *row, fuzz_program_t *p) {
  uint64_t digest = WL_DIGEST_START;
  for (uint64_t i = 0; i < row->programs; i++) {
    fuzz_make(row->seed, i, row->max_threads, row->max_regs, row->row, p);
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

/* A line of programs.txt. */
static void print_row(FILE *to, const row_t *row, uint64_t digest) {
  fprintf(to,
          "seed %" PRIu64 ": %" PRIu64 " programs, threads %" PRIu32 ", registers %" PRIu32
          ": 0x%016" PRIx64 "\n",
          row->seed, row->programs, row->max_threads, row->max_regs, digest);
}

static bool write_all(const uint64_t digest[ROWS]) {
  FILE *to = fopen(k_path, "wb");
  for (int i = 0; to != NULL && i < ROWS; i++)
    print_row(to, &k_rows[i], digest[i]);
  return to != NULL && fclose(to) == 0;
}

static bool compare_all(const uint64_t digest[ROWS]) {
  char made[4096] = "", there[4096] = "";
  FILE *from = fopen(k_path, "rb"), *to = fmemopen(made, sizeof made, "wb");
  if (from == NULL || to == NULL) {
    printf("FAILED: cannot read %s\n", k_path);
    return false;
  }
  for (int i = 0; i < ROWS; i++)
    print_row(to, &k_rows[i], digest[i]);
  fclose(to);
  there[fread(there, 1, sizeof there - 1, from)] = 0;
  fclose(from);
  if (strcmp(made, there) == 0) return true;
  printf("FAILED: %s has\n%sand the generators make\n%s--write puts it there\n", k_path, there,
         made);
  return false;
}

int main(int argc, char **argv) {
  fuzz_program_t *p = malloc(sizeof *p);
  uint64_t digest[ROWS] = {0};
  for (int i = 0; p != NULL && i < ROWS; i++)
    digest[i] = digest_of(&k_rows[i], p);
  bool ok = p != NULL;
  free(p);
  if (ok)
    ok = argc > 1 && strcmp(argv[1], "--write") == 0 ? write_all(digest) : compare_all(digest);
  return ok ? 0 : 1;
}
