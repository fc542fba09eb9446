/* record.c: a line of the log, as a tree of JSON, to a record. Every member is known or the line is
 * refused, so that a misspelt name does not look like a missing field. */
#include <stdlib.h>
#include <string.h>

#include "driver/compare/compare.h"

static const struct {
  const char *name;
  unsigned bit;
} fields[] = {{"regs", CMP_F_REGS},       {"preds", CMP_F_PREDS}, {"stores", CMP_F_STORES},
              {"atomics", CMP_F_ATOMICS}, {"loads", CMP_F_LOADS}, {"exit", CMP_F_EXIT}};

static bool known(wl_compare_t *c, uint32_t object, const char *const *names) {
  for (uint32_t k = cmp_json_at(&c->json, object)->first; k != 0;
       k = cmp_json_at(&c->json, k)->next) {
    int i = 0;
    while (names[i] != NULL && strcmp(names[i], cmp_json_key(&c->json, k)) != 0)
      i++;
    if (names[i] == NULL) return cmp_bad(c, "unknown member \"%.60s\"", cmp_json_key(&c->json, k));
  }
  return true;
}

static uint32_t member(const wl_compare_t *c, uint32_t object, const char *name) {
  return cmp_json_member(&c->json, object, name);
}

/* ---- the header */

static bool read_fields(wl_compare_t *c, uint32_t list) {
  if (list == 0) return true;
  if (cmp_json_at(&c->json, list)->type != CMP_JSON_ARRAY)
    return cmp_bad(c, "\"fields\" is not a list of names");
  for (uint32_t k = cmp_json_at(&c->json, list)->first; k != 0;
       k = cmp_json_at(&c->json, k)->next) {
    unsigned bit = 0;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
      if (cmp_json_is(&c->json, k, fields[i].name)) bit = fields[i].bit;
    if (bit == 0) return cmp_bad(c, "\"fields\" has a name that is none");
    c->fields |= bit;
  }
  return true;
}

static bool check_isa(wl_compare_t *c, uint32_t node) {
  uint64_t isa = 0;
  if (node == 0) return true;
  if (!cmp_json_u64(&c->json, node, UINT64_MAX, &isa))
    return cmp_bad(c, "\"isa\" is not a number of 64 bits");
  return isa == wl_isa_hash() ||
         cmp_bad(c, "the log is of machine ISA %016llx, this is %016llx", (unsigned long long)isa,
                 (unsigned long long)wl_isa_hash());
}

bool cmp_header_read(wl_compare_t *c, uint32_t object) {
  static const char *const names[] = {"warplock", "version", "level", "kernel",
                                      "isa",      "fields",  "note",  NULL};
  uint64_t version = 0;
  if (!cmp_json_is(&c->json, member(c, object, "warplock"), "effects"))
    return cmp_bad(c, "the first line is not a header: {\"warplock\": \"effects\", \"version\": 1, "
                      "\"level\": \"machine\" or \"ptx\"}");
  if (!known(c, object, names)) return false;
  if (!cmp_json_u64(&c->json, member(c, object, "version"), UINT32_MAX, &version) || version != 1)
    return cmp_bad(c, "version 1 of the log is expected");
  const uint32_t level = member(c, object, "level"), kernel = member(c, object, "kernel");
  c->level = cmp_json_is(&c->json, level, "machine") ? 1
             : cmp_json_is(&c->json, level, "ptx")   ? 2
                                                     : 0;
  if (c->level == 0) return cmp_bad(c, "\"level\" is not \"machine\" or \"ptx\"");
  if (kernel != 0 && !cmp_json_is(&c->json, kernel, wl_function_name(c->function)))
    return cmp_bad(c, "the log is of another kernel than %s", wl_function_name(c->function));
  return check_isa(c, member(c, object, "isa")) && read_fields(c, member(c, object, "fields"));
}

/* ---- whose record it is */

static bool triple(wl_compare_t *c, uint32_t node, const char *name, uint32_t out[3]) {
  uint32_t k = node != 0 ? cmp_json_at(&c->json, node)->first : 0;
  out[0] = out[1] = out[2] = 0;
  if (node == 0) return true;
  if (cmp_json_at(&c->json, node)->type != CMP_JSON_ARRAY || cmp_json_at(&c->json, node)->count > 3)
    return cmp_bad(c, "\"%s\" is not a list of up to three numbers", name);
  for (int i = 0; k != 0; i++, k = cmp_json_at(&c->json, k)->next) {
    uint64_t v = 0;
    if (!cmp_json_u64(&c->json, k, UINT32_MAX, &v))
      return cmp_bad(c, "\"%s\" is not a list of up to three numbers", name);
    out[i] = (uint32_t)v;
  }
  return true;
}

