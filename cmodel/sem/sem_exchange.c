/* Warp exchange: shfl, vote, match, redux, elect, movmatrix (docs/isa.md, unit SYNC;
 * PTX 9.7.9.6, 9.7.13.9-12). in->mask is the group that met; waiting for it is the caller's matter.
 */
#include "cmodel/sem/sem.h"

static void fill(wl_sem_out_t *out, uint32_t value) {
  for (int i = 0; i < WL_LANES; i++)
    out->d[i] = value;
}

/* b: lane operand in 4:0, clamp in 12:8, segment mask in 20:16. */
static void shuffle(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  enum { UP, DOWN, BFLY };
  out->p = 0;
  for (int lane = 0; lane < WL_LANES; lane++) {
    if (!(in->mask >> lane & 1)) continue;
    const int operand = (int)(in->b[lane] & 31);
    const int clamp = (int)(in->b[lane] >> 8 & 31);
    const int segment = (int)(in->b[lane] >> 16 & 31);
    const int first = lane & segment;
    const int limit = first | (clamp & ~segment & 31);
    int from;
    switch (insn->xmode) {
    case UP:
      from = lane - operand;
      break;
    case DOWN:
      from = lane + operand;
      break;
    case BFLY:
      from = lane ^ operand;
      break;
    default:
      from = first | (operand & ~segment & 31);
      break;
    }
    const bool in_range = insn->xmode == UP ? from >= limit : from <= limit;
    if (in_range) out->p |= UINT32_C(1) << lane;
    const bool readable = in_range && (in->mask >> from & 1);
    out->d[lane] = in->a[readable ? from : lane];
  }
}

static void vote(const wl_sem_in_t *in, wl_sem_out_t *out, bool holds) {
  fill(out, holds ? UINT32_MAX : 0);
  out->p = holds ? in->mask : 0;
}

static void match_any(const wl_sem_in_t *in, wl_sem_out_t *out) {
  for (int i = 0; i < WL_LANES; i++) {
    uint32_t same = 0;
    for (int k = 0; k < WL_LANES; k++)
      same |= (uint32_t)(in->a[k] == in->a[i]) << k;
    out->d[i] = same & in->mask;
  }
  out->p = 0;
}

static int lowest(uint32_t mask) {
  int lane = 0;
  while (lane < WL_LANES - 1 && !(mask >> lane & 1))
    lane++;
  return lane;
}

static void match_all(const wl_sem_in_t *in, wl_sem_out_t *out) {
  const uint32_t first = in->a[lowest(in->mask)];
  bool same = true;
  for (int i = 0; i < WL_LANES; i++)
    if (in->mask >> i & 1) same = same && in->a[i] == first;
  fill(out, same ? in->mask : 0);
  out->p = same ? in->mask : 0;
}

static uint32_t reduce_two(unsigned op, uint32_t x, uint32_t y) {
  switch (op) {
  case WL_SYNC_RADD:
    return x + y;
  case WL_SYNC_RMINS:
    return (int32_t)x < (int32_t)y ? x : y;
  case WL_SYNC_RMINU:
    return x < y ? x : y;
  case WL_SYNC_RMAXS:
    return (int32_t)x > (int32_t)y ? x : y;
  case WL_SYNC_RMAXU:
    return x > y ? x : y;
  case WL_SYNC_RAND:
    return x & y;
  case WL_SYNC_ROR:
    return x | y;
  default:
    return x ^ y;
  }
}

static void reduce(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  const int first = lowest(in->mask);
  uint32_t value = in->a[first];
  for (int i = first + 1; i < WL_LANES; i++)
    if (in->mask >> i & 1) value = reduce_two(insn->op, value, in->a[i]);
  fill(out, value);
  out->p = 0;
}

/* Half h of lane 4g + q is the half of column g in the lane of row 2q + h, which holds it. */
static void transpose(const wl_sem_in_t *in, wl_sem_out_t *out) {
  for (unsigned lane = 0; lane < WL_LANES; lane++) {
    const unsigned g = lane / 4, q = lane % 4, shift = g % 2 * 16;
    uint32_t word = 0;
    for (unsigned h = 0; h < 2; h++)
      word |= (in->a[4 * (2 * q + h) + g / 2] >> shift & 0xffff) << h * 16;
    out->d[lane] = word;
  }
  out->p = 0;
}

void wl_sem_exchange(const wl_insn_dec_t *insn, const wl_sem_in_t *in, wl_sem_out_t *out) {
  const uint32_t votes = in->s & in->mask;
  switch ((wl_sync_op_t)insn->op) {
  case WL_SYNC_WARPSYNC:
    break;
  case WL_SYNC_SHFL:
    shuffle(insn, in, out);
    break;
  case WL_SYNC_VALL:
    vote(in, out, votes == in->mask);
    break;
  case WL_SYNC_VANY:
    vote(in, out, votes != 0);
    break;
  case WL_SYNC_VUNI:
    vote(in, out, votes == in->mask || votes == 0);
    break;
  case WL_SYNC_BALLOT:
    fill(out, votes);
    out->p = 0;
    break;
  case WL_SYNC_MANY:
    match_any(in, out);
    break;
  case WL_SYNC_MALL:
    match_all(in, out);
    break;
  case WL_SYNC_RADD:
  case WL_SYNC_RMINS:
  case WL_SYNC_RMINU:
  case WL_SYNC_RMAXS:
  case WL_SYNC_RMAXU:
  case WL_SYNC_RAND:
  case WL_SYNC_ROR:
  case WL_SYNC_RXOR:
    reduce(insn, in, out);
    break;
  case WL_SYNC_ELECT:
    fill(out, (uint32_t)lowest(in->mask));
    out->p = in->mask & (0 - in->mask);
    break;
  case WL_SYNC_MOVM:
    transpose(in, out);
    break;
  case WL_NUM_SYNC_OP:
    break;
  }
}
