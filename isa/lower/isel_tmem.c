/* isel_tmem.c: tensor memory. PTX 9.7.16.7.1, 9.7.16.8; docs/microarchitecture.md 24. The machine
 * moves whole columns of the 32 lanes of a warp; a word of a column and the warp's lane belong together.
 *   alloc          the address it got is stored by lane 0
 *   .32x32b        the machine's accesses, of up to four columns
 *   16 lanes       the same accesses, and exchanges between the lanes. Which half of the lanes it is,
 *                  bit 20 of the address says: for loads in the lane an exchange reads, for stores the
 *                  machine looks at it (field half); the data of both halves are the same
 *   .pack::16b     a register has the low halves of two columns; .unpack::16b makes two columns of it,
 *                  with upper halves of 0
 *   .red           of the registers of each thread, behind the load; they hold what was loaded
 *   wait::st, fences   nothing: stores are done before what follows them in the warp. A checked run sees
 *                  them as marks of the object, whatever their guard */
#include "isa/lower/isel_tmem.h"

#include "gen/wl_sreg.h"
#include "isa/obj/object.h"

wl_mreg_t wl_tmem_and(wl_isel_t *s, wl_mreg_t a, uint32_t k) {
  const wl_mreg_t t = wl_t1(s);
  wl_lopi(s, t, a, k, WL_RZ, WL_LUT_A & WL_LUT_B);
  return t;
}

wl_mreg_t wl_tmem_plus(wl_isel_t *s, wl_mreg_t a, uint32_t k) {
  if (k == 0) return a;
  const wl_mreg_t t = wl_t1(s);
  wl_ri(s, WL_FORM_ADD_RI, t, a, k);
  return t;
}

wl_mreg_t wl_tmem_add(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b) {
  const wl_mreg_t t = wl_t1(s);
  wl_rr(s, WL_FORM_ADD_RR, t, a, b);
  return t;
}

wl_mreg_t wl_tmem_right(wl_isel_t *s, wl_mreg_t a, uint32_t by) {
  const wl_mreg_t t = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_R_CLAMP_I, t, a, WL_RZ, by);
  return t;
}

wl_mreg_t wl_tmem_left(wl_isel_t *s, wl_mreg_t a, uint32_t by) {
  const wl_mreg_t t = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, t, WL_RZ, a, by);
  return t;
}

uint32_t wl_tmem_is_set(wl_isel_t *s, wl_mreg_t a, uint32_t bit) {
  const uint32_t p = wl_tp(s);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, p, wl_tmem_and(s, a, bit), 0, WL_NE);
  return p;
}

wl_mreg_t wl_tmem_choose(wl_isel_t *s, uint32_t p, wl_mreg_t a, wl_mreg_t b) {
  const wl_mreg_t t = wl_t1(s);
  wl_sel(s, t, a, b, p, false);
  return t;
}

wl_mreg_t wl_tmem_permute(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, uint32_t bytes) {
  const wl_mreg_t t = wl_t1(s);
  wl_rri(s, WL_FORM_PRMT_RRI, t, a, b, bytes);
  return t;
}

wl_mreg_t wl_tmem_exchange(wl_isel_t *s, wl_mreg_t v, wl_mreg_t from) {
  return wl_shuffle(s, v, from, WL_SHUFFLE_IDX);
}

wl_mreg_t wl_tmem_group(wl_isel_t *s, unsigned words) {
  return words == 1 ? wl_t1(s) : words == 2 ? wl_t2(s) : wl_t4(s);
}

wl_mreg_t wl_tmem_address(wl_isel_t *s, const wl_ptx_operand_t *o) {
  return wl_tmem_plus(s, wl_mreg(s->regs[o->reg->id], 0), (uint32_t)o->imm);
}

