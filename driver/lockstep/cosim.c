/* cosim.c: one reference model beside one core under test, compared cycle by cycle: the functions
 * of warplock_cosim.h that need no device. docs/cosim.md, docs/lockstep.md Nothing that one side
 * says is given to the other; untimed.c has the other way to compare. */
#include "driver/lockstep/cosim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/backend.h"
#include "gen/wl_launch.h"

static wl_status_t refuse(wl_cosim_t *c, wl_status_t status, const char *text) {
  snprintf(c->error, sizeof c->error, "%s", text);
  return status;
}

const wl_layout_t *wl_cosim_layout(const char *config) {
  for (unsigned i = 0; config != NULL && i < WL_NUM_LAYOUTS; i++)
    if (strcmp(wl_layouts[i].config, config) == 0) return &wl_layouts[i];
  return NULL;
}

static wl_status_t check_layout(wl_cosim_t *c, const wl_cosim_options_t *o) {
  const wl_layout_t *own = wl_cosim_layout(o->layout.config);
  if (o->struct_size != sizeof *o) {
    snprintf(
        c->error, sizeof c->error,
        "options of %zu bytes, this library (%s) has %zu: warplock_cosim.h and libwarplock are "
        "of different versions",
        o->struct_size, wl_version(), sizeof *o);
    return WL_ERR_INPUT;
  }
  if (own == NULL) {
    snprintf(c->error, sizeof c->error,
             "no layout of a configuration '%s' (tiny, tiny4, base, full)",
             o->layout.config != NULL ? o->layout.config : "");
    return WL_ERR_INPUT;
  }
  if (o->layout.hash == own->hash && o->layout.record_bytes == own->record_bytes) return WL_OK;
  snprintf(
      c->error, sizeof c->error,
      "record layout of %s: the core under test was built for hash %016llx, records of %u bytes; "
      "this library has hash %016llx, %u bytes (journal.def, packet.def, state.def, Lanes or a "
      "size differs)",
      own->config, (unsigned long long)o->layout.hash, o->layout.record_bytes,
      (unsigned long long)own->hash, own->record_bytes);
  return WL_ERR_INPUT;
}

static wl_status_t open_memory(wl_cosim_t *c, const wl_cosim_options_t *o) {
  if (o->mem != NULL) {
    c->mem[0] = o->mem;
    c->mem_bytes = o->mem_bytes;
    if (o->mem_bytes == 0 || o->mem_bytes % 64 != 0)
      return refuse(c, WL_ERR_INPUT, "memory of the caller: a multiple of 64 bytes");
  } else {
    const wl_status_t status = wl_cosim_open_device(c, o->seed, o->mem_bytes);
    if (status != WL_OK) return status;
  }
  c->mem[1] = malloc(c->mem_bytes);
  return c->mem[1] != NULL ? WL_OK
                           : refuse(c, WL_ERR_INTERNAL, "out of memory for the second image");
}

static wl_status_t open_model(wl_cosim_t *c, const wl_cosim_options_t *o, unsigned density) {
  const wl_side_desc_t side = {.config = c->config,
                               .seed = o->seed,
                               .mem = c->mem[0],
                               .mem_bytes = c->mem_bytes,
                               .density = density,
                               .journal = true};
  c->model = wl_side_model.open(&side, c->error, sizeof c->error);
  if (c->model == NULL) return WL_ERR_INTERNAL;
  for (unsigned v = 0; v < WL_NUM_VIEWS; v++) {
    wl_view_sizes(c->config, v, &c->view[0][v]);
    wl_side_model.view(c->model, v, &c->view[0][v]);
  }
  return WL_OK;
}

static void reference_ahead(void *cosim) { wl_cosim_step_reference(cosim); }

