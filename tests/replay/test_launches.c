/* test_launches.c: a device that diverges in its third launch, on a model with a bug: the replay
 * file has all launches, and running it again comes to the same difference; a file whose memory or
 * seed was changed does not; made smaller, it does without the former launches. docs/replay.md */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "driver/replay/rpx.h"
#include "gen/wl_launch.h"

static const char text[] =
    ".version 9.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry add(.param .u64 p, .param .u32 n) {\n"
    " .reg .b32 %r<5>; .reg .b64 %d<3>;\n"
    " mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; ld.param.u64 %d1, [p];\n"
    " mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;\n"
    " ld.global.u32 %r3, [%d1]; add.u32 %r3, %r3, %r2; st.global.u32 [%d1], %r3; ret; }\n"
    ".visible .entry meet(.param .u64 p, .param .u32 n) {\n"
    " .reg .b32 %r<5>; .reg .b64 %d<3>; .reg .pred %q;\n"
    " mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; ld.param.u64 %d1, [p];\n"
    " mul.wide.u32 %d2, %r1, 4; add.s64 %d1, %d1, %d2;\n"
    "again: ld.global.u32 %r3, [%d1]; sub.u32 %r2, %r2, 1; add.u32 %r3, %r3, %r2;\n"
    " st.global.u32 [%d1], %r3; setp.ne.u32 %q, %r2, 0; @%q bra again;\n"
    " setp.eq.u32 %q, %r2, 0; bar.red.popc.u32 %r3, 0, %q; ret; }\n";

typedef struct file {
  uint8_t *bytes;
  size_t size;
  uint64_t cycle;
} file_t;

static void keep(void *context, uint64_t cycle, const void *bytes, size_t size) {
  file_t *f = context;
  f->bytes = malloc(size);
  if (f->bytes == NULL) abort();
  memcpy(f->bytes, bytes, size);
  f->size = size;
  f->cycle = cycle;
}

static int failed(const char *what, const char *detail) {
  printf("%s: %s\n", what, detail);
  return 1;
}

/* The status of a replay of the file with a change. */
static wl_status_t again(const file_t *f, void (*change)(wl_rpx_t *), char *out, size_t cap) {
  wl_rpx_t r;
  uint8_t *bytes;
  size_t size;
  wl_replay_t *replay;
  if (!wl_rpx_read(f->bytes, f->size, &r, out, cap)) return WL_ERR_INTERNAL;
  if (change != NULL) change(&r);
  if (!wl_rpx_write(&r, &bytes, &size)) abort();
  wl_rpx_free(&r);
  wl_status_t status = wl_replay_open(bytes, size, &replay);
  free(bytes);
  status = status == WL_OK ? wl_replay_run(replay, NULL) : status;
  snprintf(out, cap, "%s: %.600s", wl_status_text(status), wl_replay_error(replay));
  wl_replay_close(replay);
  return status;
}

static void other_seed(wl_rpx_t *r) { r->seed++; }
/* Forgets one launch without leaking its runs. */
static void drop_second(wl_rpx_t *r) {
  wl_rpx_free_image(&r->launch[1].image);
  r->launch[1] = r->launch[2], r->launches = 2;
}
/* The last launch begins with empty memory, and so without a launch block. */
static void cut_memory(wl_rpx_t *r) { r->launch[2].image.runs = 0; }

/* The launch block's words 0 to 37, as far as they lie in data runs, changed under a right hash:
 * each file is refused, or runs to some end; two of three words must be refused when they are all
 * ones. */
static unsigned change_word, change_to, changed;
static void change_block(wl_rpx_t *r) {
  wl_rpx_launch_t *l = &r->launch[r->launches - 1];
  const uint64_t at = l->block - (UINT64_C(1) << 32) + 4 * change_word;
  l->max_cycles = 3000;
  changed = 0;
  for (size_t i = 0; i < l->image.runs; i++) {
    const wl_rpx_run_t *run = &l->image.run[i];
    if (run->fill || at < run->offset || at - run->offset >= run->bytes) continue;
    uint8_t *to = (uint8_t *)(uintptr_t)run->data + (at - run->offset);
    uint32_t value;
    memcpy(&value, to, 4);
    value = change_to < 2 ? change_to - 1 : value + 1;
    memcpy(to, &value, 4);
    changed = 1;
  }
}

static int change_blocks(const file_t *f) {
  char out[1024];
  unsigned refused[3] = {0}, tried[3] = {0};
  for (change_word = 0; change_word < 38; change_word++)
    for (change_to = 0; change_to < 3; change_to++) {
      file_t copy = {malloc(f->size), f->size, 0};
      if (copy.bytes == NULL) abort();
      memcpy(copy.bytes, f->bytes, f->size);
      const wl_status_t status = again(&copy, change_block, out, sizeof out);
      tried[change_to] += changed;
      refused[change_to] += changed != 0 && status == WL_ERR_INPUT;
      free(copy.bytes);
    }
  printf("launch block: %u words all ones, %u refused; zero %u, %u; one more %u, %u\n", tried[0],
         refused[0], tried[1], refused[1], tried[2], refused[2]);
  return tried[0] < 20 || refused[0] * 3 < tried[0] * 2;
}

