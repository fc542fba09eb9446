/* memory.c: stores, atomics and loads of a record against what the lanes of the reference did.
 * Stores and loads are compared by byte, so that a core may split them; an atomic is one access. */
#include <string.h>

#include "driver/compare/compare.h"

typedef struct item {
  uint32_t lane, bytes;
  bool generic, has_value, has_other;
  bool elsewhere; /* constants, parameters: read from other places in another core */
  wl_mem_space_t space;
  uint64_t address;
  cmp_wide_t value, other;
  const char *op; /* NULL: not given */
} item_t;

typedef struct kind {
  const char *list, *one, *a_one;
  wl_mem_kind_t kind;
  unsigned field;
  cmp_count_t compared, missing;
} kind_t;

static const kind_t kinds[] = {
    {"stores", "store", "a store", WL_MEM_KIND_ST, CMP_F_STORES, CMP_N_STORES, CMP_N_NO_STORES},
    {"atomics", "atomic", "an atomic", WL_MEM_KIND_ATOM, CMP_F_ATOMICS, CMP_N_ATOMICS,
     CMP_N_NO_ATOMICS},
    {"loads", "load", "a load", WL_MEM_KIND_LD, CMP_F_LOADS, CMP_N_LOADS, CMP_COUNTS}};

/* ---- an entry of a list */

static bool read_space(wl_compare_t *c, uint32_t node, item_t *out) {
  static const wl_mem_space_t spaces[] = {WL_MEM_SPACE_GLOBAL, WL_MEM_SPACE_GEN,
                                          WL_MEM_SPACE_SHARED, WL_MEM_SPACE_LOCAL};
  for (int i = 0; i < 4; i++) {
    if (!cmp_json_is(&c->json, node, cmp_space_name(spaces[i]))) continue;
    out->space = spaces[i];
    out->generic = spaces[i] == WL_MEM_SPACE_GEN;
    return true;
  }
  out->elsewhere = cmp_json_is(&c->json, node, "const") || cmp_json_is(&c->json, node, "param");
  return out->elsewhere || cmp_bad(c, "\"space\" is not \"global\", \"shared\", \"local\", "
                                      "\"generic\", \"const\" or \"param\"");
}

/* Loads of constants; in a log of PTX level what lies in a frame or is a parameter, too. */
static bool is_elsewhere(const wl_compare_t *c, const kind_t *kind, const item_t *i) {
  const bool frame = !i->elsewhere && (i->space == WL_MEM_SPACE_LOCAL ||
                                       (i->generic && i->address >> 32 == CMP_LOCAL_WINDOW));
  return (i->elsewhere && (c->level == 2 || kind->kind == WL_MEM_KIND_LD)) ||
         (frame && c->level == 2);
}

static bool read_value(wl_compare_t *c, uint32_t node, unsigned bits, const char *name, bool *has,
                       cmp_wide_t *out) {
  *has = node != 0 && cmp_json_at(&c->json, node)->type != CMP_JSON_NULL;
  return !*has || cmp_json_wide(&c->json, node, bits, out) ||
         cmp_bad(c, "\"%s\" is not a value of %u bits", name, bits);
}

static bool read_item(wl_compare_t *c, uint32_t node, const kind_t *kind, item_t *out) {
  static const char *const names[] = {"lane",  "space", "address", "bytes",
                                      "value", "op",    "compare"};
  const cmp_json_t *j = &c->json;
  uint32_t at[7] = {0};
  uint64_t bytes = 0, lane = func_lowest(c->record.mask);
  if (cmp_json_at(j, node)->type != CMP_JSON_OBJECT)
    return cmp_bad(c, "an entry of \"%s\" is not an object", kind->list);
  for (uint32_t k = cmp_json_at(j, node)->first; k != 0; k = cmp_json_at(j, k)->next) {
    int i = 0;
    while (i < 7 && strcmp(names[i], cmp_json_key(j, k)) != 0)
      i++;
    if (i == 7 || (i > 4 && kind->kind != WL_MEM_KIND_ATOM))
      return cmp_bad(c, "unknown member \"%.60s\" of %s", cmp_json_key(j, k), kind->a_one);
    at[i] = k;
  }
  *out = (item_t){0};
  if (at[0] == 0 && !c->record.thread) return cmp_bad(c, "%s without \"lane\"", kind->a_one);
  if (at[0] != 0 && (!cmp_json_u64(j, at[0], 31, &lane) || (c->record.mask >> lane & 1u) == 0))
    return cmp_bad(c, "\"lane\" of %s is not one of the record's", kind->a_one);
  out->lane = (uint32_t)lane;
  if (!read_space(c, at[1], out)) return false;
  if (!cmp_json_u64(j, at[2], UINT64_MAX, &out->address))
    return cmp_bad(c, "\"address\" of %s is not a number of 64 bits", kind->a_one);
  if (!cmp_json_u64(j, at[3], 16, &bytes) || bytes == 0)
    return cmp_bad(c, "\"bytes\" of %s is not 1 to 16", kind->a_one);
  out->bytes = (uint32_t)bytes;
  out->op = at[5] != 0 && cmp_json_at(j, at[5])->type == CMP_JSON_STRING
                ? j->text + cmp_json_at(j, at[5])->text
                : NULL;
  return read_value(c, at[4], 8 * out->bytes, "value", &out->has_value, &out->value) &&
         read_value(c, at[6], 8 * out->bytes, "compare", &out->has_other, &out->other);
}

