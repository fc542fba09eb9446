/* splitmix.h: what comes from a seed (docs/microarchitecture.md 15), for the driver. The model and
 * the RTL have functions of their own, so that each checks the others. */
#ifndef WL_DRIVER_SPLITMIX_H
#define WL_DRIVER_SPLITMIX_H
#include <stdint.h>

#define WL_SPLITMIX_STEP UINT64_C(0x9e3779b97f4a7c15)

/* The finaliser F. */
static inline uint64_t wl_splitmix(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* Kinds 1 to 4: WL_SEED_* of state.def; 0: device memory; 7: the disturbance (17). */
enum { WL_MIX_MEMORY = 0, WL_MIX_STALLS = 7 };
static inline uint64_t wl_mix(uint64_t seed, uint64_t kind, uint64_t index) {
  return wl_splitmix(seed + WL_SPLITMIX_STEP * ((kind << 56) + index + 1));
}

#endif
