/*
 * The carry flag of PTX (9.7.2), an instruction each, as libraries of large numbers have them; in plain
 * C++ on the host. volatile keeps their order, on which the flag depends.
 */
#ifndef WL_CARRY_H
#define WL_CARRY_H

#if defined(__NVCC__) || defined(__CUDA__)
#define WL_CARRY2(name, instruction, type, cons, sub, in)                                          \
  static __device__ __forceinline__ type name(type a, type b) {                                    \
    type d;                                                                                        \
    asm volatile(instruction " %0, %1, %2;" : "=" cons(d) : cons(a), cons(b));                     \
    return d;                                                                                      \
  }
#define WL_CARRY3(name, instruction, type, cons, high, in)                                         \
  static __device__ __forceinline__ type name(type a, type b, type c) {                            \
    type d;                                                                                        \
    asm volatile(instruction " %0, %1, %2, %3;" : "=" cons(d) : cons(a), cons(b), cons(c));        \
    return d;                                                                                      \
  }
#else
/* Threads are fibers, which change places at barriers only. */
static bool wl_carry_flag;
#define WL_CARRY2(name, instruction, type, cons, sub, in)                                          \
  static inline type name(type a, type b) {                                                        \
    unsigned __int128 sum =                                                                        \
        (unsigned __int128)a + (type)(sub ? ~b : b) + (in ? wl_carry_flag : sub);                  \
    wl_carry_flag = sum >> (8 * sizeof(type)) != 0;                                                \
    return (type)sum;                                                                              \
  }
#define WL_CARRY3(name, instruction, type, cons, high, in)                                         \
  static inline type name(type a, type b, type c) {                                                \
    unsigned __int128 product = (unsigned __int128)a * b;                                          \
    type word = (type)(high ? product >> (8 * sizeof(type)) : product);                            \
    unsigned __int128 sum = (unsigned __int128)word + c + (in && wl_carry_flag);                   \
    wl_carry_flag = sum >> (8 * sizeof(type)) != 0;                                                \
    return (type)sum;                                                                              \
  }
#endif

typedef unsigned long long wl_u64_t;
WL_CARRY2(wl_add_cc, "add.cc.u32", unsigned, "r", false, false)
WL_CARRY2(wl_addc_cc, "addc.cc.u32", unsigned, "r", false, true)
WL_CARRY2(wl_addc, "addc.u32", unsigned, "r", false, true)
WL_CARRY2(wl_sub_cc, "sub.cc.u32", unsigned, "r", true, false)
WL_CARRY2(wl_subc_cc, "subc.cc.u32", unsigned, "r", true, true)
WL_CARRY2(wl_subc, "subc.u32", unsigned, "r", true, true)
WL_CARRY3(wl_mad_lo_cc, "mad.lo.cc.u32", unsigned, "r", false, false)
WL_CARRY3(wl_madc_lo_cc, "madc.lo.cc.u32", unsigned, "r", false, true)
WL_CARRY3(wl_mad_hi_cc, "mad.hi.cc.u32", unsigned, "r", true, false)
WL_CARRY3(wl_madc_hi_cc, "madc.hi.cc.u32", unsigned, "r", true, true)
WL_CARRY2(wl_add_cc64, "add.cc.u64", wl_u64_t, "l", false, false)
WL_CARRY2(wl_addc64, "addc.u64", wl_u64_t, "l", false, true)
WL_CARRY2(wl_sub_cc64, "sub.cc.u64", wl_u64_t, "l", true, false)
WL_CARRY2(wl_subc64, "subc.u64", wl_u64_t, "l", true, true)
WL_CARRY3(wl_mad_lo_cc64, "mad.lo.cc.u64", wl_u64_t, "l", false, false)
WL_CARRY3(wl_madc_hi_cc64, "madc.hi.cc.u64", wl_u64_t, "l", true, true)

#endif
