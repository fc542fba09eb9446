/* test_wait.c: logs of programs that operate on mbarriers and wait (docs/compare.md): our own log is accepted,
 * both ways behind a wait are, and what is changed in it is found or refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock_compare.h"
#include "tests/unit/driver/program.h"

/* Warp 0 waits with a short limit, so that some waits end by their time, and one by warp 1's arrival. */
static const char text[] = "s2r R0, SR0\n mov.i R3, 0x20\n mov.r R2, RZ\n"
                           "setp.u32.ri P6, PT, R0, 0x0, PT {cmp=eq bop=none}\n"
                           "@P6 mbar.shared.init RZ, [RZ], R3\n bar.cluster B1:0\n cwait\n"
                           "setp.u32.ri P0, PT, R0, 0x20, PT {cmp=lt bop=none}\n @P0 bra #first\n"
                           "mov.i R18, 0x60\n nanosleep.r R18\n mov.i R17, 0x1\n"
                           "arrive:\n mbar.shared.arrive R10:R11, [RZ], R17\n exit\n"
                           "first:\n mov.i R19, 0x28\n"
                           "test:\n mbar.shared.test R16, [RZ], RZ\n"
                           "wait:\n wait R16, R19\n"
                           "behind:\n setp.s32.ri P1, PT, R16, 0x0, PT {cmp=lt bop=none}\n"
                           "@!P1 bra #test\n exit\n";

enum { MOST_LINES = 400, MOST_BYTES = 8000 };
typedef struct launched {
  wl_device_t *device;
  wl_module_t *module;
  wl_launch_t launch;
  char line[MOST_LINES][MOST_BYTES];
  int lines, at;
} launched_t;

static int failures;

static void expect(const char *what, int got, int expected) {
  if (got == expected) return;
  printf("%s: got %d, expected %d\n", what, got, expected);
  failures++;
}

static void take(void *context, const char *piece, size_t bytes) {
  launched_t *l = context;
  for (size_t i = 0; i < bytes && l->lines < MOST_LINES; i++) {
    if (piece[i] == '\n') {
      l->line[l->lines++][l->at] = 0;
      l->at = 0;
    } else if (l->at < MOST_BYTES - 1) {
      l->line[l->lines][l->at++] = piece[i];
    }
  }
}

static bool run(launched_t *l) {
  uint8_t *object = NULL;
  size_t size = 0;
  wl_obj_t *o = wl_obj_new();
  wl_obj_entry_t *e = program_entry(o, "main", text);
  if (e == NULL) return false;
  e->smem_static = 64;
  e->barriers = 16;
  const wl_device_options_t options = {
      .backend = "func", .config = "tiny", .mem_bytes = 1 << 22, .max_cycles = 100000};
  l->launch = (wl_launch_t){.grid = {1, 1, 1}, .block = {64, 1, 1}};
  if (!program_object(o, &object, &size) || wl_device_open(&options, &l->device) != WL_OK ||
      wl_module_load(l->device, "wait", object, size, NULL, &l->module) != WL_OK ||
      wl_effects(l->device, take, l) != WL_OK)
    return false;
  free(object);
  wl_result_t result;
  return wl_launch(wl_module_function_at(l->module, 0), &l->launch, NULL, 0, &result) == WL_OK &&
         wl_effects(l->device, NULL, NULL) == WL_OK;
}

