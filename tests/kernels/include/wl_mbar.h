/*
 * mbarriers by inline assembly, as CUTLASS writes them (ClusterBarrier of arch/barrier.h). sm_80 has neither
 * try_wait nor an arrival of several that may complete a phase: test_wait and .noComplete stand in for them.
 */
#ifndef WL_MBAR_H
#define WL_MBAR_H
#include "wl_device.h"

typedef unsigned long long wl_mbar_t;

#if defined(__CUDACC__) || defined(__CUDA__)
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define WL_MBAR_NEWER 1
#define WL_MBAR_AT    ".shared::cta.b64"
#define WL_MBAR_WAIT  "mbarrier.try_wait.parity" WL_MBAR_AT
#else
#define WL_MBAR_NEWER 0
#define WL_MBAR_AT    ".shared.b64"
#define WL_MBAR_WAIT  "mbarrier.test_wait.parity" WL_MBAR_AT
#endif

WL_ASM_FN void wl_mbar_init(wl_mbar_t *b, unsigned n) {
  asm volatile("mbarrier.init" WL_MBAR_AT " [%0], %1;"
               :
               : "r"(wl_shared_address(b)), "r"(n)
               : "memory");
}
WL_ASM_FN void wl_mbar_inval(wl_mbar_t *b) {
  asm volatile("mbarrier.inval" WL_MBAR_AT " [%0];" : : "r"(wl_shared_address(b)) : "memory");
}
WL_ASM_FN void wl_mbar_arrive(wl_mbar_t *b) {
#if WL_MBAR_NEWER
  asm volatile("mbarrier.arrive" WL_MBAR_AT " _, [%0];" : : "r"(wl_shared_address(b)) : "memory");
#else
  asm volatile("{ .reg .b64 state; mbarrier.arrive" WL_MBAR_AT " state, [%0]; }"
               :
               : "r"(wl_shared_address(b))
               : "memory");
#endif
}
WL_ASM_FN unsigned long long wl_mbar_arrive_state(wl_mbar_t *b) {
  unsigned long long state;
  asm volatile("mbarrier.arrive" WL_MBAR_AT " %0, [%1];"
               : "=l"(state)
               : "r"(wl_shared_address(b))
               : "memory");
  return state;
}
/* n arrivals that do not complete the phase. */
WL_ASM_FN unsigned long long wl_mbar_arrive_early(wl_mbar_t *b, unsigned n) {
  unsigned long long state;
  asm volatile("mbarrier.arrive.noComplete" WL_MBAR_AT " %0, [%1], %2;"
               : "=l"(state)
               : "r"(wl_shared_address(b)), "r"(n)
               : "memory");
  return state;
}
/* n > 1 arrivals. */
WL_ASM_FN void wl_mbar_arrive_n(wl_mbar_t *b, unsigned n) {
#if WL_MBAR_NEWER
  asm volatile("mbarrier.arrive" WL_MBAR_AT " _, [%0], %1;"
               :
               : "r"(wl_shared_address(b)), "r"(n)
               : "memory");
#else
  (void)wl_mbar_arrive_early(b, n - 1);
  wl_mbar_arrive(b);
#endif
}
WL_ASM_FN unsigned long long wl_mbar_drop(wl_mbar_t *b) {
  unsigned long long state;
  asm volatile("mbarrier.arrive_drop" WL_MBAR_AT " %0, [%1];"
               : "=l"(state)
               : "r"(wl_shared_address(b))
               : "memory");
  return state;
}
WL_ASM_FN unsigned wl_mbar_pending(unsigned long long state) {
  unsigned n;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(state));
  return n;
}
WL_ASM_FN bool wl_mbar_test(wl_mbar_t *b, unsigned long long state) {
  unsigned done;
  asm volatile("{\n\t"
               ".reg .pred P1;\n\t"
               "mbarrier.test_wait" WL_MBAR_AT " P1, [%1], %2;\n\t"
               "selp.b32 %0, 1, 0, P1;\n\t"
               "}"
               : "=r"(done)
               : "r"(wl_shared_address(b)), "l"(state)
               : "memory");
  return done != 0;
}
WL_ASM_FN bool wl_mbar_test_parity(wl_mbar_t *b, unsigned parity) {
  unsigned done;
  asm volatile("{\n\t"
               ".reg .pred P1;\n\t"
               "mbarrier.test_wait.parity" WL_MBAR_AT " P1, [%1], %2;\n\t"
               "selp.b32 %0, 1, 0, P1;\n\t"
               "}"
               : "=r"(done)
               : "r"(wl_shared_address(b)), "r"(parity)
               : "memory");
  return done != 0;
}
/* Waits for at most about `ns` ns; false: the time is over, or nobody knows. */
WL_ASM_FN bool wl_mbar_try(wl_mbar_t *b, unsigned parity, unsigned ns) {
#if WL_MBAR_NEWER
  unsigned done;
  asm volatile("{\n\t"
               ".reg .pred P1;\n\t"
               "mbarrier.try_wait.parity" WL_MBAR_AT " P1, [%1], %2, %3;\n\t"
               "selp.b32 %0, 1, 0, P1;\n\t"
               "}"
               : "=r"(done)
               : "r"(wl_shared_address(b)), "r"(parity), "r"(ns)
               : "memory");
  return done != 0;
#else
  return wl_mbar_test_parity(b, parity);
#endif
}
WL_ASM_FN void wl_mbar_wait(wl_mbar_t *b, unsigned parity) {
  asm volatile("{\n\t"
               ".reg .pred P1;\n\t"
               "LAB_WAIT:\n\t" WL_MBAR_WAIT " P1, [%0], %1;\n\t"
               "@P1 bra DONE;\n\t"
               "bra LAB_WAIT;\n\t"
               "DONE:\n\t"
               "}"
               :
               : "r"(wl_shared_address(b)), "r"(parity)
               : "memory");
}

