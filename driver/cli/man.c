/* man.c: manual pages from the table of commands, in the man macros of troff. */
#include <ctype.h>
#include <string.h>

#include "driver/cli/docs.h"

/* Text in which nothing is markup. */
static void put(FILE *file, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    const char c = text[i];
    if (i == 0 && (c == '.' || c == '\'')) {
      (void)fputs("\\&", file);
    }
    if (c == '\\') {
      (void)fputs("\\e", file);
    } else if (c == '-') {
      (void)fputs("\\-", file);
    } else {
      (void)fputc(c, file);
    }
  }
}

static void put_all(FILE *file, const char *text) { put(file, text, strlen(text)); }

/* Lines of a text; "TERM\tTEXT" is an entry of a list. */
static void put_text(FILE *file, const char *text, const char *paragraph) {
  int in_list = 0;
  for (const char *line = text; *line != 0;) {
    const size_t length = strcspn(line, "\n"), term = strcspn(line, "\t");
    if (term < length) {
      (void)fputs(in_list ? ".TP\n" : ".RS\n.TP\n", file);
      in_list = 1;
      put(file, line, term);
      (void)fputc('\n', file);
      put(file, line + term + 1, length - term - 1);
    } else {
      (void)fputs(in_list ? ".RE\n" : line != text ? paragraph : "", file);
      in_list = 0;
      put(file, line, length);
    }
    (void)fputc('\n', file);
    line += length + (line[length] != 0);
  }
  (void)fputs(in_list ? ".RE\n" : "", file);
}

static void put_options(FILE *file, const cli_option_t *options) {
  for (const cli_option_t *o = options; o->name != NULL; o++) {
    (void)fputs(".TP\n\\fB", file);
    put_all(file, o->name);
    (void)fputs("\\fR", file);
    if (o->value != NULL) {
      (void)fputs(" \\fI", file);
      put_all(file, o->value);
      (void)fputs("\\fR", file);
    }
    (void)fputc('\n', file);
    put_text(file, o->help, ".IP\n");
  }
}

static void put_exits(FILE *file, const cli_exit_t *exits) {
  (void)fputs(".SH EXIT STATUS\n", file);
  for (const cli_exit_t *e = exits; e->meaning != NULL; e++) {
    (void)fprintf(file, ".TP\n%d\n", e->code);
    put_text(file, e->meaning, ".IP\n");
  }
}

static void put_usage(FILE *file, const cli_command_t *c) {
  for (const char *line = c->usage; *line != 0;) {
    const size_t length = strcspn(line, "\n");
    (void)fprintf(file, "%s\\fBwarplock %s\\fR ", line != c->usage ? ".br\n" : "", c->name);
    put(file, line, length);
    (void)fputc('\n', file);
    line += length + (line[length] != 0);
  }
}

static void put_groups(FILE *file, const cli_command_t *c, const char *heading) {
  for (const cli_group_t *g = c->groups; g->options != NULL; g++) {
    if (g->title != NULL) {
      (void)fprintf(file, "%s %s\n", heading, g->title);
      put_options(file, g->options);
    }
  }
}

static void head(FILE *file, const char *name, const char *summary, const cli_edition_t *edition) {
  (void)fputs(".TH ", file);
  for (const char *at = name; *at != 0; at++) {
    (void)fputc(toupper((unsigned char)*at), file);
  }
  (void)fprintf(file, " 1 \"%s\" \"warplock %s\" \"Warplock\"\n.SH NAME\n", edition->date,
                edition->version);
  put_all(file, name);
  (void)fputs(" \\- ", file);
  put_all(file, summary);
  (void)fputs("\n.SH SYNOPSIS\n", file);
}

static void put_command(FILE *file, const cli_command_t *c, const cli_edition_t *edition) {
  char name[64];
  (void)snprintf(name, sizeof name, "warplock-%s", c->name);
  head(file, name, c->summary, edition);
  put_usage(file, c);
  (void)fputs(".SH DESCRIPTION\n", file);
  put_text(file, c->about, ".PP\n");
  (void)fputs(".SH OPTIONS\n", file);
  put_groups(file, c, ".SS");
  (void)fputs(".SS General\n", file);
  put_options(file, cli_general);
  if (c->notes != NULL) {
    (void)fputs(".SH NOTES\n", file);
    put_text(file, c->notes, ".PP\n");
  }
  put_exits(file, c->exits);
  (void)fputs(".SH EXAMPLES\n.EX\n", file);
  put_text(file, c->example, "");
  (void)fputs(".EE\n.SH SEE ALSO\n.BR warplock (1)\n", file);
}

/* All commands with all options on one page. */
static void put_program(FILE *file, const cli_edition_t *edition) {
  head(file, "warplock", "a GPU core twice, RTL and a cycle-exact model, in lockstep", edition);
  (void)fputs(
      "\\fBwarplock\\fR \\fICOMMAND\\fR [OPTION...]\n.SH DESCRIPTION\n"
      "Assembles PTX and runs it on a streaming multiprocessor: on a fast interpreter, on a "
      "cycle\\-exact model in C, on Verilated RTL, on an FPGA board, or on two of them "
      "compared in every cycle. Each command has a page of its own and \\-\\-help.\n",
      file);
  for (unsigned i = 0; cli_commands[i] != NULL; i++) {
    const cli_command_t *c = cli_commands[i];
    (void)fprintf(file, ".SH WARPLOCK %s\n", c->name);
    put_usage(file, c);
    (void)fputs(".PP\n", file);
    put_text(file, c->about, ".PP\n");
    put_groups(file, c, ".SS");
  }
  (void)fputs(".SH GENERAL OPTIONS\n", file);
  put_options(file, cli_general);
  put_exits(file, cli_exits);
  (void)fputs(".SH SEE ALSO\n", file);
  for (unsigned i = 0; cli_commands[i] != NULL; i++) {
    (void)fprintf(file, ".BR warplock\\-%s (1)%s\n", cli_commands[i]->name,
                  cli_commands[i + 1] != NULL ? "," : "");
  }
}

void cli_man(FILE *file, const cli_command_t *command, const cli_edition_t *edition) {
  if (command == NULL) {
    put_program(file, edition);
  } else {
    put_command(file, command, edition);
  }
}
