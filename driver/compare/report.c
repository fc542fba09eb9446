/* report.c: what came of a comparison, as text and as JSON: the first difference with its places,
 * then what was compared, what was not and why, what was taken from the log. */
#include <stdlib.h>
#include <string.h>

#include "driver/compare/compare.h"
#include "driver/json_text.h"
#include "isa/obj/dis.h"

static const struct {
  int compared;
  const char *name, *text;
} counts[CMP_COUNTS] = {
#define COUNT(id, compared, name, text) {compared, name, text},
#include "driver/compare/counts.def"
#undef COUNT
};

typedef struct places {
  uint32_t cta[3], tid[3];
  char insn[WL_DIS_MAX], source[512];
} places_t;

static void find_places(const wl_compare_t *c, places_t *p) {
  const wl_launch_block_t *l = &c->sm->launch;
  const uint64_t cta = c->difference.cta;
  const uint32_t tid = c->difference.warp * 32 + c->difference.lane;
  *p = (places_t){
      .cta = {(uint32_t)(cta % l->nctaid_x), (uint32_t)(cta / l->nctaid_x % l->nctaid_y),
              (uint32_t)(cta / l->nctaid_x / l->nctaid_y)},
      .tid = {tid % l->ntid_x, tid / l->ntid_x % l->ntid_y, tid / l->ntid_x / l->ntid_y}};
  if (!c->difference.has_pc) return;
  wl_dis_word(c->obj->code[c->difference.pc].w, p->insn, sizeof p->insn);
  wl_place_text(c->function->module, c->difference.pc, p->source, sizeof p->source);
}

/* ---- text */

/* The PTX line itself, where the module has its text. */
static void say_ptx(const wl_compare_t *c, FILE *f) {
  const wl_obj_line_t *l = wl_obj_find_line(c->obj, c->difference.pc);
  size_t bytes = 0;
  const char *at = l != NULL ? wl_obj_ptx_line(c->obj, l->ptx_line, &bytes) : NULL;
  for (; at != NULL && bytes != 0 && (*at == ' ' || *at == '\t'); bytes--)
    at++;
  if (at != NULL) (void)fprintf(f, "  | %.*s\n", bytes > 200 ? 200 : (int)bytes, at);
}

static void say_difference(const wl_compare_t *c, FILE *f) {
  places_t p;
  find_places(c, &p);
  (void)fprintf(f, "difference at %s:%llu", c->options.log_name,
                (unsigned long long)c->difference.line);
  if (c->difference.has_thread)
    (void)fprintf(f, ": thread %u,%u,%u of CTA %u,%u,%u (warp %u, lane %u)", p.tid[0], p.tid[1],
                  p.tid[2], p.cta[0], p.cta[1], p.cta[2], c->difference.warp, c->difference.lane);
  (void)fprintf(f, "\n");
  if (c->difference.has_pc)
    (void)fprintf(f, "  instruction %u `%s`%s%s\n", c->difference.pc, p.insn,
                  p.source[0] != 0 ? " at " : "", p.source);
  if (c->difference.has_pc) say_ptx(c, f);
  (void)fprintf(f, "  %s", c->difference.what);
  if (c->difference.expected[0] != 0 || c->difference.got[0] != 0)
    (void)fprintf(f, ": expected %s, the log has %s", c->difference.expected,
                  c->difference.got[0] != 0 ? c->difference.got : "not");
  (void)fprintf(f, "\n");
}

static void say_counts(const wl_compare_t *c, FILE *f, int kind, const char *title,
                       const char *none) {
  bool any = false;
  for (int i = 0; i < CMP_COUNTS; i++) {
    if (counts[i].compared != kind || c->count[i] == 0) continue;
    (void)fprintf(f, "%s%llu %s%s", any ? "" : title, (unsigned long long)c->count[i],
                  counts[i].text, kind == 1 ? "" : "\n");
    title = "";
    any = true;
    if (kind == 1) {
      int next = i + 1;
      while (next < CMP_COUNTS && (counts[next].compared != 1 || c->count[next] == 0))
        next++;
      (void)fprintf(f, next < CMP_COUNTS ? ", " : "\n");
    } else {
      int next = i + 1;
      while (next < CMP_COUNTS && (counts[next].compared != kind || c->count[next] == 0))
        next++;
      if (next < CMP_COUNTS) (void)fprintf(f, "%*s", 14, "");
    }
  }
  if (!any) (void)fprintf(f, "%s%s\n", title, none);
}

