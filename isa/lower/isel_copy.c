/* isel_copy.c: cp.async. PTX 9.7.9.25.3, 9.7.13.15.15; docs/microarchitecture.md 22.
 *   whole                  the machine's copy
 *   nothing of the source  zeros, stored at once; the source is not read
 *   a part of the source   its whole element is loaded, what is too much cleared, and stored at once
 *   a size in a register   a copy by the lanes that want all of it; a branch past the other cases
 *   wait_group             at most 63 groups
 *   mbarrier.arrive        isel_mbar.c */
#include "isa/lower/isel_mem.h"

#define OPND(k) (&s->in->operands[k])
enum { CACHE_CA = 1, CACHE_CG = 2 };

typedef struct copy {
  uint32_t bytes;
  wl_mem_type_t type;
  wl_maddr_t to, from; /* shared, global */
  wl_mreg_t place;     /* `to` in one register, for the machine's copy; made when it is needed */
} copy_t;

static copy_t copy_of(wl_isel_t *s) {
  copy_t c = {.bytes = (uint32_t)OPND(2)->imm};
  c.type = c.bytes == 4 ? WL_MEM_TYPE_B32 : c.bytes == 8 ? WL_MEM_TYPE_B64 : WL_MEM_TYPE_B128;
  c.to = wl_mem_address(s, WL_MEM_SPACE_SHARED, OPND(0));
  c.from = wl_mem_address(s, WL_MEM_SPACE_GLOBAL, OPND(1));
  return c;
}

/* The destination as a register, which the machine's copy takes. */
static wl_mreg_t place_of(wl_isel_t *s, const copy_t *c) {
  if (c->to.offset == 0) return c->to.base;
  const wl_mreg_t t = wl_t1(s);
  wl_mem_offset(s, t, c->to);
  return t;
}

/* The machine's copy, by the lanes of p (0: of the guard), or by the others. */
static void whole(wl_isel_t *s, const copy_t *c, uint32_t p, bool neg) {
  const wl_form_t form =
      wl_mem_form(WL_MEM_KIND_CPASYNC, WL_MEM_SPACE_GLOBAL, c->type, WL_ATOM_OP_NONE);
  const uint32_t cache = s->in->cache == WL_PTX_M_CG ? CACHE_CG : CACHE_CA;
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form,
                          .guard = p,
                          .guard_neg = neg,
                          .a = c->from.base,
                          .b = c->place,
                          .imm = c->from.offset,
                          .mods = WL_MODS(CACHE, cache)});
}

/* v stored, by the lanes of p (0: of the guard), or by the others. */
static void store(wl_isel_t *s, const copy_t *c, wl_mreg_t v, uint32_t p, bool neg) {
  const wl_form_t form = wl_mem_form(WL_MEM_KIND_ST, WL_MEM_SPACE_SHARED, c->type, WL_ATOM_OP_NONE);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)form,
                          .guard = p,
                          .guard_neg = neg,
                          .a = c->to.base,
                          .b = v,
                          .imm = c->to.offset,
                          .fix = c->to.fix});
}

static wl_mreg_t temp_of(wl_isel_t *s, uint32_t words) {
  return words == 1 ? wl_t1(s) : words == 2 ? wl_t2(s) : wl_t4(s);
}

/* The first n bytes of `words` words, then zeros. */
static void keep_constant(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, uint32_t words, uint32_t n) {
  for (uint32_t w = 0; w < words; w++, n = n > 4 ? n - 4 : 0) {
    if (n == 0 || n >= 4)
      wl_copy(s, wl_mreg_at(d, w), n == 0 ? WL_RZ : wl_mreg_at(a, w), 1);
    else
      wl_ri(s, WL_FORM_BFE_U32_I, wl_mreg_at(d, w), wl_mreg_at(a, w), n * 8 << 8);
  }
}

static void keep(wl_isel_t *s, wl_mreg_t d, wl_mreg_t a, uint32_t words, wl_mreg_t n) {
  const wl_mreg_t bits = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, bits, WL_RZ, n, 3);
  for (uint32_t w = 0; w < words; w++) {
    wl_mreg_t rest = bits; /* of the source, from this word on */
    if (w != 0) {
      const wl_mreg_t left = wl_t1(s);
      wl_ri(s, WL_FORM_ADD_RI, left, bits, 0u - 32 * w);
      wl_ri(s, WL_FORM_MAX_S32_RI, rest = wl_t1(s), left, 0);
    }
    wl_rrr(s, WL_FORM_BFE_U32_R, wl_mreg_at(d, w), wl_mreg_at(a, w), WL_RZ, rest);
  }
}

