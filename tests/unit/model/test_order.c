/* Golden model: the order in which the units update must not matter (cmodel/gpu/sm.h). A random
 * kernel of arithmetic, memory, exchange, barriers and branches runs twice, the second time with
 * the updates in the opposite order; the records of every cycle and the final memory must be equal.
 */
#include <stdlib.h>

#include "tests/unit/model/program.h"

enum { MAX_CYCLES = 200000 };

typedef struct wl_digest {
  uint64_t cycle[MAX_CYCLES]; /* sum of the hashes of the cycle's records: an unordered set */
} wl_digest_t;

static void record(void *user, uint64_t cycle, int kind, const uint32_t *words, unsigned n) {
  uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)kind;
  for (unsigned i = 0; i < n; i++)
    hash = (hash ^ words[i]) * UINT64_C(1099511628211);
  if (cycle < MAX_CYCLES) ((wl_digest_t *)user)->cycle[cycle] += hash;
}

static uint32_t next(uint32_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}

/* R4 = tid, R6:R7 = global address of the thread, R8 = shared address, values in R10 to R23. */
static void emit_head(wl_bench_t *b) {
  bench_emit(b, WL_FORM_S2R, X(.rd = 4, .imm = 0));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 2, .imm = DATA));
  bench_emit(b, WL_FORM_MOV_I, X(.rd = 3, .imm = 0));
  bench_emit(b, WL_FORM_MAD_WIDE_U32_RIR, X(.rd = 6, .ra = 4, .rc = 2, .imm = 20));
  bench_emit(b, WL_FORM_SHF_L_CLAMP_I, X(.rd = 8, .ra = 255, .rb = 4, .imm = 2));
  for (uint32_t r = 10; r < 24; r++)
    bench_emit(b, WL_FORM_MAD_LO_RIR, X(.rd = r, .ra = 4, .rc = 4, .imm = 2654435761u * r));
}

static void emit_one(wl_bench_t *b, uint32_t *seed) {
  const uint32_t d = 10 + next(seed) % 14, x = 10 + next(seed) % 14, y = 10 + next(seed) % 14;
  const uint32_t p = next(seed) % 4, guard = next(seed) % 3 == 0 ? P(next(seed) % 4) : 0;
  const uint32_t pair = 10 + 2 * (next(seed) % 7), all = UINT32_MAX;
  switch (next(seed) % 16) {
  case 0:
    bench_emit(b, WL_FORM_ADD64_RR, X(.rd = pair, .ra = 12, .rb = pair, .guard = guard));
    break;
  case 1:
    bench_emit(b, WL_FORM_SETP_S32_RR, X(.pd = P(p), .ra = x, .rb = y, .cmp = 1));
    break;
  case 2:
    bench_emit(b, WL_FORM_LD_GLOBAL_B32, X(.rd = d, .ra = 6, .guard = guard));
    break;
  case 3:
    bench_emit(b, WL_FORM_ST_GLOBAL_B32, X(.ra = 6, .rb = x, .imm = 4, .guard = guard));
    break;
  case 4:
    bench_emit(b, WL_FORM_ST_SHARED_B32, X(.ra = 8, .rb = x, .guard = guard));
    break;
  case 5:
    bench_emit(b, WL_FORM_LD_SHARED_B32, X(.rd = d, .ra = 8, .guard = guard));
    break;
  case 6:
    bench_emit(b, WL_FORM_ATOM_SHARED_ADD_U32, X(.rd = d, .ra = 255, .rb = x, .imm = 64));
    break;
  case 7:
    bench_emit(b, WL_FORM_ATOM_GLOBAL_MAX_U32, X(.rd = 255, .ra = 6, .rb = x, .imm = 8));
    break;
  case 8:
    bench_emit(b, WL_FORM_LDC_B32, X(.rd = d, .ra = 255, .imm = 4 * (next(seed) % 64)));
    break;
  case 9:
    bench_emit(b, WL_FORM_SHFL_I, X(.rd = d, .ra = x, .rb = y, .imm = all, .xmode = 3));
    break;
  case 10:
    bench_emit(b, WL_FORM_MATCH_ANY_I, X(.rd = d, .ra = x, .imm = all));
    break;
  case 11:
    bench_emit(b, WL_FORM_BAR_SYNC_I, X(.imm = next(seed) % 16));
    break;
  case 12:
    bench_emit(b, WL_FORM_BAR_POPC_I, X(.rd = d, .ps = P(p)));
    break;
  case 13: { /* a branch over one instruction */
    const uint32_t bra = bench_emit(b, WL_FORM_BRA, X(.guard = P(p)));
    bench_emit(b, WL_FORM_MAD_LO_RRR, X(.rd = d, .ra = x, .rb = y, .rc = d));
    bench_patch(b, bra, b->code_words);
    break;
  }
  case 14:
    bench_emit(b, WL_FORM_LD_LOCAL_B32, X(.rd = d, .ra = 255, .imm = 8));
    break;
  default:
    bench_emit(b, WL_FORM_FMA_F32_RRR, X(.rd = d, .ra = x, .rb = y, .rc = d));
    break;
  }
}

static uint64_t run(wl_config_id_t config, uint32_t seed, bool reverse, wl_digest_t *digest,
                    uint8_t *memory, int *failures) {
  wl_bench_t b;
  bench_open(&b, config, 96, 4);
  ((wl_gpu_t *)wl_model_state(b.model).gpu)->reverse_updates = reverse;
  wl_model_set_journal(b.model, record, digest);
  emit_head(&b);
  for (int i = 0; i < 60; i++)
    emit_one(&b, &seed);
  for (uint32_t r = 10; r < 24; r++)
    bench_emit(&b, WL_FORM_ST_GLOBAL_B32, X(.ra = 6, .rb = r, .imm = 4 * r));
  bench_emit(&b, WL_FORM_EXIT, X(0));
  const uint64_t cycles = bench_run(&b);
  bench_expect(&b, "trap", (uint64_t)wl_model_trap(b.model).cause, 0);
  memcpy(memory, b.image, MEM_SIZE);
  *failures += b.failures;
  bench_close(&b);
  return cycles;
}

static int compare(wl_config_id_t config, uint32_t seed) {
  static wl_digest_t one, two;
  static uint8_t memory_one[MEM_SIZE], memory_two[MEM_SIZE];
  int failures = 0;
  memset(&one, 0, sizeof one);
  memset(&two, 0, sizeof two);
  const uint64_t n = run(config, seed, false, &one, memory_one, &failures);
  const uint64_t m = run(config, seed, true, &two, memory_two, &failures);
  uint64_t at = 0;
  while (at < MAX_CYCLES && one.cycle[at] == two.cycle[at])
    at++;
  if (n == m && at == MAX_CYCLES && memcmp(memory_one, memory_two, MEM_SIZE) == 0) return failures;
  printf("config %s, seed %u: %llu and %llu cycles, records differ first in cycle %llu\n",
         wl_configs[config].name, seed, (unsigned long long)n, (unsigned long long)m,
         (unsigned long long)at);
  return failures + 1;
}

int main(void) {
  int failures = 0;
  for (uint32_t seed = 1; seed <= 20 && failures < 5; seed++)
    failures += compare(WL_CONFIG_TINY, seed) + compare(WL_CONFIG_BASE, seed) +
                compare(WL_CONFIG_FULL, seed);
  return failures != 0;
}
