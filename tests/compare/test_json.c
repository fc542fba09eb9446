/* test_json.c: the reader of a log's line: what is JSON, what is not, values, every truncation and
 * many changed bytes (under sanitizers in the preset `sanitize`). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/compare/json.h"

static int failures;

#define CHECK(ok)                                                                                  \
  do {                                                                                             \
    if (!(ok)) {                                                                                   \
      printf("line %d: %s\n", __LINE__, #ok);                                                      \
      failures++;                                                                                  \
    }                                                                                              \
  } while (0)

static bool parse(cmp_json_t *j, const char *text, char *err) {
  err[0] = 0;
  /* a copy of the exact size, so that a byte too far is seen */
  const size_t n = strlen(text);
  char *copy = malloc(n + 1);
  if (copy == NULL) abort();
  memcpy(copy, text, n);
  const bool ok = cmp_json_parse(j, copy, n, err, 160);
  free(copy);
  return ok;
}

static void test_accepts(cmp_json_t *j) {
  static const char *const good[] = {"{}",
                                     "[]",
                                     " {\"a\" : [ 1 , -2.5e+3, null ] } ",
                                     "true",
                                     "0",
                                     "\"\\u00e9\\n\"",
                                     "{\"a\":{\"b\":[[[]]]}}",
                                     "[0.1, 1E5]"};
  char err[160];
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
    if (!parse(j, good[i], err)) {
      printf("refused: %s: %s\n", good[i], err);
      failures++;
    }
}

static void test_refuses(cmp_json_t *j) {
  static const struct {
    const char *text, *why;
  } bad[] = {{"", "column 1: the line ends"},
             {"{", "the name of a member"},
             {"{\"a\"}", "expected ':'"},
             {"{\"a\":1,}", "the name of a member"},
             {"[1 2]", "expected ',' or ']'"},
             {"[1", "the line ends within a list"},
             {"01", "not a JSON number"},
             {"1.", "not a JSON number"},
             {"1e", "not a JSON number"},
             {"-", "not a JSON number"},
             {"\"a", "within a string"},
             {"\"\\x\"", "unknown escape"},
             {"\"\\u12\"", "four hexadecimal"},
             {"\"\\u0000\"", "\\u0000"},
             {"\"\t\"", "control character"},
             {"nul", "expected a JSON value"},
             {"{} {}", "text behind the value"},
             {"{\"a\":1,\"a\":2}", "column 12: a member is there twice"},
             {"[[[[[[[[[]]]]]]]]]", "nested too deep"},
             {"{a:1}", "the name of a member"},
             {"+1", "expected a JSON value"},
             {"[1,]", "expected a JSON value"}};
  char err[160];
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    if (parse(j, bad[i].text, err) || strstr(err, bad[i].why) == NULL) {
      printf("%s: '%s', expected '%s'\n", bad[i].text, err, bad[i].why);
      failures++;
    }
}

static void test_values(cmp_json_t *j) {
  char err[160];
  cmp_wide_t v;
  uint64_t u = 0;
  CHECK(parse(j,
              "[\"0xffffffffffffffffffffffffffffffff\", 18446744073709551616, 1.0, -1, "
              "\"340282366920938463463374607431768211456\", \"0x\", \"12\", \"0x1G\", 4294967296]",
              err));
  uint32_t k = cmp_json_at(j, 1)->first;
  CHECK(cmp_json_wide(j, k, 128, &v) && v.low == UINT64_MAX && v.high == UINT64_MAX);
  CHECK(!cmp_json_wide(j, k, 127, &v));
  k = cmp_json_at(j, k)->next;
  CHECK(cmp_json_wide(j, k, 65, &v) && v.low == 0 && v.high == 1);
  CHECK(!cmp_json_u64(j, k, UINT64_MAX, &u));
  for (int i = 0; i < 4; i++) {
    k = cmp_json_at(j, k)->next;
    CHECK(!cmp_json_wide(j, k, 128, &v));
  }
  k = cmp_json_at(j, k)->next;
  CHECK(cmp_json_u64(j, k, 12, &u) && u == 12 && !cmp_json_u64(j, k, 11, &u));
  k = cmp_json_at(j, k)->next;
  CHECK(!cmp_json_wide(j, k, 128, &v));
  k = cmp_json_at(j, k)->next;
  CHECK(!cmp_json_wide(j, k, 32, &v) && cmp_json_wide(j, k, 33, &v));
}

static void test_members(cmp_json_t *j) {
  char err[160];
  CHECK(parse(j, "{\"a\": \"x\", \"\\u0062\": [1, 2, 3], \"c\": {}}", err));
  CHECK(cmp_json_at(j, 1)->count == 3);
  CHECK(cmp_json_is(j, cmp_json_member(j, 1, "a"), "x"));
  CHECK(cmp_json_at(j, cmp_json_member(j, 1, "b"))->count == 3);
  CHECK(cmp_json_member(j, 1, "d") == 0 && !cmp_json_is(j, 0, "x"));
}

static void test_fuzz(cmp_json_t *j) {
  static const char text[] =
      "{\"cta\": [0, 1], \"thread\": [3], \"pc\": 12, \"regs\": {\"R1\": [1, null, \"0x7f\"]}, "
      "\"n\\u00e9\\\"\": -1.5e3, \"exit\": true, \"d\": [[[[[]]]]]}";
  char err[160], copy[sizeof text];
  unsigned accepted = 0;
  uint32_t seed = 1;
  CHECK(parse(j, text, err));
  for (size_t n = 0; n + 1 < sizeof text; n++) {
    memcpy(copy, text, n);
    copy[n] = 0;
    CHECK(!parse(j, copy, err) && strncmp(err, "column ", 7) == 0);
  }
  for (int turn = 0; turn < 20000; turn++) {
    memcpy(copy, text, sizeof text);
    for (int k = 0; k < 1 + turn % 3; k++) {
      seed = seed * 1664525u + 1013904223u;
      copy[(seed >> 8) % (sizeof text - 1)] = (char)(1 + (seed >> 24) % 255);
    }
    accepted += parse(j, copy, err) ? 1 : 0;
  }
  CHECK(accepted > 100 && accepted < 19000);
}

int main(void) {
  cmp_json_t j = {0};
  test_accepts(&j);
  test_refuses(&j);
  test_values(&j);
  test_members(&j);
  test_fuzz(&j);
  cmp_json_free(&j);
  printf("%d failures\n", failures);
  return failures != 0;
}
