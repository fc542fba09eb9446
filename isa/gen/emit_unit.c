/* Writes the facts of unit.def: columns of wl_form_info_t, functions over form_info_t in wl_pkg.sv,
 * their table in docs/isa.md; the optional units of config.def. */
#include "isa/gen/wlgen.h"

#include <string.h>

/* What a form makes of a column that asks for its immediate. */
static bool form_slot(const facts_t *f, const form_t *form, int column) {
  const int value = unit_fact(f, form->unit, form->op, column);
  return value == SLOTS_IMM ? f->shape[form->shape].imm != 0 : value == SLOTS_ONE;
}

static bool form_tbuf(const facts_t *f, const form_t *form) {
  const int value = unit_fact(f, form->unit, form->op, UNIT_TBUF);
  return value == TBUF_REG ? f->shape[form->shape].imm == 0 : value == TBUF_YES;
}

/* ---- C */

static void c_codes(FILE *out, const char *type, const char *prefix, const char *const *names,
                    int num) {
  fprintf(out, "typedef enum wl_%s {\n", type);
  for (int i = 0; i < num; i++)
    fprintf(out, "  WL_%s_%s = %d,\n", prefix, name_upper(names[i]).s, i);
  fprintf(out, "} wl_%s_t;\n\n", type);
}

