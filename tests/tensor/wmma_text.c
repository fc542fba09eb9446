/* wmma_text: programs of one product by wmma. See wmma_text.h. */
#include "tests/tensor/wmma_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FAR_OFFSET = 0x7ffffff0 };

static const struct {
  const char *name;
  unsigned bits;
} types[] = {[WMMA_F16] = {"f16", 16}, [WMMA_BF16] = {"bf16", 16}, [WMMA_TF32] = {"tf32", 32},
             [WMMA_S8] = {"s8", 8},    [WMMA_U8] = {"u8", 8},      [WMMA_S4] = {"s4", 4},
             [WMMA_U4] = {"u4", 4},    [WMMA_B1] = {"b1", 1},      [WMMA_F32] = {"f32", 32},
             [WMMA_S32] = {"s32", 32}};

unsigned wmma_bits(wmma_type_t type) { return types[type].bits; }

/* ---- the list. shapes: 0 to 2 of K 16, 3 K 8, 4 m8n8. variants: C and D of f16; .satfinite; .xor */
static const struct {
  wmma_type_t ab, c, d;
  unsigned first, last, k, variants;
} kinds[] = {
    {WMMA_F16, WMMA_F32, WMMA_F32, 0, 2, 16, 1},  {WMMA_F16, WMMA_F16, WMMA_F32, 0, 2, 16, 1},
    {WMMA_F16, WMMA_F32, WMMA_F16, 0, 2, 16, 1},  {WMMA_F16, WMMA_F16, WMMA_F16, 0, 2, 16, 1},
    {WMMA_BF16, WMMA_F32, WMMA_F32, 0, 2, 16, 1}, {WMMA_TF32, WMMA_F32, WMMA_F32, 3, 3, 8, 1},
    {WMMA_S8, WMMA_S32, WMMA_S32, 0, 2, 16, 2},   {WMMA_U8, WMMA_S32, WMMA_S32, 0, 2, 16, 2},
    {WMMA_S4, WMMA_S32, WMMA_S32, 4, 4, 32, 2},   {WMMA_U4, WMMA_S32, WMMA_S32, 4, 4, 32, 2},
    {WMMA_B1, WMMA_S32, WMMA_S32, 4, 4, 128, 2}};
static const unsigned shapes[5][2] = {{16, 16}, {8, 32}, {32, 8}, {16, 16}, {8, 8}};

static void place(wmma_t *w, unsigned at, wmma_type_t type, unsigned rows, unsigned columns,
                  bool col) {
  const unsigned gap = w->way == WMMA_SHARED ? 0 : 128 / wmma_bits(type);
  w->place[at].col = col;
  w->place[at].stride = (col ? rows : columns) + gap;
  w->place[at].last = w->way == WMMA_DOWN ? (col ? columns : rows) - 1 : 0;
}

/* Number of a kind, a shape, a variant, layouts (A, B, C, D) and a way. */
static bool choose(unsigned kind, unsigned number, wmma_t *w) {
  const bool narrow = kinds[kind].first == 4;
  const unsigned count = kinds[kind].last - kinds[kind].first + 1;
  const unsigned shape = kinds[kind].first + number % count;
  unsigned rest = number / count;
  const unsigned variant = rest % kinds[kind].variants;
  rest /= kinds[kind].variants;
  const unsigned layouts = narrow ? 1 << 1 | rest % 4 << 2 : rest % 16;
  rest /= narrow ? 4 : 16;
  *w = (wmma_t){.m = shapes[shape][0],
                .n = shapes[shape][1],
                .k = kinds[kind].k,
                .ab = kinds[kind].ab,
                .c = kinds[kind].c,
                .d = kinds[kind].d,
                .way = (wmma_way_t)rest};
  w->sat = variant == 1 && w->ab != WMMA_B1;
  w->xor = variant == 1 && w->ab == WMMA_B1;
  place(w, 0, w->ab, w->m, w->k, layouts & 1);
  place(w, 1, w->ab, w->k, w->n, layouts >> 1 & 1);
  place(w, 2, w->c, w->m, w->n, layouts >> 2 & 1);
  place(w, 3, w->d, w->m, w->n, layouts >> 3 & 1);
  (void)snprintf(w->name, sizeof w->name, "m%un%uk%u %s to %s C %s layouts %x way %u variant %u",
                 w->m, w->n, w->k, types[w->ab].name, types[w->d].name, types[w->c].name, layouts,
                 rest, variant);
  return rest < WMMA_WAYS;
}

bool wmma_at(unsigned index, wmma_t *w) {
  for (unsigned kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
    const unsigned layouts = kinds[kind].first == 4 ? 4 : 16;
    const unsigned count =
        (kinds[kind].last - kinds[kind].first + 1) * kinds[kind].variants * layouts * WMMA_WAYS;
    if (index < count) {
      return choose(kind, index, w);
    }
    index -= count;
  }
  return false;
}

