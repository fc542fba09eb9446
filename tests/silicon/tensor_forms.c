#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/silicon/expand.h"
#include "tests/silicon/tensor.h"

#define MMA   "mma.sync.aligned."
#define WGMMA "wgmma.mma_async.sync.aligned."
#define SP    "mma.sp{,::ordered_metadata}.sync.aligned."
#define WSP   "wgmma.mma_async.sp.sync.aligned."

/* What is recorded, by file. {x,y}: one operation for each. After the instruction: "selector N",
 * "twice" (two instructions, D of the first is C of the second), "A in shared memory", "minus A",
 * "minus B", "without C", "swizzle 32" (64, 128), "A transposed", "B transposed". */
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
bool tensor_is_integer(tensor_type_t type) { return types[type].format.exponent == 0; }

/* The next type of a name. */
static tensor_type_t type_at(const char **at) {
  size_t length = 1 + strcspn(*at + 1, ". ");
  for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++) {
    if (strlen(types[i].name) == length && strncmp(types[i].name, *at, length) == 0) {
      *at += length;
      return (tensor_type_t)i;
    }
  }
  (void)fprintf(stderr, "tensor: no type at %s\n", *at);
  abort();
}

/* ---- Operations. */

/* Shape and types are in the name: .m16n8k16, then D, A, B (and C, of D's type). */
static void parse(tensor_t *t, const char *text) {
  *t = (tensor_t){.steps = strstr(text, " twice") != NULL ? 2 : 1};
  (void)snprintf(t->label, sizeof t->label, "%s", text);
  (void)snprintf(t->name, sizeof t->name, "%.*s", (int)strcspn(text, " "), text);
  const char *at = strstr(t->name, ".m"), *selector = strstr(text, " selector ");
  const char *swizzle = strstr(text, " swizzle ");
  while (at[2] < '0' || at[2] > '9') {
    at = strstr(at + 1, ".m");
  }
  char *end = NULL;
  t->m = (unsigned)strtoul(at + 2, &end, 10);
  t->n = (unsigned)strtoul(end + 1, &end, 10);
  t->k = (unsigned)strtoul(end + 1, &end, 10) * t->steps;
  at = end + (strncmp(end, ".row.col", 8) == 0 ? 8 : 0);
  at += strncmp(at, ".satfinite", 10) == 0 ? 10 : 0;
  t->c = type_at(&at);
  t->a = type_at(&at);
  t->b = type_at(&at);
  t->warpgroup = strncmp(text, "wgmma", 5) == 0;
  t->sparse = selector != NULL;
  t->ordered = strstr(text, "::ordered") != NULL;
  t->selector = t->sparse ? (unsigned)strtoul(selector + strlen(" selector "), NULL, 10) : 0;
  t->a_shared = strstr(text, " A in shared") != NULL;
  t->minus_a = strstr(text, " minus A") != NULL;
  t->minus_b = strstr(text, " minus B") != NULL;
  t->without_c = strstr(text, " without C") != NULL;
  t->swizzle = swizzle != NULL ? (unsigned)strtoul(swizzle + strlen(" swizzle "), NULL, 10) : 0;
  t->trans_a = strstr(text, " A transposed") != NULL;
  t->trans_b = strstr(text, " B transposed") != NULL;
  t->image = t->swizzle != 0 || t->trans_a || t->trans_b || t->n > 8;
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
