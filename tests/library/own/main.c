/* main.c: both models in one program, in turns: own, Warplock, own, Warplock.
 *   main SAXPY.ptx BACKEND... */
#include <stdio.h>
#include <stdlib.h>

#include "model.h"
#include "tests/common/read_file.h"
#include "tests/library/use.h"

int main(int argc, char **argv) {
  size_t size;
  char *text = argc > 2 ? wl_read_file(argv[1], &size) : NULL;
  if (text == NULL) return 2;
#define WL_LINKED(name) name,
  const wl_library_t library = {WL_USED(WL_LINKED)};
#undef WL_LINKED
  const char *version = "";
  for (int turn = 0; turn < 2; turn++) {
    const int wrong = own_run(1000, &version);
    if (wrong != 0) {
      fprintf(stderr, "own model: wrong in clock %d\n", wrong);
      return 1;
    }
    for (int i = 2; i < argc; i++)
      if (!use_saxpy(&library, argv[i], text, size)) return 1;
  }
  free(text);
  printf("own model by %s, Warplock %s\n", version, library.wl_version());
  return 0;
}
