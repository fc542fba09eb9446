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
 *   wait::st, fences   nothing: stores are done before what follows them in the warp */
#include "gen/wl_sreg.h"
#include "isa/lower/isel_mem.h"

#define OPND(k) (&s->in->operands[k])
enum { GROUP = 4, LOW_HALVES = 0x5410, LOW = 0x4410, HIGH = 0x4432 };
enum { CLAMP = 31 << 8, ALL_LANES = -1 };

static bool has(const wl_isel_t *s, wl_ptx_mod_t m) {
  for (uint32_t i = 0; i < s->in->nmods; i++)
    if (s->in->mods[i] == m) return true;
  return false;
}

/* ---- small steps, each into a temporary */
static wl_mreg_t and_with(wl_isel_t *s, wl_mreg_t a, uint32_t k) {
  const wl_mreg_t t = wl_t1(s);
  wl_lopi(s, t, a, k, WL_RZ, WL_LUT_A & WL_LUT_B);
  return t;
}

static wl_mreg_t plus(wl_isel_t *s, wl_mreg_t a, uint32_t k) {
  if (k == 0) return a;
  const wl_mreg_t t = wl_t1(s);
  wl_ri(s, WL_FORM_ADD_RI, t, a, k);
  return t;
}

static wl_mreg_t add(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b) {
  const wl_mreg_t t = wl_t1(s);
  wl_rr(s, WL_FORM_ADD_RR, t, a, b);
  return t;
}

static wl_mreg_t right(wl_isel_t *s, wl_mreg_t a, uint32_t by) {
  const wl_mreg_t t = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_R_CLAMP_I, t, a, WL_RZ, by);
  return t;
}

static wl_mreg_t left(wl_isel_t *s, wl_mreg_t a, uint32_t by) {
  const wl_mreg_t t = wl_t1(s);
  wl_rri(s, WL_FORM_SHF_L_CLAMP_I, t, WL_RZ, a, by);
  return t;
}

static uint32_t is_set(wl_isel_t *s, wl_mreg_t a, uint32_t bit) {
  const uint32_t p = wl_tp(s);
  wl_cmpi(s, WL_FORM_SETP_U32_RI, p, and_with(s, a, bit), 0, WL_NE);
  return p;
}

/* a where p holds, else b */
static wl_mreg_t choose(wl_isel_t *s, uint32_t p, wl_mreg_t a, wl_mreg_t b) {
  const wl_mreg_t t = wl_t1(s);
  wl_sel(s, t, a, b, p, false);
  return t;
}

static wl_mreg_t permute(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b, uint32_t bytes) {
  const wl_mreg_t t = wl_t1(s);
  wl_rri(s, WL_FORM_PRMT_RRI, t, a, b, bytes);
  return t;
}

/* v of the lane that `from` names; it has the clamp of shfl, too. */
static wl_mreg_t exchange(wl_isel_t *s, wl_mreg_t v, wl_mreg_t from) {
  const wl_mreg_t t = wl_t1(s);
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SHFL_I,
                          .d = t,
                          .a = v,
                          .b = from,
                          .imm = (uint32_t)ALL_LANES,
                          .mods = WL_MODS(XMODE, 3)});
  return t;
}

static wl_mreg_t lane_id(wl_isel_t *s) {
  const wl_mreg_t t = wl_t1(s);
  wl_ri(s, WL_FORM_S2R, t, WL_RZ, WL_SREG_LANEID);
  return t;
}

static wl_mreg_t group(wl_isel_t *s, unsigned words) {
  return words == 1 ? wl_t1(s) : words == 2 ? wl_t2(s) : wl_t4(s);
}

/* ---- an access */
typedef enum shape { WHOLE, B64, B128, B256, X2 } shape_t;

typedef struct access {
  shape_t shape;
  unsigned regs;        /* of the PTX vector */
  bool packed;          /* a column of the shape is two of tensor memory */
  wl_mreg_t at, second; /* addresses; second: of the other access of .16x32bx2 */
  wl_mreg_t lane;       /* %laneid, of the shapes with 16 lanes */
} access_t;

static wl_mreg_t address(wl_isel_t *s, const wl_ptx_operand_t *o) {
  return plus(s, wl_mreg(s->regs[o->reg->id], 0), (uint32_t)o->imm);
}

static access_t access_of(wl_isel_t *s, unsigned vector, unsigned place) {
  access_t a = {.regs = OPND(vector)->nelems, .at = address(s, OPND(place))};
  a.shape = has(s, WL_PTX_M_T16X64B)     ? B64
            : has(s, WL_PTX_M_T16X128B)  ? B128
            : has(s, WL_PTX_M_T16X256B)  ? B256
            : has(s, WL_PTX_M_T16X32BX2) ? X2
                                         : WHOLE;
  a.packed = wl_isel_has(s, WL_PTX_F(PACK_16B)) || wl_isel_has(s, WL_PTX_F(UNPACK_16B));
  if (a.shape == X2) a.second = plus(s, a.at, (uint32_t)OPND(place + 1)->imm);
  if (a.shape != WHOLE) a.lane = lane_id(s);
  return a;
}

