/* json.c: the pipeline view as trace events for ui.perfetto.dev: a thread per warp slot, a slice per
 * issue and per run of cycles with one reason; 1 us stands for one cycle. Waits and copies, which overlap,
 * are nestable async events of a process of their own. The counters are in otherData. docs/views.md. */
#include <inttypes.h>

#include "driver/trace/internal.h"
#include "isa/obj/dis.h"

static void begin(wl_trace_t *t) {
  wl_trace_put(t,
               "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
               "{\"ph\": \"M\", \"pid\": 0, \"name\": \"process_name\", "
               "\"args\": {\"name\": \"SM %s\"}}",
               t->config->name);
  t->spans = false;
  t->ids = 0;
  for (unsigned w = 0; w < t->config->warps; w++) {
    wl_trace_put(t,
                 ",\n{\"ph\": \"M\", \"pid\": 0, \"tid\": %u, \"name\": \"thread_name\", "
                 "\"args\": {\"name\": \"warp %02u\"}}",
                 w, w);
    t->open[w] = false;
  }
}

static void close_run(wl_trace_t *t, unsigned w, uint64_t now) {
  if (t->open[w] && t->why[w] != WL_WHY_NO_WARP)
    wl_trace_put(t,
                 ",\n{\"ph\": \"X\", \"pid\": 0, \"tid\": %u, \"ts\": %" PRIu64
                 ", \"dur\": %" PRIu64 ", \"cat\": \"stall\", \"name\": \"%s\"}",
                 w, t->since[w], now - t->since[w], wl_why_names[t->why[w]]);
  t->open[w] = false;
}

/* Disassembly has no character that JSON escapes. */
static void issue(wl_trace_t *t, uint64_t cycle, const wl_model_issue_t *is) {
  char mnemonic[64], text[WL_DIS_MAX];
  wl_trace_mnemonic(is->word, mnemonic, sizeof mnemonic);
  wl_dis_word(is->word, text, sizeof text);
  wl_trace_put(t,
               ",\n{\"ph\": \"X\", \"pid\": 0, \"tid\": %u, \"ts\": %" PRIu64
               ", \"dur\": 1, \"cat\": \"issue\", \"name\": \"%s\", \"args\": {\"pc\": %" PRIu32
               ", \"text\": \"%s\", \"exec\": \"%08" PRIx32 "\"}}",
               is->warp, cycle, mnemonic, is->pc, text, is->exec);
}

static void cycle(wl_trace_t *t, const wl_model_watch_t *watch) {
  for (unsigned w = 0; w < watch->warps; w++) {
    if (t->open[w] && t->why[w] == watch->why[w]) continue;
    close_run(t, w, watch->cycle);
    if (watch->why[w] == WL_WHY_ISSUED) continue;
    t->open[w] = true;
    t->why[w] = watch->why[w];
    t->since[w] = watch->cycle;
  }
  for (unsigned i = 0; i < watch->issues; i++)
    issue(t, watch->cycle, &watch->issue[i]);
}

static void async_event(wl_trace_t *t, char phase, const wl_span_t *s, uint64_t at,
                        const char *name) {
  static const char *const category[WL_SPANS] = {[WL_SPAN_WAIT] = "wait",
                                                 [WL_SPAN_BULK] = "bulk",
                                                 [WL_SPAN_CPASYNC] = "cp.async",
                                                 [WL_SPAN_GROUP] = "group",
                                                 [WL_SPAN_PHASE] = "phase"};
  wl_trace_put(t,
               ",\n{\"ph\": \"%c\", \"pid\": 1, \"tid\": %u, \"id\": %" PRIu64 ", \"ts\": %" PRIu64
               ", \"cat\": \"%s\", \"name\": \"%s\"",
               phase, s->warp, s->id, at, category[s->what], name);
}

static void span_arguments(wl_trace_t *t, const wl_span_t *s) {
  wl_trace_put(t, ", \"args\": {\"warp\": %u, \"number\": %" PRIu32, s->warp, s->number);
  if (s->what == WL_SPAN_PHASE)
    wl_trace_put(t, ", \"address\": %" PRIu32, s->pc);
  else if (s->what != WL_SPAN_GROUP)
    wl_trace_put(t,
                 ", \"pc\": %" PRIu32 ", \"lanes\": \"%08" PRIx32 "\", \"bytes\": %" PRIu32
                 ", \"timed\": %s, \"lost\": %s",
                 s->pc, s->lanes, s->bytes, s->timed ? "true" : "false",
                 s->lost ? "true" : "false");
  wl_trace_put(t, "}}");
}

