/* generate.h: random programs in PTX that end and whose final memory the PTX text determines. */
#ifndef WL_TESTS_RANDOM_GENERATE_H
#define WL_TESTS_RANDOM_GENERATE_H
#include "tests/random/cover.h"
#include "tests/random/program.h"

typedef struct rg_site { /* an instruction that counts for coverage */
  uint32_t line, row;
  uint8_t cls, path;
} rg_site_t;

typedef struct rg_program {
  char *text;
  size_t size, lines; /* lines: number of the last one, plus one */
  rp_launch_t launch;
  rg_site_t *sites;
  size_t nsites;
} rg_program_t;

/* All rows that programs can reach. */
void rg_universe(rc_table_t *t);
/* What the generator can write grows; a seed keeps its programs in the edition they were made in.
 * Edition 1 has no vector moves, cvta beside the prologue's, loads into their address, arrays; edition
 * 2 no conversions between floating-point formats; edition 3 no matrices; edition 4 no products; edition 5 no
 * half precision, carries, packed integers, small formats and wide accesses; edition 6 no atomics of 128 bits, which
 * a quarter of the programs of edition 7 have. */
enum {
  RG_FIRST_EDITION = 1,
  RG_FORMAT_EDITION = 3,
  RG_MATRIX_EDITION = 4,
  RG_PRODUCT_EDITION = 5,
  RG_HALF_EDITION = 6,
  RG_ATOM128_EDITION = 7,
  RG_EDITION = 7
};

/* Program `index` of a seed. False: out of memory. `table` gives rows and is not changed. */
bool rg_generate(unsigned edition, uint64_t seed, uint64_t index, const rc_table_t *table,
                 rg_program_t *out);
void rg_free(rg_program_t *p);

#endif
