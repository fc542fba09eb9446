/* 8- and 16-bit integers: wrap-around, sign, shifts, comparison, division, in 16-bit registers. */
#include "wl_device.h"

WL_KERNEL void int16(const short *a, const unsigned short *b, const signed char *c, short *out,
                     unsigned short *uout, unsigned char *bout, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  short x = a[i];
  unsigned short y = b[i];
  signed char z = c[i];
  short s = (short)(x + z);
  s = (short)(s * (short)y);
  s = (short)(s - (x >> (y & 7)));
  s = x < z ? s : (short)(s ^ 0x55aa);
  s = (short)(s % (short)((z & 31) + 1));
  out[i] = (short)(s + (x > (short)y ? x : (short)y));
  unsigned short u = (unsigned short)(y << (z & 15));
  u = (unsigned short)(u | (y >> 3));
  u = (unsigned short)(u + (unsigned short)(y / (unsigned short)((x & 63) + 1)));
  u = (unsigned short)(u & ~(unsigned short)z);
  uout[i] = u < y ? u : (unsigned short)(u - y);
  bout[i] = (unsigned char)(z * 3 + (unsigned char)x);
}
