/* tensor/umma_judge.c: docs/microarchitecture.md 25.2, 26.1, 26.6 to 26.9: the first fault of a command. */
#include "cmodel/tensor/umma.h"

enum { SHARED_WINDOW = 0x10000 }; /* high word of a generic address in shared memory */

/* ---- instruction descriptor */
static bool is_narrow(uint32_t type) { return type <= 5 && type != 2; }

/* Types of D, A and B. */
static bool types_are_reserved(unsigned op, uint32_t d, uint32_t a, uint32_t b) {
  switch (op) {
  case WL_UMMA_TF32:
    return d != 1 || a != 2 || b != 2;
  case WL_UMMA_F8F6F4:
    return d > 1 || !is_narrow(a) || !is_narrow(b);
  case WL_UMMA_I8:
    return d != 2 || a > 1 || b > 1;
  default:
    return d > 1 || a > 1 || a != b || (d == 0 && a == 1);
  }
}

static bool columns_are_reserved(unsigned op, uint32_t columns, bool mn_major) {
  if (columns == 0 || columns > 32) return true;
  if (op == WL_UMMA_F8F6F4 || op == WL_UMMA_I8)
    return columns % 2 != 0 && (mn_major || (op == WL_UMMA_I8 && columns > 4));
  return false;
}

static bool is_reserved(unsigned op, uint32_t i) {
  const uint32_t rows = wl_umma_bits(i, 28, 24);
  if ((i & UINT32_C(0x20800044)) != 0 || wl_umma_bits(i, 31, 30) != 0) return true;
  if (op == WL_UMMA_I8 ? wl_umma_bits(i, 14, 13) != 0 : wl_umma_bits(i, 3, 3) != 0) return true;
  if (types_are_reserved(op, wl_umma_bits(i, 5, 4), wl_umma_bits(i, 9, 7), wl_umma_bits(i, 12, 10)))
    return true;
  return columns_are_reserved(op, wl_umma_bits(i, 22, 17), wl_umma_bits(i, 16, 16) != 0) ||
         (rows != 4 && rows != 8);
}

static bool scaled_is_reserved(const wl_umma_entry_t *e, uint32_t i) {
  const uint32_t a = wl_umma_bits(i, 9, 7), b = wl_umma_bits(i, 12, 10), columns = e->n / 8;
  if ((i & UINT32_C(0x8700004f)) != 0 || wl_umma_bits(i, 28, 27) != 1) return true;
  if (columns == 0 || columns > 32) return true;
  if (e->op == WL_UMMA_MXF8F6F4)
    return e->e4m3 || !is_narrow(a) || !is_narrow(b) || (e->b.mn_major && columns % 2 != 0);
  const uint32_t ids = e->b16 ? 0 : 2; /* all bits that an id may have */
  return (e->e4m3 && !e->b16) || a != 1 || b != 1 || e->a.mn_major || e->b.mn_major ||
         ((e->sa.id | e->sb.id) & ~ids) != 0;
}

/* ---- descriptors of shared memory; major and size are known */
static bool operand_is_reserved(const wl_umma_operand_t *o, uint64_t word) {
  const unsigned s = o->swizzle;
  if (wl_umma_bits(word, 15, 14) != 0 || wl_umma_bits(word, 31, 30) != 0) return true;
  if (wl_umma_bits(word, 48, 46) != 1 || wl_umma_bits(word, 52, 52) != 0) return true;
  if (s == 3 || s == 5 || s == 7) return true;
  return o->mn_major && (s == 1) != (o->size == 4);
}

/* ---- tensor memory */
static bool is_owned(unsigned column, unsigned count, const wl_env_t *env, const wl_wires_t *w,
                     unsigned warp) {
  const unsigned end = column + count;
  if (end > env->cfg.tmem_columns) return false;
  for (unsigned unit = column / WL_UNIT_COLUMNS; unit <= (end - 1) / WL_UNIT_COLUMNS; unit++)
    if (!w->columns[unit].used || w->columns[unit].cta != env->slots->warp_cta[warp]) return false;
  return true;
}

/* ---- a fault, or none; address is that of the fault */
static wl_trap_t judge_a(const wl_umma_entry_t *e, uint64_t of_a, uint64_t *address) {
  *address = of_a;
  return operand_is_reserved(&e->a, of_a) ? WL_TRAP_TENSOR_DESCRIPTOR : WL_TRAP_NONE;
}

static wl_trap_t judge_end(uint32_t end, const wl_env_t *env, uint64_t *address) {
  *address = end - 1;
  return end > env->launch->smem_bytes ? WL_TRAP_TENSOR_DESCRIPTOR : WL_TRAP_NONE;
}

static wl_trap_t judge_operands(const wl_umma_entry_t *e, const uint32_t word[WL_UMMA_WORDS],
                                const wl_env_t *env, uint64_t *address) {
  const uint64_t of_b = wl_pair(word + 2);
  wl_trap_t trap = e->reads_a ? WL_TRAP_NONE : judge_a(e, wl_pair(word), address);
  if (trap != WL_TRAP_NONE) return trap;
  *address = of_b;
  if (operand_is_reserved(&e->b, of_b)) return WL_TRAP_TENSOR_DESCRIPTOR;
  if (!e->reads_a) trap = judge_end(wl_umma_end(&e->a, e->m), env, address);
  if (trap != WL_TRAP_NONE) return trap;
  return judge_end(wl_umma_end(&e->b, e->n), env, address);
}

