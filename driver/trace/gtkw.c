/* gtkw.c: see gtkw.h. Signals are grouped by warp and by unit, model and RTL side by side; the
 * groups that a divergence is about stand first and are open. Format: the save files of
 * GTKWave 3.3. */
#include "driver/trace/gtkw.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum { BEFORE_CURSOR = 24 /* cycles to its left on the first screen */ };
enum { /* GTKWave's flags of a trace */
       HEX = 0x22,
       DECIMAL = 0x24,
       TRANSLATED = 0x2024,
       GROUP_OPEN = 0x800200,
       GROUP_CLOSED = 0xc00200,
       END_OPEN = 0x1000200,
       END_CLOSED = 0x1401200
};

typedef struct out {
  const wl_waves_t *w;
  const wl_gtkw_t *g;
  FILE *file;
  unsigned filter[WL_NAMES_KINDS], filters; /* numbers of the translate files used so far */
} out_t;

static void name_line(void *context, uint32_t value, const char *text) {
  fprintf(context, "%" PRIu32 " %s\n", value, text);
}

static bool write_names(const wl_gtkw_t *g, char *err, size_t cap) {
  char path[4200];
  snprintf(path, sizeof path, "%.4000s.names", g->base);
  if (mkdir(path, 0777) != 0 && errno != EEXIST) {
    snprintf(err, cap, "cannot make the folder %.400s: %s", path, strerror(errno));
    return false;
  }
  for (int n = 1; n < WL_NAMES_KINDS; n++) {
    snprintf(path, sizeof path, "%.4000s.names/%s", g->base,
             wl_waves_names_file((wl_wave_names_t)n));
    FILE *file = fopen(path, "w");
    if (file == NULL) {
      snprintf(err, cap, "cannot write %.400s: %s", path, strerror(errno));
      return false;
    }
    wl_waves_each_name((wl_wave_names_t)n, g->code, g->code_words, name_line, file);
    if (fclose(file) != 0) {
      snprintf(err, cap, "cannot write %.400s: %s", path, strerror(errno));
      return false;
    }
  }
  return true;
}

static void put_signal(out_t *o, const wl_wave_signal_t *s, const char *lead) {
  unsigned flags = s->bits <= 8 ? DECIMAL : HEX;
  if (s->names != WL_NAMES_NONE) flags = TRANSLATED;
  fprintf(o->file, "@%x\n", flags);
  if (s->names != WL_NAMES_NONE) {
    const bool first = o->filter[s->names] == 0;
    if (first) o->filter[s->names] = ++o->filters;
    fprintf(o->file, "^%u %s.names/%s\n", o->filter[s->names], o->g->base,
            wl_waves_names_file(s->names));
  }
  /* The viewer shows the last part of a name: here with its side, and in overviews its warp. */
  fprintf(o->file, "+{%.*s %s%s} ", (int)strcspn(s->scope, "."), s->scope, lead, s->name);
  fprintf(o->file, "%s.%s", s->scope, s->name);
  if (s->bits > 1) fprintf(o->file, "[%u:0]", s->bits - 1);
  fprintf(o->file, "\n");
}

static void group(out_t *o, const char *name, bool open, bool begin) {
  fprintf(o->file, "@%x\n-%s\n",
          begin ? (open ? GROUP_OPEN : GROUP_CLOSED) : (open ? END_OPEN : END_CLOSED), name);
}

/* Where the scope's part behind the side begins: "issue.warp3" of "model.issue.warp3". */
static const char *behind_side(const wl_wave_signal_t *s) {
  const char *dot = strchr(s->scope, '.');
  return dot != NULL ? dot + 1 : s->scope;
}

static bool is_side(const out_t *o, const wl_wave_signal_t *s, unsigned side) {
  const size_t n = strlen(o->w->side[side]);
  return strncmp(s->scope, o->w->side[side], n) == 0 && s->scope[n] == '.';
}

/* All signals of a scope, of both sides, word by word. */
static void put_scope(out_t *o, const char *scope) {
  for (unsigned i = 0; i < o->w->signals; i++) {
    const wl_wave_signal_t *s = &o->w->signal[i];
    if (!is_side(o, s, 0) || strcmp(behind_side(s), scope) != 0) continue;
    put_signal(o, s, "");
    /* Both sides have the same signals in the same order; the model's reasons follow them. */
    if (o->w->sides == 2 && i < o->w->first[1][0])
      put_signal(o, &o->w->signal[i + o->w->first[1][0] - o->w->first[0][0]], "");
  }
}

/* Each scope of the first side that ends in `tail` (NULL: all without a warp), as a group. */
static void put_scopes(out_t *o, const char *tail, const char *open_scope) {
  const char *last = "";
  for (unsigned i = 0; i < o->w->signals; i++) {
    const wl_wave_signal_t *s = &o->w->signal[i];
    const char *scope = behind_side(s), *dot = strrchr(scope, '.');
    if (!is_side(o, s, 0) || strcmp(scope, last) == 0) continue;
    const bool warp = dot != NULL && strncmp(dot + 1, "warp", 4) == 0;
    if (tail != NULL ? !warp || strcmp(dot + 1, tail) != 0 : warp) continue;
    if (strcmp(s->name, "why") == 0) continue; /* the scope was there before */
    const bool open = open_scope != NULL && strcmp(scope, open_scope) == 0;
    group(o, scope, open, true);
    put_scope(o, scope);
    group(o, scope, open, false);
    last = scope;
  }
}

