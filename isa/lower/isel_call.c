/* isel_call.c: calling convention (isa/def/abi.def). PTX 7.1, 9.7.12.5-6.
 * Scalars up to 64 bits go left to right into R4..R15, 64-bit ones into even pairs; arrays and what
 * is left over lie on the stack at the caller's R1, arguments first, then results; results count
 * their registers anew from R4. A function address is its instruction index with upper word 0.
 * Not here: variable arguments. */
#include "isa/lower/isel.h"

typedef struct slot {
  bool in_reg;
  uint32_t reg, words, offset, bytes;
} slot_t;
typedef struct cursor {
  uint32_t reg, stack;
} cursor_t;

static slot_t next_slot(cursor_t *c, const wl_ptx_formal_t *formal) {
  slot_t s = {0};
  uint32_t align = 4;
  bool scalar = true;
  if (formal->reg != NULL) {
    s.bytes = (wl_bits(formal->reg->type) + 7) / 8;
  } else {
    s.bytes = (uint32_t)formal->var->size;
    align = formal->var->align < 4 ? 4 : formal->var->align > 16 ? 16 : formal->var->align;
    scalar = !formal->var->is_array && formal->var->vec <= 1;
  }
  s.words = s.bytes <= 4 ? 1 : s.bytes / 4;
  const uint32_t at = (c->reg + s.words - 1) / s.words * s.words;
  if (scalar && s.bytes <= 8 && at + s.words <= WL_ABI_ARG_LAST + 1u) {
    s.in_reg = true;
    s.reg = at;
    c->reg = at + s.words;
    return s;
  }
  if (s.bytes == 8) align = 8;
  c->stack = (c->stack + align - 1) / align * align;
  s.offset = c->stack;
  c->stack += (s.bytes + 3) / 4 * 4;
  return s;
}

static wl_mreg_t fixed(wl_isel_t *s, uint32_t reg) {
  return wl_mreg(wl_mf_fixed(s->f, (int)reg), 0);
}

wl_param_t *wl_isel_param(wl_isel_t *s, const wl_ptx_var_t *var) {
  switch (var->role) {
  case WL_PTX_VAR_FUNC_PARAM:
    return &s->params[var->id];
  case WL_PTX_VAR_FUNC_RET:
    return &s->rets[var->id];
  case WL_PTX_VAR_MODULE:
    return &s->rets[s->fn->proto.nrets]; /* refused by vars.c */
  default:
    return &s->locals[var->id];
  }
}

static void put_local(wl_isel_t *s, wl_form_t form, uint8_t fix, uint32_t offset, wl_mreg_t d,
                      wl_mreg_t b) {
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form,
                          .fix = fix,
                          .a = fixed(s, WL_ABI_STACK),
                          .d = d,
                          .b = b,
                          .imm = offset});
}

static void store_words(wl_isel_t *s, uint8_t fix, uint32_t offset, wl_mreg_t v, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    put_local(s, WL_FORM_ST_LOCAL_B32, fix, offset + 4 * w, WL_RZ, wl_mreg_at(v, w));
}

static void load_words(wl_isel_t *s, uint8_t fix, uint32_t offset, wl_mreg_t v, uint32_t words) {
  for (uint32_t w = 0; w < words; w++)
    put_local(s, WL_FORM_LD_LOCAL_B32, fix, offset + 4 * w, wl_mreg_at(v, w), WL_RZ);
}

static void copy_memory(wl_isel_t *s, uint8_t to_fix, uint32_t to, uint8_t from_fix, uint32_t from,
                        uint32_t bytes) {
  for (uint32_t at = 0; at < bytes; at += 4) {
    const wl_mreg_t t = wl_t1(s);
    put_local(s, WL_FORM_LD_LOCAL_B32, from_fix, from + at, t, WL_RZ);
    put_local(s, WL_FORM_ST_LOCAL_B32, to_fix, to + at, WL_RZ, t);
  }
}

/* ---- the callee's side ---- */
static void bind(wl_isel_t *s, const wl_ptx_formal_t *formal, const slot_t *slot, wl_param_t *p,
                 bool receive) {
  if (formal->reg != NULL) {
    p->in_reg = true;
    p->vreg = s->regs[formal->reg->id];
  } else if (!slot->in_reg) {
    *p = (wl_param_t){.offset = slot->offset, .fix = WL_FIX_CALLER};
    return;
  } else if (!p->in_reg) { /* a scalar that is used as memory: room in the frame */
    s->f->local_bytes = (s->f->local_bytes + 7) / 8 * 8;
    p->offset = s->f->local_bytes;
    p->fix = WL_FIX_LOCAL;
    s->f->local_bytes += 8;
  } else {
    p->vreg = wl_mf_vreg(s->f, (uint8_t)slot->words, false);
  }
  if (!receive) return;
  for (uint32_t w = 0; w < slot->words; w++) {
    if (p->in_reg && slot->in_reg)
      wl_copy(s, wl_mreg(p->vreg, w), fixed(s, slot->reg + w), 1);
    else if (p->in_reg)
      load_words(s, WL_FIX_CALLER, slot->offset + 4 * w, wl_mreg(p->vreg, w), 1);
    else
      store_words(s, p->fix, p->offset + 4 * w, fixed(s, slot->reg + w), 1);
  }
}

