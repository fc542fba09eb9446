/* test_refuse.c: what warplock_cosim.h refuses, with the text that says why; and the memory port's
 * timing. docs/cosim.md, docs/microarchitecture.md 13. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock_cosim.h"

static int failures;

static void check(const char *name, bool ok, const char *got) {
  if (ok) return;
  failures++;
  printf("%s: got '%s'\n", name, got);
}

static wl_cosim_options_t good(void) {
  return (wl_cosim_options_t){
      .struct_size = sizeof(wl_cosim_options_t), .layout = wl_layouts[0], .mem_bytes = 1 << 20};
}

static void refuse_create(const char *name, const wl_cosim_options_t *o, const char *one,
                          const char *two) {
  wl_cosim_t *c = NULL;
  const wl_status_t status = wl_cosim_create(o, &c);
  check(name, status == WL_ERR_INPUT, wl_status_text(status));
  check(name, strstr(wl_cosim_error(c), one) != NULL && strstr(wl_cosim_error(c), two) != NULL,
        wl_cosim_error(c));
  wl_cosim_destroy(c);
}

static void test_create(void) {
  char mine[32], theirs[32];
  wl_cosim_options_t o = good();
  snprintf(mine, sizeof mine, "%016llx", (unsigned long long)o.layout.hash);
  o.layout.hash ^= 1;
  snprintf(theirs, sizeof theirs, "%016llx", (unsigned long long)o.layout.hash);
  refuse_create("hash", &o, mine, theirs);
  o = good();
  o.layout.record_bytes += 4;
  refuse_create("record size", &o, "record layout of tiny", "bytes");
  o = good();
  o.struct_size -= 8;
  refuse_create("options of another version", &o, "different versions", wl_version());
  o = good();
  o.layout.config = "huge";
  refuse_create("configuration", &o, "'huge'", "tiny");
  o = good();
  o.disturb = "strong";
  refuse_create("disturbance", &o, "none, light or heavy", "");
  o = good();
  o.threads = 3;
  refuse_create("threads", &o, "0, 1 or 2", "");
  o = good();
  o.mem_bytes = 100;
  refuse_create("memory", &o, "1 MiB", "");
  refuse_create("no options", NULL, "no options", "");
}

static void test_calls(void) {
  const wl_cosim_options_t o = good();
  wl_cosim_t *c = NULL;
  wl_cosim_report_t *r = calloc(1, sizeof *r);
  wl_cosim_view_t *view = calloc(1, sizeof *view);
  wl_cosim_record_t record = {.kind = 99};
  check("create", wl_cosim_create(&o, &c) == WL_OK, wl_cosim_error(c));
  check("kind", wl_cosim_step(c, &record, 1, r) == WL_COSIM_ERROR && strstr(r->text, "no kind 99"),
        r->text);
  record = (wl_cosim_record_t){.kind = WL_J_ISSUE, .words = 3};
  check("words",
        wl_cosim_step(c, &record, 1, r) == WL_COSIM_ERROR &&
            strstr(r->text, "kind 5 has 4 words, 3 are given"),
        r->text);
  check("too many",
        wl_cosim_step(c, &record, 1000, r) == WL_COSIM_ERROR && strstr(r->text, "1000 records"),
        r->text);
  check("idle cycle", wl_cosim_step(c, NULL, 0, r) == WL_COSIM_EQUAL, r->text);
  view->slices = 7;
  check("slices",
        wl_cosim_register(c, WL_VIEW_RF, view) == WL_ERR_INPUT &&
            strstr(wl_cosim_error(c), "7 slices"),
        wl_cosim_error(c));
  view->slices = wl_view_info[WL_VIEW_PRED]->slices[0];
  view->rows = wl_view_info[WL_VIEW_PRED]->rows[0];
  view->stride = 1;
  check("address",
        wl_cosim_register(c, WL_VIEW_PRED, view) == WL_ERR_INPUT &&
            strstr(wl_cosim_error(c), "slice 0 has no address"),
        wl_cosim_error(c));
  check("block", wl_cosim_start(c, 64) == WL_ERR_INPUT && strstr(wl_cosim_error(c), "launch block"),
        wl_cosim_error(c));
  /* A record that the reference does not have: after it nothing goes on. */
  record = (wl_cosim_record_t){.kind = WL_J_STATE, .words = 1, .word = {2}};
  check("alone",
        wl_cosim_step(c, &record, 1, r) == WL_COSIM_DIVERGED && r->kind == WL_J_STATE &&
            r->cycle == 1 && strstr(r->text, "model  (no such record)"),
        r->text);
  check("after", wl_cosim_step(c, NULL, 0, r) == WL_COSIM_ERROR, r->text);
  check("end after", wl_cosim_end(c, r) == WL_COSIM_ERROR, r->text);
  check("start after", wl_cosim_start(c, UINT64_C(1) << 32) == WL_ERR_DIVERGENCE,
        wl_cosim_error(c));
  free(view);
  free(r);
  wl_cosim_destroy(c);
}

/* A trap register that the reference has not. */
static void test_trap(void) {
  const wl_cosim_options_t o = good();
  wl_cosim_t *c = NULL;
  wl_cosim_report_t *r = calloc(1, sizeof *r);
  check("create", r != NULL && wl_cosim_create(&o, &c) == WL_OK, wl_cosim_error(c));
  if (r == NULL || c == NULL) return;
  wl_cosim_trap(c, false, 3, 2, 1, 7, 64); /* not valid: the rest is not looked at */
  check("no trap", wl_cosim_step(c, NULL, 0, r) == WL_COSIM_EQUAL, r->text);
  wl_cosim_trap(c, true, 3, 2, 1, 7, 64);
  check("trap",
        wl_cosim_step(c, NULL, 0, r) == WL_COSIM_DIVERGED && strstr(r->text, "trap register") &&
            strstr(r->text, "valid 1 cause 3 warp 2 lane 1 pc 7 address 40"),
        r->text);
  free(r);
  wl_cosim_destroy(c);
}

