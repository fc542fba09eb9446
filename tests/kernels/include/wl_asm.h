/*
 * Instructions that CUDA C has no portable name for, as inline assembly that nvcc and clang both
 * take. Each function is one PTX instruction; wl_device_host.h has what they mean in plain C.
 */
#ifndef WL_ASM_H
#define WL_ASM_H

#define WL_ASM_FN static __device__ __forceinline__

/* name, instruction, result type and constraint, source type and constraint */
#define WL_ASM1(name, instruction, type_d, cons_d, type_a, cons_a)                                 \
  WL_ASM_FN type_d name(type_a a) {                                                                \
    type_d d;                                                                                      \
    asm(instruction " %0, %1;" : "=" cons_d(d) : cons_a(a));                                       \
    return d;                                                                                      \
  }
#define WL_ASM3(name, instruction)                                                                 \
  WL_ASM_FN unsigned name(unsigned a, unsigned b, unsigned c) {                                    \
    unsigned d;                                                                                    \
    asm(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));                        \
    return d;                                                                                      \
  }
#define WL_ASM_LOP3(name, table)                                                                   \
  WL_ASM_FN unsigned name(unsigned a, unsigned b, unsigned c) {                                    \
    unsigned d;                                                                                    \
    asm("lop3.b32 %0, %1, %2, %3, " table ";" : "=r"(d) : "r"(a), "r"(b), "r"(c));                 \
    return d;                                                                                      \
  }

WL_ASM3(wl_prmt, "prmt.b32")
WL_ASM3(wl_prmt_f4e, "prmt.b32.f4e")
WL_ASM3(wl_prmt_b4e, "prmt.b32.b4e")
WL_ASM3(wl_prmt_rc8, "prmt.b32.rc8")
WL_ASM3(wl_prmt_ecl, "prmt.b32.ecl")
WL_ASM3(wl_prmt_ecr, "prmt.b32.ecr")
WL_ASM3(wl_prmt_rc16, "prmt.b32.rc16")
WL_ASM3(wl_shf_l_wrap, "shf.l.wrap.b32")
WL_ASM3(wl_shf_l_clamp, "shf.l.clamp.b32")
WL_ASM3(wl_shf_r_wrap, "shf.r.wrap.b32")
WL_ASM3(wl_shf_r_clamp, "shf.r.clamp.b32")
WL_ASM3(wl_bfe_u32, "bfe.u32")
WL_ASM3(wl_bfe_s32, "bfe.s32")
WL_ASM_LOP3(wl_lop3_96, "0x96")
WL_ASM_LOP3(wl_lop3_e8, "0xe8")
WL_ASM_LOP3(wl_lop3_ca, "0xca")
WL_ASM_LOP3(wl_lop3_1b, "0x1b")
WL_ASM1(wl_bfind_u32, "bfind.u32", unsigned, "r", unsigned, "r")
WL_ASM1(wl_bfind_s32, "bfind.s32", unsigned, "r", unsigned, "r")
WL_ASM1(wl_bfind_shiftamt_u32, "bfind.shiftamt.u32", unsigned, "r", unsigned, "r")
WL_ASM1(wl_bfind_u64, "bfind.u64", unsigned, "r", unsigned long long, "l")

WL_ASM_FN unsigned long long wl_bfe_u64(unsigned long long a, unsigned b, unsigned c) {
  unsigned long long d;
  asm("bfe.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "r"(b), "r"(c));
  return d;
}
WL_ASM_FN unsigned long long wl_bfe_s64(unsigned long long a, unsigned b, unsigned c) {
  unsigned long long d;
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "r"(b), "r"(c));
  return d;
}
WL_ASM_FN unsigned wl_bfi_b32(unsigned a, unsigned b, unsigned pos, unsigned len) {
  unsigned d;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(pos), "r"(len));
  return d;
}

#define WL_CVT_INT_FROM_F32(round, type, bits, c_type, cons)                                       \
  WL_ASM1(wl_cvt_##round##_##type##bits, "cvt." #round "." #type #bits ".f32", c_type, cons,       \
          float, "f")
