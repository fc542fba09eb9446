/* paths.c: files of one run that are the same file: two outputs, or an output and an input. Said
 * before the run, since the second would overwrite the first. docs/architecture.md 7. */
#define _DEFAULT_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/cli/cli.h"

/* The folder's real name and the last part of the path; false: no such folder. */
static bool in_folder(const char *path, char out[PATH_MAX]) {
  char copy[PATH_MAX], folder[PATH_MAX];
  if (snprintf(copy, sizeof copy, "%s", path) >= (int)sizeof copy) {
    return false;
  }
  char *slash = strrchr(copy, '/');
  const char *name = slash != NULL ? slash + 1 : copy;
  if (slash != NULL) {
    *slash = 0;
  }
  const char *parent = slash == NULL ? "." : copy[0] == 0 ? "/" : copy;
  return realpath(parent, folder) != NULL &&
         snprintf(out, PATH_MAX, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name) < PATH_MAX;
}

/* What a path leads to, whether that is there or not (a link to nothing yet). */
static bool real_name(const char *path, char out[PATH_MAX]) {
  char link[PATH_MAX], next[PATH_MAX];
  if (!in_folder(path, out)) {
    return false;
  }
  for (int i = 0; i < 32; i++) {
    const ssize_t n = readlink(out, link, sizeof link - 1);
    if (n <= 0) {
      return true;
    }
    link[n] = 0;
    const int folder = (int)(strrchr(out, '/') + 1 - out);
    const int used = link[0] == '/' ? snprintf(next, sizeof next, "%s", link)
                                    : snprintf(next, sizeof next, "%.*s%s", folder, out, link);
    if (used >= (int)sizeof next || !in_folder(next, out)) {
      return false;
    }
  }
  return false;
}

int cli_paths_add(cli_paths_t *p, bool output, const char *what, const char *path) {
  struct stat info;
  char real[PATH_MAX];
  if (path == NULL || strcmp(path, "-") == 0 || !real_name(path, real)) {
    return CLI_OK; /* opening it says what is wrong */
  }
  const bool there = stat(path, &info) == 0;
  if (there && !S_ISREG(info.st_mode)) {
    return CLI_OK; /* /dev/null is no place that is overwritten */
  }
  cli_path_t *more = realloc(p->path, (p->count + 1) * sizeof *more);
  if (more == NULL) {
    return cli_fail(CLI_INTERNAL, "out of memory");
  }
  p->path = more;
  cli_path_t *x = &more[p->count++];
  *x = (cli_path_t){.output = output, .there = there};
  (void)snprintf(x->what, sizeof x->what, "%s", what);
  x->real = malloc(strlen(real) + 1);
  if (x->real == NULL) {
    return cli_fail(CLI_INTERNAL, "out of memory");
  }
  strcpy(x->real, real);
  if (there) {
    x->device = (uint64_t)info.st_dev;
    x->number = (uint64_t)info.st_ino;
  }
  return CLI_OK;
}

static bool same_file(const cli_path_t *a, const cli_path_t *b) {
  return strcmp(a->real, b->real) == 0 ||
         (a->there && b->there && a->device == b->device && a->number == b->number);
}

bool cli_paths_same(const cli_paths_t *p) {
  return p->count == 2 && same_file(&p->path[0], &p->path[1]);
}

int cli_paths_check(const cli_paths_t *p) {
  for (size_t i = 0; i < p->count; i++) {
    for (size_t j = 0; j < i; j++) {
      const cli_path_t *a = &p->path[j], *b = &p->path[i];
      if ((!a->output && !b->output) || !same_file(a, b)) {
        continue;
      }
      if (a->output && b->output) {
        return cli_fail(CLI_INPUT, "%s and %s are one file: give each output a name of its own",
                        a->what, b->what);
      }
      return cli_fail(CLI_INPUT, "%s would overwrite the input %s: give the output another name",
                      a->output ? a->what : b->what, a->output ? b->what : a->what);
    }
  }
  return CLI_OK;
}

void cli_paths_free(cli_paths_t *p) {
  for (size_t i = 0; i < p->count; i++) {
    free(p->path[i].real);
  }
  free(p->path);
  *p = (cli_paths_t){0};
}

int cli_paths_option(cli_paths_t *p, bool output, const char *option, const char *path) {
  char what[CLI_WHAT];
  (void)snprintf(what, sizeof what, "%.60s %.300s", option, path != NULL ? path : "");
  return cli_paths_add(p, output, what, path);
}

int cli_paths_waves(cli_paths_t *p, const char *trace) {
  char save[PATH_MAX];
  if (trace == NULL || strlen(trace) < 4) {
    return CLI_OK;
  }
  (void)snprintf(save, sizeof save, "%.*s.gtkw", (int)strlen(trace) - 4, trace);
  const int code = cli_paths_option(p, true, "--trace", trace);
  return code != CLI_OK ? code : cli_paths_option(p, true, "the save file of --trace,", save);
}

int cli_probe(const char *path) {
  cli_out_t out;
  if (path == NULL || strcmp(path, "-") == 0) {
    return CLI_OK;
  }
  const int code = cli_out_open(path, &out);
  if (code == CLI_OK) {
    cli_out_discard(&out);
  }
  return code;
}