/* The scope of the record that differs, "": none. */
static void failing_scope(const out_t *o, char *out, size_t cap) {
  const wl_gtkw_t *g = o->g;
  out[0] = '\0';
  if (g->kind < 0 || g->kind >= WL_NUM_JOURNAL_KINDS) return;
  const unsigned first =
      o->w->first[0][g->kind] + (g->has_instance ? g->instance * o->w->per[g->kind] : 0);
  const bool last = g->kind + 1 == WL_NUM_JOURNAL_KINDS;
  if (first < (last ? o->w->signals : o->w->first[0][g->kind + 1]))
    snprintf(out, cap, "%s", behind_side(&o->w->signal[first]));
}

/* What each warp does: why it waits, and what it issued last, on both sides. */
static void put_overview(out_t *o) {
  const wl_waves_t *w = o->w;
  const unsigned base = w->first[0][WL_J_ISSUE], per = w->per[WL_J_ISSUE];
  const bool open = w->warps <= 8;
  group(o, "what the warps do", open, true);
  for (unsigned i = 0; i < w->warps; i++) {
    char lead[24];
    snprintf(lead, sizeof lead, "w%u ", i);
    if (w->why != 0) put_signal(o, &w->signal[w->why + i], lead);
    for (unsigned side = 0; side < w->sides; side++)
      for (unsigned k = 0; k < per; k++) {
        const wl_wave_signal_t *s =
            &w->signal[base - w->first[0][0] + w->first[side][0] + i * per + k];
        if (strcmp(s->name, "pc") == 0) put_signal(o, s, lead);
      }
  }
  group(o, "what the warps do", open, false);
}

static void put_head(out_t *o) {
  const wl_gtkw_t *g = o->g;
  fprintf(o->file, "[*]\n[*] warplock: signals by warp and unit, cursor at %s\n[*]\n",
          g->kind >= 0 || g->view >= 0 ? "the first difference" : "the end");
  fprintf(o->file, "[dumpfile] \"%s\"\n[savefile] \"%s.gtkw\"\n", g->waves, g->base);
  const uint64_t start = g->cursor > g->from + BEFORE_CURSOR ? g->cursor - BEFORE_CURSOR : g->from;
  fprintf(o->file, "[timestart] %" PRIu64 "\n[size] 1600 1000\n[pos] -1 -1\n", start);
  fprintf(o->file, "[sst_width] 200\n[signals_width] 260\n");
  fprintf(o->file, "*-3.000000 %" PRIu64, g->cursor);
  for (int i = 0; i < 26; i++)
    fprintf(o->file, " -1");
  fprintf(o->file, "\n");
  for (unsigned s = 0; s < o->w->sides; s++)
    fprintf(o->file, "[treeopen] %s.\n", o->w->side[s]);
  if (!g->rtl) return;
  fprintf(o->file, "[treeopen] TOP.\n[treeopen] TOP.gpu_top.\n");
  /* The unit's instance: the first parts of its name in state.def. */
  for (const wl_state_info_t *s = wl_state_info; s->name != NULL; s++) {
    const size_t sm = strncmp(s->rtl, "u_sm.", 5) == 0 ? 5 : 0;
    if (s->record != g->kind || strncmp(s->rtl + sm, "u_", 2) != 0) continue;
    if (sm != 0) fprintf(o->file, "[treeopen] TOP.gpu_top.u_sm.\n");
    const int length = (int)(sm + strcspn(s->rtl + sm, "."));
    fprintf(o->file, "[treeopen] TOP.gpu_top.%.*s.\n", length, s->rtl);
    return;
  }
}

bool wl_gtkw_write(const wl_waves_t *w, const wl_gtkw_t *g, char *err, size_t cap) {
  char path[4200], scope[40], tail[16];
  if (!write_names(g, err, cap)) return false;
  snprintf(path, sizeof path, "%.4000s.gtkw", g->base);
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    snprintf(err, cap, "cannot write %.400s: %s", path, strerror(errno));
    return false;
  }
  out_t o = {.w = w, .g = g, .file = file};
  put_head(&o);
  failing_scope(&o, scope, sizeof scope);
  if (w->differs != 0) put_signal(&o, &w->signal[w->differs], "");
  if (scope[0] != '\0') {
    char name[64];
    snprintf(name, sizeof name, "first difference: %s", scope);
    group(&o, name, true, true);
    put_scope(&o, scope);
    group(&o, name, true, false);
  }
  put_overview(&o);
  for (unsigned turn = 0; turn < 2; turn++)
    for (unsigned i = 0; i < w->warps; i++) {
      const bool failing = (int)i == g->warp;
      if (failing != (turn == 0)) continue;
      char name[24], issue[32];
      snprintf(tail, sizeof tail, "warp%u", i);
      snprintf(name, sizeof name, "warp %u", i);
      snprintf(issue, sizeof issue, "issue.%s", tail);
      group(&o, name, failing, true);
      put_scopes(&o, tail, failing ? issue : NULL);
      group(&o, name, failing, false);
    }
  group(&o, "units", true, true);
  put_scopes(&o, NULL, NULL);
  group(&o, "units", true, false);
  const bool ok = ferror(file) == 0;
  if (fclose(file) == 0 && ok) return true;
  snprintf(err, cap, "cannot write %.400s: %s", path, strerror(errno));
  return false;
}