#define WL_CVT_INTS_FROM_F32(round)                                                                \
  WL_CVT_INT_FROM_F32(round, s, 32, int, "r")                                                      \
  WL_CVT_INT_FROM_F32(round, u, 32, unsigned, "r")                                                 \
  WL_CVT_INT_FROM_F32(round, s, 64, long long, "l")                                                \
  WL_CVT_INT_FROM_F32(round, u, 64, unsigned long long, "l")
WL_CVT_INTS_FROM_F32(rni)
WL_CVT_INTS_FROM_F32(rzi)
WL_CVT_INTS_FROM_F32(rmi)
WL_CVT_INTS_FROM_F32(rpi)

#define WL_CVT_F32_FROM_INTS(round)                                                                \
  WL_ASM1(wl_cvt_##round##_from_s32, "cvt." #round ".f32.s32", float, "f", int, "r")               \
  WL_ASM1(wl_cvt_##round##_from_u32, "cvt." #round ".f32.u32", float, "f", unsigned, "r")          \
  WL_ASM1(wl_cvt_##round##_from_s64, "cvt." #round ".f32.s64", float, "f", long long, "l")         \
  WL_ASM1(wl_cvt_##round##_from_u64, "cvt." #round ".f32.u64", float, "f", unsigned long long, "l")
WL_CVT_F32_FROM_INTS(rn)
WL_CVT_F32_FROM_INTS(rz)
WL_CVT_F32_FROM_INTS(rm)
WL_CVT_F32_FROM_INTS(rp)

WL_ASM1(wl_round_rni, "cvt.rni.f32.f32", float, "f", float, "f")
WL_ASM1(wl_round_rzi, "cvt.rzi.f32.f32", float, "f", float, "f")
WL_ASM1(wl_round_rmi, "cvt.rmi.f32.f32", float, "f", float, "f")
WL_ASM1(wl_round_rpi, "cvt.rpi.f32.f32", float, "f", float, "f")
WL_ASM1(wl_saturate, "cvt.sat.f32.f32", float, "f", float, "f")
WL_ASM1(wl_sat_u8_s32, "cvt.sat.u8.s32", int, "r", int, "r")
WL_ASM1(wl_sat_s16_s32, "cvt.sat.s16.s32", short, "h", int, "r")
WL_ASM1(wl_sat_u32_s64, "cvt.sat.u32.s64", unsigned, "r", long long, "l")
WL_ASM1(wl_sat_s32_s64, "cvt.sat.s32.s64", int, "r", long long, "l")

/* Scheduling, special registers. */
WL_ASM_FN void wl_nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns)); }
WL_ASM_FN unsigned wl_lane() {
  unsigned d;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(d));
  return d;
}
WL_ASM_FN unsigned wl_active_mask() {
  unsigned d;
  asm volatile("activemask.b32 %0;" : "=r"(d) : : "memory");
  return d;
}
WL_ASM_FN unsigned wl_lanemask_lt() {
  unsigned d;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(d));
  return d;
}
WL_ASM_FN unsigned wl_lanemask_ge() {
  unsigned d;
  asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(d));
  return d;
}