/* The operations of a unit as an X-macro: X(NAME, name). */
void c_op_lists(const facts_t *f, FILE *out) {
  for (int u = 0; u < f->num_units; u++) {
    if (f->unit[u].mem || f->op[u].num == 0) continue;
    fprintf(out, "#define WL_%s_OPS(X)", unit_names[u]);
    for (int op = 0; op < f->op[u].num; op++) {
      char lower[NAME_LEN] = "";
      for (size_t i = 0; f->op[u].ops[op][i] != '\0' && i + 1 < sizeof lower; i++) {
        const char c = f->op[u].ops[op][i];
        lower[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
      }
      fprintf(out, " \\\n  X(%s, %s)", f->op[u].ops[op], lower);
    }
    fprintf(out, "\n\n");
  }
}

/* Before wl_form_info_t, which has a member of wl_unit_facts_t. */
void c_unit_types(FILE *out) {
  c_codes(out, "route", "ROUTE", route_names, ROUTE_NEVER);
  c_codes(out, "polls", "POLLS", poll_names, list_count(poll_names));
  c_codes(out, "lanes", "LANES_AT_ONCE", lanes_names, list_count(lanes_names));
  c_codes(out, "aligned", "ALIGNED", aligned_names, list_count(aligned_names));
  fprintf(
      out,
      "/* What kind of thing a form is (unit.def). */\n"
      "typedef struct wl_unit_facts {\n"
      "  uint8_t route;          /* wl_route_t: where it goes after its read slots */\n"
      "  uint8_t returns;        /* 1: it may issue again with its lanes released */\n"
      "  uint8_t released_route; /* wl_route_t of a released one, or one that had not to wait */\n"
      "  uint8_t one_slot, released_one_slot; /* 1: a single read slot */\n"
      "  uint8_t target_buffer;  /* 1: takes the target buffer if it is control */\n"
      "  uint8_t waits;          /* 1: waits at issue for the warp's memory operations, 2: for its range notes */\n"
      "  uint8_t polls;          /* wl_polls_t: sets polled */\n"
      "  uint8_t lanes;          /* wl_lanes_t: lanes that are done at once */\n"
      "  uint8_t link;           /* 1: the fixed pipe writes pc + 1 as well */\n"
      "  uint8_t aligned;        /* wl_aligned_t: a gathered form */\n"
      "  uint8_t list;           /* 1: operands are the words of the step list */\n"
      "  uint8_t queue;          /* 1: results go through the result queue */\n"
      "} wl_unit_facts_t;\n\n"
      "/* Matrices of a form of LDMATRIX or STMATRIX (unit.def), else all 0. */\n"
      "typedef struct wl_matrix_facts {\n"
      "  uint8_t kind;      /* wl_matrix_t */\n"
      "  uint8_t count;     /* n */\n"
      "  uint8_t rows;      /* R, of a matrix */\n"
      "  uint8_t registers; /* of a lane, of a matrix */\n"
      "} wl_matrix_facts_t;\n\n");
}

void c_form_unit(const facts_t *f, FILE *out, const form_t *form) {
  const int released = unit_fact(f, form->unit, form->op, UNIT_RELEASED);
  const bool returns = released != ROUTE_NEVER;
  fprintf(out, "{%d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d, %d}",
          unit_fact(f, form->unit, form->op, UNIT_ROUTE), returns, returns ? released : ROUTE_NONE,
          form_slot(f, form, UNIT_SLOTS), form_slot(f, form, UNIT_RELEASED_SLOTS),
          form_tbuf(f, form), unit_fact(f, form->unit, form->op, UNIT_WAITS),
          unit_fact(f, form->unit, form->op, UNIT_POLLS),
          unit_fact(f, form->unit, form->op, UNIT_LANES),
          unit_fact(f, form->unit, form->op, UNIT_LINK),
          unit_fact(f, form->unit, form->op, UNIT_ALIGNED),
          unit_fact(f, form->unit, form->op, UNIT_LIST),
          unit_fact(f, form->unit, form->op, UNIT_QUEUE));
}

/* Bits of an object's note, and where a configuration has the option. */
void c_options(const facts_t *f, FILE *header, FILE *code) {
  fprintf(header,
          "\n/* Optional units: bit of an object's note (wl_obj_entry_t.units). */\nenum {\n");
  for (int i = 0; i < f->num_options; i++)
    fprintf(header, "  WL_OBJ_UNIT_%s = 1 << %d, /* %s */\n",
            name_snake_upper(f->option[i]->name).s, i, f->option[i]->meaning);
  fprintf(header,
          "  WL_NUM_OPTIONS = %d\n};\ntypedef struct wl_option {\n"
          "  const char *meaning;\n"
          "  uint32_t member;    /* offset in wl_config_t */\n"
          "  const char *clause; /* of PTX, or empty */\n"
          "} wl_option_t;\n"
          "extern const wl_option_t wl_options[WL_NUM_OPTIONS + 1]; /* by bit, then zeros */\n",
          f->num_options);
  fprintf(code, "\nconst wl_option_t wl_options[WL_NUM_OPTIONS + 1] = {\n");
  for (int i = 0; i < f->num_options; i++)
    fprintf(code, "    {\"%s\", (uint32_t)offsetof(wl_config_t, %s), \"%s\"},\n",
            f->option[i]->meaning, name_snake(f->option[i]->name).s, f->option[i]->clause);
  fprintf(code, "    {0}};\n");
}

/* ---- SystemVerilog: functions of unit, operation and immediate, so that a form's row in the table
 * and the instruction buffers do not grow. */

/* The arm of a unit: its operations whose value differs from its row's, those of one value
 * together, then its row's. None where all of that is `other`, what the function returns elsewhere. */
static void sv_arm(const facts_t *f, FILE *out, int unit, int column, const char *const *text,
                   const char *other) {
  const char *own = text[f->unit[unit].value[column]];
  const name_t id = name_camel(unit_names[unit]);
  bool differs = false;
  for (int op = 0; op < num_ops(f, unit); op++)
    differs |= strcmp(text[unit_fact(f, unit, op, column)], own) != 0;
  if (!differs) {
    if (strcmp(own, other) != 0) fprintf(out, "      Unit%s: return %s;\n", id.s, own);
    return;
  }
  fprintf(out, "      Unit%s: begin\n        unique case (info.op)\n", id.s);
  for (int value = 0; text[value] != NULL; value++) {
    bool any = false;
    for (int op = 0; strcmp(text[value], own) != 0 && op < num_ops(f, unit); op++) {
      if (unit_fact(f, unit, op, column) != value) continue;
      const char *prefix = f->unit[unit].mem ? "MemKind" : id.s;
      fprintf(out, "%s8'(%s%s)", any ? ", " : "          ", prefix,
              name_camel(op_name(f, unit, op)).s);
      any = true;
    }
    if (any) fprintf(out, ": return %s;\n", text[value]);
  }
  fprintf(out, "          default: return %s;\n        endcase\n      end\n", own);
}

static void sv_function(const facts_t *f, FILE *out, const char *type, const char *name, int column,
                        const char *const *text, const char *other) {
  fprintf(out, "  function automatic %s %s(input form_info_t info);\n    unique case (info.unit)\n",
          type, name);
  for (int u = 0; u < f->num_units; u++)
    sv_arm(f, out, u, column, text, other);
  fprintf(out, "      default: return %s;\n    endcase\n  endfunction\n\n", other);
}

static void sv_codes(FILE *out, const char *type, const char *prefix, const char *const *names,
                     int num) {
  fprintf(out, "  typedef enum logic [%d:0] {\n", bits_for(num) - 1);
  for (int i = 0; i < num; i++)
    fprintf(out, "    %s%s = %d'd%d%s\n", prefix, name_camel(names[i]).s, bits_for(num), i,
            i + 1 < num ? "," : "");
  fprintf(out, "  } %s_e;\n\n", type);
}

void sv_unit(const facts_t *f, FILE *out) {
  static const char *const routes[] = {"RouteNone",     "RouteFixed", "RouteControl",
                                       "RouteVariable", "RouteNone",  NULL};
  static const char *const returns[] = {"1'b1", "1'b1", "1'b1", "1'b1", "1'b0", NULL};
  static const char *const polls[] = {"PollsNo", "PollsYes", "PollsStrong", "PollsResult", NULL};
  static const char *const lanes[] = {"LanesAll", "LanesSlow",  "LanesFp", "LanesLsu",
                                      "LanesOne", "LanesFirst", NULL};
  static const char *const aligned[] = {"AlignedNo", "AlignedLive", "AlignedAll", NULL};
  static const char *const slots[] = {"1'b0", "1'b1", "info.imm != ImmNone", NULL};
  static const char *const flag[] = {"1'b0", "1'b1", NULL};
  static const char *const waits[] = {"1'b0", "1'b1", "1'b0", NULL};
  static const char *const notes[] = {"1'b0", "1'b0", "1'b1", NULL};
  static const char *const tbuf[] = {"1'b0", "1'b1", "info.imm == ImmNone", NULL};
  fprintf(out, "  // What kind of thing a form is (unit.def), by unit and operation.\n");
  sv_codes(out, "route", "Route", route_names, ROUTE_NEVER);
  sv_codes(out, "polls", "Polls", poll_names, list_count(poll_names));
  sv_codes(out, "lanes", "Lanes", lanes_names, list_count(lanes_names));
  sv_codes(out, "aligned", "Aligned", aligned_names, list_count(aligned_names));
  fprintf(out,
          "  /* verilator lint_off UNUSEDSIGNAL */  // a function reads some fields of a form\n");
  sv_function(f, out, "route_e", "first_route", UNIT_ROUTE, routes, "RouteNone");
  sv_function(f, out, "route_e", "released_route", UNIT_RELEASED, routes, "RouteNone");
  sv_function(f, out, "logic", "form_returns", UNIT_RELEASED, returns, "1'b0");
  sv_function(f, out, "logic", "first_one_slot", UNIT_SLOTS, slots, "1'b0");
  sv_function(f, out, "logic", "released_one_slot", UNIT_RELEASED_SLOTS, slots, "1'b0");
  sv_function(f, out, "logic", "form_tbuf", UNIT_TBUF, tbuf, "1'b0");
  sv_function(f, out, "logic", "form_waits", UNIT_WAITS, waits, "1'b0");
  sv_function(f, out, "logic", "form_waits_notes", UNIT_WAITS, notes, "1'b0");
  sv_function(f, out, "polls_e", "form_polls", UNIT_POLLS, polls, "PollsNo");
  sv_function(f, out, "lanes_e", "form_lanes", UNIT_LANES, lanes, "LanesAll");
  sv_function(f, out, "logic", "form_link", UNIT_LINK, flag, "1'b0");
  sv_function(f, out, "aligned_e", "form_aligned", UNIT_ALIGNED, aligned, "AlignedNo");
  sv_function(f, out, "logic", "form_list", UNIT_LIST, flag, "1'b0");
  sv_function(f, out, "logic", "form_queue", UNIT_QUEUE, flag, "1'b0");
  fprintf(out,
          "  // The route of one that is released or had not to wait (back), or of any other.\n"
          "  function automatic route_e form_route(input form_info_t info, input logic back);\n"
          "    return back ? released_route(info) : first_route(info);\n  endfunction\n\n"
          "  function automatic logic form_one_slot(input form_info_t info, input logic back);\n"
          "    return back ? released_one_slot(info) : first_one_slot(info);\n  endfunction\n\n"
          "  // Whether the fixed pipe writes for it.\n"
          "  function automatic logic form_fixed(input form_info_t info, input logic back);\n"
          "    return form_route(info, back) == RouteFixed || form_link(info);\n"
          "  endfunction\n"
          "  // verilator lint_on UNUSEDSIGNAL\n\n");
}

/* ---- docs/isa.md */

static void doc_differences(const facts_t *f, FILE *out) {
  fprintf(out, "\nOperations that differ from their unit:\n\n"
               "| unit | operations | column | value |\n|---|---|---|---|\n");
  const row_t *last = NULL;
  for (int i = 0; i < f->num_unit_ops; i++) {
    const row_t *row = f->unit_op[i].row;
    if (row == last) continue;
    last = row;
    fprintf(out, "| %s | %s | %s | %s |\n", row->arg[0], row->arg[1], row->arg[2], row->arg[3]);
  }
}

void doc_unit(const facts_t *f, FILE *out) {
  static const char *const title[] = {"route", "released", "slots",   "released_slots", "tbuf",
                                      "waits", "polls",    "lanes",   "link",           "aligned",
                                      "list",  "queue",    "latency", "option",         NULL};
  fprintf(
      out,
      "\n## Units\n"
      "route: where an instruction goes after its read slots. released: the route of one whose "
      "lanes are released, or that had not to wait. slots: one, or one for an immediate form "
      "(imm), or all that its operands take. tbuf: takes the target buffer; reg: the form "
      "without an immediate. waits: for the warp's memory operations. polls: sets polled. "
      "lanes: done at once; one: a LANE form. link: the fixed pipe writes pc + 1 as well. aligned: "
      "a gathered form; all: no lane of the warp may have exited. list: operands are the words of the step list. "
      "queue: results go through the result queue. latency: X stages. "
      "option: column of the configurations without which the unit is missing. The contract "
      "is docs/microarchitecture.md 5 to 12.\n\n| unit |");
  for (int i = 0; title[i] != NULL; i++)
    fprintf(out, " %s |", title[i]);
  fprintf(out, " what |\n|---|");
  for (int i = 0; title[i] != NULL; i++)
    fprintf(out, "---|");
  fprintf(out, "---|\n");
  for (int u = 0; u < f->num_units; u++) {
    const unit_t *x = &f->unit[u];
    fprintf(out, "| %s |", x->name);
    for (int c = 2; c < UNIT_COLUMNS + 4; c++)
      fprintf(out, " %s |", x->row->arg[c]);
    fprintf(out, " %s |\n", x->meaning);
  }
  doc_differences(f, out);
}
