/* commands.h: what the program `warplock` knows: commands, options, exit codes, as tables. Parsing,
 * --help, the manual pages and the shell completions are made from them. docs/architecture.md 7. */
#ifndef WL_DRIVER_CLI_COMMANDS_H
#define WL_DRIVER_CLI_COMMANDS_H
#include <stdio.h>

typedef struct cli_option {
  const char *name;  /* "--grid" */
  const char *value; /* what stands for its value, "X[,Y,Z]" or "a|b|c"; NULL: a flag */
  const char *help;  /* meaning, unit, default; a line "TERM\tTEXT" is an entry of a list */
} cli_option_t;
typedef struct cli_group {
  const char *title;           /* NULL: not implemented yet: exit code 6, shown nowhere */
  const cli_option_t *options; /* ends with a NULL name */
} cli_group_t;
typedef struct cli_exit {
  int code;
  const char *meaning; /* NULL: end of the list */
} cli_exit_t;
typedef struct cli_command {
  const char *name, *summary;
  const char *usage;         /* what follows `warplock NAME`; lines: several ways to use it */
  const char *about;         /* paragraphs, one a line */
  const char *files;         /* endings of its input files, "ptx wlo"; NULL: it takes none */
  const cli_group_t *groups; /* ends with NULL options */
  const cli_exit_t *exits;
  const char *notes;   /* paragraphs behind the options; NULL: none */
  const char *example; /* command lines */
} cli_command_t;

extern const cli_command_t cli_as, cli_dis, cli_info, cli_run, cli_lockstep, cli_compare,
    cli_replay, cli_bench, cli_explain, cli_fpga, cli_faults;
extern const cli_command_t *const cli_commands[]; /* ends with NULL */
extern const cli_exit_t cli_exits[];              /* of all commands */
extern const cli_option_t cli_general[];          /* --help and --version, of each command */

/* NULL: there is no such option. *later: it is not implemented yet. */
const cli_option_t *cli_find_option(const cli_command_t *command, const char *name, int *later);

/* ---- suggest.c: the name that is meant by one that does not exist, NULL: none is near. */
const char *cli_suggest_option(const cli_command_t *command, const char *name);
const char *cli_suggest_command(const char *name);

/* ---- help.c */
void cli_help(FILE *file, const cli_command_t *command);
void cli_help_all(FILE *file);

#endif
