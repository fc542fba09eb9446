/*
 * Blocks of 32 numbers of f32 with one scale each, a power of two, as numbers of 8, 6 and 4 bits, and back to
 * f32: what CUDA's headers make of it. A thread has two neighbouring numbers, 16 threads a block.
 */
#ifndef WL_BLOCKS_H
#define WL_BLOCKS_H
#if defined(__NVCC__)
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

/* The scale that brings the largest magnitude of the block to 2^most .. 2^(most + 1). */
static __device__ unsigned wl_block_scale(float2 v, int most) {
  float largest = fmaxf(fabsf(v.x), fabsf(v.y));
  for (int distance = 8; distance > 0; distance /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, distance, 16));
  }
  float unit = __uint_as_float((unsigned)(127 - most) << 23);
  return __nv_cvt_float_to_e8m0(largest * unit, __NV_SATFINITE, cudaRoundZero);
}

/* The largest scale, whose reciprocal is subnormal, does not occur. */
static __device__ float2 wl_scaled_down(float2 v, unsigned scale) {
  float factor = __uint_as_float((254u - scale) << 23);
  return make_float2(v.x * factor, v.y * factor);
}

static __device__ float2 wl_scaled_up(__half2_raw pair, unsigned scale) {
  __nv_bfloat16_raw power = __nv_cvt_e8m0_to_bf16raw((__nv_fp8_storage_t)scale);
  float2 v = __half22float2(__half2(pair));
  float factor = __bfloat162float(__nv_bfloat16(power));
  return make_float2(v.x * factor, v.y * factor);
}

#define WL_BLOCKS(name, most, type, narrow, widen)                                                 \
  WL_KERNEL void name(const float2 *in, unsigned char *scales, type *out, float2 *back) {          \
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                            \
    float2 v = in[i];                                                                              \
    unsigned scale = wl_block_scale(v, most);                                                      \
    if (threadIdx.x % 16 == 0) {                                                                   \
      scales[i / 16] = (unsigned char)scale;                                                       \
    }                                                                                              \
    v = wl_scaled_down(v, scale);                                                                  \
    type pair = narrow;                                                                            \
    out[i] = pair;                                                                                 \
    back[i] = wl_scaled_up(widen, scale);                                                          \
  }
#else
#define WL_BLOCKS(name, most, type, narrow, widen) /* needs CUDA's headers */
#endif
#endif
