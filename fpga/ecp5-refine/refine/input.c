// Command lines, files of numbers and memory of er_refine and er_route.
#include "refine.h"

#include <stdlib.h>
#include <string.h>

bool er_option_take(const er_option *known, size_t options, const char *word) {
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

er_source er_source_open(const char *path) {
  er_source s = {fopen(path, "r"), path};
  if (!s.file) {
    fprintf(stderr, "%s: error: %s: cannot be read\n", er_program, path);
    exit(1);
  }
  return s;
}

void er_source_bad(const er_source *s, const char *what) {
  fprintf(stderr, "%s: error: %s: %s, near byte %ld\n", er_program, s->path, what, ftell(s->file));
  exit(1);
}

int er_source_number(const er_source *s, int low, int high, const char *what) {
  int n;
  if (fscanf(s->file, "%d", &n) != 1) er_source_bad(s, "a number is missing");
  if (n < low || n > high) er_source_bad(s, what);
  return n;
}

static void *had(void *memory) {
  if (!memory) {
    fprintf(stderr, "%s: out of memory\n", er_program);
    exit(4);
  }
  return memory;
}

void *er_refine_memory(size_t count, size_t size) { return had(calloc(count ? count : 1, size)); }

void *er_refine_more(void *old, size_t count, size_t size) {
  return had(realloc(old, count * size));
}
