#include "tests/silicon/op.h"

#include <stdio.h>
#include <string.h>

#include "tests/common/digest.h"
#include "tests/common/splitmix.h"

/* Kinds of operands: f f32, d f64, h f16, g bf16, x f16x2, y bf16x2, w and l integers of 32 and 64
 * bits, s a shift or position of 32 bits, e any 16 bits (packed 8-bit
 * floats). {x,y}: one text for each. A bar stands before the instruction that names the operation,
 * if it is not the first one. */
typedef struct row {
  const char *operands;
  char result;
  op_rule_t rule;
  bool sweep;
  const char *text;
} row_t;

#define R    "{.rn,.rz,.rm,.rp}"
#define RI   "{.rni,.rzi,.rmi,.rpi}"
#define F    "{,.ftz}"
#define PRED " selp.u32 d, 1, 0, p;"
#define CMP  "{.eq,.ne,.lt,.le,.gt,.ge,.equ,.neu,.ltu,.leu,.gtu,.geu,.num,.nan}"

static const row_t rows[] = {
    /* 9.7.3: f32. */
    {"ff", 'w', OP_EQUAL, false, "{add,sub,mul}" R F "{,.sat}.f32 d, a, b;"},
    {"fff", 'w', OP_EQUAL, false, "fma" R F "{,.sat}.f32 d, a, b, c;"},
    {"ff", 'w', OP_EQUAL, false, "{min,max}" F "{,.NaN}{,.xorsign.abs}.f32 d, a, b;"},
    {"f", 'w', OP_OWN, false, "{abs,neg}" F ".f32 d, a;"}, /* NaN: unspecified */
    {"ff", 'w', OP_EQUAL, false, "copysign.f32 d, a, b;"},
    {"f", 'w', OP_EQUAL, false,
     "testp{.finite,.infinite,.number,.notanumber,.normal,.subnormal}.f32 p, a;" PRED},
    {"f", 'w', OP_EQUAL, false, "{rcp,sqrt}" R F ".f32 d, a;"},
    {"ff", 'w', OP_EQUAL, false, "div" R F ".f32 d, a, b;"},
    {"ff", 'w', OP_OWN, false, "div{.full,.approx}" F ".f32 d, a, b;"},
    {"f", 'w', OP_OWN, true, "{rcp,rsqrt,sqrt}.approx" F ".f32 d, a;"},
    {"f", 'w', OP_LATER, true, "{sin,cos,ex2,lg2}.approx" F ".f32 d, a;"},
    {"f", 'w', OP_LATER, true, "tanh.approx.f32 d, a;"},
    {"ff", 'w', OP_EQUAL, false, "setp" CMP F ".f32 p, a, b;" PRED},
    {"ff", 'w', OP_EQUAL, false, "set{.lt,.geu}" F "{.u32,.f32}.f32 d, a, b;"},
    {"wwf", 'w', OP_EQUAL, false, "slct" F ".b32.f32 d, a, b, c;"},
    /* 9.7.9.21: conversions. */
    {"f", 'w', OP_EQUAL, true, "cvt" RI F "{,.sat}.f32.f32 d, a;"},
    {"f", 'w', OP_EQUAL, true, "cvt" RI F "{.u32,.s32}.f32 d, a;"},
    {"f", 'l', OP_EQUAL, false, "cvt" RI F "{.u64,.s64}.f32 xd, a;"},
    {"f", 'h', OP_EQUAL, false, "cvt" RI F "{.u16,.s16}.f32 hd, a;"},
    {"f", 'w', OP_EQUAL, false, "cvt" RI F "{.u8,.s8}.f32 d, a;"},
    {"w", 'w', OP_EQUAL, true, "cvt" R "{,.sat}.f32{.u32,.s32} d, a;"},
    {"l", 'w', OP_EQUAL, false, "cvt" R ".f32{.u64,.s64} d, xa;"},
    {"w", 'w', OP_EQUAL, false, "cvt{.u8,.s8,.u16,.s16}{.u32,.s32} d, a;"},
    {"w", 'w', OP_EQUAL, false, "cvt.sat{.u8,.s8,.u16,.s16}{.u32,.s32} d, a;"},
    {"l", 'w', OP_EQUAL, false, "cvt.sat{.u8,.s8,.u32,.s32}{.u64,.s64} d, xa;"},
    {"w", 'l', OP_EQUAL, false, "cvt.sat.u64.s32 xd, a;"},
    {"f", 'h', OP_LATER, true, "cvt{.rn,.rz,.rm,.rp}" F "{,.sat}.f16.f32 hd, a;"},
    {"f", 'h', OP_LATER, true, "cvt{.rn,.rz}{,.relu}.bf16.f32 hd, a;"},
    {"f", 'w', OP_LATER, true, "cvt{.rna,.rn,.rz,.rn.relu}.tf32.f32 d, a;"},
    {"ff", 'w', OP_LATER, false, "cvt{.rn,.rz}{,.relu}{.f16x2,.bf16x2}.f32 d, a, b;"},
    {"ff", 'h', OP_LATER, false, "cvt.rn.satfinite{,.relu}{.e4m3x2,.e5m2x2}.f32 hd, a, b;"},
    {"x", 'h', OP_LATER, true, "cvt.rn.satfinite{,.relu}{.e4m3x2,.e5m2x2}.f16x2 hd, a;"},
    {"e", 'w', OP_LATER, false, "cvt.rn{,.relu}.f16x2{.e4m3x2,.e5m2x2} d, ha;"},
    {"h", 'w', OP_LATER, false, "cvt" F ".f32.f16 d, ha;"},
    {"g", 'w', OP_LATER, false, "cvt.f32.bf16 d, ha;"},
    {"h", 'w', OP_LATER, false, "cvt" RI "{.u32,.s32}.f16 d, ha;"},
    {"w", 'h', OP_LATER, true, "cvt" R ".f16{.u32,.s32} hd, a;"},
    /* 9.7.1, 9.7.2, 9.7.8: integers. */
    {"ww", 'w', OP_EQUAL, false, "{add,sub}.sat.s32 d, a, b;"},
    {"ww", 'w', OP_EQUAL, false, "mul{.hi,.lo}{.u32,.s32} d, a, b;"},
    {"ww", 'l', OP_EQUAL, false, "mul.wide{.u32,.s32} xd, a, b;"},
    {"ll", 'l', OP_EQUAL, false, "mul{.hi,.lo}{.u64,.s64} xd, xa, xb;"},
    {"www", 'w', OP_EQUAL, false, "mad{.hi,.lo}{.u32,.s32} d, a, b, c;"},
    {"www", 'w', OP_EQUAL, false, "mad.hi.sat.s32 d, a, b, c;"},
    {"ww", 'w', OP_EQUAL, false, "mul24{.hi,.lo}{.u32,.s32} d, a, b;"},
    {"www", 'w', OP_EQUAL, false, "mad24{.hi,.lo}{.u32,.s32} d, a, b, c;"},
    {"www", 'w', OP_EQUAL, false, "mad24.hi.sat.s32 d, a, b, c;"},
    {"www", 'w', OP_EQUAL, false, "sad{.u32,.s32} d, a, b, c;"},
    {"ww", 'w', OP_OWN, false, "{div,rem}{.u32,.s32} d, a, b;"},
    {"ll", 'l', OP_OWN, false, "{div,rem}{.u64,.s64} xd, xa, xb;"},
    {"ww", 'w', OP_EQUAL, false, "or.b32 d, b, 1; |{div,rem}.u32(odd) d, a, d;"},
    {"w", 'w', OP_EQUAL, false, "{abs,neg}.s32 d, a;"},
    {"w", 'w', OP_EQUAL, false, "{popc,clz,brev}.b32 d, a;"},
    {"l", 'w', OP_EQUAL, false, "{popc,clz}.b64 d, xa;"},
    {"w", 'w', OP_EQUAL, false, "bfind{,.shiftamt}{.u32,.s32} d, a;"},
    {"l", 'w', OP_EQUAL, false, "bfind{,.shiftamt}{.u64,.s64} d, xa;"},
    {"wss", 'w', OP_EQUAL, false, "bfe{.u32,.s32} d, a, b, c;"},
    /* Positions and lengths beyond 255, which PTX does not allow, differ here on silicon. */
    {"lss", 'l', OP_EQUAL, false,
     "and.b32 b, b, 255; and.b32 c, c, 255; |bfe{.u64,.s64} xd, xa, b, c;"},
    {"wws", 'w', OP_EQUAL, false, "bfi.b32 d, a, b, c, 7;"},
    {"wws", 'w', OP_EQUAL, false, "bfi.b32 d, a, b, 5, c;"},
    {"ss", 'w', OP_EQUAL, false, "bmsk{.clamp,.wrap}.b32 d, a, b;"},
    {"ws", 'w', OP_EQUAL, false, "szext{.clamp,.wrap}{.u32,.s32} d, a, b;"},
    {"wss", 'w', OP_LATER, false, "fns.b32 d, a, b, c;"},
    {"www", 'w', OP_EQUAL, false, "dp4a{.u32,.s32}{.u32,.s32} d, a, b, c;"},
    {"www", 'w', OP_EQUAL, false, "dp2a{.lo,.hi}{.u32,.s32}{.u32,.s32} d, a, b, c;"},
    {"ws", 'w', OP_EQUAL, false, "{shl.b32,shr.u32,shr.s32} d, a, b;"},
    {"ls", 'l', OP_EQUAL, false, "{shl.b64,shr.u64,shr.s64} xd, xa, b;"},
    {"wws", 'w', OP_EQUAL, false, "shf{.l,.r}{.clamp,.wrap}.b32 d, a, b, c;"},
    {"www", 'w', OP_EQUAL, false, "prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16} d, a, b, c;"},
    {"www", 'w', OP_EQUAL, false, "lop3.b32 d, a, b, c, {0x1e,0x96,0xe8,0xca};"},
    {"www", 'l', OP_LATER, false, "add.cc.u32 d, a, b; addc.u32 d, c, 0; cvt.u64.u32 xd, d;"},
    /* 9.7.13.6: atomic operations: what memory holds afterwards. `out` and `sh` are words of the
       thread's own. */
    {"ff", 'w', OP_EQUAL, false,
     "st.global.u32 [out], a; |atom.global.add.f32 d, [out], b; ld.global.u32 d, [out];"},
    {"ff", 'w', OP_EQUAL, false,
     "st.shared.u32 [sh], a; |atom.shared.add.f32 d, [sh], b; ld.shared.u32 d, [sh];"},
    {"ff", 'w', OP_EQUAL, false,
     "st.global.u32 [out], a; |red.global.add.f32 [out], b; ld.global.u32 d, [out];"},
    {"ww", 'w', OP_EQUAL, false,
     "st.global.u32 [out], a; "
     "|atom.global{.add.u32,.add.s32,.min.u32,.max.u32,.min.s32,.max.s32,.inc.u32,.dec.u32,"
     ".and.b32,.or.b32,.xor.b32,.exch.b32} d, [out], b; ld.global.u32 d, [out];"},
    {"ww", 'w', OP_EQUAL, false,
     "st.shared.u32 [sh], a; |atom.shared{.add.u32,.min.s32,.max.u32,.inc.u32,.dec.u32,.xor.b32} "
     "d, [sh], b; "
     "ld.shared.u32 d, [sh];"},
    {"ll", 'l', OP_EQUAL, false,
     "st.global.u64 [out], xa; "
     "|atom.global{.add.u64,.min.u64,.max.u64,.min.s64,.max.s64,.and.b64,.or.b64,.xor.b64,"
     ".exch.b64} xd, [out], xb; ld.global.u64 xd, [out];"},
    {"www", 'w', OP_EQUAL, false,
     "st.global.u32 [out], a; |atom.global.cas.b32 d, [out], b, c; ld.global.u32 d, [out];"},
    {"lll", 'l', OP_EQUAL, false,
     "st.global.u64 [out], xa; |atom.global.cas.b64 xd, [out], xb, xc; ld.global.u64 xd, [out];"},
    {"xx", 'w', OP_LATER, false,
     "st.global.u32 [out], a; |atom.global.add.noftz.f16x2 d, [out], b; ld.global.u32 d, [out];"},
    {"yy", 'w', OP_LATER, false,
     "st.global.u32 [out], a; |atom.global.add.noftz.bf16x2 d, [out], b; ld.global.u32 d, [out];"},
    {"dd", 'l', OP_LATER, false,
     "st.global.u64 [out], xa; |atom.global.add.f64 xd, [out], xb; ld.global.u64 xd, [out];"},
    /* 9.7.4: f16 and bf16. */
    {"xx", 'w', OP_LATER, false, "{add,sub,mul}" F "{,.sat}.f16x2 d, a, b;"},
    {"xxx", 'w', OP_LATER, false, "fma.rn{,.ftz}{,.sat,.relu}.f16x2 d, a, b, c;"},
    {"yy", 'w', OP_LATER, false, "{add,sub,mul}.bf16x2 d, a, b;"},
    {"yyy", 'w', OP_LATER, false, "fma.rn{,.relu}.bf16x2 d, a, b, c;"},
    {"xx", 'w', OP_LATER, false, "{min,max}" F "{,.NaN}{,.xorsign.abs}.f16x2 d, a, b;"},
    {"yy", 'w', OP_LATER, false, "{min,max}{,.NaN}{,.xorsign.abs}.bf16x2 d, a, b;"},
    {"x", 'w', OP_LATER, true, "{abs,neg}{,.ftz}.f16x2 d, a;"},
    {"y", 'w', OP_LATER, true, "{abs,neg}.bf16x2 d, a;"},
    {"h", 'h', OP_LATER, false, "{ex2,tanh}.approx.f16 hd, ha;"},
    {"g", 'h', OP_LATER, false, "{ex2.approx.ftz,tanh.approx}.bf16 hd, ha;"},
    {"hh", 'w', OP_LATER, false, "setp{.eq,.lt,.geu,.nan}" F ".f16 p, ha, hb;" PRED},
    /* f64. */
    {"dd", 'l', OP_LATER, false, "{add,sub,mul}" R ".f64 xd, xa, xb;"},
    {"ddd", 'l', OP_LATER, false, "fma" R ".f64 xd, xa, xb, xc;"},
    {"dd", 'l', OP_LATER, false, "div" R ".f64 xd, xa, xb;"},
    {"d", 'l', OP_LATER, false, "{rcp,sqrt}" R ".f64 xd, xa;"},
    {"dd", 'l', OP_LATER, false, "{min,max}.f64 xd, xa, xb;"},
    {"d", 'l', OP_LATER, false, "{rcp,rsqrt}.approx.ftz.f64 xd, xa;"},
    {"d", 'w', OP_LATER, false, "cvt" R F ".f32.f64 d, xa;"},
    {"f", 'l', OP_LATER, false, "cvt" F ".f64.f32 xd, a;"},
    {"d", 'h', OP_LATER, false, "cvt" R ".f16.f64 hd, xa;"},
};

