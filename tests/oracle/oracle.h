/* oracle.h: an interpreter of PTX text, one thread at a time: the witness that shares only the
 * parser (isa/ptx) with the assembler, the model and the RTL (docs/architecture.md 9). A module
 * holds the program and a device memory of its own; a launch runs to its end or to an error that
 * names file, line and instruction. What it does not cover: README.md. */
#ifndef WL_TESTS_ORACLE_ORACLE_H
#define WL_TESTS_ORACLE_ORACLE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wl_or_module wl_or_module_t;

typedef struct wl_or_arg {
  const void *data;
  size_t size;
} wl_or_arg_t;

typedef struct wl_or_launch {
  const char *entry;
  uint32_t grid[3], block[3];
  uint32_t dynamic_shared;
  const wl_or_arg_t *args; /* one per kernel parameter */
  size_t nargs;
  uint32_t quantum;          /* instructions per turn of a thread; 0: 200 */
  bool reverse;              /* turns from the last thread to the first */
  uint64_t max_instructions; /* 0: 10^10 */
  bool has_pattern;          /* in registers and memory that nobody has written yet; else a fixed */
  uint64_t pattern;          /* one */
  bool per_thread;           /* .. registers mixed with their and the thread's number */
  uint64_t seed;             /* not 0: turns of random lengths up to quantum, .shared elsewhere */
  uint32_t *line_hits; /* not NULL: executions by a thread (guard true), by line of the text */
  size_t lines;        /* entries of it; the first is line 0, which no instruction has */
} wl_or_launch_t;

/* NULL with a message on a parse error or when out of memory. */
wl_or_module_t *wl_or_load(const char *name, const char *text, size_t size, char *error,
                           size_t cap);
/* All of the module, its variables too, lies `skip` bytes (a multiple of 256) higher. */
wl_or_module_t *wl_or_load_at(uint64_t skip, const char *name, const char *text, size_t size,
                              char *error, size_t cap);
void wl_or_close(wl_or_module_t *m);

/* Device memory; the address of 0 bytes or of a failed allocation is 0. */
uint64_t wl_or_alloc(wl_or_module_t *m, size_t size);
void wl_or_skip(wl_or_module_t *m, uint64_t bytes); /* the next allocation lies that much higher */
bool wl_or_write(wl_or_module_t *m, uint64_t address, const void *data, size_t size);
bool wl_or_read(wl_or_module_t *m, uint64_t address, void *data, size_t size);

/* *instructions counts executed thread instructions, also those whose guard was false. */
bool wl_or_launch(wl_or_module_t *m, const wl_or_launch_t *launch, uint64_t *instructions,
                  char *error, size_t cap);

#endif