static uint32_t half_of(const access_t *a) { return WL_MODS(HALF, a->shape != WHOLE); }

/* ---- loads */
/* n columns of the shape, up to four, from its column `first` on. */
static void load(wl_isel_t *s, const access_t *a, wl_mreg_t at, unsigned first, unsigned n,
                 wl_mreg_t *out) {
  const unsigned words = a->packed ? 2 * n : n;
  wl_mreg_t word[2 * GROUP];
  for (unsigned k = 0; k < words; k += GROUP) {
    const unsigned here = words - k < GROUP ? words - k : GROUP;
    const wl_mreg_t d = group(s, here);
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_TMEM_LD,
                            .d = d,
                            .a = plus(s, at, (a->packed ? 2 * first : first) + k),
                            .imm = here - 1,
                            .mods = half_of(a)});
    for (unsigned i = 0; i < here; i++)
      word[k + i] = wl_mreg_at(d, i);
  }
  for (unsigned i = 0; i < n; i++)
    out[i] = a->packed ? permute(s, word[2 * i], word[2 * i + 1], LOW_HALVES) : word[i];
}

static void give(wl_isel_t *s, const wl_ptx_operand_t *vector, unsigned k, wl_mreg_t v,
                 wl_mreg_t *kept) {
  wl_copy(s, wl_is_dst(s, &vector->elems[k]), v, 1);
  if (kept != NULL) kept[k] = v;
}

/* First lane of the half, with the clamp of shfl. */
static wl_mreg_t first_lane(wl_isel_t *s, const access_t *a) {
  return plus(s, and_with(s, right(s, a->at, 16), 16), CLAMP);
}

static void load_whole(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v,
                       wl_mreg_t *kept) {
  for (unsigned r = 0; r < a->regs; r += GROUP) {
    const unsigned n = a->regs - r < GROUP ? a->regs - r : GROUP;
    wl_mreg_t c[GROUP];
    load(s, a, a->at, r, n, c);
    for (unsigned i = 0; i < n; i++)
      give(s, v, r + i, c[i], kept);
  }
}

/* Register r of thread t: lane t / 4 + 8 (t mod 2), column 2r + (t / 2) mod 2. */
static void load_b64(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v) {
  const wl_mreg_t row = add(s, right(s, a->lane, 2), left(s, and_with(s, a->lane, 1), 3));
  const wl_mreg_t from = add(s, row, first_lane(s, a));
  const uint32_t odd = is_set(s, a->lane, 2);
  for (unsigned r = 0; r < a->regs; r++) {
    wl_mreg_t c[2];
    load(s, a, a->at, 2 * r, 2, c);
    const wl_mreg_t even = exchange(s, c[0], from);
    give(s, v, r, choose(s, odd, exchange(s, c[1], from), even), NULL);
  }
}

/* Of four columns that of the thread's number mod 4. */
static wl_mreg_t quarter(wl_isel_t *s, const wl_mreg_t c[4], const uint32_t bit[2],
                         wl_mreg_t from) {
  wl_mreg_t x[4];
  for (unsigned i = 0; i < 4; i++)
    x[i] = exchange(s, c[i], from);
  return choose(s, bit[1], choose(s, bit[0], x[3], x[2]), choose(s, bit[0], x[1], x[0]));
}

/* Register (2k + h) e + j of thread t, e words of a row side by side: lane t / 4 + 8h, column
 * (4k + t mod 4) e + j. */
static void load_rows(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v, unsigned e) {
  const wl_mreg_t from = add(s, right(s, a->lane, 2), first_lane(s, a));
  const wl_mreg_t rows[2] = {from, plus(s, from, 8)};
  const uint32_t bit[2] = {is_set(s, a->lane, 1), is_set(s, a->lane, 2)};
  for (unsigned k = 0; k < a->regs / (2 * e); k++) {
    wl_mreg_t c[8];
    for (unsigned i = 0; i < e; i++)
      load(s, a, a->at, 4 * (e * k + i), 4, c + (size_t)4 * i);
    for (unsigned h = 0; h < 2; h++)
      for (unsigned j = 0; j < e; j++) {
        const wl_mreg_t four[4] = {c[j], c[e + j], c[2 * e + j], c[3 * e + j]};
        give(s, v, (2 * k + h) * e + j, quarter(s, four, bit, rows[h]), NULL);
      }
  }
}

