/* What the netlist of make_mutants.py asks for and tells: the number of the active mutant
 * (mutants_select.sv): environment variable WL_MUTANT, else 0; the first cycle in which it changes
 * something (mutants_active.sv), printed once for every core that is made. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

uint32_t wl_mutant_number(void);
void wl_mutant_active(uint64_t cycle);

uint32_t wl_mutant_number(void) {
  const char *text = getenv("WL_MUTANT");
  return text == NULL ? 0 : (uint32_t)strtoul(text, NULL, 10);
}

void wl_mutant_active(uint64_t cycle) {
  fprintf(stderr, "mutant: acts first at cycle %llu\n", (unsigned long long)cycle);
}
