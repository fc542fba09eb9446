/* Writes wl_pkg.sv (enums, word fields, form table, packets) and config_<name>_pkg.sv. */
#include "isa/gen/wlgen.h"

#include <string.h>

static const char head[] = "// %s: generated from isa/def by wlgen; do not edit.\n";

static void sv_enum(FILE *out, const char *type, const char *prefix, const char *const *names,
                    int num, int width) {
  fprintf(out, "  typedef enum logic [%d:0] {\n", width - 1);
  for (int i = 0; i < num; i++)
    fprintf(out, "    %s%s = %d'd%d%s\n", prefix, name_camel(names[i]).s, width, i,
            i + 1 < num ? "," : "");
  fprintf(out, "  } %s_e;\n\n", type);
}

static void sv_list(FILE *out, const char *type, const char *prefix, const char *const *names) {
  const int n = list_count(names);
  sv_enum(out, type, prefix, names, n, bits_for(n));
}

/* A few field names are SystemVerilog keywords. */
const char *sv_member(const char *name) {
  static const char *const keyword[] = {"strong", "weak", "type", "const", "local", NULL};
  static char buffer[NAME_LEN];
  for (int i = 0; keyword[i] != NULL; i++)
    if (strcmp(name, keyword[i]) == 0) {
      snprintf(buffer, sizeof buffer, "%s_f", name);
      return buffer;
    }
  return name;
}

void sv_range(FILE *out, int bits) {
  if (bits == 1)
    fprintf(out, "    logic ");
  else
    fprintf(out, "    logic [%d:0] ", bits - 1);
}

static void sv_enums(const facts_t *f, FILE *out) {
  fprintf(out,
          "  // Form ids below NumForms; those that are missing here are holes.\n"
          "  localparam int unsigned NumForms = %d;\n\n  typedef enum logic [12:0] {\n",
          f->num_forms);
  for (int i = 0; i < f->num_forms; i++)
    if (is_form(f, i))
      fprintf(out, "    Form%s = 13'd%d%s\n", name_camel(f->form[i].name).s, i,
              i + 1 < f->num_forms ? "," : "");
  fprintf(out, "  } form_e;\n\n");
  sv_list(out, "unit", "Unit", unit_names);
  for (int u = 0; u < f->num_units; u++) {
    if (f->op[u].num == 0) continue;
    char type[16];
    snprintf(type, sizeof type, "%s_op", unit_names[u]);
    for (char *p = type; *p != '\0'; p++)
      if (*p >= 'A' && *p <= 'Z') *p = (char)(*p - 'A' + 'a');
    sv_enum(out, type, name_camel(unit_names[u]).s, f->op[u].ops, f->op[u].num, 8);
  }
  sv_list(out, "mem_kind", "MemKind", kind_names);
  sv_list(out, "mem_space", "MemSpace", space_names);
  sv_list(out, "mem_type", "MemType", type_names);
  sv_list(out, "atom_op", "Atom", atom_names);
  sv_enum(out, "mbar_op", "Mbar", mbar_names, list_count(mbar_names),
          bits_for(list_count(atom_names)));
  sv_enum(out, "matrix", "Matrix", matrix_names, f->num_matrices + 1,
          bits_for(list_count(atom_names)));
  sv_list(out, "imm_kind", "Imm", imm_names);
  sv_list(out, "steps_kind", "Steps", steps_names);
}

typedef struct {
  uint64_t bits;
  int num;
} pack_t;

static void pack(pack_t *p, int value, int width) {
  p->bits = p->bits << width | (uint64_t)value;
  p->num += width;
}

/* Words of an operand in three bits: operand_words of wl_pkg. */
static int words_code(int words, bool counted) {
  return counted ? 6 : words == 8 ? 3 : words == 16 ? 5 : words;
}

/* The order and widths of form_info_t below. */
static pack_t pack_form(const facts_t *f, const form_t *form) {
  const shape_t *s = &f->shape[form->shape];
  pack_t p = {0};
  pack(&p, 1, 1);
  pack(&p, form->unit, bits_for(f->num_units));
  pack(&p, form->op, 8);
  pack(&p, form->kind, bits_for(list_count(kind_names)));
  pack(&p, form->space, bits_for(list_count(space_names)));
  pack(&p, form->type, bits_for(list_count(type_names)));
  pack(&p, form->matrix + form->mbar + form->atom, /* one of them */
       bits_for(list_count(atom_names)));
  pack(&p, words_code(s->d, s->counted), 3);
  pack(&p, words_code(s->a, false), 3);
  pack(&p, words_code(s->b, false), 3);
  pack(&p, words_code(s->c, false), 3);
  pack(&p, words_code(s->x, false), 3);
  pack(&p, s->imm, bits_for(list_count(imm_names)));
  pack(&p, s->steps, bits_for(list_count(steps_names)));
  pack(&p, s->preds, 4);
  pack(&p, unit_fact(f, form->unit, form->op, UNIT_LANES) == LANES_SLOW, 1);
  pack(&p, form->format, bits_for(f->num_formats + 1));
  return p;
}

