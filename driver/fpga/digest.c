/* digest.c: see digest.h. docs/fpga.md 5. */
#include "driver/fpga/digest.h"

#include <string.h>

#include "driver/splitmix.h"

static uint32_t rotl(uint32_t x, unsigned n) { return n == 0 ? x : x << n | x >> (32 - n); }

uint32_t wl_digest_step(uint32_t s) { return s << 1 ^ (s >> 31 != 0 ? 0x04c11db7u : 0); }

uint32_t wl_digest_fold(const wl_cosim_record_t *r) {
  uint32_t fold = 0x9e3779b9u;
  for (unsigned i = 0; i < r->words; i++)
    fold ^= rotl(r->word[i], (5 * i + 3) % 32);
  return fold;
}

void wl_digest_in(const wl_cosim_record_t *records, unsigned n, uint32_t in[WL_NUM_JOURNAL_KINDS]) {
  memset(in, 0, WL_NUM_JOURNAL_KINDS * sizeof *in);
  for (unsigned i = 0; i < n; i++)
    in[records[i].kind] ^= wl_digest_fold(&records[i]);
}

/* Product of two polynomials modulo the one of the signatures. */
static uint32_t times(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (int bit = 31; bit >= 0; bit--)
    product = wl_digest_step(product) ^ ((a >> bit & 1) != 0 ? b : 0);
  return product;
}

/* A step is a product with x: n of them are one with x to the n. */
uint32_t wl_digest_steps(uint32_t signature, uint64_t n) {
  for (uint32_t x = 2; n != 0; n >>= 1, x = times(x, x))
    if ((n & 1) != 0) signature = times(signature, x);
  return signature;
}

void wl_digest_begin(wl_digest_t *d) { memset(d, 0, sizeof *d); }

void wl_digest_tick(wl_digest_t *d, const wl_cosim_record_t *records, unsigned n) {
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    d->signature[k] = wl_digest_step(d->signature[k]) ^ d->in[k];
  wl_digest_in(records, n, d->in);
}

uint64_t wl_digest_hash(const uint32_t signature[WL_NUM_JOURNAL_KINDS]) {
  uint64_t hash = 0;
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    hash = wl_splitmix(hash + WL_SPLITMIX_STEP * (signature[k] + 1));
  return hash;
}
