/* selftest.c: what a board can be asked without a kernel: what it is, LEDs, loopback, memory, sums
 * (warplock.h). docs/fpga.md 7. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/fpga/board.h"
#include "driver/include/warplock.h"
#include "driver/splitmix.h"

typedef struct test {
  const wl_board_options_t *options;
  wl_link_t link;
  uint32_t bytes; /* of board memory */
  uint8_t *want, *got;
} test_t;

static void say(const test_t *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(const test_t *t, const char *format, ...) {
  char text[300];
  va_list args;
  if (t->options->line == NULL) return;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  t->options->line(t->options->line_context, text);
}

static bool session(test_t *t, const wl_board_options_t *options) {
  *t = (test_t){.options = options};
  const bool ok = wl_link_open(&t->link, options->port);
  t->link.stop = options->stop;
  t->link.stop_context = options->stop_context;
  return ok && wl_link_check(&t->link, NULL);
}

static wl_status_t end(test_t *t, bool ok, char *err, size_t cap) {
  if (!ok) snprintf(err, cap, "%s", t->link.error);
  free(t->want);
  free(t->got);
  wl_link_close(&t->link);
  return ok ? WL_OK : WL_ERR_UNSUPPORTED;
}

static bool describe(test_t *t) {
  const wl_hello_t *h = &t->link.hello;
  wl_board_state_t s;
  if (!wl_board_status(&t->link, &s)) return false;
  say(t, "board on %s: configuration %s, %u bytes of memory, %u.%03u MHz, protocol %u",
      t->link.port.path, wl_configs[h->config].name, h->mem_bytes, h->clock_khz / 1000,
      h->clock_khz % 1000, h->protocol);
  say(t, "hashes: machine ISA %016llx, record layout %016llx, bitstream %016llx",
      (unsigned long long)h->isa_hash, (unsigned long long)h->layout_hash,
      (unsigned long long)h->bitstream_hash);
  say(t, "core: cycle %llu, %s%s%s%s%s, %u cycles left to run, %u freezes",
      (unsigned long long)s.cycle, s.running ? "running" : "standing", s.done ? ", done" : "",
      s.hang ? ", hang" : "", s.trap ? ", trap" : "", s.lost ? ", state read out" : "", s.run_left,
      s.freezes);
  return true;
}

static bool stopped(test_t *t) {
  const wl_board_options_t *o = t->options;
  return o->stop != NULL && o->stop(o->stop_context) && !wl_link_fail(&t->link, "stopped");
}

/* A light that runs up and down; only eyes can tell. */
static bool leds(test_t *t) {
  const struct timespec pause = {0, 60000000};
  bool ok = true;
  for (unsigned i = 0; ok && i < 15; i++) {
    ok = !stopped(t) && wl_board_led(&t->link, 1u << (i < 8 ? i : 14 - i), true);
    (void)nanosleep(&pause, NULL);
  }
  ok = ok && wl_board_led(&t->link, 0, false);
  if (ok) say(t, "LEDs: one light ran from 0 to 7 and back: did you see it?");
  return ok;
}

static bool loopback(test_t *t) {
  static const size_t sizes[] = {0,  1,   2,   3,   4,   7,    16,   63,  64,
                                 65, 255, 256, 511, 512, 1000, 1023, 1024};
  uint8_t bytes[1024];
  const unsigned n = sizeof sizes / sizeof sizes[0];
  for (unsigned i = 0; i < n; i++) {
    for (size_t k = 0; k < sizes[i]; k++) /* also the first bytes of a frame, again and again */
      bytes[k] = (uint8_t)(i % 3 == 0 ? (k % 2 == 0 ? 0x57 : 0x4c) : wl_mix(i, 0, k));
    if (stopped(t) || !wl_board_echo(&t->link, bytes, sizes[i])) return false;
  }
  say(t, "loopback: %u frames of 0 to 1024 bytes came back", n);
  return true;
}

static bool same(test_t *t, const char *what) {
  for (uint32_t i = 0; i < t->bytes; i += 4) {
    uint32_t want, got;
    memcpy(&want, t->want + i, 4);
    memcpy(&got, t->got + i, 4);
    if (want != got)
      return wl_link_fail(&t->link, "memory, %s: offset 0x%x reads %08x, %08x was written", what, i,
                          got, want);
  }
  return true;
}

static bool sums(test_t *t, const char *what) {
  uint32_t crc[128];
  for (uint32_t b = 0; b < t->bytes / WL_BOARD_BLOCK; b++) {
    if (b % 128 == 0) {
      const uint32_t left = t->bytes / WL_BOARD_BLOCK - b;
      if (!wl_board_sum(&t->link, b * WL_BOARD_BLOCK, left < 128 ? left : 128, crc)) return false;
    }
    const uint32_t own = wl_crc32(0, t->want + (size_t)b * WL_BOARD_BLOCK, WL_BOARD_BLOCK);
    if (crc[b % 128] != own)
      return wl_link_fail(&t->link, "sums, %s: block %u sums to %08x, %08x is right", what, b,
                          crc[b % 128], own);
  }
  return true;
}

/* The pattern is in t->want. */
static bool pattern(test_t *t, const char *what) {
  return !stopped(t) && wl_board_write(&t->link, 0, t->want, t->bytes) &&
         wl_board_read(&t->link, 0, t->got, t->bytes) && same(t, what) && sums(t, what);
}

static void put_word(test_t *t, uint32_t at, uint32_t word) { memcpy(t->want + at, &word, 4); }

/* Every word holds its own address, then its complement: two addresses that are one cell, or a line
 * that sticks, show. Then words alone, in random order, and fills of parts. */
static bool memory(test_t *t) {
  const uint32_t n = t->bytes;
  for (uint32_t i = 0; i < n; i += 4)
    put_word(t, i, i * 0x10001u);
  if (!pattern(t, "addresses")) return false;
  for (uint32_t i = 0; i < n; i += 4)
    put_word(t, i, ~(i * 0x10001u));
  if (!pattern(t, "addresses, complemented")) return false;
  for (uint32_t i = 0; i < n; i += 4)
    put_word(t, i, (uint32_t)wl_mix(1, 0, i));
  if (!pattern(t, "random words")) return false;
  for (uint32_t i = 0; i < 64; i++) {
    const uint32_t at = (uint32_t)(wl_mix(2, 0, i) % (n / 4)) * 4;
    put_word(t, at, (uint32_t)wl_mix(3, 0, i));
    if (stopped(t) || !wl_board_write(&t->link, at, t->want + at, 4)) return false;
  }
  for (uint32_t i = 0; i < 8; i++) {
    const uint32_t at = (uint32_t)(wl_mix(4, 0, i) % (n / 8)) * 4,
                   word = i % 2 == 0 ? 0 : UINT32_MAX;
    const uint32_t bytes = (uint32_t)(wl_mix(5, 0, i) % 600 + 1) * 4;
    for (uint32_t k = 0; k < bytes; k += 4)
      put_word(t, at + k, word);
    if (!wl_board_fill(&t->link, at, bytes, word)) return false;
  }
  return wl_board_read(&t->link, 0, t->got, n) && same(t, "single words and fills") &&
         sums(t, "single words and fills");
}

static bool selftest(test_t *t) {
  wl_board_state_t s;
  t->bytes = t->link.hello.mem_bytes / WL_BOARD_BLOCK * WL_BOARD_BLOCK;
  t->want = malloc(t->bytes);
  t->got = malloc(t->bytes);
  if (t->want == NULL || t->got == NULL) return wl_link_fail(&t->link, "out of memory");
  uint64_t cycle;
  if (!describe(t) || !wl_board_stop(&t->link, &cycle) || !leds(t) || !loopback(t)) return false;
  if (t->bytes < 4 * WL_BOARD_BLOCK) return wl_link_fail(&t->link, "board memory is too small");
  if (!memory(t)) return false;
  say(t, "memory: %u bytes written and read with 4 patterns, single words and fills", t->bytes);
  say(t, "sums: CRC-32 of every block of %d bytes, for each of them", WL_BOARD_BLOCK);
  if (!wl_board_reset(&t->link) || !wl_board_run(&t->link, 1000, false) ||
      !wl_board_wait(&t->link, &s))
    return false;
  if (s.cycle != 1000)
    return wl_link_fail(&t->link, "core clock: in cycle %llu after a reset and 1000 cycles",
                        (unsigned long long)s.cycle);
  say(t, "core clock: 1000 cycles asked for, 1000 made");
  say(t, "link: %llu requests, %llu sent again, %llu bytes of no frame",
      (unsigned long long)t->link.requests, (unsigned long long)t->link.retries,
      (unsigned long long)t->link.receiver.discarded);
  return true;
}

wl_status_t wl_board_describe(const wl_board_options_t *options, char *err, size_t cap) {
  test_t t;
  return end(&t, session(&t, options) && describe(&t), err, cap);
}

wl_status_t wl_board_selftest(const wl_board_options_t *options, char *err, size_t cap) {
  test_t t;
  return end(&t, session(&t, options) && selftest(&t), err, cap);
}

wl_status_t wl_board_set_freeze(const wl_board_options_t *options, uint32_t seed, unsigned density,
                                char *err, size_t cap) {
  test_t t;
  return end(&t, session(&t, options) && wl_board_freeze(&t.link, seed, density), err, cap);
}
