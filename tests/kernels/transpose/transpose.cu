/*
 * Transpose of a width x height matrix through a shared tile; CTA 32 x 8. One form reads columns of
 * a 32-word pitch (every lane in one bank), the other pads the pitch to 33 (no conflict).
 */
#include "wl_device.h"

template <int Pitch>
static __device__ __forceinline__ void transpose(const unsigned *in, unsigned *out, unsigned width,
                                                 unsigned height, unsigned (*tile)[Pitch]) {
  unsigned x = blockIdx.x * 32 + threadIdx.x;
  unsigned y = blockIdx.y * 32 + threadIdx.y;
  for (unsigned j = 0; j < 32; j += 8) {
    if (x < width && y + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (unsigned j = 0; j < 32; j += 8) {
    if (x < height && y + j < width) {
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}

WL_KERNEL void transpose_conflict(const unsigned *in, unsigned *out, unsigned width,
                                  unsigned height) {
  __shared__ unsigned tile[32][32];
  transpose<32>(in, out, width, height, tile);
}

WL_KERNEL void transpose_padded(const unsigned *in, unsigned *out, unsigned width,
                                unsigned height) {
  __shared__ unsigned tile[32][33];
  transpose<33>(in, out, width, height, tile);
}