/* ---- Alternatives. */

/* Text of alternative `number` into `to`; false if there are fewer. */
static bool expand(const char *from, size_t number, char *to, size_t cap) {
  size_t used = 0;
  while (*from != '\0' && used + 1 < cap) {
    if (*from != '{') {
      to[used++] = *from++;
      continue;
    }
    const char *end = strchr(from, '}');
    size_t choices = 1;
    for (const char *p = from; p < end; p++) {
      choices += *p == ',';
    }
    const char *p = from + 1;
    for (size_t skip = number % choices; skip != 0; skip--) {
      p = strchr(p, ',') + 1;
    }
    number /= choices;
    while (*p != ',' && *p != '}' && used + 1 < cap) {
      to[used++] = *p++;
    }
    from = end + 1;
  }
  to[used] = '\0';
  return number == 0;
}

const op_t *op_at(size_t index) {
  static op_t op;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (size_t number = 0; expand(rows[i].text, number, op.text, sizeof op.text); number++) {
      if (index-- != 0) {
        continue;
      }
      /* Named by the instruction, with its immediate operand if it is told apart by that. */
      char *bar = strchr(op.text, '|');
      const char *first = bar != NULL ? bar + 1 : op.text;
      (void)snprintf(op.name, sizeof op.name, "%.*s", (int)strcspn(first, " "), first);
      if (bar != NULL) {
        *bar = ' ';
      }
      char *remark = strstr(op.text, "(odd)");
      if (remark != NULL) {
        memset(remark, ' ', strlen("(odd)"));
      }
      const char *constant = strstr(op.text, ", 0x");
      constant = constant != NULL ? constant : strstr(op.text, ", 7;");
      constant = constant != NULL ? constant : strstr(op.text, ", 5,");
      if (constant != NULL) {
        size_t used = strlen(op.name);
        (void)snprintf(op.name + used, sizeof op.name - used, "(%.*s)",
                       (int)strcspn(constant + 2, ";,"), constant + 2);
      }
      (void)snprintf(op.operands, sizeof op.operands, "%s", rows[i].operands);
      op.result = rows[i].result;
      op.rule = rows[i].rule;
      op.sweep = rows[i].sweep;
      return &op;
    }
  }
  return NULL;
}

