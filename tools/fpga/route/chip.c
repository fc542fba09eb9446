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
  wl_chip_slice cells, pips;
} speed_grade;
typedef struct {
  int32_t width, height, tiles, names;
  wl_chip_slice types, type_of, globals, tile_types, packages, pins, tile_names, speeds;
} header;

_Static_assert(sizeof(wl_chip_pip) == 20 && sizeof(wl_chip_wire) == 32 &&
                   sizeof(wl_chip_type) == 24 && sizeof(wl_chip_pip_of) == 8,
               "as nextpnr lays them out");

__attribute__((noreturn)) static void bad(const char *path, const char *what) {
  fprintf(stderr, "route: error: %s: %s\n", path, what);
  exit(1);
}

const void *wl_chip_at(const wl_chip *chip, const void *field) {
  int32_t offset;
  memcpy(&offset, field, sizeof offset);
  int64_t at = (const uint8_t *)field - chip->data + offset;
  if (at < 0 || at >= (int64_t)chip->size) {
    fprintf(stderr, "route: error: the chip database points outside itself\n");
    exit(1);
  }
  return chip->data + at;
}

wl_chip *wl_chip_open(const char *path, int speed) {
  wl_chip *chip = wl_refine_memory(1, sizeof *chip);
  struct stat info;
  int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &info)) bad(path, "cannot be read");
  chip->size = (size_t)info.st_size;
  if (chip->size < 4096) bad(path, "is no chip database of nextpnr");
  void *data = mmap(NULL, chip->size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (data == MAP_FAILED) bad(path, "cannot be mapped");
  chip->data = data;
  const header *h = wl_chip_at(chip, chip->data);
  if ((const uint8_t *)h + sizeof *h > chip->data + chip->size || h->width < 1 ||
      h->width >= COLUMNS || h->height < 1 || h->height >= ROWS ||
      h->tiles != h->width * h->height || h->type_of.count != h->tiles || h->speeds.count < 3)
    bad(path, "is no chip database of an ECP5, or not of nextpnr 0.11");
  chip->width = h->width, chip->height = h->height;
  chip->type = wl_chip_at(chip, &h->types);
  chip->type_of = wl_chip_at(chip, &h->type_of);
  const speed_grade *grade = (const speed_grade *)wl_chip_at(chip, &h->speeds) + (speed - 6);
  chip->delay = wl_chip_at(chip, &grade->pips);
  chip->delays = grade->pips.count;
  for (int t = 0; t < h->tiles; t++) {
    if (chip->type_of[t] < 0 || chip->type_of[t] >= h->types.count)
      bad(path, "has a tile of no type");
  }
  return chip;
}

void wl_chip_close(wl_chip *chip) {
  munmap((void *)(uintptr_t)chip->data, chip->size);
  free(chip);
}

const wl_chip_wire *wl_chip_wires(const wl_chip *chip, int tile, int *count) {
  const wl_chip_type *type = &chip->type[chip->type_of[tile]];
  *count = type->wires.count;
  return *count ? wl_chip_at(chip, &type->wires) : NULL;
}

const wl_chip_pip *wl_chip_pip_at(const wl_chip *chip, const wl_chip_pip_of *of, int *tile) {
  *tile += of->tile.y * chip->width + of->tile.x;
  return (const wl_chip_pip *)wl_chip_at(chip, &chip->type[chip->type_of[*tile]].pips) + of->index;
}

const char *wl_chip_name(const wl_chip *chip, const wl_chip_wire *wire) {
  return wl_chip_at(chip, &wire->name);
}
