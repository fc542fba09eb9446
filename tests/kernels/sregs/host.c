/* Host side of kernel sregs: the value of every special register that a program of one SM without
 * clusters may read (PTX chapter 10; docs/microarchitecture.md 6.2). */
#include "tests/kernels/common/kernel_case.h"

#include <stdio.h>
#include <string.h>

enum { EXACT_WORDS = 46, MACHINE_WORDS = 66, MONITORS = 8, STATIC_SHARED = 64 };

static uint32_t *put3(uint32_t *out, const uint32_t v[3]) {
  memcpy(out, v, 3 * sizeof *out);
  return out + 3;
}

static uint32_t *put4(uint32_t *out, const uint32_t v[3]) {
  out = put3(out, v);
  *out++ = 0; /* the fourth component of these vectors */
  return out;
}

/* What one thread writes, in the order of sregs.hand.ptx. */
static void expect(const wl_kernel_case_t *kcase, const uint32_t tid[3], const uint32_t cta[3],
                   uint32_t *out) {
  static const uint32_t zeros[3] = {0, 0, 0};
  static const uint32_t ones[3] = {1, 1, 1};
  uint32_t lane = (tid[0] + kcase->block[0] * (tid[1] + kcase->block[1] * tid[2])) % 32;
  uint32_t below = (UINT32_C(1) << lane) - 1;
  uint32_t self = UINT32_C(1) << lane;
  out = put4(out, tid);
  out = put4(out, kcase->block);
  out = put4(out, cta);
  out = put4(out, kcase->grid);
  *out++ = lane;
  *out++ = 0; /* smid */
  *out++ = 1; /* nsmid */
  *out++ = self;
  *out++ = below | self;
  *out++ = below;
  *out++ = ~below;
  *out++ = ~(below | self);
  *out++ = 0; /* is_explicit_cluster */
  out = put3(out, cta);
  out = put3(out, kcase->grid);
  out = put3(out, zeros);
  out = put3(out, ones);
  *out++ = 0; /* cluster_ctarank */
  *out++ = 1; /* cluster_nctarank */
  *out++ = STATIC_SHARED + kcase->dynamic_shared;
  *out++ = kcase->dynamic_shared;
  *out++ = STATIC_SHARED + kcase->dynamic_shared;
  *out++ = 0; /* envreg, reserved_smem_offset, current_graph_exec: all zero */
}

static bool next(uint32_t v[3], const uint32_t limit[3]) {
  for (int axis = 0; axis < 3; axis++) {
    if (++v[axis] < limit[axis]) {
      return true;
    }
    v[axis] = 0;
  }
  return false;
}

static uint32_t thread_count(const wl_kernel_case_t *kcase) {
  return kcase->grid[0] * kcase->grid[1] * kcase->grid[2] * wl_kernel_threads_per_cta(kcase);
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t threads = thread_count(kcase);
  uint32_t *out = wl_arg_out(launch, threads * EXACT_WORDS * sizeof *out);
  if (out == NULL || !wl_arg_scratch(launch, threads * MACHINE_WORDS * sizeof *out)) {
    return;
  }
  uint32_t cta[3] = {0, 0, 0};
  do {
    uint32_t tid[3] = {0, 0, 0};
    do {
      expect(kcase, tid, cta, out);
      out += EXACT_WORDS;
    } while (next(tid, kcase->block));
  } while (next(cta, kcase->grid));
}

static uint64_t wide(const uint32_t *word) { return (uint64_t)word[1] << 32 | word[0]; }

/* The first clock reads, in program order: clock64, clock, clock_hi, the timer three times; at the
 * end clock64, the timer, clock. One cycle is one nanosecond (config.def), so that the timer lies
 * between the clocks around it. No launch here takes 2^32 cycles. */
static const char *check_clocks(const uint32_t *w) {
  uint64_t order[8] = {wide(w),      w[2],         wide(w + 4), w[6],
                       wide(w + 12), wide(w + 14), w[16],       UINT64_MAX};
  for (int i = 0; i < 7; i++) {
    if (order[i] >= order[i + 1]) {
      return "a clock or timer did not move on";
    }
  }
  return w[3] != 0 || w[7] != 0 ? "clock_hi or globaltimer_hi is not zero" : NULL;
}

/* Each monitor in program order: %pm twice, then %pm_64 twice. What it counts only grows, and no launch
 * here counts to 2^32; a machine without monitors reads zero. */
static const char *check_monitors(const uint32_t *w) {
  for (int i = 0; i < MONITORS; i++) {
    const uint32_t *narrow = w + 18 + 2 * i, *whole = w + 18 + 2 * MONITORS + 4 * i;
    uint64_t order[4] = {narrow[0], narrow[1], wide(whole), wide(whole + 2)};
    for (int k = 0; k < 3; k++) {
      if (order[k] > order[k + 1]) {
        return "a performance monitor went back";
      }
    }
  }
  return NULL;
}

static const char *check_thread(const uint32_t *w, const uint32_t *first_thread,
                                const uint32_t *first_lane) {
  const char *wrong = check_clocks(w);
  if (wrong == NULL) {
    wrong = check_monitors(w);
  }
  if (wrong != NULL) {
    return wrong;
  }
  if (w[9] != 8 && w[9] != 32 && w[9] != 64) {
    return "nwarpid is of no configuration";
  }
  if (w[8] >= w[9] || w[8] != w[17] || w[8] != first_lane[8]) {
    return "warpid is not one slot for all lanes of the warp";
  }
  if (w[9] != first_thread[9] || memcmp(w + 10, first_thread + 10, 8) != 0 || wide(w + 10) > 1) {
    return "nwarpid or gridid differ among threads";
  }
  return NULL;
}

static const char *check(const wl_kernel_case_t *kcase, const wl_kernel_launch_t *launch,
                         const unsigned char *const *result) {
  uint32_t threads = wl_kernel_threads_per_cta(kcase);
  uint32_t ctas = thread_count(kcase) / threads;
  uint32_t first[MACHINE_WORDS], w[MACHINE_WORDS], leader[MACHINE_WORDS] = {0};
  (void)launch;
  memcpy(first, result[1], sizeof first);
  for (uint32_t c = 0; c < ctas; c++) {
    uint64_t slots = 0;
    for (uint32_t t = 0; t < threads; t++) {
      memcpy(w, result[1] + ((size_t)c * threads + t) * sizeof w, sizeof w);
      if (t % 32 == 0) {
        memcpy(leader, w, sizeof leader);
        if (w[8] < 64 && (slots >> w[8] & 1) != 0) {
          return "two warps of a CTA have the same warpid";
        }
        slots |= w[8] < 64 ? UINT64_C(1) << w[8] : 0;
      }
      const char *wrong = check_thread(w, first, leader);
      if (wrong != NULL) {
        return wrong;
      }
    }
  }
  return NULL;
}

static const wl_kernel_case_t cases[] = {
    {.name = "2x3x2_5x3x3",
     .entry = "sregs",
     .tier = WL_TIER_SMOKE,
     .grid = {2, 3, 2},
     .block = {5, 3, 3},
     .dynamic_shared = 100,
     .prepare = prepare,
     .check = check},
    {.name = "7x1x3_3x67x1",
     .entry = "sregs",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {7, 1, 3},
     .block = {3, 67, 1},
     .dynamic_shared = 4,
     .prepare = prepare,
     .check = check},
};

const wl_kernel_t wl_kernel_sregs = {
    .name = "sregs",
    .variants = WL_PTX_HAND,
    .result = WL_RESULT_CHECKER,
    .requires_registers = 64,
    .requires_shared = STATIC_SHARED,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