static uint8_t wide_byte(const cmp_wide_t *v, uint32_t k) {
  return (uint8_t)((k < 8 ? v->low : v->high) >> 8 * (k % 8));
}

static void bytes_text(const uint8_t *bytes, uint32_t n, char *buf, size_t cap) {
  size_t used = (size_t)snprintf(buf, cap, "0x");
  for (uint32_t k = n; k-- > 0 && used < cap;)
    used += (size_t)snprintf(buf + used, cap - used, "%02x", bytes[k]);
}

/* ---- the comparison */

static bool differ_item(wl_compare_t *c, const cmp_warp_t *cw, const kind_t *kind, const item_t *i,
                        const cmp_expect_t *nearest) {
  char expected[80] = "none", got[80];
  cmp_place_t at = {cw, i->lane, nearest != NULL ? nearest->pc : c->step.pc};
  if (nearest != NULL)
    (void)snprintf(expected, sizeof expected, "%u bytes at %s 0x%llx", nearest->access.bytes,
                   cmp_space_name(nearest->access.space),
                   (unsigned long long)nearest->access.address);
  (void)snprintf(got, sizeof got, "%u bytes at %s 0x%llx", i->bytes,
                 cmp_space_name(i->generic ? WL_MEM_SPACE_GEN : i->space),
                 (unsigned long long)i->address);
  return cmp_differ(c, at, expected, got, nearest == NULL ? "%s that is not the program's" : "%s",
                    kind->one);
}

/* The byte of an expected access at the address of an entry, NULL: none. */
static cmp_expect_t *find_byte(cmp_expect_t *e, uint32_t n, const kind_t *kind, const item_t *i,
                               uint32_t k, uint32_t *at) {
  for (uint32_t x = 0; x < n; x++) {
    const cmp_access_t *a = &e[x].access;
    const uint64_t from = i->generic ? a->generic : a->address;
    if (e[x].lane != i->lane || a->kind != kind->kind || (!i->generic && i->space != a->space) ||
        i->address + k - from >= a->bytes)
      continue;
    *at = (uint32_t)(i->address + k - from);
    if ((e[x].covered >> *at & 1u) == 0) return &e[x];
  }
  return NULL;
}

static const cmp_expect_t *nearest_of(const cmp_expect_t *e, uint32_t n, const kind_t *kind,
                                      uint32_t lane) {
  for (uint32_t x = 0; x < n; x++)
    if (e[x].lane == lane && e[x].access.kind == kind->kind) return &e[x];
  return NULL;
}

static bool differ_value(wl_compare_t *c, const cmp_warp_t *cw, const kind_t *kind,
                         const cmp_expect_t *e, const uint8_t *want, const cmp_wide_t *have,
                         uint32_t bytes, const char *what) {
  char expected[80], got[80];
  uint8_t own[16];
  for (uint32_t k = 0; k < bytes; k++)
    own[k] = wide_byte(have, k);
  bytes_text(want, bytes, expected, sizeof expected);
  bytes_text(own, bytes, got, sizeof got);
  return cmp_differ(c, (cmp_place_t){cw, e->lane, e->pc}, expected, got, "%s of %s at %s 0x%llx",
                    what, kind->a_one, cmp_space_name(e->access.space),
                    (unsigned long long)e->access.address);
}

/* A store or a load: each byte is one of an expected access of the lane. */
static bool compare_bytes(wl_compare_t *c, const cmp_warp_t *cw, const kind_t *kind,
                          const item_t *i, cmp_expect_t *e, uint32_t n) {
  uint8_t want[16] = {0};
  const cmp_expect_t *first = NULL;
  bool same = true;
  for (uint32_t k = 0; k < i->bytes; k++) {
    uint32_t at = 0;
    cmp_expect_t *found = find_byte(e, n, kind, i, k, &at);
    if (found == NULL) return differ_item(c, cw, kind, i, nearest_of(e, n, kind, i->lane));
    found->covered |= 1u << at;
    first = first == NULL ? found : first;
    want[k] = found->access.value[at];
    same = same && want[k] == wide_byte(&i->value, k);
  }
  if (kind->kind == WL_MEM_KIND_ST && !i->has_value)
    cmp_count(c, kind->missing, 1);
  else if (kind->kind == WL_MEM_KIND_ST && !same)
    return differ_value(c, cw, kind, first, want, &i->value, i->bytes, "value");
  return true;
}

static bool same_operand(const uint8_t *want, const cmp_wide_t *have, uint32_t bytes) {
  for (uint32_t k = 0; k < bytes; k++)
    if (want[k] != wide_byte(have, k)) return false;
  return true;
}

