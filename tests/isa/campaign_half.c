/* Campaign of halves and of conversions to small formats: more operands than a test has time for. The
 * witness is the host's double arithmetic and a rounding of its own.
 *   wl_campaign_half add|mul|fma f16|bf16 [FROM TO]  all pairs with FROM <= a < TO (default all), or
 *                                                    triples, a million for each FROM <= n < TO (100)
 *   wl_campaign_half narrow FORMAT                   all f32 to e4m3, e5m2, e2m3, e3m2 or e2m1 */
#include <stdlib.h>

#include "tests/isa/half_batch.h"
#include "tests/isa/narrow_table.h"

enum { PATTERNS = 0x10000, MILLION = 1000000 };
static double value[PATTERNS]; /* of the format's patterns */
static unsigned fraction;

/* ---- witness */
static double value_of(uint32_t bits) {
  const uint32_t top = 0x7fffu >> fraction, field = bits >> fraction & top;
  const uint32_t low = bits & ((1u << fraction) - 1);
  const int bias = (int)(top / 2);
  const double one = ldexp(low, -(int)fraction);
  double v = field == 0 ? ldexp(one, 1 - bias) : ldexp(1 + one, (int)field - bias);
  if (field == top) v = low != 0 ? (double)NAN : (double)INFINITY;
  return bits >> 15 & 1 ? -v : v;
}

/* Rounded to nearest even from the bits of the double. */
static uint32_t rounded(double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  const uint32_t sign = (uint32_t)(bits >> 48) & 0x8000, infinity = 0x7fffu >> fraction << fraction;
  const int least = 1 - (0x3fff >> fraction), exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (v != v) return 0x7fff;
  if (exponent == 1024) return sign | infinity;
  const int place = exponent < least ? least : exponent;
  const int cut = 52 - (int)fraction + place - exponent; /* bits below the last place */
  if (cut > 53) return sign;
  const uint64_t significand = (bits & UINT64_MAX >> 12) | UINT64_C(1) << 52;
  const uint64_t half = UINT64_C(1) << (cut - 1), rest = significand & (2 * half - 1);
  const uint64_t kept = significand >> cut;
  const uint64_t up = rest > half || (rest == half && (kept & 1));
  const uint64_t d = ((uint64_t)(place - least) << fraction) + kept + up;
  return sign | (d > infinity ? infinity : (uint32_t)d);
}

/* The sum, its last bit set where it is not exact, so that rounding it again rounds the sum. Where the
 * rest has the other sign, the double before is the one that is cut. */
static double odd_sum(double x, double y) {
  const double sum = x + y, part = sum - x, rest = (x - (sum - part)) + (y - part);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (rest == 0 || rest != rest || bits << 1 == 0 || (bits & 1)) return sum;
  bits += (rest > 0) == (sum > 0) ? 1 : -UINT64_C(1);
  double odd;
  memcpy(&odd, &bits, sizeof odd);
  return odd;
}

/* ---- lanes: 64 halves at once, wrong ones are counted */
typedef struct lane_set {
  wl_insn_dec_t insn;
  uint16_t a[64], b[64], c[64], d[64]; /* low half first, as the words have them */
  uint64_t done, wrong;
} lane_set_t;

static void open_lanes(lane_set_t *s) {
  const uint32_t word[4] = {fraction == 10 ? WL_FORM_FMA2_F16_RRR : WL_FORM_FMA2_BF16_RRR};
  memset(s, 0, sizeof *s);
  if (wl_decode(word, WL_ANY_ROW, &s->insn) != WL_TRAP_NONE) exit(2);
}

static void run_lanes(lane_set_t *s) {
  uint32_t a[32], b[32], c[32], d[32];
  for (unsigned i = 0; i < 32; i++) {
    a[i] = s->a[2 * i] | (uint32_t)s->a[2 * i + 1] << 16;
    b[i] = s->b[2 * i] | (uint32_t)s->b[2 * i + 1] << 16;
    c[i] = s->c[2 * i] | (uint32_t)s->c[2 * i + 1] << 16;
  }
  const wl_sem_in_t in = {.a = a, .b = b, .c = c, .mask = UINT32_MAX};
  wl_sem_out_t out = {.d = d};
  if (!wl_sem_warp(&s->insn, &in, &out)) exit(2);
  for (unsigned i = 0; i < 64; i++)
    s->d[i] = (uint16_t)(d[i / 2] >> 16 * (i & 1));
}

static void judge(lane_set_t *s, unsigned i, uint32_t expected) {
  s->done++;
  if (s->d[i] == expected) return;
  if (s->wrong++ < 20)
    printf("a %04x b %04x c %04x: got %04x, expected %04x\n", s->a[i], s->b[i], s->c[i], s->d[i],
           expected);
}

