/* isel_tmem_st.c: stores to tensor memory. PTX 9.7.16.2.3, 9.7.16.8.4. Of the shapes with 16 lanes lane
 * l and lane 16 + l of the warp get the same words: the machine writes one of them. */
#include "isa/lower/isel_tmem.h"

static wl_mreg_t read(wl_isel_t *s, const wl_ptx_operand_t *v, unsigned k) {
  return wl_is_r32(s, &v->elems[k], WL_PTX_T_B32);
}

/* n columns of the shape, up to four, from its column `first` on. */
static void store(wl_isel_t *s, const access_t *a, wl_mreg_t at, unsigned first, unsigned n,
                  const wl_mreg_t *in) {
  static const uint16_t forms[] = {WL_FORM_TMEM_ST_1, WL_FORM_TMEM_ST_2, WL_FORM_TMEM_ST_4};
  const unsigned words = a->packed ? 2 * n : n;
  for (unsigned k = 0; k < words; k += GROUP) {
    const unsigned here = words - k < GROUP ? words - k : GROUP;
    const wl_mreg_t b = wl_tmem_group(s, here);
    for (unsigned i = k; i < k + here; i++) {
      const wl_mreg_t v =
          !a->packed ? in[i] : wl_tmem_permute(s, in[i / 2], WL_RZ, i % 2 ? HIGH : LOW);
      wl_copy(s, wl_mreg_at(b, i - k), v, 1);
    }
    wl_put(s, &(wl_minsn_t){.form = forms[here / 2],
                            .a = at,
                            .b = b,
                            .imm = (a->packed ? 2 * first : first) + k,
                            .mods = wl_tmem_half(a)});
  }
}

static void store_whole(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v) {
  for (unsigned r = 0; r < a->regs; r += GROUP) {
    const unsigned n = a->regs - r < GROUP ? a->regs - r : GROUP;
    wl_mreg_t c[GROUP];
    for (unsigned i = 0; i < n; i++)
      c[i] = read(s, v, r + i);
    store(s, a, a->at, r, n, c);
  }
}

/* Lane l of a half, column 2r + b: register r of thread 4 (l mod 8) + 2b + l / 8. */
static void store_b64(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v) {
  const wl_mreg_t four = wl_tmem_left(s, wl_tmem_and(s, a->lane, 7), 2);
  const wl_mreg_t upper = wl_tmem_right(s, wl_tmem_and(s, a->lane, 8), 3);
  const wl_mreg_t even = wl_tmem_plus(s, wl_tmem_add(s, four, upper), CLAMP),
                  odd = wl_tmem_plus(s, even, 2);
  for (unsigned r = 0; r < a->regs; r++) {
    const wl_mreg_t x = read(s, v, r);
    const wl_mreg_t one = wl_tmem_exchange(s, x, even), c[2] = {one, wl_tmem_exchange(s, x, odd)};
    store(s, a, a->at, 2 * r, 2, c);
  }
}

/* Lane l of a half, column (4k + c) e + j: register (2k + l / 8) e + j of thread 4 (l mod 8) + c. */
static void store_rows(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v, unsigned e) {
  const wl_mreg_t four = wl_tmem_plus(s, wl_tmem_left(s, wl_tmem_and(s, a->lane, 7), 2), CLAMP);
  const uint32_t upper = wl_tmem_is_set(s, a->lane, 8);
  wl_mreg_t from[4];
  for (unsigned c = 0; c < 4; c++)
    from[c] = wl_tmem_plus(s, four, c);
  for (unsigned k = 0; k < a->regs / (2 * e); k++) {
    wl_mreg_t column[8];
    for (unsigned i = 0; i < 4 * e; i++) {
      const wl_mreg_t low = wl_tmem_exchange(s, read(s, v, 2 * k * e + i % e), from[i / e]);
      const wl_mreg_t high = wl_tmem_exchange(s, read(s, v, (2 * k + 1) * e + i % e), from[i / e]);
      column[i] = wl_tmem_choose(s, upper, high, low);
    }
    for (unsigned i = 0; i < e; i++)
      store(s, a, a->at, 4 * (e * k + i), 4, column + (size_t)4 * i);
  }
}

/* Lane l of a half: thread l to the first access, thread 16 + l to the second. */
static void store_x2(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v) {
  const wl_mreg_t low = wl_tmem_plus(s, wl_tmem_and(s, a->lane, 15), CLAMP),
                  high = wl_tmem_plus(s, low, 16);
  for (unsigned r = 0; r < a->regs; r += GROUP) {
    const unsigned n = a->regs - r < GROUP ? a->regs - r : GROUP;
    wl_mreg_t x[GROUP], y[GROUP];
    for (unsigned i = 0; i < n; i++) {
      const wl_mreg_t value = read(s, v, r + i);
      x[i] = wl_tmem_exchange(s, value, low);
      y[i] = wl_tmem_exchange(s, value, high);
    }
    store(s, a, a->at, r, n, x);
    store(s, a, a->second, r, n, y);
  }
}

void wl_tmem_store(wl_isel_t *s) {
  const bool two = wl_isel_has_mod(s, WL_PTX_M_T16X32BX2);
  const wl_ptx_operand_t *v = OPND(two ? 2 : 1);
  const access_t a = wl_tmem_access(s, two ? 2 : 1, 0);
  switch (a.shape) {
  case WHOLE:
    store_whole(s, &a, v);
    break;
  case B64:
    store_b64(s, &a, v);
    break;
  case B128:
    store_rows(s, &a, v, 1);
    break;
  case B256:
    store_rows(s, &a, v, 2);
    break;
  case X2:
    store_x2(s, &a, v);
    break;
  }
}
