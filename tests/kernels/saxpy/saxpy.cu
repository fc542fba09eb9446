/* y = a * x + y, fused. */
#include "wl_device.h"

WL_KERNEL void saxpy(float a, const float *x, float *y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = __fmaf_rn(a, x[i], y[i]);
  }
}
