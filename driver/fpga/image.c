/* image.c: device memory between host and board by blocks (board.h). docs/fpga.md 4, 7. A block of
 * equal words goes as FILL, together with those behind it that are alike; what was sent is summed
 * again. */
#include <stdlib.h>
#include <string.h>

#include "driver/fpga/board.h"

static uint32_t crc_of(const uint8_t *image, uint32_t block) {
  return wl_crc32(0, image + (size_t)block * WL_BOARD_BLOCK, WL_BOARD_BLOCK);
}

/* All words of the block are the first one. */
static bool is_fill(const uint8_t *block) {
  return memcmp(block, block + 4, WL_BOARD_BLOCK - 4) == 0;
}

/* Sends block b, and those behind it that go with it; returns how many, 0: failed. */
static uint32_t send_blocks(wl_link_t *l, const uint8_t *image, uint32_t b, uint32_t blocks,
                            const uint32_t *crc) {
  const uint8_t *from = image + (size_t)b * WL_BOARD_BLOCK;
  const uint32_t at = b * WL_BOARD_BLOCK;
  uint32_t n = 1, word;
  if (!is_fill(from)) return wl_board_write(l, at, from, WL_BOARD_BLOCK) ? 1 : 0;
  while (b + n < blocks && crc[b + n] != crc_of(image, b + n) &&
         memcmp(from, from + (size_t)n * WL_BOARD_BLOCK, WL_BOARD_BLOCK) == 0)
    n++;
  memcpy(&word, from, 4);
  return wl_board_fill(l, at, n * WL_BOARD_BLOCK, word) ? n : 0;
}

static bool put(wl_link_t *l, const uint8_t *image, uint32_t blocks, uint32_t *crc,
                uint64_t *moved) {
  if (!wl_board_sum(l, 0, blocks, crc)) return false;
  bool any = false;
  for (uint32_t b = 0, n; b < blocks; b += n) {
    n = 1;
    if (crc[b] == crc_of(image, b)) continue;
    any = true;
    n = send_blocks(l, image, b, blocks, crc);
    if (n == 0) return false;
    *moved += (uint64_t)n * WL_BOARD_BLOCK;
  }
  if (!any) return true;
  if (!wl_board_sum(l, 0, blocks, crc)) return false;
  for (uint32_t b = 0; b < blocks; b++)
    if (crc[b] != crc_of(image, b))
      return wl_link_fail(l, "board memory does not hold what was written at offset 0x%x: `warplock "
                          "fpga --selftest` tests it", b * WL_BOARD_BLOCK);
  return true;
}

static bool get(wl_link_t *l, uint8_t *image, uint32_t blocks, uint32_t *crc, uint64_t *moved) {
  if (!wl_board_sum(l, 0, blocks, crc)) return false;
  for (uint32_t b = 0; b < blocks; b++) {
    if (crc[b] == crc_of(image, b)) continue;
    if (!wl_board_read(l, b * WL_BOARD_BLOCK, image + (size_t)b * WL_BOARD_BLOCK, WL_BOARD_BLOCK))
      return false;
    *moved += WL_BOARD_BLOCK;
    if (crc[b] != crc_of(image, b))
      return wl_link_fail(l, "board memory at offset 0x%x reads otherwise than it sums: `warplock "
                          "fpga --selftest` tests it", b * WL_BOARD_BLOCK);
  }
  return true;
}

bool wl_board_put_image(wl_link_t *l, const uint8_t *image, uint32_t n, uint64_t *moved) {
  uint32_t *crc = malloc(n / WL_BOARD_BLOCK * sizeof *crc);
  const bool ok = crc != NULL ? put(l, image, n / WL_BOARD_BLOCK, crc, moved)
                              : wl_link_fail(l, "out of memory");
  free(crc);
  return ok;
}

bool wl_board_get_image(wl_link_t *l, uint8_t *image, uint32_t n, uint64_t *moved) {
  uint32_t *crc = malloc(n / WL_BOARD_BLOCK * sizeof *crc);
  const bool ok = crc != NULL ? get(l, image, n / WL_BOARD_BLOCK, crc, moved)
                              : wl_link_fail(l, "out of memory");
  free(crc);
  return ok;
}
