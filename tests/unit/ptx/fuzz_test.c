/* fuzz_test.c [FILE...]: damaged input gives a diagnosis, never a crash: truncation at each offset, each
 * token deleted or doubled, bytes replaced, neighbours swapped. Meant to run under ASan and UBSan
 * as well; the text is copied into a block of exactly its size so that overreads show. What is legal is
 * read by the rules of --strict-tmem, too: FILE is one more text to damage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/ptx/check.h"

static const char k_seed[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"a.cu\"\n"
    ".extern .func (.param .b32 r) e (.param .b64 a);\n.func (.reg .u32 o) f (.reg .u32 i) { "
    "add.u32 o, i, 1; ret; }\n"
    ".const .v2 .f32 c[2] = {{1.0, -2.5e3},{0f3f800000}};\n"
    ".global .align 8 .u64 p[] = { generic(c)+8, 0x10, f };\n"
    ".global .u8 m[2] = {0xff(p), 0xff00(c)};\n.extern .shared .align 16 .b8 dyn[];\n"
    ".visible .entry k (.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 s[12]) .maxntid "
    "256, 1, 1\n"
    "{\n.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .f32 %f<5>; .reg .v4 .f32 V;\n"
    ".local .align 4 .b8 loc[16]; .pragma \"nounroll\";\n.loc 1 2 3\nld.param.u64 %rd1, [a];\n"
    "cvta.to.global.u64 %rd2, %rd1; // comment\nmov.u32 %r1, %tid.x; /* x */ mad.wide.u32 %rd3, "
    "%r1, 4*(2-1), %rd2;\n"
    "setp.ge.and.s32 %p1|%p2, %r1, -1, !%p0;\n@!%p1 bra $L1;\nld.global.nc.v4.f32 "
    "{%f1,%f2,%f3,%f4}, [%rd3+16];\n"
    "{ .param .b64 q; .param .b32 t; st.param.b64 [q+0], %rd3; call.uni (t), e, (q); ld.param.b32 "
    "%r2, [t+0]; }\n"
    "call (%r3), f, (%r2);\nT: .branchtargets $L1, $L2;\nP: .callprototype (.param .b32 _) _ "
    "(.param .b64 _);\n"
    "brx.idx %r2, T;\ncall (%r2), %rd1, (%rd2), P;\n$L1:\nshfl.sync.bfly.b32 %r4|%p1, %r2, 1, 31, "
    "-1;\n"
    "atom.global.add.u32 _, [p+8], %r4; bar.red.popc.u32 %r5, 0, 64, %p1; mov.b64 {%r1,_}, %rd2;\n"
    "lop3.b32 %r1, %r2, %r3, %r4, 0x1e; cvt.rn.f32.s32 %f1, %r1; st.shared.f32 [dyn+4], %f1;\n"
    "fma.rn.ftz.f32 %f1, V.x, 0f40000000, 1.5;\n$L2: ret;\n}\n.section .debug_abbrev { .b8 1,2 }\n";

/* Statements that once did not move the parser forward, and others that stop early. */
static const char *const k_stuck[] = {
    ".sreg .b32 s;",
    ".tex .u32 t;",
    ".reg .b32 r;",
    ".param",
    ".global",
    "}",
    "{",
    ")",
    ".entry",
    ".func",
    ".alias",
    ".loc",
    ".file",
    ".section",
    ".pragma",
    ".version",
    ".target",
    ".address_size",
    ".extern",
    ".entry k () {\n.sreg .b32 s;\n}",
    ".entry k () {\n.tex .b32 s;\n.pragma\n.loc\n.maxntid\n.entry\n",
    ".entry k () {\nL:\nL:\n@\n@!\nmov\n\"\n`\n}",
    ".entry k\n.entry k\n.entry",
    ".global .u32 x[] = {{{{",
    (".entry k () {\n.global .u32 x[2] = {1,\n.branchtargets\nQ: .branchtargets\nP: "
     ".callprototype\n")};

static unsigned runs, accepted, strict;

