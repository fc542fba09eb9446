/* Fetch (docs/microarchitecture.md 4): selection, instruction cache with its miss unit, decode
 * stages and the instruction buffers. The decoded form of a cached word is kept with the data row
 * so that a loop is decoded once; a row is rewritten only after its line was invalid for longer
 * than a token lives, so tokens point at it. Why a warp is flushed is the matter of issue and paths. */
#include "cmodel/core/fetch.h"

#include <string.h>

void wl_fetch_reset(wl_fetch_t *f, const wl_env_t *env, unsigned k) {
  for (unsigned w = 0; w < WL_MOST_WARPS; w++) {
    f->ib[w].head = f->ib[w].count = 0;
    f->fpc[w] = 0;
    f->in_pipe[w] = 0;
  }
  f->ib_valid = f->miss_wait = 0;
  f->room = env->sub_warps[k];
  memset(&f->f2, 0, sizeof f->f2);
  memset(&f->d1, 0, sizeof f->d1);
  memset(&f->d2, 0, sizeof f->d2);
  memset(&f->miss, 0, sizeof f->miss);
  memset(&f->pin, 0, sizeof f->pin);
  f->last = env->last_warp[k];
  memset(f->valid, 0, f->lines);
  const uint32_t zero[4] = {0};
  wl_insn_decode(zero, &env->cfg, &f->oob);
  f->oob.trap = WL_TRAP_PC_RANGE;
}

void wl_fetch_out(const wl_fetch_t *f, const wl_env_t *env, wl_wires_t *w, unsigned k) {
  const unsigned port = WL_PORT_ICACHE + k;
  w->req_valid[port] = f->miss.valid && f->miss.sent < 2;
  if (!w->req_valid[port]) return;
  const uint64_t base = wl_pair(env->launch->code_base);
  wl_packet_t *req = &w->req[port];
  memset(req, 0, sizeof *req);
  req->op = WL_PK_LD;
  req->unit = WL_FROM_ICACHE;
  req->mask = ~UINT32_C(0);
  req->sector = (base + (uint64_t)f->miss.line * 64) / 32 + f->miss.sent;
  req->tag = wl_tag_of_icache((wl_tag_icache_t){.sub = (uint16_t)k, .half = f->miss.sent});
}

/* Everything that empties warp w's part of the unit; kill tells whether F1's choice goes too. */
static void flush(wl_fetch_t *f, unsigned w, uint32_t pc) {
  f->ib[w].head = f->ib[w].count = 0;
  f->ib_valid &= ~(UINT64_C(1) << w);
  f->fpc[w] = pc;
  if (f->f2.valid && f->f2.warp == w) f->f2.valid = false;
  if (f->d1.valid && f->d1.warp == w) f->d1.valid = false;
  if (f->d2.valid && f->d2.warp == w) f->d2.valid = false;
  f->in_pipe[w] = 0;
  f->room |= UINT64_C(1) << w;
  f->miss_wait &= ~(UINT64_C(1) << w);
  if (f->pin.valid && f->pin.warp == w) f->pin.valid = false;
  if (f->miss.valid && f->miss.warp == w) f->miss.flushed = true;
}

static void push(wl_fetch_t *f, const wl_env_t *env, const wl_fetch_token_t *token) {
  wl_ib_t *ib = &f->ib[token->warp];
  unsigned at = ib->head + ib->count;
  if (at >= env->cfg.ib_depth) at -= env->cfg.ib_depth;
  ib->entry[at] = *token->insn;
  ib->entry[at].pc = token->pc;
  ib->count++;
  f->ib_valid |= UINT64_C(1) << token->warp;
  f->in_pipe[token->warp]--;
  const uint32_t *x = token->insn->word;
  const uint32_t record[7] = {token->warp, token->pc, x[0], x[1], x[2], x[3], token->insn->trap};
  wl_journal(env, WL_J_FETCH, record, 7);
}

