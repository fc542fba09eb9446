/* Operands of the matrix operations. */
#include <string.h>

#include "tests/common/splitmix.h"
#include "tests/silicon/tensor.h"

static const char *const mode_names[TENSOR_MODES] = {
    "moderate", "wide", "raw", "tiny", "align", "cancel", "special", "powers", "zeros"};
const char *tensor_mode_name(unsigned mode) { return mode_names[mode]; }

static int bias_of(tensor_type_t type) {
  return tensor_format(type)->exponent == 0 ? 0 : (1 << (tensor_format(type)->exponent - 1)) - 1;
}

/* (-1)^sign (1 + fraction/2^bits) 2^power; below the normal numbers a subnormal number (rounded
 * down), above them the largest finite exponent. */
static uint64_t number(tensor_type_t type, bool sign, int power, uint64_t fraction) {
  unsigned bits = tensor_format(type)->fraction, shift = tensor_format(type)->low;
  int exponent = power + bias_of(type), most = (1 << tensor_format(type)->exponent) - 2;
  uint64_t value = fraction & ((UINT64_C(1) << bits) - 1);
  if (exponent >= 1) {
    value |= (uint64_t)(exponent > most ? most : exponent) << bits;
  } else {
    value |= UINT64_C(1) << bits;
    value = 1 - exponent > (int)bits ? 0 : value >> (1 - exponent);
  }
  return (value << shift) | (uint64_t)sign << (tensor_format(type)->bits - 1);
}

static uint64_t integer(tensor_type_t type, uint64_t z) {
  uint64_t mask = (UINT64_C(1) << tensor_format(type)->bits) - 1;
  return (z % 5 == 0 ? mask >> 1 : z % 5 == 1 ? (mask >> 1) + 1 : z >> 16) & mask;
}

/* Infinities, NaN, largest, smallest, zeros, ones. */
static uint64_t special(tensor_type_t type, uint64_t z) {
  unsigned shift = tensor_format(type)->low, f = tensor_format(type)->fraction;
  uint64_t top = ((UINT64_C(1) << tensor_format(type)->exponent) - 1) << f,
           one = (uint64_t)bias_of(type) << f;
  const uint64_t values[] = {0,
                             0,
                             0,
                             one,
                             one,
                             1,
                             UINT64_C(1) << f,
                             top - 1,
                             top,
                             top | 1,
                             top | UINT64_C(1) << (f - 1),
                             one + 1};
  uint64_t v = values[z % (z & 0x10000 ? 8 : 12)];
  /* Low bits of tf32, which no one may look at: of a NaN too, all of whose fraction they may be. */
  uint64_t low = shift != 0 && (z & 0x60000) == 0 ? 1 + (z >> 20 & 0x1ffe) : 0;
  return v << shift | low | (z >> 40 & 1) << (tensor_format(type)->bits - 1);
}

