/* test_rpx.c: the reader of replay files (driver/replay/rpx.h) against damage: every truncation,
 * every flipped bit, every number changed under a right hash, random changes. Each is an error with
 * a sentence, or a file whose parts lie where they may. Built with sanitizers by `make hosts`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "driver/replay/rpx.h"
#include "gen/warplock_layout.h"

enum { MEM = 1 << 20, BLOCK = 4096 };
static unsigned failures, tests;

static void check(bool ok, const char *what, long at) {
  tests++;
  if (ok) return;
  failures++;
  printf("%s (%ld)\n", what, at);
}

static void pattern(uint64_t seed, uint64_t address, uint64_t *words, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    words[i] = (seed + address / 8 + i) * UINT64_C(0x9e3779b97f4a7c15);
}

/* A memory with data, fills at both ends, and pieces across the 4 KiB steps of the scan. */
static void fill_memory(uint64_t *m) {
  pattern(7, 0, m, MEM / 8);
  memset(m, 0, 64);
  m[511] = 1;
  m[512] = 2;
  for (int i = 1020; i < 1030; i++)
    m[i] = 5;
  m[1030] = 6;
  m[2000] = 9;
  memset(m + MEM / 8 - 20, 0xff, 160);
}

static wl_rpx_t make(wl_rpx_launch_t launch[2], uint64_t layout) {
  static const uint8_t object[] = "an object";
  return (wl_rpx_t){.isa_hash = wl_isa_hash(),
                    .layout_hash = layout,
                    .seed = 7,
                    .mem_bytes = MEM,
                    .disturb = 2,
                    .compare_full = true,
                    .config = "tiny",
                    .version = "0.0.9",
                    .module = "m.ptx",
                    .kernel = "k",
                    .object = object,
                    .object_bytes = sizeof object,
                    .launch = launch,
                    .launches = 2,
                    .cycle = 1000,
                    .window_from = 900,
                    .window_to = 1010,
                    .kind = 5,
                    .view = -1,
                    .warp = 3,
                    .reg = -1,
                    .report = "DIVERGENCE at cycle 1000\nand more\n"};
}

static void set_hash(uint8_t *bytes, size_t size) {
  const uint64_t hash = wl_rpx_hash(bytes, size - 8);
  for (unsigned i = 0; i < 8; i++)
    bytes[size - 8 + i] = (uint8_t)(hash >> 8 * i);
}

/* An accepted file has its runs inside memory, in order, with data inside the file. */
static bool sound(const wl_rpx_t *r, const uint8_t *bytes, size_t size) {
  for (size_t l = 0; l < r->launches; l++) {
    uint64_t least = 0;
    for (size_t i = 0; i < r->launch[l].image.runs; i++) {
      const wl_rpx_run_t *run = &r->launch[l].image.run[i];
      const uint64_t data = run->fill ? 8 : run->bytes;
      if (run->offset < least || run->bytes > r->mem_bytes - run->offset) return false;
      if (run->data < bytes || data > (uint64_t)(bytes + size - run->data)) return false;
      least = run->offset + run->bytes;
    }
  }
  return r->report != NULL && r->config != NULL && r->object != NULL;
}

/* Reads a copy of exactly `size` bytes, so that a sanitizer sees a step behind it. */
static bool reads(const uint8_t *from, size_t size, long at) {
  char err[512] = "";
  wl_rpx_t r;
  uint8_t *bytes = malloc(size != 0 ? size : 1);
  if (bytes == NULL) abort();
  memcpy(bytes, from, size);
  const bool ok = wl_rpx_read(bytes, size, &r, err, sizeof err);
  check(ok ? sound(&r, bytes, size) : err[0] != 0, ok ? "unsound file accepted" : "no sentence",
        at);
  wl_rpx_free(&r);
  free(bytes);
  return ok;
}

static void round_trip(const wl_rpx_t *w, const uint8_t *bytes, size_t size, const uint64_t *m) {
  char err[512] = "";
  wl_rpx_t r;
  check(wl_rpx_read(bytes, size, &r, err, sizeof err), err, 0);
  check(r.seed == w->seed && r.disturb == 2 && r.compare_full && r.kind == 5 && r.view == -1 &&
            r.cycle == 1000 && r.window_from == 900 && r.launches == 2 &&
            strcmp(r.report, w->report) == 0 && strcmp(r.kernel, "k") == 0 &&
            r.launch[1].grid[2] == 3 && r.launch[1].cycles == 77,
        "a member changed on the way", 0);
  uint64_t *again = malloc(MEM);
  if (again == NULL) abort();
  pattern(7, 0, again, MEM / 8);
  check(memcmp(again, m, MEM) != 0, "the memory is the pattern", 0);
  wl_rpx_put(&r.launch[0].image, (uint8_t *)again);
  check(memcmp(again, m, MEM) == 0, "memory changed on the way", 0);
  check(r.launch[0].image.runs == 6 && r.launch[1].image.runs == 0, "number of runs",
        (long)r.launch[0].image.runs);
  free(again);
  wl_rpx_free(&r);
}

