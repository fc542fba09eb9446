/*
 * CUDA C names as plain C++ for running the corpus' kernels on the host: each device thread is a
 * fiber, switched at collectives and, by a timer, anywhere else (host_run/host_run.cpp). It is a
 * witness that a kernel's source and its host results agree, independent of PTX and of this project's
 * machine. Meanings are from PTX and the CUDA C++ programming guide.
 */
#ifndef WL_DEVICE_HOST_H
#define WL_DEVICE_HOST_H

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tests/kernels/common/mma_rule.h"

#define __device__
#define __global__
#define __shared__                    static __attribute__((section("wl_shared")))
#define __constant__                  static const
#define __noinline__                  __attribute__((noinline))
#define __forceinline__               inline
#define WL_KERNEL                     extern "C"
#define WL_DYNAMIC_SHARED(type, name) type *name = (type *)wl_host_dynamic_shared()
#define WL_FN                         static inline

typedef float float4 __attribute__((ext_vector_type(4)));

struct wl_dim3 {
  unsigned x, y, z;
};
struct wl_host_thread {
  wl_dim3 thread, block, cta, grid;
  unsigned lane;
};
extern "C" const wl_host_thread *wl_host_self(void);
extern "C" void *wl_host_dynamic_shared(void);
/* Lets other threads run: in loops that wait. */
extern "C" void wl_host_yield(void);
/* While it is on, no other thread runs. */
extern "C" void wl_host_hold(bool on);
/* Meets the lanes of `mask`; the 32 values that they brought. */
extern "C" const uint32_t *wl_host_meet(uint32_t mask, uint32_t value);
/* Barrier `id` of `threads` (0: all); returns how many brought `value` != 0. */
extern "C" unsigned wl_host_barrier(unsigned id, unsigned threads, int value, int wait);

#define threadIdx (wl_host_self()->thread)
#define blockDim  (wl_host_self()->block)
#define blockIdx  (wl_host_self()->cta)
#define gridDim   (wl_host_self()->grid)

WL_FN void __syncthreads() { (void)wl_host_barrier(0, 0, 0, 1); }
WL_FN int __syncthreads_count(int p) { return (int)wl_host_barrier(0, 0, p != 0, 1); }
WL_FN int __syncthreads_or(int p) { return wl_host_barrier(0, 0, p != 0, 1) != 0; }
WL_FN int __syncthreads_and(int p) { return wl_host_barrier(0, 0, p == 0, 1) == 0; }
WL_FN void wl_bar_sync(unsigned id, unsigned n) { (void)wl_host_barrier(id, n, 0, 1); }
WL_FN void wl_bar_arrive(unsigned id, unsigned n) { (void)wl_host_barrier(id, n, 0, 0); }
WL_FN void wl_barrier_sync(unsigned id, unsigned n) { (void)wl_host_barrier(id, n, 0, 1); }
WL_FN void __syncwarp(unsigned mask = ~0u) { (void)wl_host_meet(mask, 0); }
WL_FN void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
WL_FN void wl_nanosleep(unsigned) {}

