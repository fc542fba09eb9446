/* expand: the alternatives of a table's text. */
#ifndef WL_TESTS_SILICON_EXPAND_H
#define WL_TESTS_SILICON_EXPAND_H
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Text of alternative `number` into `to`, with braces in place of < and >; false if there are fewer. */
static inline bool expand(const char *from, size_t number, char *to, size_t cap) {
  size_t used = 0;
  while (*from != '\0' && used + 1 < cap) {
    if (*from != '{') {
      to[used++] = (char)(*from == '<' ? '{' : *from == '>' ? '}' : *from);
      from++;
      continue;
    }
    const char *end = strchr(from, '}');
    size_t choices = 1;
    for (const char *p = from; p < end; p++) {
      choices += *p == ',';
    }
    const char *p = from + 1;
    for (size_t skip = number % choices; skip != 0; skip--) {
      p = strchr(p, ',') + 1;
    }
    number /= choices;
    while (*p != ',' && *p != '}' && used + 1 < cap) {
      to[used++] = *p++;
    }
    from = end + 1;
  }
  to[used] = '\0';
  return number == 0;
}
#endif
