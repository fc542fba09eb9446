// nextpnr's chip database: tables that point to each other by offsets from the pointing field.
#include "route.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  er_chip_slice cells, pips;
} speed_grade;
typedef struct {
  int32_t name;
  int16_t type, unused;
} tile_name;
typedef struct {
  int32_t width, height, tiles, names;
  er_chip_slice types, type_of, globals, tile_types, packages, pins, tile_names, speeds;
} header;

enum { SLOWEST = 30000 }; // ps of one connection; such lie in the distances of look.c

_Static_assert(sizeof(er_chip_pip) == 20 && sizeof(er_chip_wire) == 32 &&
                   sizeof(er_chip_type) == 24 && sizeof(er_chip_pip_of) == 8,
               "as nextpnr lays them out");

__attribute__((noreturn)) static void bad(const char *path, const char *what) {
  fprintf(stderr, "%s: error: %s: %s\n", er_program, path, what);
  exit(1);
}

const void *er_chip_at(const er_chip *chip, const void *field) {
  int32_t offset;
  memcpy(&offset, field, sizeof offset);
  int64_t at = (const uint8_t *)field - chip->data + offset;
  if (at < 0 || at >= (int64_t)chip->size) {
    fprintf(stderr, "%s: error: the chip database points outside itself\n", er_program);
    exit(1);
  }
  return chip->data + at;
}

// The same for a table, which has to end inside.
static const void *table(const er_chip *chip, const er_chip_slice *slice, size_t size) {
  if (!slice->count) return chip->data;
  const uint8_t *at = er_chip_at(chip, slice);
  if ((uintptr_t)at % 4 || slice->count < 0 ||
      (size_t)slice->count > (chip->size - (size_t)(at - chip->data)) / size) {
    fprintf(stderr, "%s: error: a table of the chip database does not lie inside it\n", er_program);
    exit(1);
  }
  return at;
}

// What is looked at later without a question: names and tables of all wires. Pips: er_chip_pip_at.
static void check_type(const er_chip *chip, const er_chip_type *type) {
  const er_chip_wire *wire = table(chip, &type->wires, sizeof *wire);
  const er_chip_pip *pip = table(chip, &type->pips, sizeof *pip);
  if (type->wires.count > INT16_MAX) bad("chip database", "has a tile of too many wires");
  for (int i = 0; i < type->wires.count; i++) {
    const char *name = er_chip_name(chip, &wire[i]);
    if (!memchr(name, 0, chip->size - (size_t)((const uint8_t *)name - chip->data)) ||
        strlen(name) >= ER_NAME)
      bad("chip database", "has a wire without an end of its name");
    table(chip, &wire[i].uphill, sizeof(er_chip_pip_of));
    table(chip, &wire[i].downhill, sizeof(er_chip_pip_of));
    if (wire[i].downhill.count > UINT16_MAX)
      bad("chip database", "has a wire of too many connections");
  }
  for (int i = 0; i < type->pips.count; i++) {
    if (pip[i].delay_class < 0 || pip[i].delay_class >= chip->delays)
      bad("chip database", "has a connection of no delay");
  }
}

er_chip *er_chip_open(const char *path, int speed) {
  er_chip *chip = er_refine_memory(1, sizeof *chip);
  struct stat info;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &info)) bad(path, "cannot be read");
  chip->size = (size_t)info.st_size;
  if (chip->size < 4096) bad(path, "is no chip database of nextpnr");
  void *data = mmap(NULL, chip->size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (data == MAP_FAILED) bad(path, "cannot be mapped");
  chip->data = data;
  const header *h = er_chip_at(chip, chip->data);
  // (A table of another length than the device has is one of another release.)
  if ((size_t)((const uint8_t *)h - chip->data) > chip->size - sizeof *h || (uintptr_t)h % 4 ||
      h->width < 1 || h->width >= COLUMNS || h->height < 1 || h->height >= ROWS ||
      h->tiles != h->width * h->height || h->type_of.count != h->tiles ||
      h->tile_names.count != h->tiles || h->speeds.count < 3)
    bad(path, "is no chip database of an ECP5, or not of nextpnr 0.11");
  chip->width = h->width, chip->height = h->height;
  chip->type = table(chip, &h->types, sizeof *chip->type);
  chip->type_of = table(chip, &h->type_of, sizeof *chip->type_of);
  chip->names = table(chip, &h->tile_names, sizeof *chip->names);
  const speed_grade *grade = table(chip, &h->speeds, sizeof *grade);
  chip->delay = table(chip, &grade[speed - 6].pips, sizeof *chip->delay);
  chip->delays = grade[speed - 6].pips.count;
  for (int k = 0; k < chip->delays; k++) {
    const er_chip_delay *d = &chip->delay[k];
    if (d->most < 0 || d->most > SLOWEST || d->most_of_fanout < 0 || d->most_of_fanout > SLOWEST)
      bad(path, "has a delay that no connection has");
  }
  for (int t = 0; t < h->tiles; t++) {
    if (chip->type_of[t] < 0 || chip->type_of[t] >= h->types.count)
      bad(path, "has a tile of no type");
  }
  for (int k = 0; k < h->types.count; k++)
    check_type(chip, &chip->type[k]);
  return chip;
}

void er_chip_close(er_chip *chip) {
  munmap((void *)(uintptr_t)chip->data, chip->size);
  free(chip);
}

const er_chip_wire *er_chip_wires(const er_chip *chip, int tile, int *count) {
  const er_chip_type *type = &chip->type[chip->type_of[tile]];
  *count = type->wires.count;
  return *count ? er_chip_at(chip, &type->wires) : NULL;
}

// Moves *tile; false: to outside the device.
static bool go(const er_chip *chip, er_chip_offset by, int *tile) {
  int x = *tile % chip->width + by.x, y = *tile / chip->width + by.y;
  *tile = y * chip->width + x;
  return x >= 0 && x < chip->width && y >= 0 && y < chip->height;
}

static bool leads(const er_chip *chip, int tile, er_chip_offset by, int wire) {
  return go(chip, by, &tile) && wire >= 0 && wire < chip->type[chip->type_of[tile]].wires.count;
}

const er_chip_pip *er_chip_pip_at(const er_chip *chip, const er_chip_pip_of *of, int *tile) {
  if (go(chip, of->tile, tile)) {
    const er_chip_slice *pips = &chip->type[chip->type_of[*tile]].pips;
    if (of->index >= 0 && of->index < pips->count) {
      const er_chip_pip *pip = (const er_chip_pip *)er_chip_at(chip, pips) + of->index;
      if (leads(chip, *tile, pip->source, pip->source_wire) &&
          leads(chip, *tile, pip->target, pip->target_wire))
        return pip;
    }
  }
  fprintf(stderr, "%s: error: the chip database has a connection to nowhere\n", er_program);
  exit(1);
}

const char *er_chip_name(const er_chip *chip, const er_chip_wire *wire) {
  return er_chip_at(chip, &wire->name);
}

const char *er_chip_cib(const er_chip *chip, int tile) {
  const tile_name *name = table(chip, &chip->names[tile], sizeof *name);
  for (int i = 0; i < chip->names[tile].count; i++) {
    const char *text = er_chip_at(chip, &name[i]);
    if (!memchr(text, 0, chip->size - (size_t)((const uint8_t *)text - chip->data))) break;
    if (!strncmp(text, "CIB", 3) || !strncmp(text, "VCIB", 4)) return text;
  }
  return NULL;
}
