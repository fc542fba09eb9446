/* A bit model of tcgen05.mma that others wrote (README.md), against programs on the machine.
 * Usage: main forms                                              the names of the forms
 *        main operands FORM                                      operands of a form, by number, to stdout
 *        main table DIR                                          the table of what a model gave (DIR/FORM, DIR/version)
 *        main check TABLE BACKEND CONFIG all|part|head [EACH [FROM]]   all tiles; 72 columns of one of each kind; 8
 *                                                                columns of one. Of EACH forms, one, from FROM on
 *        main integers BACKEND CONFIG all|part|head              kind::i8, by exact sums
 * Exit code 1: a difference without a name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "tests/common/read_file.h"

enum { TILES = BITS_KINDS * BITS_ITEMS };
static bits_tile_t tiles[TILES];
static bits_item_t item;

static bool write_words(const uint32_t *from, size_t count) {
  return fwrite(from, sizeof *from, count, stdout) == count;
}

static bool write_operands(unsigned form) {
  const bits_form_t *const f = bits_form(form);
  bool good = f != NULL;
  for (unsigned n = 0; good && n < TILES; n++) {
    bits_fill(f, n / BITS_ITEMS, n % BITS_ITEMS, &item);
    for (unsigned r = 0; r < BITS_M; r++)
      good = good && write_words(item.a[r], BITS_STEPS * f->per_step);
    for (unsigned r = 0; r < BITS_N; r++)
      good = good && write_words(item.b[r], BITS_STEPS * f->per_step);
    good = good && write_words(item.d[0], (size_t)BITS_M * BITS_N);
    good = good && fwrite(item.a_scale, sizeof item.a_scale, 1, stdout) == 1;
    good = good && fwrite(item.b_scale, sizeof item.b_scale, 1, stdout) == 1;
  }
  return good;
}

static bool write_table(const char *folder) {
  char path[512];
  size_t size = 0;
  const bits_form_t *f;
  (void)snprintf(path, sizeof path, "%s/version", folder);
  char *version = wl_read_file(path, &size);
  printf("# %s", version != NULL ? version : "(no version)\n");
  free(version);
  for (unsigned form = 0; (f = bits_form(form)) != NULL; form++) {
    (void)snprintf(path, sizeof path, "%s/%s", folder, f->label);
    char *data = wl_read_file(path, &size);
    if (data == NULL || size != sizeof tiles) {
      (void)fprintf(stderr, "%s: not there, or of another size\n", path);
      free(data);
      return false;
    }
    memcpy(tiles, data, size);
    free(data);
    table_write(form, tiles);
  }
  return true;
}

/* ---- what is run */

typedef struct extent {
  unsigned tiles, columns;
  bool one; /* kind of operands */
} extent_t;

static extent_t extent_of(const char *name) {
  if (strcmp(name, "all") == 0) return (extent_t){BITS_ITEMS, BITS_N, false};
  if (strcmp(name, "part") == 0) return (extent_t){1, BITS_PART, false};
  return (extent_t){1, BITS_HEAD, true};
}

static bits_machine_t machine;

static bool check_form(const char *table, unsigned form, const extent_t *e, uint64_t *elements,
                       unsigned *named) {
  bool good = bits_load(&machine, bits_form(form));
  for (unsigned kind = 0; good && kind < BITS_KINDS; kind++) {
    const unsigned first = e->tiles == 1 ? table_part(form, kind) : 0;
    if (e->one && kind != form % BITS_KINDS) continue;
    if (!bits_run(&machine, bits_form(form), kind, first, e->tiles, e->columns, tiles))
      return false;
    good = table_check(table, form, kind, first, e->tiles, e->columns, tiles, named);
    *elements += (uint64_t)e->tiles * e->columns * BITS_M;
  }
  return good;
}

/* scaled: the configuration has block scales. */
static unsigned check(const char *table, const extent_t *e, bool scaled, unsigned each,
                      unsigned from) {
  unsigned failed = 0, forms = 0, named = 0;
  uint64_t elements = 0;
  for (unsigned form = from; bits_form(form) != NULL; form += each) {
    if (bits_form(form)->groups != 0 && !scaled) continue;
    failed += !check_form(table, form, e, &elements, &named);
    forms++;
  }
  printf("%u forms, %llu elements, %u differ by name, %u forms differ without; %llu cycles\n",
         forms, (unsigned long long)elements, named, failed, (unsigned long long)machine.cycles);
  return failed + (forms == 0);
}

