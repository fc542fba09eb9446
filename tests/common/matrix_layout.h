/* matrix_layout: where the bytes of matrix registers stand in the rows of shared memory, by the maps
 * of CuTe, which shares nothing with this project. They are facts of include/cute/atom of CUTLASS:
 * copy_traits_sm75.hpp, copy_traits_sm90.hpp (SM75_U32x4_LDSM_N, SM75_U16x8_LDSM_T and the stores of
 * sm_90; the package tensor-layouts 0.3.2 has the same), copy_traits_sm100.hpp
 * (SM100_U8x16_LDSM_T, SM100_SU4_DU8x16_x4_LDSM_N and SU6, SM100_U8x16_STSM_T).
 * No outside map: 6- and 4-bit elements of m16n16. PTX 9.7.14.5.15 shows one figure for them and for
 * 8 bits. How these elements lie in their row is PTX's text; that one of 4 bits comes to bits 5:2
 * of its byte is that of its figure for tcgen05.cp, which it names. */
#ifndef WL_TESTS_COMMON_MATRIX_LAYOUT_H
#define WL_TESTS_COMMON_MATRIX_LAYOUT_H
#include <stdint.h>

#include "gen/wl_insn.h"

typedef struct matrix_place {
  unsigned lane, byte; /* lane that has the row's address, byte of the row (elements as bytes) */
} matrix_place_t;

/* Byte k of register r of a lane. */
matrix_place_t matrix_place(wl_matrix_t kind, unsigned lane, unsigned r, unsigned k);
/* Byte j of a row whose 16 bytes memory holds, elements as bytes. */
uint8_t matrix_element(wl_matrix_t kind, const uint8_t row[16], unsigned j);
#endif
