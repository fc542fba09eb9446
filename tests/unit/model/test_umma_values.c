/* Golden model: what a product in tensor memory gives where the rule of its kind shows (docs/microarchitecture.md
 * 19.2, 26.4): numbers that are none, subnormal ones, cuts, the block of 32 products. By hand. */
#include "tests/unit/model/umma_bench.h"

enum { ROWS_OF_A = 128, COLUMNS = 8, K = 32, CASES = 16 };

/* Element k of row r of A and column n of B, a byte each; what is not named is zero. */
typedef struct element {
  uint8_t at, k, bits;
} element_t;
#define TO(at, k, bits) {at, k, bits}

/* D of the row of A with this number, in a column. */
typedef struct want {
  uint8_t row, column;
  uint32_t before, d;
} want_t;

typedef struct test {
  const char *what;
  wl_form_t form;
  uint32_t i;
  element_t a[CASES], b[CASES]; /* the first with bits 0 ends a list */
  want_t want[CASES];           /* the first with d 0xffffffff */
} test_t;

#define END_OF {.d = 0xffffffff}

/* Columns of B: 0 has ones in k = 0 and 1, 1 an infinity, 2 the other one, 3 a NaN; 4 for the block. */
#define B_E5M2                                                                                     \
  {TO(0, 0, 0x3c), TO(0, 1, 0x3c),  TO(1, 0, 0x7c), TO(2, 0, 0xfc), TO(3, 0, 0x7d),                \
   TO(4, 0, 0x01), TO(4, 31, 0x3c), TO(5, 0, 0x7b), TO(5, 1, 0x7b)}

static const test_t tests[] = {
    {"e4m3 by e5m2",
     WL_FORM_UMMA_F8F6F4,
     0x410,
     /* rows: 0 nothing, 1 a NaN, 2 the largest, 3 one, 4 minus one, 5 the smallest, 6 for the block */
     {TO(1, 0, 0xff), TO(2, 0, 0x7e), TO(3, 0, 0x38), TO(4, 0, 0xb8), TO(5, 0, 0x01),
      TO(6, 0, 0x01), TO(6, 31, 0x40), TO(7, 0, 0x08)},
     B_E5M2,
     {{0, 0, 0x80000000, 0x00000000}, /* a sum of zero */
      {1, 0, 0x3f800000, 0x7fffffff},
      {2, 0, 0x00000000, 0x43e00000},
      {3, 1, 0x3f800000, 0x7f800000},
      {4, 1, 0x3f800000, 0xff800000},
      {0, 1, 0x00000000, 0x7fffffff}, /* zero by infinity */
      {3, 2, 0x7f800000, 0x7fffffff}, /* infinities of both signs */
      {4, 2, 0x7f800000, 0x7f800000},
      {0, 3, 0x00000000, 0x7fffffff},
      /* 2^-9 is 0.125 * 2^-6: cut at 2^-31, as the exponent is the format's, not the number's. */
      {5, 0, 0x2f800000, 0x3b000000},
      {5, 0, 0x30000000, 0x3b000002},
      /* 2^-25 beside 2: one block, cut at 2^-24. */
      {6, 4, 0x00000000, 0x40000000},
      {7, 0, 0x2f800000, 0x3c800000}, /* 2^-6 */
      {2, 5, 0x7f7fffff, 0x7f7fffff},
      END_OF}},
    {"e4m3 by e5m2 in f16",
     WL_FORM_UMMA_F8F6F4,
     0x400,
     {TO(1, 0, 0x7f), TO(2, 0, 0x7e), TO(3, 0, 0xfe), TO(4, 0, 0x38), TO(5, 0, 0x01),
      TO(6, 0, 0x02)},
     B_E5M2,
     {{1, 0, 0x00003c00, 0x00007fff},
      {2, 5, 0x00000000, 0x00007c00}, /* 448 * 57,344 */
      {3, 5, 0x00000000, 0x0000fc00},
      {4, 1, 0xabcd3c00, 0x00007c00},
      {4, 0, 0xabcd3c00, 0x00004000},
      {4, 0, 0x00006800, 0x00006800}, /* 2,049: a tie, to even */
      {4, 0, 0x00006801, 0x00006802}, /* 2,050 + 1 */
      {5, 4, 0x00000000, 0x00000000}, /* 2^-25: half of the smallest number; ties */
      {5, 4, 0x00000001, 0x00000002},
      {6, 4, 0x00000001, 0x00000002},
      END_OF}},
    {"e2m1 by e3m2",
     WL_FORM_UMMA_F8F6F4,
     0x1290,
     {TO(1, 0, 0x07), TO(2, 0, 0x0f), TO(3, 0, 0x01), TO(4, 1, 0x09)},
     {TO(0, 0, 0x0c), TO(0, 1, 0x2c), TO(1, 0, 0x1f), TO(2, 0, 0x01)}, /* 1, -1, 28, 2^-4 */
     {{1, 0, 0x00000000, 0x40c00000}, /* 6: there are no NaN and no infinity */
      {2, 1, 0x00000000, 0xc3280000}, /* -6 * 28 */
      {3, 2, 0x00000000, 0x3d000000}, /* 0.5 * 2^-4 */
      {4, 0, 0x3f800000, 0x3fc00000}, /* -0.5 * -1 */
      END_OF}},
    {"s8 by u8",
     WL_FORM_UMMA_I8,
     0xa8,
     {TO(1, 0, 0x80), TO(2, 0, 0x7f), TO(3, 0, 0xff), TO(4, 31, 0x02)},
     {TO(0, 0, 0xff), TO(0, 31, 0xff)},
     {{1, 0, 0x00000000, 0xffff8080}, /* -128 * 255 */
      {2, 0, 0x7fffffff, 0x7fffffff},
      {3, 0, 0x80000080, 0x80000000},
      {4, 0, 0xfffffe02, 0x00000000},
      END_OF}},
    {"s8 by u8, modulo",
     WL_FORM_UMMA_I8,
     0xa0,
     {TO(2, 0, 0x7f), TO(3, 0, 0xff)},
     {TO(0, 0, 0xff)},
     {{2, 0, 0x7fffffff, 0x80007e80}, {3, 0, 0x80000080, 0x7fffff81}, END_OF}},
};

