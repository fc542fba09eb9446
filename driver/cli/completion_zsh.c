/* completion_zsh.c: completions of zsh and fish from the table of commands. */
#include <stdbool.h>
#include <string.h>

#include "driver/cli/docs.h"

/* The first line of a help text, with what the shell would read in it escaped: a quote ends the
 * string, and, in zsh, a bracket or colon ends the description. */
static void put_help(FILE *file, const char *text, const char *quote, const char *escaped) {
  const size_t length = strcspn(text, "\n");
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\'') {
      (void)fputs(quote, file);
      continue;
    }
    if (strchr(escaped, text[i]) != NULL) {
      (void)fputc('\\', file);
    }
    (void)fputc(text[i], file);
  }
}

static const char zsh_quote[] = "'\\''", zsh_escaped[] = "[]:\\";

static void zsh_option(FILE *file, const cli_option_t *o) {
  char words[200];
  (void)fprintf(file, "      '*%s[", o->name);
  put_help(file, o->help, zsh_quote, zsh_escaped);
  (void)fputc(']', file);
  if (o->value != NULL) {
    (void)fputc(':', file);
    put_help(file, o->value, zsh_quote, zsh_escaped);
    switch (cli_value_kind(o->value, words, sizeof words)) {
    case CLI_VALUE_WORDS:
      (void)fprintf(file, ":(%s)", words);
      break;
    case CLI_VALUE_FILE:
      (void)fputs(":_files", file);
      break;
    case CLI_VALUE_FOLDER:
      (void)fputs(":_files -/", file);
      break;
    case CLI_VALUE_SPEC:
    case CLI_VALUE_ANY:
      (void)fputs(": ", file);
      break;
    }
  }
  (void)fputs("' \\\n", file);
}

static void zsh_command(FILE *file, const cli_command_t *c) {
  (void)fprintf(file, "    %s)\n      _arguments \\\n", c->name);
  for (const cli_group_t *g = c->groups; g->options != NULL; g++) {
    for (const cli_option_t *o = g->options; g->title != NULL && o->name != NULL; o++) {
      zsh_option(file, o);
    }
  }
  for (const cli_option_t *o = cli_general; o->name != NULL; o++) {
    zsh_option(file, o);
  }
  if (c->files != NULL) {
    (void)fputs("      '*:input:_files -g \"*.(", file);
    for (const char *at = c->files; *at != 0; at++) {
      (void)fputc(*at == ' ' ? '|' : *at, file);
    }
    (void)fputs(")\"' ;;\n", file);
  } else {
    (void)fputs("      ;;\n", file);
  }
}

void cli_zsh(FILE *file) {
  (void)fputs(
      "#compdef warplock\n# Completion of warplock in zsh, made from its table of options.\n"
      "_warplock() {\n  local -a commands\n  commands=(\n",
      file);
  for (unsigned i = 0; cli_commands[i] != NULL; i++) {
    (void)fprintf(file, "    '%s:", cli_commands[i]->name);
    put_help(file, cli_commands[i]->summary, zsh_quote, zsh_escaped);
    (void)fputs("'\n", file);
  }
  (void)fputs(
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  words=(warplock \"${(@)words[3,-1]}\")\n  (( CURRENT-- ))\n"
      "  case $command in\n",
      file);
  for (unsigned i = 0; cli_commands[i] != NULL; i++) {
    zsh_command(file, cli_commands[i]);
  }
  (void)fputs("  esac\n}\n_warplock \"$@\"\n", file);
}

static void fish_option(FILE *file, const cli_command_t *c, const cli_option_t *o) {
  char words[200];
  const bool is_long = o->name[1] == '-';
  (void)fprintf(file, "complete -c warplock -n '__fish_seen_subcommand_from %s' -%c %s", c->name,
                is_long ? 'l' : 's', o->name + (is_long ? 2 : 1));
  if (o->value != NULL) {
    const cli_value_kind_t kind = cli_value_kind(o->value, words, sizeof words);
    if (kind == CLI_VALUE_WORDS) {
      (void)fprintf(file, " -x -a '%s'", words);
    } else if (kind == CLI_VALUE_FOLDER) {
      (void)fputs(" -x -a '(__fish_complete_directories)'", file);
    } else {
      (void)fputs(kind == CLI_VALUE_FILE ? " -r -F" : " -x", file);
    }
  }
  (void)fputs(" -d '", file);
  put_help(file, o->help, "\\'", "\\");
  (void)fputs("'\n", file);
}

void cli_fish(FILE *file) {
  (void)fputs("# Completion of warplock in fish, made from its table of options.\n"
              "complete -c warplock -n __fish_use_subcommand -f\n",
              file);
  for (unsigned i = 0; cli_commands[i] != NULL; i++) {
    const cli_command_t *c = cli_commands[i];
    (void)fprintf(file, "complete -c warplock -n __fish_use_subcommand -f -a %s -d '", c->name);
    put_help(file, c->summary, "\\'", "\\");
    (void)fputs("'\n", file);
    for (const cli_group_t *g = c->groups; g->options != NULL; g++) {
      for (const cli_option_t *o = g->options; g->title != NULL && o->name != NULL; o++) {
        fish_option(file, c, o);
      }
    }
    for (const cli_option_t *o = cli_general; o->name != NULL; o++) {
      fish_option(file, c, o);
    }
  }
}
