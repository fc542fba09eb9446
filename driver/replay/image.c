/* image.c: device memory of a replay file: what differs from the pattern of the seed, as runs
 * (rpx.h). docs/replay.md */
#include <stdlib.h>
#include <string.h>

#include "driver/replay/rpx.h"

static wl_rpx_run_t *add_run(wl_rpx_image_t *image) {
  if (image->runs == image->cap) {
    const size_t cap = image->cap == 0 ? 64 : image->cap * 2;
    wl_rpx_run_t *run = realloc(image->run, cap * sizeof *run);
    if (run == NULL) return NULL;
    image->run = run;
    image->cap = cap;
  }
  return &image->run[image->runs++];
}

/* Data of the next run; its place is kept as an offset while the buffer grows. */
static bool add_data(wl_rpx_image_t *image, const uint64_t *words, size_t count) {
  const size_t bytes = count * 8;
  if (image->own_cap - image->own_bytes < bytes) {
    const size_t cap = (image->own_bytes + bytes) * 2;
    uint8_t *own = realloc(image->own, cap);
    if (own == NULL) return false;
    image->own = own;
    image->own_cap = cap;
  }
  memcpy(image->own + image->own_bytes, words, bytes);
  image->own_bytes += bytes;
  return true;
}

static bool put_run(wl_rpx_image_t *image, const uint64_t *memory, uint64_t from, uint64_t to,
                    bool fill) {
  if (from == to) return true;
  wl_rpx_run_t *run = add_run(image);
  if (run == NULL) return false;
  *run = (wl_rpx_run_t){.offset = from * 8, .bytes = (to - from) * 8, .fill = fill};
  return add_data(image, memory + from, fill ? 1 : (size_t)(to - from));
}

/* Words [from, to) differ from the pattern: equal neighbours become fills. */
static bool take_piece(wl_rpx_image_t *image, const uint64_t *memory, uint64_t from, uint64_t to) {
  uint64_t begin = from;
  for (uint64_t at = from; at < to;) {
    uint64_t same = at + 1;
    while (same < to && memory[same] == memory[at])
      same++;
    if (same - at >= WL_RPX_FILL_WORDS) {
      if (!put_run(image, memory, begin, at, false) || !put_run(image, memory, at, same, true))
        return false;
      begin = same;
    }
    at = same;
  }
  return put_run(image, memory, begin, to, false);
}

bool wl_rpx_take(wl_rpx_image_t *image, const uint64_t *memory, uint64_t bytes, uint64_t seed,
                 void (*pattern)(uint64_t seed, uint64_t address, uint64_t *words, uint64_t count),
                 uint64_t base) {
  enum { CHUNK = 512 };
  const uint64_t words = bytes / 8;
  uint64_t open = UINT64_MAX; /* first word of a piece that goes on */
  *image = (wl_rpx_image_t){0};
  for (uint64_t at = 0; at < words; at += CHUNK) {
    uint64_t want[CHUNK];
    const uint64_t n = words - at < CHUNK ? words - at : CHUNK;
    pattern(seed, base + at * 8, want, n);
    if (open == UINT64_MAX && memcmp(want, memory + at, n * 8) == 0) continue;
    for (uint64_t i = 0; i < n; i++) {
      const bool differs = memory[at + i] != want[i];
      if (differs && open == UINT64_MAX) open = at + i;
      if (differs || open == UINT64_MAX) continue;
      if (!take_piece(image, memory, open, at + i)) return false;
      open = UINT64_MAX;
    }
  }
  if (open != UINT64_MAX && !take_piece(image, memory, open, words)) return false;
  const uint8_t *data = image->own;
  for (size_t i = 0; i < image->runs; i++) {
    image->run[i].data = data;
    data += image->run[i].fill ? 8 : image->run[i].bytes;
  }
  return true;
}

void wl_rpx_put(const wl_rpx_image_t *image, uint8_t *memory) {
  for (size_t i = 0; i < image->runs; i++) {
    const wl_rpx_run_t *run = &image->run[i];
    if (!run->fill) memcpy(memory + run->offset, run->data, run->bytes);
    for (uint64_t b = 0; run->fill && b < run->bytes; b += 8)
      memcpy(memory + run->offset + b, run->data, 8);
  }
}

void wl_rpx_free_image(wl_rpx_image_t *image) {
  free(image->run);
  free(image->own);
  *image = (wl_rpx_image_t){0};
}