/* Matrices in shared memory: each lane has the address of a row of 16 bytes. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define WL_HAS_STMATRIX 1
#else
#define WL_HAS_STMATRIX 0
#endif
WL_ASM_FN unsigned wl_shared_address(const void *p) {
  unsigned d;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(d) : "l"(p));
  return d;
}
#define WL_ASM_LDMATRIX_X4(name, trans)                                                            \
  WL_ASM_FN void name(unsigned *d, const void *row) {                                              \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0, %1, %2, %3}, [%4];"       \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                  \
                 : "r"(wl_shared_address(row))                                                     \
                 : "memory");                                                                      \
  }
WL_ASM_LDMATRIX_X4(wl_ldmatrix_x4, "")
WL_ASM_LDMATRIX_X4(wl_ldmatrix_x4_trans, ".trans")
WL_ASM_FN void wl_ldmatrix_x2_generic(unsigned *d, const void *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.b16 {%0, %1}, [%2];"
               : "=r"(d[0]), "=r"(d[1])
               : "l"(row)
               : "memory");
}
WL_ASM_FN unsigned wl_movmatrix(unsigned a) {
  unsigned d;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}
#if WL_HAS_STMATRIX
WL_ASM_FN void wl_stmatrix_x4_trans(void *row, const unsigned *a) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};"
               :
               : "r"(wl_shared_address(row)), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
               : "memory");
}
WL_ASM_FN void wl_stmatrix_x1(void *row, unsigned a) {
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};"
               :
               : "r"(wl_shared_address(row)), "r"(a)
               : "memory");
}
#endif

/* Products of matrices: d += a * b. */
#define WL_ASM_MMA(name, type, letter, text)                                                       \
  WL_ASM_FN void name(type *d, const unsigned *a, const unsigned *b) {                             \
    asm volatile("mma.sync.aligned." text                                                          \
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                \
                 : "+" letter(d[0]), "+" letter(d[1]), "+" letter(d[2]), "+" letter(d[3])          \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));              \
  }
WL_ASM_MMA(wl_mma_f16, float, "f", "m16n8k16.row.col.f32.f16.f16.f32")
WL_ASM_MMA(wl_mma_s8, int, "r", "m16n8k32.row.col.s32.s8.s8.s32")
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define WL_HAS_MMA_E4M3 1
WL_ASM_MMA(wl_mma_e4m3, float, "f", "m16n8k32.row.col.f32.e4m3.e4m3.f32")
#else
#define WL_HAS_MMA_E4M3 0
#endif

/* Barriers other than 0. */
WL_ASM_FN void wl_bar_sync(unsigned id, unsigned threads) {
  asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}
WL_ASM_FN void wl_bar_arrive(unsigned id, unsigned threads) {
  asm volatile("bar.arrive %0, %1;" : : "r"(id), "r"(threads) : "memory");
}
WL_ASM_FN void wl_barrier_sync(unsigned id, unsigned threads) {
  asm volatile("barrier.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}

/* Memory order. */
WL_ASM_FN unsigned wl_ld_acquire_gpu(const unsigned *p) {
  unsigned d;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(d) : "l"(p) : "memory");
  return d;
}
WL_ASM_FN void wl_st_release_gpu(unsigned *p, unsigned v) {
  asm volatile("st.release.gpu.u32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
}
WL_ASM_FN unsigned wl_ld_relaxed_sys(const unsigned *p) {
  unsigned d;
  asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(d) : "l"(p) : "memory");
  return d;
}
WL_ASM_FN void wl_st_relaxed_sys(unsigned *p, unsigned v) {
  asm volatile("st.relaxed.sys.u32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
}
WL_ASM_FN void wl_fence_acq_rel_gpu() { asm volatile("fence.acq_rel.gpu;" : : : "memory"); }
WL_ASM_FN void wl_fence_sc_cta() { asm volatile("fence.sc.cta;" : : : "memory"); }
WL_ASM_FN unsigned wl_atom_add_acq_rel_cta(unsigned *p, unsigned v) {
  unsigned d;
  asm volatile("atom.acq_rel.cta.add.u32 %0, [%1], %2;" : "=r"(d) : "l"(p), "r"(v) : "memory");
  return d;
}
WL_ASM_FN void wl_red_add_release_gpu(unsigned *p, unsigned v) {
  asm volatile("red.release.gpu.add.u32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
}
WL_ASM_FN void wl_red_max_s32(int *p, int v) {
  asm volatile("red.max.s32 [%0], %1;" : : "l"(p), "r"(v) : "memory");
}

/* The same with a constant number of bytes behind the row. */
template <unsigned AT> WL_ASM_FN void wl_ldmatrix_x4_at(unsigned *d, const void *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4 + %5];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(wl_shared_address(row)), "n"(AT)
               : "memory");
}

#endif
