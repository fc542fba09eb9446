/*
 * Shuffles in all modes and widths, votes, match, redux, activemask, lane masks; with full masks,
 * with part of the warp in divergent code, and (width) with segments.
 */
#include "wl_device.h"

#define ALL 0xffffffffu

WL_KERNEL void shuffles(const int *in, int *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = wl_lane();
  int v = in[i];
  int *r = out + i * 10;
  r[0] = __shfl_sync(ALL, v, (int)(lane * 7 + 3));
  r[1] = __shfl_sync(ALL, v, v & 63, 8);
  r[2] = __shfl_up_sync(ALL, v, 3);
  r[3] = __shfl_up_sync(ALL, v, 5, 16);
  r[4] = __shfl_down_sync(ALL, v, 4);
  r[5] = __shfl_down_sync(ALL, v, 1, 4);
  r[6] = __shfl_xor_sync(ALL, v, 21);
  r[7] = __shfl_xor_sync(ALL, v, 9, 16);
  /* Two halves of the warp exchange among themselves, at different instructions. */
  if (lane % 3 == 0) {
    r[8] = __shfl_sync(0x49249249u, v, (int)(lane / 3 * 6 % 33));
  } else {
    r[8] = __shfl_xor_sync(0xb6db6db6u, v, 0) * 3;
  }
  long long wide = (long long)v * 1000003;
  int low = __shfl_down_sync(ALL, (int)wide, 2);
  int high = __shfl_down_sync(ALL, (int)(wide >> 32), 2);
  r[9] = low ^ high;
}

WL_KERNEL void votes(const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = wl_lane();
  unsigned v = in[i];
  unsigned *r = out + i * 10;
  int same = 0;
  r[0] = __ballot_sync(ALL, (v & 1) != 0);
  r[1] = (unsigned)__all_sync(ALL, v != 5) | (unsigned)__any_sync(ALL, v == 3) << 1 |
         (unsigned)__uni_sync(ALL, v < 9) << 2;
  r[2] = __match_any_sync(ALL, v & 7);
  r[3] = __match_all_sync(ALL, v >> 4, &same);
  r[4] = (unsigned)same;
  r[5] = wl_lanemask_lt() ^ wl_lanemask_ge();
  r[6] = wl_active_mask();
  if (v & 1) {
    unsigned group = __ballot_sync(r[0], (v & 2) != 0);
    r[7] = group;
    r[8] = (unsigned)__popc(group & wl_lanemask_lt());
  } else {
    r[7] = __match_any_sync(~r[0], v & 6);
    r[8] = (unsigned)__any_sync(~r[0], v == 4);
  }
  __syncwarp(ALL);
  r[9] = lane;
}

WL_KERNEL void redux(const unsigned *in, unsigned *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = wl_lane();
  unsigned v = in[i];
  unsigned *r = out + i * 9;
  r[0] = __reduce_add_sync(ALL, v);
  r[1] = __reduce_min_sync(ALL, v);
  r[2] = __reduce_max_sync(ALL, v);
  r[3] = (unsigned)__reduce_min_sync(ALL, (int)v);
  r[4] = (unsigned)__reduce_max_sync(ALL, (int)v);
  r[5] = __reduce_and_sync(ALL, v | 0x0f0f0000u);
  r[6] = __reduce_or_sync(ALL, v & 0x00ff00f0u);
  r[7] = __reduce_xor_sync(ALL, v);
  if (lane < 11) {
    r[8] = __reduce_add_sync(0x7ffu, v);
  } else {
    r[8] = (unsigned)__reduce_max_sync(0xfffff800u, (int)v);
  }
}
