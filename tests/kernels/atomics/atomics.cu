/*
 * Every atomic operation on 32- and 64-bit integers and add on f32, in global and shared memory.
 * atomics_final: many threads on few words, only the final contents count (the operations commute,
 * the floats are small integers). atomics_own: each thread on its own words, where the returned old
 * values are defined too.
 */
#include "wl_device.h"

typedef unsigned long long wl_u64;

static __device__ __forceinline__ void all_on(unsigned *w, wl_u64 *d, float *f, unsigned v,
                                              wl_u64 big) {
  atomicAdd(&w[0], v);
  atomicMin(&w[1], v);
  atomicMax(&w[2], v);
  atomicMin((int *)&w[3], (int)v);
  atomicMax((int *)&w[4], (int)v);
  atomicInc(&w[5], 12u);
  atomicDec(&w[6], 17u);
  atomicAnd(&w[7], v | 0xff00u);
  atomicOr(&w[8], v & 0x00ff0ff0u);
  atomicXor(&w[9], v);
  wl_red_max_s32((int *)&w[10], (int)(v * 3));
  atomicAdd(&d[0], big);
  atomicMin(&d[1], big);
  atomicMax(&d[2], big);
  atomicMin((long long *)&d[3], (long long)big);
  atomicMax((long long *)&d[4], (long long)big);
  atomicAnd(&d[5], big | 0xffff0000ull);
  atomicOr(&d[6], big & 0xf0f0f0f000ull);
  atomicXor(&d[7], big);
  atomicAdd(&f[0], (float)(v & 15));
}

WL_KERNEL void atomics_final(const unsigned *in, const wl_u64 *big, unsigned *w, wl_u64 *d,
                             float *f, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    all_on(w + i % 3 * 11, d + i % 3 * 8, f + i % 3, in[i], big[i]);
  }
}

/* The same in shared memory, one CTA; contents in and out through global memory. */
WL_KERNEL void atomics_shared(const unsigned *in, const wl_u64 *big, unsigned *w, wl_u64 *d,
                              float *f, unsigned n) {
  __shared__ unsigned sw[33];
  __shared__ wl_u64 sd[24];
  __shared__ float sf[3];
  for (unsigned t = threadIdx.x; t < 33; t += blockDim.x) {
    sw[t] = w[t];
    sd[t % 24] = d[t % 24];
    sf[t % 3] = f[t % 3];
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    all_on(sw + i % 3 * 11, sd + i % 3 * 8, sf + i % 3, in[i], big[i]);
  }
  __syncthreads();
  for (unsigned t = threadIdx.x; t < 33; t += blockDim.x) {
    w[t] = sw[t];
    d[t % 24] = sd[t % 24];
    f[t % 3] = sf[t % 3];
  }
}

WL_KERNEL void atomics_own(unsigned *w, wl_u64 *d, unsigned *old, wl_u64 *old_wide, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned *mine = w + i * 3;
  wl_u64 *wide = d + i * 2;
  unsigned hash = atomicExch(&mine[0], i * 7);
  hash = hash * 31 + atomicCAS(&mine[1], i % 4, i + 100);
  hash = hash * 31 + atomicCAS(&mine[1], i + 100, 9u);
  hash = hash * 31 + atomicAdd(&mine[2], 5u);
  hash = hash * 31 + atomicInc(&mine[2], 20u);
  hash = hash * 31 + atomicDec(&mine[2], 10u);
  hash = hash * 31 + atomicMax(&mine[2], 11u);
  hash = hash * 31 + atomicXor(&mine[2], 0xffu);
  old[i] = hash;
  wl_u64 sum = atomicExch(&wide[0], (wl_u64)i << 33);
  sum = sum * 31 + atomicCAS(&wide[1], (wl_u64)(i % 4) << 32, ~(wl_u64)i);
  sum = sum * 31 + atomicAdd(&wide[1], 0x100000001ull);
  sum = sum * 31 + atomicAnd(&wide[0], 0xff00000000ull);
  old_wide[i] = sum;
}
