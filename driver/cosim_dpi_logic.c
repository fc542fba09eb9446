/* cosim_dpi_logic.c: values of four states from SystemVerilog. A DPI argument of two states turns X
 * into 0 before C sees it, and a design whose register was never reset compares equal; so X and Z
 * come here as they are, and the next step tells of them as a divergence. docs/cosim.md */
#include <stdio.h>
#include <string.h>

#include "driver/cosim_dpi.h"

enum { SV_X = 3, SV_Z = 2, ADDRESS_WORDS = 2 };

/* A line for a word of which some bits are X or Z. */
static void note(wl_sv_t *s, const char *what, const char *word, int index, wl_sv_logic_t value) {
  const size_t at = strlen(s->unknown), room = sizeof s->unknown - at;
  char number[16] = "";
  if (index >= 0) snprintf(number, sizeof number, "[%d]", index);
  const int n = snprintf(s->unknown + at, room, "unknown %s %s%s: %s in bits %08x\n", what, word,
                         number, (value.aval & value.bval) != 0 ? "X" : "Z", value.bval);
  if (n < 0 || (size_t)n >= room) s->unknown[at] = '\0'; /* whole lines only */
}

/* The known value; X and Z become 0. */
static uint32_t take(wl_sv_t *s, const char *what, const char *word, int index,
                     wl_sv_logic_t value) {
  if (value.bval != 0) note(s, what, word, index, value);
  return value.aval & ~value.bval;
}

static uint64_t take_address(wl_sv_t *s, const char *what, const wl_sv_logic_t *value) {
  uint64_t address = 0;
  for (int i = 0; i < ADDRESS_WORDS; i++)
    address |= (uint64_t)take(s, what, i == 0 ? "addr_lo" : "addr_hi", -1, value[i]) << 32 * i;
  return address;
}

static int take_bit(wl_sv_t *s, const char *word, unsigned char value) {
  if (value == SV_X || value == SV_Z)
    note(s, "signal", word, -1, (wl_sv_logic_t){value == SV_X, 1});
  return value == 1;
}

void wl_sv_record_logic(void *handle, int kind, int words, const wl_sv_logic_t *data) {
  wl_sv_t *s = handle;
  const bool known = kind >= 0 && kind < WL_NUM_JOURNAL_KINDS;
  uint32_t word[WL_RECORD_MAX_WORDS] = {0};
  for (int i = 0; i < words && i < WL_RECORD_MAX_WORDS; i++) {
    const wl_journal_info_t *info = known ? &wl_journal_info[kind] : NULL;
    const int last = known ? (int)info->names - 1 : 0;
    const int name = i < last ? i : last;
    const bool lanes = known && i >= last && words > (int)info->names;
    word[i] = take(s, known ? info->name : "record", known ? info->word_names[name] : "word",
                   lanes || !known ? i - name : -1, data[i]);
  }
  wl_sv_record(handle, kind, words, word);
}

/* Of the data, only the bytes that are written count. */
void wl_sv_store_logic(void *handle, const wl_sv_logic_t *address, const wl_sv_logic_t *data,
                       const wl_sv_logic_t *strobe) {
  wl_sv_t *s = handle;
  uint32_t word[WL_SV_SECTOR / 4];
  const uint64_t at = take_address(s, "store", address);
  const uint32_t bytes = take(s, "store", "strobe", -1, *strobe);
  for (unsigned i = 0; i < WL_SV_SECTOR / 4; i++) {
    uint32_t written = 0;
    for (unsigned k = 0; k < 4; k++)
      if ((bytes >> (4 * i + k) & 1) != 0) written |= UINT32_C(0xff) << 8 * k;
    word[i] =
        take(s, "store", "data", (int)i, (wl_sv_logic_t){data[i].aval, data[i].bval & written});
  }
  wl_sv_store(handle, at, word, bytes);
}

/* Of an empty register only `valid` counts. */
void wl_sv_trap_logic(void *handle, unsigned char valid, const wl_sv_logic_t *cause,
                      const wl_sv_logic_t *warp, const wl_sv_logic_t *lane, const wl_sv_logic_t *pc,
                      const wl_sv_logic_t *address) {
  static const char *const names[] = {"cause", "warp", "lane", "pc"};
  const wl_sv_logic_t *const from[] = {cause, warp, lane, pc};
  wl_sv_t *s = handle;
  uint32_t word[4] = {0};
  uint64_t at = 0;
  const int is_valid = take_bit(s, "trap valid", valid);
  for (int i = 0; is_valid && i < 4; i++)
    word[i] = take(s, "trap", names[i], -1, *from[i]);
  if (is_valid) at = take_address(s, "trap", address);
  wl_sv_trap(handle, is_valid, word[0], word[1], word[2], word[3], at);
}

int wl_sv_step_logic(void *handle, unsigned char done, unsigned char hang) {
  wl_sv_t *s = handle;
  const int is_done = take_bit(s, "done", done), is_hung = take_bit(s, "hang", hang);
  return wl_sv_step(handle, is_done, is_hung);
}
