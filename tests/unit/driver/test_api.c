/* The public interface piece by piece: allocator, copies, pattern of fresh memory, relocations,
 * variables that persist, errors and their texts (driver/include/warplock.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/include/warplock.h"
#include "tests/common/check.h"
#include "tests/unit/driver/program.h"

static wl_device_t *open_device(const char *config, uint64_t seed) {
  wl_device_options_t options = {.config = config, .mem_bytes = 1 << 20, .seed = seed};
  wl_device_t *d = NULL;
  CHECK(wl_device_open(&options, &d) == WL_OK, "%s", wl_error(d));
  return d;
}

static void check_error(const wl_device_t *d, wl_status_t got, wl_status_t want, const char *text) {
  CHECK(got == want && strcmp(wl_error(d), text) == 0, "got %d '%s', expected %d '%s'", (int)got,
        wl_error(d), (int)want, text);
}

/* The device is looked at after the call. */
#define expect_error(d, call, want, text)                                                          \
  do {                                                                                             \
    wl_status_t status_ = (call);                                                                  \
    check_error((d), status_, (want), (text));                                                     \
  } while (0)

static void test_memory(void) {
  wl_device_t *d = open_device("tiny", 1);
  wl_addr_t a = 0;
  wl_addr_t b = 0;
  wl_addr_t c = 0;
  uint8_t bytes[300];
  CHECK(wl_alloc(d, 1, &a) == WL_OK && wl_alloc(d, 1000, &b) == WL_OK, "%s", wl_error(d));
  CHECK(a >= UINT64_C(1) << 32 && a % 256 == 0 && b % 256 == 0 && b - a >= 256 + 1, "%llx %llx",
        (unsigned long long)a, (unsigned long long)b);
  CHECK(wl_alloc(d, 4, &c) == WL_OK && c - b >= 1000 + 256, "gap");
  CHECK(wl_free(d, b) == WL_OK, "%s", wl_error(d));
  wl_addr_t again = 0;
  CHECK(wl_alloc(d, 900, &again) == WL_OK && again == b, "the first gap that is large enough");
  memset(bytes, 7, sizeof bytes);
  CHECK(wl_write(d, again, bytes, 300) == WL_OK && wl_fill(d, again + 10, 9, 20) == WL_OK, "write");
  memset(bytes, 0, sizeof bytes);
  CHECK(wl_read(d, bytes, again, 300) == WL_OK && bytes[9] == 7 && bytes[10] == 9 &&
            bytes[29] == 9 && bytes[30] == 7 && bytes[299] == 7,
        "read");
  expect_error(d, wl_alloc(d, 0, &c), WL_ERR_INPUT, "allocation of 0 bytes");
  expect_error(d, wl_alloc(d, 1 << 20, &c), WL_ERR_UNSUPPORTED,
               "allocation of 1048576 bytes does not fit: device memory has 1048576 bytes");
  expect_error(d, wl_alloc(d, UINT64_MAX, &c), WL_ERR_UNSUPPORTED,
               "allocation of 18446744073709551615 bytes does not fit: device memory has 1048576 "
               "bytes");
  expect_error(d, wl_free(d, a + 1), WL_ERR_INPUT,
               "0x100008301 is not the address of an allocation");
  expect_error(d, wl_read(d, bytes, 0, 1), WL_ERR_INPUT,
               "copy of 1 bytes at 0x0: not inside device memory");
  expect_error(d, wl_write(d, (UINT64_C(1) << 32) + (1 << 20) - 4, bytes, 5), WL_ERR_INPUT,
               "copy of 5 bytes at 0x1000ffffc: not inside device memory");
  expect_error(d, wl_write(d, a, bytes, UINT64_MAX), WL_ERR_INPUT,
               "copy of 18446744073709551615 bytes at 0x100008300: not inside device memory");
  wl_device_close(d);
}

