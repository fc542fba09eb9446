/* Test programs in machine instructions: a small assembler of words, a launch block and a memory
 * image around the golden model. Expected values are the tests' own. */
#ifndef WL_TESTS_UNIT_MODEL_PROGRAM_H
#define WL_TESTS_UNIT_MODEL_PROGRAM_H

#include <stdio.h>
#include <string.h>

#include "cmodel/gpu/gpu.h"
#include "gen/wl_launch.h"

enum { MEM_BASE = 0x100000, MEM_SIZE = 0x40000 };
enum { CODE = 0x100000, LAUNCH = 0x110000, LOCAL = 0x120000, DATA = 0x130000 };

typedef struct wl_bench {
  uint8_t *image;
  uint32_t code_words;
  wl_launch_block_t lb;
  wl_model_t *model;
  int failures;
} wl_bench_t;

/* Fields of an instruction, those that its form has. A predicate is P(number), left out: PT; bop is
 * "second operand unchanged". */
typedef struct wl_x {
  uint32_t guard, neg, rd, ra, rb, rc, pd, pq, ps, ps_neg, cmp, imm, strong, xmode, ta, b16;
} wl_x_t;
#define X(...)    ((wl_x_t){__VA_ARGS__})
#define P(number) ((number) + 8u)

void bench_open(wl_bench_t *b, wl_config_id_t config, uint32_t threads, uint32_t ctas);
void bench_close(wl_bench_t *b);
uint32_t bench_emit(wl_bench_t *b, wl_form_t form, wl_x_t x); /* index of the instruction */
void bench_patch(wl_bench_t *b, uint32_t at, uint32_t imm);
/* Writes the launch block, steps until done (or 200000 cycles: a failure); cycles. */
uint64_t bench_run(wl_bench_t *b);
uint32_t bench_reg(const wl_bench_t *b, unsigned warp, unsigned reg, unsigned lane);
uint32_t bench_load(const wl_bench_t *b, uint64_t address);
/* Section 5: cycles from an issue of a warp that is alone to its next, whose instruction is in the buffer
 * by then and hazard-free from `free` cycles behind the first issue on; n: slots of the first. */
uint32_t bench_distance(const wl_config_t *cfg, uint32_t n, uint32_t free);
void bench_expect(wl_bench_t *b, const char *what, uint64_t got, uint64_t expected);
/* The same of a cycle, which the message names. */
void bench_expect_in(wl_bench_t *b, unsigned cycle, const char *what, uint64_t got,
                     uint64_t expected);

/* Units of an SM of tiny without the rest of the machine: state and wires zero, eight warp slots. */
typedef struct wl_alone {
  wl_bench_t b; /* for bench_expect only */
  wl_gpu_t *gpu;
  wl_sm_t *sm;
  wl_wires_t *w;
} wl_alone_t;
void alone_open(wl_alone_t *u);
void alone_close(wl_alone_t *u);

#endif
