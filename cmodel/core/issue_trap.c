/* Rule 1 of an issue (docs/microarchitecture.md 5): the traps that an instruction raises as it issues, and
 * whether a gathered form arrives instead. What raises changes nothing else. */
#include "cmodel/core/issue.h"

typedef struct wl_rising {
  uint8_t cause;
  uint32_t lanes; /* the lowest is named */
} wl_rising_t;

bool wl_issue_arrives(const wl_issue_wire_t *is) {
  return is->insn->gathered && is->insn->trap == WL_TRAP_NONE && is->path != is->live;
}

/* All lanes that are left issue a gathered form together. */
static wl_rising_t misgathered(const wl_issue_wire_t *is) {
  const bool all = is->insn->dec.info->of.aligned == WL_ALIGNED_ALL;
  if (is->exec == 0 || is->path != is->live) return (wl_rising_t){WL_TRAP_NONE, 0};
  if (is->exec != is->path) return (wl_rising_t){WL_TRAP_ALIGNED_GUARD, is->path & ~is->exec};
  if (all && ~is->live != 0) return (wl_rising_t){WL_TRAP_ALIGNED_EXIT, ~is->live};
  return (wl_rising_t){WL_TRAP_NONE, 0};
}

/* The member check of .i forms (9). */
static wl_rising_t outside_mask(const wl_issue_wire_t *is) {
  const uint32_t lanes = is->released ? 0 : is->exec & ~is->insn->dec.imm;
  return (wl_rising_t){lanes != 0 ? WL_TRAP_SYNC_MASK : WL_TRAP_NONE, lanes};
}

static wl_rising_t rising(const wl_env_t *env, const wl_issue_wire_t *is) {
  const wl_insn_t *insn = is->insn;
  if (insn->trap != WL_TRAP_NONE) return (wl_rising_t){insn->trap, is->path};
  if (insn->max_reg >= (int)(8 * env->launch->reg_pages))
    return (wl_rising_t){WL_TRAP_REGISTER_RANGE, is->path};
  if (insn->gathered) return misgathered(is);
  if (insn->dec.unit == WL_UNIT_SYNC && insn->dec.info->imm == WL_IMM_M) return outside_mask(is);
  return (wl_rising_t){WL_TRAP_NONE, 0};
}

bool wl_issue_raise(const wl_env_t *env, wl_sub_wires_t *w, const wl_issue_wire_t *is) {
  const wl_rising_t r = rising(env, is);
  if (r.cause == WL_TRAP_NONE) return false;
  w->trap[WL_SRC_ISSUE] = (wl_trap_info_t){
      true, r.cause, is->warp, (uint8_t)(r.lanes != 0 ? wl_lowest(r.lanes) : 0), is->insn->pc, 0};
  return true;
}