static wl_status_t open_cosim(wl_cosim_t *c, const wl_cosim_options_t *o) {
  wl_status_t status = check_layout(c, o);
  if (status != WL_OK) return status;
  const int disturb = wl_disturb_find(o->disturb);
  if (disturb < 0) return refuse(c, WL_ERR_INPUT, "disturb: none, light or heavy");
  const unsigned density = wl_disturbs[disturb].density;
  if (o->mode != WL_COSIM_CYCLE && o->mode != WL_COSIM_UNTIMED)
    return refuse(c, WL_ERR_INPUT, "mode: WL_COSIM_CYCLE or WL_COSIM_UNTIMED");
  if (o->threads > 2) return refuse(c, WL_ERR_INPUT, "threads: 0, 1 or 2");
  c->config_id = (unsigned)(wl_cosim_layout(o->layout.config) - wl_layouts);
  c->config = &wl_configs[c->config_id];
  c->mode = o->mode;
  c->compare_full = o->compare_full;
  snprintf(c->dut_name, sizeof c->dut_name, "%s", o->dut_name != NULL ? o->dut_name : "dut");
  c->name[0] = wl_side_model.name;
  c->name[1] = c->dut_name;
  c->record = o->record;
  c->record_context = o->record_context;
  status = open_memory(c, o);
  if (status == WL_OK) status = open_model(c, o, density);
  if (status != WL_OK) return status;
  wl_memport_open(&c->port, c->config, o->seed, density, c->mem[1], c->mem_bytes);
  c->port.wrote = &c->wrote;
  if (c->mode == WL_COSIM_UNTIMED && !wl_untimed_open(c))
    return refuse(c, WL_ERR_INTERNAL, "out of memory");
  if (c->mode != WL_COSIM_CYCLE || o->threads < 2) return WL_OK;
  c->ahead = wl_ahead_open(reference_ahead, c);
  return c->ahead != NULL ? WL_OK : refuse(c, WL_ERR_INTERNAL, "no second thread");
}

wl_status_t wl_cosim_create(const wl_cosim_options_t *options, wl_cosim_t **out) {
  wl_cosim_t *c = calloc(1, sizeof *c);
  *out = c;
  if (c == NULL) return WL_ERR_INTERNAL;
  return options != NULL ? open_cosim(c, options) : refuse(c, WL_ERR_INPUT, "no options");
}

void wl_cosim_destroy(wl_cosim_t *c) {
  if (c == NULL) return;
  wl_ahead_close(c->ahead);
  wl_untimed_close(c);
  if (c->model != NULL) wl_side_model.close(c->model);
  wl_device_close(c->device);
  free(c->mem[1]);
  free(c);
}

const char *wl_cosim_error(const wl_cosim_t *c) { return c != NULL ? c->error : "out of memory"; }
wl_device_t *wl_cosim_device(wl_cosim_t *c) { return c->device; }
uint64_t wl_cosim_launch_block(const wl_cosim_t *c) { return c->launch_block; }

uint8_t *wl_cosim_memory(wl_cosim_t *c, uint64_t *base, uint64_t *bytes) {
  if (base != NULL) *base = WL_MEM_BASE;
  if (bytes != NULL) *bytes = c->mem_bytes;
  return c->mem[1];
}

wl_status_t wl_cosim_register(wl_cosim_t *c, wl_view_id_t view, const wl_cosim_view_t *array) {
  if (c->mode != WL_COSIM_CYCLE)
    return refuse(c, WL_ERR_INPUT, "arrays are compared in cycle mode only");
  if ((unsigned)view >= WL_NUM_VIEWS) return refuse(c, WL_ERR_INPUT, "no such array");
  const wl_view_t *own = &c->view[0][view];
  if (array->slices != own->slices || array->rows != own->rows || array->stride == 0) {
    snprintf(c->error, sizeof c->error, "array %s: %u slices of %u rows, %s has %u of %u",
             wl_view_info[view]->name, array->slices, array->rows, c->config->name, own->slices,
             own->rows);
    return WL_ERR_INPUT;
  }
  for (unsigned i = 0; i < array->slices; i++)
    if (array->base[i] == NULL) {
      snprintf(c->error, sizeof c->error, "array %s: slice %u has no address",
               wl_view_info[view]->name, i);
      return WL_ERR_INPUT;
    }
  c->view[1][view] = *array;
  c->registered[view] = array->slices > 0; /* a unit that the row lacks has no array */
  c->any_registered = c->any_registered || c->registered[view];
  return WL_OK;
}

