#!/bin/sh
# rtl/dpi/warplock_cosim_pkg.sv in a simulator: a recorded run replayed by a test bench is equal; one
# flipped bit is reported; a layout of another hash is refused; trap registers are compared.
# With `uvm` the bench is the scoreboard of examples/uvm: equal, one flipped bit, an early end, a refusal.
#   test_sv.sh WARPLOCK BENCH SOURCE sv|uvm
warplock=$1
bench=$2
source=$3
bench_kind=$4
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
head -c 400 /dev/zero | tr '\0' '\101' >"$dir/x.bin" # 12.08 each
head -c 400 /dev/zero | tr '\0' '\100' >"$dir/y.bin" #  3.00 each
# record PTX EXIT-CODE: the model's run as $dir/log. Kinds by number; of a record's text only the values
# (hexadecimal), behind their count.
record() {
  ptx=$1
  "$warplock" run "$ptx" --backend model --config tiny --grid 4 --block 32 --seed 3 \
    --log "$dir/text.log" --arg f32:2.0 --arg in:"$dir/x.bin" --arg inout:"$dir/y.bin:$dir/o.bin" \
    --arg u32:100 >"$dir/out" 2>&1
  code=$?
  if [ $code -ne "$2" ]; then
    echo "the model's run: exit code $code, expected $2"
    cat "$dir/out"
    exit 1
  fi
  awk '/^JOURNAL/ { gsub(/[(,]/, " "); names[$2] = $3; lanes[$2] = /\[Lanes\]/ }
       FNR == NR { next }
       { n = 0; out = ""
         for (i = 4; i <= NF; i += (lanes[$2] && n > 3 ? 1 : 2)) { out = out " " $i; n++ }
         print $1, names[$2], n out }' "$source/isa/def/journal.def" "$dir/text.log" >"$dir/log"
}
failures=0
want() {
  pattern=$1
  shift
  got=$("$bench" "+log=$dir/log" "+ptx=$ptx" "+dir=$dir" "$@" 2>&1)
  if ! printf '%s\n' "$got" | grep -Eq "$pattern"; then
    echo "$*: expected '$pattern', got:"
    printf '%s\n' "$got" | head -8
    failures=$((failures + 1))
  fi
}
record "$source/examples/saxpy.ptx" 0
number=$(awk '$2 == 0 && ++n == 30 { print NR - 1; exit }' "$dir/log")
cycle=$(awk '$2 == 0 && ++n == 30 { print $1; exit }' "$dir/log")
if [ "$bench_kind" = uvm ]; then
  want '^UVM_INFO .WARPLOCK. equal: every record of every cycle.* RF [1-9][0-9]+ .*ISSUE [1-9]'
  want '^launches 1$'
  want "^UVM_ERROR .WARPLOCK. compare: DIVERGENCE at cycle $cycle  sm0 warp[0-7] rf\.r[0-9]+ " "+flip=$number"
  want '^launches 0$' "+flip=$number"
  want '^UVM_ERROR .WARPLOCK. the test ended before the launch did' +short
  want '^UVM_ERROR .WARPLOCK. create: record layout of tiny: .*hash 0000000000000001' +hash=wrong
  [ $failures -eq 0 ] && echo "UVM scoreboard: equal, flipped, short, refused"
  exit $failures
fi
want '^equal: every record of every cycle.* RF [1-9][0-9]+ .*ISSUE [1-9]' +image
want "^DIVERGENCE at cycle $cycle  sm0 warp[0-7] rf\.r[0-9]+ " "+flip=$number"
# Without X the functions of two states give the same.
want '^equal: every record of every cycle.* RF [1-9][0-9]+ .*ISSUE [1-9]' +two_state
want "^DIVERGENCE at cycle $cycle  sm0 warp[0-7] rf\.r[0-9]+ " "+flip=$number" +two_state
want '^refused: record layout of tiny: .*hash 0000000000000001' +hash=wrong
[ "$(wc -c <"$dir/image.hex")" -gt 1000000 ] || { echo "no image"; failures=1; }
# Two designs with a handle each, in either order of right and wrong, each told of its own.
second="+second_log=$dir/log +second_ptx=$ptx +second_dir=$dir"
# both PATTERN PATTERN OPTION...: a line of the first and one of the second
both() {
  a=$1 b=$2
  shift 2
  want "$a" $second "$@"
  want "$b" $second "$@"
}
both '^equal: every record' '^second_equal: every record'
both '^equal: every record' "^second_DIVERGENCE at cycle $cycle  sm0 warp" "+second_flip=$number"
both "^DIVERGENCE at cycle $cycle  sm0 warp" '^second_equal: every record' "+flip=$number"
both '^refused: record layout' '^second_equal: every record' +hash=wrong
# No trap, but the design's register says one is there.
want '^DIVERGENCE at cycle [0-9]+: trap register' +trap=192
# Thread 40 traps, lane 8 of the second block. Then one wrong bit in each part of the register.
cat >"$dir/trap.ptx" <<'END'
.version 7.0
.target sm_80
.address_size 64
.visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n) {
  .reg .b32 %r<5>;
  .reg .pred %p;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r1, 32, %r2;
  setp.eq.u32 %p, %r3, 40;
  @%p trap;
  ret;
}
END
record "$dir/trap.ptx" 4
want '^equal: every record of every cycle.* TRAP 1'
for bit in 0 64 96 128 160 192; do
  want '^DIVERGENCE at cycle [0-9]+: trap register' "+trap=$bit"
done
want '^dut    valid 1 cause [0-9]+ warp [0-9]+ lane 9 ' +trap=96
[ $failures -eq 0 ] && echo "SystemVerilog package: equal, flipped, refused, two handles, traps"
exit $failures
