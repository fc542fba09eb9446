/* Operations on mbarriers against the table of docs/microarchitecture.md 21.2, row by row, on counts of
 * 64 bits; the object's bits one by one from 21.1. */
#include "cmodel/sem/sem.h"
#include "tests/isa/check.h"

enum { MOST = (1 << 20) - 1 };

typedef struct {
  int64_t p, x, e;
  unsigned phase;
} object_t;

static uint64_t bits_of(const object_t *o) {
  const uint64_t x = (uint64_t)o->x;
  uint64_t word = (uint64_t)o->p | (uint64_t)o->phase << 32 | (uint64_t)o->e << 33;
  for (unsigned i = 0; i < 21; i++)
    word |= (x >> i & 1) << (i < 12 ? 20 + i : 53 + i - 12);
  return word;
}

/* The new object; *misuse: it is the old one. */
static object_t expected(wl_mbar_op_t op, object_t o, int64_t b, bool *misuse, bool *complete) {
  object_t n = o;
  bool bad = false;
  switch (op) {
  case WL_MBAR_INIT:
    bad = b == 0 || b > MOST;
    n = (object_t){.p = b, .e = b};
    break;
  case WL_MBAR_ARRIVE:
    bad = b > o.p;
    n.p = o.p - b;
    break;
  case WL_MBAR_DROP:
    bad = b > o.p || b > o.e;
    n.p = o.p - b;
    n.e = o.e - b;
    break;
  case WL_MBAR_EXPECT:
    bad = b > MOST || o.x + b > MOST;
    n.x = o.x + b;
    break;
  case WL_MBAR_COMPLETE:
    bad = b > MOST || o.x - b < -MOST;
    n.x = o.x - b;
    break;
  case WL_MBAR_ARRIVETX:
    bad = b > MOST || o.x + b > MOST || o.p == 0;
    n.x = o.x + b;
    n.p = o.p - 1;
    break;
  case WL_MBAR_INC:
    bad = b > MOST || o.p + b > MOST;
    n.p = o.p + b;
    break;
  default: /* DROPTX */
    bad = b > MOST || o.x + b > MOST || o.p == 0 || o.e == 0;
    n.x = o.x + b;
    n.p = o.p - 1;
    n.e = o.e - 1;
    break;
  }
  *misuse = bad;
  *complete = !bad && op != WL_MBAR_INIT && n.p == 0 && n.x == 0;
  if (bad) return o;
  if (*complete) {
    n.phase ^= 1;
    n.p = n.e;
  }
  return n;
}

/* A count of 20 bits; often at an end. */
static int64_t count(check_t *c) {
  const uint64_t r = check_random(c);
  switch (r >> 62) {
  case 0:
    return (int64_t)(r & 3);
  case 1:
    return MOST - (int64_t)(r & 3);
  default:
    return (int64_t)(r & MOST);
  }
}

/* An operand that is often the one at which something changes. */
static uint32_t operand(check_t *c, const object_t *o) {
  const int64_t near[] = {o->p, o->e, o->x, -o->x, MOST - o->x, MOST + o->x, 0, MOST};
  const uint64_t r = check_random(c);
  if (r >> 61 == 0) return check_word(c);
  return (uint32_t)(near[r >> 8 & 7] + (int64_t)(r % 3) - 1);
}

static void check_one(check_t *c, long seen[][3]) {
  const wl_mbar_op_t op =
      (wl_mbar_op_t)(WL_MBAR_INIT + check_random(c) % (WL_NUM_MBAR_OP - WL_MBAR_INIT));
  const uint64_t r = check_random(c);
  object_t o = {.p = count(c), .e = count(c), .x = r & 1 ? count(c) : 0, .phase = r >> 1 & 1};
  if (r & 4) o.x = -o.x - (int64_t)(r >> 3 & 1);
  const uint32_t b = operand(c, &o);
  bool misuse = false, complete = false;
  const object_t n = expected(op, o, b, &misuse, &complete);
  const wl_sem_mbar_t got = wl_sem_mbar(op, bits_of(&o), b);
  seen[op][misuse ? 1 : complete ? 2 : 0]++;
  if (!check_equal(c, got.object, bits_of(&n)) && check_print(c))
    printf("operation %d, object %016llx, b %08x: got %016llx, expected %016llx\n", (int)op,
           (unsigned long long)bits_of(&o), b, (unsigned long long)got.object,
           (unsigned long long)bits_of(&n));
  if ((!check_equal(c, got.misuse, misuse) || !check_equal(c, got.complete, complete)) &&
      check_print(c))
    printf("operation %d, object %016llx, b %08x: misuse %d, complete %d\n", (int)op,
           (unsigned long long)bits_of(&o), b, got.misuse, got.complete);
}

static void check_test(check_t *c) {
  for (unsigned k = 0; k < 4; k++) {
    const uint32_t phase = k & 1, parity = k >> 1;
    const uint32_t want = (phase != parity ? 0x80000000U : 0) | 0x12345678;
    const uint32_t got = wl_sem_mbtest(0x2aaaaaa8 | phase, 0x5555aaa4 | parity, 0x12345678);
    if (!check_equal(c, got, want)) printf("test %u: %08x\n", k, got);
  }
}

int main(void) {
  check_t c = {.state = 21};
  long seen[WL_NUM_MBAR_OP][3] = {{0}};
  for (long i = 0; i < 2000000; i++)
    check_one(&c, seen);
  check_test(&c);
  for (int op = WL_MBAR_INIT; op < WL_NUM_MBAR_OP; op++)
    for (int k = 0; k < (op == WL_MBAR_INIT ? 2 : 3); k++)
      if (seen[op][k] < 100) {
        printf("operation %d: case %d came %ld times\n", op, k, seen[op][k]);
        c.failures++;
      }
  return check_done(&c, "mbarriers");
}
