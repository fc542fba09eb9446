/* What the semantics tests share: a random source, failure counting, IEEE bit patterns. */
#ifndef WL_TESTS_ISA_CHECK_H
#define WL_TESTS_ISA_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/common/splitmix.h"

typedef struct {
  uint64_t state;
  long checks, failures;
} check_t;

static inline uint64_t check_random(check_t *c) { return wl_splitmix64(&c->state); }

/* Mixes uniform values with small ones, powers of two and their neighbours. */
static inline uint32_t check_word(check_t *c) {
  const uint64_t r = check_random(c);
  const uint32_t value = (uint32_t)r;
  switch (r >> 60) {
  case 0:
    return value & 63;
  case 1:
    return (UINT32_C(1) << (value & 31)) - (value >> 8 & 1);
  case 2:
    return UINT32_C(0) - (value & 63);
  case 3:
    return value & 1 ? UINT32_C(0x7fffffff) + (value >> 8 & 1) : 0;
  default:
    return value;
  }
}

static inline bool check_equal(check_t *c, uint64_t got, uint64_t expected) {
  c->checks++;
  if (got == expected) return true;
  c->failures++;
  return false;
}

/* True while failures are few enough to be worth printing. */
static inline bool check_print(const check_t *c) { return c->failures <= 20; }

static inline int check_done(const check_t *c, const char *name) {
  printf("%s: %ld checks, %ld failures\n", name, c->checks, c->failures);
  return c->failures != 0 || c->checks == 0;
}

static inline float check_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static inline uint32_t check_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

/* f32 values at the boundaries where rounding, flushing and conversion change. */
static const uint32_t check_anchor[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00400000, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff,
    0x01000000, 0x0c800000, 0x1f800000, 0x1fffffff, 0x20000000, 0x33000000, 0x33800000, 0x34000000,
    0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40200000,
    0x4affffff, 0x4b000000, 0x4b000001, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000, 0x4f7fffff,
    0x4f800000, 0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, 0x7effffff, 0x7f000000, 0x7f7fffff,
    0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
enum { CHECK_ANCHORS = 2 * sizeof check_anchor / sizeof *check_anchor };

/* Anchor k of both signs. */
static inline uint32_t check_anchor_at(unsigned k) {
  return check_anchor[k / 2] | (uint32_t)(k & 1) << 31;
}

/* Random f32: near an anchor, in a narrow range of exponents, or any pattern. */
static inline uint32_t check_f32(check_t *c) {
  const uint64_t r = check_random(c);
  const uint32_t value = (uint32_t)r;
  switch (r >> 61) {
  case 0:
    return check_anchor_at((unsigned)(r >> 32) % CHECK_ANCHORS) + (value & 7) - 3;
  case 1:
  case 2:
    return (value & 0x80ffffff) | (uint32_t)(120 + (r >> 40 & 15)) << 23;
  case 3:
    return (value & 0x807fffff) | (uint32_t)(r >> 40 & 31) << 23;
  case 4:
    return (value & 0x80000000) | (uint32_t)(56 + (r >> 40 & 15)) << 23 | (value & 3);
  default:
    return value;
  }
}

#endif
