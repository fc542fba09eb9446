/* Large numbers as libraries for cryptography have them: sum, difference and Montgomery product of 256
 * bits, in words of 32 bits, and powers of 64 bits, in words of 64. Carries go by the flag. */
#include "wl_device.h"
#include "wl_carry.h"

enum { WORDS = 8 };

/* t += a * b, t of WORDS + 2 words: low words of the products first, then high ones a word further. */
static __device__ __forceinline__ void add_row(unsigned *t, const unsigned *a, unsigned b) {
  t[0] = wl_mad_lo_cc(a[0], b, t[0]);
#pragma unroll
  for (int j = 1; j < WORDS; j++) {
    t[j] = wl_madc_lo_cc(a[j], b, t[j]);
  }
  t[WORDS] = wl_addc_cc(t[WORDS], 0);
  t[WORDS + 1] = wl_addc(t[WORDS + 1], 0);
  t[1] = wl_mad_hi_cc(a[0], b, t[1]);
#pragma unroll
  for (int j = 1; j < WORDS; j++) {
    t[j + 1] = wl_madc_hi_cc(a[j], b, t[j + 1]);
  }
  t[WORDS + 1] = wl_addc(t[WORDS + 1], 0);
}

/* d = a - b; all ones if a < b, else 0. */
static __device__ __forceinline__ unsigned subtract(unsigned *d, const unsigned *a,
                                                    const unsigned *b) {
  d[0] = wl_sub_cc(a[0], b[0]);
#pragma unroll
  for (int j = 1; j < WORDS; j++) {
    d[j] = wl_subc_cc(a[j], b[j]);
  }
  return wl_subc(0, 0);
}

/* d = a + b; the carry, 0 or 1. */
static __device__ __forceinline__ unsigned add(unsigned *d, const unsigned *a, const unsigned *b) {
  d[0] = wl_add_cc(a[0], b[0]);
#pragma unroll
  for (int j = 1; j < WORDS; j++) {
    d[j] = wl_addc_cc(a[j], b[j]);
  }
  return wl_addc(0, 0);
}

/* d = t or t - p, which is the one below p; top: bit 256 of t. */
static __device__ __forceinline__ void reduce(unsigned *d, const unsigned *t, unsigned top,
                                              const unsigned *p) {
  unsigned less[WORDS];
  unsigned borrow = subtract(less, t, p);
#pragma unroll
  for (int j = 0; j < WORDS; j++) {
    d[j] = borrow != 0 && top == 0 ? t[j] : less[j];
  }
}

/* a * b / 2^256, a + b, a - b modulo p for numbers below p; inverse: -1 / p[0] modulo 2^32. */
WL_KERNEL void field256(const unsigned *a, const unsigned *b, const unsigned *modulus,
                        unsigned inverse, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned x[WORDS], y[WORDS], p[WORDS], d[WORDS], t[WORDS + 2];
#pragma unroll
  for (int j = 0; j < WORDS; j++) {
    x[j] = a[WORDS * i + j];
    y[j] = b[WORDS * i + j];
    p[j] = modulus[j];
  }
#pragma unroll
  for (int j = 0; j < WORDS + 2; j++) {
    t[j] = 0;
  }
#pragma unroll
  for (int j = 0; j < WORDS; j++) {
    add_row(t, x, y[j]);
    add_row(t, p, t[0] * inverse);
#pragma unroll
    for (int k = 0; k < WORDS + 1; k++) {
      t[k] = t[k + 1];
    }
    t[WORDS + 1] = 0;
  }
  unsigned *r = out + 3 * WORDS * i;
  reduce(d, t, t[WORDS], p);
#pragma unroll
  for (int j = 0; j < WORDS; j++) {
    r[j] = d[j];
  }
  unsigned top = add(t, x, y);
  reduce(d, t, top, p);
#pragma unroll
  for (int j = 0; j < WORDS; j++) {
    r[WORDS + j] = d[j];
  }
  unsigned below = subtract(t, x, y);
#pragma unroll
  for (int j = 0; j < WORDS; j++) {
    d[j] = p[j] & below;
  }
  add(t, t, d);
#pragma unroll
  for (int j = 0; j < WORDS; j++) {
    r[2 * WORDS + j] = t[j];
  }
}

/* x or x - m, which is the one below m; top: bit 64 of x. */
static __device__ __forceinline__ wl_u64_t below64(wl_u64_t x, wl_u64_t top, wl_u64_t m) {
  wl_u64_t less = wl_sub_cc64(x, m);
  wl_u64_t borrow = wl_subc64(top, 0);
  return borrow != 0 ? x : less;
}

static __device__ __forceinline__ wl_u64_t twice64(wl_u64_t x, wl_u64_t m) {
  wl_u64_t sum = wl_add_cc64(x, x);
  wl_u64_t top = wl_addc64(0, 0);
  return below64(sum, top, m);
}

/* a * b / 2^64 modulo m; inverse: -1 / m modulo 2^64. */
static __device__ __forceinline__ wl_u64_t product64(wl_u64_t a, wl_u64_t b, wl_u64_t m,
                                                     wl_u64_t inverse) {
  wl_u64_t low = a * b, high = __umul64hi(a, b), q = low * inverse;
  wl_mad_lo_cc64(q, m, low); /* 0, and its carry */
  wl_u64_t sum = wl_madc_hi_cc64(q, m, high);
  wl_u64_t top = wl_addc64(0, 0);
  return below64(sum, top, m);
}

/* x to the power of e modulo m, for odd m and x below m. */
WL_KERNEL void power64(const wl_u64_t *x, const unsigned *e, const wl_u64_t *m, wl_u64_t *out,
                       unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  wl_u64_t modulus = m[i], inverse = modulus, square = x[i], result = 1;
  for (int k = 0; k < 5; k++) { /* 3 right bits, then twice as many each time */
    inverse *= 2 - modulus * inverse;
  }
  inverse = 0 - inverse;
  for (int k = 0; k < 64; k++) {
    square = twice64(square, modulus);
    result = twice64(result, modulus);
  }
  for (unsigned left = e[i]; left != 0; left >>= 1) {
    if ((left & 1) != 0) {
      result = product64(result, square, modulus, inverse);
    }
    square = product64(square, square, modulus, inverse);
  }
  out[i] = product64(result, 1, modulus, inverse);
}
