/* fuzz.h: random machine programs (docs/isa.md) and what is needed to run one. The generators know
 * the form table (isa/def) and nothing of either twin. */
#ifndef WL_TESTS_FUZZ_FUZZ_H
#define WL_TESTS_FUZZ_FUZZ_H
#include <stdbool.h>
#include <stdint.h>

#include "gen/wl_insn.h"

enum {
  FUZZ_MAX_WORDS = 1600,
  FUZZ_MAIN_WORDS = 512,
  FUZZ_SLOT = 256,     /* bytes of the global buffer that a thread owns */
  FUZZ_SMEM_SLOT = 32, /* bytes of shared memory that a thread owns */
  FUZZ_CELLS = 256,    /* bytes before the slots that all threads share (global and shared) */
  FUZZ_LOCAL = 64,     /* local frame */
  FUZZ_DUMP = 128,     /* offset in the slot at which a gentle program leaves its registers */
  FUZZ_REGS = 56,
  FUZZ_DATA = 20, /* first data register */
  FUZZ_DATA_REGS = 24,
  FUZZ_C1_BYTES = 16384
};

typedef struct fuzz_rng {
  uint64_t state;
  uint32_t regs; /* limit of any register number but by mistake; 0: FUZZ_REGS */
  bool probe;    /* words of the probe are drawn often, others do not change */
  uint32_t row;  /* bit of wl_form_info_t.rows: few words are of forms that this one lacks */
} fuzz_rng_t;
/* Two draws never stand in one expression whose order C leaves open: a seed makes the same program
 * everywhere (test fuzz/same_programs). */
uint64_t fuzz_next(fuzz_rng_t *r);
uint32_t fuzz_below(fuzz_rng_t *r, uint32_t n); /* 0 .. n - 1 */
bool fuzz_chance(fuzz_rng_t *r, uint32_t percent);
/* Integer and floating-point edge cases mixed with uniform words. */
uint32_t fuzz_value(fuzz_rng_t *r);

typedef struct fuzz_program {
  uint32_t w[FUZZ_MAX_WORDS][4];
  uint32_t count;
  uint32_t grid[3], threads, block[3];
  uint32_t regs, smem_extra;
  /* Every thread writes its own places only and nothing depends on the order of warps. */
  bool comparable;
  bool gentle, spiced; /* plain words: neither */
} fuzz_program_t;

/* Where a word comes from. */
typedef enum fuzz_kind { FUZZ_UNIFORM, FUZZ_CHANGED, FUZZ_LEGAL, FUZZ_KINDS } fuzz_kind_t;

/* One legal word for index pc of a program of `count` words: mostly sensible operands. form < 0: any. */
void fuzz_legal_word(fuzz_rng_t *r, int form, uint32_t pc, uint32_t count, uint32_t w[4]);
/* Section "instruction words": 1/3 uniform, 1/3 legal with one field changed, 1/3 legal. */
void fuzz_words_program(fuzz_rng_t *r, uint32_t max_threads, fuzz_program_t *p);
/* Programs that end: structured control, sensible addresses. */
void fuzz_gentle_program(fuzz_rng_t *r, uint32_t max_threads, fuzz_program_t *p);
/* A gentle program with some words behind the prologue replaced: deep states and all traps. */
void fuzz_spiced_program(fuzz_rng_t *r, uint32_t max_threads, fuzz_program_t *p);
/* Registers of every program that has it: R0 thread of the grid, R1 lane, R2:R3 own global slot,
 * R4:R5 own shared slot as generic address (R4 is the offset), R6:R7 local frame as generic address
 * (R6 is the offset), R10:R11 common cells, R20.. data. */
void fuzz_prologue(fuzz_rng_t *r, fuzz_program_t *p);
/* Grid and CTA, mostly small: what differs in many warps differs often in two. */
void fuzz_choose_shape(fuzz_rng_t *r, uint32_t max_threads, fuzz_program_t *p);
/* Appends a word; false when the program is full. */
bool fuzz_put(fuzz_program_t *p, const uint32_t w[4]);
/* Program `index` of a seed, of any kind, for a configuration (wl_config_t.row); what else depends on
 * the two is drawn from their mix. */
void fuzz_make(uint64_t seed, uint64_t index, uint32_t max_threads, uint32_t max_regs, uint32_t row,
               fuzz_program_t *p);
/* Id of any form, or hole, but the probe's. */
uint32_t fuzz_form(fuzz_rng_t *r);
/* A form of matrices or movmatrix, of the generator's configuration. */
uint32_t fuzz_matrix_form(fuzz_rng_t *r);
uint64_t fuzz_mix(uint64_t seed, uint64_t index);

#endif
