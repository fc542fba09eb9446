/* Writes wl_link.h, wl_link.c and link_pkg.sv: names and numbers of the board's host link
 * (link.def, docs/fpga.md 3 to 6) for the driver and for the board's RTL. */
#include "isa/gen/wlgen.h"

#include <string.h>

/* Commands and arrays are spelt in one case, OutOfRange is not. */
static name_t c_name(const char *prefix, const char *name) {
  return strcmp(prefix, "ERR") == 0 ? name_snake_upper(name) : name_upper(name);
}

static void c_enum(FILE *out, const char *type, const char *prefix, const small_t *list, int num) {
  int most = 0;
  fprintf(out, "typedef enum wl_link_%s {\n", type);
  for (int i = 0; i < num; i++) {
    if (list[i].code > most) most = list[i].code;
    fprintf(out, "  WL_LINK_%s_%s = %d, /* %s */\n", prefix, c_name(prefix, list[i].name).s,
            list[i].code, list[i].meaning);
  }
  fprintf(out, "  WL_LINK_%s_LIMIT = %d /* above all numbers */\n} wl_link_%s_t;\n\n", prefix,
          most + 1, type);
}

static void c_strings(FILE *out, const char *type, const char *prefix, const char *what,
                      const small_t *list, int num) {
  fprintf(out, "const char *const wl_link_%s_%s[WL_LINK_%s_LIMIT] = {\n", type, what, prefix);
  for (int i = 0; i < num; i++)
    fprintf(out, "    [%d] = \"%s\",\n", list[i].code,
            strcmp(what, "name") == 0 ? list[i].name : list[i].meaning);
  fprintf(out, "};\n");
}

static void emit_c(const link_t *l, const char *dir) {
  static const char head[] = "/* %s: generated from isa/def/link.def by wlgen; do not edit. */\n";
  FILE *out = emit_open(dir, "wl_link.h", head);
  fprintf(out, "#ifndef WL_GEN_LINK_H\n#define WL_GEN_LINK_H\n\n"
               "/* Host link of the board: docs/fpga.md. */\n");
  for (int i = 0; i < l->num_constants; i++)
    fprintf(out, "#define WL_%s %du /* %s */\n", name_snake_upper(l->constant[i].name).s,
            l->constant[i].code, l->constant[i].meaning);
  fprintf(out, "\n");
  c_enum(out, "cmd", "CMD", l->command, l->num_commands);
  c_enum(out, "err", "ERR", l->error, l->num_errors);
  c_enum(out, "array", "ARRAY", l->array, l->num_arrays);
  fprintf(out, "/* Indexed by number; NULL where a number is not assigned. */\n"
               "extern const char *const wl_link_cmd_name[WL_LINK_CMD_LIMIT];\n"
               "extern const char *const wl_link_cmd_what[WL_LINK_CMD_LIMIT];\n"
               "extern const char *const wl_link_err_name[WL_LINK_ERR_LIMIT];\n"
               "extern const char *const wl_link_err_message[WL_LINK_ERR_LIMIT];\n"
               "extern const char *const wl_link_array_name[WL_LINK_ARRAY_LIMIT];\n\n#endif\n");
  emit_close(out);

  out = emit_open(dir, "wl_link.c", head);
  fprintf(out, "#include \"gen/wl_link.h\"\n\n#include <stddef.h>\n\n");
  c_strings(out, "cmd", "CMD", "name", l->command, l->num_commands);
  c_strings(out, "cmd", "CMD", "what", l->command, l->num_commands);
  c_strings(out, "err", "ERR", "name", l->error, l->num_errors);
  c_strings(out, "err", "ERR", "message", l->error, l->num_errors);
  c_strings(out, "array", "ARRAY", "name", l->array, l->num_arrays);
  emit_close(out);
}

static void sv_enum(FILE *out, const char *type, const char *prefix, const small_t *list, int num) {
  fprintf(out, "  typedef enum logic [7:0] {\n");
  for (int i = 0; i < num; i++)
    fprintf(out, "    %s%s = 8'd%d%s  // %s\n", prefix, list[i].name, list[i].code,
            i + 1 < num ? "," : "", list[i].meaning);
  fprintf(out, "  } link_%s_e;\n", type);
}

/* CMD names are upper case in the table: Hello and not HELLO in SystemVerilog. */
static void sv_commands(const link_t *l, FILE *out) {
  small_t list[MAX_LINK];
  name_t name[MAX_LINK];
  for (int i = 0; i < l->num_commands; i++) {
    list[i] = l->command[i];
    name[i] = name_camel(list[i].name);
    list[i].name = name[i].s;
  }
  sv_enum(out, "cmd", "Cmd", list, l->num_commands);
}

static void emit_pkg(const facts_t *f, const char *dir) {
  const link_t *l = &f->link;
  FILE *out = emit_open(dir, "link_pkg.sv",
                        "// %s: generated from isa/def/link.def by wlgen; do not edit.\n");
  fprintf(out, "package link_pkg;\n  /* verilator lint_off UNUSEDPARAM */\n"
               "  // Host link of the board: docs/fpga.md.\n");
  for (int i = 0; i < l->num_constants; i++)
    fprintf(out, "  localparam int unsigned %s = %d;  // %s\n", l->constant[i].name,
            l->constant[i].code, l->constant[i].meaning);
  fprintf(out, "  localparam int unsigned NumSignatures = %d;  // kinds of records\n",
          f->num_journal);
  if (l->num_commands > 0) sv_commands(l, out);
  if (l->num_errors > 0) sv_enum(out, "err", "Err", l->error, l->num_errors);
  fprintf(out, "  /* verilator lint_on UNUSEDPARAM */\nendpackage\n");
  emit_close(out);
}

void emit_link(const facts_t *f, const char *dir) {
  emit_c(&f->link, dir);
  emit_pkg(f, dir);
}
