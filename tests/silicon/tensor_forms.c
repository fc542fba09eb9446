#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/silicon/expand.h"
#include "tests/silicon/tensor.h"

#define MMA   "mma.sync.aligned."
#define WGMMA "wgmma.mma_async.sync.aligned."
#define WMMA  "wmma.mma.sync.aligned."
#define SP    "mma.sp{,::ordered_metadata}.sync.aligned."
#define WSP   "wgmma.mma_async.sp.sync.aligned."

/* What is recorded, by file. {x,y}: one operation for each. After the instruction: "selector N",
 * "twice" (two instructions, D of the first is C of the second), "A in shared memory", "minus A",
 * "minus B", "without C", "swizzle 32" (64, 128), "A transposed", "B transposed", "steps N" (so many
 * instructions), "by columns" (C and D in memory, wmma). */
static const struct {
  const char *part, *text;
} forms[] = {
    {"tensor", MMA "{m16n8k8,m16n8k16}.row.col{.f32.f16.f16.f32,.f16.f16.f16.f16}"},
    {"tensor", MMA "{m16n8k8,m16n8k16}.row.col.f32.bf16.bf16.f32"},
    {"tensor", MMA "{m16n8k4,m16n8k8}.row.col.f32.tf32.tf32.f32"},
    {"tensor", MMA "m16n8k32.row.col.f32{.e4m3.e4m3,.e4m3.e5m2,.e5m2.e5m2}.f32"},
    {"tensor", MMA "m16n8k32.row.col{.s32.s8.s8,.satfinite.s32.s8.u8}.s32"},
    {"tensor", MMA "m8n8k4.row.col.f64.f64.f64.f64"},
    {"tensor", WGMMA "m64n8k16{.f32.f16.f16,.f16.f16.f16,.f32.bf16.bf16}"},
    {"tensor", WGMMA "m64n8k8.f32.tf32.tf32"},
    {"tensor", WGMMA "m64n8k32{.f32.e4m3.e4m3,.f32.e4m3.e5m2,.f32.e5m2.e5m2,.f16.e4m3.e4m3}"},
    {"tensor", WGMMA "m64n8k32.s32.s8.s8"},

    {"sparse", SP "m16n8k16.row.col.f32.f16.f16.f32 selector {0,1,2,3}"},
    {"sparse", SP "m16n8k16.row.col{.f16.f16.f16.f16,.f32.bf16.bf16.f32} selector 1"},
    {"sparse", SP "m16n8k32.row.col{.f32.f16.f16.f32,.f16.f16.f16.f16,.f32.bf16.bf16.f32}"
                  " selector {0,1}"},
    {"sparse", SP "m16n8k8.row.col.f32.tf32.tf32.f32 selector {0,2}"},
    {"sparse", SP "m16n8k16.row.col.f32.tf32.tf32.f32 selector {0,1}"},
    {"sparse", SP "m16n8k32.row.col{.s32.s8.s8,.satfinite.s32.s8.u8}.s32 selector {0,1}"},
    {"sparse", SP "m16n8k64.row.col{.s32.u8.s8,.satfinite.s32.s8.s8}.s32 selector 0"},
    {"sparse", SP "m16n8k64.row.col{.s32.s4.s4,.satfinite.s32.u4.s4}.s32 selector {0,1}"},
    {"sparse", SP "m16n8k128.row.col{.s32.s4.s4,.satfinite.s32.s4.u4}.s32 selector 0"},
    {"sparse", SP "m16n8k64.row.col.f32{.e4m3.e4m3,.e4m3.e5m2,.e5m2.e5m2}.f32 selector 0"},
    {"sparse", WSP "m64n8k32{.f32.f16.f16,.f16.f16.f16,.f32.bf16.bf16} selector {0,1}"},
    {"sparse", WSP "m64n8k16.f32.tf32.tf32 selector {0,1}"},
    {"sparse", WSP "m64n8k64{.f32.e4m3.e4m3,.f32.e5m2.e4m3,.f16.e4m3.e4m3} selector 0"},
    {"sparse", WSP "m64n8k64{.s32.s8.s8,.satfinite.s32.u8.s8} selector 0"},
    {"sparse", WSP "m64n8k32.f32.f16.f16 selector 1 A in shared memory"},
    {"sparse", WSP "m64n8k64{.s32.s8.s8,.f32.e4m3.e4m3} selector 0 A in shared memory"},

    {"narrow", MMA "m8n8k32.row.col{.s32,.satfinite.s32}{.s4,.u4}{.s4,.u4}.s32"},
    {"narrow", MMA "{m16n8k32,m16n8k64}.row.col{.s32,.satfinite.s32}{.s4.s4,.u4.s4,.u4.u4}.s32"},
    {"narrow", MMA "{m8n8k128,m16n8k128,m16n8k256}.row.col.s32.b1.b1.s32{.and,.xor}.popc"},
    {"narrow", MMA "{m8n8k16,m16n8k16}.row.col{.s32.s8.u8,.satfinite.s32.u8.s8}.s32"},
    {"narrow", MMA "m16n8k16.row.col{.f32.e4m3.e4m3.f32,.f32.e5m2.e4m3.f32,.f16.e4m3.e5m2.f16}"},
    {"narrow", MMA "m16n8k32.row.col.f16{.e4m3.e4m3,.e5m2.e5m2}.f16"},

    {"double", MMA "m8n8k4.row.col.f64.f64.f64.f64{.rz,.rm,.rp}"},
    {"double", MMA "{m16n8k4,m16n8k8,m16n8k16}.row.col.f64.f64.f64.f64{,.rz,.rm,.rp}"},

    {"warpgroup", WGMMA "m64n8k16{.f32.f16.f16,.f16.f16.f16,.f32.bf16.bf16} A in shared memory"},
    {"warpgroup", WGMMA "m64n8k8.f32.tf32.tf32 A in shared memory"},
    {"warpgroup", WGMMA "m64n8k32{.f32.e4m3.e4m3,.s32.s8.s8} A in shared memory"},
    {"warpgroup", WGMMA "m64n8k256.s32.b1.b1.and.popc{, A in shared memory}"},
    {"warpgroup", WGMMA "m64n8k32{.satfinite.s32.s8.s8,.satfinite.s32.u8.s8,.s32.u8.u8}"},
    {"warpgroup", WGMMA "m64n8k32.f16.e5m2.e4m3"},
    {"warpgroup", WGMMA "m64n8k16{.f32.f16.f16,.f16.f16.f16}{ minus A, minus B, without C}"},
    {"warpgroup", WGMMA "m64n8k32.f32.e4m3.e4m3{ minus A, minus B, without C}"},
    {"warpgroup", WGMMA "m64n8k8.f32.tf32.tf32 minus A minus B"},
    {"warpgroup", WGMMA "m64n8k32.s32.s8.s8 without C"},

    {"layout", WGMMA "m64n8k16.f32.f16.f16 A in shared memory{ swizzle 32, swizzle 64, swizzle 128}"
                     "{, A transposed}{, B transposed}"},
    {"layout", WGMMA "m64n8k16.f32.f16.f16 A in shared memory"
                     "{ A transposed, B transposed, A transposed B transposed}"},
    {"layout", WGMMA "m64n8k16.f32.bf16.bf16{ swizzle 128 B transposed, B transposed}"},
    {"layout", WGMMA "{m64n8k32.s32.s8.s8,m64n8k8.f32.tf32.tf32} A in shared memory"
                     "{ swizzle 32, swizzle 64, swizzle 128}"},
    {"layout", WSP "m64n8k64.s32.s8.s8 selector 0 A in shared memory{ swizzle 64, swizzle 128}"},
    {"layout", WGMMA "{m64n16k16,m64n32k16}.f32.f16.f16{, swizzle 128}{, B transposed}"},
    {"layout", WGMMA "m64n24k16.f16.f16.f16 A in shared memory"},
    {"layout", WGMMA "{m64n16k32,m64n32k32}.s32.s8.s8{, swizzle 32}"},

    {"chain", MMA "{m16n8k8,m16n8k16}.row.col{.f32.f16.f16.f32,.f16.f16.f16.f16} twice"},
    {"chain", MMA "m16n8k16.row.col.f32.bf16.bf16.f32 twice"},
    {"chain", MMA "{m16n8k4,m16n8k8}.row.col.f32.tf32.tf32.f32 twice"},
    {"chain", MMA "m16n8k32.row.col{.f32.e4m3.e4m3.f32,.satfinite.s32.s8.s8.s32} twice"},
    {"chain", MMA "{m8n8k4,m16n8k8}.row.col.f64.f64.f64.f64 twice"},
    {"chain", WGMMA "m64n8k16{.f32.f16.f16,.f16.f16.f16,.f32.bf16.bf16} twice"},
    {"chain", WGMMA "m64n8k8.f32.tf32.tf32 twice"},
    {"chain", WGMMA "m64n8k32{.f32.e4m3.e4m3,.f16.e4m3.e4m3,.satfinite.s32.s8.s8} twice"},

    {"quad", MMA "m8n8k4{.row.col,.row.row,.col.row,.col.col}"
                 "{.f32.f16.f16.f32,.f16.f16.f16.f16,.f32.f16.f16.f16}"},
    {"quad", MMA "m8n8k4.row.col{.f32.f16.f16.f32,.f16.f16.f16.f16} twice"},

    {"wmma", WMMA "row.col.{m16n16k16,m8n32k16,m32n8k16}{.f32.f32,.f16.f16,.f32.f16,.f16.f32}"},
    {"wmma", WMMA "row.col.{m16n16k16,m8n32k16,m32n8k16}{.f32.f32,.f16.f16} steps 4"},
    {"wmma", WMMA "{row.row,col.row,col.col}.m16n16k16.f32.f32 steps 2 by columns"},
    {"wmma", WMMA "col.row.{m8n32k16,m32n8k16}.f16.f16 steps 2 by columns"},
    {"wmma", WMMA "row.col.{m16n16k16,m8n32k16,m32n8k16}.f32.bf16.bf16.f32 steps {1,3}"},
    {"wmma", WMMA "col.row.{m16n16k16,m8n32k16,m32n8k16}.f32.bf16.bf16.f32 steps 2 by columns"},
    {"wmma", WMMA "row.col.m16n16k8.f32.tf32.tf32.f32 steps {1,4}"},
    {"wmma", WMMA "{row.row,col.row,col.col}.m16n16k8.f32.tf32.tf32.f32 steps 2 by columns"},
    {"wmma", WMMA "row.col.{m16n16k16,m8n32k16,m32n8k16}.s32{.s8.s8,.u8.u8}.s32 steps 4"},
    {"wmma", WMMA "col.row.{m16n16k16,m8n32k16,m32n8k16}{.s32.s8.s8.s32,.s32.u8.u8.s32}.satfinite"
                  " steps 2 by columns"},
    {"wmma", WMMA "row.col.m8n8k32.s32{.s4.s4,.u4.u4}.s32{,.satfinite} steps 2"},
    {"wmma", "wmma.mma{.and,.xor}.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 steps 2"},
    {"wmma", WMMA "{row.col,row.row,col.row,col.col}.m8n8k4.f64.f64.f64.f64 steps 4"},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

const char *tensor_part(size_t index) {
  const char *last = "";
  for (size_t i = 0; i < FORMS; i++) {
    if (strcmp(forms[i].part, last) != 0 && index-- == 0) {
      return forms[i].part;
    }
    last = forms[i].part;
  }
  return NULL;
}

unsigned tensor_shown(const char *part) {
  return strcmp(part, "tensor") == 0 ? TENSOR_SHOWN : TENSOR_SHOWN2;
}

/* ---- Types. */

static const struct {
  const char *name;
  tensor_format_t format;
} types[] = {[TENSOR_F16] = {".f16", {16, 5, 10, 0}},    [TENSOR_BF16] = {".bf16", {16, 8, 7, 0}},
             [TENSOR_TF32] = {".tf32", {32, 8, 10, 13}}, [TENSOR_E4M3] = {".e4m3", {8, 4, 3, 0}},
             [TENSOR_E5M2] = {".e5m2", {8, 5, 2, 0}},    [TENSOR_F64] = {".f64", {64, 11, 52, 0}},
             [TENSOR_S8] = {".s8", {8, 0, 0, 0}},        [TENSOR_U8] = {".u8", {8, 0, 0, 0}},
             [TENSOR_F32] = {".f32", {32, 8, 23, 0}},    [TENSOR_S32] = {".s32", {32, 0, 0, 0}},
             [TENSOR_S4] = {".s4", {4, 0, 0, 0}},        [TENSOR_U4] = {".u4", {4, 0, 0, 0}},
             [TENSOR_B1] = {".b1", {1, 0, 0, 0}}};

const tensor_format_t *tensor_format(tensor_type_t type) { return &types[type].format; }
const char *tensor_type_name(tensor_type_t type) { return types[type].name; }
bool tensor_is_integer(tensor_type_t type) { return types[type].format.exponent == 0; }

/* The next word of a name, if it is a type. */
static bool next_type(const char **at, tensor_type_t *type) {
  size_t length = **at == '.' ? 1 + strcspn(*at + 1, ". ") : 0;
  for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++) {
    if (strlen(types[i].name) == length && strncmp(types[i].name, *at, length) == 0) {
      *at += length;
      *type = (tensor_type_t)i;
      return true;
    }
  }
  return false;
}

