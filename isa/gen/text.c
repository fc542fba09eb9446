/* Spellings of a name in C and SystemVerilog, numbers, and expressions over configuration names. */
#include "isa/gen/wlgen.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

name_t name_upper(const char *s) {
  name_t n = {{0}};
  for (size_t i = 0; s[i] != '\0' && i + 1 < sizeof n.s; i++)
    n.s[i] = s[i] == '.' ? '_' : (char)toupper((unsigned char)s[i]);
  return n;
}

name_t name_camel(const char *s) {
  name_t n = {{0}};
  size_t at = 0;
  bool start = true;
  for (; *s != '\0' && at + 1 < sizeof n.s; s++) {
    if (*s == '.' || *s == '_') {
      start = true;
      continue;
    }
    n.s[at++] = (char)(start ? toupper((unsigned char)*s) : tolower((unsigned char)*s));
    start = false;
  }
  return n;
}

name_t name_snake(const char *s) {
  name_t n = {{0}};
  size_t at = 0;
  for (size_t i = 0; s[i] != '\0' && at + 2 < sizeof n.s; i++) {
    if (i > 0 && isupper((unsigned char)s[i])) n.s[at++] = '_';
    n.s[at++] = (char)tolower((unsigned char)s[i]);
  }
  return n;
}

name_t name_snake_upper(const char *s) {
  const name_t n = name_snake(s);
  return name_upper(n.s);
}

bool is_identifier(const char *s) {
  if (!isalpha((unsigned char)*s)) return false;
  for (; *s != '\0'; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return false;
  return true;
}

uint64_t number(const row_t *row, int arg, uint64_t max) {
  const char *s = row->arg[arg];
  char *end;
  errno = 0;
  const uint64_t value = strtoull(s, &end, 0);
  if (!isdigit((unsigned char)*s) || *end != '\0' || errno != 0)
    fail(row, "'%s' is not a number", s);
  if (value > max) fail(row, "%s is above %llu", s, (unsigned long long)max);
  return value;
}

int bits_for(int count) {
  int bits = 1;
  while ((1 << bits) < count)
    bits++;
  return bits;
}

typedef struct {
  const facts_t *facts;
  const row_t *row;
  const char *at;
  int config;
} expr_t;

static uint64_t expr_sum(expr_t *e);

static void expr_space(expr_t *e) {
  while (isspace((unsigned char)*e->at))
    e->at++;
}

static uint64_t expr_name(expr_t *e) {
  const char *start = e->at;
  while (isalnum((unsigned char)*e->at) || *e->at == '_')
    e->at++;
  const size_t n = (size_t)(e->at - start);
  expr_space(e);
  if (n == 5 && strncmp(start, "clog2", n) == 0 && *e->at == '(') {
    e->at++;
    const uint64_t value = expr_sum(e);
    if (*e->at++ != ')') fail(e->row, "clog2: expected ')'");
    uint64_t bits = 0;
    while ((UINT64_C(1) << bits) < value)
      bits++;
    return bits;
  }
  const facts_t *f = e->facts;
  for (int i = 0; i < f->num_constants; i++)
    if (strlen(f->constant[i].name) == n && strncmp(f->constant[i].name, start, n) == 0)
      return f->constant[i].value[0];
  for (int i = 0; e->config >= 0 && i < f->num_configs; i++)
    if (strlen(f->config[i].name) == n && strncmp(f->config[i].name, start, n) == 0)
      return f->config[i].value[e->config];
  fail(e->row, "'%.*s' is no %sCONST", (int)n, start, e->config >= 0 ? "CONFIG or " : "");
}

static uint64_t expr_factor(expr_t *e) {
  uint64_t value = 0;
  expr_space(e);
  if (*e->at == '(') {
    e->at++;
    value = expr_sum(e);
    if (*e->at++ != ')') fail(e->row, "expected ')'");
  } else if (isdigit((unsigned char)*e->at)) {
    char *end;
    value = strtoull(e->at, &end, 0);
    e->at = end;
  } else if (isalpha((unsigned char)*e->at)) {
    value = expr_name(e);
  } else {
    fail(e->row, "'%s' is not an expression", e->at);
  }
  expr_space(e);
  return value;
}

static uint64_t expr_product(expr_t *e) {
  uint64_t value = expr_factor(e);
  while (*e->at == '*' || *e->at == '/') {
    const char op = *e->at++;
    const uint64_t right = expr_factor(e);
    if (op == '/' && right == 0) fail(e->row, "division by zero");
    value = op == '*' ? value * right : value / right;
  }
  return value;
}

static uint64_t expr_sum(expr_t *e) {
  uint64_t value = expr_product(e);
  while (*e->at == '+' || *e->at == '-') {
    const char op = *e->at++;
    const uint64_t right = expr_product(e);
    if (op == '-' && right > value) fail(e->row, "negative value");
    value = op == '+' ? value + right : value - right;
  }
  return value;
}

uint64_t expression(const facts_t *f, const row_t *row, int arg, int config) {
  expr_t e = {.facts = f, .row = row, .at = row->arg[arg], .config = config};
  const uint64_t value = expr_sum(&e);
  if (*e.at != '\0') fail(row, "'%s' does not belong to the expression", e.at);
  return value;
}
