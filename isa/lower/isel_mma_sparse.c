/* isel_mma_sparse.c: mma.sp of 8-bit floats by two sparse products of halves (PTX 9.7.14.6, expansions.md). A
 * row of A has 16 chunks of four k of which two are kept. The first product takes the even chunks, the
 * second the odd ones: of each word of A the lower and the upper pair. So
 *   B         a word is a chunk. The first product's word r of lane q is half q mod 2 of word r of lane
 *             q & ~1, the second's that of lane q | 1: a lane keeps one half of its word and gets the
 *             other from its neighbour
 *   metadata  a chunk has four bits: the even nibbles of a row's 64 bits are the first product's 32, the
 *             odd ones the second's. With 16-bit elements rows g and g + 8 share a word: lanes 0 and 1
 *             of four hold the first product's, 2 and 3 the second's */
#include "isa/lower/isel_mma.h"

enum { CLAMP = 0x1f << 8, OF_FOUR = 0x1c << 16 }; /* shfl */

wl_mreg_t wl_mma_by_lane(wl_isel_t *s, wl_mreg_t lane, uint32_t bits, uint32_t no, uint32_t yes) {
  const wl_mreg_t d = wl_t1(s), some = wl_t1(s), otherwise = wl_t1(s);
  const uint32_t p = wl_tp(s);
  wl_lopi(s, some, lane, bits, WL_RZ, WL_LUT_A & WL_LUT_B);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, p, some, 0, WL_NE);
  wl_movi(s, otherwise, yes);
  wl_seli(s, d, otherwise, no, p, false);
  return d;
}

wl_mreg_t wl_mma_permute(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, wl_mreg_t selector) {
  const wl_mreg_t d = wl_t1(s);
  wl_rrr(s, WL_FORM_PRMT_RRR, d, a, b, selector);
  return d;
}

/* Of each word the half that the lane keeps is put below the one that its neighbour needs; then the halves
 * of the even chunk go down, of the odd chunk up. */
static void exchange(wl_isel_t *s, wl_mreg_t lane, wl_mreg_t b[4]) {
  const wl_mreg_t own = wl_mma_by_lane(s, lane, 1, 0x3210, 0x1032);
  const wl_mreg_t both = wl_mma_by_lane(s, lane, 1, 0x7610, 0x1076);
  const wl_mreg_t neighbour = wl_t1(s);
  wl_movi(s, neighbour, 1 | CLAMP);
  for (unsigned r = 0; r < 4; r++) {
    const wl_mreg_t word = wl_mma_permute(s, b[r], WL_RZ, own);
    b[r] = wl_mma_permute(s, word, wl_shuffle(s, word, neighbour, WL_SHUFFLE_BFLY), both);
  }
}

/* Even nibbles down, odd ones up: the two in the middle of each half change places, then the two bytes in
 * the middle. */
static wl_mreg_t nibbles(wl_isel_t *s, wl_mreg_t e) {
  const wl_mreg_t down = wl_t1(s), differ = wl_t1(s), up = wl_t1(s), mixed = wl_t1(s), d = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_R_CLAMP_I, down, e, WL_RZ, 4);
  wl_lopi(s, differ, e, 0x00f000f0, down, (WL_LUT_A ^ WL_LUT_C) & WL_LUT_B);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, up, WL_RZ, differ, 4);
  wl_lop(s, mixed, e, differ, up, WL_LUT_A ^ WL_LUT_B ^ WL_LUT_C);
  wl_rri(s, WL_FORM_PRMT_RRI, d, mixed, WL_RZ, 0x3120);
  return d;
}

/* Lane q of four: nibbles of rows g and g + 8 for columns of half q mod 2, of product q / 2. They are
 * those of the lanes 2 (q mod 2) and the next. */
static wl_mreg_t metadata(wl_isel_t *s, wl_mreg_t lane, wl_mreg_t e) {
  const wl_mreg_t odd = wl_t1(s), two = wl_t1(s), low = wl_t1(s), high = wl_t1(s), x = wl_t4(s);
  const wl_mreg_t product = wl_mma_by_lane(s, lane, 2, 0x5410, 0x7632), each = nibbles(s, e);
  wl_lopi(s, odd, lane, 1, WL_RZ, WL_LUT_A & WL_LUT_B);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, two, WL_RZ, odd, 1);
  wl_lopi(s, low, two, CLAMP | OF_FOUR, WL_RZ, WL_LUT_A | WL_LUT_B);
  wl_lopi(s, high, low, 1, WL_RZ, WL_LUT_A | WL_LUT_B);
  const wl_mreg_t g = wl_shuffle(s, each, low, WL_SHUFFLE_IDX),
                  next = wl_shuffle(s, each, high, WL_SHUFFLE_IDX);
  wl_copy(s, x, wl_mma_permute(s, g, next, product), 1);
  return x;
}

wl_mreg_t wl_mma_sparse_bytes(wl_isel_t *s, wl_mreg_t b[4], wl_mreg_t e) {
  const wl_mreg_t lane = wl_lane_id(s);
  exchange(s, lane, b);
  return metadata(s, lane, e);
}
