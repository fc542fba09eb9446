/*
 * A value handed from thread to thread in the order of a ticket counter, by three means: release and
 * acquire, relaxed accesses with fences, and a reduction with release. One hand-over per CTA.
 */
#include "wl_device.h"

WL_KERNEL void hand_over(unsigned *ticket, unsigned *flag, unsigned *plain, unsigned *out,
                         unsigned *arrivals) {
  if (threadIdx.x == 0) {
    unsigned mine = atomicAdd(ticket, 1u);
    unsigned value = 1;
    if (mine > 0) {
      if (mine & 1) {
        while (wl_ld_acquire_gpu(&flag[mine - 1]) == 0) {
        }
      } else {
        while (wl_ld_relaxed_sys(&flag[mine - 1]) == 0) {
        }
        wl_fence_acq_rel_gpu();
      }
      value = plain[mine - 1];
    }
    out[mine] = value;
    plain[mine] = value * 3 + mine;
    if (mine % 3 == 0) {
      __threadfence();
      wl_st_relaxed_sys(&flag[mine], 1);
    } else if (mine % 3 == 1) {
      wl_st_release_gpu(&flag[mine], 1);
    } else {
      wl_red_add_release_gpu(&flag[mine], 1);
    }
  }
  wl_atom_add_acq_rel_cta(&arrivals[blockIdx.x], 1);
  wl_fence_sc_cta();
}
