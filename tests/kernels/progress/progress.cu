/*
 * Forward progress among the lanes of a warp (PTX chapter 3: every thread progresses):
 * pollers_worker: two lanes poll in two loops, a third works and then frees one after the other;
 * sleepers: lanes wait with growing nanosleep for lanes that arrive later in program order;
 * both_arms: bar.warp.sync executed at two places by two halves of the warp, repeatedly;
 * goto_soup: irreducible control flow that differs from lane to lane.
 */
#include "wl_device.h"

WL_KERNEL void pollers_worker(volatile unsigned *flag, volatile unsigned *mail, unsigned *out,
                              unsigned steps) {
  unsigned role = threadIdx.x % 3;
  unsigned group = (blockIdx.x * blockDim.x + threadIdx.x) / 3;
  volatile unsigned *first = flag + 2 * group;
  volatile unsigned *second = first + 1;
  if (role == 0) {
    while (*first == 0) {
    }
    __threadfence();
    out[2 * group] = mail[2 * group] + 1;
  } else if (role == 1) {
    while (*second == 0) {
    }
    __threadfence();
    out[2 * group + 1] = mail[2 * group + 1] ^ 0x5555u;
  } else {
    unsigned x = group + 1;
    for (unsigned i = 0; i < steps; i++) {
      x = x * 1664525u + 1013904223u;
    }
    mail[2 * group] = x;
    __threadfence();
    *first = 1;
    for (unsigned i = 0; i < steps; i++) {
      x = x * 22695477u + 1;
    }
    mail[2 * group + 1] = x;
    __threadfence();
    *second = 1;
  }
}

/* Guarded: a lane sleeps only while its partner's word is still 0. */
WL_KERNEL void sleepers(volatile unsigned *word, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned next = threadIdx.x + 1 < blockDim.x ? i + 1 : i;
  if (next != i) {
    unsigned ns = 8;
    while (word[next] == 0) {
      wl_nanosleep(ns);
      ns = ns < 256 ? ns * 2 : ns;
    }
    __threadfence();
  }
  unsigned v = next != i ? word[next] * 3 + threadIdx.x : 1;
  out[i] = v;
  __threadfence();
  word[i] = v | 1;
}

WL_KERNEL void both_arms(const unsigned *in, unsigned *out, unsigned rounds) {
  __shared__ volatile unsigned stage[256];
  unsigned t = threadIdx.x;
  unsigned lane = wl_lane();
  unsigned partner = (t & ~31u) + 31 - lane;
  unsigned v = in[blockIdx.x * blockDim.x + t];
  for (unsigned r = 0; r < rounds; r++) {
    stage[t] = v;
    if ((lane + r) % 3 == 0) {
      v = v * 5 + 1;
      __syncwarp(0xffffffffu);
      v += stage[partner];
    } else {
      v = v ^ (v >> 7);
      __syncwarp(0xffffffffu);
      v -= stage[partner];
    }
    __syncwarp(0xffffffffu);
  }
  out[blockIdx.x * blockDim.x + t] = v;
}

WL_KERNEL void goto_soup(const unsigned *in, unsigned *out, unsigned n, unsigned limit) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned count = 0;
  unsigned x;
  if (i >= n) {
    return;
  }
  x = in[i];
  if (x & 1) goto b;
  if (x & 2) goto c;
a:
  x = x * 3 + 1;
  if (++count >= limit) goto end;
  if (x & 4) goto c;
b:
  x ^= x >> 3;
  if (++count >= limit) goto end;
  if (x & 2) goto a;
  if (x & 16) goto d;
c:
  x += 0x9e3779b9u;
  if (++count >= limit) goto end;
  if (x & 8) goto b;
d:
  x = (x << 5) | (x >> 27);
  if (++count >= limit) goto end;
  if (x & 1) goto a;
  if (x & 64) goto c;
  goto b;
end:
  out[i] = x;
}