static uint64_t element(tensor_type_t type, unsigned mode, unsigned item, bool is_c,
                        uint64_t *state) {
  uint64_t z = wl_splitmix64(state), fraction = wl_splitmix64(state);
  bool sign = z >> 63;
  int span = 1 << tensor_format(type)->exponent, low = -bias_of(type) + 1;
  unsigned bits = tensor_format(type)->bits;
  if (tensor_format(type)->exponent == 0) {
    return integer(type, z);
  }
  switch (mode) {
  case 0:
    return number(type, sign, (int)(z % 7) - 3, fraction);
  case 1:
    return number(type, sign, low + (int)(z % (unsigned)(span - 2)) / (is_c ? 1 : 2), fraction);
  case 2:
    return fraction & (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
  case 3: /* products about the smallest number of f32, or of the type */
    if (is_c) {
      const uint64_t c[] = {0, UINT64_C(1) << (bits - 1),       1,
                            2, (UINT64_C(1) << (bits - 1)) | 1, number(type, false, low, 0)};
      return c[(item + z % 2 * (item / 32)) % 6];
    }
    /* Exponents such that the sum of two is between -126 - 30 and -126, where the type has them. */
    return z % 8 == 7 ? 0
                      : number(type, sign && item >= 32,
                               (low < -70 ? -78 + (int)(item % 16) : low) + (int)(z >> 8) % 3,
                               item % 4 < 2 ? 0 : fraction);
  case 4: /* few large terms and many about the last bits kept of them */
    return number(type, sign && item % 2 != 0,
                  z % 8 == 0 ? 0
                  : is_c     ? -(int)(item % 32)
                             : -(int)((item + (z >> 8) % 3) % 32) / 2,
                  item % 4 < 2 ? 0 : fraction);
  case 5: /* every value with both signs */
    return number(type, sign, (int)(z >> 8) % 3, item % 2 != 0 ? 0 : fraction & 3);
  case 6:
    return special(type, z);
  case 8: /* zeros of both signs; in odd items now and then another value */
    if (is_c && z % 4 == 0) {
      return special(type, z >> 8);
    }
    return (uint64_t)sign << (bits - 1) | (item % 2 != 0 && z % 32 == 0 ? 1 : 0);
  default: /* powers of two */
    return number(type, sign, (int)(z >> 8) % (1 + (int)item / 2) - (int)item / 4, 0);
  }
}

/* The second half of K is the first with the other sign, C zero: all products cancel. */
static void cancel(const tensor_t *t, unsigned item, tensor_item_t *out) {
  unsigned kept = tensor_kept(t), chunks = t->sparse ? tensor_chunks(t) : 0;
  unsigned bits = tensor_format(t->a)->bits;
  for (unsigned row = 0; row < t->m; row++) {
    for (unsigned k = kept / 2; k < kept; k++) {
      uint64_t v = out->a[row * kept + k - kept / 2];
      out->a[row * kept + k] =
          tensor_is_integer(t->a) ? (0 - v) & ((1u << bits) - 1) : v ^ UINT64_C(1) << (bits - 1);
    }
    memcpy(&out->e[row][chunks / 2], out->e[row], chunks / 2);
  }
  for (unsigned k = 0; k < tensor_b_rows(t); k++) {
    if (k % t->k >= t->k / 2) {
      memcpy(&out->b[k * t->n], &out->b[(k - t->k / 2) * t->n], t->n * sizeof out->b[0]);
    }
  }
  for (unsigned i = 0; i < t->m * t->n; i++) {
    out->c[i] = tensor_is_integer(t->c) || item % 3 == 0 ? 0
                : item % 3 == 1 ? UINT64_C(1) << (tensor_format(t->c)->bits - 1)
                                : out->c[i];
  }
}

/* Two indices. Without ::ordered_metadata they may also descend in items from 32 on, and are
 * anything (also equal: PTX leaves that open) in the last eight. tf32 has one index of two values.
 */
static uint8_t indices(const tensor_t *t, unsigned item, uint64_t z) {
  static const uint8_t ascending[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
  uint8_t e = t->a == TENSOR_TF32 ? (z & 1 ? 0xe : 0x4) : ascending[z % 6];
  if (t->ordered || item < 32) {
    return e;
  }
  if (item >= 56) {
    return z >> 8 & 15;
  }
  bool descend = t->a != TENSOR_TF32 && (z & 0x10000) != 0;
  return descend ? (uint8_t)(e >> 2 | (e & 3) << 2) : e;
}

void tensor_fill(const tensor_t *t, unsigned mode, unsigned item, tensor_item_t *out) {
  uint64_t state = UINT64_C(0x7e5007) + ((uint64_t)mode << 32) + item;
  for (const char *p = t->name; *p != '\0'; p++) {
    state = state * 31 + (unsigned char)*p;
  }
  for (unsigned i = 0; i < t->m * tensor_kept(t); i++) {
    out->a[i] = element(t->a, mode, item, false, &state);
  }
  for (unsigned i = 0; i < tensor_b_rows(t) * t->n; i++) {
    out->b[i] = element(t->b, mode, item, false, &state);
  }
  for (unsigned i = 0; i < t->m * t->n; i++) {
    out->c[i] = element(t->c, mode, item, true, &state);
  }
  for (unsigned i = 0; t->sparse && i < t->m * tensor_chunks(t); i++) {
    out->e[i / tensor_chunks(t)][i % tensor_chunks(t)] = indices(t, item, wl_splitmix64(&state));
  }
  if (mode == 5) {
    cancel(t, item, out);
  }
}
