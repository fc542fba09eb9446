/* Writes the indices of index.def: wl_index.h and wl_index.c, their part of wl_pkg.sv and of the
 * configurations' packages, and their tables in docs/isa.md. */
#include "isa/gen/wlgen.h"

/* ---- C: arrays by sub-core have the most sub-cores of a configuration. */

static void c_enum(FILE *out, const index_t *x, const char *prefix, const char *count,
                   const char *comment) {
  fprintf(out, "/* %s */\nenum {\n", comment);
  for (int i = 0; i < x->num; i++)
    fprintf(out, "  WL_%s_%s = %d, /* %s */\n", prefix, x->row[i].name, i, x->row[i].meaning);
  fprintf(out, "  WL_%s = %d\n};\n\n", count, x->num);
}

/* Those of one sub-core, then those of the SM, each counted from 0. */
static void c_trap_sources(FILE *out, const index_t *x) {
  for (int pass = 0; pass < 2; pass++) {
    const bool sub = pass == 0;
    fprintf(out, "/* Trap sources of %s. */\nenum {\n", sub ? "a sub-core" : "the SM");
    for (int i = 0; i < x->num; i++)
      if (x->row[i].per_sub == sub)
        fprintf(out, "  WL_SRC_%s = %d, /* %s */\n", x->row[i].name, index_before(x, i, sub),
                x->row[i].meaning);
    fprintf(out, "  WL_%sTRAP_SOURCES = %d\n};\n\n", sub ? "SUB_" : "",
            index_before(x, x->num, sub));
  }
}

static void c_ports(FILE *out, const index_t *x) {
  fprintf(out,
          "/* Requesters of the SM port in their order; of those by sub-core the first one. A\n"
          " * configuration with fewer sub-cores leaves requesters out. */\nenum {\n");
  for (int i = 0; i <= x->num; i++) {
    if (i < x->num)
      fprintf(out, "  WL_PORT_%s = ", x->row[i].name);
    else
      fprintf(out, "  WL_PORTS = ");
    fprintf(out, "%d + %d * (int)WL_MOST_SUB_CORES,\n", index_before(x, i, false),
            index_before(x, i, true));
  }
  fprintf(out, "};\n\n");
}

/* Condition that a configuration has the row. */
static void c_exists(const facts_t *f, FILE *out, const index_row_t *row) {
  const char *before = "";
  for (int i = 0; i < f->num_options; i++) {
    if ((row->options >> i & 1) == 0) continue;
    fprintf(out, "%scfg->%s != 0", before, name_snake(f->option[i]->name).s);
    before = " || ";
  }
}

static void c_count(const facts_t *f, FILE *out, const index_t *x, const char *name) {
  int always = 0;
  while (always < x->num && x->row[always].options == 0)
    always++;
  fprintf(out,
          "/* Numbers up to the last row that the configuration has. */\n"
          "static inline unsigned wl_%s(const wl_config_t *cfg) {\n  (void)cfg;\n",
          name);
  for (int i = x->num; i-- > always;) {
    fprintf(out, "  if (");
    c_exists(f, out, &x->row[i]);
    fprintf(out, ") return %du;\n", i + 1);
  }
  fprintf(out, "  return %du;\n}\n\n", always);
}

static void c_names(FILE *out, const index_t *x, const char *name, const char *count) {
  fprintf(out, "const char *const wl_%s_name[%s] = {\n", name, count);
  for (int i = 0; i < x->num; i++)
    fprintf(out, "    \"%s\",\n", x->row[i].meaning);
  fprintf(out, "};\n");
}

void emit_index(const facts_t *f, const char *dir) {
  static const char head[] = "/* %s: generated from isa/def by wlgen; do not edit. */\n";
  const index_t *x = f->index;
  FILE *out = emit_open(dir, "wl_index.h", head);
  fprintf(out,
          "#ifndef WL_GEN_INDEX_H\n#define WL_GEN_INDEX_H\n\n#include \"gen/wl_config.h\"\n\n");
  c_trap_sources(out, &x[INDEX_TRAP_SOURCE]);
  c_ports(out, &x[INDEX_PORT]);
  c_enum(out, &x[INDEX_PORT], "FROM", "UNITS", "Units that packets and responses name.");
  c_enum(out, &x[INDEX_VWB], "VWB", "VWB_SOURCES", "Sources of the variable write-back.");
  c_enum(out, &x[INDEX_RESULT], "RESULT", "RESULT_PRODUCERS", "Producers of the result queue.");
  c_enum(out, &x[INDEX_CHUNK], "CHUNK", "CHUNK_REQUESTERS", "Requesters of the chunk port.");
  c_enum(out, &x[INDEX_REST], "REST", "REST_UNITS", "Bits of word `rest` of record REST.");
  c_count(f, out, &x[INDEX_VWB], "vwb_sources");
  c_count(f, out, &x[INDEX_REST], "rest_units");
  fprintf(out, "extern const char *const wl_from_name[WL_UNITS];\n"
               "extern const char *const wl_rest_name[WL_REST_UNITS];\n\n#endif\n");
  emit_close(out);
  out = emit_open(dir, "wl_index.c", head);
  fprintf(out, "#include \"gen/wl_index.h\"\n\n");
  c_names(out, &x[INDEX_PORT], "from", "WL_UNITS");
  c_names(out, &x[INDEX_REST], "rest", "WL_REST_UNITS");
  emit_close(out);
}

