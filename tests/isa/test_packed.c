/* Packed integers (cmodel/sem/sem_packed.c) and additions with carry. Bytes: all pairs, each in each of
 * the four places, with all modifiers; 16 bits: pairs of boundary values and random ones, in the host's
 * integer types. ADDC: chains of four words against integers of 128 bits, and single steps. */
#include <stdlib.h>

#include "tests/isa/lanes.h"

typedef struct packed_kind {
  uint32_t form;
  bool sat, neg_b, relu, bytes, uns;
} packed_kind_t;

static bool is_add(uint32_t form) { return form == WL_FORM_ADDV_RR || form == WL_FORM_ADDV_RI; }
static bool is_min(uint32_t form) { return form == WL_FORM_MINV_RR || form == WL_FORM_MINV_RI; }

static long number(const packed_kind_t *k, uint32_t raw) {
  if (k->bytes) return k->uns ? (long)(uint8_t)raw : (long)(int8_t)(uint8_t)raw;
  return k->uns ? (long)(uint16_t)raw : (long)(int16_t)(uint16_t)raw;
}

static uint32_t part_witness(const packed_kind_t *k, uint32_t a, uint32_t b) {
  const long x = number(k, a), y = number(k, b), span = k->bytes ? 256 : 65536;
  const long least = k->uns ? 0 : -span / 2, most = least + span - 1;
  long d;
  if (is_add(k->form)) {
    d = k->neg_b ? x - y : x + y;
    if (k->sat) d = d > most ? most : d < least ? least : d;
  } else {
    d = is_min(k->form) ? (x <= y ? x : y) : (x >= y ? x : y);
    if (k->relu && d < 0) d = 0;
  }
  return (uint32_t)((d + 2 * span) % span);
}

static uint32_t word_witness(const packed_kind_t *k, uint32_t a, uint32_t b) {
  const unsigned bits = k->bytes ? 8 : 16;
  const uint32_t all = (1u << bits) - 1;
  uint32_t d = 0;
  for (unsigned at = 0; at < 32; at += bits)
    d |= part_witness(k, a >> at & all, b >> at & all) << at;
  return d;
}

static packed_kind_t kind_of(uint32_t form, uint32_t mods) {
  packed_kind_t k = {.form = form, .bytes = mods & 1, .uns = mods >> 1 & 1};
  if (is_add(form))
    k.sat = mods >> 2 & 1, k.neg_b = mods >> 3 & 1;
  else
    k.relu = mods >> 2 & 1;
  return k;
}

/* The operands are in the lanes. */
static void run_packed(check_t *t, const packed_kind_t *k, lanes_t *l, uint32_t imm) {
  uint32_t word[4] = {k->form, 0, 0, 0};
  WL_WORD_SET(word, BYTES, k->bytes);
  WL_WORD_SET(word, UNS, k->uns);
  if (is_add(k->form)) {
    WL_WORD_SET(word, SAT, k->sat);
    WL_WORD_SET(word, NEG_B, k->neg_b);
  } else {
    WL_WORD_SET(word, RELU, k->relu);
  }
  if (wl_form_info[k->form].imm != WL_IMM_NONE) word[2] = imm;
  if (!lanes_decode(l, word) || !lanes_run(l)) {
    (void)check_equal(t, 0, 1);
    printf("form %u: refused\n", word[0]);
    return;
  }
  const bool immediate = l->dec.info->imm != WL_IMM_NONE;
  for (unsigned i = 0; i < 32; i++) {
    const uint32_t a = l->a[0][i], b = immediate ? imm : l->b[0][i];
    const uint32_t expected = word_witness(k, a, b);
    if (!check_equal(t, l->d[0][i], expected) && check_print(t))
      printf("%s a %08x b %08x sat %d neg_b %d relu %d bytes %d uns %d: got %08x, expected %08x\n",
             l->dec.info->name, a, b, k->sat, k->neg_b, k->relu, k->bytes, k->uns, l->d[0][i],
             expected);
  }
}

/* The places of a lane hold pairs that are far apart; each place sees all pairs. */
static void all_byte_pairs(check_t *t, const packed_kind_t *k) {
  for (uint32_t n = 0; n < 0x10000; n += 32) {
    lanes_t l = {.mask = UINT32_MAX};
    for (uint32_t i = 0; i < 32; i++)
      for (uint32_t place = 0; place < 4; place++) {
        const uint32_t pair = (n + i + place * 0x3b5d) & 0xffff;
        l.a[0][i] |= (pair & 0xff) << 8 * place;
        l.b[0][i] |= (pair >> 8) << 8 * place;
      }
    run_packed(t, k, &l, 0);
  }
}

/* Around the powers of two and their negatives. */
static uint32_t boundary(unsigned i) {
  const uint32_t around = (1u << i / 6 % 16) + i % 3 - 1;
  return (i / 3 & 1 ? 0 - around : around) & 0xffff;
}

