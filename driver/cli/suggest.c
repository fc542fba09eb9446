/* suggest.c: the name that was meant, for the message about one that does not exist. */
#include <string.h>

#include "driver/cli/commands.h"

enum { LONGEST = 32, FAR = 3 };

/* Letters that are missing, too many or others, and neighbours that have changed places. */
static unsigned distance(const char *a, const char *b) {
  unsigned row[3][LONGEST + 1];
  const size_t n = strlen(a), m = strlen(b);
  if (n > LONGEST || m > LONGEST) {
    return FAR;
  }
  for (unsigned j = 0; j <= m; j++) {
    row[0][j] = j;
  }
  for (unsigned i = 1; i <= n; i++) {
    unsigned *now = row[i % 3], *before = row[(i + 2) % 3], *older = row[(i + 1) % 3];
    now[0] = i;
    for (unsigned j = 1; j <= m; j++) {
      unsigned best = before[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
      best = before[j] + 1 < best ? before[j] + 1 : best;
      best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best = older[j - 2] + 1 < best ? older[j - 2] + 1 : best;
      }
      now[j] = best;
    }
  }
  return row[n % 3][m];
}

static void nearer(const char *name, const char *candidate, unsigned *best, const char **found) {
  const unsigned d = distance(name, candidate);
  if (d < *best && d * 3 <= strlen(candidate)) {
    *best = d;
    *found = candidate;
  }
}

const char *cli_suggest_option(const cli_command_t *command, const char *name) {
  unsigned best = FAR;
  const char *found = NULL;
  for (const cli_group_t *g = command->groups; g->options != NULL; g++) {
    for (const cli_option_t *o = g->options; g->title != NULL && o->name != NULL; o++) {
      nearer(name, o->name, &best, &found);
    }
  }
  return found;
}

const char *cli_suggest_command(const char *name) {
  unsigned best = FAR;
  const char *found = NULL;
  for (unsigned i = 0; cli_commands[i] != NULL; i++) {
    nearer(name, cli_commands[i]->name, &best, &found);
  }
  return found;
}
