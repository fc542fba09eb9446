/* check.c: see check.h. */
#include "tests/unit/ptx/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned checks, failures;

void check_at(const char *file, int line, bool ok, const char *what) {
  checks++;
  if (ok) return;
  failures++;
  printf("%s:%d: failed: %s\n", file, line, what);
}

void check_u64(const char *file, int line, const char *what, uint64_t got, uint64_t expected) {
  checks++;
  if (got == expected) return;
  failures++;
  printf("%s:%d: %s: got %llu (0x%llx), expected %llu (0x%llx)\n", file, line, what,
         (unsigned long long)got, (unsigned long long)got, (unsigned long long)expected,
         (unsigned long long)expected);
}

void check_text(const char *file, int line, const char *what, const char *got,
                const char *expected) {
  checks++;
  if (got != NULL && strcmp(got, expected) == 0) return;
  failures++;
  printf("%s:%d: %s:\n  got      \"%s\"\n  expected \"%s\"\n", file, line, what,
         got != NULL ? got : "(null)", expected);
}

int check_result(void) {
  printf("%u checks, %u failed\n", checks, failures);
  return failures != 0;
}

void parse_text(parsed_t *p, const char *text) {
  size_t n = strlen(text);
  memset(p, 0, sizeof *p);
  p->source = malloc(n + 1);
  if (p->source == NULL) abort();
  memcpy(p->source, text, n + 1);
  wl_diag_init(&p->diags);
  p->rc = wl_ptx_parse("t.ptx", p->source, n, &p->diags, &p->m);
  p->text = wl_diag_format_all(&p->diags);
}

static void parse_between(parsed_t *p, const char *head, const char *middle, const char *tail) {
  size_t n = strlen(head) + strlen(middle) + strlen(tail) + 1;
  char *s = malloc(n);
  if (s == NULL) abort();
  snprintf(s, n, "%s%s%s", head, middle, tail);
  parse_text(p, s);
  free(s);
}

#define HEAD ".version 9.2\n.target sm_90\n.address_size 64\n"

void parse_module(parsed_t *p, const char *declarations) {
  parse_between(p, HEAD, declarations, "\n");
}

void parse_body(parsed_t *p, const char *statements) {
  static const char head[] = HEAD
      ".global .align 16 .b32 g[64];\n.shared .align 16 .b32 sh[64];\n.const .align 16 .b32 "
      "cc[64];\n"
      ".entry k(.param .u64 pa, .param .u32 pn) {\n"
      ".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .f32 %f<16>;\n"
      ".reg .f64 %d<8>; .reg .v4 .f32 V; .reg .v2 .b32 W;\n";
  parse_between(p, head, statements, "\n}\n");
}

void parsed_free(parsed_t *p) {
  wl_ptx_module_free(p->m);
  wl_diag_free(&p->diags);
  free(p->text);
  free(p->source);
}