static bool compare_op(wl_compare_t *c, const cmp_warp_t *cw, const item_t *i,
                       const cmp_expect_t *e) {
  static const char *const ops[] = {
      [WL_ATOM_OP_ADD] = "add", [WL_ATOM_OP_MIN] = "min", [WL_ATOM_OP_MAX] = "max",
      [WL_ATOM_OP_INC] = "inc", [WL_ATOM_OP_DEC] = "dec", [WL_ATOM_OP_AND] = "and",
      [WL_ATOM_OP_OR] = "or",   [WL_ATOM_OP_XOR] = "xor", [WL_ATOM_OP_EXCH] = "exch",
      [WL_ATOM_OP_CAS] = "cas"};
  static const char *const mbars[] = {
      [WL_MBAR_INIT] = "init",     [WL_MBAR_ARRIVE] = "arrive",     [WL_MBAR_DROP] = "drop",
      [WL_MBAR_EXPECT] = "expect", [WL_MBAR_COMPLETE] = "complete", [WL_MBAR_ARRIVETX] = "arrivetx",
      [WL_MBAR_DROPTX] = "droptx"};
  const wl_form_info_t *f = c->sm->code[e->pc].dec.info;
  const char *op = f->kind == WL_MEM_KIND_MBAR ? mbars[f->mbar] : ops[f->atom];
  if (i->op == NULL || strcmp(i->op, op) == 0) return true;
  return cmp_differ(c, (cmp_place_t){cw, i->lane, e->pc}, op, i->op, "operation of an atomic");
}

static bool compare_atomic(wl_compare_t *c, const cmp_warp_t *cw, const kind_t *kind,
                           const item_t *i, cmp_expect_t *e, uint32_t n) {
  uint32_t at = 0;
  cmp_expect_t *found = find_byte(e, n, kind, i, 0, &at);
  if (found == NULL || at != 0 || found->access.bytes != i->bytes)
    return differ_item(c, cw, kind, i, nearest_of(e, n, kind, i->lane));
  found->covered = UINT32_MAX;
  const cmp_access_t *a = &found->access;
  const bool cas = c->sm->code[found->pc].dec.info->c != 0;
  if (!compare_op(c, cw, i, found)) return false;
  /* of cas, b is what memory is compared with and c what is written */
  const uint8_t *value = cas ? a->other : a->value;
  if (i->has_value && !same_operand(value, &i->value, a->bytes))
    return differ_value(c, cw, kind, found, value, &i->value, a->bytes, "operand");
  if (i->has_other && cas && !same_operand(a->value, &i->other, a->bytes))
    return differ_value(c, cw, kind, found, a->value, &i->other, a->bytes, "compared operand");
  if (!i->has_value) cmp_count(c, kind->missing, 1);
  return true;
}

/* What the log must have named: all bytes of each access. */
static bool complete(wl_compare_t *c, const cmp_warp_t *cw, const kind_t *kind,
                     const cmp_expect_t *e, uint32_t n) {
  for (uint32_t x = 0; x < n; x++) {
    const cmp_access_t *a = &e[x].access;
    const uint32_t all = (1u << a->bytes) - 1;
    if (a->kind != kind->kind) continue;
    if ((e[x].covered & all) != all) {
      char expected[80];
      (void)snprintf(expected, sizeof expected, "%u bytes at %s 0x%llx", a->bytes,
                     cmp_space_name(a->space), (unsigned long long)a->address);
      return cmp_differ(c, (cmp_place_t){cw, e[x].lane, e[x].pc}, expected,
                        e[x].covered == 0 ? "nothing" : "a part of it", "%s", kind->one);
    }
    cmp_count(c, kind->compared, 1);
  }
  return true;
}

static bool compare_kind(wl_compare_t *c, const cmp_warp_t *cw, const kind_t *kind, uint32_t list,
                         cmp_expect_t *e, uint32_t n) {
  if (list == 0 && (c->fields & kind->field) == 0) {
    for (uint32_t x = 0; x < n && kind->missing != CMP_COUNTS; x++)
      cmp_count(c, kind->missing, e[x].access.kind == kind->kind ? 1 : 0);
    return true;
  }
  for (uint32_t k = list == 0 ? 0 : cmp_json_at(&c->json, list)->first; k != 0;
       k = cmp_json_at(&c->json, k)->next) {
    item_t item;
    if (!read_item(c, k, kind, &item)) return false;
    if (is_elsewhere(c, kind, &item)) {
      cmp_count(c, CMP_N_ELSEWHERE, 1);
      continue;
    }
    if (item.elsewhere) return cmp_bad(c, "\"space\" of %s is const or param", kind->a_one);
    if (!(kind->kind == WL_MEM_KIND_ATOM ? compare_atomic(c, cw, kind, &item, e, n)
                                         : compare_bytes(c, cw, kind, &item, e, n)))
      return false;
  }
  return complete(c, cw, kind, e, n);
}

bool cmp_memory(wl_compare_t *c, const cmp_warp_t *cw, cmp_expect_t *e, uint32_t n) {
  const cmp_record_t *r = &c->record;
  return compare_kind(c, cw, &kinds[0], r->stores, e, n) &&
         compare_kind(c, cw, &kinds[1], r->atomics, e, n) &&
         compare_kind(c, cw, &kinds[2], r->loads, e, n);
}
