/* program.c: which program and which data number `index` of a seed are. */
#include "tests/fuzz/fuzz.h"

uint64_t fuzz_mix(uint64_t seed, uint64_t index) {
  fuzz_rng_t r = {seed ^ index * UINT64_C(0xd1342543de82ef95), 0, false, 0};
  fuzz_next(&r);
  return fuzz_next(&r);
}

void fuzz_make(uint64_t seed, uint64_t index, uint32_t max_threads, uint32_t max_regs, uint32_t row,
               fuzz_program_t *p) {
  fuzz_rng_t r = {fuzz_mix(seed, index), 0, (wl_form_info[WL_FORM_PROBE_MIX].rows & row) != 0, row};
  const uint32_t kind = fuzz_below(&r, 100);
  if (kind < 35) {
    fuzz_gentle_program(&r, max_threads, p);
  } else if (kind < 75) {
    fuzz_spiced_program(&r, max_threads, p);
  } else {
    r.regs = max_regs;
    fuzz_words_program(&r, max_threads, p);
  }
}
