/* test_reject.c: legal PTX without a machine form is refused with class 6, its clause and its
 * place, all of a module in one run; hints vanish; damaged PTX text never crashes the lowering. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/lower/lower.h"
#include "isa/ptx/ptx.h"

typedef struct reject {
  const char *body, *clause;
} reject_t;

static const reject_t rejects[] = {
    {"div.rn.f64 %d, %d, %d;", "9.7.3"},
    {"min.f64 %d, %d, %d;", "9.7.3"},
    {"setp.lt.f64 %p, %d, %d;", "9.7.6"},
    {"sin.approx.f32 %f, %f;", "9.7.3"},
    {"cos.approx.ftz.f32 %f, %f;", "9.7.3"},
    {"sqrt.rn.f64 %d, %d;", "9.7.3"},
    {"cvt.rn.f32.f64 %f, %d;", "9.7.9.21"},
    {"atom.global.add.f64 %d, [%a], %d;", "9.7.13"},
    {"call ext;", "11.6.1"},
};

static int lower_text(const char *text, size_t len, wl_diag_list_t *d, wl_obj_t **o) {
  wl_ptx_module_t *m = NULL;
  *o = NULL;
  wl_diag_init(d);
  wl_diag_set_source(d, "t.ptx", text, len);
  int rc = wl_ptx_parse("t.ptx", text, len, d, &m);
  if (rc == 0) rc = wl_lower_module(m, NULL, d, o);
  wl_ptx_module_free(m);
  return rc;
}

static const char head[] =
    ".version 9.0\n.target sm_90\n.address_size 64\n.extern .func ext;\n.visible .entry k(.param "
    ".u64 p)\n"
    "{ .reg .f64 %d; .reg .f32 %f; .reg .f16 %h; .reg .b64 %a; .reg .b32 %r; .reg .pred %p;\n";

/* One module with every rejected instruction, one per line from line 7 on. */
static int all_at_once(void) {
  char text[4096];
  int bad = 0, n = (int)(sizeof rejects / sizeof rejects[0]);
  size_t at = (size_t)snprintf(text, sizeof text, "%s", head);
  for (int i = 0; i < n; i++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s\n", rejects[i].body);
  at += (size_t)snprintf(text + at, sizeof text - at, "ret; }\n");
  wl_diag_list_t d;
  wl_obj_t *o;
  const int rc = lower_text(text, at, &d, &o);
  if (rc != 6 || o != NULL) bad += printf("FAILED: exit code %d, expected 6\n", rc) > 0;
  for (int i = 0; i < n; i++) {
    bool found = false;
    for (size_t k = 0; k < d.count; k++)
      found |= d.items[k].pos.line == 7u + (unsigned)i && d.items[k].cls == WL_DIAG_UNSUPPORTED &&
               d.items[k].clause != NULL &&
               strncmp(d.items[k].clause, rejects[i].clause, strlen(rejects[i].clause)) == 0;
    if (!found)
      bad += printf("FAILED: no diagnostic [PTX %s] for: %s\n", rejects[i].clause,
                    rejects[i].body) > 0;
  }
  char *all = bad != 0 ? wl_diag_format_all(&d) : NULL;
  if (all != NULL) printf("%s", all);
  free(all);
  wl_diag_free(&d);
  return bad;
}

/* Hints leave no instruction: only the exit remains. */
static int hints(void) {
  char text[2048];
  const size_t n = (size_t)snprintf(
      text, sizeof text, "%s prefetch.global.L2 [%%a]; prefetchu.L1 [%%a]; ret; }\n", head);
  wl_diag_list_t d;
  wl_obj_t *o;
  int bad = 0;
  const int rc = lower_text(text, n, &d, &o);
  if (rc != 0 || o->code_count > 2)
    bad =
        printf("FAILED: hints: exit %d, %u instructions\n", rc, o != NULL ? o->code_count : 0) > 0;
  wl_obj_free(o);
  wl_diag_free(&d);
  return bad;
}

/* Line table: every instruction of a function has a PTX line inside it, .loc comes through. */
static int lines(void) {
  static const char text[] =
      ".version 9.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      ".reg .b32 %r<4>; .reg .b64 %a;\n.loc 1 42 7\nld.param.u64 %a, [p];\nmov.u32 %r1, %tid.x;\n"
      ".loc 1 43 0\ndiv.u32 %r2, 100, %r1;\nst.global.u32 [%a], %r2;\nret;\n}\n.file 1 \"a.cu\"\n";
  wl_diag_list_t d;
  wl_obj_t *o;
  int bad = 0;
  if (lower_text(text, sizeof text - 1, &d, &o) != 0) {
    char *all = wl_diag_format_all(&d);
    printf("FAILED: line table: %s\n", all != NULL ? all : "");
    free(all);
    bad = 1;
  }
  for (uint32_t i = 0; o != NULL && i < o->code_count; i++) {
    const wl_obj_line_t *l = wl_obj_find_line(o, i);
    const bool ok = l != NULL && l->ptx_line >= 8 && l->ptx_line <= 13 && l->file != WL_OBJ_NONE &&
                    strcmp(o->files[l->file], "a.cu") == 0 &&
                    l->line == (l->ptx_line < 11 ? 42u : 43u);
    if (!ok && bad++ < 3)
      printf("FAILED: instruction %u: ptx line %u, line %u\n", i, l != NULL ? l->ptx_line : 0,
             l != NULL ? l->line : 0);
  }
  wl_obj_free(o);
  wl_diag_free(&d);
  return bad;
}

static uint32_t below(uint64_t *s, uint32_t n) {
  *s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*s >> 33) % n;
}

/* Tokens exchanged, doubled and dropped in real PTX: whatever still parses must lower or be
 * refused. */
static int damage(const char *path, unsigned rounds, unsigned *accepted) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return printf("FAILED: %s cannot be read\n", path) > 0;
  static char text[1 << 17], work[1 << 17];
  const size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  uint64_t seed = n;
  int bad = 0;
  for (unsigned r = 0; r < rounds; r++) {
    memcpy(work, text, n);
    for (unsigned k = 0; k < 1 + r % 3; k++) {
      const size_t a = below(&seed, (uint32_t)n - 24), b = below(&seed, (uint32_t)n - 24);
      const size_t len = 1 + below(&seed, 12);
      if (r % 2 == 0)
        memcpy(work + a, text + b, len);
      else if (work[a] >= '0' && work[a] <= '9')
        work[a] = (char)('0' + below(&seed, 10));
      else {
        k--;
        continue;
      }
    }
    wl_diag_list_t d;
    wl_obj_t *o;
    const int rc = lower_text(work, n, &d, &o);
    if ((rc == 0) != (o != NULL) || rc == 70)
      bad += printf("FAILED: %s round %u: exit %d\n", path, r, rc) > 0;
    *accepted += rc == 0;
    wl_obj_free(o);
    wl_diag_free(&d);
  }
  return bad;
}

int main(void) {
  static const char *const files[] = {"calls/calls.nvcc",       "params/params.nvcc",
                                      "int64/int64.clang",      "interpreter/interpreter.nvcc",
                                      "warp_ops/warp_ops.nvcc", "local_array/local_array.nvcc_g",
                                      "atomics/atomics.nvcc"};
  int bad = all_at_once() + hints() + lines();
  unsigned accepted = 0;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[200];
    (void)snprintf(path, sizeof path, "tests/kernels/%s.ptx", files[i]);
    bad += damage(path, 300, &accepted);
  }
  printf("reject: %d failed; %u damaged modules were still legal\n", bad, accepted);
  return bad != 0;
}
