/* isel_wmma.c: matrices between memory and the registers of a warp: wmma.load, wmma.store. PTX
 * 9.7.14.4.3, 9.7.14.4.4. Fragments: expansions.md. A lane 4g + q has an address of its own in line
 * 0 of its part; an access is so many lines and bytes further. */
#include <stdio.h>

#include "gen/wl_sreg.h"
#include "isa/lower/isel_mma.h"
#include "isa/ptx/ptx.h"

#define OPND(k) (&s->in->operands[k])
enum {
  WORDS = 8,            /* of a fragment, at most */
  FAR = 1 << 20,        /* a larger constant stride goes to a register */
  FAR_OFFSET = 1 << 30, /* a larger offset is added to the address */
  LINES = 32
};

typedef struct walk { /* over a matrix in memory */
  wl_isel_t *s;
  wl_wmma_t f;
  bool inside;    /* a line holds what lies side by side in a register */
  unsigned bytes; /* of an element; of s4, b1: 1 */
  wl_mem_space_t space;
  bool wide;             /* addresses of 64 bits */
  wl_mreg_t stride;      /* elements (of s4, b1: bytes) from line to line; RZ: pitch */
  int32_t pitch;         /* bytes from line to line, if constant */
  wl_maddr_t lane;       /* of line 0 */
  wl_mreg_t line[LINES]; /* addresses of other lines */
} walk_t;

static void shape_of(const wl_isel_t *s, unsigned *m, unsigned *n, unsigned *k) {
  for (uint32_t i = 0; i < s->in->nmods; i++)
    if (sscanf(wl_ptx_mod_name(s->in->mods[i]), "m%un%uk%u", m, n, k) == 3) return;
}

wl_wmma_t wl_wmma_fragment(const wl_isel_t *s, char matrix, wl_ptx_type_t type) {
  unsigned m = 0, n = 0, k = 0;
  shape_of(s, &m, &n, &k);
  wl_wmma_t f = {.bits = wl_bits(type), .across = 1};
  const bool small = m == 8 && n == 8;
  f.exchanged = m == 8 && n == 32;
  if (matrix == 'd') {
    f.role = WL_WMMA_D;
    f.parts = small ? 1 : 2;
    f.across = m == 16 ? 2 : 1;
    f.words = f.bits == 64 || !(small || f.bits == 16) ? 4 : 2;
    return f;
  }
  f.role = (matrix == 'a') != f.exchanged ? WL_WMMA_X : WL_WMMA_Y;
  const unsigned lines = matrix == 'a' ? m : n, high = f.role == WL_WMMA_X && !small ? 16 : 8;
  f.parts = lines / high;
  f.words = high * k * f.bits / 1024;
  return f;
}

/* ---- addresses */
static wl_mreg_t new_address(walk_t *w) { return w->wide ? wl_t2(w->s) : wl_t1(w->s); }

static wl_mreg_t plus(walk_t *w, wl_mreg_t address, wl_mreg_t a, int32_t times) {
  const wl_mreg_t d = new_address(w);
  wl_rir(w->s, w->wide ? WL_FORM_MAD_WIDE_S32_RIR : WL_FORM_MAD_LO_RIR, d, a, (uint32_t)times,
         address);
  return d;
}

static unsigned side_by_side(const wl_wmma_t *f) {
  return f->role == WL_WMMA_D ? 2 : f->bits == 64 ? 1 : 32 / f->bits;
}

static void find_stride(walk_t *w, const wl_ptx_operand_t *o, unsigned length) {
  wl_isel_t *s = w->s;
  const wl_src_t v = o != NULL ? wl_is_src(s, o, WL_PTX_T_S32) : (wl_src_t){true, length, WL_RZ};
  const int32_t k = (int32_t)v.k;
  if (v.imm && k > -FAR && k < FAR) {
    w->pitch = k * (int32_t)w->f.bits / 8;
    return;
  }
  w->stride = v.r;
  if (v.imm) wl_movi(s, w->stride = wl_t1(s), v.k);
  if (w->f.bits >= 8) return;
  const wl_mreg_t t = wl_t1(s);
  wl_ri(s, WL_FORM_SHR_S32_RI, t, w->stride, w->f.bits == 4 ? 1 : 3);
  w->stride = t;
}

