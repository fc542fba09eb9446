/* frame.c: see frame.h. docs/fpga.md 3. A frame that fails a check is discarded as a whole, and the
 * hunt goes on behind it: bytes within it are never taken for a frame. */
#include "driver/fpga/frame.h"

#include <string.h>

#include "driver/fpga/bytes.h"

static const uint8_t magic[2] = {0x57, 0x4c};

uint8_t wl_crc8(const uint8_t *bytes, size_t n) {
  uint8_t crc = 0;
  for (size_t i = 0; i < n; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++)
      crc = (uint8_t)(crc << 1 ^ ((crc & 0x80) != 0 ? 0x07 : 0));
  }
  return crc;
}

/* By half bytes: what the polynomial 0xedb88320 (reflected) makes of each. */
uint32_t wl_crc32(uint32_t crc, const void *bytes, size_t n) {
  static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                     0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                     0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                     0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  const uint8_t *p = bytes;
  crc = ~crc;
  for (size_t i = 0; i < n; i++) {
    crc ^= p[i];
    crc = crc >> 4 ^ table[crc & 15];
    crc = crc >> 4 ^ table[crc & 15];
  }
  return ~crc;
}

size_t wl_frame_make(uint8_t out[WL_FRAME_MAX], uint8_t type, uint8_t seq, const void *payload,
                     size_t len) {
  memcpy(out, magic, sizeof magic);
  out[2] = type;
  out[3] = seq;
  wl_put(out + 4, 2, len);
  out[6] = wl_crc8(out + 2, 4);
  if (len != 0) memcpy(out + WL_FRAME_HEAD, payload, len);
  uint32_t crc = wl_crc32(0, out + 2, 4);
  crc = wl_crc32(crc, out + WL_FRAME_HEAD, len);
  wl_put(out + WL_FRAME_HEAD + len, 4, crc);
  return WL_FRAME_HEAD + len + WL_FRAME_TAIL;
}

static bool discard(wl_receiver_t *r) {
  r->discarded += r->n;
  r->n = 0;
  return false;
}

void wl_receiver_pause(wl_receiver_t *r) { (void)discard(r); }

static bool complete(wl_receiver_t *r, size_t len, wl_frame_t *out) {
  uint32_t crc = wl_crc32(0, r->bytes + 2, 4);
  crc = wl_crc32(crc, r->bytes + WL_FRAME_HEAD, len);
  if (wl_get(r->bytes + WL_FRAME_HEAD + len, 4) != crc) return discard(r);
  out->type = r->bytes[2];
  out->seq = r->bytes[3];
  out->len = (uint16_t)len;
  memcpy(out->payload, r->bytes + WL_FRAME_HEAD, len);
  r->n = 0;
  return true;
}

bool wl_receiver_take(wl_receiver_t *r, uint8_t byte, wl_frame_t *out) {
  if (r->n < sizeof magic && byte != magic[r->n]) {
    (void)discard(r);
    if (byte == magic[0])
      r->bytes[r->n++] = byte;
    else
      r->discarded++;
    return false;
  }
  r->bytes[r->n++] = byte;
  if (r->n < WL_FRAME_HEAD) return false;
  const size_t len = (size_t)wl_get(r->bytes + 4, 2);
  if (r->n == WL_FRAME_HEAD &&
      (len > WL_LINK_MAX_PAYLOAD || r->bytes[6] != wl_crc8(r->bytes + 2, 4)))
    return discard(r);
  return r->n == WL_FRAME_HEAD + len + WL_FRAME_TAIL && complete(r, len, out);
}