static bool number(wl_compare_t *c, uint32_t node, const char *name, uint32_t *out) {
  uint64_t v = 0;
  if (!cmp_json_u64(&c->json, node, UINT32_MAX, &v))
    return cmp_bad(c, "\"%s\" is not a number of 32 bits", name);
  *out = (uint32_t)v;
  return true;
}

static bool read_cta(wl_compare_t *c, uint32_t object) {
  const wl_launch_block_t *l = &c->sm->launch;
  const uint32_t node = member(c, object, "cta");
  uint32_t id[3];
  if (!triple(c, node, "cta", id)) return false;
  if (node == 0 && c->ctas != 1)
    return cmp_bad(c, "\"cta\" is needed: the launch has %llu", (unsigned long long)c->ctas);
  c->record.cta = id[0] + (uint64_t)l->nctaid_x * (id[1] + (uint64_t)l->nctaid_y * id[2]);
  return (id[0] < l->nctaid_x && id[1] < l->nctaid_y && id[2] < l->nctaid_z) ||
         cmp_differ(c, (cmp_place_t){NULL, WL_LANES, WL_OBJ_NONE}, "", "",
                    "CTA %u,%u,%u is not in the grid of the launch", id[0], id[1], id[2]);
}

static bool read_thread(wl_compare_t *c, uint32_t node) {
  const wl_launch_block_t *l = &c->sm->launch;
  uint32_t id[3];
  if (!triple(c, node, "thread", id)) return false;
  const uint64_t tid = id[0] + (uint64_t)l->ntid_x * (id[1] + (uint64_t)l->ntid_y * id[2]);
  if (id[0] >= l->ntid_x || id[1] >= l->ntid_y || tid >= l->threads)
    return cmp_differ(c, (cmp_place_t){NULL, WL_LANES, WL_OBJ_NONE}, "", "",
                      "thread %u,%u,%u is not in the CTA of the launch", id[0], id[1], id[2]);
  c->record.thread = true;
  c->record.warp = (uint32_t)tid / 32;
  c->record.mask = 1u << tid % 32;
  return true;
}

static bool read_warp(wl_compare_t *c, uint32_t object) {
  const wl_launch_block_t *l = &c->sm->launch;
  cmp_record_t *r = &c->record;
  if (member(c, object, "warp") == 0 || member(c, object, "mask") == 0)
    return cmp_bad(c, "\"thread\", or \"warp\" and \"mask\", are needed");
  if (!number(c, member(c, object, "warp"), "warp", &r->warp) ||
      !number(c, member(c, object, "mask"), "mask", &r->mask))
    return false;
  if (r->mask == 0) return cmp_bad(c, "\"mask\" names no lane");
  const uint32_t left = r->warp < l->warps ? l->threads - 32 * r->warp : 0;
  const uint32_t there = left >= 32 ? UINT32_MAX : (1u << left) - 1;
  if ((r->mask & ~there) == 0) return true;
  return cmp_differ(c, (cmp_place_t){NULL, WL_LANES, WL_OBJ_NONE}, "", "",
                    "lane %u of warp %u is no thread of the launch", func_lowest(r->mask & ~there),
                    r->warp);
}

/* ---- what it did */

static bool typed(wl_compare_t *c, uint32_t node, const char *name, cmp_json_type_t type) {
  return node == 0 || cmp_json_at(&c->json, node)->type == type ||
         cmp_bad(c, "\"%s\" is not %s", name, type == CMP_JSON_OBJECT ? "an object" : "a list");
}

static bool read_effects(wl_compare_t *c, uint32_t object) {
  cmp_record_t *r = &c->record;
  r->regs = member(c, object, "regs");
  r->preds = member(c, object, "preds");
  r->stores = member(c, object, "stores");
  r->atomics = member(c, object, "atomics");
  r->loads = member(c, object, "loads");
  r->exit = member(c, object, "exit");
  return typed(c, r->regs, "regs", CMP_JSON_OBJECT) &&
         typed(c, r->preds, "preds", CMP_JSON_OBJECT) &&
         typed(c, r->stores, "stores", CMP_JSON_ARRAY) &&
         typed(c, r->atomics, "atomics", CMP_JSON_ARRAY) &&
         typed(c, r->loads, "loads", CMP_JSON_ARRAY);
}

