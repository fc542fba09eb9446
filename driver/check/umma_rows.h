/* umma_rows.h: which of what a product or a copy reads is written (umma.c). */
#ifndef WL_DRIVER_CHECK_UMMA_ROWS_H
#define WL_DRIVER_CHECK_UMMA_ROWS_H
#include "driver/check/tmem.h"

/* Of the 16 bytes at an offset in the CTA's shared memory those that are written: bit = byte. */
uint32_t check_chunk_bytes(const tmem_touch_t *u, uint32_t offset);
/* All elements of a row of A (0) or B (1) in shared memory. */
bool check_row_written(const tmem_touch_t *u, const umma_product_t *p, unsigned which,
                       uint32_t row);
/* The bytes of a scale word that a product reads. */
uint32_t check_scale_bytes(const umma_product_t *p, unsigned which);

#endif