/* ---- all pairs. An addition is a * 1 + c, a product a * b + (-0). */
static void pairs(lane_set_t *s, bool add, uint32_t from, uint32_t to) {
  const uint16_t one = (uint16_t)(0x3fffu >> fraction << fraction);
  for (uint32_t x = from; x < to; x++)
    for (uint32_t y = 0; y < PATTERNS; y += 64) {
      for (unsigned i = 0; i < 64; i++) {
        s->a[i] = (uint16_t)x;
        s->b[i] = add ? one : (uint16_t)(y + i);
        s->c[i] = add ? (uint16_t)(y + i) : 0x8000;
      }
      run_lanes(s);
      for (unsigned i = 0; i < 64; i++) {
        const double v = value[y + i];
        judge(s, i, rounded(add ? odd_sum(value[x], v) : value[x] * v));
      }
    }
}

/* ---- triples: any; addends at the product and its neighbours; products half way between two numbers
 * and little addends; at the least normal number. */
static void choose(check_t *t, uint16_t v[3]) {
  const uint64_t r = check_random(t);
  const uint32_t low = (1u << fraction) - 1, field = 0x7fffu >> fraction, bias = field / 2;
  const uint32_t x = half_any(t, fraction), at = x >> fraction & field;
  uint32_t y = half_any(t, fraction), z = half_any(t, fraction);
  switch (r & 7) {
  case 0:
  case 1:
    z = (rounded(value[x] * value[y]) ^ 0x8000) + (uint32_t)(r >> 8 & 7) - 3;
    break;
  case 2:
  case 3:
    y = (y & ~low) | 1u << (r >> 8) % fraction;
    z = (z & 0x8000) | (z & (r >> 16 & 1 ? low : 3));
    break;
  case 4:
  case 5:
    y = (y & (low | 0x8000)) | (2 * bias + 1 - at - (uint32_t)(r >> 8 & 15)) % field << fraction;
    z &= r >> 16 & 1 ? 0x8000 | low : 0x8000;
    break;
  default:
    break;
  }
  v[0] = (uint16_t)x;
  v[1] = (uint16_t)y;
  v[2] = (uint16_t)z;
}

static void triples(lane_set_t *s, uint32_t from, uint32_t to) {
  for (uint32_t n = from; n < to; n++) {
    check_t t = {.state = UINT64_C(0x4100000000) + n};
    for (uint32_t k = 0; k < MILLION; k += 64) {
      for (unsigned i = 0; i < 64; i++) {
        uint16_t v[3];
        choose(&t, v);
        s->a[i] = v[0];
        s->b[i] = v[1];
        s->c[i] = v[2];
      }
      run_lanes(s);
      for (unsigned i = 0; i < 64; i++)
        judge(s, i, rounded(odd_sum(value[s->a[i]] * value[s->b[i]], value[s->c[i]])));
    }
  }
}

/* ---- f32 to a small format: walks up the magnitudes and changes the result at each middle. */
static int narrow(const char *name) {
  static narrow_table_t table;
  const narrow_kind_t *k = NULL;
  uint64_t wrong = 0;
  uint32_t expected = 0;
  for (unsigned n = 0; n < NARROW_SMALL; n++)
    if (strcmp(narrow_kind[n].name, name) == 0) k = &narrow_kind[n];
  if (k == NULL) return 2;
  narrow_make(&table, k);
  double middle = (table.number[0] + table.number[1]) / 2;
  for (uint32_t a = 0; a <= INT32_MAX; a++) {
    const double size = (double)check_float(a);
    while (expected < k->largest && (size > middle || (size == middle && (expected & 1)))) {
      expected++;
      middle = (table.number[expected] + table.number[expected + 1]) / 2;
    }
    const bool nan = size != size;
    const uint32_t high = nan ? k->nan : narrow_sign(k, true) | expected;
    const uint32_t want = high << k->up | (nan ? k->nan : expected);
    const uint32_t got = wl_narrow_pair(k->format, a | UINT32_C(1) << 31, a);
    if (got != want && wrong++ < 20) printf("%08x: got %08x, expected %08x\n", a, got, want);
  }
  printf("narrow %s: 4294967296 operands, %llu wrong\n", name, (unsigned long long)wrong);
  return wrong != 0;
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "narrow") == 0) return narrow(argv[2]);
  if (argc != 3 && argc != 5) return 2;
  const bool fma = strcmp(argv[1], "fma") == 0, add = strcmp(argv[1], "add") == 0;
  const uint32_t from = argc == 5 ? (uint32_t)strtoul(argv[3], NULL, 0) : 0;
  const uint32_t to = argc == 5 ? (uint32_t)strtoul(argv[4], NULL, 0) : fma ? 100 : PATTERNS;
  if (!fma && !add && strcmp(argv[1], "mul") != 0) return 2;
  if (!fma && to > PATTERNS) return 2;
  fraction = strcmp(argv[2], "f16") == 0 ? 10 : 7;
  for (uint32_t v = 0; v < PATTERNS; v++)
    value[v] = value_of(v);
  static lane_set_t s;
  open_lanes(&s);
  if (fma)
    triples(&s, from, to);
  else
    pairs(&s, add, from, to);
  printf("%s %s %u to %u: %llu results, %llu wrong\n", argv[1], fraction == 10 ? "f16" : "bf16",
         from, to, (unsigned long long)s.done, (unsigned long long)s.wrong);
  return s.wrong != 0 || s.done == 0;
}
