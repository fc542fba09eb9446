/* Checked launches (docs/checked.md). Every kernel of bad.ptx breaks the rule that a comment names, in
 * that comment's line, and nothing else; those of good.ptx break none. Usage: test_checked FOLDER. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/read_file.h"
#include "warplock.h"

static int failures;

static void expect(bool ok, const char *kernel, const char *what) {
  if (!ok) {
    failures++;
    printf("FAILED %s: %s\n", kernel, what);
  }
}

static wl_device_t *open_device(bool checked, const char *config) {
  wl_device_t *d = NULL;
  const wl_device_options_t options = {.config = config,
                                       .mem_bytes = 1 << 20,
                                       .max_cycles = 100000, /* a kernel that hangs is an error */
                                       .checked = checked};
  if (wl_device_open(&options, &d) != WL_OK) {
    printf("FAILED: %s\n", wl_error(d));
    exit(1);
  }
  return d;
}

static wl_module_t *load(wl_device_t *d, const char *name, const char *text) {
  wl_module_t *m = NULL;
  if (wl_module_load(d, name, text, strlen(text), NULL, &m) != WL_OK) {
    printf("FAILED: %s\n", wl_error(d));
    exit(1);
  }
  return m;
}

static void run(wl_device_t *d, wl_function_t *f, wl_addr_t out, unsigned threads) {
  const wl_launch_t launch = {.grid = {1, 1, 1}, .block = {threads, 1, 1}};
  const wl_arg_t args[] = {WL_ARG(out)};
  expect(wl_launch(f, &launch, args, 1, NULL) == WL_OK, wl_function_name(f), wl_error(d));
}

/* The line of the comment `rule: NAME` in the kernel, and the name; 0: it has none. */
static unsigned rule_line(const char *text, const char *kernel, char name[64]) {
  char head[96];
  (void)snprintf(head, sizeof head, ".entry %s(", kernel);
  const char *from = strstr(text, head), *end = strstr(from, "\n}"),
             *at = strstr(from, "// rule: ");
  unsigned line = 1;
  if (at == NULL || at > end || sscanf(at, "// rule: %63s", name) != 1) {
    return 0;
  }
  for (const char *p = text; p < at; p++) {
    line += *p == '\n';
  }
  return line;
}

static void check_kernel(wl_device_t *d, wl_function_t *f, const char *text) {
  wl_finding_t x;
  wl_place_t place;
  wl_addr_t out;
  char rule[64] = "";
  const char *name = wl_function_name(f);
  const unsigned line = rule_line(text, name, rule);
  if (wl_alloc(d, 256, &out) != WL_OK || wl_fill(d, out, 0, 256) != WL_OK) {
    expect(false, name, wl_error(d));
    return;
  }
  run(d, f, out, 33);
  const bool found = wl_launch_finding(d, 0, &x);
  expect(found == (line != 0), name, found ? x.rule : "nothing was found");
  if (found && line != 0) {
    expect(strcmp(x.rule, rule) == 0, name, x.rule);
    expect(wl_function_place(f, x.pc, &place) && place.ptx_line == line, name, "another line");
    expect(x.count >= 1 && x.thread[0] == 0 && x.thread[1] == 0, name, "another thread");
    expect(!wl_launch_finding(d, 1, &x), name, "a second finding");
  }
}

static unsigned check_file(const char *folder, const char *file) {
  char path[4096];
  size_t size = 0;
  (void)snprintf(path, sizeof path, "%s/%s", folder, file);
  char *text = wl_read_file(path, &size);
  if (text == NULL) {
    printf("FAILED: cannot read %s\n", path);
    exit(1);
  }
  wl_device_t *d = open_device(true, strstr(file, "scaled") != NULL ? "base" : "tiny");
  wl_module_t *m = load(d, file, text);
  const unsigned n = wl_module_functions(m);
  for (unsigned i = 0; i < n; i++) {
    check_kernel(d, wl_module_function_at(m, i), text);
  }
  wl_device_close(d);
  free(text);
  return n;
}