/* ---- text */
typedef struct text {
  char *out;
  size_t n, cap;
} text_t;

__attribute__((format(printf, 2, 3))) static void emit(text_t *t, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  t->n += (size_t)vsnprintf(t->out + t->n, t->cap - t->n, fmt, args);
  va_end(args);
}

/* Registers of a fragment, PTX 9.7.14.4.1. */
static unsigned registers(const wmma_t *w, unsigned at) {
  const wmma_type_t type = at < 2 ? w->ab : at == 2 ? w->c : w->d;
  const unsigned elements = at == 0 ? w->m * w->k : at == 1 ? w->k * w->n : w->m * w->n;
  return at < 2 && type == WMMA_F16 ? 8 : elements * wmma_bits(type) / 1024;
}

/* The results of way ALIAS are C's registers, those of its other half: what the first part of the
 * product writes the second part reads. Otherwise they are A's. */
static void list(text_t *t, const wmma_t *w, unsigned at) {
  const unsigned count = registers(w, at);
  const bool exchanged = at == 3 && w->way == WMMA_ALIAS;
  for (unsigned i = 0; i < count; i++) {
    emit(t, "%s%%%c%u", i == 0 ? "{" : ", ", exchanged ? 'c' : "abca"[at],
         exchanged ? (i + count / 2) % count : i);
  }
  emit(t, "}");
}

/* First line, or with a negative stride the last one; registers that the way needs. */
static void prepare(text_t *t, const wmma_t *w, unsigned at, char letter) {
  const wmma_type_t type = at < 2 ? w->ab : at == 2 ? w->c : w->d;
  const unsigned from = at * WMMA_REGION;
  switch (w->way) {
  case WMMA_ALIAS:
    emit(t, "add.u32 %%%c0, %%sh, %u;\nmov.u32 %%%c1, %%t%u;\n", letter, from, letter, at);
    break;
  case WMMA_DOWN:
    emit(t, "neg.s32 %%t%u, %%t%u;\nadd.u64 %%p, %%g, %u;\n", at, at,
         from + w->place[at].last * w->place[at].stride * wmma_bits(type) / 8);
    break;
  case WMMA_FAR:
    emit(t, "sub.u64 %%p, %%g, %u;\n", FAR_OFFSET - from);
    break;
  default:
    break;
  }
}

static void address(text_t *t, const wmma_t *w, unsigned at, char letter) {
  const unsigned from = at * WMMA_REGION;
  switch (w->way) {
  case WMMA_SHARED:
  case WMMA_LATE:
    emit(t, at % 2 == 0 ? "[%%sh+%u]" : "[sh+%u]", from);
    break;
  case WMMA_ALIAS:
    emit(t, "[%%%c0]", letter);
    break;
  case WMMA_DOWN:
    emit(t, "[%%p]");
    break;
  case WMMA_FAR:
    emit(t, "[%%p+%u]", FAR_OFFSET);
    break;
  default:
    emit(t, "[%%g+%u]", from);
  }
}

static void stride(text_t *t, const wmma_t *w, unsigned at, char letter) {
  if (w->way == WMMA_ALIAS) {
    emit(t, ", %%%c1;\n", letter);
  } else if (w->way == WMMA_GENERIC || w->way == WMMA_GENERIC_SHARED) {
    emit(t, ", %u;\n", w->place[at].stride);
  } else if (w->way == WMMA_SHARED) {
    emit(t, ";\n");
  } else {
    emit(t, ", %%t%u;\n", at);
  }
}

static void move(text_t *t, const wmma_t *w, unsigned at, bool load) {
  static const char *const spaces[] = {".global", "",        ".shared", ".shared",
                                       "",        ".global", ".global", ".shared"};
  const wmma_type_t type = at < 2 ? w->ab : at == 2 ? w->c : w->d;
  const char letter = "abca"[at], address_letter = at == 3 ? 'e' : letter;
  prepare(t, w, at, address_letter);
  emit(t, "%swmma.%s.%c.sync.aligned.%s.m%un%uk%u%s.%s ", w->way == WMMA_FAR ? "@%yes " : "",
       load ? "load" : "store", "abcd"[at], w -> place[at].col ? "col" : "row", w->m, w->n, w->k,
       spaces[w->way], types[type].name);
  if (load) {
    list(t, w, at);
    emit(t, ", ");
  }
  address(t, w, at, address_letter);
  if (!load) {
    emit(t, ", ");
    list(t, w, at);
  }
  stride(t, w, at, address_letter);
}

