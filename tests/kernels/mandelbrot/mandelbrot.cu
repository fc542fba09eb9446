/* Iterations until |z| > 2, at most `limit`: loops of different length in one warp. */
#include "wl_device.h"

WL_KERNEL void mandelbrot(unsigned *out, int width, int height, float left, float top, float step,
                          unsigned limit) {
  int px = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  int py = (int)(blockIdx.y * blockDim.y + threadIdx.y);
  if (px >= width || py >= height) {
    return;
  }
  float cx = __fmaf_rn((float)px, step, left);
  float cy = __fmaf_rn((float)py, step, top);
  float x = 0.0f;
  float y = 0.0f;
  unsigned count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + cx;
    y = __fmaf_rn(2.0f * x, y, cy);
    x = next;
    count++;
  }
  out[py * width + px] = count;
}
