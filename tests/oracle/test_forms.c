/* test_forms: every supported arithmetic form of ptx_op.def on a backend of libwarplock and on the oracle,
 * with the same operands: boundary values, small numbers, near neighbours, random bits. Results
 * must be equal bit for bit. This is what shows a mistake in cmodel/sem that func and model share.
 *   test_forms [--backend B] [--config C] [--ctas N] [--form TEXT] [--least N]
 *              [--values N | --alias]
 * 64 operand sets per CTA. A form that the table calls supported and the machine refuses fails, but
 * for f64 other than sums and products and f16, whose arithmetic isa/lower refuses, and for all f64 where
 * the configuration lacks the unit. Fewer than --least compared ones fail. --values N: instead of registers only, every subset of the sources
 * that may be constants is one, N times with other values: the assembler selects other
 * instructions for them. --alias: every pattern in which a destination is a source or the guard. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/wl_config.h"
#include "tests/oracle/alias.h"
#include "tests/oracle/form_list.h"
#include "tests/oracle/form_operands.h"
#include "tests/oracle/pair.h"

enum { SOURCES = 4, BLOCK = 64, CAP = 16384 };

typedef struct test {
  wl_device_options_t device;
  const char *only;
  uint32_t ctas, sets;
  uint64_t *in, *machine, *oracle; /* 4, 2, 2 words per set */
  bool alias;
  const char *form, *operands; /* whose patterns are being tried */
  unsigned least, values, forms, compared, rejected, failed;
  uint64_t results;
} test_t;

static bool make_operands(test_t *t) {
  uint64_t state = 20261121, before = 0;
  t->sets = t->ctas * BLOCK;
  t->device.mem_bytes = (UINT64_C(4) << 20) + t->sets * UINT64_C(64);
  t->in = calloc((size_t)t->sets * SOURCES, sizeof *t->in);
  t->machine = calloc((size_t)t->sets * 2, sizeof *t->machine);
  t->oracle = calloc((size_t)t->sets * 2, sizeof *t->oracle);
  for (size_t i = 0; t->in != NULL && i < (size_t)t->sets * SOURCES; i++) {
    before = t->in[i] = wl_form_operand(&state, before);
  }
  for (uint32_t set = 0; t->in != NULL && set < 256 && 2 * set < t->sets; set++) {
    wl_form_pair(&t->in[(size_t)2 * set * SOURCES], set * 37 % 256);
  }
  return t->in != NULL && t->machine != NULL && t->oracle != NULL;
}

/* ---- the program of one form ---- */
typedef struct variant { /* constants: bit i of mask = source i; `value` chooses which */
  unsigned mask, value;
  bool field; /* positions and lengths of bit fields must be small constants */
  wl_alias_t alias;
} variant_t;

static const char *constant(char letter, unsigned which) {
  static const char *const w[] = {"0",   "5",          "31", "1",          "32", "33",
                                  "200", "0x80000000", "-1", "0x7fffffff", "64", "1000"};
  static const char *const h[] = {"0", "5", "1", "0x7fff", "-1", "-32768"};
  static const char *const x[] = {"0",          "5", "-1",          "0x8000000000000000",
                                  "0x7fffffff", "1", "0x100000000", "0xffffffff80000000"};
  static const char *const f[] = {"0f3FC00000", "0f00000001", "0fBF800000", "0f80000000",
                                  "0f7F800000", "0f7FC00000", "0f00800000", "1.0"};
  static const char *const d[] = {
      "0d3FF8000000000000", "0d0000000000000001", "0dBFF0000000000000", "0d8000000000000000",
      "0d7FF0000000000000", "0d7FF0000000000001", "0d3CA0000000000001", "1.1"};
  switch (letter) {
  case 'h':
    return h[which % 6];
  case 'w':
    return w[which % 12];
  case 'x':
    return x[which % 8];
  case 'd':
    return d[which % 8];
  default:
    return f[which % 8];
  }
}

/* Destination k: a register of its own, or that of a source. */
static void destination(char *to, size_t cap, char letter, int k, const wl_alias_t *a) {
  char own = letter == 'p' && k == 1 ? 'q' : letter;
  if (!a->used || a->dst[k] == WL_ALIAS_OWN) {
    (void)snprintf(to, cap, "%%%cd", own);
  } else {
    (void)snprintf(to, cap, "%%%c%d", letter, a->dst[k] % SOURCES);
  }
}

