/* Numbers of 16 and 8 bits as matrix kernels have them: rounded and packed in pairs, spread again, and a
 * product whose factors are kept in f16 and bf16. */
#include "wl_device.h"
#include "wl_formats.h"

/* Eight words of each pair of numbers. */
WL_KERNEL void pack_pairs(const float *in, unsigned *out, unsigned pairs) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) {
    return;
  }
  float a = in[2 * i], b = in[2 * i + 1];
  unsigned *r = out + 8 * i;
  r[0] = wl_pack_f16(a, b);
  r[1] = wl_pack_bf16(a, b);
  r[2] = (unsigned)wl_f16_rn(a) | (unsigned)wl_f16_rz(a) << 16;
  r[3] = (unsigned)wl_f16_rm(a) | (unsigned)wl_f16_rp(a) << 16;
  ((float *)r)[4] = wl_tf32(a);
  ((float *)r)[5] = wl_tf32(b);
  r[6] = wl_pack_f16(wl_tf32(a), b);
  r[7] = wl_pack_bf16(b, wl_tf32(a));
}

/* Four numbers of each word: two of f16, two of bf16. */
WL_KERNEL void spread_pairs(const unsigned *in, float *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned v = in[i];
  float *r = out + 4 * i;
  r[0] = wl_from_f16(v & 0xffff);
  r[1] = wl_from_f16(v >> 16);
  r[2] = wl_from_bf16(v & 0xffff);
  r[3] = wl_from_bf16(v >> 16);
}

/* Four words of each word: two bytes of e4m3 each, two bytes of e5m2 each, as pairs of f16. */
WL_KERNEL void spread_bytes(const unsigned *in, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned v = in[i];
  unsigned *r = out + 4 * i;
  r[0] = wl_from_fp8(v & 0xffff, true);
  r[1] = wl_from_fp8(v >> 16, true);
  r[2] = wl_from_fp8(v & 0xffff, false);
  r[3] = wl_from_fp8(v >> 16, false);
}

/* d = A * B in f32, A rows x n of f16, B n x n of bf16, in pairs along k; one thread for an element. */
WL_KERNEL void narrow_product(const unsigned *a, const unsigned *b, float *d, unsigned n) {
  unsigned column = threadIdx.x, row = blockIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < n / 2; k++) {
    unsigned x = a[row * (n / 2) + k], y = b[column * (n / 2) + k];
    sum = __fmaf_rn(wl_from_f16(x & 0xffff), wl_from_bf16(y & 0xffff), sum);
    sum = __fmaf_rn(wl_from_f16(x >> 16), wl_from_bf16(y >> 16), sum);
  }
  d[row * n + column] = sum;
}