/* D, A, B (and C, if it is not of D's type); of wmma with f16: D, C. */
static void parse_types(tensor_t *t, const char *at) {
  tensor_type_t *const to[] = {&t->d, &t->a, &t->b, &t->c};
  unsigned count = 0;
  while (count < 4 && next_type(&at, to[count])) {
    count++;
  }
  if (count < 2) {
    (void)fprintf(stderr, "tensor: no types in %s\n", t->name);
    abort();
  }
  if (count == 2) {
    t->c = t->a;
    t->a = t->b = TENSOR_F16;
  } else if (count == 3) {
    t->c = t->d;
  }
}

/* ---- Operations. */

static unsigned number_behind(const char *text, const char *word, unsigned without) {
  const char *at = strstr(text, word);
  return at != NULL ? (unsigned)strtoul(at + strlen(word), NULL, 10) : without;
}

/* Shape and types are in the name: .m16n8k16, then D, A, B, C. */
static void parse_name(tensor_t *t) {
  const char *at = strstr(t->name, ".m");
  while (at[2] < '0' || at[2] > '9') {
    at = strstr(at + 1, ".m");
  }
  char *end = NULL;
  t->m = (unsigned)strtoul(at + 2, &end, 10);
  t->n = (unsigned)strtoul(end + 1, &end, 10);
  t->k = (unsigned)strtoul(end + 1, &end, 10) * t->steps;
  t->a_col = strstr(t->name, ".col.row") != NULL || strstr(t->name, ".col.col") != NULL;
  t->b_row = strstr(t->name, ".row.row") != NULL || strstr(t->name, ".col.row") != NULL;
  at = end;
  at += strncmp(at, ".row.", 5) == 0 || strncmp(at, ".col.", 5) == 0 ? 8 : 0;
  at += strncmp(at, ".satfinite", 10) == 0 ? 10 : 0;
  parse_types(t, at);
  t->quads = !t->wmma && t->k == 4 * t->steps && t->a == TENSOR_F16 ? 4 : 1;
  t->m *= t->quads;
}

