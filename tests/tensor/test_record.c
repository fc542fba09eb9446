/* What an instruction of the tensor unit computes (cmodel/sem) against silicon's records: all recorded
 * operand sets of mma.sync and mma.sp of the unit's types. Usage: test_record FILE.. */
#include <stdio.h>

#include "tests/silicon/tensor_record.h"
#include "tests/tensor/forms.h"

static bool knows(const tensor_t *t) {
  wl_insn_dec_t insn;
  return tensor_insn(t, &insn);
}

int main(int argc, char **argv) {
  unsigned failed = 0;
  for (int i = 1; i < argc; i++) {
    const tensor_subject_t subject = {.knows = knows, .solve = tensor_solve};
    failed += tensor_record(argv[i], &subject);
  }
  return argc < 2 || failed != 0;
}
