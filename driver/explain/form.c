/* form.c: what an explained product sums: the profiles of mma.sync, the kinds of tcgen05.mma and their types
 * (explain.h; docs/microarchitecture.md 26.1, 26.9). */
#include <string.h>

#include "driver/explain/parts.h"

#define OF(type) (1u << (type))

static const char *const integers[] = {"s8", "u8", "s32"};

const char *wl_explain_type_name(int type) {
  return type < WL_NUM_FORMAT ? wl_format_name((wl_format_t)type) : integers[type - WL_NUM_FORMAT];
}

/* ---- mma.sync */
typedef struct named_profile {
  const char *name;
  int profile;
} named_profile_t;

static const named_profile_t profiles[] = {
    {"f16_f32", WL_PROFILE_F16_F32},           {"f16_f16", WL_PROFILE_F16_F16},
    {"bf16_f32", WL_PROFILE_BF16_F32},         {"tf32_f32", WL_PROFILE_TF32_F32},
    {"f8f6f4_f32", WL_PROFILE_F8F6F4_F32},     {"f8f6f4_f16", WL_PROFILE_F8F6F4_F16},
    {"mxf8f6f4_f32", WL_PROFILE_MXF8F6F4_F32}, {"mxf4_f32", WL_PROFILE_MXF4_F32}};
enum { OF_MMA_SYNC = 4, PROFILES = sizeof profiles / sizeof profiles[0] };

bool wl_explain_profile(const char *name, wl_explain_t *out) {
  for (int i = 0; i < OF_MMA_SYNC; i++) {
    const wl_profile_t *p = &wl_profiles[profiles[i].profile];
    if (strcmp(profiles[i].name, name) != 0) continue;
    *out = (wl_explain_t){.profile_name = profiles[i].name,
                          .profile = profiles[i].profile,
                          .of_a = p->format,
                          .of_b = p->format,
                          .of_d = p->result,
                          .most = WL_EXPLAIN_MOST};
    return true;
  }
  return false;
}

/* ---- tcgen05.mma */
enum {
  F8F6F4 = OF(WL_FORMAT_E4M3) | OF(WL_FORMAT_E5M2) | OF(WL_FORMAT_E2M3) | OF(WL_FORMAT_E3M2) |
           OF(WL_FORMAT_E2M1),
  F16 = OF(WL_FORMAT_F16) | OF(WL_FORMAT_BF16),
  F32 = OF(WL_FORMAT_F32),
  UE8M0 = OF(WL_FORMAT_UE8M0)
};

typedef struct kind {
  const char *name;
  unsigned most;
  int type, result; /* unless others are named */
  unsigned types, results;
  bool mixes;               /* A and B may have different types */
  unsigned scales, scales4; /* numbers that there may be of them; types of two (of one), of four */
} kind_t;

