/* cuda_formats.h: conversions as the host code of CUDA's headers computes them. One number each. */
#ifndef WL_TESTS_UNIT_LOWER_CUDA_FORMATS_H
#define WL_TESTS_UNIT_LOWER_CUDA_FORMATS_H
#include <stdbool.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum cuda_format { CUDA_E4M3, CUDA_E5M2, CUDA_E2M3, CUDA_E3M2, CUDA_E2M1 } cuda_format_t;
typedef enum cuda_source { CUDA_F32, CUDA_F16, CUDA_BF16 } cuda_source_t;

/* x, bits of the source, to the nearest number of the format, not beyond its largest. */
uint32_t cuda_narrow(cuda_format_t to, cuda_source_t from, uint32_t x);
uint32_t cuda_widen(cuda_format_t from, uint32_t x); /* to f16 */
/* To bf16, times the scale, which is a number of ue8m0. */
uint32_t cuda_widen_scaled(cuda_format_t from, uint32_t x, uint32_t scale);
uint32_t cuda_to_ue8m0(cuda_source_t from, uint32_t x, bool up, bool satfinite);
uint32_t cuda_from_ue8m0(uint32_t x); /* to bf16 */

#ifdef __cplusplus
}
#endif
#endif
