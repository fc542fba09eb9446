/* check.c: a checked launch: how written and unwritten values spread through instructions, and what
 * is reported (check.h). A value is unwritten if one of its operands is. It is reported where the
 * program depends on it: an address, a decision, an output. So code that moves such values about,
 * as compilers make it, is not blamed. Memory: access.c. */
#include "driver/check/check.h"

#include <stdlib.h>
#include <string.h>

#include "driver/check/async.h"
#include "driver/check/tmem.h"

static const struct {
  const char *name, *text;
} rules[CHECK_RULES] = {
    [CHECK_ADDRESS] = {"uninitialised-address", "an address depends on a value that nothing wrote"},
    [CHECK_PREDICATE] = {"uninitialised-predicate",
                         "a decision depends on a value that nothing wrote"},
    [CHECK_OUTPUT] = {"uninitialised-output", "global memory receives a value that nothing wrote"},
    [CHECK_OPERAND] = {"uninitialised-operand",
                       "a barrier or a wait depends on a value that nothing wrote"},
    [CHECK_MBAR_INIT] = {"mbarrier-init",
                         "mbarrier.init on an mbarrier that is in use: mbarrier.inval is missing"},
    [CHECK_MBAR_NONE] = {"mbarrier-none", "an mbarrier operation on memory that is no mbarrier"},
    [CHECK_MBAR_ACCESS] = {"mbarrier-access",
                           "a load, store or atomic touches an mbarrier that is in use"},
    [CHECK_PROXY] = {"proxy-fence", "a bulk copy touches memory that a thread has written, with no "
                                    "fence.proxy.async between"},
    [CHECK_WAIT] = {"async-wait", "memory is accessed that an asynchronous copy writes, and nobody "
                                  "has waited for its end, or this thread has not met who did"},
    [CHECK_SOURCE] =
        {"async-source",
         "memory is written that a bulk copy, or a command of tensor memory, reads, and nobody has "
         "waited for that, or this thread has not met who did"},
    [CHECK_ORDER] = {"async-order",
                     "a bulk copy writes memory that another thread has read, in no order"},
    [CHECK_TMEM_WAIT] = {"tmem-wait",
                         "tensor memory is accessed that an operation of tcgen05 uses, and nobody "
                         "has waited for its end, or this thread has not met who did"},
    [CHECK_TMEM_FENCE] =
        {"tmem-fence", "tensor memory is accessed behind an operation of another thread, with no "
                       "tcgen05.fence before or after the synchronisation"},
};

static void thread_of(const func_sm_t *sm, const func_warp_t *w, uint32_t lane, uint32_t out[3]) {
  const uint32_t t = w->index * WL_LANES + lane, x = sm->launch.ntid_x, y = sm->launch.ntid_y;
  out[0] = t % x;
  out[1] = t / x % y;
  out[2] = t / x / y;
}

void check_report(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, check_rule_t rule,
                  uint32_t pc, uint32_t lanes, uint32_t origin, const uint64_t *address) {
  const uint64_t count = (uint64_t)__builtin_popcount(lanes);
  for (uint32_t k = 0; k < c->findings; k++) {
    wl_finding_t *f = &c->finding[k];
    if (f->pc == pc && f->rule == rules[rule].name) {
      f->count += count;
      return;
    }
  }
  if (c->findings == CHECK_MOST_FINDINGS) {
    return;
  }
  wl_finding_t *f = &c->finding[c->findings++];
  *f = (wl_finding_t){.rule = rules[rule].name, .text = rules[rule].text, .pc = pc, .count = count};
  memcpy(f->cta, sm->ctas[w->cta].id, sizeof f->cta);
  thread_of(sm, w, func_lowest(lanes), f->thread);
  f->has_origin = origin != 0 && origin != UINT32_MAX;
  f->origin = f->has_origin ? origin - 1 : 0;
  f->has_address = address != NULL;
  f->address = address != NULL ? *address : 0;
}

uint32_t check_group(const check_warp_t *s, uint32_t r, uint32_t words, uint32_t e,
                     uint32_t *origin) {
  uint32_t good = e;
  for (uint32_t k = 0; k < words && r + k < WL_REG_ZERO; k++) {
    const uint32_t *b = s->regs[r + k], all = b[0] & b[1] & b[2] & b[3];
    if ((good & ~all) != 0 && good == e) {
      *origin = s->origin[r + k];
    }
    good &= all;
  }
  return good;
}

