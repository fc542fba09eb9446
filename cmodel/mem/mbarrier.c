/* mem/mbarrier.c: docs/microarchitecture.md 21.2: operations on mbarriers and tests of them, as passes of
 * shared memory. What an operation means is cmodel/sem. */
#include "cmodel/mem/smem.h"

/* The one lane of an MBAR, read and written like an atomic's. */
void wl_mbarrier_operate(wl_smem_t *m, uint64_t due) {
  const unsigned lane = wl_lowest(m->served);
  const uint32_t at = m->address[lane] / 4;
  const uint64_t old = m->words[at] | (uint64_t)m->words[at + 1] << 32;
  const wl_sem_mbar_t after = wl_sem_mbar((wl_mbar_op_t)m->mbar, old, m->data[0][lane]);
  wl_smem_misuse_t *misuse = &m->misuse[m->buffer];
  m->result[m->buffer][0][lane] = (uint32_t)old;
  m->result[m->buffer][1][lane] = (uint32_t)(old >> 32);
  m->write_cycle = due;
  m->writes = 0;
  if (after.misuse) {
    if (!misuse->any) *misuse = (wl_smem_misuse_t){true, (uint8_t)lane, m->address[lane]};
    return;
  }
  m->write[m->writes++] = (wl_smem_write_t){at, (uint32_t)after.object};
  m->write[m->writes++] = (wl_smem_write_t){at + 1, (uint32_t)(after.object >> 32)};
  m->completes = after.complete;
}

void wl_mbarrier_test(wl_smem_t *m) {
  for (uint32_t left = m->served; left != 0; left &= left - 1) {
    const unsigned lane = wl_lowest(left);
    m->result[m->buffer][0][lane] =
        wl_sem_mbtest(m->words[m->address[lane] / 4], m->data[0][lane], m->gen);
  }
}

/* Record WAKE; the warps are woken by core/barrier.c. */
void wl_mbarrier_complete(wl_smem_t *m, const wl_env_t *env) {
  m->completes = false;
  m->gen = (m->gen + 1) & WL_GEN_MASK;
  const uint32_t words[] = {m->write[0].word * 4, m->gen};
  wl_journal(env, WL_J_WAKE, words, 2);
}
