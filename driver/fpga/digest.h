/* digest.h: the signatures of the journal as the board keeps them, made from the model's records.
 * docs/fpga.md 5. */
#ifndef WL_FPGA_DIGEST_H
#define WL_FPGA_DIGEST_H
#include "driver/include/warplock_cosim.h"

typedef struct wl_digest {
  uint32_t signature[WL_NUM_JOURNAL_KINDS]; /* as read in the cycle that comes now */
  uint32_t in[WL_NUM_JOURNAL_KINDS];        /* of the records of the last cycle */
} wl_digest_t;

uint32_t wl_digest_step(uint32_t signature);
uint32_t wl_digest_fold(const wl_cosim_record_t *record);
/* Of records of one cycle, by kind. */
void wl_digest_in(const wl_cosim_record_t *records, unsigned n, uint32_t in[WL_NUM_JOURNAL_KINDS]);
/* From what was read of the board while its last cycle had no records. */
void wl_digest_begin(wl_digest_t *d, const uint32_t signature[WL_NUM_JOURNAL_KINDS]);
/* One tick: a core cycle that makes these records. */
void wl_digest_tick(wl_digest_t *d, const wl_cosim_record_t *records, unsigned n);
/* All signatures in 64 bits. */
uint64_t wl_digest_hash(const uint32_t signature[WL_NUM_JOURNAL_KINDS]);

#endif
