/* gather.c: gathered forms (docs/microarchitecture.md 5, 7.2, 7.3): all lanes of a warp that are left
 * issue them together; lanes that come first wait for the others. And matrix loads and stores, which
 * are such forms (10.1). */
#include <string.h>

#include "driver/func/func.h"

enum { ROW_BYTES = 16 };

bool func_arrives(const func_warp_t *w, const wl_insn_dec_t *i) {
  return i->info->of.aligned != WL_ALIGNED_NO && w->mask != w->live;
}

void func_arrive(func_warp_t *w) {
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    w->op[lane] = FUNC_OP_ALIGNED;
    w->key[lane] = w->pc;
  }
  w->ready &= ~w->mask;
  w->sync |= w->mask;
}

bool func_misgathered(func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  if (i->info->of.aligned == WL_ALIGNED_NO || w->mask != w->live || e == 0) return false;
  if (e != w->mask)
    func_trap(sm, w, WL_TRAP_ALIGNED_GUARD, func_lowest(w->mask & ~e), w->mask);
  else if (i->info->of.aligned == WL_ALIGNED_ALL && w->live != UINT32_MAX)
    func_trap(sm, w, WL_TRAP_ALIGNED_EXIT, func_lowest(~w->live), w->mask);
  else
    return false;
  return true;
}

void func_release_aligned(func_warp_t *w, uint32_t lane) {
  uint32_t here = 0;
  for (uint32_t m = w->sync; m != 0; m &= m - 1) {
    const uint32_t k = func_lowest(m);
    const bool same = w->op[k] == FUNC_OP_ALIGNED && w->key[k] == w->key[lane] &&
                      w->lane_depth[k] == w->lane_depth[lane];
    here |= same ? 1u << k : 0;
  }
  if (here != w->live) return;
  w->sync = 0;
  w->ready = here;
}

/* ---- matrices */

/* Byte address of the row of an address lane in the SM's shared memory. */
static bool row_of(func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane,
                   uint32_t *row) {
  uint64_t ea = (uint64_t)func_src(w, i->ra)[lane] + (uint64_t)(int64_t)(int32_t)i->imm;
  const bool generic = i->info->a == 2;
  if (generic)
    ea += (uint64_t)func_src(w, i->ra + 1U)[lane] << 32;
  else
    ea = (uint32_t)ea;
  const bool elsewhere = generic && ea >> 32 != FUNC_SHARED_WINDOW;
  const uint32_t offset = (uint32_t)ea;
  const bool beyond = (uint64_t)offset + ROW_BYTES > sm->launch.smem_bytes;
  const wl_trap_t cause = ea % ROW_BYTES != 0 ? WL_TRAP_MISALIGNED : WL_TRAP_OUT_OF_BOUNDS;
  *row = sm->ctas[w->cta].smem_base + offset;
  if (ea % ROW_BYTES == 0 && !elsewhere && !beyond) return true;
  func_trap_address(sm, w, cause, lane, UINT32_MAX, ea);
  return false;
}

static void load(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, const uint32_t *row,
                 uint32_t rows) {
  uint32_t word[4][WL_LANES] = {{0}}, d[4][WL_LANES];
  for (uint32_t lane = 0; lane < rows; lane++)
    for (uint32_t k = 0; k < 4; k++)
      memcpy(&word[k][lane], sm->smem + row[lane] + (size_t)4 * k, 4);
  wl_sem_matrix_load(&i->info->matrix, (const uint32_t (*)[WL_LANES])word, d);
  for (uint32_t k = 0; k < i->info->d && i->rd != WL_REG_ZERO; k++)
    func_write(w, i->rd + k, d[k], UINT32_MAX);
}

/* In the machine's order, which tells where rows overlap: lanes that are done at once, then registers. */
static void store(func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i,
                  const uint32_t *row) {
  const wl_matrix_t kind = (wl_matrix_t)i->info->matrix.kind;
  const uint32_t pieces = wl_sem_matrix_pieces(kind);
  const uint32_t size = wl_sem_matrix_lanes_once(kind, sm->desc.config->lsu_lanes);
  for (uint32_t n = 0; n < WL_LANES / size * i->info->b * pieces * size; n++) {
    const uint32_t lane = n / (size * pieces * i->info->b) * size + n % size;
    const uint32_t piece = n / size % pieces, reg = n / (size * pieces) % i->info->b;
    const wl_sem_place_t at = wl_sem_matrix_place(kind, lane, reg, piece);
    const uint32_t value = func_src(w, i->rb == WL_REG_ZERO ? WL_REG_ZERO : i->rb + reg)[lane];
    const uint32_t bytes = wl_sem_matrix_piece(kind, value, piece);
    memcpy(sm->smem + row[at.lane] + at.byte, &bytes, 4 / pieces);
  }
}

void func_matrix(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i) {
  const uint32_t rows = (uint32_t)i->info->matrix.count * i->info->matrix.rows;
  uint32_t row[WL_LANES];
  for (uint32_t lane = 0; lane < rows; lane++)
    if (!row_of(sm, w, i, lane, &row[lane])) return;
  if (i->info->kind == WL_MEM_KIND_LDMATRIX)
    load(sm, w, i, row, rows);
  else
    store(sm, w, i, row);
}
