/* tensor/umma_judge.c: docs/microarchitecture.md 25.2: what the words of a command say, and its first fault. */
#include "cmodel/tensor/umma.h"

enum { SHARED_WINDOW = 0x10000 }; /* high word of a generic address in shared memory */

static uint64_t field(uint64_t word, unsigned high, unsigned low) {
  return word >> low & ((UINT64_C(2) << (high - low)) - 1);
}

/* ---- instruction descriptor */
static bool is_reserved(uint32_t i) {
  const uint32_t of_d = (uint32_t)field(i, 5, 4), of_a = (uint32_t)field(i, 9, 7);
  const uint32_t columns = (uint32_t)field(i, 22, 17), rows = (uint32_t)field(i, 28, 24);
  const uint32_t zero = UINT32_C(1) << 2 | UINT32_C(1) << 3 | UINT32_C(1) << 6 | UINT32_C(1) << 23 |
                        UINT32_C(1) << 29;
  if ((i & zero) != 0 || of_d > 1 || of_a > 1 || field(i, 12, 10) != of_a) return true;
  if (of_d == 0 && of_a == 1) return true;
  return columns == 0 || columns > 32 || (rows != 4 && rows != 8) || field(i, 31, 30) != 0;
}

static void take_instruction(wl_umma_entry_t *e, uint32_t i) {
  e->m = (uint16_t)(16 * field(i, 28, 24));
  e->n = (uint16_t)(8 * field(i, 22, 17));
  e->profile = field(i, 9, 7) != 0   ? WL_PROFILE_BF16_F32
               : field(i, 5, 4) != 0 ? WL_PROFILE_F16_F32
                                     : WL_PROFILE_F16_F16;
  e->a.negated = field(i, 13, 13) != 0;
  e->b.negated = field(i, 14, 14) != 0;
  e->a.mn_major = field(i, 15, 15) != 0;
  e->b.mn_major = field(i, 16, 16) != 0;
}

/* ---- descriptors of shared memory; the major is known */
static void take_operand(wl_umma_operand_t *o, uint64_t word) {
  o->start = (uint32_t)field(word, 13, 0) * 16;
  o->lbo = (uint32_t)field(word, 29, 16) * 16;
  o->sbo = (uint32_t)field(word, 45, 32) * 16;
  o->base_offset = (uint8_t)field(word, 51, 49);
  o->swizzle = (uint8_t)field(word, 63, 61);
}

static bool operand_is_reserved(const wl_umma_operand_t *o, uint64_t word) {
  const unsigned s = o->swizzle;
  if (field(word, 15, 14) != 0 || field(word, 31, 30) != 0 || field(word, 48, 46) != 1) return true;
  if (field(word, 52, 52) != 0 || (s == 0 && o->base_offset != 0)) return true;
  return s == 3 || s == 5 || s == 7 || (s == 1 && o->mn_major);
}

/* ---- D */
static bool is_owned(const wl_umma_entry_t *e, const wl_env_t *env, const wl_wires_t *w,
                     unsigned cta) {
  const unsigned end = e->column + e->n;
  if (end > env->cfg.tmem_columns) return false;
  for (unsigned unit = e->column / WL_UNIT_COLUMNS; unit <= (end - 1) / WL_UNIT_COLUMNS; unit++)
    if (!w->columns[unit].used || w->columns[unit].cta != cta) return false;
  return true;
}

static wl_trap_t judge_product(const wl_umma_entry_t *e, const uint32_t word[WL_UMMA_WORDS],
                               unsigned warp, const wl_env_t *env, const wl_wires_t *w,
                               uint64_t *address) {
  const uint64_t of_a = wl_pair(word), of_b = wl_pair(word + 2);
  const uint32_t d = word[4], i = word[5];
  *address = i;
  if (is_reserved(i)) return WL_TRAP_TENSOR_DESCRIPTOR;
  *address = of_a;
  if (operand_is_reserved(&e->a, of_a)) return WL_TRAP_TENSOR_DESCRIPTOR;
  *address = of_b;
  if (operand_is_reserved(&e->b, of_b)) return WL_TRAP_TENSOR_DESCRIPTOR;
  const uint32_t end_a = wl_umma_end(&e->a, e->m), end_b = wl_umma_end(&e->b, e->n);
  *address = end_a - 1;
  if (end_a > env->launch->smem_bytes) return WL_TRAP_TENSOR_DESCRIPTOR;
  *address = end_b - 1;
  if (end_b > env->launch->smem_bytes) return WL_TRAP_TENSOR_DESCRIPTOR;
  *address = d;
  if (d >> 16 != 0 && !(e->m == 64 && d >> 16 == 16)) return WL_TRAP_TMEM_LANES;
  return is_owned(e, env, w, env->slots->warp_cta[warp]) ? WL_TRAP_NONE : WL_TRAP_TMEM_RANGE;
}

static wl_trap_t judge_commit(const uint32_t word[WL_UMMA_WORDS], bool generic, const wl_env_t *env,
                              uint64_t *address) {
  const uint32_t m = word[0];
  *address = generic ? wl_pair(word) : m;
  if (m % 8 != 0) return WL_TRAP_MISALIGNED;
  const bool outside = generic && word[1] != SHARED_WINDOW;
  return outside || (uint64_t)m + 8 > env->launch->smem_bytes ? WL_TRAP_OUT_OF_BOUNDS
                                                              : WL_TRAP_NONE;
}

/* ---- a command */
wl_umma_entry_t wl_umma_take(const uint32_t word[WL_UMMA_WORDS], const wl_flight_t *f,
                             const wl_env_t *env) {
  const wl_insn_dec_t *dec = &f->insn.dec;
  const unsigned lane = wl_lowest(f->exec);
  wl_umma_entry_t e = {.used = true,
                       .op = dec->op,
                       .warp = f->warp,
                       .lane = (uint8_t)lane,
                       .pc = f->insn.pc,
                       .base = env->slots->warp_cta[f->warp] * env->launch->smem_units * 1024,
                       .mbarrier = word[0],
                       .column = (uint16_t)word[4],
                       .z = (uint8_t)(word[4] >> 20 & 1),
                       .lower = dec->imm & 15,
                       .adds = (f->s >> lane & 1) != 0};
  if (dec->op != WL_UMMA_F16) return e;
  take_instruction(&e, word[5]);
  take_operand(&e.a, wl_pair(word));
  take_operand(&e.b, wl_pair(word + 2));
  for (unsigned q = 0; q < WL_UMMA_QUARTERS && dec->info->c != 0; q++)
    e.masked[q] = word[6 + q];
  return e;
}

wl_trap_t wl_umma_judge(const uint32_t word[WL_UMMA_WORDS], const wl_flight_t *f,
                        const wl_env_t *env, const wl_wires_t *w, uint64_t *address) {
  const wl_umma_entry_t e = wl_umma_take(word, f, env);
  return e.op == WL_UMMA_F16 ? judge_product(&e, word, f->warp, env, w, address)
                             : judge_commit(word, f->insn.dec.info->a == 2, env, address);
}
