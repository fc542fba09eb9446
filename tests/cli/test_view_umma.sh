#!/bin/sh
# warplock run --pipeview (docs/views.md): counters of products in tensor memory against the cycles of
# docs/microarchitecture.md 25.9 and 26.6, counted by hand.  test_view_umma.sh WARPLOCK
warplock=$1
home=$(cd "$(dirname "$0")" && pwd)
. "$home/lib.sh"
. "$home/view_lib.sh"

# program SHAPE COLUMNS A [BEHIND]: one thread gives two products and a commit; all sleep until they are over. BEHIND:
# instructions behind these.
program() {
  cat <<PTX
.version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 p) {
 .reg .b32 %r<9>, %v<33>; .reg .b64 %d<4>; .reg .pred %q<4>;
 .shared .align 8 .b64 m;
 .shared .align 4 .b32 at;
 .shared .align 128 .b8 operands[12288];
 mov.u32 %r1, %tid.x;
 setp.eq.u32 %q1, %r1, 0;
 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [at], $2;
 @%q1 mbarrier.init.shared::cta.b64 [m], 1;
 ld.shared.b32 %r2, [at];
 mov.u32 %r3, operands;
 shr.u32 %r3, %r3, 4;
 cvt.u64.u32 %d1, %r3;
 or.b64 %d1, %d1, 0x0000400800800000;
 setp.eq.u32 %q2, %r1, %r1;
 mov.u32 %r6, m;
 bar.warp.sync -1;
 @%q1 tcgen05.mma.cta_group::1.kind::f16 [%r2], $3, %d1, $1, %q2;
 @%q1 tcgen05.mma.cta_group::1.kind::f16 [%r2], $3, %d1, $1, %q2;
 @%q1 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r6];
 $4
 nanosleep.u32 12000;
again:
 mbarrier.try_wait.parity.shared::cta.b64 %q3, [m], 0;
 @!%q3 bra again;
 bar.warp.sync -1;
 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r2, $2;
 ret;
}
PTX
}
LD='tcgen05.ld.sync.aligned.32x32b.x32.b32 {%v0'
i=1
while [ $i -lt 32 ]; do LD="$LD, %v$i"; i=$((i + 1)); done
LD="$LD}, [%r2]; tcgen05.wait::ld.sync.aligned;"
run() { # CONFIG
  want 0 "k on model" run k.ptx --backend model --config "$1" --grid 1 --block 32 --arg zero:64 \
    --pipeview v.txt --json result.json
}
without="cycles without a step: operands from shared memory"

# Of each product, and of what is behind it: steps; 8 cycles (tiny, M 64: 1) in which the pipe is emptied; the
# cycle in which the next block starts. Before the first one its buffers are filled, from T + 1 up to
# the cycle before they are FULL. A commit: offered, taken, its pass, six to its act, its delivery: 10 in all.
# base, m128n128k16: FULL in T + 13; 1,024 steps, 160 requests.
program 0x08200010 128 %d1 >k.ptx
run base
sums v.txt 32
has v.txt "products in tensor memory: 2, and 0 copies and shifts, 1 commits in $((12 + 2 * (1 + 1024 + 8) + 10)) cycles"
has v.txt "steps of products: 2048, 0 of them of idle lanes; 99.6 % of"
has v.txt "$without 12, from tensor memory 0, turn 2, pipes 0, writing D 16, copies and shifts 0, commits 10, no command between steps 0"
has v.txt "requests of products to shared memory: 320, waits: 0 cycles"
has v.txt "loads of tensor memory: 0 cycles, 0 of them held"
# tiny, m64n8k16: FULL in T + 51; 2,048 steps, half of them of idle lanes; 192 requests.
program 0x04020010 32 %d1 >k.ptx
run tiny
sums v.txt 8
has v.txt "products in tensor memory: 2, and 0 copies and shifts, 1 commits in $((50 + 2 * (1 + 2048 + 1) + 10)) cycles"
has v.txt "steps of products: 4096, 2048 of them of idle lanes; 100.0 % of"
has v.txt "$without 50, from tensor memory 0, turn 2, pipes 0, writing D 2, copies and shifts 0, commits 10, no command between steps 0"
has v.txt "requests of products to shared memory: 384, waits: 0 cycles"
# full, m128n256k16: FULL in T + 37; 512 steps, 96 requests.
program 0x08400010 256 %d1 >k.ptx
run full
sums v.txt 64 4
has v.txt "products in tensor memory: 2, and 0 copies and shifts, 1 commits in $((36 + 2 * (1 + 512 + 8) + 10)) cycles"
has v.txt "steps of products: 1024, 0 of them of idle lanes; 99.1 % of"
has v.txt "$without 36, from tensor memory 0, turn 2, pipes 0, writing D 16, copies and shifts 0, commits 10, no command between steps 0"
has v.txt "requests of products to shared memory: 192, waits: 0 cycles"
# full, the same with A in tensor memory, over D (26.6): read from T + 1 to T + 10, FULL from T + 12 on. The buffers
# of B are filled meanwhile. So the first step is in T + 16: two halves of B come behind A, in T + 11, T + 12,
# and are FULL in T + 15. The next one's A is read when the first product is over: again, from e + 9 on.
program 0x08400010 256 '[%r2]' >k.ptx
run full
has v.txt "steps of products: 1024, "
has v.txt "$without 6, from tensor memory 22, turn 2, pipes 0, writing D 16, copies and shifts 0, commits 10"
has v.txt "requests of products to shared memory: 128, waits: 0 cycles"
# full, a load of 32 words of D, by eight instructions of four, beside a product that reads a row of D in every second
# cycle (25.6). It begins when the steps have begun. So a word waits one cycle, but the first of an instruction
# perhaps none.
later="add.u32 %r8, %r8, %r1; add.u32 %r8, %r8, %r1; add.u32 %r8, %r8, %r1; add.u32 %r8, %r8, %r1;"
program 0x08400010 256 %d1 "mov.u32 %r8, 0; $later $later $LD" >k.ptx
run full
tests=$((tests + 1))
sed -n 's/^loads of tensor memory: \([0-9]*\) cycles, \([0-9]*\) of them held for products, at most 1 one .*/\1 \2/p' v.txt |
  awk '{ good = $1 == 32 + $2 && $2 >= 24 && $2 <= 32 } END { exit !good }' ||
  fail "loads: $(grep '^loads of tensor' v.txt)"

if command -v python3 >/dev/null; then
  want 0 "k on model" run k.ptx --backend model --config full --grid 1 --block 32 --arg zero:64 \
    --pipeview v.json
  tests=$((tests + 1))
  python3 - <<'PY' || fail "v.json is wrong"
import json
other = json.load(open('v.json'))['otherData']
want = {'umma_products': 2, 'umma_moves': 0, 'umma_commits': 1, 'umma_steps': 1024, 'umma_shared': 36,
        'umma_tmem': 0, 'umma_turn': 2, 'umma_pipes': 0, 'umma_end': 16, 'umma_move': 0, 'umma_commit': 10,
        'umma_idle_steps': 0, 'umma_no_command': 0, 'umma_requests': 192, 'umma_port_waits': 0,
        'tmem_load_longest': 1}
assert {k: other[k] for k in want} == want, other
parts = ('nothing', 'steps', 'shared', 'tmem', 'turn', 'pipes', 'end', 'move', 'commit')
assert sum(other['umma_' + p] for p in parts) == other['cycles'], other
PY
fi

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
