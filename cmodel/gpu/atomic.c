/* gpu/atomic.c: docs/microarchitecture.md 13: atomics of the order point on one sector. The time they
 * take is orderpoint.c's; the arithmetic of one element is cmodel/sem. */
#include "cmodel/gpu/atomic.h"

#include <string.h>

#include "cmodel/sem/sem.h"

static unsigned element_bytes(const wl_packet_t *p) {
  return wl_sem_type_bytes((wl_mem_type_t)p->atype);
}

unsigned wl_atomic_elements(const wl_packet_t *packet) {
  const unsigned bytes = element_bytes(packet);
  return (unsigned)__builtin_popcount(packet->mask) / (bytes == 16 ? 8 : bytes);
}

void wl_atomic_apply(wl_op_row_t *row) {
  const wl_packet_t *p = &row->packet;
  const unsigned bytes = element_bytes(p);
  const bool cas = p->atom == WL_ATOM_OP_CAS; /* new in the low half, compare in the high half */
  memset(row->write, 0, sizeof row->write);
  row->write_mask = p->mask;
  for (unsigned at = 0; at < 32; at += bytes) {
    if ((p->mask >> at & 1) == 0) continue;
    const uint32_t *b = &p->data[(cas ? 16 + at % 16 : at) / 4], *c = &p->data[at % 16 / 4];
    wl_sem_atom_words((wl_atom_op_t)p->atom, (wl_mem_type_t)p->atype, true, &row->old[at / 4], b, c,
                      &row->write[at / 4]);
  }
}
