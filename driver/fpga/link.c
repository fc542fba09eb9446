/* link.c: see link.h. docs/fpga.md 3, 4, 7. */
#define _GNU_SOURCE
#include "driver/fpga/link.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver/fpga/bytes.h"
#include "driver/include/warplock.h"
#include "driver/include/warplock_cosim.h"

/* All tries of a request end within three seconds. */
enum { TRY_MS = 280, SLICE_MS = 100, HELLO_BYTES = 40, SHARES = 8 };
/* How long each try waits in silence, in eighths of the time-out: a frame that was lost is sent
 * again soon, and all tries together take as long as if each had the whole. */
static const unsigned char try_share[] = {2, 2, 4, 8, 8, 8, 8, 16, 16};
_Static_assert(sizeof try_share == WL_LINK_RETRIES + 1, "one for each try");

bool wl_link_fail(wl_link_t *l, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)vsnprintf(l->error, sizeof l->error, format, args);
  va_end(args);
  return false;
}

static long now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

typedef enum outcome { ANSWERED, SILENT, LOST, STOPPED } outcome_t;

/* Bytes until a response to the request is complete, or the time is over: `ms`, and the whole
 * time-out while a frame comes. */
static outcome_t await(wl_link_t *l, uint8_t type, unsigned ms) {
  const long begin = now_ms();
  for (;;) {
    uint8_t bytes[4096];
    const bool coming = l->receiver.n > 0 && ms < l->timeout_ms;
    const long left = begin + (long)(coming ? l->timeout_ms : ms) - now_ms();
    if (left <= 0) return SILENT;
    const long n =
        wl_port_receive(&l->port, bytes, sizeof bytes,
                        (unsigned)(left < SLICE_MS ? left : SLICE_MS), l->error, sizeof l->error);
    if (n < 0) return LOST;
    l->received += (uint64_t)n;
    bool answered = false;
    for (long i = 0; i < n && !answered; i++) {
      const wl_frame_t *f = &l->response;
      answered = wl_receiver_take(&l->receiver, bytes[i], &l->response) && f->seq == l->seq &&
                 (f->type == (type | 0x80) ||
                  (f->type == WL_LINK_ERROR && f->len == 2 && f->payload[1] == type));
    }
    /* What came behind the response is a duplicate: no other request is under way. */
    if (answered) return ANSWERED;
    if (n == 0 && l->stop != NULL && l->stop(l->stop_context)) return STOPPED;
  }
}

static bool silent(wl_link_t *l, bool hello, uint64_t heard) {
  l->lost = true;
  if (!hello && heard == 0)
    return wl_link_fail(l,
                        "the board on %s does not answer any more: look at its power and cable, "
                        "`make fpga-load`, and start again",
                        l->port.path);
  if (heard == 0)
    return wl_link_fail(l,
                        "no answer from %s: is it the board's port (`ls /dev/serial/by-id`), and "
                        "does the board have our bitstream (`make fpga-load`)?",
                        l->port.path);
  if (!hello)
    return wl_link_fail(
        l,
        "the board on %s does not answer any more, only %llu bytes of damaged frames "
        "come: a bad cable or plug, or another program at the port",
        l->port.path, (unsigned long long)heard);
  return wl_link_fail(l,
                      "only garbage comes from %s (%llu bytes, no frame): wrong baud rate (this "
                      "driver: %u) or another device; `make fpga-load` loads our bitstream",
                      l->port.path, (unsigned long long)heard, WL_LINK_BAUD);
}

static bool refused(wl_link_t *l, unsigned command) {
  const unsigned e = l->response.payload[0];
  const char *why = e < WL_LINK_ERR_LIMIT ? wl_link_err_message[e] : NULL;
  return wl_link_fail(l, "the board refuses %s: error %u, %s", wl_link_cmd_name[command], e,
                      why != NULL ? why : "which this driver does not know");
}

static bool exchange(wl_link_t *l, uint8_t type, const void *payload, size_t len) {
  uint8_t frame[WL_FRAME_MAX];
  const size_t n = wl_frame_make(frame, type, l->seq, payload, len);
  const uint64_t before = l->received;
  if (l->lost) return false; /* the text of what lost it stands */
  l->requests++;
  for (unsigned i = 0; i <= WL_LINK_RETRIES; i++) {
    l->retries += i != 0;
    const int sent = wl_port_send(&l->port, frame, n, l->timeout_ms, l->error, sizeof l->error);
    const unsigned ms = (l->timeout_ms * try_share[i] + SHARES - 1) / SHARES;
    const outcome_t o = sent < 0 ? LOST : sent > 0 ? SILENT : await(l, type, ms);
    if (o == ANSWERED) return true;
    if (o == LOST) {
      l->lost = true;
      return false;
    }
    if (o == STOPPED) { /* nobody knows whether the board has taken the request */
      l->stale = true;
      return wl_link_fail(l, "stopped while the board on %s was asked", l->port.path);
    }
    wl_receiver_pause(&l->receiver);
  }
  return silent(l, type == WL_LINK_CMD_HELLO, l->received - before);
}

static bool hello(wl_link_t *l);

bool wl_link_request(wl_link_t *l, wl_link_cmd_t command, const void *payload, size_t len,
                     long want) {
  if (l->stale && command != WL_LINK_CMD_HELLO && !hello(l)) return false;
  if (!exchange(l, (uint8_t)command, payload, len)) return false;
  l->seq++;
  if (l->response.type == WL_LINK_ERROR) return refused(l, command);
  if (want < 0 || l->response.len == want) return true;
  return wl_link_fail(l,
                      "the board answers %s with %u bytes instead of %ld: its protocol is another "
                      "one; `make fpga && make fpga-load`",
                      wl_link_cmd_name[command], l->response.len, want);
}