/* Register r of thread t: lane t mod 16, column r of the first or, from thread 16 on, the second
 * access. */
static void load_x2(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v, wl_mreg_t *kept) {
  const wl_mreg_t from = add(s, and_with(s, a->lane, 15), first_lane(s, a));
  const uint32_t upper = is_set(s, a->lane, 16);
  for (unsigned r = 0; r < a->regs; r += GROUP) {
    const unsigned n = a->regs - r < GROUP ? a->regs - r : GROUP;
    wl_mreg_t x[GROUP], y[GROUP];
    load(s, a, a->at, r, n, x);
    load(s, a, a->second, r, n, y);
    for (unsigned i = 0; i < n; i++) {
      const wl_mreg_t one = exchange(s, x[i], from);
      give(s, v, r + i, choose(s, upper, exchange(s, y[i], from), one), kept);
    }
  }
}

/* ---- reduction */
static wl_mreg_t smaller(wl_isel_t *s, wl_mreg_t a, wl_mreg_t b) {
  const bool max = has(s, WL_PTX_M_MAX);
  const wl_ptx_type_t type = s->in->type[0];
  const wl_mreg_t t = wl_t1(s);
  wl_minsn_t i = {.d = t, .a = a, .b = b};
  if (type == WL_PTX_T_F32) {
    i.form = max ? WL_FORM_MAX_F32_RR : WL_FORM_MIN_F32_RR;
    i.mods = WL_MODS(NAN, wl_isel_has(s, WL_PTX_F(NAN)));
  } else if (type == WL_PTX_T_S32) {
    i.form = max ? WL_FORM_MAX_S32_RR : WL_FORM_MIN_S32_RR;
  } else {
    i.form = max ? WL_FORM_MAX_U32_RR : WL_FORM_MIN_U32_RR;
  }
  wl_put(s, &i);
  return t;
}

static void reduce(wl_isel_t *s, const wl_mreg_t *v, unsigned n) {
  wl_mreg_t sum = WL_RZ;
  for (unsigned k = 0; k < n; k++) {
    const wl_mreg_t x = wl_isel_has(s, WL_PTX_F(ABS)) ? and_with(s, v[k], 0x7fffffff) : v[k];
    sum = k == 0 ? x : smaller(s, sum, x);
  }
  wl_copy(s, wl_is_dst(s, OPND(1)), sum, 1);
}

static void load_any(wl_isel_t *s) {
  const bool red = has(s, WL_PTX_M_RED);
  const wl_ptx_operand_t *v = OPND(0);
  const access_t a = access_of(s, 0, red ? 2 : 1);
  wl_mreg_t kept[128];
  switch (a.shape) {
  case WHOLE:
    load_whole(s, &a, v, red ? kept : NULL);
    break;
  case B64:
    load_b64(s, &a, v);
    break;
  case B128:
    load_rows(s, &a, v, 1);
    break;
  case B256:
    load_rows(s, &a, v, 2);
    break;
  case X2:
    load_x2(s, &a, v, red ? kept : NULL);
    break;
  }
  if (red) reduce(s, kept, a.regs);
}

/* ---- stores */
static wl_mreg_t read(wl_isel_t *s, const wl_ptx_operand_t *v, unsigned k) {
  return wl_is_r32(s, &v->elems[k], WL_PTX_T_B32);
}

/* n columns of the shape, up to four, from its column `first` on. */
static void store(wl_isel_t *s, const access_t *a, wl_mreg_t at, unsigned first, unsigned n,
                  const wl_mreg_t *in) {
  static const uint16_t forms[] = {WL_FORM_TMEM_ST_1, WL_FORM_TMEM_ST_2, WL_FORM_TMEM_ST_4};
  const unsigned words = a->packed ? 2 * n : n;
  for (unsigned k = 0; k < words; k += GROUP) {
    const unsigned here = words - k < GROUP ? words - k : GROUP;
    const wl_mreg_t b = group(s, here);
    for (unsigned i = k; i < k + here; i++) {
      const wl_mreg_t v = !a->packed ? in[i] : permute(s, in[i / 2], WL_RZ, i % 2 ? HIGH : LOW);
      wl_copy(s, wl_mreg_at(b, i - k), v, 1);
    }
    wl_put(s, &(wl_minsn_t){.form = forms[here / 2],
                            .a = at,
                            .b = b,
                            .imm = (a->packed ? 2 * first : first) + k,
                            .mods = half_of(a)});
  }
}

static void store_whole(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v) {
  for (unsigned r = 0; r < a->regs; r += GROUP) {
    const unsigned n = a->regs - r < GROUP ? a->regs - r : GROUP;
    wl_mreg_t c[GROUP];
    for (unsigned i = 0; i < n; i++)
      c[i] = read(s, v, r + i);
    store(s, a, a->at, r, n, c);
  }
}