static const char form_struct[] = "  // One row of insn.def. op is the unit's *_op_e, for LSU and "
                                  "LDC the mem_kind_e. The words are\n"
                                  "  // codes of the operands' register words (operand_words), 0 = "
                                  "not used. All zero for a form id\n"
                                  "  // that is not assigned.\n"
                                  "  typedef struct packed {\n"
                                  "    logic legal;\n"
                                  "    unit_e unit;\n"
                                  "    logic [7:0] op;\n"
                                  "    mem_kind_e kind;\n"
                                  "    mem_space_e space;\n"
                                  "    mem_type_e mtype;\n"
                                  "    atom_op_e atom;  // or form_matrix, form_mbar\n"
                                  "    logic [2:0] d_words;\n"
                                  "    logic [2:0] a_words;\n"
                                  "    logic [2:0] b_words;\n"
                                  "    logic [2:0] c_words;\n"
                                  "    logic [2:0] x_words;\n"
                                  "    imm_kind_e imm;\n"
                                  "    steps_kind_e steps;\n"
                                  "    logic [3:0] preds;  // PredD, PredQ, PredS, PredT\n"
                                  "    logic slow;         // of the slow unit\n"
                                  "    format_e format;    // FormatNone: no row FPINSN\n"
                                  "  } form_info_t;\n"
                                  "  localparam int unsigned PredD = 0;  // bit numbers of preds\n"
                                  "  localparam int unsigned PredQ = 1;\n"
                                  "  localparam int unsigned PredS = 2;\n"
                                  "  localparam int unsigned PredT = 3;\n"
                                  "  // Codes of words: 0, 1, 2 and 4 mean themselves. A counted "
                                  "operand's words are in imm.\n"
                                  "  localparam logic [2:0] Words8 = 3'd3;\n"
                                  "  localparam logic [2:0] Words16 = 3'd5;\n"
                                  "  localparam logic [2:0] WordsCounted = 3'd6;\n"
                                  "  function automatic logic [4:0] operand_words("
                                  "input logic [2:0] code);\n"
                                  "    unique case (code)\n"
                                  "      Words8: return 5'd8;\n"
                                  "      Words16: return 5'd16;\n"
                                  "      WordsCounted: return 5'd0;\n"
                                  "      default: return 5'(code);\n"
                                  "    endcase\n"
                                  "  endfunction\n";

__extension__ typedef unsigned __int128 column_t;
_Static_assert(MAX_MASKS <= 128, "one bit of a column is one mask");

// Whether bit b must be zero, of each mask one bit.
static column_t mbz_column(const facts_t *f, int b) {
  column_t column = 0;
  for (int i = 0; i < f->num_masks; i++)
    column |= (column_t)(f->mask[i].w[b / 32] >> (b % 32) & 1) << i;
  return column;
}

// Bits that stand together in every mask, so that one or over them is found before the mask is
// known.
static void sv_mbz_classes(const facts_t *f, FILE *out) {
  int first[128], classes = 0;
  for (int b = 0; b < 128; b++) {
    const column_t column = mbz_column(f, b);
    bool known = column == 0;
    for (int c = 0; c < classes && !known; c++)
      known = mbz_column(f, first[c]) == column;
    if (!known) first[classes++] = b;
  }
  fprintf(
      out,
      "  // Bits that must be zero: classes of those that stand together in the masks of all forms,\n"
      "  // and which classes are in a form's mask.\n"
      "  localparam int unsigned MbzClasses = %d;\n"
      "  localparam logic [127:0] MbzClass [MbzClasses] = '{\n",
      classes);
  for (int c = 0; c < classes; c++) {
    uint32_t w[4] = {0};
    for (int b = 0; b < 128; b++) {
      if (mbz_column(f, b) == mbz_column(f, first[c])) w[b / 32] |= 1u << (b % 32);
    }
    fprintf(out, "    128'h%08x_%08x_%08x_%08x%s\n", (unsigned)w[3], (unsigned)w[2], (unsigned)w[1],
            (unsigned)w[0], c + 1 < classes ? "," : "};");
  }
  fprintf(out, "  function automatic logic [MbzClasses-1:0] form_mbz(input logic [12:0] form);\n"
               "    unique case (form)\n");
  for (int i = 0; i < f->num_forms; i++) {
    if (!is_form(f, i)) continue;
    fprintf(out, "      13'd%d: return %d'b", i, classes);
    for (int c = classes; c-- > 0;)
      fputc(mbz_column(f, first[c]) >> f->form[i].mask_id & 1 ? '1' : '0', out);
    fprintf(out, ";\n");
  }
  fprintf(out, "      default: return '0;\n    endcase\n  endfunction\n\n");
}

