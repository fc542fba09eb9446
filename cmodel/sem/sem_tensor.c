/* What an instruction of the tensor unit computes (docs/microarchitecture.md 19): where elements lie in
 * the words of the warp, sums of integers, and the partners of the elements of a sparse A. Sums of
 * floats: dot.h. */
#include <string.h>

#include "cmodel/sem/dot.h"
#include "cmodel/sem/sem.h"

/* K in words: 32 bytes. Elements of a word are at most 8 here, so a row has 64. A column beside a sparse
 * A has twice as many. */
enum { ROWS = WL_DOT_ROWS, COLUMNS = WL_DOT_COLUMNS, WORDS = 8, MOST_K = 64 };

typedef struct product {
  unsigned rows, words;           /* of A; of a row of A */
  uint32_t a[ROWS][WORDS];        /* words of the rows of A */
  uint32_t b[COLUMNS][2 * WORDS]; /* words of the columns of B */
  uint32_t c[ROWS][COLUMNS];      /* C, then D */
} product_t;

/* ---- places */
static void gather(product_t *p, const wl_form_info_t *info, const uint32_t (*word)[WL_LANES]) {
  p->rows = info->a == 1 ? 8 : 16;
  p->words = info->a == 4 ? 8 : 4;
  for (unsigned lane = 0; lane < WL_LANES; lane++) {
    const unsigned g = lane / 4, q = lane % 4;
    for (unsigned r = 0; r < info->a; r++)
      p->a[g + 8 * (r % 2)][q + 4 * (r / 2)] = word[r][lane];
    for (unsigned r = 0; r < info->b; r++)
      p->b[g][q + 4 * r] = word[info->a + r][lane];
  }
}

/* Words of C or D, from and to the matrix. Two elements of a lane's row: two words, or the halves of one. */
static void spread(const product_t *p, bool halves, uint32_t (*word)[WL_LANES]) {
  for (unsigned lane = 0; lane < WL_LANES; lane++) {
    const unsigned g = lane / 4, q = lane % 4;
    for (unsigned i = 0; i < p->rows / 8; i++) {
      const uint32_t *two = &p->c[g + 8 * i][2 * q];
      if (halves) {
        word[i][lane] = two[0] | two[1] << 16;
      } else {
        word[2 * i][lane] = two[0];
        word[2 * i + 1][lane] = two[1];
      }
    }
  }
}

static void collect(product_t *p, bool halves, const uint32_t (*word)[WL_LANES]) {
  for (unsigned lane = 0; lane < WL_LANES; lane++) {
    const unsigned g = lane / 4, q = lane % 4;
    for (unsigned i = 0; i < p->rows / 8; i++) {
      uint32_t *two = &p->c[g + 8 * i][2 * q];
      two[0] = halves ? word[i][lane] & 0xffff : word[2 * i][lane];
      two[1] = halves ? word[i][lane] >> 16 : word[2 * i + 1][lane];
    }
  }
}

/* ---- floats */
static void values(const uint32_t *words, unsigned num, bool pairs, uint32_t out[WL_DOT_TERMS]) {
  for (unsigned w = 0; w < num; w++) {
    if (!pairs) {
      out[w] = words[w];
    } else {
      out[2 * w] = words[w] & 0xffff;
      out[2 * w + 1] = words[w] >> 16;
    }
  }
}

static void floats(product_t *p, const wl_profile_t *profile) {
  uint32_t a[ROWS][WL_DOT_TERMS], b[COLUMNS][WL_DOT_TERMS];
  const bool pairs = wl_fmt_of((wl_format_t)profile->format).bits == 16;
  for (unsigned r = 0; r < p->rows; r++)
    values(p->a[r], p->words, pairs, a[r]);
  for (unsigned c = 0; c < COLUMNS; c++)
    values(p->b[c], p->words, pairs, b[c]);
  wl_dot_matrix(profile, p->rows, pairs ? 2 * p->words : p->words, a, b, p->c);
}

/* ---- integers */
static void elements(const uint32_t *words, unsigned num, unsigned bits, bool is_unsigned,
                     int16_t out[MOST_K]) {
  const uint32_t mask = (1u << bits) - 1, sign = is_unsigned ? 0 : 1u << (bits - 1);
  const unsigned per = 32 / bits;
  for (unsigned w = 0; w < num; w++)
    for (unsigned i = 0; i < per; i++) {
      const uint32_t x = words[w] >> (bits * i) & mask;
      out[per * w + i] = (int16_t)((int32_t)(x ^ sign) - (int32_t)sign);
    }
}

static uint32_t clamp(int64_t sum) {
  if (sum > INT32_MAX) return INT32_MAX;
  return sum < INT32_MIN ? (uint32_t)INT32_MIN : (uint32_t)sum;
}