static void run(const char *text, size_t n, const char *what, size_t at) {
  char *s = malloc(n == 0 ? 1 : n);
  if (s == NULL) abort();
  memcpy(s, text, n);
  wl_diag_list_t d;
  wl_ptx_module_t *m;
  wl_diag_init(&d);
  int rc = wl_ptx_parse("fuzz.ptx", s, n, &d, &m);
  bool ok =
      (rc == 0) == (m != NULL) && (rc == 0) == (d.errors == 0) && (rc == 0 || rc == 2 || rc == 6);
  for (size_t i = 0; i < d.count; i++)
    ok = ok && d.items[i].message != NULL && d.items[i].message[0] != 0;
  char *all = wl_diag_format_all(&d);
  if (!ok || all == NULL)
    printf("%s %zu: rc %d, %zu errors\n%s", what, at, rc, d.errors, all != NULL ? all : "");
  CHECK(ok && all != NULL);
  if (rc == 0) {
    rc = wl_ptx_strict_tmem(m, &d);
    CHECK((rc == 0) == (d.errors == 0) && (rc == 0 || rc == 2));
    strict += rc == 2;
    rc = 0;
  }
  runs++;
  accepted += rc == 0;
  free(all);
  wl_ptx_module_free(m);
  wl_diag_free(&d);
  free(s);
}

static void truncations(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    run(text, i, "truncated at", i);
}

/* Rough tokens: runs of name characters, or single other characters. */
static size_t token_end(const char *text, size_t n, size_t at) {
  size_t e = at + 1;
  if (strchr("\n \t", text[at]) != NULL) return e;
  while (e < n && (strchr("%$_", text[e]) != NULL || (text[e] >= '0' && text[e] <= 'z')) &&
         strchr(";:<=>?@[\\]", text[e]) == NULL && strchr("{}(),;", text[at]) == NULL) {
    e++;
  }
  return e;
}

static void tokens(const char *text, size_t n) {
  char *s = malloc(2 * n + 16);
  if (s == NULL) abort();
  for (size_t at = 0; at < n;) {
    size_t e = token_end(text, n, at), len = e - at;
    memcpy(s, text, at);
    memcpy(s + at, text + e, n - e);
    run(s, n - len, "token deleted at", at);
    memcpy(s, text, e);
    s[e] = ' ';
    memcpy(s + e + 1, text + at, n - at);
    run(s, n + len + 1, "token doubled at", at);
    size_t e2 = e < n ? token_end(text, n, e) : e;
    memcpy(s, text, at);
    memcpy(s + at, text + e, e2 - e);
    memcpy(s + at + (e2 - e), text + at, len);
    memcpy(s + e2, text + e2, n - e2);
    run(s, n, "tokens swapped at", at);
    at = e;
  }
  free(s);
}

static void random_bytes(const char *text, size_t n, unsigned rounds) {
  static const char alphabet[] = "{}()[]<>;:,.@!%$_+-*/=\"#\n\\0f1xU|&~\x80\x01 ";
  uint64_t x = 0x9e3779b97f4a7c15u;
  char *s = malloc(n);
  if (s == NULL) abort();
  for (unsigned r = 0; r < rounds; r++) {
    memcpy(s, text, n);
    for (int k = 0; k < 3; k++) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      s[(x >> 8) % n] = alphabet[x % (sizeof alphabet - 1)];
    }
    run(s, n, "bytes replaced, round", r);
  }
  free(s);
}

/* A legal text with tensor memory: every token of it, and bytes. */
static void file(const char *path) {
  static char text[1 << 16];
  FILE *f = fopen(path, "rb");
  CHECK(f != NULL);
  if (f == NULL) return;
  const size_t n = fread(text, 1, sizeof text, f);
  (void)fclose(f);
  const unsigned before = accepted;
  run(text, n, path, 0);
  CHECK_U64(accepted, before + 1);
  tokens(text, n);
  random_bytes(text, n, 500);
}

int main(int argc, char **argv) {
  size_t n = sizeof k_seed - 1;
  run(k_seed, n, "whole", 0);
  CHECK_U64(accepted, 1);
  for (size_t i = 0; i < sizeof k_stuck / sizeof k_stuck[0]; i++) {
    char text[400];
    int len = snprintf(text, sizeof text, ".version 8.0\n.target sm_80\n.address_size 64\n%s",
                       k_stuck[i]);
    run(text, (size_t)len, "stuck case", i);
    run(k_stuck[i], strlen(k_stuck[i]), "stuck case without a head", i);
  }
  truncations(k_seed, n);
  tokens(k_seed, n);
  random_bytes(k_seed, n, 3000);
  for (int i = 1; i < argc; i++)
    file(argv[i]);
  CHECK(argc == 1 || strict != 0);
  printf("%u damaged texts, %u still legal, %u of them not by --strict-tmem\n",
         runs - (unsigned)argc, accepted - (unsigned)argc, strict);
  return check_result();
}