const op_t *op_named(const char *name) {
  const op_t *op;
  for (size_t n = 0; (op = op_at(n)) != NULL && strcmp(op->name, name) != 0; n++) {
  }
  return op;
}

/* ---- Operands. */

static const uint32_t f32_special[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
    0x00800001, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800001, 0x40000000, 0x3f000000, 0x3fc00000,
    0xbfc00000, 0x4b000000, 0x4b7fffff, 0xcb800000, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000,
    0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001, 0xff801234};
static const uint32_t int_special[] = {
    0,          1,          2,          0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000, 0x80000001,
    0x0000ffff, 0x00010000, 0x00ffffff, 0x01000000, 0xff800000, 0x12345678, 31,         32};
static const uint32_t shift_special[] = {0,  1,   2,   7,   8,   15,         16,
                                         23, 24,  30,  31,  32,  33,         63,
                                         64, 127, 128, 255, 256, 0x80000000, 0xffffffff};
static const uint16_t f16_special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400,
                                       0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x4000, 0x3800, 0x7bff,
                                       0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01};
static const uint16_t bf16_special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x8080,
                                        0x3f7f, 0x3f80, 0xbf80, 0x3f81, 0x4000, 0x3f00, 0x7f7f,
                                        0xff7f, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81};
#define COUNT(a) (sizeof(a) / sizeof(a)[0])

