// What a tile of an ECP5 can hold: the rules by which nextpnr places, and without which it refuses
// a placement or makes a wrong bitstream of it.
#include "refine.h"

// Data of a flip-flop by M is not possible where M selects a multiplexer; enable is one for a
// slice.
static bool slice_legal(const er_placement *p, int tile, int slice) {
  const er_cell *before = NULL;
  for (int half = 0; half < 2; half++) {
    const int *at = p->at[tile][slice * 2 + half];
    bool selects = false;
    if (at[LUT] >= 0) {
      int flags = p->cell[at[LUT]].flags, other = p->at[tile][slice * 2][LUT];
      selects = flags & (LUT_MUX2 | LUT_MUX4);
      if (slice == 2 && p->ram_write[tile] >= 0 && !(flags & LUT_RAM_WRITE)) return false;
      if ((flags & LUT_MUX2) && half) return false;
      if ((flags & LUT_MUX4) && !half) return false;
      if ((flags & LUT_MUX4_OF_MUX2) && slice % 2) return false;
      if ((flags & LUT_RAM) && slice > 1) return false;
      if (half && other >= 0 && ((p->cell[other].flags ^ flags) & LUT_CARRY)) return false;
    }
    if (at[FF] >= 0) {
      const er_cell *c = &p->cell[at[FF]];
      if (selects && (c->flags & FF_FROM_M)) return false;
      if (before &&
          (((c->flags ^ before->flags) & FF_ALIKE_IN_SLICE) || c->enable != before->enable)) {
        return false;
      }
      before = c;
    }
  }
  return true;
}

bool er_tile_legal(const er_placement *p, int tile) {
  const er_cell *before = NULL, *ram = NULL;
  for (int slice = 0; slice < PLACES / 2; slice++) {
    if (!slice_legal(p, tile, slice)) return false;
  }
  for (int place = 0; place < PLACES; place++) {
    const int *at = p->at[tile][place];
    if (at[LUT] >= 0 && (p->cell[at[LUT]].flags & LUT_RAM)) ram = &p->cell[at[LUT]];
    if (at[FF] < 0) continue;
    const er_cell *c = &p->cell[at[FF]];
    if (before && (c->clock != before->clock || c->reset != before->reset ||
                   ((c->flags ^ before->flags) & FF_ALIKE_IN_TILE))) {
      return false;
    }
    before = c;
  }
  // Distributed RAM takes its clock and its write enable over the wires of clock and reset.
  return !ram || !before ||
         (!(ram->flags & LUT_RAM_CLOCK_INVERTED) == !(before->flags & FF_CLOCK_INVERTED) &&
          !(ram->flags & LUT_RAM_WRITE_INVERTED) == !(before->flags & FF_RESET_INVERTED));
}

int er_tiles_illegal(const er_placement *p) {
  int count = 0;
  for (int tile = 0; tile < TILES; tile++)
    count += !er_tile_legal(p, tile);
  return count;
}
