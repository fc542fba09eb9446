/* parse.c: wl_ptx_parse, the module-level grammar and its directives [PTX 4.3.1, 11.1, 11.6].
 * Functions are in function.c, variables in decl.c, debug directives in debug.c. */
#include <string.h>

#include "isa/ptx/px.h"

static const struct {
  const char *name;
  uint16_t version10;
} k_targets[] = {{"10", 10},   {"11", 10},   {"12", 12},  {"13", 12},   {"20", 20},   {"21", 20},
                 {"30", 30},   {"32", 40},   {"35", 31},  {"37", 41},   {"50", 40},   {"52", 41},
                 {"53", 42},   {"60", 50},   {"61", 50},  {"62", 50},   {"70", 60},   {"72", 61},
                 {"75", 63},   {"80", 70},   {"86", 71},  {"87", 74},   {"88", 90},   {"89", 78},
                 {"90", 78},   {"90a", 80},  {"100", 86}, {"100a", 86}, {"100f", 88}, {"101", 86},
                 {"101a", 86}, {"101f", 88}, {"103", 88}, {"103a", 88}, {"103f", 88}, {"110", 90},
                 {"110a", 90}, {"110f", 90}, {"120", 87}, {"120a", 87}, {"120f", 88}, {"121", 88},
                 {"121a", 88}, {"121f", 88}};

static bool version_number(wl_px_t *p, uint32_t *major, uint32_t *minor) {
  const wl_tok_t *t = &p->tok;
  if (t->kind != WL_TOK_FLOAT && t->kind != WL_TOK_INT) return false;
  uint32_t v[2] = {0, 0};
  int part = 0, digits = 0;
  for (uint32_t i = 0; i < t->len; i++) {
    char c = t->text[i];
    if (c == '.' && part == 0 && digits > 0) {
      part = 1;
      digits = 0;
    } else if (c >= '0' && c <= '9' && digits < 4) {
      v[part] = v[part] * 10 + (uint32_t)(c - '0');
      digits++;
    } else {
      return false;
    }
  }
  *major = v[0];
  *minor = v[1];
  return part == 1 && digits > 0;
}

static bool version_directive(wl_px_t *p) {
  wl_ptx_pos_t pos = p->tok.pos;
  if (!wl_px_accept_dot(p, "version")) {
    return wl_px_error(p, pos, "4.1", "a module must begin with .version");
  }
  pos = p->tok.pos;
  uint32_t major, minor;
  if (!version_number(p, &major, &minor)) {
    if (p->tok.kind == WL_TOK_BAD) return false;
    return wl_px_error(p, pos, "11.1.1", ".version needs a number like 9.2");
  }
  wl_px_next(p);
  p->m->version_major = major;
  p->m->version_minor = minor;
  static const uint32_t last[] = {0, 5, 3, 2, 3, 0, 5, 8, 8}; /* minor version of 1.x to 8.x */
  if (major < 1 || (major < sizeof last / sizeof last[0] && minor > last[major]))
    return wl_px_error(p, pos, "11.1.1", "there is no PTX version %u.%u", major, minor);
  if (major > 9 || (major == 9 && minor > 5)) {
    return wl_px_unsupported(p, pos, "11.1.1",
                             "PTX version %u.%u is newer than 9.2 (up to 9.5 is accepted)", major,
                             minor);
  }
  if (major == 9 && minor > 2) {
    wl_px_warn(p, pos, "11.1.1", "PTX version %u.%u is read as 9.2", major, minor);
  }
  p->version10 = major * 10 + (minor > 9 ? 9 : minor);
  return true;
}

