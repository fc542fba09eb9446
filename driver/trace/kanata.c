/* kanata.c: the pipeline view as a log of the format Kanata 0004, for Konata: an instruction is what
 * a warp waits to issue, from the cycle behind its last issue to its own; its stages are the reasons
 * for which it waits, then `issued`. Waits and copies are
 * instructions of their own. Nothing else that follows an issue is shown. docs/views.md. */
#include <inttypes.h>

#include "driver/trace/internal.h"
#include "isa/obj/dis.h"

static void begin(wl_trace_t *t) {
  wl_trace_put(t, "Kanata\t0004\n");
  t->ids = t->retired = 0;
  t->any = false;
  for (unsigned w = 0; w < t->config->warps; w++)
    t->open[w] = false;
}

static void stage(wl_trace_t *t, unsigned w, unsigned why) {
  if (!t->open[w]) {
    t->id[w] = t->ids++;
    t->open[w] = true;
    wl_trace_put(t, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", t->id[w], t->id[w], w);
  } else if (t->why[w] == why) {
    return;
  }
  t->why[w] = (uint8_t)why;
  wl_trace_put(t, "S\t%" PRIu64 "\t0\t%s\n", t->id[w], wl_why_names[why]);
}

/* Type 0: it issued; 1: flushed, the warp or the launch ended before it did. */
static void retire(wl_trace_t *t, unsigned w, unsigned type) {
  if (!t->open[w]) return;
  wl_trace_put(t, "R\t%" PRIu64 "\t%" PRIu64 "\t%u\n", t->id[w], t->retired, type);
  t->retired += type == 0;
  t->open[w] = false;
}

/* What the waiting instruction of the warp turned out to be. */
static void label(wl_trace_t *t, const wl_model_issue_t *is) {
  char text[WL_DIS_MAX];
  wl_dis_word(is->word, text, sizeof text);
  wl_trace_put(t, "L\t%" PRIu64 "\t0\tw%u %" PRIu32 ": %s\n", t->id[is->warp], is->warp, is->pc,
               text);
  wl_trace_put(t, "L\t%" PRIu64 "\t1\tlanes %08" PRIx32 " of %08" PRIx32 "\n", t->id[is->warp],
               is->exec, is->path);
}

/* The time becomes that of the cycle; each cycle of the launch has its turn. */
static void tick(wl_trace_t *t, uint64_t cycle) {
  if (t->any && t->ticked == cycle + 1) return;
  if (t->any)
    wl_trace_put(t, "C\t1\n");
  else
    wl_trace_put(t, "C=\t%" PRIu64 "\n", cycle);
  t->any = true;
  t->ticked = cycle + 1;
}

/* In the cycle in which it is visible, or behind the launch. */
static void span(wl_trace_t *t, wl_span_event_t event, wl_span_t *s) {
  if (s->what == WL_SPAN_GROUP || s->what == WL_SPAN_PHASE) return;
  const uint8_t step = s->step[s->steps - 1];
  tick(t, event == WL_SPAN_OPENS  ? s->from + 1
          : event == WL_SPAN_NEXT ? s->to[s->steps - 2] + 1
                                  : s->to[s->steps - 1] + 1);
  if (event == WL_SPAN_CLOSES) {
    wl_trace_put(t, "R\t%" PRIu64 "\t%" PRIu64 "\t%u\n", s->id, t->retired, s->lost);
    t->retired += !s->lost;
    return;
  }
  if (event == WL_SPAN_OPENS) {
    s->id = t->ids++;
    wl_trace_put(t, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", s->id, s->id, s->warp);
    wl_trace_put(t, "L\t%" PRIu64 "\t0\tw%u %" PRIu32 ": %s\n", s->id, s->warp, s->pc,
                 wl_span_name(s));
    wl_trace_put(t, "L\t%" PRIu64 "\t1\tlanes %08" PRIx32 ", %" PRIu32 " bytes\n", s->id, s->lanes,
                 s->bytes);
  }
  wl_trace_put(t, "S\t%" PRIu64 "\t0\t%s\n", s->id,
               s->what == WL_SPAN_WAIT ? "parked" : wl_step_names[step]);
}

static void cycle(wl_trace_t *t, const wl_model_watch_t *watch) {
  tick(t, watch->cycle);
  for (unsigned w = 0; w < watch->warps; w++) {
    if (t->open[w] && t->why[w] == WL_WHY_ISSUED) retire(t, w, 0); /* issued one cycle ago */
    if (watch->why[w] == WL_WHY_NO_WARP)
      retire(t, w, 1);
    else
      stage(t, w, watch->why[w]);
  }
  for (unsigned i = 0; i < watch->issues; i++)
    label(t, &watch->issue[i]);
}

static void end(wl_trace_t *t, const wl_model_counters_t *c) {
  (void)c;
  tick(t, t->now);
  for (unsigned w = 0; w < t->config->warps; w++)
    retire(t, w, t->why[w] == WL_WHY_ISSUED ? 0 : 1);
}

const wl_trace_writer_t wl_trace_kanata = {begin, cycle, span, end};
