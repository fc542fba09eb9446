/* Helper of the tests of logs; see log.h. */
#include "tests/compare/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/driver/program.h"

int log_failures;

void log_expect(const char *what, int got, int expected) {
  if (got == expected) return;
  printf("%s: got %d, expected %d\n", what, got, expected);
  log_failures++;
}

static void take(void *context, const char *piece, size_t bytes) {
  log_run_t *l = context;
  for (size_t i = 0; i < bytes && l->lines < LOG_MOST_LINES; i++) {
    if (piece[i] == '\n') {
      l->line[l->lines++][l->at] = 0;
      l->at = 0;
    } else if (l->at < LOG_MOST_BYTES - 1) {
      l->line[l->lines][l->at++] = piece[i];
    }
  }
}

bool log_make(log_run_t *l, const char *config, const char *text, uint32_t threads,
              uint32_t shared) {
  uint8_t *object = NULL;
  l->text = text;
  size_t size = 0;
  wl_obj_t *o = wl_obj_new();
  wl_obj_entry_t *e = program_entry(o, "main", text);
  if (e == NULL) return false;
  e->smem_static = shared;
  e->barriers = 16;
  const wl_device_options_t options = {
      .backend = "func", .config = config, .mem_bytes = 1 << 22, .max_cycles = 100000};
  l->launch = (wl_launch_t){.grid = {1, 1, 1}, .block = {threads, 1, 1}};
  if (!program_object(o, &object, &size) || wl_device_open(&options, &l->device) != WL_OK ||
      wl_module_load(l->device, "log", object, size, NULL, &l->module) != WL_OK ||
      wl_effects(l->device, take, l) != WL_OK)
    return false;
  free(object);
  wl_result_t result;
  return wl_launch(wl_module_function_at(l->module, 0), &l->launch, NULL, 0, &result) == WL_OK &&
         wl_effects(l->device, NULL, NULL) == WL_OK;
}

wl_status_t log_compare(const log_run_t *l, bool follow, char *why, size_t cap) {
  const wl_compare_options_t options = {.follow_loads = follow};
  wl_compare_t *c = NULL;
  wl_status_t s =
      wl_compare_open(wl_module_function_at(l->module, 0), &l->launch, NULL, 0, &options, &c);
  for (int i = 0; s == WL_OK && i < l->lines; i++)
    s = wl_compare_line(c, l->line[i], strlen(l->line[i]));
  if (s == WL_OK) s = wl_compare_end(c);
  (void)snprintf(why, cap, "%s", c == NULL ? "" : wl_compare_text(c));
  wl_compare_close(c);
  return s;
}

void log_accepted(const log_run_t *l) {
  char why[2000];
  for (int follow = 0; follow < 2; follow++) {
    const wl_status_t s = log_compare(l, follow != 0, why, sizeof why);
    log_expect("our own log", (int)s, WL_OK);
    if (s != WL_OK) printf("%s\n", why);
  }
}

int log_find(const log_run_t *l, unsigned warp, const char *label, int n) {
  char key[60];
  (void)snprintf(key, sizeof key, "\"warp\": %u, \"pc\": %u,", warp, program_label(l->text, label));
  for (int i = 0; i < l->lines; i++)
    if (strstr(l->line[i], key) != NULL && n-- == 0) return i;
  return -1;
}

static void replace(char *line, const char *from, const char *to) {
  char copy[LOG_MOST_BYTES];
  char *at = strstr(line, from);
  if (at == NULL) {
    printf("no %s in %s\n", from, line);
    log_failures++;
    return;
  }
  (void)snprintf(copy, sizeof copy, "%s%s", to, at + strlen(from));
  (void)snprintf(at, (size_t)(LOG_MOST_BYTES - (at - line)), "%s", copy);
}

void log_changed(const log_run_t *l, const char *what, int line, const char *from, const char *to,
                 wl_status_t expected, const char *says) {
  log_run_t *copy = malloc(sizeof *copy);
  char why[2000];
  if (copy == NULL) abort();
  for (int follow = 0; follow < 2; follow++) {
    *copy = *l;
    log_expect(what, line >= 0, 1);
    if (line < 0) break;
    replace(copy->line[line], from, to);
    log_expect(what, (int)log_compare(copy, follow != 0, why, sizeof why), (int)expected);
    if (strstr(why, says) == NULL) {
      printf("%s: %s\n", what, why);
      log_failures++;
    }
  }
  free(copy);
}
