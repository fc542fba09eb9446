/* Objects of mbarriers (docs/microarchitecture.md 21.1, 21.2; PTX 9.7.13.15). Who operates on one, and in
 * which order, is shared memory's matter. */
#include "cmodel/sem/sem.h"

enum { MOST_COUNT = 0xfffff }; /* of arrivals and, in magnitude, of transactions */

typedef struct fields {
  uint32_t pending, expected, phase;
  int32_t tx;
} fields_t;

static fields_t unpack(uint64_t object) {
  const uint32_t low = (uint32_t)object, high = (uint32_t)(object >> 32);
  const uint32_t tx = low >> 20 | (high >> 21 & 0x1ff) << 12;
  return (fields_t){.pending = low & MOST_COUNT,
                    .expected = high >> 1 & MOST_COUNT,
                    .phase = high & 1,
                    .tx = (int32_t)(tx << 11) >> 11};
}

static uint64_t pack(const fields_t *f) {
  const uint32_t tx = (uint32_t)f->tx & 0x1fffff;
  const uint32_t high = f->phase | f->expected << 1 | tx >> 12 << 21;
  return (uint64_t)high << 32 | (tx & 0xfff) << 20 | f->pending;
}

/* n arrivals, and so many fewer in later phases; false: misuse. */
static bool arrive(fields_t *f, uint32_t n, uint32_t fewer) {
  if (n > f->pending || fewer > f->expected) return false;
  f->pending -= n;
  f->expected -= fewer;
  return true;
}

static bool expect(fields_t *f, uint32_t k) {
  if (k > MOST_COUNT || f->tx + (int32_t)k > MOST_COUNT) return false;
  f->tx += (int32_t)k;
  return true;
}

static bool complete(fields_t *f, uint32_t k) {
  if (k > MOST_COUNT || f->tx - (int32_t)k < -MOST_COUNT) return false;
  f->tx -= (int32_t)k;
  return true;
}

static bool operate(wl_mbar_op_t op, fields_t *f, uint32_t b) {
  switch (op) {
  case WL_MBAR_INIT:
    *f = (fields_t){.pending = b, .expected = b};
    return b != 0 && b <= MOST_COUNT;
  case WL_MBAR_ARRIVE:
    return arrive(f, b, 0);
  case WL_MBAR_DROP:
    return arrive(f, b, b);
  case WL_MBAR_EXPECT:
    return expect(f, b);
  case WL_MBAR_COMPLETE:
    return complete(f, b);
  case WL_MBAR_ARRIVETX:
    return expect(f, b) && arrive(f, 1, 0);
  case WL_MBAR_DROPTX:
    return expect(f, b) && arrive(f, 1, 1);
  case WL_MBAR_INC:
    if (b > MOST_COUNT || f->pending + b > MOST_COUNT) return false;
    f->pending += b;
    return true;
  case WL_MBAR_NONE:
  case WL_NUM_MBAR_OP:
    break;
  }
  return true;
}

wl_sem_mbar_t wl_sem_mbar(wl_mbar_op_t op, uint64_t old, uint32_t b) {
  fields_t f = unpack(old);
  if (!operate(op, &f, b)) return (wl_sem_mbar_t){.object = old, .misuse = true};
  const bool over = op != WL_MBAR_INIT && f.pending == 0 && f.tx == 0;
  f.phase ^= over;
  f.pending = over ? f.expected : f.pending;
  return (wl_sem_mbar_t){.object = pack(&f), .complete = over};
}

uint32_t wl_sem_mbtest(uint32_t high, uint32_t parity, uint32_t gen) {
  return ((high ^ parity) & 1) << 31 | (gen & 0x7fffffff);
}
