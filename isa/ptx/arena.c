/* arena.c: see arena.h. Deliberately has no free of single objects and no alignment above 16. */
#include "isa/ptx/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct wl_arena_block {
  wl_arena_block_t *next;
  size_t size, used; /* of the payload that follows the header */
};

enum { BLOCK_MIN = 64 * 1024, HEADER = (sizeof(wl_arena_block_t) + 15u) & ~15u };

static wl_arena_block_t *add_block(wl_arena_t *a, size_t size) {
  size_t payload = size > BLOCK_MIN ? size : BLOCK_MIN;
  if (payload > SIZE_MAX - HEADER) return NULL;
  wl_arena_block_t *b = calloc(1, HEADER + payload);
  if (b == NULL) return NULL;
  b->size = payload;
  b->next = a->head;
  a->head = b;
  return b;
}

void *wl_arena_alloc(wl_arena_t *a, size_t size) {
  if (size > SIZE_MAX / 2) return NULL;
  size = (size + 15u) & ~(size_t)15u;
  if (size == 0) size = 16;
  if (a->limit != 0 && (size > a->limit || a->used > a->limit - size)) return NULL;
  wl_arena_block_t *b = a->head;
  if (b == NULL || b->size - b->used < size) {
    b = add_block(a, size);
    if (b == NULL) return NULL;
  }
  char *p = (char *)b + HEADER + b->used;
  b->used += size;
  a->used += size;
  return p;
}

char *wl_arena_strndup(wl_arena_t *a, const char *s, size_t n) {
  char *p = wl_arena_alloc(a, n + 1);
  if (p != NULL && n != 0) memcpy(p, s, n);
  return p;
}

void *wl_arena_grow(wl_arena_t *a, void *array, size_t count, size_t *cap, size_t elem) {
  if (count < *cap) return array;
  size_t new_cap = count < 4 ? 8 : count * 2;
  if (count > SIZE_MAX / 4 || new_cap > SIZE_MAX / 2 / elem) return NULL;
  void *p = wl_arena_alloc(a, new_cap * elem);
  if (p == NULL) return NULL;
  if (count != 0) memcpy(p, array, count * elem);
  *cap = new_cap;
  return p;
}

void wl_arena_free(wl_arena_t *a) {
  wl_arena_block_t *b = a->head;
  while (b != NULL) {
    wl_arena_block_t *next = b->next;
    free(b);
    b = next;
  }
  a->head = NULL;
  a->used = 0;
}
