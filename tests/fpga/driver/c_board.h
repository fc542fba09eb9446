/* c_board.h: a board in plain C, the driver's test double: the link of docs/fpga.md 3 and 4 written
 * from that text alone (no code of driver/fpga), around the golden model as core. It can be told to
 * misbehave. What it deliberately is not: the board's RTL, which tests of fpga/rtl run. */
#ifndef WL_TESTS_FPGA_C_BOARD_H
#define WL_TESTS_FPGA_C_BOARD_H
#include <stdbool.h>
#include <stdint.h>

#include "driver/lockstep/side.h"
#include "gen/wl_link.h"

enum { KINDS = WL_NUM_JOURNAL_KINDS, HEAD = 7, LONGEST = 7 + 1040 + 4 };

/* One deliberate fault of the core, in a cycle of every launch (or of the first one only). */
typedef struct fault {
  enum { NO_FAULT, FLIP_WORD, FLIP_RECORD, DROP_RECORD, FLIP_MEMORY, FAKE_TRAP } what;
  uint64_t cycle;
  unsigned array, slice, row; /* FLIP_WORD; array is the kind of record for the next two */
  uint32_t mask;
  bool once, write; /* write: FLIP_RECORD of an RF record writes the wrong word too */
} fault_t;

enum { MOST_MEMORY = 1 << 17 };

typedef struct core {
  const wl_config_t *config;
  wl_side_t *side;
  uint8_t mem[MOST_MEMORY]; /* of it config->board_mem_bytes are there */
  wl_journal_t journal;
  uint32_t signature[KINDS], in[KINDS];
  uint64_t cycle;
  bool started, lost, stop_when_done, stopping;
  uint32_t run_left, freezes, lfsr, density;
  unsigned launches;
  fault_t fault;
} core_t;

bool core_open(core_t *c, const char *config);
void core_close(core_t *c);
void core_reset(core_t *c);
void core_tick(core_t *c, const uint64_t *start);
/* At most so many ticks of RUN. */
void core_run(core_t *c, unsigned ticks);
bool core_idle(const core_t *c); /* POKE is allowed */
/* NULL: outside the array. */
uint32_t *core_word(core_t *c, unsigned array, uint32_t slice, uint32_t row);

/* What the link does to frames, each so many of 1,000 in both directions. */
typedef struct channel {
  uint64_t random;
  unsigned corrupt, drop, twice, swap;
  uint8_t held[2][LONGEST]; /* frames that wait until the next one has passed */
  uint32_t held_bytes[2];
} channel_t;

typedef struct hello_values {
  uint64_t protocol, config, isa, layout, bitstream, mem_bytes;
} hello_values_t;

typedef struct board {
  core_t core;
  channel_t channel;
  hello_values_t hello;
  int file; /* master of the pseudo-terminal */
  uint8_t bytes[LONGEST];
  uint32_t n; /* of a frame that is not complete */
  bool session;
  uint32_t nonce;
  uint8_t expected, last;
  uint8_t response[LONGEST]; /* the last one */
  uint32_t response_bytes;
  uint64_t cut_after; /* requests executed, then the line is cut; 0: never */
  uint64_t cut_cycle; /* likewise by core cycle */
  uint64_t executed;
  uint64_t mute_after; /* requests, then nothing is answered; 0: never */
  uint64_t forget;     /* the answer to each request of that number and its multiples; 0: none */
  uint64_t halt_ms;    /* between the halves of an answer */
  uint32_t stuck_at, stuck_mask; /* bits of a word of memory that are always 0 */
  uint32_t alias;                /* address lines that memory does not have */
  bool silent, garbage, cut;
  uint8_t led;
} board_t;

/* c_link.c */
void board_byte(board_t *b, uint8_t byte);
void board_pause(board_t *b);
/* Puts the frame together and sends it through the channel. */
void board_answer(board_t *b, uint8_t type, uint8_t seq, const uint8_t *payload, uint32_t len);
/* c_commands.c: executes a request; returns the length of the response's payload, or minus an
 * error. */
int board_execute(board_t *b, uint8_t type, const uint8_t *p, uint32_t len, uint8_t *out);

uint64_t next_random(uint64_t *state);
static inline uint64_t get_number(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  while (n-- > 0)
    v = v << 8 | p[n];
  return v;
}
static inline void put_number(uint8_t *p, unsigned n, uint64_t v) {
  for (; n-- > 0; v >>= 8)
    *p++ = (uint8_t)v;
}

#endif