/* Addresses in tensor memory: D, A, scales of A, of B. */
static wl_trap_t judge_lanes(const wl_umma_entry_t *e, const uint32_t word[WL_UMMA_WORDS],
                             uint64_t *address) {
  const uint32_t d = word[4];
  *address = d;
  if (d >> 16 != 0 && !(e->m == 64 && d >> 16 == 16)) return WL_TRAP_TMEM_LANES;
  *address = word[0];
  if (e->reads_a && word[0] >> 16 != d >> 16) return WL_TRAP_TMEM_LANES;
  for (unsigned n = 6; n < 8 && wl_umma_is_scaled(e); n++) {
    *address = word[n];
    if (wl_umma_bits(word[n], 29, 16) != 0) return WL_TRAP_TMEM_LANES;
  }
  return WL_TRAP_NONE;
}

static wl_trap_t judge_columns(const wl_umma_entry_t *e, const uint32_t word[WL_UMMA_WORDS],
                               const wl_env_t *env, const wl_wires_t *w, uint64_t *address) {
  *address = word[4];
  if (!is_owned(e->column, e->n, env, w, e->warp)) return WL_TRAP_TMEM_RANGE;
  *address = word[0];
  if (e->reads_a && !is_owned(e->a_column, WL_UMMA_TMEM_WORDS, env, w, e->warp))
    return WL_TRAP_TMEM_RANGE;
  if (!wl_umma_is_scaled(e)) return WL_TRAP_NONE;
  *address = word[6];
  if (!is_owned(e->sa.column, WL_UMMA_A_SCALES, env, w, e->warp)) return WL_TRAP_TMEM_RANGE;
  *address = word[7];
  return is_owned(e->sb.column, wl_umma_b_scales(e), env, w, e->warp) ? WL_TRAP_NONE
                                                                      : WL_TRAP_TMEM_RANGE;
}

static wl_trap_t judge_product(const wl_umma_entry_t *e, const uint32_t word[WL_UMMA_WORDS],
                               const wl_env_t *env, const wl_wires_t *w, uint64_t *address) {
  const uint32_t i = word[5];
  const bool reserved = wl_umma_is_scaled(e) ? scaled_is_reserved(e, i) : is_reserved(e->op, i);
  *address = i;
  if (reserved || (e->reads_a && e->a.mn_major)) return WL_TRAP_TENSOR_DESCRIPTOR;
  wl_trap_t trap = judge_operands(e, word, env, address);
  if (trap == WL_TRAP_NONE) trap = judge_lanes(e, word, address);
  return trap == WL_TRAP_NONE ? judge_columns(e, word, env, w, address) : trap;
}

static unsigned copied_rows(const wl_umma_entry_t *e) {
  static const uint8_t rows[] = {
      [WL_UMMA_128X256B] = 128,     [WL_UMMA_4X256B] = 4,         [WL_UMMA_128X128B] = 128,
      [WL_UMMA_64X128B_02_13] = 64, [WL_UMMA_64X128B_01_23] = 64, [WL_UMMA_32X128B] = 32};
  return rows[e->shape];
}

static wl_trap_t judge_copy(const wl_umma_entry_t *e, const uint32_t word[WL_UMMA_WORDS],
                            const wl_env_t *env, const wl_wires_t *w, uint64_t *address) {
  const unsigned chunks = wl_umma_copy_chunks(e);
  const uint32_t t = word[2];
  *address = (uint32_t)e->unpacking << 3 | e->shape;
  if (e->shape > WL_UMMA_32X128B || e->unpacking == 3) return WL_TRAP_TENSOR_DESCRIPTOR;
  wl_trap_t trap = judge_a(e, wl_pair(word), address);
  if (trap != WL_TRAP_NONE) return trap;
  trap = judge_end(wl_umma_rows_end(&e->a, copied_rows(e), chunks), env, address);
  if (trap != WL_TRAP_NONE) return trap;
  *address = t;
  if (t >> 16 > (e->shape == WL_UMMA_4X256B ? 31u : 0u)) return WL_TRAP_TMEM_LANES;
  return is_owned(e->column, 4 * chunks, env, w, e->warp) ? WL_TRAP_NONE : WL_TRAP_TMEM_RANGE;
}

static wl_trap_t judge_shift(const wl_umma_entry_t *e, uint32_t t, const wl_env_t *env,
                             const wl_wires_t *w, uint64_t *address) {
  *address = t;
  if (t >> 16 > 96 || t >> 16 & 31) return WL_TRAP_TMEM_LANES;
  return is_owned(e->column, WL_UMMA_TMEM_WORDS, env, w, e->warp) ? WL_TRAP_NONE
                                                                  : WL_TRAP_TMEM_RANGE;
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

wl_trap_t wl_umma_judge(const uint32_t word[WL_UMMA_WORDS], const wl_flight_t *f,
                        const wl_env_t *env, const wl_wires_t *w, uint64_t *address) {
  const wl_umma_entry_t e = wl_umma_take(word, f, env);
  if (wl_umma_is_product(&e)) return judge_product(&e, word, env, w, address);
  if (e.op == WL_UMMA_CP) return judge_copy(&e, word, env, w, address);
  if (e.op == WL_UMMA_SHIFT) return judge_shift(&e, word[0], env, w, address);
  return judge_commit(word, f->insn.dec.info->a == 2, env, address);
}
