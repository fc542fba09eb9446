/* Writes docs/isa.md: fields, shapes, modifiers, forms by unit, traps, special registers. */
#include "isa/gen/wlgen.h"

#include <string.h>

void emit_cell(FILE *out, const char *s) {
  for (; *s != '\0'; s++) {
    if (*s == '|')
      fputs("\\|", out);
    else
      fputc(*s, out);
  }
}

static void doc_word(const facts_t *f, FILE *out) {
  fprintf(out, "## Instruction word\n128 bits, little-endian in memory. A form has fields of one "
               "class and common fields; fields of different classes share bits. Bits that no "
               "field of the form has must be zero.\n\n| class | meaning |\n|---|---|\n");
  for (int i = 0; i < f->num_classes; i++)
    fprintf(out, "| %s | %s |\n", f->classes[i].name, f->classes[i].meaning);
  fprintf(out, "\n| bits | field | classes | meaning |\n|---|---|---|---|\n");
  for (int i = 0; i < f->num_fields; i++) {
    const field_t *field = &f->field[i];
    if (field->width == 1)
      fprintf(out, "| %d | %s |", field->low, field->name);
    else
      fprintf(out, "| %d:%d | %s |", field->low + field->width - 1, field->low, field->name);
    for (int c = 0; c < f->num_classes; c++)
      if (field->classes & 1u << c) fprintf(out, " %s", f->classes[c].name);
    fprintf(out, " | ");
    emit_cell(out, field->meaning);
    fprintf(out, " |\n");
  }
}

static void doc_shapes(const facts_t *f, FILE *out) {
  fprintf(
      out,
      "\n## Shapes\nWhich fields a form uses. d, a, b, c: 32-bit words of the operand (0: field "
      "not used); a group of two starts at an even register, a longer one at a multiple of four. "
      "d N: as many words as the immediate says. x: four words at the register that the "
      "immediate says. Every other bit outside form, guard and the modifier set must be zero.\n\n"
      "Immediate: B, C replace that operand; T branch target, 28 bits; O signed byte offset "
      "(constant loads: bank in 31:28, signed offset in 27:0); S special register; M member "
      "mask; L position in 7:0, length in 15:8; G barrier in 3:0, threads/32 in 13:8; V "
      "value; N words of d less one in 6:0; X first register of operand x in 7:0.\nSteps: ONE reads all operands at once; PAIR works on word 0, then on word 1; "
      "LIST reads the words of a, b, c, x in order, three per step (forms of unit TENSOR: TensorWords).\n\n"
      "| shape | d | a | b | c | x | immediate | predicates | steps "
      "|\n|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < f->num_shapes; i++) {
    const shape_t *s = &f->shape[i];
    fprintf(out, "| %s | ", s->name);
    if (s->counted)
      fprintf(out, "N");
    else
      fprintf(out, "%d", s->d);
    fprintf(out, " | %d | %d | %d | %d | %s | ", s->a, s->b, s->c, s->x,
            s->imm ? imm_names[s->imm] : "");
    for (int p = 0; p < 4; p++)
      if (s->preds & 1 << p) fputc("dqst"[p], out);
    fprintf(out, " | %s |\n", steps_names[s->steps]);
  }
  fprintf(out, "\n## Modifier sets\nAll codes of a listed field are legal.\n\n"
               "| set | class | fields |\n|---|---|---|\n");
  for (int i = 0; i < f->num_mods; i++)
    fprintf(out, "| %s | %s | %s |\n", f->mods[i].name, f->classes[f->mods[i].class_id].name,
            f->mods[i].fields);
  fprintf(out, "\n");
  for (int i = 0; i < f->num_field_needs; i++)
    fprintf(out, "Forms %s %s need option %s.\n", f->field_need[i].shape >= 0 ? "of shape" : "with",
            f->field_need[i].row->arg[0], f->field_need[i].row->arg[1]);
}