static int32_t sum_of(const int16_t a[MOST_K], const int16_t b[MOST_K], unsigned count) {
  int32_t sum = 0;
  for (unsigned k = 0; k < count; k++)
    sum += a[k] * b[k];
  return sum;
}

static void integers(product_t *p, const wl_insn_dec_t *insn, unsigned bits) {
  int16_t a[ROWS][MOST_K], b[COLUMNS][MOST_K];
  const unsigned count = p->words * (32 / bits);
  for (unsigned r = 0; r < p->rows; r++)
    elements(p->a[r], p->words, bits, insn->ua, a[r]);
  for (unsigned c = 0; c < COLUMNS; c++)
    elements(p->b[c], p->words, bits, insn->ub, b[c]);
  for (unsigned r = 0; r < p->rows; r++)
    for (unsigned c = 0; c < COLUMNS; c++) {
      const int64_t sum = (int64_t)(int32_t)p->c[r][c] + sum_of(a[r], b[c], count);
      p->c[r][c] = insn->sat ? clamp(sum) : (uint32_t)sum;
    }
}

static void bits(product_t *p, bool differ) {
  for (unsigned r = 0; r < p->rows; r++)
    for (unsigned c = 0; c < COLUMNS; c++)
      for (unsigned w = 0; w < p->words; w++) {
        const uint32_t a = p->a[r][w], b = p->b[c][w];
        p->c[r][c] += (uint32_t)__builtin_popcount(differ ? a ^ b : a & b);
      }
}

static void multiply(product_t *p, const wl_insn_dec_t *insn, const wl_profile_t *profile) {
  if (profile != NULL)
    floats(p, profile);
  else if (insn->op == WL_TENSOR_BIT)
    bits(p, insn->bx);
  else
    integers(p, insn, insn->op == WL_TENSOR_INT8 ? 8 : 4);
}

/* ---- sparse A (19.3) */
/* The string of bits of a row's places. */
static uint64_t places(const wl_insn_dec_t *insn, bool wide, const uint32_t e[WL_LANES],
                       unsigned row) {
  const uint32_t *lane = &e[4 * (row % 8)];
  const unsigned h = row / 8, s = insn->sel;
  if (insn->info->a == 4 && wide) {
    lane += 2 * (s % 2);
    return (lane[0] >> (16 * h) & 0xffff) | (uint64_t)(lane[1] >> (16 * h) & 0xffff) << 16;
  }
  if (insn->info->a == 4) return lane[h] | (uint64_t)lane[h + 2] << 32;
  return wide ? lane[s] >> (16 * h) & 0xffff : lane[2 * (s % 2) + h];
}

/* What a row of A is multiplied by: of each column the words of its elements' partners. Halves of an
 * element of 32 bits have each its own, two elements of 4 bits go together: they count as 16 and 8 bits. */
static void choose(const product_t *p, unsigned bits, uint64_t string,
                   uint32_t out[COLUMNS][2 * WORDS]) {
  const unsigned per = 32 / bits;
  const uint32_t mask = (1u << bits) - 1;
  memset(out, 0, sizeof(uint32_t[COLUMNS][2 * WORDS]));
  for (unsigned k = 0; k < p->words * per; k++) {
    const unsigned at = 4 * (k / 2) + (unsigned)(string >> 2 * k & 3);
    for (unsigned c = 0; c < COLUMNS; c++)
      out[c][k / per] |= (p->b[c][at / per] >> bits * (at % per) & mask) << bits * (k % per);
  }
}

static void sparse(product_t *p, const wl_insn_dec_t *insn, const wl_profile_t *profile,
                   const uint32_t e[WL_LANES]) {
  const unsigned bits = profile == NULL ? 8 : 16;
  for (unsigned r = 0; r < p->rows; r++) {
    product_t row = {.rows = 1, .words = p->words};
    memcpy(row.a[0], p->a[r], sizeof row.a[0]);
    memcpy(row.c[0], p->c[r], sizeof row.c[0]);
    choose(p, bits, places(insn, profile != NULL, e, r), row.b);
    multiply(&row, insn, profile);
    memcpy(p->c[r], row.c[0], sizeof row.c[0]);
  }
}

void wl_sem_tensor(const wl_insn_dec_t *insn, const uint32_t (*word)[WL_LANES],
                   uint32_t (*d)[WL_LANES]) {
  const wl_form_info_t *info = insn->info;
  const wl_profile_t *profile = wl_tensor_profile(insn->op);
  const bool halves = profile != NULL && profile->result == WL_FORMAT_F16;
  product_t p;
  gather(&p, info, word);
  collect(&p, halves, word + info->a + info->b);
  if (info->x != 0)
    sparse(&p, insn, profile, word[info->a + info->b + info->c]);
  else
    multiply(&p, insn, profile);
  spread(&p, halves, d);
}
