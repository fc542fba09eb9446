// Exchange unit (docs/microarchitecture.md 9): every operation, fast and released, with random
// participants, bank-conflict gaps and grant delays, against naive lane loops; and the cycle in
// which each result word appears. Usage: warp_test [instructions].
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gen/wl_insn.h"
#include "tests/common/splitmix.h"
#include WL_MODEL_HEADER

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef WL_MODEL Model;

static u64 rng_state = 99;
static u64 rnd64() { return wl_splitmix64(&rng_state); }
static u32 rnd() { return (u32)(rnd64() >> 16); }

static Model *top;
static int failures = 0;
static u64 checked = 0;
static const char *where = "";
static int lanes() { return (int)(sizeof(top->a_i) / sizeof(u32)); }
static const int kReduxLanes = WL_REDUX_LANES; // config.def
static int warps() { return (int)(sizeof(top->live_i) / sizeof(u32)); }
static void tick() {
  top->clk_i = 0;
  top->eval();
  top->clk_i = 1;
  top->eval();
}
static void expect(const char *what, u64 got, u64 want) {
  checked++;
  if (got != want && failures++ < 30)
    printf("FAIL %s: %s got %llx expected %llx\n", where, what, (unsigned long long)got,
           (unsigned long long)want);
}

enum Kind {
  Shfl,
  Vall,
  Vany,
  Vuni,
  Ballot,
  Many,
  Mall,
  Radd,
  Rmins,
  Rminu,
  Rmaxs,
  Rmaxu,
  Rand,
  Ror,
  Rxor,
  Elect,
  Warpsync,
  NumKinds
};
static const char *kName[] = {"shfl",       "vote.all",   "vote.any",  "vote.uni",   "ballot",
                              "match.any",  "match.all",  "redux.add", "redux.mins", "redux.minu",
                              "redux.maxs", "redux.maxu", "redux.and", "redux.or",   "redux.xor",
                              "elect",      "warpsync"};
static const int kForm[] = {WL_FORM_SHFL_I,       WL_FORM_VOTE_ALL_I,    WL_FORM_VOTE_ANY_I,
                            WL_FORM_VOTE_UNI_I,   WL_FORM_VOTE_BALLOT_I, WL_FORM_MATCH_ANY_I,
                            WL_FORM_MATCH_ALL_I,  WL_FORM_REDUX_ADD_I,   WL_FORM_REDUX_MINS_I,
                            WL_FORM_REDUX_MINU_I, WL_FORM_REDUX_MAXS_I,  WL_FORM_REDUX_MAXU_I,
                            WL_FORM_REDUX_AND_I,  WL_FORM_REDUX_OR_I,    WL_FORM_REDUX_XOR_I,
                            WL_FORM_ELECT_I,      WL_FORM_WARPSYNC_I};

struct Insn {
  Kind kind;
  bool reg; // .r form: the next form id
  unsigned mode, rd, pd;
  u32 m;
};

static void set_word(const Insn &i) {
  u64 lo = (u64)(kForm[i.kind] + (i.reg ? 1 : 0)), hi = 0;
  lo |= (u64)7 << 13;
  lo |= (u64)i.rd << 17;
  lo |= (u64)i.pd << 49;
  if (!i.reg) hi |= i.m;
  hi |= (u64)i.mode << (WL_FIELD_XMODE_LOW - 64);
  top->word_i[0] = (u32)lo;
  top->word_i[1] = (u32)(lo >> 32);
  top->word_i[2] = (u32)hi;
  top->word_i[3] = (u32)(hi >> 32);
}

