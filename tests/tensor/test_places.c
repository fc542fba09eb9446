/* Where elements of fragments lie: products of small integers, exact in every type, laid out by a table
 * that others made (places.txt). Each form of the unit without metadata, signed and unsigned. Usage: test_places places.txt */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/sem/dot.h"
#include "cmodel/sem/sem.h"
#include "tests/common/check.h"
#include "tests/common/splitmix.h"

enum { ROUNDS = 16, MOST_M = 16, MOST_K = 256, N = 8, FACTORS = 4 };

typedef struct factors {
  unsigned count, size[FACTORS], stride[FACTORS];
} factors_t;

typedef struct places { /* of a matrix: element `e` of a lane is at lane's + element's place */
  factors_t lane, element;
} places_t;

typedef struct shape {
  unsigned m, k, bits;
  places_t a, b, c;
} shape_t;

typedef struct matrices {
  int a[MOST_M * MOST_K], b[N * MOST_K], c[MOST_M * N], d[MOST_M * N];
} matrices_t;

static uint64_t state = 40;

static unsigned place(const factors_t *f, unsigned index) {
  unsigned at = 0;
  for (unsigned i = 0; i < f->count; i++) {
    at += index % f->size[i] * f->stride[i];
    index /= f->size[i];
  }
  return at;
}

static unsigned size_of(const factors_t *f) {
  unsigned n = 1;
  for (unsigned i = 0; i < f->count; i++)
    n *= f->size[i];
  return n;
}

/* ---- the table */
static const char *read_factors(const char *at, factors_t *f) {
  unsigned size, stride;
  int n;
  for (f->count = 0; sscanf(at, " %u:%u%n", &size, &stride, &n) == 2; at += n) {
    if (f->count == FACTORS) return NULL;
    f->size[f->count] = size;
    f->stride[f->count++] = stride;
  }
  return at;
}

static bool read_places(const char *line, places_t *p) {
  const char *at = strstr(line, " lane ");
  at = at != NULL ? read_factors(at + strlen(" lane "), &p->lane) : NULL;
  at = at != NULL ? strstr(at, " element ") : NULL;
  return at != NULL && read_factors(at + strlen(" element "), &p->element) != NULL;
}

/* Three lines of a shape. */
static bool read_shape(FILE *in, shape_t *s) {
  char line[200];
  for (unsigned matrix = 0; matrix < 3;) {
    char which = 0;
    if (fgets(line, sizeof line, in) == NULL) return false;
    if (line[0] == '#') continue;
    if (sscanf(line, "m%un8k%u %u %c", &s->m, &s->k, &s->bits, &which) != 4 ||
        which != "ABC"[matrix] ||
        !read_places(line, matrix == 0   ? &s->a
                           : matrix == 1 ? &s->b
                                         : &s->c)) {
      CHECK(false, "%s", line);
      return false;
    }
    matrix++;
  }
  return true;
}

/* Each place belongs to one element of one lane. */
static void check_cover(const shape_t *s, const places_t *p, unsigned places) {
  static uint8_t seen[MOST_M * MOST_K];
  memset(seen, 0, sizeof seen);
  for (unsigned i = 0; i < WL_LANES * size_of(&p->element); i++) {
    const unsigned at = place(&p->lane, i % WL_LANES) + place(&p->element, i / WL_LANES);
    if (at < places) seen[at]++;
  }
  for (unsigned i = 0; i < places; i++)
    CHECK(seen[i] == 1, "m%un8k%u of %u bits: place %u is held %u times", s->m, s->k, s->bits, i,
          seen[i]);
}

/* ---- values */
static uint32_t encode(wl_fmt_t f, int value) {
  const unsigned magnitude = (unsigned)(value < 0 ? -value : value);
  if (magnitude == 0) return 0;
  const unsigned top = 31 - (unsigned)__builtin_clz(magnitude);
  const uint32_t fraction = (magnitude << (f.fraction_bits - top)) & ((1u << f.fraction_bits) - 1);
  const uint32_t exponent = (uint32_t)f.bias + top;
  return ((uint32_t)(value < 0) << (f.bits - 1) | exponent << f.fraction_bits | fraction) << f.low;
}

typedef struct kind { /* a form with its modifiers */
  wl_insn_dec_t insn;
  const wl_profile_t *profile; /* NULL: integers */
} kind_t;

static uint32_t operand_bits(const kind_t *k, unsigned bits, int value) {
  if (k->profile != NULL) return encode(wl_fmt_of((wl_format_t)k->profile->format), value);
  return (uint32_t)value & (bits == 32 ? UINT32_MAX : (1u << bits) - 1);
}

static uint32_t result_bits(const kind_t *k, int value) {
  return k->profile != NULL ? encode(wl_fmt_of((wl_format_t)k->profile->result), value)
                            : (uint32_t)value;
}

static int label(const kind_t *k, unsigned bits, bool is_unsigned) {
  const unsigned n = (unsigned)(wl_splitmix64(&state) >> 33);
  if (k->profile != NULL) return (int)(n % 7) - 3;
  if (bits == 1) return (int)(n % 2);
  const int least = is_unsigned ? 0 : -(1 << (bits - 1));
  return least + (int)(n % (1u << bits));
}

