/* warplock_compare.h: a foreign core against the golden reference by what it wrote down.
 * docs/compare.md has the schema of the log and says precisely what is compared. The functions
 * work on a device of backend func. */
#ifndef WARPLOCK_COMPARE_H
#define WARPLOCK_COMPARE_H
#include "warplock.h"
#ifdef __cplusplus
extern "C" {
#endif
/* What the shared library shows; everything else of it is hidden. */
#pragma GCC visibility push(default)

typedef struct wl_compare wl_compare_t;
typedef struct wl_compare_options {
  bool follow_loads;    /* loaded values are the log's; needed by programs with races */
  const char *log_name; /* stands in messages; default "log" */
} wl_compare_options_t;

/* Prepares the launch and, unless loads are followed, runs it; arguments as of wl_launch. *out is
 * NULL only when out of memory; wl_compare_text has the reason of a failure. A comparison is for
 * one log, and nothing else may be launched on the device until it is closed. */
wl_status_t wl_compare_open(wl_function_t *function, const wl_launch_t *launch,
                            const wl_arg_t *args, unsigned arg_count,
                            const wl_compare_options_t *options, wl_compare_t **out);
/* One line of the log, without its newline. WL_ERR_DIVERGENCE: the first difference; WL_ERR_INPUT:
 * the line is not of the schema. Neither is to be followed by another line. */
wl_status_t wl_compare_line(wl_compare_t *compare, const char *line, size_t bytes);
wl_status_t wl_compare_end(wl_compare_t *compare); /* the log has no more lines */
/* The error, or the report with what was and what could not be compared; until close. */
const char *wl_compare_text(wl_compare_t *compare);
const char *wl_compare_json(wl_compare_t *compare); /* the report as a JSON object */
void wl_compare_close(wl_compare_t *compare);

typedef void (*wl_text_t)(void *context, const char *text, size_t bytes); /* a piece of a file */
/* What a foreign core needs to run a launch: code, constants, memory and parameters as JSON. */
wl_status_t wl_compare_start(wl_function_t *function, const wl_launch_t *launch,
                             const wl_arg_t *args, unsigned arg_count, wl_text_t text,
                             void *context);

/* From now on the launches of the device write themselves as such a log; text NULL: no longer. */
wl_status_t wl_effects(wl_device_t *device, wl_text_t text, void *context);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
