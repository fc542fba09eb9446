/* special.c: rules that a form row cannot say: ranges of cvt.sat [9.7.9.21], of constants, modifier
 * pairs. mov is in mov.c, memory accesses in access.c. */
#include <stdio.h>

#include "isa/ptx/ptx.h"
#include "isa/ptx/px.h"

/* ---- cvt ---- */
/* ptxas takes {a, b, e, f} as four registers or constants, and random bits as an untyped register. */
static bool check_random(wl_px_t *p, const wl_ptx_insn_t *insn) {
  const wl_ptx_operand_t *four = &insn->operands[1], *bits = &insn->operands[insn->noperands - 1];
  if (insn->noperands == 3 && four->kind != WL_PTX_OPD_VEC)
    return wl_px_error(p, four->pos, "9.7.9.21", "expected {a, b, e, f}");
  return wl_px_operand_type(bits) == WL_PTX_T_B32 ||
         wl_px_error(p, bits->pos, "9.7.9.21", "the random bits are a .b32 register");
}

static bool check_cvt(wl_px_t *p, const wl_ptx_insn_t *insn) {
  wl_ptx_type_t d = insn->type[0], s = insn->type[1];
  if (insn->round == WL_PTX_M_RS) return check_random(p, insn);
  if (insn->ntypes < 2 || !wl_ptx_type_is_int(d) || !wl_ptx_type_is_int(s)) return true;
  if ((insn->flags & WL_PTX_F(SAT)) == 0) return true;
  unsigned db = wl_ptx_type_bits(d), sb = wl_ptx_type_bits(s);
  bool ds = wl_ptx_type_is_signed(d), ss = wl_ptx_type_is_signed(s);
  bool contains = ds == ss ? db >= sb : ds && db > sb;
  return !contains ||
         wl_px_error(p, insn->pos, "9.7.9.21", ".sat has no meaning from `.%s` to `.%s`",
                     wl_ptx_type_name(s), wl_ptx_type_name(d));
}

static bool check_cvta(wl_px_t *p, const wl_ptx_insn_t *insn) {
  unsigned bits = wl_ptx_type_bits(insn->type[0]);
  if (bits == p->m->address_size) return true;
  return wl_px_error(p, insn->pos, "9.7.9.20", "cvta.%s where addresses have %u bits",
                     wl_ptx_type_name(insn->type[0]), p->m->address_size);
}

/* ---- ranges of constants ---- */
static bool check_constant_range(wl_px_t *p, const wl_ptx_insn_t *insn, uint32_t at, uint64_t max,
                                 const char *what) {
  const wl_ptx_operand_t *o = &insn->operands[at];
  if (at >= insn->noperands || o->kind != WL_PTX_OPD_INT || o->imm <= max) return true;
  return wl_px_error(p, o->pos, wl_ptx_op_clause(insn->op), "%s must be in 0..%llu", what,
                     (unsigned long long)max);
}

/* 16 events */
static bool check_pmevent(wl_px_t *p, const wl_ptx_insn_t *insn) {
  bool mask = insn->nmodes != 0;
  return check_constant_range(p, insn, 0, mask ? 0xffff : 15, mask ? "the mask" : "the event");
}

/* 16 barriers; thread counts are whole warps [PTX 9.7.13.1] */
static bool check_barrier(wl_px_t *p, const wl_ptx_insn_t *insn) {
  if (insn->mode[0] == WL_PTX_M_WARP || insn->noperands == 0) return true;
  uint32_t at = insn->mode[0] == WL_PTX_M_RED ? 1 : 0;
  uint32_t last = insn->noperands - at; /* operands from the barrier number on */
  if (!check_constant_range(p, insn, at, 15, "the barrier number")) return false;
  bool has_count = insn->mode[0] == WL_PTX_M_RED ? last == 3 : last == 2;
  if (!has_count) return true;
  const wl_ptx_operand_t *o = &insn->operands[at + 1];
  if (o->kind != WL_PTX_OPD_INT || (o->imm != 0 && o->imm % 32 == 0 && o->imm <= 1024)) return true;
  return wl_px_error(p, o->pos, "9.7.13.1", "the thread count must be a multiple of the warp size");
}

