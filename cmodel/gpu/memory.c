/* The memory behind the order point (docs/microarchitecture.md 13, section Memory, and 17): undisturbed,
 * one read and one write accepted in every cycle, answered MemLatency cycles later. A read has the
 * value at acceptance; the order point keeps accesses to one sector apart. */
#include "cmodel/gpu/memory.h"

#include <string.h>

void wl_memory_reset(wl_memory_t *m, const wl_env_t *env) {
  (void)env;
  for (unsigned i = 0; i < WL_MEM_RING; i++)
    m->read[i].valid = m->write[i].valid = false;
}

void wl_memory_out(const wl_memory_t *m, const wl_env_t *env, wl_gpu_wires_t *w) {
  const unsigned now = (unsigned)(env->cycle % WL_MEM_RING);
  w->ar_ready = !wl_stalls(env, WL_STALL_AT_AR);
  w->aw_ready = !wl_stalls(env, WL_STALL_AT_AW);
  w->r_valid = m->read[now].valid;
  w->r_id = m->read[now].id;
  w->r_data = m->read[now].data;
  w->b_valid = m->write[now].valid;
  w->b_id = m->write[now].id;
}

/* Null outside the image. */
static uint8_t *sector_bytes(const wl_memory_t *m, uint64_t sector) {
  const uint64_t offset = sector * 32 - m->base;
  return offset < m->size && m->size - offset >= 32 ? m->image + offset : NULL;
}

/* Cycles until the answer of a request accepted now; `low`: first of 16 bits of the cycle's word. */
static unsigned latency(const wl_env_t *env, unsigned low) {
  const unsigned l = env->cfg.mem_latency;
  return env->density == 0 ? l : l + (unsigned)(env->stall_word >> low & 0xffff) % (l + 1);
}

void wl_memory_update(wl_memory_t *m, const wl_env_t *env, const wl_gpu_wires_t *w) {
  const unsigned now = (unsigned)(env->cycle % WL_MEM_RING);
  m->read[now].valid = m->write[now].valid = false;
  if (w->ar_valid && w->ar_ready) {
    uint64_t due = env->cycle + latency(env, 48);
    while (m->read[due % WL_MEM_RING].valid)
      due++; /* one answer per cycle */
    const unsigned then = (unsigned)(due % WL_MEM_RING);
    const uint8_t *from = sector_bytes(m, w->ar_sector);
    m->read[then].valid = true;
    m->read[then].id = w->ar_id;
    if (from != NULL)
      memcpy(m->read[then].data, from, 32);
    else
      memset(m->read[then].data, 0, 32);
  }
  if (!w->aw_valid || !w->aw_ready) return;
  uint64_t due = env->cycle + latency(env, 32);
  while (m->write[due % WL_MEM_RING].valid)
    due++;
  const unsigned then = (unsigned)(due % WL_MEM_RING);
  uint8_t *to = sector_bytes(m, w->aw_sector);
  const uint8_t *data = (const uint8_t *)w->aw_data;
  m->write[then].valid = true;
  m->write[then].id = w->aw_id;
  if (to == NULL) return;
  if (w->aw_strb == ~UINT32_C(0))
    memcpy(to, data, 32);
  else
    for (unsigned i = 0; i < 32; i++)
      if (w->aw_strb >> i & 1) to[i] = data[i];
}