access_t wl_tmem_access(wl_isel_t *s, unsigned vector, unsigned place) {
  access_t a = {.regs = OPND(vector)->nelems, .at = wl_tmem_address(s, OPND(place))};
  a.shape = wl_isel_has_mod(s, WL_PTX_M_T16X64B)     ? B64
            : wl_isel_has_mod(s, WL_PTX_M_T16X128B)  ? B128
            : wl_isel_has_mod(s, WL_PTX_M_T16X256B)  ? B256
            : wl_isel_has_mod(s, WL_PTX_M_T16X32BX2) ? X2
                                                     : WHOLE;
  a.packed = wl_isel_has(s, WL_PTX_F(PACK_16B)) || wl_isel_has(s, WL_PTX_F(UNPACK_16B));
  if (a.shape == X2) a.second = wl_tmem_plus(s, a.at, (uint32_t)OPND(place + 1)->imm);
  if (a.shape != WHOLE) a.lane = wl_lane_id(s);
  return a;
}

uint32_t wl_tmem_half(const access_t *a) { return WL_MODS(HALF, a->shape != WHOLE); }

/* ---- allocation */
/* Lane 0, if the guard holds. */
static uint32_t first_only(wl_isel_t *s) {
  const uint32_t guard = s->guard, one = wl_tp(s);
  s->guard = 0;
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SETP_U32_RI,
                          .pd = one,
                          .a = wl_lane_id(s),
                          .imm = 0,
                          .ps = guard,
                          .ps_neg = guard != 0 && s->guard_neg,
                          .mods = WL_MODS(CMP, WL_EQ) |
                                  WL_MODS(BOP, guard != 0 ? WL_BOP_AND : WL_BOP_NONE)});
  s->guard = guard;
  return one;
}

static void allocate(wl_isel_t *s) {
  const wl_mreg_t columns = wl_is_r32(s, OPND(1), WL_PTX_T_U32), base = wl_t1(s);
  const wl_mem_space_t space = wl_mem_access(s, OPND(0));
  const wl_maddr_t a = wl_mem_address(s, space, OPND(0));
  const uint32_t one = first_only(s);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_TMEM_ALLOC, .a = columns});
  wl_ri(s, WL_FORM_S2R, base, WL_RZ, WL_SREG_TMEM_BASE);
  wl_put(s, &(wl_minsn_t){.form = (uint16_t)wl_mem_form(WL_MEM_KIND_ST, space, WL_MEM_TYPE_B32,
                                                        WL_ATOM_OP_NONE),
                          .guard = one,
                          .a = a.base,
                          .b = base,
                          .imm = a.offset,
                          .fix = a.fix});
}

static void give_back(wl_isel_t *s) {
  const wl_mreg_t base = wl_is_r32(s, OPND(0), WL_PTX_T_B32);
  wl_rr(s, WL_FORM_TMEM_DEALLOC, WL_RZ, base, wl_is_r32(s, OPND(1), WL_PTX_T_U32));
}

static void mark(wl_isel_t *s, wl_obj_mark_kind_t kind) {
  wl_mf_append(s->f, &(wl_minsn_t){.form = WL_MP_MARK, .imm = kind, .pos = s->in->pos});
}

bool wl_isel_tmem(wl_isel_t *s) {
  if (s->in->op != WL_PTX_OP_TCGEN05) return false;
  switch (s->in->mode[0]) {
  case WL_PTX_M_ALLOC:
    mark(s, WL_OBJ_MARK_ALLOC);
    allocate(s);
    return true;
  case WL_PTX_M_DEALLOC:
    give_back(s);
    return true;
  case WL_PTX_M_RELINQUISH:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_TMEM_RELINQUISH});
    return true;
  case WL_PTX_M_LD:
    wl_tmem_load(s);
    return true;
  case WL_PTX_M_ST:
    wl_tmem_store(s);
    return true;
  case WL_PTX_M_WAIT_LD:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_TMEM_WAITLD});
    return true;
  case WL_PTX_M_MMA:
    wl_umma_product(s);
    return true;
  case WL_PTX_M_CP:
    wl_umma_copy(s);
    return true;
  case WL_PTX_M_SHIFT:
    wl_umma_shift(s);
    return true;
  case WL_PTX_M_COMMIT:
    wl_umma_commit(s);
    return true;
  case WL_PTX_M_WAIT_ST:
    mark(s, WL_OBJ_MARK_STORED);
    return true;
  case WL_PTX_M_FENCE_BEFORE:
    mark(s, WL_OBJ_MARK_BEFORE);
    return true;
  case WL_PTX_M_FENCE_AFTER:
    mark(s, WL_OBJ_MARK_AFTER);
    return true;
  default:
    return false;
  }
}
