/* wave.h: the waves of a run: which cycles, which files, and what is in them. docs/replay.md */
#ifndef WL_LOCKSTEP_WAVE_H
#define WL_LOCKSTEP_WAVE_H
#include "driver/backend.h"
#include "driver/lockstep/side.h"

typedef struct wl_wave_run wl_wave_run_t;

/* The file's name ends so. */
bool wl_wave_is(const char *path, const char *ending);

/* `names`: of the sides with records, the second NULL for one; `rtl`, `ops`: the side that writes
 * its own signals too (ops->wave_open), else NULL; `model`: where the reasons come from, else NULL.
 * NULL with a sentence in err. */
wl_wave_run_t *wl_wave_run_open(const wl_backend_desc_t *desc, const char *const names[2],
                                const wl_side_ops_t *ops, wl_side_t *rtl, wl_side_t *model,
                                char *err, size_t cap);
/* The code of a launch: pc values are called by it. */
void wl_wave_run_launch(wl_wave_run_t *w, const uint8_t *mem, uint64_t mem_bytes, uint64_t block);
/* A cycle of the device after both sides have made it. */
void wl_wave_run_cycle(wl_wave_run_t *w, uint64_t cycle, bool differs, const wl_journal_t *first,
                       const wl_journal_t *second);
/* What the run ended with; NULL: no difference. */
void wl_wave_run_failed(wl_wave_run_t *w, const wl_cosim_report_t *report,
                        const wl_journal_t *first, const wl_journal_t *second);
/* Another window, before one has begun. */
void wl_wave_run_window(wl_wave_run_t *w, uint64_t from, uint64_t to);
/* Frees it; the files are another process's. */
void wl_wave_run_abandon(wl_wave_run_t *w);
/* The last cycle of the window. */
uint64_t wl_wave_run_end(const wl_wave_run_t *w);
/* Completes the files. False with a sentence in err. */
bool wl_wave_run_close(wl_wave_run_t *w, char *err, size_t cap);

#endif