/* Fresh memory is a function of seed and address. */
static void test_pattern(void) {
  uint64_t words[3][64];
  static const uint64_t seeds[] = {5, 5, 6};
  for (int i = 0; i < 3; i++) {
    wl_device_t *d = open_device("base", seeds[i]);
    CHECK(wl_read(d, words[i], (UINT64_C(1) << 32) + 65536, sizeof words[i]) == WL_OK, "%s",
          wl_error(d));
    wl_device_close(d);
  }
  CHECK(memcmp(words[0], words[1], sizeof words[0]) == 0, "equal seeds differ");
  for (int i = 0; i < 64; i++) {
    CHECK(words[0][i] != words[2][i] && (i == 0 || words[0][i] != words[0][i - 1]), "word %d", i);
  }
}

/* Out: the three relocated words; adds 1 to the variable that the first one points into. */
static const char program[] = "ldc.b64 R4:R5, c0[RZ+0x200]\n"
                              "ldc.b64 R6:R7, c0[RZ+0x208]\n"
                              "ld.global.b64 R8:R9, [R6:R7]\n"
                              "st.global.b64 [R4:R5], R8:R9\n"
                              "ld.global.b64 R10:R11, [R6:R7+0x8]\n"
                              "st.global.b64 [R4:R5+0x8], R10:R11\n"
                              "ldc.b64 R10:R11, c1[RZ+0x8]\n"
                              "st.global.b64 [R4:R5+0x10], R10:R11\n"
                              "ld.global.b32 R12, [R8:R9-0x4]\n"
                              "add.ri R12, R12, 0x1\n"
                              "st.global.b32 [R8:R9-0x4], R12\n"
                              "exit\n"
                              "helper:\n"
                              "exit\n";

static bool make_module(wl_device_t *d, wl_module_t **module) {
  uint8_t *bytes = NULL;
  size_t size = 0;
  wl_obj_t *o = wl_obj_new();
  wl_obj_entry_t *e = program_entry(o, "main", program);
  if (e == NULL) {
    return false;
  }
  wl_obj_add_param(o, e, "out", WL_OBJ_U64, 8, 8, WL_OBJ_NONE, 0);
  wl_obj_add_param(o, e, "table", WL_OBJ_U64, 8, 8, WL_OBJ_NONE, 0);
  uint32_t table = wl_obj_add_data(o, WL_OBJ_GLOBAL, NULL, 16, 8);
  const uint32_t forty = 40;
  uint32_t counter = wl_obj_add_data(o, WL_OBJ_GLOBAL, &forty, 4, 4);
  uint64_t zeros = wl_obj_add_zero(o, 64, 16);
  uint32_t coef = wl_obj_add_data(o, WL_OBJ_C2, "0123456789abcdef", 16, 16);
  wl_obj_add_data(o, WL_OBJ_C1, NULL, 16, 8);
  wl_obj_add_sym(o, "table", WL_OBJ_SYM_GLOBAL, true, table, 16);
  uint32_t s1 = wl_obj_add_sym(o, "counter", WL_OBJ_SYM_GLOBAL, true, counter, 4);
  wl_obj_add_sym(o, "zeros", WL_OBJ_SYM_GLOBAL, true, zeros, 64);
  uint32_t s2 = wl_obj_add_sym(o, "coef", WL_OBJ_SYM_CONST, true, coef, 16);
  uint32_t s3 = wl_obj_add_sym(o, "helper", WL_OBJ_SYM_FUNC, false, 12, 1);
  wl_obj_add_reloc(o, WL_OBJ_GLOBAL, table, WL_OBJ_RELOC_GLOBAL, s1, 4);
  wl_obj_add_reloc(o, WL_OBJ_GLOBAL, table + 8, WL_OBJ_RELOC_CONST, s2, -3);
  wl_obj_add_reloc(o, WL_OBJ_C1, 8, WL_OBJ_RELOC_FUNC, s3, 0);
  bool ok = program_object(o, &bytes, &size) &&
            wl_module_load(d, "relocs.wlo", bytes, size, NULL, module) == WL_OK;
  free(bytes);
  CHECK(ok, "%s", wl_error(d));
  return ok;
}

