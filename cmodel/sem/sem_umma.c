/* What a step of a product in tensor memory computes (docs/microarchitecture.md 25.7, 26.4): elements of a
 * column of D, floats summed as the tensor unit does (dot.h). */
#include "cmodel/sem/dot.h"
#include "cmodel/sem/sem.h"

static int32_t integer(uint32_t byte, bool is_signed) {
  return is_signed ? (int8_t)(uint8_t)byte : (uint8_t)byte;
}

static uint32_t clamp(int64_t sum) {
  if (sum > INT32_MAX) return INT32_MAX;
  return sum < INT32_MIN ? (uint32_t)INT32_MIN : (uint32_t)sum;
}

void wl_sem_products(const wl_products_t *n, unsigned rows, const uint32_t (*a)[WL_DOT_MOST_TERMS],
                     const uint32_t b[WL_DOT_MOST_TERMS], uint32_t *c) {
  if (n->profile != NULL) {
    wl_dot_column(n->profile, rows, n->terms,
                  (wl_dot_values_t){(wl_format_t)n->of_a, a[0], WL_DOT_MOST_TERMS, NULL},
                  (wl_dot_values_t){(wl_format_t)n->of_b, b, WL_DOT_MOST_TERMS, NULL}, c, n->lower);
    return;
  }
  for (unsigned r = 0; r < rows; r++) {
    int64_t sum = (int32_t)c[r];
    for (unsigned k = 0; k < n->terms; k++)
      sum += integer(a[r][k], n->a_signed) * integer(b[k], n->b_signed);
    c[r] = n->clamped ? clamp(sum) : (uint32_t)sum;
  }
}
