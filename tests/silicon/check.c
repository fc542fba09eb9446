/* check: runs the operations of op.c on Warplock and compares with what silicon gave (README.md).
 * Usage: check [--backend B] [--config C] [--op TEXT] [--every N] [--blocks N] [--verbose]
 *              FILE [FILE2 [FILE3]]
 * FILE: scalar.txt, FILE2: scalar2.txt, FILE3: scalar3.txt (only what the given ones have is
 * checked). Operations of rule OP_OWN are run and their differences counted, all others must have
 * the same results; of rule OP_PTX those of the rule of `by_ptx`, which silicon's differ from; those of rule
 * OP_LATER may also be refused as unsupported, those of rule OP_F64 where
 * the configuration has no unit FP64. --op: only those whose name contains TEXT; --every: each N-th
 * of them; --blocks: only so many blocks of each. Exit code 1: a difference. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "gen/wl_config.h"
#include "tests/common/read_file.h"
#include "tests/silicon/op.h"
#include "tests/silicon/reduce.h"
#include "tests/silicon/words.h"

typedef struct options {
  const char *backend, *config, *op, *file[3];
  unsigned blocks, every;
  bool verbose;
} options_t;

typedef struct totals {
  unsigned equal, ptx, own, own_differ, later, failed;
  uint64_t items;
} totals_t;

/* The recorded hashes of an operation. */
static bool recorded(const char *record, const op_t *op, uint32_t hash[OP_BLOCKS]) {
  char line[112];
  (void)snprintf(line, sizeof line, "\nop %s\n", op->name);
  const char *at = strstr(record, line);
  if (at == NULL) {
    return false;
  }
  at += strlen(line);
  for (unsigned i = 0; i < OP_ITEMS / op->block; i++) {
    uint64_t word = 0;
    if (!words_next(&at, 8, &word)) {
      return false;
    }
    hash[i] = (uint32_t)word;
  }
  return true;
}

/* Results of the first `blocks` blocks. */
static wl_status_t run(wl_device_t *device, const op_t *op, unsigned blocks, uint64_t *in,
                       uint64_t *result) {
  static char ptx[8192];
  wl_module_t *module = NULL;
  wl_function_t *function = NULL;
  wl_addr_t from = 0, to = 0;
  size_t items = (size_t)blocks * op->block;
  op_kernel(op, ptx, sizeof ptx);
  wl_status_t status = wl_module_load(device, op->name, ptx, strlen(ptx), NULL, &module);
  if (status != WL_OK) {
    return status;
  }
  for (uint32_t i = 0; i < items; i++) {
    op_item(op, i, in + (size_t)i * OP_OPERANDS);
  }
  wl_launch_t launch = {.grid = {(uint32_t)items / 64, 1, 1}, .block = {64, 1, 1}};
  status = wl_module_function(module, "op", &function);
  status = status == WL_OK ? wl_alloc(device, items * OP_OPERANDS * 8, &from) : status;
  status = status == WL_OK ? wl_alloc(device, items * 8, &to) : status;
  status = status == WL_OK ? wl_write(device, from, in, items * OP_OPERANDS * 8) : status;
  const wl_arg_t args[] = {WL_ARG(from), WL_ARG(to)};
  status = status == WL_OK ? wl_launch(function, &launch, args, 2, NULL) : status;
  status = status == WL_OK ? wl_read(device, result, to, items * 8) : status;
  if (from != 0) {
    (void)wl_free(device, from);
  }
  if (to != 0) {
    (void)wl_free(device, to);
  }
  wl_module_unload(module);
  return status;
}

/* OP_PTX is one operation: cp.reduce.async.bulk .add.f32 flushes subnormal operands and results [PTX
 * 9.7.9.25.4.2], on silicon it does not. The number of blocks with other results than that. */
static unsigned by_ptx(const op_t *op, unsigned blocks, const uint64_t *in, const uint64_t *result,
                       unsigned *first) {
  unsigned wrong = 0;
  for (unsigned i = blocks; i-- > 0;) {
    bool good = true;
    for (size_t k = (size_t)i * op->block; k < (size_t)(i + 1) * op->block; k++) {
      const uint64_t *operand = in + k * OP_OPERANDS;
      good = good && result[k] == reduce("add", "f32.ftz", operand[0], operand[1]);
    }
    wrong += !good;
    *first = good ? *first : i;
  }
  return wrong;
}

static void compare(const options_t *o, const op_t *op, unsigned blocks, const uint32_t *hash,
                    const uint64_t *in, const uint64_t *result, totals_t *totals) {
  unsigned differ = 0, first = 0, size = op->block;
  for (unsigned i = blocks; i-- > 0;) {
    if (op_hash(result + (size_t)i * size, size) != hash[i]) {
      differ++;
      first = i;
    }
  }
  totals->items += (uint64_t)blocks * size;
  if (op->rule == OP_PTX) {
    differ = by_ptx(op, blocks, in, result, &first);
    totals->ptx += differ == 0;
    totals->failed += differ != 0;
  } else if (op->rule == OP_OWN) {
    totals->own++;
    totals->own_differ += differ != 0;
  } else {
    totals->equal += differ == 0;
    totals->failed += differ != 0;
  }
  if (differ != 0 && (op->rule != OP_OWN || o->verbose)) {
    const uint64_t *operand = in + (size_t)first * size * OP_OPERANDS;
    printf(
        "%s %s: %u of %u blocks of %u items differ, first items %u to %u (the first of them here: "
        "%" PRIx64 " %" PRIx64 " %" PRIx64 " -> %" PRIx64 ")\n",
        op->rule == OP_OWN ? "own    " : "DIFFERS", op->name, differ, blocks, size, first * size,
        first * size + size - 1, operand[0], operand[1], operand[2], result[(size_t)first * size]);
  }
}