const wl_cosim_view_t *wl_cosim_reference_view(const wl_cosim_t *c, wl_view_id_t view) {
  return (unsigned)view < WL_NUM_VIEWS ? &c->view[0][view] : NULL;
}

wl_status_t wl_cosim_start(wl_cosim_t *c, uint64_t launch_block) {
  wl_launch_block_t block;
  if (c->diverged) return refuse(c, WL_ERR_DIVERGENCE, "the sides differ since a former launch");
  if (c->running) return refuse(c, WL_ERR_INPUT, "the former launch has not ended");
  if (launch_block % 32 != 0 || launch_block < WL_MEM_BASE ||
      launch_block - WL_MEM_BASE + sizeof block > c->mem_bytes)
    return refuse(c, WL_ERR_INPUT, "launch block outside device memory or not 32-byte aligned");
  memcpy(&block, c->mem[0] + (launch_block - WL_MEM_BASE), sizeof block);
  c->code_base = wl_pair(block.code_base);
  c->launch_block = launch_block;
  memset(c->issue, 0, sizeof c->issue);
  wl_side_trap_t trap;
  wl_side_model.trap(c->model, &trap);
  wl_writers_start(&c->writers, trap.valid);
  wl_journal_clear(&c->journal);              /* of the launch before */
  memcpy(c->mem[1], c->mem[0], c->mem_bytes); /* the host's writes */
  c->wrote = 0;
  c->start = c->running = true;
  if (c->mode == WL_COSIM_UNTIMED) wl_untimed_start(c);
  return WL_OK;
}

/* What the report needs to name things, from the reference's records. */
static void note_records(wl_cosim_t *c) {
  for (unsigned i = 0; i < c->journal.records; i++) {
    const wl_cosim_record_t *r = &c->journal.record[i];
    const uint32_t *w = r->word;
    c->records[r->kind]++;
    if (r->kind == WL_J_ISSUE) {
      c->issue[w[0] % WL_MOST_WARPS] = (wl_issue_note_t){c->cycle, w[1], w[3], true};
    } else if (r->kind == WL_J_PAGE) {
      wl_pages_note(&c->pages, c->config, w);
    }
  }
}

wl_side_t *wl_cosim_reference(wl_cosim_t *c) { return c->model; }

void wl_cosim_note_writers(const wl_cosim_t *c, wl_writers_t *writers, const wl_pages_t *pages,
                           const wl_cosim_record_t *records, unsigned n, uint64_t cycle) {
  const uint64_t at = c->code_base - WL_MEM_BASE;
  if (c->code_base < WL_MEM_BASE || at > c->mem_bytes) return;
  wl_writers_note(writers, c->config, pages, c->mem[0] + at, c->mem_bytes - at, records, n, cycle);
}

void wl_cosim_step_reference(wl_cosim_t *c) {
  if (c->mode == WL_COSIM_CYCLE)
    wl_cosim_note_writers(c, &c->writers, &c->pages, c->journal.record, c->journal.records,
                          c->cycle - 1);
  wl_journal_clear(&c->journal);
  if (c->start)
    wl_side_model.start(c->model, c->launch_block, &c->journal);
  else
    wl_side_model.step(c->model, &c->journal);
  c->start = false;
}

