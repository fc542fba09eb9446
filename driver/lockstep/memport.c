/* memport.c: see memport.h. docs/microarchitecture.md 13, 17 */
#include "driver/lockstep/memport.h"

#include <string.h>

#include "driver/backend.h"
#include "driver/splitmix.h"

void wl_memport_open(wl_memport_t *p, const wl_config_t *config, uint64_t seed, unsigned density,
                     uint8_t *mem, uint64_t mem_bytes) {
  memset(p, 0, sizeof *p);
  p->mem = mem;
  p->mem_bytes = mem_bytes;
  p->seed = seed;
  p->density = density;
  p->latency = config->mem_latency;
}

/* Stall points of this cycle. */
static void disturb(wl_memport_t *p) {
  p->word = wl_mix(p->seed, WL_MIX_STALLS, p->cycle);
  p->stalls = 0;
  for (unsigned i = 0; i < WL_NUM_STALLS; i++)
    if ((p->word >> (3 * i) & 7) < p->density) p->stalls |= UINT32_C(1) << i;
}

void wl_memport_begin(wl_memport_t *p, wl_cosim_port_in_t *in) {
  if (p->density != 0) disturb(p);
  wl_port_answer_t *r = &p->read[p->cycle % WL_PORT_RING], *b = &p->write[p->cycle % WL_PORT_RING];
  memset(in, 0, sizeof *in);
  in->stall = p->stalls;
  in->ar_ready = (p->stalls >> WL_STALL_AT_AR & 1) == 0;
  in->aw_ready = (p->stalls >> WL_STALL_AT_AW & 1) == 0;
  in->r_valid = r->valid;
  in->r_id = r->id;
  memcpy(in->r_data, r->data, sizeof in->r_data);
  in->b_valid = b->valid;
  in->b_id = b->id;
  r->valid = b->valid = false;
}

/* Where the answer of a request accepted now goes; `low`: first of 16 bits of the cycle's word. */
static wl_port_answer_t *due(const wl_memport_t *p, wl_port_answer_t *answers, unsigned low) {
  uint64_t at = p->cycle + p->latency;
  if (p->density != 0) at += (p->word >> low & 0xffff) % (p->latency + 1);
  while (answers[at % WL_PORT_RING].valid)
    at++;
  return &answers[at % WL_PORT_RING];
}

static bool inside(const wl_memport_t *p, uint64_t address) {
  return address >= WL_MEM_BASE && address - WL_MEM_BASE + 32 <= p->mem_bytes;
}

/* Reads outside memory give zero, writes outside are dropped: the order point asks for neither. */
void wl_memport_end(wl_memport_t *p, const wl_cosim_port_out_t *out) {
  if (out->ar_valid && (p->stalls >> WL_STALL_AT_AR & 1) == 0) {
    wl_port_answer_t *a = due(p, p->read, 48);
    *a = (wl_port_answer_t){.valid = true, .id = out->ar_id};
    if (inside(p, out->ar_addr)) memcpy(a->data, p->mem + (out->ar_addr - WL_MEM_BASE), 32);
  }
  if (out->aw_valid && (p->stalls >> WL_STALL_AT_AW & 1) == 0) {
    wl_port_answer_t *b = due(p, p->write, 32);
    *b = (wl_port_answer_t){.valid = true, .id = out->aw_id};
    uint8_t *to = p->mem + (out->aw_addr - WL_MEM_BASE);
    if (p->wrote != NULL && inside(p, out->aw_addr)) *p->wrote = out->aw_addr;
    for (unsigned i = 0; inside(p, out->aw_addr) && i < 32; i++)
      if ((out->w_strb >> i & 1) != 0) to[i] = (uint8_t)(out->w_data[i / 4] >> (i % 4 * 8));
  }
  p->cycle++;
}
