/* test_wait.c: logs of programs that operate on mbarriers and wait (docs/compare.md): our own log is accepted,
 * both ways behind a wait are, and what is changed in it is found or refused. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/compare/log.h"
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

int main(void) {
  log_run_t *l = calloc(1, sizeof *l);
  if (l == NULL || !log_make(l, "tiny", text, 64, 64)) {
    printf("no log: %s\n", l == NULL ? "" : wl_error(l->device));
    return 1;
  }
  log_accepted(l);
  /* A wait that ends by its time is followed by what stands behind it, one that is woken by its test. */
  int by_time = 0, woken = 0;
  for (int n = 0; log_find(l, 0, "wait", n) >= 0; n++) {
    const int at = log_find(l, 0, "wait", n);
    int test = -1, behind = -1;
    for (int k = 0; log_find(l, 0, "test", k) >= 0 && test < 0; k++)
      if (log_find(l, 0, "test", k) > at) test = log_find(l, 0, "test", k);
    for (int k = 0; log_find(l, 0, "behind", k) >= 0 && behind < 0; k++)
      if (log_find(l, 0, "behind", k) > at) behind = log_find(l, 0, "behind", k);
    if (test >= 0 && test < behind)
      woken++;
    else if (test >= 0)
      by_time++;
  }
  log_expect("a wait ends by its time", by_time > 0, 1);
  log_expect("a wait is woken", woken, 1);
  const int arrive = log_find(l, 1, "arrive", 0), test = log_find(l, 0, "test", 0);
  const int behind = log_find(l, 0, "behind", 0);
  char pc[40];
  (void)snprintf(pc, sizeof pc, "\"pc\": %u, ", program_label(text, "behind"));
  log_changed(l, "an operand", arrive, "\"value\": \"0x0000000000000001\"", "\"value\": 2",
              WL_ERR_DIVERGENCE, "operand");
  log_changed(l, "the operation's name", arrive, "\"bytes\": 8", "\"bytes\": 8, \"op\": \"drop\"",
              WL_ERR_DIVERGENCE, "arrive");
  log_changed(l, "the right name", arrive, "\"bytes\": 8", "\"bytes\": 8, \"op\": \"arrive\"",
              WL_OK, "");
  log_changed(l, "bytes", arrive, "\"bytes\": 8", "\"bytes\": 4", WL_ERR_DIVERGENCE, "atomic");
  log_changed(l, "a test that says done", test, "\"R16\": [0,", "\"R16\": [2147483648,",
              WL_ERR_DIVERGENCE, "P1");
  log_changed(l, "a test without its result", test, "\"R16\": [0,", "\"R16\": [null,", WL_ERR_INPUT,
              "test of an mbarrier");
  log_changed(l, "no pc behind a wait", behind, pc, "", WL_ERR_INPUT, "behind a wait");
  log_changed(l, "another pc behind a wait", behind, pc, "\"pc\": 3, ", WL_ERR_DIVERGENCE, "pc");
  wl_device_close(l->device);
  free(l);
  return log_failures != 0;
}
