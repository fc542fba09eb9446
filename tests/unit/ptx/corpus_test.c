/* corpus_test.c DIR: parses every .ptx below DIR without an error of the malformed class: what
 * compilers write is legal PTX, so the front end may at most call it unsupported (listed). Also
 * checks that the histogram accounts for every instruction. */
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "tests/unit/ptx/check.h"

static unsigned files, unsupported;

static void histogram(const wl_ptx_module_t *m) {
  wl_ptx_hist_t h;
  size_t insns = 0, rows = 0;
  for (uint32_t i = 0; i < m->nfuncs; i++)
    insns += m->funcs[i]->ninsns;
  CHECK(wl_ptx_histogram(m, &h) == 0);
  for (size_t i = 0; i < h.count; i++) {
    rows += h.rows[i].count;
    CHECK(i == 0 || h.rows[i - 1].count >= h.rows[i].count);
  }
  CHECK_U64(rows, insns);
  CHECK_U64(h.total, insns);
  wl_ptx_histogram_free(&h);
}

static int one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
  (void)st;
  (void)ftw;
  size_t n = strlen(path), len;
  if (type != FTW_F || n < 4 || strcmp(path + n - 4, ".ptx") != 0) return 0;
  char *text = wl_read_file(path, &len);
  if (text == NULL) return 0;
  wl_diag_list_t d;
  wl_ptx_module_t *m;
  wl_diag_init(&d);
  int rc = wl_ptx_parse(path, text, len, &d, &m);
  files++;
  if (rc == 0) {
    histogram(m);
  } else {
    char *all = wl_diag_format_all(&d);
    unsupported += rc == 6;
    CHECK_U64(rc, 6);
    printf("%s", all != NULL ? all : "(out of memory)\n");
    free(all);
  }
  wl_ptx_module_free(m);
  wl_diag_free(&d);
  free(text);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: corpus_test DIR\n");
    return 2;
  }
  if (nftw(argv[1], one, 16, FTW_PHYS) != 0 || files == 0) {
    printf("SKIP: no .ptx files below %s\n", argv[1]);
    return 77;
  }
  printf("%u files, %u of them use something unsupported\n", files, unsupported);
  return check_result();
}
