/* json.c: see json.h. Recursive descent; the depth is bounded, so the stack is too. */
#include "driver/compare/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
  cmp_json_t *j;
  size_t at, end;
  const char *why;
} parser_t;

static bool bad(parser_t *p, const char *why) {
  if (p->why == NULL) p->why = why;
  return false;
}

static void blanks(parser_t *p) {
  const char *t = p->j->text;
  while (p->at < p->end && (t[p->at] == ' ' || t[p->at] == '\t' || t[p->at] == '\r'))
    p->at++;
}

static bool take(parser_t *p, char c) {
  blanks(p);
  if (p->at >= p->end || p->j->text[p->at] != c) return false;
  p->at++;
  return true;
}

static uint32_t new_node(parser_t *p) {
  cmp_json_t *j = p->j;
  if (j->nodes == j->cap) {
    const uint32_t cap = j->cap == 0 ? 256 : 2 * j->cap;
    cmp_json_node_t *more = realloc(j->node, cap * sizeof *more);
    if (more == NULL) {
      (void)bad(p, "out of memory");
      return 0;
    }
    j->node = more;
    j->cap = cap;
  }
  j->node[j->nodes] = (cmp_json_node_t){0};
  return j->nodes++;
}

static int hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/* The character of \uXXXX as UTF-8, which is shorter than what it is written over. */
static bool unicode(parser_t *p, char **to) {
  unsigned code = 0;
  for (int k = 0; k < 4; k++, p->at++) {
    const int digit = p->at < p->end ? hex(p->j->text[p->at]) : -1;
    if (digit < 0) return bad(p, "\\u without four hexadecimal digits");
    code = code << 4 | (unsigned)digit;
  }
  if (code == 0) return bad(p, "\\u0000 in a string");
  if (code < 0x80) {
    *(*to)++ = (char)code;
  } else if (code < 0x800) {
    *(*to)++ = (char)(0xc0 | code >> 6);
    *(*to)++ = (char)(0x80 | (code & 63));
  } else {
    *(*to)++ = (char)(0xe0 | code >> 12);
    *(*to)++ = (char)(0x80 | (code >> 6 & 63));
    *(*to)++ = (char)(0x80 | (code & 63));
  }
  return true;
}

