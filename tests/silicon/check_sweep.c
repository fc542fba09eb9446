/* check_sweep: the conversions of cmodel/sem against what silicon gave for each of the 2^32 operands of
 * sweep.txt and sweep2.txt (README.md): a sum for 2^24 of them.
 * Usage: check_sweep [--sums all] FILE..: without --sums three sums of each operation.
 * Exit code 1: a difference. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/sem/sem.h"
#include "tests/common/read_file.h"
#include "tests/silicon/op.h"
#include "tests/silicon/words.h"

typedef enum to { TO_F16, TO_BF16, TO_F16X2, TO_BF16X2, TO_TF32 } to_t;

typedef struct row {
  const char *name;
  to_t to;
  unsigned rnd; /* of word.def */
} row_t;

static const row_t rows[] = {
    {"cvt.rn.f16.f32", TO_F16, 0},
    {"cvt.rz.f16.f32", TO_F16, 1},
    {"cvt.rm.f16.f32", TO_F16, 2},
    {"cvt.rp.f16.f32", TO_F16, 3},
    {"cvt.rn.bf16.f32", TO_BF16, 0},
    {"cvt.rz.bf16.f32", TO_BF16, 1},
    {"cvt.rm.bf16.f32", TO_BF16, 2},
    {"cvt.rp.bf16.f32", TO_BF16, 3},
    {"cvt.rna.tf32.f32", TO_TF32, 0},
    {"cvt.rn.f16x2.f32(both)", TO_F16X2, 0},
    {"cvt.rz.f16x2.f32(both)", TO_F16X2, 1},
    {"cvt.rn.bf16x2.f32(both)", TO_BF16X2, 0},
    {"cvt.rz.bf16x2.f32(both)", TO_BF16X2, 1},
};
enum { ROWS = sizeof rows / sizeof rows[0], PARTS = 256 };

static uint32_t result(const row_t *row, uint32_t a) {
  wl_format_t format = row->to == TO_F16 || row->to == TO_F16X2 ? WL_FORMAT_F16 : WL_FORMAT_BF16;
  uint32_t d = row->to == TO_TF32 ? wl_f32_to_tf32_away(a) : wl_f32_narrow(format, a, row->rnd);
  return row->to == TO_F16X2 || row->to == TO_BF16X2 ? d << 16 | d : d;
}

static uint32_t sum_of(const row_t *row, uint32_t part) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 1u << 24; i++) {
    uint32_t a = part << 24 | i;
    sum += op_mix(a, result(row, a));
  }
  return (uint32_t)sum;
}

/* f16: subnormal, where it overflows; bf16: subnormal, around 1; NaN with a sign. */
static bool wanted(const row_t *row, uint32_t part) {
  bool half = row->to == TO_F16 || row->to == TO_F16X2;
  return half ? part == 0x33 || part == 0xc7 || part == 0xff
              : part == 0x00 || part == 0xbf || part == 0xff;
}

static bool check(const row_t *row, const char *record, bool all, unsigned *sums) {
  char line[128];
  (void)snprintf(line, sizeof line, "\nsweep %s\n", row->name);
  const char *at = strstr(record, line);
  unsigned differ = 0, first = 0;
  if (at == NULL) {
    return true; /* the other record has it */
  }
  at += strlen(line);
  for (uint32_t part = 0; part < PARTS; part++) {
    uint64_t sum = 0;
    bool known = words_next(&at, 8, &sum), take = all || wanted(row, part);
    if (!known || (take && sum != sum_of(row, part))) {
      first = differ++ == 0 ? part : first;
    }
    *sums += take;
  }
  if (differ != 0) {
    printf("DIFFERS %s: %u sums, the first of operands from %02x000000 on\n", row->name, differ,
           first);
  }
  return differ == 0;
}

int main(int argc, char **argv) {
  bool all = false;
  unsigned sums = 0, failed = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--sums") == 0) {
      all = true;
      i++;
      continue;
    }
    size_t size = 0;
    char *record = wl_read_file(argv[i], &size);
    if (record == NULL) {
      (void)fprintf(stderr, "check_sweep: cannot read %s\n", argv[i]);
      return 2;
    }
    for (unsigned r = 0; r < ROWS; r++) {
      failed += check(&rows[r], record, all, &sums) ? 0 : 1;
    }
    free(record);
  }
  bool every = sums == ROWS * (all ? PARTS : 3u);
  printf("%u sums of 16777216 results, %u operations differ%s\n", sums, failed,
         every ? "" : "; a record lacks an operation");
  return failed != 0 || !every;
}