/* The lane's place in line 0. Of g and q one counts lines, the other what lies in a line. */
static void find_lane(walk_t *w, const wl_ptx_operand_t *o) {
  wl_isel_t *s = w->s;
  const wl_mreg_t lane = wl_t1(s), g = wl_t1(s), q = wl_t1(s);
  const int32_t pair = (int32_t)side_by_side(&w->f), bytes = (int32_t)w->bytes;
  const int32_t lines = w->inside ? 1 : pair;
  w->lane = wl_mem_address(s, w->space, o);
  const int32_t offset = (int32_t)w->lane.offset;
  if (w->wide && (offset >= FAR_OFFSET || offset < -FAR_OFFSET)) {
    const wl_mreg_t t = wl_t2(s);
    wl_ri(s, WL_FORM_ADD64_RI, t, w->lane.base, w->lane.offset);
    w->lane = (wl_maddr_t){t, 0, WL_FIX_NONE};
  }
  wl_ri(s, WL_FORM_S2R, lane, WL_RZ, WL_SREG_LANEID);
  wl_rri(s, WL_FORM_SHF_R_CLAMP_I, g, lane, WL_RZ, 2);
  wl_lopi(s, q, lane, 3, WL_RZ, WL_LUT_A & WL_LUT_B);
  const wl_mreg_t by_line = w->inside ? g : q;
  w->lane.base = w->inside ? plus(w, w->lane.base, q, w->f.bits < 8 ? 4 : pair * bytes)
                           : plus(w, w->lane.base, g, bytes);
  if (w->stride == WL_RZ) {
    w->lane.base = plus(w, w->lane.base, by_line, lines * w->pitch);
    return;
  }
  const wl_mreg_t t = wl_t1(s), sum = new_address(w);
  wl_rir(s, WL_FORM_MAD_LO_RIR, t, by_line, (uint32_t)(lines * bytes), WL_RZ);
  wl_rrr(s, w->wide ? WL_FORM_MAD_WIDE_S32_RRR : WL_FORM_MAD_LO_RRR, sum, w->stride, t,
         w->lane.base);
  w->lane.base = sum;
}

static wl_maddr_t at(walk_t *w, unsigned line, unsigned byte) {
  wl_maddr_t a = w->lane;
  a.offset += byte;
  if (w->stride == WL_RZ) {
    a.offset += (uint32_t)((int32_t)line * w->pitch);
  } else if (line != 0) {
    if (w->line[line] == WL_RZ)
      w->line[line] = plus(w, a.base, w->stride, (int32_t)(line * w->bytes));
    a.base = w->line[line];
  }
  return a;
}

/* Where element i of word `word` lies; of f64: element i of a lane. */
static wl_maddr_t place(walk_t *w, unsigned word, unsigned i) {
  const wl_wmma_t *f = &w->f;
  if (f->bits == 64) return w->inside ? at(w, 0, i * w->bytes) : at(w, i, 0);
  const unsigned part = word / f->words, r = word % f->words;
  unsigned x, y; /* x: of the index that g counts; y: of the one that q counts */
  if (f->role == WL_WMMA_D) {
    x = 16 * (part / f->across) + 8 * (f->bits == 16 ? r : r / 2);
    y = 8 * (part % f->across) + (f->bits == 16 ? i : r % 2);
  } else {
    x = f->role == WL_WMMA_X ? 16 * part + 8 * (r % 2) : 8 * part;
    y = 4 * (f->role == WL_WMMA_X ? r / 2 : r) * (32 / f->bits) + i;
  }
  return w->inside ? at(w, x, y * f->bits / 8) : at(w, y, x * w->bytes);
}

/* ---- accesses */
static void access(walk_t *w, bool load, unsigned bits, wl_mreg_t v, wl_maddr_t a) {
  const wl_mem_type_t type = bits == 128  ? WL_MEM_TYPE_B128
                             : bits == 64 ? WL_MEM_TYPE_B64
                             : bits == 32 ? WL_MEM_TYPE_B32
                             : bits == 16 ? (load ? WL_MEM_TYPE_U16 : WL_MEM_TYPE_B16)
                                          : WL_MEM_TYPE_U8;
  const wl_form_t form =
      wl_mem_form(load ? WL_MEM_KIND_LD : WL_MEM_KIND_ST, w->space, type, WL_ATOM_OP_NONE);
  wl_put(w->s, &(wl_minsn_t){.form = (uint16_t)form,
                             .fix = a.fix,
                             .d = load ? v : WL_RZ,
                             .a = a.base,
                             .b = load ? WL_RZ : v,
                             .imm = a.offset});
}

/* A word of elements that lie in different lines. */
static wl_mreg_t gather(walk_t *w, unsigned word) {
  wl_mreg_t all = WL_RZ;
  for (unsigned i = 0; i < 32 / w->f.bits; i++) {
    const wl_mreg_t one = wl_t1(w->s);
    access(w, true, w->f.bits, one, place(w, word, i));
    if (i == 0) {
      all = one;
      continue;
    }
    const wl_mreg_t sum = wl_t1(w->s);
    wl_rri(w->s, WL_FORM_BFI_I, sum, one, all, w->f.bits << 8 | w->f.bits * i);
    all = sum;
  }
  return all;
}

static bool pairs(const walk_t *w) {
  return w->inside && w->f.role == WL_WMMA_D && w->f.bits == 32;
}

