/* mbarriers: the operations' meaning against plain integers (tests/common/mbarrier_reference.h): all
 * sequences of two threads on small objects, and random operations near the limits. */
#include <inttypes.h>

#include "cmodel/sem/sem.h"
#include "tests/common/mbarrier_reference.h"
#include "tests/isa/check.h"

static const wl_mbar_op_t machine_op[WL_REF_MBAR_OPS] = {
    [WL_REF_MBAR_INIT] = WL_MBAR_INIT,         [WL_REF_MBAR_ARRIVE] = WL_MBAR_ARRIVE,
    [WL_REF_MBAR_DROP] = WL_MBAR_DROP,         [WL_REF_MBAR_EXPECT] = WL_MBAR_EXPECT,
    [WL_REF_MBAR_COMPLETE] = WL_MBAR_COMPLETE, [WL_REF_MBAR_ARRIVE_TX] = WL_MBAR_ARRIVETX,
    [WL_REF_MBAR_DROP_TX] = WL_MBAR_DROPTX};
static const char *const op_name[WL_REF_MBAR_OPS] = {"init",     "arrive",    "drop",   "expect",
                                                     "complete", "arrive_tx", "drop_tx"};

typedef struct step {
  wl_ref_mbar_op_t op;
  uint32_t n;
} step_t;

/* The machine's object, and what is known of it otherwise. */
typedef struct pair {
  wl_ref_mbar_t known;
  uint64_t object;
  bool trapped;
} pair_t;

static void show(const pair_t *before, step_t s, const pair_t *after) {
  printf("%s %" PRIu32 " of phase %" PRIu64 " expected %" PRId64 " pending %" PRId64 " tx %" PRId64
         ": object %016" PRIx64 " to %016" PRIx64 "%s, should be %016" PRIx64 "\n",
         op_name[s.op], s.n, before->known.phase, before->known.expected, before->known.pending,
         before->known.tx, before->object, after->object, after->trapped ? " (misuse)" : "",
         wl_ref_mbar_bits(&after->known));
}

/* One operation on both; they must agree. */
static void apply(check_t *t, pair_t *p, step_t s) {
  const pair_t before = *p;
  const bool good = wl_ref_mbar(&p->known, s.op, s.n);
  const wl_sem_mbar_t r = wl_sem_mbar(machine_op[s.op], before.object, s.n);
  const bool ends = s.op != WL_REF_MBAR_INIT && p->known.phase != before.known.phase;
  p->object = r.object;
  p->trapped = r.misuse;
  const bool same =
      r.misuse == !good && r.object == wl_ref_mbar_bits(&p->known) && r.complete == ends;
  if (!check_equal(t, same, 1) && check_print(t)) show(&before, s, p);
}

/* What waits of this parity say; gen comes back as it was. */
static void apply_waits(check_t *t, const pair_t *p, uint32_t gen) {
  for (uint32_t parity = 0; parity < 2; parity++) {
    const uint32_t got = wl_sem_mbtest((uint32_t)(p->object >> 32), parity, gen);
    const uint32_t want = gen | (wl_ref_mbar_over(&p->known, parity) ? UINT32_C(1) << 31 : 0);
    if (!check_equal(t, got, want) && check_print(t))
      printf("test of %016" PRIx64 " for parity %u: %08x, should be %08x\n", p->object,
             (unsigned)parity, (unsigned)got, (unsigned)want);
  }
}

/* ---- all sequences: two threads, in turns of every kind, on an object of 1 to 4. */
enum { THREADS = 2, DEPTH = 6 };
static const step_t small[] = {
    {WL_REF_MBAR_ARRIVE, 0},   {WL_REF_MBAR_ARRIVE, 1},    {WL_REF_MBAR_ARRIVE, 2},
    {WL_REF_MBAR_ARRIVE, 4},   {WL_REF_MBAR_DROP, 1},      {WL_REF_MBAR_DROP, 2},
    {WL_REF_MBAR_EXPECT, 1},   {WL_REF_MBAR_EXPECT, 3},    {WL_REF_MBAR_COMPLETE, 1},
    {WL_REF_MBAR_COMPLETE, 3}, {WL_REF_MBAR_ARRIVE_TX, 2}, {WL_REF_MBAR_DROP_TX, 1},
    {WL_REF_MBAR_INIT, 3}};
enum { SMALL = sizeof small / sizeof small[0] };

/* A thread's last state: the object as it was, and the phase that it means. */
typedef struct thread {
  uint64_t object, phase;
  bool has_state;
} thread_t;

/* test_wait with a state: it must be of this phase or of the one before [PTX 9.7.13.15.16]. */
static void apply_states(check_t *t, const pair_t *p, const thread_t *thread) {
  for (unsigned i = 0; i < THREADS; i++) {
    const uint64_t since = p->known.phase - thread[i].phase;
    if (!thread[i].has_state || since > 1) continue;
    const uint32_t high = (uint32_t)(p->object >> 32);
    const uint32_t got = wl_sem_mbtest(high, (uint32_t)(thread[i].object >> 32), 5);
    if (!check_equal(t, got >> 31, since) && check_print(t))
      printf("test of %016" PRIx64 " for state %016" PRIx64 ": %u\n", p->object, thread[i].object,
             (unsigned)(got >> 31));
  }
}