/* Warp collectives. */
WL_FN unsigned wl_lane() { return wl_host_self()->lane; }
WL_FN unsigned wl_lanemask_lt() { return (1u << wl_lane()) - 1; }
WL_FN unsigned wl_lanemask_ge() { return ~wl_lanemask_lt(); }
WL_FN unsigned wl_active_mask() { return ~0u; } /* used where the warp is whole */
WL_FN int wl_shuffle(unsigned m, int v, int from, int width) {
  int lane = (int)wl_lane();
  const uint32_t *all = wl_host_meet(m, (uint32_t)v);
  return from / width == lane / width && from >= 0 && (m >> from & 1) ? (int)all[from] : v;
}
WL_FN int __shfl_sync(unsigned m, int v, int from, int width = 32) {
  return wl_shuffle(m, v, (int)(wl_lane() / (unsigned)width) * width + (from & (width - 1)), width);
}
WL_FN int __shfl_down_sync(unsigned m, int v, unsigned d, int width = 32) {
  int from = (int)(wl_lane() + d);
  return wl_shuffle(m, v, from < 32 ? from : -1, width);
}
WL_FN int __shfl_up_sync(unsigned m, int v, unsigned d, int width = 32) {
  return wl_shuffle(m, v, (int)wl_lane() - (int)d, width);
}
WL_FN int __shfl_xor_sync(unsigned m, int v, int d, int width = 32) {
  return wl_shuffle(m, v, (int)wl_lane() ^ d, width);
}
WL_FN float __shfl_xor_sync(unsigned m, float v, int d, int width = 32) {
  int bits;
  memcpy(&bits, &v, sizeof bits);
  bits = __shfl_xor_sync(m, bits, d, width);
  memcpy(&v, &bits, sizeof v);
  return v;
}
template <typename Use> static inline void wl_each(unsigned m, uint32_t value, Use use) {
  const uint32_t *all = wl_host_meet(m, value);
  for (unsigned lane = 0; lane < 32; lane++) {
    if (m >> lane & 1) {
      use(lane, all[lane]);
    }
  }
}
WL_FN unsigned __match_any_sync(unsigned m, unsigned v) {
  unsigned r = 0;
  wl_each(m, v, [&](unsigned lane, uint32_t x) { r |= x == v ? 1u << lane : 0; });
  return r;
}
WL_FN unsigned __match_all_sync(unsigned m, unsigned v, int *p) {
  *p = __match_any_sync(m, v) == m;
  return *p ? m : 0;
}
WL_FN unsigned __ballot_sync(unsigned m, int p) {
  unsigned r = 0;
  wl_each(m, p != 0, [&](unsigned lane, uint32_t x) { r |= x << lane; });
  return r;
}
WL_FN int __all_sync(unsigned m, int p) { return __ballot_sync(m, p) == m; }
WL_FN int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
WL_FN int __uni_sync(unsigned m, int p) {
  unsigned r = __ballot_sync(m, p);
  return r == 0 || r == m;
}
#define WL_HOST_REDUCE(name, type, start, expression)                                              \
  WL_FN type name(unsigned m, type v) {                                                            \
    type r = start;                                                                                \
    wl_each(m, (uint32_t)v, [&](unsigned, uint32_t u) {                                            \
      type x = (type)u;                                                                            \
      r = expression;                                                                              \
    });                                                                                            \
    return r;                                                                                      \
  }
WL_HOST_REDUCE(__reduce_add_sync, unsigned, 0, r + x)
WL_HOST_REDUCE(__reduce_min_sync, unsigned, ~0u, x < r ? x : r)
WL_HOST_REDUCE(__reduce_max_sync, unsigned, 0, x > r ? x : r)
WL_HOST_REDUCE(__reduce_min_sync, int, INT32_MAX, x < r ? x : r)
WL_HOST_REDUCE(__reduce_max_sync, int, INT32_MIN, x > r ? x : r)
WL_HOST_REDUCE(__reduce_and_sync, unsigned, ~0u, r &x)
WL_HOST_REDUCE(__reduce_or_sync, unsigned, 0, r | x)
WL_HOST_REDUCE(__reduce_xor_sync, unsigned, 0, r ^ x)

/* Arithmetic. */
WL_FN int __popc(unsigned v) { return __builtin_popcount(v); }
WL_FN int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
WL_FN int __clz(int v) { return v == 0 ? 32 : __builtin_clz((unsigned)v); }
WL_FN int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll((unsigned long long)v); }
WL_FN int __ffs(int v) { return __builtin_ffs(v); }
WL_FN unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
WL_FN unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
WL_FN unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
WL_FN int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
WL_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
WL_FN long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
WL_FN float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
WL_FN float rsqrtf(float v) { return 1.0f / sqrtf(v); }
WL_FN double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
/* In a rounding direction of the host, which a fiber has for its own. */
WL_FN double wl_host_fma(double a, double b, double c, int direction) {
  volatile double x = a, y = b, z = c, d;
  fesetround(direction);
  d = fma(x, y, z);
  fesetround(FE_TONEAREST);
  return d;
}
WL_FN double __fma_rd(double a, double b, double c) { return wl_host_fma(a, b, c, FE_DOWNWARD); }
WL_FN double __fma_ru(double a, double b, double c) { return wl_host_fma(a, b, c, FE_UPWARD); }
WL_FN double __dadd_rd(double a, double b) { return wl_host_fma(a, 1, b, FE_DOWNWARD); }
WL_FN double __dadd_ru(double a, double b) { return wl_host_fma(a, 1, b, FE_UPWARD); }
WL_FN float __fsqrt_rn(float a) { return sqrtf(a); }
WL_FN float __fdiv_rn(float a, float b) { return a / b; }
WL_FN float __uint_as_float(unsigned v) {
  float f;
  memcpy(&f, &v, sizeof f);
  return f;
}
WL_FN unsigned __float_as_uint(float v) {
  unsigned d;
  memcpy(&d, &v, sizeof d);
  return d;
}

