/* Writes the C headers beside the instruction table: configurations, traps, special registers, the
 * launch block and packets. */
#include "isa/gen/wlgen.h"

#include <string.h>

static const char head[] = "/* %s: generated from isa/def by wlgen; do not edit. */\n";

static void guard(FILE *out, const char *name) {
  fprintf(out, "#ifndef WL_GEN_%s_H\n#define WL_GEN_%s_H\n\n#include <stdint.h>\n\n", name, name);
}

static void emit_most(FILE *out, const char *prefix, const config_t *column) {
  uint64_t most = 0;
  for (int c = 0; c < NUM_CONFIGS; c++)
    if (column->value[c] > most) most = column->value[c];
  fprintf(out, "#define %s%s %lluu\n", prefix, name_snake_upper(column->name).s,
          (unsigned long long)most);
}

static void emit_config(const facts_t *f, const char *dir) {
  FILE *out = emit_open(dir, "wl_config.h", head);
  guard(out, "CONFIG");
  fprintf(out, "/* Constants of every configuration. */\n");
  for (int i = 0; i < f->num_constants; i++)
    fprintf(out, "#define WL_%s %lluu /* %s */\n", name_snake_upper(f->constant[i].name).s,
            (unsigned long long)f->constant[i].value[0], f->constant[i].meaning);
  fprintf(out, "\ntypedef enum wl_config_id {\n");
  for (int i = 0; i < NUM_CONFIGS; i++)
    fprintf(out, "  WL_CONFIG_%s = %d,\n", name_upper(config_names[i]).s, i);
  fprintf(out,
          "  WL_NUM_CONFIGS = %d,\n"
          "  WL_NUM_SHOWN_CONFIGS = %d /* the others are for tests: lists leave them out */\n"
          "} wl_config_id_t;\n\n",
          NUM_CONFIGS, NUM_CONFIGS - NUM_TEST_CONFIGS);
  fprintf(out, "typedef struct wl_config {\n  const char *name;\n"
               "  uint32_t row; /* bit of wl_form_info_t.rows */\n");
  for (int i = 0; i < f->num_configs; i++)
    fprintf(out, "  uint32_t %s; /* %s */\n", name_snake(f->config[i].name).s,
            f->config[i].meaning);
  for (int i = 0; i < f->num_needs; i++)
    fprintf(out, "  uint32_t %s; /* %s */\n", name_snake(f->need[i].name).s, f->need[i].meaning);
  fprintf(out, "} wl_config_t;\n\nextern const wl_config_t wl_configs[WL_NUM_CONFIGS];\n\n");
  fprintf(out, "/* Largest value of each column over the configurations, for fixed arrays. */\n");
  for (int i = 0; i < f->num_configs; i++)
    emit_most(out, "WL_MOST_", &f->config[i]);
  for (int i = 0; i < f->num_needs; i++)
    if (strncmp(f->need[i].name, "Most", 4) == 0) emit_most(out, "WL_", &f->need[i]);
  FILE *header = out;
  out = emit_open(dir, "wl_config.c", head);
  fprintf(out, "#include \"gen/wl_config.h\"\n\n#include <stddef.h>\n");
  c_options(f, header, out);
  fprintf(header, "\n#endif\n");
  emit_close(header);
  fprintf(out, "\nconst wl_config_t wl_configs[WL_NUM_CONFIGS] = {\n");
  for (int c = 0; c < NUM_CONFIGS; c++) {
    fprintf(out, "    {.name = \"%s\",\n     .row = %u", config_names[c], 1u << c);
    for (int i = 0; i < f->num_configs; i++)
      fprintf(out, ",\n     .%s = %llu", name_snake(f->config[i].name).s,
              (unsigned long long)f->config[i].value[c]);
    for (int i = 0; i < f->num_needs; i++)
      fprintf(out, ",\n     .%s = %llu", name_snake(f->need[i].name).s,
              (unsigned long long)f->need[i].value[c]);
    fprintf(out, "},\n");
  }
  fprintf(out, "};\n");
  emit_close(out);
}

static void emit_trap(const facts_t *f, const char *dir) {
  int most = 0;
  for (int i = 0; i < f->num_traps; i++)
    if (f->trap[i].code > most) most = f->trap[i].code;
  FILE *out = emit_open(dir, "wl_trap.h", head);
  guard(out, "TRAP");
  fprintf(out, "typedef enum wl_trap {\n");
  for (int i = 0; i < f->num_traps; i++)
    fprintf(out, "  WL_TRAP_%s = %d, /* %s: %s */\n", name_upper(f->trap[i].name).s,
            f->trap[i].code, f->trap[i].text, f->trap[i].meaning);
  fprintf(out,
          "  WL_NUM_TRAPS = %d\n} wl_trap_t;\n\n"
          "#define WL_TRAP_BITS %d /* of a cause in the RTL */\n\n",
          most + 1, TRAP_BITS);
  fprintf(out, "/* Indexed by code; NULL where a code is not assigned. */\n"
               "extern const char *const wl_trap_name[WL_NUM_TRAPS];\n"
               "extern const char *const wl_trap_message[WL_NUM_TRAPS];\n\n#endif\n");
  emit_close(out);

  out = emit_open(dir, "wl_trap.c", head);
  fprintf(out, "#include \"gen/wl_trap.h\"\n\n");
  for (int pass = 0; pass < 2; pass++) {
    fprintf(out, "const char *const wl_trap_%s[WL_NUM_TRAPS] = {\n", pass ? "message" : "name");
    for (int i = 0; i < f->num_traps; i++)
      fprintf(out, "    [%d] = \"%s\",\n", f->trap[i].code,
              pass ? f->trap[i].meaning : f->trap[i].name);
    fprintf(out, "};\n");
  }
  emit_close(out);
}

