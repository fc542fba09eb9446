/* umma.c: products in tensor memory, copies into it, shifts and commits (docs/microarchitecture.md 25, 26). A command
 * is carried out at once, those of several lanes in ascending order; the first fault ends the run. */
#include "driver/func/umma.h"

/* Codes of the formats of 8, 6 and 4 bits, a bit each. */
#define NARROW (1u << 0 | 1u << 1 | 1u << 3 | 1u << 4 | 1u << 5)
enum { UNIT = 32, A_COLUMNS = 8, SCALES_A_COLUMNS = 4 };

/* ---- judgement, in the order of 25.2 */
typedef struct types {
  uint32_t results, elements; /* codes that D, and A and B may have, a bit each */
  uint32_t zero;              /* bits that are 0 */
} types_t;

static types_t types_of(wl_umma_op_t op) {
  const uint32_t zero = 1u << 2 | 1u << 6 | 1u << 23 | 1u << 29, saturate = 1u << 3;
  switch (op) {
  case WL_UMMA_TF32:
    return (types_t){1u << 1, 1u << 2, zero | saturate};
  case WL_UMMA_F8F6F4:
    return (types_t){3u, NARROW, zero | saturate};
  case WL_UMMA_I8:
    return (types_t){1u << 2, 3u, zero | 1u << 13 | 1u << 14};
  default:
    return (types_t){3u, 3u, zero | saturate};
  }
}

static uint32_t elements_of(wl_umma_op_t op) { /* of a chunk */
  return op == WL_UMMA_F16 ? 8 : op == WL_UMMA_TF32 ? 4 : op == WL_UMMA_MXF4 ? 32 : 16;
}

static bool reserved_n(const umma_product_t *p, uint32_t n) {
  const bool odd = n % 2 != 0, bytes = elements_of(p->op) == 16;
  return n == 0 || n > 32 || (odd && bytes && umma_field(p->i, 16, 16) != 0) ||
         (odd && p->op == WL_UMMA_I8 && n > 4);
}

static bool reserved_instruction(const umma_product_t *p) {
  const types_t t = types_of(p->op);
  const uint32_t d = umma_field(p->i, 5, 4), a = umma_field(p->i, 9, 7),
                 b = umma_field(p->i, 12, 10), m = umma_field(p->i, 28, 24);
  return (p->i & t.zero) != 0 || (t.results >> d & 1) == 0 || (t.elements >> a & 1) == 0 ||
         (t.elements >> b & 1) == 0 || (p->op == WL_UMMA_F16 && (b != a || (d == 0 && a == 1))) ||
         reserved_n(p, umma_field(p->i, 22, 17)) || (m != 4 && m != 8) ||
         umma_field(p->i, 31, 30) != 0 || (p->in_tensor && umma_field(p->i, 15, 15) != 0);
}

/* 26.9. Ids of scales of elements of 4 bits are those of a pair of bytes; with 16 elements a scale, of all four. */
static bool reserved_scaled(const umma_product_t *p) {
  const bool small = p->op == WL_UMMA_MXF4;
  const uint32_t zero = 0xfu | 1u << 6 | 7u << 24 | 1u << 31 | (small ? 3u << 15 : 0);
  const uint32_t elements = small ? 1u << 1 : NARROW;
  const uint32_t ids = !small ? 0xfu : p->by16 ? 1u << 0 : 1u << 0 | 1u << 2;
  const uint32_t a = umma_field(p->i, 9, 7), b = umma_field(p->i, 12, 10),
                 of_a = umma_field(p->i, 30, 29), of_b = umma_field(p->i, 5, 4);
  const bool fractions = umma_field(p->i, 23, 23) == 0; /* scales of ue4m3 */
  return (p->i & zero) != 0 || (elements >> a & 1) == 0 || (elements >> b & 1) == 0 ||
         (ids >> of_a & 1) == 0 || (ids >> of_b & 1) == 0 || (fractions && !(small && p->by16)) ||
         reserved_n(p, umma_field(p->i, 22, 17)) || umma_field(p->i, 28, 27) != 1 ||
         (p->in_tensor && umma_field(p->i, 15, 15) != 0);
}

