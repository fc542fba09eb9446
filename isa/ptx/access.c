/* access.c: rules of memory accesses and cache hints that a form row cannot say: spaces and addresses
 * [PTX 6.4.1, 9.7.9.8, 9.7.9.11], vectors of atom and red [9.7.13.5], policies [9.7.9.18], mbarriers
 * [9.7.13.15], asynchronous copies [9.7.9.25.3]. */
#include <string.h>

#include "isa/ptx/ptx.h"
#include "isa/ptx/px.h"
#include "isa/ptx/spaces.h"

static void refine_param(wl_px_t *p, wl_ptx_insn_t *insn, const wl_ptx_operand_t *a) {
  if (insn->space != WL_PTX_SPACE_PARAM_ENTRY || insn->op == WL_PTX_OP_ISSPACEP ||
      insn->op == WL_PTX_OP_CVTA || a == NULL) {
    return;
  }
  bool func = insn->op == WL_PTX_OP_ST ||
              (a->var != NULL && a->var->space == WL_PTX_SPACE_PARAM_FUNC) ||
              (a->var == NULL && !p->fn.func->is_entry);
  if (func) insn->space = WL_PTX_SPACE_PARAM_FUNC;
}

static bool check_param_access(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *a) {
  bool store = insn->op == WL_PTX_OP_ST;
  if (insn->space != WL_PTX_SPACE_PARAM_FUNC) return true;
  if (insn->guard != NULL && a->var != NULL && a->var->role == WL_PTX_VAR_LOCAL_PARAM) {
    return wl_px_error(p, insn->pos, "7.1", "accesses to call parameters cannot be predicated");
  }
  if (store && a->var != NULL && a->var->role == WL_PTX_VAR_FUNC_PARAM) {
    return wl_px_error(p, a->pos, "5.1.6.4", "an input parameter cannot be written");
  }
  if (!store && a->var != NULL && a->var->role == WL_PTX_VAR_FUNC_RET) {
    return wl_px_error(p, a->pos, "5.1.6.4", "a return parameter cannot be read");
  }
  return true;
}

/* st.async, st.bulk, red.async. */
static bool is_async(const wl_ptx_insn_t *insn) {
  return insn->nmodes != 0 && (insn->mode[0] == WL_PTX_M_ASYNC || insn->mode[0] == WL_PTX_M_BULK);
}

/* Global and generic addresses have the module's address size; the other windows are smaller. ptxas
 * takes smaller registers for what is asynchronous, and for st.bulk. */
static bool check_base_width(wl_px_t *p, const wl_ptx_insn_t *insn, const wl_ptx_operand_t *a) {
  bool wide = insn->space == WL_PTX_SPACE_GENERIC || insn->space == WL_PTX_SPACE_GLOBAL;
  const bool any = insn->op == WL_PTX_OP_CP || is_async(insn);
  if (!wide || a->reg == NULL || a->var != NULL || any) return true;
  if (wl_ptx_type_bits(a->reg->type) == p->m->address_size) return true;
  return wl_px_error(p, a->pos, "6.4.1", "`%.60s` has %u bits, an address here %u", a->reg->name,
                     wl_ptx_type_bits(a->reg->type), p->m->address_size);
}

