/* 2-D five-point stencil with coefficients in constant memory; the border is copied. */
#include "wl_device.h"

__constant__ float coefficient[5] = {0.5f, 0.15f, 0.1f, 0.2f, 0.05f};

WL_KERNEL void stencil(const float *in, float *out, int width, int height) {
  int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  int y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) {
    return;
  }
  const int dx[5] = {0, -1, 1, 0, 0};
  const int dy[5] = {0, 0, 0, -1, 1};
  float v = in[y * width + x];
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    v = 0.0f;
    for (int i = 0; i < 5; i++) {
      v = __fmaf_rn(coefficient[i], in[(y + dy[i]) * width + x + dx[i]], v);
    }
  }
  out[y * width + x] = v;
}

/* A table lookup whose index differs from lane to lane. */
WL_KERNEL void lookup(const unsigned *index, float *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = coefficient[index[i] % 5];
  }
}
