/* perf.c: performance, launch and ABI directives between a function's parameters and its body
 * [PTX 11.4, 11.7]. Values are recorded; the launch enforces them. */
#include <string.h>

#include "isa/ptx/px.h"

static bool once(wl_px_t *p, wl_ptx_func_t *f, uint32_t bit, wl_ptx_pos_t pos, const char *name) {
  if ((f->perf & bit) != 0) return wl_px_error(p, pos, "11.4", ".%s stands twice", name);
  f->perf |= bit;
  return true;
}

static bool three(wl_px_t *p, uint32_t out[3]) {
  out[0] = out[1] = out[2] = 1;
  for (int i = 0; i < 3; i++) {
    uint64_t v;
    if (!wl_px_const_range(p, "11.4", "dimension", 1, 0x7fffffff, &v)) return false;
    out[i] = (uint32_t)v;
    if (i < 2 && !wl_px_accept(p, ',')) break;
  }
  return true;
}

static bool entry_only(wl_px_t *p, const wl_ptx_func_t *f, wl_ptx_pos_t pos, const char *name) {
  return f->is_entry || wl_px_error(p, pos, "11.4", ".%s is a directive of .entry", name);
}

typedef struct perf_row {
  const char *name;
  uint32_t bit;
  bool is_three;
  size_t offset;
  uint32_t max;
} perf_row_t;

static const perf_row_t k_entry_rows[] = {
    {"maxntid", WL_PTX_PERF_MAXNTID, true, offsetof(wl_ptx_func_t, maxntid), 0},
    {"reqntid", WL_PTX_PERF_REQNTID, true, offsetof(wl_ptx_func_t, reqntid), 0},
    {"reqnctapercluster", WL_PTX_PERF_REQNCTAPERCLUSTER, true,
     offsetof(wl_ptx_func_t, reqnctapercluster), 0},
    {"maxnreg", WL_PTX_PERF_MAXNREG, false, offsetof(wl_ptx_func_t, maxnreg), INT32_MAX},
    {"minnctapersm", WL_PTX_PERF_MINNCTAPERSM, false, offsetof(wl_ptx_func_t, minnctapersm),
     1u << 16},
    {"maxnctapersm", WL_PTX_PERF_MAXNCTAPERSM, false, offsetof(wl_ptx_func_t, maxnctapersm),
     1u << 16},
    {"maxclusterrank", WL_PTX_PERF_MAXCLUSTERRANK, false, offsetof(wl_ptx_func_t, maxclusterrank),
     1u << 16}};

static const perf_row_t k_func_rows[] = {
    {"abi_preserve", WL_PTX_PERF_ABI_PRESERVE, false, offsetof(wl_ptx_func_t, abi_preserve), 255},
    {"abi_preserve_control", WL_PTX_PERF_ABI_PRESERVE_CONTROL, false,
     offsetof(wl_ptx_func_t, abi_preserve_control), 255}};

static bool row(wl_px_t *p, wl_ptx_func_t *f, const perf_row_t *r, wl_ptx_pos_t pos) {
  uint32_t *field = (uint32_t *)(void *)((char *)f + r->offset);
  uint64_t v;
  if (!once(p, f, r->bit, pos, r->name)) return false;
  if (r->is_three) return three(p, field);
  bool at_least_one = r->bit == WL_PTX_PERF_MAXNREG;
  if (!wl_px_const_range(p, "11.4", r->name, at_least_one, r->max, &v)) return false;
  *field = (uint32_t)v;
  return true;
}

static bool exclusive(wl_px_t *p, const wl_ptx_func_t *f, wl_ptx_pos_t pos) {
  uint32_t ntid = WL_PTX_PERF_MAXNTID | WL_PTX_PERF_REQNTID;
  uint32_t rank = WL_PTX_PERF_REQNCTAPERCLUSTER | WL_PTX_PERF_MAXCLUSTERRANK;
  if ((f->perf & ntid) == ntid)
    return wl_px_error(p, pos, "11.4.3", ".maxntid and .reqntid exclude each other");
  if ((f->perf & rank) == rank) {
    return wl_px_error(p, pos, "11.7.3",
                       ".reqnctapercluster and .maxclusterrank exclude each other");
  }
  return true;
}

bool wl_px_perf(wl_px_t *p, wl_ptx_func_t *f, bool *matched) {
  wl_ptx_pos_t pos = p->tok.pos;
  *matched = true;
  if (p->tok.kind == WL_TOK_DOT && !wl_px_check_word(p, &p->tok, "11.4")) return false;
  for (size_t i = 0; i < sizeof k_entry_rows / sizeof k_entry_rows[0]; i++) {
    if (!wl_px_accept_dot(p, k_entry_rows[i].name)) continue;
    if (k_entry_rows[i].bit == WL_PTX_PERF_MAXNCTAPERSM && p->version10 > 20)
      return wl_px_error(p, pos, "11.4.5", ".maxnctapersm ended with PTX version 2.0");
    return entry_only(p, f, pos, k_entry_rows[i].name) && row(p, f, &k_entry_rows[i], pos) &&
           exclusive(p, f, pos);
  }
  for (size_t i = 0; i < sizeof k_func_rows / sizeof k_func_rows[0]; i++) {
    if (!wl_px_accept_dot(p, k_func_rows[i].name)) continue;
    if (f->is_entry)
      return wl_px_error(p, pos, "11.4", ".%s is a directive of .func", k_func_rows[i].name);
    return row(p, f, &k_func_rows[i], pos);
  }
  if (wl_px_accept_dot(p, "explicitcluster")) {
    return entry_only(p, f, pos, "explicitcluster") &&
           once(p, f, WL_PTX_PERF_EXPLICITCLUSTER, pos, "explicitcluster");
  }
  if (wl_px_accept_dot(p, "blocksareclusters")) {
    return entry_only(p, f, pos, "blocksareclusters") &&
           once(p, f, WL_PTX_PERF_BLOCKSARECLUSTERS, pos, "blocksareclusters");
  }
  if (wl_px_accept_dot(p, "noreturn")) {
    if (f->is_entry || f->proto.nrets != 0) {
      return wl_px_error(p, pos, "11.4.6", ".noreturn is for functions without return value");
    }
    f->proto.noreturn = true;
    return true;
  }
  if (f->is_entry && wl_px_accept_dot(p, "pragma")) {
    size_t cap = f->npragmas; /* header pragmas: grown exactly, they are few */
    return wl_px_pragma(p, 0, &f->pragmas, &f->npragmas, &cap);
  }
  *matched = false;
  return true;
}