static void loop(text_t *t, const char *label, bool to_shared) {
  emit(t, "mov.u32 %%i, %%laneid;\nshl.b32 %%i, %%i, 2;\n%s:\n", label);
  emit(t, "cvt.u64.u32 %%q, %%i;\nadd.u64 %%q, %%q, %%from;\nadd.u32 %%s, %%sh, %%i;\n%s",
       to_shared ? "ld.global.u32 %v, [%q];\nst.shared.u32 [%s], %v;\n"
                 : "ld.shared.u32 %v, [%s];\nst.global.u32 [%q], %v;\n");
  emit(t, "add.u32 %%i, %%i, 128;\nsetp.lt.u32 %%more, %%i, %u;\n@%%more bra %s;\n", WMMA_CTA,
       label);
}

/* Late lanes go to ODD, behind the end, of CTA 0 for longer than a turn (docs/microarchitecture.md 7.2),
 * and come back. */
static void copy(text_t *t, const wmma_t *w, const char *label, bool to_shared) {
  const bool late = w->way == WMMA_LATE && to_shared;
  emit(
      t, "bar.warp.sync 0xffffffff;\n%s",
      late
          ? "mov.u32 %v, %laneid;\nand.b32 %v, %v, 1;\nsetp.ne.u32 %more, %v, 0;\n@%more bra ODD;\n"
          : "");
  loop(t, label, to_shared);
  emit(t, late ? "BACK:\n" : "bar.warp.sync 0xffffffff;\n");
}

static void multiply(text_t *t, const wmma_t *w) {
  const bool half = w->ab == WMMA_F16;
  if (w->way == WMMA_FAR) { /* not done */
    emit(t, "@!%%yes trap;\n");
  }
  emit(t, "wmma.mma%s.sync.aligned.%s.%s.m%un%uk%u.%s",
       w->ab != WMMA_B1 ? ""
       : w->xor         ? ".xor.popc"
                        : ".and.popc",
       w->place[0].col ? "col" : "row", w->place[1].col ? "col" : "row", w->m, w->n, w->k,
       types[w->d].name);
  if (!half) {
    emit(t, ".%s.%s", types[w->ab].name, types[w->ab].name);
  }
  emit(t, ".%s%s ", types[w->c].name, w->sat ? ".satfinite" : "");
  list(t, w, 3);
  for (unsigned at = 0; at < 3; at++) {
    emit(t, ", ");
    list(t, w, at);
  }
  emit(t, ";\n");
}

void wmma_text(const wmma_t *w, char *ptx, size_t cap) {
  text_t out = {ptx, 0, cap}, *t = &out;
  const bool shared =
      w->way != WMMA_GLOBAL && w->way != WMMA_GENERIC && w->way != WMMA_DOWN && w->way != WMMA_FAR;
  emit(
      t,
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry product(.param .u64 buffer, "
      ".param .u32 sa, .param .u32 sb, .param .u32 sc, .param .u32 sd) {\n"
      ".shared .align 32 .b8 sh[%u];\n.reg .b32 %%a<8>, %%b<8>, %%c<8>, %%e<2>, %%t<4>, %%i, %%s, %%v, "
      "%%sh;\n.reg .b64 %%g, %%p, %%q, %%from;\n.reg .pred %%more, %%yes;\n"
      "ld.param.u64 %%g, [buffer];\nld.param.u32 %%t0, [sa];\nld.param.u32 %%t1, [sb];\n"
      "ld.param.u32 %%t2, [sc];\nld.param.u32 %%t3, [sd];\nmov.u32 %%i, %%ctaid.x;\n"
      "mad.wide.u32 %%g, %%i, %u, %%g;\nmov.u64 %%from, %%g;\nmov.u32 %%sh, sh;\n"
      "setp.eq.u32 %%yes, %%i, %%i;\n",
      WMMA_CTA, WMMA_CTA);
  if (shared) {
    copy(t, w, "IN", true);
    emit(t, "cvt.u64.u32 %%q, %%sh;\ncvta.shared.u64 %%g, %%q;\n");
  }
  for (unsigned at = 0; at < 3; at++) {
    move(t, w, at, true);
  }
  multiply(t, w);
  move(t, w, 3, false);
  if (shared) {
    copy(t, w, "OUT", false);
  }
  emit(t, "ret;\n");
  if (w->way == WMMA_LATE) {
    emit(t, "ODD:\nmov.u32 %%v, %%ctaid.x;\nsetp.eq.u32 %%more, %%v, 0;\n");
    emit(t, "selp.b32 %%v, 1200, 1, %%more;\nSLOW:\nsub.u32 %%v, %%v, 1;\n");
    emit(t, "setp.ne.u32 %%more, %%v, 0;\n@%%more bra SLOW;\n");
    loop(t, "LATER", true);
    emit(t, "bra BACK;\n");
  }
  emit(t, "}\n");
}
