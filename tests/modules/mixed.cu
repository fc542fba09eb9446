// mixed.cu: kernels that run here beside kernels that cannot: what they call is not in the module
// (printf, assert, malloc) or not in the machine (double). What may be launched must not depend on
// its neighbours. mixed.nvcc.ptx is made of it by make_ptx.sh.
#include <cassert>
#include <cstdio>

typedef unsigned (*binary_t)(unsigned, unsigned);
typedef void (*sink_t)(unsigned *);

static __device__ unsigned place() { return blockIdx.x * blockDim.x + threadIdx.x; }

extern "C" __global__ void square(unsigned *out, unsigned n) {
  unsigned i = place();
  if (i < n) out[i] = 3 * i * i + 7;
}

// Functions that are called through a table: none of them prints.
static __device__ __noinline__ unsigned sum(unsigned a, unsigned b) { return a + b; }
static __device__ __noinline__ unsigned product(unsigned a, unsigned b) { return a * b; }
static __device__ binary_t const binary[2] = {sum, product};

extern "C" __global__ void table(unsigned *out, unsigned n) {
  unsigned i = place();
  if (i < n) out[i] = binary[i & 1](i, i + 5);
}

// A cycle of calls that prints nothing.
static __device__ __noinline__ unsigned odd(unsigned n);
static __device__ __noinline__ unsigned even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static __device__ __noinline__ unsigned odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

extern "C" __global__ void parity(unsigned *out, unsigned n) {
  unsigned i = place();
  if (i < n) out[i] = even(i % 9);
}

extern "C" __global__ void prints(unsigned *out, unsigned n) {
  unsigned i = place();
  if (i < n) out[i] = i;
  printf("%u of %u\n", i, n);
}

extern "C" __global__ void asserts(unsigned *out, unsigned n) {
  assert(n != 13);
  out[place()] = n;
}

extern "C" __global__ void allocates(unsigned *out, unsigned n) {
  unsigned *p = (unsigned *)malloc(4 * n);
  p[0] = n;
  out[place()] = p[0];
  free(p);
}

extern "C" __global__ void doubles(unsigned *out, unsigned n) {
  out[place()] = (unsigned)((double)n * 0.1);
}

// printf two calls down.
static __device__ __noinline__ void tell(unsigned *p) { printf("%u\n", *p); }
static __device__ __noinline__ void tell_next(unsigned *p) { tell(p + 1); }

extern "C" __global__ void deep(unsigned *out, unsigned n) { tell_next(out + n); }

// printf behind a table of functions.
static __device__ __noinline__ void clear(unsigned *p) { *p = 0; }
static __device__ sink_t const sinks[2] = {clear, tell};

extern "C" __global__ void indirect(unsigned *out, unsigned n) { sinks[n & 1](out); }

// printf in a cycle of calls.
static __device__ __noinline__ void pong(unsigned *p, unsigned n);
static __device__ __noinline__ void ping(unsigned *p, unsigned n) {
  p[n] = n;
  if (n != 0) pong(p, n - 1);
}
static __device__ __noinline__ void pong(unsigned *p, unsigned n) {
  if (n == 3) tell(p);
  if (n != 0) ping(p, n - 1);
}

extern "C" __global__ void cycle(unsigned *out, unsigned n) { ping(out, n); }
