/* sample.c: a report with texts that XML does not take as they are. sample FILE; test_junit.sh says what
 * must be read. */
#include <stdio.h>

#include "tests/kernels/runner/junit.h"

int main(int argc, char **argv) {
  wl_junit_t *j = argc > 1 ? wl_junit_open(argv[1], "a \"suite\" <of> &c") : NULL;
  if (j == NULL) {
    fprintf(stderr, "sample: cannot write\n");
    return 2;
  }
  wl_junit_case(j, "c", "fine", 0.25, WL_JUNIT_PASSED, "not told");
  wl_junit_case(j, "c.d", "<n>&\"'\t\n", 1.5, WL_JUNIT_FAILED,
                "first <line>\n  second & \"last\"]]>\n");
  wl_junit_case(j, "c", "bytes", 0, WL_JUNIT_FAILED,
                "ok \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80|\x01\x1b|\xff\xc3|\xc0\x80|\xed\xa0\x80|"
                "\xef\xbf\xbf|\xf4\x90\x80\x80|end\r");
  wl_junit_case(j, "c", "later", 0, WL_JUNIT_SKIPPED, "no <thing> & why");
  return wl_junit_close(j) ? 0 : 1;
}
