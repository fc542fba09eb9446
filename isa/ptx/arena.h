/* arena.h: bump allocator that owns one parsed module (isa/ptx).
 * Everything an AST points to lives until wl_arena_free; nothing is freed singly.
 * Allocation failure returns NULL; callers turn it into a diagnostic. */
#ifndef WL_ISA_PTX_ARENA_H
#define WL_ISA_PTX_ARENA_H
#include <stddef.h>

typedef struct wl_arena_block wl_arena_block_t;
typedef struct wl_arena {
  wl_arena_block_t *head;
  size_t used;  /* bytes handed out, for limits and reports */
  size_t limit; /* 0 = none; beyond it allocation fails */
} wl_arena_t;

void *wl_arena_alloc(wl_arena_t *a, size_t size); /* zeroed, 16-byte aligned */
char *wl_arena_strndup(wl_arena_t *a, const char *s, size_t n);
void wl_arena_free(wl_arena_t *a);

/* Growing array inside an arena: returns the array with room for one more element. */
void *wl_arena_grow(wl_arena_t *a, void *array, size_t count, size_t *cap, size_t elem);

#endif
