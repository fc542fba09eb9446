/* inside.c: see inside.h. */
#include "driver/lockstep/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/lockstep/cosim.h"

enum { SHOWN = 4, MODEL = 0, RTL = 1 };

struct wl_inside {
  unsigned config; /* of wl_configs */
  uint64_t from, cycle;
  unsigned rows, differ; /* rows that both sides show; elements that differed in `cycle` */
  uint64_t words[2][WL_DEBUG_MAX_WORDS];
  bool has[2][WL_NUM_DEBUGS];
};

wl_inside_t *wl_inside_open(const wl_config_t *config, uint64_t from) {
  wl_inside_t *i = calloc(1, sizeof *i);
  if (i == NULL) return NULL;
  i->config = (unsigned)(config - wl_configs);
  i->from = from;
  return i;
}

void wl_inside_close(wl_inside_t *inside) { free(inside); }

/* An element that its `when` row leaves out on either side differs only by that row. */
static bool counts(const wl_inside_t *i, const wl_debug_info_t *info, unsigned slice,
                   unsigned element) {
  if (info->when < 0) return info->when == -1;
  const unsigned at = wl_debug_info[info->when].first[i->config] + slice;
  return (i->words[MODEL][at] & i->words[RTL][at] & UINT64_C(1) << element) != 0;
}

static bool differs(const wl_inside_t *i, unsigned row, unsigned slice, unsigned element) {
  const wl_debug_info_t *info = &wl_debug_info[row];
  const unsigned at = info->first[i->config] + slice * info->elements[i->config] + element;
  return i->words[MODEL][at] != i->words[RTL][at] && counts(i, info, slice, element);
}

/* How many elements of the row differ; the first `shown` of them as text. */
static unsigned look(const wl_inside_t *i, unsigned row, wl_text_t *t, unsigned shown) {
  const wl_debug_info_t *info = &wl_debug_info[row];
  unsigned n = 0;
  for (unsigned s = 0; s < info->slices[i->config]; s++)
    for (unsigned e = 0; e < info->elements[i->config]; e++) {
      if (!differs(i, row, s, e)) continue;
      n++;
      if (t == NULL || n > shown) continue;
      const unsigned at = info->first[i->config] + s * info->elements[i->config] + e;
      wl_text_put(t, "inside sm0 %s", info->name);
      if (info->slices[i->config] > 1 || strstr(info->rtl, "{sub}") != NULL)
        wl_text_put(t, "[%u]", s);
      if (info->elements[i->config] > 1) wl_text_put(t, "[%u]", e);
      wl_text_put(t, ": model %llx  rtl %llx  (%s; %s; section %s, %s)\n",
                  (unsigned long long)i->words[MODEL][at], (unsigned long long)i->words[RTL][at],
                  info->meaning, info->index, info->section,
                  strrchr(info->rtl, '.') != NULL ? strrchr(info->rtl, '.') + 1 : info->rtl);
    }
  return n;
}

void wl_inside_cycle(wl_inside_t *i, uint64_t now, wl_side_t *model, const wl_side_ops_t *ops,
                     wl_side_t *rtl) {
  if (i->differ != 0 || ops->debug == NULL) return;
  wl_side_model.debug(model, i->words[MODEL], i->has[MODEL]);
  ops->debug(rtl, i->words[RTL], i->has[RTL]);
  i->rows = 0;
  for (unsigned r = 0; r < WL_NUM_DEBUGS; r++) {
    if (!i->has[MODEL][r] || !i->has[RTL][r]) continue;
    i->rows += wl_debug_info[r].when != -2;
    i->differ += look(i, r, NULL, 0);
  }
  i->cycle = now;
}

bool wl_inside_found(const wl_inside_t *i, uint64_t *cycle) {
  *cycle = i->cycle;
  return i->differ != 0;
}

void wl_inside_text(const wl_inside_t *i, char *out, size_t cap) {
  wl_text_t t = {out, cap, 0};
  unsigned shown = 0;
  if (cap != 0) out[0] = '\0';
  if (i->differ == 0) {
    wl_text_put(&t,
                "inside: %u rows of internal state, compared from cycle %llu on: none differed\n",
                i->rows, (unsigned long long)i->from);
    return;
  }
  wl_text_put(&t, "inside differs first at cycle %llu (%u rows, compared from cycle %llu on)\n",
              (unsigned long long)i->cycle, i->rows, (unsigned long long)i->from);
  for (unsigned r = 0; r < WL_NUM_DEBUGS && shown < SHOWN; r++)
    if (i->has[MODEL][r] && i->has[RTL][r]) {
      const unsigned n = look(i, r, &t, SHOWN - shown);
      shown += n < SHOWN - shown ? n : SHOWN - shown;
    }
  if (i->differ > shown) wl_text_put(&t, "inside and %u more\n", i->differ - shown);
}
