/* gpu/gpu.c: the device (docs/microarchitecture.md 0.1): reset, one cycle, its counters, and the wires
 * between the SMs and the units that they share. Cycles in which no unit can change state are only
 * counted (IDLE and DONE with nothing in the fetch stages). */
#include "cmodel/gpu/gpu.h"

enum { STALLS = 7 }; /* kind of section 15 */

static void share_warps(wl_env_t *env) {
  while (1u << env->sub_bits < env->cfg.sub_cores)
    env->sub_bits++;
  for (unsigned w = 0; w < env->cfg.warps; w++) {
    const unsigned k = wl_sub_of(env, w);
    env->sub_warps[k] |= UINT64_C(1) << w;
    env->last_warp[k] = (uint8_t)w;
    env->all_warps |= UINT64_C(1) << w;
  }
}

void wl_gpu_open(wl_gpu_t *gpu, const wl_config_t *cfg) {
  gpu->env = (wl_env_t){.cfg = *cfg, .launch = &gpu->grid.lb.block, .reports = &gpu->reports};
  for (unsigned i = 0; i < WL_MAX_SMS; i++) {
    wl_env_t *env = &gpu->sm[i].env;
    *env = gpu->env;
    env->sm = i;
    env->optional = wl_sm_has_optional(cfg);
    env->slots = &gpu->sm[i].dispatcher.slots;
    share_warps(env);
    wl_sm_expose(&gpu->sm[i]);
    gpu->sm[i].wires.gpu = &gpu->wires;
  }
}

#define RESET(name, type, rest) wl_##name##_reset(&gpu->name, &gpu->env);

void wl_gpu_reset(wl_gpu_t *gpu) {
  gpu->env.cycle = 0;
  WL_GPU_UNITS(RESET)
  for (unsigned i = 0; i < WL_MAX_SMS; i++)
    wl_sm_reset(&gpu->sm[i]);
}

/* ---- wires between the SMs and the device */
static void from_sms(wl_gpu_t *gpu, wl_gpu_wires_t *w) {
  w->trap_pending = w->rsp_held = false;
  w->sms_empty = w->sms_quiet = w->sms_answered = true;
  for (unsigned i = 0; i < WL_MAX_SMS; i++) {
    const wl_wires_t *s = &gpu->sm[i].wires;
    w->trap_pending = w->trap_pending || s->trap_pending;
    w->rsp_held = w->rsp_held || s->smem_rsp.valid;
    w->sms_empty = w->sms_empty && s->empty;
    w->sms_quiet = w->sms_quiet && s->quiet;
    w->sms_answered = w->sms_answered && s->answered;
  }
}

/* There is one SM: its port is the device's, and it gets every CTA. */
_Static_assert(WL_MAX_SMS == 1, "packets and CTAs of several SMs need a choice");

static void to_sms(wl_gpu_t *gpu, const wl_gpu_wires_t *w) {
  wl_wires_t *s = &gpu->sm[0].wires;
  s->offered = w->offer.valid;
  s->op_ready = w->op_ready;
  s->rsp_valid = w->rsp_valid && w->rsp.sm == gpu->sm[0].env.sm;
  s->req_valid[WL_PORT_DISP] = w->load_valid;
  if (w->load_valid) s->req[WL_PORT_DISP] = w->load;
}

static void chosen(wl_gpu_t *gpu, wl_gpu_wires_t *w) {
  const wl_wires_t *s = &gpu->sm[0].wires;
  w->offer_taken = s->takes;
  w->packet = s->port_grant >= 0 ? &s->req[s->port_grant] : NULL;
  w->load_granted = s->port_grant == WL_PORT_DISP;
}

/* ---- a cycle */
static void count(wl_gpu_t *gpu) {
  const wl_grid_state_t s = gpu->grid.state;
  if (s == WL_GRID_IDLE || s == WL_GRID_DONE) return;
  gpu->reports.count.cycles++;
  gpu->reports.count.packets += gpu->wires.packet != NULL;
}

#define BUSY_REST(name) busy |= wl_##name##_busy(&gpu->name, &gpu->env);
#define BUSY_NONE(name)
#define BUSY(name, type, rest) BUSY_##rest(name)

static uint32_t all_at_rest(const wl_gpu_t *gpu) {
  return (1U << wl_rest_units(&gpu->env.cfg)) - 1;
}

uint32_t wl_gpu_rest(const wl_gpu_t *gpu, const wl_sm_t *sm) {
  uint32_t busy = wl_sm_busy(sm);
  WL_GPU_UNITS(BUSY)
  return ~busy & all_at_rest(gpu);
}

