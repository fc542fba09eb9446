/* digest.c: see digest.h. docs/fpga.md 5. */
#include "driver/fpga/digest.h"

#include <string.h>

#include "driver/splitmix.h"

static uint32_t rotl(uint32_t x, unsigned n) {
  return n == 0 ? x : x << n | x >> (32 - n);
}

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

void wl_digest_begin(wl_digest_t *d, const uint32_t signature[WL_NUM_JOURNAL_KINDS]) {
  memcpy(d->signature, signature, sizeof d->signature);
  memset(d->in, 0, sizeof d->in);
}

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
