/* diag.h: diagnostics of the PTX tools: `file.ptx:12:9: error: ... [PTX 5.1.6]`, the source line
 * and a caret. A list collects every diagnostic of a run; nothing here prints or exits.
 * The class decides the program's exit code (architecture section 6): malformed input 2,
 * legal but unsupported input 6, out of memory 70. */
#ifndef WL_ISA_PTX_DIAG_H
#define WL_ISA_PTX_DIAG_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct wl_ptx_pos {
  uint32_t line, col;
} wl_ptx_pos_t; /* 1-based; col in bytes */

typedef enum wl_diag_class {
  WL_DIAG_NOTE = 0,
  WL_DIAG_WARNING = 1,
  WL_DIAG_MALFORMED = 2,   /* violates a clause */
  WL_DIAG_UNSUPPORTED = 6, /* legal PTX that this build does not implement */
  WL_DIAG_INTERNAL = 70
} wl_diag_class_t;

typedef struct wl_diag {
  wl_diag_class_t cls;
  wl_ptx_pos_t pos;   /* line 0: no place in the text */
  char *message;      /* without place and clause */
  const char *clause; /* "5.1.6" or NULL */
  char *source_line;  /* copy of the line or NULL */
  uint32_t owner;     /* of a refusal: whom it concerns; 0 = the module */
  uint32_t repeats;   /* further places of the same refusal */
  char *needed_by;    /* of a refusal: its kernels, "a, b", or NULL */
  bool hidden;        /* not printed: another item stands for it */
} wl_diag_t;

typedef struct wl_diag_list {
  char *file;       /* name used in the output */
  const char *text; /* source, for the excerpt; borrowed, may be NULL */
  size_t len;
  wl_diag_t *items;
  size_t count, cap;
  size_t errors, warnings;
  bool malformed, internal; /* any error of that class, listed or not */
  size_t dropped;           /* errors beyond max_errors */
  size_t max_errors;        /* 0 = default 200 */
  /* Refusals by owner. An owner is a function or a module-scope variable, told by a number. With
   * by_owner, what is legal but not implemented counts against `owner`, if there is one, and is no
   * error of the module then. */
  bool by_owner;
  uint32_t owner, owners; /* the present one, 0 = none; the greatest number in use */
  size_t refused, nowned; /* refusals of owners; items that are such */
  uint32_t *refusals_of;  /* by owner */
  size_t cap_owners;
} wl_diag_list_t;

void wl_diag_init(wl_diag_list_t *d);
/* Sets file name and text that following diagnostics refer to. */
void wl_diag_set_source(wl_diag_list_t *d, const char *file, const char *text, size_t len);
void wl_diag_add(wl_diag_list_t *d, wl_diag_class_t cls, wl_ptx_pos_t pos, const char *clause,
                 const char *fmt, ...) __attribute__((format(printf, 5, 6)));
uint32_t wl_diag_new_owner(wl_diag_list_t *d);
bool wl_diag_is_refused(const wl_diag_list_t *d, uint32_t owner);
/* diag.c's own: counts a refusal of the present owner; *listed: no new item is needed for it.
 * False: out of memory. */
bool wl_diag_refuse(wl_diag_list_t *d, const char *clause, const char *message, bool *listed);
/* Exit code: 0 without errors; 70 if any internal; 2 if any malformed; else 6. */
int wl_diag_exit_code(const wl_diag_list_t *d);
/* Text of diagnostic i or of all of them in source order; caller frees; NULL = out of memory. */
char *wl_diag_format(const wl_diag_list_t *d, size_t i);
char *wl_diag_format_all(const wl_diag_list_t *d);
void wl_diag_free(wl_diag_list_t *d);

#endif