static void operand_text(char *to, size_t cap, const char *token, unsigned index, variant_t v) {
  bool neg = token[0] == '!';
  char letter = token[neg ? 1 : 0];
  if (index == 0) {
    destination(to, cap, wl_alias_letter(letter, 0), 0, &v.alias);
    if (wl_alias_letter(letter, 1) != 0) {
      size_t n = strlen(to);
      to[n] = '|';
      destination(to + n + 1, cap - n - 1, 'p', 1, &v.alias);
    }
  } else if ((v.mask >> (index - 1) & 1) != 0 && strchr("hwxfd", letter) != NULL) {
    unsigned which = v.value * 5 + index * index;
    (void)snprintf(to, cap, "%s", constant(letter, v.field ? which % 7 : which));
  } else if (strchr("hwxfdp", letter) != NULL) {
    int source = v.alias.used ? v.alias.source[index - 1] : (int)index - 1;
    (void)snprintf(to, cap, "%s%%%c%d", neg ? "!" : "", letter, source % SOURCES);
  } else {
    (void)snprintf(to, cap, "%s", token);
  }
}

/* The guard, which the instruction writes; and behind it the results in registers of their own. */
static size_t guard_text(char *to, size_t cap, char token, const wl_alias_t *a) {
  char p[8];
  if (!a->used || a->guard == WL_ALIAS_NO_GUARD) {
    return 0;
  }
  destination(p, sizeof p, wl_alias_letter(token, a->guard - WL_ALIAS_FIRST),
              a->guard - WL_ALIAS_FIRST, a);
  return (size_t)snprintf(to, cap, "@%s ", p);
}

static size_t results_text(char *to, size_t cap, char token, const wl_alias_t *a) {
  size_t n = 0;
  char from[8], own[8];
  for (int k = 0; a->used && k < 2 && wl_alias_letter(token, k) != 0; k++) {
    char letter = wl_alias_letter(token, k);
    const char *type = letter == 'p'   ? "pred"
                       : letter == 'h' ? "b16"
                       : letter == 'x' ? "b64"
                       : letter == 'f' ? "f32"
                       : letter == 'd' ? "f64"
                                       : "b32";
    destination(from, sizeof from, letter, k, a);
    destination(own, sizeof own, letter, k, &(wl_alias_t){0});
    n += (size_t)snprintf(to + n, cap - n, "mov.%s %s, %s;\n", type, own, from);
  }
  return n;
}

