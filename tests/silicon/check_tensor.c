/* check_tensor: compares the rule of dot.c with what silicon gave (README.md). Usage: check_tensor
 * FILE..; a file has the name of its part (tensor.h). Exit code 1: a difference. */
#include <stdio.h>

#include "tests/silicon/dot.h"
#include "tests/silicon/tensor_record.h"

static void rule(const tensor_t *t, const tensor_item_t *item, uint64_t *d) {
  for (unsigned row = 0; row < t->m; row++) {
    for (unsigned column = 0; column < t->n; column++) {
      d[row * t->n + column] = dot_element(t, item, row, column);
    }
  }
}

int main(int argc, char **argv) {
  unsigned failed = 0;
  if (argc < 2) {
    (void)fprintf(stderr, "usage: check_tensor tensor.txt|sparse.txt|narrow.txt..\n");
    return 2;
  }
  for (int i = 1; i < argc; i++) {
    const tensor_subject_t subject = {.solve = rule};
    failed += tensor_record(argv[i], &subject);
  }
  return failed != 0;
}
