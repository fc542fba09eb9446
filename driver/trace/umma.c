/* umma.c: see umma.h. */
#include "driver/trace/umma.h"

const char *const wl_umma_names[WL_UMMA_DOES] = {
    [WL_DOES_NOTHING] = "umma_nothing", [WL_DOES_STEP] = "umma_steps",
    [WL_DOES_SHARED] = "umma_shared",   [WL_DOES_TMEM] = "umma_tmem",
    [WL_DOES_TURN] = "umma_turn",       [WL_DOES_PIPES] = "umma_pipes",
    [WL_DOES_END] = "umma_end",         [WL_DOES_MOVE] = "umma_move",
    [WL_DOES_COMMIT] = "umma_commit",
};

static void count_loads(wl_umma_counts_t *c, const wl_model_umma_t *now, unsigned sub_cores) {
  for (unsigned k = 0; k < sub_cores; k++) {
    const bool held = (now->held >> k & 1) != 0;
    c->loads += now->loads >> k & 1;
    c->held += held;
    c->run[k] = held ? c->run[k] + 1 : 0;
    if (c->run[k] > c->longest) c->longest = c->run[k];
  }
}

static void count_step(wl_umma_counts_t *c, uint64_t cycle) {
  if (c->does[WL_DOES_STEP] == 0)
    c->first_step = cycle;
  else
    c->no_command += c->since;
  c->last_step = cycle;
  c->since = 0;
}

void wl_umma_count(wl_umma_counts_t *c, const wl_model_umma_t *now, uint64_t cycle,
                   unsigned sub_cores) {
  if (now->does == WL_DOES_STEP) count_step(c, cycle);
  c->since += now->does == WL_DOES_NOTHING;
  c->does[now->does]++;
  c->idle += now->idle;
  c->products += now->product;
  c->moves += now->move;
  c->commits += now->commit;
  c->granted += now->granted;
  c->lost += now->asks && !now->granted;
  count_loads(c, now, sub_cores);
}

uint64_t wl_umma_busy_cycles(const wl_umma_counts_t *c) {
  uint64_t cycles = 0;
  for (unsigned i = WL_DOES_NOTHING + 1; i < WL_UMMA_DOES; i++)
    cycles += c->does[i];
  return cycles;
}

double wl_umma_busy_part(const wl_umma_counts_t *c) {
  const uint64_t steps = c->does[WL_DOES_STEP];
  return steps != 0 ? (double)steps / (double)(c->last_step - c->first_step + 1) : 0;
}
