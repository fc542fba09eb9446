#!/bin/bash
# docs/first-divergence.md: each of its commands is run, in order, in a copy of the folders that it
# names, and must print what the page says; each row of its table of signals is looked up in the
# waves; a "word number" in its text must stand in an output.
#   test_page.sh ROOT WARPLOCK PLANTED COPY WAVE_CHECK [--write]
# COPY: the planted source; --write: the page gets the outputs as they are now (after a change of
# timing; read it afterwards). Not checked: prose.
root=$1
warplock=$2
planted=$3
copy=$4
check=$5
page=$root/docs/first-divergence.md
. "$root/tests/docs/page.sh"

mkdir -p "$dir/tree/build/tests/replay" "$dir/bin"
ln -s "$root/docs" "$root/cmodel" "$dir/tree/"
ln -s "$warplock" "$dir/tree/build/warplock"
ln -s "$planted" "$dir/tree/build/tests/replay/wl_replay_planted"
ln -s "$copy" "$dir/tree/build/tests/replay/barrier.c"

# gtkwave of the page: without a screen, and what it shows at the cursor goes to a file. Without
# GTKWave and Xvfb only the files are looked at.
real=$(command -v gtkwave)
command -v xvfb-run >/dev/null && command -v Xvfb >/dev/null || real=
cat >"$dir/bin/show.tcl" <<'TCL'
set f [open $env(SHOWN) w]
puts $f "cursor [gtkwave::getMarker]"
for {set i 0} {$i < [gtkwave::getTotalNumTraces 0] && $i < 30} {incr i} {
  puts $f "[gtkwave::getTraceNameFromIndex $i] [gtkwave::getTraceValueAtMarkerFromIndex $i]"
}
close $f
exit
TCL
export SHOWN=$dir/shown.txt
cat >"$dir/bin/gtkwave" <<TEXT
#!/bin/sh
[ -s "\$1" ] && [ -s "\$2" ] && [ \$# -eq 2 ] || { echo "gtkwave: no \$1 or \$2"; exit 1; }
[ -z "$real" ] || timeout 60 xvfb-run -a "$real" "\$@" -S "$dir/bin/show.tcl" >/dev/null 2>&1
TEXT
chmod +x "$dir/bin/gtkwave"
PATH=$dir/bin:$PATH

# ---- the commands; new.md is the page with their outputs
cd "$dir/tree" || exit 1
run_page "$page" "$dir/new.md" ptx
[ "$tests" -ge 20 ] || fail "only $tests commands were found"
same_page "$page" "$dir/new.md" "${6:-}"
# The comparison above holds for a program that does nothing; what the page is about:
grep -q '^warplock: error: DIVERGENCE at cycle [0-9]*  sm0 BARRIER$' report.txt ||
  fail "report.txt: $(cat report.txt)"
grep -q 'odd.rpx does not come to the recorded divergence' gone.txt || fail "gone: $(cat gone.txt)"

# ---- its table, in the waves and in GTKWave
at=$(sed -n 's/.*DIVERGENCE at cycle \([0-9]*\).*/\1/p' report.txt)
look() {
  tests=$((tests + 1))
  "$check" "$@" >"$dir/out" 2>&1 || fail "wave_check $*: $(cat "$dir/out")"
}
look save odd.vcd odd.gtkw "$at"
[ -z "$real" ] || grep -qx "cursor $at" "$SHOWN" || fail "GTKWave shows: $(cat "$SHOWN")"
rows=0
while IFS='|' read -r _ signal before now _; do
  signal=$(echo "$signal" | tr -d ' `')
  rows=$((rows + 1))
  look value odd.vcd "$signal" $((at - 1)) $before
  look value odd.vcd "$signal" "$at" $now
  case $signal in
  *.barrier.cta0.*)
    [ -z "$real" ] || grep -qxE "${signal%%.*} ${signal##*.} 0*${now// /}" "$SHOWN" ||
      fail "$signal is not $now in GTKWave: $(cat "$SHOWN")"
    ;;
  esac
done < <(grep -E '^\| `(model|rtl|lockstep)\.' "$page")
[ $rows -ge 5 ] || fail "the table has $rows rows"

# ---- words and numbers in the text
while read -r words; do
  tests=$((tests + 1))
  grep -v '`' "$page" | grep -qE "(^| )$words( |\$)" || fail "\`$words\` is in no output of the page"
done < <(sed '/^```/,/^```$/d' "$page" | grep -oE '`[a-z_]+ [0-9a-f]+`' | tr -d '`' | sort -u)

[ -n "$real" ] || echo "GTKWave or Xvfb is not here: the waves were read by wl_wave_check alone"
echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