bool umma_has_columns(const func_sm_t *sm, const func_warp_t *w, uint32_t first, uint32_t columns) {
  if (first + columns > sm->desc.config->tmem_columns) return false;
  for (uint32_t u = first / UNIT; u <= (first + columns - 1) / UNIT; u++) {
    if (!sm->tmem.unit[u].used || sm->tmem.unit[u].cta != w->cta) return false;
  }
  return true;
}

static wl_trap_t judge(const func_sm_t *sm, const func_warp_t *w, const umma_product_t *p,
                       uint64_t *address) {
  const uint32_t rows[2] = {p->m, p->n}, lane = p->d >> 16;
  *address = p->i;
  if (p->scaled ? reserved_scaled(p) : reserved_instruction(p)) return WL_TRAP_TENSOR_DESCRIPTOR;
  for (unsigned k = p->in_tensor; k < 2; k++) {
    *address = p->operand[k].descriptor;
    if (umma_reserved(&p->operand[k])) return WL_TRAP_TENSOR_DESCRIPTOR;
  }
  for (unsigned k = p->in_tensor; k < 2; k++) {
    const uint32_t end = umma_end(&p->operand[k], rows[k]);
    *address = end - 1;
    if (end > sm->launch.smem_bytes) return WL_TRAP_TENSOR_DESCRIPTOR;
  }
  *address = p->d;
  if (lane != 0 && !(lane == 16 && p->m == 64)) return WL_TRAP_TMEM_LANES;
  *address = p->a;
  if (p->in_tensor && p->a >> 16 != lane) return WL_TRAP_TMEM_LANES;
  for (unsigned k = 0; p->scaled && k < 2; k++) {
    *address = p->scales[k];
    if (umma_field(p->scales[k], 29, 16) != 0) return WL_TRAP_TMEM_LANES;
  }
  *address = p->d;
  if (!umma_has_columns(sm, w, p->d & 0xffff, p->n)) return WL_TRAP_TMEM_RANGE;
  *address = p->a;
  if (p->in_tensor && !umma_has_columns(sm, w, p->a & 0xffff, A_COLUMNS)) return WL_TRAP_TMEM_RANGE;
  for (unsigned k = 0; p->scaled && k < 2; k++) {
    const uint32_t columns = k == 0 ? SCALES_A_COLUMNS : (p->n + 31) / 32;
    *address = p->scales[k];
    if (!umma_has_columns(sm, w, p->scales[k] & 0xffff, columns)) return WL_TRAP_TMEM_RANGE;
  }
  return WL_TRAP_NONE;
}

/* ---- commands of a lane */
static uint64_t words_of(const func_warp_t *w, uint32_t r, uint32_t k, uint32_t lane) {
  return (uint64_t)func_word(w, r, k + 1, lane) << 32 | func_word(w, r, k, lane);
}

static umma_product_t product_of(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane) {
  const bool lowers = i->op == WL_UMMA_F16 || i->op == WL_UMMA_TF32;
  umma_product_t p = {.op = i->op,
                      .in_tensor = i->ta != 0,
                      .a = func_word(w, i->ra, 0, lane),
                      .d = func_word(w, i->rb, 0, lane),
                      .i = func_word(w, i->rb, 1, lane),
                      .scale = lowers ? i->imm & 15 : 0,
                      .scaled = i->op == WL_UMMA_MXF8F6F4 || i->op == WL_UMMA_MXF4,
                      .by16 = i->b16 != 0,
                      .reads = (func_pred(w, i->ps, i->ps_neg) >> lane & 1) != 0};
  p.m = 16 * umma_field(p.i, 28, 24);
  p.n = 8 * umma_field(p.i, 22, 17);
  for (uint32_t k = 0; k < 2; k++) {
    p.operand[k] = umma_operand(words_of(w, i->ra, 2 * k, lane),
                                umma_field(p.i, 15 + k, 15 + k) != 0, elements_of(i->op));
    if (p.scaled) p.scales[k] = func_word(w, i->rb, 2 + k, lane);
  }
  for (uint32_t k = 0; k < i->info->c; k++) {
    p.mask[k] = func_word(w, i->rc, k, lane);
  }
  return p;
}

