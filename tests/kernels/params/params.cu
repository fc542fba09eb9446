/* Parameters of every scalar type, and structures by value (nested, with an array and a pointer). */
#include "wl_device.h"

struct wl_inner {
  short s16[3];
  unsigned char u8;
};

struct wl_all {
  signed char s8;
  unsigned char u8;
  short s16;
  unsigned short u16;
  int s32;
  unsigned u32;
  long long s64;
  unsigned long long u64;
  float f32;
  wl_inner inner[2];
  unsigned table[5];
};

struct wl_odd {
  unsigned char bytes[7];
};

WL_KERNEL void params_scalar(unsigned long long *out, signed char s8, unsigned char u8, short s16,
                             unsigned short u16, int s32, unsigned u32, long long s64,
                             unsigned long long u64, float f32, bool flag) {
  unsigned i = threadIdx.x;
  unsigned long long v = 0;
  switch (i) {
    case 0: v = (unsigned long long)(long long)s8; break;
    case 1: v = u8; break;
    case 2: v = (unsigned long long)(long long)s16; break;
    case 3: v = u16; break;
    case 4: v = (unsigned long long)(long long)s32; break;
    case 5: v = u32; break;
    case 6: v = (unsigned long long)s64; break;
    case 7: v = u64; break;
    case 8: v = __float_as_uint(f32); break;
    default: v = flag ? 77 : 88; break;
  }
  out[i] = v;
}

WL_KERNEL void params_struct(wl_odd odd, unsigned long long *out, wl_all all, unsigned count) {
  unsigned i = threadIdx.x;
  if (i == 0) {
    out[0] = (unsigned long long)(long long)all.s8;
    out[1] = all.u8;
    out[2] = (unsigned long long)(long long)all.s16;
    out[3] = all.u16;
    out[4] = (unsigned long long)(long long)all.s32;
    out[5] = all.u32;
    out[6] = (unsigned long long)all.s64;
    out[7] = all.u64;
    out[8] = __float_as_uint(all.f32);
    out[9] = (unsigned long long)(long long)(all.inner[0].s16[2] + all.inner[1].s16[0]);
    out[10] = all.inner[1].u8;
  }
  if (i < count) {
    out[11 + i] = all.table[i % 5] + odd.bytes[i % 7];
  }
}
