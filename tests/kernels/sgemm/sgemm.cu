/* C = alpha * A * B + beta * C for row-major M x K, K x N; 16 x 16 tiles in shared memory. */
#include "wl_device.h"

#define TILE 16

WL_KERNEL void sgemm(const float *a, const float *b, float *c, int m, int n, int k, float alpha,
                     float beta) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int tx = (int)threadIdx.x;
  int ty = (int)threadIdx.y;
  int col = (int)blockIdx.x * TILE + tx;
  int row = (int)blockIdx.y * TILE + ty;
  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE) {
    tile_a[ty][tx] = row < m && base + tx < k ? a[row * k + base + tx] : 0.0f;
    tile_b[ty][tx] = base + ty < k && col < n ? b[(base + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
      sum = __fmaf_rn(tile_a[ty][i], tile_b[i][tx], sum);
    }
    __syncthreads();
  }
  if (row < m && col < n) {
    c[row * n + col] = __fmaf_rn(alpha, sum, beta * c[row * n + col]);
  }
}