static bool architecture(wl_px_t *p, const char *s, size_t n) {
  const char *name = s;
  if (n > 3 && memcmp(s, "sm_", 3) == 0) {
    s += 3;
    n -= 3;
  } else if (n > 8 && memcmp(s, "compute_", 8) == 0) {
    s += 8;
    n -= 8;
  } else {
    return false;
  }
  for (size_t i = 0; i < sizeof k_targets / sizeof k_targets[0]; i++) {
    if (strlen(k_targets[i].name) != n || memcmp(k_targets[i].name, s, n) != 0) continue;
    uint32_t sm = 0;
    size_t d = 0;
    for (; d < n && s[d] >= '0' && s[d] <= '9'; d++)
      sm = sm * 10 + (uint32_t)(s[d] - '0');
    if (p->version10 != 0 && p->version10 < k_targets[i].version10) {
      wl_px_error(p, p->tok.pos, "11.1.2", "`%.*s` needs .version %u.%u or later",
                  (int)(n + (size_t)(s - name)), name, k_targets[i].version10 / 10u,
                  k_targets[i].version10 % 10u);
    }
    if (sm == 101 && p->version10 >= 90) {
      wl_px_error(p, p->tok.pos, "11.1.2", "sm_101 is called sm_110 from .version 9.0 on");
    }
    p->m->sm = sm;
    p->m->sm_suffix = d < n ? s[d] : 0;
    return true;
  }
  return false;
}

static bool target_option(wl_px_t *p) {
  if (wl_px_is_ident(p, "debug")) {
    p->m->debug = true;
    return true;
  }
  if (wl_px_is_ident(p, "map_f64_to_f32")) {
    wl_px_unsupported(p, p->tok.pos, "11.1.2", "map_f64_to_f32 is not implemented");
    return true;
  }
  if (wl_px_is_ident(p, "texmode_independent")) {
    p->independent_samplers = true;
    return !p->unified_samplers;
  }
  p->unified_samplers = wl_px_is_ident(p, "texmode_unified");
  return p->unified_samplers && !p->independent_samplers;
}

static bool target_directive(wl_px_t *p) {
  char buf[96];
  if (!wl_px_accept_dot(p, "target")) {
    return wl_px_error(p, p->tok.pos, "4.1", ".version must be followed by .target");
  }
  bool any_arch = false;
  do {
    bool arch = p->tok.kind == WL_TOK_IDENT && architecture(p, p->tok.text, p->tok.len);
    if (!arch && !(p->tok.kind == WL_TOK_IDENT && target_option(p))) {
      return wl_px_error(p, p->tok.pos, "11.1.2", "unknown target %s",
                         wl_px_tok_text(&p->tok, buf, sizeof buf));
    }
    if (!arch && !any_arch)
      return wl_px_error(p, p->tok.pos, "11.1.2", "the architecture stands first in .target");
    if (arch && any_arch) {
      return wl_px_error(p, p->tok.pos, "11.1.2", "one architecture per .target directive");
    }
    any_arch = any_arch || arch;
    wl_px_next(p);
  } while (wl_px_accept(p, ','));
  if (!any_arch) return wl_px_error(p, p->tok.pos, "11.1.2", ".target names no architecture");
  return true;
}

static bool address_size(wl_px_t *p) {
  uint64_t v;
  wl_ptx_pos_t pos = p->tok.pos;
  if (!wl_px_const_range(p, "11.1.3", ".address_size", 1, 128, &v)) return false;
  if (v != 32 && v != 64) return wl_px_error(p, pos, "11.1.3", ".address_size is 32 or 64");
  p->m->address_size = (uint32_t)v;
  return v == 64 || wl_px_unsupported(p, pos, "11.1.3", ".address_size 32 is not implemented");
}

/* Also one whose interface is refused. */
static wl_ptx_func_t *function_named(wl_px_t *p, const wl_tok_t *t) {
  wl_sym_t *s = wl_px_lookup(p, t->text, t->len);
  p->touched = 0;
  if (s != NULL && s->kind == WL_SYM_REFUSED) return wl_px_find_function(p, wl_px_text(p, t));
  return s != NULL && s->kind == WL_SYM_FUNC ? s->obj : NULL;
}

