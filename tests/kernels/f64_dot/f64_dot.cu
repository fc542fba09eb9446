/*
 * 64-bit floating point: y = a * x + y, and a dot product enclosed between a sum that rounds down and one
 * that rounds up (grid-stride, trees in shared memory, two partial sums per CTA). At most 128 threads per CTA;
 * dot_f64 wants a power of two.
 */
#include "wl_device.h"

WL_KERNEL void daxpy(double a, const double *x, double *y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = __fma_rn(a, x[i], y[i]);
  }
}

WL_KERNEL void dot_f64(const double *a, const double *b, double *low, double *high, unsigned n) {
  __shared__ double down[128], up[128];
  double d = 0.0, u = 0.0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    d = __fma_rd(a[i], b[i], d);
    u = __fma_ru(a[i], b[i], u);
  }
  down[threadIdx.x] = d;
  up[threadIdx.x] = u;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      down[threadIdx.x] = __dadd_rd(down[threadIdx.x], down[threadIdx.x + half]);
      up[threadIdx.x] = __dadd_ru(up[threadIdx.x], up[threadIdx.x + half]);
    }
  }
  if (threadIdx.x == 0) {
    low[blockIdx.x] = down[0];
    high[blockIdx.x] = up[0];
  }
}
