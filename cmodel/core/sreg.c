/* Special registers as an instruction at issue sees them (docs/microarchitecture.md 6.2, sreg.def).
 * %pm reads zero here: with PmCounters = 1 core/operands.c puts the monitor's word in its place in X1. */
#include "gen/wl_sreg.h"

#include "cmodel/core/operands.h"

/* %tid of a linear thread number: divisions by the reciprocals of the launch block. */
static uint32_t thread_index(const wl_launch_block_t *lb, uint32_t q, unsigned axis) {
  const uint32_t z = (uint32_t)((uint64_t)q * lb->recip_xy >> 20);
  const uint32_t rest = q - z * lb->ntid_x * lb->ntid_y;
  const uint32_t y = (uint32_t)((uint64_t)rest * lb->recip_x >> 20);
  if (axis == WL_SREG_TID_Z) return z;
  return axis == WL_SREG_TID_Y ? y : rest - y * lb->ntid_x;
}

static uint32_t lane_value(unsigned id, unsigned lane) {
  const uint32_t bit = UINT32_C(1) << lane;
  switch (id) {
  case WL_SREG_LANEID:
    return lane;
  case WL_SREG_LANEMASK_EQ:
    return bit;
  case WL_SREG_LANEMASK_LE:
    return bit | (bit - 1);
  case WL_SREG_LANEMASK_LT:
    return bit - 1;
  case WL_SREG_LANEMASK_GE:
    return ~(bit - 1);
  default:
    return ~(bit | (bit - 1)); /* LANEMASK_GT */
  }
}

static uint32_t common_value(const wl_env_t *env, const wl_flight_t *f, unsigned id) {
  const wl_launch_block_t *lb = env->launch;
  const wl_cta_t *cta = &env->slots->cta[env->slots->warp_cta[f->warp]];
  const uint64_t time = f->cycle * WL_NS_NUM / WL_NS_DEN;
  switch (id) {
  case WL_SREG_NTID_X:
    return lb->ntid_x;
  case WL_SREG_NTID_Y:
    return lb->ntid_y;
  case WL_SREG_NTID_Z:
    return lb->ntid_z;
  case WL_SREG_CTAID_X:
    return cta->x;
  case WL_SREG_CTAID_Y:
    return cta->y;
  case WL_SREG_CTAID_Z:
    return cta->z;
  case WL_SREG_NCTAID_X:
    return lb->nctaid_x;
  case WL_SREG_NCTAID_Y:
    return lb->nctaid_y;
  case WL_SREG_NCTAID_Z:
    return lb->nctaid_z;
  case WL_SREG_WARPID:
    return f->warp;
  case WL_SREG_NWARPID:
    return env->cfg.warps;
  case WL_SREG_SMID:
    return env->cfg.smid;
  case WL_SREG_NSMID:
    return 1; /* one SM */
  case WL_SREG_GRIDID_LO:
    return lb->gridid[0];
  case WL_SREG_GRIDID_HI:
    return lb->gridid[1];
  case WL_SREG_CLOCK_LO:
    return (uint32_t)f->cycle;
  case WL_SREG_CLOCK_HI:
    return (uint32_t)(f->cycle >> 32);
  case WL_SREG_GLOBALTIMER_LO:
    return (uint32_t)time;
  case WL_SREG_GLOBALTIMER_HI:
    return (uint32_t)(time >> 32);
  case WL_SREG_DYNAMIC_SMEM:
    return lb->dynamic_smem;
  case WL_SREG_TOTAL_SMEM:
  case WL_SREG_AGGR_SMEM:
    return lb->smem_bytes;
  case WL_SREG_NCLUSTERID_ONE:
    return 1;
  case WL_SREG_TMEM_BASE:
    return f->column_base;
  default:
    break;
  }
  return 0;
}

/* A word of %pm[i], low and high in turn. */
bool wl_sreg_monitor(const uint64_t *pm, unsigned id, uint32_t *value) {
  if (id < WL_SREG_PM0_LO || id > WL_SREG_PM7_HI) return false;
  const unsigned word = id - WL_SREG_PM0_LO;
  *value = (uint32_t)(pm[word / 2] >> word % 2 * 32);
  return true;
}

void wl_sreg_read(const wl_env_t *env, const wl_flight_t *f, uint32_t out[WL_LANES]) {
  const unsigned id = f->insn.dec.imm & 0xff;
  if (id <= WL_SREG_TID_Z) {
    const uint32_t first = 32u * env->slots->warp_index[f->warp];
    for (unsigned i = 0; i < WL_LANES; i++)
      out[i] = thread_index(env->launch, first + i, id);
  } else if (id == WL_SREG_LANEID || (id >= WL_SREG_LANEMASK_EQ && id <= WL_SREG_LANEMASK_GT)) {
    for (unsigned i = 0; i < WL_LANES; i++)
      out[i] = lane_value(id, i);
  } else {
    const uint32_t value = common_value(env, f, id);
    for (unsigned i = 0; i < WL_LANES; i++)
      out[i] = value;
  }
}