static wl_status_t compare(const launched_t *l, bool follow, char *why, size_t cap) {
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

/* The n-th record of a warp at a label, -1: none. */
static int find(const launched_t *l, unsigned warp, const char *label, int n) {
  char key[60];
  (void)snprintf(key, sizeof key, "\"warp\": %u, \"pc\": %u,", warp, program_label(text, label));
  for (int i = 0; i < l->lines; i++)
    if (strstr(l->line[i], key) != NULL && n-- == 0) return i;
  return -1;
}

static void replace(char *line, const char *from, const char *to) {
  char copy[MOST_BYTES];
  char *at = strstr(line, from);
  if (at == NULL) {
    printf("no %s in %s\n", from, line);
    failures++;
    return;
  }
  (void)snprintf(copy, sizeof copy, "%s%s", to, at + strlen(from));
  (void)snprintf(at, (size_t)(MOST_BYTES - (at - line)), "%s", copy);
}

/* A changed log; in both ways of loads. */
static void changed(const launched_t *l, const char *what, int line, const char *from,
                    const char *to, wl_status_t expected, const char *says) {
  launched_t *copy = malloc(sizeof *copy);
  char why[2000];
  if (copy == NULL) abort();
  for (int follow = 0; follow < 2; follow++) {
    *copy = *l;
    expect(what, line >= 0, 1);
    if (line < 0) break;
    replace(copy->line[line], from, to);
    expect(what, (int)compare(copy, follow != 0, why, sizeof why), (int)expected);
    if (strstr(why, says) == NULL) {
      printf("%s: %s\n", what, why);
      failures++;
    }
  }
  free(copy);
}

int main(void) {
  launched_t *l = calloc(1, sizeof *l);
  char why[2000];
  if (l == NULL || !run(l)) {
    printf("no log: %s\n", l == NULL ? "" : wl_error(l->device));
    return 1;
  }
  for (int follow = 0; follow < 2; follow++) {
    const wl_status_t s = compare(l, follow != 0, why, sizeof why);
    expect("our own log", (int)s, WL_OK);
    if (s != WL_OK) printf("%s\n", why);
  }
  /* A wait that ends by its time is followed by what stands behind it, one that is woken by its test. */
  int by_time = 0, woken = 0;
  for (int n = 0; find(l, 0, "wait", n) >= 0; n++) {
    const int at = find(l, 0, "wait", n);
    int test = -1, behind = -1;
    for (int k = 0; find(l, 0, "test", k) >= 0 && test < 0; k++)
      if (find(l, 0, "test", k) > at) test = find(l, 0, "test", k);
    for (int k = 0; find(l, 0, "behind", k) >= 0 && behind < 0; k++)
      if (find(l, 0, "behind", k) > at) behind = find(l, 0, "behind", k);
    if (test >= 0 && test < behind)
      woken++;
    else if (test >= 0)
      by_time++;
  }
  expect("a wait ends by its time", by_time > 0, 1);
  expect("a wait is woken", woken, 1);
  const int arrive = find(l, 1, "arrive", 0), test = find(l, 0, "test", 0);
  const int behind = find(l, 0, "behind", 0);
  char pc[40];
  (void)snprintf(pc, sizeof pc, "\"pc\": %u, ", program_label(text, "behind"));
  changed(l, "an operand", arrive, "\"value\": \"0x0000000000000001\"", "\"value\": 2",
          WL_ERR_DIVERGENCE, "operand");
  changed(l, "the operation's name", arrive, "\"bytes\": 8", "\"bytes\": 8, \"op\": \"drop\"",
          WL_ERR_DIVERGENCE, "arrive");
  changed(l, "the right name", arrive, "\"bytes\": 8", "\"bytes\": 8, \"op\": \"arrive\"", WL_OK,
          "");
  changed(l, "bytes", arrive, "\"bytes\": 8", "\"bytes\": 4", WL_ERR_DIVERGENCE, "atomic");
  changed(l, "a test that says done", test, "\"R16\": [0,", "\"R16\": [2147483648,",
          WL_ERR_DIVERGENCE, "P1");
  changed(l, "a test without its result", test, "\"R16\": [0,", "\"R16\": [null,", WL_ERR_INPUT,
          "test of an mbarrier");
  changed(l, "no pc behind a wait", behind, pc, "", WL_ERR_INPUT, "behind a wait");
  changed(l, "another pc behind a wait", behind, pc, "\"pc\": 3, ", WL_ERR_DIVERGENCE, "pc");
  wl_device_close(l->device);
  free(l);
  return failures != 0;
}
