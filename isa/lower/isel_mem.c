/* isel_mem.c: ld, ldu, st and cache hints. PTX 9.7.9.8-9.7.9.18. Addresses: isel_addr.c.
 *   vectors        one access of the whole width, elements moved to and from a pair or quad; of 256
 *                  bits two
 *   .mmio          one lane after the other, so that no access is combined (isel_loop.c)
 *   .const, entry parameters   constant loads of bank 2 and 0
 *   ld.acquire     strong load, then a fence; st.release, st.async.release: fence, then a strong store
 *   prefetch, prefetchu, applypriority, discard, cache operators, eviction priorities: nothing;
 *                  a cache policy is 0 */
#include "isa/lower/isel_mem.h"

#define OPND(k) (&s->in->operands[k])

/* The form of a kind, space, type and operation; WL_NUM_FORMS if there is none. */
wl_form_t wl_mem_form(wl_mem_kind_t kind, wl_mem_space_t space, wl_mem_type_t type,
                      wl_atom_op_t op) {
  for (uint32_t i = 0; i < WL_NUM_FORMS; i++) {
    const wl_form_info_t *f = &wl_form_info[i];
    if (f->kind == kind && f->space == space && f->type == type && f->atom == op &&
        (f->unit == WL_UNIT_LSU || f->unit == WL_UNIT_LDC || f->unit == WL_UNIT_COPY))
      return (wl_form_t)i;
  }
  return WL_NUM_FORMS;
}

static wl_mem_space_t machine_space(wl_ptx_space_t sp) {
  switch (sp) {
  case WL_PTX_SPACE_GLOBAL:
    return WL_MEM_SPACE_GLOBAL;
  case WL_PTX_SPACE_SHARED:
  case WL_PTX_SPACE_SHARED_CLUSTER: /* of one CTA */
    return WL_MEM_SPACE_SHARED;
  case WL_PTX_SPACE_LOCAL:
  case WL_PTX_SPACE_PARAM_FUNC:
    return WL_MEM_SPACE_LOCAL;
  case WL_PTX_SPACE_CONST:
  case WL_PTX_SPACE_PARAM_ENTRY:
    return WL_MEM_SPACE_CONST;
  default:
    return WL_MEM_SPACE_GEN;
  }
}

/* A generic access to a variable is an access to its space: proved by the operand itself. */
wl_mem_space_t wl_mem_access(const wl_isel_t *s, const wl_ptx_operand_t *o) {
  if (s->in->space == WL_PTX_SPACE_GENERIC && o->var != NULL) return machine_space(o->var->space);
  return machine_space(s->in->space);
}

uint32_t wl_mem_scope(wl_ptx_mod_t m) {
  return m == WL_PTX_M_CTA ? 0 : m == WL_PTX_M_CLUSTER ? 1 : m == WL_PTX_M_GPU ? 2 : 3;
}

static uint32_t cache_code(wl_ptx_mod_t m) {
  switch (m) {
  case WL_PTX_M_CA:
  case WL_PTX_M_WB:
    return 1;
  case WL_PTX_M_CG:
    return 2;
  case WL_PTX_M_CS:
    return 3;
  case WL_PTX_M_LU:
    return 4;
  case WL_PTX_M_CV:
  case WL_PTX_M_WT:
    return 5;
  default:
    return 0;
  }
}

static uint32_t access_mods(const wl_isel_t *s) {
  const wl_ptx_mod_t sem = s->in->sem;
  const bool strong = sem != WL_PTX_M_NONE && sem != WL_PTX_M_WEAK;
  uint32_t mods = WL_MODS(CACHE, cache_code(s->in->cache));
  if (!strong) return mods;
  const wl_ptx_mod_t scope = s->in->scope != WL_PTX_M_NONE ? s->in->scope
                             : sem == WL_PTX_M_VOLATILE    ? WL_PTX_M_SYS
                                                           : WL_PTX_M_GPU;
  return mods | WL_MODS(STRONG, 1) | WL_MODS(SCOPE, wl_mem_scope(scope));
}

void wl_mem_offset(wl_isel_t *s, wl_mreg_t d, wl_maddr_t a) {
  if (a.base == WL_RZ)
    wl_movi(s, d, a.offset);
  else if (a.offset == 0)
    wl_copy(s, d, a.base, 1);
  else
    wl_ri(s, WL_FORM_ADD_RI, d, a.base, a.offset);
}

