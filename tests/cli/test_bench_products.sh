#!/bin/sh
# warplock bench --products: cycles of products in tensor memory by size, against docs/microarchitecture.md 25.9.
#   test_bench_products.sh WARPLOCK SOURCE
warplock=$1
source=$2
home=$(cd "$(dirname "$0")" && pwd)
. "$home/lib.sh"

want 0 "products in tensor memory" bench --products --ptx-dir "$source/tests/kernels" --json all.json
grep -q "^base .*m128n128k1024 .*kept" got.txt || fail "no row of base"
if command -v python3 >/dev/null; then
  tests=$((tests + 1))
  python3 - <<'PY' || fail "all.json is wrong"
import json
rows = json.load(open('all.json'))['products']
assert len(rows) == 48, len(rows)
# 32 products. base: 64 steps for eight columns, full: 16, whatever M is; with M = 64 half of the lanes are idle.
steps = {'base': 8, 'full': 2}
for r in rows:
    assert r['steps'] == 32 * steps[r['config']] * r['n'], r
    assert r['idle_steps'] == (r['steps'] // 2 if r['m'] == 64 else 0), r
    # Rows of A and of B, eight in two requests; on base all of B for each of four passes.
    passes = 4 if r['config'] == 'base' else 1
    assert r['requests'] == 32 * (r['m'] // 4 + passes * r['n'] // 4), r
    causes = sum(r[c] for c in ('shared', 'turn', 'pipes', 'end', 'commits', 'no_command'))
    # Four warps give the commands where operands are kept: the commit of one may come before another's product.
    assert abs(r['cycles'] - r['steps'] - causes) <= (40 if r['operands'] == 'kept' else 0), r
def row(*key): return next(r for r in rows if (r['config'], r['m'], r['n'], r['operands']) == key)
# The period is steps + 9, M = 64 with its last lanes idle: + 8. Warps that give commands make a few cycles more or less.
for config, m, n, period in (('base', 128, 128, 1033), ('base', 128, 32, 265), ('base', 64, 128, 1032),
                             ('full', 128, 256, 521), ('full', 128, 128, 265), ('full', 128, 32, 73)):
    assert abs(row(config, m, n, 'kept')['cycles'] - 32 * period) <= 24, row(config, m, n, 'kept')
# The goals: base from memory; full with its operands in shared memory, or with 256 columns.
for r in (row('base', 128, 128, 'copied'), row('full', 128, 128, 'kept'), row('full', 128, 256, 'copied')):
    assert r['steps'] >= 0.9 * r['cycles'], r
# On full 128 columns from memory need the whole port of the SM: 32 KB for 1,060 cycles, 32 bytes a cycle at most.
assert row('full', 128, 128, 'copied')['steps'] < 0.9 * row('full', 128, 128, 'copied')['cycles']
PY
fi
# Where steps are of one row there are no rows.
want 0 "" bench --products --config tiny --ptx-dir "$source/tests/kernels"
tests=$((tests + 1))
grep -q 'k1024' got.txt && fail "rows of tiny: $(cat got.txt)"

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
