/* 64-bit arithmetic, and division and remainder of 32- and 64-bit integers. */
#include "wl_device.h"

WL_KERNEL void arith64(const unsigned long long *a, const unsigned long long *b,
                       unsigned long long *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned long long x = a[i];
  unsigned long long y = b[i];
  long long sx = (long long)x;
  long long sy = (long long)y;
  unsigned shift = (unsigned)y & 63;
  out[8 * i] = x + y * 3 - (x ^ y);
  out[8 * i + 1] = x * y;
  out[8 * i + 2] = __umul64hi(x, y) ^ (unsigned long long)__mul64hi(sx, sy);
  out[8 * i + 3] = (x << shift) | ((unsigned long long)(sx >> shift) & ~(y >> shift));
  out[8 * i + 4] = (unsigned long long)(sx < sy ? sx : sy) + (x > y ? x : y);
  out[8 * i + 5] = (unsigned long long)(unsigned)x * (unsigned)y +
                   (unsigned long long)((long long)(int)x * (int)y);
  out[8 * i + 6] = (unsigned long long)(__popcll(x) * 10000 + __clzll(sy) * 100) +
                   __brevll(x ^ y);
  out[8 * i + 7] = (unsigned long long)(sx < 0 ? -sx : sx) + (unsigned long long)(int)y;
}

WL_KERNEL void divide(const unsigned long long *a, const unsigned long long *b,
                      unsigned long long *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned long long x = a[i];
  unsigned long long y = b[i]; /* neither half is 0 or -1 */
  long long sx = (long long)x;
  long long sy = (long long)y;
  out[6 * i] = x / y;
  out[6 * i + 1] = x % y;
  out[6 * i + 2] = (unsigned long long)(sx / sy);
  out[6 * i + 3] = (unsigned long long)(sx % sy);
  out[6 * i + 4] = (unsigned long long)((unsigned)x / (unsigned)y) << 32 |
                   (unsigned)x % (unsigned)y;
  out[6 * i + 5] = (unsigned long long)(unsigned)((int)x / (int)y) << 32 |
                   (unsigned)((int)x % (int)y);
}
