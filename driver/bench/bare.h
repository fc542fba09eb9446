/* bare.h: RTL Verilated without the journal as the backend of a device. docs/bench.md */
#ifndef WL_DRIVER_BENCH_BARE_H
#define WL_DRIVER_BENCH_BARE_H
#include "driver/internal.h"

/* Gives the device, open with any backend and without launches, the bare RTL of its configuration.
 * False with a sentence in err when this program has none. */
bool wl_bench_use_bare_rtl(wl_device_t *device, char *err, size_t cap);

#endif
