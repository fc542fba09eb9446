/* trace.c: the pipeline view's common part: opening, counters of one launch, names. docs/views.md.
 * What stands in a file is the writers' (text.c, json.c, kanata.c). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/trace/internal.h"
#include "isa/obj/dis.h"

const char *const wl_why_names[WL_WHYS] = {
    [WL_WHY_NO_WARP] = ".",       [WL_WHY_ISSUED] = "issued", [WL_WHY_FETCH] = "fetch",
    [WL_WHY_CONTROL] = "control", [WL_WHY_REGISTER] = "reg",  [WL_WHY_PREDICATE] = "pred",
    [WL_WHY_LSU] = "lsu",         [WL_WHY_LDC] = "ldc",       [WL_WHY_EXCHANGE] = "xch",
    [WL_WHY_TENSOR] = "mma",      [WL_WHY_FP64] = "f64",      [WL_WHY_COPY] = "bulk",
    [WL_WHY_TMEM] = "tmem",       [WL_WHY_UMMA] = "umma",     [WL_WHY_TARGETS] = "tbuf",
    [WL_WHY_FENCE] = "fence",     [WL_WHY_SLOTS] = "slots",   [WL_WHY_WRITEBACK] = "wb",
    [WL_WHY_TRAP] = "trap",       [WL_WHY_ARBITER] = "arb",   [WL_WHY_HELD] = "held",
    [WL_WHY_WAIT] = "wait",
};

wl_trace_t *wl_trace_open(const wl_config_t *config, wl_trace_format_t format,
                          wl_trace_write_t write, void *context) {
  static const wl_trace_writer_t *const writers[] = {
      [WL_TRACE_TEXT] = &wl_trace_text,
      [WL_TRACE_JSON] = &wl_trace_json,
      [WL_TRACE_KANATA] = &wl_trace_kanata,
  };
  wl_trace_t *t = calloc(1, sizeof *t);
  if (t == NULL) return NULL;
  t->config = config;
  t->writer = writers[format];
  t->write = write;
  t->context = context;
  return t;
}

void wl_trace_close(wl_trace_t *t) { free(t); }

static void drop(void *context, const char *text, size_t bytes) {
  (void)context, (void)text, (void)bytes;
}

void wl_trace_mute(wl_trace_t *t) { t->write = drop; }

void wl_trace_put(wl_trace_t *t, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n > 0) t->write(t->context, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void wl_trace_mnemonic(const uint32_t word[4], char *out, size_t cap) {
  char text[WL_DIS_MAX];
  wl_dis_word(word, text, sizeof text);
  const char *from = text;
  if (*from == '@' && strchr(from, ' ') != NULL) from = strchr(from, ' ') + 1;
  snprintf(out, cap, "%.*s", (int)strcspn(from, " "), from);
}

void wl_trace_begin(wl_trace_t *t, const wl_model_counters_t *counters) {
  t->before = *counters;
  t->cycles = 0;
  wl_async_begin(&t->async, t->config);
  t->umma = (wl_umma_counts_t){0};
  t->writer->begin(t);
}

static void show_span(void *context, wl_span_event_t event, wl_span_t *span) {
  wl_trace_t *t = context;
  t->writer->span(t, event, span);
}

void wl_trace_cycle(wl_trace_t *t, const wl_model_watch_t *watch) {
  t->cycles++;
  t->now = watch->cycle + 1;
  wl_async_cycle(&t->async, watch, show_span, t);
  wl_umma_count(&t->umma, &watch->async->umma, watch->cycle, t->config->sub_cores);
  t->writer->cycle(t, watch);
}

const wl_umma_counts_t *wl_trace_umma(const wl_trace_t *t) { return &t->umma; }

/* All counters are 64-bit: the launch's are the differences, word by word. */
void wl_trace_end(wl_trace_t *t, const wl_model_counters_t *counters) {
  enum { WORDS = sizeof(wl_model_counters_t) / sizeof(uint64_t) };
  uint64_t before[WORDS], after[WORDS];
  wl_model_counters_t launch;
  memcpy(before, &t->before, sizeof before);
  memcpy(after, counters, sizeof after);
  for (size_t i = 0; i < WORDS; i++)
    after[i] -= before[i];
  memcpy(&launch, after, sizeof launch);
  wl_async_end(&t->async, t->now, show_span, t);
  t->writer->end(t, &launch);
}