void wl_isel_receive(wl_isel_t *s) {
  const wl_ptx_proto_t *proto = &s->fn->proto;
  cursor_t c = {WL_ABI_ARG_FIRST, 0};
  for (uint32_t i = 0; i < proto->nparams; i++) {
    const slot_t slot = next_slot(&c, &proto->params[i]);
    bind(s, &proto->params[i], &slot, &s->params[i], true);
  }
  c.reg = WL_ABI_ARG_FIRST;
  for (uint32_t i = 0; i < proto->nrets; i++) {
    const slot_t slot = next_slot(&c, &proto->rets[i]);
    bind(s, &proto->rets[i], &slot, &s->rets[i], false);
  }
  s->link = wl_mf_vreg(s->f, 1, false);
  wl_copy(s, wl_mreg(s->link, 0), fixed(s, WL_ABI_LINK), 1);
}

void wl_isel_return(wl_isel_t *s) {
  const wl_ptx_proto_t *proto = &s->fn->proto;
  wl_mcall_t *uses = wl_mf_alloc(s->f, sizeof *uses);
  cursor_t c = {WL_ABI_ARG_FIRST, 0};
  for (uint32_t i = 0; i < proto->nparams; i++)
    (void)next_slot(&c, &proto->params[i]);
  c.reg = WL_ABI_ARG_FIRST;
  for (uint32_t i = 0; i < proto->nrets; i++) {
    const slot_t slot = next_slot(&c, &proto->rets[i]);
    const wl_param_t *p = &s->rets[i];
    if (!slot.in_reg) {
      if (p->in_reg) store_words(s, WL_FIX_CALLER, slot.offset, wl_mreg(p->vreg, 0), slot.words);
      continue;
    }
    for (uint32_t w = 0; w < slot.words; w++) {
      const wl_mreg_t d = fixed(s, slot.reg + w);
      if (p->in_reg)
        wl_copy(s, d, wl_mreg(p->vreg, w), 1);
      else
        load_words(s, p->fix, p->offset + 4 * w, d, 1);
      uses->uses[uses->nuses++] = d;
    }
  }
  wl_copy(s, fixed(s, WL_ABI_LINK), wl_mreg(s->link, 0), 1);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_RET, .a = fixed(s, WL_ABI_LINK), .call = uses});
}

/* ---- the caller's side ---- */
static wl_ptx_type_t scalar_type(const wl_ptx_formal_t *formal) {
  const wl_ptx_type_t t = formal->reg != NULL ? formal->reg->type : formal->var->type;
  return t;
}

/* Value of an argument as words; the result may be RZ. */
static wl_mreg_t argument(wl_isel_t *s, const wl_ptx_operand_t *o, const wl_ptx_formal_t *formal,
                          const slot_t *slot) {
  if (o->kind == WL_PTX_OPD_VAR && o->var->space == WL_PTX_SPACE_PARAM_FUNC) {
    const wl_param_t *p = wl_isel_param(s, o->var);
    if (p->in_reg) return wl_mreg(p->vreg, 0);
    const wl_mreg_t t = slot->words == 2 ? wl_t2(s) : wl_t1(s);
    load_words(s, p->fix, p->offset, t, slot->words);
    return t;
  }
  const wl_ptx_type_t t = scalar_type(formal);
  return slot->words == 2 ? wl_is_r64(s, o, t) : wl_is_r32(s, o, t);
}

static void pass_stack(wl_isel_t *s, const wl_ptx_operand_t *o, const wl_ptx_formal_t *formal,
                       const slot_t *slot) {
  if (o->kind == WL_PTX_OPD_VAR && o->var->space == WL_PTX_SPACE_PARAM_FUNC) {
    const wl_param_t *p = wl_isel_param(s, o->var);
    if (!p->in_reg) {
      copy_memory(s, WL_FIX_NONE, slot->offset, p->fix, p->offset, slot->bytes);
      return;
    }
  }
  store_words(s, WL_FIX_NONE, slot->offset, argument(s, o, formal, slot), slot->words);
}

