/* wlgen --def DIR [--out DIR] [--docs FILE] [--lockstep FILE]: reads isa/def, checks it, writes the generated files.
 * Exit status: 0 written, 1 an error in a table (file:line: message), 2 usage. */
#include "isa/gen/wlgen.h"

#include <string.h>

#if defined(__has_feature)
#define WL_HAS_ASAN __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define WL_HAS_ASAN 1
#else
#define WL_HAS_ASAN 0
#endif
#if WL_HAS_ASAN
/* The facts live until the program ends, which is when they would be freed. The sanitizer looks the
 * function up by name. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }
#endif

static int usage(void) {
  fputs("usage: wlgen --def DIR [--out DIR] [--docs FILE] [--lockstep FILE]\n"
        "  --def   folder with the .def tables\n"
        "  --out   folder for the C and SystemVerilog files\n"
        "  --docs  file for the ISA reference\n"
        "  --lockstep  text whose marked part is rewritten as the tables of compared state\n",
        stderr);
  return 2;
}

int main(int argc, char **argv) {
  const char *def = NULL;
  const char *out = NULL;
  const char *docs = NULL;
  const char *lockstep = NULL;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return usage();
    if (strcmp(argv[i], "--def") == 0)
      def = argv[i + 1];
    else if (strcmp(argv[i], "--out") == 0)
      out = argv[i + 1];
    else if (strcmp(argv[i], "--docs") == 0)
      docs = argv[i + 1];
    else if (strcmp(argv[i], "--lockstep") == 0)
      lockstep = argv[i + 1];
    else
      return usage();
  }
  if (def == NULL) return usage();
  facts_t *f = xalloc(sizeof *f);
  facts_read(f, def);
  if (out != NULL) {
    emit_insn(f, out);
    emit_format(f, out);
    emit_numerics(f, out);
    emit_special(f, out);
    emit_machine(f, out);
    emit_packet(f, out);
    emit_layout(f, out);
    emit_journal(f, out);
    emit_debug(f, out);
    emit_link(f, out);
    emit_index(f, out);
    emit_sv(f, out);
    emit_sv_configs(f, out);
  }
  if (docs != NULL) emit_docs(f, docs);
  if (lockstep != NULL) emit_lockstep_docs(f, lockstep);
  return 0;
}