/* wl_asm.h in plain C++. */
#define WL_HAS_STMATRIX 0
/* Two elements: of row `row` from `column` on, or of column `row` with trans. */
WL_FN unsigned wl_matrix_word(const void *address, unsigned matrix, unsigned row, unsigned column,
                              bool trans) {
  uint64_t rows[8] = {0};
  for (unsigned half = 0; half < 2; half++) {
    const uint32_t *all = wl_host_meet(~0u, (uint32_t)((uint64_t)(uintptr_t)address >> 32 * half));
    for (unsigned i = 0; i < 8; i++) {
      rows[i] |= (uint64_t)all[8 * matrix + i] << 32 * half;
    }
  }
  unsigned word = 0;
  for (unsigned h = 0; h < 2; h++) {
    unsigned i = trans ? column + h : row, k = trans ? row : column + h;
    word |= (unsigned)((const uint16_t *)(uintptr_t)rows[i])[k] << 16 * h;
  }
  return word;
}
WL_FN void wl_ldmatrix(unsigned *d, const void *row, unsigned n, bool trans) {
  for (unsigned r = 0; r < n; r++) {
    d[r] = wl_matrix_word(row, r, wl_lane() / 4, wl_lane() % 4 * 2, trans);
  }
}
WL_FN void wl_ldmatrix_x4(unsigned *d, const void *row) { wl_ldmatrix(d, row, 4, false); }
template <unsigned AT> WL_FN void wl_ldmatrix_x4_at(unsigned *d, const void *row) {
  wl_ldmatrix(d, (const char *)row + AT, 4, false);
}
WL_FN void wl_ldmatrix_x4_trans(unsigned *d, const void *row) { wl_ldmatrix(d, row, 4, true); }
WL_FN void wl_ldmatrix_x2_generic(unsigned *d, const void *row) { wl_ldmatrix(d, row, 2, false); }
WL_FN unsigned wl_movmatrix(unsigned a) {
  unsigned row = wl_lane() / 4, column = wl_lane() % 4 * 2, word = 0;
  const uint32_t *all = wl_host_meet(~0u, a);
  for (unsigned h = 0; h < 2; h++) {
    word |= (all[4 * (column + h) + row / 2] >> 16 * (row % 2) & 0xffff) << 16 * h;
  }
  return word;
}
/* d += a * b, elements of `bits` bits. All lanes' words: registers of A, then of B. */
#define WL_HAS_MMA_E4M3 1
template <typename T, typename Element, typename Rule>
static inline void wl_mma(T *d, const unsigned *a, const unsigned *b, unsigned bits,
                          Element element, Rule rule) {
  uint32_t word[6][32];
  decltype(element(0u)) x[32], y[32];
  const unsigned lane = wl_lane(), per = 32 / bits, count = 8 * per;
  for (unsigned r = 0; r < 6; r++) {
    memcpy(word[r], wl_host_meet(~0u, r < 4 ? a[r] : b[r - 4]), sizeof word[r]);
  }
  for (unsigned i = 0; i < 4; i++) {
    const unsigned row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
    for (unsigned k = 0; k < count; k++) {
      const unsigned at = k / per, shift = k % per * bits, mask = bits == 16 ? 0xffff : 0xff;
      x[k] = element(word[at / 4 * 2 + row / 8][row % 8 * 4 + at % 4] >> shift & mask);
      y[k] = element(word[4 + at / 4][column * 4 + at % 4] >> shift & mask);
    }
    d[i] = rule(x, y, count, d[i]);
  }
}
WL_FN int wl_host_dot(const int *a, const int *b, unsigned count, int c) {
  for (unsigned k = 0; k < count; k++) {
    c += a[k] * b[k];
  }
  return c;
}
WL_FN void wl_mma_f16(float *d, const unsigned *a, const unsigned *b) {
  wl_mma(d, a, b, 16, wl_rule_half, wl_rule_block);
}
WL_FN void wl_mma_e4m3(float *d, const unsigned *a, const unsigned *b) {
  wl_mma(d, a, b, 8, wl_rule_byte, wl_rule_bytes);
}
WL_FN void wl_mma_s8(int *d, const unsigned *a, const unsigned *b) {
  wl_mma(d, a, b, 8, [](uint32_t v) { return (int)(int8_t)v; }, wl_host_dot);
}
WL_FN unsigned wl_prmt(unsigned a, unsigned b, unsigned c) {
  uint64_t both = (uint64_t)b << 32 | a;
  unsigned d = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned s = c >> (4 * i) & 15;
    int8_t byte = (int8_t)(both >> (8 * (s & 7)));
    d |= (unsigned)(uint8_t)(s & 8 ? byte >> 7 : byte) << (8 * i);
  }
  return d;
}
/* Selectors that make the general form do the six modes. */
#define WL_HOST_PRMT(name, s0, s1, s2, s3)                                                         \
  WL_FN unsigned name(unsigned a, unsigned b, unsigned c) {                                        \
    const unsigned selector[4] = {s0, s1, s2, s3};                                                 \
    return wl_prmt(a, b, selector[c & 3]);                                                         \
  }
