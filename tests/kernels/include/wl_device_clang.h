/*
 * CUDA C names for clang's NVPTX target, made from clang builtins (see wl_device.h). Semantics are
 * those of the CUDA C++ programming guide; nothing here is tuned.
 */
#ifndef WL_DEVICE_CLANG_H
#define WL_DEVICE_CLANG_H

#define __device__             __attribute__((device))
#define __global__             __attribute__((global))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __noinline__           __attribute__((noinline))
#define __forceinline__        __attribute__((always_inline)) inline
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __restrict__           __restrict
#define WL_FN                  static __device__ __forceinline__

typedef float float4 __attribute__((ext_vector_type(4)));

struct wl_dim3 {
  unsigned x, y, z;
};

WL_FN wl_dim3 wl_thread_idx() {
  return {(unsigned)__nvvm_read_ptx_sreg_tid_x(), (unsigned)__nvvm_read_ptx_sreg_tid_y(),
          (unsigned)__nvvm_read_ptx_sreg_tid_z()};
}
WL_FN wl_dim3 wl_block_dim() {
  return {(unsigned)__nvvm_read_ptx_sreg_ntid_x(), (unsigned)__nvvm_read_ptx_sreg_ntid_y(),
          (unsigned)__nvvm_read_ptx_sreg_ntid_z()};
}
WL_FN wl_dim3 wl_block_idx() {
  return {(unsigned)__nvvm_read_ptx_sreg_ctaid_x(), (unsigned)__nvvm_read_ptx_sreg_ctaid_y(),
          (unsigned)__nvvm_read_ptx_sreg_ctaid_z()};
}
WL_FN wl_dim3 wl_grid_dim() {
  return {(unsigned)__nvvm_read_ptx_sreg_nctaid_x(), (unsigned)__nvvm_read_ptx_sreg_nctaid_y(),
          (unsigned)__nvvm_read_ptx_sreg_nctaid_z()};
}
#define threadIdx (wl_thread_idx())
#define blockDim  (wl_block_dim())
#define blockIdx  (wl_block_idx())
#define gridDim   (wl_grid_dim())

/* Barriers and fences. clang 14 takes the barrier builtins for calls that cannot touch a shared
 * variable whose address never leaves its function, and moves loads of it over them; an asm that
 * clobbers memory on both sides keeps them in their place. */
#define WL_COMPILER_FENCE() asm volatile("" ::: "memory")
WL_FN void wl_syncthreads() {
  WL_COMPILER_FENCE();
  __syncthreads();
  WL_COMPILER_FENCE();
}
#define __syncthreads() wl_syncthreads()
#define WL_BARRIER_VOTE(name, builtin)                                                             \
  WL_FN int name(int p) {                                                                          \
    WL_COMPILER_FENCE();                                                                           \
    int r = builtin(p);                                                                            \
    WL_COMPILER_FENCE();                                                                           \
    return r;                                                                                      \
  }
WL_BARRIER_VOTE(__syncthreads_count, __nvvm_bar0_popc)
WL_BARRIER_VOTE(__syncthreads_and, __nvvm_bar0_and)
WL_BARRIER_VOTE(__syncthreads_or, __nvvm_bar0_or)
WL_FN void __syncwarp(unsigned mask = 0xffffffffu) {
  WL_COMPILER_FENCE();
  __nvvm_bar_warp_sync(mask);
  WL_COMPILER_FENCE();
}
WL_FN void __threadfence() { __nvvm_membar_gl(); }
WL_FN void __threadfence_block() { __nvvm_membar_cta(); }

/* Warp collectives. */
WL_FN int __shfl_sync(unsigned m, int v, int lane, int width = 32) {
  return __nvvm_shfl_sync_idx_i32(m, v, lane, ((32 - width) << 8) | 0x1f);
}
WL_FN int __shfl_down_sync(unsigned m, int v, unsigned d, int width = 32) {
  return __nvvm_shfl_sync_down_i32(m, v, (int)d, ((32 - width) << 8) | 0x1f);
}
WL_FN int __shfl_up_sync(unsigned m, int v, unsigned d, int width = 32) {
  return __nvvm_shfl_sync_up_i32(m, v, (int)d, (32 - width) << 8);
}
WL_FN int __shfl_xor_sync(unsigned m, int v, int d, int width = 32) {
  return __nvvm_shfl_sync_bfly_i32(m, v, d, ((32 - width) << 8) | 0x1f);
}
WL_FN unsigned __ballot_sync(unsigned m, int p) { return __nvvm_vote_ballot_sync(m, p); }
WL_FN int __all_sync(unsigned m, int p) { return __nvvm_vote_all_sync(m, p); }
WL_FN int __any_sync(unsigned m, int p) { return __nvvm_vote_any_sync(m, p); }
WL_FN int __uni_sync(unsigned m, int p) { return __nvvm_vote_uni_sync(m, p); }