// Result of lane l.
static void ref(const Insn &i, u32 P, const u32 *x, u32 b, int l, u32 *d, bool *p) {
  *d = 0;
  *p = false;
  u32 preds = 0, ball = 0;
  int lead = -1;
  for (int k = 31; k >= 0; k--)
    if (P >> k & 1) lead = k;
  for (int k = 0; k < 32; k++)
    preds |= (x[k] & 1) << k;
  ball = preds & P;
  switch (i.kind) {
  case Shfl: {
    int bval = b & 31, clamp = b >> 8 & 31, seg = b >> 16 & 31;
    int max_lane = (l & seg) | (clamp & ~seg & 31), min_lane = l & seg, j = 0;
    switch (i.mode) {
    case 0:
      j = l - bval;
      *p = j >= max_lane;
      break;
    case 1:
      j = l + bval;
      *p = j <= max_lane;
      break;
    case 2:
      j = l ^ bval;
      *p = j <= max_lane;
      break;
    default:
      j = min_lane | (bval & ~seg & 31);
      *p = j <= max_lane;
      break;
    }
    *d = *p && (P >> j & 1) ? x[j] : x[l];
    return;
  }
  case Vall:
    *p = ball == P;
    *d = *p ? ~0u : 0;
    return;
  case Vany:
    *p = ball != 0;
    *d = *p ? ~0u : 0;
    return;
  case Vuni:
    *p = ball == P || !ball;
    *d = *p ? ~0u : 0;
    return;
  case Ballot:
    *d = ball;
    return;
  case Many:
    for (int k = 0; k < 32; k++)
      if ((P >> k & 1) && x[k] == x[l]) *d |= 1u << k;
    return;
  case Mall:
    *p = true;
    for (int k = 0; k < 32; k++)
      if ((P >> k & 1) && x[k] != x[lead]) *p = false;
    *d = *p ? P : 0;
    return;
  case Elect:
    *d = (u32)lead;
    *p = l == lead;
    return;
  default:
    break;
  }
  u32 acc = x[lead];
  for (int k = lead + 1; k < 32; k++) {
    if (!(P >> k & 1)) continue;
    u32 y = x[k];
    switch (i.kind) {
    case Radd:
      acc += y;
      break;
    case Rmins:
      acc = (s32)y < (s32)acc ? y : acc;
      break;
    case Rminu:
      acc = y < acc ? y : acc;
      break;
    case Rmaxs:
      acc = (s32)y > (s32)acc ? y : acc;
      break;
    case Rmaxu:
      acc = y > acc ? y : acc;
      break;
    case Rand:
      acc &= y;
      break;
    case Ror:
      acc |= y;
      break;
    default:
      acc ^= y;
      break;
    }
  }
  *d = acc;
}

static u32 xbuf[64][32];

static void idle_inputs() {
  top->issue_i = 0;
  top->x1_i = 0;
  top->grant_i = 0;
}

static int first_beat(u32 e) {
  for (int b = 0; b < 32 / lanes(); b++)
    if (e >> (b * lanes()) & (u32)((1ull << lanes()) - 1)) return b;
  return 0;
}

// Issue at t, X1 of the active beats from t + 3 on. Returns in cycle A (X1 of the last slot done).
static void run_slots(const Insn &i, int w, u32 E, bool ctl, bool released, const u32 *a,
                      const u32 *b, u32 ps) {
  std::vector<int> beats;
  for (int k = 0; k < 32 / lanes(); k++)
    if (E >> (k * lanes()) & (u32)((1ull << lanes()) - 1)) beats.push_back(k);
  if (i.kind == Warpsync && !i.reg) beats.assign(1, first_beat(E));
  int c = 1 + (int)(rnd() % 2);
  set_word(i);
  top->warp_i = (uint8_t)w;
  top->exec_i = E;
  top->ctl_i = ctl;
  top->released_i = released;
  top->issue_i = 1;
  expect("ready at issue", top->ready_o, 1);
  tick();
  top->issue_i = 0;
  tick();
  tick(); // t + 3 now
  for (size_t s = 0; s < beats.size(); s++) {
    for (int k = 1; k < c; k++)
      tick(); // conflict cycles
    top->x1_i = 1;
    top->beat_i = (uint8_t)beats[s];
    top->last_i = s + 1 == beats.size();
    u32 pbits = 0;
    for (int p = 0; p < lanes(); p++) {
      int l = beats[s] * lanes() + p;
      top->a_i[p] =
          (i.kind >= Vall && i.kind <= Ballot) || i.kind == Elect ? 0 : a[l]; // no operand
      top->b_i[p] = b[l];
      pbits |= (ps >> l & 1) << p;
    }
    top->ps_i = (decltype(top->ps_i))pbits;
    top->eval();
    expect("not ready", top->ready_o, ctl);
    expect("no word yet", top->valid_o, 0);
    tick();
    top->x1_i = 0;
    top->eval();
  }
  if (!released && i.kind != Warpsync)
    for (int l = 0; l < 32; l++)
      if (E >> l & 1)
        xbuf[w][l] = (i.kind >= Vall && i.kind <= Ballot) || i.kind == Elect ? ps >> l & 1 : a[l];
}