static bool hello(wl_link_t *l) {
  uint8_t nonce[4];
  struct timespec t;
  (void)clock_gettime(CLOCK_REALTIME, &t);
  wl_put(nonce, 4, (uint64_t)t.tv_nsec ^ (uint64_t)t.tv_sec << 10 ^ (uint64_t)getpid() << 16);
  const uint8_t *p = l->response.payload;
  l->stale = false;
  if (!wl_link_request(l, WL_LINK_CMD_HELLO, nonce, sizeof nonce, -1)) return false;
  if (l->response.len < 6 || memcmp(p, "WLB1", 4) != 0)
    return wl_link_fail(l,
                        "what answers on %s is no board of this project: name its port with "
                        "--port or WL_PORT",
                        l->port.path);
  l->hello.protocol = (uint32_t)wl_get(p + 4, 2);
  if (l->hello.protocol != WL_LINK_PROTOCOL || l->response.len != HELLO_BYTES)
    return wl_link_fail(l,
                        "the board speaks protocol %u (%u bytes of HELLO), this driver %u (%u): "
                        "`make fpga && make fpga-load` brings the board up to this driver",
                        l->hello.protocol, l->response.len, WL_LINK_PROTOCOL, HELLO_BYTES);
  l->hello.config = (uint32_t)wl_get(p + 6, 1);
  l->hello.mem_bytes = (uint32_t)wl_get(p + 8, 4);
  l->hello.clock_khz = (uint32_t)wl_get(p + 12, 4);
  l->hello.isa_hash = wl_get(p + 16, 8);
  l->hello.layout_hash = wl_get(p + 24, 8);
  l->hello.bitstream_hash = wl_get(p + 32, 8);
  return true;
}

bool wl_link_open(wl_link_t *l, const char *port) {
  const char *given = getenv("WL_LINK_TIMEOUT");
  const long ms = given != NULL ? strtol(given, NULL, 10) : 0;
  *l = (wl_link_t){.timeout_ms = ms > 0 && ms <= 600000 ? (unsigned)ms : TRY_MS, .port.file = -1};
  if (port == NULL || port[0] == '\0') port = getenv("WL_PORT");
  if (port == NULL || port[0] == '\0')
    return wl_link_fail(l, "which port is the board on? Name it with --port or WL_PORT (`ls "
                           "/dev/serial/by-id` lists serial ports)");
  return wl_port_open(&l->port, port, l->error, sizeof l->error) && hello(l);
}

void wl_link_close(wl_link_t *l) { wl_port_close(&l->port); }

/* The hash that `make fpga` noted beside this program; false: there is none to compare with. */
static bool own_bitstream(const char *config, uint64_t *hash) {
  char path[4096 + 64], text[32] = "";
  const char *given = getenv("WL_BITSTREAM");
  const ssize_t n = given == NULL ? readlink("/proc/self/exe", path, 4096) : 0;
  if (given != NULL) {
    snprintf(text, sizeof text, "%s", given);
  } else if (n > 0) {
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL) return false;
    snprintf(slash, sizeof path - (size_t)(slash - path), "/fpga/%s.hash", config);
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    if (fgets(text, sizeof text, file) == NULL) text[0] = '\0';
    (void)fclose(file);
  }
  char *end = NULL;
  *hash = strtoull(text, &end, 16);
  return end != text;
}

static bool differ(wl_link_t *l, const char *what, uint64_t board, uint64_t own) {
  return wl_link_fail(l,
                      "%s: the board has %016llx, this driver %016llx: `make fpga && make "
                      "fpga-load` makes the board's from these sources",
                      what, (unsigned long long)board, (unsigned long long)own);
}

bool wl_link_check(wl_link_t *l, const wl_config_t *config) {
  const wl_hello_t *h = &l->hello;
  uint64_t bitstream = 0;
  if (h->config >= WL_NUM_SHOWN_CONFIGS)
    return wl_link_fail(l,
                        "the board has configuration number %u, this driver knows 0 to %d: `make "
                        "fpga && make fpga-load`",
                        h->config, WL_NUM_SHOWN_CONFIGS - 1);
  const wl_config_t *own = &wl_configs[h->config];
  if (config != NULL && config != own)
    return wl_link_fail(l,
                        "the board has configuration %s, %s was asked for: --config %s, or `make "
                        "fpga CONFIG=%s && make fpga-load CONFIG=%s`",
                        own->name, config->name, own->name, config->name, config->name);
  if (h->isa_hash != wl_isa_hash())
    return differ(l, "hash of the machine ISA", h->isa_hash, wl_isa_hash());
  if (h->layout_hash != wl_layouts[h->config].hash)
    return differ(l, "hash of the record layout", h->layout_hash, wl_layouts[h->config].hash);
  if (own_bitstream(own->name, &bitstream) && bitstream != h->bitstream_hash)
    return wl_link_fail(
        l,
        "hash of the bitstream: the board has %016llx, the last `make fpga` made "
        "%016llx: `make fpga-load` loads it (WL_BITSTREAM=%016llx takes the board's)",
        (unsigned long long)h->bitstream_hash, (unsigned long long)bitstream,
        (unsigned long long)h->bitstream_hash);
  return true;
}
