#include "tests/mbarrier/history.h"

#include <string.h>

#include "tests/common/splitmix.h"

enum {
  MOST = 1048575, /* largest count of arrivals, and of bytes */
  CYCLES = 1200   /* of a history's stages, about */
};

uint32_t hi_below(hi_history_t *h, uint32_t n) {
  return (uint32_t)((wl_splitmix64(&h->random) >> 32) * n >> 32);
}

bool hi_chance(hi_history_t *h, uint32_t percent) { return hi_below(h, 100) < percent; }

/* Threads of the class that mean this copy of the object. */
unsigned hi_members(const hi_history_t *h, unsigned class, unsigned object, unsigned copy) {
  unsigned n = 0;
  for (unsigned t = 0; t < h->threads; t++) {
    n += h->class_of[t] == class && h->rank[t] % h->copies[object] == copy;
  }
  return n;
}

/* Classes by warp, by lane or by chance. */
static void classes(hi_history_t *h) {
  unsigned members[HI_CLASSES + 1] = {0};
  const unsigned how = hi_below(h, 4), leave = hi_chance(h, 20) ? 10 : 0;
  h->threads = hi_chance(h, 50) ? 32 * (1 + hi_below(h, 2)) : 1 + hi_below(h, 64);
  h->classes = 1 + hi_below(h, HI_CLASSES);
  for (unsigned t = 0; t < h->threads; t++) {
    unsigned class = how == 0 ? t / 32 : how == 1 ? t : hi_below(h, h->classes);
    class = how == 3 ? t / (1 + h->threads / h->classes) : class;
    class = hi_chance(h, leave) ? h->classes : class % h->classes;
    h->class_of[t] = (uint8_t)class;
    h->rank[t] = (uint8_t)members[class]++;
  }
}

/* Class 0 is the second warp; lanes of the first one are the others, and most are gone. Many phases of
 * few operations: an arrival of the second warp falls between a test and its wait now and then. */
static void duel(hi_history_t *h) {
  h->duel = true;
  h->threads = 33 + hi_below(h, 3);
  h->classes = 3 + hi_below(h, HI_CLASSES - (h->bulk ? 3 : 2));
  h->objects = h->classes - 1;
  for (unsigned t = 0; t < h->threads; t++) {
    const unsigned class = 1 + t / 5;
    h->class_of[t] = (uint8_t)(t >= 32 ? 0 : t % 5 == 0 && class < h->classes ? class : h->classes);
    h->rank[t] = (uint8_t)(t >= 32 ? t - 32 : 0);
  }
  for (unsigned o = 0; o < h->objects; o++) {
    h->copies[o] = 1;
    h->count[o][0] = h->count[o][o + 1] = 1;
    h->expected[o][0] = 1 + h->threads - 32;
  }
}

/* Arrivals that the object counts for a thread of each class. */
static void objects(hi_history_t *h) {
  h->objects = 1 + hi_below(h, h->bulk ? HI_BULK_OBJECTS : HI_OBJECTS);
  for (unsigned o = 0; o < h->objects; o++) {
    const bool large = hi_chance(h, 15);
    h->copies[o] = hi_chance(h, 60) ? 1 : 1 + hi_below(h, HI_COPIES);
    for (unsigned c = 0; c < h->classes; c++) {
      uint32_t few = hi_chance(h, 70) ? 1 : 1 + hi_below(h, 4);
      h->count[o][c] = !hi_chance(h, 60) ? 0 : large ? MOST / h->threads : few;
    }
    for (unsigned copy = 0; copy < h->copies[o]; copy++) {
      h->expected[o][copy] = 0;
      for (unsigned c = 0; c < h->classes; c++) {
        h->expected[o][copy] += h->count[o][c] * hi_members(h, c, o, copy);
      }
    }
  }
}

static void add(hi_role_t *r, unsigned at, hi_piece_t piece) {
  memmove(&r->piece[at + 1], &r->piece[at], (r->pieces - at) * sizeof piece);
  r->piece[at] = piece;
  r->pieces++;
}