static const wl_insn_t *decoded(wl_fetch_t *f, const wl_env_t *env, uint32_t slot) {
  if (!f->is_decoded[slot]) {
    wl_insn_decode(f->data + (size_t)slot * 4, &env->cfg, &f->decoded[slot]);
    f->is_decoded[slot] = true;
  }
  return &f->decoded[slot];
}

/* There are 2^n rows. */
static uint32_t row_of(const wl_fetch_t *f, uint32_t line) { return line & (f->lines - 1); }

static bool is_cached(const wl_fetch_t *f, uint32_t pc) {
  const uint32_t line = pc >> 2, index = row_of(f, line);
  return f->valid[index] && f->tag[index] == line;
}

/* F2 of a live token: true when it moves on to D1. A miss puts the warp back to its pc. */
static bool look_up(wl_fetch_t *f, const wl_env_t *env, wl_fetch_token_t *token, bool miss_free,
                    bool pin_free) {
  const uint32_t line = token->pc >> 2, index = row_of(f, line);
  if (token->oob) {
    token->insn = &f->oob;
  } else if (is_cached(f, token->pc)) {
    token->insn = decoded(f, env, index * 4 + (token->pc & 3));
  } else {
    f->fpc[token->warp] = token->pc;
    f->in_pipe[token->warp]--;
    f->room |= UINT64_C(1) << token->warp;
    if (miss_free && pin_free) {
      memset(&f->miss, 0, sizeof f->miss);
      f->miss.valid = true;
      f->miss.line = line;
      f->miss.warp = token->warp;
      f->valid[index] = 0;
      f->miss_wait |= UINT64_C(1) << token->warp;
    }
    return false;
  }
  if (f->pin.valid && f->pin.warp == token->warp) f->pin.valid = false;
  return true;
}

static void miss_update(wl_fetch_t *f, const wl_wires_t *w, unsigned k) {
  if (!f->miss.valid) return;
  if (w->port_grant == (int)(WL_PORT_ICACHE + k)) f->miss.sent++;
  if (!w->rsp_valid || w->gpu->rsp.unit != WL_FROM_ICACHE ||
      wl_tag_icache(w->gpu->rsp.tag).sub != k)
    return;
  const uint32_t index = row_of(f, f->miss.line), half = wl_tag_icache(w->gpu->rsp.tag).half;
  memcpy(f->data + (size_t)index * 16 + half * 8, w->gpu->rsp.data, 32);
  f->is_decoded[index * 4 + half * 2] = f->is_decoded[index * 4 + half * 2 + 1] = false;
  if (++f->miss.got < 2) return;
  f->valid[index] = 1;
  f->tag[index] = f->miss.line;
  f->miss.valid = false;
  f->miss_wait &= ~(UINT64_C(1) << f->miss.warp);
  if (!f->miss.flushed) {
    f->pin.valid = true;
    f->pin.warp = f->miss.warp;
  }
}

/* Flushes and starts of this cycle come first: they kill what the stages would do. */
static wl_wmask_t flushes(wl_fetch_t *f, const wl_env_t *env, const wl_wires_t *w, unsigned k) {
  const wl_flush_wire_t *flushed = w->sub[k].flush;
  wl_wmask_t killed = 0;
  for (int i = 0; i < WL_FLUSHES; i++) {
    if (!flushed[i].valid) continue;
    flush(f, flushed[i].warp, flushed[i].pc);
    killed |= UINT64_C(1) << flushed[i].warp;
  }
  if (!w->cta_start) return killed;
  for (wl_wmask_t set = w->start_warps & env->sub_warps[k]; set != 0; set &= set - 1)
    flush(f, wl_lowest(set), env->launch->entry_pc);
  return killed | (w->start_warps & env->sub_warps[k]);
}

