/*
 * A spin lock taken by all lanes of each warp. Ends only if a lane that waits cannot keep the
 * holder, a lane of the same warp, from running. `spin` waits in an inner loop (the holder has left
 * it), `retry` goes round an outer loop with the critical section inside.
 * The counter under the lock is deliberately no atomic; order[] logs who came when.
 */
#include "wl_device.h"

WL_KERNEL void lock_spin(int *lock, volatile unsigned *count, volatile unsigned *order) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  unsigned turn = *count;
  order[turn] = me;
  *count = turn + 1;
  __threadfence();
  atomicExch(lock, 0);
}

WL_KERNEL void lock_retry(int *lock, volatile unsigned *count, volatile unsigned *order) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      unsigned turn = *count;
      order[turn] = me;
      *count = turn + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
