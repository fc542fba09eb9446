/* program.h: a PTX program with its launch, as a file says it in comments, run on the oracle and on
 * the sides of libwarplock. The lines that mean something here:
 *   // wl-launch grid X Y Z block X Y Z data SEED keep MASK regs N
 *   // wl-arg buffer BYTES random|zero      // wl-arg value BYTES
 * one wl-arg per kernel parameter, in order. `random` bytes and values come from the seed; they are
 * cut into 64 parts, and a part whose bit of MASK is clear is zero. regs: limit for the assembler.
 */
#ifndef WL_TESTS_RANDOM_PROGRAM_H
#define WL_TESTS_RANDOM_PROGRAM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver/include/warplock.h"

enum { RP_MAX_ARGS = 12, RP_SIDE_TEXT = 32, RP_WHY = 16384, RP_CLASS = 96 };

typedef struct rp_arg {
  bool buffer, random;
  uint32_t bytes;
} rp_arg_t;

typedef struct rp_launch {
  uint32_t grid[3], block[3];
  uint64_t data, keep;
  uint32_t regs, nargs;
  rp_arg_t arg[RP_MAX_ARGS];
} rp_launch_t;

/* False with a reason when a line is missing or wrong. */
bool rp_parse(const char *text, rp_launch_t *out, char *why, size_t cap);
/* The lines, for the head of a file. */
int rp_format(const rp_launch_t *l, char *to, size_t cap);
size_t rp_bytes(const rp_launch_t *l); /* of all buffers: length of an image */
void rp_fill(const rp_launch_t *l, uint32_t index, uint8_t *to); /* bytes of an argument */
uint64_t rp_digest(const rp_launch_t *l, const uint8_t *image);
/* The name behind ".entry", of which a program has one; false: there is none. */
bool rp_entry(const char *text, char *to, size_t cap);

/* One way to run: "func", "model:tiny", "model:base:heavy", "lockstep:tiny:light:full"; "func:base::checked": a
 * finding of a checked run (docs/checked.md) is the outcome "finding". */
typedef struct rp_side {
  char text[RP_SIDE_TEXT * 2];
  char backend[RP_SIDE_TEXT], config[RP_SIDE_TEXT], disturb[RP_SIDE_TEXT], compare[RP_SIDE_TEXT];
} rp_side_t;
bool rp_side_parse(const char *text, rp_side_t *out);

/* What a run left: the bytes of all buffers in a row, and what happened. `what` names the class of
 * an outcome: "ok", "trap CAUSE", "divergence RECORD", "hang", .. */
typedef struct rp_outcome {
  wl_status_t status;
  char what[RP_CLASS], why[RP_WHY];
  uint64_t cycles, instructions;
} rp_outcome_t;

typedef struct rp_limits {
  uint64_t cycles;  /* 0: none */
  unsigned seconds; /* of processor time; 0: none */
  uint64_t seed;    /* of the device */
} rp_limits_t;

/* The program has atomics of 128 bits and the side's configuration (tiny, tiny4) lacks them. */
bool rp_lacks(const rp_side_t *side, const char *text);
void rp_run_side(const rp_side_t *side, const rp_launch_t *l, const char *text, size_t size,
                 const rp_limits_t *limits, uint8_t *image, rp_outcome_t *out);

/* Variant 0 is the plain run; others have other patterns in what nobody wrote, other addresses and
 * other orders. `hits`: per line, counted up; may be NULL. */
enum { RP_VARIANTS = 10 };
bool rp_run_oracle(const rp_launch_t *l, const char *text, size_t size, unsigned variant,
                   uint64_t max_instructions, uint32_t *hits, size_t lines, uint8_t *image,
                   uint64_t *instructions, char *why, size_t cap);

/* ok of `out` turned into "differ" with the first byte, if the images differ. */
void rp_judge(const rp_launch_t *l, const uint8_t *oracle, const uint8_t *side, rp_outcome_t *out);

bool rp_write_file(const char *path, const char *text, size_t size);

#endif
