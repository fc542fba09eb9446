/* Every thread of a 3-D grid of 3-D CTAs writes what its special registers say. */
#include "wl_device.h"

WL_KERNEL void grid3d(unsigned *out) {
  unsigned cta = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned i = cta * blockDim.x * blockDim.y * blockDim.z + thread;
  out[4 * i] = threadIdx.x | threadIdx.y << 10 | threadIdx.z << 20;
  out[4 * i + 1] = blockIdx.x | blockIdx.y << 10 | blockIdx.z << 20;
  out[4 * i + 2] = blockDim.x | blockDim.y << 10 | blockDim.z << 20;
  out[4 * i + 3] = gridDim.x | gridDim.y << 10 | gridDim.z << 20;
}