static uint64_t widen(uint32_t f32) { /* bits of the f64 of the same value, NaN payloads kept */
  uint64_t sign = (uint64_t)(f32 >> 31) << 63, low = (uint64_t)(f32 & 0x7fffff) << 29;
  uint32_t exponent = f32 >> 23 & 255;
  if (exponent == 255) {
    return sign | UINT64_C(0x7ff) << 52 | low;
  }
  return sign | (exponent == 0 ? low : ((uint64_t)exponent + 896) << 52 | low);
}

/* The special values of a kind; their number. */
static size_t special(char kind, size_t i, uint64_t *out) {
  switch (kind) {
  case 'f':
    *out = f32_special[i % COUNT(f32_special)];
    return COUNT(f32_special);
  case 'd':
    *out = widen(f32_special[i % COUNT(f32_special)]);
    return COUNT(f32_special);
  case 's':
    *out = shift_special[i % COUNT(shift_special)];
    return COUNT(shift_special);
  case 'h':
    *out = f16_special[i % COUNT(f16_special)];
    return COUNT(f16_special);
  case 'g':
    *out = bf16_special[i % COUNT(bf16_special)];
    return COUNT(bf16_special);
  case 'x':
  case 'y': {
    const uint16_t *t = kind == 'x' ? f16_special : bf16_special;
    *out = (uint32_t)t[(i + 7) % COUNT(f16_special)] << 16 | t[i % COUNT(f16_special)];
    return COUNT(f16_special);
  }
  case 'l':
    *out = (uint64_t)int_special[i / 4 % COUNT(int_special)] << (i % 4 == 1 ? 32 : 0);
    *out = i % 4 == 2 ? (uint64_t)(int64_t)(int32_t)*out : i % 4 == 3 ? ~*out : *out;
    return 4 * COUNT(int_special);
  default:
    *out = int_special[i % COUNT(int_special)];
    return COUNT(int_special);
  }
}