static umma_bench_t bench;

/* Place of an element in a chunk of 16 of them. */
static void put(uint32_t *words, uint32_t start, uint32_t rows, const element_t *e, uint32_t bits) {
  const uint32_t chunk = start + e->at % 8u * 16 + e->at / 8u * 128 + e->k / 16u * rows * 16;
  const uint32_t first = 8 * chunk + e->k % 16u * bits;
  for (uint32_t i = 0; i < bits; i++)
    words[(first + i) / 32] |= (uint32_t)(e->bits >> i & 1) << (first + i) % 32;
}

static uint32_t bits_of(const test_t *t, uint32_t field) {
  return t->form == WL_FORM_UMMA_I8 || field < 2 ? 8 : field == 5 ? 4 : 6;
}

/* All of D that a want names at once; its other words are 0. */
static int run(wl_config_id_t config, const test_t *t, const want_t *want, bool reverse) {
  const uint32_t of_b = UMMA_OPERANDS + 32 * ROWS_OF_A;
  const uint32_t reg[7] = {UMMA_OPERANDS / 16 | ROWS_OF_A << 16,
                           0x4008,
                           of_b / 16 | COLUMNS << 16,
                           0x4008,
                           0,
                           8u << 24 | 1u << 17 | t->i};
  umma_open(&bench, config, reverse, reg);
  uint32_t *words = umma_sm(&bench)->smem.words, *d = umma_sm(&bench)->sub[0].tmem.words;
  memset(words + UMMA_OPERANDS / 4, 0, (ROWS_OF_A + COLUMNS) * 32);
  for (const element_t *e = t->a; e->bits != 0; e++)
    put(words, UMMA_OPERANDS, ROWS_OF_A, e, bits_of(t, t->i >> 7 & 7));
  for (const element_t *e = t->b; e->bits != 0; e++)
    put(words, of_b, COLUMNS, e, bits_of(t, t->i >> 10 & 7));
  d[want->column * WL_LANES + want->row] = want->before;
  umma_run(&bench, t->form, X(.ra = 8, .rb = 12), 1);
  bench_expect(&bench.b, "D", d[want->column * WL_LANES + want->row], want->d);
  const int failures = bench.b.failures;
  if (failures != 0)
    printf("  (%s, %s, row %u, column %u)\n", t->what, wl_configs[config].name, want->row,
           want->column);
  bench_close(&bench.b);
  return failures;
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < sizeof tests / sizeof tests[0]; i++)
    for (const want_t *w = tests[i].want; w->d != 0xffffffff; w++)
      failures +=
          run(WL_CONFIG_BASE, &tests[i], w, false) + run(WL_CONFIG_FULL, &tests[i], w, true);
  return failures != 0;
}
