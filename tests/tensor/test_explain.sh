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
# refuse ARGUMENT...: exit code 2.
refuse() {
  code=0
  "$warplock" explain-mma "$@" > /dev/null 2>&1 || code=$?
  if [ $code -ne 2 ]; then
    echo "explain-mma $*: exit code $code"
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
refuse --a 1
refuse --a 1,2 --b 1
refuse --a x --b 1
refuse --a 0x10000 --b 1
refuse --a 1 --b 1 --profile f17
[ $failures -eq 0 ]