WL_HOST_PRMT(wl_prmt_f4e, 0x3210, 0x4321, 0x5432, 0x6543)
WL_HOST_PRMT(wl_prmt_b4e, 0x5670, 0x6701, 0x7012, 0x0123)
WL_HOST_PRMT(wl_prmt_rc8, 0x0000, 0x1111, 0x2222, 0x3333)
WL_HOST_PRMT(wl_prmt_ecl, 0x3210, 0x3211, 0x3222, 0x3333)
WL_HOST_PRMT(wl_prmt_ecr, 0x0000, 0x1110, 0x2210, 0x3210)
WL_HOST_PRMT(wl_prmt_rc16, 0x1010, 0x3232, 0x1010, 0x3232)
WL_FN unsigned wl_lop3_96(unsigned a, unsigned b, unsigned c) { return a ^ b ^ c; }
WL_FN unsigned wl_lop3_e8(unsigned a, unsigned b, unsigned c) {
  return (a & b) | (a & c) | (b & c);
}
WL_FN unsigned wl_lop3_ca(unsigned a, unsigned b, unsigned c) { return (a & b) | (~a & c); }
WL_FN unsigned wl_lop3_1b(unsigned a, unsigned b, unsigned c) {
  return (~a & ~b) | (~a & c) | (a & ~b & ~c); /* rows 000 001 011 100 */
}
WL_FN unsigned wl_shf_l_clamp(unsigned a, unsigned b, unsigned c) {
  return (unsigned)(((uint64_t)b << 32 | a) << (c < 32 ? c : 32) >> 32);
}
WL_FN unsigned wl_shf_l_wrap(unsigned a, unsigned b, unsigned c) {
  return wl_shf_l_clamp(a, b, c & 31);
}
WL_FN unsigned wl_shf_r_clamp(unsigned a, unsigned b, unsigned c) {
  return (unsigned)(((uint64_t)b << 32 | a) >> (c < 32 ? c : 32));
}
WL_FN unsigned wl_shf_r_wrap(unsigned a, unsigned b, unsigned c) {
  return wl_shf_r_clamp(a, b, c & 31);
}
WL_FN unsigned long long wl_bfe_u64(unsigned long long a, unsigned pos, unsigned len) {
  unsigned long long v = pos < 64 ? a >> pos : 0;
  return len < 64 ? v & ((1ull << len) - 1) : v;
}
/* Shifts left until the field's top is the word's, then back with the sign. */
WL_FN unsigned long long wl_bfe_s64(unsigned long long a, unsigned pos, unsigned len) {
  if (len == 0) {
    return 0;
  }
  if (pos > 63) {
    return (unsigned long long)((long long)a >> 63);
  }
  unsigned top = pos + len > 64 ? 64 : pos + len;
  return (unsigned long long)((long long)(a << (64 - top)) >> (64 - top + pos));
}
WL_FN unsigned wl_bfe_u32(unsigned a, unsigned pos, unsigned len) {
  return (unsigned)wl_bfe_u64(a, pos, len);
}
WL_FN unsigned wl_bfe_s32(unsigned a, unsigned pos, unsigned len) {
  return (unsigned)wl_bfe_s64((unsigned long long)(long long)(int)a, pos, len);
}
WL_FN unsigned wl_bfi_b32(unsigned a, unsigned b, unsigned pos, unsigned len) {
  uint64_t mask = len < 32 ? (1ull << len) - 1 : 0xffffffffull;
  mask = pos < 32 ? mask << pos : 0;
  return (unsigned)((b & ~mask) | (pos < 32 ? (uint64_t)a << pos & mask : 0));
}
WL_FN unsigned wl_bfind_u64(unsigned long long v) { return 63u - (unsigned)__clzll((long long)v); }
WL_FN unsigned wl_bfind_u32(unsigned v) { return 31u - (unsigned)__clz((int)v); }
WL_FN unsigned wl_bfind_s32(unsigned v) { return wl_bfind_u32((int)v < 0 ? ~v : v); }
WL_FN unsigned wl_bfind_shiftamt_u32(unsigned v) { return v == 0 ? ~0u : (unsigned)__clz((int)v); }