static size_t program(char *text, const char *form, const char *operands, variant_t v) {
  static const char head[] =
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry t(.param .u64 in, .param .u64 out)\n{\n"
      ".reg .pred %p<4>, %pd, %qd;\n.reg .b16 %h<4>, %hd;\n.reg .b32 %w<4>, %wd, %t<3>;\n"
      ".reg .b64 %x<4>, %xd, %e, %in, %out, %o;\n.reg .f32 %f<4>, %fd;\n.reg .f64 %d<4>, %dd;\n"
      "mov.u32 %t0, %ctaid.x;\nmov.u32 %t1, %ntid.x;\nmov.u32 %t2, %tid.x;\n"
      "mad.lo.u32 %t0, %t0, %t1, %t2;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
      "mul.wide.u32 %o, %t0, 32;\nadd.s64 %in, %in, %o;\n"
      "mul.wide.u32 %o, %t0, 16;\nadd.s64 %out, %out, %o;\nmov.u64 %xd, 0;\nmov.u64 %e, 0;\n";
  size_t n = (size_t)snprintf(text, CAP, "%s", head);
  for (unsigned i = 0; i < SOURCES; i++) {
    n +=
        (size_t)snprintf(text + n, CAP - n,
                         "ld.global.b64 %%x%u, [%%in+%u];\ncvt.u32.u64 %%w%u, %%x%u;\n"
                         "cvt.u16.u64 %%h%u, %%x%u;\nmov.b32 %%f%u, %%w%u;\nmov.b64 %%d%u, %%x%u;\n"
                         "and.b32 %%wd, %%w%u, 1;\nsetp.ne.u32 %%p%u, %%wd, 0;\n",
                         i, 8 * i, i, i, i, i, i, i, i, i, i, i);
  }
  n += (size_t)snprintf(text + n, CAP - n, "mov.pred %%pd, %%p3;\nnot.pred %%qd, %%p3;\n");
  n += guard_text(text + n, CAP - n, operands[0], &v.alias);
  n += (size_t)snprintf(text + n, CAP - n, "%s", form);
  char copy[64], *rest = copy, operand_buf[80];
  (void)snprintf(copy, sizeof copy, "%s", operands);
  char letter = copy[0] == 'F' ? 'f' : copy[0];
  for (unsigned index = 0; *rest != 0; index++) {
    char *token = rest;
    rest += strcspn(rest, " ");
    rest += *rest != 0 ? (*rest = 0, 1) : 0;
    operand_text(operand_buf, sizeof operand_buf, token, index, v);
    n += (size_t)snprintf(text + n, CAP - n, "%s %s", index == 0 ? "" : ",", operand_buf);
  }
  static const struct {
    char letter;
    const char *code;
  } widen[] = {{'h', "cvt.u64.u16 %xd, %hd;\n"},
               {'w', "cvt.u64.u32 %xd, %wd;\n"},
               {'f', "mov.b32 %wd, %fd;\ncvt.u64.u32 %xd, %wd;\n"},
               {'p', "selp.b64 %xd, 1, 0, %pd;\n"},
               {'q', "selp.b64 %xd, 1, 0, %pd;\nselp.b64 %e, 1, 0, %qd;\n"},
               {'W', "cvt.u64.u32 %xd, %wd;\nselp.b64 %e, 1, 0, %qd;\n"},
               {'x', ""},
               {'d', "mov.b64 %xd, %dd;\n"}};
  n += (size_t)snprintf(text + n, CAP - n, ";\n");
  n += results_text(text + n, CAP - n, operands[0], &v.alias);
  for (size_t i = 0; i < sizeof widen / sizeof widen[0]; i++) {
    if (widen[i].letter == letter) {
      n += (size_t)snprintf(text + n, CAP - n, "%s", widen[i].code);
    }
  }
  return n + (size_t)snprintf(text + n, CAP - n,
                              "st.global.b64 [%%out], %%xd;\nst.global.b64 [%%out+8], %%e;\n"
                              "ret;\n}\n");
}

/* ---- both sides ---- */
static bool is_nan(uint64_t v) { return (v & 0x7fffffff) > 0x7f800000; }

static unsigned count_differences(test_t *t, const char *form, char kind) {
  unsigned different = 0;
  for (uint32_t i = 0; i < t->sets; i++) {
    const uint64_t *m = &t->machine[2 * i], *o = &t->oracle[2 * i], *in = &t->in[4 * i];
    bool both_nan = kind == 'F' && is_nan(m[0]) && is_nan(o[0]);
    if ((m[0] != o[0] || m[1] != o[1]) && !both_nan && different++ < 3) {
      printf("%s: of %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 ": machine %" PRIx64
             " %" PRIx64 ", oracle %" PRIx64 " %" PRIx64 "\n",
             form, in[0], in[1], in[2], in[3], m[0], m[1], o[0], o[1]);
    }
  }
  return different;
}

static bool ends_with(const char *form, const char *end) {
  size_t n = strlen(form), m = strlen(end);
  return n >= m && strcmp(form + n - m, end) == 0;
}

/* Conversions between formats that the machine has. */
static bool between_formats(const char *form) {
  static const char *const types[] = {".f16.f32", ".f16x2.f32",    ".bf16x2.f32",
                                      ".f32.f16", ".f16x2.e4m3x2", ".f16x2.e5m2x2"};
  bool found = false;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    found = found || ends_with(form, types[i]);
  }
  bool directed = strstr(form, ".rm") != NULL || strstr(form, ".rp") != NULL;
  bool flushed = directed && strstr(form, ".ftz") != NULL && ends_with(form, ".f16.f32");
  return strncmp(form, "cvt.", 4) == 0 && found && !flushed;
}

/* Sums and products of f64, and the configuration has their unit. */
static bool has_f64(const test_t *t, const char *form) {
  bool sums = strncmp(form, "add", 3) == 0 || strncmp(form, "sub", 3) == 0 ||
              strncmp(form, "mul", 3) == 0 || strncmp(form, "mad", 3) == 0 ||
              strncmp(form, "fma", 3) == 0;
  const char *config = t->device.config == NULL ? "base" : t->device.config;
  bool unit = false;
  for (size_t i = 0; i < WL_NUM_CONFIGS; i++) {
    unit = unit || (strcmp(wl_configs[i].name, config) == 0 && wl_configs[i].fp64 != 0);
  }
  return sums && unit;
}

