/* state.c: what the functional runner shows of itself: hang reports and --dump-state. */
#include <stdarg.h>
#include <stdio.h>

#include "driver/func/func.h"

static const char *lane_state(const func_warp_t *w, uint32_t lane) {
  uint32_t bit = 1u << lane;
  return (w->live & bit) == 0    ? "exited"
         : (w->ready & bit) != 0 ? "ready"
         : (w->sync & bit) != 0  ? "at .sync"
         : (w->bar & bit) != 0   ? "gathering at a barrier"
         : (w->barc & bit) != 0  ? "at a barrier"
         : w->tmem_queued        ? "waiting for columns of tensor memory"
         : (w->wait & bit) != 0  ? w->wake[lane] == FUNC_NO_TIME ? "at the barrier of the cluster"
                                                                 : "waiting for an mbarrier"
                                 : "asleep";
}

static uint32_t lane_pc(const func_warp_t *w, uint32_t lane) {
  return (w->mask >> lane & 1u) != 0 ? w->pc : w->lane_pc[lane];
}

/* Calls back for each group of lanes with equal PC and state. */
static size_t describe_warp(const func_sm_t *sm, const func_warp_t *w, char *buf, size_t cap) {
  size_t used = 0;
  const uint32_t *id = sm->ctas[w->cta].id;
  uint32_t left = w->live;
  while (left != 0 && used < cap) {
    uint32_t first = func_lowest(left);
    uint32_t group = 0;
    for (uint32_t m = left; m != 0; m &= m - 1) {
      uint32_t i = func_lowest(m);
      bool same = lane_pc(w, i) == lane_pc(w, first) && lane_state(w, i) == lane_state(w, first);
      group |= same ? 1u << i : 0;
    }
    used += (size_t)snprintf(buf + used, cap - used,
                             "\n  CTA %u,%u,%u warp %u lanes 0x%08x: instruction %u, %s", id[0],
                             id[1], id[2], w->slot, group, lane_pc(w, first), lane_state(w, first));
    left &= ~group;
  }
  return used < cap ? used : cap;
}

void func_hang_report(const func_sm_t *sm, char *buf, size_t cap) {
  const char *why = sm->stopped   ? "stopped by the user"
                    : sm->limited ? "the limit of cycles was reached"
                                  : "hang: no warp can go on";
  size_t used = (size_t)snprintf(buf, cap, "%s after %llu warp instructions", why,
                                 (unsigned long long)sm->clock);
  for (uint32_t s = 0; s < sm->desc.config->warps && used < cap; s++) {
    const func_warp_t *w = &sm->warps[s];
    if (w->valid && w->live != 0) {
      used += describe_warp(sm, w, buf + used, cap - used);
    }
  }
}

typedef struct sink {
  void (*line)(void *context, const char *text);
  void *context;
} sink_t;

static void say(const sink_t *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const sink_t *sink, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sink->line(sink->context, text);
}

static void dump_warp(const func_sm_t *sm, const func_warp_t *w, const sink_t *sink) {
  const uint32_t *id = sm->ctas[w->cta].id;
  say(sink, "warp %u cta %u,%u,%u index %u live 0x%08x running 0x%08x", w->slot, id[0], id[1],
      id[2], w->index, w->live, w->mask);
  for (uint32_t i = 0; i < WL_LANES; i++) {
    say(sink, "  lane %u pc %u depth %u %s", i, lane_pc(w, i),
        (w->mask >> i & 1u) != 0 ? w->depth : w->lane_depth[i], lane_state(w, i));
  }
  for (uint32_t p = 0; p < 7; p++) {
    say(sink, "  P%u 0x%08x", p, w->preds[p]);
  }
  for (uint32_t r = 0; r < sm->launch.reg_pages * 8 && r < 255; r++) {
    char text[400];
    size_t used = 0;
    for (uint32_t i = 0; i < WL_LANES; i++) {
      used += (size_t)snprintf(text + used, sizeof text - used, " %08x", w->regs[r][i]);
    }
    say(sink, "  R%u%s", r, text);
  }
}

void func_dump(void *state, void (*line)(void *context, const char *text), void *context) {
  const func_sm_t *sm = state;
  const sink_t sink = {line, context};
  say(&sink, "backend func config %s warp instructions %llu", sm->desc.config->name,
      (unsigned long long)sm->clock);
  for (uint32_t s = 0; s < sm->desc.config->warps; s++) {
    if (sm->warps[s].valid) {
      dump_warp(sm, &sm->warps[s], &sink);
    }
  }
}
