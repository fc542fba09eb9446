/*
 * cp.async by inline assembly, as CUTLASS writes it (arch/memory_sm80.h). On the host a copy is done at once.
 */
#ifndef WL_COPY_H
#define WL_COPY_H
#include "wl_mbar.h"

#if defined(__CUDACC__) || defined(__CUDA__)
WL_ASM_FN void wl_copy_16(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               :
               : "r"(wl_shared_address(to)), "l"(from)
               : "memory");
}
/* The first n bytes, then zeros. */
WL_ASM_FN void wl_copy_16_part(void *to, const void *from, unsigned n) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(wl_shared_address(to)), "l"(from), "r"(n)
               : "memory");
}
WL_ASM_FN void wl_copy_8(void *to, const void *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;"
               :
               : "r"(wl_shared_address(to)), "l"(from)
               : "memory");
}
/* Zeros where the source is ignored. */
WL_ASM_FN void wl_copy_4_or_zero(void *to, const void *from, bool ignore) {
  asm volatile("{ .reg .pred P1; setp.ne.u32 P1, %2, 0;\n\t"
               "cp.async.ca.shared.global [%0], [%1], 4, P1; }"
               :
               : "r"(wl_shared_address(to)), "l"(from), "r"((unsigned)ignore)
               : "memory");
}
WL_ASM_FN void wl_copy_commit() { asm volatile("cp.async.commit_group;" : : : "memory"); }
template <int N> WL_ASM_FN void wl_copy_wait() {
  asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
}
WL_ASM_FN void wl_copy_wait_all() { asm volatile("cp.async.wait_all;" : : : "memory"); }
/* An arrival that the phase counts, when this thread's copies are over. */
WL_ASM_FN void wl_copy_arrive(wl_mbar_t *b) {
  asm volatile("cp.async.mbarrier.arrive.noinc" WL_MBAR_AT " [%0];"
               :
               : "r"(wl_shared_address(b))
               : "memory");
}
/* One more arrival is pending, until this thread's copies are over. */
WL_ASM_FN void wl_copy_hold(wl_mbar_t *b) {
  asm volatile("cp.async.mbarrier.arrive" WL_MBAR_AT " [%0];"
               :
               : "r"(wl_shared_address(b))
               : "memory");
}

#else
WL_FN void wl_copy_16_part(void *to, const void *from, unsigned n) {
  __builtin_memset(to, 0, 16);
  __builtin_memcpy(to, from, n);
}
WL_FN void wl_copy_16(void *to, const void *from) { wl_copy_16_part(to, from, 16); }
WL_FN void wl_copy_8(void *to, const void *from) { __builtin_memcpy(to, from, 8); }
WL_FN void wl_copy_4_or_zero(void *to, const void *from, bool ignore) {
  __builtin_memset(to, 0, 4);
  __builtin_memcpy(to, from, ignore ? 0 : 4);
}
WL_FN void wl_copy_commit() {}
template <int N> WL_FN void wl_copy_wait() {}
WL_FN void wl_copy_wait_all() {}
WL_FN void wl_copy_arrive(wl_mbar_t *b) { wl_mbar_arrive(b); }
WL_FN void wl_copy_hold(wl_mbar_t *) {}
#endif
#endif
