/* gpu/atomic.c: docs/microarchitecture.md 13: what the order point's atomic unit computes. */
#ifndef WL_CMODEL_GPU_ATOMIC_H
#define WL_CMODEL_GPU_ATOMIC_H

#include "cmodel/gpu/orderpoint.h"

/* Elements of an ATOM or RED packet; one of 16 bytes counts as two. */
unsigned wl_atomic_elements(const wl_packet_t *packet);
/* New values of the sector: row->write and row->write_mask from row->packet and row->old. */
void wl_atomic_apply(wl_op_row_t *row);

#endif
