/* Blocks with a scale in 8 bits: wl_blocks.h. */
#include "wl_blocks.h"
#include "wl_device.h"

WL_BLOCKS(blocks_e4m3, 8, __nv_fp8x2_storage_t,
          __nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, __NV_E4M3),
          __nv_cvt_fp8x2_to_halfraw2(pair, __NV_E4M3))
WL_BLOCKS(blocks_e5m2, 15, __nv_fp8x2_storage_t,
          __nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, __NV_E5M2),
          __nv_cvt_fp8x2_to_halfraw2(pair, __NV_E5M2))
