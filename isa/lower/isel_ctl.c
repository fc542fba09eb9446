/* isel_ctl.c: branches, exit, traps, barriers, fences. PTX 9.7.12, 9.7.13.1-4, 9.7.19.
 * ret of an entry is exit; brkpt is trap; every fence and membar but .proxy.alias waits for the
 * warp's memory operations at its scope; brx.idx reads the target's instruction index from a table
 * in c1. */
#include "isa/lower/isel.h"

#define OPND(k) (&s->in->operands[k])

static bool branch(wl_isel_t *s) {
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_BRA, .target = OPND(0)->label->id});
  return true;
}

static bool branch_indexed(wl_isel_t *s) {
  wl_mfunc_t *f = s->f;
  const wl_ptx_table_t *t = OPND(1)->table;
  f->tables = wl_mf_grow(f, f->tables, f->ntables, &f->cap_tables, sizeof *f->tables);
  wl_mtable_t *table = &f->tables[f->ntables];
  table->count = t->count;
  table->targets = wl_mf_alloc(f, (t->count + 1) * sizeof(uint32_t));
  for (uint32_t i = 0; i < t->count; i++)
    table->targets[i] = t->labels[i]->id;
  table->c1_offset = wl_obj_add_data(s->l->obj, WL_OBJ_C1, NULL, (size_t)t->count * 4 + 4, 4);
  const wl_mreg_t at = wl_t1(s), pc = wl_t1(s);
  const wl_mreg_t index = wl_is_r32(s, OPND(0), WL_PTX_T_U32);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, at, WL_RZ, index, 2);
  wl_ri(s, WL_FORM_LDC_B32, pc, at, 1u << 28 | table->c1_offset);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_BRX, .a = pc, .target = (uint32_t)f->ntables});
  f->ntables++;
  return true;
}

static uint32_t scope_code(wl_ptx_mod_t m) {
  return m == WL_PTX_M_CTA ? 0 : m == WL_PTX_M_CLUSTER ? 1 : m == WL_PTX_M_SYS ? 3 : 2;
}

/* Barrier number and thread count as immediate, or as registers a and b. */
static bool barrier_operands(wl_isel_t *s, unsigned at, bool has_count, wl_minsn_t *i) {
  const wl_src_t a = wl_is_src(s, OPND(at), WL_PTX_T_U32);
  const wl_src_t b = has_count ? wl_is_src(s, OPND(at + 1), WL_PTX_T_U32) : (wl_src_t){.imm = true};
  if (a.imm && b.imm && a.k < 16 && b.k % 32 == 0 && b.k / 32 < 64) {
    i->imm = a.k | b.k / 32 << 8;
    return true;
  }
  i->a = wl_is_reg(s, a);
  i->b = wl_is_reg(s, b);
  return false;
}

/* What asynchronous copies have to see in order, also of tensor maps. A thread's accesses by two
 * addresses of one place are in order anyhow. */
static bool proxy_fence(const wl_isel_t *s) {
  return s->in->nmodes < 2 || s->in->mode[0] != WL_PTX_M_PROXY ||
         s->in->mode[1] != WL_PTX_M_PROXY_ALIAS;
}

static bool barrier(wl_isel_t *s) {
  if (wl_isel_cluster_barrier(s)) return true;
  const wl_ptx_mod_t m0 = s->in->mode[0];
  const bool aligned = s->in->op == WL_PTX_OP_BAR || (s->in->flags & WL_PTX_F(ALIGNED)) != 0;
  wl_minsn_t i = {.mods = WL_MODS(ALIGNED, aligned)};
  if (m0 == WL_PTX_M_WARP) {
    const wl_src_t m = wl_is_src(s, OPND(0), WL_PTX_T_B32);
    if (m.imm)
      wl_put(s, &(wl_minsn_t){.form = WL_FORM_WARPSYNC_I, .imm = m.k});
    else
      wl_put(s, &(wl_minsn_t){.form = WL_FORM_WARPSYNC_R, .c = m.r});
    return true;
  }
  if (m0 != WL_PTX_M_RED) {
    const bool arrive = m0 == WL_PTX_M_ARRIVE,
               imm = barrier_operands(s, 0, s->in->noperands > 1, &i);
    i.form = arrive ? (imm ? WL_FORM_BAR_ARRIVE_I : WL_FORM_BAR_ARRIVE_R)
                    : (imm ? WL_FORM_BAR_SYNC_I : WL_FORM_BAR_SYNC_R);
    wl_put(s, &i);
    return true;
  }
  const wl_ptx_mod_t op = s->in->mode[1];
  const bool imm = barrier_operands(s, 1, s->in->noperands > 3, &i);
  i.ps = wl_is_psrc(s, OPND(s->in->noperands - 1), &i.ps_neg);
  if (op == WL_PTX_M_POPC) {
    i.d = wl_is_dst(s, OPND(0));
    i.form = imm ? WL_FORM_BAR_POPC_I : WL_FORM_BAR_POPC_R;
  } else {
    i.pd = wl_is_pdst(s, OPND(0));
    i.form = op == WL_PTX_M_AND ? (imm ? WL_FORM_BAR_AND_I : WL_FORM_BAR_AND_R)
                                : (imm ? WL_FORM_BAR_OR_I : WL_FORM_BAR_OR_R);
  }
  wl_put(s, &i);
  return true;
}

bool wl_isel_ctl(wl_isel_t *s) {
  switch (s->in->op) {
  case WL_PTX_OP_BRA:
    return branch(s);
  case WL_PTX_OP_BRX:
    return branch_indexed(s);
  case WL_PTX_OP_EXIT:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_EXIT});
    return true;
  case WL_PTX_OP_RET:
    if (s->f->is_entry)
      wl_put(s, &(wl_minsn_t){.form = WL_FORM_EXIT});
    else
      wl_isel_return(s);
    return true;
  case WL_PTX_OP_TRAP:
  case WL_PTX_OP_BRKPT:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_TRAP});
    return true;
  case WL_PTX_OP_PMEVENT: /* what monitors do with events is theirs; %pm has no row for them */
    return true;
  case WL_PTX_OP_NANOSLEEP:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_NANOSLEEP_R, .a = wl_is_r32(s, OPND(0), WL_PTX_T_U32)});
    return true;
  case WL_PTX_OP_GRIDDEPCONTROL: /* one grid runs */
    return true;
  case WL_PTX_OP_MEMBAR:
  case WL_PTX_OP_FENCE:
    if (!proxy_fence(s)) return true;
    wl_put(s,
           &(wl_minsn_t){.form = WL_FORM_FENCE, .mods = WL_MODS(SCOPE, scope_code(s->in->scope))});
    return true;
  case WL_PTX_OP_BAR:
  case WL_PTX_OP_BARRIER:
    return barrier(s);
  default:
    return false;
  }
}
