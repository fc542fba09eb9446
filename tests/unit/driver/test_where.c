/* wl_function_place, wl_function_instruction and wl_launch_divergence: the PTX text itself says on which
 * line an instruction stands. test_where FILE.ptx with one fma.rn.f32 and .loc lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/check.h"
#include "tests/common/read_file.h"

/* Number of the line that holds a word, and of the last .loc before it; 0: none. */
static unsigned line_of(const char *text, const char *word, unsigned *loc) {
  const char *found = strstr(text, word);
  unsigned line = 1;
  *loc = 0;
  for (const char *at = text; found != NULL && at < found; at++) {
    if (strncmp(at, "\t.loc\t", 6) == 0) {
      (void)sscanf(at, "\t.loc\t%*u %u", loc);
    }
    line += *at == '\n';
  }
  return found != NULL ? line : 0;
}

static void check_fma(const wl_function_t *f, const char *name, const char *ptx) {
  char text[200];
  wl_place_t place;
  unsigned loc, seen = 0;
  const unsigned want = line_of(ptx, "fma.rn.f32", &loc);
  CHECK(want != 0 && loc != 0, "no fma, or no .loc in %s", name);
  for (uint32_t pc = 0; wl_function_instruction(f, pc, text, sizeof text); pc++) {
    if (strncmp(text, "fma.f32", 7) != 0) {
      continue;
    }
    seen++;
    CHECK(wl_function_place(f, pc, &place), "pc %u", pc);
    CHECK(place.ptx_line == want && strcmp(place.ptx_file, name) == 0, "%s:%u, expected %u",
          place.ptx_file, place.ptx_line, want);
    CHECK(place.line == loc && place.file != NULL && strstr(place.file, "saxpy.cu") != NULL,
          "%s:%u, expected %u", place.file != NULL ? place.file : "none", place.line, loc);
  }
  CHECK(seen == 1, "%u fma instructions", seen);
}

int main(int argc, char **argv) {
  size_t size = 0;
  char *ptx = argc > 1 ? wl_read_file(argv[1], &size) : NULL;
  wl_device_t *d = NULL;
  wl_module_t *m = NULL;
  wl_function_t *f = NULL;
  wl_divergence_t divergence;
  wl_place_t place;
  char text[8];
  if (ptx == NULL || wl_device_open(NULL, &d) != WL_OK ||
      wl_module_load(d, argv[1], ptx, size, NULL, &m) != WL_OK ||
      (f = wl_module_function_at(m, 0)) == NULL) {
    printf("%s\n", d != NULL ? wl_error(d) : "usage: test_where FILE.ptx");
    return 1;
  }
  check_fma(f, argv[1], ptx);
  CHECK(wl_function_instruction(f, 0, text, sizeof text) && strlen(text) == sizeof text - 1, "'%s'",
        text);
  CHECK(!wl_function_instruction(f, UINT32_MAX, text, sizeof text) && text[0] == 0, "'%s'", text);
  CHECK(!wl_function_place(f, UINT32_MAX, &place) && place.ptx_file == NULL,
        "a place behind the end");
  CHECK(!wl_launch_divergence(d, &divergence) && divergence.record == NULL &&
            divergence.warp == -1 && divergence.reg == -1,
        "a divergence before the first launch");
  wl_device_close(d);
  free(ptx);
  printf("%d failures\n", failures);
  return failures != 0;
}