static bool escape(parser_t *p, char **to) {
  static const char from[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
  if (p->at >= p->end) return bad(p, "the line ends within a string");
  const char c = p->j->text[p->at++];
  if (c == 'u') return unicode(p, to);
  const char *found = c != 0 ? strchr(from, c) : NULL;
  if (found == NULL) return bad(p, "unknown escape in a string");
  *(*to)++ = means[found - from];
  return true;
}

/* Behind the opening quote; decoded in place and ended with 0 (over the closing quote at most). */
static bool string(parser_t *p, uint32_t *at, uint32_t *bytes) {
  char *t = p->j->text, *to = t + p->at;
  *at = (uint32_t)p->at;
  while (p->at < p->end) {
    const char c = t[p->at++];
    if (c == '"') {
      *bytes = (uint32_t)(to - (t + *at));
      *to = 0;
      return true;
    }
    if ((unsigned char)c < 0x20) return bad(p, "a control character in a string");
    if (c != '\\')
      *to++ = c;
    else if (!escape(p, &to))
      return false;
  }
  return bad(p, "the line ends within a string");
}

static size_t digits(parser_t *p) {
  const size_t from = p->at;
  while (p->at < p->end && p->j->text[p->at] >= '0' && p->j->text[p->at] <= '9')
    p->at++;
  return p->at - from;
}

static bool number(parser_t *p, uint32_t node) {
  const char *t = p->j->text;
  const size_t from = p->at;
  if (t[p->at] == '-') p->at++;
  const size_t first = p->at;
  const size_t n = digits(p);
  if (n == 0 || (n > 1 && t[first] == '0')) return bad(p, "not a JSON number");
  if (p->at < p->end && t[p->at] == '.') {
    p->at++;
    if (digits(p) == 0) return bad(p, "not a JSON number");
  }
  if (p->at < p->end && (t[p->at] == 'e' || t[p->at] == 'E')) {
    p->at++;
    if (p->at < p->end && (t[p->at] == '+' || t[p->at] == '-')) p->at++;
    if (digits(p) == 0) return bad(p, "not a JSON number");
  }
  p->j->node[node].type = CMP_JSON_NUMBER;
  p->j->node[node].text = (uint32_t)from;
  p->j->node[node].bytes = (uint32_t)(p->at - from);
  return true;
}

static bool word(parser_t *p, uint32_t node) {
  static const struct {
    const char *text;
    cmp_json_type_t type;
  } words[] = {{"null", CMP_JSON_NULL}, {"true", CMP_JSON_TRUE}, {"false", CMP_JSON_FALSE}};
  for (int k = 0; k < 3; k++) {
    const size_t n = strlen(words[k].text);
    if (p->end - p->at >= n && memcmp(p->j->text + p->at, words[k].text, n) == 0) {
      p->at += n;
      p->j->node[node].type = words[k].type;
      return true;
    }
  }
  return bad(p, "expected a JSON value");
}

static bool value(parser_t *p, uint32_t node, unsigned depth);

static bool member_name(parser_t *p, uint32_t list, uint32_t child) {
  uint32_t at = 0, bytes = 0;
  if (!take(p, '"')) return bad(p, "expected the name of a member");
  if (!string(p, &at, &bytes)) return false;
  if (!take(p, ':')) return bad(p, "expected ':'");
  for (uint32_t k = p->j->node[list].first; k != 0; k = p->j->node[k].next)
    if (strcmp(cmp_json_key(p->j, k), p->j->text + at) == 0)
      return bad(p, "a member is there twice");
  p->j->node[child].key = at;
  return true;
}

static bool list(parser_t *p, uint32_t node, unsigned depth, bool object) {
  const char close = object ? '}' : ']';
  uint32_t last = 0;
  p->j->node[node].type = object ? CMP_JSON_OBJECT : CMP_JSON_ARRAY;
  if (depth == CMP_JSON_DEPTH) return bad(p, "nested too deep");
  if (take(p, close)) return true;
  do {
    const uint32_t child = new_node(p);
    if (child == 0 || (object && !member_name(p, node, child))) return false;
    if (last == 0)
      p->j->node[node].first = child;
    else
      p->j->node[last].next = child;
    last = child;
    p->j->node[node].count++;
    if (!value(p, child, depth + 1)) return false;
  } while (take(p, ','));
  return take(p, close) || bad(p, p->at >= p->end ? "the line ends within a list"
                                  : object        ? "expected ',' or '}'"
                                                  : "expected ',' or ']'");
}

static bool value(parser_t *p, uint32_t node, unsigned depth) {
  blanks(p);
  if (p->at >= p->end) return bad(p, "the line ends where a value is expected");
  const char c = p->j->text[p->at];
  if (c == '{' || c == '[') {
    p->at++;
    return list(p, node, depth, c == '{');
  }
  if (c == '"') {
    uint32_t at = 0, bytes = 0;
    p->at++;
    if (!string(p, &at, &bytes)) return false;
    p->j->node[node].type = CMP_JSON_STRING;
    p->j->node[node].text = at;
    p->j->node[node].bytes = bytes;
    return true;
  }
  return c == '-' || (c >= '0' && c <= '9') ? number(p, node) : word(p, node);
}

bool cmp_json_parse(cmp_json_t *j, const char *line, size_t bytes, char *err, size_t cap) {
  parser_t p = {.j = j, .end = bytes};
  if (bytes > CMP_JSON_MAX_LINE) {
    (void)snprintf(err, cap, "the line is longer than %u bytes", CMP_JSON_MAX_LINE);
    return false;
  }
  if (bytes + 1 > j->text_cap) {
    char *more = realloc(j->text, 2 * (bytes + 1));
    if (more == NULL) {
      (void)snprintf(err, cap, "out of memory");
      return false;
    }
    j->text = more;
    j->text_cap = 2 * (bytes + 1);
  }
  memcpy(j->text, line, bytes);
  j->text[bytes] = 0;
  j->nodes = 0;
  bool ok = memchr(line, 0, bytes) == NULL || bad(&p, "a zero byte");
  (void)new_node(&p); /* 0: nobody */
  const uint32_t whole = p.why == NULL ? new_node(&p) : 0;
  ok = ok && whole != 0 && value(&p, whole, 0);
  blanks(&p);
  if (ok && p.at != p.end) ok = bad(&p, "text behind the value");
  if (!ok) (void)snprintf(err, cap, "column %zu: %s", p.at + 1, p.why != NULL ? p.why : "?");
  return ok;
}

void cmp_json_free(cmp_json_t *j) {
  free(j->text);
  free(j->node);
  *j = (cmp_json_t){0};
}

uint32_t cmp_json_member(const cmp_json_t *j, uint32_t object, const char *name) {
  for (uint32_t k = j->node[object].first; k != 0; k = j->node[k].next)
    if (strcmp(cmp_json_key(j, k), name) == 0) return k;
  return 0;
}

bool cmp_json_is(const cmp_json_t *j, uint32_t i, const char *text) {
  return i != 0 && j->node[i].type == CMP_JSON_STRING &&
         strcmp(j->text + j->node[i].text, text) == 0;
}

/* out * base + digit; false when it does not fit into 128 bits. */
static bool shift_in(cmp_wide_t *out, unsigned base, unsigned digit) {
  const uint64_t half[4] = {(uint32_t)out->low, out->low >> 32, (uint32_t)out->high,
                            out->high >> 32};
  uint64_t sum[4], carry = digit;
  for (int k = 0; k < 4; k++) {
    carry += half[k] * base;
    sum[k] = (uint32_t)carry;
    carry >>= 32;
  }
  *out = (cmp_wide_t){sum[0] | sum[1] << 32, sum[2] | sum[3] << 32};
  return carry == 0;
}

bool cmp_json_wide(const cmp_json_t *j, uint32_t i, unsigned bits, cmp_wide_t *out) {
  const cmp_json_node_t *n = &j->node[i];
  if (i == 0 || (n->type != CMP_JSON_NUMBER && n->type != CMP_JSON_STRING) || n->bytes == 0)
    return false;
  const char *t = j->text + n->text;
  const bool is_hex = n->type == CMP_JSON_STRING && n->bytes > 2 && t[0] == '0' && t[1] == 'x';
  *out = (cmp_wide_t){0, 0};
  for (uint32_t k = is_hex ? 2 : 0; k < n->bytes; k++) {
    const int digit = hex(t[k]);
    if (digit < 0 || (!is_hex && digit > 9) || !shift_in(out, is_hex ? 16 : 10, (unsigned)digit))
      return false;
  }
  return bits > 64    ? bits >= 128 || out->high >> (bits - 64) == 0
         : bits == 64 ? out->high == 0
                      : out->high == 0 && out->low >> bits == 0;
}

bool cmp_json_u64(const cmp_json_t *j, uint32_t i, uint64_t max, uint64_t *out) {
  cmp_wide_t v;
  if (!cmp_json_wide(j, i, 64, &v) || v.low > max) return false;
  *out = v.low;
  return true;
}
