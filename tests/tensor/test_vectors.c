/* Sums derived by hand (vectors.c), one by one and in matrices. Then each number of the profiles is
 * broken once, and the order of the blocks: at least three vectors must tell. */
#include <stdio.h>
#include <string.h>

#include "tests/tensor/vectors.h"

enum { MOST_TERMS = 64, LEAST_FOUND = 3, LEAST_VECTORS = 12 };

/* A change of a profile; or the blocks in another order. */
typedef struct broken {
  const char *name;
  int block_shift, kept, lowest;
  bool rounding, order;
} broken_t;

static wl_profile_t profile_of(const vector_t *v, const broken_t *broken) {
  wl_profile_t p = wl_profiles[v->profile];
  if (broken == NULL) return p;
  p.block = (uint8_t)(p.block >> broken->block_shift);
  p.kept = (uint8_t)(p.kept + broken->kept);
  p.lowest = (int16_t)(p.lowest + broken->lowest);
  p.nearest = p.nearest != broken->rounding;
  return p;
}

static void expand(const vector_t *v, bool last_first, uint32_t *a, uint32_t *b) {
  const wl_profile_t *p = &wl_profiles[v->profile];
  memset(a, 0, MOST_TERMS * sizeof *a);
  memset(b, 0, MOST_TERMS * sizeof *b);
  for (unsigned i = 0; i < sizeof v->run / sizeof v->run[0]; i++) {
    for (unsigned k = 0; k < v->run[i].count; k++) {
      unsigned at = v->run[i].at + k;
      if (last_first) at = (v->terms / p->block - 1 - at / p->block) * p->block + at % p->block;
      a[at] = vector_word((wl_format_t)p->format, v->run[i].a);
      b[at] = vector_word((wl_format_t)p->format, v->run[i].b);
    }
  }
}

static unsigned differ(const broken_t *broken) {
  unsigned n = 0;
  for (unsigned i = 0; i < num_vectors; i++) {
    const vector_t *v = &vectors[i];
    uint32_t a[MOST_TERMS], b[MOST_TERMS];
    const wl_profile_t p = profile_of(v, broken);
    expand(v, broken != NULL && broken->order, a, b);
    const uint32_t d = wl_dot(&p, v->terms, a, b, v->c);
    if (d == v->d) continue;
    n++;
    if (broken == NULL)
      printf("vector %u, profile %d: %08x, by hand %08x: %s\n", i, (int)v->profile, d, v->d,
             v->why);
  }
  return n;
}

/* Vectors of one instruction's size as rows and columns of a matrix. */
static unsigned in_matrices(void) {
  unsigned n = 0;
  for (unsigned i = 0; i < num_vectors; i++) {
    const vector_t *v = &vectors[i];
    if (v->terms > WL_DOT_TERMS) continue;
    uint32_t x[MOST_TERMS], y[MOST_TERMS];
    uint32_t a[WL_DOT_ROWS][WL_DOT_TERMS] = {{0}}, b[WL_DOT_COLUMNS][WL_DOT_TERMS] = {{0}};
    uint32_t c[WL_DOT_ROWS][WL_DOT_COLUMNS] = {{0}};
    const unsigned row = i % WL_DOT_ROWS, column = i % WL_DOT_COLUMNS;
    expand(v, false, x, y);
    memcpy(a[row], x, sizeof a[row]);
    memcpy(b[column], y, sizeof b[column]);
    c[row][column] = v->c;
    wl_dot_matrix(&wl_profiles[v->profile], WL_DOT_ROWS, v->terms,
                  (const uint32_t (*)[WL_DOT_TERMS])a, (const uint32_t (*)[WL_DOT_TERMS])b, c);
    if (c[row][column] == v->d) continue;
    printf("vector %u in a matrix: %08x, by hand %08x: %s\n", i, c[row][column], v->d, v->why);
    n++;
  }
  return n;
}

int main(void) {
  static const broken_t broken[] = {
      {.name = "half a block", .block_shift = 1},
      {.name = "a bit more kept", .kept = 1},
      {.name = "a bit less kept", .kept = -1},
      {.name = "lowest exponent -126", .lowest = 7},
      {.name = "the other rounding", .rounding = true},
      {.name = "the last block first", .order = true},
  };
  unsigned count[WL_NUM_PROFILE] = {0};
  unsigned failures = differ(NULL) + in_matrices();
  for (unsigned i = 0; i < num_vectors; i++)
    count[vectors[i].profile]++;
  /* Those of products in tensor memory alone: unit_model_umma_values. */
  for (unsigned i = 0; i <= WL_PROFILE_TF32_F32; i++)
    failures += count[i] < LEAST_VECTORS;
  for (unsigned i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    const unsigned found = differ(&broken[i]);
    printf("%s: %u vectors differ\n", broken[i].name, found);
    failures += found < LEAST_FOUND;
  }
  printf("%u vectors, %u failures\n", num_vectors, failures);
  return failures != 0;
}