static bool alias_directive(wl_px_t *p) { /* .alias new, old; [PTX 11.6.6] */
  wl_tok_t a = p->tok, b;
  if (a.kind == WL_TOK_IDENT) wl_px_next(p);
  bool ok = a.kind == WL_TOK_IDENT && wl_px_expect(p, ',', "11.6", "in .alias");
  b = p->tok;
  if (!ok || b.kind != WL_TOK_IDENT)
    return wl_px_error(p, a.pos, "11.6", ".alias needs two function names");
  wl_px_next(p);
  wl_ptx_func_t *fa = function_named(p, &a), *fb = function_named(p, &b);
  if (fa == NULL) return wl_px_error(p, a.pos, "11.6", "the alias needs a .func prototype");
  if (fb == NULL) return wl_px_error(p, b.pos, "11.6", "the aliased function is not declared");
  if (fa->is_entry || fb->is_entry || fa->defined || !fb->defined || fa == fb ||
      fb->linkage == WL_PTX_LINK_WEAK) {
    return wl_px_error(p, a.pos, "11.6",
                       "an alias joins a prototype to a defined, not weak function");
  }
  fa->alias_of = fb;
  return wl_px_semicolon(p, "11.6");
}

static bool linkage(wl_px_t *p, wl_ptx_linkage_t *out) {
  static const struct {
    const char *text;
    wl_ptx_linkage_t l;
  } k[] = {{"extern", WL_PTX_LINK_EXTERN},
           {"visible", WL_PTX_LINK_VISIBLE},
           {"weak", WL_PTX_LINK_WEAK},
           {"common", WL_PTX_LINK_COMMON}};
  *out = WL_PTX_LINK_LOCAL;
  for (size_t i = 0; i < 4; i++) {
    wl_ptx_pos_t pos = p->tok.pos;
    if (!wl_px_accept_dot(p, k[i].text)) continue;
    if (*out != WL_PTX_LINK_LOCAL) return wl_px_error(p, pos, "11.6", "a second linking directive");
    *out = k[i].l;
    i = (size_t)-1; /* look again: a second one is an error */
  }
  return true;
}

/* A module takes the one pragma that means something to it [PTX 12]. */
static bool check_module_pragmas(wl_px_t *p) {
  static const char *const inside[] = {"used_bytes_mask", "enable_smem_spilling", "frequency"};
  bool ok = true;
  for (; p->checked_pragmas < p->m->npragmas; p->checked_pragmas++) {
    const wl_ptx_pragma_t *g = &p->m->pragmas[p->checked_pragmas];
    if (strcmp(g->text, "nounroll") == 0) continue;
    bool known = false;
    for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
      known = known || strncmp(g->text, inside[i], strlen(inside[i])) == 0;
    }
    ok = wl_px_error(
        p, g->pos, "12",
        known ? "pragma \"%.60s\" stands in functions only" : "unknown pragma \"%.60s\"", g->text);
  }
  return ok;
}

static bool module_statement(wl_px_t *p) {
  wl_ptx_linkage_t link;
  bool matched = false, ok;
  char buf[96];
  if (!linkage(p, &link)) return false;
  if (wl_px_is_dot(p, "entry") || wl_px_is_dot(p, "func")) return wl_px_function(p, link);
  if (wl_px_is_space_directive(p)) {
    wl_px_variable_statement(p, link);
    return true; /* already recovered */
  }
  ok = wl_px_debug_directive(p, &matched);
  if (matched) return ok;
  if (wl_px_accept_dot(p, "alias")) return alias_directive(p);
  if (wl_px_accept_dot(p, "pragma")) {
    return wl_px_pragma(p, 0, &p->m->pragmas, &p->m->npragmas, &p->cap_pragmas) &&
           check_module_pragmas(p);
  }
  if (p->tok.kind == WL_TOK_BAD) return false;
  if (wl_px_is_dot(p, "version") || wl_px_is_dot(p, "target") || wl_px_is_dot(p, "address_size")) {
    return wl_px_error(p, p->tok.pos, "11.1", "%s may stand once, at the head of the module",
                       wl_px_tok_text(&p->tok, buf, sizeof buf));
  }
  return wl_px_error(p, p->tok.pos, "11", "unexpected %s at module scope",
                     wl_px_tok_text(&p->tok, buf, sizeof buf));
}

/* After an error at module scope: past the next `;` or { } block, or before a line that starts
 * with a directive. */