/* The first n bytes of the source, n from 1, then zeros. */
static void part(wl_isel_t *s, const copy_t *c, wl_src_t n) {
  const uint32_t words = c->bytes / 4;
  const wl_mreg_t all = temp_of(s, words), v = temp_of(s, words);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)wl_mem_form(WL_MEM_KIND_LD, WL_MEM_SPACE_GLOBAL,
                                                        c->type, WL_ATOM_OP_NONE),
                          .d = all,
                          .a = c->from.base,
                          .imm = c->from.offset});
  if (n.imm)
    keep_constant(s, v, all, words, n.k);
  else
    keep(s, v, all, words, n.r);
  store(s, c, v, 0, false);
}

static void constant_size(wl_isel_t *s, copy_t *c, uint32_t n) {
  if (n == 0) {
    store(s, c, WL_RZ, 0, false);
  } else if (n < c->bytes) {
    part(s, c, (wl_src_t){.imm = true, .k = n});
  } else {
    c->place = place_of(s, c);
    whole(s, c, 0, false);
  }
}

/* p is for the lanes that ignore their source: each instruction has its own lanes of the guard's. */
static void ignoring(wl_isel_t *s, copy_t *c) {
  bool neg;
  const uint32_t p = wl_is_psrc(s, OPND(3), &neg), guard = s->guard;
  c->place = place_of(s, c);
  if (guard == 0) {
    store(s, c, WL_RZ, p, neg);
    whole(s, c, p, !neg);
    return;
  }
  const uint32_t zeros = wl_tp(s), reads = wl_tp(s);
  s->guard = 0;
  wl_plop(s, zeros, guard, s->guard_neg, p, neg, WL_BOP_AND);
  wl_plop(s, reads, guard, s->guard_neg, p, !neg, WL_BOP_AND);
  store(s, c, WL_RZ, zeros, false);
  whole(s, c, reads, false);
  s->guard = guard;
}

static void register_size(wl_isel_t *s, copy_t *c, wl_mreg_t n) {
  const uint32_t past = wl_is_skip(s);
  const uint32_t all = wl_tp(s), none = wl_tp(s), more = wl_tp(s);
  c->place = place_of(s, c);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, all, n, c->bytes, WL_EQ);
  whole(s, c, all, false);
  wl_is_branch(s, past, all, false);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, more, n, c->bytes, WL_GT);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_TRAP, .guard = more});
  wl_cmpi(s, WL_FORM_SETP_U32_RI, none, n, 0, WL_EQ);
  store(s, c, WL_RZ, none, false);
  wl_is_branch(s, past, none, false);
  part(s, c, (wl_src_t){.r = n});
  wl_is_place(s, past);
}

static void copy(wl_isel_t *s) {
  const uint32_t policy = wl_isel_has(s, WL_PTX_F(CACHE_HINT)) ? 1 : 0;
  copy_t c = copy_of(s);
  if (s->in->noperands - policy == 3) {
    constant_size(s, &c, c.bytes);
  } else if (OPND(3)->kind == WL_PTX_OPD_REG && OPND(3)->reg->type == WL_PTX_T_PRED) {
    ignoring(s, &c);
  } else {
    const wl_src_t n = wl_is_src(s, OPND(3), WL_PTX_T_U32);
    if (n.imm)
      constant_size(s, &c, n.k);
    else
      register_size(s, &c, n.r);
  }
}

static void wait_for(wl_isel_t *s, uint64_t groups) {
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_CPWAIT, .imm = wl_mem_groups(groups)});
}

bool wl_isel_copy(wl_isel_t *s) {
  if (s->in->op != WL_PTX_OP_CP) return false;
  if (s->in->mode[0] == WL_PTX_M_REDUCE) return wl_isel_bulk(s);
  switch (s->in->nmodes > 1 ? s->in->mode[1] : WL_PTX_M_NONE) {
  case WL_PTX_M_NONE:
    copy(s);
    return true;
  case WL_PTX_M_BULK:
    return wl_isel_bulk(s);
  case WL_PTX_M_MBARRIER:
    wl_isel_copies_arrive(s);
    return true;
  case WL_PTX_M_COMMIT_GROUP:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_CPCOMMIT});
    return true;
  case WL_PTX_M_WAIT_ALL:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_CPCOMMIT});
    wait_for(s, 0);
    return true;
  case WL_PTX_M_WAIT_GROUP:
    wait_for(s, OPND(0)->imm);
    return true;
  default:
    return false;
  }
}
