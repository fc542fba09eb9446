/* table: what a model of others gave, as text (README.md). A form has a line for each kind of operands: hashes of the
 * operands, of the first 8 and 72 columns of one tile, and of each whole tile. */
#ifndef WL_TESTS_TENSOR_UMMA_TABLE_H
#define WL_TESTS_TENSOR_UMMA_TABLE_H
#include "run.h"

/* The tile of which a part alone may be compared: another one for each form and kind. */
unsigned table_part(unsigned form, unsigned kind);
/* Writes the lines of a form from what the model gave, tiles of all kinds. */
void table_write(unsigned form, bits_tile_t *model);

/* Compares what a machine gave with the lines of a form: `count` tiles from `first` on, so many columns (8, 72, or
 * 128). Changes tiles where the model differs by name; counts these elements. False: it differs. */
bool table_check(const char *table, unsigned form, unsigned kind, unsigned first, unsigned count,
                 unsigned columns, bits_tile_t *tiles, unsigned *named);
#endif
