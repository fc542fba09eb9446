/* Calls that stay calls: plain, with many arguments, with structures, recursive, nested, mutual. */
#include "wl_device.h"

struct wl_pair {
  int first;
  long long second;
};

struct wl_block {
  unsigned word[6];
};

__device__ __noinline__ unsigned gcd(unsigned a, unsigned b) {
  while (b != 0) {
    unsigned t = a % b;
    a = b;
    b = t;
  }
  return a;
}

__device__ __noinline__ int weigh(int a, int b, int c, int d, int e, int f, int g, int h, int i,
                                  int j, short k, signed char l, long long m) {
  return a - 2 * b + 3 * c - 4 * d + 5 * e - 6 * f + 7 * g - 8 * h + 9 * i - 10 * j + 11 * k -
         12 * l + (int)(m >> 8);
}

__device__ __noinline__ wl_pair make_pair(int v, unsigned which) {
  wl_pair p;
  p.first = which ? v : -v;
  p.second = (long long)v * v + which;
  return p;
}

__device__ __noinline__ unsigned fold(wl_block block, unsigned start) {
  unsigned sum = start;
  for (unsigned i = 0; i < 6; i++) {
    sum = sum * 33 + block.word[(i + start) % 6];
  }
  return sum;
}

/* Recursion whose depth differs from lane to lane. */
__device__ __noinline__ unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ unsigned is_odd(unsigned n);

__device__ __noinline__ unsigned is_even(unsigned n) { return n == 0 ? 7 : is_odd(n - 1) + n; }

__device__ __noinline__ unsigned is_odd(unsigned n) { return n == 0 ? 5 : is_even(n - 1) ^ n; }

WL_KERNEL void calls(const int *in, int *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  int v = in[i];
  unsigned u = (unsigned)v;
  unsigned r = gcd((u & 0xffff) + 1, (u >> 16) + 1);
  r += (unsigned)weigh(v & 15, v >> 4 & 15, v >> 8 & 15, v >> 12 & 15, v >> 16 & 15, v >> 20 & 15,
                       v >> 24, (int)i, 3, 4, (short)v, (signed char)(v >> 3),
                       (long long)v * 70000);
  wl_pair p = make_pair(v >> 8, u & 1);
  r ^= (unsigned)p.first + (unsigned)p.second + (unsigned)(p.second >> 32);
  wl_block block;
  for (unsigned j = 0; j < 6; j++) {
    block.word[j] = u >> j;
  }
  r += fold(block, u % 6);
  if (i % 3 != 0) { /* calls in divergent code */
    r += fibonacci(u % 9);
  } else {
    r ^= is_even(u % 12);
  }
  out[i] = (int)r;
}
