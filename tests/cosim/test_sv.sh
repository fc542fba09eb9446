#!/bin/sh
# rtl/dpi/warplock_cosim_pkg.sv in a simulator: a recorded run replayed by a test bench is equal; one
# flipped bit is reported; a layout of another hash is refused.  test_sv.sh WARPLOCK BENCH SOURCE
warplock=$1
bench=$2
source=$3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
head -c 400 /dev/zero | tr '\0' '\101' >"$dir/x.bin" # 12.08 each
head -c 400 /dev/zero | tr '\0' '\100' >"$dir/y.bin" #  3.00 each
"$warplock" run "$source/examples/saxpy.ptx" --backend model --config tiny --grid 4 --block 32 \
  --seed 3 --log "$dir/text.log" --arg f32:2.0 --arg in:"$dir/x.bin" \
  --arg inout:"$dir/y.bin:$dir/o.bin" --arg u32:100 >/dev/null || exit 1
# Kinds by number; of a record's text only the values (hexadecimal), behind their count.
awk '/^JOURNAL/ { gsub(/[(,]/, " "); names[$2] = $3; lanes[$2] = /\[Lanes\]/ }
     FNR == NR { next }
     { n = 0; out = ""
       for (i = 4; i <= NF; i += (lanes[$2] && n > 3 ? 1 : 2)) { out = out " " $i; n++ }
       print $1, names[$2], n out }' "$source/isa/def/journal.def" "$dir/text.log" >"$dir/log"
failures=0
want() {
  pattern=$1
  shift
  got=$("$bench" "+log=$dir/log" "+ptx=$source/examples/saxpy.ptx" "+dir=$dir" "$@" 2>&1)
  if ! printf '%s\n' "$got" | grep -Eq "$pattern"; then
    echo "$*: expected '$pattern', got:"
    printf '%s\n' "$got" | head -8
    failures=$((failures + 1))
  fi
}
want '^equal: every record of every cycle.* RF [1-9][0-9]+ .*ISSUE [1-9]'
number=$(awk '$2 == 0 && ++n == 30 { print NR - 1; exit }' "$dir/log")
cycle=$(awk '$2 == 0 && ++n == 30 { print $1; exit }' "$dir/log")
want "^DIVERGENCE at cycle $cycle  sm0 warp[0-7] rf\.r[0-9]+ " "+flip=$number"
want '^refused: record layout of tiny: .*hash 0000000000000001' +hash=wrong
[ "$(wc -c <"$dir/image.hex")" -gt 1000000 ] || { echo "no image"; failures=1; }
[ $failures -eq 0 ] && echo "SystemVerilog package: equal, flipped, refused"
exit $failures
