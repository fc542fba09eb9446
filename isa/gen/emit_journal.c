/* Writes journal_records.svh, which rtl/dpi/journal.sv includes: the DPI import and the module of
 * every record, and wl_journal_imports.h, the list of the imports for C++. docs/interfaces.md.
 * What clears words that are not in use is in rtl/dpi/journal_pkg.sv, by hand. */
#include "isa/gen/wlgen.h"

#include <string.h>

/* RF -> rf */
static const char *lower(const char *name) {
  static char buffer[NAME_LEN];
  snprintf(buffer, sizeof buffer, "%s", name);
  for (char *p = buffer; *p != '\0'; p++)
    if (*p >= 'A' && *p <= 'Z') *p = (char)(*p - 'A' + 'a');
  return buffer;
}

/* Words of a record: a number, with lanes an expression. */
static const char *words_text(const journal_t *j) {
  static char buffer[NAME_LEN];
  if (j->lanes)
    snprintf(buffer, sizeof buffer, "%d + config_pkg::Lanes", j->names - 1);
  else
    snprintf(buffer, sizeof buffer, "%d", j->names);
  return buffer;
}

static const char *port_type(const port_t *p) {
  static char buffer[NAME_LEN];
  if (p->words == 0)
    snprintf(buffer, sizeof buffer, "logic [32*config_pkg::Lanes-1:0]");
  else
    snprintf(buffer, sizeof buffer, "logic [%d:0]", 32 * p->words - 1);
  return buffer;
}

static void emit_ports(const journal_t *j, FILE *out) {
  int width = 0;
  for (int i = 0; i < j->num_ports; i++) {
    const int length = (int)strlen(port_type(&j->port[i]));
    if (length > width) width = length;
  }
  fprintf(out, "module journal_%s (\n", lower(j->name));
  fprintf(out, "  input %-*s clk_i,\n  input %-*s valid_i", width, "logic", width, "logic");
  for (int i = 0; i < j->num_ports; i++)
    fprintf(out, ",\n  input %-*s %s_i", width, port_type(&j->port[i]), j->port[i].name);
  fprintf(out, "\n);\n");
}

/* All words as one vector, word 0 lowest. */
static void emit_vector(const journal_t *j, FILE *out) {
  for (int i = j->num_ports; i-- > 0;) {
    const char *end = i == 0 ? "}" : ", ";
    if (j->clear == NULL || i != j->clear_port[j->num_clear_ports - 1]) {
      fprintf(out, "%s_i%s", j->port[i].name, end);
      continue;
    }
    fprintf(out, "journal_pkg::%s(", j->clear);
    for (int a = 0; a < j->num_clear_ports; a++)
      fprintf(out, "%s%s_i", a == 0 ? "" : ", ", j->port[j->clear_port[a]].name);
    fprintf(out, ")%s", end);
  }
}

static void emit_module(const journal_t *j, FILE *out) {
  emit_ports(j, out);
  fprintf(out,
          "`ifdef WL_BOARD\n  logic [31:0] fold;\n  digest #(.Kind(wl_pkg::Record%s), "
          ".Words(%s), .Free(%d)) u_digest (\n    .clk_i, .valid_i, .fold_o(fold),\n"
          "    .words_i({",
          name_camel(j->name).s, words_text(j), j->free);
  emit_vector(j, out);
  fprintf(out,
          ")\n  );\n`else\n  always_ff @(posedge clk_i) begin\n    if (valid_i)\n"
          "      journal_dpi_pkg::wl_j_%s({",
          lower(j->name));
  emit_vector(j, out);
  fprintf(out, ");\n  end\n`endif\nendmodule\n\n");
}

static void emit_records(const facts_t *f, const char *dir) {
  FILE *out = emit_open(dir, "journal_records.svh",
                        "// %s: generated from isa/def/journal.def by wlgen; do not edit.\n");
  fprintf(out, "// verilator lint_off DECLFILENAME // all kinds in one file\n`ifndef WL_BOARD\n"
               "// One import per kind of record: its words, word 0 lowest.\n"
               "package journal_dpi_pkg;\n");
  for (int i = 0; i < f->num_journal; i++) {
    const journal_t *j = &f->journal[i];
    fprintf(out, "  import \"DPI-C\" function void wl_j_%s(input bit [32*(%s)-1:0] words);\n",
            lower(j->name), words_text(j));
  }
  fprintf(out,
          "endpackage\n`endif\n\n"
          "// One module per kind. Outside the board a record is a call of its import, on it a\n"
          "// step of its signature (docs/fpga.md 5).\n");
  for (int i = 0; i < f->num_journal; i++)
    emit_module(&f->journal[i], out);
  fprintf(out, "// verilator lint_on DECLFILENAME\n");
  emit_close(out);
}

void emit_journal(const facts_t *f, const char *dir) {
  emit_records(f, dir);
  FILE *out = emit_open(dir, "wl_journal_imports.h",
                        "/* %s: generated from isa/def/journal.def by wlgen; do not edit. */\n");
  fprintf(out,
          "#ifndef WL_GEN_JOURNAL_IMPORTS_H\n#define WL_GEN_JOURNAL_IMPORTS_H\n\n"
          "/* X(name, KIND, words, lanes): the import wl_j_<name>(const svBitVecVal *) has the\n"
          " * words of a record WL_J_<KIND>: so many, and behind them, with lanes 1, one for each\n"
          " * lane. */\n"
          "#define WL_J_IMPORTS(X)");
  for (int i = 0; i < f->num_journal; i++) {
    const journal_t *j = &f->journal[i];
    fprintf(out, " \\\n  X(%s, %s, %d, %d)", lower(j->name), j->name, j->names - j->lanes,
            j->lanes);
  }
  fprintf(out, "\n\n#endif\n");
  emit_close(out);
}
