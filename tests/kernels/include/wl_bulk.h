/*
 * Bulk copies by inline assembly, as CUTLASS writes them (arch/copy_sm90_tma.hpp, arch/barrier.h), for sm_90 and
 * newer. On the host a copy is done at once.
 */
#ifndef WL_BULK_H
#define WL_BULK_H
#include "wl_mbar.h"

#if defined(__CUDACC__) || defined(__CUDA__)
/* Bytes from global to shared memory; the mbarrier's phase waits for them. */
WL_ASM_FN void wl_bulk_load(void *to, const void *from, unsigned bytes, wl_mbar_t *b) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
      :
      : "r"(wl_shared_address(to)), "l"(from), "r"(bytes), "r"(wl_shared_address(b))
      : "memory");
}
/* With a policy of the cache that names lines to leave first. */
WL_ASM_FN void wl_bulk_load_once(void *to, const void *from, unsigned bytes, wl_mbar_t *b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
               "[%0], [%1], %2, [%3], %4;"
               :
               : "r"(wl_shared_address(to)), "l"(from), "r"(bytes), "r"(wl_shared_address(b)),
                 "l"(0x12f0000000000000ull)
               : "memory");
}
WL_ASM_FN void wl_bulk_prefetch(const void *from, unsigned bytes) {
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" : : "l"(from), "r"(bytes) : "memory");
}
WL_ASM_FN void wl_bulk_store(void *to, const void *from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
               :
               : "l"(to), "r"(wl_shared_address(from)), "r"(bytes)
               : "memory");
}
/* Of each 16 bytes those whose bit of `mask` is set. Older targets: all. */
WL_ASM_FN void wl_bulk_store_some(void *to, const void *from, unsigned bytes, unsigned short mask) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%0], [%1], %2, %3;"
               :
               : "l"(to), "r"(wl_shared_address(from)), "r"(bytes), "h"(mask)
               : "memory");
#else
  (void)mask;
  wl_bulk_store(to, from, bytes);
#endif
}
/* Each element of `to` becomes the result with that of `from`. */
#define WL_BULK_REDUCE(name, type, operation)                                                      \
  WL_ASM_FN void name(type *to, const type *from, unsigned bytes) {                                \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group." operation                   \
                 " [%0], [%1], %2;"                                                                \
                 :                                                                                 \
                 : "l"(to), "r"(wl_shared_address(from)), "r"(bytes)                               \
                 : "memory");                                                                      \
  }
WL_BULK_REDUCE(wl_bulk_add_u32, unsigned, "add.u32")
WL_BULK_REDUCE(wl_bulk_add_f32, float, "add.f32")
WL_BULK_REDUCE(wl_bulk_max_s32, int, "max.s32")
WL_BULK_REDUCE(wl_bulk_xor_b64, unsigned long long, "xor.b64")

WL_ASM_FN void wl_bulk_commit() { asm volatile("cp.async.bulk.commit_group;" : : : "memory"); }
/* Until at most N groups of this thread are pending; _read: have still to read shared memory. */
template <int N> WL_ASM_FN void wl_bulk_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" : : "n"(N) : "memory");
}
template <int N> WL_ASM_FN void wl_bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(N) : "memory");
}
/* This thread's accesses come before copies behind the fence. */
WL_ASM_FN void wl_fence_async() { asm volatile("fence.proxy.async.shared::cta;" : : : "memory"); }
/* Copies see the mbarriers. */
WL_ASM_FN void wl_fence_mbar_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
}
WL_ASM_FN void wl_mbar_arrive_expect(wl_mbar_t *b, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :
               : "r"(wl_shared_address(b)), "r"(bytes)
               : "memory");
}
WL_ASM_FN void wl_mbar_expect(wl_mbar_t *b, unsigned bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               :
               : "r"(wl_shared_address(b)), "r"(bytes)
               : "memory");
}
/* True in one lane of the warp. */
WL_ASM_FN bool wl_elect() {
  unsigned one;
  asm volatile("{\n\t"
               ".reg .pred P1;\n\t"
               "elect.sync _|P1, 0xffffffff;\n\t"
               "selp.b32 %0, 1, 0, P1;\n\t"
               "}"
               : "=r"(one));
  return one != 0;
}

#else
WL_FN void wl_bulk_load(void *to, const void *from, unsigned bytes, wl_mbar_t *b) {
  __builtin_memcpy(to, from, bytes);
  (void)wl_mbar_step(b, 0, 0, -(int)bytes);
}
WL_FN void wl_bulk_load_once(void *to, const void *from, unsigned bytes, wl_mbar_t *b) {
  wl_bulk_load(to, from, bytes, b);
}
WL_FN void wl_bulk_prefetch(const void *, unsigned) {}
WL_FN void wl_bulk_store(void *to, const void *from, unsigned bytes) {
  __builtin_memcpy(to, from, bytes);
}
WL_FN void wl_bulk_store_some(void *to, const void *from, unsigned bytes, unsigned short mask) {
  for (unsigned i = 0; i < bytes; i++) {
    if (mask >> i % 16 & 1) {
      ((char *)to)[i] = ((const char *)from)[i];
    }
  }
}
#define WL_BULK_REDUCE(name, type, result)                                                         \
  WL_FN void name(type *to, const type *from, unsigned bytes) {                                    \
    for (unsigned i = 0; i < bytes / sizeof(type); i++) {                                          \
      const type b = from[i];                                                                      \
      type a, r;                                                                                   \
      __atomic_load(&to[i], &a, __ATOMIC_SEQ_CST);                                                 \
      do {                                                                                         \
        r = result;                                                                                \
      } while (                                                                                    \
          !__atomic_compare_exchange(&to[i], &a, &r, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));  \
    }                                                                                              \
  }
WL_BULK_REDUCE(wl_bulk_add_u32, unsigned, a + b)
WL_BULK_REDUCE(wl_bulk_add_f32, float, a + b)
WL_BULK_REDUCE(wl_bulk_max_s32, int, a < b ? b : a)
WL_BULK_REDUCE(wl_bulk_xor_b64, unsigned long long, a ^ b)
WL_FN void wl_bulk_commit() {}
template <int N> WL_FN void wl_bulk_wait() {}
template <int N> WL_FN void wl_bulk_wait_read() {}
WL_FN void wl_fence_async() {}
WL_FN void wl_fence_mbar_init() {}
WL_FN void wl_mbar_arrive_expect(wl_mbar_t *b, unsigned bytes) {
  (void)wl_mbar_step(b, 1, 0, (int)bytes);
}
WL_FN void wl_mbar_expect(wl_mbar_t *b, unsigned bytes) { (void)wl_mbar_step(b, 0, 0, (int)bytes); }
WL_FN bool wl_elect() { return __ballot_sync(~0u, 1) != 0 && wl_lane() == 0; }
#endif
#endif
