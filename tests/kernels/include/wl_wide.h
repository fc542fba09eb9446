/*
 * Atomic operations on words of 16 bytes: CUDA's templates, and inline assembly with an order; in plain C++ on
 * the host. They begin with sm_90.
 */
#ifndef WL_WIDE_H
#define WL_WIDE_H
#include "wl_device.h"

typedef unsigned long long wl_u64;

#if defined(__NVCC__)
typedef ulonglong2 wl_wide_t;
WL_ASM_FN wl_wide_t wl_exch16(wl_wide_t *p, wl_wide_t v) { return atomicExch(p, v); }
WL_ASM_FN wl_wide_t wl_cas16(wl_wide_t *p, wl_wide_t compare, wl_wide_t v) {
  return atomicCAS(p, compare, v);
}
/* At a generic address, of whatever space. */
WL_ASM_FN wl_wide_t wl_exch16_generic(wl_wide_t *p, wl_wide_t v) {
  wl_wide_t d;
  asm volatile("{ .reg .b128 d, b; mov.b128 b, {%3, %4};\n\t"
               "atom.relaxed.gpu.exch.b128 d, [%2], b; mov.b128 {%0, %1}, d; }"
               : "=l"(d.x), "=l"(d.y)
               : "l"(p), "l"(v.x), "l"(v.y)
               : "memory");
  return d;
}
WL_ASM_FN wl_wide_t wl_cas16_acq_rel(wl_wide_t *p, wl_wide_t compare, wl_wide_t v) {
  wl_wide_t d;
  asm volatile("{ .reg .b128 d, b, c; mov.b128 b, {%3, %4}; mov.b128 c, {%5, %6};\n\t"
               "atom.acq_rel.gpu.cas.b128 d, [%2], b, c; mov.b128 {%0, %1}, d; }"
               : "=l"(d.x), "=l"(d.y)
               : "l"(p), "l"(compare.x), "l"(compare.y), "l"(v.x), "l"(v.y)
               : "memory");
  return d;
}
#else
struct alignas(16) wl_wide_t {
  wl_u64 x, y;
};
WL_FN wl_wide_t wl_cas16(wl_wide_t *p, wl_wide_t compare, wl_wide_t v) {
  wl_host_hold(true);
  const wl_wide_t old = *p;
  if (old.x == compare.x && old.y == compare.y) {
    *p = v;
  }
  wl_host_hold(false);
  return old;
}
WL_FN wl_wide_t wl_exch16(wl_wide_t *p, wl_wide_t v) {
  wl_host_hold(true);
  const wl_wide_t old = *p;
  *p = v;
  wl_host_hold(false);
  return old;
}
#define wl_exch16_generic wl_exch16
#define wl_cas16_acq_rel  wl_cas16
#endif
#endif
