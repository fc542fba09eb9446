/* check.h: a check that counts and tells its failure, with the text behind the condition. */
#ifndef WL_TESTS_COMMON_CHECK_H
#define WL_TESTS_COMMON_CHECK_H
#include <stdio.h>

static int failures;

#define CHECK(condition, ...)                                                                      \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      printf("line %d: %s: ", __LINE__, #condition);                                               \
      printf(__VA_ARGS__);                                                                         \
      printf("\n");                                                                                \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

#endif