static void doc_forms(const facts_t *f, FILE *out) {
  fprintf(
      out,
      "\n## Forms\nA form id that is not listed traps, so does one that needs an option "
      "that the configuration lacks, and a word with a bit set that must be zero. Operations marked slow go "
      "through the SlowLanes lanes of the slow unit.\n");
  for (int u = 0; u < f->num_units; u++) {
    fprintf(out,
            "\n### Unit %s\n| id | form | operation | shape | modifiers | PTX | meaning |\n"
            "|---|---|---|---|---|---|---|\n",
            unit_names[u]);
    const char *meaning = "";
    for (int i = 0; i < f->num_forms; i++) {
      const form_t *form = &f->form[i];
      if (!is_form(f, i) || form->unit != u) continue;
      fprintf(out, "| %d | `%s` | ", i, form->name);
      if (f->op[u].num > 0)
        fprintf(out, "%s", f->op[u].ops[form->op]);
      else
        fprintf(out, "%s %s %s", kind_names[form->kind], space_names[form->space],
                type_names[form->type]);
      if (form->atom != 0) fprintf(out, " %s", atom_names[form->atom]);
      if (form->mbar != 0) fprintf(out, " %s", mbar_names[form->mbar]);
      if (form->matrix != 0)
        fprintf(out, " %s x%d", matrix_names[form->matrix], form_matrices(f, form));
      if (unit_fact(f, u, form->op, UNIT_LANES) == LANES_SLOW) fputs(" (slow)", out);
      fprintf(out, " | %s | %s | %s | ", f->shape[form->shape].name,
              form->mods ? f->mods[form->mods].name : "", form->clause);
      if (form->meaning[0] != '\0') meaning = form->meaning; /* empty: as the row above */
      emit_cell(out, form->meaning[0] != '\0' || meaning[0] == '\0' ? form->meaning : "as above");
      fprintf(out, " |\n");
    }
  }
}

static void doc_codes(FILE *out, const char *title, const char *columns, const small_t *list,
                      int num) {
  fprintf(out, "\n## %s\n%s\n|---|---|---|---|\n", title, columns);
  for (int i = 0; i < num; i++) {
    fprintf(out, "| %d | %s | %s | ", list[i].code, list[i].name, list[i].text);
    emit_cell(out, list[i].meaning);
    fprintf(out, " |\n");
  }
}

static void doc_machine(const facts_t *f, FILE *out) {
  doc_codes(out, "Traps", "| code | name | raised at | message |", f->trap, f->num_traps);
  doc_codes(out, "Special registers", "| id | name | PTX | value |", f->sreg, f->num_sregs);
  fprintf(out, "\n## Launch block\n| word | words | name | meaning |\n|---|---|---|---|\n");
  for (int i = 0; i < f->num_launch; i++) {
    fprintf(out, "| %d | %d | %s | ", f->launch[i].code, f->launch[i].count, f->launch[i].name);
    emit_cell(out, f->launch[i].meaning);
    fprintf(out, " |\n");
  }
  fprintf(out, "\n## Configurations\n| parameter |");
  for (int c = 0; c < NUM_CONFIGS - NUM_TEST_CONFIGS; c++)
    fprintf(out, " %s |", config_names[c]);
  fprintf(out, " meaning |\n|---|---|---|---|---|---|\n");
  for (int i = 0; i < f->num_configs; i++) {
    fprintf(out, "| %s |", f->config[i].name);
    for (int c = 0; c < NUM_CONFIGS - NUM_TEST_CONFIGS; c++)
      fprintf(out, " %llu |", (unsigned long long)f->config[i].value[c]);
    fprintf(out, " ");
    emit_cell(out, f->config[i].meaning);
    fprintf(out, " |\n");
  }
  fprintf(out,
          "\nConstants of every configuration:\n\n| constant | value | meaning |\n|---|---|---|\n");
  for (int i = 0; i < f->num_constants; i++) {
    fprintf(out, "| %s | %llu | ", f->constant[i].name,
            (unsigned long long)f->constant[i].value[0]);
    emit_cell(out, f->constant[i].meaning);
    fprintf(out, " |\n");
  }
}

void emit_docs(const facts_t *f, const char *path) {
  FILE *out = fopen(path, "wb");
  if (out == NULL) {
    const row_t row = {.file = path, .line = 1};
    fail(&row, "cannot write");
  }
  fprintf(out, "# Machine ISA reference\n"
               "Generated by `wlgen --docs` from `isa/def`; a test compares it. Do not edit.\n\n");
  doc_word(f, out);
  doc_shapes(f, out);
  doc_formats(f, out);
  doc_numerics(f, out);
  doc_forms(f, out);
  doc_unit(f, out);
  doc_matrix(f, out);
  doc_machine(f, out);
  doc_index(f, out);
  doc_tags(f, out);
  emit_close(out);
}
