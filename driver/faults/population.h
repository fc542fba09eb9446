/* population.h: all flip-flop and memory bits of the RTL (tools/rtl_registers.py) with the entry of
 * rows.txt that each belongs to. docs/faults.md */
#ifndef WL_FAULTS_POPULATION_H
#define WL_FAULTS_POPULATION_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "driver/faults/probe.h"

typedef enum wl_fault_how {
  WL_HOW_PLACE,  /* the array itself is compared: scrub, full mode, end */
  WL_HOW_WRITE,  /* a record shows every write */
  WL_HOW_EFFECT, /* it decides events, their contents or their cycles */
  WL_HOW_NONE,   /* not compared */
  WL_NUM_HOWS
} wl_fault_how_t;
extern const char *const wl_fault_how_name[WL_NUM_HOWS];

/* Where its content is undefined once a launch has ended (docs/faults.md). */
typedef enum wl_fault_rule {
  WL_RULE_NEVER, /* it means something at any time */
  WL_RULE_IDLE,  /* content of an instruction, warp, CTA or packet: none is left */
  WL_RULE_START, /* the next start sets it anew */
  WL_RULE_VALID, /* while its highest bit is 0 */
  WL_NUM_RULES
} wl_fault_rule_t;

typedef struct wl_fault_entry {
  char pattern[128];
  char row[16]; /* of state.def, "-" with WL_HOW_NONE */
  int state;    /* index in wl_state_info, -1 */
  wl_fault_how_t how;
  wl_fault_rule_t rule;
  unsigned registers; /* that match */
  uint64_t bits;
} wl_fault_entry_t;

typedef struct wl_fault_register {
  char name[160];
  bool memory;
  unsigned width, rows; /* rows: 1 of a flip-flop */
  uint8_t *mask;        /* flip-flop: bits that exist, NULL: all */
  uint64_t first, bits; /* place in the population, number of bits */
  const wl_fault_entry_t *entry;
  wl_probe_t probe;
  size_t offset, bytes; /* in a snapshot; bytes 0: compared with the reference instead */
} wl_fault_register_t;

typedef struct wl_population {
  wl_fault_register_t *reg;
  unsigned regs;
  wl_fault_entry_t *entry;
  unsigned entries;
  uint64_t bits;
  char error[512];
} wl_population_t;

/* False with a sentence in error. Every register must match exactly one entry, every entry some
 * register of some configuration. */
bool wl_population_read(wl_population_t *p, const char *registers, const char *rows);
/* Finds every register in the model of the RTL. */
bool wl_population_bind(wl_population_t *p, wl_side_t *side);
void wl_population_free(wl_population_t *p);
/* The table: by entry, and with `all` by register. True when the list "not compared" is small. */
bool wl_population_print(const wl_population_t *p, bool all, FILE *out);

/* The register that has bit `index` of the population; *bit: its place in it, row * width + bit. */
const wl_fault_register_t *wl_population_at(const wl_population_t *p, uint64_t index,
                                            uint64_t *bit);
/* By its name, or by last components of it that no other register has. */
const wl_fault_register_t *wl_population_find(const wl_population_t *p, const char *name);
/* Does a bit (row * width + bit) exist? */
bool wl_fault_bit_exists(const wl_fault_register_t *r, uint64_t bit);
/* Its byte in the model and in it its bit. */
uint8_t *wl_fault_bit_at(const wl_fault_register_t *r, uint64_t bit, unsigned *in_byte);
/* `*` is any text without a dot, `**` any text, `?` any character but a dot; the pattern matches whole
 * last components of the name. */
bool wl_fault_match(const char *pattern, const char *name);

#endif
