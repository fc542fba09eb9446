/* Unit SYNC against lane-by-lane computations in the words of PTX 9.7.9.6, 9.7.13.9-12 and 9.7.14.5.17, and the
 * rules of docs/microarchitecture.md 9 where PTX leaves the result open. */
#include <stdlib.h>

#include "tests/isa/lanes.h"

typedef struct {
  uint32_t d[32];
  uint32_t p;
  bool has_d, has_p;
} result_t;

static bool member(const lanes_t *l, int i) { return l->mask >> i & 1; }

static void shuffle(const lanes_t *l, result_t *r) {
  for (int lane = 0; lane < 32; lane++) {
    const int b = (int)(l->b[0][lane] % 32);
    const int clamp = (int)(l->b[0][lane] / 256 % 32);
    const int segment = (int)(l->b[0][lane] / 65536 % 32);
    const int max_lane = (lane & segment) | (clamp & ~segment);
    const int min_lane = lane & segment;
    int j = 0;
    bool valid = false;
    switch (l->dec.xmode) {
    case 0:
      j = lane - b;
      valid = j >= max_lane;
      break;
    case 1:
      j = lane + b;
      valid = j <= max_lane;
      break;
    case 2:
      j = lane ^ b;
      valid = j <= max_lane;
      break;
    case 3:
      j = min_lane | (b & ~segment);
      valid = j <= max_lane;
      break;
    }
    r->p |= (uint32_t)valid << lane;
    if (!valid || !member(l, j)) j = lane;
    r->d[lane] = l->a[0][j];
  }
}

static void vote(const lanes_t *l, result_t *r) {
  int yes = 0, no = 0;
  uint32_t ballot = 0;
  for (int i = 0; i < 32; i++) {
    if (!member(l, i)) continue;
    if (l->s >> i & 1)
      yes++, ballot |= UINT32_C(1) << i;
    else
      no++;
  }
  const unsigned op = l->dec.op;
  const bool holds = op == WL_SYNC_VALL   ? no == 0
                     : op == WL_SYNC_VANY ? yes > 0
                                          : yes == 0 || no == 0;
  for (int i = 0; i < 32; i++)
    r->d[i] = op == WL_SYNC_BALLOT ? ballot : holds ? 0xffffffff : 0;
  r->has_p = op != WL_SYNC_BALLOT;
  r->p = holds ? 0xffffffff : 0;
}

static void match(const lanes_t *l, result_t *r) {
  bool all = true;
  for (int i = 0; i < 32; i++)
    for (int k = 0; k < 32; k++) {
      if (!member(l, i) || !member(l, k)) continue;
      if (l->a[0][i] == l->a[0][k])
        r->d[i] |= UINT32_C(1) << k;
      else
        all = false;
    }
  r->has_p = l->dec.op == WL_SYNC_MALL;
  if (!r->has_p) return;
  for (int i = 0; i < 32; i++)
    r->d[i] = all ? l->mask : 0;
  r->p = all ? 0xffffffff : 0;
}

static void reduce(const lanes_t *l, result_t *r) {
  int64_t value = 0;
  bool first = true;
  for (int i = 31; i >= 0; i--) {
    if (!member(l, i)) continue;
    const uint32_t u = l->a[0][i];
    const int64_t s =
        l->dec.op == WL_SYNC_RMINS || l->dec.op == WL_SYNC_RMAXS ? (int32_t)u : (int64_t)u;
    if (first)
      value = s;
    else if (l->dec.op == WL_SYNC_RADD)
      value += s;
    else if (l->dec.op == WL_SYNC_RAND)
      value &= s;
    else if (l->dec.op == WL_SYNC_ROR)
      value |= s;
    else if (l->dec.op == WL_SYNC_RXOR)
      value ^= s;
    else if (l->dec.op == WL_SYNC_RMINS || l->dec.op == WL_SYNC_RMINU)
      value = s < value ? s : value;
    else
      value = s > value ? s : value;
    first = false;
  }
  for (int i = 0; i < 32; i++)
    r->d[i] = (uint32_t)value;
  r->has_p = false;
}