static void draw(const kind_t *k, const shape_t *s, matrices_t *x) {
  for (unsigned i = 0; i < s->m * s->k; i++)
    x->a[i] = label(k, s->bits, k->insn.ua);
  for (unsigned i = 0; i < N * s->k; i++)
    x->b[i] = label(k, s->bits, k->insn.ub);
  for (unsigned i = 0; i < s->m * N; i++) {
    x->c[i] = x->d[i] = (int)i + 1;
    for (unsigned n = 0; n < s->k; n++) {
      const int a = x->a[i % s->m + s->m * n], b = x->b[i / s->m + N * n];
      x->d[i] += k->insn.bx ? a != b : a * b;
    }
  }
}

/* Words of a fragment in register order, elements from bit 0 on. */
static void pack(const places_t *p, unsigned bits, const int *matrix, const kind_t *k,
                 uint32_t (*code)(const kind_t *, unsigned, int), uint32_t (*word)[WL_LANES]) {
  const unsigned elements = size_of(&p->element), per = 32 / bits;
  for (unsigned lane = 0; lane < WL_LANES; lane++)
    for (unsigned e = 0; e < elements; e++) {
      if (e % per == 0) word[e / per][lane] = 0;
      word[e / per][lane] |= code(k, bits, matrix[place(&p->lane, lane) + place(&p->element, e)])
                             << bits * (e % per);
    }
}

static uint32_t code_result(const kind_t *k, unsigned bits, int value) {
  (void)bits;
  return result_bits(k, value);
}

static void check_form(const kind_t *k, const shape_t *s) {
  static matrices_t x;
  const wl_form_info_t *f = k->insn.info;
  const bool halves = k->profile != NULL && k->profile->result == WL_FORMAT_F16;
  uint32_t word[16][WL_LANES], d[4][WL_LANES], want[4][WL_LANES];
  for (unsigned round = 0; round < ROUNDS; round++) {
    draw(k, s, &x);
    pack(&s->a, s->bits, x.a, k, operand_bits, word);
    pack(&s->b, s->bits, x.b, k, operand_bits, word + f->a);
    pack(&s->c, halves ? 16 : 32, x.c, k, code_result, word + f->a + f->b);
    pack(&s->c, halves ? 16 : 32, x.d, k, code_result, want);
    wl_sem_tensor(&k->insn, (const uint32_t (*)[WL_LANES])word, d);
    for (unsigned w = 0; w < f->d; w++)
      for (unsigned lane = 0; lane < WL_LANES; lane++)
        CHECK(d[w][lane] == want[w][lane], "%s lane %u word %u: %08x, want %08x", f->name, lane, w,
              d[w][lane], want[w][lane]);
  }
}

static unsigned bits_of(const wl_form_info_t *f) {
  const wl_profile_t *p = wl_tensor_profile(f->op);
  if (p != NULL) return wl_fmt_of((wl_format_t)p->format).bits == 16 ? 16 : 32;
  return f->op == WL_TENSOR_INT8 ? 8 : f->op == WL_TENSOR_INT4 ? 4 : 1;
}

/* All forms of the geometry, with all of their modifiers but `sat`. */
static unsigned check_shape(const shape_t *s) {
  unsigned forms = 0;
  for (unsigned form = 0; form < WL_NUM_FORMS; form++) {
    const wl_form_info_t *f = &wl_form_info[form];
    if (f->unit != WL_UNIT_TENSOR || bits_of(f) != s->bits ||
        f->a != s->m * s->k * s->bits / 1024 || f->b != N * s->k * s->bits / 1024)
      continue;
    for (uint32_t mods = 0; mods < (f->mods != 0 ? 4u : 1u); mods++) {
      uint32_t word[4] = {0};
      WL_WORD_SET(word, FORM, form);
      WL_WORD_SET(word, GUARD, WL_PRED_TRUE);
      if (s->bits == 1)
        WL_WORD_SET(word, BX, mods & 1);
      else if (f->mods != 0)
        WL_WORD_SET(word, UA, mods & 1);
      if (s->bits != 1 && f->mods != 0) WL_WORD_SET(word, UB, mods >> 1);
      kind_t k = {.profile = wl_tensor_profile(f->op)};
      CHECK(wl_decode(word, WL_ANY_ROW, &k.insn) == WL_TRAP_NONE, "%s", f->name);
      check_form(&k, s);
    }
    forms++;
  }
  return forms;
}

int main(int argc, char **argv) {
  FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
  unsigned forms = 0, all = 0;
  shape_t s;
  if (in == NULL) return 2;
  while (read_shape(in, &s)) {
    check_cover(&s, &s.a, s.m * s.k);
    check_cover(&s, &s.b, N * s.k);
    check_cover(&s, &s.c, s.m * N);
    forms += check_shape(&s);
  }
  fclose(in);
  for (unsigned form = 0; form < WL_NUM_FORMS; form++)
    all += wl_form_info[form].unit == WL_UNIT_TENSOR && wl_form_info[form].x == 0;
  CHECK(forms == all, "%u of %u forms have a row", forms, all);
  printf("%u forms, %d failures\n", forms, failures);
  return failures != 0;
}
