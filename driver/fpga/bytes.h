/* bytes.h: numbers in payloads, least significant byte first. docs/fpga.md 3. */
#ifndef WL_FPGA_BYTES_H
#define WL_FPGA_BYTES_H
#include <stddef.h>
#include <stdint.h>

static inline void wl_put(uint8_t *to, unsigned bytes, uint64_t value) {
  for (unsigned i = 0; i < bytes; i++)
    to[i] = (uint8_t)(value >> (8 * i));
}

static inline uint64_t wl_get(const uint8_t *from, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++)
    value |= (uint64_t)from[i] << (8 * i);
  return value;
}

#endif