static void load(walk_t *w, const wl_ptx_operand_t *list) {
  wl_isel_t *s = w->s;
  const unsigned words = w->f.parts * w->f.words;
  wl_mreg_t v[WORDS];
  for (unsigned k = 0; k < words; k++) {
    if (pairs(w)) {
      v[k] = wl_t2(s);
      access(w, true, 64, v[k], place(w, k, 0));
      v[k + 1] = wl_mreg_at(v[k], 1);
      k++;
    } else if (w->inside) {
      access(w, true, 32, v[k] = wl_t1(s), place(w, k, 0));
    } else {
      v[k] = gather(w, k);
    }
  }
  const uint32_t count = list->kind == WL_PTX_OPD_VEC ? list->nelems : list->reg->vec;
  for (uint32_t k = 0; k < count; k++)
    wl_mma_write(s, list, k, v[k % words]);
}

static void store(walk_t *w, const wl_ptx_operand_t *list) {
  wl_isel_t *s = w->s;
  for (unsigned k = 0; k < w->f.parts * w->f.words; k++) {
    const wl_mreg_t v = wl_mma_read(s, list, k, WL_PTX_T_B32);
    if (pairs(w)) {
      const wl_mreg_t two = wl_t2(s);
      wl_copy(s, two, v, 1);
      wl_copy(s, wl_mreg_at(two, 1), wl_mma_read(s, list, k + 1, WL_PTX_T_B32), 1);
      access(w, false, 64, two, place(w, k, 0));
      k++;
      continue;
    }
    if (w->inside || w->f.bits == 32) {
      access(w, false, 32, v, place(w, k, 0));
      continue;
    }
    const wl_mreg_t high = wl_t1(s);
    wl_rri(s, WL_FORM_SHF_R_CLAMP_I, high, v, WL_RZ, 16);
    access(w, false, 16, v, place(w, k, 0));
    access(w, false, 16, high, place(w, k, 1));
  }
}

/* ---- f64: an element of A or B, two of C or D, which may lie side by side */
static void load_f64(walk_t *w, const wl_ptx_operand_t *list) {
  wl_isel_t *s = w->s;
  wl_ptx_operand_t tmp;
  wl_mreg_t v[2];
  const unsigned count = w->f.words / 2;
  if (w->inside && count == 2) {
    access(w, true, 128, v[0] = wl_t4(s), place(w, 0, 0));
    v[1] = wl_mreg_at(v[0], 2);
  } else {
    for (unsigned i = 0; i < count; i++)
      access(w, true, 64, v[i] = wl_t2(s), place(w, 0, i));
  }
  for (unsigned i = 0; i < count; i++) {
    const wl_ptx_operand_t *o = wl_mem_element(list, i, &tmp);
    if (o->kind == WL_PTX_OPD_REG) wl_copy(s, wl_is_dst(s, o), v[i], 2);
  }
}

static void store_f64(walk_t *w, const wl_ptx_operand_t *list) {
  wl_isel_t *s = w->s;
  wl_ptx_operand_t tmp;
  const wl_mreg_t four = w->inside ? wl_t4(s) : WL_RZ;
  for (unsigned i = 0; i < 2; i++) {
    const wl_mreg_t v = wl_is_r64(s, wl_mem_element(list, i, &tmp), WL_PTX_T_F64);
    if (w->inside)
      wl_copy(s, wl_mreg_at(four, 2 * i), v, 2);
    else
      access(w, false, 64, v, place(w, 0, i));
  }
  if (w->inside) access(w, false, 128, four, place(w, 0, 0));
}

static bool move(wl_isel_t *s, bool is_load) {
  const char matrix = wl_mma_has(s, WL_PTX_M_A) ? 'a' : wl_mma_has(s, WL_PTX_M_B) ? 'b' : 'd';
  const bool row = wl_mma_has(s, WL_PTX_M_ROW);
  const wl_ptx_operand_t *address = OPND(is_load ? 1 : 0), *list = OPND(is_load ? 0 : 1);
  walk_t w = {.s = s, .f = wl_wmma_fragment(s, matrix, s->in->type[0])};
  unsigned m = 0, n = 0, k = 0;
  shape_of(s, &m, &n, &k);
  w.inside = matrix == 'd' ? row != w.f.exchanged : row == (matrix == 'a');
  w.bytes = w.f.bits < 8 ? 1 : w.f.bits / 8;
  w.space = wl_mem_access(s, address);
  w.wide = w.space == WL_MEM_SPACE_GLOBAL || w.space == WL_MEM_SPACE_GEN;
  wl_put(s, &(wl_minsn_t){.form = WL_FORM_WARPSYNC_I, .imm = UINT32_MAX});
  find_stride(&w, s->in->noperands > 2 ? OPND(2) : NULL,
              row ? (matrix == 'a' ? k : n) : (matrix == 'b' ? k : m));
  find_lane(&w, address);
  if (w.f.bits == 64)
    (is_load ? load_f64 : store_f64)(&w, list);
  else
    (is_load ? load : store)(&w, list);
  return true;
}

bool wl_isel_wmma(wl_isel_t *s) {
  if (s->in->op != WL_PTX_OP_WMMA) return false;
  if (wl_mma_has(s, WL_PTX_M_MMA)) return wl_isel_wmma_mma(s);
  return move(s, wl_mma_has(s, WL_PTX_M_LOAD));
}
