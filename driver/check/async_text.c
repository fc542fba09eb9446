/* async_text.c: what the line of the PTX says of an instruction that the machine has one kind of (async.h). */
#include <string.h>

#include "driver/check/async.h"
#include "isa/obj/object.h"

enum { FENCE_KNOWN = 4 }; /* in `fence`: the line of the PTX was looked at */

static bool has(const char *text, size_t bytes, const char *word) {
  for (size_t n = strlen(word); bytes >= n; text++, bytes--) {
    if (memcmp(text, word, n) == 0) {
      return true;
    }
  }
  return false;
}

/* Whether a test of an mbarrier is .relaxed: other statements of the line may be, too. */
static bool waits_relaxed(const char *text, size_t bytes) {
  for (const char *end = text + bytes; text < end; text++) {
    const char *next = memchr(text, ';', (size_t)(end - text));
    const size_t statement = (size_t)((next != NULL ? next : end) - text);
    if (has(text, statement, "_wait") && has(text, statement, ".relaxed")) {
      return true;
    }
    text += statement;
  }
  return false;
}

uint32_t async_fence_at(check_async_t *a, uint32_t pc) {
  if (a->fence[pc] != 0) {
    return a->fence[pc];
  }
  const wl_obj_line_t *l = wl_obj_find_line(a->obj, pc);
  size_t bytes = 0;
  const char *text = l != NULL ? wl_obj_ptx_line(a->obj, l->ptx_line, &bytes) : NULL;
  uint32_t spaces = 0;
  if (text != NULL && has(text, bytes, ".proxy.async")) {
    const bool global = has(text, bytes, ".proxy.async.global"),
               shared = has(text, bytes, "shared::");
    spaces = global ? 1u << ASYNC_GLOBAL : shared ? 1u << ASYNC_SHARED : 3u;
  }
  const uint32_t relaxed = text != NULL && waits_relaxed(text, bytes) ? ASYNC_RELAXED : 0;
  a->fence[pc] = (uint8_t)(spaces | relaxed | FENCE_KNOWN);
  return a->fence[pc];
}
