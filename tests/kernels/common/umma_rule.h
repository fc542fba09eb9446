/*
 * Products in tensor memory on the host, in whole numbers, from docs/microarchitecture.md 19.2, 26.4 and 26.11: a block of
 * products and its addend are cut behind the largest exponent, their sum is cut to f32. Finite operands, no sum that
 * is larger than f32; subnormal ones are right, too. For C and C++.
 */
#ifndef WL_TESTS_KERNELS_COMMON_UMMA_RULE_H
#define WL_TESTS_KERNELS_COMMON_UMMA_RULE_H

#include <stdint.h>
#include <string.h>

/* Bits of an element's exponent and fraction. */
typedef struct {
  int exponent, fraction;
} wl_umma_format_t;

/* m * 2^(x - fraction); m has the sign. */
typedef struct {
  int64_t m;
  int x;
} wl_umma_number_t;

enum { WL_UMMA_KEPT = 25, WL_UMMA_LOWEST = -133, WL_UMMA_BLOCK = 32 };

static inline wl_umma_number_t wl_umma_number(uint32_t bits, wl_umma_format_t f) {
  const int field = (int)(bits >> f.fraction & ((1u << f.exponent) - 1));
  const int64_t m = (int64_t)(bits & ((1u << f.fraction) - 1)) | (int64_t)(field != 0)
                                                                     << f.fraction;
  const wl_umma_number_t n = {(bits >> (f.exponent + f.fraction) & 1) != 0 ? -m : m,
                              (field != 0 ? field : 1) - ((1 << (f.exponent - 1)) - 1)};
  return n;
}

/* An element as it lies in shared memory; of f32 tf32 takes the high 19 bits. */
static inline wl_umma_number_t wl_umma_element(const void *at, unsigned size, wl_umma_format_t f) {
  uint8_t byte[4] = {0};
  memcpy(byte, at, size);
  const uint32_t bits =
      byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
  return wl_umma_number(size == 4 ? bits >> 13 : bits, f);
}

/* `n` in units of 2^-by, cut toward zero. */
static inline int64_t wl_umma_cut(int64_t n, int by) {
  if (by <= 0) {
    return (int64_t)((uint64_t)n << -by);
  }
  if (by > 62) {
    return 0;
  }
  return n < 0 ? -(-n >> by) : n >> by;
}

/* sum * 2^scale, cut to f32. */
static inline float wl_umma_cut_f32(int64_t sum, int scale) {
  uint64_t size = (uint64_t)(sum < 0 ? -sum : sum);
  uint32_t bits = 0;
  float v;
  if (size != 0) {
    int top = 63;
    while ((size >> top & 1) == 0) {
      top--;
    }
    const int x = top + scale < -126 ? -126 : top + scale; /* the unit is 2^(x - 23) */
    const int drop = x - 23 - scale;
    size = drop > 63 ? 0 : drop > 0 ? size >> drop : size << -drop;
    bits = (uint32_t)(size >> 23 != 0 ? x + 127 : 0) << 23 | (uint32_t)(size & 0x7fffff);
    bits |= size != 0 && sum < 0 ? 0x80000000u : 0;
  }
  memcpy(&v, &bits, sizeof v);
  return v;
}

/* A block of `count` products and c; a product has `fraction` bits behind the point, and 2^scale more. */
static inline float wl_umma_block(const wl_umma_number_t *a, const wl_umma_number_t *b,
                                  unsigned count, int fraction, int scale, float c) {
  const wl_umma_format_t f32 = {8, 23};
  uint32_t bits;
  memcpy(&bits, &c, sizeof bits);
  const wl_umma_number_t add = wl_umma_number(bits, f32);
  int largest = add.m != 0 && add.x > WL_UMMA_LOWEST ? add.x : WL_UMMA_LOWEST;
  for (unsigned k = 0; k < count; k++) {
    const int x = a[k].x + b[k].x + scale;
    if (a[k].m != 0 && b[k].m != 0 && x > largest) {
      largest = x;
    }
  }
  int64_t sum = wl_umma_cut(add.m, largest - add.x - WL_UMMA_KEPT + 23);
  for (unsigned k = 0; k < count; k++) {
    const int64_t m = a[k].m * b[k].m;
    if (m != 0) {
      sum += wl_umma_cut(m, largest - (a[k].x + b[k].x + scale) - WL_UMMA_KEPT + fraction);
    }
  }
  return wl_umma_cut_f32(sum, largest - WL_UMMA_KEPT);
}

enum { WL_UMMA_GROUP = 16, WL_UMMA_GROUPS = 4, WL_UMMA_KEPT4 = 35, WL_UMMA_LOWEST4 = -139 };

/* 64 products of e2m1 in four groups, sa and sb the scales of each, of ue4m3. */
static inline float wl_umma_block4(const wl_umma_number_t *a, const wl_umma_number_t *b,
                                   const wl_umma_number_t *sa, const wl_umma_number_t *sb,
                                   float c) {
  const wl_umma_format_t f32 = {8, 23};
  uint32_t bits;
  memcpy(&bits, &c, sizeof bits);
  const wl_umma_number_t add = wl_umma_number(bits, f32);
  int64_t term[WL_UMMA_GROUPS] = {0}; /* units of 2^(exponents of the scales - 8) */
  int largest = add.m != 0 && add.x > WL_UMMA_LOWEST4 ? add.x : WL_UMMA_LOWEST4;
  for (unsigned g = 0; g < WL_UMMA_GROUPS; g++) {
    const int x = sa[g].x + sb[g].x;
    int counts = 0;
    for (unsigned k = g * WL_UMMA_GROUP; k < (g + 1) * WL_UMMA_GROUP; k++) {
      const int64_t m = a[k].m * b[k].m * sa[g].m * sb[g].m;
      term[g] += m * (1 << (a[k].x + b[k].x)); /* their exponents are 0 to 2 */
      counts |= m != 0;
    }
    largest = counts && x > largest ? x : largest;
  }
  int64_t sum = wl_umma_cut(add.m, largest - add.x - WL_UMMA_KEPT4 + 23);
  for (unsigned g = 0; g < WL_UMMA_GROUPS; g++) {
    if (term[g] != 0) {
      sum += wl_umma_cut(term[g], largest - (sa[g].x + sb[g].x) - WL_UMMA_KEPT4 + 8);
    }
  }
  return wl_umma_cut_f32(sum, largest - WL_UMMA_KEPT4);
}

#endif