/* A write in cycle 2 and a read in 3, tiny: both answered 16 cycles later, the read has the data.
 */
static void test_port(void) {
  const wl_cosim_options_t o = good();
  wl_cosim_t *c = NULL;
  uint64_t base = 0, bytes = 0;
  check("create", wl_cosim_create(&o, &c) == WL_OK, wl_cosim_error(c));
  uint8_t *mem = wl_cosim_memory(c, &base, &bytes);
  check("memory", base == UINT64_C(1) << 32 && bytes == 1 << 20, "other place or size");
  memset(mem + 96, 0x55, 32);
  int write_at = -1, read_at = -1;
  for (int cycle = 0; cycle < 40; cycle++) {
    wl_cosim_port_in_t in;
    wl_cosim_port_out_t out = {.aw_valid = cycle == 2,
                               .aw_id = 5,
                               .aw_addr = base + 96,
                               .w_strb = 0x0000000f,
                               .w_data = {0x12345678},
                               .ar_valid = cycle == 3,
                               .ar_id = 6,
                               .ar_addr = base + 96};
    wl_cosim_port_begin(c, &in);
    if (in.b_valid && in.b_id == 5) write_at = cycle;
    if (in.r_valid && in.r_id == 6 && in.r_data[0] == 0x12345678 && in.r_data[1] == 0x55555555)
      read_at = cycle;
    check("ready", in.ar_ready && in.aw_ready && in.stall == 0, "stalled without disturbance");
    wl_cosim_port_end(c, &out);
  }
  check("write answer", write_at == 18, "not in cycle 18");
  check("read answer", read_at == 19, "not in cycle 19");
  wl_cosim_destroy(c);
}

/* A sector that the port writes is compared in its cycle: first with the reference's bytes, then with
 * one that differs. */
static void test_written(void) {
  const wl_cosim_options_t o = good();
  wl_cosim_t *c = NULL;
  wl_cosim_report_t *r = calloc(1, sizeof *r);
  wl_addr_t at = 0;
  const uint32_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  wl_cosim_port_in_t in;
  wl_cosim_port_out_t out = {.aw_valid = true, .w_strb = 0xffffffff};
  check("create", wl_cosim_create(&o, &c) == WL_OK, wl_cosim_error(c));
  check("alloc", wl_alloc(wl_cosim_device(c), 64, &at) == WL_OK, "no memory");
  check("write", wl_write(wl_cosim_device(c), at, bytes, sizeof bytes) == WL_OK, "not written");
  out.aw_addr = at;
  memcpy(out.w_data, bytes, sizeof bytes);
  for (unsigned cycle = 0; cycle < 2; cycle++) {
    wl_cosim_port_begin(c, &in);
    wl_cosim_port_end(c, &out);
    const wl_cosim_verdict_t verdict = wl_cosim_step(c, NULL, 0, r);
    if (cycle == 0)
      check("equal", verdict == WL_COSIM_EQUAL, r->text);
    else
      check("differs",
            verdict == WL_COSIM_DIVERGED && r->cycle == 1 &&
                strstr(r->text, "cycle 1: device memory") != NULL,
            r->text);
    out.w_data[5] ^= 0x100;
  }
  free(r);
  wl_cosim_destroy(c);
}

static uint32_t random_word(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  const uint32_t word = (uint32_t)(*state >> 32);
  return (word & 7) == 0 ? word : word >> 8 & 0x1f; /* small ones are nearer to being legal */
}

static wl_cosim_record_t random_record(uint64_t *state) {
  wl_cosim_record_t r = {.kind = (uint16_t)(random_word(state) % WL_NUM_JOURNAL_KINDS)};
  r.words = (uint16_t)wl_journal_info[r.kind].words[0];
  for (unsigned i = 0; i < r.words; i++)
    r.word[i] = random_word(state);
  return r;
}

/* A core that says nonsense is a divergence with a text, in both modes, and never a crash. */
static void test_nonsense(void) {
  wl_cosim_report_t *report = calloc(1, sizeof *report);
  uint64_t state = 20261121;
  for (int round = 0; round < 120; round++) {
    wl_cosim_options_t o = good();
    o.mode = round % 2 != 0 ? WL_COSIM_UNTIMED : WL_COSIM_CYCLE;
    wl_cosim_t *c = NULL;
    check("create", wl_cosim_create(&o, &c) == WL_OK, wl_cosim_error(c));
    check("start", wl_cosim_start(c, UINT64_C(1) << 32) == WL_OK, wl_cosim_error(c));
    wl_cosim_verdict_t verdict = WL_COSIM_EQUAL;
    for (int step = 0; step < 50 && verdict == WL_COSIM_EQUAL; step++) {
      wl_cosim_record_t records[4];
      for (int i = 0; i < 4; i++)
        records[i] = random_record(&state);
      report->text[0] = '\0';
      verdict = wl_cosim_step(c, records, 4, report);
    }
    if (verdict == WL_COSIM_EQUAL) verdict = wl_cosim_end(c, report);
    check("nonsense", verdict == WL_COSIM_DIVERGED && strncmp(report->text, "DIVERGENCE", 10) == 0,
          report->text);
    wl_cosim_destroy(c);
  }
  free(report);
}

int main(void) {
  test_nonsense();
  test_create();
  test_calls();
  test_trap();
  test_port();
  test_written();
  printf("cosim refusals: %d failures\n", failures);
  return failures != 0;
}
