/* gen_half.c: half precision, carries, packed integers, small formats and wide accesses, from edition 6 on. The
 * list never changes, as forms_frozen.c: the seeds of an edition count its rows. */
#include <stdio.h>
#include <string.h>

#include "tests/random/gen.h"

/* A row for every choice in the braces of `pattern`. Operands in the letters of g_reg(), the destination first;
 * q: two predicates; v: four f32 in braces; c: a place, 0 to 31. Target: 0 both; 'a' sm_100a, 'b' sm_120a. */
typedef struct family {
  const char *pattern, *operands;
  char target;
} family_t;

#define ROUND "{.rn,.rz,.rm,.rp}"
#define INTEGRAL "{.rni,.rzi,.rmi,.rpi}"
#define COMPARE "{.eq,.ne,.lt,.ge,.ltu,.neu,.num,.nan}"
static const family_t k_families[] = {
    {"{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16", "h h h", 0},
    {"{add,sub,mul}{,.rn}{,.ftz}{,.sat}.f16x2", "w w w", 0},
    {"{add,sub,mul}{,.rn}.bf16", "h h h", 0},
    {"{add,sub,mul}{,.rn}.bf16x2", "w w w", 0},
    {"fma.rn{,.ftz}{,.sat,.relu}.f16", "h h h h", 0},
    {"fma.rn{,.ftz}{,.sat,.relu}.f16x2", "w w w w", 0},
    {"fma.rn{,.relu,.oob,.oob.relu}.bf16", "h h h h", 0},
    {"fma.rn{,.relu,.oob,.oob.relu}.bf16x2", "w w w w", 0},
    {"fma.rn.oob{,.relu}.f16x2", "w w w w", 0},
    {"{neg,abs}{,.ftz}.f16", "h h", 0},
    {"{neg,abs}{,.ftz}.f16x2", "w w", 0},
    {"{neg,abs}.bf16", "h h", 0},
    {"{neg,abs}.bf16x2", "w w", 0},
    {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f16", "h h h", 0},
    {"{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.f16x2", "w w w", 0},
    {"{min,max}{,.NaN}{,.xorsign.abs}.bf16", "h h h", 0},
    {"{min,max}{,.NaN}{,.xorsign.abs}.bf16x2", "w w w", 0},
    {"set" COMPARE "{,.ftz}{.f16,.u16}.f16", "h h h", 0},
    {"set" COMPARE "{.f16x2,.u32}.f16x2", "w w w", 0},
    {"set" COMPARE "{.bf16x2,.s32}.bf16x2", "w w w", 0},
    {"set" COMPARE ".and{.f16,.bf16}.f32", "h f f p", 0},
    {"set{.eq,.lt,.ge}.or{.f16,.bf16}.s32", "h w w p", 0},
    {"setp" COMPARE "{,.ftz}.f16", "p h h", 0},
    {"setp" COMPARE ".xor.bf16", "p h h p", 0},
    {"setp" COMPARE "{.f16x2,.bf16x2}", "q w w", 0},
    {"setp" COMPARE ".and{.f16x2,.bf16x2}", "q w w p", 0},
    {"{add,sub}" ROUND "{,.sat}.f32{.f16,.bf16}", "f h f", 0},
    {"fma" ROUND "{,.sat}.f32{.f16,.bf16}", "f h h f", 0},
    {"{add,sub,mul}" ROUND "{,.ftz}.f32x2", "x x x", 0},
    {"fma" ROUND "{,.ftz}.f32x2", "x x x x", 0},
    {"{min,max}{,.ftz}{,.NaN}{,.abs}.f32", "f f f f", 0},
    {"{add,min,max}{.u16x2,.s16x2}", "w w w", 0},
    {"{min,max}.relu{.s16x2,.s32}", "w w w", 0},
    {"add.sat{.u32,.u16x2,.s16x2}", "w w w", 'b'},
    {"{add,sub}{,.sat}{.u8x4,.s8x4}", "w w w", 'b'},
    {"{min,max}{.u8x4,.s8x4}", "w w w", 'b'},
    {"{min,max}.relu.s8x4", "w w w", 'b'},
    {"neg.s8x4", "w w", 'b'},
    {"fns.b32", "w w c w", 0},
    {"cvt.pack.sat{.u16,.s16}.s32", "w w w", 0},
    {"cvt.pack.sat{.u2,.s2,.u4,.s4,.u8,.s8}.s32.b32", "w w w w", 0},
    {"cvt" INTEGRAL "{,.sat}{.u32,.s32,.u8,.s8}.f16", "w h", 0},
    {"cvt" INTEGRAL "{,.sat}{.u16,.s16}.f16", "h h", 0},
    {"cvt" INTEGRAL "{,.sat}{.u64,.s64}.f16", "x h", 0},
    {"cvt" INTEGRAL "{.u32,.s32}.bf16", "w h", 0},
    {"cvt" INTEGRAL "{.u64,.s64}.bf16", "x h", 0},
    {"cvt" ROUND "{,.sat}.f16{.u32,.s32}", "h w", 0},
    {"cvt" ROUND "{,.sat}.f16{.u64,.s64}", "h x", 0},
    {"cvt" ROUND ".bf16{.u32,.s32}", "h w", 0},
    {"cvt" ROUND ".bf16{.u64,.s64}", "h x", 0},
    {"cvt" INTEGRAL "{,.sat}.f16.f16", "h h", 0},
    {"cvt" ROUND "{.bf16.f16,.f16.bf16}", "h h", 0},
    {"cvt{.rn,.rz}{,.relu}.tf32.f32", "w f", 0},
    {"cvt.rn.satfinite{,.relu}{.e4m3x2,.e5m2x2,.e2m3x2,.e3m2x2}.f32", "h f f", 0},
    {"cvt.rn.satfinite{,.relu}{.e4m3x2,.e5m2x2,.e2m3x2,.e3m2x2}{.f16x2,.bf16x2}", "h w", 0},
    {"cvt.rn{,.relu}.f16x2{.e2m3x2,.e3m2x2}", "w h", 0},
    {"cvt.rn{,.relu}{,.satfinite}.bf16x2{.e4m3x2,.e5m2x2,.e2m3x2,.e3m2x2,.s2f6x2}", "w h", 0},
    {"cvt.rn{,.relu}.scaled::n2::ue8m0.bf16x2{.e4m3x2,.e5m2x2,.e2m3x2,.e3m2x2,.s2f6x2}", "w h h", 0},
    {"cvt{.rz,.rp}{,.satfinite}.ue8m0x2.f32", "h f f", 0},
    {"cvt{.rz,.rp}{,.satfinite}.ue8m0x2.bf16x2", "h w", 0},
    {"cvt.rn.bf16x2.ue8m0x2", "w h", 0},
    {"cvt.rn.satfinite{,.relu}.s2f6x2.f32", "h f f", 0},
    {"cvt.rn.satfinite{,.relu}.s2f6x2.bf16x2", "h w", 0},
    {"cvt.rn.satfinite{,.relu}.scaled::n2::ue8m0.s2f6x2.f32", "h f f h", 0},
    {"cvt.rs{,.relu}{,.satfinite}{.f16x2,.bf16x2}.f32", "w f f w", 'a'},
    {"cvt.rs{,.relu}.satfinite{.e4m3x4,.e5m2x4,.e2m3x4,.e3m2x4}.f32", "w v w", 'a'},
    {"cvt.rs{,.relu}.satfinite.e2m1x4.f32", "h v w", 'a'},
};
enum { FAMILIES = sizeof k_families / sizeof k_families[0] };

/* Rows of a pattern: the product of the numbers of choices in its braces. */
static unsigned ways(const char *pattern) {
  unsigned n = 1, choices = 0;
  for (const char *at = pattern; *at != 0; at++) {
    choices = *at == '{' ? 1 : choices + (choices != 0 && *at == ',');
    if (*at == '}') {
      n *= choices;
      choices = 0;
    }
  }
  return n;
}

/* Row `n` of a pattern. */
static void expand(const char *pattern, unsigned n, char to[RC_FORM]) {
  size_t used = 0;
  while (*pattern != 0) {
    if (*pattern != '{') {
      to[used++] = *pattern++;
      continue;
    }
    unsigned choices = 1;
    const char *end = strchr(pattern, '}');
    for (const char *at = pattern; at < end; at++) {
      choices += *at == ',';
    }
    const char *from = pattern + 1;
    for (unsigned skip = n % choices; skip != 0; from++) {
      skip -= *from == ',';
    }
    n /= choices;
    while (*from != ',' && *from != '}') {
      to[used++] = *from++;
    }
    pattern = end + 1;
  }
  to[used] = 0;
}

static const family_t *row_at(unsigned n, char name[RC_FORM]) {
  for (unsigned i = 0; i < FAMILIES; i++) {
    unsigned rows = ways(k_families[i].pattern);
    if (n < rows) {
      expand(k_families[i].pattern, n, name);
      return &k_families[i];
    }
    n -= rows;
  }
  return NULL;
}

void g_half_rows(rc_table_t *t) {
  char name[RC_FORM];
  const family_t *f;
  for (unsigned n = 0; (f = row_at(n, name)) != NULL; n++) {
    rc_add(t, name, RC_NONE, 1u << (strchr(f->operands, 'v') != NULL ? RC_VECTOR : RC_REG),
           RC_ALL_PATHS);
  }
  for (unsigned i = 0; i < 12; i++) {
    rc_add(t, g_carry_name(i, name), RC_NONE, 1u << RC_REG, RC_ALL_PATHS);
  }
}

static void operand(gen_t *g, char letter, char *to, size_t cap) {
  if (letter == 'q') {
    unsigned p = g_below(g, G_P), q = (p + 1 + g_below(g, G_P - 1)) % G_P;
    (void)snprintf(to, cap, "%%p%u|%%p%u", p, q);
  } else if (letter == 'c') {
    (void)snprintf(to, cap, "%u", g_below(g, 32));
  } else if (letter == 'v') {
    const char *a = g_reg(g, 'f'), *b = g_reg(g, 'f'), *c = g_reg(g, 'f'), *d = g_reg(g, 'f');
    (void)snprintf(to, cap, "{%s, %s, %s, %s}", a, b, c, d);
  } else {
    (void)snprintf(to, cap, "%s", g_reg(g, letter));
  }
}

static void form(gen_t *g) {
  char name[RC_FORM], list[128] = "", one[48];
  const family_t *f;
  do { /* a family first: some have many rows */
    f = &k_families[g_below(g, FAMILIES)];
  } while (f->target != 0 && f->target != g->target);
  expand(f->pattern, g_below(g, ways(f->pattern)), name);
  size_t used = 0;
  for (const char *at = f->operands; *at != 0; at += at[1] == ' ' ? 2 : 1) {
    operand(g, *at, one, sizeof one);
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used != 0 ? ", " : "", one);
  }
  g_op(g, RC_NONE, strchr(f->operands, 'v') != NULL ? RC_VECTOR : RC_REG, "%s %s", name, list);
}