bool wl_px_check_address(wl_px_t *p, wl_ptx_insn_t *insn, wl_ptx_operand_t *a) {
  bool plain = insn->op == WL_PTX_OP_LD || insn->op == WL_PTX_OP_LDU || insn->op == WL_PTX_OP_ST;
  if (a->kind == WL_PTX_OPD_VAR && !plain)
    return wl_px_error(p, a->pos, "6.4.2", "expected an address in [ ], got an array element");
  if (a->kind == WL_PTX_OPD_VAR) a->kind = WL_PTX_OPD_ADDR; /* a[1] is another spelling of [a+..] */
  refine_param(p, insn, a);
  bool windowed = a->var != NULL &&
                  (a->var->space == WL_PTX_SPACE_GLOBAL || a->var->space == WL_PTX_SPACE_SHARED ||
                   a->var->space == WL_PTX_SPACE_LOCAL);
  if (windowed && insn->space == WL_PTX_SPACE_GENERIC) {
    insn->space = a->var->space; /* the name proves the space; compilers write ld.u32 r, [gvar] */
  }
  bool atomic = insn->op == WL_PTX_OP_ATOM || insn->op == WL_PTX_OP_RED;
  if (atomic && insn->space == WL_PTX_SPACE_LOCAL) {
    return wl_px_error(p, a->pos, wl_ptx_op_clause(insn->op),
                       "an atomic operation needs .global or .shared");
  }
  if (a->var != NULL && insn->space == WL_PTX_SPACE_GENERIC) {
    return wl_px_error(p, a->pos, "6.4.1", "`%.60s` is in .%s, the access names no space",
                       a->var->name, wl_ptx_space_name(a->var->space));
  }
  if (a->var != NULL && !wl_ptx_space_accepts(insn->space, a->var->space)) {
    return wl_px_error(p, a->pos, "6.4.1", "`%.60s` is in .%s, the access is to .%s", a->var->name,
                       wl_ptx_space_name(a->var->space), wl_ptx_space_name(insn->space));
  }
  return check_base_width(p, insn, a) && check_param_access(p, insn, a);
}

static bool check_memory_modifiers(wl_px_t *p, const wl_ptx_insn_t *insn) {
  const char *clause = insn->op == WL_PTX_OP_ST ? "9.7.9.11" : "9.7.9.8";
  unsigned bytes = wl_ptx_type_bits(insn->type[0]) / 8 * insn->vec;
  if (insn->cache != WL_PTX_M_NONE &&
      (insn->evict_l1 != WL_PTX_M_NONE || insn->evict_l2 != WL_PTX_M_NONE)) {
    return wl_px_error(p, insn->pos, clause, "a cache operator excludes an eviction priority");
  }
  if (insn->sem == WL_PTX_M_VOLATILE && insn->space != WL_PTX_SPACE_GENERIC &&
      insn->space != WL_PTX_SPACE_GLOBAL && insn->space != WL_PTX_SPACE_SHARED &&
      insn->space != WL_PTX_SPACE_LOCAL && insn->space != WL_PTX_SPACE_SHARED_CLUSTER) {
    return wl_px_error(p, insn->pos, clause, ".volatile needs .global, .shared, .local or generic");
  }
  if (insn->sem == WL_PTX_M_MMIO && insn->space != WL_PTX_SPACE_GENERIC &&
      insn->space != WL_PTX_SPACE_GLOBAL) {
    return wl_px_error(p, insn->pos, clause, ".mmio needs .global or generic");
  }
  if (insn->type[0] == WL_PTX_T_B128 && insn->scope == WL_PTX_M_SYS && p->version10 < 84)
    return wl_px_error(p, insn->pos, clause, ".sys of 128 bits needs .version 8.4 or later");
  if (bytes > 16 && insn->op != WL_PTX_OP_LDU &&
      (insn->space == WL_PTX_SPACE_GENERIC || insn->space == WL_PTX_SPACE_GLOBAL)) {
    if (p->version10 < 88 || p->m->sm < 100) {
      return wl_px_error(p, insn->pos, clause,
                         "256-bit accesses need .version 8.8 and .target sm_100");
    }
    return true;
  }
  if (bytes > 16) {
    return wl_px_error(p, insn->pos, clause, ".v%u of `.%s` is larger than 16 bytes", insn->vec,
                       wl_ptx_type_name(insn->type[0]));
  }
  if (insn->evict_l2 != WL_PTX_M_NONE) {
    return wl_px_error(p, insn->pos, clause, "an L2 eviction priority needs a 256-bit access");
  }
  return true;
}

bool wl_px_check_memory(wl_px_t *p, wl_ptx_insn_t *insn) {
  bool ok = true;
  for (uint32_t i = 0; i < insn->noperands; i++) {
    wl_ptx_operand_t *o = &insn->operands[i];
    if (o->kind == WL_PTX_OPD_ADDR || (o->kind == WL_PTX_OPD_VAR && insn->op != WL_PTX_OP_CVTA)) {
      ok = wl_px_check_address(p, insn, o) && ok;
    }
  }
  return ok;
}

