/* Writes the profiles of the tensor unit: wl_numerics.h, their part of wl_pkg.sv and of docs/isa.md. */
#include "isa/gen/wlgen.h"

static const char c_struct[] =
    "/* How one element of D is summed (numerics.def). Formats are wl_format_t. */\n"
    "typedef struct wl_profile {\n"
    "  uint8_t format; /* of A and B */\n"
    "  uint8_t result; /* of C and D */\n"
    "  uint8_t block;  /* products that are summed at once, with the addend */\n"
    "  uint8_t kept;   /* bits after the binary point of the largest exponent */\n"
    "  int16_t lowest; /* the largest exponent is never below it */\n"
    "  bool nearest;   /* results are rounded to nearest even, else cut toward zero */\n"
    "} wl_profile_t;\n\n";

void emit_numerics(const facts_t *f, const char *dir) {
  FILE *out =
      emit_open(dir, "wl_numerics.h", "/* %s: generated from isa/def by wlgen; do not edit. */\n");
  fprintf(out, "#ifndef WL_GEN_NUMERICS_H\n#define WL_GEN_NUMERICS_H\n\n#include <stddef.h>\n"
               "#include \"gen/wl_format.h\"\n#include \"gen/wl_insn.h\"\n\n");
  fprintf(out, "typedef enum wl_profile_id {\n");
  for (int i = 0; i < f->num_profiles; i++)
    fprintf(out, "  WL_PROFILE_%s = %d, /* %s */\n", name_upper(f->profile[i].name).s, i,
            f->profile[i].from);
  fprintf(out, "  WL_NUM_PROFILE = %d\n} wl_profile_id_t;\n\n%s", f->num_profiles, c_struct);
  fprintf(out, "/* Indexed by wl_profile_id_t. */\n"
               "static const wl_profile_t wl_profiles[WL_NUM_PROFILE + 1] = {\n");
  for (int i = 0; i < f->num_profiles; i++) {
    const profile_t *p = &f->profile[i];
    fprintf(out, "    {%d, %d, %d, %d, %d, %s}, /* %s */\n", p->format, p->result, p->block,
            p->kept, p->lowest, p->nearest ? "true" : "false", p->name);
  }
  fprintf(out, "    {0}};\n\n/* Of an operation of unit TENSOR; NULL: it is of integers. */\n"
               "static inline const wl_profile_t *wl_tensor_profile(unsigned op) {\n"
               "  switch (op) {\n");
  for (int i = 0; i < f->num_dots; i++)
    fprintf(out, "  case %d:\n    return &wl_profiles[%d];\n", f->dot[i].op, f->dot[i].profile);
  fprintf(out, "  default:\n    return NULL;\n  }\n}\n\n#endif\n");
  emit_close(out);
}

static void sv_constants(const facts_t *f, FILE *out) {
  for (int i = 0; i < f->num_profiles; i++) {
    const profile_t *p = &f->profile[i];
    const name_t id = name_camel(p->name);
    fprintf(out,
            "  localparam int unsigned Profile%sBlock = %d;\n"
            "  localparam int unsigned Profile%sKept = %d;\n"
            "  localparam int Profile%sLowest = %d;\n"
            "  localparam bit Profile%sNearest = 1'b%d;\n",
            id.s, p->block, id.s, p->kept, id.s, p->lowest, id.s, p->nearest);
  }
}

/* The members of profile_t, in order. */
static void sv_profile(const facts_t *f, FILE *out, const profile_t *p) {
  fprintf(out, "'{Format%s, Format%s, 9'd%d, 6'd%d, %s12'sd%d, 1'b%d}",
          name_camel(f->format[p->format].name).s, name_camel(f->format[p->result].name).s,
          p->block, p->kept, p->lowest < 0 ? "-" : "", p->lowest < 0 ? -p->lowest : p->lowest,
          p->nearest);
}

void sv_numerics(const facts_t *f, FILE *out) {
  if (f->num_dots == 0) return;
  const int bits = bits_for(f->num_profiles + 1);
  fprintf(out,
          "  // Profiles of the tensor unit (numerics.def): how one element of D is summed.\n"
          "  typedef enum logic [%d:0] {\n",
          bits - 1);
  for (int i = 0; i < f->num_profiles; i++)
    fprintf(out, "    Profile%s = %d'd%d,  // %s\n", name_camel(f->profile[i].name).s, bits, i,
            f->profile[i].from);
  fprintf(out, "    ProfileNone = %d'd%d\n  } profile_e;\n\n", bits, f->num_profiles);
  sv_constants(f, out);
  fprintf(out, "  typedef struct packed {\n"
               "    format_e format;             // of A and B\n"
               "    format_e result;             // of C and D\n"
               "    logic [8:0] block;           // products that are summed at once\n"
               "    logic [5:0] kept;            // bits after the largest exponent's point\n"
               "    logic signed [11:0] lowest;  // the largest exponent is never below it\n"
               "    logic nearest;               // to nearest even, else cut\n"
               "  } profile_t;\n"
               "  function automatic profile_t profile_of(input profile_e id);\n"
               "    unique case (id)\n");
  for (int i = 0; i < f->num_profiles; i++) {
    fprintf(out, "      Profile%s: return ", name_camel(f->profile[i].name).s);
    sv_profile(f, out, &f->profile[i]);
    fprintf(out, ";\n");
  }
  fprintf(out, "      default: return profile_t'('0);\n    endcase\n  endfunction\n"
               "  // ProfileNone: the operation is of integers.\n"
               "  function automatic profile_e tensor_profile(input tensor_op_e op);\n"
               "    unique case (op)\n");
  for (int i = 0; i < f->num_dots; i++)
    fprintf(out, "      Tensor%s: return Profile%s;\n",
            name_camel(op_name(f, f->dot[i].unit, f->dot[i].op)).s,
            name_camel(f->profile[f->dot[i].profile].name).s);
  fprintf(out, "      default: return ProfileNone;\n    endcase\n  endfunction\n\n");
}

/* Operations of unit TENSOR with the profile. */
static void doc_ops(const facts_t *f, FILE *out, int profile) {
  for (int i = 0; i < f->num_dots; i++)
    if (f->dot[i].profile == profile) fprintf(out, "%s ", op_name(f, f->dot[i].unit, f->dot[i].op));
}

void doc_numerics(const facts_t *f, FILE *out) {
  fprintf(out, "\n## Profiles of the tensor unit\nHow one element of D is summed "
               "(docs/microarchitecture.md 19.2). Operations without a profile are of integers.\n\n"
               "| profile | operations | A, B | block | kept | lowest | C, D | rounding | from |\n"
               "|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < f->num_profiles; i++) {
    const profile_t *p = &f->profile[i];
    fprintf(out, "| %s | ", p->name);
    doc_ops(f, out, i);
    fprintf(out, "| %s | %d | %d | %d | %s | %s | ", f->format[p->format].name, p->block, p->kept,
            p->lowest, f->format[p->result].name, p->nearest ? "to nearest even" : "cut");
    emit_cell(out, p->from);
    fprintf(out, " |\n");
  }
}
