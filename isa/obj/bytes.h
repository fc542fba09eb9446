/* bytes.h: a buffer of bytes that grows, for writers of files: numbers are little-endian. */
#ifndef WL_OBJ_BYTES_H
#define WL_OBJ_BYTES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct wl_bytes {
  uint8_t *data;
  size_t size, cap;
  bool failed; /* out of memory: nothing is added any more */
} wl_bytes_t;

static inline void wl_bytes_put(wl_bytes_t *b, const void *bytes, size_t size) {
  if (b->failed || size == 0) {
    return;
  }
  if (b->cap - b->size < size) {
    size_t cap = (b->cap + size) * 2;
    uint8_t *data = realloc(b->data, cap);
    if (data == NULL) {
      b->failed = true;
      return;
    }
    b->data = data;
    b->cap = cap;
  }
  memcpy(b->data + b->size, bytes, size);
  b->size += size;
}

static inline void wl_bytes_uint(wl_bytes_t *b, uint64_t value, unsigned bytes) {
  uint8_t le[8];
  for (unsigned i = 0; i < bytes; i++) {
    le[i] = (uint8_t)(value >> (8 * i));
  }
  wl_bytes_put(b, le, bytes);
}

static inline void wl_bytes_u32(wl_bytes_t *b, uint32_t value) { wl_bytes_uint(b, value, 4); }
static inline void wl_bytes_u64(wl_bytes_t *b, uint64_t value) { wl_bytes_uint(b, value, 8); }

#endif
