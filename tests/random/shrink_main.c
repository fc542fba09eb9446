/* wl_shrink: makes a failing program smaller (shrink.h).
 *   wl_shrink [--side SIDE | --command CMD] [--seconds N] [--tries N] [-o OUT] F.ptx
 * --side (default model:tiny): the outcome on the side keeps its class: differs from the oracle,
 * divergence of the same record, trap of the same cause. --command: CMD with the file's path at its
 * end exits as it does for F.ptx, which must not be 0. F.ptx: PTX with wl-launch and wl-arg lines
 * (program.h). OUT: default F.small.ptx. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/common/read_file.h"
#include "tests/random/shrink.h"

typedef struct command {
  const char *line, *path;
  int status;
} command_t;

static int execute(const command_t *c, const char *text, size_t size) {
  char line[8192];
  (void)snprintf(line, sizeof line, "%s '%s' >/dev/null 2>&1", c->line, c->path);
  if (!rp_write_file(c->path, text, size)) {
    return -1;
  }
  int status = system(line);
  return status == -1 || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
}

static bool command_fails(void *context, const rp_launch_t *l, const char *text, size_t size) {
  const command_t *c = context;
  (void)l;
  return execute(c, text, size) == c->status;
}

typedef struct arguments {
  const char *side, *command, *out, *in;
  uint64_t tries;
  unsigned seconds;
} arguments_t;

static bool parse(int argc, char **argv, arguments_t *a) {
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (argv[i][0] != '-') {
      a->in = argv[i];
      continue;
    }
    if (value == NULL) {
      return false;
    }
    if (strcmp(argv[i], "--side") == 0)
      a->side = value;
    else if (strcmp(argv[i], "--command") == 0)
      a->command = value;
    else if (strcmp(argv[i], "-o") == 0)
      a->out = value;
    else if (strcmp(argv[i], "--tries") == 0)
      a->tries = strtoull(value, NULL, 0);
    else if (strcmp(argv[i], "--seconds") == 0)
      a->seconds = (unsigned)strtoul(value, NULL, 0);
    else
      return false;
    i++;
  }
  return a->in != NULL;
}

static bool start(const arguments_t *a, const rp_launch_t *l, const char *text, size_t size,
                  command_t *c, rs_side_t *s, rs_options_t *o) {
  if (a->command == NULL) {
    o->fails = rs_side_fails;
    o->context = s;
    bool ok = rs_side_start(s, a->side, l, text, size);
    printf("%s: %s\n%.600s\n", a->side, ok ? s->what : "nothing to shrink",
           ok ? s->out.why : s->why);
    return ok;
  }
  o->fails = command_fails;
  o->context = c;
  c->line = a->command;
  c->status = execute(c, text, size);
  printf("%s: exit %d\n", a->command, c->status);
  return c->status > 0;
}

int main(int argc, char **argv) {
  arguments_t a = {.side = "model:tiny", .seconds = 600};
  char out[4096], candidate[4200], why[256] = "cannot be read";
  rs_side_t side = {0};
  command_t command = {NULL, candidate, 0};
  rs_result_t result = {0};
  rp_launch_t l;
  size_t size = 0;
  if (!parse(argc, argv, &a)) {
    fprintf(stderr, "wl_shrink: wrong arguments (see the head of shrink_main.c)\n");
    return 2;
  }
  (void)snprintf(out, sizeof out, "%s", a.out != NULL ? a.out : a.in);
  if (a.out == NULL) {
    size_t n = strlen(out);
    n -= n > 4 && strcmp(out + n - 4, ".ptx") == 0 ? 4 : 0;
    (void)snprintf(out + n, sizeof out - n, ".small.ptx");
  }
  (void)snprintf(candidate, sizeof candidate, "%s.try", out);
  char *text = wl_read_file(a.in, &size);
  if (text == NULL || !rp_parse(text, &l, why, sizeof why)) {
    fprintf(stderr, "wl_shrink: %s: %s\n", a.in, why);
    free(text);
    return 2;
  }
  rs_options_t o = {.tries = a.tries, .seconds = a.seconds};
  bool ok = start(&a, &l, text, size, &command, &side, &o) && rs_shrink(&o, &l, text, &result) &&
            rp_write_file(out, result.text, result.size);
  if (ok) {
    rs_print("before", rs_measure(&l, text));
    rs_print("after", rs_measure(&result.launch, result.text));
    printf("%" PRIu64 " candidates, %" PRIu64 " taken%s; %s\n", result.tries, result.taken,
           result.complete ? "" : "; stopped by the limit", out);
  }
  (void)remove(candidate);
  rs_side_end(&side);
  free(result.text);
  free(text);
  return ok ? 0 : 1;
}
