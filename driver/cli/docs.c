/* docs.c: the program wl_cli_docs: writes manual pages and shell completions into a folder.
 * wl_cli_docs FOLDER VERSION DATE */
#include <stdbool.h>
#include <string.h>

#include "driver/cli/docs.h"

static FILE *create(const char *folder, const char *name) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    perror(path);
  }
  return file;
}

static bool end(FILE *file) {
  const bool written = ferror(file) == 0;
  return fclose(file) == 0 && written;
}

static bool write_pages(const char *folder, const cli_edition_t *edition) {
  char name[64];
  FILE *file = create(folder, "warplock.1");
  if (file == NULL) {
    return false;
  }
  cli_man(file, NULL, edition);
  bool ok = end(file);
  for (unsigned i = 0; ok && cli_commands[i] != NULL; i++) {
    (void)snprintf(name, sizeof name, "warplock-%s.1", cli_commands[i]->name);
    file = create(folder, name);
    if (file == NULL) {
      return false;
    }
    cli_man(file, cli_commands[i], edition);
    ok = end(file);
  }
  return ok;
}

static bool write_completion(const char *folder, const char *name, void (*put)(FILE *file)) {
  FILE *file = create(folder, name);
  if (file == NULL) {
    return false;
  }
  put(file);
  return end(file);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    (void)fprintf(stderr, "Usage: wl_cli_docs FOLDER VERSION DATE\n");
    return 2;
  }
  const cli_edition_t edition = {argv[2], argv[3]};
  return write_pages(argv[1], &edition) && write_completion(argv[1], "warplock.bash", cli_bash) &&
                 write_completion(argv[1], "_warplock", cli_zsh) &&
                 write_completion(argv[1], "warplock.fish", cli_fish)
             ? 0
             : 1;
}
