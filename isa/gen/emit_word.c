/* Writes the instruction word of wl_pkg.sv: places of the fields, the word as a struct. */
#include "isa/gen/wlgen.h"

/* Members of a packed struct of the word's bits top..bottom: fields of these classes, and gaps. */
static void sv_bits(const facts_t *f, FILE *out, uint32_t classes, int top, int bottom) {
  int gap = 0;
  for (int bit = top; bit >= bottom;) {
    int i = 0;
    while (i < f->num_fields &&
           ((f->field[i].classes & classes) == 0 || f->field[i].low + f->field[i].width - 1 != bit))
      i++;
    gap += i == f->num_fields;
    bit -= i == f->num_fields;
    if (gap > 0 && (i < f->num_fields || bit < bottom)) {
      sv_range(out, gap);
      fprintf(out, "gap%d;\n", bit + 1);
      gap = 0;
    }
    if (i == f->num_fields) continue;
    sv_range(out, f->field[i].width);
    fprintf(out, "%s;\n", sv_member(f->field[i].name));
    bit -= f->field[i].width;
  }
}

/* Bits 127:96 as a union: one struct for each class. */
static void sv_mods(const facts_t *f, FILE *out) {
  for (int c = CLASS_COMMON + 1; c < f->num_classes; c++) {
    fprintf(out, "  typedef struct packed {  // %s\n", f->classes[c].meaning);
    sv_bits(f, out, 1u << c, 127, MODS_LOW);
    fprintf(out, "  } mods_%s_t;\n", f->classes[c].name);
  }
  fprintf(out, "  typedef union packed {\n    logic [%d:0] bits;\n", 127 - MODS_LOW);
  for (int c = CLASS_COMMON + 1; c < f->num_classes; c++)
    fprintf(out, "    mods_%s_t %s;\n", f->classes[c].name, f->classes[c].name);
  fprintf(out, "  } insn_mods_t;\n\n");
}

void sv_word(const facts_t *f, FILE *out) {
  fprintf(out,
          "  // Instruction word: low bit and width of each field, and the word as a struct.\n");
  for (int i = 0; i < f->num_fields; i++) {
    const name_t id = name_camel(f->field[i].name);
    fprintf(out, "  localparam int unsigned Word%sLow = %d;\n", id.s, f->field[i].low);
    fprintf(out, "  localparam int unsigned Word%sWidth = %d;\n", id.s, f->field[i].width);
  }
  fprintf(out, "\n  // Modifiers by the class of the form.\n");
  sv_mods(f, out);
  fprintf(out, "  typedef struct packed {\n    insn_mods_t mods;\n");
  sv_bits(f, out, 1u << CLASS_COMMON, MODS_LOW - 1, 0);
  fprintf(out, "  } insn_word_t;\n\n");
}