static bool is_move(const wl_insn_dec_t *i) {
  return i->op == WL_UMMA_CP || i->op == WL_UMMA_SHIFT;
}

static umma_move_t move_of(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane) {
  if (i->op == WL_UMMA_SHIFT)
    return (umma_move_t){.shift = true, .t = func_word(w, i->ra, 0, lane)};
  return (umma_move_t){.shape = umma_field(i->imm, 2, 0),
                       .unpack = umma_field(i->imm, 4, 3),
                       .t = func_word(w, i->rb, 0, lane),
                       .source = umma_operand(words_of(w, i->ra, 0, lane), false, UMMA_CHUNK)};
}

bool umma_command(const func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane,
                  umma_command_t *out) {
  uint64_t address;
  *out = (umma_command_t){.moves = is_move(i)};
  if (out->moves) {
    out->move = move_of(w, i, lane);
    return umma_move_judge(sm, w, &out->move, &address) == WL_TRAP_NONE;
  }
  out->product = product_of(w, i, lane);
  return judge(sm, w, &out->product, &address) == WL_TRAP_NONE;
}

void umma_chunks(const umma_operand_t *o, uint32_t rows,
                 void (*visit)(void *context, uint32_t offset), void *context) {
  uint32_t number;
  for (uint32_t r = 0; r < rows; r += o->mn ? o->elements : 1) {
    for (uint32_t k = 0; k < 2 * o->elements; k += o->mn ? 1 : o->elements) {
      visit(context, umma_chunk(o, r, k, &number));
    }
  }
}

bool func_umma_commit(const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane,
                      uint64_t *address) {
  const bool generic = i->info->a == 2;
  const uint32_t window = generic ? func_word(w, i->ra, 1, lane) : FUNC_SHARED_WINDOW;
  *address = func_word(w, i->ra, 0, lane) | (generic ? (uint64_t)window << 32 : 0);
  return window == FUNC_SHARED_WINDOW;
}

static void commit(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane,
                   uint32_t lanes, uint8_t *smem) {
  uint64_t address = 0;
  const bool shared = func_umma_commit(w, i, lane, &address);
  const uint32_t m = (uint32_t)address;
  if (m % 8 != 0) {
    func_trap_address(sm, w, WL_TRAP_MISALIGNED, lane, lanes, address);
  } else if (!shared || (uint64_t)m + 8 > sm->launch.smem_bytes) {
    func_trap_address(sm, w, WL_TRAP_OUT_OF_BOUNDS, lane, lanes, address);
  } else {
    func_signal(sm, w, WL_MBAR_ARRIVE, lane, lanes, (uintptr_t)(smem + m), 1);
  }
}

static wl_trap_t act(func_sm_t *sm, const func_warp_t *w, const wl_insn_dec_t *i, uint32_t lane,
                     const uint8_t *smem, uint64_t *address) {
  wl_trap_t cause;
  if (is_move(i)) {
    const umma_move_t m = move_of(w, i, lane);
    cause = umma_move_judge(sm, w, &m, address);
    if (cause == WL_TRAP_NONE) umma_move(sm, &m, smem);
  } else {
    const umma_product_t p = product_of(w, i, lane);
    cause = judge(sm, w, &p, address);
    if (cause == WL_TRAP_NONE) umma_multiply(sm, &p, smem);
  }
  return cause;
}

void func_umma(func_sm_t *sm, func_warp_t *w, const wl_insn_dec_t *i, uint32_t e) {
  uint8_t *const smem = sm->smem + sm->ctas[w->cta].smem_base;
  for (uint32_t m = e; m != 0 && sm->trap.cause == WL_TRAP_NONE; m &= m - 1) {
    const uint32_t lane = func_lowest(m);
    uint64_t address = 0;
    if (i->op == WL_UMMA_COMMIT) {
      commit(sm, w, i, lane, m, smem);
      continue;
    }
    const wl_trap_t cause = act(sm, w, i, lane, smem, &address);
    if (cause != WL_TRAP_NONE) func_trap_address(sm, w, cause, lane, m, address);
  }
}
