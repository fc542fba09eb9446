/* c_link.c: the test board's end of the link (docs/fpga.md 3): receiver, sequence, and a channel
 * that loses, spoils, doubles and swaps frames when it is told to. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/fpga/driver/c_board.h"

uint64_t next_random(uint64_t *s) { /* xorshift64* */
  *s ^= *s >> 12;
  *s ^= *s << 25;
  *s ^= *s >> 27;
  return *s * 0x2545f4914f6cdd1d;
}

static uint8_t check_of(const uint8_t *p) {
  uint8_t crc = 0;
  for (int bit = 0; bit < 32; bit++) {
    const int in = p[bit / 8] >> (7 - bit % 8) & 1, top = crc >> 7;
    crc = (uint8_t)(crc << 1);
    if (in != top) crc ^= 0x07;
  }
  return crc;
}

static uint32_t crc_of(const uint8_t *frame, uint32_t len) {
  uint32_t crc = 0xffffffff;
  for (uint32_t i = 2; i < HEAD + len; i++) {
    if (i == 6) continue; /* the check is not in it */
    for (int bit = 0; bit < 8; bit++) {
      const uint32_t x = (crc ^ (uint32_t)(frame[i] >> bit)) & 1;
      crc = (crc >> 1) ^ (x ? 0xedb88320 : 0);
    }
  }
  return ~crc;
}

static void transmit(board_t *b, const uint8_t *p, uint32_t n) {
  while (n > 0 && !b->cut) {
    const ssize_t done = write(b->file, p, n);
    if (done > 0) {
      p += done;
      n -= (uint32_t)done;
    } else if (done < 0 && errno == EAGAIN) {
      struct pollfd f = {.fd = b->file, .events = POLLOUT};
      if (poll(&f, 1, 1000) <= 0) return; /* nobody reads */
    } else if (done < 0 && errno != EINTR) {
      return;
    }
  }
}

static void request(board_t *b, const uint8_t *frame);

static void deliver(board_t *b, unsigned way, const uint8_t *frame, uint32_t n) {
  if (way == 0) {
    const struct timespec halt = {0, (long)b->halt_ms * 1000000};
    transmit(b, frame, n / 2);
    if (b->halt_ms != 0) (void)nanosleep(&halt, NULL);
    transmit(b, frame + n / 2, n - n / 2);
  } else if (check_of(frame + 2) == frame[6] &&
             crc_of(frame, (uint32_t)get_number(frame + 4, 2)) == get_number(frame + n - 4, 4))
    request(b, frame);
}

static bool chance(channel_t *c, unsigned of_1000) {
  return of_1000 != 0 && next_random(&c->random) % 1000 < of_1000;
}

/* way 0: to the host, 1: from it. */
static void pass(board_t *b, unsigned way, const uint8_t *frame, uint32_t n) {
  channel_t *c = &b->channel;
  uint8_t copy[LONGEST], held[LONGEST];
  const uint32_t held_bytes = c->held_bytes[way];
  memcpy(copy, frame, n);
  if (chance(c, c->corrupt)) {
    const uint64_t bit = next_random(&c->random) % (8 * n);
    copy[bit / 8] = (uint8_t)(copy[bit / 8] ^ 1 << bit % 8);
  }
  if (chance(c, c->swap) && held_bytes == 0) {
    memcpy(c->held[way], copy, n);
    c->held_bytes[way] = n;
    return;
  }
  const bool twice = chance(c, c->twice);
  if (!chance(c, c->drop)) {
    deliver(b, way, copy, n);
    if (twice) deliver(b, way, copy, n);
  }
  if (held_bytes == 0) return;
  c->held_bytes[way] = 0;
  memcpy(held, c->held[way], held_bytes);
  deliver(b, way, held, held_bytes);
}

void board_answer(board_t *b, uint8_t type, uint8_t seq, const uint8_t *payload, uint32_t len) {
  uint8_t *f = b->response;
  f[0] = 0x57;
  f[1] = 0x4c;
  f[2] = type;
  f[3] = seq;
  put_number(f + 4, 2, len);
  f[6] = check_of(f + 2);
  memcpy(f + HEAD, payload, len);
  put_number(f + HEAD + len, 4, crc_of(f, len));
  b->response_bytes = HEAD + len + 4;
}

/* Section 3, "Sequence". */
static void request(board_t *b, const uint8_t *f) {
  const uint8_t type = f[2], seq = f[3];
  const uint32_t len = (uint32_t)get_number(f + 4, 2);
  const uint8_t *p = f + HEAD;
  uint8_t out[1200];
  if (b->silent) return;
  const bool hello = type == WL_LINK_CMD_HELLO && len == 4;
  const bool fresh = hello && (!b->session || get_number(p, 4) != b->nonce);
  if (!fresh && !b->session) return;
  if (!fresh && seq == b->last && b->response_bytes != 0) {
    printf("request %u came again\n", seq);
    (void)fflush(stdout);
    pass(b, 0, b->response, b->response_bytes);
    return;
  }
  if (!fresh && (hello || seq != b->expected)) return;
  if (fresh) {
    b->session = true;
    b->nonce = (uint32_t)get_number(p, 4);
  }
  b->expected = (uint8_t)(seq + 1);
  b->last = seq;
  const int n = board_execute(b, type, p, len, out);
  b->executed++;
  if (n < 0) {
    const uint8_t error[2] = {(uint8_t)-n, type};
    board_answer(b, WL_LINK_ERROR, seq, error, 2);
  } else {
    board_answer(b, type | 0x80, seq, out, (uint32_t)n);
  }
  if (b->mute_after != 0 && b->executed >= b->mute_after) b->silent = true;
  b->cut = b->cut || (b->cut_after != 0 && b->executed >= b->cut_after);
  const bool forgotten = b->forget != 0 && b->executed % b->forget == 0;
  if (!b->silent && !forgotten) pass(b, 0, b->response, b->response_bytes);
}

void board_pause(board_t *b) { b->n = 0; }

void board_byte(board_t *b, uint8_t byte) {
  if ((b->n == 0 && byte != 0x57) || (b->n == 1 && byte != 0x4c)) {
    b->n = byte == 0x57 ? 1 : 0;
    b->bytes[0] = byte;
    return;
  }
  b->bytes[b->n++] = byte;
  if (b->n < HEAD) return;
  const uint32_t len = (uint32_t)get_number(b->bytes + 4, 2);
  if (check_of(b->bytes + 2) != b->bytes[6] || len > WL_LINK_MAX_PAYLOAD) {
    b->n = 0;
    return;
  }
  if (b->n != HEAD + len + 4) return;
  const uint32_t n = b->n;
  uint8_t frame[LONGEST];
  memcpy(frame, b->bytes, n);
  b->n = 0;
  if (crc_of(frame, len) == get_number(frame + n - 4, 4)) pass(b, 1, frame, n);
}
