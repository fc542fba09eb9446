/* Writes wl_insn.h and wl_insn.c: the instruction word, the forms and their table. */
#include "isa/gen/wlgen.h"

#include <stdlib.h>
#include <string.h>

FILE *emit_open(const char *dir, const char *name, const char *comment) {
  const size_t length = strlen(dir) + strlen(name) + 2;
  char *path = xalloc(length);
  snprintf(path, length, "%s/%s", dir, name);
  FILE *out = fopen(path, "wb");
  if (out == NULL) {
    const row_t row = {.file = path, .line = 1};
    fail(&row, "cannot write");
  }
  free(path);
  if (comment != NULL) fprintf(out, comment, name);
  return out;
}

void emit_close(FILE *out) {
  const bool bad = ferror(out) != 0;
  if (fclose(out) != 0 || bad) {
    fputs("wlgen: write error\n", stderr);
    exit(1);
  }
}

static void emit_enum(FILE *out, const char *type, const char *prefix, const char *const *names,
                      int num) {
  fprintf(out, "typedef enum wl_%s {\n", type);
  for (int i = 0; i < num; i++)
    fprintf(out, "  WL_%s_%s = %d,\n", prefix, names[i], i);
  fprintf(out, "  WL_NUM_%s = %d\n} wl_%s_t;\n\n", name_upper(type).s, num, type);
}

static void emit_list(FILE *out, const char *type, const char *prefix, const char *const *names) {
  emit_enum(out, type, prefix, names, list_count(names));
}

static void emit_fields(const facts_t *f, FILE *out) {
  fprintf(out,
          "/* Word fields: low bit and width. Those of one class are from bit %d on. */\n"
          "#define WL_MODS_LOW %d\n",
          MODS_LOW, MODS_LOW);
  for (int i = 0; i < f->num_fields; i++) {
    const field_t *field = &f->field[i];
    const name_t id = name_upper(field->name);
    fprintf(out, "#define WL_FIELD_%s_LOW %d\n#define WL_FIELD_%s_WIDTH %d\n", id.s, field->low,
            id.s, field->width);
  }
  fprintf(out,
          "\n/* All of them; fields of different classes overlap. */\n"
          "typedef struct wl_word_field {\n  const char *name;\n  uint8_t low, width;\n"
          "} wl_word_field_t;\n#define WL_NUM_FIELDS %d\n"
          "extern const wl_word_field_t wl_word_field[WL_NUM_FIELDS];\n",
          f->num_fields);
  fprintf(out, "\n/* Modifier fields that a form may use (wl_form_info_t.mods). */\n");
  for (int i = 0; i < f->num_mod_fields; i++)
    fprintf(out, "#define WL_MOD_%s (UINT32_C(1) << %d)\n",
            name_upper(f->field[f->mod_field[i]].name).s, i);
  fprintf(out, "\n/* Predicate fields that a shape uses (wl_form_info_t.preds). */\n"
               "#define WL_PRED_D 1u\n#define WL_PRED_Q 2u\n#define WL_PRED_S 4u\n"
               "#define WL_PRED_T 8u\n\n");
}

static void emit_enums(const facts_t *f, FILE *out) {
  fprintf(out, "typedef enum wl_form {\n");
  for (int i = 0; i < f->num_forms; i++)
    if (is_form(f, i)) fprintf(out, "  WL_FORM_%s = %d,\n", f->form[i].id.s, i);
  fprintf(out, "  WL_NUM_FORMS = %d\n} wl_form_t;\n\n", f->num_forms);
  emit_list(out, "unit", "UNIT", unit_names);
  for (int u = 0; u < f->num_units; u++) {
    if (f->op[u].num == 0) continue;
    char type[16];
    snprintf(type, sizeof type, "%s_op", unit_names[u]);
    for (char *p = type; *p != '\0'; p++)
      if (*p >= 'A' && *p <= 'Z') *p = (char)(*p - 'A' + 'a');
    emit_enum(out, type, unit_names[u], f->op[u].ops, f->op[u].num);
  }
  emit_list(out, "mem_kind", "MEM_KIND", kind_names);
  emit_list(out, "mem_space", "MEM_SPACE", space_names);
  emit_list(out, "mem_type", "MEM_TYPE", type_names);
  emit_list(out, "atom_op", "ATOM_OP", atom_names);
  emit_list(out, "mbar_op", "MBAR", mbar_names);
  emit_enum(out, "matrix", "MATRIX", matrix_names, f->num_matrices + 1);
  emit_list(out, "imm_kind", "IMM", imm_names);
  emit_list(out, "steps_kind", "STEPS", steps_names);
  const char *names[MAX_SHAPES];
  for (int i = 0; i < f->num_shapes; i++)
    names[i] = f->shape[i].name;
  emit_enum(out, "shape", "SHAPE", names, f->num_shapes);
}

