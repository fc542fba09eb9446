/* forms_frozen.c: the arithmetic forms that editions 1 and 2 of the generator choose from. The seeds
 * that are written down (tests/silicon, tests/random/found) count rows of this list, so no row is
 * ever added or moved. What the machine can do stands in isa/def/ptx_op.def alone; a later edition
 * takes its forms from there (tests/oracle/form_list.h). */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/random/gen.h"

typedef struct out {
  g_form_row_t row;
  void *context;
} out_t;

__attribute__((format(printf, 3, 4))) static void put(const out_t *o, const char *operands,
                                                      const char *fmt, ...) {
  char form[96];
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(form, sizeof form, fmt, args);
  va_end(args);
  o->row(o->context, form, operands);
}

/* "w w w": n copies of the register letter of the type's width */
static const char *regs(const char *type, unsigned n, char *buf) {
  char letter = strstr(type, "64") != NULL ? 'x' : strstr(type, "16") != NULL ? 'h' : 'w';
  letter = type[0] == 'f' ? 'f' : letter;
  for (unsigned i = 0; i < n; i++) {
    buf[2 * i] = letter;
    buf[2 * i + 1] = i + 1 < n ? ' ' : 0;
  }
  return buf;
}

static const char *with(const char *type, unsigned n, const char *rest, char *buf) {
  (void)regs(type, n, buf);
  strcat(buf, rest);
  return buf;
}

static const char *const k_ints[] = {"u16", "s16", "u32", "s32", "u64", "s64", NULL};
static const char *const k_bits[] = {"b16", "b32", "b64", NULL};

static void integers(const out_t *o) {
  static const char *const two[] = {"add", "sub", "mul.lo", "mul.hi", "div",
                                    "rem", "min", "max",    NULL};
  char b[32];
  for (int t = 0; k_ints[t] != NULL; t++) {
    for (int i = 0; two[i] != NULL; i++) {
      put(o, regs(k_ints[t], 3, b), "%s.%s", two[i], k_ints[t]);
    }
    put(o, regs(k_ints[t], 4, b), "mad.lo.%s", k_ints[t]);
    put(o, regs(k_ints[t], 4, b), "mad.hi.%s", k_ints[t]);
    put(o, regs(k_ints[t], 4, b), "sad.%s", k_ints[t]);
    put(o, with(k_ints[t], 2, " w", b), "shr.%s", k_ints[t]);
    put(o, with(k_ints[t], 3, " p", b), "selp.%s", k_ints[t]);
    put(o, with(k_ints[t], 3, " w", b), "slct.%s.s32", k_ints[t]);
    put(o, with(k_ints[t], 3, " f", b), "slct.%s.f32", k_ints[t]);
    if (k_ints[t][0] == 's') {
      put(o, regs(k_ints[t], 2, b), "abs.%s", k_ints[t]);
      put(o, regs(k_ints[t], 2, b), "neg.%s", k_ints[t]);
    }
  }
  for (int t = 0; t < 4; t++) {
    put(o, t < 2 ? "w h h" : "x w w", "mul.wide.%s", k_ints[t]);
    put(o, t < 2 ? "w h h w" : "x w w x", "mad.wide.%s", k_ints[t]);
  }
  put(o, "w w w", "add.sat.s32");
  put(o, "w w w", "sub.sat.s32");
  put(o, "w w w w", "mad.hi.sat.s32");
  put(o, "w w w w", "mad24.hi.sat.s32");
  for (int t = 2; t < 4; t++) {
    put(o, "w w w", "mul24.lo.%s", k_ints[t]);
    put(o, "w w w", "mul24.hi.%s", k_ints[t]);
    put(o, "w w w w", "mad24.lo.%s", k_ints[t]);
    put(o, "w w w w", "mad24.hi.%s", k_ints[t]);
    put(o, "w w w", "szext.clamp.%s", k_ints[t]);
    put(o, "w w w", "szext.wrap.%s", k_ints[t]);
    for (int u = 2; u < 4; u++) {
      put(o, "w w w w", "dp4a.%s.%s", k_ints[t], k_ints[u]);
      put(o, "w w w w", "dp2a.lo.%s.%s", k_ints[t], k_ints[u]);
      put(o, "w w w w", "dp2a.hi.%s.%s", k_ints[t], k_ints[u]);
    }
  }
}

