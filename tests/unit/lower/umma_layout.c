#include "umma_layout.h"

enum { CHUNK = 16, STEP = 32, CORE = 128 /* bytes of eight chunks */ };

const umma_pattern_t umma_patterns[UMMA_PATTERNS] = {
    {0, 0, 0, 0, 1}, {6, 1, 4, 3, 2}, {4, 2, 4, 3, 4}, {2, 3, 4, 3, 8}, {1, 2, 5, 2, 8}};

/* Values of k of an MN-major atom. */
static unsigned depth(const umma_matrix_t *m) { return m->pattern->code == 1 ? 4 : 8; }

/* Strides in bytes. Without swizzle chunks of eight rows (MN-major: of eight k) stand beside each other along
 * the one or the other axis. K-major atoms have 8 rows and `width` chunks of K, MN-major ones `width` chunks
 * of rows and 8 or 4 of K. */
void umma_lay_out(umma_matrix_t *m, uint32_t begin) {
  const unsigned w = m->pattern->width, across = m->rows / (m->mn ? CHUNK / m->size : 8);
  const unsigned along = m->mn ? m->steps * STEP / m->size / depth(m) : 2 * m->steps;
  const uint32_t gap = m->wide ? 48 : 0;
  m->begin = begin + CORE * m->base;
  m->atom = m->mn ? depth(m) * CHUNK * w : CORE * w;
  if (w == 1) {
    m->sbo = m->wide ? along * CORE + gap : CORE;
    m->lbo = m->wide ? CORE : across * CORE;
    m->bytes = m->wide ? across * m->sbo : along * m->lbo;
  } else if (!m->mn) {
    m->sbo = m->atom;
    m->lbo = 16; /* not looked at */
    m->bytes = (along + w - 1) / w * across * m->atom;
  } else {
    const unsigned groups = (across + w - 1) / w;
    m->lbo = m->wide ? along * m->atom : m->atom;
    m->sbo = m->wide ? m->atom : groups * m->atom;
    m->bytes = groups * along * m->atom;
  }
  m->bytes += CORE * m->base;
}

static uint32_t swizzle(const umma_pattern_t *p, uint32_t address) {
  const uint32_t mask = ((1u << p->bits) - 1) << p->low;
  return p->bits == 0 ? address : address ^ (address >> p->shift & mask);
}

uint32_t umma_place(const umma_matrix_t *m, unsigned row, unsigned k, unsigned *number) {
  const unsigned w = m->pattern->width, t = CHUNK / m->size;
  uint32_t at;
  if (!m->mn) { /* ((8,m),(T,2k)) */
    const unsigned chunk = k / t, atom = chunk / w;
    at = row % 8 * CHUNK * w + row / 8 * m->sbo;
    at += w == 1 ? chunk * m->lbo : chunk % w * CHUNK + atom * (m->rows / 8) * m->atom;
  } else { /* ((T,w,m),(8 or 4,k)) */
    const unsigned u = row / t, deep = depth(m);
    at = k % deep * CHUNK * w;
    at += w == 1 ? u * m->sbo + k / deep * m->lbo
                 : u % w * CHUNK + u / w * m->lbo + k / deep * m->sbo;
  }
  *number = m->mn ? row % t : k % t;
  return m->begin + swizzle(m->pattern, at);
}

uint64_t umma_step(const umma_matrix_t *m, unsigned step) {
  const unsigned w = m->pattern->width, chunk = 2 * step;
  const unsigned atoms = step * STEP / m->size / depth(m); /* MN-major */
  uint32_t start = m->begin;
  if (m->mn)
    start += atoms * (w == 1 ? m->lbo : m->sbo);
  else if (w == 1)
    start += chunk * m->lbo;
  else
    start += chunk % w * CHUNK + chunk / w * (m->rows / 8) * m->atom;
  return umma_sdesc(start, m->lbo, m->sbo, m->base, m->pattern->code);
}
