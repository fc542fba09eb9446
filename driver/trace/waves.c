/* waves.c: see waves.h. The signals follow from journal.def and state.def: a new kind of record or
 * word appears by itself, in one scope if the table of keys below does not know it. */
#include "driver/trace/waves.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/model.h"

/* The word that says which instance of a unit a record is about. */
typedef enum instances { ONE, WARPS, CTAS, RF_BANKS, SMEM_BANKS, UNITS, QUARTERS } instances_t;
static const struct {
  int place; /* of that word, from 1; 0: there is one instance */
  instances_t instances;
} keys[WL_NUM_JOURNAL_KINDS] = {
    [WL_J_RF] = {1, RF_BANKS},   [WL_J_PRED] = {1, WARPS},     [WL_J_SMEM] = {1, SMEM_BANKS},
    [WL_J_XBUF] = {1, WARPS},    [WL_J_FETCH] = {1, WARPS},    [WL_J_ISSUE] = {1, WARPS},
    [WL_J_RESOLVE] = {1, WARPS}, [WL_J_ROW] = {1, WARPS},      [WL_J_WALKED] = {1, WARPS},
    [WL_J_BARRIER] = {1, CTAS},  [WL_J_CTA] = {2, CTAS},       [WL_J_PAGE] = {1, WARPS},
    [WL_J_PACKET] = {4, UNITS},  [WL_J_RESPONSE] = {2, UNITS}, [WL_J_TMEM] = {1, QUARTERS},
};
enum { RF_EXTRA = 3 /* warp, reg, beat of a register record */, WHY_BITS = 5 };
_Static_assert(WL_WHYS <= 1 << WHY_BITS, "reasons of a warp");

int wl_waves_key(unsigned kind) { return keys[kind].place - 1; }

static unsigned count_of(const wl_config_t *c, unsigned kind) {
  switch (keys[kind].instances) {
  case WARPS:
    return c->warps;
  case CTAS:
    return c->ctas;
  case RF_BANKS:
    return 4 * c->sub_cores;
  case SMEM_BANKS:
    return c->smem_banks;
  case UNITS:
    return c->copy ? 5 : 4;
  case QUARTERS:
    return c->tmem ? 4 : 0;
  default:
    return 1;
  }
}

/* The unit's name: that of the last row of state.def whose changes make this record. */
static const char *unit_of(unsigned kind) {
  const char *name = wl_journal_info[kind].name;
  for (const wl_state_info_t *s = wl_state_info; s->name != NULL; s++)
    if (s->record == (int)kind) name = s->view >= 0 ? s->name : s->trace;
  return name;
}

static void scope_of(const wl_waves_t *w, unsigned side, unsigned kind, unsigned i, char *out,
                     size_t cap) {
  static const char *const units[] = {"dispatcher", "icache", "ldc", "lsu", "copy"};
  const char *unit = unit_of(kind), *name = w->side[side];
  switch (keys[kind].instances) {
  case WARPS:
    snprintf(out, cap, "%s.%s.warp%u", name, unit, i);
    break;
  case CTAS:
    snprintf(out, cap, "%s.%s.cta%u", name, unit, i);
    break;
  case RF_BANKS:
  case SMEM_BANKS:
    snprintf(out, cap, "%s.%s.bank%u", name, unit, i);
    break;
  case QUARTERS:
    snprintf(out, cap, "%s.%s.quarter%u", name, unit, i);
    break;
  case UNITS:
    snprintf(out, cap, "%s.%s.%s", name, unit, units[i]);
    break;
  default:
    snprintf(out, cap, "%s.%s", name, unit);
    break;
  }
}

