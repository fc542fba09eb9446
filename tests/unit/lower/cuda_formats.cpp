/* cuda_formats.cpp: see cuda_formats.h. */
#include "tests/unit/lower/cuda_formats.h"

#include <cstring>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

namespace {

float f32(uint32_t x) {
  float f;
  std::memcpy(&f, &x, sizeof f);
  return f;
}

__half_raw f16(uint32_t x) {
  __half_raw r;
  r.x = static_cast<unsigned short>(x);
  return r;
}

__nv_bfloat16_raw bf16(uint32_t x) {
  __nv_bfloat16_raw r;
  r.x = static_cast<unsigned short>(x);
  return r;
}

uint32_t to_fp8(__nv_fp8_interpretation_t to, cuda_source_t from, uint32_t x) {
  return from == CUDA_F32   ? __nv_cvt_float_to_fp8(f32(x), __NV_SATFINITE, to)
         : from == CUDA_F16 ? __nv_cvt_halfraw_to_fp8(f16(x), __NV_SATFINITE, to)
                            : __nv_cvt_bfloat16raw_to_fp8(bf16(x), __NV_SATFINITE, to);
}

uint32_t to_fp6(__nv_fp6_interpretation_t to, cuda_source_t from, uint32_t x) {
  return from == CUDA_F32   ? __nv_cvt_float_to_fp6(f32(x), to, cudaRoundNearest)
         : from == CUDA_F16 ? __nv_cvt_halfraw_to_fp6(f16(x), to, cudaRoundNearest)
                            : __nv_cvt_bfloat16raw_to_fp6(bf16(x), to, cudaRoundNearest);
}

uint32_t to_fp4(cuda_source_t from, uint32_t x) {
  return from == CUDA_F32   ? __nv_cvt_float_to_fp4(f32(x), __NV_E2M1, cudaRoundNearest)
         : from == CUDA_F16 ? __nv_cvt_halfraw_to_fp4(f16(x), __NV_E2M1, cudaRoundNearest)
                            : __nv_cvt_bfloat16raw_to_fp4(bf16(x), __NV_E2M1, cudaRoundNearest);
}

} // namespace

uint32_t cuda_narrow(cuda_format_t to, cuda_source_t from, uint32_t x) {
  switch (to) {
  case CUDA_E4M3:
    return to_fp8(__NV_E4M3, from, x);
  case CUDA_E5M2:
    return to_fp8(__NV_E5M2, from, x);
  case CUDA_E2M3:
    return to_fp6(__NV_E2M3, from, x);
  case CUDA_E3M2:
    return to_fp6(__NV_E3M2, from, x);
  default:
    return to_fp4(from, x);
  }
}

uint32_t cuda_widen(cuda_format_t from, uint32_t x) {
  switch (from) {
  case CUDA_E4M3:
    return __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), __NV_E4M3).x;
  case CUDA_E5M2:
    return __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(x), __NV_E5M2).x;
  case CUDA_E2M3:
    return __nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(x), __NV_E2M3).x;
  case CUDA_E3M2:
    return __nv_cvt_fp6_to_halfraw(static_cast<__nv_fp6_storage_t>(x), __NV_E3M2).x;
  default:
    return __nv_cvt_fp4_to_halfraw(static_cast<__nv_fp4_storage_t>(x), __NV_E2M1).x;
  }
}

/* double holds the product exactly; the conversion rounds once. */
uint32_t cuda_widen_scaled(cuda_format_t from, uint32_t x, uint32_t scale) {
  const double number = __half2float(__half(f16(cuda_widen(from, x))));
  const double factor = __bfloat162float(__nv_bfloat16(bf16(cuda_from_ue8m0(scale))));
  return static_cast<__nv_bfloat16_raw>(__double2bfloat16(number * factor)).x;
}

uint32_t cuda_to_ue8m0(cuda_source_t from, uint32_t x, bool up, bool satfinite) {
  const __nv_saturation_t s = satfinite ? __NV_SATFINITE : __NV_NOSAT;
  const cudaRoundMode r = up ? cudaRoundPosInf : cudaRoundZero;
  return from == CUDA_F32 ? __nv_cvt_float_to_e8m0(f32(x), s, r)
                          : __nv_cvt_bfloat16raw_to_e8m0(bf16(x), s, r);
}

uint32_t cuda_from_ue8m0(uint32_t x) {
  return __nv_cvt_e8m0_to_bf16raw(static_cast<__nv_fp8_storage_t>(x)).x;
}