/* A live token in F2 misses in this cycle and gets the miss unit. */
static bool sets_miss(const wl_fetch_t *f, const wl_wires_t *w, unsigned k) {
  const wl_fetch_token_t *token = &f->f2;
  if (!token->valid || token->oob || f->miss.valid || f->pin.valid || w->gpu->clear) return false;
  if (is_cached(f, token->pc)) return false;
  const wl_flush_wire_t *flushed = w->sub[k].flush;
  for (int i = 0; i < WL_FLUSHES; i++)
    if (flushed[i].valid && flushed[i].warp == token->warp) return false;
  return !w->cta_start || !wl_wbit(w->start_warps, token->warp);
}

/* F1's choice, from the state visible in the cycle; after issue, whose flush may kill a miss. */
void wl_fetch_arb(const wl_fetch_t *f, const wl_env_t *env, wl_wires_t *wires, unsigned k) {
  wl_sub_wires_t *w = &wires->sub[k];
  const wl_wmask_t running = env->slots->warp_valid & w->run;
  const bool held = wires->trap_pending || wl_stalls(env, WL_STALL_AT_FETCH);
  const wl_wmask_t set = held ? 0 : running & ~f->miss_wait & f->room;
  w->fetch_select = set != 0;
  if (set != 0) w->fetch_warp = (uint8_t)wl_next_after(set, f->last);
  w->pin_lost = f->pin.valid && !wl_wbit(running, f->pin.warp);
  w->fetch_miss = env->cfg.pm_counters && sets_miss(f, wires, k);
}

static void pop(wl_fetch_t *f, const wl_env_t *env, unsigned warp) {
  wl_ib_t *ib = &f->ib[warp];
  ib->head = ib->head + 1u == env->cfg.ib_depth ? 0 : (uint8_t)(ib->head + 1);
  f->room |= UINT64_C(1) << warp;
  if (--ib->count == 0) f->ib_valid &= ~(UINT64_C(1) << warp);
}

void wl_fetch_update(wl_fetch_t *f, const wl_env_t *env, const wl_wires_t *wires, unsigned k) {
  const wl_sub_wires_t *w = &wires->sub[k];
  if (wires->gpu->clear) {
    wl_fetch_reset(f, env, k);
    return;
  }
  if (wires->gpu->invalidate) memset(f->valid, 0, f->lines);
  const bool miss_free = !f->miss.valid, pin_free = !f->pin.valid;
  if (w->pin_lost) f->pin.valid = false;
  if (w->issue.valid) pop(f, env, w->issue.warp);
  const wl_wmask_t killed = flushes(f, env, wires, k);
  if (f->d2.valid) push(f, env, &f->d2);
  f->d2 = f->d1;
  f->d1.valid = false;
  bool kill_f1 = false;
  if (f->f2.valid) {
    f->d1 = f->f2;
    f->d1.valid = look_up(f, env, &f->d1, miss_free, pin_free);
    if (f->d1.valid && !f->d1.oob) env->reports->count.icache_hits++;
    if (miss_free && f->miss.valid) env->reports->count.icache_misses++;
    kill_f1 = !f->d1.valid && w->fetch_select && w->fetch_warp == f->f2.warp;
  }
  f->f2.valid = false;
  miss_update(f, wires, k); /* after F2, which sees the line as it was */
  if (!w->fetch_select) return;
  f->last = w->fetch_warp;
  if (kill_f1 || wl_wbit(killed, w->fetch_warp)) return;
  const uint32_t pc = f->fpc[w->fetch_warp];
  f->f2 = (wl_fetch_token_t){
      .valid = true, .oob = pc >= env->launch->code_words, .warp = w->fetch_warp, .pc = pc};
  f->fpc[w->fetch_warp] = (pc + 1) & 0xfffffff;
  f->in_pipe[w->fetch_warp]++;
  if (f->ib[w->fetch_warp].count + f->in_pipe[w->fetch_warp] >= (int)env->cfg.ib_depth)
    f->room &= ~(UINT64_C(1) << w->fetch_warp);
}
