/* interrupt.c: Ctrl-C, and a line on a terminal that shows that long work goes on.
 * docs/architecture.md 7. */
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "driver/cli/cli.h"

/* The one variable of the program that a signal handler may write. */
static volatile sig_atomic_t interrupted;

static void on_signal(int number) {
  (void)number;
  interrupted = 1;
}

void cli_catch_interrupt(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  (void)sigaction(SIGINT, &action, NULL);
}

bool cli_interrupted(void) { return interrupted != 0; }

void cli_progress_begin(cli_progress_t *p) {
  *p = (cli_progress_t){.wanted = isatty(STDERR_FILENO) != 0, .started = (long)time(NULL)};
  p->last = p->started;
}

void cli_progress_end(cli_progress_t *p) {
  if (p->shown) {
    (void)fprintf(stderr, "\r                    \r");
  }
  p->shown = false;
}

bool cli_stop(void *progress) {
  cli_progress_t *p = progress;
  const long now = (long)time(NULL);
  if (p->wanted && now != p->last) {
    p->last = now;
    if (now >= p->started + 2) {
      (void)fprintf(stderr, "\rrunning, %ld s ", now - p->started);
      p->shown = true;
    }
  }
  return cli_interrupted();
}