static const kind_t kinds[] = {
    {"f16", 16, WL_FORMAT_F16, WL_FORMAT_F32, F16, F32 | OF(WL_FORMAT_F16), false, 0, 0},
    {"tf32", 8, WL_FORMAT_TF32, WL_FORMAT_F32, OF(WL_FORMAT_TF32), F32, false, 0, 0},
    {"f8f6f4", 32, WL_FORMAT_E4M3, WL_FORMAT_F32, F8F6F4, F32 | OF(WL_FORMAT_F16), true, 0, 0},
    {"i8", 32, WL_EXPLAIN_S8, WL_EXPLAIN_S32, OF(WL_EXPLAIN_S8) | OF(WL_EXPLAIN_U8),
     OF(WL_EXPLAIN_S32), true, 0, 0},
    {"mxf8f6f4", 32, WL_FORMAT_E4M3, WL_FORMAT_F32, F8F6F4, F32, true, OF(1), 0},
    {"mxf4", 64, WL_FORMAT_E2M1, WL_FORMAT_F32, OF(WL_FORMAT_E2M1), F32, true, OF(2), 0},
    {"mxf4nvf4", 64, WL_FORMAT_E2M1, WL_FORMAT_F32, OF(WL_FORMAT_E2M1), F32, true, OF(2) | OF(4),
     UE8M0 | OF(WL_FORMAT_UE4M3)}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static const kind_t *find_kind(const char *name) {
  for (int i = 0; i < KINDS; i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  return NULL;
}

/* The type that is named, one of `types`; `own` without a name. */
static bool choose(const char *option, const char *name, int own, unsigned types, const kind_t *k,
                   int *out, char *why, size_t size) {
  *out = own;
  for (int i = 0; name != NULL && i < WL_EXPLAIN_TYPES; i++) {
    if ((types >> i & 1) == 0 || strcmp(wl_explain_type_name(i), name) != 0) continue;
    *out = i;
    return true;
  }
  if (name != NULL)
    (void)snprintf(why, size, "%s: kind %s does not have '%s' here", option, k->name, name);
  return name == NULL;
}

static bool choose_scales(const kind_t *k, const char *stype, unsigned scales, wl_explain_t *out,
                          char *why, size_t size) {
  if (k->scales == 0) {
    (void)snprintf(why, size, "kind %s has no block scales", k->name);
    return scales == 0 && stype == NULL;
  }
  if (scales > WL_EXPLAIN_MOST_SCALES || (k->scales >> scales & 1) == 0) {
    (void)snprintf(why, size, "--scale-a has %u values: kind %s has %s for its %u products", scales,
                   k->name,
                   k->scales == OF(1)   ? "1"
                   : k->scales == OF(2) ? "2"
                                        : "2 or 4",
                   k->most);
    return false;
  }
  out->scales = scales;
  return choose("--stype", stype, scales == 4 ? WL_FORMAT_UE4M3 : WL_FORMAT_UE8M0,
                scales == 4 ? k->scales4 : UE8M0, k, &out->of_scale, why, size);
}

static const char *profile_of(const kind_t *k, const wl_explain_t *form) {
  const bool half = form->of_d == WL_FORMAT_F16;
  if (strcmp(k->name, "f16") == 0)
    return form->of_a == WL_FORMAT_BF16 ? "bf16_f32" : half ? "f16_f16" : "f16_f32";
  if (strcmp(k->name, "tf32") == 0) return "tf32_f32";
  if (strcmp(k->name, "f8f6f4") == 0) return half ? "f8f6f4_f16" : "f8f6f4_f32";
  return strcmp(k->name, "mxf8f6f4") == 0 ? "mxf8f6f4_f32" : "mxf4_f32";
}

/* Numbers that go by the types. */
static void finish(const kind_t *k, wl_explain_t *out) {
  out->kind = k->name;
  out->most = k->most;
  if (out->of_d == WL_EXPLAIN_S32) return;
  out->profile_name = profile_of(k, out);
  for (int i = 0; i < PROFILES; i++)
    if (strcmp(profiles[i].name, out->profile_name) == 0) out->profile = profiles[i].profile;
}

bool wl_explain_kind(const wl_explain_names_t *names, unsigned scales, wl_explain_t *out, char *why,
                     size_t size) {
  const kind_t *k = find_kind(names->kind);
  *out = (wl_explain_t){0};
  if (k == NULL) {
    (void)snprintf(why, size, "--kind: there is no '%s'", names->kind);
    return false;
  }
  if (!choose("--atype", names->atype, k->type, k->types, k, &out->of_a, why, size) ||
      !choose("--btype", names->btype, k->mixes ? k->type : out->of_a, k->types, k, &out->of_b, why,
              size) ||
      !choose("--dtype", names->dtype, k->result, k->results, k, &out->of_d, why, size) ||
      !choose_scales(k, names->stype, scales, out, why, size))
    return false;
  if (!k->mixes && out->of_a != out->of_b) {
    (void)snprintf(why, size, "kind %s has one type of A and B", k->name);
    return false;
  }
  if (out->of_a == WL_FORMAT_BF16 && out->of_d == WL_FORMAT_F16) {
    (void)snprintf(why, size, "--dtype: a product of bf16 has no result of f16");
    return false;
  }
  finish(k, out);
  return true;
}

bool wl_explain_lowers(const wl_explain_t *form) {
  return form->kind != NULL && (strcmp(form->kind, "f16") == 0 || strcmp(form->kind, "tf32") == 0);
}

bool wl_explain_clamps(const wl_explain_t *form) { return form->of_d == WL_EXPLAIN_S32; }
