/*
 * Host side of kernel sha256. The round constants are computed (fraction bits of cube roots of
 * primes) rather than copied, and the whole is checked against FIPS 180 vectors.
 */
#include <string.h>

#include "tests/kernels/common/kernel_case.h"

static bool is_prime(uint32_t n) {
  for (uint32_t d = 2; d * d <= n; d++) {
    if (n % d == 0) {
      return false;
    }
  }
  return true;
}

/* Largest r with r^power <= n * 2^(32 * power), less the integer part: 32 fraction bits. */
static uint32_t root_fraction(uint32_t n, int power) {
  uint64_t root = 0;
  for (int bit = 36; bit >= 0; bit--) {
    uint64_t next = root | UINT64_C(1) << bit;
    /* Compares in long double steps of 128 bits: next < 2^37, next^3 < 2^111. */
    __extension__ unsigned __int128 product = (unsigned __int128)next * next;
    product = power == 3 ? product * next : product;
    __extension__ unsigned __int128 limit = (unsigned __int128)n << (32 * power);
    if (product <= limit) {
      root = next;
    }
  }
  return (uint32_t)root;
}

typedef struct {
  uint32_t h[8];
  uint32_t k[64];
} sha_tables_t;

static void make_tables(sha_tables_t *tables) {
  uint32_t found = 0;
  for (uint32_t n = 2; found < 64; n++) {
    if (is_prime(n)) {
      if (found < 8) {
        tables->h[found] = root_fraction(n, 2);
      }
      tables->k[found++] = root_fraction(n, 3);
    }
  }
}

static uint32_t rotate(uint32_t v, unsigned n) { return (v >> n) | (v << (32 - n)); }

static void compress(uint32_t h[8], const uint32_t k[64], const uint8_t block[64]) {
  uint32_t w[64];
  uint32_t s[8];
  for (int i = 0; i < 16; i++) {
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  }
  for (int i = 16; i < 64; i++) {
    uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3;
    uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  memcpy(s, h, sizeof s);
  for (int i = 0; i < 64; i++) {
    uint32_t s1 = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
    uint32_t t1 = s[7] + s1 + ((s[4] & s[5]) | (~s[4] & s[6])) + k[i] + w[i];
    uint32_t s0 = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
    uint32_t t2 = s0 + ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
    memmove(&s[1], &s[0], 7 * sizeof s[0]);
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) {
    h[i] += s[i];
  }
}

static void sha256(const sha_tables_t *tables, const uint8_t *data, size_t size, uint32_t h[8]) {
  uint8_t tail[128] = {0};
  size_t whole = size / 64 * 64;
  size_t rest = size - whole;
  size_t tail_size = rest < 56 ? 64 : 128;
  memcpy(h, tables->h, 8 * sizeof h[0]);
  for (size_t at = 0; at < whole; at += 64) {
    compress(h, tables->k, data + at);
  }
  memcpy(tail, data + whole, rest);
  tail[rest] = 0x80;
  for (size_t i = 0; i < 8; i++) {
    tail[tail_size - 1 - i] = (uint8_t)((uint64_t)size * 8 >> (8 * i));
  }
  for (size_t at = 0; at < tail_size; at += 64) {
    compress(h, tables->k, tail + at);
  }
}

/* Lengths meet every padding case: 0, 55, 56, 63, 64 and what lies between. */
static uint32_t message_length(const wl_kernel_case_t *kcase, uint32_t m) {
  static const uint32_t edge[5] = {55, 0, 64, 56, 3};
  return m < 5 ? edge[m] : m * 37 % kcase->size[1];
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t messages = kcase->size[0];
  uint32_t total = 0;
  sha_tables_t tables;
  wl_rng_t rng = {messages + 9};
  make_tables(&tables);
  for (uint32_t m = 0; m < messages; m++) {
    total += message_length(kcase, m);
  }
  uint8_t *data = wl_arg_in(launch, total);
  uint32_t *offset = wl_arg_in(launch, messages * sizeof *offset);
  uint32_t *length = wl_arg_in(launch, messages * sizeof *length);
  uint32_t *digest = wl_arg_out(launch, messages * 8 * sizeof *digest);
  wl_arg_u32(launch, messages);
  if (launch->failed) {
    return;
  }
  for (uint32_t i = 0; i < total; i++) {
    data[i] = (uint8_t)wl_rng_u32(&rng);
  }
  for (uint32_t m = 0, at = 0; m < messages; m++) {
    offset[m] = at;
    length[m] = message_length(kcase, m);
    sha256(&tables, data + at, length[m], &digest[m * 8]);
    at += length[m];
  }
}

static const char *self_check(void) {
  static const uint32_t abc[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                  0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
  static const uint32_t two[8] = {0x248d6a61, 0xd20638b8, 0xe5c02693, 0x0c3e6039,
                                  0xa33ce459, 0x64ff2167, 0xf6ecedd4, 0x19db06c1};
  static const char *const text = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  sha_tables_t tables;
  uint32_t h[8];
  make_tables(&tables);
  sha256(&tables, (const uint8_t *)"abc", 3, h);
  if (memcmp(h, abc, sizeof h) != 0) {
    return "FIPS 180 vector abc";
  }
  sha256(&tables, (const uint8_t *)text, strlen(text), h);
  return memcmp(h, two, sizeof h) == 0 ? NULL : "FIPS 180 vector of two blocks";
}

static const wl_kernel_case_t cases[] = {
    {.name = "m5",
     .entry = "sha256",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {7, 1, 1},
     .size = {5, 64},
     .prepare = prepare},
    {.name = "m257",
     .entry = "sha256",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {5, 1, 1},
     .block = {63, 1, 1},
     .size = {257, 150},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_sha256 = {
    .name = "sha256",
    .variants = WL_PTX_COMPILED,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
    .self_check = self_check,
};