static void test_relocations(void) {
  wl_device_t *d = open_device("tiny", 2);
  wl_module_t *m = NULL;
  wl_addr_t out = 0;
  wl_addr_t table = 0;
  wl_addr_t counter = 0;
  wl_addr_t coef = 0;
  wl_addr_t zeros = 0;
  uint64_t bytes = 0;
  uint64_t got[3] = {0};
  uint8_t zero[64];
  uint32_t value = 0;
  if (!make_module(d, &m)) {
    wl_device_close(d);
    return;
  }
  CHECK(wl_module_symbol(m, "table", &table, &bytes) == WL_OK && bytes == 16, "%s", wl_error(d));
  CHECK(wl_module_symbol(m, "counter", &counter, &bytes) == WL_OK && bytes == 4, "%s", wl_error(d));
  CHECK(wl_module_symbol(m, "coef", &coef, &bytes) == WL_OK && bytes == 16, "%s", wl_error(d));
  CHECK(wl_module_symbol(m, "zeros", &zeros, &bytes) == WL_OK && bytes == 64, "%s", wl_error(d));
  CHECK(wl_read(d, zero, zeros, 64) == WL_OK, "%s", wl_error(d));
  for (int i = 0; i < 64; i++) {
    CHECK(zero[i] == 0, "byte %d of a .global without initialiser is %u", i, zero[i]);
  }
  CHECK(wl_alloc(d, 24, &out) == WL_OK, "%s", wl_error(d));
  wl_launch_t launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
  wl_arg_t args[] = {WL_ARG(out), WL_ARG(table)};
  wl_function_t *f = wl_module_function_at(m, 0);
  for (uint32_t run = 1; run <= 2; run++) { /* .global persists over launches */
    CHECK(wl_launch(f, &launch, args, 2, NULL) == WL_OK, "%s", wl_error(d));
    CHECK(wl_read(d, &value, counter, 4) == WL_OK && value == 40 + run, "counter is %u", value);
  }
  CHECK(wl_read(d, got, out, sizeof got) == WL_OK, "%s", wl_error(d));
  CHECK(got[0] == counter + 4 && got[1] == coef - 3 && got[2] == 12, "%llx %llx %llx",
        (unsigned long long)got[0], (unsigned long long)got[1], (unsigned long long)got[2]);
  CHECK(wl_free(d, table) == WL_ERR_INPUT, "a module's memory was freed as an allocation");
  wl_module_unload(m);
  CHECK(make_module(d, &m) && wl_module_symbol(m, "counter", &counter, &bytes) == WL_OK &&
            wl_read(d, &value, counter, 4) == WL_OK && value == 40,
        "a module loaded again starts anew: %u", value);
  wl_device_close(d); /* takes the module with it */
}