static void boundary_pairs(check_t *t, const packed_kind_t *k) {
  const unsigned count = 6 * 16;
  for (unsigned n = 0; n < count * count; n += 32) {
    lanes_t l = {.mask = UINT32_MAX};
    for (unsigned i = 0; i < 32; i++) {
      const uint32_t other = (uint32_t)check_random(t);
      const unsigned up = other & 16; /* the other half is random */
      l.a[0][i] = boundary((n + i) % count) << up | (other >> 8 & 0xffff) << (16 - up);
      l.b[0][i] = boundary((n + i) / count) << up | (uint32_t)(check_random(t) & 0xffff)
                                                        << (16 - up);
    }
    run_packed(t, k, &l, 0);
  }
}

static void random_pairs(check_t *t, const packed_kind_t *k, long count) {
  for (long n = 0; n < count; n += 32) {
    lanes_t l;
    lanes_random(&l, t, check_word);
    l.mask = UINT32_MAX;
    run_packed(t, k, &l, check_word(t));
  }
}

/* ---- carry */
static void run_carry(check_t *t, lanes_t *l, uint32_t form, bool neg_b, uint32_t imm) {
  uint32_t word[4] = {form, 0, 0, 0};
  WL_WORD_SET(word, NEG_B, neg_b);
  WL_WORD_SET(word, PD, 0);
  WL_WORD_SET(word, PS, 1);
  if (wl_form_info[form].imm != WL_IMM_NONE) word[2] = imm;
  if (!lanes_decode(l, word) || !lanes_run(l)) {
    (void)check_equal(t, 0, 1);
    printf("form %u: refused\n", form);
  }
}

static uint32_t carry_word(check_t *t) {
  const uint32_t r = (uint32_t)check_random(t);
  return r % 4 == 0 ? 0 : r % 4 == 1 ? UINT32_MAX : check_word(t);
}

/* One step with any s: p is not set outside the mask. */
static void single_step(check_t *t, uint32_t form, bool neg_b) {
  const uint32_t imm = carry_word(t);
  lanes_t l;
  lanes_random(&l, t, carry_word);
  run_carry(t, &l, form, neg_b, imm);
  const bool immediate = wl_form_info[form].imm != WL_IMM_NONE;
  for (unsigned i = 0; i < 32; i++) {
    const bool on = l.mask >> i & 1;
    const uint32_t b = immediate ? imm : l.b[0][i];
    const uint64_t sum = (uint64_t)l.a[0][i] + (neg_b ? ~b : b) + (l.s >> i & 1);
    const bool right = !on || l.d[0][i] == (uint32_t)sum;
    const bool carry = on && sum > UINT32_MAX;
    if (!check_equal(t, (l.p >> i & 1) == carry && right, 1) && check_print(t))
      printf("%s a %08x b %08x neg_b %d s %u: got %08x, p %u\n", l.dec.info->name, l.a[0][i], b,
             neg_b, l.s >> i & 1, l.d[0][i], l.p >> i & 1);
  }
}

__extension__ typedef unsigned __int128 wide_t;
enum { WORDS = 4 };

/* The sum or the difference of 128 bits and what leaves it at the top. */
static void chain(check_t *t, bool subtract) {
  uint32_t a[WORDS][32], b[WORDS][32], d[WORDS][32], carry = subtract ? UINT32_MAX : 0;
  for (unsigned w = 0; w < WORDS; w++) {
    lanes_t l;
    lanes_random(&l, t, carry_word);
    memcpy(a[w], l.a[0], sizeof a[w]);
    memcpy(b[w], l.b[0], sizeof b[w]);
    l.mask = UINT32_MAX;
    l.s = carry;
    run_carry(t, &l, WL_FORM_ADDC_RR, subtract, 0);
    memcpy(d[w], l.d[0], sizeof d[w]);
    carry = l.p;
  }
  for (unsigned i = 0; i < 32; i++) {
    wide_t x = 0, y = 0, got = 0;
    for (unsigned w = WORDS; w-- > 0;) {
      x = x << 32 | a[w][i];
      y = y << 32 | b[w][i];
      got = got << 32 | d[w][i];
    }
    const wide_t expected = subtract ? x - y : x + y;
    const bool out = subtract ? x >= y : expected < x;
    if (!check_equal(t, got == expected && (carry >> i & 1) == out, 1) && check_print(t))
      printf("128 bits %s, lane %u: wrong\n", subtract ? "difference" : "sum", i);
  }
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 20000;
  static const uint32_t forms[] = {WL_FORM_ADDV_RR, WL_FORM_MINV_RR, WL_FORM_MAXV_RR,
                                   WL_FORM_ADDV_RI, WL_FORM_MINV_RI, WL_FORM_MAXV_RI};
  check_t t = {.state = 43};
  for (unsigned f = 0; f < 6; f++)
    for (uint32_t mods = 0; mods < (is_add(forms[f]) ? 16u : 8u); mods++) {
      const packed_kind_t k = kind_of(forms[f], mods);
      if (f < 3 && k.bytes) all_byte_pairs(&t, &k);
      if (f < 3 && !k.bytes) boundary_pairs(&t, &k);
      random_pairs(&t, &k, count);
    }
  for (long n = 0; n < count / 32; n++) {
    single_step(&t, n & 1 ? WL_FORM_ADDC_RR : WL_FORM_ADDC_RI, n >> 1 & 1);
    chain(&t, n & 1);
  }
  return check_done(&t, "packed");
}