#else
/* On the host: pending arrivals (20 bits), what the next phase expects (20 bits), parity of the phase, bytes under
 * way (23 bits). */
enum { WL_MBAR_EXPECTED = 20, WL_MBAR_PHASE = 40, WL_MBAR_BYTES = 41, WL_MBAR_MASK = 0xfffff };

/* `bytes` more are under way (fewer: negative), then n arrivals; the next phases expect `less` fewer. */
WL_FN unsigned long long wl_mbar_step(wl_mbar_t *b, unsigned n, unsigned less, int bytes = 0) {
  wl_mbar_t old = __atomic_load_n(b, __ATOMIC_SEQ_CST), now;
  do {
    const unsigned pending = (old & WL_MBAR_MASK) - n,
                   expected = (old >> WL_MBAR_EXPECTED & WL_MBAR_MASK) - less;
    const wl_mbar_t left = (old >> WL_MBAR_BYTES) + (wl_mbar_t)(long long)bytes;
    const bool over = pending == 0 && left << WL_MBAR_BYTES == 0;
    const wl_mbar_t phase = (old >> WL_MBAR_PHASE & 1) ^ over;
    now = left << WL_MBAR_BYTES | phase << WL_MBAR_PHASE | (wl_mbar_t)expected << WL_MBAR_EXPECTED |
          (over ? expected : pending);
  } while (!__atomic_compare_exchange_n(b, &old, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return old;
}
WL_FN void wl_mbar_init(wl_mbar_t *b, unsigned n) {
  __atomic_store_n(b, (wl_mbar_t)n << WL_MBAR_EXPECTED | n, __ATOMIC_SEQ_CST);
}
WL_FN void wl_mbar_inval(wl_mbar_t *) {}
WL_FN void wl_mbar_arrive(wl_mbar_t *b) { (void)wl_mbar_step(b, 1, 0); }
WL_FN unsigned long long wl_mbar_arrive_state(wl_mbar_t *b) { return wl_mbar_step(b, 1, 0); }
WL_FN unsigned long long wl_mbar_arrive_early(wl_mbar_t *b, unsigned n) {
  return wl_mbar_step(b, n, 0);
}
WL_FN void wl_mbar_arrive_n(wl_mbar_t *b, unsigned n) { (void)wl_mbar_step(b, n, 0); }
WL_FN unsigned long long wl_mbar_drop(wl_mbar_t *b) { return wl_mbar_step(b, 1, 1); }
WL_FN unsigned wl_mbar_pending(unsigned long long state) { return state & WL_MBAR_MASK; }
WL_FN bool wl_mbar_test_parity(wl_mbar_t *b, unsigned parity) {
  return (__atomic_load_n(b, __ATOMIC_SEQ_CST) >> WL_MBAR_PHASE & 1) != parity;
}
WL_FN bool wl_mbar_test(wl_mbar_t *b, unsigned long long state) {
  return wl_mbar_test_parity(b, state >> WL_MBAR_PHASE & 1);
}
WL_FN bool wl_mbar_try(wl_mbar_t *b, unsigned parity, unsigned) {
  return wl_mbar_test_parity(b, parity);
}
WL_FN void wl_mbar_wait(wl_mbar_t *b, unsigned parity) {
  while (!wl_mbar_test_parity(b, parity)) {
    wl_host_yield();
  }
}
#endif
#endif
