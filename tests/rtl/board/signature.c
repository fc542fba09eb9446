/* See signature.h. */
#include "tests/rtl/board/signature.h"

static uint32_t rotl(uint32_t x, unsigned n) { return n == 0 ? x : x << n | x >> (32 - n); }

static uint32_t step(uint32_t s) { return s << 1 ^ (s >> 31 != 0 ? UINT32_C(0x04c11db7) : 0); }

void signature_record(signature_t *s, unsigned kind, const uint32_t *words, unsigned count) {
  uint32_t fold = UINT32_C(0x9e3779b9);
  for (unsigned i = 0; i < count; i++)
    fold ^= rotl(words[i], (5 * i + 3) % 32);
  s->now[kind] ^= fold;
}

void signature_tick(signature_t *s) {
  for (unsigned k = 0; k < SIGNATURE_KINDS; k++) {
    s->sig[k] = step(s->sig[k]) ^ s->previous[k];
    s->previous[k] = s->now[k];
    s->now[k] = 0;
  }
}