/* All of it when it is over; from the cycle behind the one in which it began. */
static void span(wl_trace_t *t, wl_span_event_t event, wl_span_t *s) {
  if (event != WL_SPAN_CLOSES) return;
  if (!t->spans)
    wl_trace_put(t, ",\n{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", "
                    "\"args\": {\"name\": \"waits and copies\"}}");
  t->spans = true;
  s->id = t->ids++;
  const bool phase = s->what == WL_SPAN_PHASE;
  uint64_t from = phase ? s->from : s->from + 1;
  async_event(t, phase ? 'n' : 'b', s, from, wl_span_name(s));
  span_arguments(t, s);
  if (phase) return;
  const bool copy = s->what == WL_SPAN_BULK || s->what == WL_SPAN_CPASYNC;
  for (unsigned i = 0; copy && i < s->steps; i++) {
    async_event(t, 'b', s, from, wl_step_names[s->step[i]]);
    from = s->to[i] + 1;
    wl_trace_put(t, "}");
    async_event(t, 'e', s, from, wl_step_names[s->step[i]]);
    wl_trace_put(t, "}");
  }
  async_event(t, 'e', s, s->to[s->steps - 1] + 1, wl_span_name(s));
  wl_trace_put(t, "}");
}

static void umma_counters(wl_trace_t *t) {
  const wl_umma_counts_t *c = &t->umma;
  wl_trace_put(t,
               ", \"umma_products\": %" PRIu64 ", \"umma_moves\": %" PRIu64
               ", \"umma_commits\": %" PRIu64,
               c->products, c->moves, c->commits);
  for (unsigned i = 0; i < WL_UMMA_DOES; i++)
    wl_trace_put(t, ", \"%s\": %" PRIu64, wl_umma_names[i], c->does[i]);
  wl_trace_put(t,
               ", \"umma_idle_steps\": %" PRIu64 ", \"umma_no_command\": %" PRIu64
               ", \"umma_requests\": %" PRIu64 ", \"umma_port_waits\": %" PRIu64
               ", \"tmem_load_cycles\": %" PRIu64 ", \"tmem_load_held\": %" PRIu64
               ", \"tmem_load_longest\": %" PRIu64,
               c->idle, c->no_command, c->granted, c->lost, c->loads, c->held, c->longest);
}

static void end(wl_trace_t *t, const wl_model_counters_t *c) {
  const wl_async_counts_t *a = &t->async.count;
  uint64_t sum[WL_WHYS] = {0};
  for (unsigned w = 0; w < t->config->warps; w++) {
    close_run(t, w, t->now);
    for (int r = 0; r < WL_WHYS; r++)
      sum[r] += c->why[w][r];
  }
  const struct {
    const char *name;
    uint64_t value;
  } all[] = {{"cycles", t->cycles},
             {"issued", c->issued},
             {"thread_instructions", c->thread_insns},
             {"smem_requests", c->smem_requests},
             {"smem_passes", c->smem_passes},
             {"smem_conflicts", c->smem_conflicts},
             {"ldc_hits", c->ldc_hits},
             {"ldc_misses", c->ldc_misses},
             {"icache_hits", c->icache_hits},
             {"icache_misses", c->icache_misses},
             {"packets", c->packets},
             {"order_point_same_sector", c->op_same_sector},
             {"order_point_full", c->op_full},
             {"bulk_copies", a->bulks},
             {"bulk_cycles", a->bulk_cycles},
             {"bulk_bytes_to_shared", a->to_shared},
             {"bulk_bytes_to_global", a->to_global},
             {"cp_async", a->copies},
             {"cp_async_cycles", a->copy_cycles},
             {"cp_async_bytes", a->copy_bytes},
             {"waits_parked", a->parked},
             {"waits_woken", a->woken},
             {"waits_woken_in_vain", a->in_vain},
             {"waits_timed", a->timed},
             {"mbarrier_phases", a->phases},
             {"all_warps_wait", a->all_wait}};
  wl_trace_put(t, "\n],\n\"otherData\": {\"warps\": %u", t->config->warps);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    wl_trace_put(t, ", \"%s\": %" PRIu64, all[i].name, all[i].value);
  umma_counters(t);
  wl_trace_put(t, ", \"reasons\": {");
  for (int r = 0; r < WL_WHYS; r++)
    wl_trace_put(t, "%s\"%s\": %" PRIu64, r == 0 ? "" : ", ",
                 r == WL_WHY_NO_WARP ? "no warp" : wl_why_names[r], sum[r]);
  wl_trace_put(t, "}}}\n");
}

const wl_trace_writer_t wl_trace_json = {begin, cycle, span, end};
