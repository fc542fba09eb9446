/* shrink.c: makes the launch of a replay file smaller as long as its first difference stays of the
 * same kind of record, array and word. docs/replay.md, "Smaller".
 * Works on what runs: launch block, machine words and data in the image of device memory. It takes
 * away former launches, disturbance, CTAs, threads, instructions (they become nop) and data (it
 * becomes zero). It does not renumber instructions, and knows no PTX. A candidate need not be a
 * program that ends: it runs to the difference only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "driver/internal.h"
#include "isa/obj/dis.h"
#include "isa/obj/elf.h"

typedef struct shrink {
  wl_replay_t *r;
  const wl_shrink_options_t *o;
  wl_shrink_result_t *out;
  wl_function_t *f; /* of the last candidate's device, or NULL */
  uint8_t *mem;     /* before the last launch; of the smallest launch so far */
  uint64_t block;   /* offset of the launch block in it */
  size_t first;     /* launches before this one are left out */
  uint64_t max_cycles;
  wl_run_result_t run; /* of the smallest launch so far */
  char word[48];       /* that differs */
  uint32_t nop[4];
  time_t end;
  bool over; /* a limit, or asked to stop */
} shrink_t;

static wl_launch_block_t block_of(const shrink_t *s) {
  wl_launch_block_t b;
  memcpy(&b, s->mem + s->block, sizeof b);
  return b;
}

static uint64_t code_of(const wl_launch_block_t *b) { return wl_pair(b->code_base) - WL_MEM_BASE; }

/* The name of the word that differs, without its index: "popc" of "word   popc[0]: model ..". */
static void word_of(const char *report, char *name, size_t cap) {
  const char *at = strstr(report, "\nword   ");
  const size_t n = at == NULL ? 0 : strcspn(at + 8, "[:\n");
  name[0] = 0;
  if (n != 0 && n < cap) {
    memcpy(name, at + 8, n);
    name[n] = 0;
  }
}

/* Runs what stands in mem. */
static wl_status_t run(shrink_t *s) {
  const wl_device_options_t o = {.stop = s->o->stop, .stop_context = s->o->stop_context};
  wl_replay_t *r = s->r;
  const size_t last = r->rpx.launches - 1;
  s->f = NULL;
  wl_status_t status = wl_replay_device(r, &o, &s->f);
  status = status == WL_OK ? wl_replay_launches(r, s->f, s->first, last) : status;
  if (status != WL_OK && status != WL_ERR_TRAP) {
    return status == WL_ERR_DIVERGENCE ? WL_ERR_INTERNAL : status;
  }
  memcpy(r->device->mem, s->mem, (size_t)r->device->mem_bytes);
  if (!wl_replay_sound(r->device, s->block + WL_MEM_BASE)) {
    return WL_ERR_INPUT;
  }
  return wl_launch_run(s->f, s->block + WL_MEM_BASE, s->max_cycles, NULL);
}

static bool fails(shrink_t *s) {
  char word[sizeof s->word];
  if (s->over || (s->o->tries != 0 && s->out->tries >= s->o->tries) ||
      (s->o->seconds != 0 && time(NULL) >= s->end) ||
      (s->o->stop != NULL && s->o->stop(s->o->stop_context))) {
    s->over = true;
    return false;
  }
  s->out->tries++;
  const wl_status_t status = run(s);
  const wl_run_result_t *now = &s->r->device->run;
  if (status != WL_ERR_DIVERGENCE || now->kind != s->run.kind || now->view != s->run.view) {
    return false;
  }
  word_of(now->report, word, sizeof word);
  if (strcmp(word, s->word) != 0) {
    return false;
  }
  s->run = *now;
  s->max_cycles = now->cycles * 2 + 4000;
  s->out->taken++;
  return true;
}

/* Other bytes at a place, if it still fails with them. */
static bool try_bytes(shrink_t *s, uint64_t at, const void *bytes, size_t size) {
  uint8_t *place = s->mem + at;
  if (memcmp(place, bytes, size) == 0) {
    return false;
  }
  uint8_t *old = malloc(size);
  if (old == NULL) {
    s->over = true;
    return false;
  }
  memcpy(old, place, size);
  memcpy(place, bytes, size);
  const bool ok = fails(s);
  if (!ok) {
    memcpy(place, old, size);
  }
  free(old);
  return ok;
}

static bool try_former(shrink_t *s) {
  const size_t old = s->first, last = s->r->rpx.launches - 1;
  bool any = false;
  for (size_t cut = last - s->first; cut != 0 && !any; cut /= 2) {
    s->first = old + cut;
    any = fails(s);
  }
  if (!any) {
    s->first = old;
  }
  return any;
}