/* Sizes beyond the block of 4 GiB that mem_base begins (docs/microarchitecture.md 13). */
static void test_memory_sizes(void) {
  static const struct {
    uint64_t bytes;
    const char *text;
  } cases[] = {
      {(UINT64_C(1) << 32) + 1, "device memory of 4294967360 bytes: 1 MiB to 4 GiB are possible"},
      {UINT64_MAX, "device memory of 18446744073709551615 bytes: 1 MiB to 4 GiB are possible"},
      {(1 << 20) - 64, "device memory of 1048512 bytes: 1 MiB to 4 GiB are possible"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    wl_device_options_t options = {.mem_bytes = cases[i].bytes};
    wl_device_t *d = NULL;
    expect_error(d, wl_device_open(&options, &d), WL_ERR_INPUT, cases[i].text);
    wl_device_close(d);
  }
}

static void test_launch_errors(void) {
  wl_device_t *d = open_device("tiny", 0);
  wl_module_t *m = NULL;
  wl_launch_t launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
  wl_addr_t out = 0;
  uint32_t narrow = 0;
  wl_function_t *f = NULL;
  if (!make_module(d, &m)) {
    wl_device_close(d);
    return;
  }
  expect_error(d, wl_module_function(m, "other", &f), WL_ERR_INPUT,
               "relocs.wlo has no kernel other; its kernels: main");
  CHECK(wl_module_function(m, "main", &f) == WL_OK && strcmp(wl_error(d), "") == 0, "%s",
        wl_error(d));
  CHECK(strcmp(wl_function_prototype(f), "main(u64 out, u64 table)") == 0, "%s",
        wl_function_prototype(f));
  wl_arg_t args[] = {WL_ARG(out), WL_ARG(narrow)};
  expect_error(d, wl_launch(f, &launch, args, 1, NULL), WL_ERR_INPUT,
               "main(u64 out, u64 table) takes 2 arguments, 1 given");
  expect_error(d, wl_launch(f, &launch, args, 2, NULL), WL_ERR_INPUT,
               "argument 1 of main(u64 out, u64 table): 4 bytes given, parameter table has 8");
  expect_error(d, wl_module_load(d, "x", "nonsense", 8, NULL, &m), WL_ERR_INPUT, wl_error(d));
  CHECK(m == NULL && wl_error(d)[0] != 0, "a failed load gives no module but a text");
  wl_device_close(d);
  wl_device_options_t bad = {.config = "huge"};
  expect_error(d, wl_device_open(&bad, &d), WL_ERR_INPUT,
               "unknown configuration 'huge' (tiny, tiny4, base, full)");
  expect_error(d, wl_alloc(d, 4, &out), WL_ERR_INPUT, "the device is not open");
  wl_device_close(d);
}

/* A marked entry is there, says why, and cannot be launched; the one beside it can. */
static void test_refused(void) {
  static const char why[] = "marked.wlo: error: kernel bad cannot be launched\n"
                            "k.ptx:12: error: 'div.rn.f64' is not implemented [PTX 9.7.3]\n"
                            "k.ptx:15: error: something";
  wl_device_t *d = open_device("tiny", 1);
  wl_module_t *m = NULL;
  wl_function_t *f = NULL;
  uint8_t *bytes = NULL;
  size_t size = 0;
  wl_launch_t launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
  wl_refusal_info_t r;
  wl_obj_t *o = wl_obj_new();
  bool ok = program_entry(o, "good", "exit") != NULL && program_entry(o, "bad", "exit") != NULL;
  wl_obj_add_refusal(o, 1, 12, "9.7.3", "'div.rn.f64' is not implemented");
  wl_obj_add_refusal(o, 1, 15, NULL, "something");
  wl_obj_set_ptx(o, "k.ptx", NULL, 0);
  ok = ok && program_object(o, &bytes, &size) &&
       wl_module_load(d, "marked.wlo", bytes, size, NULL, &m) == WL_OK;
  free(bytes);
  CHECK(ok, "%s", wl_error(d));
  if (ok) {
    expect_error(d, wl_module_function(m, "bad", &f), WL_ERR_UNSUPPORTED, why);
    CHECK(f == NULL && wl_module_functions(m) == 2, "%u functions", wl_module_functions(m));
    f = wl_module_function_at(m, 1);
    expect_error(d, wl_launch(f, &launch, NULL, 0, NULL), WL_ERR_UNSUPPORTED, why);
    CHECK(wl_function_refusal(f, 1, &r) && r.line == 15 && strcmp(r.kernel, "bad") == 0 &&
              strcmp(r.text, "something") == 0 && r.clause[0] == 0,
          "the second reason");
    CHECK(!wl_function_refusal(f, 2, &r), "a third reason");
    CHECK(wl_module_function(m, "good", &f) == WL_OK && !wl_function_refusal(f, 0, &r) &&
              wl_launch(f, &launch, NULL, 0, NULL) == WL_OK,
          "%s", wl_error(d));
  }
  wl_device_close(d);
}

int main(void) {
  test_memory();
  test_memory_sizes();
  test_pattern();
  test_relocations();
  test_launch_errors();
  test_refused();
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
