/*
 * What follows the matrix products of a transformer: softmax and layer norm of the rows of a matrix, one
 * CTA of 128 threads a row, and GELU by the hyperbolic tangent. Compiled with -use_fast_math, so that the
 * functions are the machine's approximations. The host's results differ in their last bits.
 */
#include "wl_device.h"

static __device__ __forceinline__ float row_sum(float v, float *part) {
  for (int d = 16; d > 0; d /= 2) {
    v += __shfl_xor_sync(0xffffffffu, v, d);
  }
  if (threadIdx.x % 32 == 0) {
    part[threadIdx.x / 32] = v;
  }
  __syncthreads();
  v = (part[0] + part[1]) + (part[2] + part[3]);
  __syncthreads();
  return v;
}

static __device__ __forceinline__ float row_max(float v, float *part) {
  for (int d = 16; d > 0; d /= 2) {
    v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  }
  if (threadIdx.x % 32 == 0) {
    part[threadIdx.x / 32] = v;
  }
  __syncthreads();
  v = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
  __syncthreads();
  return v;
}

/* y = exp(x - max) / sum; lse: the logarithm of the sum of the exponentials. */
WL_KERNEL void softmax(const float *x, float *y, float *lse, unsigned columns) {
  __shared__ float part[4];
  const float *row = x + blockIdx.x * columns;
  float *out = y + blockIdx.x * columns;
  float most = -3.402823466e38f, sum = 0.0f;
  for (unsigned i = threadIdx.x; i < columns; i += 128) {
    most = fmaxf(most, row[i]);
  }
  most = row_max(most, part);
  for (unsigned i = threadIdx.x; i < columns; i += 128) {
    float e = expf(row[i] - most);
    out[i] = e;
    sum += e;
  }
  sum = row_sum(sum, part);
  for (unsigned i = threadIdx.x; i < columns; i += 128) {
    out[i] = out[i] / sum;
  }
  if (threadIdx.x == 0) {
    lse[blockIdx.x] = most + logf(sum);
  }
}

WL_KERNEL void layernorm(const float *x, const float *gain, const float *bias, float *y,
                         unsigned columns) {
  __shared__ float part[4];
  const float *row = x + blockIdx.x * columns;
  float sum = 0.0f, square = 0.0f;
  for (unsigned i = threadIdx.x; i < columns; i += 128) {
    sum += row[i];
  }
  float mean = row_sum(sum, part) / (float)columns;
  for (unsigned i = threadIdx.x; i < columns; i += 128) {
    float d = row[i] - mean;
    square += d * d;
  }
  float scale = rsqrtf(row_sum(square, part) / (float)columns + 1e-5f);
  for (unsigned i = threadIdx.x; i < columns; i += 128) {
    y[blockIdx.x * columns + i] = (row[i] - mean) * scale * gain[i] + bias[i];
  }
}

WL_KERNEL void gelu(const float *x, float *y, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i], inner = 0.7978845608f * (v + 0.044715f * v * v * v);
    y[i] = 0.5f * v * (1.0f + tanhf(inner));
  }
}
