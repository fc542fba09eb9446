#include "tests/common/mbarrier_reference.h"

static bool count_of_arrivals(int64_t n) { return n >= 0 && n <= WL_REF_MBAR_MOST; }

static bool count_of_bytes(int64_t n) { return n >= -WL_REF_MBAR_MOST && n <= WL_REF_MBAR_MOST; }

static bool in_range(const wl_ref_mbar_t *m) {
  return count_of_arrivals(m->expected) && count_of_arrivals(m->pending) && count_of_bytes(m->tx);
}

/* Expected transactions and arrivals of one operation come together: a phase ends behind both. */
bool wl_ref_mbar(wl_ref_mbar_t *m, wl_ref_mbar_op_t op, uint32_t n) {
  wl_ref_mbar_t next = *m;
  const bool drops = op == WL_REF_MBAR_DROP || op == WL_REF_MBAR_DROP_TX;
  const bool expects =
      op == WL_REF_MBAR_EXPECT || op == WL_REF_MBAR_ARRIVE_TX || op == WL_REF_MBAR_DROP_TX;
  const bool arrives = op != WL_REF_MBAR_EXPECT && op != WL_REF_MBAR_COMPLETE;
  const int64_t arrivals = op == WL_REF_MBAR_ARRIVE || op == WL_REF_MBAR_DROP ? (int64_t)n : 1;
  if (op == WL_REF_MBAR_INIT) {
    if (n == 0 || n > WL_REF_MBAR_MOST) {
      return false;
    }
    *m = (wl_ref_mbar_t){.expected = n, .pending = n};
    return true;
  }
  if ((expects || op == WL_REF_MBAR_COMPLETE) && n > WL_REF_MBAR_MOST) {
    return false;
  }
  if (expects) {
    next.tx += n;
  }
  if (op == WL_REF_MBAR_COMPLETE) {
    next.tx -= n;
  }
  if (drops) {
    next.expected -= arrivals;
  }
  if (arrives) {
    next.pending -= arrivals;
  }
  if (!in_range(&next)) {
    return false;
  }
  if (next.pending == 0 && next.tx == 0) {
    next.phase++;
    next.pending = next.expected;
  }
  *m = next;
  return true;
}

bool wl_ref_mbar_over(const wl_ref_mbar_t *m, unsigned parity) {
  return m->phase % 2 != parity % 2;
}

uint64_t wl_ref_mbar_bits(const wl_ref_mbar_t *m) {
  const uint64_t tx = (uint64_t)(m->tx < 0 ? m->tx + (INT64_C(1) << 21) : m->tx);
  return (uint64_t)m->pending + tx % 4096 * (UINT64_C(1) << 20) +
         m->phase % 2 * (UINT64_C(1) << 32) + (uint64_t)m->expected * (UINT64_C(1) << 33) +
         tx / 4096 * (UINT64_C(1) << 53);
}
