/* isel_tmem_ld.c: loads from tensor memory, their reductions. PTX 9.7.16.2.3, 9.7.16.8.3. Of the shapes
 * with 16 lanes every thread takes all words of its lane that are columns of neighbours, too, and
 * chooses. The reduction of .16x32bx2 is one of each thread's registers, as that of .32x32b is. */
#include "isa/lower/isel_tmem.h"

/* n columns of the shape, up to four, from its column `first` on. */
static void load(wl_isel_t *s, const access_t *a, wl_mreg_t at, unsigned first, unsigned n,
                 wl_mreg_t *out) {
  const unsigned words = a->packed ? 2 * n : n;
  wl_mreg_t word[2 * GROUP];
  for (unsigned k = 0; k < words; k += GROUP) {
    const unsigned here = words - k < GROUP ? words - k : GROUP;
    const wl_mreg_t d = wl_tmem_group(s, here);
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_TMEM_LD,
                            .d = d,
                            .a = wl_tmem_plus(s, at, (a->packed ? 2 * first : first) + k),
                            .imm = here - 1,
                            .mods = wl_tmem_half(a)});
    for (unsigned i = 0; i < here; i++)
      word[k + i] = wl_mreg_at(d, i);
  }
  for (unsigned i = 0; i < n; i++)
    out[i] = a->packed ? wl_tmem_permute(s, word[2 * i], word[2 * i + 1], LOW_HALVES) : word[i];
}

static void give(wl_isel_t *s, const wl_ptx_operand_t *vector, unsigned k, wl_mreg_t v,
                 wl_mreg_t *kept) {
  wl_copy(s, wl_is_dst(s, &vector->elems[k]), v, 1);
  if (kept != NULL) kept[k] = v;
}

/* First lane of the half, with the clamp of shfl. */
static wl_mreg_t first_lane(wl_isel_t *s, const access_t *a) {
  return wl_tmem_plus(s, wl_tmem_and(s, wl_tmem_right(s, a->at, 16), 16), CLAMP);
}

static void load_whole(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v,
                       wl_mreg_t *kept) {
  for (unsigned r = 0; r < a->regs; r += GROUP) {
    const unsigned n = a->regs - r < GROUP ? a->regs - r : GROUP;
    wl_mreg_t c[GROUP];
    load(s, a, a->at, r, n, c);
    for (unsigned i = 0; i < n; i++)
      give(s, v, r + i, c[i], kept);
  }
}

/* Register r of thread t: lane t / 4 + 8 (t mod 2), column 2r + (t / 2) mod 2. */
static void load_b64(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v) {
  const wl_mreg_t row = wl_tmem_right(s, a->lane, 2),
                  lower = wl_tmem_left(s, wl_tmem_and(s, a->lane, 1), 3);
  const wl_mreg_t from = wl_tmem_add(s, wl_tmem_add(s, row, lower), first_lane(s, a));
  const uint32_t odd = wl_tmem_is_set(s, a->lane, 2);
  for (unsigned r = 0; r < a->regs; r++) {
    wl_mreg_t c[2];
    load(s, a, a->at, 2 * r, 2, c);
    const wl_mreg_t even = wl_tmem_exchange(s, c[0], from);
    give(s, v, r, wl_tmem_choose(s, odd, wl_tmem_exchange(s, c[1], from), even), NULL);
  }
}

/* Of four columns that of the thread's number mod 4. */
static wl_mreg_t quarter(wl_isel_t *s, const wl_mreg_t c[4], const uint32_t bit[2],
                         wl_mreg_t from) {
  wl_mreg_t x[4];
  for (unsigned i = 0; i < 4; i++)
    x[i] = wl_tmem_exchange(s, c[i], from);
  const wl_mreg_t low = wl_tmem_choose(s, bit[0], x[1], x[0]),
                  high = wl_tmem_choose(s, bit[0], x[3], x[2]);
  return wl_tmem_choose(s, bit[1], high, low);
}

/* Register (2k + h) e + j of thread t, e words of a row side by side: lane t / 4 + 8h, column
 * (4k + t mod 4) e + j. */