static void explore(check_t *t, pair_t p, const thread_t *thread, unsigned depth) {
  apply_waits(t, &p, 5);
  apply_states(t, &p, thread);
  for (unsigned turn = 0; depth != 0 && turn < THREADS * SMALL; turn++) {
    pair_t next = p;
    thread_t threads[THREADS] = {thread[0], thread[1]};
    const step_t s = small[turn / THREADS];
    /* The second thread only arrives: that it expects or completes is like the first one doing so. */
    if (turn % THREADS != 0 && s.op != WL_REF_MBAR_ARRIVE) continue;
    apply(t, &next, s);
    if (s.op == WL_REF_MBAR_ARRIVE || s.op == WL_REF_MBAR_DROP) {
      threads[turn % THREADS] = (thread_t){p.object, p.known.phase, true};
    }
    if (s.op == WL_REF_MBAR_INIT) threads[0] = threads[1] = (thread_t){.has_state = false};
    if (!next.trapped) explore(t, next, threads, depth - 1);
  }
}

/* ---- random operations near the limits. */
static uint32_t near_limit(check_t *t, const wl_ref_mbar_t *m) {
  const uint64_t r = check_random(t);
  const uint32_t little = (uint32_t)(r % 4);
  switch (r >> 60) {
  case 0:
  case 1:
    return WL_REF_MBAR_MOST + 1 - little;
  case 2:
    return (uint32_t)m->pending + 1 - little;
  case 3:
    return (uint32_t)m->expected + 1 - little;
  case 4:
    return (uint32_t)(m->tx < 0 ? -m->tx : m->tx) + 1 - little;
  case 5:
    return (uint32_t)(WL_REF_MBAR_MOST - (m->tx < 0 ? -m->tx : m->tx)) + 1 - little;
  case 6:
    return UINT32_MAX - little;
  case 7:
    return (uint32_t)1 << (r >> 8 & 31);
  case 8:
    return (uint32_t)(r >> 8) % (WL_REF_MBAR_MOST + 1);
  case 9:
    return (uint32_t)m->pending;
  case 10:
    return (uint32_t)(r >> 8);
  default:
    return little;
  }
}

/* Any object in range, also one that no operations make (fewer expected than pending). */
static void any_object(check_t *t, pair_t *p) {
  p->known.phase = check_random(t) % 2;
  p->known.expected = (int64_t)(near_limit(t, &p->known) % (WL_REF_MBAR_MOST + 1));
  p->known.pending = (int64_t)(near_limit(t, &p->known) % (WL_REF_MBAR_MOST + 1));
  p->known.tx = (int64_t)(near_limit(t, &p->known) % (WL_REF_MBAR_MOST + 1));
  if (check_random(t) % 2 != 0) p->known.tx = -p->known.tx;
  if (p->known.pending == 0 && p->known.tx == 0) p->known.tx = 1;
}

static void random_operations(check_t *t, long count) {
  pair_t p = {.known = {.expected = 1, .pending = 1}};
  long misused = 0, phases = 0;
  for (long i = 0; i < count; i++) {
    if (check_random(t) % 16 == 0) any_object(t, &p);
    p.object = wl_ref_mbar_bits(&p.known); /* one difference is told once */
    const uint64_t phase = p.known.phase;
    step_t s = {.op = (wl_ref_mbar_op_t)(check_random(t) % (WL_REF_MBAR_OPS + 6))};
    if (s.op >= WL_REF_MBAR_OPS) s.op = WL_REF_MBAR_ARRIVE + (s.op - WL_REF_MBAR_OPS) % 4;
    s.n = near_limit(t, &p.known);
    apply(t, &p, s);
    apply_waits(t, &p, (uint32_t)check_random(t) & INT32_MAX);
    misused += p.trapped;
    phases += p.known.phase != phase;
  }
  /* Both must be frequent, or nothing was tried. */
  check_equal(t, misused > count / 20 && misused < count * 19 / 20, 1);
  check_equal(t, phases > count / 50, 1);
  printf("%ld random operations, %ld with misuse, %ld phases\n", count, misused, phases);
}

int main(void) {
  check_t t = {.state = 2027};
  const thread_t none[THREADS] = {{.has_state = false}, {.has_state = false}};
  for (uint32_t n = 1; n <= 4; n++) {
    pair_t p = {.object = UINT64_C(0xfedcba9876543210)};
    apply(&t, &p, (step_t){WL_REF_MBAR_INIT, n});
    explore(&t, p, none, DEPTH);
  }
  random_operations(&t, 1000000);
  return check_done(&t, "mbarriers");
}
