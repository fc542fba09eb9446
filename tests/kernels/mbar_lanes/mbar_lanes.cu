/*
 * Lanes of one warp that wait for mbarriers which other lanes of the same warp complete: in one wait with an
 * address for each lane, in both arms of a branch, by polling, and with a time limit that runs out.
 */
#include "wl_mbar.h"

#define MOST 64 /* threads */

static __device__ __forceinline__ void init_all(wl_mbar_t *b, unsigned number, unsigned n) {
  if (threadIdx.x < number) {
    wl_mbar_init(&b[threadIdx.x], n);
  }
}

/* A word goes from thread to thread, all around, some times. */
static __device__ __forceinline__ void chain(unsigned *out, unsigned rounds, unsigned step) {
  __shared__ wl_mbar_t turn[MOST];
  __shared__ unsigned word;
  const unsigned t = threadIdx.x, n = blockDim.x, next = (t + step) % n;
  unsigned hash = 0;
  init_all(turn, n, 1);
  word = 1;
  __syncthreads();
  if (t == 0) {
    wl_mbar_arrive(&turn[0]);
  }
  for (unsigned r = 0; r < rounds; r++) {
    wl_mbar_wait(&turn[t], r & 1);
    word = word * 3 + t;
    hash = hash * 31 + word;
    wl_mbar_arrive(&turn[next]);
  }
  out[t] = hash;
}
WL_KERNEL void chain_up(unsigned *out, unsigned rounds) { chain(out, rounds, 1); }
WL_KERNEL void chain_down(unsigned *out, unsigned rounds) { chain(out, rounds, blockDim.x - 1); }

/* The same by groups: every fourth thread. All of a group arrive at the mbarrier of the next. */
WL_KERNEL void groups(unsigned *out, unsigned rounds) {
  __shared__ wl_mbar_t turn[4];
  __shared__ unsigned word[MOST];
  const unsigned t = threadIdx.x, g = t % 4, before = g > 0 ? t - 1 : t + 3;
  init_all(turn, 4, blockDim.x / 4);
  word[t] = t + 5;
  __syncthreads();
  if (g == 3) {
    wl_mbar_arrive(&turn[0]);
  }
  for (unsigned r = 0; r < rounds; r++) {
    wl_mbar_wait(&turn[g], r & 1);
    word[t] = word[before] * 3 + t;
    wl_mbar_arrive(&turn[(g + 1) % 4]);
  }
  __syncthreads();
  out[t] = word[t];
}

/* Even lanes ask, odd lanes answer, each in its arm. */
WL_KERNEL void arms(unsigned *out, unsigned rounds) {
  __shared__ wl_mbar_t ping[MOST / 2], pong[MOST / 2];
  __shared__ unsigned there[MOST / 2], back[MOST / 2];
  const unsigned t = threadIdx.x, pair = t / 2;
  unsigned v = t;
  init_all(ping, blockDim.x / 2, 1);
  init_all(pong, blockDim.x / 2, 1);
  __syncthreads();
  if (t % 2 == 0) {
    for (unsigned r = 0; r < rounds; r++) {
      there[pair] = v * 5 + r;
      wl_mbar_arrive(&ping[pair]);
      wl_mbar_wait(&pong[pair], r & 1);
      v = back[pair];
    }
  } else {
    for (unsigned r = 0; r < rounds; r++) {
      wl_mbar_wait(&ping[pair], r & 1);
      v = v * 7 + there[pair];
      back[pair] = v ^ 0x55;
      wl_mbar_arrive(&pong[pair]);
    }
  }
  out[t] = v;
}

/* Pairs of lanes with a mailbox. Both sides poll. */
WL_KERNEL void pairs(unsigned *out, unsigned count) {
  __shared__ wl_mbar_t full[MOST / 2], empty[MOST / 2];
  __shared__ unsigned mail[MOST / 2];
  const unsigned t = threadIdx.x, pair = t / 2;
  init_all(full, blockDim.x / 2, 1);
  init_all(empty, blockDim.x / 2, 1);
  __syncthreads();
  if (t % 2 == 0) {
    for (unsigned i = 0; i < count; i++) {
      while (!wl_mbar_test_parity(&empty[pair], (i & 1) ^ 1)) {
      }
      mail[pair] = (i + 1) * (pair + 3);
      wl_mbar_arrive(&full[pair]);
    }
  } else {
    unsigned hash = 0;
    for (unsigned i = 0; i < count; i++) {
      while (!wl_mbar_test_parity(&full[pair], i & 1)) {
      }
      hash = hash * 31 + mail[pair];
      wl_mbar_arrive(&empty[pair]);
    }
    out[pair] = hash;
  }
}

/* Even lanes do not arrive until the odd lane beside has seen two waits end in vain. */
WL_KERNEL void timeouts(unsigned *out, unsigned ns) {
  __shared__ wl_mbar_t full[MOST / 2];
  __shared__ volatile unsigned vain[MOST / 2];
  __shared__ unsigned mail[MOST / 2];
  const unsigned t = threadIdx.x, pair = t / 2;
  init_all(full, blockDim.x / 2, 1);
  if (t % 2 == 0) {
    vain[pair] = 0;
  }
  __syncthreads();
  if (t % 2 == 0) {
    while (vain[pair] < 2) {
    }
    mail[pair] = pair * 9 + 4;
    wl_mbar_arrive(&full[pair]);
  } else {
    unsigned n = 0;
    while (!wl_mbar_try(&full[pair], 0, ns * (1 + pair))) {
      vain[pair] = ++n;
    }
    out[pair] = mail[pair] * 2 + (n >= 2 ? 1 : 0);
  }
}

/* Each thread by itself: what states tell, arrivals that a phase needs, before and after a drop. */
WL_KERNEL void counts(unsigned *out) {
  __shared__ wl_mbar_t all[MOST];
  const unsigned t = threadIdx.x, n = 2 + t % 5;
  wl_mbar_t *b = &all[t];
  unsigned arrivals = 0, again = 0;
  wl_mbar_init(b, n);
  const unsigned long long first = wl_mbar_arrive_state(b);
  const unsigned long long second = n >= 4 ? wl_mbar_arrive_early(b, 2) : first;
  const unsigned long long third = wl_mbar_drop(b);
  while (!wl_mbar_test(b, first)) {
    wl_mbar_arrive(b);
    arrivals++;
  }
  const unsigned parities =
      (wl_mbar_test_parity(b, 0) ? 1 : 0) + (wl_mbar_test_parity(b, 1) ? 2 : 0);
  const unsigned long long fourth = wl_mbar_arrive_state(b);
  while (!wl_mbar_test(b, fourth)) {
    wl_mbar_arrive(b);
    again++;
  }
  out[t * 4] = wl_mbar_pending(first) + wl_mbar_pending(second) * 16 + wl_mbar_pending(third) * 256;
  out[t * 4 + 1] = wl_mbar_pending(fourth);
  out[t * 4 + 2] = arrivals + again * 16;
  wl_mbar_inval(b);
  wl_mbar_init(b, 1);
  wl_mbar_arrive(b);
  out[t * 4 + 3] = parities + (wl_mbar_test_parity(b, 0) ? 4 : 0);
}
