/* packed_reference.c: see packed_reference.h. */
#include "tests/common/packed_reference.h"

static int part_of(uint64_t word, int low, int bits, bool uns) {
  const int span = 1 << bits, part = (int)(word >> low) & (span - 1);
  return !uns && part >= span / 2 ? part - span : part;
}

static int sum_of(const wl_int_lane_t *l, int a, int b, int least, int most) {
  const int exact = l->neg_b ? a - b : a + b;
  if (l->sat && exact < least) return least;
  if (l->sat && exact > most) return most;
  return exact;
}

static int choice_of(const wl_int_lane_t *l, bool larger, int a, int b) {
  const int chosen = (a > b) == larger ? a : b;
  return l->relu && chosen < 0 ? 0 : chosen;
}

uint32_t wl_ref_packed(wl_alu_op_t op, const wl_int_lane_t *l) {
  const int bits = l->bytes ? 8 : 16, span = 1 << bits;
  const int least = l->uns ? 0 : -span / 2, most = least + span - 1;
  uint32_t d = 0;
  for (int low = 0; low < 32; low += bits) {
    const int a = part_of(l->a, low, bits, l->uns), b = part_of(l->b, low, bits, l->uns);
    const int r =
        op == WL_ALU_VADD ? sum_of(l, a, b, least, most) : choice_of(l, op == WL_ALU_VMAX, a, b);
    d |= (uint32_t)((r + 2 * span) % span) << low;
  }
  return d;
}
