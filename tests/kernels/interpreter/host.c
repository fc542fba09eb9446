/* Host side of kernel interpreter: programs at random, run by a table of if's. */
#include "tests/kernels/common/kernel_case.h"

#define PROGRAM_WORDS 64u

static uint32_t random_word(wl_rng_t *rng, uint32_t at) {
  uint32_t op = 1 + wl_rng_below(rng, 12);
  uint32_t imm = wl_rng_below(rng, 1u << 24);
  if (op == 7) { /* forward jump, kept inside */
    imm = wl_rng_below(rng, 3);
  } else if (op == 9) { /* loop back, not before the start */
    imm = 1 + wl_rng_below(rng, 6);
    imm = imm > at + 1 ? at + 1 : imm;
  }
  return op | imm << 8;
}

static uint32_t rotate_left(uint32_t v, uint32_t n) {
  n &= 31u;
  return n == 0 ? v : v << n | v >> (32 - n);
}

static void run(const uint32_t *program, uint32_t pc, uint32_t me, uint32_t max_steps,
                uint32_t out[2]) {
  uint32_t acc = me;
  uint32_t aux = 1;
  uint32_t steps = 0;
  while (steps < max_steps) {
    uint32_t op = program[pc] & 0xffu;
    uint32_t imm = program[pc] >> 8;
    uint32_t old = acc;
    pc++;
    steps++;
    if (op == 0) {
      break;
    }
    acc = op == 1    ? imm
          : op == 2  ? acc + imm
          : op == 3  ? acc * (imm | 1u)
          : op == 4  ? acc ^ aux
          : op == 5  ? aux
          : op == 6  ? rotate_left(acc, imm)
          : op == 10 ? ~acc - aux
          : op == 11 ? (acc > imm ? acc - imm : imm - acc)
                     : acc;
    pc += op == 7 && (old & 1u) != 0 ? imm : 0;
    if (op == 9 && aux % 16 != 0) {
      aux--;
      pc -= imm;
    }
    aux = op == 5 ? old : op == 8 ? aux + old : op == 12 ? (old & imm) : aux;
    if (op > 12) {
      acc = 0xdeadu;
      break;
    }
  }
  out[0] = acc;
  out[1] = steps;
}

static void prepare(const wl_kernel_case_t *kcase, wl_kernel_launch_t *launch) {
  uint32_t threads = kcase->size[0];
  uint32_t max_steps = kcase->size[1];
  wl_rng_t rng = {threads + 14};
  uint32_t programs = (threads + 2) / 3; /* some lanes share a program */
  uint32_t *program = wl_arg_in(launch, programs * PROGRAM_WORDS * sizeof *program);
  uint32_t *start = wl_arg_in(launch, threads * sizeof *start);
  uint32_t *out = wl_arg_out(launch, threads * 2 * sizeof *out);
  wl_arg_u32(launch, threads);
  wl_arg_u32(launch, max_steps);
  if (launch->failed) {
    return;
  }
  for (uint32_t p = 0; p < programs; p++) {
    uint32_t *words = &program[p * PROGRAM_WORDS];
    for (uint32_t i = 0; i + 4 < PROGRAM_WORDS; i++) {
      words[i] = random_word(&rng, i);
    }
    words[PROGRAM_WORDS - 4] = p % 5 == 4 ? 200 : 0; /* an unknown operation now and then */
  }
  for (uint32_t t = 0; t < threads; t++) {
    start[t] = t % programs * PROGRAM_WORDS;
    run(program, start[t], t, max_steps, &out[2 * t]);
  }
}

static const wl_kernel_case_t cases[] = {
    {.name = "t37",
     .entry = "interpreter",
     .tier = WL_TIER_SMOKE,
     .grid = {1, 1, 1},
     .block = {40, 1, 1},
     .size = {37, 100},
     .prepare = prepare},
    {.name = "t333",
     .entry = "interpreter",
     .tier = WL_TIER_CAMPAIGN,
     .grid = {3, 1, 1},
     .block = {128, 1, 1},
     .size = {333, 400},
     .prepare = prepare},
};

const wl_kernel_t wl_kernel_interpreter = {
    .name = "interpreter",
    .variants = WL_PTX_COMPILED | WL_PTX_NVCC_NEWER,
    .result = WL_RESULT_EXACT,
    .requires_registers = 64,
    .cases = cases,
    .case_count = WL_COUNT(cases),
};
