/* wave.c: see wave.h. Files are opened in the first cycle of the window; that they can be written
 * is found out before the run. */
#include "driver/lockstep/wave.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/trace/gtkw.h"
#include "gen/wl_launch.h"

struct wl_wave_run {
  wl_waves_t *waves;
  char *path, *base;
  uint64_t from, to, last; /* last: cycle written, any: there is one */
  bool any, open, failed;
  const wl_side_ops_t *ops; /* NULL: the records only */
  wl_side_t *rtl, *model;
  FILE *file;
  wl_vcd_t *vcd;
  uint32_t (*code)[4];
  uint32_t code_words;
  wl_gtkw_t save;
};

bool wl_wave_is(const char *path, const char *ending) {
  const size_t n = strlen(path), e = strlen(ending);
  return n > e && strcmp(path + n - e, ending) == 0;
}

static char *copy(const char *text, size_t n) {
  char *out = malloc(n + 1);
  if (out == NULL) return NULL;
  memcpy(out, text, n);
  out[n] = '\0';
  return out;
}

static bool can_write(const char *path, char *err, size_t cap) {
  FILE *file = fopen(path, "wb");
  if (file != NULL && fclose(file) == 0) return true;
  snprintf(err, cap, "cannot write %.400s: %s", path, strerror(errno));
  return false;
}

wl_wave_run_t *wl_wave_run_open(const wl_backend_desc_t *desc, const char *const names[2],
                                const wl_side_ops_t *ops, wl_side_t *rtl, wl_side_t *model,
                                char *err, size_t cap) {
  if (!wl_wave_is(desc->trace, ".fst") && !wl_wave_is(desc->trace, ".vcd")) {
    snprintf(err, cap, "waves %.400s: the name must end in .fst or .vcd", desc->trace);
    return NULL;
  }
  if (!can_write(desc->trace, err, cap)) return NULL;
  wl_wave_run_t *w = calloc(1, sizeof *w);
  if (w != NULL) {
    w->path = copy(desc->trace, strlen(desc->trace));
    w->base = copy(desc->trace, strlen(desc->trace) - 4);
    w->waves = wl_waves_open(desc->config, names, model != NULL);
  }
  if (w == NULL || w->path == NULL || w->base == NULL || w->waves == NULL) {
    snprintf(err, cap, "out of memory for waves");
    (void)wl_wave_run_close(w, NULL, 0);
    return NULL;
  }
  w->from = desc->trace_failure ? UINT64_MAX : desc->trace_from;
  w->to = desc->trace_failure ? UINT64_MAX : desc->trace_to;
  w->ops = ops != NULL && ops->wave_open != NULL ? ops : NULL;
  w->rtl = rtl;
  w->model = model;
  w->save = (wl_gtkw_t){.kind = -1, .view = -1, .warp = -1, .rtl = w->ops != NULL};
  return w;
}

static void start(wl_wave_run_t *w);

void wl_wave_run_launch(wl_wave_run_t *w, const uint8_t *mem, uint64_t mem_bytes, uint64_t block) {
  if (w->from == 0 && !w->open && !w->any) start(w);
  wl_launch_block_t b;
  if (block < WL_MEM_BASE || block - WL_MEM_BASE > mem_bytes - sizeof b) return;
  memcpy(&b, mem + (block - WL_MEM_BASE), sizeof b);
  const uint64_t at = wl_pair(b.code_base) - WL_MEM_BASE;
  const uint64_t bytes = (uint64_t)b.code_words * 16;
  if (bytes == 0 || at > mem_bytes || bytes > mem_bytes - at) return;
  uint32_t (*code)[4] = realloc(w->code, bytes);
  if (code == NULL) return;
  memcpy(code, mem + at, bytes);
  w->code = code;
  w->code_words = b.code_words;
}

static void start(wl_wave_run_t *w) {
  w->open = true;
  if (w->model != NULL) wl_side_model.watch_waves(w->model, w->waves);
  if (w->ops != NULL) {
    w->failed = !w->ops->wave_open(w->rtl, w->path, w->waves);
    return;
  }
  w->file = fopen(w->path, "wb");
  w->vcd = w->file != NULL ? wl_vcd_open(w->waves, w->file) : NULL;
  w->failed = w->vcd == NULL;
}