/* The DUT's records are of kinds and sizes that the layout has. */
static bool legal_records(const wl_cosim_t *c, wl_cosim_report_t *report) {
  if (c->dut_records > WL_JOURNAL_MAX_RECORDS) {
    snprintf(report->text, sizeof report->text,
             "%u records in cycle %llu, at most %d are possible\n", c->dut_records,
             (unsigned long long)c->cycle, WL_JOURNAL_MAX_RECORDS);
    return false;
  }
  for (unsigned i = 0; i < c->dut_records; i++) {
    const wl_cosim_record_t *r = &c->dut[i];
    const bool known = r->kind < WL_NUM_JOURNAL_KINDS;
    const unsigned words = known ? wl_journal_info[r->kind].words[c->config_id] : 0;
    if (known && r->words == words) continue;
    snprintf(report->text, sizeof report->text,
             known ? "record %u of cycle %llu: kind %u has %u words, %u are given\n"
                   : "record %u of cycle %llu: no kind %u\n",
             i, (unsigned long long)c->cycle, r->kind, words, r->words);
    return false;
  }
  return true;
}

static bool same_signals(wl_cosim_t *c, wl_cosim_report_t *report) {
  if (!c->signals) return true;
  const bool done = wl_side_model.done(c->model), hung = wl_side_model.hung(c->model);
  if (done != c->done)
    wl_report_flag(c, done, "has ended the launch", report);
  else if (hung != c->hang)
    wl_report_flag(c, hung, "reports a hang", report);
  return done == c->done && hung == c->hang;
}

/* The TRAP record shows what is latched; this, what the register then holds. */
static bool same_trap(wl_cosim_t *c, wl_cosim_report_t *report) {
  if (!c->has_trap) return true;
  c->has_trap = false;
  wl_side_trap_t trap[2] = {{0}, c->trap};
  wl_side_model.trap(c->model, &trap[0]);
  if (!trap[0].valid && !trap[1].valid) return true;
  if (trap[0].valid == trap[1].valid && trap[0].cause == trap[1].cause &&
      trap[0].warp == trap[1].warp && trap[0].lane == trap[1].lane && trap[0].pc == trap[1].pc &&
      trap[0].address == trap[1].address)
    return true;
  wl_report_trap_register(c, trap, report);
  return false;
}

bool wl_cosim_compare_outputs(wl_cosim_t *c, wl_cosim_report_t *report) {
  return same_signals(c, report) && same_trap(c, report);
}

/* Everything that the two sides show in this cycle. */
static bool cycle_equal(wl_cosim_t *c, wl_cosim_report_t *report) {
  wl_journal_difference_t jd;
  if (!wl_journal_equal(c->journal.record, c->journal.records, c->dut, c->dut_records, &jd)) {
    wl_report_records(c, &jd, report);
    return false;
  }
  if (c->compare_full ? !wl_cosim_compare_arrays(c, "full compare of the cycle", report)
                      : !wl_cosim_scrub(c, report))
    return false;
  return wl_cosim_compare_written(c, report) && wl_cosim_compare_outputs(c, report);
}

void wl_cosim_advance(wl_cosim_t *c) {
  wl_cosim_step_reference(c);
  note_records(c);
  wl_history_add(&c->history[0], c->cycle, c->journal.record, c->journal.records);
  if (c->record != NULL)
    c->record(c->record_context, c->cycle, c->journal.record, c->journal.records);
  c->cycle++;
}

void wl_cosim_begin(wl_cosim_t *c) {
  if (c->ahead != NULL && !c->diverged) wl_ahead_begin(c->ahead);
}

static wl_cosim_verdict_t cycle_step(wl_cosim_t *c, bool stepped, wl_cosim_report_t *report) {
  if (!stepped) wl_cosim_step_reference(c);
  note_records(c);
  const bool equal = cycle_equal(c, report);
  wl_history_add(&c->history[0], c->cycle, c->journal.record, c->journal.records);
  wl_history_add(&c->history[1], c->cycle, c->dut, c->dut_records);
  if (c->record != NULL)
    c->record(c->record_context, c->cycle, c->journal.record, c->journal.records);
  if (!equal) return WL_COSIM_DIVERGED;
  if (!c->running || !wl_side_model.done(c->model)) return WL_COSIM_EQUAL;
  c->running = false;
  return WL_COSIM_DONE;
}