uint32_t wl_mem_groups(uint64_t groups) {
  enum { MOST = 63 };
  return groups > MOST ? MOST : (uint32_t)groups;
}

bool wl_mem_async(const wl_isel_t *s) {
  return s->in->nmodes != 0 && s->in->mode[0] == WL_PTX_M_ASYNC;
}

void wl_mem_fence(wl_isel_t *s) {
  const wl_ptx_mod_t scope = s->in->scope != WL_PTX_M_NONE ? s->in->scope : WL_PTX_M_GPU;
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_FENCE, .mods = WL_MODS(SCOPE, wl_mem_scope(scope))});
}

static wl_mem_type_t load_type(unsigned bits, bool sign) {
  switch (bits) {
  case 8:
    return sign ? WL_MEM_TYPE_S8 : WL_MEM_TYPE_U8;
  case 16:
    return sign ? WL_MEM_TYPE_S16 : WL_MEM_TYPE_U16;
  case 32:
    return WL_MEM_TYPE_B32;
  case 64:
    return WL_MEM_TYPE_B64;
  default:
    return WL_MEM_TYPE_B128;
  }
}

static void put_load(wl_isel_t *s, wl_mem_space_t space, unsigned bits, bool sign, wl_mreg_t d,
                     wl_maddr_t a) {
  const wl_form_t form = wl_mem_form(WL_MEM_KIND_LD, space, load_type(bits, sign), WL_ATOM_OP_NONE);
  wl_minsn_t i = {.form = (uint16_t)form, .fix = a.fix, .d = d, .a = a.base, .imm = a.offset};
  if (space == WL_MEM_SPACE_CONST) {
    const wl_ptx_space_t sp = s->in->space;
    const bool bank2 = sp == WL_PTX_SPACE_CONST ||
                       (sp == WL_PTX_SPACE_GENERIC && OPND(1)->var->space == WL_PTX_SPACE_CONST);
    i.imm = (a.offset & 0x0fffffffu) | (bank2 ? 2u << 28 : 0u);
  } else {
    i.mods = access_mods(s);
  }
  wl_put(s, &i);
}

/* A loaded element in words of v to its register, which may be wider than the type. */
static void give(wl_isel_t *s, const wl_ptx_operand_t *o, wl_mreg_t v, unsigned bits, bool sign) {
  if (o->kind != WL_PTX_OPD_REG) return;
  const wl_mreg_t d = wl_is_dst(s, o);
  if (bits >= 64) {
    wl_copy(s, d, v, bits / 32);
    return;
  }
  wl_copy(s, d, v, 1);
  if (wl_bits(o->reg->type) < 64) return;
  if (sign)
    wl_ri(s, WL_FORM_SHR_S32_RI, wl_mreg_at(d, 1), v, 31);
  else
    wl_copy(s, wl_mreg_at(d, 1), WL_RZ, 1);
}

const wl_ptx_operand_t *wl_mem_element(const wl_ptx_operand_t *o, uint32_t k,
                                       wl_ptx_operand_t *tmp) {
  if (o->kind == WL_PTX_OPD_VEC) return &o->elems[k];
  *tmp = *o;
  if (o->kind == WL_PTX_OPD_REG && o->reg->vec > 1) tmp->comp = (int8_t)k;
  return tmp;
}

static wl_mreg_t temp_of(wl_isel_t *s, unsigned bits) {
  return bits <= 32 ? wl_t1(s) : bits == 64 ? wl_t2(s) : wl_t4(s);
}

static bool load_param(wl_isel_t *s);
static bool store_param(wl_isel_t *s);