static void finish(wl_wave_run_t *w) {
  if (w->model != NULL) wl_side_model.watch_waves(w->model, NULL);
  if (!w->open) return;
  if (w->ops != NULL && !w->failed) w->ops->wave_close(w->rtl);
  wl_vcd_close(w->vcd, w->last + 1);
  w->vcd = NULL;
  if (w->file != NULL && fclose(w->file) != 0) w->failed = true;
  w->file = NULL;
  w->open = false;
}

void wl_wave_run_cycle(wl_wave_run_t *w, uint64_t cycle, bool differs, const wl_journal_t *first,
                       const wl_journal_t *second) {
  const wl_journal_t *const journal[] = {first, second};
  /* The reasons of a cycle are told while it is made: the window opens one cycle before. */
  if (!w->open && cycle + 1 >= w->from && cycle <= w->to) start(w);
  const bool inside = cycle >= w->from && cycle <= w->to;
  wl_waves_begin(w->waves);
  for (unsigned s = 0; s < w->waves->sides; s++)
    wl_waves_take(w->waves, s, journal[s]->record, journal[s]->records);
  if (!inside || w->failed) return;
  if (w->waves->differs != 0) w->waves->signal[w->waves->differs].value = differs;
  if (w->ops != NULL)
    w->ops->wave_cycle(w->rtl, cycle);
  else
    wl_vcd_cycle(w->vcd, cycle);
  if (!w->any) w->save.from = cycle;
  w->any = true;
  w->last = cycle;
}

/* The first record of the kind that only one side has: its key word names the instance. */
static void find_instance(wl_wave_run_t *w, const wl_journal_t *first, const wl_journal_t *second) {
  wl_journal_difference_t d;
  if (wl_journal_equal(first->record, first->records, second->record, second->records, &d) ||
      (int)d.kind != w->save.kind)
    return;
  const int key = wl_waves_key(d.kind);
  if (key < 0) return;
  w->save.instance = d.record[d.record[0] != NULL ? 0 : 1]->word[key];
  w->save.has_instance = true;
}

void wl_wave_run_failed(wl_wave_run_t *w, const wl_cosim_report_t *report,
                        const wl_journal_t *first, const wl_journal_t *second) {
  w->save.kind = report->kind;
  w->save.view = report->view;
  w->save.warp = report->warp;
  w->save.cursor = report->cycle;
  if (report->kind >= 0) find_instance(w, first, second);
}

void wl_wave_run_window(wl_wave_run_t *w, uint64_t from, uint64_t to) {
  w->from = from;
  w->to = to;
}

void wl_wave_run_abandon(wl_wave_run_t *w) {
  w->any = true;
  (void)wl_wave_run_close(w, NULL, 0);
}

uint64_t wl_wave_run_end(const wl_wave_run_t *w) { return w->to; }

bool wl_wave_run_close(wl_wave_run_t *w, char *err, size_t cap) {
  bool ok = true;
  if (w == NULL) return true;
  if (w->waves != NULL) finish(w);
  if (err != NULL && w->failed) {
    snprintf(err, cap, "cannot write %.400s", w->path);
    ok = false;
  } else if (err != NULL && !w->any) {
    snprintf(err, cap, "no cycle of the run lies in the window %llu:%llu of %.400s",
             (unsigned long long)w->from, (unsigned long long)w->to, w->path);
    ok = false;
  } else if (err != NULL) {
    w->save.base = w->base;
    w->save.waves = w->path;
    w->save.code = (const uint32_t (*)[4])w->code;
    w->save.code_words = w->code_words;
    if (w->save.kind < 0 && w->save.view < 0 && w->save.cursor == 0) w->save.cursor = w->last;
    ok = wl_gtkw_write(w->waves, &w->save, err, cap);
  }
  if (!w->any && w->path != NULL) (void)remove(w->path);
  wl_waves_close(w->waves);
  free(w->code);
  free(w->path);
  free(w->base);
  free(w);
  return ok;
}
