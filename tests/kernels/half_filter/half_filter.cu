/* Arithmetic of f16 and bf16 in pairs: y = a x + y, a filter of three neighbours with limits and a count of
 * what they cut, and rows of products with sums kept in bf16. */
#include "wl_device.h"
#include "wl_half.h"

/* n numbers in pairs; the last one, if n is odd, by itself. */
WL_KERNEL void half_axpy(float scale, const unsigned *x, unsigned *y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = wl_pack_f16(scale, scale);
  if (i < n / 2) {
    y[i] = wl_fma2(a, x[i], y[i]);
  }
  if (i == n / 2 && n % 2 != 0) {
    ((unsigned short *)y)[n - 1] =
        (unsigned short)wl_fma1(a & 0xffff, ((const unsigned short *)x)[n - 1], ((unsigned short *)y)[n - 1]);
  }
}

/* out = (left + right) * 1/4 + centre * 1/2, not below -limit and not above limit, which a NaN
 * becomes, too; cut: which halves are beyond the limit. The pair before the first and after the last is 0. */
WL_KERNEL void half_filter(const unsigned *in, unsigned *out, unsigned *cut, float limit, unsigned pairs) {
  __shared__ unsigned tile[130];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t + 1] = i < pairs ? in[i] : 0;
  if (t == 0) {
    tile[0] = i > 0 && i <= pairs ? in[i - 1] : 0;
    tile[blockDim.x + 1] = i + blockDim.x < pairs ? in[i + blockDim.x] : 0;
  }
  __syncthreads();
  if (i >= pairs) {
    return;
  }
  unsigned centre = tile[t + 1];
  unsigned left = tile[t] >> 16 | centre << 16, right = centre >> 16 | tile[t + 2] << 16;
  unsigned high = wl_pack_f16(limit, limit), quarter = wl_pack_f16(0.25f, 0.25f);
  unsigned v = wl_fma2(wl_add2(left, right), quarter, wl_sub2(centre, wl_mul2(centre, wl_add2(quarter, quarter))));
  out[i] = wl_max2_nan(wl_neg2(high), wl_min2(v, high));
  cut[i] = wl_all_geu2(high, wl_abs2(v)) ? 0 : wl_lt2(high, wl_abs2(v));
}

/* Element of a row: the larger of two sums in bf16, with and without relu after each step; a thread for two
 * columns. */
WL_KERNEL void bf16_rows(const unsigned *a, const unsigned *b, unsigned *d, unsigned k) {
  unsigned pair = threadIdx.x, row = blockIdx.x, pairs = blockDim.x;
  unsigned sum = 0, rest = 0;
  for (unsigned i = 0; i < k; i++) {
    unsigned x = a[row * k + i], y = b[i * pairs + pair];
    sum = wl_bf16_fma2_relu(x, y, sum);
    rest = wl_bf16_fma2(x, y, rest);
  }
  d[row * pairs + pair] = wl_bf16_max2(sum, rest);
}
