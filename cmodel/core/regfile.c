/* The register file and the predicates (docs/microarchitecture.md 6.1): four banks of rows of Lanes
 * words, addressed through the warp's page map. When a word is read or written is decided
 * elsewhere. */
#include <string.h>

#include "cmodel/core/operands.h"

/* First word of the row of beat 0; the rows of the beats follow each other. */
static size_t row_index(const wl_regfile_t *rf, unsigned warp, unsigned reg) {
  const size_t row = ((size_t)rf->page_map[warp][reg >> 3] * 2 + (reg >> 2 & 1)) * rf->beats;
  return (((reg + warp) & 3) * (size_t)rf->rows + row) * rf->lanes;
}

void wl_reg_read(const wl_regfile_t *rf, unsigned warp, unsigned reg, uint32_t out[WL_LANES]) {
  if (reg == WL_REG_ZERO)
    memset(out, 0, WL_LANES * sizeof *out);
  else
    memcpy(out, rf->words + row_index(rf, warp, reg), WL_LANES * sizeof *out);
}

static void journal_row(const wl_regfile_t *rf, const wl_env_t *env, size_t at, uint32_t mask) {
  uint32_t record[3 + WL_LANES];
  record[0] = rf->first_bank + (uint32_t)(at / rf->lanes / rf->rows);
  record[1] = (uint32_t)(at / rf->lanes % rf->rows);
  record[2] = mask;
  for (unsigned i = 0; i < rf->lanes; i++)
    record[3 + i] = mask >> i & 1 ? rf->words[at + i] : 0;
  wl_journal(env, WL_J_RF, record, 3 + rf->lanes);
}

void wl_reg_write(wl_regfile_t *rf, const wl_env_t *env, unsigned warp, unsigned reg, unsigned beat,
                  uint32_t lanes, const uint32_t data[WL_LANES]) {
  if (reg == WL_REG_ZERO) return;
  const unsigned first = beat * rf->lanes;
  const size_t at = row_index(rf, warp, reg) + (size_t)beat * rf->lanes;
  uint32_t *row = rf->words + at;
  const uint32_t full = rf->lanes == 32 ? ~UINT32_C(0) : (UINT32_C(1) << rf->lanes) - 1;
  const uint32_t mask = lanes >> first & full;
  if (mask == full) {
    memcpy(row, data + first, rf->lanes * sizeof *row);
  } else {
    for (unsigned i = 0; i < rf->lanes; i++)
      if (mask >> i & 1) row[i] = data[first + i];
  }
  if (wl_journals(env)) journal_row(rf, env, at, mask);
}

void wl_pred_write(wl_regfile_t *rf, const wl_env_t *env, unsigned warp, unsigned pred,
                   uint32_t lanes, uint32_t value) {
  if (pred == WL_PRED_TRUE) return;
  uint32_t *p = &rf->pred[wl_row_of(env, warp)][pred];
  *p = (*p & ~lanes) | (value & lanes);
  const uint32_t record[4] = {warp, pred, lanes, value & lanes};
  wl_journal(env, WL_J_PRED, record, 4);
}