static void bits(const out_t *o) {
  static const char *const prmt[] = {"", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16", NULL};
  static const char *const one[] = {"popc", "clz", NULL};
  char b[32];
  for (int t = 0; k_bits[t] != NULL; t++) {
    put(o, regs(k_bits[t], 3, b), "and.%s", k_bits[t]);
    put(o, regs(k_bits[t], 3, b), "or.%s", k_bits[t]);
    put(o, regs(k_bits[t], 3, b), "xor.%s", k_bits[t]);
    put(o, regs(k_bits[t], 2, b), "not.%s", k_bits[t]);
    put(o, regs(k_bits[t], 2, b), "cnot.%s", k_bits[t]);
    put(o, with(k_bits[t], 2, " w", b), "shl.%s", k_bits[t]);
    put(o, with(k_bits[t], 3, " p", b), "selp.%s", k_bits[t]);
  }
  for (int t = 1; t < 3; t++) {
    for (int i = 0; one[i] != NULL; i++) {
      put(o, t == 1 ? "w w" : "w x", "%s.%s", one[i], k_bits[t]);
    }
    put(o, regs(k_bits[t], 2, b), "brev.%s", k_bits[t]);
    put(o, with(k_bits[t], 3, " w w", b), "bfi.%s", k_bits[t]);
  }
  for (int t = 2; t < 6; t++) {
    put(o, with(k_ints[t], 2, " w w", b), "bfe.%s", k_ints[t]);
    put(o, t < 4 ? "w w" : "w x", "bfind.%s", k_ints[t]);
    put(o, t < 4 ? "w w" : "w x", "bfind.shiftamt.%s", k_ints[t]);
  }
  for (int i = 0; i < 4; i++) {
    put(o, "w w w w", "shf.%c.%s.b32", i & 1 ? 'r' : 'l', i & 2 ? "wrap" : "clamp");
  }
  for (int i = 0; prmt[i] != NULL; i++) {
    put(o, "w w w w", "prmt.b32%s", prmt[i]);
  }
  put(o, "w w w", "bmsk.clamp.b32");
  put(o, "w w w", "bmsk.wrap.b32");
  put(o, "w w w w 0x96", "lop3.b32");
  put(o, "w w w w 0xe8", "lop3.b32");
  put(o, "w w w w 0x1d", "lop3.b32");
  put(o, "W w w w 0x80 p", "lop3.and.b32");
  put(o, "W w w w 0x80 !p", "lop3.or.b32");
  put(o, "p p p", "and.pred");
  put(o, "p p p", "or.pred");
  put(o, "p p p", "xor.pred");
  put(o, "p p", "not.pred");
}

static void compare_type(const out_t *o, const char *type, const char *list, const char *ftz) {
  char names[96], b[32], sources[16];
  (void)snprintf(names, sizeof names, "%s", list);
  for (char *at = names, *end; *at != 0; at = end) {
    end = at + strcspn(at, " ");
    end += *end != 0 ? (*end = 0, 1) : 0;
    (void)regs(type, 2, sources);
    (void)snprintf(b, sizeof b, "q %s", sources);
    put(o, b, "setp.%s%s.%s", at, ftz, type);
    (void)snprintf(b, sizeof b, "q %s !p", sources);
    put(o, b, "setp.%s.and%s.%s", at, ftz, type);
    (void)snprintf(b, sizeof b, "q %s p", sources);
    put(o, b, "setp.%s.xor%s.%s", at, ftz, type);
    (void)snprintf(b, sizeof b, "w %s p", sources);
    put(o, b, "set.%s.or%s.u32.%s", at, ftz, type);
    (void)snprintf(b, sizeof b, "f %s", sources);
    put(o, b, "set.%s%s.f32.%s", at, ftz, type);
  }
}

static void comparisons(const out_t *o) {
  for (int t = 0; k_ints[t] != NULL; t++) {
    compare_type(o, k_ints[t],
                 k_ints[t][0] == 's' ? "eq ne lt le gt ge" : "eq ne lt le gt ge lo ls hi hs", "");
  }
  for (int t = 0; k_bits[t] != NULL; t++) {
    compare_type(o, k_bits[t], "eq ne", "");
  }
  for (int ftz = 0; ftz < 2; ftz++) {
    compare_type(o, "f32", "eq ne lt le gt ge equ neu ltu leu gtu geu num nan",
                 ftz != 0 ? ".ftz" : "");
  }
}

static void floats(const out_t *o) {
  static const char *const rounds[] = {"", ".rn", ".rz", ".rm", ".rp"};
  static const char *const tests[] = {"finite",     "infinite", "number",
                                      "notanumber", "normal",   "subnormal"};
  for (int r = 0; r < 5; r++) {
    for (int k = 0; k < 4; k++) {
      const char *ftz = k & 1 ? ".ftz" : "", *sat = k & 2 ? ".sat" : "";
      put(o, "f f f", "add%s%s%s.f32", rounds[r], ftz, sat);
      put(o, "f f f", "sub%s%s%s.f32", rounds[r], ftz, sat);
      put(o, "f f f", "mul%s%s%s.f32", rounds[r], ftz, sat);
      if (r > 0) {
        put(o, "f f f f", "fma%s%s%s.f32", rounds[r], ftz, sat);
        put(o, "f f f f", "mad%s%s%s.f32", rounds[r], ftz, sat);
      }
      if (r > 0 && k < 2) {
        put(o, "f f f", "div%s%s.f32", rounds[r], ftz);
        put(o, "f f", "rcp%s%s.f32", rounds[r], ftz);
        put(o, "f f", "sqrt%s%s.f32", rounds[r], ftz);
      }
    }
  }
  for (int k = 0; k < 8; k++) {
    const char *ftz = k & 1 ? ".ftz" : "", *nan = k & 2 ? ".NaN" : "";
    const char *xorsign = k & 4 ? ".xorsign.abs" : "";
    put(o, "f f f", "min%s%s%s.f32", ftz, nan, xorsign);
    put(o, "f f f", "max%s%s%s.f32", ftz, nan, xorsign);
  }
  for (int i = 0; i < 6; i++) {
    put(o, "p f", "testp.%s.f32", tests[i]);
  }
  put(o, "f f f", "copysign.f32");
  put(o, "f f f p", "selp.f32");
  put(o, "f f f w", "slct.f32.s32");
  put(o, "f f f f", "slct.ftz.f32.f32");
  for (int k = 0; k < 2; k++) {
    put(o, "F f", "abs%s.f32", k ? ".ftz" : "");
    put(o, "F f", "neg%s.f32", k ? ".ftz" : "");
  }
}

static void conversions(const out_t *o) {
  static const char *const ints[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64", NULL};
  static const char *const whole[] = {"rni", "rzi", "rmi", "rpi"}, *const real[] = {"rn", "rz",
                                                                                    "rm", "rp"};
  char b[8], c[8];
  for (int d = 0; ints[d] != NULL; d++) {
    for (int s = 0; ints[s] != NULL; s++) {
      (void)snprintf(b, sizeof b, "%s %s", regs(d < 2 ? "u32" : ints[d], 1, c),
                     s / 2 == 3   ? "x"
                     : s / 2 == 1 ? "h"
                                  : "w");
      put(o, b, "cvt.%s.%s", ints[d], ints[s]);
      put(o, b, "cvt.sat.%s.%s", ints[d], ints[s]); /* refused where it has no meaning */
    }
  }
  for (int r = 0; r < 4; r++) {
    for (int d = 0; ints[d] != NULL; d++) {
      const char *reg = d / 2 == 3 ? "x" : d / 2 == 1 ? "h" : "w";
      (void)snprintf(b, sizeof b, "%s f", reg);
      put(o, b, "cvt.%s.%s.f32", whole[r], ints[d]);
      put(o, b, "cvt.%s.ftz.sat.%s.f32", whole[r], ints[d]);
      (void)snprintf(b, sizeof b, "f %s", reg);
      put(o, b, "cvt.%s.f32.%s", real[r], ints[d]);
      put(o, b, "cvt.%s.sat.f32.%s", real[r], ints[d]);
    }
    put(o, "f f", "cvt.%s.f32.f32", whole[r]);
    put(o, "f f", "cvt.%s.ftz.f32.f32", whole[r]);
    put(o, "f f", "cvt.%s.sat.f32.f32", whole[r]);
  }
  put(o, "f f", "cvt.sat.f32.f32");
  put(o, "F f", "cvt.ftz.f32.f32");
  put(o, "f f", "cvt.ftz.sat.f32.f32");
}

void g_frozen_forms(g_form_row_t row, void *context) {
  out_t o = {row, context};
  integers(&o);
  bits(&o);
  comparisons(&o);
  floats(&o);
  conversions(&o);
}