static uint32_t random_f32(uint64_t *state, uint32_t other) {
  uint64_t z = wl_splitmix64(state);
  uint32_t bits = (uint32_t)(z >> 32), sign = bits & 0x80000000, fraction = bits & 0x7fffff;
  switch (z % 8) {
  case 0:
    return bits;
  case 1:
    return sign | (0x3e000000 + (bits & 0x01ffffff)); /* near 1 */
  case 2:
    return sign | fraction >> (z >> 8) % 23; /* subnormal */
  case 3:
    return sign | ((other & 0x7f800000) + (((uint32_t)z >> 8 & 3) << 23)) % 0x7f800000 | fraction;
  case 4:
    return sign | (0x3f800000 + (((uint32_t)z >> 8 & 31) << 23)) | /* few bits */
           (1u << (z >> 16) % 23) | (1u << (z >> 24) % 23);
  case 5:
    return sign | (1 + ((uint32_t)z >> 8) % 30) << 23 | fraction; /* tiny */
  case 6:
    return sign | (225 + ((uint32_t)z >> 8) % 30) << 23 | fraction; /* large */
  default:
    return sign | (110 + ((uint32_t)z >> 8) % 60) << 23 | fraction; /* moderate */
  }
}

static uint64_t random_of(char kind, uint64_t *state, uint64_t other) {
  uint64_t z = wl_splitmix64(state);
  switch (kind) {
  case 'f':
    return random_f32(state, (uint32_t)other);
  case 'd': /* spread over all exponents, or near an f32 */
    return z % 2 != 0 ? wl_splitmix64(state)
                      : widen(random_f32(state, (uint32_t)(other >> 29))) ^ (z >> 36);
  case 's':
    return z % 8 == 0 ? z >> 32 : z % 8 < 6 ? (z >> 32) % 33 : (z >> 32) % 70;
  case 'h':
  case 'g':
  case 'e':
    return z >> 48;
  case 'x':
  case 'y':
    return z >> 32;
  case 'l':
    return z % 4 == 0   ? wl_splitmix64(state) >> (z >> 8) % 64
           : z % 4 == 1 ? (uint64_t)((int64_t)wl_splitmix64(state) >> (z >> 8) % 64)
           : z % 4 == 2 ? UINT64_C(1) << (z >> 8) % 64
                        : wl_splitmix64(state);
  default:
    z = wl_splitmix64(state) >> 32 | z << 32;
    return z >> 32 & 3 ? (uint32_t)z : (uint32_t)((int32_t)z >> (z >> 40) % 32);
  }
}

