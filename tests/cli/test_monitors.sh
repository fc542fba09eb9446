#!/bin/sh
# %pm0 to %pm7 and %pm0_64 to %pm7_64 from PTX to the machine (docs/views.md; PTX 10.25, 10.26): which
# special registers they become, and values that shared memory's rules give by hand, which the view's
# counters have too.  test_monitors.sh WARPLOCK
warplock=$1
. "$(dirname "$0")/lib.sh"
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
head=".version 9.0
.target sm_90
.address_size 64"

# same WHAT GOT EXPECTED
same() {
  tests=$((tests + 1))
  [ "$2" = "$3" ] || fail "$1: got '$2', expected '$3'"
}

# ---- special registers: 33 + 2 * number, and the next one for the high word
{
  echo "$head"
  echo ".visible .entry all(.param .u64 p) {"
  echo " .reg .b32 %r; .reg .b64 %w, %d; ld.param.u64 %d, [p]; cvta.to.global.u64 %d, %d;"
  for i in 0 1 2 3 4 5 6 7; do
    echo " mov.u32 %r, %pm$i; st.global.u32 [%d + $((4 * i))], %r;"
  done
  for i in 0 1 2 3 4 5 6 7; do
    echo " mov.u64 %w, %pm${i}_64; st.global.u64 [%d + $((32 + 8 * i))], %w;"
  done
  echo " ret; }"
} >all.ptx
want 0 "" as all.ptx -o all.wlo
want 0 "s2r" dis all.wlo
same "special registers" "$(sed -n 's/.* s2r R[0-9]*, SR\([0-9]*\).*/\1/p' got.txt | tr '\n' ' ')" \
  "33 35 37 39 41 43 45 47 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 "

# ---- one warp, words 32 words apart: all in one bank of 32, so 32 passes; then side by side: one.
# A barrier waits for the warp's own accesses.
cat >banks.ptx <<END
$head
.visible .entry k(.param .u64 p) {
 .reg .b32 %r<9>;
 .reg .b64 %d<5>;
 .shared .align 4 .b8 s[4096];
 ld.param.u64 %d1, [p];
 cvta.to.global.u64 %d1, %d1;
 mov.u32 %r1, %tid.x;
 mul.wide.u32 %d2, %r1, 24;
 add.s64 %d1, %d1, %d2;
 shl.b32 %r2, %r1, 7;
 shl.b32 %r3, %r1, 2;
 mov.u32 %r4, s;
 add.u32 %r2, %r2, %r4;
 add.u32 %r3, %r3, %r4;
 st.shared.u32 [%r2], %r1;
 bar.sync 0;
 mov.u32 %r5, %pm2;
 mov.u32 %r6, %pm3;
 st.global.u32 [%d1], %r5;
 st.global.u32 [%d1 + 4], %r6;
 st.shared.u32 [%r3], %r1;
 bar.sync 0;
 mov.u64 %d3, %pm2_64;
 mov.u64 %d4, %pm3_64;
 st.global.u64 [%d1 + 8], %d3;
 st.global.u64 [%d1 + 16], %d4;
 ret;
}
END
# values CONFIG BACKEND EXPECTED: what every lane stored
values() {
  want 0 "k on $2" run banks.ptx --grid 1 --block 32 --arg out:768:out.bin --backend "$2" \
    --config "$1" --seed 3
  same "$2 $1" "$(od -An -v -w24 -td4 out.bin | tr -s ' ' | sort | uniq -c | tr -s ' ')" " 32 $3"
}
for config in base full; do
  values $config model "1 32 2 0 33 0"
  values $config func "0 0 0 0 0 0"
  want 0 "k on model" run banks.ptx --grid 1 --block 32 --arg out:768:out.bin --backend model \
    --config $config --pipeview view.txt
  same "view of $config" "$(sed -n 's/^shared memory: \(.*\),.*/\1/p' view.txt)" \
    "2 requests, 33 passes"
done
values tiny model "0 0 0 0 0 0" # has no monitors
echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
