/* SHA-256 (FIPS 180-4), one message per thread; padding is made on the fly. */
#include "wl_device.h"

__constant__ unsigned round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static __device__ __forceinline__ unsigned rotr(unsigned v, unsigned n) {
  return (v >> n) | (v << (32 - n));
}

/* Byte `at` of the padded message of `blocks` blocks. */
static __device__ __forceinline__ unsigned padded_byte(const unsigned char *message,
                                                       unsigned length, unsigned blocks,
                                                       unsigned at) {
  unsigned from_end = blocks * 64 - 1 - at;
  if (at < length) {
    return message[at];
  }
  if (at == length) {
    return 0x80;
  }
  return from_end < 4 ? (length * 8) >> (from_end * 8) & 0xff : 0;
}

WL_KERNEL void sha256(const unsigned char *data, const unsigned *offset, const unsigned *length,
                      unsigned *digest, unsigned messages) {
  unsigned m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= messages) {
    return;
  }
  const unsigned char *message = data + offset[m];
  unsigned bytes = length[m];
  unsigned blocks = (bytes + 9 + 63) / 64;
  unsigned h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (unsigned block = 0; block < blocks; block++) {
    unsigned w[16];
    for (unsigned i = 0; i < 16; i++) {
      unsigned at = block * 64 + i * 4;
      w[i] = padded_byte(message, bytes, blocks, at) << 24 |
             padded_byte(message, bytes, blocks, at + 1) << 16 |
             padded_byte(message, bytes, blocks, at + 2) << 8 |
             padded_byte(message, bytes, blocks, at + 3);
    }
    unsigned a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];
    for (unsigned i = 0; i < 64; i++) {
      unsigned t1 = k + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                    round_constant[i] + w[i % 16];
      unsigned t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      k = g;
      g = f;
      f = e;
      e = d + t1;
      d = c;
      c = b;
      b = a;
      a = t1 + t2;
      unsigned w1 = w[(i + 1) % 16];
      unsigned w14 = w[(i + 14) % 16];
      w[i % 16] += (rotr(w1, 7) ^ rotr(w1, 18) ^ (w1 >> 3)) + w[(i + 9) % 16] +
                   (rotr(w14, 17) ^ rotr(w14, 19) ^ (w14 >> 10));
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
    h[5] += f;
    h[6] += g;
    h[7] += k;
  }
  for (unsigned i = 0; i < 8; i++) {
    digest[m * 8 + i] = h[i];
  }
}
