/* Atomic operations and extension of loaded values against wider integers (PTX 9.7.13.6, 9.7.9.8).
 */
#include <math.h>

#include "cmodel/sem/sem.h"
#include "tests/isa/check.h"

static uint64_t low_bytes(uint64_t x, int bytes) {
  return bytes == 8 ? x : x & ((UINT64_C(1) << 8 * bytes) - 1);
}

static __int128 number_of(wl_mem_type_t type, uint64_t x) {
  if (type == WL_MEM_TYPE_S64) return (int64_t)x;
  if (type == WL_MEM_TYPE_S32) return (int32_t)(uint32_t)x;
  return (__int128)x;
}

static uint64_t expected(const wl_form_info_t *f, bool ftz, uint64_t old, uint64_t b, uint64_t c) {
  const int bytes = f->d == 2 ? 8 : 4;
  const __int128 x = number_of((wl_mem_type_t)f->type, old),
                 y = number_of((wl_mem_type_t)f->type, b);
  uint64_t d = 0;
  switch (f->atom) {
  case WL_ATOM_OP_ADD:
    if (f->type == WL_MEM_TYPE_F32) {
      uint32_t p = (uint32_t)old, q = (uint32_t)b;
      if (ftz && !(p & 0x7f800000)) p &= 0x80000000;
      if (ftz && !(q & 0x7f800000)) q &= 0x80000000;
      const volatile float u = check_float(p), v = check_float(q);
      const volatile float sum = u + v;
      if (isnan(sum)) return 0x7fffffff;
      const uint32_t bits = check_bits(sum); /* a subnormal sum is exact: no question of rounding */
      return ftz && !(bits & 0x7f800000) ? bits & 0x80000000 : bits;
    }
    d = (uint64_t)(x + y);
    break;
  case WL_ATOM_OP_MIN:
    d = (uint64_t)(x < y ? x : y);
    break;
  case WL_ATOM_OP_MAX:
    d = (uint64_t)(x > y ? x : y);
    break;
  case WL_ATOM_OP_INC:
    d = x >= y ? 0 : old + 1;
    break;
  case WL_ATOM_OP_DEC:
    d = x == 0 || x > y ? b : old - 1;
    break;
  case WL_ATOM_OP_AND:
    d = old & b;
    break;
  case WL_ATOM_OP_OR:
    d = old | b;
    break;
  case WL_ATOM_OP_XOR:
    d = old ^ b;
    break;
  case WL_ATOM_OP_EXCH:
    d = b;
    break;
  case WL_ATOM_OP_CAS:
    d = old == b ? c : old;
    break;
  }
  return low_bytes(d, bytes);
}

static uint64_t operand(check_t *t, const wl_form_info_t *f) {
  if (f->type == WL_MEM_TYPE_F32) return check_f32(t);
  const uint64_t low = check_word(t);
  return f->d == 2 ? low | (uint64_t)check_word(t) << 32 : low;
}

/* The same by words, as memory has them. */
static uint64_t by_words(const wl_form_info_t *f, bool ftz, uint64_t old, uint64_t b, uint64_t c) {
  const uint32_t was[2] = {(uint32_t)old, (uint32_t)(old >> 32)};
  const uint32_t y[2] = {(uint32_t)b, (uint32_t)(b >> 32)},
                 z[2] = {(uint32_t)c, (uint32_t)(c >> 32)};
  uint32_t value[2] = {0};
  wl_sem_atom_words((wl_atom_op_t)f->atom, (wl_mem_type_t)f->type, ftz, was, y, z, value);
  return value[0] | (uint64_t)value[1] << 32;
}

/* What stands above a type of 32 bits does not count (sem.h). */
static uint64_t above(check_t *t, const wl_form_info_t *f, uint64_t x) {
  return f->d == 2 ? x : x | check_random(t) << 32;
}

static void check_form(check_t *t, const wl_form_info_t *f) {
  for (int n = 0; n < 4000; n++) {
    const uint64_t old = operand(t, f), c = operand(t, f);
    const uint64_t b = n % 4 == 0 ? old : operand(t, f);
    const bool ftz = n & 1;
    const uint64_t p = above(t, f, old), q = above(t, f, b), r = above(t, f, c);
    const uint64_t got = wl_sem_atom((wl_atom_op_t)f->atom, (wl_mem_type_t)f->type, ftz, p, q, r);
    const uint64_t want = expected(f, ftz, old, b, c);
    if (!check_equal(t, got, want) && check_print(t))
      printf("%s ftz %d old %llx b %llx c %llx: got %llx, expected %llx\n", f->name, ftz,
             (unsigned long long)old, (unsigned long long)b, (unsigned long long)c,
             (unsigned long long)got, (unsigned long long)want);
    const uint64_t words = by_words(f, ftz, old, b, c);
    if (!check_equal(t, words, want) && check_print(t))
      printf("%s by words: got %llx, expected %llx\n", f->name, (unsigned long long)words,
             (unsigned long long)want);
  }
}

