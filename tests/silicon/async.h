/* async: small programs of mbarrier, cp.async and bulk copies (9.7.13.15, 9.7.9.25), whose results
 * are recorded on silicon, for what PTX leaves open. Each is a kernel of one thread. */
#ifndef WL_TESTS_SILICON_ASYNC_H
#define WL_TESTS_SILICON_ASYNC_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ASYNC_STEPS = 10, ASYNC_WORDS = 2 * ASYNC_STEPS, ASYNC_TEXT = 1024, ASYNC_NONE = -1 };
enum { ASYNC_SOURCE = 4096 };

/* A step: an operation and its number, ASYNC_NONE if it has none. */
typedef struct async_step {
  char name[16];
  int64_t number;
} async_step_t;

/* Operations: async.c. */
typedef struct async_program {
  async_step_t step[ASYNC_STEPS];
  unsigned steps;
} async_program_t;

bool async_at(unsigned index, async_program_t *out); /* false behind the last */
bool async_has_state(const async_step_t *step);      /* it gives a state */
/* A kernel `async` (.param .u64 out, .param .u64 source): two words for each step. The first has
 * what test_wait says of parity 0 (bit 0), of parity 1 (bit 1), of the first state (bit 2) ...; the
 * second the pending count of the step's own state, or what try_wait says. */
void async_kernel(const async_program_t *p, char *ptx, size_t cap);
/* A line: of each step what test_wait says of both parities, after a stroke of the states, then the
 * second word. result NULL: the program ends with `error`. */
void async_text(const async_program_t *p, const uint32_t *result, const char *error,
                char text[ASYNC_TEXT]);
#endif
