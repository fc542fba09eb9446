/* board.h: the commands of docs/fpga.md 4 as functions. Each is one request (read, write, sum, poke
 * and peek: as many as it takes) and is false with a sentence in link->error when it failed. */
#ifndef WL_FPGA_BOARD_H
#define WL_FPGA_BOARD_H
#include "driver/fpga/link.h"
#include "gen/wl_journal.h"

enum { WL_BOARD_BLOCK = 1024 /* bytes of which SUM makes a CRC */ };

typedef struct wl_board_state {
  bool running, done, hang, trap, lost, frozen;
  uint32_t cause, warp, lane, pc; /* of the trap */
  uint64_t address, cycle;
  uint32_t run_left, freezes;
} wl_board_state_t;

bool wl_board_status(wl_link_t *link, wl_board_state_t *out);
bool wl_board_reset(wl_link_t *link);
/* Offsets in board memory and lengths are multiples of 4; of sum multiples of WL_BOARD_BLOCK. */
bool wl_board_write(wl_link_t *link, uint32_t at, const void *bytes, uint32_t n);
bool wl_board_read(wl_link_t *link, uint32_t at, void *bytes, uint32_t n);
bool wl_board_fill(wl_link_t *link, uint32_t at, uint32_t n, uint32_t word);
bool wl_board_sum(wl_link_t *link, uint32_t at, uint32_t blocks, uint32_t *crc);
bool wl_board_start(wl_link_t *link, uint64_t launch_block);
bool wl_board_run(wl_link_t *link, uint32_t cycles, bool stop_when_done);
bool wl_board_stop(wl_link_t *link, uint64_t *cycle);
bool wl_board_digest(wl_link_t *link, uint64_t *cycle, uint32_t signature[WL_NUM_JOURNAL_KINDS]);
/* Words of consecutive rows of a slice. */
bool wl_board_poke(wl_link_t *link, wl_link_array_t array, uint32_t slice, uint32_t row,
                   const uint32_t *words, uint32_t n);
bool wl_board_peek(wl_link_t *link, wl_link_array_t array, uint32_t slice, uint32_t row,
                   uint32_t *words, uint32_t n);
bool wl_board_freeze(wl_link_t *link, uint32_t seed, unsigned density);
bool wl_board_led(wl_link_t *link, unsigned value, bool on);
/* Sends bytes and compares what comes back. */
bool wl_board_echo(wl_link_t *link, const uint8_t *bytes, size_t n);

/* Polls until the core stands; false also when link->stop says so (then the core was stopped). */
bool wl_board_wait(wl_link_t *link, wl_board_state_t *out);

/* Makes the first n bytes of board memory those of the image: only blocks that differ are sent. And
 * back: only blocks that differ are read. n: multiple of WL_BOARD_BLOCK; `moved`: bytes, added. */
bool wl_board_put_image(wl_link_t *link, const uint8_t *image, uint32_t n, uint64_t *moved);
bool wl_board_get_image(wl_link_t *link, uint8_t *image, uint32_t n, uint64_t *moved);

#endif
