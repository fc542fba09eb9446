/* frame.h: frames of the host link: how they look, their two checks, and a receiver that finds them
 * in a stream of bytes. docs/fpga.md 3. Knows nothing of ports, sequence or commands. */
#ifndef WL_FPGA_FRAME_H
#define WL_FPGA_FRAME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/wl_link.h"

enum { WL_FRAME_HEAD = 7, WL_FRAME_TAIL = 4 };
enum { WL_FRAME_MAX = WL_FRAME_HEAD + (int)WL_LINK_MAX_PAYLOAD + WL_FRAME_TAIL };

typedef struct wl_frame {
  uint8_t type, seq;
  uint16_t len;
  uint8_t payload[WL_LINK_MAX_PAYLOAD];
} wl_frame_t;

/* Polynomial 0x07, start 0. */
uint8_t wl_crc8(const uint8_t *bytes, size_t n);
/* IEEE 802.3, as zlib's crc32: start with 0, go on with what came out. */
uint32_t wl_crc32(uint32_t crc, const void *bytes, size_t n);

/* At most WL_LINK_MAX_PAYLOAD bytes of payload; returns the frame's length. */
size_t wl_frame_make(uint8_t out[WL_FRAME_MAX], uint8_t type, uint8_t seq, const void *payload,
                     size_t len);

typedef struct wl_receiver {
  uint8_t bytes[WL_FRAME_MAX];
  size_t n;           /* of a frame that is not complete */
  uint64_t discarded; /* bytes that belonged to no frame */
} wl_receiver_t;
/* Takes a byte; true when it completes a frame. */
bool wl_receiver_take(wl_receiver_t *r, uint8_t byte, wl_frame_t *out);
/* Discards what came of an incomplete frame: a pause within it. */
void wl_receiver_pause(wl_receiver_t *r);

#endif
