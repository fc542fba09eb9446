/* Writes the tags of packets: TAG rows of packet.def, the fields of each requester's tag from the
 * highest bits down. C structs with functions both ways, SystemVerilog structs. */
#include "isa/gen/wlgen.h"

#include <string.h>

static bool is_port(const facts_t *f, const char *name) {
  const index_t *x = &f->index[INDEX_PORT];
  for (int i = 0; i < x->num; i++)
    if (strcmp(x->row[i].name, name) == 0) return true;
  return false;
}

static int tag_bits(const facts_t *f, const char *port) {
  int bits = 0;
  for (int i = 0; i < f->num_tags; i++)
    if (strcmp(f->tag[i].port, port) == 0) bits += f->tag[i].bits;
  return bits;
}

/* The first row of each requester stands for it. */
static bool is_first(const facts_t *f, int i) {
  for (int k = 0; k < i; k++)
    if (strcmp(f->tag[k].port, f->tag[i].port) == 0) return false;
  return true;
}

/* Low bit of row i in its requester's tag: below it stand the rows after it. */
static int tag_low(const facts_t *f, int i) {
  int low = 0;
  for (int k = i + 1; k < f->num_tags; k++)
    if (strcmp(f->tag[k].port, f->tag[i].port) == 0) low += f->tag[k].bits;
  return low;
}

void read_tag(facts_t *f, const row_t *row) {
  want_args(row, "TAG", 4);
  const tag_t t = {.port = row->arg[0],
                   .name = row->arg[1],
                   .bits = (int)number(row, 2, 16),
                   .meaning = row->arg[3],
                   .row = row};
  if (!is_identifier(t.name)) fail(row, "'%s' is not a name", t.name);
  for (int i = 0; i < f->num_tags; i++)
    if (strcmp(f->tag[i].port, t.port) == 0 && strcmp(f->tag[i].name, t.name) == 0)
      fail(row, "duplicate field '%s'", t.name);
  if (f->num_tags == MAX_TAGS) fail(row, "more than %d fields of tags", MAX_TAGS);
  f->tag[f->num_tags++] = t;
  if (tag_bits(f, t.port) > member_bits(f, "packet", "tag"))
    fail(row, "the tag of %s has more than %d bits", t.port, member_bits(f, "packet", "tag"));
}

/* After index.def. */
void facts_tags_check(const facts_t *f) {
  for (int i = 0; i < f->num_tags; i++)
    if (!is_port(f, f->tag[i].port))
      fail(f->tag[i].row, "'%s' is no PORT of index.def", f->tag[i].port);
}

static void c_tag(const facts_t *f, FILE *out, const char *port, const char *id) {
  fprintf(out, "/* The tag of %s. */\ntypedef struct {\n", port);
  for (int i = 0; i < f->num_tags; i++)
    if (strcmp(f->tag[i].port, port) == 0)
      fprintf(out, "  uint16_t %s; /* %d bits: %s */\n", f->tag[i].name, f->tag[i].bits,
              f->tag[i].meaning);
  fprintf(out, "} wl_tag_%s_t;\n\nstatic inline wl_tag_%s_t wl_tag_%s(uint32_t tag) {\n", id, id,
          id);
  fprintf(out, "  wl_tag_%s_t t;\n", id);
  for (int i = 0; i < f->num_tags; i++)
    if (strcmp(f->tag[i].port, port) == 0)
      fprintf(out, "  t.%s = (uint16_t)(tag >> %d & %uu);\n", f->tag[i].name, tag_low(f, i),
              (1u << f->tag[i].bits) - 1);
  fprintf(out, "  return t;\n}\n\nstatic inline uint16_t wl_tag_of_%s(wl_tag_%s_t t) {\n", id, id);
  fprintf(out, "  unsigned tag = 0;\n");
  for (int i = 0; i < f->num_tags; i++)
    if (strcmp(f->tag[i].port, port) == 0)
      fprintf(out, "  tag |= (t.%s & %uu) << %d;\n", f->tag[i].name, (1u << f->tag[i].bits) - 1,
              tag_low(f, i));
  fprintf(out, "  return (uint16_t)tag;\n}\n\n");
}

static name_t lower(const char *s) {
  name_t n = {{0}};
  for (size_t i = 0; s[i] != '\0' && i + 1 < sizeof n.s; i++)
    n.s[i] = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] - 'A' + 'a') : s[i];
  return n;
}

void c_tags(const facts_t *f, FILE *out) {
  for (int i = 0; i < f->num_tags; i++)
    if (is_first(f, i)) c_tag(f, out, f->tag[i].port, lower(f->tag[i].port).s);
}

void sv_tags(const facts_t *f, FILE *out) {
  const int width = member_bits(f, "packet", "tag");
  for (int i = 0; i < f->num_tags; i++) {
    if (!is_first(f, i)) continue;
    const char *port = f->tag[i].port;
    const int bits = tag_bits(f, port);
    fprintf(out, "  // The tag of %s.\n  localparam int unsigned %sTagBits = %d;\n", port,
            name_camel(port).s, bits);
    fprintf(out, "  typedef struct packed {\n");
    if (bits < width) fprintf(out, "    logic [%d:0] zero;\n", width - bits - 1);
    for (int k = i; k < f->num_tags; k++)
      if (strcmp(f->tag[k].port, port) == 0)
        fprintf(out, "    logic [%d:0] %s;  // %s\n", f->tag[k].bits - 1, f->tag[k].name,
                f->tag[k].meaning);
    fprintf(out, "  } %s_tag_t;\n\n", lower(port).s);
  }
}

void doc_tags(const facts_t *f, FILE *out) {
  fprintf(out, "\n## Tags of packets\nFrom bit 0 up; bits above a tag's fields are 0.\n\n"
               "| requester | bits | field | what |\n|---|---|---|---|\n");
  for (int i = 0; i < f->num_tags; i++) {
    const tag_t *t = &f->tag[i];
    const int low = tag_low(f, i);
    fprintf(out, "| %s | %d:%d | %s | ", t->port, low + t->bits - 1, low, t->name);
    emit_cell(out, t->meaning);
    fprintf(out, " |\n");
  }
}