/* A bank of constants at the beginning of memory, of 64 KB, which is the most, or a word more. */
static uint32_t bank_bytes;
static void set_bank(wl_rpx_t *r) {
  wl_rpx_launch_t *l = &r->launch[r->launches - 1];
  const uint32_t words[] = {0, 1, bank_bytes}; /* c1_base, c1_bytes of the launch block */
  const uint64_t at = l->block - (UINT64_C(1) << 32) + 4 * WL_LAUNCH_C1_BASE;
  l->max_cycles = 3000;
  changed = 0;
  for (size_t i = 0; i < l->image.runs; i++) {
    const wl_rpx_run_t *run = &l->image.run[i];
    if (run->fill || at < run->offset || at + sizeof words > run->offset + run->bytes) continue;
    memcpy((uint8_t *)(uintptr_t)run->data + (at - run->offset), words, sizeof words);
    changed = 1;
  }
}

static bool set_banks(const file_t *f) {
  char out[1024];
  bool refused[2];
  for (unsigned i = 0; i < 2; i++) {
    file_t copy = {malloc(f->size), f->size, 0};
    if (copy.bytes == NULL) abort();
    memcpy(copy.bytes, f->bytes, f->size);
    bank_bytes = i == 0 ? 65536 : 65540;
    refused[i] = again(&copy, set_bank, out, sizeof out) == WL_ERR_INPUT;
    free(copy.bytes);
    if (changed == 0) return false;
  }
  return !refused[0] && refused[1];
}

/* The former launches only delay it, so that a smaller file does without them. */
static bool smaller(const file_t *f, char *out, size_t cap) {
  const wl_shrink_options_t options = {0};
  wl_shrink_result_t small = {0};
  wl_replay_t *replay;
  if (wl_replay_open(f->bytes, f->size, &replay) != WL_OK) return false;
  const wl_status_t status = wl_replay_shrink(replay, &options, &small);
  printf("%s: %llu launches, %llu instructions; then %llu, %llu of %llu threads\n",
         wl_status_text(status), (unsigned long long)small.before.launches,
         (unsigned long long)small.before.instructions, (unsigned long long)small.after.launches,
         (unsigned long long)small.after.instructions, (unsigned long long)small.after.threads);
  out[0] = 0;
  wl_replay_close(replay);
  const file_t file = {small.bytes, small.size, 0};
  const bool ok = status == WL_OK && small.bytes != NULL && small.complete &&
                  small.before.launches == 3 && small.before.threads == 64 &&
                  small.before.ctas == 3 && small.after.launches == 1 && small.after.ctas == 1 &&
                  small.after.threads < 10 && small.size < f->size &&
                  again(&file, NULL, out, cap) == WL_ERR_DIVERGENCE;
  free(small.bytes);
  return ok;
}

int main(void) {
  file_t file = {0};
  wl_device_t *d;
  wl_module_t *m;
  wl_function_t *add, *meet;
  wl_addr_t p;
  uint32_t n = 20;
  char out[1024];
  const wl_device_options_t options = {.backend = "lockstep",
                                       .config = "tiny",
                                       .seed = 3,
                                       .disturb = "heavy",
                                       .mem_bytes = 1 << 20,
                                       .replay = keep,
                                       .replay_context = &file};
  if (wl_device_open(&options, &d) != WL_OK ||
      wl_module_load(d, "t.ptx", text, sizeof text - 1, NULL, &m) != WL_OK ||
      wl_module_function(m, "add", &add) != WL_OK ||
      wl_module_function(m, "meet", &meet) != WL_OK || wl_alloc(d, 4096, &p) != WL_OK)
    return failed("set-up", wl_error(d));
  const wl_arg_t args[] = {WL_ARG(p), WL_ARG(n)};
  const wl_launch_t l = {{3, 1, 1}, {64, 1, 1}, 0, 0};
  if (wl_launch(add, &l, args, 2, NULL) != WL_OK) return failed("first launch", wl_error(d));
  if (wl_fill(d, p, 1, 4096) != WL_OK) return failed("fill", wl_error(d));
  if (wl_launch(add, &l, args, 2, NULL) != WL_OK) return failed("second launch", wl_error(d));
  if (file.bytes != NULL) return failed("replay file", "written without a divergence");
  if (wl_launch(meet, &l, args, 2, NULL) != WL_ERR_DIVERGENCE)
    return failed("third launch", wl_error(d));
  wl_device_close(d);
  if (file.bytes == NULL) return failed("replay file", "none");
  if (again(&file, NULL, out, sizeof out) != WL_ERR_DIVERGENCE) return failed("replay", out);
  if (again(&file, other_seed, out, sizeof out) != WL_OK) return failed("another seed", out);
  if (again(&file, drop_second, out, sizeof out) != WL_OK) return failed("a launch less", out);
  if (again(&file, cut_memory, out, sizeof out) != WL_ERR_INPUT) return failed("no memory", out);
  if (!smaller(&file, out, sizeof out)) return failed("a smaller launch", out);
  if (change_blocks(&file) != 0) return failed("launch block", "changes are not refused");
  if (!set_banks(&file)) return failed("launch block", "64 KB of constants refused, or more taken");
  printf("3 launches, divergence in cycle %llu, file of %zu bytes\n",
         (unsigned long long)file.cycle, file.size);
  free(file.bytes);
  return 0;
}