static void fetch_result(wl_isel_t *s, const wl_ptx_operand_t *o, const slot_t *slot) {
  if (o->kind == WL_PTX_OPD_SINK) return;
  const wl_param_t *p = o->kind == WL_PTX_OPD_VAR ? wl_isel_param(s, o->var) : NULL;
  if (p != NULL && !p->in_reg && !slot->in_reg) {
    copy_memory(s, p->fix, p->offset, WL_FIX_NONE, slot->offset, slot->bytes);
    return;
  }
  const wl_mreg_t d = p == NULL ? wl_is_dst(s, o) : p->in_reg ? wl_mreg(p->vreg, 0) : WL_RZ;
  for (uint32_t w = 0; w < slot->words; w++) { /* the one result, if scalar, is in registers */
    if (p != NULL && !p->in_reg)
      store_words(s, p->fix, p->offset + 4 * w, fixed(s, slot->reg + w), 1);
    else
      wl_copy(s, wl_mreg_at(d, w), fixed(s, slot->reg + w), 1);
  }
}

static void put_call(wl_isel_t *s, const wl_ptx_call_t *call, wl_mreg_t target, wl_mcall_t *info) {
  wl_minsn_t i = {.form = WL_FORM_CALL, .d = fixed(s, WL_ABI_LINK), .call = info};
  if (call->func != NULL) {
    info->callee = wl_lower_alias(call->func);
  } else {
    i.form = WL_FORM_CALLX;
    i.a = target;
  }
  wl_put(s, &i);
}

static bool callable(wl_isel_t *s, const wl_ptx_call_t *call) {
  if (call->func != NULL && !wl_lower_alias(call->func)->defined) {
    wl_diag_add(s->l->diags, WL_DIAG_UNSUPPORTED, s->in->pos, "11.6.1",
                "function '%s' has no body in this module", call->func->name);
    return false;
  }
  if (call->func != NULL && call->func->is_entry) {
    wl_not_yet(s, "9.7.12.5", "call of a kernel");
    return false;
  }
  if (call->proto == NULL) {
    wl_not_yet(s, "9.7.12.5", "indirect call without an interface");
    return false;
  }
  return true;
}

bool wl_isel_call(wl_isel_t *s) {
  const wl_ptx_call_t *call = s->in->call;
  if (s->in->op != WL_PTX_OP_CALL || call == NULL) return false;
  if (!callable(s, call)) return true;
  const uint32_t nargs = call->nargs < call->proto->nparams ? call->nargs : call->proto->nparams;
  const uint32_t nrets = call->nrets < call->proto->nrets ? call->nrets : call->proto->nrets;
  slot_t *args = wl_mf_alloc(s->f, (nargs + nrets + 1) * sizeof *args), *rets = args + nargs;
  wl_mreg_t *values = wl_mf_alloc(s->f, (nargs + 1) * sizeof *values);
  wl_mcall_t *info = wl_mf_alloc(s->f, sizeof *info);
  cursor_t c = {WL_ABI_ARG_FIRST, 0};
  for (uint32_t i = 0; i < nargs; i++)
    args[i] = next_slot(&c, &call->proto->params[i]);
  c.reg = WL_ABI_ARG_FIRST;
  for (uint32_t i = 0; i < nrets; i++)
    rets[i] = next_slot(&c, &call->proto->rets[i]);
  if (c.stack > s->f->out_bytes) s->f->out_bytes = c.stack;
  s->f->has_calls = true;
  const wl_mreg_t target = call->func == NULL ? wl_mreg(s->regs[call->target->id], 0) : WL_RZ;
  for (uint32_t i = 0; i < nargs; i++) {
    if (args[i].in_reg)
      values[i] = argument(s, &call->args[i], &call->proto->params[i], &args[i]);
    else
      pass_stack(s, &call->args[i], &call->proto->params[i], &args[i]);
  }
  for (uint32_t i = 0; i < nargs; i++)
    for (uint32_t w = 0; args[i].in_reg && w < args[i].words; w++) {
      const wl_mreg_t d = fixed(s, args[i].reg + w);
      wl_copy(s, d, wl_mreg_at(values[i], w), 1);
      info->uses[info->nuses++] = d;
    }
  for (uint32_t i = 0; i < nrets; i++)
    for (uint32_t w = 0; rets[i].in_reg && w < rets[i].words; w++)
      info->defs[info->ndefs++] = fixed(s, rets[i].reg + w);
  put_call(s, call, target, info);
  for (uint32_t i = 0; i < nrets; i++)
    fetch_result(s, &call->rets[i], &rets[i]);
  return true;
}
