/* alias.c: see alias.h. */
#include "tests/oracle/alias.h"

#include <string.h>

typedef struct walk {
  char letter[WL_ALIAS_SOURCES], dst[2]; /* 0: no register */
  int sources;
  wl_alias_t a;
  wl_alias_row_t row;
  void *context;
} walk_t;

char wl_alias_letter(char token, int k) {
  if (token == 'q' || token == 'W') {
    return token == 'W' && k == 0 ? 'w' : 'p';
  }
  return k != 0 ? 0 : token == 'F' ? 'f' : token;
}

static void guards(walk_t *w) {
  bool shared = w->a.dst[0] != WL_ALIAS_OWN || w->a.dst[1] != WL_ALIAS_OWN;
  for (int g = WL_ALIAS_NO_GUARD; g <= WL_ALIAS_SECOND; g++) {
    bool legal = g == WL_ALIAS_NO_GUARD ? shared : w->dst[g - WL_ALIAS_FIRST] == 'p';
    w->a.guard = g;
    if (legal) {
      w->row(w->context, &w->a);
    }
  }
}

static void destinations(walk_t *w, int k) {
  if (k == 2) {
    guards(w);
    return;
  }
  w->a.dst[k] = WL_ALIAS_OWN;
  destinations(w, k + 1);
  for (int i = 0; i < w->sources && w->dst[k] != 0; i++) {
    bool first = w->a.source[i] == i && w->letter[i] == w->dst[k]; /* its register's first source */
    if (first && !(k == 1 && w->dst[0] == w->dst[1] && w->a.dst[0] == i)) {
      w->a.dst[k] = i;
      destinations(w, k + 1);
    }
  }
}

static void sources(walk_t *w, int i) {
  if (i >= w->sources || i >= WL_ALIAS_SOURCES) {
    destinations(w, 0);
    return;
  }
  w->a.source[i] = i;
  sources(w, i + 1);
  for (int j = 0; j < i && w->letter[i] != 0; j++) {
    if (w->letter[j] == w->letter[i] && w->a.source[j] == j) {
      w->a.source[i] = j;
      sources(w, i + 1);
    }
  }
}

void wl_alias_list(const char *operands, wl_alias_row_t row, void *context) {
  walk_t w = {.a = {.used = true}, .row = row, .context = context};
  w.dst[0] = wl_alias_letter(operands[0], 0);
  w.dst[1] = wl_alias_letter(operands[0], 1);
  for (const char *at = strchr(operands, ' '); at != NULL && w.sources < WL_ALIAS_SOURCES;
       at = strchr(at + 1, ' ')) {
    char letter = at[1] == '!' || at[1] == '=' ? at[2] : at[1];
    w.letter[w.sources++] = strchr("hwxfdp", letter) != NULL ? letter : 0;
  }
  sources(&w, 0);
}
