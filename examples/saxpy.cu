/* y = a * x + y. Compiles with nvcc as it is, and with clang alone: see README.md. */
#if defined(__clang__)
#include "../tests/kernels/include/wl_device_clang.h"
#endif

extern "C" __global__ void saxpy(float a, const float *x, float *y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}
