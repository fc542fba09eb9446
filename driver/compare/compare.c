/* compare.c: a comparison from its opening to its end; lines to records; differences.
 * warplock_compare.h, docs/compare.md. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "driver/compare/compare.h"
#include "isa/obj/dis.h"

#define MAX_THREADS (UINT64_C(1) << 26)

/* Text of the log that stands in a message is kept to what a terminal can show. */
static void printable(char *text) {
  for (; *text != 0; text++)
    if (*text < 0x20 || *text > 0x7e) *text = '?';
}

bool cmp_bad(wl_compare_t *c, const char *format, ...) {
  char why[400], text[600];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(why, sizeof why, format, args);
  va_end(args);
  printable(why);
  (void)snprintf(text, sizeof text, "%s:%llu: %s", c->options.log_name, (unsigned long long)c->line,
                 why);
  free(c->text);
  c->text = malloc(strlen(text) + 1);
  if (c->text != NULL) strcpy(c->text, text);
  c->status = WL_ERR_INPUT;
  return false;
}

bool cmp_differ(wl_compare_t *c, cmp_place_t at, const char *expected, const char *got,
                const char *format, ...) {
  va_list args;
  if (c->status != WL_OK) return false;
  va_start(args, format);
  (void)vsnprintf(c->difference.what, sizeof c->difference.what, format, args);
  va_end(args);
  (void)snprintf(c->difference.expected, sizeof c->difference.expected, "%s", expected);
  (void)snprintf(c->difference.got, sizeof c->difference.got, "%s", got);
  printable(c->difference.what);
  printable(c->difference.got);
  c->difference.line = c->line;
  c->difference.cta = at.warp != NULL ? at.warp->cta : c->record.cta;
  c->difference.warp = at.warp != NULL ? at.warp->w.index : c->record.warp;
  c->difference.lane = at.lane;
  c->difference.has_thread = at.lane < WL_LANES;
  c->difference.pc = at.pc;
  c->difference.has_pc = at.pc < c->obj->code_count;
  c->status = WL_ERR_DIVERGENCE;
  return false;
}

/* ---- open, close */

static wl_status_t fail(wl_compare_t *c, wl_status_t status, const char *text) {
  free(c->text);
  c->text = malloc(strlen(text) + 1);
  if (c->text != NULL) strcpy(c->text, text);
  return c->status = status;
}

static bool make_tables(wl_compare_t *c) {
  const wl_launch_block_t *l = &c->sm->launch;
  c->ctas = (uint64_t)l->nctaid_x * l->nctaid_y * l->nctaid_z;
  if (c->ctas > MAX_THREADS / l->threads) return false;
  c->warp = calloc(c->ctas * l->warps + 1, sizeof(cmp_warp_t *));
  c->ended = calloc(c->ctas * l->warps + 1, sizeof *c->ended);
  c->shared = calloc(c->ctas + 1, sizeof(uint8_t *));
  return true;
}

static wl_status_t open_reference(wl_compare_t *c) {
  wl_device_t *d = c->function->module->device;
  c->sm = calloc(1, sizeof *c->sm);
  if (c->sm == NULL) return fail(c, WL_ERR_INTERNAL, "out of memory");
  c->sm->desc = ((const func_sm_t *)d->backend)->desc;
  if (!func_load(c->sm, d->c0)) return fail(c, WL_ERR_INTERNAL, "the launch block is damaged");
  if (!make_tables(c))
    return fail(c, WL_ERR_UNSUPPORTED, "the launch has more than 67108864 threads");
  if (c->warp == NULL || c->ended == NULL || c->shared == NULL)
    return fail(c, WL_ERR_INTERNAL, "out of memory");
  if (!c->options.follow_loads && !cmp_inputs_run(c)) return fail(c, c->status, wl_error(d));
  return WL_OK;
}

wl_status_t wl_compare_open(wl_function_t *function, const wl_launch_t *launch,
                            const wl_arg_t *args, unsigned arg_count,
                            const wl_compare_options_t *options, wl_compare_t **out) {
  wl_device_t *d = function->module->device;
  wl_compare_t *c = calloc(1, sizeof *c);
  *out = c;
  if (c == NULL) return WL_ERR_INTERNAL;
  c->function = function;
  c->obj = function->module->obj;
  if (options != NULL) c->options = *options;
  if (c->options.log_name == NULL) c->options.log_name = "log";
  if (strcmp(d->ops->name, "func") != 0)
    return fail(c, WL_ERR_INPUT, "a comparison with a log needs a device of backend func");
  c->status = wl_launch_prepare(function, launch, args, arg_count);
  if (c->status != WL_OK) return fail(c, c->status, wl_error(d));
  return open_reference(c);
}

void wl_compare_close(wl_compare_t *c) {
  if (c == NULL) return;
  for (uint64_t i = 0; c->warp != NULL && i < c->ctas * c->sm->launch.warps; i++) {
    if (c->warp[i] == NULL) continue;
    cmp_meet_free(c->warp[i]);
    free(c->warp[i]->local);
    free(c->warp[i]);
  }
  for (uint64_t i = 0; c->shared != NULL && i < c->ctas; i++)
    free(c->shared[i]);
  cmp_inputs_free(&c->inputs);
  cmp_json_free(&c->json);
  if (c->sm != NULL) free(c->sm->code);
  free(c->sm);
  free(c->warp);
  free(c->ended);
  free(c->has_code);
  free(c->shared);
  free(c->text);
  free(c->report_json);
  free(c);
}

/* ---- lines */

static int hex_digit(char h) {
  return h >= '0' && h <= '9' ? h - '0' : h >= 'a' && h <= 'f' ? h - 'a' + 10 : -1;
}

