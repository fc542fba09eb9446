/* help.c: --help of the program and of its commands, from the table. */
#include <stdbool.h>
#include <string.h>

#include "driver/cli/commands.h"

enum { WIDTH = 96, COLUMN = 24, TERM = 18 };

/* Puts words from column `at` on; lines end before WIDTH and go on at `indent`. */
static void wrap(FILE *file, const char *text, size_t length, size_t at, size_t indent) {
  bool first = true;
  while (length > 0) {
    size_t word = strcspn(text, " ");
    word = word < length ? word : length;
    if (!first && at + 1 + word > WIDTH) {
      (void)fprintf(file, "\n%*s", (int)indent, "");
      at = indent;
      first = true;
    }
    at += word + (first ? 0 : 1);
    (void)fprintf(file, "%s%.*s", first ? "" : " ", (int)word, text);
    first = false;
    word += word < length ? 1 : 0;
    text += word;
    length -= word;
  }
  (void)fputc('\n', file);
}

/* Lines of a text; "TERM\tTEXT" is an entry of a list, which is indented once more. */
static void put_text(FILE *file, const char *text, size_t at, size_t indent) {
  while (*text != 0) {
    const size_t length = strcspn(text, "\n"), term = strcspn(text, "\t");
    if (term < length) {
      const int used = fprintf(file, "%*s%-*.*s", (int)indent, "", TERM, (int)term, text);
      const size_t column = used > 0 ? (size_t)used : 0;
      wrap(file, text + term + 1, length - term - 1, column, indent + TERM);
    } else {
      (void)fprintf(file, "%*s", (int)(indent - at), "");
      wrap(file, text, length, indent, indent);
    }
    text += length + (text[length] != 0);
    at = 0;
  }
}

static void put_options(FILE *file, const cli_option_t *options) {
  for (const cli_option_t *o = options; o->name != NULL; o++) {
    const int used = fprintf(file, "  %s%s%s", o->name, o->value != NULL ? " " : "",
                             o->value != NULL ? o->value : "");
    size_t at = used > 0 ? (size_t)used : 0;
    if (at + 2 > COLUMN) {
      (void)fputc('\n', file);
      at = 0;
    }
    put_text(file, o->help, at, COLUMN);
  }
}

static void put_exits(FILE *file, const cli_exit_t *exits) {
  (void)fputs("\nExit codes:\n", file);
  for (const cli_exit_t *e = exits; e->meaning != NULL; e++) {
    (void)fprintf(file, "  %2d  %s\n", e->code, e->meaning);
  }
}

void cli_help(FILE *file, const cli_command_t *command) {
  const char *before = "Usage:";
  for (const char *line = command->usage; *line != 0;) {
    const size_t length = strcspn(line, "\n");
    (void)fprintf(file, "%-6s warplock %s %.*s\n", before, command->name, (int)length, line);
    line += length + (line[length] != 0);
    before = "";
  }
  put_text(file, command->about, 0, 0);
  for (const cli_group_t *g = command->groups; g->options != NULL; g++) {
    if (g->title != NULL) {
      (void)fprintf(file, "\n%s:\n", g->title);
      put_options(file, g->options);
    }
  }
  (void)fputs("\nGeneral:\n", file);
  put_options(file, cli_general);
  if (command->notes != NULL) {
    (void)fputc('\n', file);
    put_text(file, command->notes, 0, 0);
  }
  put_exits(file, command->exits);
  (void)fputs("\nExample:\n", file);
  put_text(file, command->example, 0, 2);
}

void cli_help_all(FILE *file) {
  (void)fputs("Usage: warplock COMMAND [OPTION...]\n", file);
  for (unsigned i = 0; cli_commands[i] != NULL; i++) {
    (void)fprintf(file, "  %-9s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
  }
  (void)fputs("warplock COMMAND --help tells more; warplock --version names the build.\n", file);
  put_exits(file, cli_exits);
}
