#include "tests/silicon/async.h"
#include "tests/silicon/emit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One program a line. Operations of an mbarrier: init=N, inval, arrive, arrive=N, nocomplete=N
 * (arrive.noComplete), arrivetx=N (arrive.expect_tx), drop, drop=N, dropnc=N (noComplete),
 * droptx=N, expect=N (expect_tx), complete=N (complete_tx), copy (cp.async of 4 bytes), async
 * (cp.async.mbarrier.arrive), noinc (the same), bulk=N (a bulk copy of N bytes to shared memory),
 * bulkto=N (16 bytes to an address N bytes after a multiple of 128), bulkfrom=N (from such an
 * address), try (try_wait for the last state, 100 ns), at=N (the object lies N bytes further on),
 * outside (init with a generic address in global memory). */
static const char *const programs[] = {
    /* Phases, and states of phases long gone. */
    "init=1 arrive arrive arrive arrive arrive",
    "init=2 arrive arrive arrive arrive arrive arrive",
    "init=3 arrive=2 arrive arrive=3 arrive arrive=2",
    "init=3 nocomplete=1 nocomplete=1 arrive nocomplete=2 arrive",
    "init=1048575 arrive arrive=1048574 arrive=1048575",
    "init=2 arrive try arrive try",
    "init=2 arrive=0 arrive=0 arrive=2 arrive",
    /* Fewer from the next phase on. */
    "init=3 drop arrive arrive arrive arrive arrive",
    "init=4 drop=2 arrive=2 arrive arrive arrive",
    "init=5 dropnc=2 nocomplete=1 arrive=2 arrive=3 arrive",
    "init=3 droptx=16 arrive=2 complete=16 arrive arrive",
    "init=1 drop arrive arrive",
    "init=2 drop=2 arrive arrive=2",
    /* Transactions. */
    "init=1 expect=16 arrive complete=16 arrive",
    "init=1 complete=16 arrive expect=16 arrive",
    "init=1 complete=16 expect=16 arrive",
    "init=1 expect=16 complete=16 arrive",
    "init=1 arrivetx=16 complete=8 complete=8 arrive",
    "init=2 arrivetx=16 complete=16 arrive arrive",
    "init=2 arrive arrivetx=16 complete=16 arrive",
    "init=1 arrivetx=16 expect=16 complete=32 arrive",
    "init=1 arrivetx=16 complete=32 expect=16 arrive",
    "init=1 arrivetx=0 arrive",
    "init=1 expect=0 complete=0 arrive",
    "init=1 expect=1048575 arrive complete=1048575 arrive",
    "init=1 complete=1048575 arrive expect=1048575 arrive",
    /* Beyond what is allowed. */
    "init=2 arrive=3 arrive arrive arrive",
    "init=1 arrive=2 arrive arrive arrive",
    "init=1 arrivetx=16 arrive complete=16 arrive",
    "init=3 nocomplete=3 arrive arrive",
    "init=3 nocomplete=4 arrive arrive",
    "init=2 drop=3 arrive arrive",
    "init=0 arrive arrive",
    "init=1048576 arrive arrive",
    "init=4294967295 arrive arrive",
    "init=2 arrive=1048576 arrive arrive",
    "init=1 expect=1048575 expect=1 arrive complete=1048575 complete=1 arrive",
    "init=1 expect=1048576 arrive complete=1048575 complete=1 arrive",
    "init=1 complete=1048575 complete=1 arrive expect=1048575 expect=1 arrive",
    "init=1 complete=1048576 arrive expect=1048575 expect=1 arrive",
    "init=2 arrive init=3 arrive=3 arrive",
    "init=2 inval init=1 arrive arrive",
    "at=4 init=1 arrive",
    "outside",
    /* cp.async. */
    "init=1 async arrive arrive",
    "init=1 copy async arrive arrive",
    "init=1 async async async arrive",
    "init=1 noinc arrive",
    "init=1 copy noinc arrive",
    "init=2 copy copy noinc arrive arrive",
    "init=2 noinc noinc noinc arrive",
    "init=2 arrive async arrive arrive",
    "init=1048575 async arrive",
    /* Bulk copies. */
    "init=1 arrivetx=32 bulk=32 arrive",
    "init=1 arrivetx=32 bulk=16 bulk=16 arrive",
    "init=1 bulk=16 arrivetx=16 arrive",
    "init=1 bulk=16 arrive expect=16 arrive",
    "init=2 arrivetx=16 bulk=16 arrive arrive",
    "init=1 bulk=0 arrive arrive",
    "init=1 bulk=8 arrive",
    "init=1 bulk=24 arrive",
    "init=1 arrivetx=16 bulkto=16 arrive",
    "init=1 arrivetx=16 bulkto=8 arrive",
    "init=1 arrivetx=16 bulkfrom=16 arrive",
    "init=1 arrivetx=16 bulkfrom=8 arrive",
};

