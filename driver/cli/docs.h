/* docs.h: what is made from the table of commands at build time, beside --help: manual pages and shell
 * completions. A program of its own (wl_cli_docs), so that none of the library is needed. */
#ifndef WL_DRIVER_CLI_DOCS_H
#define WL_DRIVER_CLI_DOCS_H
#include "driver/cli/commands.h"

typedef struct cli_edition {
  const char *version, *date;
} cli_edition_t;

/* man.c: command NULL: the page of the program, with all commands. */
void cli_man(FILE *file, const cli_command_t *command, const cli_edition_t *edition);
/* completion.c, completion_zsh.c */
void cli_bash(FILE *file);
void cli_zsh(FILE *file);
void cli_fish(FILE *file);

/* What a value is completed with: words (from "a|b"), files, folders, an argument of a kernel. */
typedef enum cli_value_kind {
  CLI_VALUE_ANY,
  CLI_VALUE_WORDS,
  CLI_VALUE_FILE,
  CLI_VALUE_FOLDER,
  CLI_VALUE_SPEC
} cli_value_kind_t;
/* words: those of CLI_VALUE_WORDS with blanks between. */
cli_value_kind_t cli_value_kind(const char *value, char *words, size_t cap);

#endif
