/* effects.c: a launch of the functional backend writes itself as a log of machine level
 * (docs/compare.md): an example of the schema, and what the tests plant mistakes in. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "driver/compare/compare.h"

typedef struct writer {
  func_watch_t watch;
  wl_text_t text;
  void *context;
  bool begun;
  uint64_t records;
  cmp_access_t access[WL_LANES]; /* of the instruction that is about to retire */
} writer_t;

void cmp_put(wl_text_t text, void *context, const char *format, va_list args) {
  char piece[1024];
  const int n = vsnprintf(piece, sizeof piece, format, args);
  text(context, piece, (size_t)n < sizeof piece ? (size_t)n : sizeof piece - 1);
}

static void put(const writer_t *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(const writer_t *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  cmp_put(w->text, w->context, format, args);
  va_end(args);
}

static void note_access(void *context, const func_sm_t *sm, const func_warp_t *warp, uint32_t pc,
                        uint32_t e) {
  writer_t *w = context;
  const wl_unit_t unit = (wl_unit_t)sm->code[pc].dec.unit;
  for (uint32_t m = unit == WL_UNIT_LSU ? e : 0; /* others are no access of the lane's own */
       m != 0; m &= m - 1)
    cmp_access(warp, &sm->code[pc].dec, func_lowest(m), &w->access[func_lowest(m)]);
}

static void put_registers(const writer_t *w, const wl_insn_dec_t *i, const func_warp_t *warp,
                          uint32_t e) {
  put(w, ", \"regs\": {");
  for (uint32_t k = 0; k < cmp_words(i) && i->rd != WL_REG_ZERO && e != 0; k++) {
    put(w, "%s\"R%u\": [", k == 0 ? "" : ", ", i->rd + k);
    for (uint32_t m = e; m != 0; m &= m - 1)
      put(w, "%s%u", m == e ? "" : ", ", func_src(warp, i->rd + k)[func_lowest(m)]);
    put(w, "]");
  }
  put(w, "}");
}

static void put_predicates(const writer_t *w, const wl_insn_dec_t *i, const func_warp_t *warp,
                           uint32_t e) {
  const bool d = e != 0 && (i->info->preds & WL_PRED_D) != 0 && i->pd != WL_PRED_TRUE;
  const bool q = e != 0 && (i->info->preds & WL_PRED_Q) != 0 && i->pq != WL_PRED_TRUE;
  put(w, ", \"preds\": {");
  if (d) put(w, "\"P%u\": %u", i->pd, warp->preds[i->pd] & e);
  if (q && !(d && i->pq == i->pd))
    put(w, "%s\"P%u\": %u", d ? ", " : "", i->pq, warp->preds[i->pq] & e);
  put(w, "}");
}

static void put_wide(const writer_t *w, const char *name, const uint8_t *bytes, uint32_t n) {
  put(w, ", \"%s\": \"0x", name);
  for (uint32_t k = n; k-- > 0;)
    put(w, "%02x", bytes[k]);
  put(w, "\"");
}

static void put_accesses(const writer_t *w, const wl_insn_dec_t *i, uint32_t e, bool atomics) {
  const wl_mem_kind_t kind = atomics ? WL_MEM_KIND_ATOM : WL_MEM_KIND_ST;
  const bool cas = i->info->c != 0;
  const char *comma = "";
  put(w, ", \"%s\": [", atomics ? "atomics" : "stores");
  for (uint32_t m = i->unit == WL_UNIT_LSU ? e : 0; m != 0; m &= m - 1) {
    const cmp_access_t *a = &w->access[func_lowest(m)];
    if (a->kind != kind) break;
    put(w, "%s{\"lane\": %u, \"space\": \"%s\", \"address\": %llu, \"bytes\": %u", comma,
        func_lowest(m), cmp_space_name(a->space), (unsigned long long)a->address, a->bytes);
    put_wide(w, "value", atomics && cas ? a->other : a->value, a->bytes);
    if (atomics && cas) put_wide(w, "compare", a->value, a->bytes);
    put(w, "}");
    comma = ", ";
  }
  put(w, "]");
}

static void put_record(void *context, const func_sm_t *sm, const func_warp_t *warp, uint32_t pc,
                       uint32_t path, uint32_t e) {
  writer_t *w = context;
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  const uint32_t *cta = sm->ctas[warp->cta].id;
  if (!w->begun)
    put(w,
        "{\"warplock\": \"effects\", \"version\": 1, \"level\": \"machine\", "
        "\"isa\": \"0x%016llx\", \"fields\": [\"regs\", \"preds\", \"stores\", \"atomics\", "
        "\"exit\"]}\n",
        (unsigned long long)wl_isa_hash());
  w->begun = true;
  put(w, "{\"cta\": [%u, %u, %u], \"warp\": %u, \"pc\": %u, \"mask\": %u, \"exec\": %u", cta[0],
      cta[1], cta[2], warp->index, pc, path, e);
  if (cmp_words(i) != 0) put_registers(w, i, warp, e);
  if (i->info->preds != 0) put_predicates(w, i, warp, e);
  if (i->unit == WL_UNIT_LSU && i->info->kind != WL_MEM_KIND_LD &&
      i->info->kind != WL_MEM_KIND_MBTEST)
    put_accesses(w, i, e, cmp_source(i) == CMP_ATOMIC);
  if (i->unit == WL_UNIT_CTL && i->op == WL_CTL_EXIT) put(w, ", \"exit\": %u", e);
  put(w, "}\n");
  w->records++;
}

wl_status_t wl_effects(wl_device_t *d, wl_text_t text, void *context) {
  if (d->ops == NULL || strcmp(d->ops->name, "func") != 0)
    return wl_fail(d, WL_ERR_INPUT, "backend %s writes no log of effects: func does",
                   d->ops == NULL ? "" : d->ops->name);
  if (d->check != NULL)
    return wl_fail(d, WL_ERR_INPUT, "a checked device writes no log of effects");
  func_sm_t *sm = d->backend;
  writer_t *w = sm->watch != NULL ? sm->watch->context : NULL;
  if (text == NULL) {
    if (w != NULL && w->begun) put(w, "{\"end\": %llu}\n", (unsigned long long)w->records);
    free(w);
    sm->watch = NULL;
    return wl_pass(d);
  }
  if (w != NULL) return wl_fail(d, WL_ERR_INPUT, "the effects are being written already");
  w = calloc(1, sizeof *w);
  if (w == NULL) return wl_fail(d, WL_ERR_INTERNAL, "out of memory");
  *w = (writer_t){.watch = {w, note_access, put_record, NULL}, .text = text, .context = context};
  sm->watch = &w->watch;
  return wl_pass(d);
}
