/* words: the numbers of a record. */
#ifndef WL_TESTS_SILICON_WORDS_H
#define WL_TESTS_SILICON_WORDS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The next number of a text, of so many hexadecimal digits; false: there is none. */
static inline bool words_next(const char **at, unsigned digits, uint64_t *out) {
  *at += strspn(*at, " \n");
  if (strspn(*at, "0123456789abcdef") != digits || strcspn(*at, " \n") != digits) {
    return false;
  }
  *out = strtoull(*at, NULL, 16);
  *at += digits;
  return true;
}
#endif
