#!/bin/sh
# What `warplock explain-mma` tells. Usage: test_explain.sh WARPLOCK
set -eu
warplock=$1
failures=0

# want TEXT ARGUMENT...: a line of the output is TEXT.
want() {
  text=$1
  shift
  if ! "$warplock" explain-mma "$@" | grep -qxF -- "$text"; then
    echo "explain-mma $*: no line '$text'"
    failures=$((failures + 1))
  fi
}
# refuse TEXT ARGUMENT...: exit code 2, and the error is the one line TEXT.
refuse() {
  text="warplock: error: $1"
  shift
  code=0
  got=$("$warplock" explain-mma "$@" 2>&1) || code=$?
  if [ $code -ne 2 ] || [ "$got" != "$text" ]; then
    echo "explain-mma $*: exit code $code, '$got', expected '$text'"
    failures=$((failures + 1))
  fi
}

# 1 + 2^-11 is a tie of f16; 2^-26 would decide it and is cut.
tie='--profile f16_f16 --a 1,0.03125,0x0800 --b 1,0.015625,0x0800'
want '  X = 0, unit 2^-25' $tie
want '    2  0.00012207 * 0.00012207      exponent   -26  behind X by   26  kept +0  cut 21: 100000000000000000000' $tie
want '  the cut bit 2^-26 of product 2 changes the result: with it 0x3c01 (1.00097656)' $tie
want 'D = 0x3c00 (1)' $tie
# The result's own cut is no term's.
want 'D = 0x3f7fffff (0.99999994)' --a 1 --b 1 --c 0xb3000000
want '  no cut bit of a term changes the result' --a 1 --b 1 --c 0xb3000000
# Each of nine 2^-26 is cut; none alone counts.
want "  no term's cut bits alone change the result, all of them together do" \
  --a 1,0x0800,0x0800,0x0800,0x0800,0x0800,0x0800,0x0800,0x0800,0x0800 \
  --b 1,0x0800,0x0800,0x0800,0x0800,0x0800,0x0800,0x0800,0x0800,0x0800
# Two blocks of tf32; the floor of bf16; infinities.
want 'block 2: products 8 to 8' --profile tf32_f32 --a 1,1,1,1,1,1,1,1,1 --b 1,1,1,1,1,1,1,1,1
want 'D = 0x41100000 (9)' --profile tf32_f32 --a 1,1,1,1,1,1,1,1,1 --b 1,1,1,1,1,1,1,1,1
want '  X = -133 (the lowest), unit 2^-158' --profile bf16_f32 --a 0x1980 --b 0x1980
want '  an infinity or a NaN decides: 0x7fffffff (nan)' --a 0x7c00 --b 0

# ---- kinds of tcgen05.mma. D lowered to its last bit; the default types; what is not given.
want 'tcgen05.mma.kind::f16, bf16 * bf16 to f32' --kind f16 --atype bf16 --a 1 --b 1
want 'products 1 to 15 are not given: zero' --kind f16 --a 1 --b 1
want 'D = 0x3f800100 (1.00003052)' --kind f16 --a 1 --b 1 --c 1 --scale-d 15
want 'D = 0x3c00 (1)' --kind f16 --dtype f16 --a 1 --b 1 --c 0x0001 --scale-d 2
want '  the cut bit 2^-26 of C changes the result: with it 0x3c01 (1.00097656)' \
  --kind f16 --dtype f16 --a 1,0.03125 --b 1,0.015625 --c 0x0001 --scale-d 2
want 'tcgen05.mma.kind::f8f6f4, e3m2 * e4m3 to f32' --kind f8f6f4 --atype e3m2 --a 1 --b 1
want 'D = 0x43e00000 (448)' --kind f8f6f4 --a 463 --b 1
want '  it is beyond s32: clamped' --kind i8 --saturate --a 127 --b 1 --c 2147483647
want 'D = 0x8000007e (-2147483522)' --kind i8 --a 127 --b 1 --c 2147483647
# Scales: an exponent of each product; of a group, whose products may cancel and push C out; NaN.
want '  scales of ue8m0: of A 0x7c (0.125), of B 0x80 (2): each product counts * 2^-2' \
  --kind mxf8f6f4 --a 1 --b 1 --scale-a 2^-3 --scale-b 2
want 'D = 0x3e800000 (0.25)' --kind mxf8f6f4 --a 1 --b 1 --scale-a 2^-3 --scale-b 2
want 'D = 0x7fffffff (nan)' --kind mxf8f6f4 --a 0 --b 0 --scale-a 0xff --scale-b 1
want '  P = -17.5, scales of ue4m3: of A 0x38 (1), of B 0x7e (448): exponent 8' \
  --kind mxf4nvf4 --a 1,0.5,6,-4 --b 2,3,0.5,6 --scale-a 1,1,1,1 --scale-b 448,1,1,1