/* ---- carries: the first sets the flag, the last does not ---- */
const char *g_carry_name(unsigned i, char to[RC_FORM]) {
  static const char *const names[12] = {"add.cc.u32",  "sub.cc.s32",     "mad.lo.cc.u32", "addc.cc.u32",
                                        "subc.cc.u32", "madc.hi.cc.s32", "addc.u32",      "madc.lo.u32",
                                        "add.cc.u64",  "mad.hi.cc.u64",  "subc.cc.s64",   "addc.u64"};
  (void)snprintf(to, RC_FORM, "%s", names[i]);
  return to;
}

static void carry(gen_t *g, unsigned i) {
  char name[RC_FORM];
  char letter = i < 8 ? 'w' : 'x';
  const char *d = g_reg(g, letter), *a = g_reg(g, letter), *b = g_reg(g, letter),
             *c = g_reg(g, letter);
  bool product = *g_carry_name(i, name) == 'm';
  if (product) {
    g_op(g, RC_NONE, RC_REG, "%s %s, %s, %s, %s", name, d, a, b, c);
  } else {
    g_op(g, RC_NONE, RC_REG, "%s %s, %s, %s", name, d, a, b);
  }
}

static void chain(gen_t *g) {
  unsigned first = g_below(g, 5);
  carry(g, first < 3 ? first : first + 5); /* 8, 9 of 64 bits */
  for (unsigned n = g_below(g, 4); n != 0; n--) {
    unsigned middle = g_below(g, 4);
    carry(g, middle < 3 ? middle + 3 : 10);
  }
  unsigned last = g_below(g, 3);
  carry(g, last < 2 ? last + 6 : 11);
}

void g_half(gen_t *g) { g_chance(g, 15) ? chain(g) : form(g); }
