/* Conversions between integers of 8 to 64 bits and f32 in every rounding, with saturation. */
#include "wl_device.h"

WL_KERNEL void float_to_int(const float *in, unsigned long long *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  float v = in[i];
  unsigned long long *r = out + i * 16;
  r[0] = (unsigned long long)(long long)wl_cvt_rni_s32(v);
  r[1] = (unsigned long long)(long long)wl_cvt_rzi_s32(v);
  r[2] = (unsigned long long)(long long)wl_cvt_rmi_s32(v);
  r[3] = (unsigned long long)(long long)wl_cvt_rpi_s32(v);
  r[4] = wl_cvt_rni_u32(v);
  r[5] = wl_cvt_rzi_u32(v);
  r[6] = wl_cvt_rmi_u32(v);
  r[7] = wl_cvt_rpi_u32(v);
  r[8] = (unsigned long long)wl_cvt_rni_s64(v);
  r[9] = (unsigned long long)wl_cvt_rzi_s64(v);
  r[10] = (unsigned long long)wl_cvt_rmi_s64(v);
  r[11] = (unsigned long long)wl_cvt_rpi_s64(v);
  r[12] = wl_cvt_rni_u64(v);
  r[13] = wl_cvt_rzi_u64(v);
  r[14] = wl_cvt_rmi_u64(v);
  r[15] = wl_cvt_rpi_u64(v);
}

WL_KERNEL void int_to_float(const unsigned long long *in, float *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned long long v = in[i];
  float *r = out + i * 16;
  r[0] = wl_cvt_rn_from_s32((int)v);
  r[1] = wl_cvt_rz_from_s32((int)v);
  r[2] = wl_cvt_rm_from_s32((int)v);
  r[3] = wl_cvt_rp_from_s32((int)v);
  r[4] = wl_cvt_rn_from_u32((unsigned)v);
  r[5] = wl_cvt_rz_from_u32((unsigned)v);
  r[6] = wl_cvt_rm_from_u32((unsigned)v);
  r[7] = wl_cvt_rp_from_u32((unsigned)v);
  r[8] = wl_cvt_rn_from_s64((long long)v);
  r[9] = wl_cvt_rz_from_s64((long long)v);
  r[10] = wl_cvt_rm_from_s64((long long)v);
  r[11] = wl_cvt_rp_from_s64((long long)v);
  r[12] = wl_cvt_rn_from_u64(v);
  r[13] = wl_cvt_rz_from_u64(v);
  r[14] = wl_cvt_rm_from_u64(v);
  r[15] = wl_cvt_rp_from_u64(v);
}

/* Rounding to integral values, saturation, and the conversions that C writes as casts. */
WL_KERNEL void convert_small(const float *in, const unsigned long long *bits, float *fout,
                             int *iout, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  float v = in[i];
  unsigned long long w = bits[i];
  float *f = fout + i * 8;
  f[0] = wl_round_rni(v);
  f[1] = wl_round_rzi(v);
  f[2] = wl_round_rmi(v);
  f[3] = wl_round_rpi(v);
  f[4] = wl_saturate(v);
  f[5] = (float)(signed char)w + (float)(unsigned char)(w >> 8);
  f[6] = (float)(short)w + (float)(unsigned short)(w >> 16);
  f[7] = (float)(int)w;
  int *r = iout + i * 8;
  r[0] = wl_sat_u8_s32((int)w);
  r[1] = wl_sat_s16_s32((int)w);
  r[2] = (int)wl_sat_u32_s64((long long)w);
  r[3] = wl_sat_s32_s64((long long)w);
  r[4] = (signed char)w;
  r[5] = (short)(w >> 3);
  r[6] = (unsigned char)(w >> 5);
  r[7] = (int)(short)(signed char)(w >> 9);
}
