/* Tables of the special functions: rows of special.def, and what is written of them: wl_special.h and a
 * part of wl_pkg.sv (docs/microarchitecture.md 6.4). */
#include "isa/gen/wlgen.h"

#include <string.h>

enum { BITS_0 = 28, BITS_1 = 23, BITS_2 = 20 }; /* of the coefficients, with sign */
enum { UNIT = 26 };                             /* y is in units of 2^-26 */

static int32_t coefficient(const row_t *row, int arg, int bits) {
  return signed_number(row, arg, (1 << (bits - 1)) - 1);
}

/* The function of a row; the rows of a function stand together. */
static void find_function(facts_t *f, const row_t *row) {
  special_t *s = f->num_specials == 0 ? NULL : &f->special[f->num_specials - 1];
  if (s == NULL || strcmp(s->name, row->arg[0]) != 0) {
    if (f->num_specials == MAX_SPECIALS) fail(row, "more than %d functions", MAX_SPECIALS);
    if (!is_identifier(row->arg[0])) fail(row, "'%s' is not a name", row->arg[0]);
    for (int i = 0; i < f->num_specials; i++)
      if (strcmp(f->special[i].name, row->arg[0]) == 0)
        fail(row, "the rows of '%s' do not stand together", row->arg[0]);
    s = &f->special[f->num_specials++];
    *s = (special_t){.name = row->arg[0], .first = f->num_segments};
  }
  if ((int)number(row, 1, MAX_SEGMENTS) != f->num_segments - s->first)
    fail(row, "segment %s: expected %d", row->arg[1], f->num_segments - s->first);
}

void facts_special(facts_t *f, const char *dir) {
  rows_t rows;
  rows_read(&rows, dir, "special.def", true);
  for (int i = 0; i < rows.num; i++) {
    const row_t *row = &rows.row[i];
    want_args(row, "SPECIAL", 5);
    if (f->num_segments == MAX_SEGMENTS) fail(row, "more than %d segments", MAX_SEGMENTS);
    find_function(f, row);
    f->segment[f->num_segments++] = (segment_t){
        {coefficient(row, 2, BITS_0), coefficient(row, 3, BITS_1), coefficient(row, 4, BITS_2)}};
  }
  facts_hash(f, &rows);
}

void emit_special(const facts_t *f, const char *dir) {
  FILE *out =
      emit_open(dir, "wl_special.h", "/* %s: generated from isa/def by wlgen; do not edit. */\n");
  fprintf(out,
          "#ifndef WL_GEN_SPECIAL_H\n#define WL_GEN_SPECIAL_H\n\n#include <stdint.h>\n\n"
          "/* Segments of the special functions (special.def); the first of each function. */\n"
          "enum {\n");
  for (int i = 0; i < f->num_specials; i++)
    fprintf(out, "  WL_SPECIAL_%s = %d,\n", name_upper(f->special[i].name).s, f->special[i].first);
  fprintf(out,
          "  WL_NUM_SPECIAL = %d\n};\n"
          "typedef struct wl_segment {\n  int32_t c0, c1, c2;\n} wl_segment_t;\n"
          "static const wl_segment_t wl_special[WL_NUM_SPECIAL] = {\n",
          f->num_segments);
  for (int i = 0; i < f->num_segments; i++) {
    const int32_t *c = f->segment[i].c;
    fprintf(out, "    {%d, %d, %d},\n", c[0], c[1], c[2]);
  }
  fprintf(out, "};\n\n#endif\n");
  emit_close(out);
}

static void sv_number(FILE *out, int32_t value, int bits, const char *behind) {
  fprintf(out, "%s%d'sd%d%s", value < 0 ? "-" : "", bits, value < 0 ? -value : value, behind);
}

/* What the RTL subtracts products from: the negative of c0, since y is made inverted; of FLG2 less 1, too,
 * since it takes E - 128 for E - 127, which needs no sum. */
static int32_t base_of(const facts_t *f, int segment) {
  const special_t *s = f->special;
  while (s + 1 < f->special + f->num_specials && s[1].first <= segment)
    s++;
  return -f->segment[segment].c[0] - (strcmp(s->name, "LG2") == 0 ? 1 << UNIT : 0);
}

void sv_special(const facts_t *f, FILE *out) {
  fprintf(out,
          "  // Segments of the special functions (special.def); the first of each function.\n");
  for (int i = 0; i < f->num_specials; i++)
    fprintf(out, "  localparam logic [7:0] Special%s = 8'd%d;\n", name_camel(f->special[i].name).s,
            f->special[i].first);
  fprintf(out,
          "  typedef struct packed {\n    logic signed [%d:0] base;\n    logic signed [%d:0] c1;\n"
          "    logic signed [%d:0] c2;\n  } segment_t;\n"
          "  function automatic segment_t special_segment(input logic [7:0] row);\n"
          "    unique case (row)\n",
          BITS_0 - 1, BITS_1 - 1, BITS_2 - 1);
  for (int i = 0; i < f->num_segments; i++) {
    const int32_t *c = f->segment[i].c;
    fprintf(out, "      8'd%d: return '{", i);
    sv_number(out, base_of(f, i), BITS_0, ", ");
    sv_number(out, c[1], BITS_1, ", ");
    sv_number(out, c[2], BITS_2, "};\n");
  }
  fprintf(out, "      default: return '0;\n    endcase\n  endfunction\n\n");
}
