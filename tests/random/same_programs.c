/* same_programs: a seed makes the same programs whatever compiler and optimisation built the
 * generator. The digests are of the text, which holds the launch too. A change of the generator or
 * of the oracle's list of forms changes programs: then the digests that this prints are put here;
 * those of the first edition stay, tests/silicon has records of it. If
 * nothing was changed, two random numbers are drawn in one expression, whose order C leaves open.
 */
#include <inttypes.h>
#include <stdio.h>

#include "tests/common/digest.h"
#include "tests/random/generate.h"

typedef struct row {
  unsigned edition;
  uint64_t seed, seeds, programs; /* programs 0.. of `seeds` seeds from `seed` */
  uint64_t digest;
} row_t;

static const row_t k_rows[] = {
    {1, 1, 60, 1, UINT64_C(0x76389d06450df080)}, /* nothing may change the first edition */
    {1, 20261121, 1, 40, UINT64_C(0x3f01da5d6294e349)}, {2, 1, 60, 1, UINT64_C(0x77857d7d44c087ca)},
    {2, 20261121, 1, 40, UINT64_C(0x12e3165f3821fb33)}, {3, 1, 60, 1, UINT64_C(0x29bdb2b704742328)},
    {3, 20261121, 1, 40, UINT64_C(0xf40d2f0a9a103c59)}, {4, 1, 60, 1, UINT64_C(0xeac2acdda2387bfb)},
    {4, 20261121, 1, 40, UINT64_C(0x194cff0ed66c1d67)}, {5, 1, 60, 1, UINT64_C(0xabdbbfa5902ef41e)},
    {5, 20261121, 1, 40, UINT64_C(0x540b439e6fcf6556)}, {6, 1, 60, 1, UINT64_C(0x38ee1ebc168e2afd)},
    {6, 20261121, 1, 40, UINT64_C(0x20d71a6399ec8c08)}, {7, 1, 60, 1, UINT64_C(0x0aa231fe892a7bf6)},
    {7, 20261121, 1, 40, UINT64_C(0x917a661d10776df1)},
};

static bool digest_of(const row_t *row, const rc_table_t *table, uint64_t *digest) {
  *digest = WL_DIGEST_START;
  for (uint64_t seed = row->seed; seed < row->seed + row->seeds; seed++) {
    for (uint64_t i = 0; i < row->programs; i++) {
      rg_program_t p;
      if (!rg_generate(row->edition, seed, i, table, &p)) {
        printf("FAILED: no program %" PRIu64 " of seed %" PRIu64 "\n", i, seed);
        return false;
      }
      for (size_t k = 0; k < p.size; k++) {
        *digest = wl_digest(*digest, (unsigned char)p.text[k]);
      }
      rg_free(&p);
    }
  }
  return true;
}

int main(void) {
  rc_table_t table = {0};
  bool ok = true;
  rg_universe(&table);
  for (size_t i = 0; i < sizeof k_rows / sizeof k_rows[0]; i++) {
    const row_t *row = &k_rows[i];
    uint64_t digest = 0;
    if (!digest_of(row, &table, &digest)) {
      ok = false;
    } else if (digest != row->digest) {
      printf("FAILED: edition %u: %" PRIu64 " programs of each of %" PRIu64 " seeds from %" PRIu64
             ": got 0x%016" PRIx64 ", expected 0x%016" PRIx64 "\n",
             row->edition, row->programs, row->seeds, row->seed, digest, row->digest);
      ok = false;
    }
  }
  rc_free(&table);
  return ok ? 0 : 1;
}
