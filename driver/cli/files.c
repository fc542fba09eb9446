/* files.c: input files whole, output files by a temporary that is renamed at the end, so that a
 * run that fails leaves no half file behind and one that cannot write fails before it runs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/cli/cli.h"
#include "driver/json_text.h"

static bool read_all(FILE *file, cli_bytes_t *out) {
  size_t cap = 0;
  for (;;) {
    if (out->size == cap) {
      cap = cap == 0 ? 65536 : cap * 2;
      uint8_t *data = realloc(out->data, cap + 1);
      if (data == NULL) {
        errno = ENOMEM;
        return false;
      }
      out->data = data;
    }
    size_t n = fread(out->data + out->size, 1, cap - out->size, file);
    out->size += n;
    if (n == 0) {
      out->data[out->size] = 0; /* PTX text is read as a string by some */
      return ferror(file) == 0;
    }
  }
}

int cli_read(const char *path, cli_bytes_t *out) {
  bool standard = strcmp(path, "-") == 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  *out = (cli_bytes_t){0};
  errno = file == NULL ? errno : 0;
  bool ok = file != NULL && read_all(file, out);
  int why = errno;
  if (file != NULL && !standard) {
    (void)fclose(file);
  }
  if (!ok) {
    free(out->data);
    *out = (cli_bytes_t){0};
    return cli_fail(CLI_INPUT, "cannot read %s: %s", path, strerror(why));
  }
  if (out->size == 0) {
    free(out->data);
    *out = (cli_bytes_t){0};
    return cli_fail(CLI_INPUT, "%s is empty", standard ? "standard input" : path);
  }
  return CLI_OK;
}

static char *join(const char *a, const char *b) {
  char *text = malloc(strlen(a) + strlen(b) + 1);
  if (text != NULL) {
    strcpy(text, a);
    strcat(text, b);
  }
  return text;
}

int cli_out_open(const char *path, cli_out_t *out) {
  *out = (cli_out_t){0};
  if (strcmp(path, "-") == 0) {
    out->file = stdout;
    return CLI_OK;
  }
  struct stat info;
  if (path[0] == 0 ||
      (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISCHR(info.st_mode))) {
    return cli_fail(CLI_INPUT, "cannot write %s: not a regular file", path);
  }
  if (access(path, F_OK) == 0 && access(path, W_OK) != 0) {
    return cli_fail(CLI_INPUT, "cannot write %s: %s", path, strerror(errno));
  }
  bool device = stat(path, &info) == 0 && S_ISCHR(info.st_mode); /* /dev/null stays what it is */
  char suffix[32];
  (void)snprintf(suffix, sizeof suffix, ".tmp%ld", (long)getpid());
  out->path = join(path, "");
  out->temporary = join(path, device ? "" : suffix);
  if (out->path == NULL || out->temporary == NULL) {
    cli_out_discard(out);
    return cli_fail(CLI_INTERNAL, "out of memory");
  }
  int fd = open(out->temporary, device ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC, 0666);
  int why = errno;
  out->file = fd < 0 ? NULL : fdopen(fd, "wb");
  if (out->file == NULL) {
    cli_out_discard(out);
    return cli_fail(CLI_INPUT, "cannot write %s: %s", path, strerror(why));
  }
  return CLI_OK;
}

static void release(cli_out_t *out) {
  free(out->path);
  free(out->temporary);
  *out = (cli_out_t){0};
}

int cli_out_commit(cli_out_t *out) {
  int code = CLI_OK;
  if (out->file == NULL) {
    return code;
  }
  errno = 0;
  bool ok = ferror(out->file) == 0 && fflush(out->file) == 0;
  if (out->temporary == NULL) {
    *out = (cli_out_t){0};
    return ok ? CLI_OK
              : cli_fail(CLI_INTERNAL, "cannot write standard output: %s", strerror(errno));
  }
  ok = fclose(out->file) == 0 && ok;
  bool renames = strcmp(out->path, out->temporary) != 0;
  if (!ok || (renames && rename(out->temporary, out->path) != 0)) {
    code = cli_fail(CLI_INTERNAL, "cannot write %s: %s", out->path, strerror(errno));
    if (renames) {
      (void)unlink(out->temporary);
    }
  }
  release(out);
  return code;
}

void cli_out_discard(cli_out_t *out) {
  if (out->file != NULL && out->temporary != NULL) {
    (void)fclose(out->file);
    if (strcmp(out->path, out->temporary) != 0) {
      (void)unlink(out->temporary);
    }
  }
  release(out);
}

void cli_json_text(FILE *file, const char *text) { wl_json_text(file, text); }
