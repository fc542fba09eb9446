/* Arrays in local memory, indexed by data: insertion sort of 17 words, then a permutation walk. */
#include "wl_device.h"

WL_KERNEL void local_array(const unsigned *in, unsigned *out, unsigned n) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me >= n) {
    return;
  }
  unsigned value[17];
  unsigned char from[17];
  for (unsigned i = 0; i < 17; i++) {
    unsigned v = in[(me * 17 + i * 5) % n] ^ i * 0x10001u;
    unsigned at = i;
    while (at > 0 && value[at - 1] > v) {
      value[at] = value[at - 1];
      from[at] = from[at - 1];
      at--;
    }
    value[at] = v;
    from[at] = (unsigned char)i;
  }
  unsigned hash = 0;
  unsigned at = me % 17;
  for (unsigned i = 0; i < 17; i++) {
    hash = hash * 131 + value[at] + from[at];
    at = from[at];
  }
  out[me] = hash;
}
