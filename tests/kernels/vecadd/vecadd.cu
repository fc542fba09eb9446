/* c = a + b, one element per thread; the last CTA is partly idle. */
#include "wl_device.h"

WL_KERNEL void vecadd(const int *a, const int *b, int *c, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}