static void emit_sreg(const facts_t *f, const char *dir) {
  FILE *out = emit_open(dir, "wl_sreg.h", head);
  guard(out, "SREG");
  fprintf(out,
          "/* Special registers of s2r; ids not listed read zero. */\ntypedef enum wl_sreg {\n");
  for (int i = 0; i < f->num_sregs; i++)
    fprintf(out, "  WL_SREG_%s = %d, /* %s: %s */\n", name_upper(f->sreg[i].name).s,
            f->sreg[i].code, f->sreg[i].text, f->sreg[i].meaning);
  fprintf(out, "  WL_NUM_SREG_IDS = 256\n} wl_sreg_t;\n\n"
               "/* PTX name of an id, NULL if it is not assigned. */\n"
               "extern const char *const wl_sreg_ptx_name[WL_NUM_SREG_IDS];\n\n#endif\n");
  emit_close(out);

  out = emit_open(dir, "wl_sreg.c", head);
  fprintf(out, "#include \"gen/wl_sreg.h\"\n\n"
               "const char *const wl_sreg_ptx_name[WL_NUM_SREG_IDS] = {\n");
  for (int i = 0; i < f->num_sregs; i++)
    fprintf(out, "    [%d] = \"%s\",\n", f->sreg[i].code, f->sreg[i].text);
  fprintf(out, "};\n");
  emit_close(out);
}

static void launch_gap(FILE *out, int from, int to) {
  if (to - from == 1) fprintf(out, "  uint32_t reserved%d; /* zero */\n", from);
  if (to - from > 1) fprintf(out, "  uint32_t reserved%d[%d]; /* zero */\n", from, to - from);
}

static void emit_launch(const facts_t *f, const char *dir) {
  FILE *out = emit_open(dir, "wl_launch.h", head);
  guard(out, "LAUNCH");
  fprintf(out, "/* Offsets in 32-bit words. */\n#define WL_LAUNCH_BLOCK_WORDS %d\n", LAUNCH_WORDS);
  for (int i = 0; i < f->num_launch; i++)
    fprintf(out, "#define WL_LAUNCH_%s %d\n", name_upper(f->launch[i].name).s, f->launch[i].code);
  fprintf(out, "\n/* The block as device memory holds it: little-endian words, [0] = low word. */\n"
               "typedef struct wl_launch_block {\n");
  int at = 0;
  for (int i = 0; i < f->num_launch; i++) {
    const small_t *l = &f->launch[i];
    launch_gap(out, at, l->code);
    if (l->count == 1)
      fprintf(out, "  uint32_t %s; /* %s */\n", l->name, l->meaning);
    else
      fprintf(out, "  uint32_t %s[%d]; /* %s */\n", l->name, l->count, l->meaning);
    at = l->code + l->count;
  }
  launch_gap(out, at, LAUNCH_WORDS);
  fprintf(out, "} wl_launch_block_t;\n\n"
               "_Static_assert(sizeof(wl_launch_block_t) == 4 * WL_LAUNCH_BLOCK_WORDS,\n"
               "               \"the launch block has no padding\");\n\n"
               "/* A 64-bit value of the block. */\n"
               "static inline uint64_t wl_pair(const uint32_t words[2]) {\n"
               "  return (uint64_t)words[1] << 32 | words[0];\n}\n\n#endif\n");
  emit_close(out);
}

void emit_machine(const facts_t *f, const char *dir) {
  emit_config(f, dir);
  emit_trap(f, dir);
  emit_sreg(f, dir);
  emit_launch(f, dir);
}

static const char *c_type(int bits) {
  return bits <= 8 ? "uint8_t" : bits <= 16 ? "uint16_t" : bits <= 32 ? "uint32_t" : "uint64_t";
}

/* C mirrors of the packed structs; members wider than 64 bits are arrays of 32-bit words. */
void emit_packet(const facts_t *f, const char *dir) {
  FILE *out = emit_open(dir, "wl_packet.h", head);
  guard(out, "PACKET");
  for (int i = 0; i < f->num_structs; i++) {
    const struct_t *s = &f->structure[i];
    fprintf(out, "#define WL_%s_BITS %d\ntypedef struct wl_%s {\n", name_upper(s->name).s, s->bits,
            s->name);
    for (int m = 0; m < s->num_members; m++) {
      const member_t *e = &s->member[m];
      if (e->nested >= 0)
        fprintf(out, "  wl_%s_t %s;", f->structure[e->nested].name, e->name);
      else if (e->bits > 64)
        fprintf(out, "  uint32_t %s[%d];", e->name, (e->bits + 31) / 32);
      else
        fprintf(out, "  %s %s;", c_type(e->bits), e->name);
      fprintf(out, " /* %d bits: %s */\n", e->bits, e->meaning);
    }
    fprintf(out, "} wl_%s_t;\n\n", s->name);
    fprintf(out, "/* Low bits of the members in the RTL's packed struct. */\nenum {\n");
    int low = s->bits;
    for (int m = 0; m < s->num_members; m++)
      fprintf(out, "  WL_%s_LOW_%s = %d,\n", name_upper(s->name).s, name_upper(s->member[m].name).s,
              low -= s->member[m].bits);
    fprintf(out, "};\n\n");
  }
  c_tags(f, out);
  fprintf(out, "#endif\n");
  emit_close(out);
}