wl_cosim_verdict_t wl_cosim_step(wl_cosim_t *c, const wl_cosim_record_t *records, unsigned n,
                                 wl_cosim_report_t *report) {
  const bool stepped = c->ahead != NULL && wl_ahead_finish(c->ahead);
  c->dut = records;
  c->dut_records = n;
  if (c->diverged || c->model == NULL || !legal_records(c, report)) {
    const char *why = c->model == NULL ? c->error : "the sides differ since an earlier cycle";
    if (c->diverged || c->model == NULL) snprintf(report->text, sizeof report->text, "%s\n", why);
    return WL_COSIM_ERROR;
  }
  const wl_cosim_verdict_t verdict =
      c->mode == WL_COSIM_UNTIMED ? wl_untimed_step(c, report) : cycle_step(c, stepped, report);
  c->diverged = verdict == WL_COSIM_DIVERGED;
  c->cycle++;
  return verdict;
}

void wl_cosim_signals(wl_cosim_t *c, bool done, bool hang) {
  c->signals = true;
  c->done = done;
  c->hang = hang;
}

void wl_cosim_trap(wl_cosim_t *c, bool valid, uint32_t cause, uint32_t warp, uint32_t lane,
                   uint32_t pc, uint64_t address) {
  c->has_trap = true;
  c->trap = (wl_side_trap_t){valid, cause, warp, lane, pc, address};
}

void wl_cosim_take_signals(wl_cosim_t *c, const wl_side_ops_t *ops, const wl_side_t *side) {
  wl_cosim_signals(c, ops->done(side), ops->hung(side));
  if (!c->done) return;
  wl_side_trap_t t;
  ops->trap(side, &t);
  wl_cosim_trap(c, t.valid, t.cause, t.warp, t.lane, t.pc, t.address);
}

wl_cosim_verdict_t wl_cosim_end(wl_cosim_t *c, wl_cosim_report_t *report) {
  wl_cosim_verdict_t verdict = WL_COSIM_DONE;
  if (c->diverged) {
    snprintf(report->text, sizeof report->text, "the sides differ since an earlier cycle\n");
    return WL_COSIM_ERROR;
  }
  if (c->mode == WL_COSIM_UNTIMED)
    verdict = wl_untimed_end(c, report);
  else if (!wl_cosim_compare_arrays(c, "full compare at the end", report) ||
           !wl_cosim_compare_memory(c, report))
    verdict = WL_COSIM_DIVERGED;
  c->diverged = verdict == WL_COSIM_DIVERGED;
  return verdict;
}

void wl_cosim_state(const wl_cosim_t *c, wl_cosim_state_t *out) {
  wl_side_trap_t trap;
  wl_side_counters_t counters;
  wl_side_model.trap(c->model, &trap);
  wl_side_model.counters(c->model, &counters);
  *out = (wl_cosim_state_t){.done = wl_side_model.done(c->model),
                            .hung = wl_side_model.hung(c->model),
                            .trapped = trap.valid,
                            .cause = trap.cause,
                            .warp = trap.warp,
                            .lane = trap.lane,
                            .pc = trap.pc,
                            .address = trap.address,
                            .cycles = c->cycle,
                            .instructions = counters.issues,
                            .thread_instructions = counters.thread_issues,
                            .packets = counters.packets,
                            .fault = wl_side_model.fault(c->model)};
}

bool wl_cosim_last_issue(const wl_cosim_t *c, unsigned warp, uint32_t *pc, uint64_t *cycle) {
  if (warp >= c->config->warps || !c->issue[warp].valid) return false;
  *pc = c->issue[warp].pc;
  *cycle = c->issue[warp].cycle;
  return true;
}

void wl_cosim_record_text(const wl_cosim_record_t *record, char *out, size_t cap) {
  wl_journal_text(record, out, cap);
}
void wl_cosim_port_begin(wl_cosim_t *c, wl_cosim_port_in_t *in) { wl_memport_begin(&c->port, in); }
void wl_cosim_port_end(wl_cosim_t *c, const wl_cosim_port_out_t *out) {
  wl_memport_end(&c->port, out);
}