/* shfl and vote without .sync ended with sm_70 and PTX 6.4 */
static bool check_sync(wl_px_t *p, const wl_ptx_insn_t *insn) {
  if ((insn->flags & WL_PTX_F(SYNC)) != 0 || p->version10 < 64 || p->m->sm < 70) return true;
  return wl_px_error(p, insn->pos, wl_ptx_op_clause(insn->op),
                     "`%s` without .sync does not exist for sm_70 and higher",
                     wl_ptx_op_name(insn->op));
}

/* ptxas takes no vector of constants alone. */
static bool check_fragment(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *v) {
  bool named = v->kind != WL_PTX_OPD_VEC;
  for (uint32_t i = 0; !named && i < v->nelems; i++)
    named = v->elems[i].kind != WL_PTX_OPD_INT && v->elems[i].kind != WL_PTX_OPD_FLOAT;
  return named ||
         wl_px_error(p, v->pos, wl_ptx_op_clause(insn->op), "the fragment needs a register");
}

/* ldmatrix, stmatrix: shared memory only. */
static bool check_matrix(wl_px_t *p, wl_ptx_insn_t *insn) {
  const char *clause = wl_ptx_op_clause(insn->op);
  if (!wl_px_check_memory(p, insn)) return false;
  if (insn->space != WL_PTX_SPACE_GENERIC && insn->space != WL_PTX_SPACE_SHARED)
    return wl_px_error(p, insn->pos, clause, "a matrix is in .shared, not in .%s",
                       wl_ptx_space_name(insn->space));
  return insn->op == WL_PTX_OP_LDMATRIX || check_fragment(p, insn, &insn->operands[1]);
}

/* mma.sp: which lanes of four hold the metadata: one, a pair, or all of them. */
static bool check_selector(wl_px_t *p, const wl_ptx_insn_t *insn) {
  unsigned bits = wl_ptx_type_bits(insn->type[1]), k = 0;
  if (insn->noperands < 6) return true;
  for (uint32_t i = 0; i < insn->nmods && k == 0; i++)
    (void)sscanf(wl_ptx_mod_name(insn->mods[i]), "m16n8k%u", &k);
  const unsigned most = (bits > 8 ? 4u : 2u) / (k * bits == 512 ? 2u : 1u) - 1;
  const wl_ptx_operand_t *o = &insn->operands[5];
  return o->kind != WL_PTX_OPD_INT || o->imm <= most ||
         wl_px_error(p, o->pos, "9.7.14.6", "the sparsity selector must be in 0..%u here", most);
}

/* C of f32 or s32 alone may be constants. */
static bool check_product(wl_px_t *p, const wl_ptx_insn_t *insn) {
  return check_fragment(p, insn, &insn->operands[1]) &&
         check_fragment(p, insn, &insn->operands[2]) &&
         (insn->type[0] != WL_PTX_T_F16 || check_fragment(p, insn, &insn->operands[3])) &&
         check_selector(p, insn);
}

/* wmma: .aligned is there from .version 6.3 on, and is demanded. */
bool wl_px_check_words(wl_px_t *p, const wl_ptx_insn_t *insn) {
  const char *clause = wl_ptx_op_clause(insn->op);
  if (insn->op != WL_PTX_OP_WMMA) return true;
  bool aligned = (insn->flags & WL_PTX_F(ALIGNED)) != 0;
  if (aligned && p->version10 < 63)
    return wl_px_error(p, insn->pos, clause, ".aligned needs .version 6.3 or later");
  if (!aligned && p->version10 >= 63)
    return wl_px_error(p, insn->pos, clause, "`wmma` needs .aligned");
  bool clamps = insn->ntypes == 2 && (insn->flags & WL_PTX_F(SATFINITE)) != 0;
  return !clamps || p->version10 < 65 ||
         wl_px_error(p, insn->pos, clause, ".satfinite of floats ended with .version 6.5");
}