static bool load(wl_isel_t *s) {
  const unsigned bits = wl_bits(s->in->type[0]), n = s->in->vec == 0 ? 1 : s->in->vec;
  const bool sign = wl_signed(s->in->type[0]);
  const wl_ptx_operand_t *dst = OPND(0);
  wl_ptx_operand_t tmp;
  if (load_param(s)) return true;
  const wl_mem_space_t space = wl_mem_access(s, OPND(1));
  wl_maddr_t a = wl_mem_address(s, space, OPND(1));
  const unsigned chunk = bits * n > 128 ? 128 : bits * n; /* bits of one access */
  if (chunk < bits * n) a = wl_mem_whole(s, a, 4, bits * n / 8);
  const bool mmio = s->in->sem == WL_PTX_M_MMIO;
  const uint32_t past = mmio ? wl_is_skip(s) : 0;
  for (uint32_t k = 0; k < n;) {
    const wl_mreg_t v = temp_of(s, chunk);
    wl_mmio_t turn;
    wl_mmio_begin(s, &turn, v, chunk <= 32 ? 1 : chunk / 32);
    put_load(s, space, chunk, sign && n == 1, v, a);
    wl_mmio_end(s, &turn);
    for (uint32_t end = k + chunk / bits, at = 0; k < end; k++, at += bits) {
      const wl_ptx_operand_t *o = wl_mem_element(dst, k, &tmp);
      if (bits < 32 && n > 1) {
        const wl_mreg_t x = wl_t1(s);
        wl_ri(s, sign ? WL_FORM_BFE_S32_I : WL_FORM_BFE_U32_I, x, wl_mreg_at(v, at / 32),
              bits << 8 | at % 32);
        give(s, o, x, bits, sign);
      } else {
        give(s, o, wl_mreg_at(v, at / 32), bits, sign);
      }
    }
    a.offset += chunk / 8;
  }
  if (mmio) wl_is_place(s, past);
  if (s->in->sem == WL_PTX_M_ACQUIRE) wl_mem_fence(s);
  return true;
}

/* Elements [k, k + chunk / bits) collected in one register group. */
static wl_mreg_t gather(wl_isel_t *s, const wl_ptx_operand_t *src, uint32_t k, unsigned bits,
                        unsigned chunk) {
  wl_ptx_operand_t tmp;
  const wl_ptx_type_t t = s->in->type[0];
  if (chunk == bits)
    return bits >= 64 ? wl_is_r64(s, wl_mem_element(src, k, &tmp), t)
                      : wl_is_r32(s, wl_mem_element(src, k, &tmp), t);
  const wl_mreg_t v = temp_of(s, chunk);
  wl_mreg_t part = WL_RZ;
  for (uint32_t at = 0; at < chunk; at += bits, k++) {
    const wl_ptx_operand_t *o = wl_mem_element(src, k, &tmp);
    if (bits == 64) {
      wl_copy(s, wl_mreg_at(v, at / 32), wl_is_r64(s, o, t), 2);
    } else if (bits == 32) {
      wl_copy(s, wl_mreg_at(v, at / 32), wl_is_r32(s, o, t), 1);
    } else {
      const bool last = at % 32 + bits == 32 || at + bits == chunk;
      const wl_mreg_t next = last ? wl_mreg_at(v, at / 32) : wl_t1(s);
      wl_rri(s, WL_FORM_BFI_I, next, wl_is_r32(s, o, t), at % 32 == 0 ? WL_RZ : part,
             bits << 8 | at % 32);
      part = next;
    }
  }
  return v;
}

static void put_store(wl_isel_t *s, wl_mem_space_t space, unsigned bits, wl_mreg_t v,
                      wl_maddr_t a) {
  static const wl_mem_type_t types[] = {WL_MEM_TYPE_B8, WL_MEM_TYPE_B16, WL_MEM_TYPE_B32,
                                        WL_MEM_TYPE_B64, WL_MEM_TYPE_B128};
  const wl_form_t form =
      wl_mem_form(WL_MEM_KIND_ST, space, types[__builtin_ctz(bits) - 3], WL_ATOM_OP_NONE);
  wl_mmio_t turn;
  wl_mmio_begin(s, &turn, WL_RZ, 0);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form,
                          .fix = a.fix,
                          .a = a.base,
                          .b = v,
                          .imm = a.offset,
                          .mods = access_mods(s)});
  wl_mmio_end(s, &turn);
}

/* One of the elements [k, k + count) is `_`, which is not written. */
static bool has_sink(const wl_ptx_operand_t *v, uint32_t k, uint32_t count) {
  for (uint32_t i = k; i < k + count && v->kind == WL_PTX_OPD_VEC; i++)
    if (v->elems[i].kind == WL_PTX_OPD_SINK) return true;
  return false;
}

