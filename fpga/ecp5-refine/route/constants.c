// constants CHIP IN OUT: where a constant on an input of a block RAM or multiplier is set. nextpnr
// writes it to the configuration as a signal of the tile of general wires (CIB) that leads to the
// input. IN: number of inputs; for each: x y wire. OUT has for each a line: name of the tile,
// signal, or - - where more than one wire leads to it, or none of a CIB does.
#include "route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const er_program = "constants";

static const char usage[] =
    "usage: constants CHIP IN OUT\n"
    "Tells for inputs of block RAM and multipliers which signal of which tile sets a constant.\n"
    "Exit code: 0, 1 for bad input, 2 for a wrong call, 4 out of memory.\n";

enum { STEPS = 4 }; // connections from a CIB to an input, at most

// As nextpnr tells them: J, one of A to D, CE, LSR, CLK, a digit.
static bool is_cib(const char *name) {
  if (name[0] != 'J') return false;
  size_t n = name[1] >= 'A' && name[1] <= 'D' ? 1 : 0;
  if (!strncmp(name + 1, "CE", 2)) n = 2;
  if (!strncmp(name + 1, "LSR", 3) || !strncmp(name + 1, "CLK", 3)) n = 3;
  return n && name[n + 1] >= '0' && name[n + 1] <= '7' && !name[n + 2];
}

static const er_chip_wire *find(const er_chip *chip, int tile, const char *name) {
  int count;
  const er_chip_wire *wire = er_chip_wires(chip, tile, &count);
  for (int i = 0; i < count; i++) {
    if (!strcmp(er_chip_name(chip, &wire[i]), name)) return &wire[i];
  }
  return NULL;
}

// Multipliers' inputs have cascades from their neighbours beside the way from the CIB: nobody uses
// them.
static bool is_cascade(const char *name) {
  return !strncmp(name, "JPO", 3) || !strncmp(name, "JRO", 3);
}

// The one wire that leads to another; *tile becomes its tile.
static const er_chip_wire *before(const er_chip *chip, const er_chip_wire *wire, int *tile) {
  const er_chip_wire *only = NULL;
  int from = *tile;
  for (int k = 0; k < wire->uphill.count; k++) {
    int at = *tile, count;
    const er_chip_pip *pip =
        er_chip_pip_at(chip, (const er_chip_pip_of *)er_chip_at(chip, &wire->uphill) + k, &at);
    int there = at + pip->source.y * chip->width + pip->source.x;
    const er_chip_wire *source = er_chip_wires(chip, there, &count) + pip->source_wire;
    if (source == only || is_cascade(er_chip_name(chip, source))) continue;
    if (only) return NULL;
    only = source;
    from = there;
  }
  *tile = from;
  return only;
}

typedef struct {
  int tile;
  char name[ER_NAME];
} input;

static void answer(const er_chip *chip, const input *asked, FILE *out) {
  int tile = asked->tile;
  const er_chip_wire *wire = find(chip, tile, asked->name);
  for (int k = 0; k < STEPS && wire && !is_cib(er_chip_name(chip, wire)); k++)
    wire = before(chip, wire, &tile);
  const char *where = NULL;
  if (wire && is_cib(er_chip_name(chip, wire))) where = er_chip_cib(chip, tile);
  if (where)
    fprintf(out, "%s %s\n", where, er_chip_name(chip, wire));
  else
    fputs("- -\n", out);
}

int main(int argc, char **argv) {
  if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
    fputs(usage, stdout);
    return 0;
  }
  if (argc != 4) {
    fputs(usage, stderr);
    return 2;
  }
  er_chip *chip = er_chip_open(argv[1], 6);
  er_source s = er_source_open(argv[2]);
  int count = er_source_number(&s, 0, 1 << 20, "no number of inputs");
  input *asked = er_refine_memory((size_t)count + 1, sizeof *asked);
  for (int i = 0; i < count; i++) {
    int x = er_source_number(&s, 0, chip->width - 1, "no column");
    int y = er_source_number(&s, 0, chip->height - 1, "no row");
    asked[i].tile = y * chip->width + x;
    if (fscanf(s.file, "%63s", asked[i].name) != 1) er_source_bad(&s, "a wire is missing");
  }
  fclose(s.file);
  FILE *out = fopen(argv[3], "w");
  for (int i = 0; out && i < count; i++)
    answer(chip, &asked[i], out);
  if (!out || ferror(out) | fclose(out)) {
    fprintf(stderr, "constants: error: %s: cannot be written\n", argv[3]);
    return 1;
  }
  free(asked);
  er_chip_close(chip);
  return 0;
}