static const char info_struct[] =
    "/* One row of insn.def. kind, space, type and atom belong to the units LSU and LDC (there op "
    "is\n"
    " * kind); d, a, b, c, x are the register words of the operands, 0 = not used. A word is illegal "
    "if\n"
    " * its form id is none (wl_form_exists) or it has a bit of mbz set. */\n"
    "typedef struct wl_form_info {\n"
    "  const char *name;\n"
    "  uint8_t unit, op;                /* wl_unit_t, the unit's wl_*_op_t */\n"
    "  uint8_t kind, space, type, atom; /* wl_mem_*_t, wl_atom_op_t */\n"
    "  uint8_t mbar; /* wl_mbar_op_t of kind MBAR, else WL_MBAR_NONE */\n"
    "  uint8_t shape, imm, steps, preds; /* wl_shape_t, wl_imm_kind_t, wl_steps_kind_t, WL_PRED_* "
    "*/\n"
    "  uint8_t d, a, b, c, x;\n"
    "  uint8_t counted; /* 1: d has as many words as imm[6:0] + 1 says (d is 0 here) */\n"
    "  uint8_t steps_of; /* steps of the step list if a step has three words */\n"
    "  uint8_t mbz_id;\n"
    "  uint8_t format; /* wl_format_t of a row FPINSN, else WL_NUM_FORMAT */\n"
    "  uint8_t rows;   /* bit: wl_config_id_t that has the form; 0: no form has this id */\n"
    "  wl_unit_facts_t of; /* what kind of thing it is */\n"
    "  wl_matrix_facts_t matrix;\n"
    "  uint32_t options; /* WL_OBJ_UNIT_* that a configuration must have */\n"
    "  uint32_t mods; /* WL_MOD_* */\n"
    "  uint32_t mbz[4];\n"
    "  const char *clause, *meaning;\n"
    "} wl_form_info_t;\n\n"
    "/* An id that is a hole has unit WL_NUM_UNIT and the name \"\". */\n"
    "extern const wl_form_info_t wl_form_info[WL_NUM_FORMS];\n"
    "#define WL_ANY_ROW 255u\n"
    "/* Whether the id is a form of one of these configurations (bits as in wl_form_info_t.rows). */\n"
    "static inline int wl_form_exists(uint32_t form, uint32_t rows) {\n"
    "  return form < WL_NUM_FORMS && (wl_form_info[form].rows & rows) != 0;\n}\n"
    "extern const char *const wl_unit_name[WL_NUM_UNIT];\n"
    "extern const char *const wl_shape_name[WL_NUM_SHAPE];\n\n";

static const char word_access[] =
    "/* A field of an instruction word (width 1..32; w[0] holds bits 31:0). */\n"
    "static inline uint32_t wl_word_get(const uint32_t w[4], unsigned low, unsigned width) {\n"
    "  uint64_t pair = w[low / 32];\n"
    "  if (low % 32 + width > 32) pair |= (uint64_t)w[low / 32 + 1] << 32;\n"
    "  return (uint32_t)(pair >> (low % 32)) & (uint32_t)((UINT64_C(1) << width) - 1);\n"
    "}\n\n"
    "/* Replaces a field; bits of value beyond the width are dropped. */\n"
    "static inline void wl_word_set(uint32_t w[4], unsigned low, unsigned width, uint32_t value) "
    "{\n"
    "  const uint64_t mask = ((UINT64_C(1) << width) - 1) << (low % 32);\n"
    "  const uint64_t bits = ((uint64_t)value << (low % 32)) & mask;\n"
    "  w[low / 32] = (w[low / 32] & ~(uint32_t)mask) | (uint32_t)bits;\n"
    "  if (low % 32 + width > 32)\n"
    "    w[low / 32 + 1] = (w[low / 32 + 1] & ~(uint32_t)(mask >> 32)) | (uint32_t)(bits >> 32);\n"
    "}\n\n"
    "#define WL_WORD_GET(w, NAME) wl_word_get((w), WL_FIELD_##NAME##_LOW, "
    "WL_FIELD_##NAME##_WIDTH)\n"
    "#define WL_WORD_SET(w, NAME, value) \\\n"
    "  wl_word_set((w), WL_FIELD_##NAME##_LOW, WL_FIELD_##NAME##_WIDTH, (value))\n\n";

