/* test_logic.c: X and Z from a simulator of four states, as libwarplock_dpi gets them (IEEE 1800
 * annex H: aval and bval of each bit), are divergences that name record, word and bits. The library
 * is the one for any simulator; no simulator is needed. docs/cosim.md */
#include <stdio.h>
#include <string.h>

#include "driver/cosim_dpi.h"

static int failures;

static void *open_handle(void) {
  return wl_sv_create(wl_layouts[0].config, wl_layouts[0].hash, 1, "none", 0);
}

static void want(const char *name, void *h, int verdict, int wanted, const char *text) {
  const char *got = wl_sv_text(h);
  if (verdict == wanted && (text == NULL || strstr(got, text) != NULL)) return;
  failures++;
  printf("%s: verdict %d, wanted %d and '%s'; text '%s'\n", name, verdict, wanted,
         text != NULL ? text : "", got);
}

/* A step with a record of which one word has unknown bits. */
static void record(const char *name, int kind, int words, int at, wl_sv_logic_t value,
                   const char *text) {
  wl_sv_logic_t data[WL_RECORD_MAX_WORDS] = {{0, 0}};
  void *h = open_handle();
  data[at] = value;
  wl_sv_record_logic(h, kind, words, data);
  want(name, h, wl_sv_step_logic(h, 0, 0), WL_COSIM_DIVERGED, text);
  want(name, h, wl_sv_step_logic(h, 0, 0), WL_COSIM_DIVERGED, text); /* for good */
  want(name, h, wl_sv_end(h), WL_COSIM_DIVERGED, text);
  wl_sv_destroy(h);
}

static int words_of(int kind) { return (int)wl_journal_info[kind].words[0]; }

/* The names are those of isa/def/journal.def. */
static void test_records(void) {
  const wl_sv_logic_t x = {0x30, 0x30}, z = {0, 0x80000000}, both = {0x1, 0x3};
  record("lane", WL_J_RF, words_of(WL_J_RF), 4, x, "unknown RF data[1]: X in bits 00000030\n");
  record("lane 0", WL_J_RF, words_of(WL_J_RF), 3, x, "unknown RF data[0]: X in bits 00000030\n");
  record("named", WL_J_RF, words_of(WL_J_RF), 2, x, "unknown RF mask: X in bits 00000030\n");
  record("Z", WL_J_ISSUE, words_of(WL_J_ISSUE), 1, z, "unknown ISSUE pc: Z in bits 80000000\n");
  record("X and Z", WL_J_ISSUE, words_of(WL_J_ISSUE), 3, both,
         "unknown ISSUE exec: X in bits 00000003\n");
  record("packet", WL_J_PACKET, words_of(WL_J_PACKET), 6, x, "unknown PACKET sector_hi: X");
  record("packet data", WL_J_PACKET, words_of(WL_J_PACKET), 15, x, "unknown PACKET data7: X");
  record("fetch", WL_J_FETCH, words_of(WL_J_FETCH), 4, x, "unknown FETCH word2: X");
  record("monitor", WL_J_MONITOR, words_of(WL_J_MONITOR), 3, x, "unknown MONITOR pm1_hi: X");
  record("no such record", 99, 2, 1, x, "unknown record word[1]: X");
}

/* Words behind the record's, and all known: no line of X. */
static void test_known(void) {
  wl_sv_logic_t data[WL_RECORD_MAX_WORDS] = {{0, 0}};
  void *h = open_handle();
  data[4] = (wl_sv_logic_t){1, 1};
  wl_sv_record_logic(h, WL_J_ISSUE, 4, data);
  want("behind the words", h, wl_sv_step_logic(h, 0, 0), WL_COSIM_DIVERGED, "ISSUE");
  if (strstr(wl_sv_text(h), "X or Z") != NULL) want("behind the words", h, 0, 1, "");
  wl_sv_destroy(h);
}

