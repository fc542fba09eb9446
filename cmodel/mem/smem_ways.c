/* mem/smem_ways.c: docs/microarchitecture.md 23.3, 25.8: what the copy engine and a commit ask of shared memory,
 * and what its delivery tells them. Who comes first: the later of those who show a request in a cycle (gpu/sm.c). */
#include "cmodel/gpu/wires.h"

void wl_smem_signal(wl_wires_t *w, wl_signal_t signal, wl_mbar_op_t op, uint32_t at,
                    uint32_t operand) {
  wl_smem_req_t *r = &w->smem_req;
  w->smem_signal[0][0] = at;
  w->smem_signal[1][0] = operand;
  *r = (wl_smem_req_t){.valid = true,
                       .signal = (uint8_t)signal,
                       .kind = WL_MEM_KIND_MBAR,
                       .type = WL_MEM_TYPE_B64,
                       .atom = WL_ATOM_OP_NONE,
                       .mbar = (uint8_t)op,
                       .lanes = 1,
                       .address = w->smem_signal[0]};
  for (unsigned k = 0; k < 4; k++)
    r->data[k] = w->smem_signal[1];
}

void wl_smem_misuse(wl_wires_t *w, unsigned source, uint8_t warp, uint8_t lane, uint32_t pc) {
  const wl_trap_info_t late = {true, WL_TRAP_MBARRIER, warp, lane, pc, w->smem_rsp.misuse_address};
  wl_trap_info_t *trap = &w->trap[source];
  if (!trap->valid || trap->cause > late.cause) *trap = late;
}