static const char copy[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry copy(.param .u64 buffer)\n{\n"
                           "  .reg .b64 a;\n  .reg .b32 r;\n  ld.param.u64 a, [buffer];\n"
                           "  ld.global.u32 r, [a+4];\n  st.global.u32 [a+8], r;\n  ret;\n}\n";

/* Memory that the host has allocated, written in part, and filled. */
static void check_host_memory(void) {
  wl_device_t *d = open_device(true, "tiny");
  wl_function_t *f = wl_module_function_at(load(d, "copy.ptx", copy), 0);
  wl_finding_t x;
  wl_addr_t buffer;
  const uint32_t word = 7;
  expect(wl_alloc(d, 64, &buffer) == WL_OK, "copy", "no memory");
  run(d, f, buffer, 1);
  expect(wl_launch_finding(d, 0, &x) && strcmp(x.rule, "uninitialised-output") == 0, "copy",
         "memory that the host has not written was not found");
  expect(x.has_origin && x.origin + 1 == x.pc && x.has_address && x.address == buffer + 8, "copy",
         "where it comes from");
  expect(wl_write(d, buffer, &word, 4) == WL_OK, "copy", "write");
  run(d, f, buffer, 1);
  expect(wl_launch_finding(d, 0, &x), "copy", "the word beside the one that was written");
  expect(wl_write(d, buffer + 4, &word, 4) == WL_OK, "copy", "write");
  run(d, f, buffer, 1);
  expect(!wl_launch_finding(d, 0, &x), "copy", "memory that the host has written");
  expect(wl_free(d, buffer) == WL_OK && wl_alloc(d, 64, &buffer) == WL_OK, "copy", "no memory");
  run(d, f, buffer, 1);
  expect(wl_launch_finding(d, 0, &x), "copy", "memory that was allocated again");
  expect(wl_fill(d, buffer, 0, 64) == WL_OK, "copy", "fill");
  run(d, f, buffer, 1);
  expect(!wl_launch_finding(d, 0, &x), "copy", "memory that the host has filled");
  wl_device_close(d);
  d = open_device(false, "tiny");
  f = wl_module_function_at(load(d, "copy.ptx", copy), 0);
  expect(wl_alloc(d, 64, &buffer) == WL_OK, "copy", "no memory");
  run(d, f, buffer, 1);
  expect(!wl_launch_finding(d, 0, &x), "copy", "a device that is not checked");
  wl_device_close(d);
}

static void check_backends(void) {
  wl_device_t *d = NULL;
  const wl_device_options_t options = {.backend = "model", .config = "tiny", .checked = true};
  if (wl_backend_available("model")) {
    expect(wl_device_open(&options, &d) == WL_ERR_INPUT, "model", "a checked model");
    wl_device_close(d);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    (void)fprintf(stderr, "usage: test_checked FOLDER\n");
    return 2;
  }
  static const char *const files[] = {"bad.ptx",
                                      "good.ptx",
                                      "bad_proxy.ptx",
                                      "good_proxy.ptx",
                                      "bad_wait.ptx",
                                      "good_wait.ptx",
                                      "bad_source.ptx",
                                      "good_source.ptx",
                                      "bad_tmem.ptx",
                                      "good_tmem.ptx",
                                      "bad_tmem_wait.ptx",
                                      "bad_tmem_fence.ptx",
                                      "bad_tmem_value.ptx",
                                      "good_tmem_order.ptx",
                                      "tmem_scaled.ptx",
                                      "bad_umma.ptx",
                                      "good_umma.ptx",
                                      "bad_umma_scaled.ptx",
                                      "good_umma_scaled.ptx"};
  unsigned n = 0;
  for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
    n += check_file(argv[1], files[k]);
  }
  expect(n == 152, "files", "kernels are missing");
  check_host_memory();
  check_backends();
  printf("%u kernels, %d failed\n", n, failures);
  return failures != 0;
}