static void elect(const lanes_t *l, result_t *r) {
  int leader = 31;
  for (int i = 31; i >= 0; i--)
    if (member(l, i)) leader = i;
  for (int i = 0; i < 32; i++)
    r->d[i] = (uint32_t)leader;
  r->p = UINT32_C(1) << leader;
}

/* Row i of the matrix is in lanes 4 i to 4 i + 3, two elements in each. */
static void transpose(const lanes_t *l, result_t *r) {
  for (int row = 0; row < 8; row++)
    for (int column = 0; column < 8; column++) {
      const uint32_t element = l->a[0][4 * column + row / 2] >> 16 * (row % 2) & 0xffff;
      r->d[4 * row + column / 2] |= element << 16 * (column % 2);
    }
  r->has_p = false;
}

static result_t expected_result(const lanes_t *l) {
  result_t r = {.has_d = true, .has_p = true};
  switch (l->dec.op) {
  case WL_SYNC_WARPSYNC:
    r.has_d = r.has_p = false;
    break;
  case WL_SYNC_SHFL:
    shuffle(l, &r);
    break;
  case WL_SYNC_VALL:
  case WL_SYNC_VANY:
  case WL_SYNC_VUNI:
  case WL_SYNC_BALLOT:
    vote(l, &r);
    break;
  case WL_SYNC_MANY:
  case WL_SYNC_MALL:
    match(l, &r);
    break;
  case WL_SYNC_ELECT:
    elect(l, &r);
    break;
  case WL_SYNC_MOVM:
    transpose(l, &r);
    break;
  default:
    reduce(l, &r);
    break;
  }
  r.p &= l->mask;
  return r;
}

static void check_form(check_t *t, uint32_t form) {
  const wl_form_info_t *info = &wl_form_info[form];
  uint32_t word[4] = {form, 0, 0, 0};
  if (info->mods & WL_MOD_XMODE) WL_WORD_SET(word, XMODE, (uint32_t)check_random(t));
  lanes_t l = {0};
  lanes_random(&l, t, check_word);
  if (l.mask == 0) l.mask = 1;
  const uint64_t kind = check_random(t);
  if (kind % 4 == 0) l.s = kind & 4 ? l.s | l.mask : l.s & ~l.mask;
  for (int i = 0; i < 32; i++) {
    if (kind % 3 == 0) l.a[0][i] = l.a[0][(kind >> 8) % 5 == 0 ? 0 : i % 3]; /* equal values */
    if (kind % 2 == 0 && info->b > 0) /* the usual shapes: whole warp, segments of 2^n */
      l.b[0][i] = (uint32_t)(check_random(t) & 31) | (kind & 16 ? 0x1f00u : 0u) |
                  (uint32_t)(32 - (1 << (kind >> 40 & 5))) << 16;
  }
  if (!lanes_decode(&l, word) || !lanes_run(&l)) {
    check_equal(t, 0, 1);
    printf("%s: refused\n", info->name);
    return;
  }
  const result_t r = expected_result(&l);
  for (int i = 0; i < 32 && r.has_d; i++)
    if (member(&l, i) && !check_equal(t, l.d[0][i], r.d[i]) && check_print(t))
      printf("%s mode %d mask %08x lane %d b %08x: got %08x, expected %08x\n", info->name,
             l.dec.xmode, (unsigned)l.mask, i, (unsigned)l.b[0][i], (unsigned)l.d[0][i],
             (unsigned)r.d[i]);
  if (r.has_p && !check_equal(t, l.p, r.p) && check_print(t))
    printf("%s mode %d mask %08x: got p %08x, expected %08x\n", info->name, l.dec.xmode,
           (unsigned)l.mask, (unsigned)l.p, (unsigned)r.p);
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 4000;
  check_t t = {.state = 6};
  for (uint32_t form = 0; form < WL_NUM_FORMS; form++)
    for (long n = 0; n < count && wl_form_info[form].unit == WL_UNIT_SYNC; n++)
      check_form(&t, form);
  return check_done(&t, "exchange");
}
