/* copies: cp.async (9.7.9.25.3) with sizes, ignore-src and groups, as recorded on silicon. */
#ifndef WL_TESTS_SILICON_COPIES_H
#define WL_TESTS_SILICON_COPIES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COPIES_THREADS = 32, COPIES_BYTES = 32, COPIES_SHOWN = 20, COPIES_TEXT = 2048 };

typedef struct copies {
  const char *name; /* its line in the record */
  const char *text; /* instructions */
  unsigned threads;
  /* The rule: so many bytes of the source (COPIES_THREAD: as the thread's number says, COPIES_EVEN:
   * all of them if it is even, else none; COPIES_NEXT: its bytes 9 to 16), then zeros, `written` in all; negative: the program
   * fails. */
  int copied, written;
} copies_t;
enum { COPIES_THREAD = 100, COPIES_EVEN = 101, COPIES_NEXT = 102 };

const copies_t *copies_at(unsigned index); /* NULL behind the last */
/* A kernel `copies` (.param .u64 out, .param .u64 source): 32 bytes of out for each thread; they
 * hold ee before. Source: the bytes 1, 2, 3 ... */
void copies_kernel(const copies_t *c, char *ptx, size_t cap);
void copies_rule(const copies_t *c, uint8_t result[COPIES_THREADS * COPIES_BYTES]);
/* Why Warplock has something else than silicon, by PTX: it ends the launch. NULL: it does
 * not. */
const char *copies_differs(const copies_t *c);
/* result NULL: it ends with `error`. */
void copies_text(const copies_t *c, const uint8_t *result, const char *error,
                 char text[COPIES_TEXT]);
#endif
