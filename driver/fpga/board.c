/* board.c: see board.h. docs/fpga.md 4. */
#define _GNU_SOURCE
#include "driver/fpga/board.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/fpga/bytes.h"

enum { STATUS_BYTES = 32, MOST_WORDS = 256, MOST_BLOCKS = 128 };

bool wl_board_status(wl_link_t *l, wl_board_state_t *out) {
  const uint8_t *p = l->response.payload;
  if (!wl_link_request(l, WL_LINK_CMD_STATUS, NULL, 0, STATUS_BYTES)) return false;
  *out = (wl_board_state_t){.running = (p[0] & 1) != 0,
                            .done = (p[0] & 2) != 0,
                            .hang = (p[0] & 4) != 0,
                            .trap = (p[0] & 8) != 0,
                            .lost = (p[0] & 16) != 0,
                            .frozen = (p[0] & 32) != 0,
                            .cause = p[1],
                            .warp = p[2],
                            .lane = p[3],
                            .pc = (uint32_t)wl_get(p + 4, 4),
                            .address = wl_get(p + 8, 8),
                            .cycle = wl_get(p + 16, 8),
                            .run_left = (uint32_t)wl_get(p + 24, 4),
                            .freezes = (uint32_t)wl_get(p + 28, 4)};
  return true;
}

bool wl_board_reset(wl_link_t *l) { return wl_link_request(l, WL_LINK_CMD_RESET, NULL, 0, 0); }

bool wl_board_write(wl_link_t *l, uint32_t at, const void *bytes, uint32_t n) {
  uint8_t payload[4 + WL_LINK_MAX_DATA];
  for (uint32_t i = 0; i < n; i += WL_LINK_MAX_DATA) {
    const uint32_t piece = n - i < WL_LINK_MAX_DATA ? n - i : WL_LINK_MAX_DATA;
    wl_put(payload, 4, at + i);
    memcpy(payload + 4, (const uint8_t *)bytes + i, piece);
    if (!wl_link_request(l, WL_LINK_CMD_WRITE, payload, 4 + piece, 0)) return false;
  }
  return true;
}

bool wl_board_read(wl_link_t *l, uint32_t at, void *bytes, uint32_t n) {
  uint8_t payload[6];
  for (uint32_t i = 0; i < n; i += WL_LINK_MAX_DATA) {
    const uint32_t piece = n - i < WL_LINK_MAX_DATA ? n - i : WL_LINK_MAX_DATA;
    wl_put(payload, 4, at + i);
    wl_put(payload + 4, 2, piece);
    if (!wl_link_request(l, WL_LINK_CMD_READ, payload, sizeof payload, (long)piece)) return false;
    memcpy((uint8_t *)bytes + i, l->response.payload, piece);
  }
  return true;
}

bool wl_board_fill(wl_link_t *l, uint32_t at, uint32_t n, uint32_t word) {
  uint8_t payload[12];
  wl_put(payload, 4, at);
  wl_put(payload + 4, 4, n);
  wl_put(payload + 8, 4, word);
  return wl_link_request(l, WL_LINK_CMD_FILL, payload, sizeof payload, 0);
}

bool wl_board_sum(wl_link_t *l, uint32_t at, uint32_t blocks, uint32_t *crc) {
  uint8_t payload[6];
  for (uint32_t i = 0; i < blocks; i += MOST_BLOCKS) {
    const uint32_t piece = blocks - i < MOST_BLOCKS ? blocks - i : MOST_BLOCKS;
    wl_put(payload, 4, at + i * WL_BOARD_BLOCK);
    wl_put(payload + 4, 2, piece);
    if (!wl_link_request(l, WL_LINK_CMD_SUM, payload, sizeof payload, 4 * (long)piece))
      return false;
    for (uint32_t k = 0; k < piece; k++)
      crc[i + k] = (uint32_t)wl_get(l->response.payload + 4 * k, 4);
  }
  return true;
}

bool wl_board_start(wl_link_t *l, uint64_t launch_block) {
  uint8_t payload[8];
  wl_put(payload, 8, launch_block);
  return wl_link_request(l, WL_LINK_CMD_START, payload, sizeof payload, 0);
}

bool wl_board_run(wl_link_t *l, uint32_t cycles, bool stop_when_done) {
  uint8_t payload[5];
  wl_put(payload, 4, cycles);
  payload[4] = stop_when_done ? 1 : 0;
  return wl_link_request(l, WL_LINK_CMD_RUN, payload, sizeof payload, 0);
}