static void skip_module_statement(wl_px_t *p) {
  uint32_t depth = 0;
  bool first = true;
  while (p->tok.kind != WL_TOK_EOF) {
    if (depth == 0 && !first && p->tok.kind == WL_TOK_DOT && p->tok.line_start) return;
    first = false;
    bool end = depth == 0 && wl_px_is(p, ';');
    if (wl_px_is(p, '{')) depth++;
    if (wl_px_is(p, '}') && (depth == 0 || --depth == 0)) end = true;
    wl_px_next(p);
    if (end) return;
  }
}

static bool at_directive(const wl_px_t *p) {
  return p->tok.kind == WL_TOK_DOT && p->tok.line_start;
}

void wl_px_module(wl_px_t *p) {
  wl_px_next(p);
  bool head = version_directive(p) && target_directive(p), head_ok = head;
  if (!head && !at_directive(p)) skip_module_statement(p);
  p->m->address_size = 64;
  head = true;
  if (wl_px_accept_dot(p, "address_size")) {
    head = address_size(p);
  } else if (head_ok) {
    wl_px_note(p, p->tok.pos, "11.1.3", "no .address_size: addresses are taken to have 64 bits");
  }
  if (!head && !at_directive(p)) skip_module_statement(p);
  while (p->tok.kind != WL_TOK_EOF) {
    const char *before = p->tok.text;
    p->touched = 0;
    bool ok = module_statement(p);
    bool stuck = p->tok.text == before; /* each round consumes something */
    if (stuck || (!ok && !at_directive(p))) skip_module_statement(p);
  }
  p->touched = 0;
  wl_px_check_functions(p);
}

static void work(wl_px_t *p, const char *name, const char *text, size_t len) {
  char message[200];
  p->m = wl_px_alloc(p, sizeof *p->m);
  p->m->name = wl_arena_strndup(p->a, name, strlen(name));
  p->forms = wl_forms_compile(p->a, message, sizeof message);
  if (p->forms == NULL) {
    wl_diag_add(p->d, WL_DIAG_INTERNAL, (wl_ptx_pos_t){0, 0}, NULL, "%s", message);
    return;
  }
  wl_lex_init(&p->lx, text, len, p->d);
  wl_px_push_scope(p);
  wl_px_module(p);
}

/* false: memory ran out and wl_px_alloc jumped back here. Apart from work(), so that no variable
 * lives across the jump. */
static bool run(wl_px_t *p, const char *name, const char *text, size_t len) {
  if (setjmp(p->out_of_memory) != 0) return false;
  work(p, name, text, len);
  return true;
}

int wl_ptx_parse(const char *name, const char *text, size_t len, wl_diag_list_t *diags,
                 wl_ptx_module_t **out) {
  *out = NULL;
  wl_diag_set_source(diags, name, text, len);
  size_t before = diags->errors;
  wl_arena_t arena = {.limit = WL_LIM_ARENA};
  wl_ptx_pos_t nowhere = {0, 0};
  wl_px_t *p = wl_arena_alloc(&arena, sizeof *p);
  if (len > WL_LIM_SOURCE) {
    wl_diag_add(diags, WL_DIAG_UNSUPPORTED, nowhere, NULL, "source of more than %llu bytes",
                WL_LIM_SOURCE);
  } else if (p == NULL) {
    wl_diag_add(diags, WL_DIAG_INTERNAL, nowhere, NULL, "out of memory");
  } else {
    p->a = &arena;
    p->d = diags;
    if (!run(p, name, text, len)) {
      wl_diag_add(diags, WL_DIAG_INTERNAL, nowhere, NULL, "out of memory");
    }
  }
  if (diags->errors != before) {
    wl_arena_free(&arena);
    return wl_diag_exit_code(diags);
  }
  *out = p->m;
  (*out)->arena = arena;
  return 0;
}

void wl_ptx_module_free(wl_ptx_module_t *m) {
  if (m == NULL) return;
  wl_arena_t arena = m->arena; /* the module lies in its own arena */
  wl_arena_free(&arena);
}