bool async_at(unsigned index, async_program_t *out) {
  if (index >= sizeof programs / sizeof programs[0]) {
    return false;
  }
  *out = (async_program_t){.steps = 0};
  for (const char *at = programs[index]; *at != '\0'; at += strspn(at, " ")) {
    async_step_t *step = &out->step[out->steps++];
    size_t length = strcspn(at, "= ");
    (void)snprintf(step->name, sizeof step->name, "%.*s", (int)length, at);
    at += length;
    char *end = NULL;
    step->number = *at == '=' ? strtoll(at + 1, &end, 10) : ASYNC_NONE;
    at = end != NULL ? end : at;
  }
  return true;
}

static bool is(const async_step_t *step, const char *name) { return strcmp(step->name, name) == 0; }

bool async_has_state(const async_step_t *step) {
  return strncmp(step->name, "arrive", 6) == 0 || strncmp(step->name, "drop", 4) == 0 ||
         is(step, "nocomplete");
}

/* ---- Kernel. */

/* n holds the number; SN is the step's state. */
static const struct {
  const char *name, *text;
} operations[] = {
    {"init", "mbarrier.init.shared.b64 [at], n;"},
    {"inval", "mbarrier.inval.shared.b64 [at];"},
    {"nocomplete", "mbarrier.arrive.noComplete.release.cta.shared.b64 SN, [at], n;"},
    {"arrivetx", "mbarrier.arrive.expect_tx.release.cta.shared.b64 SN, [at], n;"},
    {"dropnc", "mbarrier.arrive_drop.noComplete.release.cta.shared.b64 SN, [at], n;"},
    {"droptx", "mbarrier.arrive_drop.expect_tx.release.cta.shared.b64 SN, [at], n;"},
    {"expect", "mbarrier.expect_tx.relaxed.cta.shared.b64 [at], n;"},
    {"complete", "mbarrier.complete_tx.relaxed.cta.shared.b64 [at], n;"},
    {"copy", "cp.async.ca.shared.global [to], [source], 4;"},
    {"async", "cp.async.mbarrier.arrive.shared.b64 [at];"},
    {"noinc", "cp.async.mbarrier.arrive.noinc.shared.b64 [at];"},
    {"bulk", "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [source], n, "
             "[at];"},
    {"bulkto",
     "add.u32 k, to, n; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
     "[k], [source], 16, [at];"},
    {"bulkfrom", "cvt.u64.u32 wide, n; add.u64 wide, source, wide; "
                 "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [to], [wide], "
                 "16, [at];"},
    {"at", "add.u32 at, at, n;"},
    {"outside", "mbarrier.init.b64 [source], 1;"},
};