bool wl_board_stop(wl_link_t *l, uint64_t *cycle) {
  if (!wl_link_request(l, WL_LINK_CMD_STOP, NULL, 0, 8)) return false;
  *cycle = wl_get(l->response.payload, 8);
  return true;
}

bool wl_board_digest(wl_link_t *l, uint64_t *cycle, uint32_t signature[WL_NUM_JOURNAL_KINDS]) {
  const long want = 8 + 4 * WL_NUM_JOURNAL_KINDS;
  if (!wl_link_request(l, WL_LINK_CMD_DIGEST, NULL, 0, want)) return false;
  *cycle = wl_get(l->response.payload, 8);
  for (unsigned k = 0; k < WL_NUM_JOURNAL_KINDS; k++)
    signature[k] = (uint32_t)wl_get(l->response.payload + 8 + 4 * k, 4);
  return true;
}

static void put_index(uint8_t *payload, wl_link_array_t array, uint32_t slice, uint32_t row) {
  payload[0] = (uint8_t)array;
  payload[1] = 0;
  wl_put(payload + 2, 2, slice);
  wl_put(payload + 4, 4, row);
}

bool wl_board_poke(wl_link_t *l, wl_link_array_t array, uint32_t slice, uint32_t row,
                   const uint32_t *words, uint32_t n) {
  uint8_t payload[8 + 4 * MOST_WORDS];
  for (uint32_t i = 0; i < n; i += MOST_WORDS) {
    const uint32_t piece = n - i < MOST_WORDS ? n - i : MOST_WORDS;
    put_index(payload, array, slice, row + i);
    for (uint32_t k = 0; k < piece; k++)
      wl_put(payload + 8 + 4 * k, 4, words[i + k]);
    if (!wl_link_request(l, WL_LINK_CMD_POKE, payload, 8 + 4 * piece, 0)) return false;
  }
  return true;
}

bool wl_board_peek(wl_link_t *l, wl_link_array_t array, uint32_t slice, uint32_t row,
                   uint32_t *words, uint32_t n) {
  uint8_t payload[10];
  for (uint32_t i = 0; i < n; i += MOST_WORDS) {
    const uint32_t piece = n - i < MOST_WORDS ? n - i : MOST_WORDS;
    put_index(payload, array, slice, row + i);
    wl_put(payload + 8, 2, piece);
    if (!wl_link_request(l, WL_LINK_CMD_PEEK, payload, sizeof payload, 4 * (long)piece))
      return false;
    for (uint32_t k = 0; k < piece; k++)
      words[i + k] = (uint32_t)wl_get(l->response.payload + 4 * k, 4);
  }
  return true;
}

bool wl_board_freeze(wl_link_t *l, uint32_t seed, unsigned density) {
  uint8_t payload[5];
  wl_put(payload, 4, seed);
  payload[4] = (uint8_t)density;
  return wl_link_request(l, WL_LINK_CMD_FREEZE, payload, sizeof payload, 0);
}

bool wl_board_led(wl_link_t *l, unsigned value, bool on) {
  const uint8_t payload[2] = {(uint8_t)value, on ? 1 : 0};
  return wl_link_request(l, WL_LINK_CMD_LED, payload, sizeof payload, 0);
}

bool wl_board_echo(wl_link_t *l, const uint8_t *bytes, size_t n) {
  if (!wl_link_request(l, WL_LINK_CMD_ECHO, bytes, n, (long)n)) return false;
  for (size_t i = 0; i < n; i++)
    if (l->response.payload[i] != bytes[i])
      return wl_link_fail(l, "loopback of %zu bytes: byte %zu is %02x, %02x was sent", n, i,
                          l->response.payload[i], bytes[i]);
  return true;
}

/* Ends the core's run without asking link->stop again. */
static bool give_up(wl_link_t *l) {
  bool (*stop)(void *) = l->stop;
  uint64_t cycle;
  l->stop = NULL;
  (void)wl_board_stop(l, &cycle);
  l->stop = stop;
  return wl_link_fail(l, "stopped");
}

bool wl_board_wait(wl_link_t *l, wl_board_state_t *out) {
  for (long ms = 0;; ms = ms == 0 ? 1 : ms < 50 ? 2 * ms : ms) {
    if (!wl_board_status(l, out)) return false;
    if (!out->running) return true;
    if (l->stop != NULL && l->stop(l->stop_context)) return give_up(l);
    const struct timespec t = {0, ms * 1000000};
    (void)nanosleep(&t, NULL);
  }
}
