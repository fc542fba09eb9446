/* State of tensor/columns.c (docs/microarchitecture.md 24.1). */
#ifndef WL_CMODEL_TENSOR_COLUMNS_H
#define WL_CMODEL_TENSOR_COLUMNS_H

#include "cmodel/gpu/wires.h"

enum { WL_COLUMN_WORDS = 2 }; /* operands: columns; or address, columns */

typedef struct wl_columns {
  bool awake;                     /* something below is not as reset leaves it */
  bool way;                       /* column_way */
  bool look;                      /* units or the place before the oldest became free */
  uint32_t word[WL_COLUMN_WORDS]; /* operands of what is on its way, from its last X1 on */
  wl_column_unit_t unit[WL_MOST_COLUMN_UNITS];
  uint32_t given_up;            /* bit: CTA slot whose `may` is 0 */
  uint8_t most[WL_MOST_CTAS];   /* units */
  wl_wmask_t queued;            /* warps */
  uint8_t queue[WL_MOST_WARPS]; /* [0] is the oldest */
  uint8_t count;                /* of the queue */
  uint16_t base[WL_MOST_WARPS]; /* column */
} wl_columns_t;

void wl_columns_reset(wl_columns_t *c, const wl_env_t *env);
void wl_columns_out(const wl_columns_t *c, const wl_env_t *env, wl_wires_t *w);
void wl_columns_update(wl_columns_t *c, const wl_env_t *env, const wl_wires_t *w);
uint32_t wl_columns_busy(const wl_columns_t *c, const wl_env_t *env); /* bit of REST */

#endif
