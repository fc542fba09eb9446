/* Where a sparse A's elements belong: a whole A, half of it zeros, is packed as PTX 9.7.14.6 says (the kept
 * elements of each chunk of k, four bits of metadata for each chunk, in the lanes that the selector names), and
 * the unit must give the plain product of matrices. Small integers, exact in every type; each form, each selector
 * that PTX defines, indices ascending and descending, signed and unsigned. */
#include <stdio.h>
#include <string.h>

#include "cmodel/sem/dot.h"
#include "cmodel/sem/sem.h"
#include "gen/wl_config.h"
#include "tests/common/check.h"
#include "tests/common/splitmix.h"

enum { M = 16, N = 8, MOST_K = 128, ROUNDS = 12 };

typedef struct form {
  wl_insn_dec_t insn;
  const wl_profile_t *profile; /* NULL: integers */
  unsigned bits, k;            /* of an element; of the whole A */
  unsigned chunk;              /* values of k of a chunk: 2 of tf32, 8 of 4 bits, else 4 */
} form_t;

typedef struct matrices {
  int a[M][MOST_K], b[MOST_K][N], c[M][N], d[M][N];
  int kept[M][MOST_K / 2];         /* elements that are kept, k ascending or as the indices say */
  unsigned indices[M][MOST_K / 2]; /* of a chunk: four bits */
} matrices_t;

static uint64_t state = 41;

static unsigned below(unsigned n) { return (unsigned)(wl_splitmix64(&state) >> 33) % n; }

static int value(const form_t *f, bool is_unsigned) {
  if (f->profile != NULL) return (int)below(7) - 3;
  return is_unsigned ? (int)below(f->bits == 4 ? 16 : 200) : (int)below(16) - 8;
}

/* One chunk of a row: which half of it is kept. */
static void draw_chunk(const form_t *f, matrices_t *x, unsigned row, unsigned chunk, bool descend) {
  const unsigned unit = f->bits == 4 ? 2 : 1; /* 4 bits: two neighbours go together */
  unsigned low = below(4), high = below(3);
  high += high >= low;
  if (low > high) {
    const unsigned t = low;
    low = high;
    high = t;
  }
  if (f->chunk == 2) { /* tf32: halves 0 and 1, or 2 and 3 */
    low &= 2;
    x->kept[row][chunk] = x->a[row][2 * chunk + low / 2] = value(f, false);
    x->indices[row][chunk] = low | (low + 1) << 2;
    return;
  }
  const unsigned first = descend ? high : low, second = descend ? low : high;
  for (unsigned i = 0; i < 2 * unit; i++) {
    const unsigned at = (i < unit ? first : second) * unit + i % unit;
    x->kept[row][chunk * 2 * unit + i] = x->a[row][chunk * f->chunk + at] = value(f, f->insn.ua);
  }
  x->indices[row][chunk] = first | second << 2;
}

static void draw(const form_t *f, matrices_t *x, bool descend) {
  memset(x, 0, sizeof *x);
  for (unsigned row = 0; row < M; row++)
    for (unsigned chunk = 0; chunk < f->k / f->chunk; chunk++)
      draw_chunk(f, x, row, chunk, descend && below(2) != 0);
  for (unsigned i = 0; i < f->k * N; i++)
    x->b[i / N][i % N] = value(f, f->insn.ub);
  for (unsigned i = 0; i < M * N; i++) {
    x->c[i / N][i % N] = x->d[i / N][i % N] = (int)i - 60;
    for (unsigned k = 0; k < f->k; k++)
      x->d[i / N][i % N] += x->a[i / N][k] * x->b[k][i % N];
  }
}

/* ---- words */
static uint32_t number(wl_fmt_t f, int n) {
  const unsigned magnitude = (unsigned)(n < 0 ? -n : n);
  if (magnitude == 0) return 0;
  const unsigned top = 31 - (unsigned)__builtin_clz(magnitude);
  const uint32_t fraction = (magnitude << (f.fraction_bits - top)) & ((1u << f.fraction_bits) - 1);
  return ((uint32_t)(n < 0) << (f.bits - 1) | ((uint32_t)f.bias + top) << f.fraction_bits |
          fraction)
         << f.low;
}

static uint32_t operand(const form_t *f, int n) {
  if (f->profile != NULL) return number(wl_fmt_of((wl_format_t)f->profile->format), n);
  return (uint32_t)n & ((1u << f->bits) - 1);
}

static uint32_t result(const form_t *f, int n) {
  return f->profile != NULL ? number(wl_fmt_of((wl_format_t)f->profile->result), n) : (uint32_t)n;
}

/* 9.7.14.6.2: registers of A are rows g, g + 8, then the same further in k; of B further in k. */
static void pack_operands(const form_t *f, const matrices_t *x, uint32_t (*word)[WL_LANES]) {
  const unsigned per = 32 / f->bits, a = f->insn.info->a;
  for (unsigned lane = 0; lane < WL_LANES; lane++) {
    const unsigned g = lane / 4, q = lane % 4;
    for (unsigned i = 0; i < a * per; i++) {
      const unsigned r = i / per, k = (q + r / 2 * 4) * per + i % per;
      word[r][lane] |= operand(f, x->kept[g + r % 2 * 8][k]) << i % per * f->bits;
    }
    for (unsigned i = 0; i < f->insn.info->b * per; i++) {
      const unsigned k = (q + i / per * 4) * per + i % per;
      word[a + i / per][lane] |= operand(f, x->b[k][g]) << i % per * f->bits;
    }
  }
}