/* Conversions by way of double and the exact functions of the C library. */
WL_FN double wl_integral_rni(float v) { return rint((double)v); }
WL_FN double wl_integral_rzi(float v) { return trunc((double)v); }
WL_FN double wl_integral_rmi(float v) { return floor((double)v); }
WL_FN double wl_integral_rpi(float v) { return ceil((double)v); }
#define WL_HOST_TO_INT(round, name, type, low, high, nan)                                          \
  WL_FN type wl_cvt_##round##_##name(float f) {                                                    \
    double v = wl_integral_##round(f);                                                             \
    return f != f ? (type)(nan) : v < (double)low ? low : v >= (double)high ? high : (type)v;      \
  }
#define WL_HOST_TO_INTS(round)                                                                     \
  WL_HOST_TO_INT(round, s32, int, INT32_MIN, INT32_MAX, 0)                                         \
  WL_HOST_TO_INT(round, u32, unsigned, 0u, UINT32_MAX, 0)                                          \
  WL_HOST_TO_INT(round, s64, long long, (long long)INT64_MIN, (long long)INT64_MAX, INT64_MIN)     \
  WL_HOST_TO_INT(round, u64, unsigned long long, 0ull, (unsigned long long)UINT64_MAX, 1ull << 63)
WL_HOST_TO_INTS(rni)
WL_HOST_TO_INTS(rzi)
WL_HOST_TO_INTS(rmi)
WL_HOST_TO_INTS(rpi)
/* The nearest float, then its neighbour when it lies on the wrong side of the value. */
template <typename T> static inline float wl_from_int(T v, int direction) {
  float near = (float)v;
  __int128 got = (__int128)near;
  bool towards_zero = direction == 0;
  if ((direction > 0 && got < (__int128)v) || (towards_zero && v < 0 && got < (__int128)v)) {
    return nextafterf(near, INFINITY);
  }
  if ((direction < 0 && got > (__int128)v) || (towards_zero && v > 0 && got > (__int128)v)) {
    return nextafterf(near, -INFINITY);
  }
  return near;
}
#define WL_HOST_FROM_INT(name, type)                                                               \
  WL_FN float wl_cvt_rn_from_##name(type v) { return (float)v; }                                   \
  WL_FN float wl_cvt_rz_from_##name(type v) { return wl_from_int<type>(v, 0); }                    \
  WL_FN float wl_cvt_rm_from_##name(type v) { return wl_from_int<type>(v, -1); }                   \
  WL_FN float wl_cvt_rp_from_##name(type v) { return wl_from_int<type>(v, 1); }
