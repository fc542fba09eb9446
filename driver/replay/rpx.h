/* rpx.h: the file form of a divergence that can be run again. docs/replay.md has the layout.
 * The reader trusts nothing: sizes, counts, places and texts are checked, and a hash stands at the
 * end, so that a damaged file is one error and never another run. */
#ifndef WL_DRIVER_REPLAY_RPX_H
#define WL_DRIVER_REPLAY_RPX_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  WL_RPX_VERSION = 1,
  WL_RPX_MAX_TEXT = 16384,
  WL_RPX_MAX_LAUNCHES = 65536,
  WL_RPX_FILL_WORDS = 4 /* as many equal words make a fill run */
};

/* A piece of device memory that differs from the pattern of the seed. */
typedef struct wl_rpx_run {
  uint64_t offset, bytes; /* of memory, multiples of 8; ascending, not overlapping */
  bool fill;              /* one word repeated */
  const uint8_t *data;    /* `bytes`, or 8 of a fill; in the file's bytes or in `own` */
} wl_rpx_run_t;

/* Device memory before a launch. */
typedef struct wl_rpx_image {
  wl_rpx_run_t *run;
  size_t runs, cap;
  uint8_t *own; /* data of an image that was taken, not read */
  size_t own_bytes, own_cap;
} wl_rpx_image_t;

typedef struct wl_rpx_launch {
  uint64_t block;      /* address of the launch block */
  uint64_t max_cycles; /* limit, 0: none */
  uint64_t cycles;     /* that it ran */
  uint32_t grid[3], block_dim[3], shared;
  wl_rpx_image_t image;
} wl_rpx_launch_t;

typedef struct wl_rpx {
  uint64_t isa_hash, layout_hash;
  uint64_t seed, mem_bytes;
  uint32_t disturb; /* of wl_disturbs (driver/backend.h) */
  bool compare_full;
  const char *config, *version; /* of the library that wrote it */
  const char *module, *kernel;  /* names, for reports */
  const uint8_t *object;
  uint64_t object_bytes, object_hash;
  wl_rpx_launch_t *launch; /* of the device, in order; the last one diverged */
  size_t launches;
  uint64_t cycle; /* of the device, in which the sides differ */
  uint64_t window_from, window_to;
  int32_t kind, view, warp, reg; /* wl_cosim_report_t; -1: none */
  const char *report;
} wl_rpx_t;

uint64_t wl_rpx_hash(const void *bytes, size_t size);

/* The words of memory [0, bytes) that differ from the pattern, as runs. False: out of memory. */
bool wl_rpx_take(wl_rpx_image_t *image, const uint64_t *memory, uint64_t bytes, uint64_t seed,
                 void (*pattern)(uint64_t seed, uint64_t address, uint64_t *words, uint64_t count),
                 uint64_t base);
/* Memory that holds the pattern becomes the image. The runs lie within it (wl_rpx_read). */
void wl_rpx_put(const wl_rpx_image_t *image, uint8_t *memory);
void wl_rpx_free_image(wl_rpx_image_t *image);

/* *bytes is the caller's (free). False: out of memory. */
bool wl_rpx_write(const wl_rpx_t *r, uint8_t **bytes, size_t *size);
/* Texts and data point into `bytes`, which must stay. False with a sentence in err; to be freed
 * either way. */
bool wl_rpx_read(const uint8_t *bytes, size_t size, wl_rpx_t *out, char *err, size_t cap);
void wl_rpx_free(wl_rpx_t *r);

#endif
