// Command lines, files of numbers and memory of wl_refine and wl_route.
#include "refine.h"

#include <stdlib.h>
#include <string.h>

bool wl_option_take(const wl_option *known, size_t options, const char *word) {
  for (size_t i = 0; i < options; i++) {
    size_t length = strlen(known[i].name);
    char *end;
    if (strncmp(word, known[i].name, length) || word[length] != '=') continue;
    *known[i].value = strtod(word + length + 1, &end);
    return end != word + length + 1 && !*end && *known[i].value >= known[i].low &&
           *known[i].value <= known[i].high;
  }
  return false;
}

wl_source wl_source_open(const char *path) {
  wl_source s = {fopen(path, "r"), path};
  if (!s.file) {
    fprintf(stderr, "%s: error: %s: cannot be read\n", wl_program, path);
    exit(1);
  }
  return s;
}

void wl_source_bad(const wl_source *s, const char *what) {
  fprintf(stderr, "%s: error: %s: %s, near byte %ld\n", wl_program, s->path, what, ftell(s->file));
  exit(1);
}

int wl_source_number(const wl_source *s, int low, int high, const char *what) {
  int n;
  if (fscanf(s->file, "%d", &n) != 1) wl_source_bad(s, "a number is missing");
  if (n < low || n > high) wl_source_bad(s, what);
  return n;
}

static void *had(void *memory) {
  if (!memory) {
    fprintf(stderr, "%s: out of memory\n", wl_program);
    exit(4);
  }
  return memory;
}

void *wl_refine_memory(size_t count, size_t size) { return had(calloc(count ? count : 1, size)); }

void *wl_refine_more(void *old, size_t count, size_t size) {
  return had(realloc(old, count * size));
}