static bool may_refuse(const options_t *o, const op_t *op) {
  bool has_f64 = false;
  for (size_t i = 0; i < WL_NUM_CONFIGS; i++) {
    has_f64 |= strcmp(wl_configs[i].name, o->config) == 0 && wl_configs[i].fp64 != 0;
  }
  return op->rule == OP_LATER || (op->rule == OP_F64 && !has_f64);
}

static void one(const options_t *o, const op_t *op, const char *record, uint64_t *in,
                uint64_t *result, totals_t *totals) {
  uint32_t hash[OP_BLOCKS];
  wl_device_t *device = NULL;
  unsigned most = OP_ITEMS / op->block, blocks = o->blocks < most ? o->blocks : most;
  if (!recorded(record, op, hash)) {
    printf("FAILED  %s: not in %s\n", op->name, o->file[op->part - 1]);
    totals->failed++;
    return;
  }
  const wl_device_options_t options = {.backend = o->backend,
                                       .config = o->config,
                                       .mem_bytes =
                                           (UINT64_C(4) << 20) + (uint64_t)blocks * op->block * 32};
  wl_status_t status = wl_device_open(&options, &device);
  status = status == WL_OK ? run(device, op, blocks, in, result) : status;
  if (may_refuse(o, op) && status == WL_ERR_UNSUPPORTED) {
    totals->later++;
    if (o->verbose) {
      printf("later   %s: %s\n", op->name, wl_error(device));
    }
  } else if (status != WL_OK) {
    printf("FAILED  %s: %s\n", op->name, wl_error(device));
    totals->failed++;
  } else {
    compare(o, op, blocks, hash, in, result, totals);
  }
  wl_device_close(device);
}

static bool parse(int argc, char **argv, options_t *o) {
  *o = (options_t){.backend = "func", .config = "base", .blocks = OP_BLOCKS, .every = 1};
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--verbose") == 0) {
      o->verbose = true;
    } else if (argv[i][0] != '-' && o->file[2] == NULL) {
      o->file[o->file[0] == NULL ? 0 : o->file[1] == NULL ? 1 : 2] = argv[i];
    } else if (value == NULL) {
      return false;
    } else if (strcmp(argv[i], "--backend") == 0) {
      o->backend = argv[++i];
    } else if (strcmp(argv[i], "--config") == 0) {
      o->config = argv[++i];
    } else if (strcmp(argv[i], "--op") == 0) {
      o->op = argv[++i];
    } else if (strcmp(argv[i], "--every") == 0) {
      o->every = (unsigned)strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--blocks") == 0) {
      o->blocks = (unsigned)strtoul(argv[++i], NULL, 10);
    } else {
      return false;
    }
  }
  return o->file[0] != NULL && o->every >= 1 && o->blocks >= 1 && o->blocks <= OP_BLOCKS;
}

int main(int argc, char **argv) {
  options_t o;
  totals_t totals = {0};
  size_t size = 0;
  if (!parse(argc, argv, &o)) {
    (void)fprintf(stderr,
                  "usage: check [--backend B] [--config C] [--op TEXT] [--every N] "
                  "[--blocks 1..%d] [--verbose] scalar.txt [scalar2.txt [scalar3.txt]]\n",
                  OP_BLOCKS);
    return 2;
  }
  char *record[3] = {NULL};
  for (unsigned i = 0; i < 3 && o.file[i] != NULL; i++) {
    record[i] = wl_read_file(o.file[i], &size);
  }
  uint64_t *in = malloc(sizeof *in * OP_ITEMS * OP_OPERANDS),
           *result = malloc(sizeof *result * OP_ITEMS);
  if (record[0] == NULL || (o.file[1] != NULL && record[1] == NULL) || in == NULL ||
      result == NULL) {
    (void)fprintf(stderr, "check: cannot read %s\n", o.file[0]);
    return 2;
  }
  const op_t *op;
  unsigned met = 0;
  for (size_t n = 0; (op = op_at(n)) != NULL; n++) {
    const char *of = record[op->part - 1];
    if (of != NULL && (o.op == NULL || strstr(op->name, o.op) != NULL) && met++ % o.every == 0) {
      one(&o, op, of, in, result, &totals);
    }
  }
  printf("%.*s\n%s: %u operations equal, %u as PTX says, %u failed; %u with bits of their own, of "
         "which %u differ somewhere; %u not executed yet; %" PRIu64 " results\n",
         (int)strcspn(record[0], "\n"), record[0], o.backend, totals.equal, totals.ptx,
         totals.failed, totals.own, totals.own_differ, totals.later, totals.items);
  free(record[0]);
  free(record[1]);
  free(record[2]);
  free(in);
  free(result);
  return totals.failed != 0 || totals.equal + totals.ptx + totals.own + totals.later == 0;
}