/* Lane l of a half, column 2r + b: register r of thread 4 (l mod 8) + 2b + l / 8. */
static void store_b64(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v) {
  const wl_mreg_t four = left(s, and_with(s, a->lane, 7), 2);
  const wl_mreg_t upper = right(s, and_with(s, a->lane, 8), 3);
  const wl_mreg_t even = plus(s, add(s, four, upper), CLAMP), odd = plus(s, even, 2);
  for (unsigned r = 0; r < a->regs; r++) {
    const wl_mreg_t x = read(s, v, r);
    const wl_mreg_t c[2] = {exchange(s, x, even), exchange(s, x, odd)};
    store(s, a, a->at, 2 * r, 2, c);
  }
}

/* Lane l of a half, column (4k + c) e + j: register (2k + l / 8) e + j of thread 4 (l mod 8) + c. */
static void store_rows(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v, unsigned e) {
  const wl_mreg_t four = plus(s, left(s, and_with(s, a->lane, 7), 2), CLAMP);
  const uint32_t upper = is_set(s, a->lane, 8);
  wl_mreg_t from[4];
  for (unsigned c = 0; c < 4; c++)
    from[c] = plus(s, four, c);
  for (unsigned k = 0; k < a->regs / (2 * e); k++) {
    wl_mreg_t column[8];
    for (unsigned i = 0; i < 4 * e; i++) {
      const wl_mreg_t low = exchange(s, read(s, v, 2 * k * e + i % e), from[i / e]);
      const wl_mreg_t high = exchange(s, read(s, v, (2 * k + 1) * e + i % e), from[i / e]);
      column[i] = choose(s, upper, high, low);
    }
    for (unsigned i = 0; i < e; i++)
      store(s, a, a->at, 4 * (e * k + i), 4, column + (size_t)4 * i);
  }
}

/* Lane l of a half: thread l to the first access, thread 16 + l to the second. */
static void store_x2(wl_isel_t *s, const access_t *a, const wl_ptx_operand_t *v) {
  const wl_mreg_t low = plus(s, and_with(s, a->lane, 15), CLAMP), high = plus(s, low, 16);
  for (unsigned r = 0; r < a->regs; r += GROUP) {
    const unsigned n = a->regs - r < GROUP ? a->regs - r : GROUP;
    wl_mreg_t x[GROUP], y[GROUP];
    for (unsigned i = 0; i < n; i++) {
      const wl_mreg_t value = read(s, v, r + i);
      x[i] = exchange(s, value, low);
      y[i] = exchange(s, value, high);
    }
    store(s, a, a->at, r, n, x);
    store(s, a, a->second, r, n, y);
  }
}

static void store_any(wl_isel_t *s) {
  const bool two = has(s, WL_PTX_M_T16X32BX2);
  const wl_ptx_operand_t *v = OPND(two ? 2 : 1);
  const access_t a = access_of(s, two ? 2 : 1, 0);
  switch (a.shape) {
  case WHOLE:
    store_whole(s, &a, v);
    break;
  case B64:
    store_b64(s, &a, v);
    break;
  case B128:
    store_rows(s, &a, v, 1);
    break;
  case B256:
    store_rows(s, &a, v, 2);
    break;
  case X2:
    store_x2(s, &a, v);
    break;
  }
}

/* ---- allocation */
/* Lane 0, if the guard holds. */
static uint32_t first_only(wl_isel_t *s) {
  const uint32_t guard = s->guard, one = wl_tp(s);
  s->guard = 0;
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_SETP_U32_RI,
                          .pd = one,
                          .a = lane_id(s),
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

bool wl_isel_tmem(wl_isel_t *s) {
  if (s->in->op != WL_PTX_OP_TCGEN05) return false;
  switch (s->in->mode[0]) {
  case WL_PTX_M_ALLOC:
    allocate(s);
    return true;
  case WL_PTX_M_DEALLOC:
    wl_rr(s, WL_FORM_TMEM_DEALLOC, WL_RZ, wl_is_r32(s, OPND(0), WL_PTX_T_B32),
          wl_is_r32(s, OPND(1), WL_PTX_T_U32));
    return true;
  case WL_PTX_M_RELINQUISH:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_TMEM_RELINQUISH});
    return true;
  case WL_PTX_M_LD:
    load_any(s);
    return true;
  case WL_PTX_M_ST:
    store_any(s);
    return true;
  case WL_PTX_M_WAIT_LD:
    wl_put(s, &(wl_minsn_t){.form = WL_FORM_TMEM_WAITLD});
    return true;
  case WL_PTX_M_WAIT_ST:
  case WL_PTX_M_FENCE_BEFORE:
  case WL_PTX_M_FENCE_AFTER:
    return true;
  default:
    return false;
  }
}
