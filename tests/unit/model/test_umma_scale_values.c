/* Golden model: values of products with block scales (docs/microarchitecture.md 26.9 to 26.11): those that a model
 * of others gives (tests/tensor/outside/mmasim_scaled.py), with operands that both draw from one generator. */
#include "tests/common/splitmix.h"
#include "tests/unit/model/umma_bench.h"

enum { ROWS = 128, COLUMNS = 8, QUARTERS = 4, MOST_K = 64, SOME = 7, APART = 150 };
enum { OF_B = UMMA_OPERANDS + 32 * ROWS };
enum { E4M3 = 0, E5M2 = 1, E2M3 = 3, E3M2 = 4, E2M1 = 5 }; /* as i names them */

typedef struct test {
  uint32_t seed;
  bool four, b16, e4m3;
  uint8_t of_a, of_b, kind;
  uint32_t digest, some[SOME];
} test_t;

#define CASE(seed, four, b16, e4m3, a, b, kind, digest, ...)                                       \
  {seed, four, b16, e4m3, a, b, kind, digest, {__VA_ARGS__}},
static const test_t tests[] = {
#include "tests/unit/model/umma_scaled.def"
};

/* Where the 8 columns are: a block of D, of as many columns as it ends with, and columns of tensor memory. */
typedef struct places {
  wl_config_id_t config;
  uint32_t block, n, d, sa, sb;
} places_t;

static places_t places_of(wl_config_id_t config, const test_t *t) {
  const uint32_t block = config == WL_CONFIG_FULL ? 5 * t->seed % 32 : 7 * t->seed % 16;
  const uint32_t n = 8 * (block + 1);
  return (places_t){config, block, n, 8 * block, n + 1, n + 7};
}

/* Elements, scales, addends of a test. */
typedef struct data {
  uint8_t a[ROWS][MOST_K], b[COLUMNS][MOST_K];
  uint8_t sa[ROWS][4], sb[QUARTERS][COLUMNS][4];
  uint32_t c[ROWS][COLUMNS];
} data_t;

static umma_bench_t bench;
static data_t data;
static uint64_t state;

/* ---- operands */
static uint32_t bits_of(uint32_t type) { return type < 2 ? 8 : type == E2M1 ? 4 : 6; }

static bool is_special(uint32_t type, uint32_t x) {
  return (type == E4M3 && (x & 0x7f) == 0x7f) || (type == E5M2 && (x & 0x7c) == 0x7c);
}

static uint8_t element(uint32_t type, uint32_t kind) {
  const uint64_t w = wl_splitmix64(&state);
  const uint32_t bits = bits_of(type), top = 1u << (bits - 2);
  uint32_t x = (uint32_t)w & ((1u << bits) - 1);
  if (kind == 2 && (w >> 48 & 3) == 0) return 0;
  if (kind == 0 || (is_special(type, x) && (kind == 2 || (w >> 32 & 63) != 0))) x &= ~top;
  return (uint8_t)x;
}

static void vector(uint8_t *x, uint32_t type, const test_t *t, bool opposite) {
  const unsigned count = t->four ? 64 : 32;
  const uint32_t sign = 1u << (bits_of(type) - 1);
  for (unsigned k = 0; k < count; k++)
    x[k] = element(type, t->kind);
  for (unsigned k = 1; k < count && t->kind == 2; k += 2)
    if (!opposite || (wl_splitmix64(&state) & 3) != 0)
      x[k] = (uint8_t)(x[k - 1] ^ (opposite ? sign : 0));
}

static void scales(uint8_t *s, const test_t *t) {
  for (unsigned j = 0; j < (t->b16 ? 4u : t->four ? 2u : 1u); j++) {
    const uint64_t w = wl_splitmix64(&state);
    static const uint32_t some[4] = {0xff, 0x80, 0x8f, 0x8f}; /* any, zero, small */
    const uint32_t x = (uint32_t)w & some[t->kind == 2 ? w >> 16 & 3 : 0];
    if (t->e4m3)
      s[j] = (uint8_t)((x & 0x7f) == 0x7f && t->kind != 1 ? 0x38 : x);
    else
      s[j] = (uint8_t)(t->kind == 1 ? w : t->kind == 0 ? 120 + w % 16 : 100 + w % 56);
  }
}

static uint32_t addend(uint32_t kind) {
  const uint64_t w = wl_splitmix64(&state);
  if (kind == 1) return (uint32_t)w;
  if (kind == 2 && (w >> 40 & 3) == 0) return (uint32_t)w & 0x80000000;
  const uint32_t exponent = (uint32_t)(kind == 0 ? 120 + (w >> 32) % 16 : 100 + (w >> 32) % 56);
  return ((uint32_t)w & 0x807fffff) | exponent << 23;
}

static void draw(const test_t *t) {
  state = t->seed;
  memset(&data, 0, sizeof data);
  for (unsigned r = 0; r < ROWS; r++)
    vector(data.a[r], t->of_a, t, true);
  for (unsigned n = 0; n < COLUMNS; n++)
    vector(data.b[n], t->of_b, t, false);
  for (unsigned r = 0; r < ROWS; r++)
    scales(data.sa[r], t);
  for (unsigned n = 0; n < QUARTERS * COLUMNS; n++)
    scales(data.sb[n / COLUMNS][n % COLUMNS], t);
  for (unsigned n = 0; n < ROWS * COLUMNS; n++)
    data.c[n / COLUMNS][n % COLUMNS] = addend(t->kind);
}