static bool integer_tile(const bits_form_t *f, unsigned kind, unsigned n, unsigned columns) {
  bits_fill(f, kind, n, &item);
  for (unsigned r = 0; r < BITS_M; r++)
    for (unsigned c = 0; c < columns; c++) {
      const uint32_t want = bits_rule(f, &item, r, c, 0);
      if (tiles[n][c][r] == want) continue;
      printf("DIFFERS %s fill %u tile %u row %u column %u: %08x, exact %08x\n", f->label, kind, n,
             r, c, tiles[n][c][r], want);
      return false;
    }
  return true;
}

/* N of kind i8 above 32 is a multiple of 16. */
static unsigned integers(const extent_t *e) {
  const unsigned columns = e->columns == BITS_PART ? 80 : e->columns;
  unsigned failed = 0;
  uint64_t elements = 0;
  const bits_form_t *f;
  for (unsigned form = 0; (f = bits_integer_form(form)) != NULL; form++) {
    bool good = bits_load(&machine, f);
    for (unsigned kind = 0; good && kind < (e->one ? 3 : BITS_KINDS); kind++) {
      good = bits_run(&machine, f, kind, 0, e->tiles, columns, tiles);
      for (unsigned n = 0; good && n < e->tiles; n++)
        good = integer_tile(f, kind, n, columns);
      elements += (uint64_t)e->tiles * columns * BITS_M;
    }
    failed += !good;
  }
  printf("8 forms of integers, %llu elements, %u forms differ; %llu cycles\n",
         (unsigned long long)elements, failed, (unsigned long long)machine.cycles);
  return failed;
}

static bool open_device(const char *backend, const char *config) {
  const wl_device_options_t options = {.backend = backend,
                                       .config = config,
                                       .mem_bytes = UINT64_C(4) << 20,
                                       .inside = strcmp(backend, "lockstep") == 0};
  if (wl_device_open(&options, &machine.device) == WL_OK) return true;
  printf("FAILED  %s\n", wl_error(machine.device));
  return false;
}

static unsigned check_file(char **argv, int argc) {
  const extent_t e = extent_of(argv[5]);
  const unsigned each = argc > 6 ? (unsigned)strtoul(argv[6], NULL, 10) : 1;
  const unsigned from = argc > 7 ? (unsigned)strtoul(argv[7], NULL, 10) : 0;
  size_t size = 0;
  char *table = wl_read_file(argv[2], &size);
  if (table == NULL || each == 0) {
    printf("FAILED  %s: no such table, or of no forms one\n", argv[2]);
    return 1;
  }
  unsigned failed = 1;
  if (open_device(argv[3], argv[4]))
    failed = check(table, &e, strncmp(argv[4], "tiny", 4) != 0, each, from);
  wl_device_close(machine.device);
  free(table);
  return failed;
}

static unsigned check_integers(char **argv) {
  const extent_t e = extent_of(argv[4]);
  if (!open_device(argv[2], argv[3])) return 1;
  const unsigned failed = integers(&e);
  wl_device_close(machine.device);
  return failed;
}

int main(int argc, char **argv) {
  const bits_form_t *f;
  if (argc == 2 && strcmp(argv[1], "forms") == 0) {
    for (unsigned form = 0; (f = bits_form(form)) != NULL; form++)
      printf("%s\n", f->label);
    return 0;
  }
  if (argc == 3 && strcmp(argv[1], "operands") == 0)
    return !write_operands((unsigned)strtoul(argv[2], NULL, 10));
  if (argc == 3 && strcmp(argv[1], "table") == 0) return !write_table(argv[2]);
  if (argc >= 6 && argc <= 8 && strcmp(argv[1], "check") == 0) return check_file(argv, argc) != 0;
  if (argc == 5 && strcmp(argv[1], "integers") == 0) return check_integers(argv) != 0;
  (void)fprintf(stderr,
                "usage: main forms | operands FORM | table DIR | check TABLE BACKEND CONFIG "
                "all|part|head [EACH [FROM]] | integers BACKEND CONFIG all|part|head\n");
  return 2;
}
