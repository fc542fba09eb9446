/* completion.c: bash completion from the table of commands, and what kind of value an option takes.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "driver/cli/docs.h"

/* "a|b|c" are words where they are small letters and digits; other alternatives stand for
 * something. */
static bool is_word(const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (islower((unsigned char)text[i]) == 0 && isdigit((unsigned char)text[i]) == 0) {
      return false;
    }
  }
  return length != 0;
}

cli_value_kind_t cli_value_kind(const char *value, char *words, size_t cap) {
  size_t used = 0;
  words[0] = 0;
  if (strcmp(value, "SPEC") == 0) {
    return CLI_VALUE_SPEC;
  }
  for (const char *at = value; *at != 0;) {
    const size_t length = strcspn(at, "|");
    if (is_word(at, length) && used + length + 2 < cap) {
      used += (size_t)snprintf(words + used, cap - used, "%s%.*s", used != 0 ? " " : "",
                               (int)length, at);
    }
    at += length + (at[length] != 0);
  }
  return used != 0                   ? CLI_VALUE_WORDS
         : strcmp(value, "DIR") == 0 ? CLI_VALUE_FOLDER
         : strcmp(value, "FILE") == 0 || strncmp(value, "OUT", 3) == 0 || strcmp(value, "DEV") == 0
             ? CLI_VALUE_FILE
             : CLI_VALUE_ANY;
}

static void put_names(FILE *file, const cli_option_t *options) {
  for (const cli_option_t *o = options; o->name != NULL; o++) {
    (void)fprintf(file, " %s", o->name);
  }
}

/* What a value of an option is completed with. */
static void put_value(FILE *file, const cli_command_t *c, const cli_option_t *o) {
  char words[200];
  if (o->value == NULL) {
    return;
  }
  (void)fprintf(file, "  '%s %s') ", c->name, o->name);
  switch (cli_value_kind(o->value, words, sizeof words)) {
  case CLI_VALUE_WORDS:
    (void)fprintf(file, "_warplock_words '%s'", words);
    break;
  case CLI_VALUE_FILE:
    (void)fputs("_warplock_files ''", file);
    break;
  case CLI_VALUE_FOLDER:
    (void)fputs("_warplock_folders", file);
    break;
  case CLI_VALUE_SPEC:
    (void)fputs("_warplock_spec", file);
    break;
  case CLI_VALUE_ANY:
    (void)fputs(":", file);
    break;
  }
  (void)fputs("; return ;;\n", file);
}

static const char helpers[] =
    "# Completion of warplock in bash, made from its table of options.\n"
    "_warplock_words() {\n"
    "  mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$_warplock_cur\")\n"
    "}\n"
    "# Files with these endings ('': all), and folders.\n"
    "_warplock_files() {\n"
    "  local file end\n"
    "  while IFS= read -r file; do\n"
    "    if [ -z \"$1\" ] || [ -d \"$file\" ]; then COMPREPLY+=(\"$file\"); continue; fi\n"
    "    for end in $1; do\n"
    "      case $file in *.\"$end\") COMPREPLY+=(\"$file\") ;; esac\n"
    "    done\n"
    "  done < <(compgen -f -- \"$_warplock_cur\")\n"
    "}\n"
    "_warplock_folders() {\n"
    "  mapfile -t COMPREPLY < <(compgen -d -- \"$_warplock_cur\")\n"
    "}\n"
    "# The forms of an argument; what follows a colon is a file (see below).\n"
    "_warplock_spec() {\n"
    "  compopt -o nospace 2>/dev/null\n"
    "  _warplock_words 'in: out: inout: zero: bytes: struct: u32: s32: u64: s64: f32: f64: b32: "
    "b64:'\n"
    "}\n"
    "_warplock() {\n"
    "  local _warplock_cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
    "  COMPREPLY=()\n"
    "  # Colons and equals signs are words of their own: behind them a file may stand.\n"
    "  case $_warplock_cur in ':' | '=') _warplock_cur='' previous=':' ;; esac\n"
    "  case $previous in ':' | '=') _warplock_files ''; return ;; esac\n";

void cli_bash(FILE *file) {
  (void)fputs(helpers, file);
  (void)fputs("  if [ \"$COMP_CWORD\" -le 1 ]; then\n    _warplock_words '", file);
  for (unsigned i = 0; cli_commands[i] != NULL; i++) {
    (void)fprintf(file, "%s ", cli_commands[i]->name);
  }
  (void)fputs("--help --version'\n    return\n  fi\n  case \"${COMP_WORDS[1]} $previous\" in\n",
              file);
  for (unsigned i = 0; cli_commands[i] != NULL; i++) {
    for (const cli_group_t *g = cli_commands[i]->groups; g->options != NULL; g++) {
      for (const cli_option_t *o = g->options; g->title != NULL && o->name != NULL; o++) {
        put_value(file, cli_commands[i], o);
      }
    }
  }
  (void)fputs("  esac\n  local options='' endings=-\n  case ${COMP_WORDS[1]} in\n", file);
  for (unsigned i = 0; cli_commands[i] != NULL; i++) {
    const cli_command_t *c = cli_commands[i];
    (void)fprintf(file, "  %s) endings='%s' options='", c->name, c->files != NULL ? c->files : "-");
    for (const cli_group_t *g = c->groups; g->options != NULL; g++) {
      if (g->title != NULL) {
        put_names(file, g->options);
      }
    }
    put_names(file, cli_general);
    (void)fputs("' ;;\n", file);
  }
  (void)fputs("  esac\n"
              "  case $_warplock_cur in\n"
              "  -*) _warplock_words \"$options\" ;;\n"
              "  *) [ \"$endings\" = - ] || _warplock_files \"$endings\" ;;\n"
              "  esac\n"
              "}\n"
              "complete -o filenames -F _warplock warplock\n",
              file);
}