static void emit_table(const facts_t *f, const char *dir) {
  FILE *out =
      emit_open(dir, "wl_insn.c", "/* %s: generated from isa/def by wlgen; do not edit. */\n");
  fprintf(out,
          "#include \"gen/wl_insn.h\"\n\nconst wl_form_info_t wl_form_info[WL_NUM_FORMS] = {\n");
  for (int i = 0; i < f->num_forms; i++) {
    const form_t *form = &f->form[i];
    const shape_t *s = &f->shape[form->shape];
    const uint32_t *z = f->mask[form->mask_id].w;
    if (!is_form(f, i)) {
      fprintf(
          out,
          "    {.name = \"\", .unit = WL_NUM_UNIT, .format = %d, .clause = \"\", .meaning = \"\"},\n",
          f->num_formats);
      continue;
    }
    fprintf(
        out,
        "    {\"%s\", %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, "
        "%u,\n     ",
        form->name, form->unit, form->op, form->kind, form->space, form->type, form->atom,
        form->mbar, form->shape, s->imm, s->steps, s->preds, s->d, s->a, s->b, s->c, s->x,
        s->counted, shape_steps(s, STEP_WORDS), form->mask_id, form->format, form_configs(f, i));
    c_form_unit(f, out, form);
    fprintf(out, ", ");
    c_form_matrix(f, out, form);
    fprintf(out, ", 0x%xu", (unsigned)form_options(f, form));
    fprintf(out, ", 0x%xu,\n     {0x%08xu, 0x%08xu, 0x%08xu, 0x%08xu}, \"%s\", \"%s\"},\n",
            (unsigned)f->mods[form->mods].mask, (unsigned)z[0], (unsigned)z[1], (unsigned)z[2],
            (unsigned)z[3], form->clause, form->meaning);
  }
  fprintf(out, "};\n\nconst wl_word_field_t wl_word_field[WL_NUM_FIELDS] = {\n");
  for (int i = 0; i < f->num_fields; i++)
    fprintf(out, "    {\"%s\", %d, %d},\n", f->field[i].name, f->field[i].low, f->field[i].width);
  fprintf(out, "};\n\nconst char *const wl_unit_name[WL_NUM_UNIT] = {");
  for (int i = 0; i < f->num_units; i++)
    fprintf(out, "%s\"%s\"", i ? ", " : "", unit_names[i]);
  fprintf(out, "};\n\nconst char *const wl_shape_name[WL_NUM_SHAPE] = {\n");
  for (int i = 0; i < f->num_shapes; i++)
    fprintf(out, "    \"%s\",\n", f->shape[i].name);
  fprintf(out, "};\n");
  emit_close(out);
}

void emit_insn(const facts_t *f, const char *dir) {
  FILE *out =
      emit_open(dir, "wl_insn.h", "/* %s: generated from isa/def by wlgen; do not edit. */\n");
  fprintf(out, "#ifndef WL_GEN_INSN_H\n#define WL_GEN_INSN_H\n\n#include <stdint.h>\n\n");
  fprintf(
      out,
      "/* FNV-1a of the rows of format, word, shape, mods, insn, numerics, special, launch, sreg and trap.def. */\n"
      "#define WL_ISA_HASH_LO UINT32_C(0x%08x)\n#define WL_ISA_HASH_HI UINT32_C(0x%08x)\n\n",
      (unsigned)(uint32_t)f->hash, (unsigned)(uint32_t)(f->hash >> 32));
  emit_fields(f, out);
  emit_enums(f, out);
  c_op_lists(f, out);
  c_unit_types(out);
  fprintf(out, "%s%s#endif\n", info_struct, word_access);
  emit_close(out);
  emit_table(f, dir);
}
