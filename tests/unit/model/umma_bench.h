/* Commands of the unit of products in tensor memory, cycle by cycle (docs/microarchitecture.md 26): a warp that
 * is alone gives them one behind the other; what the chunk port grants and what is read of tensor memory is
 * noted beside the journal. */
#ifndef WL_TESTS_UNIT_MODEL_UMMA_BENCH_H
#define WL_TESTS_UNIT_MODEL_UMMA_BENCH_H

#include "tests/unit/model/journal.h"

enum { UMMA_MOST = 8, UMMA_OPERANDS = 0x400, UMMA_SHARED_UNITS = 32 };

typedef struct umma_bench {
  wl_bench_t b;
  wl_run_journal_t journal;
  uint32_t pc[UMMA_MOST];
  wl_form_t behind_form; /* an instruction behind the commands; 0 (NOP): none */
  wl_x_t behind;
  unsigned commands, grants, reads, scales;
  /* Cycles in which the unit was granted the chunk port; read A or a shift; read scales. */
  uint64_t grant[4096], read[4096], scale[4096];
  uint64_t scales_full; /* the first in which a buffer of scales is FULL, as visible */
} umma_bench_t;

/* All columns are allocated; register 8 to 14 hold what a command takes. reg[i]: contents of register 8 + i. */
void umma_open(umma_bench_t *u, wl_config_id_t config, bool reverse, const uint32_t reg[7]);
/* The first thread gives the command so many times; it runs to the end. */
void umma_run(umma_bench_t *u, wl_form_t form, wl_x_t x, unsigned times);
/* T of command n: the steps of its words take a cycle each. */
uint64_t umma_resolved(umma_bench_t *u, unsigned n, unsigned words);
/* Cycle of the n-th record UMMA of an event; 0: there is none. */
uint64_t umma_event(const umma_bench_t *u, uint32_t event, unsigned n);
/* Cycle of the last record TMEM. */
uint64_t umma_last_write(const umma_bench_t *u);
/* Grants in cycles from..end - 1. */
unsigned umma_grants(const umma_bench_t *u, uint64_t from, uint64_t end);
wl_sm_t *umma_sm(const umma_bench_t *u);

#endif
