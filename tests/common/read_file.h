/* A whole file in memory, for the tests. */
#ifndef WL_TESTS_COMMON_READ_FILE_H
#define WL_TESTS_COMMON_READ_FILE_H
#include <stdio.h>
#include <stdlib.h>

/* NULL: cannot be read. Ends with a zero byte that does not count; the caller frees it. */
static inline char *wl_read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  long n = f != NULL && fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
  char *data = n >= 0 ? (char *)calloc((size_t)n + 1, 1) : NULL;
  if (data != NULL && (fseek(f, 0, SEEK_SET) != 0 || fread(data, 1, (size_t)n, f) != (size_t)n)) {
    free(data);
    data = NULL;
  }
  if (f != NULL) {
    (void)fclose(f);
  }
  *size = data != NULL ? (size_t)n : 0;
  return data;
}

#endif