WL_FN unsigned __match_any_sync(unsigned m, unsigned v) {
  return (unsigned)__nvvm_match_any_sync_i32(m, v);
}
WL_FN unsigned __match_all_sync(unsigned m, unsigned v, int *p) {
  return (unsigned)__nvvm_match_all_sync_i32p(m, v, p);
}
WL_FN unsigned __reduce_add_sync(unsigned m, unsigned v) {
  return (unsigned)__nvvm_redux_sync_add((int)v, (int)m);
}
WL_FN int __reduce_min_sync(unsigned m, int v) { return __nvvm_redux_sync_min(v, (int)m); }
WL_FN unsigned __reduce_min_sync(unsigned m, unsigned v) {
  return __nvvm_redux_sync_umin(v, (int)m);
}
WL_FN int __reduce_max_sync(unsigned m, int v) { return __nvvm_redux_sync_max(v, (int)m); }
WL_FN unsigned __reduce_max_sync(unsigned m, unsigned v) {
  return __nvvm_redux_sync_umax(v, (int)m);
}
WL_FN unsigned __reduce_and_sync(unsigned m, unsigned v) {
  return (unsigned)__nvvm_redux_sync_and((int)v, (int)m);
}
WL_FN unsigned __reduce_or_sync(unsigned m, unsigned v) {
  return (unsigned)__nvvm_redux_sync_or((int)v, (int)m);
}
WL_FN unsigned __reduce_xor_sync(unsigned m, unsigned v) {
  return (unsigned)__nvvm_redux_sync_xor((int)v, (int)m);
}

/* Arithmetic. */
WL_FN unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
WL_FN unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
WL_FN int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
WL_FN int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll((unsigned long long)v); }
WL_FN unsigned __umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
WL_FN int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
WL_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
WL_FN long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
WL_FN int __popc(unsigned v) { return __builtin_popcount(v); }
WL_FN int __clz(int v) { return v == 0 ? 32 : __builtin_clz((unsigned)v); }
WL_FN int __ffs(int v) { return __builtin_ffs(v); }
WL_FN float __fmaf_rn(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
WL_FN double __fma_rn(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
WL_FN double __fma_rd(double a, double b, double c) { return __nvvm_fma_rm_d(a, b, c); }
WL_FN double __fma_ru(double a, double b, double c) { return __nvvm_fma_rp_d(a, b, c); }
WL_FN double __dadd_rd(double a, double b) { return __nvvm_add_rm_d(a, b); }
WL_FN double __dadd_ru(double a, double b) { return __nvvm_add_rp_d(a, b); }
WL_FN float __fsqrt_rn(float a) { return __nvvm_sqrt_rn_f(a); }
WL_FN float __fdiv_rn(float a, float b) { return __nvvm_div_rn_f(a, b); }
WL_FN float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
WL_FN int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
WL_FN float __uint_as_float(unsigned v) { return __builtin_bit_cast(float, v); }
WL_FN unsigned __float_as_uint(float v) { return __builtin_bit_cast(unsigned, v); }

/* Atomics: relaxed, device scope. */
WL_FN int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
WL_FN unsigned atomicAdd(unsigned *p, unsigned v) {
  return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v);
}
WL_FN float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
WL_FN unsigned long long atomicAdd(unsigned long long *p, unsigned long long v) {
  return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)p, (long long)v);
}
#define WL_ATOMIC(name, builtin, type, as)                                                         \
  WL_FN type name(type *p, type v) { return (type)__nvvm_atom_##builtin((as *)p, (as)v); }
WL_ATOMIC(atomicMin, min_gen_i, int, int)
WL_ATOMIC(atomicMin, min_gen_ui, unsigned, unsigned)
WL_ATOMIC(atomicMin, min_gen_ll, long long, long long)
WL_ATOMIC(atomicMin, min_gen_ull, unsigned long long, unsigned long long)
WL_ATOMIC(atomicMax, max_gen_i, int, int)
WL_ATOMIC(atomicMax, max_gen_ui, unsigned, unsigned)
WL_ATOMIC(atomicMax, max_gen_ll, long long, long long)
WL_ATOMIC(atomicMax, max_gen_ull, unsigned long long, unsigned long long)
WL_ATOMIC(atomicInc, inc_gen_ui, unsigned, unsigned)
WL_ATOMIC(atomicDec, dec_gen_ui, unsigned, unsigned)
WL_ATOMIC(atomicAnd, and_gen_i, unsigned, int)
WL_ATOMIC(atomicAnd, and_gen_ll, unsigned long long, long long)
WL_ATOMIC(atomicOr, or_gen_i, unsigned, int)
WL_ATOMIC(atomicOr, or_gen_ll, unsigned long long, long long)
WL_ATOMIC(atomicXor, xor_gen_i, unsigned, int)
WL_ATOMIC(atomicXor, xor_gen_ll, unsigned long long, long long)
WL_ATOMIC(atomicExch, xchg_gen_i, int, int)
WL_ATOMIC(atomicExch, xchg_gen_i, unsigned, int)
WL_ATOMIC(atomicExch, xchg_gen_ll, unsigned long long, long long)
WL_FN int atomicCAS(int *p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }
WL_FN unsigned atomicCAS(unsigned *p, unsigned c, unsigned v) {
  return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)c, (int)v);
}
WL_FN unsigned long long atomicCAS(unsigned long long *p, unsigned long long c,
                                   unsigned long long v) {
  return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)p, (long long)c, (long long)v);
}

#endif
