/*
 * Dynamic shared memory, carved into words and bytes behind a static array: each CTA writes its part
 * of the input reversed, with a rank of every element among the CTA's bytes.
 */
#include "wl_device.h"

WL_KERNEL void dynshared(const unsigned *in, unsigned *out, unsigned n) {
  __shared__ unsigned count;
  WL_DYNAMIC_SHARED(unsigned, dynamic);
  unsigned *word = dynamic;
  unsigned char *byte = (unsigned char *)(dynamic + blockDim.x);
  unsigned base = blockIdx.x * blockDim.x;
  unsigned t = threadIdx.x;
  if (t == 0) {
    count = n - base < blockDim.x ? n - base : blockDim.x;
  }
  if (base + t < n) {
    word[t] = in[base + t];
    byte[t] = (unsigned char)in[base + t];
  }
  __syncthreads();
  if (t < count) {
    unsigned rank = 0;
    for (unsigned i = 0; i < count; i++) {
      rank += byte[i] < byte[t] || (byte[i] == byte[t] && i < t) ? 1 : 0;
    }
    out[2 * (base + t)] = word[count - 1 - t];
    out[2 * (base + t) + 1] = rank;
  }
}