/* The last arrival of the role stands last: what is put before it comes before the phase's end. */
static void arrivals(hi_history_t *h, hi_role_t *r, uint32_t count, uint32_t drop) {
  uint32_t left = count;
  while (left != 0) {
    hi_piece_t p = {.op = HI_ARRIVE, .n = left};
    if (left > 1 && r->pieces < 3) {
      p.n = 1 + hi_below(h, left > 8 && hi_chance(h, 50) ? left : left < 4 ? left : 4);
      p.n = p.n > left ? left : p.n;
    }
    if (drop != 0) { /* all that is dropped at once, first */
      p.n = drop;
      p.op = p.n == 1 && hi_chance(h, 40) ? HI_DROP_TX : HI_DROP;
    } else if (p.n == 1 && hi_chance(h, 30)) {
      p.op = HI_ARRIVE_TX;
    }
    left -= p.n;
    if (left != 0 && p.op != HI_ARRIVE_TX && p.op != HI_DROP_TX && hi_chance(h, 40)) {
      p.op = p.op == HI_DROP ? HI_DROP_NO_COMPLETE : HI_NO_COMPLETE;
    }
    drop = 0;
    add(r, r->pieces, p);
  }
  if (hi_chance(h, 5)) {
    add(r, hi_below(h, r->pieces), (hi_piece_t){.op = HI_ARRIVE, .n = 0});
  }
}

static uint32_t bytes(hi_history_t *h, uint32_t most) {
  uint32_t n = hi_chance(h, 60) ? 16 * (1 + hi_below(h, 16)) : 1 + hi_below(h, most);
  n = h->bulk ? 16 * (1 + n / 16 % 16) : n;
  return n > most ? most : n;
}

/* Expected bytes: with arrivals that say so, and before the last arrival. The thread's own are
 * completed by itself, at any place, or by one thread for all. */
static void transactions(hi_history_t *h, hi_role_t *r, bool own, uint32_t most) {
  uint32_t sum = 0;
  most = most / 6 + 1;
  if (hi_chance(h, h->bulk ? 90 : 35)) {
    const uint32_t n = bytes(h, most);
    add(r, hi_below(h, r->pieces), (hi_piece_t){.op = HI_EXPECT, .n = n});
  }
  for (unsigned i = 0; i < r->pieces; i++) {
    hi_piece_t *p = &r->piece[i];
    if (p->op == HI_ARRIVE_TX || p->op == HI_DROP_TX) {
      p->n = bytes(h, most);
    }
    sum += p->op == HI_ARRIVE_TX || p->op == HI_DROP_TX || p->op == HI_EXPECT ? p->n : 0;
  }
  if (own && sum != 0) {
    uint32_t first = hi_chance(h, 40) ? hi_below(h, sum) : 0;
    first = h->bulk ? first / 16 * 16 : first;
    if (first != 0) {
      add(r, hi_below(h, r->pieces + 1), (hi_piece_t){.op = HI_COMPLETE, .n = first});
    }
    add(r, hi_below(h, r->pieces + 1),
        (hi_piece_t){.op = HI_COMPLETE, .n = sum - first, .second = first != 0});
  }
}

static uint32_t expected_bytes(const hi_role_t *r) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < r->pieces; i++) {
    const hi_op_t op = r->piece[i].op;
    sum += op == HI_EXPECT || op == HI_ARRIVE_TX || op == HI_DROP_TX ? r->piece[i].n : 0;
  }
  return sum;
}

/* The class whose first threads complete for all: one that has a member at each copy. -1: none. */
static int completer(const hi_history_t *h, unsigned object, const uint32_t *left, unsigned first) {
  for (unsigned i = 0; i < h->classes; i++) {
    unsigned c = (first + i) % h->classes;
    if (left[c] != 0 && hi_members(h, c, object, h->copies[object] - 1) != 0) {
      return (int)c;
    }
  }
  return -1;
}

/* Every mbarrier that is in use keeps an arrival when the class drops so many. */
static bool some_left(const hi_history_t *h, unsigned object, const uint32_t *left, unsigned class,
                      uint32_t drop) {
  for (unsigned copy = 0; copy < h->copies[object]; copy++) {
    uint32_t rest = 0;
    for (unsigned c = 0; c < h->classes; c++) {
      rest += (left[c] - (c == class ? drop : 0)) * hi_members(h, c, object, copy);
    }
    if (rest == 0 && h->expected[object][copy] != 0) {
      return false;
    }
  }
  return true;
}

