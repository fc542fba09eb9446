/* One SM of the golden model (docs/microarchitecture.md 0.1, docs/interfaces.md): its units and the order
 * in which a cycle asks them. A cycle is: what units show of their state (wl_sm_show), outputs (*_out),
 * arbitrations (*_arb), then every update (*_update). All but the updates read the state visible in the
 * cycle and write wires. An update changes its own unit's state and reads the wires, so the order of the
 * updates does not matter. A unit knows its own state, the environment (gpu/env.h) and the wires
 * (gpu/wires.h). This header knows all units; it is for gpu/sm.c, gpu/gpu.c and those who look at the
 * whole model.
 * The units of a sub-core get its number k. Warps are the SM's slots everywhere, so a sub-core uses only
 * its own places in arrays by warp. Its memories that are compared in place have a row per warp of its
 * own (wl_row_of). */
#ifndef WL_CMODEL_GPU_SM_H
#define WL_CMODEL_GPU_SM_H

#include "cmodel/async/copy.h"
#include "cmodel/core/barrier.h"
#include "cmodel/core/fetch.h"
#include "cmodel/core/issue.h"
#include "cmodel/core/memissue.h"
#include "cmodel/core/operands.h"
#include "cmodel/core/paths.h"
#include "cmodel/core/result.h"
#include "cmodel/core/trap.h"
#include "cmodel/core/writeback.h"
#include "cmodel/exec/fp64.h"
#include "cmodel/exec/warp.h"
#include "cmodel/gpu/dispatcher.h"
#include "cmodel/gpu/monitor.h"
#include "cmodel/gpu/obligations.h"
#include "cmodel/gpu/smport.h"
#include "cmodel/mem/ccache.h"
#include "cmodel/mem/chunk.h"
#include "cmodel/mem/lsu.h"
#include "cmodel/mem/smem.h"
#include "cmodel/probe/probe.h"
#include "cmodel/tensor/columns.h"
#include "cmodel/tensor/tensor.h"
#include "cmodel/tensor/tmem.h"
#include "cmodel/tensor/umma.h"

/* The units, in the order of their updates: U(name, type of its state, REST or NONE: whether it has a bit
 * of the record REST, what a configuration with the unit has: a member of wl_config_t, or `every`).
 * Members, reset, update and rest are made from these lists. Optional units are lists of their own. */
#define WL_SUB_UNITS(U) WL_SUB_EVERY(U) WL_SUB_OPTIONAL(U)
#define WL_SM_UNITS(U)  WL_SM_EVERY(U) WL_SM_OPTIONAL(U)
#define WL_SUB_EVERY(U)                                                                            \
  U(issue, wl_issue_t, REST, every)                                                                \
  U(operands, wl_operands_t, NONE, every)                                                          \
  U(writeback, wl_writeback_t, NONE, every)                                                        \
  U(paths, wl_paths_t, REST, every)                                                                \
  U(exchange, wl_exchange_t, REST, every)                                                          \
  U(fetch, wl_fetch_t, NONE, every)
#define WL_SUB_OPTIONAL(U)                                                                         \
  U(result, wl_result_t, REST, has_result)                                                         \
  U(probe, wl_probe_t, REST, probe)                                                                \
  U(tensor, wl_tensor_t, REST, tensor)                                                             \
  U(fp64, wl_fp64_t, REST, fp64)                                                                   \
  U(tmem, wl_tmem_t, REST, tmem)
#define WL_SM_EVERY(U)                                                                             \
  U(memissue, wl_memissue_t, REST, every)                                                          \
  U(barrier, wl_barrier_unit_t, REST, every)                                                       \
  U(lsu, wl_lsu_t, REST, every)                                                                    \
  U(smem, wl_smem_t, REST, every)                                                                  \
  U(ccache, wl_ccache_t, REST, every)                                                              \
  U(smport, wl_smport_t, REST, every)                                                              \
  U(trap, wl_trap_unit_t, NONE, every)                                                             \
  U(monitor, wl_monitor_t, NONE, every)                                                            \
  U(dispatcher, wl_dispatcher_t, REST, every)
#define WL_SM_OPTIONAL(U)                                                                          \
  U(chunk, wl_chunk_t, REST, has_chunk)                                                            \
  U(copy, wl_copy_engine_t, REST, copy)                                                            \
  U(columns, wl_columns_t, REST, tmem)                                                             \
  U(umma, wl_umma_t, REST, umma)
#define WL_UNIT_MEMBER(name, type, ...) type name;

typedef struct wl_sub { /* a sub-core */
  WL_SUB_UNITS(WL_UNIT_MEMBER)
} wl_sub_t;

typedef struct wl_sm {
  wl_env_t env;
  wl_wires_t wires; /* of the cycle */
  wl_sub_t sub[WL_MOST_SUB_CORES];
  WL_SM_UNITS(WL_UNIT_MEMBER)
  wl_obligations_t obligations;
} wl_sm_t;

/* Whether the configuration has an optional unit. */
bool wl_sm_has_optional(const wl_config_t *cfg);
/* Makes all control state that of reset; memories and pointers set at creation (icache, registers, shared
 * memory) stay. */
void wl_sm_reset(wl_sm_t *sm);
/* What units read of each other's state becomes wires: pointers to arrays once, the rest in every cycle.
 * These two name all of it. */
void wl_sm_expose(wl_sm_t *sm);
void wl_sm_show(wl_sm_t *sm);
/* The steps of a cycle. Between them gpu/gpu.c connects the SM with the device. */
void wl_sm_out(wl_sm_t *sm);
void wl_sm_arb(wl_sm_t *sm);
void wl_sm_update(wl_sm_t *sm);
void wl_sm_update_reversed(wl_sm_t *sm); /* the same backwards, for tests */
void wl_sm_rest(wl_sm_t *sm);            /* a cycle in which no unit acts */
bool wl_sm_moves(const wl_sm_t *sm);     /* something is in a stage of fetch */
uint32_t wl_sm_busy(const wl_sm_t *sm);  /* bits of REST (15) whose units are not at rest */
void wl_sm_watch(const wl_sm_t *sm, wl_watch_fn_t watch, void *user); /* watch.c */
/* watch_async.c: its waits and copies; the reasons in `watch` are made. */
void wl_sm_watch_async(const wl_sm_t *sm, const wl_model_watch_t *watch, wl_model_async_t *out);
void wl_sm_watch_umma(const wl_sm_t *sm, wl_model_umma_t *out); /* watch_umma.c */

#endif