static void sv_forms(const facts_t *f, FILE *out) {
  const int width = pack_form(f, &f->form[f->num_forms - 1]).num;
  fprintf(out, "%s  localparam int unsigned FormInfoWidth = %d;\n\n", form_struct, width);
  fprintf(out,
          "  // Forms of every configuration; config_pkg::row_form has those of one.\n"
          "  function automatic form_info_t form_info(input logic [12:0] form);\n"
          "    logic [%d:0] bits;\n    unique case (form)\n",
          width - 1);
  for (int i = 0; i < f->num_forms; i++) {
    if (!is_form(f, i) || form_configs(f, i) == 0) continue;
    const unsigned long long bits = pack_form(f, &f->form[i]).bits;
    fprintf(out, "      13'd%d: bits = %d'h%llx;  // %s\n", i, width, bits, f->form[i].name);
  }
  fprintf(out, "      default: bits = '0;\n    endcase\n    return form_info_t'(bits);\n"
               "  endfunction\n\n");
  sv_mbz_classes(f, out);
}

static void sv_codes(FILE *out, const char *type, const char *prefix, const small_t *list, int num,
                     int width) {
  fprintf(out, "  typedef enum logic [%d:0] {\n", width - 1);
  for (int i = 0; i < num; i++)
    fprintf(out, "    %s%s = %d'd%d%s  // %s\n", prefix, name_camel(list[i].name).s, width,
            list[i].code, i + 1 < num ? "," : "", list[i].meaning);
  fprintf(out, "  } %s_e;\n\n", type);
}

static void sv_machine(const facts_t *f, FILE *out) {
  sv_codes(out, "trap", "Trap", f->trap, f->num_traps, TRAP_BITS);
  sv_codes(out, "sreg", "Sreg", f->sreg, f->num_sregs, 8);
  if (f->link.num_arrays > 0) // arrays that a board writes and reads, by their bit of poke_t
    sv_codes(out, "array", "Array", f->link.array, f->link.num_arrays, 3);
  fprintf(out,
          "  // Launch block: offsets in 32-bit words.\n"
          "  localparam int unsigned LaunchBlockWords = %d;\n",
          LAUNCH_WORDS);
  for (int i = 0; i < f->num_launch; i++)
    fprintf(out, "  localparam int unsigned Launch%s = %d;  // %s\n",
            name_camel(f->launch[i].name).s, f->launch[i].code, f->launch[i].meaning);
  fprintf(out, "\n  // Constants of every configuration.\n");
  for (int i = 0; i < f->num_constants; i++)
    fprintf(out, "  localparam int unsigned %s = %llu;  // %s\n", f->constant[i].name,
            (unsigned long long)f->constant[i].value[0], f->constant[i].meaning);
  fprintf(out, "\n");
  for (int i = 0; i < f->num_states; i++)
    fprintf(out, "  localparam int unsigned State%s = %d;  // %s\n", name_camel(f->state[i].name).s,
            i, f->state[i].meaning);
  if (f->num_states > 0)
    fprintf(out, "  localparam int unsigned NumStates = %d;\n\n", f->num_states);
  fprintf(out, "  // Kinds of records (docs/lockstep.md).\n");
  for (int i = 0; i < f->num_journal; i++)
    fprintf(out, "  localparam int unsigned Record%s = %d;  // %s\n",
            name_camel(f->journal[i].name).s, i, f->journal[i].text);
  for (int i = 0; i < f->num_states; i++)
    if (f->state[i].seed != 0)
      fprintf(out, "  localparam int unsigned Seed%s = %d;  // kind of section 15\n",
              name_camel(f->state[i].name).s, f->state[i].seed);
}

