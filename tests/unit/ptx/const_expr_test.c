/* const_expr_test.c: PTX 4.5.4-4.5.6. Values of the first table were read back from the cubin that
 * ptxas 13.0 makes of the same initialisers, except where its comment says spec. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/ptx/check.h"

static const struct {
  const char *text;
  uint64_t value;
} k_values[] = {{"(-1 & -1) < 0", 1},
                {"(-7) % 3", 0},
                {"-7/2", (uint64_t)-3},
                {"-1 >> 1", UINT64_MAX},
                {"(-1U) >> 1", INT64_MAX},
                {"1 << 64", 1},
                {"1 << 65", 2},
                {"-1 >> 64", UINT64_MAX},
                {"~0 < 0", 0},
                {"!5", 0},
                {"(~0) / 2", INT64_MAX},
                {"-1 < 1U", 0},
                {"(-1|0)<0", 1},
                {"((-7)% 3)<0", 0},
                {"1?-1:2U", UINT64_MAX},
                {"-7/2U", 0x7ffffffffffffffc},
                {"(1?-1:2U)<0", 0}, /* spec: usual conversions make it unsigned; ptxas says 1 */
                {"42", 42},
                {"+123", 123},
                {"-(-42)", 42},
                {"-0xfabc123400000000 < 0", 0},
                {"1+2*3", 7},
                {"(1+2)*3", 9},
                {"10-4-3", 3},
                {"100/10/5", 2},
                {"1<<2+1", 8},
                {"7&3==3", 1},
                {"1|2^3&6", 1},
                {"6^3|8", 13},
                {"0||2", 1},
                {"3&&0", 0},
                {"1||0&&0", 1},
                {"!0", 1},
                {"~5U", UINT64_MAX - 5},
                {"5>=5", 1},
                {"5<=4", 0},
                {"5!=4", 1},
                {"0 ? 1 : 0 ? 2 : 3", 3},
                {"1 ? 2 : 1/0", 2},
                {"0 && (1/0)", 0},
                {"1 || 1/0", 1},
                {"(.s64)(0xffffffffffffffff) < 0", 1},
                {"(.u64)-1 < 0", 0},
                {"WARP_SZ*2", 64},
                {"1.5 < 2.5", 1},
                {"1.5+1.0 == 2.5", 1},
                {"7%3", 1},
                {"7%WARP_SZ", 7},
                {"-9223372036854775807-1", (uint64_t)INT64_MAX + 1},
                {"(-9223372036854775807-1)/-1", (uint64_t)INT64_MAX + 1}};

static const struct {
  const char *text, *message;
} k_bad[] = {
    {"1/0", "t.ptx:4:17: error: division by zero in constant expression [PTX 4.5.5]\n"},
    {"5 % 0", "t.ptx:4:17: error: division by zero in constant expression [PTX 4.5.5]\n"},
    {"1+2.0",
     "t.ptx:4:19: error: `+` mixes an integer and a floating-point operand; there is no cast "
     "between them [PTX 4.5.4]\n"},
    {"~1.0", "t.ptx:4:18: error: `~` needs integer operands [PTX 4.5.4]\n"},
    {"1.0 << 2",
     "t.ptx:4:24: error: `<<` mixes an integer and a floating-point operand; there is no cast "
     "between them [PTX 4.5.4]\n"},
    {"1.0 % 2.0", "t.ptx:4:17: error: `%` needs integer operands [PTX 4.5.4]\n"},
    {"0f3f800000 + 1.0",
     "t.ptx:4:17: error: an exact single-precision constant may not be used in an expression [PTX "
     "4.5.2]\n"},
    {"(.f32)1", "t.ptx:4:18: error: only (.s64) and (.u64) casts exist [PTX 4.5.5]\n"},
    {"1 ? 2 : 3.0",
     "t.ptx:4:25: error: operands 2 and 3 of ?: must be both integer or both floating-point [PTX "
     "4.5.5]\n"},
    {"(1", "t.ptx:4:19: error: expected `)` in constant expression, got `;` [PTX 4.5.4]\n"},
    {"1+", "t.ptx:4:19: error: expected a constant, got `;` [PTX 4.5.4]\n"}};

static uint64_t read_u64(const uint8_t *b) {
  uint64_t v = 0;
  for (int i = 7; i >= 0; i--)
    v = v << 8 | b[i];
  return v;
}

static void values(void) {
  for (size_t i = 0; i < sizeof k_values / sizeof k_values[0]; i++) {
    char text[200];
    snprintf(text, sizeof text, ".global .u64 x =%s;", k_values[i].text);
    parsed_t p;
    parse_module(&p, text);
    check_u64(__FILE__, __LINE__, k_values[i].text, (uint64_t)p.rc, 0);
    if (p.rc == 0)
      check_u64(__FILE__, __LINE__, k_values[i].text, read_u64(p.m->vars[0]->init),
                k_values[i].value);
    parsed_free(&p);
  }
}

static void errors(void) {
  for (size_t i = 0; i < sizeof k_bad / sizeof k_bad[0]; i++) {
    char text[200];
    snprintf(text, sizeof text, ".global .u64 x =%s;", k_bad[i].text);
    parsed_t p;
    parse_module(&p, text);
    CHECK_U64(p.rc, 2);
    CHECK_U64(p.diags.count, 1);
    char *nl = strchr(p.text, '\n');
    if (nl != NULL) nl[1] = 0;
    CHECK_STR(p.text, k_bad[i].message);
    parsed_free(&p);
  }
}

static void deep(void) { /* limits instead of a stack overflow */
  static char text[4000];
  size_t n = (size_t)snprintf(text, sizeof text, ".global .u64 x = ");
  memset(text + n, '(', 3000);
  parsed_t p;
  parse_module(&p, text);
  CHECK(p.rc == 6 || p.rc == 2);
  CHECK(strstr(p.text, "nested deeper than 200") != NULL);
  parsed_free(&p);
}

int main(void) {
  values();
  errors();
  deep();
  return check_result();
}
