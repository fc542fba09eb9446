#!/bin/sh
# warplock run --pipeview (docs/views.md): reasons add up to cycles x warps, issues to the run's
# instruction count, bank conflicts that were written into a kernel show, and each format can be
# read.  test_view.sh WARPLOCK
warplock=$1
home=$(cd "$(dirname "$0")" && pwd)
. "$home/lib.sh"
. "$home/view_lib.sh"

head='.version 9.0
.target sm_80
.address_size 64'
# Each thread writes and reads one word of shared memory, `stride` bytes apart.
cat >banks.ptx <<END
$head
.visible .entry k(.param .u64 p, .param .u32 stride) {
 .reg .b32 %r<9>;
 .reg .b64 %d<5>;
 .shared .align 4 .b8 s[4096];
 mov.u32 %r1, %tid.x;
 ld.param.u32 %r2, [stride];
 mul.lo.u32 %r3, %r1, %r2;
 and.b32 %r3, %r3, 4095;
 mov.u32 %r4, s;
 add.u32 %r4, %r4, %r3;
 st.shared.u32 [%r4], %r1;
 bar.sync 0;
 ld.shared.u32 %r5, [%r4];
 ld.param.u64 %d1, [p];
 cvta.to.global.u64 %d1, %d1;
 mul.wide.u32 %d2, %r1, 4;
 add.s64 %d1, %d1, %d2;
 st.global.u32 [%d1], %r5;
 ret;
}
END
cat >order.ptx <<END
$head
.visible .entry o(.param .u64 p, .param .u32 stride) {
 .reg .b32 %r<3>;
 .reg .b64 %d<3>;
 mov.u32 %r1, %tid.x;
 ld.param.u32 %r2, [stride];
 ld.param.u64 %d1, [p];
 cvta.to.global.u64 %d1, %d1;
 mul.wide.u32 %d2, %r1, %r2;
 add.s64 %d1, %d1, %d2;
 st.global.u32 [%d1], %r1;
 ret;
}
END
printf '%s\n.visible .entry t() { trap; }\n' "$head" >trap.ptx
K="banks.ptx --block 64 --arg zero:256 --json result.json"

# ---- text: sums, and bank conflicts: tiny has 4 banks and 2 LSU lanes. 2 accesses of 64 lanes are
# 64 requests; words side by side need a pass each, 32 words apart a pass for every lane.
want 0 "k on model" run $K --grid 1 --arg u32:4 --backend model --config tiny --pipeview near.txt
sums near.txt 8
has near.txt "shared memory: 64 requests, 64 passes, 0 of them"
want 0 "k on model" run $K --grid 1 --arg u32:128 --backend model --config tiny --pipeview far.txt
sums far.txt 8
has far.txt "shared memory: 64 requests, 128 passes, 64 of them"
# 2 warps load 2 parameters: 4 passes of one line.
has far.txt "constant cache: 3 hits, 1 misses"
# 14 instructions are 4 lines, each fetched once.
tests=$((tests + 1))
grep -q "^instruction cache: .* hits, 4 misses" far.txt || fail "$(grep instruction.cache far.txt)"
# Order point: stores of neighbours meet in a sector, stores 32 bytes apart do not.
for stride in 4 32; do
  want 0 "o on model" run order.ptx --grid 1 --block 32 --arg zero:1024 --arg u32:$stride \
    --backend model --config tiny --pipeview order.txt --json result.json
  sums order.txt 8
  tests=$((tests + 1))
  waits=$(sed -n 's/^order point: .* waits: \([0-9]*\) cycles.*/\1/p' order.txt)
  [ $((waits > 0)) -eq $((stride == 4)) ] || fail "stride $stride: '$waits' waits for a sector"
done
for run in "base none" "base heavy" "tiny heavy" "full none"; do
  config=${run% *}
  want 0 "k on model" run $K --grid 6 --arg u32:4 --backend model --config "$config" \
    --disturb "${run#* }" --seed 5 --pipeview "$config.txt"
  warps=8
  [ "$config" = base ] && warps=32
  subs=1
  [ "$config" = full ] && warps=64 && subs=4
  sums "$config.txt" $warps $subs
done
want 4 "trap in t" run trap.ptx --grid 1 --block 32 --backend model --config tiny --pipeview trap.txt
tests=$((tests + 1))
grep -q '^ *[0-9]* *[0-9]*x  trap ' trap.txt || fail "trap.txt: no cycle of warp 0 is a trap"

# ---- the view changes nothing, and lockstep's is that of the model alone
with=$(number cycles)
want 0 "k on model" run $K --grid 6 --arg u32:4 --backend model --config full --seed 5
tests=$((tests + 1))
[ "$(number cycles)" = "$with" ] || fail "cycles with the view $with, without $(number cycles)"
if "$warplock" lockstep $K --grid 1 --arg u32:4 --config tiny --pipeview both.txt >got.txt 2>&1; then
  tests=$((tests + 1))
  cmp near.txt both.txt || fail "the view of lockstep is not that of the model"
elif ! grep -q "this build has no" got.txt; then
  fail "lockstep: $(cat got.txt)"
fi

# ---- other formats
want 0 "k on model" run $K --grid 1 --arg u32:128 --backend model --config tiny --pipeview far.json
want 0 "k on model" run $K --grid 1 --arg u32:128 --backend model --config tiny --pipeview far.kanata
cp result.json far.result.json
# Stopped in the middle: the view ends there, with everything that was under way.
want 5 "limit of cycles" run $K --grid 1 --arg u32:128 --backend model --config tiny \
  --max-cycles 200 --pipeview part.json
if command -v python3 >/dev/null; then
  tests=$((tests + 1))
  python3 - <<'END' || fail "part.json, far.json or far.kanata is wrong"
import json
def load(name):
    view = json.load(open(name))
    other = view['otherData']
    busy = sum(e['dur'] for e in view['traceEvents'] if e['ph'] == 'X')
    want = other['cycles'] * other['warps'] - other['reasons']['no warp']
    assert busy == want, (name, busy, want)
    return view
assert load('part.json')['otherData']['cycles'] == 200
view, result = load('far.json'), json.load(open('far.result.json'))
other, events = view['otherData'], [e for e in view['traceEvents'] if e['ph'] == 'X']
issues = [e for e in events if e['cat'] == 'issue']
assert len(issues) == result['warp_instructions'] == other['issued'], len(issues)
assert other['cycles'] == result['cycles'], other['cycles']
assert sum(other['reasons'].values()) == other['cycles'] * other['warps'], other['reasons']
assert (other['smem_requests'], other['smem_conflicts']) == (64, 64), other
lines = [l.rstrip('\n').split('\t') for l in open('far.kanata')]
assert lines[0] == ['Kanata', '0004'] and lines[1][0] == 'C=', lines[:2]
assert all(l[0] in 'CISLR' for l in lines[2:])
assert sum(l[0] == 'R' and l[3] == '0' for l in lines) == result['warp_instructions']
assert sum(l[0] == 'I' for l in lines) == sum(l[0] == 'R' for l in lines)
assert sum(int(l[1]) for l in lines if l[0] == 'C') == result['cycles']
END
fi

# ---- refusals, all before the run
want 2 "cannot write no/such.txt" run $K --grid 1 --arg u32:4 --backend model --pipeview no/such.txt
grep -q "k on model" got.txt && fail "the kernel ran although its view cannot be written"
for backend in func rtl; do
  want 2 "backend $backend has no pipeline view (--pipeview): model and lockstep have one" \
    run $K --grid 1 --arg u32:4 --backend $backend --pipeview none.txt
  [ ! -e none.txt ] || fail "none.txt was left behind"
done

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
