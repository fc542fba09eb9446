/* async_rule: the programs of async.h by the reference of an mbarrier (tests/common), and which of
 * them silicon takes though PTX does not define them. */
#ifndef WL_TESTS_SILICON_ASYNC_RULE_H
#define WL_TESTS_SILICON_ASYNC_RULE_H
#include "tests/silicon/async.h"

typedef enum async_end {
  ASYNC_ENDS,       /* with results */
  ASYNC_MISUSE,     /* a count out of its range */
  ASYNC_MISALIGNED, /* an address */
  ASYNC_NO_MEMORY,  /* an object that is not in shared memory */
  ASYNC_SIZE,       /* a bulk copy whose size is not a multiple of 16 */
  ASYNC_UNKNOWN     /* another error */
} async_end_t;

async_end_t async_rule(const async_program_t *p, uint32_t result[ASYNC_WORDS]);
/* Start of the line that the record has where the program ends so: ": error 719". NULL: results. */
const char *async_error(async_end_t end);
/* Why silicon's line is another one, by PTX; NULL: it is not. */
const char *async_differs(const async_program_t *p);
/* It has bulk copies, and counts on their end some time later, which PTX does not promise. */
bool async_bulk(const async_program_t *p);
#endif
