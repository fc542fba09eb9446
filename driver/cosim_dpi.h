/* cosim_dpi.h: the functions behind rtl/dpi/warplock_cosim_pkg.sv and what they share. */
#ifndef WL_DRIVER_COSIM_DPI_H
#define WL_DRIVER_COSIM_DPI_H
#include "driver/include/warplock_cosim.h"

enum { WL_SV_RECORDS = 256, WL_SV_ARGS = 64, WL_SV_SECTOR = 32 };

typedef struct wl_sv {
  wl_cosim_t *cosim;
  wl_function_t *function;
  uint64_t value[WL_SV_ARGS];
  wl_arg_t arg[WL_SV_ARGS];
  unsigned args, records;
  wl_cosim_record_t record[WL_SV_RECORDS];
  wl_cosim_report_t report;
  uint64_t steps;
  char
      unknown[WL_COSIM_TEXT / 2]; /* lines, one for each word with X or Z; "" while all are known */
  char text[WL_COSIM_TEXT];
} wl_sv_t;

#pragma GCC visibility push(default)
void *wl_sv_create(const char *config, uint64_t hash, uint64_t seed, const char *disturb,
                   int untimed);
int wl_sv_load(void *handle, const char *path, const char *kernel);
int wl_sv_arg(void *handle, uint64_t value, int bytes);
int wl_sv_buffer(void *handle, uint64_t bytes, const char *path);
int wl_sv_launch(void *handle, int grid_x, int grid_y, int grid_z, int block_x, int block_y,
                 int block_z, int shared);
uint64_t wl_sv_launch_block(void *handle);
int wl_sv_image(void *handle, const char *path);
void wl_sv_store(void *handle, uint64_t address, const uint32_t *data, uint32_t strobe);
void wl_sv_record(void *handle, int kind, int words, const uint32_t *data);
void wl_sv_trap(void *handle, int valid, uint32_t cause, uint32_t warp, uint32_t lane, uint32_t pc,
                uint64_t address);
int wl_sv_step(void *handle, int done, int hang);
int wl_sv_end(void *handle);
const char *wl_sv_text(void *handle);
void wl_sv_destroy(void *handle);

/* The same for values of four states, as simulators hand them over (svLogicVecVal and svLogic of
 * IEEE 1800 annex H): a bit of bval is 1 where the bit is X (aval 1) or Z (aval 0). */
typedef struct wl_sv_logic {
  uint32_t aval, bval;
} wl_sv_logic_t;
void wl_sv_record_logic(void *handle, int kind, int words, const wl_sv_logic_t *data);
void wl_sv_store_logic(void *handle, const wl_sv_logic_t *address, const wl_sv_logic_t *data,
                       const wl_sv_logic_t *strobe);
void wl_sv_trap_logic(void *handle, unsigned char valid, const wl_sv_logic_t *cause,
                      const wl_sv_logic_t *warp, const wl_sv_logic_t *lane, const wl_sv_logic_t *pc,
                      const wl_sv_logic_t *address);
int wl_sv_step_logic(void *handle, unsigned char done, unsigned char hang);
#pragma GCC visibility pop

#endif
