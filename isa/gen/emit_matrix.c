/* Writes the kinds of matrices of unit.def: a column of wl_form_info_t, functions in wl_pkg.sv,
 * their table in docs/isa.md. */
#include "isa/gen/wlgen.h"

void c_form_matrix(const facts_t *f, FILE *out, const form_t *form) {
  const matrix_t *m = &f->matrix[form->matrix];
  fprintf(out, "{%d, %d, %d, %d}", form->matrix, form_matrices(f, form), m->rows, m->registers);
}

void sv_matrix(const facts_t *f, FILE *out) {
  fprintf(
      out,
      "  // Matrices of a form of LDMATRIX or STMATRIX (unit.def): their kind, rows of a matrix\n"
      "  // (R), registers of a lane that a matrix has, matrices (n).\n"
      "  /* verilator lint_off UNUSEDSIGNAL */  // a function reads some fields of a form\n"
      "  function automatic matrix_e form_matrix(input form_info_t info);\n"
      "    return info.kind == MemKindLdmatrix || info.kind == MemKindStmatrix\n"
      "        ? matrix_e'(info.atom) : MatrixNone;\n  endfunction\n\n"
      "  // Operation of a form of kind MBAR.\n"
      "  function automatic mbar_op_e form_mbar(input form_info_t info);\n"
      "    return info.kind == MemKindMbar ? mbar_op_e'(info.atom) : MbarNone;\n  endfunction\n\n");
  for (int two = 0; two < 2; two++) {
    fprintf(out,
            "  function automatic logic [%d:0] matrix_%s(input matrix_e matrix);\n"
            "    unique case (matrix)\n",
            two ? 1 : 4, two ? "registers" : "rows");
    for (int i = 1; i <= f->num_matrices; i++)
      fprintf(out, "      Matrix%s: return %d'd%d;\n", name_camel(matrix_names[i]).s, two ? 2 : 5,
              two ? f->matrix[i].registers : f->matrix[i].rows);
    fprintf(out, "      default: return '0;\n    endcase\n  endfunction\n\n");
  }
  fprintf(out, "  function automatic logic [2:0] form_matrices(input form_info_t info);\n"
               "    logic [2:0] words;  // 1, 2 and 4 mean themselves\n"
               "    words = info.kind == MemKindLdmatrix ? info.d_words : info.b_words;\n"
               "    return matrix_registers(form_matrix(info)) == 2'd2 ? words >> 1 : words;\n"
               "  endfunction\n"
               "  // verilator lint_on UNUSEDSIGNAL\n\n");
}

void doc_matrix(const facts_t *f, FILE *out) {
  fprintf(out, "\nKinds of matrices of LDMATRIX and STMATRIX (docs/microarchitecture.md 10.1). A "
               "matrix has so many rows of 16 bytes, and a lane has so many registers of it. The "
               "word of a form names the kind; xn in a form: n matrices.\n\n"
               "| matrix | operations | rows | registers | option | what |\n"
               "|---|---|---|---|---|---|\n");
  for (int i = 1; i <= f->num_matrices; i++) {
    const matrix_t *m = &f->matrix[i];
    fprintf(out, "| %s | %s | %d | %d | %s | %s |\n", m->name, m->row->arg[1], m->rows,
            m->registers, m->option, m->meaning);
  }
}