static void pack_result(const form_t *f, const int from[M][N], uint32_t (*word)[WL_LANES]) {
  const bool halves = f->insn.info->d == 2;
  for (unsigned i = 0; i < WL_LANES * 4; i++) {
    const unsigned lane = i / 4, e = i % 4;
    const uint32_t v = result(f, from[lane / 4 + e / 2 * 8][lane % 4 * 2 + e % 2]);
    if (!halves)
      word[e][lane] = v;
    else
      word[e / 2][lane] = e % 2 == 0 ? v : word[e / 2][lane] | v << 16;
  }
}

/* 9.7.14.6.1: rows of 4 chunks: one lane of four has rows g (low half) and g + 8; of 8: a pair of lanes, with
 * 16 bits and more by columns, else by rows; of 16: every lane. Other lanes hold something else. */
static void pack_metadata(const form_t *f, const matrices_t *x, unsigned s, uint32_t e[WL_LANES]) {
  const unsigned chunks = f->k / f->chunk;
  for (unsigned lane = 0; lane < WL_LANES; lane++)
    e[lane] = (uint32_t)wl_splitmix64(&state);
  for (unsigned i = 0; i < M * chunks; i++) {
    const unsigned row = i / chunks, chunk = i % chunks, half = row / 8;
    unsigned lane = row % 8 * 4, at = chunk % 4 * 4 + 16 * half;
    if (chunks == 4) {
      lane += s;
    } else if (chunks == 8 && f->bits >= 16) {
      lane += 2 * s + chunk / 4;
    } else {
      lane += chunks == 8 ? 2 * s + half : half + chunk / 8 * 2;
      at = chunk % 8 * 4;
    }
    e[lane] = (e[lane] & ~(15u << at)) | x->indices[row][chunk] << at;
  }
}

static void check(const form_t *f, unsigned s, bool descend) {
  static matrices_t x;
  const wl_form_info_t *info = f->insn.info;
  const unsigned metadata = (unsigned)info->a + info->b + info->c;
  uint32_t word[16][WL_LANES] = {0}, d[4][WL_LANES], want[4][WL_LANES];
  draw(f, &x, descend);
  pack_operands(f, &x, word);
  pack_result(f, x.c, word + info->a + info->b);
  pack_result(f, x.d, want);
  for (unsigned i = 0; i < 4 * WL_LANES; i++) /* words 1 to 3 of x: anything */
    word[metadata + i / WL_LANES][i % WL_LANES] = (uint32_t)wl_splitmix64(&state);
  pack_metadata(f, &x, s, word[metadata]);
  wl_sem_tensor(&f->insn, (const uint32_t (*)[WL_LANES])word, d);
  for (unsigned w = 0; w < info->d; w++)
    for (unsigned lane = 0; lane < WL_LANES; lane++)
      CHECK(d[w][lane] == want[w][lane], "%s selector %u lane %u word %u: %08x, want %08x",
            info->name, s, lane, w, d[w][lane], want[w][lane]);
}

static bool take_form(unsigned id, unsigned s, unsigned mods, form_t *f) {
  uint32_t word[4] = {0};
  WL_WORD_SET(word, FORM, id);
  WL_WORD_SET(word, GUARD, WL_PRED_TRUE);
  WL_WORD_SET(word, SEL, s);
  if ((wl_form_info[id].mods & WL_MOD_UA) != 0) {
    WL_WORD_SET(word, UA, mods & 1);
    WL_WORD_SET(word, UB, mods >> 1);
  }
  if (wl_decode(word, WL_ANY_ROW, &f->insn) != WL_TRAP_NONE) return false;
  f->profile = wl_tensor_profile(f->insn.op);
  f->bits = f->profile == NULL ? (f->insn.op == WL_TENSOR_INT8 ? 8 : 4)
            : wl_fmt_of((wl_format_t)f->profile->format).bits == 16 ? 16
                                                                    : 32;
  f->chunk = f->bits == 32 ? 2 : f->bits == 4 ? 8 : 4;
  f->k = (f->insn.info->a == 4 ? 512 : 256) / f->bits;
  return true;
}

/* A configuration without TensorSparse knows no such form. */
static void check_rows(unsigned id) {
  for (unsigned c = 0; c < WL_NUM_CONFIGS; c++) {
    uint32_t word[4] = {0};
    wl_insn_dec_t insn;
    WL_WORD_SET(word, FORM, id);
    WL_WORD_SET(word, GUARD, WL_PRED_TRUE);
    const wl_trap_t trap = wl_decode(word, wl_configs[c].row, &insn);
    CHECK(trap == (wl_configs[c].tensor_sparse ? WL_TRAP_NONE : WL_TRAP_ILLEGAL_FORM),
          "%s in configuration %s: trap %d", wl_form_info[id].name, wl_configs[c].name, (int)trap);
  }
}

int main(void) {
  unsigned forms = 0;
  for (unsigned id = 0; id < WL_NUM_FORMS; id++) {
    form_t f;
    if (wl_form_info[id].unit != WL_UNIT_TENSOR || wl_form_info[id].x == 0) continue;
    forms++;
    check_rows(id);
    for (unsigned i = 0; i < 16 * ROUNDS; i++) {
      const unsigned s = i % 4, mods = i / 4 % 4;
      if (!take_form(id, s, mods, &f)) {
        CHECK(false, "%s", wl_form_info[id].name);
        break;
      }
      const unsigned chunks = f.k / f.chunk;
      if (s < (chunks == 4 ? 4u : chunks == 8 ? 2u : 1u))
        check(&f, s, i % 2 != 0 || i / 16 % 2 != 0);
    }
  }
  CHECK(forms == 12, "%u forms", forms);
  printf("%u forms, %d failures\n", forms, failures);
  return failures != 0;
}
