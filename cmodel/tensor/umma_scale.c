/* tensor/umma_scale.c: docs/microarchitecture.md 26.10: scales in tensor memory, a block ahead of the work in two
 * buffers. */
#include <string.h>

#include "cmodel/tensor/umma.h"

/* ---- reading */
static const wl_umma_entry_t *command(const wl_umma_t *u) { return &u->entry[u->fin]; }

static bool reads(const wl_umma_t *u, const wl_wires_t *w) {
  const wl_umma_scale_t *s = &u->scale;
  return command(u)->used && wl_umma_is_scaled(command(u)) && !s->in &&
         s->state[s->put] == WL_UMMA_FREE && !w->umma_reads_d && !w->umma_reads_a &&
         u->fetch.reads != WL_UMMA_LATELY;
}

static unsigned quarter_of(const wl_umma_t *u, const wl_env_t *env, unsigned k) {
  return env->cfg.sub_cores == 1 ? u->scale.pass : k;
}

static unsigned column_of(const wl_umma_t *u, unsigned quarter) {
  const wl_umma_scale_t *s = &u->scale;
  return s->of_b ? command(u)->sb.column + s->block / (WL_LANES / WL_UMMA_ROWS)
                 : command(u)->sa.column + quarter;
}

/* A row has one beat: the option is of configurations with as many lanes as a warp. */
void wl_umma_scale_out(const wl_umma_t *u, const wl_env_t *env, wl_wires_t *w) {
  w->umma_reads_scales = reads(u, w);
  for (unsigned k = 0; w->umma_reads_scales && k < env->cfg.sub_cores; k++) {
    wl_sub_wires_t *sub = &w->sub[k];
    const unsigned quarter = quarter_of(u, env, k);
    const size_t row = (size_t)quarter * env->cfg.tmem_columns + column_of(u, quarter);
    sub->umma_reads = true;
    sub->umma_read_quarter = (uint8_t)quarter;
    memcpy(sub->umma_read, w->tmem_words + row * WL_LANES, sizeof sub->umma_read);
  }
}

static void store(wl_umma_scale_t *s, unsigned k, const uint32_t row[WL_LANES]) {
  const unsigned first = s->block * (unsigned)WL_UMMA_ROWS % WL_LANES;
  if (s->of_b)
    memcpy(s->b[s->put][k], row + first, sizeof s->b[s->put][k]);
  else
    memcpy(s->a[s->put][k], row, sizeof s->a[s->put][k]);
}

/* The two rows of a block, then the next block or pass. */
static void advance(wl_umma_t *u, const wl_env_t *env) {
  wl_umma_scale_t *s = &u->scale;
  s->of_b = !s->of_b;
  if (s->of_b) return;
  s->over = true;
  s->over_buffer = s->put;
  s->put = !s->put;
  if (++s->block < command(u)->n / WL_UMMA_ROWS) return;
  s->block = 0;
  if (++s->pass < wl_umma_passes(env)) return;
  s->pass = 0;
  s->in = true;
}

void wl_umma_scale_update(wl_umma_t *u, const wl_env_t *env, const wl_wires_t *w) {
  wl_umma_scale_t *s = &u->scale;
  if (s->over) s->state[s->over_buffer] = WL_UMMA_FULL;
  s->over = false;
  if (!w->umma_reads_scales) return;
  for (unsigned k = 0; k < env->cfg.sub_cores; k++)
    store(s, k, w->sub[k].umma_read);
  advance(u, env);
}

/* ---- scales of a scale word */
static uint32_t scales(const wl_umma_entry_t *e, uint32_t word, unsigned id) {
  const uint32_t first = word >> 8 * id;
  if (e->op == WL_UMMA_MXF8F6F4) return first & 0xff;
  return e->b16 ? word : (first & 0xff) * 0x101u | (first >> 8 & 0xff) * 0x1010000u;
}

void wl_umma_scales_of_a(const wl_umma_t *u, unsigned k, unsigned lane, unsigned count,
                         uint32_t *sa) {
  const wl_umma_entry_t *e = command(u);
  for (unsigned r = 0; r < count; r++)
    sa[r] = scales(e, u->scale.a[u->scale.get][k][lane + r], e->sa.id);
}

uint32_t wl_umma_scales_of_b(const wl_umma_t *u, unsigned k, unsigned column) {
  const wl_umma_entry_t *e = command(u);
  return scales(e, u->scale.b[u->scale.get][k][column], e->sb.id);
}