void op_item(const op_t *op, uint32_t item, uint64_t operand[OP_OPERANDS]) {
  uint64_t state = UINT64_C(0x5157) + (uint64_t)item * UINT64_C(0x10001), unused = 0;
  size_t rest = item, arity = strlen(op->operands);
  operand[0] = operand[1] = operand[2] = 0;
  if (arity == 1 && strchr("hge", op->operands[0]) != NULL) {
    operand[0] = item; /* each of them */
    return;
  }
  for (size_t k = 0; k < arity; k++) {
    size_t count = special(op->operands[k], 0, &unused);
    (void)special(op->operands[k], rest % count, &operand[k]);
    rest /= count;
  }
  bool all = rest == 0; /* a combination of special values */
  for (size_t k = 0; k < arity && !all; k++) {
    operand[k] = random_of(op->operands[k], &state, k != 0 ? operand[k - 1] : 0);
  }
  if (!all && strcmp(op->operands, "fff") == 0 && item % 4 == 0) {
    /* An addend that nearly cancels the product. */
    float x, y, z;
    uint32_t a = (uint32_t)operand[0], b = (uint32_t)operand[1], c = 0;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    z = -(x * y);
    memcpy(&c, &z, sizeof c);
    operand[2] = z != z ? operand[2] : (uint32_t)(c + (item >> 2) % 5 - 2);
  }
}

/* ---- Kernels. */

static const char registers[] =
    "  .reg .pred p;\n  .reg .b16 ha, hb, hc, hd;\n  .reg .b32 a, b, c, d, i, j, k, sh;\n"
    "  .reg .b64 xa, xb, xc, xd, in, out, at, m, s;\n";
