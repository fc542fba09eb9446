/* rpx.c: writing and reading of replay files (rpx.h, docs/replay.md). */
#include "driver/replay/rpx.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/backend.h"
#include "isa/obj/bytes.h"

static const uint8_t magic[8] = {'W', 'L', 'R', 'P', 'X', 0x1a, '\r', '\n'};
enum {
  TAG_HEAD = 0x44414548,
  TAG_PROG = 0x474f5250,
  TAG_LAUNCH = 0x48434e4c,
  TAG_FAIL = 0x4c494146
};

/* FNV-1a: every step is a bijection of the state, so no change of one byte goes unseen. */
uint64_t wl_rpx_hash(const void *bytes, size_t size) {
  const uint8_t *at = bytes;
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
  return hash;
}

/* ---- writing */

static void put_text(wl_bytes_t *o, const char *text) {
  size_t n = text != NULL ? strlen(text) : 0;
  if (n > WL_RPX_MAX_TEXT) n = WL_RPX_MAX_TEXT;
  wl_bytes_u32(o, (uint32_t)n);
  wl_bytes_put(o, text, n);
}

/* A section is tag, size, contents; returns where its contents start. */
static size_t begin_section(wl_bytes_t *o, uint32_t tag) {
  wl_bytes_u32(o, tag);
  wl_bytes_u64(o, 0);
  return o->size;
}

static void end_section(wl_bytes_t *o, size_t start) {
  if (o->failed) return;
  for (unsigned i = 0; i < 8; i++)
    o->data[start - 8 + i] = (uint8_t)((uint64_t)(o->size - start) >> 8 * i);
}

static void put_launch(wl_bytes_t *o, const wl_rpx_launch_t *l) {
  const size_t start = begin_section(o, TAG_LAUNCH);
  wl_bytes_u64(o, l->block);
  wl_bytes_u64(o, l->max_cycles);
  wl_bytes_u64(o, l->cycles);
  for (int i = 0; i < 3; i++)
    wl_bytes_u32(o, l->grid[i]);
  for (int i = 0; i < 3; i++)
    wl_bytes_u32(o, l->block_dim[i]);
  wl_bytes_u32(o, l->shared);
  wl_bytes_u64(o, l->image.runs);
  for (size_t i = 0; i < l->image.runs; i++) {
    const wl_rpx_run_t *run = &l->image.run[i];
    wl_bytes_u32(o, run->fill ? 1 : 0);
    wl_bytes_u64(o, run->offset);
    wl_bytes_u64(o, run->bytes);
    wl_bytes_put(o, run->data, run->fill ? 8 : (size_t)run->bytes);
  }
  end_section(o, start);
}

bool wl_rpx_write(const wl_rpx_t *r, uint8_t **bytes, size_t *size) {
  wl_bytes_t o = {0};
  wl_bytes_put(&o, magic, sizeof magic);
  wl_bytes_u32(&o, WL_RPX_VERSION);
  wl_bytes_u32(&o, (uint32_t)r->launches);
  size_t start = begin_section(&o, TAG_HEAD);
  wl_bytes_u64(&o, r->isa_hash);
  wl_bytes_u64(&o, r->layout_hash);
  wl_bytes_u64(&o, r->seed);
  wl_bytes_u64(&o, r->mem_bytes);
  wl_bytes_u32(&o, r->disturb);
  wl_bytes_u32(&o, r->compare_full ? 1 : 0);
  put_text(&o, r->config);
  put_text(&o, r->version);
  end_section(&o, start);
  start = begin_section(&o, TAG_PROG);
  put_text(&o, r->module);
  put_text(&o, r->kernel);
  wl_bytes_u64(&o, wl_rpx_hash(r->object, (size_t)r->object_bytes));
  wl_bytes_u64(&o, r->object_bytes);
  wl_bytes_put(&o, r->object, (size_t)r->object_bytes);
  end_section(&o, start);
  for (size_t i = 0; i < r->launches; i++)
    put_launch(&o, &r->launch[i]);
  start = begin_section(&o, TAG_FAIL);
  wl_bytes_u64(&o, r->cycle);
  wl_bytes_u64(&o, r->window_from);
  wl_bytes_u64(&o, r->window_to);
  wl_bytes_u32(&o, (uint32_t)r->kind);
  wl_bytes_u32(&o, (uint32_t)r->view);
  wl_bytes_u32(&o, (uint32_t)r->warp);
  wl_bytes_u32(&o, (uint32_t)r->reg);
  put_text(&o, r->report);
  end_section(&o, start);
  wl_bytes_u64(&o, wl_rpx_hash(o.data, o.size));
  *bytes = o.data;
  *size = o.size;
  if (o.failed) {
    free(o.data);
    *bytes = NULL;
  }
  return !o.failed;
}

