/* Writes wl_debug.h and .c: the rows of debug.def with the place of their elements in one array, which
 * both sides of lockstep fill; and debug.vlt, which makes the RTL's registers readable. */
#include "isa/gen/wlgen.h"

#include <string.h>

static const char head[] = "/* %s: generated from isa/def/debug.def by wlgen; do not edit. */\n";

static void emit_numbers(FILE *c, const uint64_t *value, const char *behind) {
  for (int i = 0; i < NUM_CONFIGS; i++)
    fprintf(c, "%s%llu", i == 0 ? "{" : ", ", (unsigned long long)value[i]);
  fprintf(c, "}%s", behind);
}

static void emit_header(const facts_t *f, const char *dir) {
  uint64_t most = 1;
  for (int i = 0; i < NUM_CONFIGS; i++)
    if (f->debug_words[i] > most) most = f->debug_words[i];
  FILE *h = emit_open(dir, "wl_debug.h", head);
  fprintf(h, "#ifndef WL_GEN_DEBUG_H\n#define WL_GEN_DEBUG_H\n#include <stdint.h>\n"
             "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\ntypedef enum wl_debug_id {\n");
  for (int i = 0; i < f->num_debugs; i++)
    fprintf(h, "  WL_DEBUG_%s = %d, /* %s: %s */\n", name_upper(f->debug[i].name).s, i,
            f->debug[i].meaning, f->debug[i].index);
  fprintf(
      h,
      "  WL_NUM_DEBUGS = %d\n} wl_debug_id_t;\nenum { WL_DEBUG_MAX_WORDS = %llu };\n\n"
      "typedef struct wl_debug_info {\n"
      "  const char *name, *section, *rtl, *index, *meaning;\n"
      "  int when; /* row with a bit for each element that says whether it counts, -1: all do, -2: none */\n"
      "  unsigned slices[%d], elements[%d], bits[%d]; /* by configuration */\n"
      "  unsigned first[%d]; /* place of element 0 of slice 0 in the array of words */\n"
      "} wl_debug_info_t;\nextern const wl_debug_info_t wl_debug_info[];\n"
      "extern const unsigned wl_debug_words[%d]; /* of all rows */\n\n"
      "#ifdef __cplusplus\n}\n#endif\n#endif\n",
      f->num_debugs, (unsigned long long)most, NUM_CONFIGS, NUM_CONFIGS, NUM_CONFIGS, NUM_CONFIGS,
      NUM_CONFIGS);
  emit_close(h);
}

/* The last component of the RTL's name is the variable. */
static void emit_waivers(const facts_t *f, const char *dir) {
  FILE *v = emit_open(dir, "debug.vlt", "// %s: generated from isa/def/debug.def by wlgen.\n");
  fprintf(v, "`verilator_config\n");
  for (int i = 0; i < f->num_debugs; i++) {
    const char *dot = strrchr(f->debug[i].rtl, '.');
    fprintf(v, "public_flat_rd -module \"%s\" -var \"%s\"\n", f->debug[i].module,
            dot != NULL ? dot + 1 : f->debug[i].rtl);
  }
  emit_close(v);
}

void emit_debug(const facts_t *f, const char *dir) {
  emit_header(f, dir);
  emit_waivers(f, dir);
  FILE *c = emit_open(dir, "wl_debug.c", head);
  fprintf(c, "#include \"gen/wl_debug.h\"\n\nconst wl_debug_info_t wl_debug_info[] = {\n");
  for (int i = 0; i < f->num_debugs; i++) {
    const debug_t *d = &f->debug[i];
    fprintf(c, "    {\"%s\", \"%s\", \"%s\", \"%s\", \"%s\", %d, ", d->name, d->section, d->rtl,
            d->index, d->meaning, d->when);
    emit_numbers(c, d->slices, ", ");
    emit_numbers(c, d->elements, ", ");
    emit_numbers(c, d->bits, ", ");
    emit_numbers(c, d->first, "},\n");
  }
  fprintf(c, "    {0}};\nconst unsigned wl_debug_words[] = ");
  emit_numbers(c, f->debug_words, ";\n");
  emit_close(c);
}
