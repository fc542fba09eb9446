/* pages.h: whose register a row of the register file holds, by the page records of a run
 * (journal.def PAGE, docs/microarchitecture.md 6.2). */
#ifndef WL_DRIVER_TRACE_PAGES_H
#define WL_DRIVER_TRACE_PAGES_H
#include <stdbool.h>
#include <stdint.h>

#include "gen/wl_config.h"

enum { WL_MAX_PAGES = 512 };

/* By page of the SM: warp << 8 | map entry + 1; 0: nobody's. */
typedef struct wl_pages {
  uint16_t owner[WL_MAX_PAGES];
} wl_pages_t;

/* Each sub-core numbers its pages from 0. */
static inline unsigned wl_page_place(const wl_config_t *config, unsigned sub_core, unsigned page) {
  return (sub_core * (config->reg_pages / config->sub_cores) + page) % WL_MAX_PAGES;
}

/* The words of a PAGE record: warp, map entry, page. */
static inline void wl_pages_note(wl_pages_t *p, const wl_config_t *config, const uint32_t *w) {
  p->owner[wl_page_place(config, w[0] % config->sub_cores, w[2])] =
      (uint16_t)(w[0] << 8 | (w[1] + 1));
}

/* bank = 4 * sub-core + ((reg + warp) & 3), row = (page * 2 + reg[2]) * Beats + beat. False, with
 * warp and reg as they were: nobody's. */
static inline bool wl_pages_register(const wl_pages_t *p, const wl_config_t *config, unsigned bank,
                                     unsigned row, unsigned *warp, unsigned *reg) {
  const unsigned half = row / config->beats;
  const unsigned owner = p->owner[wl_page_place(config, bank / 4, half / 2)];
  if (owner == 0) return false;
  *warp = owner >> 8;
  *reg = ((owner & 0xff) - 1) * 8 + (half & 1) * 4 + ((bank - *warp) & 3);
  return true;
}

#endif