static void role(hi_history_t *h, hi_stage_t *s, unsigned c, bool own, uint32_t *left) {
  hi_role_t *r = &s->role[c];
  uint32_t drop = 0;
  r->in = true;
  if (s->phases == 1 && !h->duel && hi_chance(h, 40)) {
    drop = hi_chance(h, 30) ? left[c] : 1 + hi_below(h, left[c] < 3 ? left[c] : 3);
    drop = some_left(h, s->object, left, c, drop) ? drop : 0;
  }
  r->relaxed = hi_chance(h, 15);
  r->later = hi_chance(h, 30);
  r->leaves = drop == left[c];
  arrivals(h, r, left[c], drop);
  left[c] -= drop;
  const bool plain = r->leaves || (h->duel && hi_chance(h, h->bulk ? 20 : 80));
  for (unsigned i = 0; i < r->pieces && plain;
       i++) { /* who leaves stays for no transaction's end */
    hi_op_t *op = &r->piece[i].op;
    *op = *op == HI_DROP_TX ? HI_DROP : *op == HI_ARRIVE_TX ? HI_ARRIVE : *op;
  }
  if (!plain) {
    transactions(h, r, own, MOST / h->threads);
  }
}

/* false: nobody takes part in this object. */
static bool stage(hi_history_t *h, hi_stage_t *s, unsigned object, uint32_t *left) {
  const bool own = h->duel || hi_chance(h, 40) || completer(h, object, left, 0) < 0;
  bool any = false;
  *s = (hi_stage_t){.object = object, .phases = hi_chance(h, 50) ? 1 : 1 + hi_below(h, 4)};
  s->phases += h->duel ? 2 + hi_below(h, 6) : 0;
  const int who = own ? -1 : completer(h, object, left, hi_below(h, h->classes));
  for (unsigned c = 0; c < h->classes; c++) {
    if (left[c] != 0 && hi_members(h, c, object, 0) != 0) {
      any = true;
      role(h, s, c, own, left);
    }
  }
  if (who >= 0 && s->role[who].leaves) {
    return false;
  }
  for (unsigned c = 0; c < h->classes && who >= 0; c++) {
    for (unsigned copy = 0; copy < h->copies[object] && s->role[c].in; copy++) {
      s->due[copy] += expected_bytes(&s->role[c]) * hi_members(h, c, object, copy);
    }
  }
  for (unsigned half = 0; half < 2 && who >= 0; half++) {
    hi_role_t *r = &s->role[who];
    const unsigned at = hi_below(h, r->pieces + 1);
    add(r, at, (hi_piece_t){.op = HI_COMPLETE, .all = true, .second = half != 0});
  }
  return any;
}

/* Cycles, about: shared memory does operations thread by thread, a warp does its classes one by one. */
static unsigned price(const hi_history_t *h, const hi_stage_t *s) {
  unsigned sum = 0;
  for (unsigned c = 0; c < h->classes; c++) {
    unsigned warps = 0;
    for (unsigned t = 0; t < h->threads && s->role[c].in; t++) {
      sum += h->class_of[t] == c ? 6 * s->role[c].pieces : 0;
      warps |= h->class_of[t] == c ? 1u << t / 32 : 0;
    }
    for (; warps != 0; warps &= warps - 1) {
      sum += 100 + 40 * s->role[c].pieces;
    }
  }
  return sum * s->phases;
}

static void epoch(hi_history_t *h, unsigned e, unsigned most) {
  uint32_t left[HI_OBJECTS][HI_CLASSES];
  unsigned spent = 0;
  memcpy(left, h->count, sizeof left);
  for (unsigned tries = 0; tries < 8 * HI_STAGES && h->stages[e] < HI_STAGES; tries++) {
    const unsigned object = hi_below(h, h->objects);
    hi_stage_t *s = &h->stage[e][h->stages[e]];
    uint32_t before[HI_CLASSES];
    memcpy(before, left[object], sizeof before);
    const bool good = stage(h, s, object, left[object]);
    if (!good || spent + price(h, s) > most) {
      memcpy(left[object], before, sizeof before);
      continue;
    }
    spent += price(h, s);
    h->stages[e]++;
  }
}

void hi_plan(uint64_t seed, uint64_t index, bool bulk, hi_history_t *h) {
  memset(h, 0, sizeof *h);
  h->random = seed * UINT64_C(0x9e3779b97f4a7c15) + index * UINT64_C(0xd6e8feb86659fd93);
  h->bulk = bulk;
  if (bulk) {
    h->sends = hi_chance(h, 75);
    h->one = 1u << hi_below(h, 4);
  }
  if (hi_chance(h, 30)) {
    duel(h);
  } else {
    classes(h);
    objects(h);
  }
  h->epochs = hi_chance(h, 30) ? 2 : 1;
  for (unsigned e = 0; e < h->epochs; e++) {
    epoch(h, e, (h->duel || bulk ? 2 * CYCLES : CYCLES) / h->epochs);
  }
}