static bool try_disturb(shrink_t *s) {
  const uint32_t old = s->r->rpx.disturb;
  if (old == 0) {
    return false;
  }
  s->r->rpx.disturb = 0;
  if (fails(s)) {
    return true;
  }
  s->r->rpx.disturb = old;
  return false;
}

/* What the block says twice. */
static void complete(wl_launch_block_t *b) {
  const uint32_t xy = b->ntid_x * b->ntid_y;
  b->threads = xy * b->ntid_z;
  b->warps = (b->threads + 31) / 32;
  b->recip_x = ((1u << 20) + b->ntid_x - 1) / b->ntid_x;
  b->recip_xy = ((1u << 20) + xy - 1) / xy;
}

/* One extent: 1, then ever smaller steps down. */
static bool try_extent(shrink_t *s, size_t word) {
  bool any = false;
  const wl_launch_block_t b = block_of(s);
  uint32_t words[sizeof b / 4];
  memcpy(words, &b, sizeof b);
  for (uint32_t step = words[word] - 1; step != 0 && !s->over;) {
    wl_launch_block_t next;
    uint32_t changed[sizeof b / 4];
    memcpy(changed, words, sizeof words);
    changed[word] -= step;
    memcpy(&next, changed, sizeof next);
    complete(&next);
    if (try_bytes(s, s->block, &next, sizeof next)) {
      memcpy(words, &next, sizeof words);
      any = true;
    } else {
      step /= 2;
    }
    step = step < words[word] ? step : words[word] - 1;
  }
  return any;
}

static bool try_code(shrink_t *s) {
  const wl_launch_block_t b = block_of(s);
  const uint64_t code = code_of(&b);
  uint32_t *nops = malloc((size_t)b.code_words * 16);
  bool any = false;
  if (nops == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < b.code_words; i++) {
    memcpy(nops + 4 * (size_t)i, s->nop, sizeof s->nop);
  }
  for (uint32_t chunk = b.code_words; chunk != 0; chunk /= 2) {
    for (uint32_t at = 0; at < b.code_words; at += chunk) {
      const uint32_t n = b.code_words - at < chunk ? b.code_words - at : chunk;
      any |= try_bytes(s, code + (uint64_t)at * 16, nops, (size_t)n * 16);
    }
  }
  free(nops);
  return any;
}

/* Data of the recorded image in pieces, down to a sixteenth of a run. */
static bool try_data(shrink_t *s) {
  const wl_launch_block_t b = block_of(s);
  const uint64_t code = code_of(&b), code_end = code + (uint64_t)b.code_words * 16;
  const wl_rpx_image_t *image = &s->r->rpx.launch[s->r->rpx.launches - 1].image;
  bool any = false;
  for (size_t i = 0; i < image->runs && !s->over; i++) {
    const uint64_t from = image->run[i].offset, to = from + image->run[i].bytes;
    uint8_t *zero = calloc(1, (size_t)(to - from));
    if (zero == NULL || (from < s->block + sizeof b && to > s->block) ||
        (from < code_end && to > code)) {
      free(zero);
      continue;
    }
    uint64_t piece = to - from;
    for (int depth = 0; depth < 5 && piece >= 8; depth++, piece = piece / 16 * 8) {
      for (uint64_t at = from; at < to; at += piece) {
        any |= try_bytes(s, at, zero, (size_t)(to - at < piece ? to - at : piece));
      }
    }
    free(zero);
  }
  return any;
}

static void reduce(shrink_t *s) {
  static const size_t extents[] = {2, 1, 0, 5, 4, 3}; /* words of the launch block: grid, block */
  bool any = true;
  while (any && !s->over) {
    any = try_former(s);
    any |= try_disturb(s);
    for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++) {
      any |= try_extent(s, extents[i]);
    }
    any |= try_code(s);
    any |= try_data(s);
  }
  s->out->complete = !s->over;
}

static wl_shrink_size_t measure(const shrink_t *s) {
  const wl_launch_block_t b = block_of(s);
  wl_shrink_size_t size = {.ctas = (uint64_t)b.nctaid_x * b.nctaid_y * b.nctaid_z,
                           .threads = b.threads,
                           .cycles = s->run.cycles,
                           .launches = s->r->rpx.launches - s->first};
  for (uint32_t i = 0; i < b.code_words; i++) {
    size.instructions += memcmp(s->mem + code_of(&b) + (uint64_t)i * 16, s->nop, 16) != 0;
  }
  return size;
}