const char *wl_compare_text(wl_compare_t *c) {
  size_t size = 0;
  if (c == NULL) return "out of memory";
  if (c->text != NULL) return c->text;
  FILE *f = open_memstream(&c->text, &size);
  if (f == NULL) return "out of memory";
  if (c->status == WL_ERR_DIVERGENCE)
    say_difference(c, f);
  else
    (void)fprintf(f, "equal: %s on the log %s\n", wl_function_name(c->function),
                  c->options.log_name);
  say_counts(c, f, 1, "compared:     ", "nothing");
  say_counts(c, f, 0, "not compared: ", "nothing");
  say_counts(c, f, 2, "from the log: ", "nothing");
  (void)fclose(f);
  return c->text;
}

/* ---- JSON */

static void json_member(FILE *f, const char *name, const char *text) {
  (void)fprintf(f, "    \"%s\": ", name);
  wl_json_text(f, text);
  (void)fprintf(f, ",\n");
}

static void json_difference(const wl_compare_t *c, FILE *f) {
  places_t p;
  find_places(c, &p);
  (void)fprintf(f, "  \"difference\": {\n    \"log_line\": %llu,\n",
                (unsigned long long)c->difference.line);
  if (c->difference.has_thread)
    (void)fprintf(
        f, "    \"cta\": [%u, %u, %u], \"thread\": [%u, %u, %u], \"warp\": %u, \"lane\": %u,\n",
        p.cta[0], p.cta[1], p.cta[2], p.tid[0], p.tid[1], p.tid[2], c->difference.warp,
        c->difference.lane);
  if (c->difference.has_pc) {
    const wl_obj_line_t *l = wl_obj_find_line(c->obj, c->difference.pc);
    (void)fprintf(f, "    \"pc\": %u, \"ptx_line\": %u,\n", c->difference.pc,
                  l != NULL ? l->ptx_line : 0);
    json_member(f, "instruction", p.insn);
    json_member(f, "source", p.source);
  }
  json_member(f, "what", c->difference.what);
  json_member(f, "expected", c->difference.expected);
  (void)fprintf(f, "    \"got\": ");
  wl_json_text(f, c->difference.got);
  (void)fprintf(f, "\n  },\n");
}

static void json_counts(const wl_compare_t *c, FILE *f, int kind, const char *name, bool last) {
  const char *comma = "";
  (void)fprintf(f, "  \"%s\": {", name);
  for (int i = 0; i < CMP_COUNTS; i++) {
    if (counts[i].compared != kind) continue;
    (void)fprintf(f, "%s\"%s\": %llu", comma, counts[i].name, (unsigned long long)c->count[i]);
    comma = ", ";
  }
  (void)fprintf(f, "}%s\n", last ? "" : ",");
}

const char *wl_compare_json(wl_compare_t *c) {
  size_t size = 0;
  if (c == NULL) return "{}";
  free(c->report_json);
  c->report_json = NULL;
  FILE *f = open_memstream(&c->report_json, &size);
  if (f == NULL) return "{}";
  (void)fprintf(f, "{\n  \"kernel\": ");
  wl_json_text(f, wl_function_name(c->function));
  (void)fprintf(f, ",\n  \"log\": ");
  wl_json_text(f, c->options.log_name);
  (void)fprintf(f, ",\n  \"level\": \"%s\",\n  \"exit\": %d,\n  \"text\": ",
                c->level == 2 ? "ptx" : "machine", (int)c->status);
  wl_json_text(f, wl_compare_text(c));
  (void)fprintf(f, ",\n");
  if (c->status == WL_ERR_DIVERGENCE) json_difference(c, f);
  json_counts(c, f, 1, "compared", false);
  json_counts(c, f, 0, "not_compared", false);
  json_counts(c, f, 2, "from_the_log", true);
  (void)fprintf(f, "}\n");
  (void)fclose(f);
  return c->report_json;
}
