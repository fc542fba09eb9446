/* sreg.c: special registers (isa/def/sreg.def; docs/microarchitecture.md 6.2). %clock counts issues
 * here: the functional runner has no cycles. %pm reads zero: it has no microarchitecture to count. */
#include "driver/func/func.h"
#include "gen/wl_sreg.h"

static void thread_index(const func_sm_t *sm, const func_warp_t *w, uint32_t id,
                         uint32_t out[WL_LANES]) {
  uint32_t nx = sm->launch.ntid_x;
  uint32_t nxy = nx * sm->launch.ntid_y;
  for (uint32_t lane = 0; lane < WL_LANES; lane++) {
    uint32_t q = 32 * w->index + lane;
    uint32_t in_plane = q % nxy;
    out[lane] = id == WL_SREG_TID_X ? in_plane % nx : id == WL_SREG_TID_Y ? in_plane / nx : q / nxy;
  }
}

static uint32_t lane_mask(uint32_t id, uint32_t lane) {
  uint32_t bit = UINT32_C(1) << lane;
  switch (id) {
  case WL_SREG_LANEMASK_EQ:
    return bit;
  case WL_SREG_LANEMASK_LE:
    return bit | (bit - 1);
  case WL_SREG_LANEMASK_LT:
    return bit - 1;
  case WL_SREG_LANEMASK_GE:
    return ~(bit - 1);
  default:
    return ~(bit | (bit - 1));
  }
}

/* What is equal in all lanes. */
static uint32_t uniform(const func_sm_t *sm, const func_warp_t *w, uint32_t id) {
  const wl_launch_block_t *l = &sm->launch;
  const uint32_t *cta = sm->ctas[w->cta].id;
  uint64_t timer = sm->clock * WL_NS_NUM / WL_NS_DEN;
  switch (id) {
  case WL_SREG_NTID_X:
    return l->ntid_x;
  case WL_SREG_NTID_Y:
    return l->ntid_y;
  case WL_SREG_NTID_Z:
    return l->ntid_z;
  case WL_SREG_CTAID_X:
    return cta[0];
  case WL_SREG_CTAID_Y:
    return cta[1];
  case WL_SREG_CTAID_Z:
    return cta[2];
  case WL_SREG_NCTAID_X:
    return l->nctaid_x;
  case WL_SREG_NCTAID_Y:
    return l->nctaid_y;
  case WL_SREG_NCTAID_Z:
    return l->nctaid_z;
  case WL_SREG_WARPID:
    return w->slot;
  case WL_SREG_NWARPID:
    return sm->desc.config->warps;
  case WL_SREG_SMID:
    return sm->desc.config->smid;
  case WL_SREG_NSMID:
    return 1;
  case WL_SREG_GRIDID_LO:
    return l->gridid[0];
  case WL_SREG_GRIDID_HI:
    return l->gridid[1];
  case WL_SREG_CLOCK_LO:
    return (uint32_t)sm->clock;
  case WL_SREG_CLOCK_HI:
    return (uint32_t)(sm->clock >> 32);
  case WL_SREG_GLOBALTIMER_LO:
    return (uint32_t)timer;
  case WL_SREG_GLOBALTIMER_HI:
    return (uint32_t)(timer >> 32);
  case WL_SREG_DYNAMIC_SMEM:
    return l->dynamic_smem;
  case WL_SREG_TOTAL_SMEM:
  case WL_SREG_AGGR_SMEM:
    return l->smem_bytes;
  case WL_SREG_TMEM_BASE:
    return w->tmem_base;
  case WL_SREG_NCLUSTERID_ONE:
    return 1;
  default:
    return 0;
  }
}

void func_sreg(const func_sm_t *sm, const func_warp_t *w, uint32_t id, uint32_t out[WL_LANES]) {
  if (id == WL_SREG_TID_X || id == WL_SREG_TID_Y || id == WL_SREG_TID_Z) {
    thread_index(sm, w, id, out);
    return;
  }
  bool by_lane = id == WL_SREG_LANEID || (id >= WL_SREG_LANEMASK_EQ && id <= WL_SREG_LANEMASK_GT);
  uint32_t same = by_lane ? 0 : uniform(sm, w, id);
  for (uint32_t lane = 0; lane < WL_LANES; lane++) {
    out[lane] = !by_lane ? same : id == WL_SREG_LANEID ? lane : lane_mask(id, lane);
  }
}
