/* umma.c: commands of tensor memory of a checked launch (check.h): their words, mbarriers of commits; what
 * products, copies and shifts read and write, in which order and whether it is written. A word that a
 * command writes is written if all is that it depends on. */
#include "driver/check/async.h"
#include "driver/check/umma_rows.h"

enum { A_COLUMNS = 8, SHIFTED = 8 /* columns */ };

static void chunk(void *context, uint32_t offset) { check_async_command(context, offset); }

static void commit(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                   uint32_t lane) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  uint64_t address = 0;
  const bool shared = func_umma_commit(w, i, lane, &address);
  const uint64_t m = (uint32_t)address;
  if (!shared || m % 8 != 0 || m + 8 > sm->launch.smem_bytes) {
    return; /* it traps */
  }
  check_signal(c, sm, w, pc, lane, (uint32_t)m, 1);
}

/* ---- products */
static uint32_t class_of(const umma_product_t *p) {
  const uint32_t words[4] = {(uint32_t)p->op << 1 | (p->by16 ? 1 : 0), p->d, p->m, p->n};
  uint32_t hash = 2166136261u;
  for (unsigned k = 0; k < 4; k++) {
    hash = (hash ^ words[k]) * 16777619u;
    hash ^= hash >> 15;
  }
  return hash;
}

/* A row of A: in tensor memory, or in shared; its scales. */
static bool row_is_written(tmem_touch_t *u, const umma_product_t *p, uint32_t row) {
  const uint32_t lane = umma_lane_of(p, row);
  bool good = p->in_tensor || check_row_written(u, p, 0, row);
  for (uint32_t k = 0; p->in_tensor && k < A_COLUMNS; k++) {
    good &= tmem_touch(u, TMEM_READS, lane, (p->a & 0xffff) + k)->bytes == TMEM_ALL;
  }
  if (p->scaled) {
    const uint32_t need = check_scale_bytes(p, 0);
    good &=
        (~tmem_touch(u, TMEM_READS, row, (p->scales[0] & 0xffff) + row / 32)->bytes & need) == 0;
  }
  return good;
}

/* Row n of B, for the rows of D in a quarter: a bit each. */
static uint32_t column_is_written(tmem_touch_t *u, const umma_product_t *p, uint32_t n) {
  uint32_t quarters = check_row_written(u, p, 1, n) ? 15 : 0;
  for (uint32_t q = 0; p->scaled && q < 4; q++) {
    const uint32_t column = (p->scales[1] & 0xffff) + n / 32, need = check_scale_bytes(p, 1);
    if ((~tmem_touch(u, TMEM_READS, 32 * q + n % 32, column)->bytes & need) != 0) {
      quarters &= ~(1u << q);
    }
  }
  return quarters;
}

static void product(tmem_touch_t *u, const umma_product_t *p) {
  const uint32_t rows[2] = {p->m, p->n}, need = umma_sums_half(p) ? 3 : TMEM_ALL;
  uint8_t columns[256];
  bool row[UMMA_LANES];
  for (unsigned k = p->in_tensor; k < 2; k++) {
    umma_chunks(&p->operand[k], rows[k], chunk, u);
  }
  for (uint32_t n = 0; n < p->n; n++) {
    columns[n] = (uint8_t)column_is_written(u, p, n);
  }
  for (uint32_t r = 0; r < p->m; r++) { /* all that is read, before what is written */
    row[r] = row_is_written(u, p, r);
  }
  for (uint32_t r = 0; r < p->m; r++) {
    const uint32_t lane = umma_lane_of(p, r);
    for (uint32_t n = 0; n < p->n && (p->mask[lane / 32] >> lane % 32 & 1) == 0; n++) {
      tmem_word_t *d = tmem_touch(u, TMEM_WRITES, lane, (p->d & 0xffff) + n);
      const bool added = !p->reads || (~d->bytes & need) == 0;
      d->bytes = row[r] && (columns[n] >> lane / 32 & 1) != 0 && added ? TMEM_ALL : 0;
    }
  }
}

/* ---- copies and shifts */
static void copy(tmem_touch_t *u, const umma_move_t *m) {
  umma_move_chunks(m, chunk, u);
  for (uint32_t lane = 0; lane < UMMA_LANES; lane++) {
    uint32_t row, number;
    for (uint32_t j = 0; j < umma_move_width(m) && umma_move_row(m, lane, &row); j++) {
      const uint32_t at = umma_chunk(&m->source, row, j * m->source.elements, &number);
      const uint32_t mask = check_chunk_bytes(u, at), used = m->unpack == 1 ? 0xfff : 0xff;
      const uint32_t all = (~mask & used) == 0 ? TMEM_ALL : 0;
      for (uint32_t k = 0; k < 4; k++) {
        tmem_touch(u, TMEM_WRITES, lane, (m->t & 0xffff) + 4 * j + k)->bytes =
            m->unpack == 0 ? mask >> 4 * k & 15 : all;
      }
    }
  }
}

static void shift(tmem_touch_t *u, const umma_move_t *m) {
  const uint32_t first = m->t >> 16;
  for (uint32_t c = m->t & 0xffff; c < (m->t & 0xffff) + SHIFTED; c++) {
    for (uint32_t lane = first; lane < first + 31; lane++) {
      const uint32_t bytes = tmem_touch(u, TMEM_READS, lane + 1, c)->bytes;
      tmem_touch(u, TMEM_WRITES, lane, c)->bytes = bytes;
    }
  }
}

static void command(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                    uint32_t lane) {
  umma_command_t x;
  if (!umma_command(sm, w, &sm->code[pc].dec, lane, &x)) {
    return; /* it traps */
  }
  const tmem_kind_t kind = !x.moves            ? TMEM_MMA
                           : x.move.shift      ? TMEM_SHIFT
                           : x.move.shape == 1 ? TMEM_CP4
                                               : TMEM_CP;
  tmem_touch_t u = tmem_begin(c, sm, w, pc, lane, kind, x.moves ? 0 : class_of(&x.product));
  if (!x.moves) {
    product(&u, &x.product);
  } else if (x.move.shift) {
    shift(&u, &x.move);
  } else {
    copy(&u, &x.move);
  }
}

void check_before_product(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                          uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  const check_warp_t *s = &c->warp[w->slot];
  check_command_words(c, sm, w, pc, e);
  if ((i->info->preds & WL_PRED_S) != 0 && (e & ~s->preds[i->ps]) != 0) {
    check_report(c, sm, w, CHECK_PREDICATE, pc, e & ~s->preds[i->ps], 0, NULL);
  }
  for (uint32_t m = e; m != 0; m &= m - 1) {
    if (i->op == WL_UMMA_COMMIT) {
      commit(c, sm, w, pc, func_lowest(m));
    } else {
      command(c, sm, w, pc, func_lowest(m));
    }
  }
}
