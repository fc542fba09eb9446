/*
 * Pairs of lanes in one warp: even lanes produce, odd lanes consume, through a one-place mailbox
 * with a full flag. Two kernels that differ in which arm comes first in the source; the hand-written
 * PTX fixes the order of the program counters.
 */
#include "wl_device.h"

static __device__ __forceinline__ void produce(volatile unsigned *full, volatile unsigned *mail,
                                               unsigned pair, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    while (full[pair] != 0) {
    }
    mail[pair] = (i + 1) * (pair + 3);
    __threadfence();
    full[pair] = 1;
  }
}

static __device__ __forceinline__ unsigned consume(volatile unsigned *full,
                                                   volatile unsigned *mail, unsigned pair,
                                                   unsigned count) {
  unsigned hash = 0;
  for (unsigned i = 0; i < count; i++) {
    while (full[pair] == 0) {
    }
    __threadfence();
    hash = hash * 31 + mail[pair];
    __threadfence();
    full[pair] = 0;
  }
  return hash;
}

WL_KERNEL void pipe_producer_first(volatile unsigned *full, volatile unsigned *mail, unsigned *out,
                                   unsigned count) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned pair = me / 2;
  if (me % 2 == 0) {
    produce(full, mail, pair, count);
  } else {
    out[pair] = consume(full, mail, pair, count);
  }
}

WL_KERNEL void pipe_consumer_first(volatile unsigned *full, volatile unsigned *mail, unsigned *out,
                                   unsigned count) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned pair = me / 2;
  if (me % 2 != 0) {
    out[pair] = consume(full, mail, pair, count);
  } else {
    produce(full, mail, pair, count);
  }
}
