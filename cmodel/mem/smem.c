/* mem/smem.c: docs/microarchitecture.md 11: banked shared memory. A pass chosen in q accesses the banks
 * in q + 1; atomics write D cycles after q; the results of a request are delivered D + 2 cycles after
 * its last pass, those of a load that is made word by word each by itself. Addresses are in range: the
 * LSU has checked them. */
#include "cmodel/mem/smem.h"

#include <string.h>

enum { MOST_BANKS = WL_MOST_SMEM_BANKS };

void wl_smem_reset(wl_smem_t *m, const wl_env_t *env) {
  (void)env;
  uint32_t *words = m->words;
  memset(m, 0, sizeof *m);
  m->words = words;
}

void wl_smem_out(const wl_smem_t *m, const wl_env_t *env, wl_wires_t *w) {
  w->smem_pass = m->busy && m->wait == 0 && !w->chunk_first;
  w->smem_atomic = m->wait != 0;
  w->smem_completes = m->completes && m->write_cycle == env->cycle;
  w->smem_ready = !m->busy && !wl_stalls(env, WL_STALL_AT_SMEM);
  w->chunk_data = m->chunk_data[(env->cycle + 1) % 2]; /* of the cycle before */
  const wl_smem_delivery_t *d = &m->deliver[env->cycle % WL_SMEM_RING];
  w->smem_rsp.valid = d->valid;
  if (!d->valid) return;
  const wl_smem_misuse_t *misuse = &m->misuse[d->buffer];
  w->smem_rsp = (wl_smem_rsp_t){.valid = true,
                                .last = d->last,
                                .signal = d->signal,
                                .slot = d->slot,
                                .beat = d->beat,
                                .words = d->words,
                                .lanes = d->lanes,
                                .data = m->result[d->buffer],
                                .misuse = misuse->any,
                                .misuse_lane = misuse->lane,
                                .misuse_address = misuse->address};
}

/* Atomics that one lane does at a time. */
static bool is_serial(const wl_smem_t *m, const wl_env_t *env) {
  return m->atomic && (!env->cfg.smem_bank_atoms || m->atom == WL_ATOM_OP_CAS ||
                       m->type == WL_MEM_TYPE_F32 || m->bytes >= 8);
}

/* Takes the next part that has lanes out of `later`: of as many as a pass handles words of a lane
 * (halves, quarters); atomics are one part. */
static void next_part(wl_smem_t *m) {
  const uint32_t part = wl_lane_block(wl_lowest(m->later) & ~(m->part - 1U), m->part);
  m->pending = m->later & part;
  m->later &= ~part;
}

/* One lane per bank in a pass, even if others want the same word. */
static bool is_exclusive(const wl_smem_t *m, const wl_env_t *env) {
  return m->atomic || (m->kind == WL_MEM_KIND_ST && !env->cfg.smem_wide);
}

/* The lanes that this pass serves. */
static uint32_t choose(const wl_smem_t *m, const wl_env_t *env) {
  if (m->serial) return m->pending & -m->pending;
  const unsigned mask = env->cfg.smem_banks - 1, words = m->step; /* SmemBanks: a power of two */
  const uint32_t first = m->word;
  const bool shares = !is_exclusive(m, env);
  uint32_t word_in[MOST_BANKS]; /* by bank: the word of its owner, the first lane that asks */
  uint64_t taken = 0;           /* bit = bank with an owner */
  uint32_t served = 0;
  for (uint32_t left = m->pending; left != 0; left &= left - 1) {
    uint32_t word = m->address[wl_lowest(left)] / 4 + first, wins = left & -left;
    const uint32_t end = word + words;
    do {
      const uint32_t bank = word & mask;
      const uint64_t bit = UINT64_C(1) << bank;
      if ((taken & bit) == 0)
        word_in[bank] = word;
      else if (!shares || word_in[bank] != word)
        wins = 0;
      taken |= bit;
    } while (++word != end);
    served |= wins;
  }
  return served;
}

static void journal_bank(const wl_env_t *env, uint32_t word, uint32_t bytes, uint32_t value) {
  const uint32_t words[] = {word % env->cfg.smem_banks, word / env->cfg.smem_banks, bytes, value};
  wl_journal(env, WL_J_SMEM, words, 4);
}

static uint32_t byte_bits(uint32_t mask) {
  return ((mask & 1) * 0xffU) | ((mask >> 1 & 1) * 0xff00U) | ((mask >> 2 & 1) * 0xff0000U) |
         ((mask >> 3 & 1) * 0xff000000U);
}