/* ---- places */
static void put(uint32_t *words, uint32_t start, uint32_t rows, uint32_t row, uint32_t k,
                uint32_t per_chunk, uint32_t bits, uint32_t x) {
  const uint32_t chunk = start + row % 8 * 16 + row / 8 * 128 + k / per_chunk * rows * 16;
  const uint32_t first = 8 * chunk + k % per_chunk * bits;
  for (uint32_t i = 0; i < bits; i++)
    words[(first + i) / 32] |= (x >> i & 1) << (first + i) % 32;
}

/* Bytes that no scale is have NaN. */
static uint32_t scale_word(const test_t *t, const uint8_t *s, uint32_t id) {
  const unsigned count = t->b16 ? 4 : t->four ? 2 : 1;
  uint32_t word = 0;
  for (unsigned j = 0; j < 4; j++)
    word |= (j >= id && j < id + count ? s[j - id] : 0xffu) << 8 * j;
  return word;
}

static uint32_t *tensor_word(const places_t *p, unsigned quarter, unsigned column, unsigned lane) {
  uint32_t *words = umma_sm(&bench)->sub[0].tmem.words;
  return words + ((size_t)quarter * wl_configs[p->config].tmem_columns + column) * WL_LANES + lane;
}

static void place(const places_t *p, const test_t *t, const uint32_t id[2]) {
  uint32_t *words = umma_sm(&bench)->smem.words;
  const uint32_t per_chunk = t->four ? 32 : 16, count = t->four ? 64 : 32;
  memset(words + UMMA_OPERANDS / 4, 0, (size_t)(ROWS + p->n) * 32);
  for (unsigned k = 0; k < count; k++) {
    for (unsigned r = 0; r < ROWS; r++)
      put(words, UMMA_OPERANDS, ROWS, r, k, per_chunk, bits_of(t->of_a), data.a[r][k]);
    for (unsigned n = 0; n < COLUMNS; n++)
      put(words, OF_B, p->n, p->d + n, k, per_chunk, bits_of(t->of_b), data.b[n][k]);
  }
  for (unsigned r = 0; r < ROWS; r++) {
    const unsigned q = r / WL_LANES, lane = r % WL_LANES;
    for (unsigned w = 0; w < QUARTERS; w++)
      *tensor_word(p, q, p->sa + w, lane) = w == q ? scale_word(t, data.sa[r], id[0]) : ~0u;
    for (unsigned w = 0; w <= p->block / 4; w++) {
      const unsigned n = WL_LANES * w + lane - p->d; /* of our columns */
      *tensor_word(p, q, p->sb + w, lane) = n < COLUMNS ? scale_word(t, data.sb[q][n], id[1]) : ~0u;
    }
    for (unsigned n = 0; n < COLUMNS; n++)
      *tensor_word(p, q, p->d + n, lane) = data.c[r][n];
  }
}

/* ---- a test */
static uint32_t hashed(uint32_t hash, uint32_t word) {
  for (unsigned i = 0; i < 4; i++)
    hash = (hash ^ (word >> 8 * i & 0xff)) * 0x01000193u;
  return hash;
}

static int run(wl_config_id_t config, const test_t *t) {
  /* MXF4 has 2 places of an id, with b16 one. */
  const uint32_t last = t->b16 ? 0 : t->four ? 2 : 3, id[2] = {t->seed & last, ~t->seed & last};
  const uint32_t types = t->four ? 0x480 : (uint32_t)t->of_a << 7 | (uint32_t)t->of_b << 10;
  const places_t p = places_of(config, t);
  const uint32_t i =
      1u << 27 | (t->e4m3 ? 0 : 1u << 23) | p.n / 8 << 17 | types | id[0] << 29 | id[1] << 4;
  const uint32_t reg[7] = {
      UMMA_OPERANDS / 16 | ROWS << 16, 0x4008, OF_B / 16 | p.n << 16, 0x4008, 0, i, p.sa};
  umma_open(&bench, config, t->seed % 3 == 0, reg);
  bench_emit(&bench.b, WL_FORM_MOV_I, X(.rd = 15, .imm = p.sb));
  draw(t);
  place(&p, t, id);
  umma_run(&bench, t->four ? WL_FORM_UMMA_MXF4 : WL_FORM_UMMA_MXF8F6F4,
           X(.ra = 8, .rb = 12, .b16 = t->b16), 1);
  uint32_t hash = 0x811c9dc5;
  for (unsigned n = 0; n < ROWS * COLUMNS; n++) {
    const unsigned r = n / COLUMNS;
    const uint32_t d = *tensor_word(&p, r / WL_LANES, p.d + n % COLUMNS, r % WL_LANES);
    hash = hashed(hash, d);
    if (n % APART == 0) bench_expect_in(&bench.b, n, "D", d, t->some[n / APART]);
  }
  bench_expect(&bench.b, "hash of D", hash, t->digest);
  const int failures = bench.b.failures;
  if (failures != 0) printf("  (case %u, %s)\n", t->seed, wl_configs[config].name);
  bench_close(&bench.b);
  return failures;
}

int main(void) {
  int failures = 0;
  for (unsigned i = 0; i < sizeof tests / sizeof tests[0]; i++)
    failures += run(WL_CONFIG_BASE, &tests[i]) + run(WL_CONFIG_FULL, &tests[i]);
  return failures != 0;
}
