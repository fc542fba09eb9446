/* fuzz_frame.c: the driver's frame receiver on random bytes: noise, good frames, damaged, cut and
 * doubled ones, in pieces (docs/fpga.md 3). Built with address and undefined-behaviour sanitizers
 * where the compiler has them. A frame that was sent whole, behind a pause, must be found; none
 * that was not sent may be. fuzz_frame SEED ROUNDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/fpga/frame.h"

enum { KEPT = 64 };
static uint64_t state;

static uint32_t draw(uint32_t limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 33) % limit;
}

/* All payloads begin with a number that only frames of this round have. */
static uint32_t round_number;

static size_t make(uint8_t *out) {
  uint8_t payload[WL_LINK_MAX_PAYLOAD];
  const size_t len = 4 + draw(draw(4) == 0 ? WL_LINK_MAX_PAYLOAD - 3 : 40);
  for (size_t i = 4; i < len; i++)
    payload[i] = draw(3) == 0 ? (uint8_t)(draw(2) == 0 ? 0x57 : 0x4c) : (uint8_t)draw(256);
  memcpy(payload, &round_number, 4);
  return wl_frame_make(out, (uint8_t)draw(256), (uint8_t)draw(256), payload, len);
}

static size_t damage(uint8_t *frame, size_t n) {
  switch (draw(5)) {
  case 0:
    frame[draw((uint32_t)n)] ^= (uint8_t)(1u << draw(8));
    return n;
  case 1:
    return draw((uint32_t)n);
  case 2: { /* a byte is lost */
    const size_t at = draw((uint32_t)n);
    memmove(frame + at, frame + at + 1, n - at - 1);
    return n - 1;
  }
  case 3:
    for (size_t i = 0; i < n; i++)
      frame[i] = (uint8_t)draw(256);
    return n;
  default:
    frame[4] = (uint8_t)draw(256);
    frame[5] = (uint8_t)draw(256);
    return n;
  }
}

int main(int argc, char **argv) {
  const unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 100000;
  static wl_receiver_t r;
  static wl_frame_t f;
  static uint8_t sent[KEPT][WL_FRAME_MAX]; /* one that lacked a byte may become whole later */
  unsigned long good = 0, bad = 0;
  state = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1) * 2654435761u + 1;
  for (round_number = 1; round_number <= rounds; round_number++) {
    uint8_t frame[WL_FRAME_MAX];
    size_t n = make(frame);
    memcpy(sent[round_number % KEPT], frame, n);
    const bool whole = draw(2) == 0;
    if (whole)
      wl_receiver_pause(&r);
    else
      n = damage(frame, n);
    unsigned found = 0;
    for (size_t i = 0; i < n; i++) {
      if (!wl_receiver_take(&r, frame[i], &f)) continue;
      found++;
      uint32_t number = 0;
      if (f.len >= 4) memcpy(&number, f.payload, 4);
      if (f.len > WL_LINK_MAX_PAYLOAD || f.len < 4 || number > round_number ||
          round_number - number >= KEPT || (whole && number != round_number) ||
          memcmp(f.payload, sent[number % KEPT] + WL_FRAME_HEAD, f.len) != 0) {
        printf("round %u: a frame that was not sent: type %u, %u bytes\n", round_number, f.type,
               f.len);
        return 1;
      }
    }
    if (whole && found != 1) {
      printf("round %u: a whole frame of %zu bytes was found %u times\n", round_number, n, found);
      return 1;
    }
    good += whole;
    bad += found == 0;
  }
  printf("%lu rounds: %lu whole frames found, %lu others discarded, %llu bytes\n", rounds, good,
         bad, (unsigned long long)r.discarded);
  return good == 0 || bad == 0;
}
