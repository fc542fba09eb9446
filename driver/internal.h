/* internal.h: what the files of libwarplock share. docs/architecture.md 7. */
#ifndef WL_DRIVER_INTERNAL_H
#define WL_DRIVER_INTERNAL_H
#include "driver/backend.h"
#include "driver/include/warplock.h"
#include "driver/replay/rpx.h"
#include "gen/wl_launch.h"
#include "isa/obj/object.h"

#define WL_ALLOC_ALIGN 256u
#define WL_ALLOC_GAP   256u /* never used, behind every allocation (microarchitecture A.5) */

typedef struct wl_check wl_check_t;

typedef struct wl_block {
  wl_addr_t address;
  uint64_t bytes;
  char label[96]; /* for "nearest allocation"; "" = the user's */
  bool internal;  /* code, launch block ...: wl_free refuses it */
} wl_block_t;

struct wl_device {
  const wl_config_t *config;
  const wl_backend_ops_t *ops; /* NULL: open failed */
  void *backend;
  wl_device_options_t options;
  uint8_t *mem;
  uint64_t mem_bytes;
  wl_block_t *blocks; /* ascending */
  size_t block_count, block_cap;
  wl_addr_t c0; /* launch block and parameters, one area for all launches; grown on a board */
  uint64_t c0_bytes;
  wl_addr_t local; /* local memory of all thread slots, grown when needed */
  uint64_t local_bytes;
  uint64_t launches;
  wl_module_t *modules; /* list */
  char *error;          /* "" after success; error_buf or malloced text */
  char error_buf[512];
  wl_run_result_t run;   /* of the last launch */
  wl_rpx_launch_t *kept; /* of all launches, where a divergence is to be told as a replay file */
  size_t kept_count;
  wl_check_t *check; /* of a checked device, else NULL */
};

struct wl_function {
  wl_module_t *module;
  const wl_obj_entry_t *entry;
  char *prototype;
};

struct wl_module {
  wl_device_t *device;
  wl_module_t *next;
  wl_obj_t *obj;
  char *name, *log;
  wl_addr_t code, c1, c2, global;
  wl_function_t *functions; /* one per entry */
};

/* Sets the device's error text and returns the status. */
wl_status_t wl_fail(wl_device_t *d, wl_status_t status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* As wl_fail with a text of any length. */
wl_status_t wl_fail_text(wl_device_t *d, wl_status_t status, const char *text);
wl_status_t wl_pass(wl_device_t *d); /* clears the error, returns WL_OK */

/* Bytes of the image, NULL when the range is not inside device memory. */
uint8_t *wl_mem_at(const wl_device_t *d, wl_addr_t address, uint64_t bytes);
/* 0 when there is no room. */
wl_addr_t wl_block_add(wl_device_t *d, uint64_t bytes, const char *label, bool internal);
void wl_block_remove(wl_device_t *d, wl_addr_t address);
const wl_block_t *wl_block_find(const wl_device_t *d, wl_addr_t address);
/* The block containing or nearest to the address, NULL if there is none. */
const wl_block_t *wl_block_nearest(const wl_device_t *d, wl_addr_t address);
/* The pattern of memory without initialiser: by word, a hash of seed and address (8-aligned). */
void wl_mem_pattern(uint64_t seed, uint64_t address, uint64_t *words, uint64_t count);

/* A device on a backend that is open already; *out as of wl_device_open. */
wl_status_t wl_device_open_on(const wl_device_options_t *options, const wl_backend_ops_t *ops,
                              void *backend, wl_device_t **out);
/* All of wl_launch but the run: checks, local memory, launch block and parameters. */
wl_status_t wl_launch_prepare(wl_function_t *f, const wl_launch_t *launch, const wl_arg_t *args,
                              unsigned arg_count);

/* Runs the launch block at an address and says what came of it; as of wl_launch. */
wl_status_t wl_launch_run(wl_function_t *f, uint64_t block, uint64_t max_cycles,
                          wl_result_t *result);

/* replay.c: before and behind the run of a launch of a device whose divergence is to be told. */
void wl_replay_keep(wl_function_t *f, const wl_launch_t *launch);
void wl_replay_tell(wl_function_t *f);
void wl_replay_forget(wl_device_t *d);

/* replay.c, shrink.c: a file that is run again. */
struct wl_replay {
  uint8_t *bytes;
  wl_rpx_t rpx;
  wl_device_t *device;
  char *error, own[640];
};
/* A new device as recorded, with the kernel. */
wl_status_t wl_replay_device(wl_replay_t *r, const wl_device_options_t *options, wl_function_t **f);
/* Runs launches [from, to) of the file on it; as of wl_launch_run for the last one. */
wl_status_t wl_replay_launches(wl_replay_t *r, wl_function_t *f, size_t from, size_t to);
/* A launch block in memory that a launch could have made. */
bool wl_replay_sound(const wl_device_t *d, uint64_t block);

/* driver/check: shadow state of a device whose backend func is open. NULL: out of memory. */
wl_check_t *wl_check_open(wl_device_t *d);
void wl_check_close(wl_check_t *c); /* NULL: nothing */
/* Of a launch: forgets what was found. */
void wl_check_begin(wl_check_t *c, const wl_function_t *f);
/* The host writes memory, or makes its contents unknown. */
void wl_check_host(wl_check_t *c, wl_addr_t address, uint64_t bytes, bool written);

const wl_config_t *wl_config_find(const char *name);
/* Writes where an instruction comes from, "k.ptx:12, k.cu:7"; "" when nothing is known. */
/* WL_ERR_UNSUPPORTED with the reasons, if the function cannot be launched. */
wl_status_t wl_check_refused(wl_function_t *f);
void wl_place_text(const wl_module_t *m, uint32_t pc, char *buf, size_t cap);
wl_status_t wl_report_trap(wl_function_t *f, const wl_run_trap_t *trap);
wl_status_t wl_check_fit(wl_function_t *f, const wl_launch_t *launch, wl_launch_block_t *block);

#endif
