/* Writes the floating-point formats: wl_format.h, their part of wl_pkg.sv and of docs/isa.md. */
#include "isa/gen/wlgen.h"

static const char c_struct[] =
    "/* A format of format.def. Patterns are without sign, counted from bit 0 of the format. */\n"
    "typedef struct {\n"
    "  uint8_t bits, sign_bits, exp_bits, fraction_bits;\n"
    "  uint8_t low; /* bit 0 of the format in its register */\n"
    "  int16_t bias;\n"
    "  bool has_infinity, has_nan;\n"
    "  uint8_t subnormals; /* wl_subnormals_t */\n"
    "  uint64_t largest, nan;\n"
    "} wl_fmt_t;\n\n";

static void c_formats(const facts_t *f, FILE *out) {
  fprintf(out, "typedef enum wl_format {\n");
  for (int i = 0; i < f->num_formats; i++)
    fprintf(out, "  WL_FORMAT_%s = %d, /* %s */\n", name_upper(f->format[i].name).s, i,
            f->format[i].meaning);
  fprintf(out, "  WL_NUM_FORMAT = %d\n} wl_format_t;\n\n", f->num_formats);
  fprintf(out, "/* KEEP: always. CHOICE: unless the instruction has .ftz. NONE: none, and no zero. "
               "*/\ntypedef enum wl_subnormals {\n");
  for (int i = 0; subnormal_names[i] != NULL; i++)
    fprintf(out, "  WL_SUBNORMALS_%s = %d,\n", subnormal_names[i], i);
  fprintf(out, "} wl_subnormals_t;\n\n%s", c_struct);
  fprintf(out, "/* Constants: a function that is inlined with one of them folds it. */\n");
  for (int i = 0; i < f->num_formats; i++) {
    const format_t *t = &f->format[i];
    fprintf(out,
            "static inline wl_fmt_t wl_fmt_%s(void) {\n"
            "  const wl_fmt_t f = {%d, %d, %d, %d, %d, %d, %s, %s, %d,\n"
            "                      UINT64_C(0x%llx), UINT64_C(0x%llx)};\n  return f;\n}\n\n",
            t->name, t->bits, t->sign, t->exponent, t->fraction, t->low, t->bias,
            t->infinity ? "true" : "false", t->has_nan ? "true" : "false", t->subnormals,
            (unsigned long long)t->largest, (unsigned long long)t->nan);
  }
  fprintf(out, "static inline wl_fmt_t wl_fmt_of(wl_format_t format) {\n  switch (format) {\n");
  for (int i = 0; i < f->num_formats; i++)
    fprintf(out, "  case WL_FORMAT_%s:\n    return wl_fmt_%s();\n", name_upper(f->format[i].name).s,
            f->format[i].name);
  fprintf(out, "  case WL_NUM_FORMAT:\n    break;\n  }\n  __builtin_trap();\n}\n\n"
               "/* Indexed by wl_format_t. */\n"
               "static inline const char *wl_format_name(wl_format_t format) {\n"
               "  static const char *const name[WL_NUM_FORMAT] = {");
  for (int i = 0; i < f->num_formats; i++)
    fprintf(out, "%s\"%s\"", i > 0 ? ", " : "", f->format[i].name);
  fprintf(out, "};\n  return name[format];\n}\n\n");
}

void emit_format(const facts_t *f, const char *dir) {
  FILE *out =
      emit_open(dir, "wl_format.h", "/* %s: generated from isa/def by wlgen; do not edit. */\n");
  fprintf(out, "#ifndef WL_GEN_FORMAT_H\n#define WL_GEN_FORMAT_H\n\n#include <stdbool.h>\n"
               "#include <stdint.h>\n\n");
  c_formats(f, out);
  fprintf(out, "#endif\n");
  emit_close(out);
}

void sv_formats(const facts_t *f, FILE *out) {
  fprintf(out,
          "  // Floating-point formats (format.def). FmtF32Frac: fraction bits without the "
          "leading one; patterns\n  // without sign.\n  typedef enum logic [%d:0] {\n",
          bits_for(f->num_formats + 1) - 1);
  for (int i = 0; i < f->num_formats; i++)
    fprintf(out, "    Format%s = %d'd%d,  // %s\n", name_camel(f->format[i].name).s,
            bits_for(f->num_formats + 1), i, f->format[i].meaning);
  fprintf(out, "    FormatNone = %d'd%d\n", bits_for(f->num_formats + 1), f->num_formats);
  fprintf(out, "  } format_e;\n\n");
  for (int i = 0; i < f->num_formats; i++) {
    const format_t *t = &f->format[i];
    const name_t id = name_camel(t->name);
    fprintf(out,
            "  localparam int unsigned Fmt%sBits = %d;\n"
            "  localparam int unsigned Fmt%sExp = %d;\n"
            "  localparam int unsigned Fmt%sFrac = %d;\n"
            "  localparam int unsigned Fmt%sLow = %d;\n"
            "  localparam int unsigned Fmt%sBias = %d;\n"
            "  localparam bit Fmt%sHasInf = 1'b%d;\n"
            "  localparam bit Fmt%sHasNan = 1'b%d;\n"
            "  localparam logic [%d:0] Fmt%sLargest = %d'h%llx;\n"
            "  localparam logic [%d:0] Fmt%sNan = %d'h%llx;\n",
            id.s, t->bits, id.s, t->exponent, id.s, t->fraction, id.s, t->low, id.s, t->bias, id.s,
            t->infinity, id.s, t->has_nan, t->bits - 1, id.s, t->bits,
            (unsigned long long)t->largest, t->bits - 1, id.s, t->bits, (unsigned long long)t->nan);
  }
  fprintf(out, "\n");
}

void doc_formats(const facts_t *f, FILE *out) {
  fprintf(out,
          "\n## Floating-point formats\nFrom the top bit down: sign, exponent, fraction. The "
          "significand counts the leading one. Largest number and NaN are patterns without sign. "
          "Subnormals: KEEP always; CHOICE unless the instruction flushes; NONE: the format has "
          "neither subnormals nor zero.\n\n"
          "| format | PTX | bits | exponent | significand | low bit | bias | infinity | largest | "
          "NaN | subnormals | meaning |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < f->num_formats; i++) {
    const format_t *t = &f->format[i];
    fprintf(out, "| %s | %s | %d | %d | %d | %d | %d | %s | %llx | ", t->name, t->ptx, t->bits,
            t->exponent, t->fraction + 1, t->low, t->bias, t->infinity ? "yes" : "no",
            (unsigned long long)t->largest);
    if (t->has_nan) fprintf(out, "%llx", (unsigned long long)t->nan);
    fprintf(out, " | %s | ", subnormal_names[t->subnormals]);
    emit_cell(out, t->meaning);
    fprintf(out, " |\n");
  }
}
