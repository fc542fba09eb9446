/* Bitonic sort of n <= 1024 keys in one CTA; padded to `padded`, a power of two. */
#include "wl_device.h"

WL_KERNEL void bitonic(unsigned *key, unsigned n, unsigned padded) {
  __shared__ unsigned s[1024];
  for (unsigned i = threadIdx.x; i < padded; i += blockDim.x) {
    s[i] = i < n ? key[i] : 0xffffffffu;
  }
  __syncthreads();
  for (unsigned k = 2; k <= padded; k <<= 1) {
    for (unsigned j = k >> 1; j > 0; j >>= 1) {
      for (unsigned t = threadIdx.x; t < padded / 2; t += blockDim.x) {
        unsigned low = 2 * t - (t & (j - 1));
        unsigned high = low + j;
        bool up = (low & k) == 0;
        if ((s[low] > s[high]) == up) {
          unsigned swap = s[low];
          s[low] = s[high];
          s[high] = swap;
        }
      }
      __syncthreads();
    }
  }
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    key[i] = s[i];
  }
}