static bool compare_area(wl_compare_t *c, uint32_t object) {
  const cmp_json_t *j = &c->json;
  uint64_t address = 0;
  const uint32_t data =
      cmp_json_at(j, object)->type == CMP_JSON_OBJECT ? cmp_json_member(j, object, "data") : 0;
  if (data == 0 || cmp_json_at(j, data)->type != CMP_JSON_STRING ||
      cmp_json_at(j, data)->bytes % 2 != 0 ||
      !cmp_json_u64(j, cmp_json_member(j, object, "address"), UINT64_MAX, &address))
    return cmp_bad(c, "an entry of \"memory\" is not {\"address\": number, \"data\": \"hex\"}");
  const char *text = j->text + cmp_json_at(j, data)->text;
  const uint32_t bytes = cmp_json_at(j, data)->bytes / 2;
  const uint8_t *own = wl_mem_at(c->function->module->device, address, bytes);
  if (own == NULL) return cmp_bad(c, "\"memory\" is not inside device memory");
  for (uint32_t k = 0; k < bytes; k++) {
    const int high = hex_digit(text[2 * k]), low = hex_digit(text[2 * k + 1]);
    if (high < 0 || low < 0) return cmp_bad(c, "\"data\" is not hexadecimal (0-9, a-f)");
    if (c->options.follow_loads || (high << 4 | low) == own[k]) continue;
    char want[8], have[8];
    (void)snprintf(want, sizeof want, "0x%02x", own[k]);
    (void)snprintf(have, sizeof have, "0x%02x", (unsigned)(high << 4 | low));
    return cmp_differ(c, (cmp_place_t){NULL, WL_LANES, WL_OBJ_NONE}, want, have,
                      "final memory at 0x%llx", (unsigned long long)(address + k));
  }
  cmp_count(c, c->options.follow_loads ? CMP_N_NO_MEMORY : CMP_N_MEMORY, bytes);
  return true;
}

static bool compare_final(wl_compare_t *c, uint32_t list) {
  if (cmp_json_at(&c->json, list)->type != CMP_JSON_ARRAY)
    return cmp_bad(c, "\"memory\" is not a list");
  for (uint32_t k = cmp_json_at(&c->json, list)->first; k != 0; k = cmp_json_at(&c->json, k)->next)
    if (!compare_area(c, k)) return false;
  return true;
}

static bool take_line(wl_compare_t *c) {
  const uint32_t whole = 1;
  if (cmp_json_at(&c->json, whole)->type != CMP_JSON_OBJECT)
    return cmp_bad(c, "the line is not a JSON object");
  if (c->level == 0) return cmp_header_read(c, whole) && (c->level == 1 || cmp_ptx_open(c));
  if (c->end_line != 0)
    return cmp_bad(c, "a record behind the end record of line %llu",
                   (unsigned long long)c->end_line);
  const uint32_t end = cmp_json_member(&c->json, whole, "end");
  const uint32_t memory = cmp_json_member(&c->json, whole, "memory");
  if ((end != 0 || memory != 0) && cmp_json_at(&c->json, whole)->count != 1)
    return cmp_bad(c, "\"%s\" does not stand alone", end != 0 ? "end" : "memory");
  if (memory != 0) return compare_final(c, memory);
  if (end != 0) {
    uint64_t records = c->count[CMP_N_RECORDS];
    if (cmp_json_at(&c->json, end)->type != CMP_JSON_TRUE &&
        (!cmp_json_u64(&c->json, end, UINT64_MAX, &records) || records != c->count[CMP_N_RECORDS]))
      return cmp_bad(c, "\"end\" is neither true nor the number of records, %llu",
                     (unsigned long long)c->count[CMP_N_RECORDS]);
    c->end_line = c->line;
    return true;
  }
  if (!cmp_record_read(c, whole)) return false;
  cmp_count(c, CMP_N_RECORDS, 1);
  return c->level == 1 ? cmp_machine(c) : cmp_ptx(c);
}

wl_status_t wl_compare_line(wl_compare_t *c, const char *line, size_t bytes) {
  char why[160];
  if (c->status != WL_OK) return c->status;
  c->line++;
  if (!cmp_json_parse(&c->json, line, bytes, why, sizeof why))
    (void)cmp_bad(c, "%s", why);
  else
    (void)take_line(c);
  if (c->status == WL_ERR_INTERNAL) return fail(c, WL_ERR_INTERNAL, "out of memory");
  return c->status;
}

/* A thread of the launch that the log does not bring to its end. */
static void find_unended(wl_compare_t *c) {
  const uint32_t warps = c->sm->launch.warps;
  for (uint64_t i = 0; i < c->ctas * warps; i++) {
    if (c->ended[i]) continue;
    cmp_warp_t *cw = cmp_warp_get(c, i / warps, (uint32_t)(i % warps));
    if (cw == NULL || (c->level == 2 && !cmp_ptx_finish(c, cw))) return;
    if (cw->w.live == 0) continue;
    const uint32_t lane = func_lowest(cw->w.live);
    (void)cmp_differ(c, (cmp_place_t){cw, lane, cw->w.lane_pc[lane]}, "this instruction",
                     "the end of the log", "the thread has not ended");
    return;
  }
}

wl_status_t wl_compare_end(wl_compare_t *c) {
  if (c->status != WL_OK) return c->status;
  if (c->level == 0)
    (void)cmp_bad(c, "the log is empty");
  else if (c->end_line == 0)
    (void)cmp_bad(c, "the log is truncated: there is no end record behind this line");
  else
    find_unended(c);
  return c->status;
}