static void record_rest(const wl_gpu_t *gpu, const wl_sm_t *sm) {
  const uint32_t words[4] = {(uint32_t)sm->env.cycle, (uint32_t)(sm->env.cycle >> 32),
                             wl_gpu_rest(gpu, sm),
                             wl_orderpoint_places(&gpu->orderpoint, &gpu->env)};
  wl_journal(&sm->env, WL_J_REST, words, 4);
  if (words[2] != all_at_rest(gpu))
    wl_fail(&sm->env, "a unit is not at rest at the start of a launch (section 15)");
}

#define UPDATE(name, type, rest)                                                                   \
  static void update_##name(wl_gpu_t *gpu) {                                                       \
    wl_##name##_update(&gpu->name, &gpu->env, &gpu->wires);                                        \
  }
WL_GPU_UNITS(UPDATE)
#define CALL(name, type, rest) update_##name(gpu);
#define NAME(name, type, rest) update_##name,

static void update(wl_gpu_t *gpu) {
  for (unsigned i = 0; i < WL_MAX_SMS; i++)
    wl_sm_update(&gpu->sm[i]);
  WL_GPU_UNITS(CALL)
}

static void update_reversed(wl_gpu_t *gpu) {
  static void (*const units[])(wl_gpu_t *) = {WL_GPU_UNITS(NAME)};
  for (size_t i = sizeof units / sizeof units[0]; i-- > 0;)
    units[i](gpu);
  for (unsigned i = WL_MAX_SMS; i-- > 0;)
    wl_sm_update_reversed(&gpu->sm[i]);
}

static bool at_rest(const wl_gpu_t *gpu) {
  const wl_grid_state_t s = gpu->grid.state;
  if ((s != WL_GRID_IDLE && s != WL_GRID_DONE) || gpu->grid.start) return false;
  for (unsigned i = 0; i < WL_MAX_SMS; i++)
    if (wl_sm_moves(&gpu->sm[i])) return false;
  return true;
}

uint64_t wl_gpu_mix(uint64_t seed, uint64_t kind, uint64_t index) {
  uint64_t z = seed + UINT64_C(0x9E3779B97F4A7C15) * ((kind << 56) + index + 1);
  z ^= z >> 30;
  z *= UINT64_C(0xBF58476D1CE4E5B9);
  z ^= z >> 27;
  z *= UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* The stall points of this cycle, section 17. */
static void disturb(wl_env_t *env, uint64_t seed) {
  env->stall_word = wl_gpu_mix(seed, STALLS, env->cycle);
  env->stall = 0;
  for (unsigned i = 0; i < WL_NUM_STALLS; i++)
    if ((env->stall_word >> 3 * i & 7) < env->density) env->stall |= UINT32_C(1) << i;
}

static void wires_of_cycle(wl_gpu_t *gpu) {
  for (unsigned i = 0; i < WL_MAX_SMS; i++)
    wl_sm_out(&gpu->sm[i]);
  from_sms(gpu, &gpu->wires);
  wl_grid_out(&gpu->grid, &gpu->env, &gpu->wires);
  wl_memory_out(&gpu->memory, &gpu->env, &gpu->wires);
  wl_orderpoint_out(&gpu->orderpoint, &gpu->env, &gpu->wires);
  to_sms(gpu, &gpu->wires);
  for (unsigned i = 0; i < WL_MAX_SMS; i++)
    wl_sm_arb(&gpu->sm[i]);
  chosen(gpu, &gpu->wires);
}

static void look_on(wl_gpu_t *gpu) {
  count(gpu);
  for (unsigned i = 0; i < WL_MAX_SMS; i++) {
    if (gpu->watch != NULL) wl_sm_watch(&gpu->sm[i], gpu->watch, gpu->watch_user);
    wl_obligations_check(&gpu->sm[i]);
    if (gpu->wires.invalidate) record_rest(gpu, &gpu->sm[i]);
  }
}

void wl_gpu_cycle(wl_gpu_t *gpu) {
  wl_env_t *env = &gpu->env;
  if (env->density != 0) disturb(env, gpu->seed);
  for (unsigned i = 0; i < WL_MAX_SMS; i++) {
    gpu->sm[i].env.cycle = env->cycle;
    gpu->sm[i].env.stall = env->stall;
  }
  if (!at_rest(gpu)) {
    wires_of_cycle(gpu);
    look_on(gpu);
    if (gpu->reverse_updates)
      update_reversed(gpu);
    else
      update(gpu);
  } else {
    for (unsigned i = 0; i < WL_MAX_SMS; i++)
      wl_sm_rest(&gpu->sm[i]);
  }
  env->cycle++;
}
