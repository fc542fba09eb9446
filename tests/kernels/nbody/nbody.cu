/* Softened gravity on n bodies {x, y, z, mass}: correctly rounded square root and division. */
#include "wl_device.h"

WL_KERNEL void nbody(const float4 *body, float4 *force, int n, float softening) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) {
    return;
  }
  float4 me = body[i];
  float fx = 0.0f;
  float fy = 0.0f;
  float fz = 0.0f;
  for (int j = 0; j < n; j++) {
    float4 other = body[j];
    float dx = other.x - me.x;
    float dy = other.y - me.y;
    float dz = other.z - me.z;
    float r2 = __fmaf_rn(dx, dx, __fmaf_rn(dy, dy, __fmaf_rn(dz, dz, softening)));
    float pull = __fdiv_rn(other.w, r2 * __fsqrt_rn(r2));
    fx = __fmaf_rn(pull, dx, fx);
    fy = __fmaf_rn(pull, dy, fy);
    fz = __fmaf_rn(pull, dz, fz);
  }
  float4 result;
  result.x = fx;
  result.y = fy;
  result.z = fz;
  result.w = me.w;
  force[i] = result;
}
