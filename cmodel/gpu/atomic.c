/* gpu/atomic.c: docs/microarchitecture.md 13: atomics of the order point on one sector. The time they
 * take is orderpoint.c's; the arithmetic of one element is cmodel/sem. */
#include "cmodel/gpu/atomic.h"

#include <string.h>

#include "cmodel/sem/sem.h"

static unsigned element_bytes(const wl_packet_t *p) {
  return wl_sem_type_bytes((wl_mem_type_t)p->atype);
}

unsigned wl_atomic_elements(const wl_packet_t *packet) {
  return (unsigned)__builtin_popcount(packet->mask) / element_bytes(packet);
}

static uint64_t take(const uint32_t *words, unsigned at, unsigned bytes) {
  uint64_t value = words[at / 4];
  if (bytes == 8) value |= (uint64_t)words[at / 4 + 1] << 32;
  return value;
}

void wl_atomic_apply(wl_op_row_t *row) {
  const wl_packet_t *p = &row->packet;
  const unsigned bytes = element_bytes(p);
  memset(row->write, 0, sizeof row->write);
  row->write_mask = p->mask;
  for (unsigned at = 0; at < 32; at += bytes) {
    if ((p->mask >> at & 1) == 0) continue;
    uint64_t b, c = 0;
    if (p->atom == WL_ATOM_OP_CAS) { /* new in the low half, compare in the high half of the data */
      c = take(p->data, at % 16, bytes);
      b = take(p->data, 16 + at % 16, bytes);
    } else {
      b = take(p->data, at, bytes);
    }
    const uint64_t result = wl_sem_atom((wl_atom_op_t)p->atom, (wl_mem_type_t)p->atype, true,
                                        take(row->old, at, bytes), b, c);
    row->write[at / 4] = (uint32_t)result;
    if (bytes == 8) row->write[at / 4 + 1] = (uint32_t)(result >> 32);
  }
}