static void store(const char *name, int address_word, uint32_t strobe, uint32_t unknown,
                  uint32_t data_unknown, const char *text) {
  wl_sv_logic_t address[2] = {{0, 0}, {1, 0}}, data[8] = {{0, 0}};
  const wl_sv_logic_t bytes = {strobe, unknown};
  void *h = open_handle();
  if (address_word >= 0) address[address_word].bval = 1;
  data[2].bval = data_unknown;
  wl_sv_store_logic(h, address, data, &bytes);
  want(name, h, wl_sv_step_logic(h, 0, 0), text != NULL ? WL_COSIM_DIVERGED : WL_COSIM_EQUAL, text);
  wl_sv_destroy(h);
}

static void test_stores(void) {
  store("known", -1, 0xffffffff, 0, 0, NULL);
  store("byte written", -1, 1 << 9, 0, 0xffffffff, "unknown store data[2]: Z in bits 0000ff00\n");
  store("bytes not written", -1, ~(UINT32_C(0xf) << 8), 0, 0xffffffff, NULL);
  store("strobe", -1, 0, 0x10, 0, "unknown store strobe: Z in bits 00000010\n");
  store("address", 1, 1, 0, 0, "unknown store addr_hi: X in bits 00000001\n");
}

static void trap(const char *name, unsigned char valid, unsigned unknown, const char *text) {
  wl_sv_logic_t v[6] = {{0, 0}};
  void *h = open_handle();
  for (unsigned i = 0; i < 6; i++)
    if ((unknown >> i & 1) != 0) v[i] = (wl_sv_logic_t){4, 4};
  wl_sv_trap_logic(h, valid, &v[0], &v[1], &v[2], &v[3], &v[4]);
  want(name, h, wl_sv_step_logic(h, 0, 0), text != NULL ? WL_COSIM_DIVERGED : WL_COSIM_EQUAL, text);
  wl_sv_destroy(h);
}

static void test_traps(void) {
  static const char *const names[] = {"cause", "warp", "lane", "pc", "addr_lo", "addr_hi"};
  trap("empty", 0, 0x3f, NULL);
  trap("valid", 3, 0, "unknown signal trap valid: X in bits 00000001\n");
  trap("valid Z", 2, 0, "unknown signal trap valid: Z in bits 00000001\n");
  for (unsigned i = 0; i < 6; i++) {
    char text[64];
    snprintf(text, sizeof text, "unknown trap %s: X in bits 00000004\n", names[i]);
    trap(names[i], 1, 1U << i, text);
  }
}

/* Steps, several unknown words in one cycle, and another handle that has none. */
static void test_steps(void) {
  wl_sv_logic_t data[WL_RECORD_MAX_WORDS];
  void *h = open_handle(), *other = open_handle();
  for (int i = 0; i < 3; i++) {
    want("idle", h, wl_sv_step_logic(h, 0, 0), WL_COSIM_EQUAL, NULL);
    want("idle", other, wl_sv_step(other, 0, 0), WL_COSIM_EQUAL, NULL);
  }
  want("hang", h, wl_sv_step_logic(h, 0, 3), WL_COSIM_DIVERGED, "DIVERGENCE at cycle 3: ");
  want("hang", h, wl_sv_step_logic(h, 2, 0), WL_COSIM_DIVERGED, "unknown signal hang: X");
  want("done too", h, wl_sv_step_logic(h, 0, 0), WL_COSIM_DIVERGED, "unknown signal done: Z");
  want("other", other, wl_sv_step_logic(other, 0, 0), WL_COSIM_EQUAL, NULL);
  for (int i = 0; i < WL_RECORD_MAX_WORDS; i++)
    data[i] = (wl_sv_logic_t){1, 1};
  for (int i = 0; i < 200; i++)
    wl_sv_record_logic(h, WL_J_PACKET, words_of(WL_J_PACKET),
                       data); /* more than there is room for */
  want("many", h, wl_sv_step_logic(h, 0, 0), WL_COSIM_DIVERGED, "unknown PACKET data7");
  const char *text = wl_sv_text(h);
  if (text[strlen(text) - 1] != '\n') want("whole lines", h, 0, 1, "");
  want("other", other, wl_sv_step_logic(other, 0, 0), WL_COSIM_EQUAL, NULL);
  wl_sv_destroy(h);
  wl_sv_destroy(other);
}

int main(void) {
  test_records();
  test_known();
  test_stores();
  test_traps();
  test_steps();
  if (failures == 0) puts("values of four states: X and Z are named");
  return failures != 0;
}