/* Other arithmetic of f64 and f16, and saturations between integers that cannot clamp anything. */
static bool may_be_refused(const test_t *t, const char *form, wl_status_t s) {
  bool later = (strstr(form, ".f64") != NULL && !has_f64(t, form)) ||
               (strstr(form, ".f16") != NULL && !between_formats(form));
  bool idle = strncmp(form, "cvt.", 4) == 0 && strstr(form, ".sat") != NULL;
  return s == WL_ERR_UNSUPPORTED ? later : idle;
}

static void one(test_t *t, const char *form, const char *operands, variant_t v) {
  char text[CAP], why[1024];
  size_t size = program(text, form, operands, v);
  wl_pair_t pair = {.device = t->device,
                    .text = text,
                    .size = size,
                    .ctas = t->ctas,
                    .block = BLOCK,
                    .in = t->in,
                    .in_bytes = t->sets * (size_t)32,
                    .out_bytes = t->sets * (size_t)16};
  t->forms++;
  wl_status_t s = wl_pair_machine(&pair, t->machine, why, sizeof why);
  if (s == WL_ERR_UNSUPPORTED || s == WL_ERR_INPUT) {
    t->rejected++;
    if (!may_be_refused(t, form, s) && v.mask == 0) { /* of constants some have no meaning */
      printf("%s: not on the machine: %.*s\n", form, (int)strcspn(why, "\n"), why);
      t->failed++;
    }
    return;
  }
  if (s != WL_OK || !wl_pair_oracle(&pair, t->oracle, why, sizeof why)) {
    printf("%s: %s: %s\n", form, s != WL_OK ? "machine" : "oracle", why);
    t->failed++;
    return;
  }
  t->compared++;
  t->results += t->sets;
  if (count_differences(t, form, operands[0]) != 0) {
    t->failed++;
    const char *at = strstr(text, form);
    printf("  in: %.*s\n", (int)strcspn(at, ";"), at);
  }
}

static void pattern(void *context, const wl_alias_t *a) {
  test_t *t = context;
  one(t, t->form, t->operands, (variant_t){.alias = *a});
}

static void row(void *context, const char *form, const char *operands) {
  test_t *t = context;
  unsigned may = 0, index = 0; /* sources that may be constants */
  if (t->only != NULL && strstr(form, t->only) == NULL) {
    return;
  }
  if (t->alias) {
    t->form = form;
    t->operands = operands;
    wl_alias_list(operands, pattern, t);
    return;
  }
  if (t->values == 0) {
    one(t, form, operands, (variant_t){0});
    return;
  }
  for (const char *at = strchr(operands, ' '); at != NULL; at = strchr(at + 1, ' ')) {
    may |= strchr("hwxfd", at[1]) != NULL ? 1u << index : 0;
    index++;
  }
  for (unsigned mask = may; mask != 0; mask = (mask - 1) & may) {
    for (unsigned value = 0; value < t->values; value++) {
      one(t, form, operands,
          (variant_t){
              .mask = mask, .value = value + mask * 3, .field = strncmp(form, "bf", 2) == 0});
    }
  }
}

int main(int argc, char **argv) {
  test_t t = {.ctas = 16};
  for (int i = 1; i < argc; i += 2) {
    const char *value = i + 1 < argc ? argv[i + 1] : "";
    switch (argv[i][2]) {
    case 'a':
      t.alias = true;
      i--;
      break;
    case 'b':
      t.device.backend = value;
      break;
    case 'c':
      argv[i][3] == 't' ? (void)(t.ctas = (uint32_t)strtoul(value, NULL, 0))
                        : (void)(t.device.config = value);
      break;
    case 'f':
      t.only = value;
      break;
    case 'v':
      t.values = (unsigned)strtoul(value, NULL, 0);
      break;
    default:
      t.least = (unsigned)strtoul(value, NULL, 0);
      break;
    }
  }
  if (!make_operands(&t)) {
    printf("out of memory\n");
    return 1;
  }
  if (!wl_form_list(row, &t)) {
    return 1;
  }
  printf("%u forms: %u compared with %u operand sets each (%" PRIu64
         " results), %u not on the machine, %u failed\n",
         t.forms, t.compared, t.sets, t.results, t.rejected, t.failed);
  free(t.in);
  free(t.machine);
  free(t.oracle);
  return t.failed != 0 || t.compared == 0 || t.compared < t.least;
}