bool cmp_record_read(wl_compare_t *c, uint32_t object) {
  static const char *const names[] = {"cta",     "thread", "warp", "mask",  "pc",
                                      "exec",    "line",   "regs", "preds", "stores",
                                      "atomics", "loads",  "exit", "note",  NULL};
  cmp_record_t *r = &c->record;
  const uint32_t thread = member(c, object, "thread"), pc = member(c, object, "pc");
  const uint32_t exec = member(c, object, "exec"), line = member(c, object, "line");
  *r = (cmp_record_t){0};
  if (!known(c, object, names) || !read_cta(c, object)) return false;
  if (thread != 0 && (member(c, object, "warp") != 0 || member(c, object, "mask") != 0))
    return cmp_bad(c, "\"thread\" stands beside \"warp\" or \"mask\"");
  if (!(thread != 0 ? read_thread(c, thread) : read_warp(c, object))) return false;
  r->has_pc = pc != 0;
  r->has_exec = exec != 0;
  r->exec = r->mask;
  if ((pc != 0 && !number(c, pc, "pc", &r->pc)) ||
      (exec != 0 && !number(c, exec, "exec", &r->exec)) ||
      (line != 0 && !number(c, line, "line", &r->line)))
    return false;
  if (r->thread && r->has_exec) { /* of one thread: 0 or 1 */
    if (r->exec > 1) return cmp_bad(c, "\"exec\" of one thread is not 0 or 1");
    r->exec = r->exec != 0 ? r->mask : 0;
  }
  if ((r->exec & ~r->mask) != 0) return cmp_bad(c, "\"exec\" names a lane that is not in \"mask\"");
  if (c->level == 1 && line != 0) return cmp_bad(c, "\"line\" in a log of level machine");
  if (c->level == 2 && (line == 0 || pc != 0 || exec != 0))
    return cmp_bad(c, "a record of level ptx has \"line\", and no \"pc\" and no \"exec\"");
  return read_effects(c, object);
}

/* ---- values */

static uint32_t index_of(uint32_t mask, uint32_t lane) {
  return (uint32_t)__builtin_popcount(mask & ((1u << lane) - 1));
}

/* A single value of all lanes, a list by lane of exec, or a predicate mask. */
static cmp_given_t one_value(wl_compare_t *c, uint32_t node, uint32_t lane, unsigned bits,
                             uint64_t *out) {
  const cmp_json_node_t *n = cmp_json_at(&c->json, node);
  cmp_wide_t v;
  if (n->type == CMP_JSON_NULL) return CMP_UNKNOWN;
  if (bits == 1 && (n->type == CMP_JSON_TRUE || n->type == CMP_JSON_FALSE)) {
    *out = n->type == CMP_JSON_TRUE;
    return CMP_GIVEN;
  }
  const bool mask = bits == 1 && !c->record.thread && lane < WL_LANES;
  if (!cmp_json_wide(&c->json, node, mask ? 32 : bits, &v)) return CMP_WRONG;
  *out = mask ? v.low >> lane & 1u : v.low;
  return CMP_GIVEN;
}

cmp_given_t cmp_value_of(wl_compare_t *c, uint32_t node, uint32_t lane, unsigned bits,
                         uint64_t *out) {
  const cmp_json_node_t *n = cmp_json_at(&c->json, node);
  const cmp_record_t *r = &c->record;
  if (node == 0) return CMP_ABSENT;
  if (n->type != CMP_JSON_ARRAY) return one_value(c, node, lane, bits, out);
  if (r->thread || n->count != (uint32_t)__builtin_popcount(r->exec)) return CMP_WRONG;
  if ((r->exec >> lane & 1u) == 0) return CMP_UNKNOWN;
  uint32_t k = n->first;
  for (uint32_t i = index_of(r->exec, lane); i != 0; i--)
    k = cmp_json_at(&c->json, k)->next;
  return one_value(c, k, WL_LANES, bits, out); /* a list has no mask */
}

static bool logged(wl_compare_t *c, uint32_t list, char letter, uint32_t number, uint32_t lane,
                   unsigned bits, uint64_t *out) {
  char name[8];
  (void)snprintf(name, sizeof name, "%c%u", letter, number);
  const uint32_t node = list == 0 ? 0 : cmp_json_member(&c->json, list, name);
  return cmp_value_of(c, node, lane, bits, out) == CMP_GIVEN;
}

bool cmp_logged_reg(wl_compare_t *c, uint32_t pc, uint32_t reg, uint32_t lane, uint32_t *out) {
  uint64_t v = 0;
  const bool given = c->level == 1 ? logged(c, c->record.regs, 'R', reg, lane, 32, &v)
                                   : cmp_ptx_logged(c, pc, false, reg, lane, &v);
  *out = (uint32_t)v;
  return given;
}

bool cmp_logged_pred(wl_compare_t *c, uint32_t pc, uint32_t pred, uint32_t lane, bool *out) {
  uint64_t v = 0;
  const bool given = c->level == 1 ? logged(c, c->record.preds, 'P', pred, lane, 1, &v)
                                   : cmp_ptx_logged(c, pc, true, pred, lane, &v);
  *out = v != 0;
  return given;
}
