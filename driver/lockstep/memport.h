/* memport.h: the memory outside the SM as its port sees it: AXI4-subset channels served from an
 * image with the contract's latency, and the disturbance bits of each cycle.
 * docs/microarchitecture.md 13 (memory), 17. Knows nothing of the reference: it serves a core under
 * test. */
#ifndef WL_LOCKSTEP_MEMPORT_H
#define WL_LOCKSTEP_MEMPORT_H
#include "driver/include/warplock_cosim.h"
#include "gen/wl_config.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { WL_PORT_RING = 256 }; /* above twice MemLatency and the rows of the order point */

typedef struct wl_port_answer {
  bool valid;
  uint32_t id;
  uint32_t data[8];
} wl_port_answer_t;

typedef struct wl_memport {
  uint8_t *mem;
  uint64_t mem_bytes, seed, cycle;
  unsigned latency, density;
  uint64_t word; /* of the disturbance, of this cycle */
  uint32_t stalls;
  uint64_t *wrote; /* where the address of a sector goes when it is written; NULL: nowhere */
  wl_port_answer_t read[WL_PORT_RING], write[WL_PORT_RING];
} wl_memport_t;

void wl_memport_open(wl_memport_t *port, const wl_config_t *config, uint64_t seed, unsigned density,
                     uint8_t *mem, uint64_t mem_bytes);
void wl_memport_begin(wl_memport_t *port, wl_cosim_port_in_t *in);
void wl_memport_end(wl_memport_t *port, const wl_cosim_port_out_t *out);

#ifdef __cplusplus
}
#endif
#endif
