/* json.h: one line of JSON (RFC 8259) to a tree, strictly and with limits: for logs of other
 * programs, of which nothing is trusted. Strings are decoded in place; numbers stay text. */
#ifndef WL_DRIVER_COMPARE_JSON_H
#define WL_DRIVER_COMPARE_JSON_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CMP_JSON_DEPTH = 8, CMP_JSON_NONE = 0 };
#define CMP_JSON_MAX_LINE (UINT32_C(1) << 26)

typedef enum cmp_json_type {
  CMP_JSON_NULL,
  CMP_JSON_FALSE,
  CMP_JSON_TRUE,
  CMP_JSON_NUMBER,
  CMP_JSON_STRING,
  CMP_JSON_ARRAY,
  CMP_JSON_OBJECT
} cmp_json_type_t;

typedef struct cmp_json_node {
  cmp_json_type_t type;
  uint32_t key;         /* offset of the member's name in the text, which ends with 0 */
  uint32_t text, bytes; /* NUMBER, STRING: offset and length */
  uint32_t first, next; /* children of a list; the next one of the same list; 0: none */
  uint32_t count;       /* children */
} cmp_json_node_t;

typedef struct cmp_json {
  char *text;            /* the line's own copy */
  cmp_json_node_t *node; /* [1]: the whole line */
  uint32_t nodes, cap;
  size_t text_cap;
} cmp_json_t;

/* False with a sentence in err, which names the column. */
bool cmp_json_parse(cmp_json_t *j, const char *line, size_t bytes, char *err, size_t cap);
void cmp_json_free(cmp_json_t *j);

static inline const cmp_json_node_t *cmp_json_at(const cmp_json_t *j, uint32_t i) {
  return &j->node[i];
}
static inline const char *cmp_json_key(const cmp_json_t *j, uint32_t i) {
  return j->text + j->node[i].key;
}
/* The member of an object, 0: it has none of that name. */
uint32_t cmp_json_member(const cmp_json_t *j, uint32_t object, const char *name);
bool cmp_json_is(const cmp_json_t *j, uint32_t i, const char *text); /* a string, this one */

typedef struct cmp_wide {
  uint64_t low, high;
} cmp_wide_t;
/* A value of up to `bits`: a whole number, or a string "0x..." or of decimal digits. */
bool cmp_json_wide(const cmp_json_t *j, uint32_t i, unsigned bits, cmp_wide_t *out);
bool cmp_json_u64(const cmp_json_t *j, uint32_t i, uint64_t max, uint64_t *out);

#endif