/* ---- 128 bits: exch and cas */
typedef unsigned __int128 wide_t;

static wide_t wide_of(const uint32_t *word) {
  wide_t x = 0;
  for (int k = 4; k-- > 0;)
    x = x << 32 | word[k];
  return x;
}

static void split(wide_t x, uint32_t *word) {
  for (int k = 0; k < 4; k++)
    word[k] = (uint32_t)(x >> 32 * k);
}

static wide_t wide_operand(check_t *t) {
  uint32_t word[4];
  for (int k = 0; k < 4; k++)
    word[k] = check_word(t);
  return wide_of(word);
}

static void check_wide_case(check_t *t, const wl_form_info_t *f, wide_t old, wide_t b, wide_t c) {
  uint32_t was[4], y[4], z[4], value[4];
  split(old, was);
  split(b, y);
  split(c, z);
  wl_sem_atom_words((wl_atom_op_t)f->atom, (wl_mem_type_t)f->type, false, was, y, z, value);
  const wide_t want = f->atom == WL_ATOM_OP_EXCH ? b : old == b ? c : old;
  const wide_t got = wide_of(value);
  if (!check_equal(t, got == want, 1) && check_print(t))
    printf("%s: got %08x %08x %08x %08x\n", f->name, (unsigned)value[3], (unsigned)value[2],
           (unsigned)value[1], (unsigned)value[0]);
}

static void check_wide_form(check_t *t, const wl_form_info_t *f) {
  for (int n = 0; n < 4000; n++) {
    const wide_t old = wide_operand(t), c = wide_operand(t);
    check_wide_case(t, f, old, n % 4 == 0 ? old : wide_operand(t), c);
  }
  for (int bit = 0; bit < 128; bit++) { /* no bit is left out of the comparison */
    const wide_t old = wide_operand(t);
    check_wide_case(t, f, old, old ^ (wide_t)1 << bit, wide_operand(t));
  }
}

static void check_types(check_t *t) {
  static const struct {
    wl_mem_type_t type;
    unsigned bytes;
    uint32_t word; /* of the loaded value 0x89abcdef */
  } type[] = {{WL_MEM_TYPE_U8, 1, 0xef},          {WL_MEM_TYPE_S8, 1, 0xffffffef},
              {WL_MEM_TYPE_U16, 2, 0xcdef},       {WL_MEM_TYPE_S16, 2, 0xffffcdef},
              {WL_MEM_TYPE_B8, 1, 0xef},          {WL_MEM_TYPE_B16, 2, 0xcdef},
              {WL_MEM_TYPE_B32, 4, 0x89abcdef},   {WL_MEM_TYPE_B64, 8, 0x89abcdef},
              {WL_MEM_TYPE_B128, 16, 0x89abcdef}, {WL_MEM_TYPE_U32, 4, 0x89abcdef},
              {WL_MEM_TYPE_S32, 4, 0x89abcdef},   {WL_MEM_TYPE_U64, 8, 0x89abcdef},
              {WL_MEM_TYPE_S64, 8, 0x89abcdef},   {WL_MEM_TYPE_F32, 4, 0x89abcdef}};
  for (size_t i = 0; i < sizeof type / sizeof *type; i++) {
    const unsigned bytes = wl_sem_type_bytes(type[i].type);
    const uint32_t word = wl_sem_load_word(type[i].type, 0x89abcdef);
    if (!check_equal(t, bytes, type[i].bytes) || !check_equal(t, word, type[i].word))
      printf("type %d: got %u bytes, %08x, expected %u, %08x\n", (int)type[i].type, bytes,
             (unsigned)word, type[i].bytes, (unsigned)type[i].word);
  }
  const bool positive = wl_sem_load_word(WL_MEM_TYPE_S8, 0x7f) == 0x7f &&
                        wl_sem_load_word(WL_MEM_TYPE_S16, 0x7fff) == 0x7fff;
  if (!check_equal(t, positive, 1)) printf("positive sub-word values are not extended by zeros\n");
}

int main(void) {
  check_t t = {.state = 7};
  check_types(&t);
  for (int form = 0; form < WL_NUM_FORMS; form++)
    if (wl_form_info[form].kind == WL_MEM_KIND_ATOM)
      (wl_form_info[form].d == 4 ? check_wide_form : check_form)(&t, &wl_form_info[form]);
  return check_done(&t, "atomics");
}