/* A fragment of a wmma that is read: registers and constants; constants alone only of s32, or as 0f. */
static bool check_wmma_source(wl_px_t *p, const wl_ptx_insn_t *insn, uint32_t at) {
  const wl_ptx_operand_t *v = &insn->operands[at];
  bool alone = insn->type[0] == WL_PTX_T_S32 && (at == 3 || insn->noperands < 4);
  for (uint32_t i = 0; v->kind == WL_PTX_OPD_VEC && i < v->nelems; i++) {
    if (v->elems[i].kind == WL_PTX_OPD_SINK || v->elems[i].kind == WL_PTX_OPD_SREG)
      return wl_px_error(p, v->elems[i].pos, wl_ptx_op_clause(insn->op),
                         "a fragment that is read has registers and constants");
    alone = alone || v->elems[i].imm_f32;
  }
  return alone || check_fragment(p, insn, v);
}

static bool check_wmma(wl_px_t *p, wl_ptx_insn_t *insn) {
  if (!wl_px_check_words(p, insn) || !wl_px_check_memory(p, insn)) return false;
  if (insn->mode[0] == WL_PTX_M_LOAD) return true;
  if (insn->mode[0] == WL_PTX_M_STORE) return check_wmma_source(p, insn, 1);
  return check_wmma_source(p, insn, 1) && check_wmma_source(p, insn, 2) &&
         check_wmma_source(p, insn, 3);
}

bool wl_px_check_special(wl_px_t *p, wl_ptx_insn_t *insn) {
  switch (insn->op) {
  case WL_PTX_OP_LD:
  case WL_PTX_OP_ST:
  case WL_PTX_OP_LDU:
  case WL_PTX_OP_ATOM:
  case WL_PTX_OP_RED:
  case WL_PTX_OP_PREFETCH:
  case WL_PTX_OP_PREFETCHU:
  case WL_PTX_OP_APPLYPRIORITY:
  case WL_PTX_OP_DISCARD:
  case WL_PTX_OP_CREATEPOLICY:
    return wl_px_check_access(p, insn);
  case WL_PTX_OP_MBARRIER:
    return wl_px_check_mbarrier(p, insn);
  case WL_PTX_OP_FENCE:
    return wl_px_check_fence(p, insn);
  case WL_PTX_OP_CP:
    return wl_px_check_copy(p, insn);
  case WL_PTX_OP_LDMATRIX:
  case WL_PTX_OP_STMATRIX:
    return check_matrix(p, insn);
  case WL_PTX_OP_MMA:
    return check_product(p, insn);
  case WL_PTX_OP_TCGEN05:
    return wl_px_check_tmem(p, insn);
  case WL_PTX_OP_WMMA:
    return check_wmma(p, insn);
  case WL_PTX_OP_CVT:
    return check_cvt(p, insn);
  case WL_PTX_OP_CVTA:
    return check_cvta(p, insn);
  case WL_PTX_OP_BAR:
  case WL_PTX_OP_BARRIER:
    return check_barrier(p, insn);
  case WL_PTX_OP_SHFL:
  case WL_PTX_OP_VOTE:
    return check_sync(p, insn);
  case WL_PTX_OP_PMEVENT:
    return check_pmevent(p, insn);
  case WL_PTX_OP_BFE:
    return check_constant_range(p, insn, 2, 255, "the position") &&
           check_constant_range(p, insn, 3, 255, "the length");
  case WL_PTX_OP_BFI:
    return check_constant_range(p, insn, 3, 255, "the position") &&
           check_constant_range(p, insn, 4, 255, "the length");
  default:
    return true;
  }
}