static wl_wave_names_t names_of(unsigned kind, const char *word) {
  static const struct {
    int kind; /* -1: any */
    const char *word;
    wl_wave_names_t names;
  } table[] = {
      {-1, "pc", WL_NAMES_PC},           {WL_J_WALKED, "stop", WL_NAMES_PC},
      {-1, "cause", WL_NAMES_CAUSE},     {WL_J_FETCH, "trap", WL_NAMES_CAUSE},
      {WL_J_PACKET, "op", WL_NAMES_OP},  {WL_J_RESPONSE, "op", WL_NAMES_OP},
      {-1, "atom", WL_NAMES_ATOM},       {-1, "atype", WL_NAMES_TYPE},
      {-1, "request", WL_NAMES_REQUEST}, {WL_J_CTA, "event", WL_NAMES_EVENT},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if ((table[i].kind < 0 || table[i].kind == (int)kind) && strcmp(word, table[i].word) == 0)
      return table[i].names;
  return WL_NAMES_NONE;
}

static wl_wave_signal_t *add(wl_waves_t *w, const char *scope, const char *name, unsigned bits,
                             wl_wave_names_t names) {
  wl_wave_signal_t *s = &w->signal[w->signals++];
  snprintf(s->scope, sizeof s->scope, "%s", scope);
  snprintf(s->name, sizeof s->name, "%s", name);
  s->bits = bits;
  s->names = names;
  return s;
}

static void add_instance(wl_waves_t *w, unsigned side, unsigned kind, unsigned i) {
  const wl_journal_info_t *info = &wl_journal_info[kind];
  const unsigned words = info->words[w->config_id];
  char scope[40], name[16];
  scope_of(w, side, kind, i, scope, sizeof scope);
  add(w, scope, "count", 8, WL_NAMES_NONE);
  for (unsigned k = 0; k < words; k++) {
    const unsigned last = info->names - 1;
    if ((int)k == wl_waves_key(kind)) continue;
    if (k < last || words == info->names)
      snprintf(name, sizeof name, "%.15s", info->word_names[k]);
    else
      snprintf(name, sizeof name, "%.11s%u", info->word_names[last], k - last);
    add(w, scope, name, 32, names_of(kind, name));
  }
  if (kind != WL_J_RF) return;
  add(w, scope, "warp", 8, WL_NAMES_NONE);
  add(w, scope, "reg", 8, WL_NAMES_NONE);
  add(w, scope, "beat", 8, WL_NAMES_NONE);
}

static void add_all(wl_waves_t *w, bool watched) {
  for (unsigned s = 0; s < w->sides; s++)
    for (unsigned kind = 0; kind < WL_NUM_JOURNAL_KINDS; kind++) {
      w->first[s][kind] = w->signals;
      for (unsigned i = 0; i < count_of(w->config, kind); i++)
        add_instance(w, s, kind, i);
    }
  if (w->sides == 2) {
    w->differs = w->signals;
    add(w, "lockstep", "differs", 1, WL_NAMES_NONE);
  }
  w->why = watched ? w->signals : 0;
  for (unsigned i = 0; watched && i < w->warps; i++) {
    char scope[40];
    scope_of(w, 0, WL_J_ISSUE, i, scope, sizeof scope);
    add(w, scope, "why", WHY_BITS, WL_NAMES_WHY);
  }
}

/* Waits and copies of the model, in the order in which wl_waves_watch gives them values. */
enum { OF_WARP = 4, OF_COPIES = 7, OF_COPY = 4 };

static unsigned async_signals(const wl_config_t *c) {
  return OF_WARP * c->warps + OF_COPIES + OF_COPY * (c->copy_queue + c->lsu_depth);
}

static void add_copy(wl_waves_t *w, const char *kind, unsigned i) {
  char scope[40];
  snprintf(scope, sizeof scope, "%s.copies.%s%u", w->side[0], kind, i);
  add(w, scope, "step", 4, WL_NAMES_STEP);
  add(w, scope, "warp", 8, WL_NAMES_NONE);
  add(w, scope, "pc", 32, WL_NAMES_PC);
  add(w, scope, "bytes", 32, WL_NAMES_NONE);
}

static void add_async(wl_waves_t *w) {
  static const struct {
    const char *name;
    unsigned bits;
  } copies[OF_COPIES] = {{"entries", 8},   {"rows", 8},    {"slots", 8},   {"to_shared", 8},
                         {"to_global", 8}, {"phases", 32}, {"all_wait", 1}};
  char scope[40];
  w->async = w->signals;
  for (unsigned i = 0; i < w->warps; i++) {
    snprintf(scope, sizeof scope, "%s.waits.warp%u", w->side[0], i);
    add(w, scope, "lanes", 32, WL_NAMES_NONE);
    add(w, scope, "wake", 1, WL_NAMES_NONE);
    add(w, scope, "woken", 1, WL_NAMES_NONE);
    add(w, scope, "timed", 1, WL_NAMES_NONE);
  }
  snprintf(scope, sizeof scope, "%s.copies", w->side[0]);
  for (unsigned i = 0; i < OF_COPIES; i++)
    add(w, scope, copies[i].name, copies[i].bits, WL_NAMES_NONE);
  for (unsigned i = 0; i < w->config->copy_queue; i++)
    add_copy(w, "entry", i);
  for (unsigned i = 0; i < w->config->lsu_depth; i++)
    add_copy(w, "slot", i);
}

void wl_waves_close(wl_waves_t *w) {
  if (w == NULL) return;
  free(w->signal);
  free(w->counted);
  free(w);
}

wl_waves_t *wl_waves_open(const wl_config_t *config, const char *const side[2], bool watched) {
  wl_waves_t *w = calloc(1, sizeof *w);
  if (w == NULL) return NULL;
  w->config = config;
  w->config_id = (unsigned)(config - wl_configs);
  w->warps = config->warps;
  w->sides = side[1] != NULL ? 2 : 1;
  memcpy(w->side, side, sizeof w->side);
  size_t total = 1 + config->warps + async_signals(config);
  for (unsigned kind = 0; kind < WL_NUM_JOURNAL_KINDS; kind++) {
    const unsigned key = keys[kind].place != 0 ? 1 : 0;
    w->per[kind] =
        1 + wl_journal_info[kind].words[w->config_id] - key + (kind == WL_J_RF ? RF_EXTRA : 0);
    total += (size_t)w->sides * w->per[kind] * count_of(config, kind);
  }
  w->signal = calloc(total, sizeof *w->signal);
  w->counted = calloc(total, sizeof *w->counted);
  if (w->signal == NULL || w->counted == NULL) {
    wl_waves_close(w);
    return NULL;
  }
  add_all(w, watched);
  if (watched) add_async(w);
  return w;
}

void wl_waves_begin(wl_waves_t *w) {
  for (unsigned i = 0; i < w->counts; i++)
    w->signal[w->counted[i]].value = 0;
  w->counts = 0;
}

/* The register behind a bank row; 255: nobody's. */
static void name_register(const wl_waves_t *w, unsigned side, const uint32_t *r,
                          wl_wave_signal_t *to) {
  unsigned warp = 255, reg = 255;
  (void)wl_pages_register(&w->pages[side], w->config, r[0], r[1], &warp, &reg);
  to[0].value = warp;
  to[1].value = reg;
  to[2].value = r[1] % w->config->beats;
}

void wl_waves_take(wl_waves_t *w, unsigned side, const wl_cosim_record_t *records, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    const wl_cosim_record_t *r = &records[i];
    const int key = wl_waves_key(r->kind);
    const unsigned instance = key >= 0 ? r->word[key] : 0;
    if (instance >= count_of(w->config, r->kind)) continue;
    wl_wave_signal_t *to = &w->signal[w->first[side][r->kind] + instance * w->per[r->kind]];
    if (r->kind == WL_J_PAGE) wl_pages_note(&w->pages[side], w->config, r->word);
    if (to->value == 0) w->counted[w->counts++] = (uint32_t)(to - w->signal);
    to++->value++;
    for (int k = 0; k < (int)r->words; k++)
      if (k != key) to++->value = r->word[k];
    if (r->kind == WL_J_RF) name_register(w, side, r->word, to);
  }
}