static void emit_operation(out_t *o, const async_step_t *step, unsigned states) {
  EMIT(o, "  mov.u32 n, %" PRIu32 ";\n  mov.u32 count, -1;\n", (uint32_t)step->number);
  if (is(step, "arrive") || is(step, "drop")) {
    EMIT(o, "  mbarrier.arrive%s.release.cta.shared.b64 s%u, [at]%s;\n",
         is(step, "drop") ? "_drop" : "", states, step->number != ASYNC_NONE ? ", n" : "");
  } else if (is(step, "try")) {
    EMIT(o, "  mbarrier.try_wait.shared.b64 p, [at], s%u, 100;\n  selp.u32 count, 1, 0, p;\n",
         states - 1);
  }
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
    const char *state = strstr(operations[i].text, "SN");
    if (!is(step, operations[i].name)) {
      continue;
    }
    if (state == NULL) {
      EMIT(o, "  %s\n", operations[i].text);
    } else {
      EMIT(o, "  %.*ss%u%s\n", (int)(state - operations[i].text), operations[i].text, states,
           state + 2);
    }
  }
  if (async_has_state(step)) {
    EMIT(o, "  mbarrier.pending_count.b64 count, s%u;\n", states);
  }
}

/* What test_wait says. After what is asynchronous: some time later. */
static void emit_observation(out_t *o, const async_step_t *step, unsigned states) {
  if (strncmp(step->name, "bulk", 4) == 0 || is(step, "async") || is(step, "noinc")) {
    EMIT(o, "  nanosleep.u32 100000;\n  nanosleep.u32 100000;\n");
  }
  EMIT(o, "  mov.u32 word, 0;\n");
  if (is(step, "inval") || is(step, "at") || is(step, "outside")) {
    return;
  }
  for (unsigned i = 0; i < 2 + states; i++) {
    if (i < 2) {
      EMIT(o, "  mbarrier.test_wait.parity.shared.b64 p, [at], %u;\n", i);
    } else {
      EMIT(o, "  mbarrier.test_wait.shared.b64 p, [at], s%u;\n", i - 2);
    }
    EMIT(o, "  selp.u32 k, %u, 0, p;\n  or.b32 word, word, k;\n", 1u << i);
  }
}

void async_kernel(const async_program_t *p, char *ptx, size_t cap) {
  out_t out = {ptx, 0, cap}, *o = &out;
  unsigned states = 0;
  EMIT(o,
       ".version 8.7\n.target sm_90\n.address_size 64\n"
       ".visible .entry async(.param .u64 pout, .param .u64 psource) {\n"
       "  .shared .align 128 .b8 place[1024];\n  .reg .pred p;\n"
       "  .reg .b32 at, to, n, k, word, count;\n  .reg .b64 out, source, wide, s<%d>;\n"
       "  ld.param.u64 out, [pout];\n  ld.param.u64 source, [psource];\n"
       "  mov.u32 at, place;\n  add.u32 to, at, 256;\n",
       ASYNC_STEPS);
  for (unsigned i = 0; i < p->steps; i++) {
    emit_operation(o, &p->step[i], states);
    states += async_has_state(&p->step[i]);
    emit_observation(o, &p->step[i], states);
    EMIT(o, "  st.global.v2.u32 [out+%u], {word, count};\n", 8 * i);
  }
  EMIT(o, "  ret;\n}\n");
}

/* ---- The record. */

void async_text(const async_program_t *p, const uint32_t *result, const char *error,
                char text[ASYNC_TEXT]) {
  size_t used = 0;
  unsigned states = 0;
  for (unsigned i = 0; i < p->steps; i++) {
    const async_step_t *step = &p->step[i];
    states += async_has_state(step);
    used +=
        (size_t)snprintf(text + used, ASYNC_TEXT - used, "%s%s", i != 0 ? ", " : "", step->name);
    if (step->number != ASYNC_NONE) {
      used += (size_t)snprintf(text + used, ASYNC_TEXT - used, "=%" PRId64, step->number);
    }
    for (unsigned k = 0; k < 2 + states && result != NULL; k++) {
      used += (size_t)snprintf(text + used, ASYNC_TEXT - used, "%s%u",
                               k == 0   ? " "
                               : k == 2 ? "/"
                                        : "",
                               result[2 * i] >> k & 1);
    }
    if (result != NULL && result[2 * i + 1] != UINT32_MAX) {
      used += (size_t)snprintf(text + used, ASYNC_TEXT - used, " %" PRIu32, result[2 * i + 1]);
    }
  }
  (void)snprintf(text + used, ASYNC_TEXT - used, "%s%s\n", result == NULL ? ": " : "",
                 result == NULL ? error : "");
}