void check_set_bytes(check_warp_t *s, uint32_t r, uint32_t e, const uint32_t good[4],
                     uint32_t origin) {
  if (r >= WL_REG_ZERO) {
    return;
  }
  uint32_t all = e;
  for (unsigned k = 0; k < 4; k++) {
    s->regs[r][k] = (s->regs[r][k] & ~e) | (good[k] & e);
    all &= good[k];
  }
  if (all != e) {
    s->origin[r] = origin;
  }
}

void check_set_group(check_warp_t *s, uint32_t r, uint32_t words, uint32_t e, uint32_t good,
                     uint32_t origin) {
  const uint32_t bytes[4] = {good, good, good, good};
  for (uint32_t k = 0; k < words && r + k < WL_REG_ZERO; k++) {
    check_set_bytes(s, r + k, e, bytes, origin);
  }
}

static void set_pred(check_warp_t *s, uint32_t p, uint32_t e, uint32_t good) {
  if (p != WL_PRED_TRUE) {
    s->preds[p] = (s->preds[p] & ~e) | good;
  }
}

uint32_t check_operands(const check_warp_t *s, const wl_insn_dec_t *i, uint32_t e,
                        uint32_t *origin) {
  const wl_form_info_t *f = i->info;
  uint32_t good = check_group(s, i->ra, f->a, e, origin);
  good &= check_group(s, i->rb, f->b, e, origin);
  good &= check_group(s, i->rc, f->c, e, origin);
  good &= f->x != 0 ? check_group(s, i->imm & 255u, f->x, e, origin) : e;
  good &= (f->preds & WL_PRED_S) != 0 ? s->preds[i->ps] : e;
  return good & ((f->preds & WL_PRED_T) != 0 ? s->preds[i->pt] : e);
}

void check_results(check_warp_t *s, const wl_insn_dec_t *i, uint32_t e, uint32_t good,
                   uint32_t origin) {
  check_set_group(s, i->rd, i->info->d, e, good, origin);
  if ((i->info->preds & WL_PRED_D) != 0) {
    set_pred(s, i->pd, e, good);
  }
  if ((i->info->preds & WL_PRED_Q) != 0) {
    set_pred(s, i->pq, e, good);
  }
}

static void control(wl_check_t *c, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                    uint32_t e) {
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  check_warp_t *s = &c->warp[w->slot];
  uint32_t origin = 0;
  const uint32_t good = check_operands(s, i, e, &origin);
  const bool waits = i->op == WL_CTL_SLEEP || i->op == WL_CTL_WAIT;
  if (good != e) {
    check_report(c, sm, w, waits ? CHECK_OPERAND : CHECK_ADDRESS, pc, e & ~good, origin, NULL);
  }
  check_set_group(s, i->rd, i->info->d, e, e, 0);
}

/* Looked at before it is executed, too. */
static bool accesses(const wl_insn_dec_t *i) {
  return i->unit == WL_UNIT_LSU || i->unit == WL_UNIT_COPY || i->unit == WL_UNIT_TMEM ||
         i->unit == WL_UNIT_UMMA;
}

static void retire(void *context, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                   uint32_t path, uint32_t e) {
  wl_check_t *c = context;
  check_warp_t *s = &c->warp[w->slot];
  const wl_insn_dec_t *i = &sm->code[pc].dec;
  const uint32_t unguarded = path & ~s->preds[i->guard];
  const bool decides = i->unit == WL_UNIT_CTL || i->unit == WL_UNIT_BAR || accesses(i);
  uint32_t origin = 0;
  check_tmem_marks(c, sm, w, pc, accesses(i) ? path & ~e : path);
  if (unguarded != 0 && decides) {
    check_report(c, sm, w, CHECK_PREDICATE, pc, unguarded, 0, NULL);
  }
  if (e != 0) {
    check_async_retire(c->async, sm, w, pc, e);
    switch ((wl_unit_t)i->unit) {
    case WL_UNIT_CTL:
      control(c, sm, w, pc, e);
      break;
    case WL_UNIT_BAR:
    case WL_UNIT_SYNC:
    case WL_UNIT_TENSOR:
      check_together(c, sm, w, pc, e);
      break;
    case WL_UNIT_LSU:
      check_after_access(c, w, i, pc, e);
      break;
    case WL_UNIT_TMEM:
      check_after_tmem(c, sm, w, pc, e);
      break;
    case WL_UNIT_LDC: {
      const uint32_t good = check_group(s, i->ra, i->info->a, e, &origin);
      if (good != e) {
        check_report(c, sm, w, CHECK_ADDRESS, pc, e & ~good, origin, NULL);
      }
      check_results(s, i, e, e, 0);
      break;
    }
    default: {
      if (check_moves(s, w, i, e)) {
        break;
      }
      const bool lop = i->unit == WL_UNIT_ALU && i->op == WL_ALU_LOP3;
      const uint32_t good = lop ? check_logic(s, i, e, &origin) : check_operands(s, i, e, &origin);
      check_results(s, i, e, good, origin);
      break;
    }
    }
  }
  if (unguarded != 0 && !decides) { /* whether it was written is not known */
    check_results(s, i, unguarded, 0, origin);
  }
}

