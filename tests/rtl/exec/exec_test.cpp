// Fixed pipe: every operation against host arithmetic: corner cross products and random operands,
// f32 in four rounding modes with ftz and sat. References: tests/common/int_reference.h and
// fpu_reference.h; nothing of the model. Every result must appear LatFixed cycles
// after its operands, with a new operation in every cycle. Usage: exec_test [operations per case].
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <vector>

extern "C" {
#include "tests/common/format_reference.h"
#include "tests/common/fpu_reference.h"
#include "tests/common/int_reference.h"
#include "tests/common/special_reference.h"
}
#include "tests/common/half_operands.h"
#include "tests/common/narrow_operands.h"
#include "tests/common/splitmix.h"
#include WL_MODEL_HEADER

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef WL_MODEL Model;

enum { kLat = 6 };

static u64 rng_state = 0x1234567;
static u64 rnd64() { return wl_splitmix64(&rng_state); }

struct Word {
  u64 lo = 0, hi = 0;
  void set(unsigned low, unsigned width, u64 v) {
    for (unsigned i = 0; i < width; i++)
      if (v >> i & 1) (low + i < 64 ? lo : hi) |= 1ull << ((low + i) & 63);
  }
};

// Modifiers of an operation as the reference sees them.
struct Op {
  int form = 0;
  unsigned rnd = 0, ftz = 0, sat = 0, na = 0, nb = 0, nc = 0, nan = 0, cmp = 0, bop = 3, lut = 0;
  unsigned relu = 0, oob = 0, xorsign = 0, bytes = 0, uns = 0;
  u32 imm = 0;
  Word word() const {
    Word w;
    w.set(0, 13, (u64)form);
    w.set(13, 3, 7);
    w.set(64, 32, imm);
    // Fields of different classes share bits: a word has those of its form.
    const uint32_t mods = wl_form_info[form].mods;
#define MOD(NAME, value)                                                                           \
  if (mods & WL_MOD_##NAME) w.set(WL_FIELD_##NAME##_LOW, WL_FIELD_##NAME##_WIDTH, value)
    MOD(RND, rnd);
    MOD(FTZ, ftz);
    MOD(SAT, sat);
    MOD(NEG_A, na);
    MOD(NEG_B, nb);
    MOD(NEG_C, nc);
    MOD(NAN, nan);
    MOD(RELU, relu);
    MOD(OOB, oob);
    MOD(XORSIGN, xorsign);
    MOD(BYTES, bytes);
    MOD(UNS, uns);
    MOD(CMP, cmp);
    MOD(BOP, bop);
    MOD(LUT, lut);
#undef MOD
    return w;
  }
};

// One lane's operation: up to two steps.
struct Lane {
  u32 a[2], b[2], c[2], sreg;
  bool s, t;
};
struct Want {
  u32 d[2] = {0, 0};
  bool p = false, q = false;
};
typedef std::function<Want(const Op &, const Lane &)> Ref;

struct Expect {
  u64 cycle;
  Op op;
  const char *name;
  bool step, has_d, has_p, has_q;
  unsigned mask;
  std::vector<Lane> in;
  std::vector<Want> want;
};

static Model *top;
static std::deque<Expect> queue;
static u64 now = 0, checked = 0;
static int failures = 0;
static int fp_lanes() { return (int)top->fp_lanes_o; }
static int slow_lanes() { return (int)(sizeof(top->sreg_i) / sizeof(u32)); }
static int lanes() { return (int)(sizeof(top->a_i) / sizeof(u32)); }

static void tick() {
  top->clk_i = 0;
  top->eval();
  top->clk_i = 1;
  top->eval();
  now++;
  while (!queue.empty() && queue.front().cycle == now) {
    const Expect &e = queue.front();
    for (int l = 0; l < lanes(); l++) {
      if (!(e.mask >> l & 1)) continue;
      checked++;
      u32 d = top->data_o[l], wd = e.want[l].d[e.step];
      bool p = top->p_o >> l & 1, q = top->q_o >> l & 1;
      if ((e.has_d && d != wd) || (e.has_p && p != e.want[l].p) || (e.has_q && q != e.want[l].q)) {
        const Lane &i = e.in[l];
        if (failures++ < (getenv("ALL") ? 1000000 : 20))
          printf(
              "FAIL %s form %d step %d lane %d rnd %u ftz %u sat %u neg %u%u%u nan %u cmp %x bop %u "
              "relu %u oob %u xorsign %u bytes %u uns %u lut %02x imm %08x: a %08x %08x b %08x %08x c %08x %08x s %d t %d\n"
              "     got %08x p %d q %d, expected %08x p %d q %d\n",
              e.name, e.op.form, e.step, l, e.op.rnd, e.op.ftz, e.op.sat, e.op.na, e.op.nb, e.op.nc,
              e.op.nan, e.op.cmp, e.op.bop, e.op.relu, e.op.oob, e.op.xorsign, e.op.bytes, e.op.uns,
              e.op.lut, e.op.imm, i.a[0], i.a[1], i.b[0], i.b[1], i.c[0], i.c[1], i.s, i.t, d, p, q,
              wd, e.want[l].p, e.want[l].q);
      }
    }
    queue.pop_front();
  }
}

enum { OutD = 1, OutP = 2, OutQ = 4, Pair = 8, Released = 16, Uniform = 32, Slow = 64, Fp = 128 };

static void idle() {
  top->valid_i = 0;
  tick();
}

// One step in X1, for the lanes of mask, those of the part.
static void step_of(const char *name, const Op &op, unsigned flags, unsigned mask, int part,
                    int step, const std::vector<Lane> &in, const std::vector<Want> &want) {
  Word w = op.word();
  top->valid_i = 1;
  top->released_i = (flags & Released) != 0;
  top->step_i = step != 0;
  top->part_i = (unsigned char)part;
  top->word_i[0] = (u32)w.lo;
  top->word_i[1] = (u32)(w.lo >> 32);
  top->word_i[2] = (u32)w.hi;
  top->word_i[3] = (u32)(w.hi >> 32);
  top->mask_i = (decltype(top->mask_i))mask;
  u32 ps = 0, pt = 0;
  for (int l = 0; l < lanes(); l++) {
    const Lane &i = in[l];
    top->a_i[l] = i.a[step];
    top->b_i[l] = i.b[step];
    top->c_i[l] = i.c[step];
    ps |= (u32)i.s << l;
    pt |= (u32)i.t << l;
  }
  // Special registers are read by slow forms alone; links are the same in all lanes.
  int first = (flags & Slow) ? part * slow_lanes() : 0;
  for (int k = 0; k < slow_lanes(); k++)
    top->sreg_i[k] = in[first + k].sreg;
  top->ps_i = (decltype(top->ps_i))ps;
  top->pt_i = (decltype(top->pt_i))pt;
  bool last = step == 1 || !(flags & Pair);
  queue.push_back(Expect{now + kLat, op, name, step != 0, (flags & OutD) != 0,
                         (flags & OutP) && last, (flags & OutQ) && last, mask, in, want});
  tick();
}

// Sends one operation for all lanes; steps of a pair and parts may have idle cycles between
// them, and a part may have no lanes.
static void send(const char *name, const Op &op, unsigned flags, unsigned mask,
                 const std::vector<Lane> &lane_in, const Ref &ref) {
  std::vector<Lane> in = lane_in;
  // Links and released barriers have one value for all lanes.
  if (flags & Uniform)
    for (Lane &i : in)
      i.sreg = in[0].sreg;
  std::vector<Want> want(in.size());
  for (size_t l = 0; l < in.size(); l++)
    want[l] = ref(op, in[l]);
  int per_part = (flags & Slow) ? slow_lanes() : (flags & Fp) ? fp_lanes() : lanes();
  int parts = lanes() / per_part;
  for (int part = 0; part < parts; part++) {
    unsigned m = mask;
    if (parts > 1) m &= ((1u << per_part) - 1) << part * per_part;
    for (int step = 0; step < ((flags & Pair) ? 2 : 1); step++) {
      if (step && rnd64() % 4 == 0) idle();
      step_of(name, op, flags, m, part, step, in, want);
    }
  }
  if (rnd64() % 16 == 0) idle();
}

// ---- operand generators
static const u32 kInt[] = {0,          1,          2,          3,          31,         32,
                           33,         0x7f,       0x80,       0xff,       0x100,      0xffff,
                           0x10000,    0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe,
                           0x55555555, 0xaaaaaaaa, 0x01020304, 0xf0e0d0c0, 0x40000000, 0xc0000000};
static const u32 kFloat[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00800001, 0x3f7fffff, 0x3f7ffffe, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f000000, 0xbf000000,
    0x40000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffffffff,
    0x4b000000, 0xcb7fffff, 0x34000000, 0x01000000, 0x00400000, 0x3fc00000, 0x5f000000, 0xdf000000,
    0x4f000000, 0xcf000000, 0x4effffff, 0x5f7fffff, 0x3effffff, 0x4b7fffff, 0x4b800000, 0x7e800000};
static const int kNumInt = sizeof(kInt) / 4, kNumFloat = sizeof(kFloat) / 4;

static u32 rand_int() {
  u64 r = rnd64();
  switch (r >> 60) {
  case 0:
  case 1:
    return kInt[(r & 0xffff) % (u64)kNumInt];
  case 2:
  case 3:
    return (u32)r & 63;
  case 4:
    return (u32)r & 0xffff;
  case 5:
    return 1u << (r & 31);
  case 6:
    return (u32)r & (u32)(r >> 32);
  default:
    return (u32)r;
  }
}

static u32 rand_float() {
  u64 r = rnd64();
  u32 sign = (u32)r & 0x80000000u, frac = (u32)r & 0x7fffff;
  switch ((r >> 40) % 5) { // fraction patterns
  case 0:
    frac = (1u << (r >> 50 & 31) & 0x7fffff);
    break;
  case 1:
    frac = 0x7fffff & ~(1u << (r >> 50 & 31));
    break;
  case 2:
    frac &= (u32)(r >> 20);
    break;
  default:
    break;
  }
  switch (r >> 60) {
  case 0:
    return kFloat[(r & 0xffff) % (u64)kNumFloat];
  case 1:
    return sign | frac;
  case 2:
  case 3:
    return sign | (u32)(1 + (r >> 32) % 30) << 23 | frac;
  case 4:
    return sign | (u32)(254 - (r >> 32) % 20) << 23 | frac;
  case 5:
  case 6:
  case 7:
  case 8:
  case 9:
    return sign | (u32)(112 + (r >> 32) % 30) << 23 | frac;
  case 10:
    return sign | (u32)(140 + (r >> 32) % 56) << 23 | frac;
  default:
    return sign | (((u32)(r >> 32) << 23 >> 1) & 0x7f800000u) | frac;
  }
}

static Lane make(u32 a, u32 b, u32 c) {
  Lane i;
  u64 r = rnd64();
  i.a[0] = i.a[1] = a;
  i.b[0] = i.b[1] = b;
  i.c[0] = i.c[1] = c;
  i.sreg = (u32)(r >> 32);
  i.s = r & 1;
  i.t = r >> 1 & 1;
  return i;
}

static u64 random_ops = 20000;

// What has been driven, by unit, operation, format and whether position and length of a field are
// immediate (all that the pipe sees of a form).
static bool driven[3][256][WL_NUM_FORMAT][2];
static bool *driven_at(int form) {
  const wl_form_info_t &info = wl_form_info[form];
  if (info.unit > WL_UNIT_FPU) return nullptr;
  return &driven[info.unit][info.op][info.format][info.imm == WL_IMM_L];
}

// Every form of the units ALU, MUL and FPU must be among them.
static void check_driven() {
  for (int form = 0; form < WL_NUM_FORMS; form++) {
    const bool *seen = driven_at(form);
    if (seen == nullptr || *seen) continue;
    printf("%s: no test drives this operation\n", wl_form_info[form].name);
    failures++;
  }
}

// Corner cross product in a, b (c random), then random operands.
static void drive(const char *name, const Op &op0, unsigned flags, bool is_float, const Ref &ref,
                  const std::function<void(Op &)> &vary = nullptr,
                  const std::function<void(Lane &)> &shape = nullptr) {
  if (bool *seen = driven_at(op0.form)) *seen = true;
  int n = is_float ? kNumFloat : kNumInt;
  const u32 *k = is_float ? kFloat : kInt;
  std::vector<Lane> in;
  u64 total = (u64)(n * n) + random_ops;
  u32 all = (u32)((1ull << lanes()) - 1);
  for (u64 i = 0; i < total; i++) {
    u32 a, b, c = is_float ? rand_float() : rand_int();
    if (i < (u64)(n * n)) {
      a = k[i / (u64)n];
      b = k[i % (u64)n];
    } else {
      a = is_float ? rand_float() : rand_int();
      b = is_float ? rand_float() : rand_int();
      u64 r = rnd64();
      // Addends near the product or the other operand: cancellation.
      if (is_float && r % 4 == 0) {
        float fa, fb;
        memcpy(&fa, &a, 4);
        memcpy(&fb, &b, 4);
        float p = -fa * fb;
        memcpy(&c, &p, 4);
        c += (u32)(r >> 32) % 5 - 2;
      }
      if (r % 16 == 1) b = a ^ ((u32)(r >> 32) & 0x80000000u) ^ (u32)(r >> 20 & 3);
    }
    in.push_back(make(a, b, c));
    if (shape) shape(in.back());
    if ((int)in.size() == lanes()) {
      Op op = op0;
      if (vary) vary(op);
      send(name, op, flags, rnd64() % 8 ? all : (u32)rnd64() & all, in, ref);
      in.clear();
    }
  }
}

// ---- integer operations: the forms of the units ALU and MUL, as the table lists them
static Want word(u32 d) {
  Want w;
  w.d[0] = d;
  return w;
}
static Want dword(u64 d) {
  Want w;
  w.d[0] = (u32)d;
  w.d[1] = (u32)(d >> 32);
  return w;
}
static u64 word_or_pair(const u32 *x, unsigned words) {
  return words == 2 ? (u64)x[1] << 32 | x[0] : x[0];
}

// What tests/common/int_reference.h says; immediates of positions and lengths are in the word, all
// others come as an operand.
static Want int_reference(const Op &o, const Lane &i) {
  const wl_form_info_t &info = wl_form_info[o.form];
  bool wide = info.a == 2; // so is an immediate b
  wl_int_lane_t l = {};
  l.a = word_or_pair(i.a, info.a);
  l.b = word_or_pair(i.b, wide && info.unit == WL_UNIT_ALU ? 2 : info.b);
  l.c = word_or_pair(i.c, info.c);
  if (info.imm == WL_IMM_L) {
    if (info.b == 0) l.b = o.imm & 255;
    l.c = info.b == 0 ? o.imm >> 8 : o.imm;
  }
  l.s = i.s;
  l.t = i.t;
  l.special = i.sreg;
  l.lut = (uint8_t)o.lut;
  l.cmp = (uint8_t)o.cmp;
  l.bop = (uint8_t)o.bop;
  l.neg_b = (info.mods & WL_MOD_NEG_B) && o.nb;
  l.sat = (info.mods & WL_MOD_SAT) && o.sat;
  l.relu = (info.mods & WL_MOD_RELU) && o.relu;
  l.bytes = (info.mods & WL_MOD_BYTES) && o.bytes;
  l.uns = (info.mods & WL_MOD_UNS) && o.uns;
  wl_alu_op_t op = (wl_alu_op_t)info.op;
  Want w;
  if (info.d != 0)
    w = dword(info.unit == WL_UNIT_MUL ? wl_ref_mul((wl_mul_op_t)info.op, &l) : wl_ref_alu(op, &l));
  if (info.preds & WL_PRED_D) w.p = wl_ref_predicate(op, &l, false);
  if (info.preds & WL_PRED_Q) w.q = wl_ref_predicate(op, &l, true);
  return w;
}

static void vary_modifiers(Op &o) {
  u64 r = rnd64();
  o.cmp = (unsigned)r & 15;
  o.bop = (unsigned)(r >> 4) & 3;
  o.lut = (unsigned)(r >> 8) & 255;
  o.imm = (u32)(r >> 16) & 0x3f3f;
  o.nb = r >> 32 & 1;
  o.sat = r >> 33 & 1;
  o.relu = r >> 34 & 1;
  o.bytes = r >> 35 & 1;
  o.uns = r >> 36 & 1;
}

// High words: often those of the low word or of the other operand.
static void high_words(Lane &i) {
  u64 r = rnd64();
  i.a[1] = r & 1 ? i.a[0] : rand_int();
  i.b[1] = r & 2 ? i.a[1] : rand_int();
  i.c[1] = rand_int();
  if (r % 8 < 2) i.b[0] = i.a[0];
}

// A product of words takes them in both steps.
static void high_addend(Lane &i) { i.c[1] = rand_int(); }

static bool is_packed(const wl_form_info_t &info) {
  return info.unit == WL_UNIT_ALU &&
         (info.op == WL_ALU_VADD || info.op == WL_ALU_VMIN || info.op == WL_ALU_VMAX);
}

// Parts near the limits of their types.
static void packed_parts(Lane &i) {
  static const u32 kLimit[] = {0, 1, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff};
  for (u32 *word : {&i.a[0], &i.b[0]}) {
    u64 r = rnd64();
    for (unsigned k = 0; k < 32; k += 8)
      if (r >> (32 + k) & 1) *word = (*word & ~(0xffu << k)) | kLimit[r >> k & 7] << k;
  }
}

static unsigned flags_of(const wl_form_info_t &info) {
  unsigned flags = info.d != 0 ? OutD : 0;
  flags |= info.preds & WL_PRED_D ? OutP : 0;
  flags |= info.preds & WL_PRED_Q ? OutQ : 0;
  flags |= info.steps == WL_STEPS_PAIR ? Pair : 0;
  flags |= info.of.lanes == WL_LANES_AT_ONCE_SLOW ? Slow : 0;
  flags |= info.of.lanes == WL_LANES_AT_ONCE_FP ? Fp : 0;
  return flags | (info.unit == WL_UNIT_ALU && info.op == WL_ALU_ACTMASK ? Uniform : 0);
}

static void int_tests() {
  for (int form = 0; form < WL_NUM_FORMS; form++) {
    const wl_form_info_t &info = wl_form_info[form];
    if (info.rows == 0 || (info.unit != WL_UNIT_ALU && info.unit != WL_UNIT_MUL)) continue;
    if (*driven_at(form)) continue; // the pipe sees the same
    Op op;
    op.form = form;
    unsigned flags = flags_of(info);
    drive(info.name, op, flags, false, int_reference, vary_modifiers,
          is_packed(info)            ? packed_parts
          : !(flags & Pair)          ? nullptr
          : info.unit == WL_UNIT_MUL ? high_addend
                                     : high_words);
  }
}

// Links and released barriers pass through the pipe.
static void link_tests() {
  static const int kLinks[] = {WL_FORM_CALL, WL_FORM_CALLX, WL_FORM_BAR_POPC_R};
  Op op;
  for (int form : kLinks) {
    op.form = form;
    unsigned released = form == WL_FORM_BAR_POPC_R ? Released : 0;
    drive(wl_form_info[form].name, op, OutD | Uniform | released, false,
          [](const Op &, const Lane &i) { return word(i.sreg); });
  }
  op.form = WL_FORM_BAR_AND_I;
  drive("bar.and released", op, OutP | Released | Uniform, false, [](const Op &, const Lane &i) {
    Want w;
    w.p = i.sreg & 1;
    return w;
  });
}

// ---- f32: the forms of the unit FPU, as the table lists them
static Want fpu_reference(const Op &o, const Lane &i) {
  const wl_form_info_t &info = wl_form_info[o.form];
  const u32 mods = info.mods;
  wl_fpu_lane_t l = {};
  l.a = i.a[0];
  l.b = i.b[0];
  l.c = i.c[0];
  l.high = i.b[0]; // the lanes have the high word of an integer as b
  l.s = i.s;
  l.rnd = (uint8_t)(mods & WL_MOD_RND ? o.rnd : 0);
  l.cmp = (uint8_t)o.cmp;
  l.bop = (uint8_t)o.bop;
  l.format = info.format;
  l.ftz = (mods & WL_MOD_FTZ) && o.ftz;
  l.sat = (mods & WL_MOD_SAT) && o.sat;
  l.neg_a = (mods & WL_MOD_NEG_A) && o.na;
  l.neg_b = (mods & WL_MOD_NEG_B) && o.nb;
  l.neg_c = (mods & WL_MOD_NEG_C) && o.nc;
  l.nan = (mods & WL_MOD_NAN) && o.nan;
  l.relu = (mods & WL_MOD_RELU) && o.relu;
  l.oob = (mods & WL_MOD_OOB) && o.oob;
  l.xorsign = (mods & WL_MOD_XORSIGN) && o.xorsign;
  Want w;
  if (info.d != 0) w = dword(wl_ref_fpu((wl_fpu_op_t)info.op, &l));
  if (info.preds & WL_PRED_D) w.p = wl_ref_fpu_predicate(&l, false);
  if (info.preds & WL_PRED_Q) w.q = wl_ref_fpu_predicate(&l, true);
  return w;
}

static bool takes_integer(unsigned op) { return op >= WL_FPU_I2FU && op <= WL_FPU_I2FS64; }

// Operands of halves, of conversions to small formats, and of special functions take the place of those
// of f32.
static std::function<void(Lane &)> shape_of(const wl_form_info_t &info) {
  const unsigned op = info.op, fraction = info.format == WL_FORMAT_F16 ? 10 : 7;
  if (op >= WL_FPU_HFMA && op <= WL_FPU_HSET)
    return [fraction](Lane &i) { wl_half_words(&rng_state, fraction, &i.a[0], &i.b[0], &i.c[0]); };
  if (op >= WL_FPU_FEX2 && op <= WL_FPU_FTANH)
    return [op](Lane &i) { i.a[0] = wl_special_operand(&rng_state, (wl_fpu_op_t)op); };
  if (op < WL_FPU_FNARROW8 || op > WL_FPU_FSTOCH8) return nullptr;
  const wl_ref_format_t *format = wl_ref_format(info.format);
  return [format](Lane &i) {
    i.a[0] = wl_narrow_operand(&rng_state, format);
    i.b[0] = wl_narrow_operand(&rng_state, format);
    i.c[0] = wl_narrow_random(&rng_state);
  };
}

// Each rounding direction with and without ftz and sat; the other modifiers vary.
static void fp_tests() {
  for (int form = 0; form < WL_NUM_FORMS; form++) {
    const wl_form_info_t &info = wl_form_info[form];
    if (info.rows == 0 || info.unit != WL_UNIT_FPU || *driven_at(form)) continue;
    unsigned flags = flags_of(info);
    for (unsigned mode = 0; mode < 16; mode++) {
      Op op;
      op.form = form;
      op.rnd = mode & 3;
      op.ftz = mode >> 2 & 1;
      op.sat = mode >> 3 & 1;
      if ((op.rnd && !(info.mods & WL_MOD_RND)) || (op.ftz && !(info.mods & WL_MOD_FTZ)) ||
          (op.sat && !(info.mods & WL_MOD_SAT)))
        continue;
      drive(
          info.name, op, flags, !takes_integer(info.op), fpu_reference,
          [](Op &o) {
            u64 r = rnd64();
            o.na = r & 1;
            o.nb = r >> 1 & 1;
            o.nc = r >> 2 & 1;
            o.nan = r >> 3 & 1;
            o.cmp = (unsigned)(r >> 4) & 15;
            o.bop = (unsigned)(r >> 8) & 3;
            o.relu = r >> 10 & 1;
            o.oob = r >> 11 & 1;
            o.xorsign = r >> 12 & 1;
          },
          shape_of(info));
    }
  }
}

// ---- conversions between formats: all operands of 16 bits, and of f32 those around each number of the
// narrow format and around each middle between two of them
static std::vector<u32> halves() {
  std::vector<u32> all;
  for (u32 v = 0; v < 0x10000; v++)
    all.push_back(v | (u32)(rnd64() << 16));
  return all;
}

static u32 float_bits(double v) {
  float f = (float)v;
  u32 bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static std::vector<u32> places(const wl_ref_format_t &f) {
  std::vector<u32> all;
  for (u32 v = 0; v <= wl_ref_infinity(&f); v++) {
    double x = wl_ref_value(&f, v), next = wl_ref_value(&f, v + 1);
    const u32 at[2] = {float_bits(x), float_bits((x + next) / 2)};
    for (u32 k = 0; k < 6; k++)
      all.push_back((at[k & 1] + k / 2 - 1) ^ (u32)(rnd64() << 31));
  }
  return all;
}

static std::vector<u32> tf32_places() {
  std::vector<u32> all;
  for (u32 v = (u32)rnd64() & 7; v < 1u << 19; v += 7)
    for (u32 k = 0; k < 3; k++)
      all.push_back((v << 13 | 0x1000) + k - 1);
  return all;
}

static void format_tests() {
  const std::vector<u32> low = halves(), f16 = places(wl_ref_f16), bf16 = places(wl_ref_bf16),
                         tf32 = tf32_places();
  for (int form = 0; form < WL_NUM_FORMS; form++) {
    const wl_form_info_t &info = wl_form_info[form];
    bool narrow = info.op == WL_FPU_FNARROW, widen = info.op == WL_FPU_FWIDEN;
    if (info.unit != WL_UNIT_FPU ||
        (!narrow && !widen && info.op != WL_FPU_FTF32A && info.op != WL_FPU_FWIDEN8))
      continue;
    const std::vector<u32> &values = narrow ? info.format == WL_FORMAT_F16 ? f16 : bf16
                                     : info.op == WL_FPU_FTF32A ? tf32
                                                                : low;
    for (unsigned rnd = 0; rnd < (narrow ? 4u : 1u); rnd++) {
      Op op;
      op.form = form;
      op.rnd = rnd;
      for (size_t at = 0; at < values.size(); at += (size_t)lanes()) {
        std::vector<Lane> in;
        for (size_t l = 0; l < (size_t)lanes(); l++)
          in.push_back(make(values[(at + l) % values.size()], 0, 0));
        send(info.name, op, flags_of(info), ~0u, in, fpu_reference);
      }
    }
  }
}

int main(int argc, char **argv) {
  if (argc > 1) random_ops = strtoull(argv[1], nullptr, 0);
  top = new Model;
  top->rst_ni = 0;
  top->valid_i = 0;
  for (int i = 0; i < 4; i++)
    tick();
  top->rst_ni = 1;
  int_tests();
  link_tests();
  fp_tests();
  format_tests();
  check_driven();
  for (int i = 0; i < 2 * kLat; i++)
    idle();
  if (!queue.empty()) failures++;
  delete top;
  printf("%llu results checked, %d failures\n", (unsigned long long)checked, failures);
  return failures != 0;
}