WL_HOST_FROM_INT(s32, int)
WL_HOST_FROM_INT(u32, unsigned)
WL_HOST_FROM_INT(s64, long long)
WL_HOST_FROM_INT(u64, unsigned long long)
WL_FN float wl_round_rni(float v) { return rintf(v); }
WL_FN float wl_round_rzi(float v) { return truncf(v); }
WL_FN float wl_round_rmi(float v) { return floorf(v); }
WL_FN float wl_round_rpi(float v) { return ceilf(v); }
WL_FN float wl_saturate(float v) { return v > 0.0f ? fminf(v, 1.0f) : 0.0f; }
template <typename T> static inline T wl_saturate_int(long long v, long long low, long long high) {
  return (T)(v < low ? low : v > high ? high : v);
}
WL_FN int wl_sat_u8_s32(int v) { return wl_saturate_int<int>(v, 0, 255); }
WL_FN short wl_sat_s16_s32(int v) { return wl_saturate_int<short>(v, -32768, 32767); }
WL_FN unsigned wl_sat_u32_s64(long long v) { return wl_saturate_int<unsigned>(v, 0, 0xffffffffll); }
WL_FN int wl_sat_s32_s64(long long v) { return wl_saturate_int<int>(v, INT32_MIN, INT32_MAX); }

/* Atomics: the fibers share one host thread, but the timer may switch in a plain sequence. */
#define WL_HOST_ATOMIC(name, type, expression)                                                     \
  WL_FN type name(type *p, type v) {                                                               \
    type old = __atomic_load_n(p, __ATOMIC_SEQ_CST);                                               \
    while (!__atomic_compare_exchange_n(p, &old, (type)(expression), false, __ATOMIC_SEQ_CST,      \
                                        __ATOMIC_SEQ_CST)) {                                       \
    }                                                                                              \
    return old;                                                                                    \
  }
#define WL_HOST_ATOMIC3(type)                                                                      \
  WL_HOST_ATOMIC(atomicAdd, type, old + v)                                                         \
  WL_HOST_ATOMIC(atomicMin, type, v < old ? v : old)                                               \
  WL_HOST_ATOMIC(atomicMax, type, v > old ? v : old)                                               \
  WL_HOST_ATOMIC(atomicAnd, type, old &v)                                                          \
  WL_HOST_ATOMIC(atomicOr, type, old | v)                                                          \
  WL_HOST_ATOMIC(atomicXor, type, old ^ v)                                                         \
  WL_HOST_ATOMIC(atomicExch, type, v)                                                              \
  WL_FN type atomicCAS(type *p, type c, type v) {                                                  \
    (void)__atomic_compare_exchange_n(p, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);        \
    return c;                                                                                      \
  }
WL_HOST_ATOMIC3(int)
WL_HOST_ATOMIC3(unsigned)
WL_HOST_ATOMIC3(long long)
WL_HOST_ATOMIC3(unsigned long long)
WL_HOST_ATOMIC(atomicInc, unsigned, old >= v ? 0 : old + 1)
WL_HOST_ATOMIC(atomicDec, unsigned, old == 0 || old > v ? v : old - 1)
WL_FN float atomicAdd(float *p, float v) {
  unsigned *w = (unsigned *)p;
  for (;;) {
    unsigned old = __atomic_load_n(w, __ATOMIC_SEQ_CST);
    float f;
    memcpy(&f, &old, sizeof f);
    if (atomicCAS(w, old, __float_as_uint(f + v)) == old) {
      return f;
    }
  }
}
WL_FN unsigned wl_ld_acquire_gpu(const unsigned *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
WL_FN unsigned wl_ld_relaxed_sys(const unsigned *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
WL_FN void wl_st_release_gpu(unsigned *p, unsigned v) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }
WL_FN void wl_st_relaxed_sys(unsigned *p, unsigned v) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }
WL_FN void wl_fence_acq_rel_gpu() { __threadfence(); }
WL_FN void wl_fence_sc_cta() { __threadfence(); }
WL_FN unsigned wl_atom_add_acq_rel_cta(unsigned *p, unsigned v) { return atomicAdd(p, v); }
WL_FN void wl_red_add_release_gpu(unsigned *p, unsigned v) { (void)atomicAdd(p, v); }
WL_FN void wl_red_max_s32(int *p, int v) { (void)atomicMax(p, v); }

#endif