static void access_memory(void *context, const func_sm_t *sm, const func_warp_t *w, uint32_t pc,
                          uint32_t e) {
  check_tmem_marks(context, sm, w, pc, e);
  if (sm->code[pc].dec.unit == WL_UNIT_COPY) {
    check_before_bulk(context, sm, w, pc, e);
  } else if (sm->code[pc].dec.unit == WL_UNIT_TMEM) {
    check_before_tmem(context, sm, w, pc, e);
  } else if (sm->code[pc].dec.unit == WL_UNIT_UMMA) {
    check_before_product(context, sm, w, pc, e);
  } else {
    check_before_access(context, sm, w, pc, e);
  }
}

/* Registers and local memory of a new warp, shared memory of a new CTA, hold nothing. */
static void start(void *context, const func_sm_t *sm, const func_warp_t *w) {
  wl_check_t *c = context;
  check_warp_t *s = &c->warp[w->slot];
  const bool fresh = c->async->fresh;
  check_async_start(c->async, sm, w);
  if (fresh) {
    check_tmem_prepare(c, sm);
  }
  check_tmem_start(c, w);
  memset(s, 0, sizeof *s);
  s->preds[WL_PRED_TRUE] = UINT32_MAX;
  if (w->index == 0) {
    const uint32_t base = sm->ctas[w->cta].smem_base, bytes = sm->launch.smem_units * 1024;
    memset(c->shared + base / 8, 0, bytes / 8);
    memset(c->live + base / 8, 0, bytes / 8);
  }
  const uint64_t row = (uint64_t)sm->desc.config->warps * WL_LANES * 4;
  const uint64_t at = sm->local_base - WL_MEM_BASE + (uint64_t)w->slot * WL_LANES * 4;
  for (uint32_t k = 0; k < sm->launch.local_bytes / 4; k++) {
    memset(c->global + (at + k * row) / 8, 0, WL_LANES * 4 / 8);
  }
}

wl_check_t *wl_check_open(wl_device_t *d) {
  wl_check_t *c = calloc(1, sizeof *c);
  func_sm_t *sm = d->backend;
  if (c == NULL) {
    return NULL;
  }
  c->device = d;
  c->watch = (func_watch_t){c, access_memory, retire, start};
  c->global = malloc(d->mem_bytes / 8);
  c->shared = calloc(1, d->config->smem_bytes / 8);
  c->live = calloc(1, d->config->smem_bytes / 8);
  c->warp = calloc(d->config->warps, sizeof *c->warp);
  c->async = check_async_open(d);
  c->tmem = check_tmem_open(d);
  if (c->global == NULL || c->shared == NULL || c->live == NULL || c->warp == NULL ||
      c->async == NULL || c->tmem == NULL) {
    wl_check_close(c);
    return NULL;
  }
  c->async->tmem = c->tmem;
  memset(c->global, 0xff, d->mem_bytes / 8); /* but what the host allocates from now on */
  sm->watch = &c->watch;
  return c;
}

void wl_check_close(wl_check_t *c) {
  if (c != NULL) {
    free(c->global);
    free(c->shared);
    free(c->live);
    free(c->warp);
    check_async_close(c->async);
    check_tmem_close(c->tmem);
    free(c);
  }
}

void wl_check_host(wl_check_t *c, wl_addr_t address, uint64_t bytes, bool known) {
  for (uint64_t at = address - WL_MEM_BASE, end = at + bytes; at < end;) {
    if (at % 8 == 0 && end - at >= 8) {
      const uint64_t n = (end - at) / 8;
      memset(c->global + at / 8, known ? 0xff : 0, n);
      at += n * 8;
      continue;
    }
    const uint8_t bit = (uint8_t)(1u << at % 8);
    c->global[at / 8] = (uint8_t)((c->global[at / 8] & ~bit) | (known ? bit : 0));
    at++;
  }
}

void wl_check_begin(wl_check_t *c, const wl_function_t *f) {
  c->findings = 0;
  check_async_begin(c->async, f->module->obj);
}

bool wl_launch_finding(const wl_device_t *d, unsigned index, wl_finding_t *out) {
  memset(out, 0, sizeof *out);
  if (d->check == NULL || index >= d->check->findings) {
    return false;
  }
  *out = d->check->finding[index];
  return true;
}