/* Vectors of atom and red: global memory only; constants of 16 bits are another matter. */
static bool check_vector_atomic(wl_px_t *p, const wl_ptx_insn_t *insn) {
  const char *clause = wl_ptx_op_clause(insn->op);
  const wl_ptx_operand_t *b = &insn->operands[insn->op == WL_PTX_OP_ATOM ? 2 : 1];
  if (insn->vec <= 1) return true;
  if (insn->space != WL_PTX_SPACE_GENERIC && insn->space != WL_PTX_SPACE_GLOBAL)
    return wl_px_error(p, insn->pos, clause, "a vector needs .global or generic");
  for (uint32_t i = 0; i < b->nelems && insn->type[0] != WL_PTX_T_F32; i++)
    if (b->elems[i].kind == WL_PTX_OPD_INT || b->elems[i].kind == WL_PTX_OPD_FLOAT)
      return wl_px_unsupported(p, b->elems[i].pos, clause,
                               "a constant as an element of type `.%s` is not implemented",
                               wl_ptx_type_name(insn->type[0]));
  return true;
}

/* applypriority, discard: one line of 128 bytes */
static bool check_line(wl_px_t *p, const wl_ptx_insn_t *insn) {
  const wl_ptx_operand_t *o = &insn->operands[1];
  return o->imm == 128 || wl_px_error(p, o->pos, wl_ptx_op_clause(insn->op), "the size is 128");
}

static bool fraction(const wl_ptx_operand_t *o) {
  double d;
  float f;
  uint32_t word = (uint32_t)o->imm;
  memcpy(&d, &o->imm, sizeof d);
  memcpy(&f, &word, sizeof f);
  if (o->imm_f32) d = (double)f;
  return d > 0 && d <= 1;
}

/* createpolicy: a fraction above 0, up to 1; the first size at most the second */
static bool check_policy(wl_px_t *p, const wl_ptx_insn_t *insn) {
  const char *clause = wl_ptx_op_clause(insn->op);
  const wl_ptx_operand_t *o = insn->operands;
  if (insn->mode[0] == WL_PTX_M_FRACTIONAL && insn->noperands == 2 &&
      o[1].kind == WL_PTX_OPD_FLOAT && !fraction(&o[1]))
    return wl_px_error(p, o[1].pos, clause, "the fraction must be above 0 and at most 1");
  if (insn->mode[0] == WL_PTX_M_RANGE && o[2].kind == WL_PTX_OPD_INT &&
      o[3].kind == WL_PTX_OPD_INT && (uint32_t)o[2].imm > (uint32_t)o[3].imm)
    return wl_px_error(p, o[2].pos, clause, "the first size must not exceed the second");
  return true;
}

/* An arrival: its state may be `_`, and must be for an object of the cluster; a constant count is
 * above 0. */
static bool check_arrive(wl_px_t *p, const wl_ptx_insn_t *insn, const char *clause) {
  const wl_ptx_operand_t *d = &insn->operands[0], *n = &insn->operands[insn->noperands - 1];
  bool sink = d->kind == WL_PTX_OPD_SINK;
  if (!sink && insn->space == WL_PTX_SPACE_SHARED_CLUSTER)
    return wl_px_error(p, d->pos, clause, "with .shared::cluster the state is `_`");
  if (sink && insn->mode[0] == WL_PTX_M_ARRIVE && p->version10 < 71)
    return wl_px_error(p, d->pos, clause, "`_` needs .version 7.1 or later");
  bool tx = insn->nmodes > 1 && insn->mode[1] == WL_PTX_M_EXPECT_TX;
  if (insn->noperands == 3 && !tx && n->kind == WL_PTX_OPD_INT && (int32_t)n->imm <= 0)
    return wl_px_error(p, n->pos, clause, "the count must be above 0");
  return true;
}

static const char *form_clause(const wl_px_t *p, const wl_ptx_insn_t *insn) {
  return p->forms->forms[insn->form].clause;
}

static bool check_object(wl_px_t *p, wl_ptx_insn_t *insn) {
  if (!wl_px_check_memory(p, insn)) return false;
  return insn->space == WL_PTX_SPACE_GENERIC || insn->space == WL_PTX_SPACE_SHARED ||
         insn->space == WL_PTX_SPACE_SHARED_CLUSTER ||
         wl_px_error(p, insn->pos, form_clause(p, insn), "an mbarrier is in .shared, not in .%s",
                     wl_ptx_space_name(insn->space));
}