static void load_rows(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v, unsigned e) {
  const wl_mreg_t row = wl_tmem_right(s, a->lane, 2), from = wl_tmem_add(s, row, first_lane(s, a));
  const wl_mreg_t rows[2] = {from, wl_tmem_plus(s, from, 8)};
  const uint32_t odd = wl_tmem_is_set(s, a->lane, 1), bit[2] = {odd, wl_tmem_is_set(s, a->lane, 2)};
  for (unsigned k = 0; k < a->regs / (2 * e); k++) {
    wl_mreg_t c[8];
    for (unsigned i = 0; i < e; i++)
      load(s, a, a->at, 4 * (e * k + i), 4, c + (size_t)4 * i);
    for (unsigned h = 0; h < 2; h++)
      for (unsigned j = 0; j < e; j++) {
        const wl_mreg_t four[4] = {c[j], c[e + j], c[2 * e + j], c[3 * e + j]};
        give(s, v, (2 * k + h) * e + j, quarter(s, four, bit, rows[h]), NULL);
      }
  }
}

/* Register r of thread t: lane t mod 16, column r of the first or, from thread 16 on, the second
 * access. */
static void load_x2(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v, wl_mreg_t *kept) {
  const wl_mreg_t row = wl_tmem_and(s, a->lane, 15), from = wl_tmem_add(s, row, first_lane(s, a));
  const uint32_t upper = wl_tmem_is_set(s, a->lane, 16);
  for (unsigned r = 0; r < a->regs; r += GROUP) {
    const unsigned n = a->regs - r < GROUP ? a->regs - r : GROUP;
    wl_mreg_t x[GROUP], y[GROUP];
    load(s, a, a->at, r, n, x);
    load(s, a, a->second, r, n, y);
    for (unsigned i = 0; i < n; i++) {
      const wl_mreg_t one = wl_tmem_exchange(s, x[i], from);
      give(s, v, r + i, wl_tmem_choose(s, upper, wl_tmem_exchange(s, y[i], from), one), kept);
    }
  }
}

/* ---- reduction */
static wl_mreg_t smaller(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b) {
  const bool max = wl_isel_has_mod(s, WL_PTX_M_MAX);
  const wl_ptx_type_t type = s->in->type[0];
  const wl_mreg_t t = wl_t1(s);
  wl_minsn_t i = {.d = t, .a = a, .b = b};
  if (type == WL_PTX_T_F32) {
    i.form = max ? WL_FORM_MAX_F32_RR : WL_FORM_MIN_F32_RR;
    i.mods = WL_MODS(NAN, wl_isel_has(s, WL_PTX_F(NAN)));
  } else if (type == WL_PTX_T_S32) {
    i.form = max ? WL_FORM_MAX_S32_RR : WL_FORM_MIN_S32_RR;
  } else {
    i.form = max ? WL_FORM_MAX_U32_RR : WL_FORM_MIN_U32_RR;
  }
  wl_put(s, &i);
  return t;
}

static void reduce(wl_isel_t *s, const wl_mreg_t *v, unsigned n) {
  wl_mreg_t sum = WL_RZ;
  for (unsigned k = 0; k < n; k++) {
    const wl_mreg_t x = wl_isel_has(s, WL_PTX_F(ABS)) ? wl_tmem_and(s, v[k], 0x7fffffff) : v[k];
    sum = k == 0 ? x : smaller(s, sum, x);
  }
  wl_copy(s, wl_is_dst(s, OPND(1)), sum, 1);
}

void wl_tmem_load(wl_isel_t *s) {
  const bool red = wl_isel_has_mod(s, WL_PTX_M_RED);
  const wl_ptx_operand_t *v = OPND(0);
  const access_t a = wl_tmem_access(s, 0, red ? 2 : 1);
  wl_mreg_t kept[128];
  switch (a.shape) {
  case WHOLE:
    load_whole(s, &a, v, red ? kept : NULL);
    break;
  case B64:
    load_b64(s, &a, v);
    break;
  case B128:
    load_rows(s, &a, v, 1);
    break;
  case B256:
    load_rows(s, &a, v, 2);
    break;
  case X2:
    load_x2(s, &a, v, red ? kept : NULL);
    break;
  }
  if (red) reduce(s, kept, a.regs);
}