/* What is left of the code, one line each. */
static void list(const shrink_t *s) {
  const wl_launch_block_t b = block_of(s);
  for (uint32_t i = 0; i < b.code_words && s->o->line != NULL; i++) {
    char text[WL_DIS_MAX], line[WL_DIS_MAX + 16];
    uint32_t w[4];
    memcpy(w, s->mem + code_of(&b) + (uint64_t)i * 16, sizeof w);
    if (memcmp(w, s->nop, sizeof w) != 0) {
      (void)wl_dis_word(w, text, sizeof text);
      (void)snprintf(line, sizeof line, "%6x  %s", i, text);
      s->o->line(s->o->line_context, line);
    }
  }
}

/* The object gets the code too, where it is still one that the reader takes. */
static uint8_t *object(const shrink_t *s, size_t *size) {
  const wl_launch_block_t b = block_of(s);
  uint8_t *bytes = NULL;
  char err[256];
  if (s->f == NULL || s->f->module->obj->code_count != b.code_words) {
    return NULL;
  }
  wl_obj_t *obj = s->f->module->obj;
  memcpy(obj->code, s->mem + code_of(&b), (size_t)b.code_words * 16);
  return wl_obj_write(obj, &bytes, size, err, sizeof err) ? bytes : NULL;
}

static bool write_file(shrink_t *s) {
  wl_rpx_t x = s->r->rpx;
  const wl_launch_block_t b = block_of(s);
  size_t object_size = 0;
  uint8_t *bytes = NULL, *changed = object(s, &object_size);
  wl_rpx_launch_t *l = &x.launch[x.launches - 1], kept = *l;
  l->image = (wl_rpx_image_t){0};
  l->cycles = s->run.cycles;
  l->max_cycles = 0;
  memcpy(l->grid, (const uint32_t[3]){b.nctaid_x, b.nctaid_y, b.nctaid_z}, sizeof l->grid);
  memcpy(l->block_dim, (const uint32_t[3]){b.ntid_x, b.ntid_y, b.ntid_z}, sizeof l->block_dim);
  x.launch += s->first;
  x.launches -= s->first;
  x.cycle = s->run.cycle;
  x.window_from = wl_window_from(x.cycle);
  x.window_to = x.cycle + WL_WINDOW_BEHIND;
  x.warp = s->run.warp;
  x.reg = s->run.reg;
  x.report = s->run.report;
  if (changed != NULL) {
    x.object = changed;
    x.object_bytes = object_size;
  }
  const bool ok = wl_rpx_take(&l->image, (const uint64_t *)(const void *)s->mem, x.mem_bytes,
                              x.seed, wl_mem_pattern, WL_MEM_BASE) &&
                  wl_rpx_write(&x, &bytes, &s->out->size);
  s->out->bytes = bytes;
  wl_rpx_free_image(&l->image);
  *l = kept;
  free(changed);
  return ok;
}

/* The recorded launch, which must fail as recorded. */
static wl_status_t begin(shrink_t *s) {
  wl_replay_t *r = s->r;
  const wl_rpx_launch_t *l = &r->rpx.launch[r->rpx.launches - 1];
  char err[80];
  const wl_device_options_t o = {.stop = s->o->stop, .stop_context = s->o->stop_context};
  wl_status_t status = wl_replay_run(r, &o);
  if (status != WL_ERR_DIVERGENCE) {
    return status;
  }
  if (!wl_asm_line("nop", s->nop, err, sizeof err) ||
      (s->mem = malloc((size_t)r->rpx.mem_bytes)) == NULL) {
    return WL_ERR_INTERNAL;
  }
  wl_mem_pattern(r->rpx.seed, WL_MEM_BASE, (uint64_t *)(void *)s->mem, r->rpx.mem_bytes / 8);
  wl_rpx_put(&l->image, s->mem);
  s->block = l->block - WL_MEM_BASE;
  s->run = r->device->run;
  s->max_cycles = s->run.cycles * 2 + 4000;
  word_of(s->run.report, s->word, sizeof s->word);
  return WL_OK;
}

wl_status_t wl_replay_shrink(wl_replay_t *r, const wl_shrink_options_t *options,
                             wl_shrink_result_t *out) {
  shrink_t s = {.r = r, .o = options, .out = out, .end = time(NULL) + (time_t)options->seconds};
  *out = (wl_shrink_result_t){0};
  wl_status_t status = begin(&s);
  if (s.mem != NULL) {
    const uint32_t disturb = r->rpx.disturb;
    out->before = measure(&s);
    reduce(&s);
    out->after = measure(&s);
    list(&s);
    status = write_file(&s) ? WL_OK : WL_ERR_INTERNAL;
    r->rpx.disturb = disturb;
  }
  free(s.mem);
  return status;
}