/* ---- SystemVerilog */

/* The count goes up to the last row that the configuration has. */
static void sv_numbers(const facts_t *f, FILE *out, int kind, const char *prefix, const char *count,
                       int config) {
  const index_t *x = &f->index[kind];
  for (int i = 0; i < x->num; i++)
    fprintf(out, "  localparam int unsigned %s%s = %d;  // %s\n", prefix,
            name_camel(x->row[i].name).s, i, x->row[i].meaning);
  fprintf(out, "  localparam int unsigned %s = %d;\n", count, index_count(f, x, config));
}

void sv_index(const facts_t *f, FILE *out) {
  const index_t *ports = &f->index[INDEX_PORT];
  const int member = member_bits(f, "packet", "unit");
  const int bits = member > 0 ? member : bits_for(ports->num);
  if (ports->num > 0) {
    fprintf(out,
            "  // Units that packets and responses name.\n"
            "  localparam int unsigned PortUnitBits = %d;\n"
            "  typedef enum logic [%d:0] {\n",
            bits, bits - 1);
    for (int i = 0; i < ports->num; i++)
      fprintf(out, "    From%s = %d'd%d%s  // %s\n", name_camel(ports->row[i].name).s, bits, i,
              i + 1 < ports->num ? "," : "", ports->row[i].meaning);
    fprintf(out, "  } port_unit_e;\n\n");
  }
}

static void sv_ports(FILE *out, const index_t *x) {
  fprintf(out, "  // Requesters of the SM port; of those by sub-core the first one.\n");
  for (int i = 0; i <= x->num; i++) {
    const int once = index_before(x, i, false), per_sub = index_before(x, i, true);
    if (i == x->num)
      fprintf(out, "  localparam int unsigned Ports = %d + %d * SubCores;\n", once, per_sub);
    else
      fprintf(out, "  localparam int unsigned Req%s = %d + %d * SubCores;  // %s\n",
              name_camel(x->row[i].name).s, once, per_sub, x->row[i].meaning);
  }
}

/* Sources of a sub-core stand together: sub-core k's source s is k * SubTrapSources + s. */
static void sv_trap_sources(const facts_t *f, FILE *out, int config) {
  const index_t *x = &f->index[INDEX_TRAP_SOURCE];
  const int own = index_count_of(f, x, config, true), once = index_count_of(f, x, config, false);
  fprintf(out,
          "  // Trap sources: of sub-core k those of a sub-core + k * SubTrapSources, then the "
          "SM's.\n  localparam int unsigned SubTrapSources = %d;\n",
          own);
  for (int i = 0; i < x->num; i++)
    fprintf(out, "  localparam int unsigned TrapSrc%s = %s%d;  // %s\n",
            name_camel(x->row[i].name).s, x->row[i].per_sub ? "" : "SubTrapSources * SubCores + ",
            index_before(x, i, x->row[i].per_sub), x->row[i].meaning);
  fprintf(out, "  localparam int unsigned TrapSources = SubTrapSources * SubCores + %d;\n", once);
}

void sv_index_config(const facts_t *f, FILE *out, int config) {
  sv_trap_sources(f, out, config);
  sv_ports(out, &f->index[INDEX_PORT]);
  fprintf(out, "  // Sources of the variable write-back.\n");
  sv_numbers(f, out, INDEX_VWB, "Vwb", "VwbSources", config);
  fprintf(out, "  // Producers of the result queue.\n");
  sv_numbers(f, out, INDEX_RESULT, "Result", "ResultProducers", config);
  fprintf(out, "  // Requesters of the chunk port.\n");
  sv_numbers(f, out, INDEX_CHUNK, "Chunk", "ChunkRequesters", config);
  fprintf(out, "  // Bits of word `rest` of record REST.\n");
  sv_numbers(f, out, INDEX_REST, "Rest", "RestUnits", config);
}

/* ---- docs/isa.md */

static void doc_options(const facts_t *f, FILE *out, const index_row_t *row) {
  const char *before = " (option ";
  for (int i = 0; i < f->num_options; i++) {
    if ((row->options >> i & 1) == 0) continue;
    fprintf(out, "%s%s", before, f->option[i]->name);
    before = " or ";
  }
  if (row->options != 0) fputc(')', out);
}

void doc_index(const facts_t *f, FILE *out) {
  static const char *const title[NUM_INDICES] = {[INDEX_TRAP_SOURCE] = "Trap sources",
                                                 [INDEX_PORT] = "Requesters of the SM port",
                                                 [INDEX_VWB] = "Sources of the variable write-back",
                                                 [INDEX_RESULT] = "Producers of the result queue",
                                                 [INDEX_CHUNK] = "Requesters of the chunk port",
                                                 [INDEX_REST] = "Bits of word rest of record REST"};
  for (int k = 0; k < NUM_INDICES; k++) {
    const index_t *x = &f->index[k];
    fprintf(out, "\n## %s\n| number | name | one for each | what |\n|---|---|---|---|\n", title[k]);
    for (int i = 0; i < x->num; i++) {
      fprintf(out, "| %d | %s | %s | ", i, x->row[i].name, x->row[i].per_sub ? "sub-core" : "SM");
      emit_cell(out, x->row[i].meaning);
      doc_options(f, out, &x->row[i]);
      fprintf(out, " |\n");
    }
  }
}