cancel='--kind mxf4 --a 1,-1 --b 1,1 --c 0x3f800001 --scale-b 2^20,1'
want 'D = 0x3f800000 (1)' $cancel --scale-a 2^15,1
want 'D = 0x3f800001 (1.00000012)' $cancel --scale-a 2^-8,1
want '    0  0 * 32768 * 1.04858e+06      exponent    35  behind X by    0  kept +0' $cancel --scale-a 2^15,1
want '  P = 0, scales of ue8m0: of A 0x7f (1), of B 0x7f (1): all products are zero: no exponent' $cancel --scale-a 1,1
want '  P = 1, scales of ue4m3: of A 0x00 (0), of B 0x38 (1): a scale is zero: no exponent' \
  --kind mxf4nvf4 --a 1 --b 1 --scale-a 0,1,1,1 --scale-b 1,1,1,1

# ---- errors
refuse 'explain-mma needs --a and --b' --a 1
refuse '--a has 2 values, --b 1: a product is of one of each' --a 1,2 --b 1
refuse "--a: 'x' is no number, and no pattern 0x.. of f16" --a x --b 1
refuse "--b: '' is no number, and no pattern 0x.. of f16" --a 1,2,3 --b 1,,2
refuse "--a: '0x10000' is no number, and no pattern 0x.. of f16" --a 0x10000 --b 1
refuse "--profile: there is no 'f17'" --a 1 --b 1 --profile f17
refuse "--profile: there is no 'mxf4_f32'" --a 1 --b 1 --profile mxf4_f32
refuse '--scale-a needs --kind' --a 1 --b 1 --scale-a 1
refuse '--profile is of mma.sync, --kind of tcgen05.mma: only one of them' --a 1 --b 1 --kind f16 --profile f16_f32
refuse "--kind: there is no 'f17'" --a 1 --b 1 --kind f17
refuse "--atype: kind f8f6f4 does not have 'f16' here" --a 1 --b 1 --kind f8f6f4 --atype f16
refuse "--dtype: kind mxf4 does not have 'f16' here" --a 1 --b 1 --kind mxf4 --dtype f16 --scale-a 1,1 --scale-b 1,1
refuse '--dtype: a product of bf16 has no result of f16' --a 1 --b 1 --kind f16 --atype bf16 --dtype f16
refuse 'kind f16 has one type of A and B' --a 1 --b 1 --kind f16 --atype bf16 --btype f16
refuse "--a: '7' is beyond the numbers of e2m1" --a 7 --b 1 --kind f8f6f4 --atype e2m1
refuse "--b: '-1' is beyond the numbers of u8" --a 1 --b -1 --kind i8 --btype u8
refuse '--a: more than 8 values, the products of kind tf32' --kind tf32 --a 1,1,1,1,1,1,1,1,1 --b 1,1,1,1,1,1,1,1,1
refuse 'kind tf32 has no block scales' --a 1 --b 1 --kind tf32 --scale-a 1 --scale-b 1
refuse '--scale-a has 2 values, --scale-b 1: they need as many' --a 1 --b 1 --kind mxf4 --scale-a 1,1 --scale-b 1
refuse '--scale-a has 0 values: kind mxf4 has 2 for its 64 products' --a 1 --b 1 --kind mxf4
refuse '--scale-a has 4 values: kind mxf4 has 2 for its 64 products' --a 1 --b 1 --kind mxf4 \
  --scale-a 1,1,1,1 --scale-b 1,1,1,1
refuse '--scale-a has 3 values: kind mxf4nvf4 has 2 or 4 for its 64 products' --a 1 --b 1 --kind mxf4nvf4 \
  --scale-a 1,1,1 --scale-b 1,1,1
refuse "--stype: kind mxf4nvf4 does not have 'ue4m3' here" --a 1 --b 1 --kind mxf4nvf4 --stype ue4m3 \
  --scale-a 1,1 --scale-b 1,1
refuse "--scale-b: '3' is no power of two and so no number of ue8m0" --a 1 --b 1 --kind mxf8f6f4 --scale-a 1 --scale-b 3
refuse "--scale-a: '-1' is negative, which is no number of ue4m3" --a 1 --b 1 --kind mxf4nvf4 \
  --scale-a -1,1,1,1 --scale-b 1,1,1,1
refuse '--scale-d: kind mxf8f6f4 has no scale-input-d' --a 1 --b 1 --kind mxf8f6f4 --scale-a 1 --scale-b 1 --scale-d 1
refuse "--scale-d: '16' is no number from 0 to 15" --a 1 --b 1 --kind f16 --scale-d 16
refuse '--saturate: kind f16 has no integers' --a 1 --b 1 --kind f16 --saturate
[ $failures -eq 0 ]