static void results(const Insn &i, int w, u32 E, u32 P, const u32 *b) {
  // K of section 9; shfl and match.any compute every beat for itself.
  const int beats = 32 / lanes();
  const bool per_beat = i.kind == Shfl || i.kind == Many;
  int k_cycles = i.kind == Elect || i.kind == Warpsync ? 1 : beats;
  if (i.kind >= Radd && i.kind <= Rxor) k_cycles = 32 / kReduxLanes;
  if (beats > 1 && i.kind == Shfl) k_cycles = lanes() + 1;
  if (beats > 1 && i.kind == Many) k_cycles = lanes() * (beats + 1);
  if (beats > 1 && i.kind == Mall) k_cycles = beats + 1;
  auto compute = [&] { // A + 1 .. A + K, or after a grant
    for (int k = 0; k < k_cycles; k++) {
      top->eval();
      expect("computing", top->valid_o || top->finish_o || top->ready_o, 0);
      tick();
    }
  };
  compute();
  if (i.kind == Warpsync) {
    expect("finish", top->finish_o, 1);
    expect("no word", top->valid_o, 0);
    tick();
    expect("finished once", top->finish_o, 0);
    expect("idle", top->ready_o, 1);
    return;
  }
  u32 all = (u32)((1ull << lanes()) - 1), rest = E;
  for (int beat = 0; beat < 32 / lanes(); beat++) {
    u32 mask = E >> (beat * lanes()) & all;
    if (!mask) continue;
    if (per_beat && rest != E) compute();
    rest &= ~(all << (beat * lanes()));
    for (int delay = rnd() % 3 ? 0 : (int)(rnd() % 4);; delay--) {
      expect("valid", top->valid_o, 1);
      expect("busy", top->ready_o, 0);
      expect("beat", top->beat_o, (u64)beat);
      expect("mask", top->mask_o, mask);
      expect("warp", top->warp_o, (u64)w);
      expect("last", top->last_o, rest == 0);
      expect("last beat", top->last_beat_o, rest == 0);
      expect("has reg", top->has_reg_o, i.rd != 255);
      expect("has pred", top->has_pred_o, i.pd != 7);
      if (i.rd != 255) expect("rd", top->rd_o, i.rd);
      if (i.pd != 7) expect("pd", top->pd_o, i.pd);
      for (int p = 0; p < lanes(); p++) {
        if (!(mask >> p & 1)) continue;
        u32 d;
        bool pv;
        int l = beat * lanes() + p;
        ref(i, P, xbuf[w], b[l], l, &d, &pv);
        expect("data", top->data_o[p], d);
        expect("pred", top->pval_o >> p & 1, pv);
      }
      if (!delay) break;
      tick();
    }
    top->grant_i = 1;
    tick();
    top->grant_i = 0;
    top->eval();
  }
  expect("idle", top->ready_o, 1);
  expect("no more words", top->valid_o, 0);
}

static void operands(u32 *a, u32 *b, u32 *ps) {
  u32 few = rnd() % 5;
  for (int l = 0; l < 32; l++) {
    a[l] = few < 3 ? (u32)(0x80000000u * (rnd() & 1)) + rnd() % (1 + few) : rnd();
    b[l] = rnd();
    if (rnd() % 2) b[l] = (b[l] & 31) | 0x1f00;
  }
  *ps = rnd() % 3 ? rnd() : rnd() % 2 ? ~0u : 0;
}

int main(int argc, char **argv) {
  long count = argc > 1 ? atol(argv[1]) : 20000;
  top = new Model;
  idle_inputs();
  top->rst_ni = 0;
  for (int i = 0; i < 4; i++)
    tick();
  top->rst_ni = 1;
  for (long n = 0; n < count; n++) {
    Insn i;
    i.kind = (Kind)(rnd() % NumKinds);
    i.mode = i.kind == Shfl ? rnd() % 4 : 0;
    i.rd = i.kind == Warpsync ? 0 : rnd() % 4 ? rnd() % 64 : 255;
    i.pd = i.kind == Warpsync ? 0 : rnd() % 2 ? rnd() % 7 : 7;
    i.reg = false;
    where = kName[i.kind];
    int w = (int)(rnd() % (u32)warps());
    u32 a[32], b[32], ps, M = rnd();
    if (rnd() % 3 == 0) M = ~0u;
    if (rnd() % 4 == 0) M &= rnd() & rnd();
    if (!M) M = 1u << (rnd() % 32);
    for (int k = 0; k < warps(); k++) {
      top->live_i[k] = rnd();
      top->xmask_i[k] = rnd();
    }
    operands(a, b, &ps);
    if (n % 2 == 0) {
      u32 dead = rnd() & ~M, other = rnd() & ~M & ~dead;
      i.m = M | dead;
      top->live_i[w] = M | other;
      run_slots(i, w, M, false, false, a, b, ps);
      results(i, w, M, M, b);
    } else {
      // Lanes of M arrive as up to three paths, then each path does its write pass.
      i.reg = rnd() % 2;
      u32 dead = rnd() & ~M & rnd();
      i.m = M | dead;
      top->live_i[w] = M | (rnd() & ~M & ~dead);
      u32 part[3] = {M & rnd(), 0, 0};
      part[1] = M & ~part[0] & rnd();
      part[2] = M & ~part[0] & ~part[1];
      for (u32 e : part)
        if (e) run_slots(i, w, e, true, false, a, b, ps);
      for (int k = 0; k < 8; k++)
        tick();
      top->xmask_i[w] = i.m;
      for (u32 e : part)
        if (e) {
          u32 a2[32], b2[32], ps2;
          operands(a2, b2, &ps2);
          run_slots(i, w, e, false, true, a2, b2, ps2);
          results(i, w, e, M, b2);
        }
    }
  }
  printf("%llu checks, %d failures\n", (unsigned long long)checked, failures);
  delete top;
  return failures != 0;
}
