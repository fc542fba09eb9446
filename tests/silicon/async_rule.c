#include "tests/silicon/async_rule.h"

#include <string.h>

#include "tests/common/mbarrier_reference.h"

/* What PTX leaves undefined, and silicon executes: Warplock has the trap MBARRIER or COPY_SIZE. */
static const struct {
  const char *start, *reason;
} others[] = {
    {"init=4294967295 ", "a count of arrivals above 1048575 (9.7.13.15.9): taken as 1048575"},
    {"init=1 expect=1048575 expect=1 ",
     "a transaction count of 1048576, beyond its range (9.7.13.15.2.1)"},
    {"init=1048575 async ",
     "1048576 pending arrivals until the copies are over, beyond their range (9.7.13.15.15)"},
    {"init=1 bulk=8 ", "a size that is not a multiple of 16 (9.7.9.25.4.1): taken as 0"},
    {"init=1 bulk=24 ", "a size that is not a multiple of 16 (9.7.9.25.4.1): taken as 16"},
};

static const struct {
  const char *name;
  wl_ref_mbar_op_t op;
} operations[] = {
    {"init", WL_REF_MBAR_INIT},         {"arrive", WL_REF_MBAR_ARRIVE},
    {"nocomplete", WL_REF_MBAR_ARRIVE}, {"arrivetx", WL_REF_MBAR_ARRIVE_TX},
    {"drop", WL_REF_MBAR_DROP},         {"dropnc", WL_REF_MBAR_DROP},
    {"droptx", WL_REF_MBAR_DROP_TX},    {"expect", WL_REF_MBAR_EXPECT},
    {"complete", WL_REF_MBAR_COMPLETE}, {"noinc", WL_REF_MBAR_ARRIVE},
    {"bulk", WL_REF_MBAR_COMPLETE},     {"bulkto", WL_REF_MBAR_COMPLETE},
    {"bulkfrom", WL_REF_MBAR_COMPLETE},
};

static bool is(const async_step_t *s, const char *name) { return strcmp(s->name, name) == 0; }

static bool starts(const async_step_t *s, const char *name) {
  return strncmp(s->name, name, strlen(name)) == 0;
}

typedef struct rule {
  wl_ref_mbar_t object;
  bool live;
  int64_t at;
  unsigned states;
  uint64_t phase[ASYNC_STEPS]; /* of the states */
} rule_t;

static async_end_t bulk(rule_t *r, const async_step_t *s, uint32_t bytes) {
  const bool place = !is(s, "bulk"); /* the number is a distance, in bytes */
  if (place && s->number % 16 != 0) {
    return ASYNC_MISALIGNED;
  }
  if (!place && bytes % 16 != 0) {
    return ASYNC_SIZE;
  }
  bool good = wl_ref_mbar(&r->object, WL_REF_MBAR_COMPLETE, place ? 16 : bytes);
  return good ? ASYNC_ENDS : ASYNC_MISUSE;
}

/* One step; *word is its second word. */
static async_end_t step(rule_t *r, const async_step_t *s, uint32_t *word) {
  uint32_t n = s->number != ASYNC_NONE ? (uint32_t)s->number : 1;
  *word = UINT32_MAX;
  if (is(s, "outside")) {
    return ASYNC_NO_MEMORY;
  }
  if (r->at % 8 != 0) {
    return ASYNC_MISALIGNED;
  }
  if (async_has_state(s)) {
    *word = (uint32_t)r->object.pending;
    r->phase[r->states++] = r->object.phase;
  }
  if (is(s, "try")) {
    *word = wl_ref_mbar_over(&r->object, (unsigned)(r->phase[r->states - 1] & 1));
  }
  r->live = (r->live || is(s, "init")) && !is(s, "inval");
  r->at += is(s, "at") ? s->number : 0;
  if (starts(s, "bulk")) {
    return bulk(r, s, n);
  }
  if (is(s, "async") && r->object.pending == WL_REF_MBAR_MOST) {
    return ASYNC_MISUSE;
  }
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
    if (is(s, operations[i].name) && !wl_ref_mbar(&r->object, operations[i].op, n)) {
      return ASYNC_MISUSE;
    }
  }
  return ASYNC_ENDS; /* copy, async: done at once, and then pending is what it was */
}

static uint32_t waits(const rule_t *r) {
  uint32_t word = 0;
  for (unsigned i = 0; i < 2 + r->states && r->live; i++) {
    unsigned parity = i < 2 ? i : (unsigned)(r->phase[i - 2] & 1);
    word |= (uint32_t)wl_ref_mbar_over(&r->object, parity) << i;
  }
  return word;
}

async_end_t async_rule(const async_program_t *p, uint32_t result[ASYNC_WORDS]) {
  rule_t r = {.live = false};
  for (unsigned i = 0; i < p->steps; i++) {
    async_end_t end = step(&r, &p->step[i], &result[2 * i + 1]);
    if (end != ASYNC_ENDS) {
      return end;
    }
    result[2 * i] = is(&p->step[i], "at") ? 0 : waits(&r);
  }
  return ASYNC_ENDS;
}

const char *async_error(async_end_t end) {
  return end == ASYNC_MISUSE       ? ": error 719 "
         : end == ASYNC_MISALIGNED ? ": error 716 "
         : end == ASYNC_NO_MEMORY  ? ": error 715 "
                                   : NULL;
}

const char *async_differs(const async_program_t *p) {
  char line[ASYNC_TEXT];
  size_t used = 0;
  async_text(p, NULL, "", line);
  for (size_t i = 0; line[i] != '\0'; i++) { /* without the commas */
    if (line[i] != ',') {
      line[used++] = line[i];
    }
  }
  line[used] = '\0';
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (strncmp(line, others[i].start, strlen(others[i].start)) == 0) {
      return others[i].reason;
    }
  }
  return NULL;
}

bool async_bulk(const async_program_t *p) {
  for (unsigned i = 0; i < p->steps; i++) {
    if (starts(&p->step[i], "bulk")) {
      return true;
    }
  }
  return false;
}