/* Lanes ascending, so the highest lane's byte stays. */
static void store(wl_smem_t *m, const wl_env_t *env) {
  const unsigned banks = env->cfg.smem_banks, bytes = m->bytes, first = m->served_word;
  const uint32_t of_access = bytes < 4 ? (1U << bytes) - 1 : 15U;
  uint32_t mask[MOST_BANKS], at[MOST_BANKS]; /* by bank: bytes, word; of those in `touched` */
  uint64_t touched = 0;
  for (uint32_t left = m->served; left != 0; left &= left - 1) {
    const unsigned lane = wl_lowest(left), shift = m->address[lane] % 4;
    const uint32_t lane_mask = of_access << shift, bits = byte_bits(lane_mask);
    for (unsigned k = first; k < first + m->step; k++) {
      const uint32_t word = m->address[lane] / 4 + k, bank = word & (banks - 1);
      m->words[word] = (m->words[word] & ~bits) | (m->data[k][lane] << shift * 8 & bits);
      mask[bank] = lane_mask | ((touched >> bank & 1) != 0 ? mask[bank] : 0);
      at[bank] = word;
      touched |= UINT64_C(1) << bank;
    }
  }
  if (!wl_journals(env)) return;
  for (; touched != 0; touched &= touched - 1) {
    const unsigned bank = wl_lowest(touched);
    journal_bank(env, at[bank], mask[bank], m->words[at[bank]] & byte_bits(mask[bank]));
  }
}

static void load(wl_smem_t *m) {
  const unsigned first = m->served_word, end = first + m->step;
  const uint32_t *words = m->words;
  uint32_t (*result)[WL_LANES] = m->result[m->buffer];
  for (uint32_t left = m->bytes < 4 ? m->served : 0; left != 0; left &= left - 1) {
    const unsigned lane = wl_lowest(left), shift = m->address[lane] % 4 * 8;
    const uint32_t word = words[m->address[lane] / 4] >> shift;
    result[0][lane] = wl_sem_load_word((wl_mem_type_t)m->type, word);
  }
  if (m->bytes < 4) return;
  for (unsigned k = first; k < end; k++)
    for (uint32_t left = m->served; left != 0; left &= left - 1)
      result[k][wl_lowest(left)] = words[m->address[wl_lowest(left)] / 4 + k];
}

/* Reads now (q + 1), writes in `due`. */
static void atomic(wl_smem_t *m, uint64_t due) {
  m->write_cycle = due;
  m->writes = 0;
  for (uint32_t left = m->served; left != 0; left &= left - 1) {
    const unsigned lane = wl_lowest(left);
    const uint32_t at = m->address[lane] / 4;
    uint32_t b[WL_SEM_ATOM_WORDS] = {0}, c[WL_SEM_ATOM_WORDS] = {0}, value[WL_SEM_ATOM_WORDS];
    for (unsigned k = 0; k < m->count; k++) {
      b[k] = m->data[k][lane];
      c[k] = m->swap[k][lane];
      m->result[m->buffer][k][lane] = m->words[at + k];
    }
    wl_sem_atom_words((wl_atom_op_t)m->atom, (wl_mem_type_t)m->type, false, &m->words[at], b, c,
                      value);
    for (unsigned k = 0; k < m->count; k++)
      m->write[m->writes++] = (wl_smem_write_t){at + k, value[k]};
  }
}

static void write_atomics(wl_smem_t *m, const wl_env_t *env) {
  for (unsigned i = 0; i < m->writes; i++) {
    m->words[m->write[i].word] = m->write[i].value;
    journal_bank(env, m->write[i].word, 15, m->write[i].value);
  }
  if (m->completes) wl_mbarrier_complete(m, env);
  m->writes = 0;
}

/* The access of the pass that was chosen in the cycle before. */
static void access_banks(wl_smem_t *m, const wl_env_t *env) {
  if (m->served == 0) return;
  if (m->kind == WL_MEM_KIND_ST)
    store(m, env);
  else if (m->kind == WL_MEM_KIND_LD)
    load(m);
  else if (m->kind == WL_MEM_KIND_MBTEST)
    wl_mbarrier_test(m);
  else if (m->kind == WL_MEM_KIND_MBAR)
    wl_mbarrier_operate(m, env->cycle - 1 + m->duration);
  else
    atomic(m, env->cycle - 1 + m->duration);
  m->served = 0;
}

/* After the last pass of a part, in q. */
static void deliver(wl_smem_t *m, const wl_env_t *env, bool last) {
  wl_smem_delivery_t *d = &m->deliver[(env->cycle + m->duration + 2) % WL_SMEM_RING];
  const uint32_t words = ((1U << m->step) - 1) << m->word;
  d->valid = true;
  d->last = last;
  d->signal = m->signal;
  d->slot = m->slot;
  d->beat = m->beat;
  d->buffer = m->buffer;
  d->words = (uint8_t)(m->kind == WL_MEM_KIND_ST ? 0 : words);
  d->lanes = m->lanes;
}