static void sv_packets(const facts_t *f, FILE *out) {
  for (int i = 0; i < f->num_structs; i++) {
    const struct_t *s = &f->structure[i];
    fprintf(out, "  localparam int unsigned %sBits = %d;\n  typedef struct packed {\n",
            name_camel(s->name).s, s->bits);
    for (int m = 0; m < s->num_members; m++) {
      const member_t *e = &s->member[m];
      if (e->nested >= 0)
        fprintf(out, "    %s_t ", f->structure[e->nested].name);
      else
        sv_range(out, e->bits);
      fprintf(out, "%s;  // %s\n", sv_member(e->name), e->meaning);
    }
    fprintf(out, "  } %s_t;\n\n", s->name);
  }
}

void emit_sv(const facts_t *f, const char *dir) {
  FILE *out = emit_open(dir, "wl_pkg.sv", head);
  fprintf(out,
          "package wl_pkg;\n  /* verilator lint_off UNUSEDPARAM */\n"
          "  localparam logic [63:0] IsaHash = 64'h%016llx;\n\n",
          (unsigned long long)f->hash);
  sv_formats(f, out);
  sv_word(f, out);
  sv_enums(f, out);
  sv_forms(f, out);
  sv_numerics(f, out);
  sv_special(f, out);
  sv_unit(f, out);
  sv_matrix(f, out);
  sv_machine(f, out);
  sv_packets(f, out);
  sv_index(f, out);
  sv_tags(f, out);
  fprintf(out, "  /* verilator lint_on UNUSEDPARAM */\nendpackage\n");
  emit_close(out);
}

/* The forms of a row are those of wl_pkg but those that need an option that it lacks. */
static void sv_row_forms(const facts_t *f, FILE *out, int config) {
  fprintf(
      out,
      "  // The form table of this row: a form that needs an option that it lacks is not legal.\n"
      "  function automatic wl_pkg::form_info_t row_form(input logic [12:0] form);\n"
      "    unique case (form)\n");
  for (int i = 0; i < f->num_forms; i++)
    if (is_form(f, i) && (form_configs(f, i) >> config & 1) == 0)
      fprintf(out, "      13'd%d: return '0;  // %s\n", i, f->form[i].name);
  fprintf(out, "      default: return wl_pkg::form_info(form);\n    endcase\n  endfunction\n");
}

void emit_sv_configs(const facts_t *f, const char *dir) {
  for (int c = 0; c < NUM_CONFIGS; c++) {
    char name[NAME_LEN];
    snprintf(name, sizeof name, "config_%s_pkg.sv", config_names[c]);
    FILE *out = emit_open(dir, name, head);
    /* The file is chosen per build, the package name is always the same. */
    fprintf(out, "/* verilator lint_off DECLFILENAME */\npackage config_pkg;\n"
                 "  /* verilator lint_off UNUSEDPARAM */\n");
    fprintf(out, "  localparam int unsigned ConfigId = %d;\n", c);
    for (int i = 0; i < f->num_configs; i++)
      fprintf(out, "  localparam int unsigned %s = %llu;  // %s\n", f->config[i].name,
              (unsigned long long)f->config[i].value[c], f->config[i].meaning);
    for (int i = 0; i < f->num_needs; i++)
      fprintf(out, "  localparam int unsigned %s = %llu;  // %s\n", f->need[i].name,
              (unsigned long long)f->need[i].value[c], f->need[i].meaning);
    for (int i = 0; i < f->num_states; i++) {
      const state_t *state = &f->state[i];
      if (state->place != PLACE_SCRUB) continue;
      fprintf(out,
              "  localparam int unsigned State%sSlices = %llu;  // words [slice][row]: %s\n"
              "  localparam int unsigned State%sRows = %llu;\n",
              name_camel(state->name).s, (unsigned long long)state->slices[c], state->meaning,
              name_camel(state->name).s, (unsigned long long)state->rows[c]);
    }
    sv_row_forms(f, out, c);
    sv_index_config(f, out, c);
    fprintf(out, "  localparam logic [63:0] LayoutHash = 64'h%016llx;  // docs/cosim.md\n",
            (unsigned long long)f->layout_hash[c]);
    fprintf(out, "  /* verilator lint_on UNUSEDPARAM */\nendpackage\n"
                 "/* verilator lint_on DECLFILENAME */\n");
    emit_close(out);
  }
}
