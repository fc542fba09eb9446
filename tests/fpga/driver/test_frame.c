/* test_frame.c: frames of the host link (docs/fpga.md 3). Expected values are published check
 * values of the two CRCs and a frame put together by hand here. */
#include <stdio.h>
#include <string.h>

#include "driver/fpga/frame.h"

static int failures;

static void expect(const char *what, uint64_t got, uint64_t want) {
  if (got == want) return;
  printf("%s: got %llx, expected %llx\n", what, (unsigned long long)got, (unsigned long long)want);
  failures++;
}

/* Frames found in bytes; the last one is in *out. */
static unsigned find(const uint8_t *bytes, size_t n, wl_receiver_t *r, wl_frame_t *out) {
  wl_frame_t f;
  unsigned found = 0;
  for (size_t i = 0; i < n; i++)
    if (wl_receiver_take(r, bytes[i], &f)) {
      *out = f;
      found++;
    }
  return found;
}

/* Bitwise, in another way than the code under test. */
static uint32_t slow_crc32(const uint8_t *p, size_t n) {
  uint32_t crc = 0xffffffff;
  for (size_t i = 0; i < n; i++)
    for (int b = 0; b < 8; b++) {
      const uint32_t bit = (uint32_t)(p[i] >> b & 1) ^ (crc & 1);
      crc = crc >> 1 ^ (bit != 0 ? 0xedb88320u : 0);
    }
  return ~crc;
}

static void test_checks(void) {
  const uint8_t *digits = (const uint8_t *)"123456789";
  expect("CRC-8 of 123456789", wl_crc8(digits, 9), 0xf4);
  expect("CRC-32 of 123456789", wl_crc32(0, digits, 9), 0xcbf43926);
  expect("CRC-32 in two parts", wl_crc32(wl_crc32(0, digits, 4), digits + 4, 5), 0xcbf43926);
}

static void test_layout(void) {
  uint8_t frame[WL_FRAME_MAX], plain[6] = {9, 0x2a, 2, 0, 0xaa, 0xbb};
  const size_t n = wl_frame_make(frame, 9, 0x2a, "\xaa\xbb", 2);
  const uint32_t crc = slow_crc32(plain, sizeof plain);
  const uint8_t want[] = {0x57,
                          0x4c,
                          9,
                          0x2a,
                          2,
                          0,
                          wl_crc8(plain, 4),
                          0xaa,
                          0xbb,
                          (uint8_t)crc,
                          (uint8_t)(crc >> 8),
                          (uint8_t)(crc >> 16),
                          (uint8_t)(crc >> 24)};
  expect("length of a frame", n, sizeof want);
  for (size_t i = 0; i < n && i < sizeof want; i++)
    expect("byte of a frame", frame[i], want[i]);
}

static void test_every_length(void) {
  uint8_t payload[WL_LINK_MAX_PAYLOAD], frame[WL_FRAME_MAX];
  wl_receiver_t r = {.n = 0};
  wl_frame_t f;
  for (size_t i = 0; i < sizeof payload; i++)
    payload[i] = (uint8_t)(i * 7);
  for (size_t len = 0; len <= WL_LINK_MAX_PAYLOAD; len++) {
    const size_t n = wl_frame_make(frame, 3, (uint8_t)len, payload, len);
    expect("frames found", find(frame, n, &r, &f), 1);
    expect("length found", f.len, len);
    expect("sequence found", f.seq, (uint8_t)len);
    expect("payload found", (uint64_t)memcmp(f.payload, payload, len), 0);
  }
  expect("bytes discarded", r.discarded, 0);
}

/* No frame with any one bit, or any two neighbouring bytes, wrong is taken; the next good one is.
 */
static void test_damage(void) {
  uint8_t good[WL_FRAME_MAX], bad[WL_FRAME_MAX];
  wl_frame_t f;
  const size_t n = wl_frame_make(good, 5, 77, "0123456789abcdef", 16);
  for (size_t bit = 0; bit < 8 * n; bit++) {
    wl_receiver_t r = {.n = 0};
    memcpy(bad, good, n);
    bad[bit / 8] = (uint8_t)(bad[bit / 8] ^ 1 << bit % 8);
    expect("damaged frame taken", find(bad, n, &r, &f), 0);
    wl_receiver_pause(&r);
    expect("good frame behind it", find(good, n, &r, &f), 1);
  }
  for (size_t i = 0; i + 1 < n; i++) {
    wl_receiver_t r = {.n = 0};
    memcpy(bad, good, n);
    bad[i] = (uint8_t)~bad[i];
    bad[i + 1] = (uint8_t)~bad[i + 1];
    expect("frame with two wrong bytes taken", find(bad, n, &r, &f), 0);
  }
}

static void test_hunt(void) {
  uint8_t stream[3 * WL_FRAME_MAX];
  wl_receiver_t r = {.n = 0};
  wl_frame_t f;
  size_t n = 0;
  memcpy(stream, "\x4c\x57\x57\x00\x57", 5); /* nearly beginnings, the last one doubled */
  n = 5;
  n += wl_frame_make(stream + n, 1, 1, "a", 1);
  memcpy(stream + n, "\x57\x4c\x01\x01\xff\xff\x00", 7); /* a head with a wrong check */
  n += 7;
  n += wl_frame_make(stream + n, 2, 2, "bc", 2);
  expect("frames between garbage", find(stream, n, &r, &f), 2);
  expect("type of the last", f.type, 2);
  expect("bytes discarded", r.discarded, 12);
}

static void test_too_long(void) {
  const uint16_t len = WL_LINK_MAX_PAYLOAD + 1;
  uint8_t head[8] = {0x57, 0x4c, 5, 1, (uint8_t)len, (uint8_t)(len >> 8)}, good[WL_FRAME_MAX];
  wl_receiver_t r = {.n = 0};
  wl_frame_t f;
  head[6] = wl_crc8(head + 2, 4); /* right, but the length is above the limit */
  expect("frame above the limit", find(head, 7, &r, &f), 0);
  expect("bytes kept of it", r.n, 0);
  expect("frame behind it", find(good, wl_frame_make(good, 5, 1, "x", 1), &r, &f), 1);
}

static void test_pause(void) {
  uint8_t frame[WL_FRAME_MAX];
  wl_receiver_t r = {.n = 0};
  wl_frame_t f;
  const size_t n = wl_frame_make(frame, 5, 1, "hello", 5);
  expect("half a frame", find(frame, n / 2, &r, &f), 0);
  wl_receiver_pause(&r);
  expect("the other half behind a pause", find(frame + n / 2, n - n / 2, &r, &f), 0);
  expect("the whole frame", find(frame, n, &r, &f), 1);
}

int main(void) {
  test_checks();
  test_layout();
  test_every_length();
  test_damage();
  test_hunt();
  test_too_long();
  test_pause();
  printf("frames: %d failures\n", failures);
  return failures != 0;
}