static void pass(wl_smem_t *m, const wl_env_t *env) {
  m->served = choose(m, env);
  env->reports->count.smem_passes++;
  m->served_word = m->word;
  m->pending &= ~m->served;
  m->wait = (uint8_t)(m->duration - 1);
  if (m->pending != 0) {
    env->reports->count.smem_conflicts++;
    return;
  }
  const bool words_left = m->word + m->step < m->count;
  if (m->later != 0) {
    next_part(m);
    return;
  }
  if (!words_left || m->kind == WL_MEM_KIND_LD) deliver(m, env, !words_left);
  if (!words_left) return;
  m->word = (uint8_t)(m->word + m->step);
  m->later = m->lanes;
  next_part(m);
}

static void take(wl_smem_t *m, const wl_env_t *env, const wl_smem_req_t *r) {
  m->busy = true;
  m->signal = r->signal;
  m->slot = r->slot;
  m->kind = r->kind;
  m->type = r->type;
  m->atom = r->atom;
  m->mbar = r->mbar;
  m->beat = r->beat;
  m->lanes = m->later = r->lanes;
  m->bytes = (uint8_t)wl_sem_type_bytes((wl_mem_type_t)m->type);
  m->count = (uint8_t)((m->bytes + 3) / 4);
  m->atomic = m->kind == WL_MEM_KIND_ATOM || m->kind == WL_MEM_KIND_MBAR;
  m->step = env->cfg.smem_wide || m->atomic ? m->count : 1;
  m->part = (uint8_t)(m->atomic ? env->cfg.lsu_lanes : env->cfg.lsu_lanes / m->step);
  m->serial = is_serial(m, env);
  m->duration = !m->atomic ? 1 : m->serial ? WL_SMEM_SERIAL_STEP : 2;
  m->word = 0;
  m->wait = 0;
  m->buffer = (uint8_t)((m->buffer + 1U) % WL_SMEM_RESULTS);
  m->misuse[m->buffer].any = false;
  memcpy(m->address, r->address, sizeof m->address);
  for (unsigned k = 0; k < m->count && m->kind != WL_MEM_KIND_LD; k++)
    memcpy(m->data[k], r->data[k], sizeof m->data[k]);
  for (unsigned k = 0; k < m->count && m->atom == WL_ATOM_OP_CAS; k++)
    memcpy(m->swap[k], r->swap[k], sizeof m->swap[k]);
  next_part(m);
}

/* The access of the chunk port (11b), in a cycle without one of a pass. */
static void access_chunks(wl_smem_t *m, const wl_env_t *env, const wl_chunk_req_t *r) {
  const unsigned banks = env->cfg.smem_banks;
  uint32_t *found = m->chunk_data[env->cycle % 2];
  for (unsigned bank = 0; bank < banks; bank++) {
    const unsigned quad = bank / 4, j = bank % 4;
    const uint32_t at = r->row[quad] * banks + bank, mask = r->bytes[quad] >> 4 * j & 15;
    if ((r->quads >> quad & 1) == 0) continue;
    if (!r->store) found[bank] = m->words[at];
    if (!r->store || mask == 0) continue;
    const uint32_t bits = byte_bits(mask), value = r->data[quad][j] & bits;
    m->words[at] = (m->words[at] & ~bits) | value;
    if (wl_journals(env)) journal_bank(env, at, mask, value);
  }
}

void wl_smem_update(wl_smem_t *m, const wl_env_t *env, const wl_wires_t *w) {
  const bool was_busy = m->busy;
  m->deliver[env->cycle % WL_SMEM_RING].valid = false;
  if (m->writes != 0 && m->write_cycle == env->cycle) write_atomics(m, env);
  access_banks(m, env);
  if (w->chunk_access != NULL) access_chunks(m, env, w->chunk_access);
  if (w->gpu->invalidate) m->gen = 0; /* Start: nothing is under way */
  if (was_busy) {
    if (m->wait > 0)
      m->wait--;
    else if (w->smem_pass)
      pass(m, env);
    if (m->wait == 0 && m->pending == 0 && m->later == 0) m->busy = false;
  } else if (w->smem_req.valid && w->smem_ready) {
    take(m, env, &w->smem_req);
    env->reports->count.smem_requests++;
  }
}

/* Bank writes of an atomic belong to its request. */
uint32_t wl_smem_busy(const wl_smem_t *m, const wl_env_t *env) {
  (void)env;
  bool busy = m->busy || m->served != 0 || m->writes != 0;
  for (unsigned i = 0; i < WL_SMEM_RING; i++)
    busy = busy || m->deliver[i].valid;
  return (uint32_t)busy << WL_REST_SMEM;
}
