/*
 * Atomics of 128 bits. A stack without locks, whose head is one word of 16 bytes: address of the top node, tag,
 * count; in global and in shared memory. Chains of exchanges: each value comes out once and whole. Sums of 128 bits
 * by cas. No result depends on the order.
 */
#include "wl_wide.h"

enum : unsigned { CLASSES = 4, NODES = 128, CELLS = 4, LOCALS = 2 };

struct alignas(16) node_t {
  node_t *next;
  unsigned visits, unused;
};

static __device__ __forceinline__ void push(wl_wide_t *head, node_t *node) {
  wl_wide_t old = {0, 0}, seen = wl_cas16(head, old, old); /* reads it whole */
  do {
    old = seen;
    *(node_t *volatile *)&node->next = (node_t *)old.x;
    __threadfence();
    const wl_wide_t now = {(wl_u64)node, old.y + (1ull << 32) + 1};
    seen = wl_cas16(head, old, now);
  } while (seen.x != old.x || seen.y != old.y);
}

/* The stack is not empty: each thread pushes before it pops. The tag tells a head that came back. */
static __device__ __forceinline__ node_t *pop(wl_wide_t *head) {
  wl_wide_t old = {0, 0}, seen = wl_cas16(head, old, old);
  do {
    old = seen;
    const node_t *next = *(node_t *const volatile *)&((node_t *)old.x)->next;
    const wl_wide_t now = {(wl_u64)next, old.y + (1ull << 32) - 1};
    seen = wl_cas16(head, old, now);
  } while (seen.x != old.x || seen.y != old.y);
  __threadfence();
  return (node_t *)old.x;
}

/* Pushes what the thread holds and pops what it will; a node's holder alone counts its visits. */
static __device__ __forceinline__ node_t *rounds_of(wl_wide_t *head, node_t *hold,
                                                    unsigned rounds) {
  for (unsigned r = 0; r < rounds; r++) {
    push(head, hold);
    hold = pop(head);
    hold->visits++;
  }
  return hold;
}

/* Which node a thread holds at the end is open; that they are all held is not. */
WL_KERNEL void wide_stack(wl_wide_t *heads, node_t *nodes, unsigned *held, unsigned *visits,
                          unsigned rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  node_t *hold = rounds_of(&heads[i % CLASSES], &nodes[i], rounds);
  atomicAdd(&held[hold - nodes], 1u);
  atomicAdd(visits, hold->visits);
  hold->next = 0;
  hold->visits = 0;
}

WL_KERNEL void wide_stack_shared(wl_wide_t *heads, unsigned *held, unsigned *visits,
                                 unsigned rounds) {
  __shared__ wl_wide_t head[CLASSES];
  __shared__ node_t node[NODES];
  const unsigned t = threadIdx.x;
  if (t < CLASSES) {
    head[t] = {0, 0};
  }
  node[t].visits = 0;
  __syncthreads();
  const node_t *hold = rounds_of(&head[t % CLASSES], &node[t], rounds);
  atomicAdd(&held[blockIdx.x * blockDim.x + (unsigned)(hold - node)], 1u);
  atomicAdd(visits, hold->visits);
  __syncthreads();
  if (t < CLASSES) {
    heads[blockIdx.x * CLASSES + t] = head[t];
  }
}

/* Value `id` of a chain; the second half tells whether all of it came together. */
static __device__ __forceinline__ wl_wide_t value_of(unsigned id) {
  const wl_u64 x = id * 0x100000001ull;
  return {x, ~x * 0x9e3779b97f4a7c15ull};
}

static __device__ __forceinline__ void mark(wl_wide_t got, unsigned *marks, unsigned *torn) {
  const unsigned id = (unsigned)got.x;
  const wl_wide_t want = value_of(id);
  atomicAdd(got.x == want.x && got.y == want.y ? &marks[id] : torn, 1u);
}

/* Lanes of a warp have cells of both spaces. All cells begin with value 0 and end with value -1. */
WL_KERNEL void wide_chain(wl_wide_t *cells, unsigned *marks, unsigned *torn, unsigned *arrived,
                          unsigned rounds) {
  __shared__ wl_wide_t local[LOCALS];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, place = t % (CELLS + LOCALS);
  wl_wide_t *cell = place < CELLS ? &cells[place] : &local[place - CELLS];
  if (t < LOCALS) {
    local[t] = value_of(0);
  }
  __syncthreads();
  for (unsigned r = 0; r < rounds; r++) {
    mark(wl_exch16_generic(cell, value_of(1 + i * rounds + r)), marks, torn);
  }
  __threadfence();
  if (__syncthreads_or(t == 0 && atomicAdd(arrived, 1u) == gridDim.x - 1) && t < CELLS) {
    mark(wl_exch16(&cells[t], value_of(~0u)), marks, torn);
  }
  if (t < LOCALS) {
    mark(wl_exch16(&local[t], value_of(~0u)), marks, torn);
  }
}

/* Adds 128 bits to one of three sums; the middle carry is often there. */
WL_KERNEL void wide_sum(wl_wide_t *sums, const wl_wide_t *in, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const wl_wide_t v = in[i];
    wl_wide_t *sum = &sums[i % 3], old = {0, 0}, seen = wl_cas16(sum, old, old);
    do {
      old = seen;
      const wl_u64 low = old.x + v.x;
      seen = wl_cas16_acq_rel(sum, old, {low, old.y + v.y + (low < v.x ? 1 : 0)});
    } while (seen.x != old.x || seen.y != old.y);
  }
}
