/* Text of a kernel, written piece by piece. What does not fit is cut; `used` says how long all is. */
#ifndef WL_TESTS_SILICON_EMIT_H
#define WL_TESTS_SILICON_EMIT_H
#include <stddef.h>
#include <stdio.h>

typedef struct out {
  char *text;
  size_t used, cap;
} out_t;
#define EMIT(o, ...)                                                                               \
  ((o)->used += (size_t)snprintf((o)->text + (o)->used,                                            \
                                 (o)->used < (o)->cap ? (o)->cap - (o)->used : 0, __VA_ARGS__))
#endif
