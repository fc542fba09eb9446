/* machine_cases.h: small machine programs with the result that docs/microarchitecture.md demands,
 * for every backend. The expectations are written down from the document, not computed by any code
 * of the project. */
#ifndef WL_TESTS_MACHINE_MACHINE_CASES_H
#define WL_TESTS_MACHINE_MACHINE_CASES_H
#include <stdint.h>

#include "gen/wl_trap.h"

typedef struct machine_case {
  const char *name, *text;
  uint32_t grid[3], block[3]; /* zeros: 1 */
  uint32_t regs;              /* 0: 32 */
  uint32_t shared, local;     /* static shared bytes, local frame */
  /* Word `thread` of the output buffer (linear index over the whole grid), NULL: not checked. */
  uint32_t (*want)(uint32_t thread);
  /* How many words are checked; 0: one per thread. Of a trap UINT32_MAX: it is the barrier unit's,
   * which names no place. */
  uint32_t words;
  wl_trap_t cause;      /* expected trap, NONE: none */
  uint32_t lane, lanes; /* of the trap; the instruction is the one behind label `here` */
  bool any_lanes;       /* do not check `lanes` */
  uint64_t address;     /* of the trap, checked if it is not 0 */
  bool hang;            /* must be reported as a hang, on every backend */
  bool f64;             /* needs option Fp64: refused by configurations without */
  bool bulk;            /* needs option Copy: refused by configurations without */
  /* Needs option Tmem: refused by configurations without, or with fewer columns. */
  uint32_t columns;
  uint32_t most_columns; /* and with more than these; 0: no limit */
  bool umma;             /* needs option Umma: refused by configurations without, and by func */
  bool scaled;           /* needs option TensorScaled, too */
  bool atom128;          /* needs option Atom128: refused by configurations without */
  bool probe;            /* needs option Probe: refused by configurations without, and by func */
} machine_case_t;

/* Output word of the thread in R4:R5, tid.x in R0; result in R1. */
#define PRO                                                                                        \
  "s2r R0, SR0\n ldc.b64 R4:R5, c0[RZ+0x200]\n mov.r R7, RZ\n shf.l.wrap.i R6, RZ, R0, 0x2\n"      \
  "add64.rr R4:R5, R4:R5, R6:R7\n"
#define EPI "st.global.b32 [R4:R5], R1\n exit\n"

extern const machine_case_t machine_arith_cases[], machine_flow_cases[], machine_meet_cases[],
    machine_memory_cases[], machine_trap_cases[], machine_probe_cases[], machine_f64_cases[],
    machine_matrix_cases[], machine_mbar_cases[], machine_copy_cases[], machine_bulk_cases[],
    machine_bulk_red_cases[], machine_bulk_fault_cases[], machine_tmem_cases[],
    machine_tmem_queue_cases[], machine_tmem_fault_cases[], machine_umma_cases[],
    machine_umma_order_cases[], machine_umma_fault_cases[], machine_umma_kind_cases[],
    machine_umma_tmem_cases[], machine_umma_kind_fault_cases[], machine_umma_scale_cases[],
    machine_umma_scale_fault_cases[], machine_wait_cases[],
    machine_atom128_cases[]; /* each ends with a NULL name */

#endif
