/* Blocks with a scale in 6 and 4 bits: wl_blocks.h. */
#include "wl_blocks.h"
#include "wl_device.h"

WL_BLOCKS(blocks_e2m3, 2, __nv_fp6x2_storage_t,
          __nv_cvt_float2_to_fp6x2(v, __NV_E2M3, cudaRoundNearest),
          __nv_cvt_fp6x2_to_halfraw2(pair, __NV_E2M3))
WL_BLOCKS(blocks_e3m2, 4, __nv_fp6x2_storage_t,
          __nv_cvt_float2_to_fp6x2(v, __NV_E3M2, cudaRoundNearest),
          __nv_cvt_fp6x2_to_halfraw2(pair, __NV_E3M2))
WL_BLOCKS(blocks_e2m1, 2, __nv_fp4x2_storage_t,
          __nv_cvt_float2_to_fp4x2(v, __NV_E2M1, cudaRoundNearest),
          __nv_cvt_fp4x2_to_halfraw2(pair, __NV_E2M1))
