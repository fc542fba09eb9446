/* flip.c: one flip and its outcome. "Reported" is the verdict of the comparison and nothing else;
 * "dead" is the whole state of the clean run again; what is left when the same launch has run once
 * more is judged by the rules of rows.txt. docs/faults.md */
#include "driver/faults/faults.h"

#include <string.h>

const char *const wl_outcome_name[WL_NUM_OUTCOMES] = {"pending", "reported", "dead",
                                                      "latent",  "missed",   "broken"};

/* The row whose comparison reported it. Device memory has neither array nor records of its own. */
static int reporting_row(const wl_cosim_report_t *report) {
  const bool memory = strstr(report->text, ": device memory at ") != NULL;
  for (int i = 0; wl_state_info[i].name != NULL; i++) {
    const wl_state_info_t *s = &wl_state_info[i];
    if (strcmp(s->name, "mem") == 0 ? memory
        : report->view >= 0         ? s->view == report->view
                                    : report->kind >= 0 && s->record == report->kind)
      return i;
  }
  return -1;
}

static void reported(wl_fault_run_t *run, wl_flip_t *flip, bool at_end) {
  flip->outcome = WL_OUT_REPORTED;
  flip->at_end = at_end;
  flip->distance = run->cycle - 1 - flip->cycle;
  flip->by_state = reporting_row(&run->report);
}

typedef struct left {
  wl_flip_t *flip;
  bool defined; /* content that means something differs */
} left_t;

/* rows.txt; the launch has ended, as the clean run shows. */
static bool undefined(const wl_fault_register_t *r) {
  unsigned in_byte;
  if (r->entry->rule != WL_RULE_VALID) return r->entry->rule != WL_RULE_NEVER;
  const uint8_t *top = wl_fault_bit_at(r, r->width - 1, &in_byte);
  return (*top >> in_byte & 1) == 0;
}

static void note(void *context, const wl_fault_register_t *r, uint64_t bit) {
  left_t *l = context;
  const bool defined = !undefined(r);
  if (defined && !l->defined) l->flip->where[0] = '\0'; /* these first */
  const size_t at = strlen(l->flip->where);
  if (defined >= l->defined && at + strlen(r->name) + 16 < sizeof l->flip->where)
    snprintf(l->flip->where + at, sizeof l->flip->where - at, " %s:%llu", r->name,
             (unsigned long long)bit);
  l->defined = l->defined || defined;
  l->flip->left++;
}

static void at_last(wl_fault_run_t *run, wl_fault_trace_t *trace, wl_flip_t *flip) {
  left_t left = {.flip = flip, .defined = run->cycle != wl_clean_all_cycles(trace)};
  if (!left.defined) wl_clean_differences(trace, run, note, &left);
  flip->distance = run->cycle - flip->cycle;
  flip->outcome = left.defined ? WL_OUT_MISSED : flip->left == 0 ? WL_OUT_DEAD : WL_OUT_LATENT;
}

/* To the end of a launch, or until the outcome is known. */
static void go_on(wl_fault_run_t *run, wl_fault_trace_t *trace, wl_flip_t *flip) {
  wl_cosim_verdict_t verdict = WL_COSIM_EQUAL;
  while (verdict == WL_COSIM_EQUAL && flip->outcome == WL_OUT_PENDING) {
    verdict = wl_fault_step(run);
    if (verdict == WL_COSIM_DIVERGED || verdict == WL_COSIM_ERROR) {
      reported(run, flip, false);
    } else if (verdict == WL_COSIM_EQUAL && wl_clean_equal(trace, run)) {
      flip->outcome = WL_OUT_DEAD;
      flip->distance = run->cycle - flip->cycle;
    }
  }
  if (verdict == WL_COSIM_DONE && wl_cosim_end(run->cosim, &run->report) != WL_COSIM_DONE)
    reported(run, flip, true);
}

void wl_flip_run(wl_fault_run_t *run, wl_fault_trace_t *trace, wl_flip_t *flip) {
  unsigned in_byte;
  uint8_t *byte = wl_fault_bit_at(flip->reg, flip->bit, &in_byte);
  *byte ^= (uint8_t)(1U << in_byte);
  wl_probe_settle(run->side);
  for (unsigned launch = 0; launch < WL_FAULT_LAUNCHES && flip->outcome == WL_OUT_PENDING;
       launch++) {
    flip->second = launch != 0;
    if (launch != 0 && !wl_fault_again(run)) return;
    go_on(run, trace, flip);
  }
  if (flip->outcome == WL_OUT_PENDING) at_last(run, trace, flip);
}