static void parse(tensor_t *t, const char *text) {
  *t = (tensor_t){.steps = strstr(text, " twice") != NULL ? 2 : number_behind(text, " steps ", 1)};
  (void)snprintf(t->label, sizeof t->label, "%s", text);
  (void)snprintf(t->name, sizeof t->name, "%.*s", (int)strcspn(text, " "), text);
  t->wmma = strncmp(text, "wmma", 4) == 0;
  t->warpgroup = strncmp(text, "wgmma", 5) == 0;
  parse_name(t);
  t->sparse = strstr(text, " selector ") != NULL;
  t->ordered = strstr(text, "::ordered") != NULL;
  t->selector = number_behind(text, " selector ", 0);
  t->a_shared = strstr(text, " A in shared") != NULL;
  t->minus_a = strstr(text, " minus A") != NULL;
  t->minus_b = strstr(text, " minus B") != NULL;
  t->without_c = strstr(text, " without C") != NULL;
  t->swizzle = number_behind(text, " swizzle ", 0);
  t->trans_a = strstr(text, " A transposed") != NULL;
  t->trans_b = strstr(text, " B transposed") != NULL;
  t->c_col = strstr(text, " by columns") != NULL;
  t->image = !t->wmma && (t->swizzle != 0 || t->trans_a || t->trans_b || t->n > 8);
}

const tensor_t *tensor_at(const char *part, size_t index) {
  static tensor_t t;
  char text[128];
  for (size_t i = 0; i < FORMS; i++) {
    for (size_t number = 0;
         strcmp(forms[i].part, part) == 0 && expand(forms[i].text, number, text, sizeof text);
         number++) {
      if (index-- == 0) {
        parse(&t, text);
        return &t;
      }
    }
  }
  return NULL;
}
