/* commands_explain.c: options of `explain-mma`: the table of commands.c. */
#include <stddef.h>

#include "driver/cli/commands.h"

static const cli_option_t explain_options[] = {
    {"--a", "LIST",
     "a row of A: k ascending, numbers, powers of two 2^N or patterns 0x.., commas between them"},
    {"--b", "LIST", "a column of B"},
    {"--c", "VALUE", "the element of C, or of D before (default 0)"},
    {NULL, NULL, NULL}};
static const cli_option_t explain_sync[] = {{"--profile", "f16_f32|f16_f16|bf16_f32|tf32_f32",
                                             "types of A and B, of C and D (default f16_f32)"},
                                            {NULL, NULL, NULL}};
static const cli_option_t explain_kinds[] = {
    {"--kind", "f16|tf32|f8f6f4|i8|mxf8f6f4|mxf4|mxf4nvf4", "kind of product"},
    {"--atype", "TYPE",
     "type of A: f16 or bf16; e4m3, e5m2, e2m3, e3m2 or e2m1; s8 or u8 (default the first one)"},
    {"--btype", "TYPE", "type of B, likewise"},
    {"--dtype", "f32|f16", "type of D, with kinds f16 and f8f6f4 (default f32)"},
    {"--scale-a", "LIST",
     "scales of the row of A, of ue8m0: one of mxf8f6f4, two of mxf4; of mxf4nvf4 two, or four of "
     "ue4m3"},
    {"--scale-b", "LIST", "scales of the column of B"},
    {"--stype", "ue8m0|ue4m3", "type of four scales (default ue4m3)"},
    {"--scale-d", "N", "D before counts * 2^-N, N from 0 to 15 (scale-input-d; kinds f16, tf32)"},
    {"--saturate", NULL, "the sum is clamped to s32 (kind i8)"},
    {NULL, NULL, NULL}};
static const cli_group_t explain_groups[] = {{"Options", explain_options},
                                             {"Products of mma.sync", explain_sync},
                                             {"Products of tcgen05.mma", explain_kinds},
                                             {NULL, NULL}};
static const cli_exit_t explain_exits[] = {
    {0, "told"}, {2, "wrong usage"}, {70, "internal error"}, {0, NULL}};
const cli_command_t cli_explain = {
    .name = "explain-mma",
    .summary = "tell how one element of a matrix product is summed",
    .usage = "--a LIST --b LIST [--c VALUE] [--profile NAME | --kind KIND [OPTION...]]",
    .about =
        "Tells for one element of D = A * B + C, block by block: the largest exponent, each "
        "term with its shift, what is kept of it and the bits that are cut, the sum, its "
        "rounding, and which cut bit changed the result. Of tcgen05.mma with block scales also "
        "what each scale does; with 4-bit numbers the terms are groups of 16 products, which are "
        "summed exactly and then scaled. docs/numerics.md.",
    .groups = explain_groups,
    .exits = explain_exits,
    .example = "warplock explain-mma --kind mxf4nvf4 --a 1,0.5,6,-4 --b 2,3,0.5,6 --scale-a "
               "1,0.5,0.5,0.5 --scale-b 448,1,1,1"};