static const char header[] = ".version 8.1\n.target sm_90\n.address_size 64\n";

/* Operand k is in its register of 32 and, if needed, 16 or 64 bits. */
static const char *result_of(const op_t *op) {
  return op->result == 'h'   ? "  cvt.u32.u16 d, hd;\n  cvt.u64.u32 xd, d;\n"
         : op->result == 'w' ? "  cvt.u64.u32 xd, d;\n"
                             : "";
}

void op_kernel(const op_t *op, char *ptx, size_t cap) {
  size_t used = (size_t)snprintf(
      ptx, cap,
      "%s.visible .entry op(.param .u64 pin, .param .u64 pout) {\n%s"
      "  ld.param.u64 in, [pin];\n  ld.param.u64 out, [pout];\n  mov.u32 i, %%ctaid.x;\n"
      "  mov.u32 j, %%ntid.x;\n  mov.u32 k, %%tid.x;\n  mad.lo.u32 i, i, j, k;\n"
      "  mad.wide.u32 at, i, 24, in;\n  mad.wide.u32 out, i, 8, out;\n",
      header, registers);
  if (strstr(op->text, "[sh]") != NULL) { /* CTAs of 64 threads */
    used += (size_t)snprintf(ptx + used, cap - used,
                             "  .shared .align 8 .b8 place[512];\n  mov.u32 j, place;\n"
                             "  mad.lo.u32 sh, k, 8, j;\n");
  }
  for (size_t k = 0; op->operands[k] != '\0'; k++) {
    bool wide = strchr("dl", op->operands[k]) != NULL,
         half = strchr("hge", op->operands[k]) != NULL;
    char name = (char)('a' + k);
    used += (size_t)snprintf(ptx + used, cap - used, "  ld.global.%s %s%c, [at+%zu];\n",
                             wide ? "u64" : "u32", wide ? "x" : "", name, 8 * k);
    if (half) {
      used += (size_t)snprintf(ptx + used, cap - used, "  cvt.u16.u32 h%c, %c;\n", name, name);
    }
  }
  (void)snprintf(ptx + used, cap - used, "  %s\n%s  st.global.u64 [out], xd;\n  ret;\n}\n",
                 op->text, result_of(op));
}

void op_sweep_kernel(const op_t *op, char *ptx, size_t cap) {
  (void)snprintf(
      ptx, cap,
      "%s.visible .entry sweep(.param .u64 pout) {\n%s"
      "  ld.param.u64 out, [pout];\n  mov.u32 i, %%ctaid.x;\n  mov.u32 j, %%ntid.x;\n"
      "  mov.u32 k, %%tid.x;\n  mad.lo.u32 i, i, j, k;\n  shr.u32 j, i, 16;\n"
      "  mad.wide.u32 out, j, 8, out;\n  shl.b32 i, i, 8;\n  mov.u32 k, 0;\n  mov.u64 s, 0;\n"
      "next:\n  or.b32 a, i, k;\n  %s\n%s"
      "  cvt.u64.u32 m, a;\n  shl.b64 m, m, 32;\n"
      "  or.b64 m, m, xd;\n"
      "  shr.u64 at, m, 30;\n  xor.b64 m, m, at;\n  mul.lo.u64 m, m, 0xbf58476d1ce4e5b9;\n"
      "  shr.u64 at, m, 27;\n  xor.b64 m, m, at;\n  mul.lo.u64 m, m, 0x94d049bb133111eb;\n"
      "  shr.u64 at, m, 31;\n  xor.b64 m, m, at;\n  add.u64 s, s, m;\n"
      "  add.u32 k, k, 1;\n  setp.lt.u32 p, k, 256;\n  @p bra next;\n"
      "  red.global.add.u64 [out], s;\n  ret;\n}\n",
      header, registers, op->text, result_of(op));
}

uint32_t op_hash(const uint64_t *result, size_t count) {
  uint64_t digest = WL_DIGEST_START;
  for (size_t i = 0; i < 8 * count; i++) {
    digest = wl_digest(digest, result[i / 8] >> 8 * (i % 8) & 255);
  }
  return (uint32_t)(digest ^ digest >> 32);
}
