/* Signatures of journal records, written from docs/fpga.md 5: the reference of the benches of the
 * board's digests. Records as in a journal: words of disabled lanes and bytes are 0. */
#ifndef WL_TESTS_RTL_BOARD_SIGNATURE_H
#define WL_TESTS_RTL_BOARD_SIGNATURE_H

#include <stdint.h>

#include "gen/wl_journal.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SIGNATURE_KINDS = WL_NUM_JOURNAL_KINDS };

typedef struct signature {
  uint32_t sig[SIGNATURE_KINDS];      /* as read in the current core cycle */
  uint32_t previous[SIGNATURE_KINDS]; /* folds of the records of the cycle before, joined */
  uint32_t now[SIGNATURE_KINDS];      /* of the current cycle */
} signature_t;

/* A record of the current core cycle. */
void signature_record(signature_t *s, unsigned kind, const uint32_t *words, unsigned count);
/* The tick that ends the cycle. */
void signature_tick(signature_t *s);

#ifdef __cplusplus
}
#endif

#endif