bool wl_px_check_mbarrier(wl_px_t *p, wl_ptx_insn_t *insn) {
  const char *clause = form_clause(p, insn);
  if (!check_object(p, insn)) return false;
  if (insn->mode[0] == WL_PTX_M_ARRIVE || insn->mode[0] == WL_PTX_M_ARRIVE_DROP)
    return check_arrive(p, insn, clause);
  const wl_ptx_operand_t *parity = &insn->operands[2];
  if (insn->nmodes > 1 && insn->mode[1] == WL_PTX_M_PARITY && parity->kind == WL_PTX_OPD_INT &&
      parity->imm > 1)
    return wl_px_error(p, parity->pos, clause, "a parity is 0 or 1");
  return true;
}

/* cp.async: 4, 8 or 16 bytes, of .cg 16; a constant size of the source is at most that. The space of
 * the instruction is that of the source. */
bool wl_px_check_copy(wl_px_t *p, wl_ptx_insn_t *insn) {
  const char *clause = form_clause(p, insn);
  wl_ptx_operand_t *o = insn->operands;
  if (insn->mode[0] == WL_PTX_M_REDUCE || (insn->nmodes > 1 && insn->mode[1] == WL_PTX_M_BULK))
    return wl_px_check_bulk(p, insn);
  if (insn->nmodes > 1) return insn->mode[1] != WL_PTX_M_MBARRIER || check_object(p, insn);
  insn->space = WL_PTX_SPACE_SHARED;
  bool ok = wl_px_check_address(p, insn, &o[0]);
  insn->space = WL_PTX_SPACE_GLOBAL;
  if (!wl_px_check_address(p, insn, &o[1]) || !ok) return false;
  bool small = o[2].imm == 4 || o[2].imm == 8;
  if (o[2].imm != 16 && !(small && insn->cache == WL_PTX_M_CA))
    return wl_px_error(p, o[2].pos, clause, "the size is 16%s",
                       insn->cache == WL_PTX_M_CA ? ", 8 or 4" : "");
  const bool hint = (insn->flags & WL_PTX_F(CACHE_HINT)) != 0;
  return insn->noperands < (hint ? 5u : 4u) || o[3].kind != WL_PTX_OPD_INT ||
         o[3].imm <= o[2].imm ||
         wl_px_error(p, o[3].pos, clause, "more bytes of the source than are copied");
}

/* fence.proxy.tensormap of an acquire: the tensor map's size */
bool wl_px_check_fence(wl_px_t *p, const wl_ptx_insn_t *insn) {
  const wl_ptx_operand_t *size = &insn->operands[1];
  return insn->noperands != 2 || size->imm == 128 ||
         wl_px_error(p, size->pos, form_clause(p, insn), "the size is 128");
}

bool wl_px_check_access(wl_px_t *p, wl_ptx_insn_t *insn) {
  bool hint = insn->evict_l1 != WL_PTX_M_NONE || insn->prefetch_size != WL_PTX_M_NONE ||
              (insn->flags & WL_PTX_F(CACHE_HINT)) != 0;
  if (hint && insn->space != WL_PTX_SPACE_GENERIC && insn->space != WL_PTX_SPACE_GLOBAL) {
    return wl_px_error(p, insn->pos, wl_ptx_op_clause(insn->op),
                       "cache hints need a .global or generic address");
  }
  if (!wl_px_check_memory(p, insn)) return false;
  if ((insn->op == WL_PTX_OP_ST || insn->op == WL_PTX_OP_RED) && is_async(insn))
    return wl_px_check_async_access(p, insn);
  switch (insn->op) {
  case WL_PTX_OP_ATOM:
  case WL_PTX_OP_RED:
    return check_vector_atomic(p, insn);
  case WL_PTX_OP_APPLYPRIORITY:
  case WL_PTX_OP_DISCARD:
    return check_line(p, insn);
  case WL_PTX_OP_CREATEPOLICY:
    return check_policy(p, insn);
  default:
    break;
  }
  bool ldst = insn->op == WL_PTX_OP_LD || insn->op == WL_PTX_OP_ST || insn->op == WL_PTX_OP_LDU;
  return !ldst || check_memory_modifiers(p, insn);
}