static void damage(const uint8_t *good, size_t size) {
  uint8_t *bytes = malloc(size + 1);
  if (bytes == NULL) abort();
  for (size_t n = 0; n < size; n++)
    check(!reads(good, n, (long)n), "a cut file is accepted", (long)n);
  memcpy(bytes, good, size);
  bytes[size] = 0;
  check(!reads(bytes, size + 1, 0), "a byte behind the end is accepted", 0);
  for (size_t bit = 0; bit < size * 8; bit++) {
    bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    check(!reads(bytes, size, (long)bit), "a flipped bit is accepted", (long)bit);
    bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
  /* Numbers at every place, under a right hash. */
  for (size_t at = 8; at + 12 <= size; at++) {
    uint32_t old;
    memcpy(&old, good + at, 4);
    const uint32_t values[] = {0, 1, UINT32_MAX, old + 1, old - 1, UINT32_C(0x80000000)};
    for (int i = 0; i < 6; i++) {
      memcpy(bytes + at, &values[i], 4);
      set_hash(bytes, size);
      (void)reads(bytes, size, (long)at);
    }
    memcpy(bytes, good, size);
  }
  uint32_t random = 1;
  for (long i = 0; i < 20000; i++) {
    for (int k = 0; k < 3; k++) {
      random = random * 1664525u + 1013904223u;
      bytes[8 + (random >> 8) % (size - 8)] = (uint8_t)(random >> 3);
    }
    const size_t n = i % 4 == 0 ? 24 + (random >> 4) % (size - 24) : size;
    set_hash(bytes, n);
    (void)reads(bytes, n, i);
    if (i % 4 == 0 || i % 16 == 1) memcpy(bytes, good, size);
  }
  free(bytes);
}

/* A file of other tables: one error that names both. */
static void other_tables(wl_rpx_t w) {
  const uint64_t isa = w.isa_hash, layout = w.layout_hash;
  for (int which = 0; which < 4; which++) {
    uint8_t *bytes;
    size_t size;
    wl_replay_t *replay;
    char own[20], theirs[20];
    w.isa_hash = isa + (which == 1);
    w.layout_hash = layout + (which == 2);
    w.config = which == 3 ? "vast" : "tiny";
    if (!wl_rpx_write(&w, &bytes, &size)) abort();
    const wl_status_t status = wl_replay_open(bytes, size, &replay);
    snprintf(own, sizeof own, "%016llx", (unsigned long long)(which == 1 ? isa : layout));
    snprintf(theirs, sizeof theirs, "%016llx", (unsigned long long)(which == 1 ? isa : layout) + 1);
    const char *text = wl_replay_error(replay);
    check(status == (which == 0 ? WL_OK : WL_ERR_UNSUPPORTED), text, which);
    if (which == 1 || which == 2)
      check(strstr(text, own) != NULL && strstr(text, theirs) != NULL, text, which);
    if (which == 3) check(strstr(text, "'vast'") != NULL, text, which);
    if (which == 0) /* its object is none: an error, before anything runs */
      check(wl_replay_run(replay, NULL) != WL_OK && wl_replay_error(replay)[0] != 0, "run", 0);
    wl_replay_close(replay);
    free(bytes);
  }
}

int main(void) {
  uint64_t *memory = malloc(MEM);
  uint8_t *bytes;
  size_t size;
  if (memory == NULL) abort();
  fill_memory(memory);
  wl_rpx_launch_t launch[2] = {
      {.block = (UINT64_C(1) << 32) + BLOCK, .grid = {1, 1, 1}, .block_dim = {32, 1, 1}},
      {.block = (UINT64_C(1) << 32) + BLOCK,
       .grid = {1, 2, 3},
       .block_dim = {32, 1, 1},
       .max_cycles = 5,
       .cycles = 77,
       .shared = 9}};
  if (!wl_rpx_take(&launch[0].image, memory, MEM, 7, pattern, 0)) abort();
  const wl_rpx_t w = make(launch, wl_layouts[0].hash);
  if (!wl_rpx_write(&w, &bytes, &size)) abort();
  round_trip(&w, bytes, size, memory);
  damage(bytes, size);
  other_tables(w);
  wl_rpx_free_image(&launch[0].image);
  free(bytes);
  free(memory);
  printf("%u checks, %u failures, a file of %zu bytes\n", tests, failures, size);
  return failures != 0;
}