static bool store(wl_isel_t *s) {
  const unsigned bits = wl_bits(s->in->type[0]), n = s->in->vec == 0 ? 1 : s->in->vec;
  if (store_param(s)) return true;
  const wl_mem_space_t space = wl_mem_access(s, OPND(0));
  const unsigned chunk = bits * n > 128 ? 128 : bits * n;
  if (space == WL_MEM_SPACE_CONST) {
    wl_not_yet(s, "9.7.9.11", "store to this space");
    return true;
  }
  wl_maddr_t a = wl_mem_address(s, space, OPND(0));
  if (s->in->sem == WL_PTX_M_RELEASE || wl_mem_async(s)) wl_mem_fence(s);
  if (chunk < bits * n)
    a = wl_mem_whole(s, a, has_sink(OPND(1), 0, n) ? (unsigned)__builtin_ctz(bits / 8) : 4,
                     bits * n / 8);
  const bool mmio = s->in->sem == WL_PTX_M_MMIO;
  const uint32_t past = mmio ? wl_is_skip(s) : 0;
  for (uint32_t k = 0; k < n; k += chunk / bits) {
    const unsigned piece = has_sink(OPND(1), k, chunk / bits) ? bits : chunk;
    for (uint32_t e = k; e < k + chunk / bits; e += piece / bits, a.offset += piece / 8)
      if (piece == chunk || !has_sink(OPND(1), e, 1))
        put_store(s, space, piece, gather(s, OPND(1), e, bits, piece), a);
  }
  if (mmio) wl_is_place(s, past);
  return true;
}

/* ---- .param variables of functions that are registers ---- */
static const wl_param_t *param_in_reg(wl_isel_t *s, const wl_ptx_operand_t *o) {
  if (o->var == NULL || o->var->space != WL_PTX_SPACE_PARAM_FUNC || o->reg != NULL) return NULL;
  const wl_param_t *p = wl_isel_param(s, o->var);
  return p->in_reg ? p : NULL;
}

static bool load_param(wl_isel_t *s) {
  const wl_param_t *p = param_in_reg(s, OPND(1));
  if (p == NULL) return false;
  const unsigned bits = wl_bits(s->in->type[0]);
  const bool sign = wl_signed(s->in->type[0]);
  const wl_mreg_t v = wl_mreg(p->vreg, (uint32_t)OPND(1)->imm / 4);
  if (bits >= 32) {
    give(s, OPND(0), v, bits, sign);
  } else {
    const wl_mreg_t x = wl_t1(s);
    wl_ri(s, sign ? WL_FORM_BFE_S32_I : WL_FORM_BFE_U32_I, x, v, bits << 8);
    give(s, OPND(0), x, bits, sign);
  }
  return true;
}

static bool store_param(wl_isel_t *s) {
  const wl_param_t *p = param_in_reg(s, OPND(0));
  if (p == NULL) return false;
  const unsigned bits = wl_bits(s->in->type[0]);
  const wl_mreg_t d = wl_mreg(p->vreg, (uint32_t)OPND(0)->imm / 4);
  const wl_mreg_t v =
      bits == 64 ? wl_is_r64(s, OPND(1), s->in->type[0]) : wl_is_r32(s, OPND(1), s->in->type[0]);
  wl_copy(s, d, v, bits == 64 ? 2 : 1);
  return true;
}

bool wl_isel_mem(wl_isel_t *s) {
  switch (s->in->op) {
  case WL_PTX_OP_LD:
  case WL_PTX_OP_LDU:
    return load(s);
  case WL_PTX_OP_ST:
    if (s->in->nmodes != 0 && s->in->mode[0] == WL_PTX_M_BULK)
      wl_isel_zero(s);
    else
      (void)store(s);
    return true;
  case WL_PTX_OP_ATOM:
    return wl_isel_atomic(s, false);
  case WL_PTX_OP_RED:
    return wl_isel_atomic(s, true);
  case WL_PTX_OP_PREFETCH:
  case WL_PTX_OP_PREFETCHU:
  case WL_PTX_OP_APPLYPRIORITY:
  case WL_PTX_OP_DISCARD:
    return true;
  case WL_PTX_OP_CREATEPOLICY:
    wl_copy(s, wl_is_dst(s, OPND(0)), WL_RZ, 2);
    return true;
  default:
    return false;
  }
}