static wl_wave_signal_t *watch_copies(wl_wave_signal_t *to, const wl_model_copy_t *c, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    to++->value = c[i].step;
    to++->value = c[i].warp;
    to++->value = c[i].pc;
    to++->value = c[i].bytes;
  }
  return to;
}

static void watch_async(wl_waves_t *w, const wl_model_async_t *m) {
  wl_wave_signal_t *to = &w->signal[w->async];
  for (unsigned i = 0; i < w->warps; i++, to += OF_WARP) {
    to[0].value = m->parked[i];
    to[1].value = m->wait_wake >> i & 1;
    to[2].value = to[3].value = 0;
  }
  for (unsigned i = 0; i < m->wakes; i++)
    w->signal[w->async + OF_WARP * m->woken[i].warp + (m->woken[i].timed ? 3 : 2)].value = 1;
  to++->value = m->entries;
  to++->value = m->rows;
  to++->value = m->slots;
  to++->value = m->to_shared;
  to++->value = m->to_global;
  to++->value = m->phases;
  to++->value = m->all_wait;
  to = watch_copies(to, m->bulk, w->config->copy_queue);
  (void)watch_copies(to, m->slot, w->config->lsu_depth);
}

void wl_waves_watch(wl_waves_t *w, const wl_model_watch_t *watch) {
  for (unsigned i = 0; w->why != 0 && i < watch->warps; i++)
    w->signal[w->why + i].value = watch->why[i];
  if (w->async != 0) watch_async(w, watch->async);
}