/* ---- reading */

typedef struct in {
  const uint8_t *bytes;
  size_t at, end; /* of the section, or of the file without its hash */
  char *err;
  size_t cap;
  bool bad;
} in_t;

static bool bad(in_t *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool bad(in_t *in, const char *format, ...) {
  char text[200];
  va_list args;
  if (in->bad) return false; /* the first is the one that is told */
  in->bad = true;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  snprintf(in->err, in->cap, "damaged replay file: %s (byte %zu)", text, in->at);
  return false;
}

static const uint8_t *take(in_t *in, uint64_t bytes) {
  if (in->bad || in->end - in->at < bytes) {
    bad(in, "%llu bytes wanted, %zu left", (unsigned long long)bytes, in->end - in->at);
    return NULL;
  }
  const uint8_t *from = in->bytes + in->at;
  in->at += (size_t)bytes;
  return from;
}

static uint64_t number(in_t *in, unsigned bytes) {
  const uint8_t *b = take(in, bytes);
  uint64_t value = 0;
  for (unsigned i = 0; b != NULL && i < bytes; i++)
    value |= (uint64_t)b[i] << 8 * i;
  return value;
}

static uint32_t get32(in_t *in) { return (uint32_t)number(in, 4); }
static uint64_t get64(in_t *in) { return number(in, 8); }

/* A copy with an end; NULL after an error. */
static const char *text(in_t *in) {
  const uint32_t n = get32(in);
  if (n > WL_RPX_MAX_TEXT) bad(in, "a text of %u bytes", n);
  const uint8_t *from = in->bad ? NULL : take(in, n);
  if (from == NULL) return NULL;
  if (memchr(from, 0, n) != NULL) {
    bad(in, "a text with a zero byte");
    return NULL;
  }
  char *copy = malloc((size_t)n + 1);
  if (copy == NULL) {
    bad(in, "out of memory");
    return NULL;
  }
  memcpy(copy, from, n);
  copy[n] = '\0';
  return copy;
}

static bool enter(in_t *in, uint32_t tag, size_t *outer) {
  const uint32_t got = get32(in);
  const uint64_t bytes = get64(in);
  *outer = in->end;
  if (in->bad) return false;
  if (got != tag) return bad(in, "section %08x where %08x is expected", got, tag);
  if (bytes > in->end - in->at)
    return bad(in, "a section of %llu bytes, %zu left", (unsigned long long)bytes,
               in->end - in->at);
  in->end = in->at + (size_t)bytes;
  return true;
}

static bool leave(in_t *in, size_t outer) {
  if (!in->bad && in->at != in->end) bad(in, "%zu bytes too many in a section", in->end - in->at);
  in->end = outer;
  return !in->bad;
}

static bool read_head(in_t *in, wl_rpx_t *r) {
  size_t outer;
  if (!enter(in, TAG_HEAD, &outer)) return false;
  r->isa_hash = get64(in);
  r->layout_hash = get64(in);
  r->seed = get64(in);
  r->mem_bytes = get64(in);
  r->disturb = get32(in);
  const uint32_t full = get32(in);
  r->config = text(in);
  r->version = text(in);
  if (r->disturb >= WL_DISTURBS) bad(in, "disturbance %u", r->disturb);
  if (full > 1) bad(in, "comparison %u", full);
  r->compare_full = full == 1;
  if (r->mem_bytes < 1 << 20 || r->mem_bytes > UINT64_C(1) << 32 || r->mem_bytes % 64 != 0)
    bad(in, "device memory of %llu bytes", (unsigned long long)r->mem_bytes);
  return leave(in, outer);
}

static bool read_program(in_t *in, wl_rpx_t *r) {
  size_t outer;
  if (!enter(in, TAG_PROG, &outer)) return false;
  r->module = text(in);
  r->kernel = text(in);
  r->object_hash = get64(in);
  r->object_bytes = get64(in);
  r->object = take(in, r->object_bytes);
  if (r->object == NULL) return false;
  const uint64_t hash = wl_rpx_hash(r->object, (size_t)r->object_bytes);
  if (hash != r->object_hash)
    bad(in, "the object has hash %016llx, the file names %016llx", (unsigned long long)hash,
        (unsigned long long)r->object_hash);
  return leave(in, outer);
}

static bool read_run(in_t *in, wl_rpx_run_t *run, uint64_t least, uint64_t mem_bytes) {
  const uint32_t fill = get32(in);
  run->offset = get64(in);
  run->bytes = get64(in);
  if (in->bad) return false;
  if (fill > 1) return bad(in, "run of kind %u", fill);
  if (run->offset % 8 != 0 || run->bytes % 8 != 0 || run->bytes == 0 || run->offset < least ||
      run->offset > mem_bytes || run->bytes > mem_bytes - run->offset)
    return bad(in, "a run of %llu bytes at %llu", (unsigned long long)run->bytes,
               (unsigned long long)run->offset);
  run->fill = fill == 1;
  run->data = take(in, run->fill ? 8 : run->bytes);
  return run->data != NULL;
}

static bool read_launch(in_t *in, wl_rpx_launch_t *l, uint64_t mem_bytes) {
  enum { RUN_BYTES = 28 }; /* at least */
  size_t outer;
  if (!enter(in, TAG_LAUNCH, &outer)) return false;
  l->block = get64(in);
  l->max_cycles = get64(in);
  l->cycles = get64(in);
  for (int i = 0; i < 3; i++)
    l->grid[i] = get32(in);
  for (int i = 0; i < 3; i++)
    l->block_dim[i] = get32(in);
  l->shared = get32(in);
  const uint64_t runs = get64(in), base = UINT64_C(1) << 32;
  if (in->bad) return false;
  if (l->block % 32 != 0 || l->block < base || l->block - base > mem_bytes - 4096)
    return bad(in, "launch block at 0x%llx", (unsigned long long)l->block);
  if (runs > (in->end - in->at) / RUN_BYTES)
    return bad(in, "%llu runs of memory", (unsigned long long)runs);
  l->image.run = calloc((size_t)runs + 1, sizeof *l->image.run);
  if (l->image.run == NULL) return bad(in, "out of memory");
  uint64_t least = 0;
  for (uint64_t i = 0; i < runs; i++) {
    wl_rpx_run_t *run = &l->image.run[i];
    if (!read_run(in, run, least, mem_bytes)) return false;
    least = run->offset + run->bytes;
    l->image.runs++;
  }
  return leave(in, outer);
}

static bool read_failure(in_t *in, wl_rpx_t *r) {
  size_t outer;
  if (!enter(in, TAG_FAIL, &outer)) return false;
  r->cycle = get64(in);
  r->window_from = get64(in);
  r->window_to = get64(in);
  r->kind = (int32_t)get32(in);
  r->view = (int32_t)get32(in);
  r->warp = (int32_t)get32(in);
  r->reg = (int32_t)get32(in);
  r->report = text(in);
  if (r->window_from > r->cycle || r->window_to < r->cycle)
    bad(in, "cycle %llu outside its window", (unsigned long long)r->cycle);
  return leave(in, outer);
}

static bool read_all(in_t *in, wl_rpx_t *r) {
  const uint32_t version = get32(in), launches = get32(in);
  if (in->bad) return false;
  if (version != WL_RPX_VERSION)
    return bad(in, "format %u, this library reads %d", version, WL_RPX_VERSION);
  if (launches < 1 || launches > WL_RPX_MAX_LAUNCHES) return bad(in, "%u launches", launches);
  if (!read_head(in, r) || !read_program(in, r)) return false;
  for (uint32_t i = 0; i < launches; i++) {
    wl_rpx_launch_t *more = realloc(r->launch, (i + 1) * sizeof *more);
    if (more == NULL) return bad(in, "out of memory");
    r->launch = more;
    r->launch[i] = (wl_rpx_launch_t){0};
    r->launches = i + 1;
    if (!read_launch(in, &r->launch[i], r->mem_bytes)) return false;
  }
  if (!read_failure(in, r)) return false;
  return in->at == in->end || bad(in, "%zu bytes behind the last section", in->end - in->at);
}

bool wl_rpx_read(const uint8_t *bytes, size_t size, wl_rpx_t *out, char *err, size_t cap) {
  *out = (wl_rpx_t){0};
  if (size < sizeof magic + 16 || memcmp(bytes, magic, sizeof magic) != 0) {
    snprintf(err, cap, "no replay file");
    return false;
  }
  in_t in = {.bytes = bytes, .at = size - 8, .end = size, .err = err, .cap = cap};
  const uint64_t want = get64(&in), got = wl_rpx_hash(bytes, size - 8);
  if (want != got) {
    in.at = size - 8;
    return bad(&in, "its bytes have hash %016llx, its end says %016llx: cut or changed",
               (unsigned long long)got, (unsigned long long)want);
  }
  in.at = sizeof magic;
  in.end = size - 8;
  return read_all(&in, out);
}

void wl_rpx_free(wl_rpx_t *r) {
  const char *const texts[] = {r->config, r->version, r->module, r->kernel, r->report};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    free((void *)(uintptr_t)texts[i]);
  for (size_t i = 0; i < r->launches; i++)
    wl_rpx_free_image(&r->launch[i].image);
  free(r->launch);
  *r = (wl_rpx_t){0};
}
