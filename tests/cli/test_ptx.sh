#!/bin/sh
# The program warplock on PTX text: as, dis, info, run; diagnostics and their exit codes
# (docs/architecture.md 3, 6, 7).  test_ptx.sh WARPLOCK SOURCE
warplock=$1
source=$2
. "$(dirname "$0")/lib.sh"
mkdir "a b"
cd "a b" || exit 1
cp "$source/examples/vecadd.ptx" "$source/examples/saxpy.ptx" . || exit 1

head='.version 9.0
.target sm_80
.address_size 64'
printf '%s\n.visible .entry k(.param .u64 p)\n{\n .reg .b32 %%r<3>;\n add.u32 %%r1, %%r2;\n ret;\n}\n' "$head" >malformed.ptx
printf '%s\n.visible .entry k()\n{\n .reg .f64 %%f<3>;\n div.rn.f64 %%f1, %%f2, %%f2;\n ret;\n}\n' "$head" >later.ptx
printf '%s\n.visible .entry first(.param .u64 p) { ret; }\n.visible .entry second() { ret; }\n' "$head" >two.ptx
printf '%s\n.visible .entry q() .reqntid 64 { ret; }\n.visible .entry m() .maxntid 8, 8 { ret; }\n' "$head" >limits.ptx
printf '%s\n.visible .global .u32 total = 5;\n.visible .const .u32 step = 2;\n.visible .entry k() {\n .reg .b32 %%r<4>;\n ld.global.u32 %%r1, [total];\n ld.const.u32 %%r2, [step];\n add.u32 %%r1, %%r1, %%r2;\n st.global.u32 [total], %%r1;\n ret;\n}\n' "$head" >variables.ptx
printf '%s\n.visible .entry k(.param .u64 p) {\n .reg .b64 %%d<3>;\n .reg .b32 %%r<2>;\n ld.param.u64 %%d1, [p];\n cvta.to.global.u64 %%d1, %%d1;\n st.global.u32 [%%d1+2000000000], %%r1;\n ret;\n}\n' "$head" >outside.ptx
printf '\001\000\000\000\002\000\000\000\003\000\000\000' >x
printf '\005\000\000\000\006\000\000\000\007\000\000\000' >y
printf '\006\000\000\000\010\000\000\000\012\000\000\000' >z.want

# ---- assemble, list, run from text and from the object
want 0 "" as vecadd.ptx
[ -s vecadd.wlo ] || fail "vecadd.wlo is missing"
want 0 "" as vecadd.ptx -o other.wlo
cmp -s vecadd.wlo other.wlo || fail "the same text gave two objects"
"$warplock" as - -o piped.wlo <vecadd.ptx || fail "as - failed"
[ -s piped.wlo ] || fail "piped.wlo is missing"
rm -f vecadd.wlo
want 0 "" as --check vecadd.ptx saxpy.ptx
[ ! -e vecadd.wlo ] || fail "--check wrote an object"
want 0 "      1 mad.lo.u32" as --check --histogram vecadd.ptx
want 0 '["mad.lo.u32", 1]' as --check --json - vecadd.ptx
want 0 "kernel vecadd" info other.wlo
want 0 "kernel saxpy" info saxpy.ptx
want 0 "vecadd:" dis other.wlo
want 0 "// vecadd.ptx:" dis --source other.wlo
for f in vecadd.ptx other.wlo; do
  for c in tiny base full; do
    want 0 "1 of 1 expectations met" run $f --grid 1 --block 32 --config $c \
      --arg in:x --arg in:y --arg out:12:z --arg u32:3 --expect 2=z.want
    cmp -s z z.want || fail "wrong z"
    rm -f z
  done
done
want 0 "k on func" run variables.ptx --grid 1 --block 1 --symbol total=out:4:total
printf '\007\000\000\000' | cmp -s - total || fail "wrong total: $(od -An -tx1 total)"
want 0 "k on func" run variables.ptx --grid 1 --block 1 --symbol step=u32:9 --symbol total=out:4:total
printf '\016\000\000\000' | cmp -s - total || fail "wrong total with --symbol: $(od -An -tx1 total)"

# ---- refusals
want 2 'malformed.ptx:7:2: error: ' as malformed.ptx
want 2 '[PTX 9.7.1.1]' as malformed.ptx
want 6 "later.ptx:7:2: error: 'div.rn.f64' is not implemented [PTX 9.7." as later.ptx
want 6 "later.ptx:7:2: error: 'div.rn.f64' is not implemented" run later.ptx --grid 1 --block 1
want 6 "malformed.ptx:7:2: error: " as later.ptx malformed.ptx
# What instruction selection refuses as a whole (the two rows of README's table that no table has).
while IFS='|' read -r clause text; do
  printf '%s\n' '.version 8.0' '.target sm_80' '.address_size 64' '.visible .entry k() {' \
    '  .reg .b16 %h<2>; .reg .b32 %r<2>; .reg .f32 %f<2>; .reg .b64 %w<2>; .reg .f64 %d<2>; .reg .pred %p;' \
    "  $text;" '  ret;' '}' >refused.ptx
  want 6 "is not implemented [PTX $clause" as refused.ptx
done <<'END'
9.7.3|div.rn.f64 %d0, %d1, %d1
9.7|setp.lt.f64 %p, %d0, %d1
9.7.3|sin.approx.f32 %f0, %f1
9.7.3|cos.approx.f32 %f0, %f1
9.7.9.21|cvt.f64.f32 %d0, %f0
9.7.9.21|cvt.rn.f16.f64 %h0, %d1
9.7.13.5|atom.shared.add.f64 %d0, [%w0], %d1
END
want 2 "cannot read none.ptx: No such file or directory" as none.ptx
want 2 "no input file" as
want 2 "-o with 2 input files" as vecadd.ptx saxpy.ptx -o o.wlo
want 2 "--max-regs 23: 24 to 255 are possible" as vecadd.ptx --max-regs 23
want 2 "--target 80: expected sm_XX" as vecadd.ptx --target 80
want 2 ".target sm_80 is above the requested sm_75" as vecadd.ptx --target sm_75
want 2 "cannot write no/such.wlo: No such file or directory" as vecadd.ptx -o no/such.wlo
want 6 "option --explain-spaces is not implemented yet" as vecadd.ptx --explain-spaces
want 2 "two.ptx has 2 kernels, choose one with --kernel: first, second" run two.ptx --grid 1 --block 1
want 2 "two.ptx has no kernel third; its kernels: first, second" run two.ptx --kernel third --grid 1 --block 1
want 2 "first(u64 p) takes 1 argument, 0 --arg given" run two.ptx --kernel first --grid 1 --block 1
want 2 "q requires 64,1,1 (.reqntid)" run limits.ptx --kernel q --grid 1 --block 32
want 2 "block 9,8,1: 72 threads, m allows 64 (.maxntid)" run limits.ptx --kernel m --grid 1 --block 9,8
want 4 "trap in k: address out of bounds: instruction " run outside.ptx --grid 1 --block 1 --arg zero:4
want 4 " at outside.ptx:9, CTA 0,0,0, warp 0, lanes 0x00000001, first lane 0, address 0x" \
  run outside.ptx --grid 1 --block 1 --arg zero:4
want 4 "nearest allocation: 1999999996 bytes behind the allocation of 4 bytes" \
  run outside.ptx --grid 1 --block 1 --arg zero:4

echo "$tests tests, $failures failures"
[ $failures -eq 0 ]
