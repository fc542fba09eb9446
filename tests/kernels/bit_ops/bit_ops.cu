/* prmt in all modes, lop3, funnel shifts, bit fields, counts: one result word per instruction. */
#include "wl_device.h"

#define RESULTS 32

WL_KERNEL void bit_ops(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out,
                       unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned x = a[i];
  unsigned y = b[i];
  unsigned z = c[i];
  unsigned long long w = (unsigned long long)y << 32 | x;
  unsigned long long field = wl_bfe_u64(w, z & 0xff, z >> 8 & 0xff);
  unsigned long long signed_field = wl_bfe_s64(w, z & 0xff, z >> 8 & 0xff);
  unsigned *r = out + i * RESULTS;
  r[0] = wl_prmt(x, y, z);
  r[1] = wl_prmt_f4e(x, y, z);
  r[2] = wl_prmt_b4e(x, y, z);
  r[3] = wl_prmt_rc8(x, y, z);
  r[4] = wl_prmt_ecl(x, y, z);
  r[5] = wl_prmt_ecr(x, y, z);
  r[6] = wl_prmt_rc16(x, y, z);
  r[7] = wl_lop3_96(x, y, z);
  r[8] = wl_lop3_e8(x, y, z);
  r[9] = wl_lop3_ca(x, y, z);
  r[10] = wl_lop3_1b(x, y, z);
  r[11] = wl_shf_l_wrap(x, y, z);
  r[12] = wl_shf_l_clamp(x, y, z & 63);
  r[13] = wl_shf_r_wrap(x, y, z);
  r[14] = wl_shf_r_clamp(x, y, z & 63);
  r[15] = wl_bfe_u32(x, z & 0xff, z >> 8 & 0xff);
  r[16] = wl_bfe_s32(x, z & 0xff, z >> 8 & 0xff);
  r[17] = (unsigned)field;
  r[18] = (unsigned)(field >> 32);
  r[19] = (unsigned)signed_field;
  r[20] = (unsigned)(signed_field >> 32);
  r[21] = wl_bfi_b32(x, y, z & 0xff, z >> 8 & 0xff);
  r[22] = __brev(x);
  r[23] = (unsigned)__popc(x & y);
  r[24] = (unsigned)__clz((int)(x & z));
  r[25] = wl_bfind_u32(x & y);
  r[26] = wl_bfind_s32(x | y);
  r[27] = wl_bfind_shiftamt_u32(x & z);
  r[28] = wl_bfind_u64(w & ((unsigned long long)z << 20));
  r[29] = __umulhi(x, y);
  r[30] = (unsigned)__mulhi((int)x, (int)y);
  r[31] = (unsigned)__ffs((int)(x & y & z));
}
